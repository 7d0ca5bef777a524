/**
 * docs/reference/scene.md from the JSON Schema: one table for the scene, one for each named part. Written by
 * `heddle schema --markdown`; a test compares the committed file with what is generated.
 */

import { MATERIAL_PRESETS } from '../model/materials.ts';
import { SHEET_MATERIAL_PRESETS } from '../model/sheet-materials.ts';
import { computeJsonSchema, type JsonSchema } from './json-schema.ts';
import { formatNumber } from './wording.ts';

interface Section {
  readonly title: string;
  readonly schema: JsonSchema;
}

/** The reference of the scene format as Markdown. */
export function computeSceneReference(): string {
  const root = computeJsonSchema();
  const lines = [
    '# Scene reference',
    '',
    'Generated from the schema by `heddle schema --markdown`; do not edit. A scene is JSON in SI units. y is up. Angles are in degrees unless the unit is rad.',
    'Unknown keys are errors. Keys in **bold** are required. For completion in an editor, add `"$schema"` to the scene with the',
    'path of a file written by `heddle schema > scene.schema.json`.',
    '',
  ];
  const sections: Section[] = [{ title: 'Scene', schema: root }];
  for (const [name, schema] of Object.entries(root.definitions ?? {})) sections.push({ title: name, schema });
  for (const section of sections) addSection(lines, section, root.definitions ?? {});
  addMaterials(lines);
  return `${lines.join('\n')}\n`;
}

type Definitions = Readonly<Record<string, JsonSchema>>;

function addSection(lines: string[], { title, schema }: Section, definitions: Definitions): void {
  lines.push(`## ${title}`, '');
  if (schema.description !== undefined) lines.push(schema.description, '');
  const branches = schema.oneOf ?? schema.anyOf;
  if (schema.properties !== undefined) addTable(lines, schema, definitions);
  else if (branches?.some((branch) => branch.properties !== undefined)) {
    for (const branch of branches) {
      const type = branch.properties?.type?.const;
      lines.push(`### ${title}: ${String(type)}`, '', branch.description ?? '', '');
      addTable(lines, branch, definitions);
    }
  } else lines.push(describeType(schema), '');
}

function addTable(lines: string[], schema: JsonSchema, definitions: Definitions): void {
  lines.push('| key | value | unit | default | meaning |', '|---|---|---|---|---|');
  addRows(lines, schema, '', definitions);
  lines.push('');
}

/** One row a key; objects without a section of their own are spelt out as `outer.inner`. */
function addRows(lines: string[], schema: JsonSchema, prefix: string, definitions: Definitions): void {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(key) === true;
    const name = required ? `**${prefix}${key}**` : `${prefix}${key}`;
    const unit = property.unit === undefined || property.unit === '1' ? '' : property.unit;
    const value = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
    const target = property.allOf?.[0] ?? property;
    const meaning = property.description ?? definitions[target.$ref?.split('/').at(-1) ?? '']?.description ?? '';
    lines.push(
      `| ${[name, describeType(target), unit, value, meaning].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
    );
    const nested = [property, ...(property.anyOf ?? [])].find((branch) => branch.properties !== undefined);
    if (nested !== undefined) addRows(lines, nested, `${prefix}${key}.`, definitions);
  }
}

/** A type in a few words: `number > 0`, `[x, y, z]`, `array of guide`, `"eol" or "lagrangian"`. */
function describeType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return describeReference(schema.$ref);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${JSON.stringify(word)}\``).join(' or ');
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches !== undefined) return branches.map(describeType).join(' or ');
  if (schema.type === 'array') return describeArray(schema);
  if (schema.type === 'number' || schema.type === 'integer') return describeNumber(schema);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `object of name: ${describeType(schema.additionalProperties)}`;
  }
  if (schema.type === 'string') return 'text';
  return schema.type === 'boolean' ? '`true` or `false`' : (schema.type ?? 'any');
}

function describeReference(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `[${name}](#${name.toLowerCase()})`;
}

function describeArray(schema: JsonSchema): string {
  if (Array.isArray(schema.items)) {
    const [first] = schema.items as readonly JsonSchema[];
    const entry = schema.items.length === 3 ? '[x, y, z]' : 'two numbers';
    return first.type === 'array' ? `[${[describeType(first), describeType(first)].join(', ')}]` : entry;
  }
  const element = describeType(schema.items as JsonSchema);
  const least = typeof schema.minItems === 'number' && schema.minItems > 0 ? ` (at least ${schema.minItems})` : '';
  return `array of ${element}${least}`;
}

function describeNumber(schema: JsonSchema): string {
  const bound = (key: string, sign: string) => {
    const value = schema[key];
    return typeof value === 'number' && Math.abs(value) < 1e15 ? [`${sign} ${formatNumber(value)}`] : [];
  };
  const bounds = [
    ...bound('exclusiveMinimum', '>'),
    ...bound('minimum', '≥'),
    ...bound('exclusiveMaximum', '<'),
    ...bound('maximum', '≤'),
  ];
  const noun = schema.type === 'integer' ? 'whole number' : 'number';
  return bounds.length === 0 ? noun : `${noun} ${bounds.join(', ')}`;
}

function addMaterials(lines: string[]): void {
  lines.push('## Built-in materials', '', 'Use one by name: `"material": "hemp-rope-8mm"`.');
  addPresets(lines, 'Strands:', MATERIAL_PRESETS);
  addPresets(lines, 'Sheets, with two values for warp and weft:', SHEET_MATERIAL_PRESETS);
}

type Preset = (typeof MATERIAL_PRESETS)[number] | (typeof SHEET_MATERIAL_PRESETS)[number];

function addPresets(lines: string[], title: string, presets: readonly Preset[]): void {
  lines.push('', title, '', '| name | what | numbers | source |', '|---|---|---|---|');
  for (const { name, title: what, source, ...values } of presets) {
    const numbers = Object.entries(values).map(
      ([key, value]) =>
        `${key} ${[value as number]
          .flat()
          .map((one) => formatNumber(one))
          .join(' and ')}`,
    );
    lines.push(`| \`${name}\` | ${what} | ${numbers.join(', ')} | ${source} |`);
  }
}
