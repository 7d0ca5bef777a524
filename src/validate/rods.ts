/** What the laws of rods share: materials by their stiffnesses, clamps and loads, coming to rest. */

import type { Vec3 } from '../math/index.ts';
import { HOLD_FRAME, type Rod, type RodMaterial } from '../rod/index.ts';
import type { Driver, World } from '../world/index.ts';

/** Nearly inextensible and without shear, EI = 1 N m² about both axes where nothing else is said; a slender section's rotary inertia. */
export function createRodMaterial(given: Partial<RodMaterial> = {}): RodMaterial {
  const bend = given.bend ?? [1, 1, 0.8];
  return {
    linearDensity: 1,
    stretch: [1e8, 1e8, 1e8],
    bend,
    inertia: [1e-6, 1e-6, 2e-6],
    radius: 1e-3,
    friction: 0,
    ...given,
  };
}

/** Holds the first node and the first frame. It acts at the middle of the first segment (methods §2). */
export const clampStart = (rod: Rod): Driver => ({
  prepare() {
    rod.holdNode(rod.chain.label[0], 7);
    rod.holdFrame('start', HOLD_FRAME);
  },
  aim() {},
});

/** A force on the last node [N]. */
export const pushEnd = (rod: Rod, force: () => Vec3): Driver => ({
  prepare() {
    rod.pushNode(rod.chain.label[rod.chain.count - 1], force());
  },
  aim() {},
});

/** Segment length so that a rod of n segments that is clamped in its first has the free length L: (n − ½) Δu = L. */
export const spacingFor = (L: number, n: number): number => L / (n - 0.5);

/** Steps until no node is faster than `speed` [m/s]; fails where it never is. */
export function settleRod(world: World, rod: Rod, speed: number, most = 2000): void {
  for (let n = 0; n < most; n++) {
    world.step();
    if (n > 2 && computeRodSpeed(rod) < speed) return;
  }
  throw new Error(`no rest after ${most} steps: ${computeRodSpeed(rod)} m/s`);
}

/** Fastest of the nodes [m/s]. */
export function computeRodSpeed({ chain: { v, count } }: Rod): number {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, Math.hypot(v[4 * i], v[4 * i + 1], v[4 * i + 2]));
  return largest;
}

export const readNode = ({ chain: { q } }: Rod, i: number): Vec3 => [q[4 * i], q[4 * i + 1], q[4 * i + 2]];

export const readEnd = (rod: Rod): Vec3 => readNode(rod, rod.chain.count - 1);

/** Point at material coordinate u, linear between nodes. */
export function readPoint({ chain: { q, count } }: Rod, u: number): Vec3 {
  let i = 0;
  while (i < count - 2 && q[4 * i + 7] < u) i++;
  const t = (u - q[4 * i + 3]) / (q[4 * i + 7] - q[4 * i + 3]);
  return [0, 1, 2].map((k) => q[4 * i + k] + t * (q[4 * i + 4 + k] - q[4 * i + k])) as unknown as Vec3;
}

/** a + Σ share · vector. */
export const addScaled = (a: Vec3, ...terms: readonly (readonly [number, Vec3])[]): Vec3 =>
  [0, 1, 2].map((k) => terms.reduce((sum, [share, one]) => sum + share * one[k], a[k])) as unknown as Vec3;
