import { readFileSync, writeFileSync } from 'node:fs';
import { computeJsonSchema, computeSceneReference, type JsonSchema, PROBE_COLUMNS } from 'heddle/scene';
import { NODE_QUANTITIES, SHEET_QUANTITIES } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const file = new URL('../../docs/reference/scene.md', import.meta.url);

test('docs/reference/scene.md is what the schema says (UPDATE_DOCS=1 rewrites it)', () => {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, computeSceneReference());
  expect(readFileSync(file, 'utf8')).toBe(computeSceneReference());
});

describe('the JSON Schema', () => {
  /** Every schema of a property, with the path to it. */
  function* eachProperty(schema: JsonSchema, path: string): Generator<[string, JsonSchema]> {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      yield [`${path}.${key}`, property];
      yield* eachProperty(property, `${path}.${key}`);
    }
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* eachProperty(branch, path);
    for (const [name, part] of Object.entries(schema.definitions ?? {})) yield* eachProperty(part, name);
  }

  test('describes every key, and the unit of every number', () => {
    const schema = computeJsonSchema();
    const definitions = schema.definitions ?? {};
    const properties = [...eachProperty(schema, 'scene')];
    expect(properties.length).toBeGreaterThan(80);
    const bare = properties.filter(([path, property]) => {
      const target = definitions[property.$ref?.replace('#/definitions/', '') ?? ''] ?? property;
      const told = target.description !== undefined || property.allOf !== undefined || path.endsWith('.type');
      const measured =
        !['number', 'integer'].includes(property.type ?? '') || 'unit' in property || 'const' in property;
      return !told || !measured;
    });
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  test('is strict: no object of the format takes unknown keys', () => {
    const open: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('properties' in schema && (schema as JsonSchema).additionalProperties !== false) open.push(path);
      for (const [key, value] of Object.entries(schema)) visit(value, `${path}/${key}`);
    };
    visit(computeJsonSchema(), '');
    expect(open).toEqual([]);
  });
});

test('the point probes of the schema are the quantities of the world, with the same columns', () => {
  const describe = ({ name, components }: (typeof NODE_QUANTITIES | typeof SHEET_QUANTITIES)[number]) => [
    name,
    components.map((component) => (component === '' ? '' : `.${component}`)),
  ];
  const known = new Map(Object.entries(PROBE_COLUMNS));
  const quantities = [...NODE_QUANTITIES, ...SHEET_QUANTITIES].map(describe);
  expect(quantities.map(([name]) => [name, known.get(String(name))])).toEqual(quantities);
  const point = [...known.keys()].slice(0, new Set(quantities.map(([name]) => name)).size);
  expect(new Set(point)).toEqual(new Set(quantities.map(([name]) => name)));
});
