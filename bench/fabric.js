/**
 * Time of a step of fabrics, in two tables.
 *
 * Scenes: those of [Sánchez-Banderas 2020] (bench/fabric-scenes.js) in the columns of its Table 1, at 1 % and 10 % of its numbers of nodes, and the tablecloth at 100 % where that is asked for:
 * Lagrangian nodes, crossings within layers, most contacts between layers, most EIL nodes, time step, seconds a step; and Newton and PCG iterations a step, memory of the process and of the
 * solver, cost of a node over that at 10 %. PCG is 0 where the matrix is factored.
 *
 * Yardstick: a plain weave of 64, 256 and 1,024 crossings (the tablecloth's yarns), pinned at two corners, falls and swings; 1 ms, then 0.1 ms from the same start. A public EoL weave code
 * takes 5.1, 28 and 190 ms a step and blows up at 0.1 ms. Gain: by how much kinetic and potential energy together ever exceed those of the start, over the largest kinetic energy: a sound run has none.
 * Reference, in the same run and in turn with the steps: LDLT of a chain of as many nodes with five unknowns, and a solve.
 *
 * Times are processor time.
 */
import { countNodes, Fabric } from 'heddle/fabric';
import { createPlainWeave, createWovenNet, createWovenYarns } from 'heddle/patterns';
import { createPin, World } from 'heddle/world';
import { createWorld, scenes } from './fabric-scenes.js';
import { readProcessorTime } from './peers-load.js';
import { createChainReference } from './timing.js';

/** Crossings of the yardstick; the nearest squares are taken. */
export const sizes = [64, 256, 1024];
export const smallestSize = 4;

/** Shares of the paper's size. */
export const shares = [0.01, 0.1];

/**
 * Steps of a scene, the same at all sizes: two before those that count; the processor time after which no other is begun, and after which one is left [ms].
 */
const SCENE = { warmUp: 2, steps: 6, patience: 15_000, longest: 25_000 };
/** Of the full tablecloth. */
const FULL = { warmUp: 2, steps: 6, patience: 120_000, longest: 300_000 };

/**
 * Yardstick: processor time for which another weave is stepped before where there is a demand [ms], so that the engine's code is compiled as in a run that lasts (140 steps of 64 crossings take no longer than that compiling);
 * turns of as many steps, the median of which counts; the time that the weave falls at the smaller step [s].
 */
const YARDSTICK = { compiling: 1500, warmUp: 60, turns: 7, steps: 20, patience: 5000, smallStep: 1e-4, fall: 0.05 };

/** Steps that are taken at most: the other weave takes as many before it begins anew, so that the code that changes nodes is compiled, too (crossings near the ends change from step 130 on at 1,024). */
const LONGEST = YARDSTICK.warmUp + YARDSTICK.turns * YARDSTICK.steps;

/** What the public code takes [ms], and what is demanded. */
const PUBLIC = new Map([
  [64, [5.1, 0.5]],
  [256, [28, 2]],
  [1024, [190, 8]],
]);

/** Rows of Table 1, each as soon as it is measured. `steps`: of each scene. `isFull`: the tablecloth at the paper's size, too. */
export function* measureScenes(steps = undefined, { shares: wanted = shares, full: isFull = false } = {}) {
  for (const scene of scenes) {
    const all = isFull && scene.name === 'tablecloth' ? [...new Set([...wanted, 1])] : wanted;
    let base = Number.NaN;
    for (const share of all) {
      const row = measureScene(scene, share, {
        ...(share === 1 ? FULL : SCENE),
        ...(steps !== undefined && { steps }),
      });
      const perNode = (1e6 * row.secondsPerStep) / row.nodes;
      if (share === 0.1) base = perNode;
      yield { ...row, usPerNode: perNode, ratio: perNode / base };
    }
  }
}

function measureScene(scene, share, plan) {
  const row = { scene: scene.name, share, step: scene.step, paper: scene.paper, fault: null };
  const most = { between: 0, eil: 0, nodes: 0 };
  const sum = { time: 0, newton: 0, pcg: 0, substeps: 0, rejected: 0 };
  let counted = 0;
  let counts = { lagrangian: 0, within: 0 };
  let solverBytes = 0;
  let profile = {};
  try {
    const world = createWorld(scene, share);
    const [fabric] = world.models;
    counts = countNodes(fabric.state);
    const { warmUp, steps, patience, longest } = plan;
    const pcg = countIterations(fabric);
    let spent = 0;
    for (let n = 0; n < warmUp + steps && (n === 0 || spent < patience); n++) {
      if (n === warmUp) {
        counted = 0;
        for (const key of Object.keys(sum)) sum[key] = 0;
      }
      const time = timeStep(world, longest);
      spent += time;
      counted++;
      const { newtonIterations, substeps, rejected } = world.report;
      sum.time += time;
      sum.newton += newtonIterations;
      sum.pcg += pcg();
      sum.substeps += substeps;
      sum.rejected += rejected;
      const now = countNodes(fabric.state);
      most.between = Math.max(most.between, now.between);
      most.eil = Math.max(most.eil, now.eil);
      most.nodes = Math.max(most.nodes, world.nodeCount);
    }
    solverBytes = fabric.part.bytes;
    const all = Object.values(world.profile).reduce((total, time) => total + time, 0);
    profile = Object.fromEntries(Object.entries(world.profile).map(([stage, time]) => [stage, time / all]));
  } catch (error) {
    row.fault = error.message;
  }
  const { lagrangian, within } = counts;
  return {
    ...row,
    ...{ nodes: most.nodes, lagrangian, within, between: most.between, eil: most.eil, steps: counted },
    secondsPerStep: sum.time / counted / 1000,
    newton: sum.newton / counted,
    pcg: sum.pcg / counted,
    substeps: sum.substeps / counted,
    rejected: sum.rejected / counted,
    processBytes: process.memoryUsage().rss,
    solverBytes,
    shares: profile,
  };
}

/** Takes one step; milliseconds. Throws where it is not complete in the longest time. */
function timeStep(world, longest) {
  const begin = readProcessorTime();
  while (!world.stepPart(1)) {
    const time = readProcessorTime() - begin;
    if (time > longest) {
      const { substeps, rejected, newtonIterations } = world.report;
      throw new Error(
        `a step was not complete after ${(time / 1000).toFixed(0)} s, with ${substeps} sub-steps, ${rejected} rejected, and ${newtonIterations} Newton iterations`,
      );
    }
  }
  return readProcessorTime() - begin;
}

/** Adds up PCG iterations of all solves of a fabric; returns what tells and forgets the sum. */
function countIterations({ part }) {
  const solve = part.solve.bind(part);
  let sum = 0;
  part.solve = () => {
    const isSolved = solve();
    sum += part.iterations;
    return isSolved;
  };
  return () => {
    const all = sum;
    sum = 0;
    return all;
  };
}

/** Rows of the yardstick. */
export function* measureScaling(wanted = sizes) {
  for (const size of wanted) yield measureWeave(Math.max(2, Math.round(Math.sqrt(size))));
}

function measureWeave(side) {
  const crossings = side * side;
  const early = readProcessorTime();
  while (PUBLIC.has(crossings) && readProcessorTime() - early < YARDSTICK.compiling) {
    const { world: other } = createWeave(side, 1e-3);
    for (let n = 0; n < LONGEST && readProcessorTime() - early < YARDSTICK.compiling; n++) other.step();
  }
  const { world, gain } = createWeave(side, 1e-3);
  const reference = createChainReference(crossings, 5);
  let newton = 0;
  const lanes = [
    () => {
      newton += world.step().newtonIterations;
    },
    () => {
      reference.prepare();
      reference.run();
    },
  ];
  for (const run of lanes) for (let n = 0; n < YARDSTICK.warmUp; n++) run();
  newton = 0;
  const times = lanes.map(() => []);
  const begin = readProcessorTime();
  for (let turn = 0; turn < YARDSTICK.turns && (turn < 2 || readProcessorTime() - begin < YARDSTICK.patience); turn++) {
    lanes.forEach((run, k) => {
      const start = readProcessorTime();
      for (let n = 0; n < YARDSTICK.steps; n++) run();
      times[k].push((readProcessorTime() - start) / YARDSTICK.steps);
    });
    gain();
  }
  const [msPerStep, referenceMs] = times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
  const [publicMs, limit] = PUBLIC.get(crossings) ?? [null, null];
  return {
    crossings,
    steps: times[0].length * YARDSTICK.steps,
    msPerStep,
    usPerNode: (1000 * msPerStep) / world.nodeCount,
    newton: newton / (times[0].length * YARDSTICK.steps),
    referenceMs,
    ratio: msPerStep / referenceMs,
    publicMs,
    limit,
    gain: gain(),
    ...measureSmallStep(side),
  };
}

/** Whether a tenth of the step is as stable: the gain of energy, or why the run ended. */
function measureSmallStep(side) {
  const { world, gain } = createWeave(side, YARDSTICK.smallStep);
  const begin = readProcessorTime();
  try {
    while (world.time < YARDSTICK.fall && (world.steps < 20 || readProcessorTime() - begin < YARDSTICK.patience)) {
      world.step();
      gain();
    }
    return { smallGain: gain(), smallSteps: world.steps, smallFault: null };
  } catch (error) {
    return { smallGain: Number.POSITIVE_INFINITY, smallSteps: world.steps, smallFault: error.message };
  }
}

/** A weave of the tablecloth's yarns, pinned at two corners, and what tells the energy it has gained so far over its largest kinetic energy. */
function createWeave(side, timeStep) {
  const [spacing, radius, EA] = [5.6e-3, 2.25e-3, 1000];
  const yarns = createWovenYarns({
    weave: createPlainWeave(),
    warps: side,
    wefts: side,
    spacing: { warp: spacing, weft: spacing },
    radius: { warp: radius, weft: radius },
    crimp: { warp: 0, weft: 0 },
  });
  const layer = {
    name: 'cloth',
    spacing,
    shearStiffness: 1e-2,
    wrappingStiffness: 0,
    parallelStiffness: EA / spacing ** 2,
    frictionStiffness: (0.1 * EA) / spacing,
    preload: 1e-3,
  };
  const fabric = new Fabric({
    id: 'cloth',
    net: createWovenNet(yarns),
    materials: [{ linearDensity: 6e-3, stretchStiffness: EA, bendingStiffness: 1e-6, radius }],
    layers: [layer],
    friction: Float64Array.of(0.3),
    bodyFriction: 0.3,
  });
  const drivers = [0, side - 1].map((label) => createPin({ model: fabric, label }));
  const world = new World({ models: [fabric], drivers, timeStep });
  const start = world.energy().total;
  let [largest, kinetic] = [0, 0];
  const gain = () => {
    const now = world.energy();
    largest = Math.max(largest, now.total - start);
    kinetic = Math.max(kinetic, now.kinetic);
    return kinetic > 0 ? largest / kinetic : 0;
  };
  return { world, gain };
}

/** What the rows must show: {demand, value, limit, holds}. */
export function checkDemands(rows, scaling) {
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  for (const { crossings, msPerStep, limit, smallGain, gain } of scaling) {
    if (limit !== null) demand(`ms per step, ${crossings} crossings`, msPerStep, limit);
    demand(`energy gained at 1 ms over the kinetic, ${crossings} crossings`, gain, 1e-3);
    demand(`energy gained at 0.1 ms over the kinetic, ${crossings} crossings`, smallGain, 1e-3);
  }
  const full = rows.find(({ scene, share }) => scene === 'tablecloth' && share === 1);
  if (full !== undefined) {
    demand("seconds per step, tablecloth at the paper's size", full.secondsPerStep, 15.9);
    if (!Number.isNaN(full.ratio)) demand('cost of a node at 100 % over that at 10 %, tablecloth', full.ratio, 1.5);
  }
  return demands;
}
