/**
 * Time of a step of rods, in two tables.
 *
 * Scenes: those of [Wen 2020] that its Table 1 has (bench/rod-scenes.js), in its columns, milliseconds a step of 8 ms:
 *   #V         fewest and most nodes
 *   collision  finding contacts, who is near and what a step went through, and their rows
 *   resample   splitting, collapsing, nodes at contacts, and where nodes are to be
 *   force      energies and inertia
 *   solve      the system, with its bounded rows
 *   total      all of the step, positions and what else there is included
 *   x ref.     total over one factorisation and solve of a block-tridiagonal matrix of the same size (7×7 blocks)
 *
 * Scaling: one rod in waves of 0.4 m and 0.27 m, let go without weight (1 cm a segment, 1 ms a step), without nodes that move
 * (`lagrangian`) and with nodes that move, come and go (`rh`); then many short ones in one world. Exponent p of ms ~ nodes^p fitted to single rods.
 *
 * Times are processor time; the shares of the stages are by the clock.
 */
import { computeRodMaterial, DEFAULT_REFINEMENT, DEFAULT_SLIDING, Rod } from 'heddle/rod';
import { World } from 'heddle/world';
import { readProcessorTime } from './peers-load.js';
import { createWorld, STEP, scenes } from './rod-scenes.js';
import { createChainReference, fitExponent, timeLanes } from './timing.js';

/** Numbers of nodes of a single rod. */
export const sizes = [100, 1000, 10_000];

/** Fewer make no wave. */
export const smallestSize = 10;

/** Many rods in one world. */
const MANY = { rods: 1000, nodes: 30 };

/** How often each scene is run before those that count, for the optimising compiler, and how often for the median. */
const PLAN = { warmUp: 6, turns: 5 };
/** Fewer steps measure nothing: the scenes are tried out, once. */
const TRIAL = { below: 20, warmUp: 0, turns: 1 };

const SCALING_STEP = 0.001;
const SPACING = 0.01;

export const modes = ['lagrangian', 'rh'];

/** A C++ code of discrete elastic rods takes as long a step of 1 ms [ms]. */
const PEER = { 100: 2.1, 1000: 22 };

/** Rows of Table 1, each as soon as it is measured. `steps`: of each scene, at most. */
export function* measureScenes(steps = Number.POSITIVE_INFINITY) {
  for (const scene of scenes) {
    const count = Math.min(steps, Math.round(scene.seconds / STEP));
    const plan = count < TRIAL.below ? TRIAL : PLAN;
    for (let turn = 0; turn < plan.warmUp; turn++) measureScene(scene, count);
    const turns = Array.from({ length: plan.turns }, () => measureScene(scene, count));
    const row = turns.sort((p, q) => p.ms.total - q.ms.total)[plan.turns >> 1];
    const referenceMs = measureReference(row.most);
    yield {
      ...row,
      referenceMs,
      ratio: row.ms.total / referenceMs,
      factor: scene.paper.ms.total / row.ms.total,
      paper: scene.paper,
    };
  }
}

/** Rows of the scaling table. */
export function* measureScaling(wanted = sizes) {
  for (let turn = 0; turn < 3; turn++)
    timeLanes(
      [...modes.map((mode) => createLane(mode, 1, 200)), createChainReference(200, 7)],
      planOf(1000),
      readProcessorTime,
    );
  for (const size of wanted) yield* measureSize(1, size);
  if (wanted === sizes) yield* measureSize(MANY.rods, MANY.nodes);
}

/** p of the least-squares line log ms = p log nodes + c of single rods in a mode; NaN with fewer than two sizes. */
export function computeExponent(rows, mode) {
  return fitExponent(
    rows.filter((row) => row.rods === 1 && row.mode === mode).map(({ nodes, msPerStep }) => [nodes, msPerStep]),
  );
}

/** What the rows must show: {demand, value, limit, holds}. */
export function checkDemands(rows, scaling) {
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  for (const { figure, scene, ms, paper, solveShare, fault } of rows) {
    if (fault !== null) continue;
    demand(`ms per step over the paper's, ${figure}, ${scene}`, ms.total / paper.ms.total, 0.1);
    demand(`share of the solve, ${figure}, ${scene}`, solveShare, 0.7);
  }
  for (const { rods, nodes, mode, msPerStep } of scaling) {
    if (rods === 1 && PEER[nodes]) demand(`ms per step at ${nodes} nodes, ${mode}`, msPerStep, nodes / 100);
  }
  for (const mode of modes) {
    const exponent = computeExponent(scaling, mode);
    if (exponent > 0) demand(`exponent of ms against nodes, ${mode}`, exponent, 1.1);
  }
  return demands;
}

function measureScene(scene, steps) {
  const row = {
    figure: scene.figure,
    scene: scene.name,
    least: Number.POSITIVE_INFINITY,
    most: 0,
    steps: 0,
    fault: null,
  };
  const count = { substeps: 0, rejected: 0, newtonIterations: 0 };
  const world = createWorld(scene);
  const contacts = watchContacts(world);
  const [begin, clock] = [readProcessorTime(), performance.now()];
  try {
    while (row.steps < steps) {
      const report = world.step();
      row.steps++;
      for (const key of Object.keys(count)) count[key] += report[key];
      row.least = Math.min(row.least, report.nodes);
      row.most = Math.max(row.most, report.nodes);
    }
  } catch (error) {
    row.fault = error.message;
  }
  const [total, elapsed] = [readProcessorTime() - begin, performance.now() - clock];
  const { detect, adapt, assemble, solve, advance } = world.profile;
  const perStep = (time) => (time / elapsed) * (total / row.steps);
  const ms = {
    collision: perStep(detect + contacts.search),
    resample: perStep(adapt - contacts.begin),
    force: perStep(assemble - contacts.rows),
    solve: perStep(solve),
    advance: perStep(advance),
    total: total / row.steps,
  };
  for (const key of Object.keys(count)) count[key] /= row.steps;
  return { ...row, ...count, ms, solveShare: solve / elapsed };
}

/**
 * Times what contacts do, by the clock: `search` all that looks for them; `begin` and `rows` are the parts of it that are within the
 * stages "adapt" and "assemble".
 */
function watchContacts(world) {
  const spent = { search: 0, begin: 0, rows: 0 };
  for (const coupling of world.couplings) {
    const time = (name, also) => {
      const original = coupling[name].bind(coupling);
      coupling[name] = (...values) => {
        const begin = performance.now();
        const result = original(...values);
        const took = performance.now() - begin;
        spent.search += took;
        if (also) spent[also] += took;
        return result;
      };
    };
    time('beginStep', 'begin');
    // curves look for what is near as they add their first rows
    time('addRows', 'rows');
    time('revise');
    time('endStep');
  }
  return spent;
}

function* measureSize(rods, size) {
  const lanes = modes.map((mode) => createLane(mode, rods, size));
  const plan = planOf(rods * size);
  const times = timeLanes([...lanes, createChainReference(rods * size, 7)], plan, readProcessorTime);
  const referenceMs = times[modes.length];
  for (let k = 0; k < modes.length; k++) {
    const { world, count } = lanes[k];
    const steps = plan.repetitions + plan.warmUp;
    const spent = Object.values(world.profile).reduce((sum, one) => sum + one, 0);
    yield {
      mode: modes[k],
      rods,
      nodes: size,
      activeNodes: world.nodeCount,
      steps: plan.repetitions,
      msPerStep: times[k],
      usPerNode: (1e3 * times[k]) / (rods * size),
      ratio: times[k] / referenceMs,
      referenceMs,
      lagrangianRatio: times[k] / times[0],
      newtonIterations: count.newtonIterations / steps,
      nodeSpeed: computeNodeSpeed(world),
      shares: Object.fromEntries(Object.entries(world.profile).map(([stage, time]) => [stage, time / spent])),
      peerMs: rods === 1 ? (PEER[size] ?? null) : null,
    };
  }
}

/** Fastest that a node moves along its rod, in the material [m/s]. */
function computeNodeSpeed({ models }) {
  let fastest = 0;
  for (const { chain } of models)
    for (let i = 0; i < chain.count; i++) fastest = Math.max(fastest, Math.abs(chain.v[4 * i + 3]));
  return fastest;
}

/** Repetitions by size: many where a step is short, few where it is long. */
const planOf = (nodes) =>
  nodes <= 2000 ? { warmUp: 100, repetitions: 100, block: 10 } : { warmUp: 5, repetitions: 20, block: 1 };

function createLane(mode, rods, size) {
  const models = Array.from({ length: rods }, (_, n) => createRod(mode, size, n));
  const world = new World({ models, timeStep: SCALING_STEP });
  const count = { newtonIterations: 0 };
  return { world, count, run: () => (count.newtonIterations += world.step().newtonIterations) };
}

const material = computeRodMaterial({ density: 1000, radius: 0.003, youngsModulus: 2e6, poissonRatio: 0.45 });

/** In two waves across each other, four points a segment. */
function createRod(mode, size, n) {
  const points = Array.from({ length: 4 * size }, (_, k) => {
    const x = (k / 4) * SPACING;
    return [x, 0.03 * Math.sin((2 * Math.PI * x) / 0.4), 0.02 * Math.sin((2 * Math.PI * x) / 0.27) + 0.1 * n];
  });
  return new Rod({
    id: `rod-${n}`,
    material,
    points,
    segments: size - 1,
    gravity: [0, 0, 0],
    damping: { mass: 0, stiffness: 0.001 },
    sliding: mode === 'rh' && DEFAULT_SLIDING,
    refinement: mode === 'rh' && DEFAULT_REFINEMENT,
  });
}

const measureReference = (size) =>
  timeLanes([createChainReference(size, 7)], { warmUp: 50, repetitions: 100, block: 10 }, readProcessorTime)[0];
