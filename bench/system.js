// What the two solvers of a tied island cost, by the number of nodes and of border unknowns: the numbers behind
// `isSparseCheaper` in src/model/system.ts. Strands tied end to end and across at random, three rows a tie.
//     npm run build && node bench/system.js
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, System } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';

/** `strands` strands of `length` nodes, tied by `width` rows. */
function createIsland(strands, length, width) {
  const random = createRandom(width);
  const parts = Array.from({ length: strands }, (_, i) => new ChainPart(`${i}`, new BlockBanded(length, 4, 1)));
  const rows = new ConstraintRows();
  const tie = (a, i, b, j) => {
    for (let k = 0; k < 3 && rows.count < width; k++) {
      rows.addRow(0);
      rows.addEntry(a, 4 * i + k, 1);
      rows.addEntry(b, 4 * j + k, -1);
    }
  };
  for (let s = 0; s + 1 < strands; s++) tie(s, length - 1, s + 1, 0);
  const pick = (count) => Math.floor(random.uniform(0, count));
  while (rows.count < width) tie(pick(strands), pick(length), pick(strands), pick(length));
  return { parts, rows };
}

function fill(parts) {
  for (const { matrix, rhs } of parts) {
    matrix.clear();
    rhs.fill(1);
    for (let i = 0; i < matrix.blocks; i++)
      for (let k = 0; k < 4; k++) {
        matrix.bands[0][16 * i + 5 * k] = k === 3 ? 1 : 3;
        if (k < 3 && i + 1 < matrix.blocks) matrix.bands[1][16 * i + 5 * k] = -1;
      }
  }
}

/** Median milliseconds of a solve, the filling not counted. */
function measure(strands, length, width, sparse) {
  const { parts, rows } = createIsland(strands, length, width);
  const system = new System(parts, { prefersSparse: () => sparse });
  const times = [];
  const begin = performance.now();
  for (let turn = 0; turn < 200 && (turn < 5 || performance.now() - begin < 700); turn++) {
    fill(parts);
    const start = performance.now();
    const report = system.solve(rows);
    times.push(performance.now() - start);
    if (!report.ok) throw new Error(`not solved: ${strands} strands of ${length} nodes, ${width} rows`);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

console.log('strands  nodes  width  bordered ms  sparse ms');
for (const [strands, length, widths] of [
  [2, 20, [3, 12, 24, 48]],
  [2, 100, [3, 12, 24, 48, 96]],
  [2, 1000, [3, 12, 24, 48, 96]],
  [10, 20, [27, 54, 108]],
  [50, 20, [147, 300, 600]],
  [200, 20, [597]],
])
  for (const width of widths) {
    const cells = [strands, strands * length, width].map((n) => String(n).padStart(6));
    const times = [false, true].map((sparse) => measure(strands, length, width, sparse).toFixed(3).padStart(11));
    console.log(cells.join(' '), times.join(' '));
  }
