/**
 * Times a step of the strand as [Jiang 2020] does ("Simulation Time", Figs. 6–9): the same E-nodes for
 * every size, once with them (eol) and once with material nailed to the same places (lagrangian). The scene is
 * `strand-timing` of the gallery; material slides through every guide in every step, so remeshing is part of the time.
 *
 * The reference that a row's `ratio` refers to is one factorisation and solve of a block-tridiagonal matrix of the same
 * size (4×4 blocks), measured in turns with the steps: the least that an implicit step could cost.
 *
 * A step may not move material past a whole segment, so beyond a few thousand nodes the time step shrinks with the
 * spacing: material moves by `COURANT` of it. `nodes` counts material nodes and guides; those that wait disabled beside a
 * guide are not in `activeNodes`.
 */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import { createChainReference, timeLanes } from './timing.js';

export const sizes = [7, 40, 100, 200, 400, 800, 1_000, 10_000, 100_000, 1_000_000];

/** Two ends and the guides of the scene. */
export const smallestSize = 7;

export const paper = 'Jiang 2020, the ends of the ranges it states in words';

export const reference = 'LDLT of a block-tridiagonal matrix of the same size, and a solve';

/** Milliseconds a step in the paper. */
const PAPER = { eol: { 7: 0.1, 800: 6000 }, lagrangian: { 7: 0.01, 800: 80 } };

/** Share of a segment that material moves in a step, at most. */
const COURANT = 0.1;

const SCENE = JSON.parse(readFileSync(new URL('../scenes/strand-timing.json', import.meta.url), 'utf8'));

/** Rows of all sizes, each as soon as it is measured. */
export function* measure(wanted = sizes) {
  compileOnce();
  for (const size of wanted) yield* measureSize(size);
}

/** What the rows must show, as far as the sizes needed were measured: {demand, value, limit, holds}. */
export function checkDemands(rows) {
  const find = (mode, nodes) => rows.find((row) => row.mode === mode && row.nodes === nodes);
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  for (const mode of ['eol', 'lagrangian']) {
    const [few, many] = [find(mode, 1000), find(mode, 1_000_000)];
    if (few && many) demand(`time per node at 1M nodes over that at 1k, ${mode}`, many.nsPerNode / few.nsPerNode, 2);
  }
  for (const row of rows)
    if (row.mode === 'eol') demand(`eol over lagrangian at ${row.nodes} nodes`, row.lagrangianRatio, 1.6);
  const thesis = find('eol', 800);
  if (thesis) demand('ms per step at 800 nodes, eol', thesis.msPerStep, 0.8);
  return demands;
}

/** Lets the optimising compiler see both modes before the first size is measured: it works by the number of calls. */
function compileOnce() {
  const plan = { warmUp: 500, repetitions: 1, block: 1 };
  for (let turn = 0; turn < 4; turn++)
    for (const size of [smallestSize, 200])
      timeLanes([createLane('eol', size), createLane('lagrangian', size), createChainReference(size, 4)], plan);
}

function* measureSize(size) {
  const modes = ['eol', 'lagrangian'];
  const lanes = modes.map((mode) => createLane(mode, size));
  const plan = planOf(size);
  const medians = timeLanes([...lanes, createChainReference(size, 4)], plan);
  const [eol, lagrangian, reference] = medians;
  for (let k = 0; k < modes.length; k++) {
    const { world, buildMs, count } = lanes[k];
    const mode = modes[k];
    const steps = plan.repetitions + plan.warmUp;
    const stages = Object.fromEntries(Object.entries(world.profile).map(([stage, total]) => [stage, total / steps]));
    yield {
      scene: SCENE.name,
      mode,
      nodes: size,
      activeNodes: world.nodeCount,
      steps: plan.repetitions,
      msPerStep: medians[k],
      nsPerNode: (medians[k] * 1e6) / size,
      ratio: medians[k] / reference,
      referenceMs: reference,
      lagrangianRatio: (k === 0 ? eol : lagrangian) / lagrangian,
      stages,
      substepsPerStep: count.substeps / steps,
      remeshingsPerStep: count.remeshings / steps,
      buildMs,
      paperMs: PAPER[mode][size] ?? null,
    };
  }
}

/** Repetitions by size: many where a step is short, few where it is long. */
function planOf(size) {
  if (size <= 10_000) return { warmUp: 100, repetitions: 100, block: 10 };
  if (size <= 200_000) return { warmUp: 4, repetitions: 20, block: 1 };
  return { warmUp: 2, repetitions: 10, block: 1 };
}

function createLane(mode, size) {
  const { world, buildMs } = createWorld(mode, size);
  const count = { substeps: 0, remeshings: 0 };
  const run = () => {
    const report = world.step();
    count.substeps += report.substeps;
    count.remeshings += report.remeshings;
  };
  return { world, buildMs, count, run };
}

function createWorld(mode, size) {
  const [strand] = SCENE.objects;
  const nodes = size - strand.guides.length;
  const slide = mode === 'eol' ? strand.slide : 0;
  const step = Math.min(SCENE.time.step, (COURANT * strand.restLength) / size / strand.slide);
  const scene = { ...SCENE, objects: [{ ...strand, mode, nodes, slide }], time: { ...SCENE.time, step }, expect: [] };
  const begin = performance.now();
  const world = compile(parseScene(JSON.stringify(scene)));
  return { world, buildMs: performance.now() - begin };
}
