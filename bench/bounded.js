/**
 * What an island of chains with bounded rows costs: a rod of blocks of 7 unknowns with contacts (a normal and two friction rows each, all over two
 * neighbouring nodes), by the dense problem in the multipliers and by the sparse solver of the whole island. Cold: no guess of what holds; warm: the
 * states of a solve with right-hand sides 1 % off. The numbers behind `isSparseCheaper` in src/model/system.ts.
 *     npm run build && node bench/bounded.js
 */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, System } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { timeLanes } from './timing.js';

/** Mass and inertia 1, springs of this stiffness between neighbours, a tenth of them as stiff as that. */
const STIFFNESS = 1e4;

function addSpring(matrix, random, node, span, stiffness) {
  const { size, bands } = matrix;
  const g = Array.from({ length: (span + 1) * size }, () => random.uniform(-1, 1));
  for (let r = 0; r < g.length; r++)
    for (let c = 0; c < g.length; c++) {
      const [i, j] = [Math.floor(r / size), Math.floor(c / size)];
      if (i >= j) bands[i - j][(node + j) * size * size + (r % size) * size + (c % size)] += stiffness * g[r] * g[c];
    }
}

function createRod(random, nodes, size, bandwidth) {
  const matrix = new BlockBanded(nodes, size, bandwidth);
  for (let i = 0; i < nodes; i++) {
    for (let k = 0; k < size; k++) matrix.bands[0][i * size * size + k * (size + 1)] += 1;
    const span = Math.min(bandwidth, nodes - 1 - i);
    for (let k = 0; k < size - 2; k++) addSpring(matrix, random, i, span, STIFFNESS * 10 ** -k);
  }
  return matrix;
}

/** Contacts of three rows, each on two neighbouring nodes of one of the rods and, where there are several, of the next one. */
function createRows(random, parts, count) {
  const rows = new ConstraintRows();
  while (rows.count < count) {
    const first = random.integer(0, Math.max(0, parts.length - 2));
    const touched = parts.length === 1 ? [0] : [first, first + 1];
    const nodes = touched.map((part) => random.integer(0, parts[part].matrix.blocks - 2));
    for (let k = 0; k < 3 && rows.count < count; k++) {
      rows.addRow(k === 0 ? random.uniform(-0.2, 0.2) : 0);
      if (k === 0) rows.boundRow(0, Number.POSITIVE_INFINITY, -1);
      else rows.boundRow(-0.3, 0.3, 0);
      for (let t = 0; t < touched.length; t++)
        for (let e = 0; e < 8; e++) {
          const { size } = parts[touched[t]].matrix;
          rows.addEntry(touched[t], size * (nodes[t] + (e >> 2)) + (e & 3), random.uniform(-1, 1));
        }
    }
  }
  return rows;
}

/** Lanes of one case: dense cold and warm, sparse cold and warm. */
function createLanes(nodes, bandwidth, count, rods) {
  const random = createRandom(count);
  const matrices = Array.from({ length: rods }, () => createRod(random, nodes, 7, bandwidth));
  const forces = matrices.map(({ length }) => Float64Array.from({ length }, () => random.uniform(-1, 1)));
  const create = (sparse, isWarm) => {
    const parts = matrices.map((matrix, p) => new ChainPart(`${p}`, new BlockBanded(nodes, 7, matrix.bandwidth)));
    const rows = createRows(createRandom(count + 1), parts, count);
    const cold = rows.state.slice();
    const system = new System(parts, { prefersSparse: () => sparse, usesSweeps: false });
    const fill = (noise) => {
      const other = createRandom(5);
      parts.forEach(({ matrix, rhs }, p) => {
        matrix.copyFrom(matrices[p]);
        rhs.set(forces[p]);
        for (let k = 0; noise > 0 && k < rhs.length; k++) rhs[k] += noise * other.uniform(-1, 1);
      });
    };
    const run = () => {
      const report = system.solve(rows);
      if (!report.ok || (report.borderedQpIslands === 0) !== sparse) throw new Error(`not solved: ${report.cause}`);
    };
    fill(0.01);
    run();
    const warm = rows.state.slice();
    const prepare = () => {
      rows.state.set(isWarm ? warm : cold);
      fill(0);
    };
    return { prepare, run };
  };
  return [create(false, false), create(false, true), create(true, false), create(true, true)];
}

console.log('rods  nodes  band  rows  dense cold ms  dense warm ms  sparse cold ms  sparse warm ms');
const [only] = process.argv.slice(2);
for (const [rods, nodes, bandwidth, counts] of [
  [1, 100, 1, [10, 50, 150, 300]],
  [10, 20, 1, [30, 75, 150, 300]],
  [4, 100, 1, [50, 150, 300]],
  [1, 20, 1, [10, 50, 150]],
])
  for (const count of counts) {
    if (only !== undefined && only !== `${rods}x${nodes}x${bandwidth}x${count}`) continue;
    const times = timeLanes(createLanes(nodes, bandwidth, count, rods), {
      warmUp: count > 100 ? 50 : 300,
      repetitions: count > 100 ? 100 : 300,
      block: 10,
    });
    const cells = [rods, nodes, bandwidth, count].map((n) => String(n).padStart(5));
    console.log(cells.join(' '), times.map((time) => time.toFixed(3).padStart(13)).join(' '));
  }
