/** Bᵀ A⁻¹ B of chains against dense arithmetic. */
import { createRandom } from 'heddle/math';
import { BorderColumns, BorderProduct } from 'heddle/sparse';
import { expect, test } from 'vitest';
import { createSpringChain, largestOf, toDense } from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

test('the product Bᵀ A⁻¹ B is right for columns in one chain, in several and in none, entries twice, even and odd counts', () => {
  const random = createRandom(2);
  const product = new BorderProduct();
  for (const count of [1, 2, 7, 30, 5]) {
    const chains = [
      createSpringChain(random, 9, 4, 1, 0.5),
      createSpringChain(random, 1, 6, 0, 0.5),
      createSpringChain(random, 6, 7, 2, 0.5),
    ];
    const offsets = Int32Array.of(0, 36, 42, 84);
    const columns = new BorderColumns();
    const B = Array.from({ length: count }, () => new Float64Array(84));
    for (let j = 0; j < count; j++) {
      columns.beginColumn();
      for (let e = 0; e < (j % 6) * 2; e++) {
        const row = e % 5 === 4 ? 40 : random.integer(j % 2 === 0 ? 0 : 42, 83);
        const value = random.uniform(-1, 1);
        columns.addEntry(row, value);
        B[j][row] += value;
      }
    }
    const dense = chains.map(toDense);
    for (const chain of chains) chain.factor();
    const found = new Float64Array(count * count).fill(9);
    product.write(chains, offsets, columns, found);
    const solved = B.map((column) =>
      dense.flatMap((matrix, c) => [...solveByElimination(matrix, column.slice(offsets[c], offsets[c + 1]))]),
    );
    const expected = Float64Array.from({ length: count * count }, (_, at) =>
      B[Math.floor(at / count)].reduce((sum, value, k) => sum + value * solved[at % count][k], 0),
    );
    for (let at = 0; at < found.length; at++)
      expect(Math.abs(found[at] - expected[at])).toBeLessThanOrEqual(1e-12 * largestOf(expected));
    for (let j = 0; j < count; j++) for (let i = 0; i < j; i++) expect(found[i * count + j]).toBe(found[j * count + i]);
  }
});

test.each([4, 6, 7])('columns that leave out the ends of a chain of bandwidth 1, blocks of %s', (size) => {
  const random = createRandom(3);
  const product = new BorderProduct();
  for (const [first, last] of [
    [0, 5],
    [3, 3],
    [3, 9],
    [2, 11],
  ]) {
    const chain = createSpringChain(random, 12, size, 1, 0.5);
    const columns = new BorderColumns();
    const count = 2 * size + 3;
    const B = Array.from({ length: count }, () => new Float64Array(12 * size));
    for (let j = 0; j < count; j++) {
      columns.beginColumn();
      for (let e = 0; e < 5; e++) {
        const row = random.integer(first * size, last * size + size - 1);
        const value = random.uniform(-1, 1);
        columns.addEntry(row, value);
        B[j][row] += value;
      }
    }
    const dense = toDense(chain);
    chain.factor();
    const found = new Float64Array(count * count);
    product.write([chain], Int32Array.of(0, 12 * size), columns, found);
    const solved = B.map((column) => solveByElimination(dense, column));
    const expected = Float64Array.from({ length: count * count }, (_, at) =>
      B[Math.floor(at / count)].reduce((sum, value, k) => sum + value * solved[at % count][k], 0),
    );
    for (let at = 0; at < found.length; at++)
      expect(Math.abs(found[at] - expected[at])).toBeLessThanOrEqual(1e-12 * largestOf(expected));
  }
});
