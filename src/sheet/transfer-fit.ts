/**
 * The transfer of velocities where nothing but directions of single vertices is held: conjugate gradients on P M P, P the projection to
 * what is free, from velocities that are right already but where the mesh changed. The inertia of triangles that are not too thin is well
 * conditioned however many there are, so a few tens of multiplications reach rounding.
 */
import { EolElement } from '../eol/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { pcg } from '../sparse/index.ts';
import { type SheetState, STRIDE } from './state.ts';
import { gatherTriangle } from './transfer-impulse.ts';
import type { VelocityRows } from './velocity-rows.ts';

/** Residual that counts as none, relative to the impulse. */
const TOLERANCE = 1e-14;
/** A row that others of its vertex imply but for this share. */
const DEPENDENT = 1e-9;

export interface FitReport {
  ok: boolean;
  iterations: number;
  /** ‖P (f − M q̇)‖/‖f‖. */
  residual: number;
}

/** A held direction of a vertex: five numbers of unit length, and the speed along it. */
interface HeldDirection {
  readonly at: number;
  readonly axis: readonly number[];
  readonly speed: number;
}

/** Orthonormal directions for rows that hold single vertices; undefined where there are other rows, or rows that contradict each other. */
export function findHeldDirections({ kind }: SheetState, rows: VelocityRows): HeldDirection[] | undefined {
  const held: HeldDirection[] = [];
  const known = new Map<number, HeldDirection[]>();
  for (let r = 0; r < rows.count; r++) {
    const i = Math.floor(rows.columns[rows.start[r]] / STRIDE);
    const axis = [0, 0, 0, 0, 0];
    if (rows.lower[r] !== Number.NEGATIVE_INFINITY || rows.upper[r] !== Number.POSITIVE_INFINITY) return undefined;
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
      const c = rows.columns[k] - STRIDE * i;
      if (c < 0 || c >= STRIDE) return undefined;
      if (c < 3 || kind[i] !== NODE_LAGRANGIAN) axis[c] += rows.values[k];
    }
    const size = computeLength(axis);
    let speed = rows.target[r];
    const others = known.get(i) ?? [];
    for (const other of others) {
      const share = dot(axis, other.axis);
      speed -= share * other.speed;
      for (let k = 0; k < STRIDE; k++) axis[k] -= share * other.axis[k];
    }
    const left = computeLength(axis);
    if (!(left > DEPENDENT * size)) {
      if (Math.abs(speed) > DEPENDENT * (Math.abs(rows.target[r]) + size)) return undefined;
      continue;
    }
    const direction = { at: STRIDE * i, axis: axis.map((one) => one / left), speed: speed / left };
    known.set(i, [...others, direction]);
    held.push(direction);
  }
  return held;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, one, k) => sum + one * b[k], 0);
const computeLength = (a: readonly number[]): number => Math.sqrt(dot(a, a));

/** Overwrites the velocities of free vertices; `impulse` has five numbers a vertex. */
export function fitVelocity(
  state: SheetState,
  impulse: Float64Array,
  isFree: Uint8Array,
  held: readonly HeldDirection[],
): FitReport {
  const { v, count, kind } = state;
  const n = v.length;
  const directions = held.filter(({ at }) => isFree[at / STRIDE]);
  for (let i = 0; i < count; i++)
    if (isFree[i] && kind[i] === NODE_LAGRANGIAN) v.fill(0, STRIDE * i + 3, STRIDE * i + 5);
  for (const { at, axis, speed } of directions) addAlong(v, at, axis, speed - computeAlong(v, at, axis));
  const project = (x: Float64Array): void => {
    for (let i = 0; i < count; i++) {
      const from = isFree[i] ? (kind[i] === NODE_LAGRANGIAN ? 3 : STRIDE) : 0;
      for (let k = from; k < STRIDE; k++) x[STRIDE * i + k] = 0;
    }
    for (const { at, axis } of directions) addAlong(x, at, axis, -computeAlong(x, at, axis));
  };
  const inertia = new SheetInertia(state);
  const free = new Float64Array(n);
  const apply = (x: Float64Array, out: Float64Array): void => {
    free.set(x);
    project(free);
    inertia.write(free, out);
    project(out);
  };
  const right = new Float64Array(n);
  inertia.write(v, right);
  for (let k = 0; k < n; k++) right[k] = impulse[k] - right[k];
  project(right);
  const [size, whole] = [computeNorm(right), computeNorm(impulse)];
  if (!(size > TOLERANCE * whole))
    return { ok: true, iterations: 0, residual: size / Math.max(whole, Number.MIN_VALUE) };
  const change = new Float64Array(n);
  const { mass } = state;
  const { converged, breakdown, iterations, residual } = pcg(apply, right, change, {
    tolerance: (TOLERANCE * whole) / size,
    maxIterations: 400,
    preconditioner: (x, out) => {
      for (let k = 0; k < n; k++) out[k] = x[k] / mass[Math.floor(k / STRIDE)];
    },
  });
  project(change);
  for (let k = 0; k < n; k++) v[k] += change[k];
  const left = (residual * size) / whole;
  // rounding ends it where many masses add up
  return { ok: converged || (!breakdown && left < 1e-12), iterations, residual: left };
}

/** out = M x, triangle by triangle. */
class SheetInertia {
  readonly #state: SheetState;
  /** F of triangles with an E-vertex, and their area, seven numbers each, by triangle. */
  readonly #F = new Map<number, Float64Array>();

  constructor(state: SheetState) {
    this.#state = state;
    const { mesh, kind, q } = state;
    const element = new EolElement(2);
    for (let t = 0; t < mesh.triangleCount; t++) {
      const corners = mesh.triangles.subarray(3 * t, 3 * t + 3);
      if (corners.every((i) => kind[i] === NODE_LAGRANGIAN)) continue;
      element.setConfiguration(gatherTriangle(q, corners));
      this.#F.set(t, Float64Array.of(...element.F, element.measure));
    }
  }

  write(x: Float64Array, out: Float64Array): void {
    const { mesh, area, material, pointMass, count } = this.#state;
    const { triangles, triangleCount } = mesh;
    const y = new Float64Array(9);
    const hasSliding = this.#F.size > 0;
    out.fill(0);
    for (let t = 0; t < triangleCount; t++) {
      const F = hasSliding ? this.#F.get(t) : undefined;
      for (let n = 0; n < 3; n++) {
        const i = STRIDE * triangles[3 * t + n];
        for (let k = 0; k < 3; k++)
          y[3 * n + k] = F ? x[i + k] - F[2 * k] * x[i + 3] - F[2 * k + 1] * x[i + 4] : x[i + k];
      }
      const share = (material.arealDensity * (F ? F[6] : area[t])) / 12;
      for (let k = 0; k < 3; k++) {
        const sum = y[k] + y[3 + k] + y[6 + k];
        for (let n = 0; n < 3; n++) {
          const i = STRIDE * triangles[3 * t + n];
          const p = share * (sum + y[3 * n + k]);
          out[i + k] += p;
          if (!F) continue;
          out[i + 3] -= F[2 * k] * p;
          out[i + 4] -= F[2 * k + 1] * p;
        }
      }
    }
    for (let i = 0; i < count; i++)
      if (pointMass[i] > 0) for (let k = 0; k < 3; k++) out[STRIDE * i + k] += pointMass[i] * x[STRIDE * i + k];
  }
}

function computeAlong(x: Float64Array, at: number, axis: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < STRIDE; k++) sum += axis[k] * x[at + k];
  return sum;
}

function addAlong(x: Float64Array, at: number, axis: readonly number[], size: number): void {
  for (let k = 0; k < STRIDE; k++) x[at + k] += size * axis[k];
}

function computeNorm(x: Float64Array): number {
  let sum = 0;
  for (const one of x) sum += one * one;
  return Math.sqrt(sum);
}
