/**
 * Speed of the continuum in single precision, in two tables.
 *
 * Scenes: the rows of Table 2 of [Jiang 2017] with their materials, spacings and longest steps, at some 60,000 particles: sheets or fibres, with sand or goo where the paper has some, fall onto a ball.
 * Seconds a frame of 1/24 s, particles · substeps a second of processor time on one thread, time on two threads over that on one (by the clock, in turn, the quickest turn of each), and whether both end with the same bits;
 * memory a particle: of the kernels, and with the particles in double precision that are seen from outside. A row is bulk, surface or curve, as most of its particles are; all of them count, quadrature particles and vertices.
 *
 * Scaling: a column of sand of growing size.
 */
import { Body, SphereShape } from 'heddle/bodies';
import { createPaperCurve, createPaperSurface, PAPER_MATERIALS, SingleContinuum } from 'heddle/mpm';
import { readProcessorTime } from './peers-load.js';

/** Particles of the columns of sand. */
export const sizes = [10_000, 100_000, 1_000_000];
export const smallestSize = 1000;

const PARTICLES = 60_000;
const FRAME = 1 / 24;
const WARM_UP = 8;
const STEPS = 24;
const TURNS = 3;

/** What is asked for: particles · substeps a second and thread. */
const DEMANDS = { bulk: 5e6, surface: 3e6, curve: 2e6 };

/** Rows of Table 2: seconds a frame, millions of particles, memory [GB]; and what shares the grid with the elements. */
const PAPER = {
  'cloth-curtain': [120, 2.67, 2.36],
  'cloth-curtains': [123, 2.09, 2.16],
  'cloth-ball': [86, 3, 2.66],
  'cloth-twister': [78, 1.71, 1.63],
  'knit-sweater': [13, 0.54, 0.39],
  'knit-poncho': [63, 0.61, 0.56],
  'knit-twister': [10, 0.62, 0.45],
  'knit-curtain': [17, 0.62, 0.99],
  'knit-anisotropy': [38, 0.62, 0.46],
  'shag-carpet': [26, 0.97, 0.65],
  'tearing-fibre': [29, 2.15, 1.09],
  'hair-tubes': [11, 0.76, 0.2],
  'curtain-goo': [62, 2.59, 0.83, 'goo'],
  'cloth-slime': [47, 1.88, 0.59, 'goo'],
  'curtain-sand': [85, 2.9, 1.36, 'sand'],
  'cloth-sand': [876, 7.23, 3.13, 'sand'],
};

const BULK = {
  sand: { type: 'sand', density: 1600, youngsModulus: 1e5, poissonRatio: 0.3, frictionAngle: 0.6 },
  goo: { type: 'goo', density: 1000, youngsModulus: 2e4, poissonRatio: 0.3, yieldStress: 20, viscosity: 2 },
};

/** Rows of Table 2, each as soon as it is measured. */
export function* measureScenes(steps = STEPS) {
  for (const material of PAPER_MATERIALS) yield measureScene(material, steps);
}

function measureScene(material, steps) {
  const { name, spacing, step } = material;
  const [frame, millions, gigabytes, bulk] = PAPER[name];
  const kind = bulk === undefined ? material.type : 'bulk';
  const create = (threads) => new SingleContinuum({ ...createScene(material, bulk), threads });
  const [one, two] = [create(1), create(2)];
  let taken = 0;
  for (let n = 0; n < WARM_UP; n++) for (const model of [one, two]) model.step(step);
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let processor = Number.POSITIVE_INFINITY;
  let length = 0;
  const many = Math.max(1, Math.round(steps / TURNS));
  for (let turn = 0; turn < TURNS; turn++) {
    [one, two].forEach((model, k) => {
      const [begin, clock] = [readProcessorTime(), performance.now()];
      for (let n = 0; n < many; n++) {
        const h = model.step(step);
        if (k === 0) length += h;
      }
      best[k] = Math.min(best[k], (performance.now() - clock) / 1000 / many);
      if (k === 0) processor = Math.min(processor, (readProcessorTime() - begin) / 1000 / many);
    });
    taken += many;
  }
  const { count } = one.points;
  const hashes = [one, two].map(hashState);
  const row = {
    scene: name,
    kind,
    particles: count,
    spacing,
    step: length / taken,
    steps: taken,
    secondsPerStep: processor,
    secondsPerFrame: (processor * FRAME * taken) / length,
    particleStepsPerSecondPerThread: count / processor,
    twoThreads: best[1] / best[0],
    sharedParts: two.sharedParts,
    hash: hashes[0],
    hashOfTwoThreads: hashes[1],
    kernelBytesPerParticle: one.byteLength / count,
    bytesPerParticle: (one.byteLength + measurePoints(one.points)) / count,
    paper: { secondsPerFrame: frame, particles: 1e6 * millions, bytes: 1e9 * gigabytes },
  };
  two.dispose();
  return row;
}

/** Bytes of the particles as they are seen from outside. */
function measurePoints({ x, v, C, mass, group, volume, F, gain, rest }) {
  return [x, v, C, mass, group, volume, F, gain, rest].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** All bits of a state in 32 bits (FNV-1a). */
function hashState({ points: { x, v, C, F, gain } }) {
  let hash = 0x811c9dc5;
  for (const { buffer, byteOffset, byteLength } of [x, v, C, F, gain])
    for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Elements of a row above a ball; with `bulk` nine parts in ten are a heap of it on top of them. */
function createScene(material, bulk) {
  const { spacing, name, type } = material;
  const share = bulk === undefined ? 1 : 0.1;
  const part = type === 'surface' ? createSheets(name, spacing, share) : createFibres(name, spacing, share);
  const side = part.side;
  const parts = [part];
  if (bulk !== undefined) parts.push(createHeap(bulk, spacing, PARTICLES * (1 - share), part.top + 2 * spacing));
  const ball = new Body({
    id: 'ball',
    shape: new SphereShape(0.3 * side),
    position: [0, -0.3 * side - spacing, 0],
  });
  return { spacing, gravity: [0, -9.81, 0], parts, obstacles: [{ body: ball, friction: 0.2 }] };
}

/** Layers of wavy squares, an edge 0.7 of a cell; as many particles as the share asks for. */
function createSheets(name, spacing, share) {
  const layers = share < 1 ? 1 : 4;
  const edge = 0.7 * spacing;
  const n = Math.round(Math.sqrt((PARTICLES * share) / 3 / layers));
  const [x, triangles] = [[], []];
  for (let layer = 0; layer < layers; layer++) {
    const first = x.length / 3;
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n; j++) {
        const y = 1.5 * spacing * layer + 0.5 * spacing * Math.sin(0.3 * i) * Math.cos(0.2 * j);
        x.push(edge * (i - n / 2), y, edge * (j - n / 2));
      }
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const a = first + i * (n + 1) + j;
        triangles.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
      }
  }
  const material = createPaperSurface(name, 0.2 * spacing);
  return { material, x, triangles, side: n * edge, top: 1.5 * spacing * layers };
}

/** Layers of wavy fibres side by side, half a cell apart, segments 0.7 of a cell. */
function createFibres(name, spacing, share) {
  const layers = 8;
  const n = Math.round(Math.sqrt((PARTICLES * share) / 2 / layers));
  const [x, segments] = [[], []];
  for (let layer = 0; layer < layers; layer++)
    for (let i = 0; i < n; i++)
      for (let k = 0; k <= n; k++) {
        if (k > 0) segments.push(x.length / 3 - 1, x.length / 3);
        const y = 0.6 * spacing * layer + 0.3 * spacing * Math.sin(0.4 * k + i);
        x.push(0.7 * spacing * (k - n / 2), y, 0.5 * spacing * (i - n / 2));
      }
  const material = createPaperCurve(name, 0.2 * spacing);
  return { material, x, segments, side: 0.5 * spacing * n, top: 0.6 * spacing * layers };
}

/** A heap of about so many particles, two along the side of a cell, from a height on. */
function createHeap(type, spacing, count, height) {
  const size = 0.5 * spacing;
  const n = Math.round(Math.cbrt(count));
  const x = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k < n; k++) x.push(size * (i - n / 2), height + size * j, size * (k - n / 2));
  return { material: BULK[type], x, volume: size ** 3 };
}

/** Rows of columns of sand. */
export function* measureScaling(wanted = sizes) {
  for (const size of wanted) {
    const model = new SingleContinuum({
      spacing: 0.02,
      gravity: [0, -9.81, 0],
      parts: [createHeap('sand', 0.02, size, 0)],
      threads: 1,
    });
    for (let n = 0; n < 3; n++) model.step(1);
    const steps = Math.max(3, Math.round(1e6 / size));
    let best = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < TURNS; turn++) {
      const begin = readProcessorTime();
      for (let n = 0; n < steps; n++) model.step(1);
      best = Math.min(best, (readProcessorTime() - begin) / 1000 / steps);
    }
    const { count } = model.points;
    yield {
      particles: count,
      secondsPerStep: best,
      particleStepsPerSecondPerThread: count / best,
      bytesPerParticle: (model.byteLength + measurePoints(model.points)) / count,
      processBytes: process.memoryUsage().rss,
    };
  }
}

/** What the rows must show: {demand, value, limit, holds}; rates as nanoseconds, the slowest row of each kind. */
export function checkDemands(rows, scaling) {
  const demands = [];
  const demand = (text, value, limit) => demands.push({ demand: text, value, limit, holds: value <= limit });
  for (const [kind, rate] of Object.entries(DEMANDS)) {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) continue;
    const slowest = Math.min(...own.map((row) => row.particleStepsPerSecondPerThread));
    demand(`nanoseconds a particle and substep on one thread, ${kind}, slowest row`, 1e9 / slowest, 1e9 / rate);
  }
  if (rows.length > 0) {
    const ratios = rows.map(({ twoThreads }) => twoThreads).sort((a, b) => a - b);
    demand('time on two threads over that on one, median row', ratios[ratios.length >> 1], 1 / 1.6);
    const different = rows.filter((row) => row.hash !== row.hashOfTwoThreads).length;
    demand('rows whose bits differ on two threads', different, 0);
  }
  const million = scaling.find(({ particles }) => particles >= 9e5);
  if (million !== undefined) demand('bytes of the process with a million particles', million.processBytes, 4e9);
  return demands;
}
