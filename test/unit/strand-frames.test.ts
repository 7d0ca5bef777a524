/** Nodes held along directions that are not world axes: `src/strand/frames.ts` against plain constraint rows. */
import { createRandom, type Random } from 'heddle/math';
import { expect, test } from 'vitest';
import { NodeFrames } from '../../src/contact/node-frames.ts';
import { createSpringChain, toDense } from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

type Vector = [number, number, number];

/** A unit vector up to 37° from an axis: directions of three axes are independent, but not orthogonal. */
function createDirection(random: Random, axis: number): Vector {
  const d = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
  const e = d.map((x, k) => (0.6 * x) / Math.hypot(...d) + (k === axis ? 1 : 0));
  return e.map((x) => x / Math.hypot(...e)) as Vector;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>, at = 0): number =>
  a[0] * b[at] + a[1] * b[at + 1] + a[2] * b[at + 2];

/** A frame with so many random directions, not orthogonal, and the speeds along them. */
function createFrame(random: Random, frames: NodeFrames, label: number, rank: number) {
  const n = frames.open(label);
  const first = Math.floor(random.uniform(0, 3));
  const held = Array.from({ length: rank }, (_, j) => ({
    d: createDirection(random, (first + j) % 3),
    speed: random.uniform(-2, 2),
  }));
  held.forEach(({ d, speed }, j) => {
    expect(frames.add(n, ...d, speed)).toBe(j);
  });
  frames.complete(n);
  return { n, held };
}

for (const rank of [1, 2, 3])
  test(`speeds along ${rank} random directions are met, axes are orthonormal, r = Σ λ_j d_j, seeds 0…199`, () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = createRandom(seed);
      const frames = new NodeFrames();
      frames.clear(4);
      const { n, held } = createFrame(random, frames, 2, rank);
      const v = Float64Array.from({ length: 8 }, () => random.uniform(-3, 3));
      frames.applySpeeds(n, v, 4);
      const size = Math.hypot(1, v[4], v[5], v[6]);
      for (const { d, speed } of held) expect(Math.abs(dot(d, v, 4) - speed)).toBeLessThan(1e-13 * size);
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++)
          expect(dot(frames.axes.subarray(3 * a, 3 * a + 3), frames.axes, 3 * b)).toBeCloseTo(a === b ? 1 : 0, 9);
      const lambda = held.map(() => random.uniform(-5, 5));
      const r = new Float64Array(8);
      held.forEach(({ d }, j) => {
        for (let k = 0; k < 3; k++) r[4 + k] += lambda[j] * d[k];
      });
      lambda.forEach((expected, j) => {
        expect(frames.computeMultiplier(n, j, r, 4)).toBeCloseTo(expected, 8);
      });
    }
  });

test('a direction in the span of those before it adds nothing, nor does a fourth', () => {
  const frames = new NodeFrames();
  frames.clear(1);
  const n = frames.open(0);
  expect(frames.add(n, 0.6, 0.8, 0, 1)).toBe(0);
  expect(frames.add(n, -0.6, -0.8, 0, 5)).toBe(-1);
  expect(frames.add(n, 1, 0, 0, 2)).toBe(1);
  expect(frames.add(n, 0, 1, 0, 2)).toBe(-1);
  expect(frames.add(n, 0, 0, 1, 3)).toBe(2);
  expect(frames.add(n, 0.6, 0, 0.8, 3)).toBe(-1);
  expect(frames.rank[n]).toBe(3);
});

for (const bandwidth of [1, 2])
  test(`the turned system has the solution of constraint rows, bandwidth ${bandwidth}, seeds 0…29`, () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = createRandom(seed);
      const blocks = 6;
      const size = 4 * blocks;
      const matrix = createSpringChain(random, blocks, 4, bandwidth, 1);
      const rhs = Float64Array.from({ length: size }, () => random.uniform(-1, 1));
      const frames = new NodeFrames();
      frames.clear(blocks);
      // neighbours among them: blocks beside the diagonal are turned from both sides
      const made = [0, 1, 4].map((label, k) => ({ label, ...createFrame(random, frames, label, k + 1) }));
      const rows = made.flatMap(({ label, held }) => held.map(({ d }) => ({ label, d })));

      // [A Dᵀ; D 0] (z, −λ) = (b, 0): corrections z that leave the held speeds as they are
      const total = size + rows.length;
      const dense = new Float64Array(total * total);
      const block = toDense(matrix);
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) dense[i * total + j] = block[i * size + j];
      rows.forEach(({ label, d }, j) => {
        for (let k = 0; k < 3; k++)
          dense[(size + j) * total + 4 * label + k] = dense[(4 * label + k) * total + size + j] = d[k];
      });
      const right = new Float64Array(total);
      right.set(rhs);
      const expected = solveByElimination(dense, right);

      for (const { n, label } of made) frames.turnSystem(n, label, matrix, rhs);
      const turned = toDense(matrix);
      for (const { n, label } of made)
        for (let a = 0; a < frames.rank[n]; a++) {
          const c = 4 * label + a;
          for (let j = 0; j < size; j++) turned[c * size + j] = turned[j * size + c] = j === c ? 1 : 0;
          rhs[c] = 0;
        }
      const z = solveByElimination(turned, rhs);
      for (const { n, label } of made) frames.turnBack(n, z, 4 * label);
      for (let k = 0; k < size; k++) expect(z[k]).toBeCloseTo(expected[k], 9);

      // the force that holds a node, b − A z, is −Σ λ_j d_j of the rows
      made.forEach(({ n, label, held }) => {
        const r = new Float64Array(3);
        for (let k = 0; k < 3; k++) {
          r[k] = -right[4 * label + k];
          for (let j = 0; j < size; j++) r[k] += block[(4 * label + k) * size + j] * z[j];
        }
        const first = rows.findIndex((row) => row.label === label);
        held.forEach((_, j) => {
          const lambda = -expected[size + first + j];
          expect(Math.abs(frames.computeMultiplier(n, j, r, 0) - lambda)).toBeLessThan(1e-7 * (1 + Math.abs(lambda)));
        });
      });
    }
  });
