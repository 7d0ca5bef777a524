/** Knots in a rod that are pulled tight: only contact keeps them the knots that they are. */

import { computeKnotInvariant } from '../geometry/index.ts';
import { compile, validateScene } from '../scene/index.ts';
import type { World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { readProbe } from './measure.ts';

export const KNOT_RADIUS = 0.005;
/** Weight of what hangs on a slip knot [kg]. */
export const KNOT_MASS = 0.03;

export interface KnotOptions {
  readonly name: string;
  readonly friction: number;
  readonly mode?: 'rh' | 'lagrangian';
  readonly contact?: boolean;
  readonly looseness?: number;
  readonly tail?: number;
  readonly segments?: number;
  readonly step?: number;
  /** Speed at which each end is pulled along the axis; without it the first end is held and a weight hangs on the last [m/s]. */
  readonly speed?: readonly [number, number];
}

/** A rubber cord with a knot, along x or hanging. */
export function createKnotWorld({
  name,
  friction,
  mode = 'rh',
  contact = true,
  speed,
  ...options
}: KnotOptions): World {
  const { looseness = 1.5, tail = 0.06, segments = 60, step = 0.004 } = options;
  const axis = speed ? [1, 0, 0] : [0, -1, 0];
  const at = (end: string) => ({ object: 'cord', at: end });
  return compile(
    validateScene({
      heddle: 1,
      name: 'knot',
      title: 'A knot',
      description: 'A cord with a knot.',
      gravity: speed ? [0, 0, 0] : [0, -9.81, 0],
      materials: { rubber: { density: 1000, radius: KNOT_RADIUS, youngsModulus: 2e6, poissonRatio: 0.4, friction } },
      objects: [
        {
          type: 'rod',
          id: 'cord',
          mode,
          material: 'rubber',
          shape: { type: 'knot', name, looseness, tail, axis },
          segments,
          damping: { mass: 2, stiffness: 0.005 },
          contact: { self: contact, insertsNodes: false },
          masses: speed ? [] : [{ at: 'end', mass: KNOT_MASS }],
        },
      ],
      drivers: speed
        ? ['start', 'end'].map((end, n) => ({ type: 'velocity', on: at(end), value: [speed[n], 0, 0] }))
        : [{ type: 'pin', on: at('start') }],
      probes: [
        { id: 'tension', type: 'tension', on: at('start') },
        { id: 'end', type: 'position', on: at('end') },
        { id: 'cord', type: 'rod', object: 'cord' },
      ],
      time: { step, duration: 10 },
    }),
  );
}

/** Coefficients of the Alexander polynomial of the cord. */
export function computeKnotPolynomial(world: World): readonly number[] {
  const [frame] = world.frame().objects;
  if (frame.type !== 'curve') throw new Error('the first object is no curve');
  return computeKnotInvariant(frame.x).polynomial;
}

/** Determinants |Δ(−1)| of knots 3₁, 4₁ and 6₁ in Rolfsen's table, by how often a curve of that knot crosses itself at least. */
const KNOTS_BY_CROSSINGS: ReadonlyMap<number, readonly [name: string, determinant: number]> = new Map([
  [3, ['overhand', 3]],
  [4, ['figure-eight', 5]],
  [6, ['stevedore', 9]],
]);

export const ROD_KNOT: ValueLaw = {
  name: 'rod-knot',
  model: 'rod',
  kind: 'value',
  title: 'a knot pulled tight stays that knot: its determinant is that of the table',
  source: 'Rolfsen 1976; Alexander 1928',
  parameter: 'crossings [1]',
  parameters: [...KNOTS_BY_CROSSINGS.keys()],
  quantity: '|Δ(−1)| at a pull of 10 N [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  plot: { isSampled: false },
  predict: (crossings) => KNOTS_BY_CROSSINGS.get(crossings)![1],
  measure(crossings) {
    const world = createKnotWorld({ name: KNOTS_BY_CROSSINGS.get(crossings)![0], friction: 0.3, speed: [-0.25, 0.25] });
    // 10 N bend it to a radius of about its diameter
    while (readProbe(world, 'tension') < 10) {
      if (world.time > 2) throw new Error('the knot is not drawn tight');
      world.step();
    }
    return Math.abs(computeKnotPolynomial(world).reduce((sum, one, k) => sum + (k % 2 === 0 ? one : -one), 0));
  },
};
