/** Rods whose material points move: where they go, and what that gains. */

import { computeCurvature, Rod, type RodOptions } from '../rod/index.ts';
import { World } from '../world/index.ts';
import { shootElastica } from './elastica.ts';
import type { ValueLaw } from './law.ts';
import { clampStart, createRodMaterial, readPoint, settleRod } from './rods.ts';

const WEIGHT = 1000;
const RISE = 0.3;
/** Length of the first, clamped segment: the clamp acts at its middle, in every rod alike. */
const CLAMPED = 0.002;

/** A cantilever with w L³/EI = 1000 and n nodes, at rest. */
export function hangCantilever(n: number, sliding: RodOptions['sliding']): Rod {
  const length = 1 + CLAMPED / 2;
  const first = CLAMPED / length;
  const [c, s] = [Math.cos(RISE), Math.sin(RISE)];
  const rod = new Rod({
    id: 'rod',
    material: createRodMaterial(),
    points: [
      [(-CLAMPED / 2) * c, (-CLAMPED / 2) * s, 0],
      [c, s, 0],
    ],
    segments: [0, ...Array.from({ length: n - 1 }, (_, i) => first + ((1 - first) * i) / (n - 2))],
    keep: [first],
    gravity: [0, -WEIGHT, 0],
    damping: { mass: 2 + 2 * Math.sqrt(WEIGHT), stiffness: 0.002 },
    sliding,
  });
  settleRod(new World({ models: [rod], drivers: [clampStart(rod)], timeStep: 0.02 }), rod, 1e-6);
  return rod;
}

/** Largest distance to the elastica, over all material coordinates. */
export function measureElasticaError(rod: Rod, steps = 4000): number {
  const { along, across } = shootElastica(WEIGHT, 0, Math.PI / 2 + RISE, steps);
  let largest = 0;
  for (let k = 0; k <= steps; k++) {
    const [x, y, z] = readPoint(rod, CLAMPED / 2 + 1 - k / steps);
    largest = Math.max(largest, Math.hypot(x - across[steps] + across[k], y + along[steps] - along[k], z));
  }
  return largest;
}

const CONTRAST = 1000;

export const ROD_ADAPTIVE: ValueLaw = {
  name: 'rod-adaptive',
  model: 'rod',
  kind: 'value',
  title: 'material points that move make a strongly bent rod more accurate: at most half of the error of even spacing',
  source: 'Wen 2020',
  parameter: 'nodes [1]',
  parameters: [8, 16, 32],
  quantity: 'largest distance to the elastica, over that of even spacing [1]',
  stiffnesses: [],
  tolerance: 0.5,
  scale: () => 1,
  predict: () => 0,
  measure: (nodes) =>
    measureElasticaError(hangCantilever(nodes, { contrast: CONTRAST, rate: 10 })) /
    measureElasticaError(hangCantilever(nodes, false)),
};

export const spacingOf = ({ chain: { q } }: Rod, e: number): number => q[4 * e + 7] - q[4 * e + 3];

/** θ at each node, smoothed twice as it is used, and as it is. */
export function computeDensity(rod: Rod, contrast: number): { readonly smooth: number[]; readonly bare: number[] } {
  const { count } = rod.chain;
  const l = rod.state.restLength / (count - 1);
  const bare = Array.from({ length: count }, (_, n) => {
    const i = Math.max(1, Math.min(count - 2, n));
    return 1 + (contrast - 1) * ((computeCurvature(rod.state, i) * l) / Math.PI) ** 2;
  });
  const smooth = (theta: readonly number[]) =>
    theta.map((one, i) => (i > 0 && i < count - 1 ? 0.25 * (theta[i - 1] + 2 * one + theta[i + 1]) : one));
  return { smooth: smooth(smooth(bare)), bare };
}

/** Largest over least of θ Δu², less 1, beyond the clamped segment. */
export function measureSpread(rod: Rod, theta: readonly number[]): number {
  const shares = Array.from(
    { length: rod.chain.count - 2 },
    (_, e) => 0.5 * (theta[e + 1] + theta[e + 2]) * spacingOf(rod, e + 1) ** 2,
  );
  return Math.max(...shares) / Math.min(...shares) - 1;
}

export const ROD_EQUIDISTRIBUTION: ValueLaw = {
  name: 'rod-equidistribution',
  model: 'rod',
  kind: 'value',
  title: 'material points gather where the rod bends: θ Δu² is the same everywhere, θ = 1 + (contrast − 1)(κ ℓ/π)²',
  source: 'Wen 2020, Eqs. 13, 14',
  parameter: 'nodes [1]',
  parameters: [32, 64],
  quantity: 'largest over least θ Δu², less 1 [1]',
  stiffnesses: [],
  scale: () => 1,
  predict: () => 0,
  measure(nodes) {
    const rod = hangCantilever(nodes, { contrast: CONTRAST, rate: 10 });
    if (spacingOf(rod, nodes - 2) < 3 * spacingOf(rod, 1)) throw new Error('material points have not gathered');
    return measureSpread(rod, computeDensity(rod, CONTRAST).smooth);
  },
};
