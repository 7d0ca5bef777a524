/** Elements of the continuum: stretch, friction of what is pressed together, turns, and yielding, which never gains energy. */

import { computeQr3x3, createRandom, mat3FromQuaternion, normalizeQuaternion } from '../math/index.ts';
import {
  BulkWork,
  type CurveMaterial,
  CurveWork,
  computeBulkEnergy,
  computeCurveEnergy,
  computeCurveLaw,
  computeElasticEnergy,
  computeSandLaw,
  computeSurfaceEnergy,
  computeSurfaceLaw,
  Points,
  projectCurve,
  projectSand,
  projectSurface,
  StressWork,
  type SurfaceMaterial,
  writeStresses,
} from '../mpm/index.ts';
import { type Faults, faultOf, type ThresholdLaw, type ValueLaw } from './law.ts';
import { CLOTH_MATERIAL, createClothPart, createHairPart, HAIR_MATERIAL } from './mpm-parts.ts';

const scaleHair = (faults: Faults): CurveMaterial => ({
  ...HAIR_MATERIAL,
  fibreStiffness: HAIR_MATERIAL.fibreStiffness * faultOf(faults, 'k'),
});

const scaleCloth = (faults: Faults): SurfaceMaterial => ({
  ...CLOTH_MATERIAL,
  youngsModulus: CLOTH_MATERIAL.youngsModulus * faultOf(faults, 'E'),
  normalStiffness: CLOTH_MATERIAL.normalStiffness * faultOf(faults, 'k'),
  shearStiffness: CLOTH_MATERIAL.shearStiffness * faultOf(faults, 'gamma'),
});

const stretchX = (x: ArrayLike<number>, share: number): number[] =>
  Array.from(x, (value, k) => (k % 3 === 0 ? value * share : value));

const SIZE = 0.02;

export const MPM_HAIR: ValueLaw = {
  name: 'mpm-hair',
  model: 'mpm',
  kind: 'value',
  title: 'a hair pulls as a strand of EA = k π r² does: T = EA (λ − 1)',
  source: 'docs/reference/mpm.md',
  parameter: 'λ [1]',
  parameters: [0.7, 0.95, 1.02, 1.5],
  quantity: 'tension [N]',
  stiffnesses: ['k'],
  tolerance: 1e-9,
  predict: (stretch) => HAIR_MATERIAL.fibreStiffness * Math.PI * HAIR_MATERIAL.radius ** 2 * (stretch - 1),
  measure(stretch, _, faults) {
    const part = createHairPart(1, 5, SIZE, 0, 0, scaleHair(faults));
    const points = new Points([{ ...part, rest: part.x, x: stretchX(part.x, stretch) }]);
    const [stress, force] = [new Float64Array(45), new Float64Array(18)];
    writeStresses(points, 'full', stress, force, new StressWork());
    return force[0];
  },
};

export const MPM_CLOTH: ValueLaw = {
  name: 'mpm-cloth',
  model: 'mpm',
  kind: 'value',
  title: 'a cloth stretched along one direction stores ½ E t/(1 − ν²) ε² per area, to second order in ε',
  source: 'Hooke',
  parameter: 'ε [1]',
  parameters: [-0.002, 0.001, 0.003],
  quantity: 'energy per area [J/m²]',
  stiffnesses: ['E'],
  predict: (strain) =>
    (0.5 * CLOTH_MATERIAL.youngsModulus * CLOTH_MATERIAL.thickness * strain ** 2) /
    (1 - CLOTH_MATERIAL.poissonRatio ** 2),
  measure(strain, _, faults) {
    const part = createClothPart(4, 3, SIZE, 0, 0, scaleCloth(faults));
    const points = new Points([{ ...part, rest: part.x, x: stretchX(part.x, 1 + strain) }]);
    return computeElasticEnergy(points, new StressWork()) / (12 * SIZE * SIZE);
  },
};

export const MPM_SLIP: ThresholdLaw = {
  name: 'mpm-slip',
  model: 'mpm',
  kind: 'threshold',
  title: 'layers pressed to r₃₃ slip on each other where γ s reaches tan Φ k (1 − r₃₃)²',
  source: 'Coulomb 1785; Jiang et al. 2017, §4.5',
  parameter: 'compression 1 − r₃₃ [1]',
  parameters: [0.05, 0.1, 0.2],
  quantity: 'shear s at which they slip [1]',
  stiffnesses: ['k', 'gamma'],
  predict: (pressed) =>
    (Math.tan(CLOTH_MATERIAL.frictionAngle) * CLOTH_MATERIAL.normalStiffness * pressed ** 2) /
    CLOTH_MATERIAL.shearStiffness,
  givesWay(pressed, shear, _, faults) {
    const r = Float64Array.of(1, 0, 0.6 * shear, 0, 1, 0.8 * shear, 0, 0, 1 - pressed);
    return projectSurface(r, computeSurfaceLaw(scaleCloth(faults)));
  },
};

/** Turned by a random rotation. */
function turn(x: ArrayLike<number>, seed: number): number[] {
  const random = createRandom(seed);
  const q = normalizeQuaternion([random.normal(), random.normal(), random.normal(), random.normal()]);
  const m = mat3FromQuaternion(q, new Float64Array(9));
  return Array.from(x, (_, k) => {
    const [o, row] = [3 * Math.floor(k / 3), 3 * (k % 3)];
    return m[row] * x[o] + m[row + 1] * x[o + 1] + m[row + 2] * x[o + 2];
  });
}

export const MPM_TURN: ValueLaw = {
  name: 'mpm-turn',
  model: 'mpm',
  kind: 'value',
  title: 'cloth that is turned has no stress: its energy is none, whatever the turn',
  source: 'docs/reference/mpm.md',
  parameter: 'seed of the turn [1]',
  parameters: [1, 2, 3],
  quantity: 'energy over E times the volume [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  scale: () => 1,
  predict: () => 0,
  measure(seed) {
    const part = createClothPart(4, 3, SIZE, 0, 0, CLOTH_MATERIAL);
    const points = new Points([{ ...part, rest: part.x, x: turn(part.x, seed) }]);
    const volume = 12 * SIZE * SIZE * CLOTH_MATERIAL.thickness;
    return computeElasticEnergy(points, new StressWork()) / (CLOTH_MATERIAL.youngsModulus * volume);
  },
};

/** Random deformations of a strain. */
const SAMPLES = 2000;

export const MPM_YIELD: ValueLaw = {
  name: 'mpm-yield',
  model: 'mpm',
  kind: 'value',
  title: 'yielding of cloth, hair and sand never gains energy',
  source: 'Jiang et al. 2017, Klár et al. 2016',
  parameter: 'strain [1]',
  parameters: [0.05, 0.2, 0.5],
  quantity: 'largest gain over the energy before [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  scale: () => 1,
  predict: () => 0,
  measure(strain) {
    const random = createRandom(7);
    const [surface, curve] = [computeSurfaceLaw(CLOTH_MATERIAL), computeCurveLaw(HAIR_MATERIAL)];
    const sand = computeSandLaw({
      type: 'sand',
      density: 1600,
      youngsModulus: 1e6,
      poissonRatio: 0.3,
      frictionAngle: 0.5,
    });
    const [curveWork, bulkWork, gain] = [new CurveWork(), new BulkWork(), new Float64Array(1)];
    let [largest, yielded] = [0, 0];
    const note = (before: number, after: number, hasYielded: boolean): void => {
      if (hasYielded) yielded++;
      if (before > 0) largest = Math.max(largest, (after - before) / before);
    };
    for (let n = 0; n < SAMPLES; n++) {
      const F = Float64Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + random.uniform(-strain, strain));
      const { q, r } = computeQr3x3(F);
      const own = r.slice();
      const surfaceBefore = computeSurfaceEnergy(own, surface);
      const hasSlipped = projectSurface(own, surface);
      note(surfaceBefore, computeSurfaceEnergy(own, surface), hasSlipped);
      const curveBefore = computeCurveEnergy(r, curve, curveWork);
      const hasSlid = projectCurve(q, r, curve, curveWork, true);
      note(curveBefore, computeCurveEnergy(r, curve, curveWork), hasSlid);
      gain[0] = 0;
      const sandBefore = computeBulkEnergy(F, 0, sand, bulkWork);
      const hasFlown = projectSand(F, 0, gain, 0, sand, bulkWork);
      note(sandBefore, computeBulkEnergy(F, 0, sand, bulkWork), hasFlown);
    }
    if (yielded < SAMPLES / 4) throw new Error(`only ${yielded} of ${3 * SAMPLES} have yielded`);
    return largest;
  },
};
