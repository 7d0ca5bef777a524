/** Which weak blocks the preconditioner of a mesh keeps: all that its factor has a place for anyway, and those that cost little. */
import { createGridMesh } from 'heddle/geometry';
import { SheetMesh } from 'heddle/sheet';
import { BlockPattern, chooseWeakBlocks, computeSymbolic } from 'heddle/sparse';
import { expect, test } from 'vitest';

function createGrid(side: number) {
  const { corners } = createGridMesh(1, 1, side - 1, side - 1);
  const { pattern, isAcross } = new SheetMesh(side * side, Int32Array.from(corners));
  const sizes = new Int32Array(pattern.n).fill(3);
  return { pattern, isAcross, sizes, ...chooseWeakBlocks(pattern, sizes, isAcross) };
}

/** The pattern of the slots with 0. */
function select({ n, columnStart, rows }: BlockPattern, isLeftOut: Uint8Array): BlockPattern {
  const [i, j]: number[][] = [[], []];
  for (let column = 0; column < n; column++)
    for (let slot = columnStart[column]; slot < columnStart[column + 1]; slot++)
      if (isLeftOut[slot] === 0) {
        i.push(rows[slot]);
        j.push(column);
      }
  return BlockPattern.fromPairs(n, i, j);
}

const count = (marks: Uint8Array): number => marks.reduce((sum, one) => sum + one, 0);

test('only weak blocks are left out, and few of them, for little more fill', () => {
  const { pattern, isAcross, sizes, isLeftOut, order } = createGrid(64);
  expect(isLeftOut.every((one, slot) => one <= isAcross[slot])).toBe(true);
  expect(count(isLeftOut)).toBeGreaterThan(0);
  expect(count(isLeftOut)).toBeLessThan(count(isAcross) / 3);
  const [strong, kept, all] = [isAcross, isLeftOut, new Uint8Array(pattern.slots)].map((marks) =>
    computeSymbolic(select(pattern, marks), sizes, order),
  );
  expect(kept.fill).toBeLessThan(1.15 * strong.fill);
  expect(kept.operations).toBeLessThan(1.1 * strong.operations);
  // in the same order, what was left out would have cost many times that
  expect(all.operations).toBeGreaterThan(5 * strong.operations);
});

/** Pairs of vertices that eliminating vertices in this order ties to each other, by carrying it out. */
function eliminate(pattern: BlockPattern, order: Int32Array): Set<string> {
  const neighbours = Array.from({ length: pattern.n }, () => new Set<number>());
  for (let j = 0; j < pattern.n; j++)
    for (let slot = pattern.columnStart[j] + 1; slot < pattern.columnStart[j + 1]; slot++) {
      neighbours[j].add(pattern.rows[slot]);
      neighbours[pattern.rows[slot]].add(j);
    }
  const found = new Set<string>();
  for (const i of order) {
    for (const a of neighbours[i]) {
      found.add(`${i} ${a}`).add(`${a} ${i}`);
      neighbours[a].delete(i);
      for (const b of neighbours[i]) if (a !== b) neighbours[a].add(b);
    }
  }
  return found;
}

test('no block is left out where the factor of the strong ones has a place for it', () => {
  const { pattern, isAcross, isLeftOut, order } = createGrid(16);
  const places = eliminate(select(pattern, isAcross), order);
  let free = 0;
  for (let j = 0; j < pattern.n; j++)
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      const hasPlace = places.has(`${j} ${pattern.rows[slot]}`);
      if (isLeftOut[slot] === 1) expect(hasPlace).toBe(false);
      else if (isAcross[slot] === 1 && hasPlace) free++;
    }
  expect(free).toBeGreaterThan(0.4 * count(isAcross));
  expect(count(isLeftOut)).toBeGreaterThan(0);
});
