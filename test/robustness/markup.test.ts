/**
 * Markup in texts. Every text that a scene may hold is found in the schema: it takes only letters that mean nothing to anyone, or it is one of
 * the few free texts, which the studio shows as text (test/browser/studio-malice). Names in frame files may be anything: exporters escape them.
 */
import {
  encodeGlb,
  encodeLinePlot,
  encodeObjSequence,
  encodePlySequence,
  encodeUsda,
  encodeVtkSequence,
  type RecordedRun,
} from 'heddle/io';
import { compile, computeJsonSchema, type JsonSchema, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { makeScene } from '../unit/cli-fixtures.ts';
import { makeRun } from '../unit/io-run.ts';
import { readPly } from '../unit/ply-reader.ts';
import { readUsda } from '../unit/usda-reader.ts';
import { readVtp } from '../unit/vtk-reader.ts';

const HTML = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
const HOSTILE = [
  HTML,
  '"</DataArray><x a=\'',
  'a\nend_header\nf 1 2 3',
  '") { } def "x',
  '\\',
  '\u0000',
  '../../up',
  'ｆ \t',
];

interface TextSchema extends JsonSchema {
  readonly pattern?: string;
  readonly propertyNames?: JsonSchema;
}

/** Patterns of all texts of the schema by where they stand; undefined where they are free. */
function collectTexts(): Map<string, string | undefined> {
  const root = computeJsonSchema();
  const texts = new Map<string, string | undefined>();
  const seen = new Set<string>();
  const visit = (schema: TextSchema | boolean | undefined, path: string): void => {
    if (typeof schema !== 'object') return;
    const { $ref } = schema;
    if ($ref !== undefined) {
      if (seen.has($ref)) return;
      seen.add($ref);
      const name = $ref.split('/').at(-1)!;
      visit(root.definitions?.[name], name);
      return;
    }
    if (schema.type === 'string' && schema.const === undefined && schema.enum === undefined)
      texts.set(path, schema.pattern);
    for (const [key, value] of Object.entries(schema.properties ?? {})) visit(value, `${path}.${key}`);
    for (const list of [schema.anyOf, schema.oneOf, schema.allOf]) for (const one of list ?? []) visit(one, path);
    for (const item of [schema.items ?? []].flat()) visit(item, `${path}[]`);
    visit(schema.additionalProperties, `${path}{}`);
    visit(schema.propertyNames, `${path}{key}`);
  };
  visit(root, 'scene');
  return texts;
}

describe('a scene', () => {
  const texts = collectTexts();

  test('has free texts in a few places, which the studio is tested with', () => {
    const free = [...texts].filter(([, pattern]) => pattern === undefined).map(([path]) => path);
    expect(texts.size).toBeGreaterThan(50);
    expect(free.sort()).toEqual([
      'expectation.probe',
      'meshAnimation.clip',
      'pattern.letters',
      'scene.$schema',
      'scene.description',
      'scene.figure',
      'scene.paper',
      'scene.sizes{}{key}',
      'scene.title',
    ]);
  });

  test('takes no markup, quotes or line breaks anywhere else', () => {
    for (const [path, pattern] of texts) {
      if (pattern === undefined) continue;
      for (const text of HOSTILE) expect(new RegExp(pattern).test(text), `${path}: ${text}`).toBe(false);
    }
  });

  test('with free texts that must be names refuses others', () => {
    const refuse = (part: object, words: RegExp): void =>
      expect(() => validateScene({ ...makeScene(), ...part }), JSON.stringify(part)).toThrow(words);
    refuse(
      { expect: [{ probe: HTML, min: 0 }] },
      /^expect\[0\]\.probe is "<img .*", which is not a column of a probe\./,
    );
    refuse({ sizes: { paper: { [HTML]: 1 } } }, /^sizes\.paper\["<img .*"\] is not a path of the scene/);
    const knit = (letters: string) => {
      const pattern = { type: 'jacquard', letters, spacing: [0.01, 0.008] };
      const layers = [{ pattern, material: 'cotton-yarn', secondMaterial: 'cotton-yarn' }];
      const objects = [{ type: 'fabric', id: 'a', layers }];
      return () => compile(validateScene({ ...makeScene(), objects, probes: [], expect: [] }));
    };
    expect(knit(HTML)).toThrow(/^objects\[0\]\.layers\[0\]\.pattern is not a valid knit: there is no letter .<./);
    expect(knit('AB')).not.toThrow();
  });
});

/** A run whose objects, fields and bodies have these names. */
function rename(name: string): RecordedRun {
  const run = makeRun(2, true);
  return {
    ...run,
    frames: run.frames.map((frame) => ({
      ...frame,
      objects: frame.objects.map((object, k) => ({
        ...object,
        id: k === 0 ? name : object.id,
        fields: Object.fromEntries(Object.entries(object.fields).map(([, values]) => [name, values])),
      })),
      bodies: frame.bodies.map((body, k) => (k === 0 ? { ...body, id: name } : body)),
    })),
    bodies: run.bodies.map((body, k) => (k === 0 ? { ...body, id: name } : body)),
    probes: { ...run.probes, columns: ['time', name] },
  };
}

/** Names of the nodes and meshes of a GLB file. */
async function listGlbNames(run: RecordedRun): Promise<string[]> {
  const { bytes } = await encodeGlb(run);
  const length = new DataView(bytes.buffer).getUint32(12, true);
  const { nodes, meshes } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  return [...nodes, ...meshes].map(({ name }: { name: string }) => name);
}

describe.each(HOSTILE)('a run with names such as %j', (name) => {
  const run = rename(name);

  test('is whole as USD', () => {
    const text = new TextDecoder().decode(encodeUsda(run).bytes);
    const count = Object.values(readUsda(text).prims)[0].children;
    expect(Object.keys(count).length).toBe(
      Object.keys(
        Object.values(readUsda(new TextDecoder().decode(encodeUsda(rename('plain')).bytes)).prims)[0].children,
      ).length,
    );
  });

  test('is whole as VTK', () => {
    for (const { path, text } of encodeVtkSequence(run)) {
      expect(path).not.toMatch(/\.\.\//);
      expect(text).not.toContain('<img');
      if (path.endsWith('.vtp')) readVtp(text);
    }
  });

  test('is whole as PLY and OBJ', () => {
    const plain = [...encodePlySequence(rename('plain'))].map(({ bytes }) => readPly(bytes).elements.vertex.length);
    expect([...encodePlySequence(run)].map(({ bytes }) => readPly(bytes).elements.vertex.length)).toEqual(plain);
    const count = (text: string): number => text.split('\n').length;
    const [here] = encodeObjSequence(run);
    const [there] = encodeObjSequence(rename('plain'));
    expect(count(here.text)).toBe(count(there.text));
  });

  test('is whole as GLB, object and body named so', async () => {
    const [here, there] = [await listGlbNames(run), await listGlbNames(rename('plain'))];
    expect(there.filter((one) => one === 'plain')).toHaveLength(4);
    expect(here).toEqual(there.map((one) => (one === 'plain' ? name : one)));
  });
});

test('plots say their texts as text', () => {
  const text = encodeLinePlot({
    title: HTML,
    xLabel: HTML,
    yLabel: HTML,
    curves: [
      {
        name: HTML,
        points: [
          [0, 0],
          [1, 1],
        ],
      },
    ],
  });
  expect(text.match(/&lt;img/g)).toHaveLength(5);
  expect(text).not.toContain('<img');
  expect(text).not.toContain('<script');
});
