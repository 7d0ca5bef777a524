// What a step of a sheet is made of: assembly, symbolic analysis, factorisation and solve of hanging cloth (1 m², 200 g/m², pinned at two
// corners, steps of 1/60 s), at several sizes, with what is compared in the same run: kernels in TypeScript against compiled ones, AMD
// against nested dissection, the factorisation against conjugate gradients on a sparsified factor in single precision.
//     npm run build && node bench/sheet-solve.js [vertices a side …]
// Times are processor time, the fastest of several turns [ms]; ratios are to the first row of the table.

import { createGridMesh } from 'heddle/geometry';
import { KernelMemory } from 'heddle/kernels';
import { Sheet } from 'heddle/sheet';
import { BlockLdlt, computeAmdOrder, computeDissectionOrder, PcgWorkspace, pcg, SparsifiedFactor } from 'heddle/sparse';
import { createPin, World } from 'heddle/world';

const material = {
  arealDensity: 0.2,
  membrane: [2000, 2000, 600, 700],
  bending: [1e-5, 1e-5, 3e-6, 3.5e-6],
  thickness: 4e-4,
  friction: 0.3,
};
const STEP = 1 / 60;

function createCloth(side) {
  const { points: X, corners } = createGridMesh(1, 1, side - 1, side - 1);
  const x = [];
  for (let i = 0; i < X.length; i += 2) x.push(X[i], 0, X[i + 1]);
  const sheet = new Sheet({ id: 'cloth', material, x, X, triangles: Int32Array.from(corners) });
  const drivers = [0, side - 1].map((label) => createPin({ model: sheet, label }));
  const world = new World({ models: [sheet], drivers, timeStep: STEP });
  for (let k = 0; k < 2; k++) world.step();
  return sheet;
}

/** Processor time of the fastest of several turns, within about a second [ms]. */
function time(run) {
  let fastest = Number.POSITIVE_INFINITY;
  const begin = performance.now();
  for (let turn = 0; turn < 50 && (turn < 3 || performance.now() - begin < 1000); turn++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}

const print = (cells) => console.log(cells.map((cell, k) => String(cell).padStart(k === 0 ? 26 : 11)).join(''));
const ms = (value) => (value < 10 ? value.toFixed(3) : value.toFixed(1));

const sides = process.argv.slice(2).map(Number);
for (const side of sides.length > 0 ? sides : [10, 32, 100, 200]) {
  const sheet = createCloth(side);
  const { part, state } = sheet;
  const { matrix } = part;
  const { pattern, sizes } = matrix;
  const n = pattern.n;
  console.log(`\n${n} vertices, ${state.mesh.triangleCount} triangles, ${state.mesh.edgeCount} edges`);
  const assembly = time(() => sheet.assemble({ h: STEP, linearized: true, start: 0 }));
  print(['', 'ms', 'µs/vertex']);
  print(['assembly', ms(assembly), ((1e3 * assembly) / n).toFixed(2)]);
  const X = Float64Array.from({ length: 2 * n }, (_, k) => state.q[5 * (k >> 1) + 3 + (k & 1)]);
  const orders = {
    AMD: () => computeAmdOrder(pattern, sizes),
    dissection: () => computeDissectionOrder(pattern, X, 2),
  };
  print(['', 'order', 'analysis', 'fill/1e6', 'madds/1e6', 'factor', 'solve', 'µs/vertex', 'Gflop/s', 'ratio']);
  const rhs = part.rhs.slice();
  const solution = new Float64Array(matrix.size);
  let reference = 0;
  for (const [name, find] of Object.entries(orders))
    for (const prefersTwin of [true, false]) {
      if (prefersTwin && (name !== 'AMD' || n > 20000)) continue;
      const ldlt = new BlockLdlt(new KernelMemory({ prefersTwin }));
      const order = find();
      const ordering = time(find);
      const analysis = time(() => ldlt.analyze(pattern, sizes, { order }));
      const factor = time(() => ldlt.factor(matrix));
      const solve = time(() => ldlt.solve(rhs, solution));
      const { fill, operations } = ldlt.symbolic;
      reference ||= factor + solve;
      print([
        `${name}, ${prefersTwin ? 'TypeScript' : 'compiled'}`,
        ms(ordering),
        ms(analysis),
        (fill / 1e6).toFixed(2),
        (operations / 1e6).toFixed(1),
        ms(factor),
        ms(solve),
        ((1e3 * (factor + solve)) / n).toFixed(2),
        ((2 * operations) / factor / 1e6).toFixed(2),
        ((factor + solve) / reference).toFixed(2),
      ]);
    }
  const sparsified = new SparsifiedFactor(matrix, state.mesh.isAcross);
  const analysis = time(() => new SparsifiedFactor(matrix, state.mesh.isAcross));
  const factor = time(() => sparsified.update());
  const [x, ...vectors] = sparsified.vectors;
  const workspace = new PcgWorkspace(matrix.size, vectors);
  const options = { tolerance: 1e-9, preconditioner: sparsified.apply };
  const solve = time(() => pcg(sparsified.multiply, rhs, x.fill(0), options, workspace));
  const { fill, operations } = sparsified.symbolic;
  print([
    `gradients, ${workspace.report.iterations} iterations`,
    '',
    ms(analysis),
    (fill / 1e6).toFixed(2),
    (operations / 1e6).toFixed(1),
    ms(factor),
    ms(solve),
    ((1e3 * (factor + solve)) / n).toFixed(2),
    ((2 * operations) / factor / 1e6).toFixed(2),
    ((factor + solve) / reference).toFixed(2),
  ]);
}
