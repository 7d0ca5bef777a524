/** Sweeps over the multipliers of many bounded rows, against the dense solver of the same problem. */
import { createRandom, type Random } from 'heddle/math';
import { DenseBoxQp, RowSweeps, type SweptBlocks, type SweptRows } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';

const INFINITE = Number.POSITIVE_INFINITY;

/** C of a chain of unit masses tied by springs, by Gauss–Jordan: neighbours move together. */
function createInverse(random: Random, size: number, stiffness: number): Float64Array {
  const A = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    A[i * size + i] += 1;
    if (i + 1 === size) continue;
    const k = stiffness * random.uniform(0.5, 2);
    A[i * size + i] += k;
    A[(i + 1) * size + i + 1] += k;
    A[i * size + i + 1] -= k;
    A[(i + 1) * size + i] -= k;
  }
  const C = new Float64Array(size * size);
  for (let i = 0; i < size; i++) C[i * size + i] = 1;
  for (let p = 0; p < size; p++) {
    const pivot = A[p * size + p];
    for (let c = 0; c < size; c++) {
      A[p * size + c] /= pivot;
      C[p * size + c] /= pivot;
    }
    for (let r = 0; r < size; r++) {
      const factor = A[r * size + p];
      if (r === p || factor === 0) continue;
      for (let c = 0; c < size; c++) {
        A[r * size + c] -= factor * A[p * size + c];
        C[r * size + c] -= factor * C[p * size + c];
      }
    }
  }
  return C;
}

interface Problem {
  readonly rows: SweptRows;
  readonly blocks: SweptBlocks;
  readonly z0: Float64Array;
  /** S = G C Gᵀ + c, dense. */
  readonly S: Float64Array;
}

/** Contacts and friction in turns between neighbouring blocks, as in a stack that falls on its lowest block. */
function createProblem(seed: number, count: number, stiffness = 20): Problem {
  const random = createRandom(seed);
  const sizes = [5, 3, 6, 4, 5];
  const start = Int32Array.from([0, 5, 8, 14, 18, 23]);
  const inverses = sizes.map((size) => createInverse(random, size, stiffness));
  const first = Int32Array.from(sizes, (_, b) => sizes.slice(0, b).reduce((sum, n) => sum + n * n, 0));
  const blocks: SweptBlocks = {
    of: Int32Array.from(sizes.flatMap((n, b) => Array<number>(n).fill(b))),
    start,
    first,
    values: Float64Array.from(inverses.flatMap((C) => [...C])),
  };
  const [columns, values, starts]: [number[], number[], number[]] = [[], [], [0]];
  for (let r = 0; r < count; r++) {
    for (const b of r % 4 === 0 ? [r % 5] : [r % 4, (r % 4) + 1]) {
      const at = start[b] + random.integer(0, sizes[b] - 2);
      for (let k = 0; k < 2; k++) {
        columns.push(at + k);
        values.push(random.uniform(-1, 1));
      }
    }
    starts.push(columns.length);
  }
  const rows: SweptRows = {
    count,
    start: Int32Array.from(starts),
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
    compliance: Float64Array.from({ length: count }, () => 1e-3),
    target: Float64Array.from({ length: count }, () => random.uniform(-1, 1)),
    lower: Float64Array.from({ length: count }, (_, r) => (r % 3 === 0 ? 0 : -0.1)),
    upper: Float64Array.from({ length: count }, (_, r) => (r % 3 === 0 ? INFINITE : 0.1)),
  };
  const z0 = Float64Array.from({ length: 23 }, () => random.uniform(-1, 1));
  return { rows, blocks, z0, S: createSchur(rows, blocks) };
}

function createSchur(rows: SweptRows, { of, start, first, values: C }: SweptBlocks): Float64Array {
  const n = rows.count;
  const S = new Float64Array(n * n);
  for (let p = 0; p < n; p++) {
    for (let q = 0; q < n; q++)
      for (let e = rows.start[p]; e < rows.start[p + 1]; e++)
        for (let f = rows.start[q]; f < rows.start[q + 1]; f++) {
          const [i, j] = [rows.columns[e], rows.columns[f]];
          const b = of[i];
          if (of[j] !== b) continue;
          const value = C[first[b] + (i - start[b]) * (start[b + 1] - start[b]) + j - start[b]];
          S[p * n + q] += rows.values[e] * value * rows.values[f];
        }
    S[p * n + p] += rows.compliance[p];
  }
  return S;
}

const computeB = ({ rows, z0 }: Problem): Float64Array =>
  Float64Array.from({ length: rows.count }, (_, r) => {
    let b = rows.target[r];
    for (let e = rows.start[r]; e < rows.start[r + 1]; e++) b -= rows.values[e] * z0[rows.columns[e]];
    return b;
  });

function computeValue({ S }: Problem, b: Float64Array, x: Float64Array): number {
  let sum = 0;
  for (let p = 0; p < b.length; p++) {
    sum -= b[p] * x[p];
    for (let q = 0; q < b.length; q++) sum += 0.5 * x[p] * S[p * b.length + q] * x[q];
  }
  return sum;
}

function solveDense(problem: Problem): Float64Array {
  const { rows, S } = problem;
  const solver = new DenseBoxQp();
  const multipliers = new Float64Array(rows.count);
  solver.load(S.slice(), rows.count);
  const report = solver.solve(computeB(problem), rows.lower, rows.upper, multipliers, new Int8Array(rows.count));
  expect(report.ok).toBe(true);
  return multipliers;
}

function sweep(problem: Problem, tolerance: number, mostSweeps: number, guess = new Float64Array(problem.rows.count)) {
  const sweeps = new RowSweeps();
  const z = problem.z0.slice();
  const multipliers = guess.slice();
  sweeps.load(problem.rows, problem.blocks);
  const report = { ...sweeps.solve(z, multipliers, { tolerance, mostSweeps }) };
  return { z, multipliers, report };
}

describe.each([1, 2, 3, 4, 5])('problem %i', (seed) => {
  const problem = createProblem(seed, 40);
  const b = computeB(problem);

  test('sweeps come to the solution of the dense solver', () => {
    const expected = solveDense(problem);
    const { multipliers, report } = sweep(problem, 1e-12, 20_000);
    expect(report.ok).toBe(true);
    for (let r = 0; r < b.length; r++) expect(Math.abs(multipliers[r] - expected[r])).toBeLessThan(1e-7);
  });

  test('z is z₀ + C Gᵀλ, wherever the sweeps stop', () => {
    for (const most of [1, 2, 7, 30]) {
      const { z, multipliers } = sweep(problem, 1e-12, most);
      const { rows, blocks } = problem;
      const expected = problem.z0.slice();
      for (let r = 0; r < rows.count; r++)
        for (let e = rows.start[r]; e < rows.start[r + 1]; e++) {
          const block = blocks.of[rows.columns[e]];
          const [begin, size] = [blocks.start[block], blocks.start[block + 1] - blocks.start[block]];
          for (let i = 0; i < size; i++)
            expected[begin + i] +=
              blocks.values[blocks.first[block] + (rows.columns[e] - begin) * size + i] *
              rows.values[e] *
              multipliers[r];
        }
      for (let k = 0; k < z.length; k++) expect(Math.abs(z[k] - expected[k])).toBeLessThan(1e-12);
    }
  });

  test('multipliers are within their bounds, wherever the sweeps stop', () => {
    for (let most = 1; most < 20; most++) {
      const { multipliers } = sweep(problem, 1e-12, most);
      for (let r = 0; r < b.length; r++) {
        expect(multipliers[r]).toBeGreaterThanOrEqual(problem.rows.lower[r]);
        expect(multipliers[r]).toBeLessThanOrEqual(problem.rows.upper[r]);
      }
    }
  });

  test('a guess is taken as far as it helps: a wild one does no harm, the solution is found at once', () => {
    const exact = sweep(problem, 1e-12, 5000).multipliers;
    const wild = Float64Array.from(exact, (_, r) => (r % 3 === 0 ? 100 : 0.1));
    const [started, plain] = [sweep(problem, 0, 1, wild).multipliers, sweep(problem, 0, 1).multipliers];
    expect(computeValue(problem, b, started)).toBeLessThan(0);
    expect(computeValue(problem, b, plain)).toBeLessThan(0);
    expect(sweep(problem, 1e-6, 100, exact).report.sweeps).toBe(1);
  });
});

test('conjugate gradients take a third of the sweeps that plain ones do', () => {
  const problem = createProblem(7, 40, 2000);
  const { rows, S } = problem;
  const b = computeB(problem);
  const best = computeValue(problem, b, sweep(problem, 1e-13, 50_000).multipliers);
  const isNear = (x: Float64Array) => computeValue(problem, b, x) - best < 1e-6 * Math.abs(best);
  const plain = new Float64Array(rows.count);
  let plainSweeps = 0;
  for (; !isNear(plain) && plainSweeps < 20_000; plainSweeps++)
    for (let r = 0; r < rows.count; r++) {
      let s = -b[r];
      for (let q = 0; q < rows.count; q++) s += S[r * rows.count + q] * plain[q];
      plain[r] = Math.min(rows.upper[r], Math.max(rows.lower[r], plain[r] - s / S[r * rows.count + r]));
    }
  let sweeps = 1;
  while (!isNear(sweep(problem, 0, sweeps).multipliers) && sweeps < 20_000) sweeps++;
  expect(sweeps).toBeLessThan(plainSweeps / 3);
});
