/** Stiffnesses of the continuum that no other law shows: of sand and goo, of fluids, and of cloth and hair that bend. */

import {
  BulkWork,
  CurveBending,
  computeBulkEnergy,
  computeFluidLaw,
  computeGooLaw,
  computePressure,
  computeSandLaw,
  SurfaceBending,
} from '../mpm/index.ts';
import { faultOf, type ValueLaw } from './law.ts';
import { CLOTH_MATERIAL, createClothPart } from './mpm-parts.ts';

const [YOUNG, POISSON] = [1e6, 0.3];

export const MPM_BULK: ValueLaw = {
  name: 'mpm-bulk',
  model: 'mpm',
  kind: 'value',
  title:
    'sand and goo pressed along one direction store ½ E (1 − ν)/((1 + ν)(1 − 2ν)) ε² per volume, to second order in ε',
  source: 'Hooke',
  parameter: 'ε [1]',
  parameters: [-0.003, -0.001],
  quantity: 'energy of the one farther off [J/m³]',
  stiffnesses: ['E'],
  predict: (strain) => (0.5 * YOUNG * (1 - POISSON) * strain ** 2) / ((1 + POISSON) * (1 - 2 * POISSON)),
  measure(strain, _, faults) {
    const base = { density: 1600, youngsModulus: YOUNG * faultOf(faults, 'E'), poissonRatio: POISSON };
    const F = Float64Array.of(1 + strain, 0, 0, 0, 1, 0, 0, 0, 1);
    const laws = [
      computeSandLaw({ ...base, type: 'sand', frictionAngle: 0.5 }),
      computeGooLaw({ ...base, type: 'goo', yieldStress: Number.POSITIVE_INFINITY, viscosity: 0 }),
    ];
    const exact = this.predict(strain);
    return laws
      .map((law) => computeBulkEnergy(F, 0, law, new BulkWork()))
      .reduce((worst, one) => (Math.abs(one - exact) > Math.abs(worst - exact) ? one : worst));
  },
};

const MODULUS = 1e5;

export const MPM_FLUID: ValueLaw = {
  name: 'mpm-fluid',
  model: 'mpm',
  kind: 'value',
  title: 'a fluid of bulk modulus κ has the pressure κ (ρ/ρ₀ − 1), to first order in the density',
  source: 'Tait 1888',
  parameter: 'ρ/ρ₀ − 1 [1]',
  parameters: [0.0005, 0.001, 0.002],
  quantity: 'pressure [Pa]',
  stiffnesses: ['K'],
  predict: (denser) => MODULUS * denser,
  measure(denser, _, faults) {
    const law = computeFluidLaw({ type: 'fluid', density: 1000, bulkModulus: MODULUS * faultOf(faults, 'K') });
    return computePressure(1 / (1 + denser), law);
  },
};

const [RIGIDITY, BEND] = [2e-4, 3e-6];
const SIZE = 0.02;

/** x bent about z to a curvature. */
const bendX = (x: ArrayLike<number>, kappa: number): Float64Array =>
  Float64Array.from(x, (value, k) => {
    const angle = kappa * x[k - (k % 3)];
    return k % 3 === 0 ? Math.sin(angle) / kappa : k % 3 === 1 ? (1 - Math.cos(angle)) / kappa : value;
  });

export const MPM_CLOTH_BENDING: ValueLaw = {
  name: 'mpm-cloth-bending',
  model: 'mpm',
  kind: 'value',
  title: 'cloth on a cylinder stores ½ D κ² per area, away from its border',
  source: 'Kirchhoff 1850',
  parameter: 'κ [1/m]',
  parameters: [1, 3],
  quantity: 'energy per area [J/m²]',
  stiffnesses: ['D'],
  predict: (kappa) => 0.5 * RIGIDITY * kappa ** 2,
  measure(kappa, _, faults) {
    const energyOf = (cells: number): number => {
      const { x, triangles } = createClothPart(cells, 4, SIZE, 0, 0, CLOTH_MATERIAL);
      const gain = new Float64Array(triangles.length / 3);
      const rigidity = RIGIDITY * faultOf(faults, 'D');
      return new SurfaceBending(Int32Array.from(triangles), x, rigidity, CLOTH_MATERIAL.poissonRatio, gain, 0).set(
        bendX(x, kappa),
      );
    };
    // what a longer strip has more
    return (energyOf(12) - energyOf(8)) / (4 * 4 * SIZE * SIZE);
  },
};

export const MPM_HAIR_BENDING: ValueLaw = {
  name: 'mpm-hair-bending',
  model: 'mpm',
  kind: 'value',
  title: 'a hair on a circle stores ½ EI κ² per length, away from its ends',
  source: 'Euler–Bernoulli',
  parameter: 'κ [1/m]',
  parameters: [1, 3],
  quantity: 'energy per length [J/m]',
  stiffnesses: ['EI'],
  predict: (kappa) => 0.5 * BEND * kappa ** 2,
  measure(kappa, _, faults) {
    const segments = 10;
    const x = Array.from({ length: 3 * (segments + 1) }, (_, k) => (k % 3 === 0 ? (SIZE * k) / 3 : 0));
    const pairs = Int32Array.from({ length: 2 * segments }, (_, k) => (k + 1) >> 1);
    const bending = new CurveBending(pairs, x, BEND * faultOf(faults, 'EI'), new Float64Array(segments), 0);
    return bending.set(bendX(x, kappa)) / ((segments - 1) * SIZE);
  },
};
