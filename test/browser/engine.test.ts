/** The engine in Chromium: the same sources, the same numbers as in Node. */
import { compile, validateScene, type World } from 'heddle';
import { encodeFrame, encodeHeader, readFrame, scanChunks } from 'heddle/io';
import { KernelMemory } from 'heddle/kernels';
import { expect, inject, test } from 'vitest';
import { runContinuum } from './engine-continuum.ts';
import { GALLERY_STEPS, hashGalleryRun } from './engine-gallery.ts';
import { createEngineScene, ENGINE_SCENES, STEPS } from './engine-scene.ts';
import { CLOTHS, hashCloth, runEdge } from './engine-sheet.ts';

function run(steps: number, scene = createEngineScene(true)): World {
  const world = compile(validateScene(scene));
  for (let i = 0; i < steps; i++) world.step();
  return world;
}

test('a scene runs and the strand slides over its edge', () => {
  const before = run(0).frame().objects[0];
  const after = run(STEPS).frame().objects[0];
  const edge = (curve: typeof before) => curve.u[curve.kind.indexOf(1)];
  expect(before.kind).toContain(1);
  // the hanging end is heavier: material runs over the edge towards it, so less of it lies behind the edge
  expect(edge(before) - edge(after)).toBeGreaterThan(0.05);
  expect(after.x.every(Number.isFinite)).toBe(true);
});

test('the state after many steps is the same to the last bit as in Node: bending, turning bodies, contact, wind', () => {
  const { hashes } = inject('node');
  expect(ENGINE_SCENES.map((scene) => run(STEPS, scene).hash())).toEqual(hashes);
  expect(run(STEPS - 1).hash()).not.toBe(hashes[1]);
});

test('sheets are the same to the last bit as in Node, factored and iterated, with compiled kernels', () => {
  const memory = new KernelMemory();
  memory.reserve(0, true);
  expect(memory.isCompiled).toBe(true);
  expect(CLOTHS.map(hashCloth)).toEqual(inject('node').cloths);
});

test('a sheet whose material slides over an edge, remeshed, is the same to the last bit as in Node, with compiled kernels', () => {
  const { hash, remeshings, vertices } = runEdge();
  expect(remeshings).toBeGreaterThan(0);
  // fewer are not worth compiled loops
  expect(vertices).toBeGreaterThan(100);
  expect(hash).toBe(inject('node').edge);
});

test('a continuum of cloth, hair, sand, goo and fluid in single precision is the same to the last bit as in Node', () => {
  const own = runContinuum();
  const { continuum } = inject('node');
  expect(own.length).toBe(continuum.length);
  expect(own.every((value) => Number.isFinite(value))).toBe(true);
  expect(own.filter((value, k) => value !== continuum[k]).length).toBe(0);
});

test('scenes of the gallery, of every model, are the same to the last bit as in Node', () => {
  const { gallery } = inject('node');
  expect(gallery).toHaveLength(Object.keys(GALLERY_STEPS).length);
  const own = gallery.map(({ name, text }) => [name, hashGalleryRun(name, text)]);
  expect(own).toEqual(gallery.map(({ name, hash }) => [name, hash]));
});

test('squares and whole powers of two by ** are exact in this engine, too', () => {
  let other = 0;
  for (let n = 0, x = 1e-6; n < 20_000; n++, x *= 1.0013) if (x ** 2 !== x * x) other++;
  for (let k = -1000, power = 2 ** -1000; k <= 1000; k++, power *= 2) if (2 ** k !== power) other++;
  expect(other).toBe(0);
});

test('a frame survives the frame file', () => {
  const frame = run(50).frame();
  const parts = [encodeHeader(), encodeFrame(frame)];
  const bytes = new Uint8Array(parts[0].length + parts[1].length);
  bytes.set(parts[0]);
  bytes.set(parts[1], parts[0].length);
  expect(readFrame(bytes, scanChunks(bytes).entries[0])).toEqual(frame);
});
