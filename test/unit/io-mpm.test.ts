/**
 * Continua in every export format: what stands in the files is what the particles of the continuum are, one by one: how many, where, how fast, strained and pressed, in every frame.
 */
import { WebIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { ContinuumModel, compile, type SceneInput, validateScene } from 'heddle';
import {
  decodeFrameBytes,
  EXPORTERS,
  encodeFrameBytes,
  findExporter,
  flattenYarnCurves,
  PLY_PARTICLE,
  type RecordedRun,
  readBcc,
  readObjCurves,
} from 'heddle/io';
import type { Frame } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { readPly } from './ply-reader.ts';
import { readUsda, type UsdAttribute } from './usda-reader.ts';
import { readVtp } from './vtk-reader.ts';

const FILL = { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } } as const;
const RADIUS = 0.01;

const SCENE: SceneInput = {
  heddle: 1,
  name: 'mixed',
  title: 'Mixed',
  gravity: [0, -9.81, 0],
  bodies: [{ id: 'floor', shape: { type: 'plane' }, position: [0, -0.02, 0] }],
  objects: [
    {
      type: 'mpm',
      id: 'grid',
      spacing: 0.05,
      parts: [
        {
          id: 'cloth',
          pattern: { type: 'rectangle', width: 0.4, height: 0.2, columns: 4, rows: 2 },
          material: { type: 'surface', preset: 'cloth-curtain', thickness: 0.01 },
          angularVelocity: [0, 0, 3],
        },
        {
          id: 'hair',
          pattern: { type: 'hairs', columns: 2, rows: 3, spacing: 0.05, length: 0.2, segments: 4 },
          material: { type: 'curve', preset: 'hair-tubes', radius: RADIUS },
          position: [1, 0.05, 0],
          angularVelocity: [1, 2, 3],
        },
        {
          id: 'sand',
          pattern: FILL,
          material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
          position: [0, 0.04, 0.5],
          velocity: [0.2, -1, 0],
        },
        {
          id: 'water',
          pattern: FILL,
          material: { type: 'fluid', density: 1000, bulkModulus: 1e4 },
          position: [1, 0.04, 0.5],
          velocity: [0, -1, 0.3],
        },
      ],
    },
  ],
  probes: [
    { id: 'p', type: 'momentum' },
    { id: 'sand', type: 'bounds', object: 'sand' },
  ],
  time: { step: 4e-3, duration: 1 },
};

/** What a part's particles are: vertices of cloth and hair, particles of sand and water. */
interface Cloud {
  readonly x: number[];
  readonly speed: number[];
  /** Of cloth and hair; of sand and water the pressure. */
  readonly value: number[];
}

const world = compile(validateScene(SCENE));
const [model] = world.models;
if (!(model instanceof ContinuumModel)) throw new Error('no continuum');
const PARTS = ['cloth', 'hair', 'sand', 'water'] as const;
type Part = (typeof PARTS)[number];

/** Read from the particles themselves. */
const measure = (): Record<Part, Cloud> => {
  const { points } = model.continuum;
  const clouds = points.groups.map((group): Cloud => {
    const isMesh = group.type === 'surface' || group.type === 'curve';
    const [first, count] = isMesh ? [group.firstVertex, group.vertexCount] : [group.first, group.count];
    const cloud: Cloud = { x: [...points.x.subarray(3 * first, 3 * (first + count))], speed: [], value: [] };
    for (let p = first; p < first + count; p++) {
      cloud.speed.push(Math.sqrt(points.v.subarray(3 * p, 3 * p + 3).reduce((sum, v) => sum + v * v, 0)));
      if (group.type === 'fluid')
        cloud.value.push(group.law.bulkModulus / 7 * (Math.min(1, points.F[9 * p]) ** -7 - 1)); // biome-ignore format: line
      else if (!isMesh) {
        const [a, b, c, d, e, f, g, h, i] = points.F.subarray(9 * p, 9 * p + 9);
        const J = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        const { mu, lambda } = group.law as { mu: number; lambda: number };
        cloud.value.push((-(lambda + (2 / 3) * mu) * Math.log(J)) / J);
      } else cloud.value.push(0);
    }
    return cloud;
  });
  return Object.fromEntries(PARTS.map((id, k) => [id, clouds[k]])) as Record<Part, Cloud>;
};

const frames: Frame[] = [];
const clouds: Record<Part, Cloud>[] = [];
const rows: Float64Array[] = [];
for (let n = 0; n < 4; n++) {
  if (n > 0) for (let k = 0; k < 3; k++) world.step();
  frames.push(world.frame());
  clouds.push(measure());
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  rows.push(values);
}
const run: RecordedRun = {
  name: 'mixed',
  framesPerSecond: 1000 / 12,
  frames,
  bodies: [],
  probes: { columns: world.probeColumns, rows },
};

const singles = (values: ArrayLike<number>): number[] => Array.from(values, Math.fround);
const write = async (name: string) => {
  const { files, notes } = await findExporter(name).write(run);
  expect(notes).toEqual([]);
  return [...files];
};
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** 0, 1, … */
const count = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => i + from);

/** The group of a part of bulk, which all of its particles have. */
const groupOf = (f: number, k: number): number => {
  const object = frames[f].objects[k];
  if (object.type !== 'points') throw new Error('no particles');
  expect(new Set(object.group).size).toBe(1);
  return object.group[0];
};

test('what is exported has moved, is strained and pressed, and each part is something else', () => {
  const [start, end] = [clouds[0], clouds[3]];
  for (const id of PARTS) {
    expect(end[id].x).not.toEqual(start[id].x);
    expect(new Set(end[id].speed).size).toBeGreaterThan(3);
  }
  for (const id of ['sand', 'water'] as const)
    expect(Math.max(...clouds.flatMap((cloud) => cloud[id].value))).toBeGreaterThan(100);
  expect(PARTS.map((id) => end[id].speed.length)).toEqual([15, 30, 64, 64]);
  expect(groupOf(3, 2)).not.toBe(groupOf(3, 3));
});

test('frames have every particle, with its speed, and its pressure or the strain round it', () => {
  for (const [f, { objects }] of frames.entries())
    for (const [k, id] of PARTS.entries()) {
      const { x, fields, id: own } = objects[k];
      expect(own).toBe(id);
      expect([...x]).toEqual(clouds[f][id].x);
      for (const [p, speed] of clouds[f][id].speed.entries()) expect(fields.speed[p]).toBeCloseTo(speed, 12);
      if (fields.pressure === undefined) continue;
      for (const [p, value] of clouds[f][id].value.entries())
        expect(Math.abs(fields.pressure[p] - value)).toBeLessThan(1e-9 * Math.max(100, value));
    }
  // a hair's strain at its nodes is that of its segments, as the mean of the two beside
  const hair = frames[3].objects[1];
  if (hair.type !== 'yarns') throw new Error('no yarns');
  const stretch = count(4).map(
    (s) => Math.hypot(...count(3).map((k) => hair.x[3 * s + 3 + k] - hair.x[3 * s + k])) / 0.05 - 1,
  );
  const expected = [stretch[0], ...count(3).map((s) => 0.5 * (stretch[s] + stretch[s + 1])), stretch[3]];
  // F of elements is single precision
  for (const [p, value] of expected.entries()) expect(Math.abs(hair.fields.strain[p] - value)).toBeLessThan(1e-6);
  expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(1e-4);
});

test('the frame file holds all kinds of parts, to the bit', () => {
  for (const frame of frames) expect(decodeFrameBytes(encodeFrameBytes(frame))).toEqual(frame);
});

test('every format is compared here', () => {
  expect(EXPORTERS.map(({ name }) => name).toSorted()).toEqual(
    ['glb', 'obj', 'ply', 'usda', 'usda-fixed', 'vtk', 'bcc', 'obj-curves', 'csv', 'json'].toSorted(),
  );
});

describe('obj', () => {
  test('cloth is triangles of its vertices, sand and water are points, hairs tubes round their vertices', async () => {
    const files = await write('obj');
    expect(files.map(({ path }) => path)).toEqual(count(4, 1).map((n) => `obj/mixed.000${n}.obj`));
    for (const [f, { bytes }] of files.entries()) {
      const own: Record<string, { v: number[][]; p: number[]; f: number[] }> = {};
      let id = '';
      let total = 0;
      const first: Record<string, number> = {};
      for (const line of textOf(bytes).split('\n')) {
        const [key, ...words] = line.split(' ');
        if (key === 'g') {
          id = words[0];
          own[id] = { v: [], p: [], f: [] };
          first[id] = total;
        } else if (key === 'v') {
          own[id].v.push(words.map(Number));
          total++;
        } else if (key === 'p') own[id].p.push(...words.map((word) => Number(word) - 1 - first[id]));
        else if (key === 'f') own[id].f.push(...words.map((word) => Number(word.split('/')[0]) - 1 - first[id]));
      }
      expect(Object.keys(own)).toEqual([...PARTS]);
      for (const name of ['cloth', 'sand', 'water'] as const) expect(own[name].v.flat()).toEqual(clouds[f][name].x);
      for (const name of ['sand', 'water'] as const) expect(own[name].p).toEqual(count(64));
      const cloth = frames[f].objects[0];
      expect(cloth.type === 'surface' && [...cloth.triangles]).toEqual(own.cloth.f);
      expectTube(own.hair.v, clouds[f].hair.x);
    }
  });
});

/** Vertices are about the curves through the nodes, and there is one about a radius from each node, the next ring's on fixed material points, at ends the middle of the cap. */
const expectTube = (vertices: readonly (readonly number[])[], x: readonly number[]): void => {
  const nodes = count(x.length / 3).map((i) => x.slice(3 * i, 3 * i + 3));
  const distance = (a: readonly number[], b: readonly number[]): number =>
    Math.hypot(...a.map((value, k) => value - b[k]));
  // half a segment, and the radius
  for (const vertex of vertices)
    expect(Math.min(...nodes.map((node) => distance(node, vertex)))).toBeLessThan(0.026 + RADIUS);
  for (const node of nodes)
    expect(Math.min(...vertices.map((vertex) => distance(node, vertex)))).toBeLessThan(1.2 * RADIUS);
};

describe('ply', () => {
  test('vertices have places, speed, strain or pressure, and the number of their part', async () => {
    const files = await write('ply');
    expect(files).toHaveLength(4);
    for (const [f, { bytes }] of files.entries()) {
      const { elements, comments } = readPly(bytes);
      expect(comments.slice(1)).toEqual(PARTS.map((id, k) => `object ${k} ${id}`));
      for (const [k, id] of PARTS.entries()) {
        const own = elements.vertex.filter(({ object }) => object === k);
        const places = own.map(({ x, y, z }) => [x, y, z] as number[]);
        if (id === 'hair') {
          expectTube(places, clouds[f].hair.x);
          expect(new Set(own.map(({ yarn }) => yarn))).toEqual(new Set(count(6)));
          continue;
        }
        const { fields } = frames[f].objects[k];
        expect(places.flat()).toEqual(singles(clouds[f][id].x));
        expect(own.map(({ speed }) => speed)).toEqual(singles(fields.speed));
        if (id === 'cloth') expect(own.map(({ strain }) => strain)).toEqual(singles(fields.strain));
        else {
          expect(own.map(({ pressure }) => pressure)).toEqual(singles(fields.pressure));
          expect(own.every(({ kind, group }) => kind === PLY_PARTICLE && group === groupOf(f, k))).toBe(true);
        }
      }
    }
  });
});

describe('vtk', () => {
  test('files of surfaces, points and yarns have the same doubles', async () => {
    const files = await write('vtk');
    const names = files.map(({ path }) => path);
    for (const f of count(4)) {
      const read = (suffix: string) => {
        const at = names.indexOf(`vtk/mixed.${suffix}.000${f + 1}.vtp`);
        expect(at).toBeGreaterThanOrEqual(0);
        return readVtp(textOf(files[at].bytes)).arrays;
      };
      const { cloth, hair, sand, water } = clouds[f];
      const [clothFrame, hairFrame, sandFrame, waterFrame] = frames[f].objects;
      const surfaces = read('surfaces');
      expect(surfaces('Points').Points).toEqual(cloth.x);
      expect(surfaces('PointData').speed).toEqual([...clothFrame.fields.speed]);
      expect(surfaces('PointData').strain).toEqual([...clothFrame.fields.strain]);
      const yarns = read('yarns');
      expect(yarns('Points').Points).toEqual(hair.x);
      expect(yarns('PointData').strain).toEqual([...hairFrame.fields.strain]);
      expect(yarns('PointData').radius).toEqual(new Array(30).fill(RADIUS));
      expect(yarns('Lines').offsets).toEqual(count(6, 1).map((n) => 5 * n));
      const points = read('points');
      expect(points('Points').Points).toEqual([...sand.x, ...water.x]);
      expect(points('PointData').pressure).toEqual([...sandFrame.fields.pressure, ...waterFrame.fields.pressure]);
      expect(points('PointData').speed).toEqual([...sandFrame.fields.speed, ...waterFrame.fields.speed]);
      expect(points('PointData').group).toEqual([2, 3].flatMap((k) => new Array(64).fill(groupOf(f, k))));
      expect(points('Verts').connectivity).toEqual(count(128));
    }
  });
});

describe.each(['usda', 'usda-fixed'] as const)('%s', (name) => {
  const at = (attribute: UsdAttribute, f: number) => attribute.samples.get(f) ?? attribute.value;
  const expectNear = (found: unknown, expected: ArrayLike<number>): void => {
    const values = (found as number[]).flat(2) as unknown as number[];
    expect(values).toHaveLength(expected.length);
    for (let i = 0; i < values.length; i++)
      expect(Math.abs(values[i] - expected[i])).toBeLessThan(1e-7 * Math.max(1, Math.abs(expected[i])));
  };

  test('prims of all parts have their particles and values at every time', async () => {
    const [{ bytes }] = await write(name);
    const { cloth, hair, sand, water } = readUsda(textOf(bytes)).prims.mixed.children;
    expect([cloth, hair, sand, water].map(({ type }) => type)).toEqual([
      'Mesh',
      name === 'usda' ? 'BasisCurves' : 'Mesh',
      'Points',
      'Points',
    ]);
    for (const f of count(4)) {
      for (const [k, prim] of [sand, water].entries()) {
        const { fields } = frames[f].objects[2 + k];
        expectNear(at(prim.attributes.points, f), clouds[f][k === 0 ? 'sand' : 'water'].x);
        expectNear(at(prim.attributes['primvars:speed'], f), fields.speed);
        expectNear(at(prim.attributes['primvars:pressure'], f), fields.pressure);
      }
      const corners = at(hair.attributes.points, f) as number[][];
      const vertices = at(cloth.attributes.points, f) as number[][];
      if (name === 'usda') {
        expectNear(vertices, clouds[f].cloth.x);
        expectNear(at(cloth.attributes['primvars:strain'], f), frames[f].objects[0].fields.strain);
        expectNear(corners, clouds[f].hair.x);
        expectNear(at(hair.attributes['primvars:strain'], f), frames[f].objects[1].fields.strain);
        expect(at(hair.attributes.curveVertexCounts, f)).toEqual(new Array(6).fill(5));
      } else {
        expectTube(corners, clouds[f].hair.x);
        expectBounds(vertices.flat(), clouds[f].cloth.x);
      }
    }
  });
});

/** Least and largest of each axis. */
const boundsOf = (x: ArrayLike<number>): number[] => {
  const out = [0, 1, 2].flatMap(() => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  for (let i = 0; i < x.length; i++) {
    out[2 * (i % 3)] = Math.min(out[2 * (i % 3)], x[i]);
    out[2 * (i % 3) + 1] = Math.max(out[2 * (i % 3) + 1], x[i]);
  }
  return out;
};

const expectBounds = (found: ArrayLike<number>, expected: ArrayLike<number>): void => {
  const [a, b] = [boundsOf(found), boundsOf(expected)];
  for (const [k, value] of b.entries()) expect(Math.abs(a[k] - value)).toBeLessThan(1e-6);
};

test('the points of a glb file morph to where particles are in each frame, cloth and hairs reach as far as theirs', async () => {
  const [{ path, bytes }] = await write('glb');
  expect(path).toBe('mixed.glb');
  expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  const meshes = (await new WebIO().readBinary(bytes)).getRoot().listMeshes();
  expect(meshes).toHaveLength(4);
  for (const id of PARTS) {
    const [primitive] = meshes.find((mesh) => mesh.getName() === id)!.listPrimitives();
    const base = primitive.getAttribute('POSITION')!.getArray()!;
    expect(primitive.listTargets()).toHaveLength(3);
    for (const f of count(4)) {
      const shift = f === 0 ? undefined : primitive.listTargets()[f - 1].getAttribute('POSITION')!.getArray()!;
      const x = Array.from(base, (value, i) => value + (shift?.[i] ?? 0));
      if (id === 'cloth') expectBounds(x, clouds[f].cloth.x);
      else if (id === 'hair')
        expectTube(
          count(x.length / 3).map((i) => x.slice(3 * i, 3 * i + 3)),
          clouds[f].hair.x,
        );
      else {
        expect(x).toHaveLength(3 * 64);
        for (const [i, value] of clouds[f][id].x.entries()) expect(Math.abs(x[i] - value)).toBeLessThan(2e-7);
      }
    }
  }
});

describe('curves', () => {
  test('of hairs in a bcc file pass through their vertices', async () => {
    const files = await write('bcc');
    expect(files).toHaveLength(4);
    for (const [f, { bytes }] of files.entries()) {
      const { curves } = flattenYarnCurves(readBcc(bytes), 1);
      expect(curves.flatMap(({ points }) => [...points])).toEqual(singles(clouds[f].hair.x));
      expect(curves).toHaveLength(6);
    }
  });

  test('of hairs in obj-curves are lines through their vertices, to the bit', async () => {
    const files = await write('obj-curves');
    expect(files).toHaveLength(4);
    for (const [f, { bytes }] of files.entries()) {
      const { curves } = readObjCurves(textOf(bytes));
      expect(curves.flatMap(({ points }) => [...points])).toEqual(clouds[f].hair.x);
      expect(curves).toHaveLength(6);
    }
  });
});

test('csv and json files hold the probes of particles row by row', async () => {
  const [csv] = await write('csv');
  const lines = textOf(csv.bytes).trimEnd().split('\r\n');
  expect(lines[0].split(',')).toEqual([...world.probeColumns]);
  expect(lines.slice(1).map((line) => line.split(',').map(Number))).toEqual(rows.map((row) => [...row]));
  const [json] = await write('json');
  expect(JSON.parse(textOf(json.bytes))).toEqual({
    columns: [...world.probeColumns],
    rows: rows.map((row) => [...row]),
  });
  // and they are of these particles
  const at = world.probeColumns.indexOf('sand.minY');
  for (const [f, row] of rows.entries()) expect(row[at]).toBeCloseTo(boundsOf(clouds[f].sand.x)[2], 12);
});
