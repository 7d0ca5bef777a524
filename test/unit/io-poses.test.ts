/** Bodies that deform, in every format: their vertices are where the poses have them at the time of each frame. */
import { WebIO } from '@gltf-transform/core';
import {
  type BodyGeometry,
  collectBodyVertices,
  computeBodyShape,
  encodeGlb,
  encodeObj,
  encodePlySequence,
  encodeUsda,
  encodeVtkSequence,
} from 'heddle/io';
import { expect, test } from 'vitest';
import { leaningCube as body, leaningRun as run } from './leaning-cube.ts';
import { readPly } from './ply-reader.ts';
import { readUsda } from './usda-reader.ts';
import { readVtp } from './vtk-reader.ts';

/** What lean is at a time, by hand. */
const leanAt = (time: number): number => {
  const along = Math.min(2, Math.max(0, (time - 0.05) / 0.1));
  return along < 1 ? 0.5 * along : 0.5 + 1.5 * (along - 1);
};
const expectLean = (x: ArrayLike<number>, time: number): void => {
  expect(x.length).toBe(72);
  const top = Array.from({ length: 24 }, (_, v) => v).filter((v) => x[3 * v + 1] > 0);
  expect(top).toHaveLength(12);
  for (let v = 0; v < 24; v++) {
    const shift = top.includes(v) ? leanAt(time) : 0;
    expect(Math.abs(Math.abs(x[3 * v] - shift) - 0.5)).toBeLessThan(1e-6);
  }
};

test('an animated body has vertices and unit normals by time, and a box that it never leaves', () => {
  for (const time of [0, 0.09, 0.17, 1]) {
    const { positions, normals } = computeBodyShape(body, time);
    expectLean(positions, time);
    for (let v = 0; v < 72; v += 3) expect(Math.hypot(normals[v], normals[v + 1], normals[v + 2])).toBeCloseTo(1, 12);
    // the sides lean with the top: their normals are across the edge (lean, 1, 0)
    const side = Array.from({ length: 24 }, (_, v) => 3 * v).filter(
      (at) => normals[at] > 0.1 && Math.abs(normals[at + 2]) < 1e-9,
    );
    for (const at of side) expect(normals[at] * leanAt(time) + normals[at + 1]).toBeCloseTo(0, 6);
    expect(side.length).toBeGreaterThan(3);
  }
  const corners = collectBodyVertices([body]).get('cube')!;
  expect(Math.max(...Array.from(corners).filter((_, i) => i % 3 === 0))).toBe(2.5);
  expect(Math.min(...Array.from(corners))).toBe(-0.5);
  const rigid: BodyGeometry = { ...body, poses: undefined };
  expect(computeBodyShape(rigid, 1).positions).toBe(rigid.positions);
});

test('OBJ and PLY files hold an animated body in every frame', () => {
  for (const [f, frame] of run.frames.entries()) {
    const text = encodeObj(frame, { bodies: run.bodies });
    const part = text.slice(text.indexOf('g cube'));
    const x = [...part.matchAll(/^v (.*)$/gm)].flatMap(([, numbers]) => numbers.split(' ').map(Number));
    expectLean(x, frame.time);
    const files = [...encodePlySequence(run)];
    const vertices = readPly(files[f].bytes).elements.vertex.slice(-24);
    expectLean(
      vertices.flatMap(({ x, y, z }) => [x, y, z] as number[]),
      frame.time,
    );
  }
});

test('a VTK run has a file of bodies for every frame', () => {
  const files = [...encodeVtkSequence(run)].filter(({ path }) => path.includes('.bodies.'));
  expect(files).toHaveLength(4);
  for (const [f, { text }] of files.entries()) expectLean(readVtp(text).arrays('Points').Points, run.frames[f].time);
});

test('a USD file holds the points of an animated body by time', () => {
  const { prims } = readUsda(new TextDecoder().decode(encodeUsda(run).bytes));
  const { points, normals, extent } = Object.values(prims)[0].children.cube.attributes;
  const samples = [...points.samples.values()] as number[][];
  expect(samples).toHaveLength(4);
  for (const [f, x] of samples.entries()) expectLean(x.flat(), run.frames[f].time);
  expect(normals.samples.size).toBe(4);
  expect(extent.samples.size).toBe(4);
});

test('a GLB file has a morph target for every later frame', async () => {
  const { bytes } = await encodeGlb(run);
  const document = await new WebIO().readBinary(bytes);
  const node = document
    .getRoot()
    .listNodes()
    .find((one) => one.getName() === 'cube')!;
  const [primitive] = node.getMesh()!.listPrimitives();
  const base = primitive.getAttribute('POSITION')!.getArray()!;
  expectLean(base, 0);
  expect(primitive.listTargets()).toHaveLength(3);
  for (const [t, target] of primitive.listTargets().entries()) {
    const shift = target.getAttribute('POSITION')!.getArray()!;
    expectLean(
      Float64Array.from(base, (value, i) => value + shift[i]),
      run.frames[t + 1].time,
    );
  }
  const channels = document.getRoot().listAnimations()[0].listChannels();
  expect(channels.some((channel) => channel.getTargetNode() === node && channel.getTargetPath() === 'weights')).toBe(
    true,
  );
});
