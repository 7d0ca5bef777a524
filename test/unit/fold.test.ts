/** Chains closed into loops: folding, and the solvers of islands with links outside the band. */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, cancelFolded, foldLoop, System, writeImages } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { expect, test } from 'vitest';
import { solveByElimination } from './gaussian-elimination.ts';

const SIZE = 4;

/** A loop of n blocks, as an open chain with images: diagonally dominant blocks, random coupling. Also the dense matrix. */
function createLoop(seed: number, n: number, bandwidth: number) {
  const random = createRandom(seed);
  const matrix = new BlockBanded(n + bandwidth, SIZE, bandwidth);
  const part = new ChainPart('loop', matrix);
  const N = n * SIZE;
  const dense = Array.from({ length: N }, () => new Array<number>(N).fill(0));
  const r = new Array<number>(N).fill(0);
  const add = (i: number, j: number, value: number) => {
    dense[i % N][j % N] += value;
  };
  for (let i = 0; i < n + bandwidth; i++) {
    for (let c = 0; c < SIZE; c++) {
      // images carry a share of the diagonal and of the right-hand side too
      const [value, push] = [i < n ? 20 : 3, random.uniform(-1, 1)];
      matrix.bands[0][i * SIZE * SIZE + c * (SIZE + 1)] = value;
      add(i * SIZE + c, i * SIZE + c, value);
      part.rhs[i * SIZE + c] = push;
      r[(i * SIZE + c) % N] += push;
    }
    for (let band = 1; band <= bandwidth && i + band < n + bandwidth; band++)
      for (let k = 0; k < SIZE * SIZE; k++) {
        const value = random.uniform(-1, 1);
        matrix.bands[band][i * SIZE * SIZE + k] = value;
        const [row, column] = [(i + band) * SIZE + Math.floor(k / SIZE), i * SIZE + (k % SIZE)];
        add(row, column, value);
        add(column, row, value);
      }
  }
  return { part, dense, r };
}

for (const prefersSparse of [false, true])
  for (const [n, bandwidth] of [
    [3, 1],
    [9, 1],
    [3, 2],
    [5, 2],
    [12, 2],
  ])
    test(`a folded loop of ${n} blocks, bandwidth ${bandwidth}, is solved as the dense system, ${prefersSparse ? 'sparse' : 'bordered'}`, () => {
      const { part, dense, r } = createLoop(7 * n + bandwidth, n, bandwidth);
      const N = n * SIZE;
      const [held, row] = [SIZE * (n - 1) + 2, [1, N - 2]];
      foldLoop(part);
      expect(part.matrix.blocks).toBe(n);
      // one coordinate held, and a row between the two ends
      for (const coordinate of [held, 1 + SIZE * (bandwidth - 1)]) {
        cancelFolded(part, coordinate);
        for (let k = 0; k < N; k++) dense[coordinate][k] = dense[k][coordinate] = k === coordinate ? 1 : 0;
        r[coordinate] = 0;
      }
      for (let c = 0; c < SIZE * bandwidth; c++) part.late.push(c);
      const rows = new ConstraintRows();
      rows.addRow(0.3);
      rows.addEntry(0, row[0] - 1, 1);
      rows.addEntry(0, row[1], -1);
      const whole = [...dense.map((line, i) => [...line, i === row[0] - 1 ? 1 : i === row[1] ? -1 : 0])];
      whole.push(Array.from({ length: N + 1 }, (_, k) => (k === row[0] - 1 ? 1 : k === row[1] ? -1 : 0)));
      const x = solveByElimination(whole.flat(), [...r, 0.3]);
      const report = new System([part], { prefersSparse: () => prefersSparse }).solve(rows);
      expect(report.ok).toBe(true);
      for (let k = 0; k < N; k++) expect(Math.abs(part.rhs[k] - x[k])).toBeLessThan(1e-11);
      expect(Math.abs(rows.multiplier[0] + x[N])).toBeLessThan(1e-11);
      writeImages(part);
      for (let k = 0; k < SIZE * bandwidth; k++) expect(part.rhs[N + k]).toBe(part.rhs[k]);
    });
