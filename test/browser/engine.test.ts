/** The engine in Chromium: the same sources, the same numbers as in Node. */
import { compile, validateScene, type World } from 'heddle';
import { encodeFrame, encodeHeader, readFrame, scanChunks } from 'heddle/io';
import { KernelMemory } from 'heddle/kernels';
import { expect, inject, test } from 'vitest';
import { runContinuum } from './engine-continuum.ts';
import { createEngineScene, ENGINE_SCENES, STEPS } from './engine-scene.ts';
import { CLOTHS, hashCloth, runEdge } from './engine-sheet.ts';

function run(steps: number, scene = createEngineScene(true)): World {
  const world = compile(validateScene(scene));
  for (let i = 0; i < steps; i++) world.step();
  return world;
}

test('A scene runs in Chromium, and its strand slides over the edge', () => {
  const before = run(0).frame().objects[0];
  const after = run(STEPS).frame().objects[0];
  const edge = (curve: typeof before) => curve.u[curve.kind.indexOf(1)];
  expect(before.kind).toContain(1);
  // the hanging end is heavier: material runs over the edge towards it, so less of it lies behind the edge
  expect(edge(before) - edge(after)).toBeGreaterThan(0.05);
  expect(after.x.every(Number.isFinite)).toBe(true);
});

test('Strands with bending, rotating bodies, contact and wind end in the same bits as in Node', () => {
  const { hashes } = inject('node');
  expect(ENGINE_SCENES.map((scene) => run(STEPS, scene).hash())).toEqual(hashes);
  expect(run(STEPS - 1).hash()).not.toBe(hashes[1]);
});

test('Sheets solved directly and iteratively by compiled kernels end in the same bits as in Node', () => {
  const memory = new KernelMemory();
  memory.reserve(0, true);
  expect(memory.isCompiled).toBe(true);
  expect(CLOTHS.map(hashCloth)).toEqual(inject('node').cloths);
});

test('A remeshed sheet that slides over an edge ends in the same bits as in Node', () => {
  const { hash, remeshings, vertices } = runEdge();
  expect(remeshings).toBeGreaterThan(0);
  // fewer are not worth compiled loops
  expect(vertices).toBeGreaterThan(100);
  expect(hash).toBe(inject('node').edge);
});

test('Particles of cloth, hair, sand, goo and fluid in single precision end in the same bits as in Node', () => {
  const own = runContinuum();
  const { continuum } = inject('node');
  expect(own.length).toBe(continuum.length);
  expect(own.every((value) => Number.isFinite(value))).toBe(true);
  expect(own.filter((value, k) => value !== continuum[k]).length).toBe(0);
});

test('Squares and whole powers of two computed by ** are exact in Chromium', () => {
  let other = 0;
  for (let n = 0, x = 1e-6; n < 20_000; n++, x *= 1.0013) if (x ** 2 !== x * x) other++;
  for (let k = -1000, power = 2 ** -1000; k <= 1000; k++, power *= 2) if (2 ** k !== power) other++;
  expect(other).toBe(0);
});

test('A frame written to a frame file is read back unchanged', () => {
  const frame = run(50).frame();
  const parts = [encodeHeader(), encodeFrame(frame)];
  const bytes = new Uint8Array(parts[0].length + parts[1].length);
  bytes.set(parts[0]);
  bytes.set(parts[1], parts[0].length);
  expect(readFrame(bytes, scanChunks(bytes).entries[0])).toEqual(frame);
});
