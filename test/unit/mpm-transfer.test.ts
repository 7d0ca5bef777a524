/**
 * Particles ↔ grid: splines, blocks, and what transfers keep. Numbers in brackets are those of [theory/mpm].
 */
import { createRandom } from 'heddle/math';
import {
  addPointMomentum,
  addToGrid,
  BLOCK_NODES,
  BlockGrid,
  computeMass,
  computeSplineSpread,
  findSplineBase,
  Points,
  readFromGrid,
  SPLINE_ROOM,
  type SplineDegree,
  TransferWork,
  writeSpline,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { differentiate } from './mpm-fixtures.ts';

const DEGREES: readonly SplineDegree[] = [2, 3];

describe.each(DEGREES)('splines of degree %i', (degree) => {
  const [w, s] = [new Float64Array(SPLINE_ROOM), new Float64Array(SPLINE_ROOM)];
  test('sum to 1, reproduce linear functions, spread by Δx²/(6 − b), and are ≥ 0 (12)', () => {
    const random = createRandom(31);
    for (let n = 0; n < 1000; n++) {
      const X = n === 0 ? 3 : n === 1 ? -2.5 : random.uniform(-20, 20);
      const base = findSplineBase(degree, X);
      writeSpline(degree, X, base, w, s, 0);
      let [sum, first, second, slope, linear] = [0, 0, 0, 0, 0];
      for (let i = 0; i <= degree; i++) {
        const r = base + i - X;
        expect(w[i]).toBeGreaterThanOrEqual(0);
        sum += w[i];
        first += w[i] * r;
        second += w[i] * r * r;
        slope += s[i];
        linear += s[i] * r;
      }
      expect(sum).toBeCloseTo(1, 14);
      expect(first).toBeCloseTo(0, 14);
      expect(second).toBeCloseTo(computeSplineSpread(degree), 13);
      expect(slope).toBeCloseTo(0, 14);
      expect(linear).toBeCloseTo(1, 13);
    }
  });

  test('have the slopes of their weights', () => {
    const random = createRandom(32);
    for (let n = 0; n < 200; n++) {
      const X = random.uniform(-20, 20);
      const base = findSplineBase(degree, X);
      if (findSplineBase(degree, X + 1e-3) !== base || findSplineBase(degree, X - 1e-3) !== base) continue;
      const slopes = Float64Array.from({ length: degree + 1 }, (_, i) =>
        differentiate((e) => {
          writeSpline(degree, X + e, base, w, s, 0);
          return w[i];
        }, 1e-4),
      );
      writeSpline(degree, X, base, w, s, 0);
      for (let i = 0; i <= degree; i++) expect(s[i]).toBeCloseTo(slopes[i], 9);
    }
  });

  test('go on smoothly where a particle changes its nodes', () => {
    for (const X of [3, 3.5]) {
      const values = [-1e-9, 1e-9].map((e) => {
        const base = findSplineBase(degree, X + e);
        writeSpline(degree, X + e, base, w, s, 0);
        const at = (list: Float64Array, node: number) => (node < base || node > base + degree ? 0 : list[node - base]);
        return [1, 2, 3, 4, 5].flatMap((node) => [at(w, node), at(s, node)]);
      });
      for (let k = 0; k < 10; k++) expect(values[0][k]).toBeCloseTo(values[1][k], 7);
    }
  });
});

const BULK = {
  type: 'goo',
  density: 700,
  youngsModulus: 1e4,
  poissonRatio: 0.3,
  yieldStress: 100,
  viscosity: 0,
} as const;

/** Particles at random, with random velocities, affine ones too, and unequal masses. */
const createCloud = (count: number, seed: number): Points => {
  const random = createRandom(seed);
  const x = Array.from({ length: 3 * count }, () => random.uniform(-0.3, 0.35));
  const v = Array.from({ length: 3 * count }, () => random.uniform(-2, 2));
  const points = new Points([{ material: BULK, x, v, volume: 1e-6 }]);
  for (let k = 0; k < points.C.length; k++) points.C[k] = random.uniform(-20, 20);
  for (let p = 0; p < count; p++) points.mass[p] *= random.uniform(0.2, 3);
  return points;
};

/** Momentum per mass at nodes; `moved` the same velocities. */
const takeVelocities = (grid: BlockGrid): void => {
  for (let at = 0; at < 4 * BLOCK_NODES * grid.blockCount; at += 4) {
    const m = grid.node[at];
    for (let k = 1; k < 4; k++) grid.node[at + k] = m > 0 ? grid.node[at + k] / m : 0;
    grid.force[at + 3] = m > 0 ? grid.force[at + 3] / m : 0;
    for (let k = 0; k < 3; k++) grid.moved[at + k] = grid.node[at + 1 + k];
  }
};

/** Place of a node [m]. */
const placeOf = (grid: BlockGrid, at: number): [number, number, number] => {
  const node = at / 4;
  const [slot, n] = [Math.floor(node / BLOCK_NODES), node % BLOCK_NODES];
  const local = [n >> 4, (n >> 2) & 3, n & 3];
  return [0, 1, 2].map((k) => (4 * grid.block[3 * slot + k] + local[k]) * grid.spacing) as [number, number, number];
};

/** Mass, momentum and angular momentum of the grid's nodes. */
const measureGrid = (grid: BlockGrid): Float64Array => {
  const out = new Float64Array(7);
  for (let at = 0; at < 4 * BLOCK_NODES * grid.blockCount; at += 4) {
    const x = placeOf(grid, at);
    const [m, px, py, pz] = grid.node.subarray(at, at + 4);
    out[0] += m;
    out[1] += px;
    out[2] += py;
    out[3] += pz;
    out[4] += x[1] * pz - x[2] * py;
    out[5] += x[2] * px - x[0] * pz;
    out[6] += x[0] * py - x[1] * px;
  }
  return out;
};

const momentumOf = (points: Points, grid: BlockGrid): Float64Array => {
  const out = new Float64Array(6);
  addPointMomentum(points, computeSplineSpread(grid.degree) * grid.spacing ** 2, out);
  return out;
};

const expectSame = (found: ArrayLike<number>, expected: ArrayLike<number>, digits: number): void => {
  let size = 0;
  for (let k = 0; k < expected.length; k++) size = Math.max(size, Math.abs(expected[k]));
  expect(size).toBeGreaterThan(0);
  for (let k = 0; k < expected.length; k++) expect(Math.abs(found[k] - expected[k])).toBeLessThan(10 ** -digits * size);
};

describe.each(DEGREES)('a transfer of degree %i', (degree) => {
  const grid = new BlockGrid({ spacing: 0.05, degree });

  test('to the grid keeps mass, momentum and angular momentum to round-off (12)', () => {
    const points = createCloud(300, 41);
    const work = new TransferWork(points);
    grid.sort(points.x, points.count);
    addToGrid(points, grid, work);
    const found = measureGrid(grid);
    expect(found[0] / computeMass(points)).toBeCloseTo(1, 13);
    expectSame(found.subarray(1), momentumOf(points, grid), 13);
  });

  test('to the particles keeps both momenta for any damping, and the rigid part of the motion (12)', () => {
    for (const symmetric of [1, 0.6, 0]) {
      const points = createCloud(300, 42);
      const work = new TransferWork(points);
      work.symmetric.fill(symmetric);
      grid.sort(points.x, points.count);
      addToGrid(points, grid, work);
      const before = momentumOf(points, grid);
      takeVelocities(grid);
      readFromGrid(points, grid, work, 1e-3);
      expectSame(momentumOf(points, grid), before, 13);
    }
  });

  test('to the particles keeps both momenta with memory, of several materials, while particles move', () => {
    const h = 1e-3;
    const random = createRandom(43);
    const cloud = createCloud(200, 44);
    const parts = [0, 1, 2].map((k) => ({
      material: { ...BULK, density: 300 * (k + 1) },
      x: cloud.x.slice(180 * k, 180 * (k + 1)),
      v: cloud.v.slice(180 * k, 180 * (k + 1)),
      volume: 1e-6,
    }));
    const points = new Points(parts);
    for (let k = 0; k < points.C.length; k++) points.C[k] = random.uniform(-20, 20);
    const work = new TransferWork(points);
    work.memory.set([0.99, 0, 0.5]);
    work.symmetric.set([1, 0.3, 0.9]);
    grid.sort(points.x, points.count);
    addToGrid(points, grid, work);
    const before = momentumOf(points, grid);
    takeVelocities(grid);
    // a change of velocity that pushes and turns nothing as a whole would do as well: here none, but the motion is not v
    const v = Float64Array.from(points.v);
    readFromGrid(points, grid, work, h);
    for (let k = 0; k < points.x.length; k++) points.x[k] += h * work.motion[k];
    expectSame(momentumOf(points, grid), before, 13);
    // and something is remembered: velocities are nearer to what they were than the grid's
    const distance = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0);
    expect(distance(points.v.subarray(0, 180), v.subarray(0, 180))).toBeLessThan(
      0.5 * distance(work.motion.subarray(0, 180), v.subarray(0, 180)),
    );
  });

  test('of an affine field there and back is exact: v, C and ∇v', () => {
    const points = createCloud(400, 45);
    const A = [1, -3, 2, 0.5, -1, 4, 2.5, 1.5, -0.5];
    const field = (x: Float64Array, p: number, k: number) =>
      0.7 * k + A[3 * k] * x[3 * p] + A[3 * k + 1] * x[3 * p + 1] + A[3 * k + 2] * x[3 * p + 2];
    for (let p = 0; p < points.count; p++) {
      for (let k = 0; k < 3; k++) points.v[3 * p + k] = field(points.x, p, k);
      points.C.set(A, 9 * p);
    }
    for (const memory of [0, 0.9]) {
      const work = new TransferWork(points);
      work.symmetric.fill(1);
      work.memory.fill(memory);
      grid.sort(points.x, points.count);
      addToGrid(points, grid, work);
      takeVelocities(grid);
      readFromGrid(points, grid, work, 1e-3);
      for (let p = 0; p < points.count; p++) {
        for (let k = 0; k < 3; k++) {
          expect(points.v[3 * p + k]).toBeCloseTo(field(points.x, p, k), 12);
          expect(work.motion[3 * p + k]).toBeCloseTo(field(points.x, p, k), 12);
        }
        for (let k = 0; k < 9; k++) {
          expect(points.C[9 * p + k]).toBeCloseTo(A[k], 10);
          expect(work.gradient[9 * p + k]).toBeCloseTo(A[k], 10);
        }
      }
    }
  });

  test('damps what is not rigid alone: C = C_skew + (1 − ν) C_sym (12)', () => {
    const points = createCloud(1, 46);
    const work = new TransferWork(points);
    work.symmetric.fill(0.25);
    const C = Float64Array.from(points.C);
    grid.sort(points.x, 1);
    addToGrid(points, grid, work);
    takeVelocities(grid);
    readFromGrid(points, grid, work, 1e-3);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const [a, b] = [C[3 * i + j], C[3 * j + i]];
        expect(points.C[3 * i + j]).toBeCloseTo(0.5 * (a - b) + 0.125 * (a + b), 10);
      }
  });
});

describe('blocks', () => {
  test('particles are sorted by home, each once, in their order; every node is found where it is', () => {
    const points = createCloud(2000, 51);
    for (const degree of DEGREES) {
      const grid = new BlockGrid({ spacing: 0.03, degree });
      grid.sort(points.x, points.count);
      const seen = new Set<number>();
      let farthest = 0;
      let misplaced = 0;
      for (let home = 0; home < grid.homeCount; home++) {
        grid.writeReach(home);
        for (let n = 0; n < 512; n++) {
          const place = placeOf(grid, grid.reach[n]);
          [n >> 6, (n >> 3) & 7, n & 7].forEach((offset, axis) => {
            const expected = (4 * grid.block[3 * home + axis] + offset) * 0.03;
            farthest = Math.max(farthest, Math.abs(place[axis] - expected));
          });
        }
        for (let n = grid.start[home]; n < grid.start[home + 1]; n++) {
          const p = grid.order[n];
          seen.add(p);
          if (n > grid.start[home] && p <= grid.order[n - 1]) misplaced++;
          for (let axis = 0; axis < 3; axis++) {
            const base = findSplineBase(degree, points.x[3 * p + axis] / 0.03);
            if (Math.floor(base / 4) !== grid.block[3 * home + axis]) misplaced++;
          }
        }
      }
      expect(seen.size).toBe(2000);
      expect(misplaced).toBe(0);
      expect(farthest).toBeLessThan(1e-14);
      expect(grid.homeCount).toBeGreaterThan(100);
    }
  });

  test('of the last sort leave no trace', () => {
    const grid = new BlockGrid({ spacing: 0.03 });
    const [first, second] = [createCloud(500, 52), createCloud(300, 53)];
    const fill = (points: Points): Float64Array => {
      grid.sort(points.x, points.count);
      addToGrid(points, grid, new TransferWork(points));
      return grid.node.slice(0, 4 * BLOCK_NODES * grid.blockCount);
    };
    const alone = fill(second);
    fill(first);
    expect(fill(second)).toEqual(alone);
  });

  test('take no more memory than allowed, and say so', () => {
    const points = createCloud(500, 54);
    const grid = new BlockGrid({ spacing: 0.001, memoryLimit: 1e6 });
    expect(() => grid.sort(points.x, points.count)).toThrow(/more than 162 blocks .* larger or raise memoryLimit/);
    const enough = new BlockGrid({ spacing: 0.03, memoryLimit: 2e7 });
    enough.sort(points.x, points.count);
    expect(enough.byteLength).toBeLessThan(2.1e7);
  });

  test('refuse particles that are nowhere', () => {
    const grid = new BlockGrid({ spacing: 0.1 });
    expect(() => grid.sort(Float64Array.of(0, Number.NaN, 0), 1)).toThrow(/Particle 0 is at \(0, NaN, 0\)/);
    expect(() => grid.sort(Float64Array.of(0, 0, 1e12), 1)).toThrow(/within/);
    expect(() => new BlockGrid({ spacing: 0 })).toThrow(/spacing is 0/);
  });
});
