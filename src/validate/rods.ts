/** What the laws of rods share: materials by their stiffnesses, clamps and loads, coming to rest. */

import type { Vec3 } from '../math/index.ts';
import { HOLD_FRAME, Rod, type RodMaterial, type RodOptions } from '../rod/index.ts';
import type { Driver, World } from '../world/index.ts';
import { type Faults, faultOf } from './law.ts';

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

/** Holds the first node and the first frame. It acts at the middle of the first segment [theory/curves#clamps]. */
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

/** Three axes that no plane of coordinates shares. */
export const ALONG: Vec3 = [0.6, 0.48, 0.64];
export const ACROSS: Vec3 = [0.8, -0.36, -0.48];
export const ASIDE: Vec3 = [0, 0.8, -0.6];

/** EI, EI, GJ with a deliberate fault. */
export const scaleBend = (EI: readonly [number, number], GJ: number, faults: Faults): [number, number, number] => [
  EI[0] * faultOf(faults, 'EI'),
  EI[1] * faultOf(faults, 'EI'),
  GJ * faultOf(faults, 'GJ'),
];

/** Amplitude [m] that a small push never makes by itself. */
const LARGE = 1e-3;

/**
 * Amplitude over the last quarter of a run over that of an earlier one, the third where nothing is said: more than 1 where a small push grows, ∞ where it
 * has become large. What else the push sets going has died out by the third.
 */
export function measureGrowth(world: World, amplitude: () => number, steps: number, quarter: 1 | 3 = 3): number {
  let [early, late] = [0, 0];
  for (let n = 0; n < steps; n++) {
    world.step();
    const now = amplitude();
    if (now > LARGE) return Number.POSITIVE_INFINITY;
    const at = 1 + Math.floor((4 * n) / steps);
    if (at === quarter) early = Math.max(early, now);
    if (at === 4) late = Math.max(late, now);
  }
  if (!(early > 0)) throw new Error('the push does not show');
  return late / early;
}

/** A clamped rod of free length 1 along ALONG, d₁ along ASIDE; its tip starts to move sideways, `velocity` times s². */
export function createCantilever(segments: number, velocity: Vec3, options: Partial<RodOptions> = {}): Rod {
  const du = spacingFor(1, segments);
  const at = Array.from({ length: segments + 1 }, (_, i) => (i - 0.5) * du);
  return new Rod({
    id: 'rod',
    material: createRodMaterial(),
    points: at.map((s) => addScaled([0, 0, 0], [s, ALONG])),
    velocity: at.map((s) => addScaled([0, 0, 0], [Math.max(0, s) ** 2, velocity])),
    segments,
    normal: ASIDE,
    gravity: [0, 0, 0],
    damping: { mass: 0.2, stiffness: 0 },
    ...options,
  });
}

/** Holds node 0, the last node (the components of `bits`) and both end frames. */
export const clampBoth = (rod: Rod, bits: number): Driver => ({
  prepare() {
    rod.holdNode(rod.chain.label[0], 7);
    rod.holdNode(rod.chain.label[rod.chain.count - 1], bits);
    rod.holdFrame('start', HOLD_FRAME);
    rod.holdFrame('end', HOLD_FRAME);
  },
  aim() {},
});
