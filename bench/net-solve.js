// Systems of nets of yarns (bench/weave-matrix.js): time and iterations of `NetSolver` with one and two threads, of block incomplete
// Cholesky and conjugate gradients in plain TypeScript, of a factorisation, and of the kernels compiled natively, where clang is.
//     npm run build && node bench/net-solve.js [crossings a side …]
// Times are the fastest of several turns, each lane in turn [ms]: processor time, but wall time where there are two threads, beside that of one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KernelMemory, NET_NUMBER_COUNT, NET_PLACES } from 'heddle/kernels';
import { BlockIncompleteCholesky, BlockLdlt, NetSolver, pcg } from 'heddle/sparse';
import { createWeaveMatrix } from './weave-matrix.js';

const TOLERANCE = 1e-3;
const CASES = {
  smooth: { noise: 0.01 },
  uneven: { noise: 0.05 },
  'EIL 10 %': { noise: 0.01, eilShare: 0.1 },
  'EIL 30 %': { noise: 0.01, eilShare: 0.3 },
};

const readProcessor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const readWall = () => performance.now();

/** Fastest of some turns of each lane [ms]. */
function timeLanes(lanes, turns, now) {
  const fastest = lanes.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++)
    lanes.forEach((run, k) => {
      const start = now();
      run();
      fastest[k] = Math.min(fastest[k], now() - start);
    });
  return fastest;
}

const print = (cells) => console.log(cells.map((cell, k) => String(cell).padStart(k === 0 ? 34 : 12)).join(''));
const digits = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function load(matrix, isEil, options) {
  const solver = new NetSolver(options);
  const start = readProcessor();
  solver.setPattern(matrix.pattern, isEil);
  const analysis = readProcessor() - start;
  solver.values.set(matrix.values);
  return { solver, analysis };
}

async function measure(side, name, options) {
  const { matrix, b, isEil } = createWeaveMatrix(side, side, options);
  const n = matrix.pattern.n;
  const turns = n > 20000 ? 2 : 7;
  console.log(`\n${name}: ${n} crossings, ${(matrix.pattern.slots / n).toFixed(1)} blocks a column`);
  print(['', 'iterations', 'analysis', 'solve', 'µs/node', 'µs/node/it']);
  const show = (label, iterations, analysis, time) =>
    print([
      label,
      iterations,
      digits(analysis),
      digits(time),
      ((1e3 * time) / n).toFixed(2),
      iterations > 0 ? ((1e3 * time) / n / iterations).toFixed(3) : '',
    ]);
  const one = load(matrix, isEil, { threads: 1 });
  const two = load(matrix, isEil, { threads: 2 });
  const run =
    ({ solver }) =>
    () =>
      solver.solve(b.slice(), { tolerance: TOLERANCE });
  // the second thread starts meanwhile
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [own] = timeLanes([run(one)], turns, readProcessor);
  show('compiled', one.solver.report.iterations, one.analysis, own);
  const walls = timeLanes([run(one), run(two)], turns, readWall);
  if (two.solver.shared > 0) {
    show('  wall, one thread', one.solver.report.iterations, one.analysis, walls[0]);
    show(
      `  wall, two: ratio ${(walls[0] / walls[1]).toFixed(2)}`,
      two.solver.report.iterations,
      two.analysis,
      walls[1],
    );
  }
  two.solver.dispose();
  if (n <= 5000) {
    let iterations = 0;
    const plain = () => {
      const factor = new BlockIncompleteCholesky(matrix);
      iterations = pcg((x, out) => matrix.multiply(x, out), b, new Float64Array(b.length), {
        tolerance: TOLERANCE,
        startsAtZero: true,
        maxIterations: 500,
        preconditioner: factor.apply,
      }).iterations;
    };
    const [slow] = timeLanes([plain], 1, readProcessor);
    show(`TypeScript, no fill, at most 500`, iterations, 0, slow);
    const ldlt = new BlockLdlt();
    const start = readProcessor();
    ldlt.analyze(matrix.pattern, matrix.sizes);
    const analysis = readProcessor() - start;
    const x = new Float64Array(b.length);
    const [factored] = timeLanes([() => ldlt.factor(matrix) && ldlt.solve(b, x)], turns, readProcessor);
    show('factorisation', 0, analysis, factored);
  }
}

/** The kernels as native code: factorisation, multiplication, both ways of the solve [ns a node]; undefined without clang. */
function measureNative(count) {
  const kernels = readFileSync(fileURLToPath(new URL('../src/kernels/net.inc', import.meta.url)), 'utf8');
  const place = mkdtempSync(join(tmpdir(), 'heddle-net-'));
  try {
    writeFileSync(
      join(place, 'net.c'),
      NATIVE.replace('KERNELS', () => kernels)
        .replaceAll('COUNT', String(count))
        .replaceAll('WIDTH', String(WIDTH)),
    );
    execFileSync('clang', [
      '-O3',
      '-mavx2',
      '-mfma',
      '-ffp-contract=off',
      '-o',
      join(place, 'net'),
      join(place, 'net.c'),
      '-lm',
    ]);
    return execFileSync(join(place, 'net'), { encoding: 'utf8' }).trim().split(' ').map(Number);
  } catch {
    return undefined;
  } finally {
    rmSync(place, { recursive: true });
  }
}

const NATIVE = `
#define EXPORT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
KERNELS
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
  int n = COUNT, width = WIDTH, slots = 0;
  int *start = malloc(4 * (n + 1)), *rows = malloc(4 * n * width), *source = malloc(4 * n * width);
  for (int j = 0; j < n; j++) {
    start[j] = slots;
    for (int k = 0; k < width && j + k < n; k++) { source[slots] = 2 * slots; rows[slots++] = j + k; }
  }
  start[n] = slots;
  double *values = calloc(slots * 25, 8);
  for (int j = 0; j < n; j++)
    for (int s = start[j]; s < start[j + 1]; s++)
      for (int k = 0; k < 25; k++) values[25 * s + k] = s == start[j] ? (k % 6 == 0 ? 100 : 0) : -1.0 / (1 + (k * 7 + s) % 11);
  Net t = {.n = n, .half = n, .split = n, .separator = 0, .longest = width, .values = values, .columnStart = start, .places = rows,
    .L = calloc(slots * 25, 4), .start = start, .factorRows = rows, .source = source, .first = calloc(n, 4), .link = calloc(n, 4),
    .head = calloc(n, 4), .place = calloc(n, 4), .work = calloc(50 * (width + 1), 8), .loss = calloc(5 * n, 8), .x = calloc(5 * n, 8),
    .r = calloc(5 * n, 8), .p = calloc(5 * n, 8), .q = calloc(5 * n, 8), .other = calloc(5 * n, 8), .w = calloc(5 * n, 8), .numbers = calloc(16, 8)};
  for (int k = 0; k < 5 * n; k++) t.p[k] = t.r[k] = (k % 13) - 6;
  double best[3] = {1e18, 1e18, 1e18};
  for (int turn = 0; turn < 20; turn++) {
    double a = now(); factorNet(&t, 0);
    double b = now(); multiplyNet(&t, 0);
    double c = now(); forwardNet(&t, 0); backwardNet(&t, 0);
    double d = now();
    if (b - a < best[0]) best[0] = b - a;
    if (c - b < best[1]) best[1] = c - b;
    if (d - c < best[2]) best[2] = d - c;
  }
  printf("%g %g %g\\n", best[0] / n, best[1] / n, best[2] / n);
  return 0;
}
`;

/** The same in WebAssembly: the same numbers in the same places. */
function measureCompiled(n) {
  const memory = new KernelMemory();
  const slots = WIDTH * n - (WIDTH * (WIDTH - 1)) / 2;
  const sizes = {
    columnStart: 4 * (n + 1),
    places: 4 * slots,
    source: 4 * slots,
    values: 200 * slots,
    factor: 100 * slots,
  };
  for (const name of ['first', 'link', 'head', 'place']) sizes[name] = 4 * n;
  for (const name of ['loss', 'x', 'r', 'p', 'q', 'other', 'w']) sizes[name] = 40 * n;
  Object.assign(sizes, { work: 400 * (WIDTH + 1), numbers: 8 * NET_NUMBER_COUNT });
  const at = { n, half: n, split: n, separator: 0, longest: WIDTH };
  const table = memory.start;
  let end = table + 4 * NET_PLACES.length;
  for (const [name, bytes] of Object.entries(sizes)) {
    at[name] = 16 * Math.ceil(end / 16);
    end = at[name] + bytes;
  }
  [at.factorStart, at.factorRows] = [at.columnStart, at.places];
  memory.reserve(end, true);
  const { i32, f64 } = memory.views;
  NET_PLACES.forEach((name, k) => {
    i32[table / 4 + k] = at[name];
  });
  for (let j = 0, slot = 0; j < n; j++) {
    for (let k = 0; k < WIDTH && j + k < n; k++, slot++) {
      i32[at.places / 4 + slot] = j + k;
      i32[at.source / 4 + slot] = 2 * slot;
      for (let c = 0; c < 25; c++)
        f64[at.values / 8 + 25 * slot + c] = k > 0 ? -1 / (1 + ((c * 7 + slot) % 11)) : c % 6 === 0 ? 100 : 0;
    }
    i32[at.columnStart / 4 + j + 1] = slot;
  }
  for (let k = 0; k < 5 * n; k++) f64[at.p / 8 + k] = f64[at.r / 8 + k] = (k % 13) - 6;
  const { net } = memory;
  const lanes = [
    () => net.factorNet(table, 0),
    () => net.multiplyNet(table, 0),
    () => {
      net.forwardNet(table, 0);
      net.backwardNet(table, 0);
    },
  ];
  return timeLanes(lanes, 20, readProcessor).map((time) => (1e6 * time) / n);
}

/** Blocks of a column of the systems that compiled and native kernels are compared on: a band. */
const WIDTH = 8;

function compareNative(count) {
  const compiled = measureCompiled(count);
  const native = measureNative(count);
  console.log(`\nkernels on a band of ${WIDTH} blocks a column, ${count} nodes [ns a node]`);
  print(['', 'factor', 'multiply', 'solve']);
  print(['compiled', ...compiled.map((value) => value.toFixed(0))]);
  if (native === undefined) return;
  print(['native', ...native.map((value) => value.toFixed(0))]);
  print(['ratio', ...compiled.map((value, k) => (value / native[k]).toFixed(2))]);
}

for (const count of [1000, 50000]) compareNative(count);
const sides = process.argv.slice(2).map(Number);
for (const side of sides.length > 0 ? sides : [8, 16, 32, 100])
  for (const [name, options] of Object.entries(CASES)) await measure(side, name, options);
