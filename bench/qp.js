/**
 * What a convex quadratic problem of contact costs: a sheet of springs whose vertices meet the ground, some twice (coplanar
 * faces) and some as edges of two vertices, in a motion of slow waves. Cold: no guess of what holds; warm: the states of the
 * step before; same matrix: only forces and targets changed. The reference of the ratios is one factorisation and solve with
 * all rows as equalities, measured in turns with the others: the least that a step with contact could cost.
 *     npm run build && node bench/qp.js
 */
import { createRandom } from 'heddle/math';
import { BlockPattern, BlockSparse, KktSystem, QpSolver, writeColdStates } from 'heddle/sparse';
import { timeLanes } from './timing.js';

/** Mass 1, springs up to this along edges, a thousandth of it across bends. */
const STIFFNESS = 1e4;

function createSheet(random, width, height) {
  const pairs = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const [dx, dy, kind] of [
        [1, 0, 1],
        [0, 1, 1],
        [1, 1, 1],
        [2, 1, 1e-3],
        [1, 2, 1e-3],
        [1, -1, 1e-3],
      ]) {
        const [i, j] = [x + dx, y + dy];
        if (i < width && j >= 0 && j < height) pairs.push([y * width + x, j * width + i, [dx, dy], kind]);
      }
    }
  }
  const pattern = BlockPattern.fromPairs(
    width * height,
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
  );
  const matrix = new BlockSparse(pattern, 3);
  for (let i = 0; i < pattern.n; i++) matrix.addBlock(i, i, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  for (const [a, b, [dx, dy], kind] of pairs) {
    const d = [dx, dy, 0.2 * random.normal()];
    const length = Math.hypot(...d);
    const weight = STIFFNESS * kind * random.uniform(0.1, 1);
    const block = d.flatMap((p, r) => d.map((q, c) => weight * ((p * q) / length ** 2 + (r === c ? 0.01 : 0))));
    matrix.addBlock(a, a, block);
    matrix.addBlock(b, b, block);
    matrix.addBlock(
      a,
      b,
      block.map((value) => -value),
    );
  }
  return matrix;
}

/** Unit normals near z on single vertices; every fifth row on an edge, every tenth the same as the one before it. */
function createRows(random, vertices, count) {
  const lists = [];
  for (let r = 0; r < count; r++) {
    if (r % 10 === 9) {
      lists.push(lists[r - 1]);
      continue;
    }
    const vertex = Math.floor((r * vertices) / count);
    const normal = [0.2 * random.normal(), 0.2 * random.normal(), 1];
    const touched = r % 5 === 4 ? [vertex, Math.min(vertex + 1, vertices - 1)] : [vertex];
    lists.push(touched.flatMap((i) => normal.map((value, c) => [3 * i + c, value / touched.length])));
  }
  const start = new Int32Array(count + 1);
  for (let r = 0; r < count; r++) start[r + 1] = start[r] + lists[r].length;
  const entries = lists.flat();
  return {
    count,
    start,
    columns: Int32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
  };
}

function createCase({ width, height, rows: count, held }) {
  const random = createRandom(width);
  const matrix = createSheet(random, width, height);
  const n = matrix.size;
  const rough = Float64Array.from({ length: n }, () => random.normal());
  const bumps = Float64Array.from({ length: count }, () => random.normal());
  const problem = {
    matrix,
    rows: createRows(random, n / 3, count),
    force: new Float64Array(n),
    target: new Float64Array(count),
    lower: new Float64Array(count),
    upper: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
  };
  const create = () => ({ solver: new QpSolver(), v: new Float64Array(n), multipliers: new Float64Array(count) });
  let ground = 0;
  const setTime = (time) => {
    for (let k = 0; k < n; k++) problem.force[k] = rough[k] + Math.sin(0.1 * time + k);
    for (let r = 0; r < count; r++) {
      const twin = r % 10 === 9 ? r - 1 : r; // the same row asks for the same
      problem.target[r] = ground + 0.05 * bumps[twin] + 0.02 * Math.sin(0.1 * time + twin);
    }
  };
  // the height of the ground at which the wanted number of rows holds
  const probe = create();
  const states = new Int8Array(count);
  let [low, high] = [-10, 10];
  for (let turn = 0; turn < 25; turn++) {
    ground = (low + high) / 2;
    setTime(0);
    writeColdStates(problem, states);
    const { heldRows } = probe.solver.solve(problem, probe.v, probe.multipliers, states);
    if (heldRows === held) break;
    if (heldRows < held) low = ground;
    else high = ground;
  }
  return { problem, setTime, create };
}

function measure(options) {
  const { problem, setTime, create } = createCase(options);
  const count = problem.rows.count;
  const tallies = { cold: createTally(), warm: createTally(), same: createTally() };
  const lane = (name, settings) => {
    const { solver, v, multipliers } = create();
    const states = new Int8Array(count);
    writeColdStates(problem, states);
    let time = 0;
    return {
      prepare: () => {
        setTime(time++);
        if (name === 'cold') writeColdStates(problem, states);
      },
      run: () => addToTally(tallies[name], solver.solve(problem, v, multipliers, states, settings)),
    };
  };
  const system = new KktSystem();
  const { v, multipliers } = create();
  const reference = {
    run: () => {
      system.factor(problem.matrix, problem.rows);
      system.solve(problem.force, problem.target, v, multipliers);
    },
  };
  const lanes = [reference, lane('cold', {}), lane('warm', {}), lane('same', { sameMatrix: true })];
  const [kkt, ...times] = timeLanes(lanes, { warmUp: 12, repetitions: 40, block: 4 });
  Object.values(tallies).forEach((tally, k) => {
    const { solves, held, factorizations, updates, interior, worst } = tally;
    console.log(
      [
        problem.matrix.size,
        count,
        (held / solves).toFixed(0),
        ['cold', 'warm', 'same matrix'][k].padStart(12),
        times[k].toFixed(2),
        (times[k] / kkt).toFixed(2),
        (factorizations / solves).toFixed(2),
        (updates / solves).toFixed(1),
        interior,
        worst.toExponential(0),
      ]
        .map((cell) => String(cell).padStart(9))
        .join(' '),
    );
  });
  console.log(`          one factorisation and solve with all rows: ${kkt.toFixed(2)} ms`);
}

const createTally = () => ({ solves: 0, held: 0, factorizations: 0, updates: 0, interior: 0, worst: 0 });

function addToTally(tally, report) {
  if (report.status !== 'solved') throw new Error(`${report.status}: ${report.reason}`);
  tally.solves++;
  tally.held += report.heldRows;
  tally.factorizations += report.factorizations;
  tally.updates += report.updatedRows;
  if (report.interiorSteps > 0) tally.interior++;
  tally.worst = Math.max(tally.worst, report.error);
}

console.log(' unknowns      rows      held        start        ms     ratio   factors   updates  interior     error');
for (const options of [
  { width: 25, height: 20, rows: 200, held: 37 },
  { width: 25, height: 20, rows: 200, held: 115 },
  { width: 37, height: 36, rows: 400, held: 80 },
  { width: 37, height: 36, rows: 400, held: 230 },
])
  measure(options);
