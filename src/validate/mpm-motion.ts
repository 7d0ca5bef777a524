/** The continuum in motion: fall, momenta, a hair that rings, friction on a plane, heaps of sand. */

import { Body, PlaneShape } from '../bodies/index.ts';
import { addPointMomentum, type BulkPart, Continuum, computeMass, createContinuum } from '../mpm/index.ts';
import { faultOf, type ThresholdLaw, type ValueLaw } from './law.ts';
import { CLOTH_MATERIAL, createClothPart, createHairPart, createWalls, HAIR_MATERIAL } from './mpm-parts.ts';
import { createSlideLaw, createSlopeLaw } from './shared-laws.ts';

const G = 9.81;

/** Particles of a block, `size` apart, between two corners. */
function createBlock(from: readonly number[], to: readonly number[], size: number): number[] {
  const x: number[] = [];
  for (let a = from[0] + size / 2; a < to[0]; a += size)
    for (let b = from[1] + size / 2; b < to[1]; b += size)
      for (let c = from[2] + size / 2; c < to[2]; c += size) x.push(a, b, c);
  return x;
}

const createFluid = (from: readonly number[], to: readonly number[], size: number): BulkPart => ({
  material: { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 0.1 },
  x: createBlock(from, to, size),
  volume: size ** 3,
});

const momentumOf = (model: Continuum): Float64Array => {
  const out = new Float64Array(6);
  addPointMomentum(model.points, model.spread, out);
  return out;
};

export const MPM_FALL: ValueLaw = {
  name: 'mpm-fall',
  model: 'mpm',
  kind: 'value',
  title: 'cloth, hair and fluid fall freely by ½ g t (t + h), the recurrence of symplectic Euler',
  source: 'Galileo',
  parameter: 'g [m/s²]',
  parameters: [1.62, 9.81],
  quantity: 'fall in 0.05 s of the particle that is farthest from it [m]',
  stiffnesses: [],
  tolerance: 1e-9,
  predict: (g) => 0.5 * g * 0.05 * (0.05 + 1e-4),
  measure(g) {
    const model = new Continuum({
      spacing: 0.03,
      gravity: [0, -g, 0],
      parts: [
        createClothPart(4, 4, 0.02, 0, 0, CLOTH_MATERIAL),
        createHairPart(2, 4, 0.02, 0, 0.1, HAIR_MATERIAL),
        createFluid([0, 0.2, 0], [0.03, 0.23, 0.03], 0.01),
      ],
    });
    const { points } = model;
    const before = points.x.slice();
    for (let n = 0; n < 500; n++) model.step(1e-4);
    const ideal = 0.5 * g * 0.05 * (0.05 + 1e-4);
    let worst = ideal;
    for (let p = 0; p < points.count; p++) {
      const fallen = before[3 * p + 1] - points.x[3 * p + 1];
      if (Math.abs(fallen - ideal) > Math.abs(worst - ideal)) worst = fallen;
    }
    return worst;
  },
};

export const MPM_AFFINE: ValueLaw = {
  name: 'mpm-affine',
  model: 'mpm',
  kind: 'value',
  title: 'transfers of an affine field are exact: particles and F of a flow v = a x grow by 1 + a h in every step',
  source: 'Jiang et al. 2015',
  parameter: 'a [1/s]',
  parameters: [-5, 5],
  quantity: 'stretch after 20 steps of 1 ms, where it is most off [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  predict: (a) => (1 + 1e-3 * a) ** 20,
  measure(a) {
    const x = createBlock([-0.02, -0.02, -0.02], [0.02, 0.02, 0.02], 0.01);
    // too soft to change the flow
    const material = {
      type: 'goo',
      density: 1100,
      youngsModulus: 1e-9,
      poissonRatio: 0.3,
      yieldStress: Number.POSITIVE_INFINITY,
      viscosity: 0,
    } as const;
    const model = new Continuum({ spacing: 0.02, parts: [{ material, x, volume: 1e-6 }] });
    const { points } = model;
    for (let n = 0; n < 20; n++) {
      for (let k = 0; k < points.x.length; k++) points.v[k] = a * points.x[k];
      for (let p = 0; p < points.count; p++) points.C.set([a, 0, 0, 0, a, 0, 0, 0, a], 9 * p);
      model.step(1e-3);
    }
    const ideal = (1 + 1e-3 * a) ** 20;
    let worst = ideal;
    const note = (stretch: number): void => {
      if (Math.abs(stretch - ideal) > Math.abs(worst - ideal)) worst = stretch;
    };
    for (let k = 0; k < points.x.length; k++) note(points.x[k] / x[k]);
    for (let p = 0; p < points.count; p++) note(points.F[9 * p]);
    return worst;
  },
};

/** Cloth that a fluid hits from below and hair from above, all turning. */
function createMixture(): Continuum {
  const spin = (x: readonly number[], v: readonly number[]): number[] =>
    x.map((_, k) => {
      const o = 3 * Math.floor(k / 3);
      return v[k % 3] + (k % 3 === 0 ? -2 * x[o + 2] : k % 3 === 2 ? 2 * x[o] : 0);
    });
  const cloth = createClothPart(10, 8, 0.02, -0.1, 0, CLOTH_MATERIAL);
  const hair = createHairPart(5, 10, 0.015, -0.07, 0.05, HAIR_MATERIAL);
  const fluid = createFluid([-0.04, -0.09, -0.03], [0.02, -0.03, 0.03], 0.012);
  return new Continuum({
    spacing: 0.02,
    parts: [
      { ...cloth, v: spin(Array.from(cloth.x), [0.3, 0, 0.1]) },
      { ...hair, v: spin(Array.from(hair.x), [0, -1, 0]) },
      { ...fluid, v: spin(Array.from(fluid.x), [0.2, 1, 0]) },
    ],
  });
}

export const MPM_MOMENTUM: ValueLaw = {
  name: 'mpm-momentum',
  model: 'mpm',
  kind: 'value',
  title: 'transfers keep mass and both momenta of cloth, hair and fluid that hit each other',
  source: 'Jiang et al. 2015',
  parameter: 'steps [1]',
  parameters: [50, 200],
  quantity: 'change of momentum and angular momentum, relative [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  scale: () => 1,
  predict: () => 0,
  measure(steps) {
    const model = createMixture();
    const [mass, start] = [computeMass(model.points), momentumOf(model)];
    for (let n = 0; n < steps; n++) model.step(1);
    const end = momentumOf(model);
    const change = (from: number): number =>
      Math.hypot(...[0, 1, 2].map((k) => end[from + k] - start[from + k])) /
      Math.hypot(...start.subarray(from, from + 3));
    return Math.max(change(0), change(3), Math.abs(computeMass(model.points) / mass - 1));
  },
};

const LENGTH = 0.3;

export const MPM_RING: ValueLaw = {
  name: 'mpm-hair-waves',
  model: 'mpm',
  kind: 'value',
  title: 'a stretched hair rings with 2 l √(ρ/k)',
  source: 'd’Alembert 1747',
  parameter: 'k [Pa]',
  parameters: [3e4, 1e5, 3e5],
  quantity: 'period [s]',
  stiffnesses: ['k'],
  resolution: { name: 'cells', values: [24, 48] },
  plot: { isLogarithmicX: true },
  predict: (k) => 2 * LENGTH * Math.sqrt(HAIR_MATERIAL.density / k),
  measure(k, cells, faults) {
    const size = LENGTH / cells;
    const material = { ...HAIR_MATERIAL, fibreStiffness: k * faultOf(faults, 'k'), memory: 1 };
    const part = createHairPart(1, cells, size, -LENGTH / 2, 0.3 * size, material);
    const rest = Array.from(part.x);
    const x = rest.map((value, n) => (n % 3 === 0 ? value + 3e-4 * Math.sin((Math.PI * value) / LENGTH) : value));
    const model = new Continuum({ spacing: size, parts: [{ ...part, rest, x }] });
    const { points } = model;
    const end = 3 * (points.groups[0].firstVertex + cells);
    const h = (2 * LENGTH * Math.sqrt(HAIR_MATERIAL.density / k)) / (33 * cells);
    const times: number[] = [];
    let [last, time] = [points.x[end] - LENGTH / 2, 0];
    while (times.length < 3) {
      const before = time;
      time += model.step(h);
      const now = points.x[end] - LENGTH / 2;
      if (now * last < 0) times.push(before + ((time - before) * last) / (last - now));
      last = now;
    }
    // from a zero to the next but one
    return times[2] - times[0];
  },
};

/** A block on a plane of slope α (gravity is turned instead): acceleration along it from 0.2 to 0.4 s [m/s²]. */
function slideBlock(mu: number, tangent: number): number {
  const slope = Math.atan(tangent);
  const plane = new Body({ id: 'plane', shape: new PlaneShape(), friction: mu });
  const model = new Continuum({
    spacing: 0.02,
    gravity: [G * Math.sin(slope), -G * Math.cos(slope), 0],
    parts: [
      {
        material: {
          type: 'goo',
          density: 1100,
          youngsModulus: 2e4,
          poissonRatio: 0.3,
          yieldStress: Number.POSITIVE_INFINITY,
          viscosity: 0,
          dampingTime: 1e-3,
        },
        x: createBlock([-0.06, -0.005, -0.03], [0.06, 0.035, 0.03], 0.01),
        volume: 1e-6,
      },
    ],
    obstacles: [{ body: plane }],
  });
  const mass = computeMass(model.points);
  model.run(0.2, 1e-3);
  const start = momentumOf(model)[0] / mass;
  model.run(0.2, 1e-3);
  return (momentumOf(model)[0] / mass - start) / 0.2;
}

export const MPM_SLIDE = createSlideLaw('mpm', 'a block', {
  parameters: [0.5, 0.7, 1],
  quantity: 'acceleration [m/s²]; errors relative to g',
  scale: () => G,
  measure: (tangent) => slideBlock(0.4, tangent),
});

/** How much of its height a heap of sand of 30° loses in half a second after it has settled, its half width [m] and slope as given. */
function sinkHeap(half: number, tangent: number): number {
  const spacing = 0.02;
  const size = spacing / 2;
  const block = createBlock([-half, 0, -2 * size], [half, 0.4, 2 * size], size);
  const x: number[] = [];
  for (let k = 0; k < block.length; k += 3)
    if (block[k + 1] < tangent * (half - Math.abs(block[k]))) x.push(block[k], block[k + 1], block[k + 2]);
  const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, 1e-6, 0] });
  const model = createContinuum({
    spacing,
    gravity: [0, -G, 0],
    parts: [
      {
        x,
        volume: size ** 3,
        material: { type: 'sand', density: 1600, youngsModulus: 1e6, poissonRatio: 0.3, frictionAngle: Math.PI / 6 },
      },
    ],
    obstacles: [{ body: floor, condition: 'sticky' }, ...createWalls(0.999 * spacing)],
  });
  const heightOf = (): number =>
    model.points.x.reduce((most, value, k) => (k % 3 === 1 ? Math.max(most, value) : most), 0);
  model.run(0.2);
  const height = heightOf();
  model.run(0.5);
  return 1 - heightOf() / height;
}

/** With much more friction an elastic block bounces as it slides, the more the longer: what it presses with is no longer its weight. */
export const MPM_SLOPE = createSlopeLaw(
  'mpm',
  'a block, which slips as it comes to lie,',
  [0.1, 0.2, 0.4],
  (mu, tangent) => slideBlock(mu, tangent) > 0,
);

/** On cells of a fifteenth of its half width a heap begins to flow little by little: to either side by 7 %, 2°. */
export const MPM_REPOSE: ThresholdLaw = {
  name: 'mpm-repose',
  model: 'mpm',
  kind: 'threshold',
  title: 'a heap of sand stays below its angle of friction, 30°, and flows above; by 2° to either side',
  source: 'Coulomb 1773; Klár et al. 2016',
  parameter: 'half width [m]',
  parameters: [0.3],
  quantity: 'slope at which it flows [1]',
  stiffnesses: [],
  margin: 0.07,
  predict: () => Math.tan(Math.PI / 6),
  givesWay: (half, tangent) => sinkHeap(half, tangent) > 0.01,
};
