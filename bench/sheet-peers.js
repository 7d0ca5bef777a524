/**
 * `heddle bench sheet --peers`: the cloth of bench/sheet-peers-cloth.js in Heddle, in Jolt Physics and in Rapier, all in one run, in steps of
 * 1/60 s: hung by two corners, and drawn over the sharp edge of a box. Jolt and Rapier as they come, and tuned for stiffness.
 *
 *   hang   strain of edges at the end; processor time of a step, mean of the run
 *   edge   speed of the free end, mean of its row, against that of the row that is moved: root mean square and largest deviation; largest strain
 *          and depth. The first tenth of a second is left out of all but the depth: engines take it to find their contacts.
 */
import { loadEngines, readProcessorTime } from './peers-load.js';
import { computeDepth, computeStrains, createCloth, DRAW } from './sheet-peers-cloth.js';
import * as heddle from './sheet-peers-heddle.js';

/** Numbers of vertices; the nearest squares are taken. */
export const sizes = [1000, 10_000, 40_000];

/** Fewer vertices are no cloth. */
export const smallestSize = 9;

/** Time that the cloth hangs [s]; it is drawn for a third of it. */
export const seconds = 3;

export const step = 1 / 60;

/** A run ends after this processor time, wherever it is then [ms]. */
const PATIENCE = 120_000;

/** Steps and processor time before those that count: lets the optimising compilers see the code. */
const WARM_UP = { steps: 120, patience: 3000 };

/** What is left out while contacts are found [s]. */
const SETTLING = 0.1;

const PACKAGES = [
  { module: './sheet-peers-jolt.js', package: 'jolt-physics' },
  { module: './sheet-peers-rapier.js', package: '@dimforge/rapier3d-compat' },
];

/** The engines with what their `create` needs. */
export const loadPeers = (load) => loadEngines(heddle, PACKAGES, load);

/** What is done with the cloth. */
export const tasks = ['hang', 'edge'];

/** Rows of all sizes, each as soon as it is measured: {engine, variant, vertices, hang, edge}; null for tasks that are not asked for. */
export function* measure(wanted, engines, time = seconds, asked = tasks) {
  for (const size of wanted) {
    const cloth = createCloth(Math.round(Math.sqrt(size)));
    for (const { engine, loaded } of engines)
      for (const { variant, create, tasks: possible = tasks } of engine.variants) {
        const build = (task) => create({ task, cloth, step }, loaded);
        const todo = possible.filter((task) => asked.includes(task));
        if (todo.length === 0) continue;
        yield {
          engine: engine.name,
          variant,
          vertices: cloth.count,
          hang: todo.includes('hang') ? hang(build, time) : null,
          edge: todo.includes('edge') ? drawOver(build, time / 3) : null,
        };
      }
  }
}

/** What Heddle's default must show: {demand, value, limit, holds}. */
export function checkDemands(rows) {
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  const own = rows.filter(({ engine, variant }) => engine === heddle.name && variant === 'default');
  for (const { vertices, hang, edge } of own) {
    const at = `at ${vertices} vertices`;
    if (edge) {
      demand(`drawn, deviation of the free end's speed ${at}, m/s`, edge.deviation, 0.05);
      demand(`drawn, largest strain ${at}, %`, 100 * edge.strain, 2);
      demand(`drawn, depth in the box ${at}, mm`, 1e3 * edge.depth, 0);
    }
    if (!hang) continue;
    demand(`hung, 95th percentile of strain ${at}, %`, 100 * hang.most, 0.5);
    const jolt = rows.find((row) => row.vertices === vertices && row.engine === 'jolt' && row.variant === 'tuned');
    if (jolt) demand(`hung, time of a step over Jolt's tuned one ${at}`, hang.msPerStep / jolt.hang.msPerStep, 1);
  }
  const [first, last] = [own[0], own.at(-1)];
  if (first !== last && first.hang)
    for (const [key, text] of [
      ['mean', 'mean'],
      ['most', '95th percentile'],
      ['worst', 'largest'],
    ])
      demand(
        `hung, ${text} strain at ${last.vertices} over that at ${first.vertices} vertices`,
        last.hang[key] / first.hang[key],
        1.1,
      );
  return demands;
}

function hang(build, time) {
  const found = run(build, 'hang', time, () => {});
  return { ...found.times, ...computeStrains(found.last.x, found.last.edges, found.last.rest) };
}

function drawOver(build, time) {
  const found = { strain: 0, depth: 0, worstDeviation: 0 };
  let [squares, count] = [0, 0];
  const { times } = run(build, 'edge', time, (now, before, at) => {
    found.depth = Math.max(found.depth, computeDepth(now.x, now.edges));
    if (at <= SETTLING) return;
    const deviation = computeFreeSpeed(now, before) - DRAW.speed;
    squares += deviation ** 2;
    count++;
    found.worstDeviation = Math.max(found.worstDeviation, Math.abs(deviation));
    found.strain = Math.max(found.strain, computeStrains(now.x, now.edges, now.rest).worst);
  });
  return { ...times, ...found, deviation: Math.sqrt(squares / Math.max(1, count)) };
}

/** Way of the free end in a step over its time, the mean of its vertices [m/s]. */
function computeFreeSpeed(now, before) {
  const mean = [0, 0, 0];
  now.free.forEach((i, n) => {
    for (let k = 0; k < 3; k++) mean[k] += (now.x[3 * i + k] - before.x[3 * before.free[n] + k]) / now.free.length;
  });
  return Math.hypot(...mean) / step;
}

/** Steps for so long; only the engine's own steps are timed. */
function run(build, task, time, observe) {
  warmUp(build, task);
  const cloth = build(task);
  const most = Math.round(time / step);
  let [elapsed, steps, isSound] = [0, 0, true];
  let last = copy(cloth.read());
  while (steps < most && elapsed < PATIENCE && isSound) {
    const begin = readProcessorTime();
    cloth.step();
    elapsed += readProcessorTime() - begin;
    steps++;
    const now = copy(cloth.read());
    isSound = now.x.every(Number.isFinite);
    observe(now, last, steps * step);
    last = now;
  }
  cloth.free();
  return { last, times: { msPerStep: elapsed / steps, seconds: steps * step, finite: isSound } };
}

const copy = ({ x, edges, rest, free }) => ({ x: Float64Array.from(x), edges, rest, free });

function warmUp(build, task) {
  const cloth = build(task);
  const begin = readProcessorTime();
  for (let k = 0; k < WARM_UP.steps && readProcessorTime() - begin < WARM_UP.patience; k++) cloth.step();
  cloth.free();
}
