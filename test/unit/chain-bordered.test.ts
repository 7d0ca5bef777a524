import { createRandom, type Random } from 'heddle/math';
import { type BlockBanded, BorderColumns, BorderedChain } from 'heddle/sparse';
import { expect, test } from 'vitest';
import {
  copyOf,
  createFreeChain,
  createSpringChain,
  largestDifference,
  largestOf,
  normOf,
  randomVector,
  toDense,
} from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

interface Entry {
  readonly row: number;
  readonly value: number;
}

const columnsFrom = (lists: readonly (readonly Entry[])[]): BorderColumns => {
  const columns = new BorderColumns();
  for (const list of lists) {
    columns.beginColumn();
    for (const { row, value } of list) columns.addEntry(row, value);
  }
  return columns;
};

/** [A B; Bᵀ C] written out, row-major. */
const writeOut = (
  chains: readonly BlockBanded[],
  lists: readonly (readonly Entry[])[],
  corner: Float64Array,
): Float64Array => {
  const unknowns = chains.reduce((sum, chain) => sum + chain.length, 0);
  const m = lists.length;
  const n = unknowns + m;
  const dense = new Float64Array(n * n);
  let offset = 0;
  for (const chain of chains) {
    const block = toDense(chain);
    for (let i = 0; i < chain.length; i++) {
      for (let j = 0; j < chain.length; j++) dense[(offset + i) * n + offset + j] = block[i * chain.length + j];
    }
    offset += chain.length;
  }
  for (const [j, list] of lists.entries()) {
    for (const { row, value } of list) {
      dense[row * n + unknowns + j] += value;
      dense[(unknowns + j) * n + row] += value;
    }
    for (let i = 0; i < m; i++) dense[(unknowns + j) * n + unknowns + i] = corner[j * m + i];
  }
  return dense;
};

const randomColumn = (random: Random, unknowns: number, entries: number): Entry[] =>
  Array.from({ length: entries }, () => ({ row: random.integer(0, unknowns - 1), value: random.uniform(-1, 1) }));

const createChains = (random: Random): BlockBanded[] => [
  createSpringChain(random, 6, 4, 1, 1),
  createSpringChain(random, 1, 7, 1, 1),
  createSpringChain(random, 5, 3, 2, 1),
  createSpringChain(random, 4, 2, 3, 1),
];
const UNKNOWNS = 24 + 7 + 15 + 8;

test('chains with a border are solved as Gaussian elimination solves the whole', () => {
  const bordered = new BorderedChain({ keepSystem: true });
  for (let seed = 0; seed < 30; seed++) {
    const random = createRandom(seed);
    const chains = createChains(random);
    const m = random.integer(0, 9);
    // seeds in turn: multipliers only, a full indefinite corner
    const corner = new Float64Array(m * m);
    if (seed % 2 === 1) {
      for (let i = 0; i < m; i++)
        for (let j = 0; j <= i; j++) corner[i * m + j] = corner[j * m + i] = random.uniform(-3, 3);
    }
    const lists = Array.from({ length: m }, () => randomColumn(random, UNKNOWNS, random.integer(1, 5)));
    const dense = writeOut(chains, lists, corner);
    const right = randomVector(random, UNKNOWNS + m);
    const expected = solveByElimination(dense, right);
    const x = right.slice(0, UNKNOWNS);
    const y = right.slice(UNKNOWNS);
    const report = bordered.factor(chains, columnsFrom(lists), corner);
    expect(report).toMatchObject({ ok: true, redundantRows: 0, failedChain: -1 });
    if (seed % 2 === 0) expect(report).toMatchObject({ positive: 0, negative: m });
    const solved = bordered.solve(x, y);
    const scale = largestOf(expected);
    expect(largestDifference(x, expected.slice(0, UNKNOWNS))).toBeLessThan(1e-10 * scale);
    expect(largestDifference(y, expected.slice(UNKNOWNS))).toBeLessThan(1e-10 * scale);
    // the reported residual is the residual
    const whole = Float64Array.of(...x, ...y);
    const residual = right.map((value, i) => whole.reduce((sum, z, j) => sum - dense[i * whole.length + j] * z, value));
    const rounding = 4e-16 * normOf(dense) * scale;
    expect(Math.abs(solved.chainResidual - largestOf(residual.slice(0, UNKNOWNS)))).toBeLessThan(rounding);
    expect(Math.abs(solved.borderResidual - largestOf(residual.slice(UNKNOWNS)))).toBeLessThan(rounding);
    expect(solved.chainResidual).toBeLessThan(1e-12 * normOf(dense) * scale);
  }
});

test('redundant rows are counted and the consistent rows hold', () => {
  const bordered = new BorderedChain({ keepSystem: true });
  for (let seed = 0; seed < 30; seed++) {
    const random = createRandom(100 + seed);
    const chains = createChains(random);
    const lists = Array.from({ length: 4 }, () => randomColumn(random, UNKNOWNS, 3));
    // the same again, the same scaled, a sum of two, and an empty one
    lists.splice(1, 0, lists[0]);
    lists.push(lists[2].map(({ row, value }) => ({ row, value: -1e4 * value })));
    lists.push([...lists[0], ...lists[3]]);
    lists.push([]);
    const m = lists.length;
    const target = randomVector(random, UNKNOWNS);
    const s = Float64Array.from(lists, (list) => list.reduce((sum, { row, value }) => sum + value * target[row], 0));
    const r = randomVector(random, UNKNOWNS);
    const x = r.slice();
    const y = s.slice();
    expect(bordered.factor(chains, columnsFrom(lists), new Float64Array(m * m))).toMatchObject({
      ok: true,
      redundantRows: 4,
      negative: 4,
    });
    const report = bordered.solve(x, y);
    expect(report.borderResidual).toBeLessThan(1e-12 * largestOf(s));
    expect(report.chainResidual).toBeLessThan(1e-11);
    expect(report.mismatch).toBeLessThan(1e-11 * largestOf(s));
    // a contradiction is not hidden
    const wrong = s.slice();
    wrong[1] += 0.5;
    expect(bordered.solve(r.slice(), wrong).mismatch).toBeGreaterThan(0.1);
  }
});

test('a mass in the corner that is tied to a chain twice over is solved', () => {
  // unknowns of the border: velocity of a body (mass 2), then two identical multipliers tying it to node 3
  const random = createRandom(5);
  const chain = createSpringChain(random, 5, 3, 1, 1);
  const original = copyOf(chain);
  const tie = [{ row: 9, value: 1 }];
  const corner = Float64Array.of(2, -1, -1, -1, 0, 0, -1, 0, 0);
  const bordered = new BorderedChain({ keepSystem: true });
  expect(bordered.factor([chain], columnsFrom([[], tie, tie]), corner)).toMatchObject({
    positive: 1,
    negative: 1,
    redundantRows: 1,
  });
  const r = randomVector(random, 15);
  const x = r.slice();
  const y = Float64Array.of(3, 0, 0);
  const report = bordered.solve(x, y);
  expect(Math.max(report.chainResidual, report.borderResidual)).toBeLessThan(1e-13);
  expect(Math.abs(x[9] - y[0])).toBeLessThan(1e-14);
  // the tie adds mass and force of the body to the coordinate
  const dense = toDense(original);
  dense[9 * 15 + 9] += 2;
  const expected = solveByElimination(
    dense,
    r.map((value, i) => (i === 9 ? value + 3 : value)),
  );
  expect(largestDifference(x, expected)).toBeLessThan(1e-13);
});

test('refinement gives back what a nearly singular chain loses when its border holds it', () => {
  // springs and next to no mass: A alone moves freely (condition 1e13), pinned at node 7 the whole is well-conditioned
  const bordered = new BorderedChain({ keepSystem: true });
  for (let seed = 0; seed < 10; seed++) {
    const random = createRandom(seed);
    const chain = createFreeChain(random, 20, 3, 1e-12);
    const lists = [21, 22, 23].map((row) => [{ row, value: 1 }]);
    const corner = new Float64Array(9);
    const right = randomVector(random, chain.length + 3);
    const expected = solveByElimination(writeOut([chain], lists, corner), right);
    bordered.factor([chain], columnsFrom(lists), corner);
    const errors = [0, 2].map((refinements) => {
      const x = right.slice(0, chain.length);
      bordered.solve(x, right.slice(chain.length), refinements);
      return largestDifference(x, expected.slice(0, chain.length)) / largestOf(expected);
    });
    expect(errors[0]).toBeGreaterThan(1e-11);
    expect(errors[1]).toBeLessThan(1e-13);
  }
});

test('a chain that is not positive definite is named, and cannot be solved with', () => {
  const random = createRandom(8);
  const chains = createChains(random);
  chains[2].bands[0][2 * 9] = -1;
  const bordered = new BorderedChain();
  expect(() => bordered.solve(new Float64Array(UNKNOWNS), new Float64Array(0))).toThrow('no factorisation');
  const report = bordered.factor(chains, new BorderColumns(), new Float64Array(0));
  expect(report).toMatchObject({ ok: false, failedChain: 2, failedBlock: 2 });
  expect(() => bordered.solve(new Float64Array(UNKNOWNS), new Float64Array(0))).toThrow('no factorisation');
});

test('columns out of range and sizes that do not fit are refused in a sentence', () => {
  const chains = createChains(createRandom(9));
  const bordered = new BorderedChain();
  const columns = new BorderColumns();
  expect(() => columns.addEntry(0, 1)).toThrow('call beginColumn first');
  columns.beginColumn();
  columns.addEntry(UNKNOWNS, 1);
  expect(() => bordered.factor(chains, columns, new Float64Array(0))).toThrow('1 columns need 1');
  expect(() => bordered.factor(chains, columns, new Float64Array(1))).toThrow(
    `row ${UNKNOWNS}; rows 0 to ${UNKNOWNS - 1}`,
  );
  columns.clear();
  expect(bordered.factor(chains, columns, new Float64Array(0)).ok).toBe(true);
  expect(() => bordered.solve(new Float64Array(3), new Float64Array(0))).toThrow('of 3 and 0 entries found');
  expect(() => bordered.solve(new Float64Array(UNKNOWNS), new Float64Array(0), 1)).toThrow('keepSystem');
});
