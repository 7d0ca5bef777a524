import { EXPORTERS, encodeObj, encodeObjSequence, findExporter } from 'heddle/io';
import { HeddleError } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { cube, makeRun } from './io-run.ts';

/** Numbers of an OBJ text: v, vt, vn lists, and per group its faces (corners of [v, vt, vn] from 1, 0 = none) and lines. */
function readObj(text: string) {
  const lists: Record<string, number[][]> = { v: [], vt: [], vn: [] };
  const groups = new Map<string, { faces: number[][][]; lines: number[][] }>();
  let group = { faces: [] as number[][][], lines: [] as number[][] };
  for (const line of text.split('\n')) {
    const [key, ...words] = line.split(' ');
    if (key in lists) lists[key].push(words.map(Number));
    else if (key === 'g') groups.set(words.join(' '), (group = { faces: [], lines: [] }));
    else if (key === 'f') group.faces.push(words.map((word) => word.split('/').map(Number)));
    else if (key === 'l') group.lines.push(words.map(Number));
  }
  return { v: lists.v, vt: lists.vt, vn: lists.vn, groups };
}

const frame = makeRun(3).frames[1];

describe('OBJ', () => {
  test('polylines read back to the same doubles', () => {
    const obj = readObj(encodeObj(frame, { curves: 'polyline' }));
    expect(obj.v.flat()).toEqual(frame.objects.flatMap((curve) => [...curve.x]));
    const nodes = frame.objects[0].u.length;
    expect(obj.groups.get('rope')?.lines).toEqual([Array.from({ length: nodes }, (_, i) => i + 1)]);
    const loop = obj.groups.get('loop')?.lines[0] ?? [];
    expect(loop.length).toBe(21);
    expect(loop[20]).toBe(loop[0]);
    expect(loop[0]).toBe(nodes + 1);
  });

  test('every object and body is an object and a group of its id, for readers that know one of them alone', () => {
    const lines = encodeObj(frame, { bodies: [cube] }).split('\n');
    const listNames = (key: string) => lines.filter((line) => line.startsWith(key)).map((line) => line.slice(2));
    expect(listNames('o ')).toEqual(['rope', 'loop', 'cube']);
    expect(listNames('g ')).toEqual(listNames('o '));
  });

  test('every particle is named once, in lines of a thousand', () => {
    const count = 2345;
    const x = Float64Array.from({ length: 3 * count }, (_, i) => i);
    const points = { type: 'points' as const, id: 'sand', radius: 0.1, x, group: new Uint8Array(count), fields: {} };
    const lines = encodeObj({ ...frame, objects: [frame.objects[0], points] }).split('\n');
    const before = lines.indexOf('o sand');
    const first = lines.slice(0, before).filter((line) => line.startsWith('v ')).length + 1;
    const named = lines.filter((line) => line.startsWith('p ')).map((line) => line.slice(2).split(' ').map(Number));
    expect(named.map(({ length }) => length)).toEqual([1000, 1000, 345]);
    expect(named.flat()).toEqual(Array.from({ length: count }, (_, i) => first + i));
  });

  test('tubes have all their corners, unit normals that face outwards, and u as texture coordinate', () => {
    const obj = readObj(encodeObj(frame, { repeat: 0.1 }));
    expect(obj.v.length).toBe(obj.vt.length);
    for (const { faces } of obj.groups.values()) {
      expect(faces.length).toBeGreaterThan(100);
      for (const face of faces) {
        const [a, b, c] = face.map(([v]) => obj.v[v - 1]);
        const [p, q] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
        const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        for (const [v, vt, vn] of face) {
          expect(vt).toBe(v);
          const normal = obj.vn[vn - 1];
          expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
          expect(n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2]).toBeGreaterThan(0);
        }
      }
    }
    const s = obj.vt.map(([value]) => value);
    expect(Math.min(...s)).toBeCloseTo(0, 6);
    expect(Math.max(...s)).toBeCloseTo(18, 5);
  });

  test('bodies stand in their pose', () => {
    const turned = {
      ...frame,
      objects: [],
      // a quarter turn about z: x → y
      bodies: [{ id: 'cube', position: [1, 2, 3] as const, orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const }],
    };
    const obj = readObj(encodeObj(turned, { bodies: [cube] }));
    for (let i = 0; i < 24; i++) {
      const [x, y, z] = [cube.positions[3 * i], cube.positions[3 * i + 1], cube.positions[3 * i + 2]];
      const expected = [1 - y, 2 + x, 3 + z];
      for (let k = 0; k < 3; k++) expect(obj.v[i][k]).toBeCloseTo(expected[k], 12);
      expect(obj.vn[i][1]).toBeCloseTo(cube.normals[3 * i], 12);
    }
    expect(obj.groups.get('cube')?.faces.length).toBe(12);
  });

  test('a sequence is numbered from 1 and named by its scene; indices stay inside each file', () => {
    const files = [...encodeObjSequence(makeRun(3))];
    expect(files.map(({ path }) => path)).toEqual([
      'obj/over-corner.0001.obj',
      'obj/over-corner.0002.obj',
      'obj/over-corner.0003.obj',
    ]);
    for (const { text } of files) {
      const obj = readObj(text);
      expect([...obj.groups.keys()]).toEqual(['rope', 'loop', 'cube', 'rest']);
      const corners = [...obj.groups.values()].flatMap((group) => group.faces.flat());
      expect(Math.max(...corners.map(([v]) => v))).toBe(obj.v.length);
      expect(Math.max(...corners.map(([, , vn]) => vn))).toBe(obj.vn.length);
      expect(obj.v.flat().every(Number.isFinite)).toBe(true);
    }
  });
});

describe('the registry', () => {
  test('every exporter writes files with its extension', async () => {
    expect(EXPORTERS.map(({ name }) => name)).toEqual([
      'glb',
      'obj',
      'ply',
      'usda',
      'usda-fixed',
      'vtk',
      'bcc',
      'obj-curves',
      'csv',
      'json',
    ]);
    for (const exporter of EXPORTERS) {
      expect(findExporter(exporter.name)).toBe(exporter);
      const { files, notes } = await exporter.write(makeRun(3));
      const list = [...files];
      expect(notes).toEqual([]);
      expect(list.length).toBe({ obj: 3, ply: 3, vtk: 7, bcc: 3, 'obj-curves': 3 }[exporter.name] ?? 1);
      // the last is the one to open
      expect(list.at(-1)?.path.endsWith(exporter.extension)).toBe(true);
      for (const { bytes } of list) expect(bytes.length).toBeGreaterThan(20);
    }
  });

  test('a note of the format reaches the caller', async () => {
    const { notes } = await findExporter('glb').write(makeRun(251));
    expect(notes.join()).toMatch(/250 of the 251 frames/);
  });

  test('one topology lasts in every format that is asked for fixed material points', async () => {
    // a hinge that folds further from frame to frame: sharp turns get more rings where nodes are taken as they are
    const run = makeRun(4);
    const frames = run.frames.map((frame, f) => {
      const turn = 0.8 * f;
      const x = Float64Array.of(-1, 0, 0, 0, 0, 0, Math.cos(turn), Math.sin(turn), 0);
      const u = Float64Array.of(0, 1, 2);
      return { ...frame, objects: [{ ...frame.objects[0], restLength: 2, x, u, kind: new Uint8Array(3), fields: {} }] };
    });
    const countVertices = async (name: string, samples?: number) => {
      const { files } = await findExporter(name).write({ ...run, frames }, samples === undefined ? {} : { samples });
      return [...files].slice(0, 4).map(({ bytes }) => {
        const text = new TextDecoder('latin1').decode(bytes);
        return name === 'obj' ? text.match(/^v /gm)?.length : /element vertex \d+/.exec(text)?.[0];
      });
    };
    for (const name of ['obj', 'ply']) {
      expect(new Set(await countVertices(name)).size, name).toBeGreaterThan(1);
      expect(new Set(await countVertices(name, 65)).size, name).toBe(1);
    }
    const glb = async (samples: number) =>
      [...(await findExporter('glb').write(makeRun(4), { samples })).files][0].bytes;
    expect((await glb(200)).length).toBeGreaterThan(2 * (await glb(50)).length);
  });

  test('an unknown format is an error that lists the known ones and the nearest', () => {
    expect(() => findExporter('gbl')).toThrow(HeddleError);
    expect(() => findExporter('GLBB')).toThrow(
      /"GLBB" is unknown; the formats are glb, obj, ply, usda, usda-fixed, vtk, bcc, obj-curves, csv, json\. Did you mean glb/,
    );
    expect(() => findExporter('jsn')).toThrow(/Did you mean json/);
    expect(() => findExporter('photograph')).toThrow(/json\.$/);
  });
});
