import { encodeVtkSequence, encodeVtpBodies, encodeVtpCurves, encodeVtpForces } from 'heddle/io';
import type { Frame } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { cube, makeRun } from './io-run.ts';
import { findChild as find, readVtp, readXml } from './vtk-reader.ts';

const run = makeRun(3);
const frame = run.frames[1];

describe('VTK', () => {
  test('each curve is one polyline with its values on points and cells, as the same doubles', () => {
    const { piece, arrays, time } = readVtp(encodeVtpCurves(frame));
    const [rope, loop] = frame.objects;
    const nodes = rope.u.length + loop.u.length;
    expect(piece.attributes).toMatchObject({ NumberOfPoints: String(nodes), NumberOfLines: '2', NumberOfPolys: '0' });
    expect(time).toBe(frame.time);
    expect(arrays('Points').Points).toEqual([...rope.x, ...loop.x]);
    const points = arrays('PointData');
    expect(points.u).toEqual([...rope.u, ...loop.u]);
    expect(points.kind).toEqual([...rope.kind, ...loop.kind]);
    expect(points.speed).toEqual([...rope.fields.speed, ...new Array(loop.u.length).fill(0)]);
    expect(points.radius).toEqual([...new Array(rope.u.length).fill(0.01), ...new Array(20).fill(0.02)]);
    expect(arrays('CellData')).toEqual({ object: [0, 1], closed: [0, 1], restLength: [1, 1.8] });
    const { connectivity, offsets } = arrays('Lines');
    expect(offsets).toEqual([rope.u.length, nodes + 1]);
    // the loop comes back to its first point
    expect(connectivity).toEqual([...Array.from({ length: nodes }, (_, i) => i), rope.u.length]);
  });

  test('bodies are triangles in their pose', () => {
    const pose = { id: 'cube', position: [1, 2, 3] as const, orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const };
    const turned = { ...frame, bodies: [pose] };
    const { piece, arrays } = readVtp(encodeVtpBodies(turned, [cube, { ...cube, id: 'other' }]));
    expect(piece.attributes).toMatchObject({ NumberOfPoints: '48', NumberOfLines: '0', NumberOfPolys: '24' });
    const points = arrays('Points').Points;
    const normals = arrays('PointData').Normals;
    for (let i = 0; i < 24; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => cube.positions[3 * i + k]);
      // a quarter turn about z: x → y
      for (const [k, value] of [1 - y, 2 + x, 3 + z].entries()) expect(points[3 * i + k]).toBeCloseTo(value, 12);
      expect(normals[3 * i + 1]).toBeCloseTo(cube.normals[3 * i], 12);
    }
    const { connectivity, offsets } = arrays('Polys');
    expect(connectivity).toEqual([...(cube.indices as number[]), ...(cube.indices as number[]).map((i) => i + 24)]);
    expect(offsets).toEqual(Array.from({ length: 24 }, (_, i) => 3 * (i + 1)));
    expect(arrays('CellData').object).toEqual([...new Array(12).fill(0), ...new Array(12).fill(1)]);
  });

  test('forces are points with vectors, in files of their own where a run has any', () => {
    const forces: Frame['forces'] = [
      { kind: 'contact', id: 'loop', x: Float64Array.of(1, 2, 3, 4, 5, 6), f: Float64Array.of(0, 7, 0, -1, 8, 1 / 3) },
      { kind: 'constraint', id: 'rope', x: Float64Array.of(7, 8, 9), f: Float64Array.of(0, 0, -2) },
    ];
    const { piece, arrays, time } = readVtp(encodeVtpForces({ ...frame, forces }));
    expect(piece.attributes).toMatchObject({ NumberOfPoints: '3', NumberOfVerts: '3', NumberOfLines: '0' });
    expect(time).toBe(frame.time);
    expect(arrays('Points').Points).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(arrays('PointData')).toEqual({
      force: [0, 7, 0, -1, 8, 1 / 3, 0, 0, -2],
      contact: [1, 1, 0],
      object: [1, 1, 0],
    });
    expect(arrays('Verts')).toEqual({ connectivity: [0, 1, 2], offsets: [1, 2, 3] });
    // a frame without any still has its file, so that arrows go
    const frames = run.frames.map((one, i) => ({ ...one, forces: i === 1 ? forces : [] }));
    const paths = [...encodeVtkSequence({ ...run, frames })].map(({ path }) => path);
    expect(paths.filter((path) => path.includes('.forces.')).length).toBe(3);
    expect([...encodeVtkSequence(run)].some(({ path }) => path.includes('.forces.'))).toBe(false);
  });

  test('the collection names every file with its time, and bodies that rest only once', () => {
    const files = [...encodeVtkSequence(run)];
    const paths = files.map(({ path }) => path);
    expect(paths.at(-1)).toBe('vtk/over-corner.pvd');
    const collection = readXml(files.at(-1)!.text);
    expect(collection.attributes).toEqual({ type: 'Collection', version: '0.1', byte_order: 'LittleEndian' });
    const entries = find(collection, 'Collection').children.map(({ attributes }) => attributes);
    expect(entries.map(({ timestep, part }) => [Number(timestep), Number(part)])).toEqual(
      run.frames.flatMap(({ time }) => [
        [time, 0],
        [time, 1],
      ]),
    );
    expect(new Set(entries.map(({ file }) => `vtk/${file}`))).toEqual(new Set(paths.slice(0, -1)));
    expect(paths.length).toBe(7);

    const still = [...encodeVtkSequence(makeRun(3, true))].map(({ path }) => path);
    // makeRun(…, true) rests: three files of curves, one of bodies, the collection
    expect(still.length).toBe(5);
    expect(still.filter((path) => path.includes('.bodies.'))).toEqual(['vtk/over-corner.bodies.0001.vtp']);
  });

  test('names are escaped', () => {
    const odd = { ...frame.objects[0], fields: { 'a<b>&"c"': frame.objects[0].u } };
    const { arrays } = readVtp(encodeVtpCurves({ ...frame, objects: [odd] }));
    expect(arrays('PointData')['a<b>&"c"']).toEqual([...odd.u]);
  });
});
