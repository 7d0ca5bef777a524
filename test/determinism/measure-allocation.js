// Run by no-allocation.long.test.ts in a process of its own: node --expose-gc measure-allocation.js CASES STEPS LIMIT WASTE
// Bytes a node that the heap and array buffers grow by in a step, as the least of several windows: what the compiler or a timer
// allocates now and then falls into some windows, the first ones most of all, what a step allocates into all of them. So the
// first window below LIMIT ends the measurement. A window in which the garbage collector ran does not count.
// WASTE bytes a node are allocated on purpose.
import { readFileSync } from 'node:fs';
import { GCProfiler } from 'node:v8';
import { compile, parseScene } from 'heddle';
import { createGridMesh } from 'heddle/geometry';
import { computeRodMaterial, DEFAULT_REFINEMENT, DEFAULT_SLIDING, Rod } from 'heddle/rod';
import { Sheet } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';

const names = process.argv[2].split(',');
const [steps, limit, waste] = process.argv.slice(3).map(Number);
const scene = JSON.parse(readFileSync(new URL('../../scenes/strand-timing.json', import.meta.url), 'utf8'));
const [strand] = scene.objects;
// short steps: there are up to some thousand, and the weight must not reach the last guide
const STEP = 2e-4;
const NODES = 1000;
/** Windows of a step that allocates too much in all of them. */
const MOST_WINDOWS = 30;

const CASES = {
  eol: { object: { ...strand, nodes: NODES } },
  lagrangian: { object: { ...strand, nodes: NODES, mode: 'lagrangian', slide: 0 } },
  bending: { object: { ...strand, nodes: NODES }, bendingStiffness: 1e-6 },
  sdirk2: { object: { ...strand, nodes: NODES }, integrator: 'sdirk2' },
  spool: {
    object: { ...strand, nodes: NODES, spools: [{ id: 'drum', end: 'start', stock: 3, radius: 0.1, speed: -0.1 }] },
    drivers: [],
  },
};

/** Vertices a side of hanging cloths: of systems that are factored, and that are iterated. */
const CLOTHS = { 'sheet-direct': 54, 'sheet-iterative': 56 };

/** Rods in waves, whose nodes stay, or move and are looked at for splits and collapses. */
const RODS = { 'rod-lagrangian': false, 'rod-rh': true };

const results = {};
for (const name of names) {
  if (name in CLOTHS) {
    results[name] = measure(createCloth(CLOTHS[name]));
    continue;
  }
  if (name in RODS) {
    results[name] = measure(createRod(RODS[name]));
    continue;
  }
  const { object, bendingStiffness = 0, integrator = 'euler', drivers = scene.drivers } = CASES[name];
  const cord = { ...scene.materials.cord, bendingStiffness };
  const time = { ...scene.time, step: STEP, integrator };
  const world = compile(
    parseScene(JSON.stringify({ ...scene, materials: { cord }, objects: [object], drivers, time, expect: [] })),
  );
  results[name] = measure(world);
}
console.log(JSON.stringify(results));

function createCloth(side) {
  const { points: X, corners } = createGridMesh(1, 1, side - 1, side - 1);
  const x = [];
  for (let i = 0; i < X.length; i += 2) x.push(X[i], 0, X[i + 1]);
  const [membrane, bending] = [
    [2000, 2000, 600, 700],
    [1e-5, 1e-5, 3e-6, 3.5e-6],
  ];
  const material = { arealDensity: 0.2, membrane, bending, thickness: 4e-4, friction: 0.3 };
  const sheet = new Sheet({ id: 'cloth', material, x, X, triangles: Int32Array.from(corners) });
  const drivers = [0, side - 1].map((label) => createPin({ model: sheet, label }));
  return new World({ models: [sheet], drivers, timeStep: 1e-3 });
}

function createRod(isAdaptive) {
  const material = computeRodMaterial({ density: 1000, radius: 0.003, youngsModulus: 2e6 });
  const points = Array.from({ length: 4 * NODES }, (_, k) => [
    0.0025 * k,
    0.03 * Math.sin(0.04 * k),
    0.02 * Math.sin(0.06 * k),
  ]);
  const rod = new Rod({
    id: 'rod',
    material,
    points,
    segments: NODES - 1,
    gravity: [0, 0, 0],
    damping: { mass: 0, stiffness: 0.001 },
    sliding: isAdaptive && DEFAULT_SLIDING,
    refinement: isAdaptive && DEFAULT_REFINEMENT,
  });
  // what keeps angular momentum measures energies, which boxes numbers: some 500 bytes a node (docs/reference/mixed.md)
  return new World({ models: [rod], timeStep: STEP, keepsAngularMomentum: false });
}

function measure(world) {
  let [bytesPerNode, remeshings, windows] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let turn = 0; turn < MOST_WINDOWS && bytesPerNode >= limit; turn++) {
    globalThis.gc();
    const collector = new GCProfiler();
    collector.start();
    const before = countBytes();
    let changed = 0;
    const kept = [];
    for (let k = 0; k < steps; k++) {
      changed += world.step().remeshings;
      // kept until the window ends: what is freed in between would not be seen
      if (waste > 0) kept.push(new Float64Array((waste * world.nodeCount) / 8).fill(k));
    }
    const growth = (countBytes() - before) / (steps * world.nodeCount);
    if (collector.stop().statistics.length > 0) continue;
    windows++;
    if (growth < bytesPerNode) [bytesPerNode, remeshings] = [growth, changed];
  }
  return { bytesPerNode, remeshings, windows, nodes: world.nodeCount };
}

function countBytes() {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
