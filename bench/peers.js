/**
 * `heddle bench strand --peers`: the rope of bench/peers-rope.js in Heddle, in Jolt Physics and in Rapier, all in one run.
 * Jolt and Rapier are built in each way that their users build ropes, with their default numbers of iterations at 60 steps
 * a second, with ten times the steps, and with ten times the iterations on top.
 *
 * Stretch is the length of the path through nodes, or through both ends of every rigid link, over the rest length: gaps
 * between links count. `swing` ends where the pendulum would turn on the far side; there the rope goes slack, and what
 * comes after contains the jerk when it is caught again, which also a real cord feels.
 */
import * as heddle from './peers-heddle.js';
import { loadEngines, readProcessorTime } from './peers-load.js';
import { computePathLength, computePendulumStrain, ROPE } from './peers-rope.js';

export const sizes = [64, 256];

/** Fewer nodes are no rope. */
export const smallestSize = 3;

/** Time that is simulated, and that of the swing in it [s]. */
export const seconds = 2;
export const swingSeconds = 1.15;

/** A row ends after this time, wherever it is then [ms]. */
const PATIENCE = 10_000;

/** Runs of which the fastest counts. */
const RUNS = 3;

/** Swings before those that count, and how long to go on with them for a simulated second [ms]. */
const WARM_UP = { seconds: 0.1, patience: 100 };

/** What the rows' tip speeds are to be compared with: SDIRK2 at 4 kHz, at 64 and at 256 nodes [m/s]. */
export const convergedTipSpeed = 4.49;

export const pendulumStrain = computePendulumStrain();

const PACKAGES = [
  { module: './peers-jolt.js', package: 'jolt-physics' },
  { module: './peers-rapier.js', package: '@dimforge/rapier3d-compat' },
];

const SETTINGS = [
  { rate: 60, effort: 1 },
  { rate: 600, effort: 1 },
  { rate: 600, effort: 10 },
];

/** The engines with what their `create` needs. */
export const loadPeers = (load) => loadEngines(heddle, PACKAGES, load);

/** Rows of all sizes, each as soon as it is measured. */
export function* measure(wanted, engines, time = seconds) {
  for (const nodes of wanted) {
    let reference;
    for (const lane of listLanes(engines)) {
      const row = measureLane(lane, nodes, time);
      reference ??= row.msPerSecond;
      yield { ...row, ratio: row.msPerSecond / reference };
    }
  }
}

/** What Heddle's rows must show: {demand, value, limit, holds}. */
export function checkDemands(rows) {
  return rows
    .filter(({ engine }) => engine === heddle.name)
    .map(({ variant, nodes, stepsPerSecond, swingStretch }) => ({
      demand: `stretch in the swing at ${nodes} nodes, ${variant}, ${stepsPerSecond} steps/s, %`,
      value: 100 * swingStretch,
      limit: 0.1,
      holds: swingStretch <= 1e-3,
    }));
}

/** Every rope of every engine; the first is Heddle's, and what the times refer to. */
function listLanes(engines) {
  return engines.flatMap(({ engine, loaded }) =>
    engine.variants.flatMap((way) =>
      listSettings(way).map((setting) => ({ engine: engine.name, ...way, ...setting, loaded })),
    ),
  );
}

function listSettings({ rates, onlyDefault }) {
  if (rates !== undefined) return rates.map((rate) => ({ rate, effort: 1 }));
  return onlyDefault === true ? SETTINGS.slice(0, 1) : SETTINGS;
}

function measureLane(lane, nodes, time) {
  const { engine, variant, rate, effort, converged } = lane;
  warmUp(lane, nodes, WARM_UP.patience * time);
  const limits = { seconds: time, patience: PATIENCE };
  const found = swing(lane, nodes, limits);
  // the best of some runs counts, where they are short
  for (let again = 1; again < RUNS && found.msPerSecond * time < PATIENCE / 10; again++)
    found.msPerSecond = Math.min(found.msPerSecond, swing(lane, nodes, limits).msPerSecond);
  return {
    engine,
    variant,
    nodes,
    stepsPerSecond: rate,
    iterations: effort,
    converged: converged === true,
    ...found,
  };
}

/** Lets the optimising compilers see the code: swings for so many milliseconds. */
function warmUp(lane, nodes, patience) {
  for (let left = patience; left > 0; ) {
    const { seconds, msPerSecond } = swing(lane, nodes, { seconds: WARM_UP.seconds, patience: left });
    left -= seconds * msPerSecond;
  }
}

/** Lets the rope go; only the engine's own steps are timed. */
function swing({ create, loaded, rate, effort }, nodes, limits) {
  const rope = create({ nodes, step: 1 / rate, effort }, loaded);
  const found = { swingStretch: 0, stretch: 0, tipSpeed: null, finite: true };
  let [elapsed, steps] = [0, 0];
  let tip = [ROPE.length, 0, 0];
  while (steps < limits.seconds * rate && elapsed < limits.patience && found.finite) {
    const begin = readProcessorTime();
    rope.step();
    elapsed += readProcessorTime() - begin;
    steps++;
    rope.writePath();
    tip = addObservation(found, rope.path, tip, steps / rate, rate);
  }
  rope.free();
  return { ...found, seconds: steps / rate, msPerSecond: (elapsed * rate) / steps };
}

/** Notes the stretch now, and the speed of the tip when it first passes below the held end; returns where the tip is. */
function addObservation(found, path, before, time, rate) {
  const stretch = computePathLength(path) / ROPE.length - 1;
  const tip = Array.from(path.slice(-3));
  found.finite = Number.isFinite(stretch);
  if (!found.finite) return tip;
  found.stretch = Math.max(found.stretch, stretch);
  if (time <= swingSeconds) found.swingStretch = Math.max(found.swingStretch, stretch);
  if (found.tipSpeed === null && before[0] > 0 && tip[0] <= 0)
    found.tipSpeed = Math.hypot(...tip.map((x, k) => x - before[k])) * rate;
  return tip;
}
