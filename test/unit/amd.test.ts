import fc from 'fast-check';
import { createRandom } from 'heddle/math';
import { BlockPattern, computeAmdOrder, computeSymbolic } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { gridPattern, randomPattern } from './sparse-fixtures.ts';

function neighbours(pattern: BlockPattern): Set<number>[] {
  const sets = Array.from({ length: pattern.n }, () => new Set<number>());
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j] + 1; slot < pattern.columnStart[j + 1]; slot++) {
      sets[j].add(pattern.rows[slot]);
      sets[pattern.rows[slot]].add(j);
    }
  }
  return sets;
}

/** Plays the elimination game with explicit sets; the next node is given or, without an order, one of exactly least degree. */
function eliminate(pattern: BlockPattern, order?: Int32Array): number {
  const graph = neighbours(pattern);
  const live = new Set(graph.keys());
  let entries = pattern.n;
  for (let step = 0; step < pattern.n; step++) {
    let node = order ? order[step] : -1;
    if (!order) for (const i of live) if (node < 0 || graph[i].size < graph[node].size) node = i;
    live.delete(node);
    entries += graph[node].size;
    for (const i of graph[node]) {
      graph[i].delete(node);
      for (const j of graph[node]) if (i !== j) graph[i].add(j);
    }
  }
  return entries;
}

const natural = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i);
const isPermutation = (order: Int32Array, n: number): boolean =>
  new Set(order).size === n && order.every((i) => i >= 0 && i < n);
const ones = (n: number): Int32Array => new Int32Array(n).fill(1);

describe('AMD', () => {
  test('gives a permutation of any graph, and the symbolic fill is that of the elimination game', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 200 }), fc.integer(), (n, pairs, seed) => {
        const pattern = randomPattern(createRandom(seed), n, pairs);
        const order = computeAmdOrder(pattern);
        expect(isPermutation(order, n)).toBe(true);
        const symbolic = computeSymbolic(pattern, ones(n), order);
        expect(isPermutation(symbolic.order, n)).toBe(true);
        expect(symbolic.fill).toBe(eliminate(pattern, order));
        expect(symbolic.fill).toBe(eliminate(pattern, symbolic.order));
      }),
      { seed: 20, numRuns: 300 },
    );
  });

  test('a tree is eliminated without fill', () => {
    const random = createRandom(3);
    const child = natural(500).slice(1);
    const pattern = BlockPattern.fromPairs(
      500,
      child,
      child.map((i) => Math.floor(random.uniform() * i)),
    );
    expect(eliminate(pattern, computeAmdOrder(pattern))).toBe(pattern.slots);
  });

  test('on small random graphs and grids the fill is within 10 % of exact minimum degree on average', () => {
    let approximate = 0;
    let exact = 0;
    for (let seed = 0; seed < 30; seed++) {
      const random = createRandom(seed);
      const pattern = seed % 2 ? randomPattern(random, 80, 160) : gridPattern(6 + (seed % 7), 9, seed % 3 === 0);
      approximate += eliminate(pattern, computeAmdOrder(pattern));
      exact += eliminate(pattern);
    }
    expect(approximate).toBeLessThan(1.1 * exact);
  });

  test('on a 60 × 60 grid the fill is within 15 % of exact minimum degree and below 40 % of the natural order', () => {
    const pattern = gridPattern(60, 60);
    const fill = eliminate(pattern, computeAmdOrder(pattern));
    expect(fill).toBeLessThan(1.15 * eliminate(pattern));
    expect(fill).toBeLessThan(0.4 * eliminate(pattern, natural(3600)));
  });

  test('a node joined to all others comes last', () => {
    const n = 400;
    const ring = natural(n);
    const others = ring.filter((i) => i !== 7);
    const pattern = BlockPattern.fromPairs(
      n,
      [...ring, ...others],
      [...ring.map((i) => (i + 1) % n), ...others.map(() => 7)],
    );
    const order = computeAmdOrder(pattern);
    expect(order[n - 1]).toBe(7);
    expect(isPermutation(order, n)).toBe(true);
  });

  test('degrees are sums of weights: the heavy centre of a light star goes first', () => {
    // leaves 1, 2 have the degree of centre 0; the centre has degree 5 + 5
    const pattern = BlockPattern.fromPairs(3, [0, 0], [1, 2]);
    expect(computeAmdOrder(pattern, [1, 5, 5])[0]).not.toBe(0);
    expect(computeAmdOrder(pattern, [50, 5, 5])[0]).toBe(0);
  });

  test("orders 90,000 nodes: quadratic work (8e9 steps) would run into the test runner's limit", () => {
    const pattern = gridPattern(300, 300);
    expect(isPermutation(computeAmdOrder(pattern), pattern.n)).toBe(true);
  });
});
