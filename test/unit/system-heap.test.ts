/** Islands of chains with hundreds of bounded rows: sweeps must come near to the exact solvers, and what they give must fulfil A Δ = r + Gᵀλ. */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, System } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { copyOf, createSpringChain } from './chain-fixtures.ts';

const INFINITE = Number.POSITIVE_INFINITY;
const [PARTS, BLOCKS, SIZE] = [12, 6, 4];

interface Problem {
  readonly parts: ChainPart[];
  readonly rows: ConstraintRows;
}

/** Contacts of three rows each, between neighbouring chains of a ring. */
function createProblem(seed: number, contacts: number): Problem {
  const random = createRandom(seed);
  const parts = Array.from({ length: PARTS }, (_, p) => {
    const part = new ChainPart(`part ${p}`, createSpringChain(random, BLOCKS, SIZE, 1, 0.3));
    for (let k = 0; k < part.rhs.length; k++) part.rhs[k] = random.uniform(-1, 1);
    return part;
  });
  const rows = new ConstraintRows();
  for (let c = 0; c < contacts; c++) {
    const sides = [c % PARTS, (c + 1) % PARTS].map((p) => ({ p, at: SIZE * random.integer(0, BLOCKS - 2) }));
    for (let k = 0; k < 3; k++) {
      rows.addRow(random.uniform(-0.3, 0.3), 1e-3);
      if (k === 0) rows.boundRow(0, INFINITE, 0, random.uniform(0, 0.5));
      else rows.boundRow(-0.02, 0.02, 0);
      for (const { p, at } of sides) for (let e = 0; e < 6; e++) rows.addEntry(p, at + e, random.uniform(-1, 1));
    }
  }
  return { parts, rows };
}

function copyParts(parts: readonly ChainPart[]): ChainPart[] {
  return parts.map((part) => {
    const copy = new ChainPart(part.id, copyOf(part.matrix));
    copy.rhs.set(part.rhs);
    return copy;
  });
}

/** ‖A Δ − r − Gᵀλ‖∞ */
function computeImbalance(before: readonly ChainPart[], after: readonly ChainPart[], rows: ConstraintRows): number {
  const forces = before.map(({ rhs }) => rhs.slice());
  for (let r = 0; r < rows.count; r++)
    for (let e = rows.start[r]; e < rows.start[r + 1]; e++)
      forces[rows.part[e]][rows.coordinate[e]] += rows.value[e] * rows.multiplier[r];
  let largest = 0;
  before.forEach(({ matrix }, p) => {
    const product = new Float64Array(matrix.length);
    matrix.multiply(after[p].rhs, product);
    for (let k = 0; k < matrix.length; k++) largest = Math.max(largest, Math.abs(product[k] - forces[p][k]));
  });
  return largest;
}

/** √(dᵀA d) of the difference of two solutions, over the same of the second. */
function computeDistance(
  parts: readonly ChainPart[],
  found: readonly ChainPart[],
  exact: readonly ChainPart[],
): number {
  let [off, whole] = [0, 0];
  parts.forEach(({ matrix }, p) => {
    const d = found[p].rhs.map((value, k) => value - exact[p].rhs[k]);
    const [Ad, Ax] = [new Float64Array(matrix.length), new Float64Array(matrix.length)];
    matrix.multiply(d, Ad);
    matrix.multiply(exact[p].rhs, Ax);
    for (let k = 0; k < matrix.length; k++) {
      off += d[k] * Ad[k];
      whole += exact[p].rhs[k] * Ax[k];
    }
  });
  return Math.sqrt(off / whole);
}

describe.each([1, 2, 3])('heap %i', (seed) => {
  const { parts, rows } = createProblem(seed, 120);

  test('A Δ = r + Gᵀλ to rounding, λ in its bounds, Δ near to that of the exact solvers', () => {
    const swept = copyParts(parts);
    const report = new System(swept).solve(rows);
    expect(report).toMatchObject({ ok: true, sweptIslands: 1, qpIslands: 1 });
    expect(computeImbalance(parts, swept, rows)).toBeLessThan(1e-10);
    for (let r = 0; r < rows.count; r++) {
      expect(rows.multiplier[r]).toBeGreaterThanOrEqual(rows.lower[r]);
      expect(rows.multiplier[r]).toBeLessThanOrEqual(rows.upper[r]);
      const state = rows.multiplier[r] === rows.lower[r] ? -1 : rows.multiplier[r] === rows.upper[r] ? 1 : 0;
      expect(rows.state[r]).toBe(state);
    }
    const exact = copyParts(parts);
    expect(new System(exact, { usesSweeps: false }).solve(rows)).toMatchObject({ ok: true, sweptIslands: 0 });
    expect(computeDistance(parts, swept, exact)).toBeLessThan(1e-2);
  });
});

test('chains that are not definite are all named, and nothing has changed', () => {
  const { parts, rows } = createProblem(4, 120);
  for (const p of [3, 7]) parts[p].matrix.bands[0][0] = -1;
  const before = parts.map(({ rhs }) => rhs.slice());
  const report = new System(parts).solve(rows);
  expect(report).toMatchObject({ ok: false, failedPart: 'part 3', indefinite: [3, 7] });
  for (const [p, { rhs }] of parts.entries()) expect(rhs).toEqual(before[p]);
});

test('chains beside a heap that are not definite are named with those in it, before anything is solved', () => {
  const { parts, rows } = createProblem(4, 120);
  const random = createRandom(9);
  for (const p of [12, 13, 14]) parts.push(new ChainPart(`part ${p}`, createSpringChain(random, BLOCKS, SIZE, 1, 0.3)));
  for (const part of parts.slice(12)) part.rhs.fill(1);
  for (const p of [7, 13]) parts[p].matrix.bands[0][0] = -1;
  const before = copyParts(parts);
  const report = new System(parts).solve(rows);
  expect(report).toMatchObject({ ok: false, failedPart: 'part 7', indefinite: [7, 13], isUntouched: true });
  for (const [p, { rhs, matrix }] of parts.entries()) {
    expect(rhs).toEqual(before[p].rhs);
    expect(matrix.bands).toEqual(before[p].matrix.bands);
  }
  expect(rows.multiplier.subarray(0, rows.count).every((value) => value === 0)).toBe(true);
});

test('a chain that is not definite is named alone where there are no rows', () => {
  const { parts } = createProblem(4, 120);
  for (const p of [3, 7]) parts[p].matrix.bands[0][0] = -1;
  expect(new System(parts).solve(new ConstraintRows())).toMatchObject({ ok: false, indefinite: [3, 7] });
});

test.each([
  ['few rows', 90, () => {}],
  ['a strict row', 120, ({ rows }: Problem) => rows.addRow(0)],
  ['a late coordinate', 120, ({ parts }: Problem) => parts[2].late.push(1)],
  ['a closed chain', 120, ({ parts }: Problem) => parts[2].links.add(SIZE * (BLOCKS - 1), 0, 1e-3)],
] as const)('exact solvers take islands with %s', (_, contacts, change) => {
  const problem = createProblem(5, contacts);
  change(problem);
  if (problem.rows.count > 3 * contacts) problem.rows.addEntry(0, 0, 1);
  expect(new System(problem.parts).solve(problem.rows)).toMatchObject({ ok: true, sweptIslands: 0 });
});
