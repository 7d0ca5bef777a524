/**
 * An elastic cable at rest between two supports at different heights [Irvine 1981, §2]. With w = ρA g per
 * material length, H the horizontal tension and V the vertical one at the first support, at material coordinate s
 *     x(s) = H s/EA + (H/w) [asinh(V/H) − asinh((V − w s)/H)]
 *     y(s) = −(V s − w s²/2)/EA − (1/w) [√(H² + V²) − √(H² + (V − w s)²)]            (y along −gravity)
 */

import type { World } from '../world/index.ts';
import { faultOf, type ValueLaw } from './law.ts';
import { createWorld, unevenFractions } from './measure.ts';
import { placeTilted, tiltGravity } from './strand-motion.ts';

const [G, DENSITY] = [9.81, 0.05];

/** A cable by its supports, stiffness and length. */
export interface Cable {
  readonly EA: number;
  readonly span: number;
  readonly rise: number;
  readonly length: number;
}

const place = (EA: number, H: number, V: number, s: number): [number, number] => {
  const w = DENSITY * G;
  return [
    (H * s) / EA + (H / w) * (Math.asinh(V / H) - Math.asinh((V - w * s) / H)),
    -(V * s - (w * s * s) / 2) / EA - (Math.hypot(H, V) - Math.hypot(H, V - w * s)) / w,
  ];
};

/** Place in the plane of the cable at material coordinate s; H and V by Newton with differences. */
export function solveCable({ EA, span, rise, length }: Cable): (s: number) => [number, number] {
  const w = DENSITY * G;
  let [H, V] = [w * length, (w * length) / 2];
  const d = 1e-6 * w * length;
  for (let k = 0; k < 100; k++) {
    const [x, y] = place(EA, H, V, length);
    const [xh, yh] = place(EA, H + d, V, length);
    const [xv, yv] = place(EA, H, V + d, length);
    const [a, b, c, e] = [(xh - x) / d, (xv - x) / d, (yh - y) / d, (yv - y) / d];
    const det = a * e - b * c;
    H -= 0.7 * ((e * (x - span) - b * (y - rise)) / det);
    V -= 0.7 * ((a * (y - rise) - c * (x - span)) / det);
    H = Math.max(H, 1e-3 * w * length);
  }
  return (s) => place(EA, H, V, s);
}

/** A cable of `count` uneven nodes, at rest, in its plane's axes of `placeTilted`. */
export function hangCable({ EA, span, rise, length }: Cable, count: number): World {
  const fractions = unevenFractions(count);
  const world = createWorld({
    gravity: tiltGravity(G),
    objects: [
      {
        type: 'strand',
        id: 'cable',
        material: { radius: 0.002, linearDensity: DENSITY, stretchStiffness: EA, bendingStiffness: 0 },
        points: fractions.map((s) => placeTilted(-(rise * s - 1.2 * s * (1 - s)), span * s)),
        restLength: length,
        nodes: fractions,
        damping: { mass: 4, stiffness: 0 },
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'cable', at: 'start' } },
      { type: 'pin', on: { object: 'cable', at: 'end' } },
    ],
    time: { step: 0.05, duration: 100 },
    solver: { newtonIterations: 40 },
  });
  for (let n = 0; n < 600; n++) {
    world.step();
    if (n > 20 && world.energy().kinetic < 1e-17) return world;
  }
  throw new Error(`the cable does not come to rest: ${world.energy().kinetic} J`);
}

const CABLE = { span: 1, rise: -0.2, length: 1.1 } as const;

export const STRAND_CATENARY: ValueLaw = {
  name: 'strand-catenary',
  model: 'strand',
  kind: 'value',
  title: 'a hanging strand is an elastic catenary',
  source: 'Irvine 1981, §2',
  parameter: 'EA [N]',
  parameters: [2, 5, 20, 100, 1e4],
  quantity: 'depth of its centre of mass below the first support [m]',
  stiffnesses: ['EA'],
  resolution: { name: 'nodes', values: [11, 21, 41] },
  order: 1.5,
  plot: { isLogarithmicX: true },
  predict(EA) {
    const at = solveCable({ EA, ...CABLE });
    const points = 2000;
    const depth = (k: number) => -at((CABLE.length * (k + 0.5)) / points)[1];
    return Array.from({ length: points }, (_, k) => depth(k)).reduce((sum, one) => sum + one) / points;
  },
  measure(EA, nodes, faults) {
    const world = hangCable({ EA: EA * faultOf(faults, 'EA'), ...CABLE }, nodes);
    return -world.energy().gravity / (DENSITY * CABLE.length * G);
  },
};
