/**
 * Time of a step of sheets, in two tables.
 *
 * Scenes: Edge, Corner and Slide of [Piddington 2017] (bench/sheet-scenes.js) with and without sliding vertices, in the columns of its Table 7.1:
 *   #V   most vertices     %E  largest share of sliding vertices     ms  mean time of a step
 *   %CD  finding contacts: vertices in faces, edges of bodies through the sheet
 *   %RM  remeshing, and deciding on it
 *   %VT  velocity transfer: none; the thesis solves a second problem for it, here velocities of new vertices go into the one of the step
 *   %VI  the rest: assembly, solves, positions
 *
 * Scaling: hanging cloth (1 m², 200 g/m², pinned at two corners, 1/60 s) from 500 to 50,000 vertices, and the exponent p of ms ~ vertices^p fitted to all
 * of them. Reference, in the same run: one sparse LDLT in double precision of the sheet's own matrix, and a solve.
 *
 * Times are processor time.
 */
import { BlockLdlt } from 'heddle/sparse';
import { readProcessorTime } from './peers-load.js';
import { createCloth } from './sheet-peers-cloth.js';
import { hangCloth } from './sheet-peers-heddle.js';
import { createWorld, scenes } from './sheet-scenes.js';
import { fitExponent } from './timing.js';

/** Numbers of vertices of the scaling table; the nearest squares are taken. */
export const sizes = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

/** A grid needs as many, and an inner vertex. */
export const smallestSize = 9;

/** Steps of a scene, and the processor time after which it is left [ms]. */
const SCENE = { steps: 200, patience: 60_000 };

/** How often each scene is measured, both modes in turn; the median counts. */
const TURNS = 3;
/** Fewer steps measure nothing: the scenes are tried out, once. */
const TRIAL = 20;

/** Steps before those that count: they are when the optimising compiler works. */
const WARM_UP = 20;

/** Turns of scaling: as many steps, or until the time is over, at least the least. */
const SCALING = { steps: 60, patience: 8000, least: 5 };

const STEP = 1 / 60;

export const modes = ['lagrangian', 'eol'];

/** Rows of Table 7.1, each as soon as it is measured. `steps`: of each scene. */
export function* measureScenes(steps = SCENE.steps) {
  for (const scene of scenes) {
    const isTrial = steps < TRIAL;
    if (!isTrial) compileFirst(scene, steps);
    const turns = Array.from({ length: isTrial ? 1 : TURNS }, () =>
      modes.map((mode) => measureScene(scene, mode, steps)),
    );
    const rows = modes.map((_, n) => findMedian(turns.map((turn) => turn[n])));
    for (const row of rows) yield { ...row, ratio: row.msPerStep / rows[0].msPerStep, paper: scene.paper[row.mode] };
  }
}

/** Of runs of one scene in one mode, which differ in time only, the one of middle length. */
const findMedian = (rows) => rows.sort((p, q) => p.msPerStep - q.msPerStep)[rows.length >> 1];

/** Rows of the scaling table. */
export function* measureScaling(wanted = sizes) {
  for (const size of wanted) yield measureSize(Math.round(Math.sqrt(size)));
}

/** p of the least-squares line log ms = p log vertices + c; NaN with fewer than two sizes. */
export function computeExponent(rows) {
  return fitExponent(rows.map(({ vertices, msPerStep }) => [vertices, msPerStep]));
}

/** What the rows must show: {demand, value, limit, holds}. */
export function checkDemands(rows) {
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  for (const { scene, mode, ratio, msPerStep, paper, fault } of rows) {
    if (mode !== 'eol' || fault !== null) continue;
    demand(`eol over lagrangian, ${scene}`, ratio, 1.3);
    demand(`ms per step over the thesis', ${scene}, eol`, msPerStep / paper.at(-1), 0.1);
  }
  return demands;
}

/** Lets the optimising compiler see both modes of a scene before it is measured: what is rare in it, remeshing, needs many turns where it is small. */
function compileFirst(scene, steps) {
  const turns = scene.cells.eol[0] * scene.cells.eol[1] < 200 ? 25 : 2;
  for (let turn = 0; turn < turns; turn++) for (const mode of modes) measureScene(scene, mode, steps);
}

function measureScene(scene, mode, steps) {
  const row = { scene: scene.name, mode, vertices: 0, sliding: 0, steps: 0, fault: null };
  const spent = { detection: 0, remeshing: 0, all: 0 };
  let elapsed = 0;
  let counted = 0;
  try {
    const world = createWorld(scene, mode);
    const clock = watch(world);
    const warmUp = Math.min(WARM_UP, steps >> 1);
    while (row.steps < steps && elapsed < SCENE.patience) {
      const begin = readProcessorTime();
      const now = clock(() => world.step());
      elapsed += readProcessorTime() - begin;
      row.steps++;
      if (row.steps === warmUp) elapsed = counted = 0;
      else counted++;
      if (row.steps > warmUp) for (const key of Object.keys(spent)) spent[key] += now[key];
      row.vertices = Math.max(row.vertices, world.nodeCount);
      row.sliding = Math.max(row.sliding, countSliding(world) / world.nodeCount);
    }
    if (row.steps < steps) row.fault = `${row.steps} of ${steps} steps took ${Math.round(elapsed / 1000)} s`;
  } catch (error) {
    row.fault = error.message;
  }
  const share = (time) => (spent.all > 0 ? time / spent.all : Number.NaN);
  const [detection, remeshing] = [share(spent.detection), share(spent.remeshing)];
  const integration = 1 - detection - remeshing;
  return { ...row, msPerStep: elapsed / counted, detection, remeshing, transfer: 0, integration };
}

const countSliding = (world) => world.models[0].state.kind.reduce((sum, kind) => sum + (kind === 0 ? 0 : 1), 0);

/** Times the parts of a world's step by the clock; returns what runs one and says how long they took [ms]. */
function watch(world) {
  const { touch, adaptation } = world.models[0];
  const spent = { detection: 0, before: 0 };
  const time = (object, name, key) => {
    const original = object[name].bind(object);
    object[name] = (...values) => {
      const begin = performance.now();
      const result = original(...values);
      spent[key] += performance.now() - begin;
      return result;
    };
  };
  // beginning a step is part of the stage "adapt"
  time(touch, 'beginStep', 'before');
  time(touch, 'revise', 'detection');
  if (adaptation) time(adaptation, 'findFault', 'detection');
  return (run) => {
    const { adapt } = world.profile;
    const begin = performance.now();
    spent.detection = spent.before = 0;
    run();
    return {
      detection: spent.detection + spent.before,
      remeshing: adaptation ? world.profile.adapt - adapt - spent.before : 0,
      all: performance.now() - begin,
    };
  };
}

function measureSize(side) {
  const cloth = createCloth(side);
  const begin = readProcessorTime();
  const { sheet, world } = hangCloth({ cloth, step: STEP });
  const buildMs = readProcessorTime() - begin;
  const warmUp = readProcessorTime();
  for (let k = 0; k < WARM_UP && (k < 2 || readProcessorTime() - warmUp < SCALING.patience / 4); k++) world.step();
  const { matrix, rhs } = sheet.part;
  const ldlt = new BlockLdlt();
  ldlt.analyze(matrix.pattern, matrix.sizes);
  const [solution, b] = [new Float64Array(matrix.size), rhs.slice()];
  const [times, references] = [[], []];
  let iterations = 0;
  const start = readProcessorTime();
  while (times.length < SCALING.steps) {
    if (times.length >= SCALING.least && readProcessorTime() - start > SCALING.patience) break;
    times.push(measureTime(() => world.step()));
    iterations += world.report.newtonIterations;
    // the reference takes turns with the steps, fewer of them
    if (times.length % SCALING.least !== 1) continue;
    references.push(
      measureTime(() => {
        ldlt.factor(matrix);
        ldlt.solve(b, solution);
      }),
    );
  }
  const msPerStep = times.reduce((sum, one) => sum + one, 0) / times.length;
  const referenceMs = references.sort((p, q) => p - q)[references.length >> 1];
  return {
    vertices: cloth.count,
    steps: times.length,
    msPerStep,
    usPerVertex: (1e3 * msPerStep) / cloth.count,
    ratio: msPerStep / referenceMs,
    referenceMs,
    newtonIterations: iterations / times.length,
    buildMs,
  };
}

function measureTime(run) {
  const begin = readProcessorTime();
  run();
  return readProcessorTime() - begin;
}
