/** Islands of chains with bounded rows: the dense problem in the multipliers and the sparse solver of the whole island must agree. */
import { createRandom, type Random } from 'heddle/math';
import { ChainPart, ConstraintRows, System, type SystemReport } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { BorderedQpIsland } from '../../src/model/island-bordered-qp.ts';
import { copyOf, createSpringChain } from './chain-fixtures.ts';

const INFINITE = Number.POSITIVE_INFINITY;

interface Problem {
  readonly parts: ChainPart[];
  readonly rows: ConstraintRows;
}

type Shape = readonly [blocks: number, size: number, bandwidth: number];

const createParts = (random: Random, shapes: readonly Shape[]): ChainPart[] =>
  shapes.map(([blocks, size, bandwidth], p) => {
    const part = new ChainPart(`part ${p}`, createSpringChain(random, blocks, size, bandwidth, 0.1));
    for (let k = 0; k < part.rhs.length; k++) part.rhs[k] = random.uniform(-1, 1);
    return part;
  });

/** Equalities, contacts, friction and soft rows in turns, on two neighbouring nodes of two parts, which a common point meets. */
function createProblem(seed: number, shapes: readonly Shape[], count: number): Problem {
  const random = createRandom(seed);
  const parts = createParts(random, shapes);
  const inside = parts.map(({ rhs }) => rhs.map(() => random.uniform(-1, 1)));
  const rows = new ConstraintRows();
  for (let r = 0; r < count; r++) {
    const first = r % Math.max(1, parts.length - 1);
    const entries = (parts.length === 1 ? [0] : [first, first + 1]).flatMap((p) => {
      const { length, size } = parts[p].matrix;
      const from = size * random.integer(0, length / size - 1);
      return Array.from({ length: 5 }, () => ({
        p,
        at: Math.min(length - 1, from + random.integer(0, 2 * size - 1)),
        value: random.uniform(-1, 1),
      }));
    });
    const there = entries.reduce((sum, { p, at, value }) => sum + value * inside[p][at], 0);
    const kind = r % 5;
    const slack = kind === 1 || kind === 2 ? Math.max(0, random.uniform(-0.5, 0.5)) : 0;
    rows.addRow(there - slack, kind === 4 ? random.uniform(0.01, 0.5) : 0);
    if (kind === 1 || kind === 2) rows.boundRow(0, INFINITE, random.integer(-1, 0));
    if (kind === 3) rows.boundRow(-0.05, 0.05, random.integer(-1, 1));
    if (kind === 4 && random.uniform() < 0.5) rows.boundRow(-INFINITE, 0, 1);
    for (const { p, at, value } of entries) rows.addEntry(p, at, value);
  }
  return { parts, rows };
}

function copyProblem({ parts, rows }: Problem): Problem {
  const copies = parts.map((part) => {
    const copy = new ChainPart(part.id, copyOf(part.matrix));
    copy.rhs.set(part.rhs);
    copy.late.push(...part.late);
    for (let e = 0; e < part.links.count; e++) {
      const { row, column, value } = part.links;
      copy.links.add(row[e], column[e], value[e]);
    }
    return copy;
  });
  const again = new ConstraintRows();
  for (let r = 0; r < rows.count; r++) {
    again.addRow(rows.residual[r], rows.compliance[r]);
    if (rows.isBounded(r)) again.boundRow(rows.lower[r], rows.upper[r], rows.state[r]);
    for (let e = rows.start[r]; e < rows.start[r + 1]; e++)
      again.addEntry(rows.part[e], rows.coordinate[e], rows.value[e]);
  }
  return { parts: copies, rows: again };
}

const joined = ({ parts }: Problem): number[] =>
  parts.flatMap(({ rhs, matrix }) => [...rhs.subarray(0, matrix.length)]);

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-8): void {
  expect(found.length).toBe(expected.length);
  let scale = 0;
  for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++)
    if (!(Math.abs(found[i] - expected[i]) <= tolerance * scale))
      throw new Error(`entry ${i} is ${found[i]}; ${expected[i]} ± ${tolerance * scale} expected`);
}

const solveDense = ({ parts, rows }: Problem): SystemReport => ({
  ...new System(parts, { prefersSparse: () => false }).solve(rows),
});
const solveSparse = ({ parts, rows }: Problem): SystemReport => ({
  ...new System(parts, { prefersSparse: () => true }).solve(rows),
});

/** Solves both ways; `dense` holds the dense answer afterwards. */
function expectAgreement(dense: Problem, areUnique = true): SystemReport {
  const sparse = copyProblem(dense);
  const report = solveDense(dense);
  expect(report).toMatchObject({ ok: true, qpIslands: 1, borderedQpIslands: 1, qpMethod: 'active-set' });
  expect(report.kktError).toBeLessThan(1e-9);
  expect(solveSparse(sparse)).toMatchObject({ ok: true, qpIslands: 1, borderedQpIslands: 0 });
  expectClose(joined(dense), joined(sparse));
  if (!areUnique) return report;
  const { count } = dense.rows;
  expectClose(dense.rows.multiplier.subarray(0, count), sparse.rows.multiplier.subarray(0, count));
  for (let r = 0; r < count; r++) expect([r, dense.rows.state[r]]).toEqual([r, sparse.rows.state[r]]);
  return report;
}

/** The first and the last node of a chain are joined by a stiff spring: a loop, whose first node is late. */
function closeLoop(part: ChainPart, stiffness: number): void {
  const { size, blocks, bands } = part.matrix;
  for (let k = 0; k < size; k++) {
    const last = (blocks - 1) * size + k;
    bands[0][k * (size + 1)] += stiffness;
    bands[0][(blocks - 1) * size * size + k * (size + 1)] += stiffness;
    part.late.push(k);
    part.links.add(last, k, -stiffness);
  }
}

const CASES: readonly (readonly [string, readonly Shape[], number])[] = [
  ['a rod', [[30, 7, 1]], 40],
  ['a rod that bends', [[25, 7, 2]], 33],
  ['a strand', [[20, 4, 1]], 20],
  ['few rows', [[50, 6, 1]], 3],
  ['rods and bodies', [[1, 6, 0], [14, 7, 1], [1, 6, 0], [9, 4, 2]], 30],
  ['many rods', [[12, 7, 1], [8, 7, 2], [12, 7, 1], [20, 4, 1], [5, 3, 1]], 60],
]; // biome-ignore format: sizes

describe('chains with bounded rows, dense and sparse', () => {
  for (const [title, shapes, count] of CASES)
    test(`agree in Δ, λ and states to 1e-8: ${title}`, () => {
      for (let seed = 0; seed < 6; seed++) {
        const problem = createProblem(10 * seed + count, shapes, count);
        expectAgreement(problem);
        const { state } = problem.rows;
        expect([...state.subarray(0, count)].some((value) => value !== 0)).toBe(true);
      }
    });

  test('good, bad and no guesses lead to one answer, and the found states to the same bits', () => {
    const create = () => createProblem(77, [[30, 7, 1], [1, 6, 0]], 45); // biome-ignore format: sizes
    const first = create();
    solveDense(first);
    const again = create();
    again.rows.state.set(first.rows.state);
    solveDense(again);
    for (const guess of [-1, 0, 1]) {
      const other = create();
      other.rows.state.fill(guess);
      expect(solveDense(other)).toMatchObject({ ok: true, borderedQpIslands: 1 });
      expectClose(joined(other), joined(first), 1e-10);
      expect([...other.rows.state.subarray(0, 45)]).toEqual([...first.rows.state.subarray(0, 45)]);
    }
    expectClose(joined(again), joined(first), 1e-12);
    const third = create();
    third.rows.state.set(first.rows.state);
    const system = new System(third.parts, { prefersSparse: () => false });
    const stale = createProblem(78, [[30, 7, 1], [1, 6, 0]], 60); // biome-ignore format: sizes
    // another problem in between leaves no trace
    system.solve(stale.rows);
    const fresh = create();
    third.parts.forEach((part, p) => {
      part.matrix.copyFrom(fresh.parts[p].matrix);
      part.rhs.set(fresh.parts[p].rhs);
    });
    system.solve(third.rows);
    expect(joined(third)).toEqual(joined(again));
    expect([...third.rows.multiplier.subarray(0, 45)]).toEqual([...again.rows.multiplier.subarray(0, 45)]);
  });

  test('all at their bounds: nothing is free', () => {
    const problem = createProblem(5, [[20, 7, 1]], 0);
    for (let r = 0; r < 12; r++) {
      problem.rows.addRow(r % 2 === 0 ? -50 : 50);
      if (r % 2 === 0) problem.rows.boundRow(0, INFINITE, 0);
      else problem.rows.boundRow(-0.01, 0.01, 0);
      for (let e = 0; e < 4; e++) problem.rows.addEntry(0, 9 * r + e, 1 - 0.3 * e);
    }
    expectAgreement(problem);
    expect([...problem.rows.state.subarray(0, 12)]).toEqual(
      Array.from({ length: 12 }, (_, r) => (r % 2 === 0 ? -1 : 1)),
    );
  });

  test('rows with lo = hi = 0 do nothing', () => {
    const problem = createProblem(6, [[20, 7, 1]], 15);
    const without = copyProblem(problem);
    for (let r = 0; r < 5; r++) {
      problem.rows.addRow(3);
      problem.rows.boundRow(0, 0, r - 2);
      problem.rows.addEntry(0, 7 * r, 1);
    }
    expectAgreement(problem);
    solveDense(without);
    expectClose(joined(problem), joined(without), 1e-10);
    expect([...problem.rows.multiplier.subarray(15, 20)]).toEqual([0, 0, 0, 0, 0]);
  });

  test('have the Δ of the sparse solver for rows twice, contacts and equalities', () => {
    for (let seed = 0; seed < 5; seed++) {
      const problem = createProblem(40 + seed, [[18, 7, 1], [1, 6, 0]], 16); // biome-ignore format: sizes
      const { rows } = problem;
      for (let r = 0; r < 16; r++) {
        rows.addRow(2 * rows.residual[r], 4 * rows.compliance[r]);
        if (rows.isBounded(r)) rows.boundRow(rows.lower[r], rows.upper[r], rows.state[r]);
        for (let e = rows.start[r]; e < rows.start[r + 1]; e++)
          rows.addEntry(rows.part[e], rows.coordinate[e], 2 * rows.value[e]);
      }
      const report = expectAgreement(problem, false);
      expect(report.redundantRows).toBeGreaterThan(3);
      for (const lambda of rows.multiplier.subarray(0, 32)) expect(Math.abs(lambda)).toBeLessThan(1e4);
    }
  });

  test('more contacts than a body has coordinates', () => {
    for (let seed = 0; seed < 10; seed++) {
      const problem = createProblem(seed, [[1, 6, 0]], 0);
      const random = createRandom(300 + seed);
      for (let r = 0; r < 18; r++) {
        // half-spaces about a common point
        const entries = Array.from({ length: 6 }, () => random.uniform(-1, 1));
        problem.rows.addRow(entries.reduce((sum, value) => sum + 0.3 * value, 0) - Math.max(0, random.uniform(-1, 1)));
        problem.rows.boundRow(0, INFINITE, 0);
        entries.forEach((value, k) => {
          problem.rows.addEntry(0, k, value);
        });
      }
      expectAgreement(problem, false);
    }
  });

  test('closed loops: late coordinates and links', () => {
    for (const shape of [[12, 7, 1], [15, 4, 2]] as const) // biome-ignore format: sizes
      for (let seed = 0; seed < 4; seed++) {
        const problem = createProblem(60 + seed, [shape, [1, 6, 0]], 22);
        closeLoop(problem.parts[0], 30);
        // rows on the late node, too
        problem.rows.addRow(0.1);
        problem.rows.boundRow(0, INFINITE, -1);
        for (let k = 0; k < 4; k++) problem.rows.addEntry(0, k, 1 - 0.4 * k);
        expectAgreement(problem);
      }
  });

  test('what is singular without its rows goes to the sparse solver', () => {
    const create = (): Problem => {
      const part = new ChainPart('free', new BlockBanded(2, 1, 1));
      // a spring without masses, pushed on a stop
      part.matrix.bands[0].set([1, 1]);
      part.matrix.bands[1][0] = -1;
      part.rhs.set([0, -3]);
      const rows = new ConstraintRows();
      rows.addRow(0);
      rows.boundRow(0, INFINITE, 0);
      rows.addEntry(0, 0, 1);
      return { parts: [part], rows };
    };
    const problem = create();
    expect(solveDense(problem)).toMatchObject({ ok: true, qpIslands: 1, borderedQpIslands: 0 });
    expect(problem.parts[0].rhs[1]).toBeCloseTo(-3, 12);
    expect(problem.rows.multiplier[0]).toBeCloseTo(3, 12);
  });

  test('where rows contradict each other nothing has changed, so that the sparse solver can say so', () => {
    const problem = createProblem(12, [[9, 7, 1]], 14);
    closeLoop(problem.parts[0], 3);
    const { rows } = problem;
    for (const sign of [1, -1]) {
      rows.addRow(1);
      rows.boundRow(0, INFINITE, -1);
      rows.addEntry(0, 20, sign);
    }
    const before = copyProblem(problem);
    rows.multiplier.fill(0);
    const all = Array.from({ length: 16 }, (_, r) => r);
    expect(new BorderedQpIsland().solve(problem.parts, { parts: [0], rows: all }, rows, 16 + 7).ok).toBe(false);
    expect(joined(problem)).toEqual(joined(before));
    problem.parts[0].matrix.bands.forEach((band, k) => {
      expect(band).toEqual(before.parts[0].matrix.bands[k]);
    });
    expect([...rows.state.subarray(0, 16)]).toEqual([...before.rows.state.subarray(0, 16)]);
    expect(rows.multiplier.every((lambda) => lambda === 0)).toBe(true);
    const report = solveDense(problem);
    expect(report).toMatchObject({ ok: false, borderedQpIslands: 0 });
    expect(report.cause).toMatch(/contradict/);
  });

  test('that are stiff, with a condition of 1e9, are still measured below 1e-9', () => {
    for (let seed = 0; seed < 4; seed++) {
      const problem = createProblem(90 + seed, [[40, 7, 1]], 30);
      const { matrix } = problem.parts[0];
      for (const band of matrix.bands) for (let k = 0; k < band.length; k++) band[k] *= 1e8;
      for (let i = 0; i < 40; i++) for (let k = 0; k < 7; k++) matrix.bands[0][49 * i + 8 * k] += 1 - 0.1e8;
      const report = solveDense(problem);
      expect(report).toMatchObject({ ok: true, borderedQpIslands: 1 });
      expect(report.kktError).toBeLessThan(1e-9);
    }
  });

  test('by default, few rows are dense and many sparse', () => {
    const few = createProblem(1, [[60, 7, 1]], 40);
    expect(new System(few.parts).solve(few.rows)).toMatchObject({ ok: true, borderedQpIslands: 1 });
    const many = createProblem(2, [[100, 7, 1]], 330);
    expect(new System(many.parts).solve(many.rows)).toMatchObject({ ok: true, qpIslands: 1, borderedQpIslands: 0 });
  });
});

describe('a chain that is not definite without its rows', () => {
  /** One node of two coordinates, the second with a negative stiffness, which a row holds. */
  function createSaddle(isTentative: boolean): Problem {
    const part = new ChainPart('rod', new BlockBanded(1, 2, 1));
    part.matrix.bands[0].set([2, 0, 0, -1]);
    part.rhs.set([1, 1]);
    part.isTentative = isTentative;
    const rows = new ConstraintRows();
    rows.addRow(0, 0);
    rows.addEntry(0, 1, 1);
    rows.addRow(-1, 0);
    rows.boundRow(0, INFINITE, -1);
    rows.addEntry(0, 0, 1);
    return { parts: [part], rows };
  }

  test('is solved by the sparse solver where rows leave a minimum', () => {
    const problem = createSaddle(false);
    expect(solveDense(problem)).toMatchObject({ ok: true, qpIslands: 1, borderedQpIslands: 0 });
    expectClose(joined(problem), [0.5, 0]);
  });

  test('is reported at once, and left as it was, where its model has a positive part to take', () => {
    const problem = createSaddle(true);
    expect(solveDense(problem)).toMatchObject({
      ok: false,
      failedPart: 'rod',
      cause: 'the system matrix is not positive definite',
    });
    expect(joined(problem)).toEqual([1, 1]);
  });
});
