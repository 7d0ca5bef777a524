/** What the laws of rods share: materials by their stiffnesses, clamps and loads, coming to rest, and the elastica by shooting. */
import type { Vec3 } from 'heddle/math';
import { HOLD_FRAME, type Rod, type RodMaterial } from 'heddle/rod';
import type { Driver, World } from 'heddle/world';

/** Nearly inextensible and without shear, EI = 1 N m² about both axes where nothing else is said; a slender section's rotary inertia. */
export function createMaterial(given: Partial<RodMaterial> = {}): RodMaterial {
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
export function settle(world: World, rod: Rod, speed: number, most = 2000): void {
  for (let n = 0; n < most; n++) {
    world.step();
    if (n > 2 && computeSpeed(rod) < speed) return;
  }
  throw new Error(`no rest after ${most} steps: ${computeSpeed(rod)} m/s`);
}

/** Fastest of the nodes [m/s]. */
export function computeSpeed({ chain: { v, count } }: Rod): number {
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

/** A planar elastica from its free end: turned φ from the direction of the load, and how far along and across it, at even distances. */
export interface Elastica {
  readonly phi: Float64Array;
  readonly along: Float64Array;
  readonly across: Float64Array;
}

/**
 * φ″ = (Γ t + P) sin φ, φ′(0) = 0, φ(1) = `end`: a rod of length 1 and EI = 1 with weight Γ and tip load P in one direction, t from the tip,
 * φ from that direction. Runge–Kutta of fourth order; φ(0) is found by bisection of its logarithm.
 */
export function shootElastica(weight: number, load: number, end: number, steps = 4000): Elastica {
  let [low, high] = [Math.log(1e-18), Math.log(end)];
  for (let n = 0; n < 200; n++) {
    const middle = 0.5 * (low + high);
    const { phi } = integrateElastica(weight, load, Math.exp(middle), steps, end + 1);
    if (phi[steps] > end) high = middle;
    else low = middle;
  }
  return integrateElastica(weight, load, Math.exp(0.5 * (low + high)), steps, 10);
}

function integrateElastica(weight: number, load: number, tip: number, steps: number, most: number): Elastica {
  const phi = new Float64Array(steps + 1);
  const along = new Float64Array(steps + 1);
  const across = new Float64Array(steps + 1);
  phi[0] = tip;
  const h = 1 / steps;
  let rate = 0;
  for (let n = 0; n < steps; n++) {
    const t = n * h;
    const pull = (time: number, angle: number) => (weight * time + load) * Math.sin(angle);
    const [p0, r0] = [phi[n], rate];
    const k1 = pull(t, p0);
    const [p1, r1] = [p0 + 0.5 * h * r0, r0 + 0.5 * h * k1];
    const k2 = pull(t + 0.5 * h, p1);
    const [p2, r2] = [p0 + 0.5 * h * r1, r0 + 0.5 * h * k2];
    const k3 = pull(t + 0.5 * h, p2);
    const [p3, r3] = [p0 + h * r2, r0 + h * k3];
    phi[n + 1] = p0 + (h / 6) * (r0 + 2 * r1 + 2 * r2 + r3);
    rate += (h / 6) * (k1 + 2 * k2 + 2 * k3 + pull(t + h, p3));
    const between = (p0 + phi[n + 1]) / 2 + (h / 8) * (r0 - rate);
    along[n + 1] = along[n] + (h / 6) * (Math.cos(p0) + 4 * Math.cos(between) + Math.cos(phi[n + 1]));
    across[n + 1] = across[n] + (h / 6) * (Math.sin(p0) + 4 * Math.sin(between) + Math.sin(phi[n + 1]));
    if (phi[n + 1] > most) {
      phi.fill(most, n + 1);
      break;
    }
  }
  return { phi, along, across };
}

/** Tip seen from the clamp: along the load and across it. */
export const measureTip = ({ along, across }: Elastica): [number, number] => [
  along[along.length - 1],
  across[across.length - 1],
];
