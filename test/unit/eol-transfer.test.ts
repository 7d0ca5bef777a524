/**
 * Velocity transfer between two discretisations of the same material, curves and sheets [theory/eol#velocity-transfer].
 */
import {
  computeMomentum,
  EolElement,
  type EolPatch,
  overlayTriangles,
  transferVelocity,
  VelocityTransfer,
} from 'heddle/eol';
import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';

/** A wavy curve with nodes at the given material coordinates; random velocities, sliding at the nodes in `sliding`. */
function createCurve(at: readonly number[], sliding: readonly number[], seed: number) {
  const random = createRandom(seed);
  const q = new Float64Array(4 * at.length);
  const velocity = new Float64Array(4 * at.length);
  at.forEach((u, i) => {
    q.set([1.1 * u, 0.2 * Math.sin(2 * u), 0.1 * u * u, u], 4 * i);
    for (let k = 0; k < 3; k++) velocity[4 * i + k] = random.uniform(-1, 1);
    velocity[4 * i + 3] = sliding.includes(i) ? random.uniform(-1, 1) : 0;
  });
  const elements = Int32Array.from({ length: 2 * (at.length - 1) }, (_, k) => (k + 1) >> 1);
  return { patch: { dimension: 1, q, elements, density: 0.3 } as EolPatch, velocity };
}

const heldMaterial = (nodes: number, stride: number) =>
  Uint8Array.from({ length: nodes * stride }, (_, k) => (k % stride >= 3 ? 1 : 0));

function kineticEnergy(patch: EolPatch, velocity: Float64Array): number {
  const element = new EolElement(patch.dimension);
  let T = 0;
  for (let e = 0; e < patch.elements.length; e += element.nodes) {
    const nodes = patch.elements.subarray(e, e + element.nodes);
    const gather = (values: Float64Array) =>
      Float64Array.from([...nodes].flatMap((n) => [...values.subarray(n * element.stride, (n + 1) * element.stride)]));
    element.setConfiguration(gather(patch.q));
    element.setVelocity(gather(velocity));
    T += element.computeKineticEnergy(patch.density);
  }
  return T;
}

test('the world momentum of a curve is kept when nodes go, also at a sliding node', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const from = createCurve([0, 0.2, 0.5, 0.6, 1, 1.3, 1.5], [3], seed);
    const to = createCurve([0, 0.2, 0.6, 1, 1.5], [2], seed);
    const held = heldMaterial(5, 4);
    held[11] = 0; // the sliding node keeps its free u; its x is held still
    for (let k = 8; k < 11; k++) held[k] = 1;
    to.velocity.fill(0);
    const report = transferVelocity(from.patch, from.velocity, to.patch, held, to.velocity);
    expect(report.lostMomentum).toBe(0);
    const [a, b] = [computeMomentum(from.patch, from.velocity), computeMomentum(to.patch, to.velocity)];
    expect(Math.hypot(...a)).toBeGreaterThan(1e-3);
    for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-14);
  }
});

test('the energy of a curve does not grow when a node goes between others that keep their velocity, and momentum is kept', () => {
  let limited = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const from = createCurve([0, 0.2, 0.5, 0.6, 1, 1.3, 1.5], [], seed);
    const to = createCurve([0, 0.2, 0.5, 1, 1.3, 1.5], [], seed);
    // almost alike but at the ends, which are held at rest: there is no motion to lose
    for (let k = 4; k < 24; k++) from.velocity[k] = k % 4 < 3 ? 1 + 0.3 * from.velocity[k] : 0;
    to.velocity.fill(0);
    from.velocity.fill(0, 0, 4).fill(0, 24);
    const held = heldMaterial(6, 4).fill(1, 0, 4).fill(1, 20);
    const { before, after } = transferVelocity(from.patch, from.velocity, to.patch, held, to.velocity);
    expect(after).toBeCloseTo(kineticEnergy(to.patch, to.velocity), 12);
    expect(before).toBeCloseTo(kineticEnergy(from.patch, from.velocity), 12);
    expect(after).toBeLessThanOrEqual(before * (1 + 1e-12));
    if (after > before * (1 - 1e-12)) limited++;
    const [a, b] = [computeMomentum(from.patch, from.velocity), computeMomentum(to.patch, to.velocity)];
    for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-14);
  }
  expect(limited).toBeGreaterThan(0);
});

test('momentum that only material running through held nodes of a curve could take over makes no energy', () => {
  // three held nodes 0.01 off a straight line: across it their material moves by a hundredth of its speed
  const q = (at: readonly number[]) => Float64Array.from(at.flatMap((u) => [u, 0.01 * Math.sin(3 * u), 0, u]));
  const elements = (nodes: number) => Int32Array.from({ length: 2 * (nodes - 1) }, (_, k) => (k + 1) >> 1);
  const from: EolPatch = { dimension: 1, q: q([0, 1, 1.4, 2, 3]), elements: elements(5), density: 0.3 };
  const to: EolPatch = { dimension: 1, q: q([0, 1, 2, 3]), elements: elements(4), density: 0.3 };
  const velocity = new Float64Array(20);
  velocity.set([0, 0.5, 0], 8);
  const held = new Uint8Array(16).fill(1);
  held[7] = held[11] = 0;
  const report = transferVelocity(from, velocity, to, held, new Float64Array(16));
  expect(report.after).toBeLessThanOrEqual(report.before);
  expect(report.lostMomentum).toBeCloseTo(computeMomentum(from, velocity)[1], 3);
});

test('energy that something else has gained by a change of a curve is paid by the motion', () => {
  const from = createCurve([0, 0.2, 0.5, 0.6, 1, 1.3, 1.5], [], 5);
  const to = createCurve([0, 0.2, 0.6, 1, 1.5], [], 5);
  const room = new VelocityTransfer(1);
  const before = room.computeKineticEnergy(from.patch, from.velocity);
  const { after } = room.transfer(from.patch, from.velocity, to.patch, heldMaterial(5, 4), to.velocity, 0.4 * before);
  expect(kineticEnergy(to.patch, to.velocity)).toBeCloseTo(0.6 * before, 12);
  expect(after).toBeCloseTo(0.6 * before, 12);
  const [a, b] = [computeMomentum(from.patch, from.velocity), computeMomentum(to.patch, to.velocity)];
  for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-14);
});

test('a field that the new mesh of a curve can hold is taken over exactly', () => {
  const from = createCurve([0, 0.4, 1, 1.5], [], 3);
  for (let i = 0; i < 4; i++)
    from.velocity.set([1 + 2 * from.patch.q[4 * i + 3], -1, 0.5 * from.patch.q[4 * i + 3], 0], 4 * i);
  const to = createCurve([0, 0.7, 1.1, 1.5], [], 3);
  transferVelocity(from.patch, from.velocity, to.patch, heldMaterial(4, 4), to.velocity.fill(0));
  for (let i = 0; i < 4; i++) {
    const u = to.patch.q[4 * i + 3];
    expect(to.velocity[4 * i]).toBeCloseTo(1 + 2 * u, 12);
    expect(to.velocity[4 * i + 1]).toBeCloseTo(-1, 12);
    expect(to.velocity[4 * i + 2]).toBeCloseTo(0.5 * u, 12);
  }
});

test('the lost momentum of a curve is reported where every coordinate is held', () => {
  const from = createCurve([0, 0.4, 1, 1.5], [], 4);
  const to = createCurve([0, 1.5], [], 4);
  const held = new Uint8Array(8).fill(1);
  held[4] = 0;
  const report = transferVelocity(from.patch, from.velocity, to.patch, held, to.velocity.fill(0));
  const [, y, z] = computeMomentum(from.patch, from.velocity);
  expect(report.lostMomentum).toBeCloseTo(Math.hypot(y, z), 12);
});

/** The unit square, split along one or the other diagonal or with an inner vertex; x a smooth function of X. */
function createSheet(vertices: readonly (readonly [number, number])[], triangles: readonly number[], seed: number) {
  const random = createRandom(seed);
  const q = new Float64Array(5 * vertices.length);
  const velocity = new Float64Array(5 * vertices.length);
  vertices.forEach(([U, V], i) => {
    q.set([1.2 * U, V + 0.1 * U * V, 0.3 * U * U, U, V], 5 * i);
    for (let k = 0; k < 3; k++) velocity[5 * i + k] = random.uniform(-1, 1);
  });
  return { patch: { dimension: 2, q, elements: Int32Array.from(triangles), density: 0.2 } as EolPatch, velocity };
}

const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
const FAN = [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4];

test('the world momentum of a sheet is kept and energy does not grow between two triangulations', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const from = createSheet([...SQUARE, [0.35, 0.6]], FAN, seed);
    const to = createSheet(SQUARE, [0, 1, 3, 1, 2, 3], seed);
    const report = transferVelocity(from.patch, from.velocity, to.patch, heldMaterial(4, 5), to.velocity.fill(0));
    expect(report.lostMomentum).toBe(0);
    const [a, b] = [computeMomentum(from.patch, from.velocity), computeMomentum(to.patch, to.velocity)];
    expect(Math.hypot(...a)).toBeGreaterThan(1e-3);
    for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-14);
    expect(kineticEnergy(to.patch, to.velocity)).toBeLessThanOrEqual(kineticEnergy(from.patch, from.velocity));
  }
});

test('an affine field on a sheet is taken over exactly', () => {
  const from = createSheet([...SQUARE, [0.35, 0.6]], FAN, 1);
  const field = (U: number, V: number) => [1 + U - 2 * V, 0.5 * U, V - 1];
  for (let i = 0; i < 5; i++) from.velocity.set(field(from.patch.q[5 * i + 3], from.patch.q[5 * i + 4]), 5 * i);
  const to = createSheet([...SQUARE, [0.8, 0.3]], FAN, 1);
  transferVelocity(from.patch, from.velocity, to.patch, heldMaterial(5, 5), to.velocity.fill(0));
  for (let i = 0; i < 5; i++) {
    const expected = field(to.patch.q[5 * i + 3], to.patch.q[5 * i + 4]);
    for (let k = 0; k < 3; k++) expect(to.velocity[5 * i + k]).toBeCloseTo(expected[k], 12);
  }
});

test('the overlay of two triangles integrates 1 to their common area', () => {
  // two unit right triangles on opposite sides of the square share a triangle of area ¼
  let area = 0;
  overlayTriangles([0, 0, 1, 0, 0, 1], [0, 0, 1, 0, 1, 1], (_, weight) => {
    area += weight;
  });
  expect(area).toBeCloseTo(0.25, 14);
});
