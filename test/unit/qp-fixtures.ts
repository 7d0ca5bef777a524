/** Problems for the tests of QpSolver, and an independent method: dense, on the multipliers alone. */
import type { Random } from 'heddle/math';
import { BlockPattern, BlockSparse, type QpProblem, type SparseRows, type SymmetricBlocks } from 'heddle/sparse';
import { solveByElimination } from './gaussian-elimination.ts';
import { gridPattern, randomVector, toDense } from './sparse-fixtures.ts';

export type RowList = readonly (readonly [column: number, value: number])[];

export const toRows = (lists: readonly RowList[], compliance?: readonly number[]): SparseRows => {
  const entries = lists.flat();
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, r) => {
    start[r + 1] = start[r] + list.length;
  });
  return {
    count: lists.length,
    start,
    columns: Int32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
    ...(compliance ? { compliance: Float64Array.from(compliance) } : {}),
  };
};

/** A dense symmetric matrix as one of blocks of 1. */
export function toMatrix(entries: readonly (readonly number[])[]): BlockSparse {
  const n = entries.length;
  const rows: number[] = [];
  const columns: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (entries[i][j] === 0) continue;
      rows.push(i);
      columns.push(j);
    }
  }
  const matrix = new BlockSparse(BlockPattern.fromPairs(n, rows, columns), 1);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) if (entries[i][j] !== 0 || i === j) matrix.addBlock(i, j, [entries[i][j]]);
  return matrix;
}

export const INFINITE = Number.POSITIVE_INFINITY;

/** [lower, upper] of the multiplier of each kind of row. */
export const EQUAL = [-INFINITE, INFINITE] as const;
export const AT_LEAST = [0, INFINITE] as const;
export const AT_MOST = [-INFINITE, 0] as const;

export interface RowSpec {
  readonly row: RowList;
  readonly target: number;
  readonly bounds: readonly [number, number];
  readonly compliance?: number;
}

export function toProblem(matrix: SymmetricBlocks, force: ArrayLike<number>, specs: readonly RowSpec[]): QpProblem {
  const soft = specs.some(({ compliance }) => compliance !== undefined);
  return {
    matrix,
    rows: toRows(
      specs.map(({ row }) => row),
      soft ? specs.map(({ compliance }) => compliance ?? 0) : undefined,
    ),
    force: Float64Array.from(force),
    target: Float64Array.from(specs, ({ target }) => target),
    lower: Float64Array.from(specs, ({ bounds }) => bounds[0]),
    upper: Float64Array.from(specs, ({ bounds }) => bounds[1]),
  };
}

/** Springs of very different stiffness along the edges of a grid, and masses: condition about `stiffness`. */
export function createCloth(random: Random, width: number, height: number, stiffness: number): BlockSparse {
  const matrix = new BlockSparse(gridPattern(width, height, true), 3);
  const { pattern } = matrix;
  const block = new Float64Array(9);
  for (let j = 0; j < pattern.n; j++) {
    matrix.addBlock(j, j, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    for (let slot = pattern.columnStart[j] + 1; slot < pattern.columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      const direction = random.direction();
      const weight = stiffness * random.uniform(0.1, 1);
      for (let k = 0; k < 9; k++) block[k] = weight * direction[Math.floor(k / 3)] * direction[k % 3];
      matrix.addBlock(i, i, block);
      matrix.addBlock(j, j, block);
      matrix.addBlock(
        i,
        j,
        block.map((value) => -value),
      );
    }
  }
  return matrix;
}

/** Rows on one vertex or on two to four, of all kinds, without contradiction: a random point meets the strict ones. */
export function createContactRows(random: Random, vertices: number, count: number, kinds = 6): RowSpec[] {
  const inside = randomVector(random, 3 * vertices);
  return Array.from({ length: count }, (): RowSpec => {
    const touched = random.uniform() < 0.6 ? 1 : random.integer(2, 4);
    const row = Array.from({ length: touched }, () => {
      const vertex = random.integer(0, vertices - 1);
      const weight = random.uniform(0.2, 1);
      return random.direction().map((value, c) => [3 * vertex + c, weight * value] as const);
    }).flat();
    const there = row.reduce((sum, [column, value]) => sum + value * inside[column], 0);
    const margin = random.uniform() < 0.3 ? 0 : random.uniform(0, 0.5);
    switch (random.integer(0, kinds - 1)) {
      case 0:
        return { row, target: there, bounds: EQUAL };
      case 1:
        return { row, target: there + margin, bounds: AT_MOST };
      case 2:
        return { row, target: there, bounds: [-random.uniform(0, 5), random.uniform(0, 5)] };
      case 3:
        return { row, target: there + 1, bounds: AT_LEAST, compliance: random.uniform(0.01, 1) };
      default:
        return { row, target: there - margin, bounds: AT_LEAST };
    }
  });
}

/**
 * Projected Gauss–Seidel on the multipliers with a dense A⁻¹:   λ_r ← clamp(λ_r − s_r / (g_r A⁻¹ g_rᵀ + c_r)).
 * Converges for A positive definite and rows without contradiction; v and λ when no λ moves any more.
 */
export function solveByGaussSeidel(problem: QpProblem, sweeps = 200_000): { v: number[]; multipliers: number[] } {
  const { matrix, rows, force, target, lower, upper } = problem;
  const n = matrix.size;
  const dense = toDense(matrix);
  const v = Array.from(solveByElimination(dense.slice(), Array.from(force)));
  const list = Array.from({ length: rows.count }, (_, r) => {
    const g = new Array<number>(n).fill(0);
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) g[rows.columns[k]] += rows.values[k];
    const y = Array.from(solveByElimination(dense.slice(), g.slice()));
    const c = rows.compliance?.[r] ?? 0;
    return { g, y, c, weight: g.reduce((sum, value, k) => sum + value * y[k], 0) + c };
  });
  const multipliers = Array.from({ length: rows.count }, () => 0);
  const move = (r: number, to: number): number => {
    const change = to - multipliers[r];
    multipliers[r] = to;
    for (let k = 0; k < n; k++) v[k] += list[r].y[k] * change;
    return Math.abs(change);
  };
  for (let r = 0; r < rows.count; r++) move(r, Math.min(upper[r], Math.max(lower[r], 0)));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let r = 0; r < rows.count; r++) {
      const { g, c, weight } = list[r];
      let gap = c * multipliers[r] - target[r];
      for (let k = 0; k < n; k++) gap += g[k] * v[k];
      moved = Math.max(moved, move(r, Math.min(upper[r], Math.max(lower[r], multipliers[r] - gap / weight))));
    }
    if (moved < 1e-14 * Math.max(1, ...multipliers.map(Math.abs))) break;
  }
  return { v, multipliers };
}

/** All ways to hold or release the rows, one after another: v of the one that meets all conditions. For few independent rows. */
export function solveByEnumeration(problem: QpProblem): number[] | undefined {
  const { matrix, rows, force, target, lower, upper } = problem;
  const n = matrix.size;
  const m = rows.count;
  const dense = toDense(matrix);
  for (let code = 0; code < 3 ** m; code++) {
    const states = Array.from({ length: m }, (_, r) => (Math.floor(code / 3 ** r) % 3) - 1);
    if (states.some((state, r) => (state < 0 && lower[r] === -INFINITE) || (state > 0 && upper[r] === INFINITE)))
      continue;
    const total = n + m;
    const whole = new Float64Array(total * total);
    const right = [...force, ...target];
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) whole[i * total + j] = dense[i * n + j];
    for (let r = 0; r < m; r++) {
      const held = states[r] === 0;
      whole[(n + r) * total + n + r] = held ? (rows.compliance?.[r] ?? 0) : 1;
      if (!held) right[n + r] = states[r] < 0 ? lower[r] : upper[r];
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
        whole[rows.columns[k] * total + n + r] -= rows.values[k];
        if (held) whole[(n + r) * total + rows.columns[k]] += rows.values[k];
      }
    }
    const x = Array.from(solveByElimination(whole, right));
    if (!x.every(Number.isFinite) || computeViolation(problem, x.slice(0, n), x.slice(n)) > 1e-9) continue;
    return x.slice(0, n);
  }
  return undefined;
}

/** Largest deviation from the conditions of qp-problem.ts, not scaled, from dense arithmetic. */
export function computeViolation(problem: QpProblem, v: ArrayLike<number>, multipliers: ArrayLike<number>): number {
  const { matrix, rows, force, target, lower, upper } = problem;
  const n = matrix.size;
  const dense = toDense(matrix);
  const balance = Array.from(force, (value, i) => {
    let sum = -value;
    for (let j = 0; j < n; j++) sum += dense[i * n + j] * v[j];
    return sum;
  });
  let worst = 0;
  for (let r = 0; r < rows.count; r++) {
    const multiplier = multipliers[r];
    let gap = (rows.compliance?.[r] ?? 0) * multiplier - target[r];
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
      gap += rows.values[k] * v[rows.columns[k]];
      balance[rows.columns[k]] -= rows.values[k] * multiplier;
    }
    // λ = clamp(λ − s) says the same as the three cases
    worst = Math.max(worst, Math.abs(multiplier - Math.min(upper[r], Math.max(lower[r], multiplier - gap))));
  }
  return balance.reduce((most, value) => Math.max(most, Math.abs(value)), worst);
}
