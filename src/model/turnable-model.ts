/**
 * A model that can say what it weighs and how hard it is to turn, and be given a rigid motion beside its own: what keeps the angular momentum of a
 * world needs (`world/kept-spin.ts`).
 *
 *     inertia   m, Σ m x (3) and Σ m (x² − x xᵀ) as xx, yy, zz, xy, xz, yz, about the origin: 10 numbers [kg, kg m, kg m²]
 *     motion    ẋ = v + ω × x, v of the origin and ω: 6 numbers [m/s, rad/s]
 *
 * Both belong to the masses that `addMomentum` has, so that a motion changes momentum and angular momentum by what the inertia says, to rounding.
 */
import type { Model } from './model.ts';

export const INERTIA_LENGTH = 10;

export interface TurnableModel extends Model {
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  /**
   * Whether nothing but its weight and other models of its world acts on it in the step that starts at `time`: no wind and no drag, no driver, place or
   * body that holds it. Forces of drivers and rows to the world are not looked at.
   */
  isOnItsOwn(time: number): boolean;
  /** Adds its inertia to out. */
  addInertia(out: Float64Array): void;
  /** Takes a share of its velocities, spins and slidings, and adds a rigid motion to it, between two steps. */
  blendMotion(share: number, motion: Float64Array): void;
  /** Moves all of it along, between two steps [m]. */
  moveBy(way: Float64Array): void;
  /** Whether it keeps its angular momentum by itself, and with partners that do: there is nothing to give back. */
  readonly keepsSpin?: boolean;
  /** Models that it may push without rows and outside of the system; left out where there are none. */
  readonly partners?: readonly Model[];
  /** Whether it pushed that partner in the last step. */
  pushes?(partner: Model): boolean;
}

export const isTurnable = (model: Model): model is TurnableModel => 'blendMotion' in model;

/** Adds the inertia of a mass at a point to out; x at an offset. */
export function addPointInertia(mass: number, x: ArrayLike<number>, at: number, out: Float64Array): void {
  addInertiaAt(mass, x[at], x[at + 1], x[at + 2], out);
}

/** Adds the inertia of a straight piece of even mass between two points to out; their offsets are i and j. Simpson's rule is exact for it. */
export function addSegmentInertia(mass: number, x: ArrayLike<number>, i: number, j: number, out: Float64Array): void {
  addInertiaAt(mass / 6, x[i], x[i + 1], x[i + 2], out);
  addInertiaAt(mass / 6, x[j], x[j + 1], x[j + 2], out);
  addInertiaAt((2 * mass) / 3, (x[i] + x[j]) / 2, (x[i + 1] + x[j + 1]) / 2, (x[i + 2] + x[j + 2]) / 2, out);
}

/** Adds the inertia of a triangle of even mass to out; the offsets of its corners are i, j and k. Corners and centre are exact for it. */
export function addTriangleInertia(
  mass: number,
  x: ArrayLike<number>,
  i: number,
  j: number,
  k: number,
  out: Float64Array,
): void {
  addInertiaAt(mass / 12, x[i], x[i + 1], x[i + 2], out);
  addInertiaAt(mass / 12, x[j], x[j + 1], x[j + 2], out);
  addInertiaAt(mass / 12, x[k], x[k + 1], x[k + 2], out);
  addInertiaAt(
    0.75 * mass,
    (x[i] + x[j] + x[k]) / 3,
    (x[i + 1] + x[j + 1] + x[k + 1]) / 3,
    (x[i + 2] + x[j + 2] + x[k + 2]) / 3,
    out,
  );
}

function addInertiaAt(mass: number, a: number, b: number, c: number, out: Float64Array): void {
  out[0] += mass;
  out[1] += mass * a;
  out[2] += mass * b;
  out[3] += mass * c;
  out[4] += mass * (b * b + c * c);
  out[5] += mass * (a * a + c * c);
  out[6] += mass * (a * a + b * b);
  out[7] -= mass * a * b;
  out[8] -= mass * a * c;
  out[9] -= mass * b * c;
}

/** Moves points along: `count` of them, one every `stride` numbers of x. */
export function movePoints(way: Float64Array, x: Float64Array, stride: number, count: number): void {
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) x[stride * i + k] += way[k];
}

/** Takes a share of the velocity at a point, and adds that of a rigid motion; x and v at offsets. */
export function blendVelocity(
  share: number,
  motion: Float64Array,
  x: ArrayLike<number>,
  at: number,
  v: Float64Array,
  from: number,
): void {
  const a = x[at];
  const b = x[at + 1];
  const c = x[at + 2];
  v[from] = share * v[from] + motion[0] + motion[4] * c - motion[5] * b;
  v[from + 1] = share * v[from + 1] + motion[1] + motion[5] * a - motion[3] * c;
  v[from + 2] = share * v[from + 2] + motion[2] + motion[3] * b - motion[4] * a;
}
