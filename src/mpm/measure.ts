/** What the continuum has: mass, momenta and energies, of its particles with their affine velocities. */
import { addPointInertia, blendVelocity } from '../model/index.ts';
import type { Points } from './state.ts';

/** Σ m [kg] */
export const computeMass = (points: Points): number => {
  let sum = 0;
  for (let p = 0; p < points.count; p++) sum += points.mass[p];
  return sum;
};

/**
 * out[0…5] += linear momentum, and angular momentum about the origin:  Σ x × m v + 2 m D ω,  C_skew = [ω]×,  D = Σ w r².
 *   spread  D of the grid's spline [m²]
 */
export const addPointMomentum = (points: Points, spread: number, out: Float64Array): void => {
  const { x, v, C, mass } = points;
  for (let p = 0; p < points.count; p++) {
    const m = mass[p];
    const at = 3 * p;
    const c = 9 * p;
    out[0] += m * v[at];
    out[1] += m * v[at + 1];
    out[2] += m * v[at + 2];
    out[3] += m * (x[at + 1] * v[at + 2] - x[at + 2] * v[at + 1] + spread * (C[c + 7] - C[c + 5]));
    out[4] += m * (x[at + 2] * v[at] - x[at] * v[at + 2] + spread * (C[c + 2] - C[c + 6]));
    out[5] += m * (x[at] * v[at + 1] - x[at + 1] * v[at] + spread * (C[c + 3] - C[c + 1]));
  }
};

/** Adds mass and inertia of the same to out: m at x, and 2 m D about every axis. */
export const addPointsInertia = (points: Points, spread: number, out: Float64Array): void => {
  const { x, mass } = points;
  let sum = 0;
  for (let p = 0; p < points.count; p++) {
    addPointInertia(mass[p], x, 3 * p, out);
    sum += mass[p];
  }
  for (let k = 4; k < 7; k++) out[k] += 2 * spread * sum;
};

/** Takes a share of velocities and their gradients, and adds a rigid motion. */
export const blendPointsMotion = ({ x, v, C, count }: Points, share: number, motion: Float64Array): void => {
  const [, , , a, b, c] = motion;
  for (let p = 0; p < count; p++) {
    blendVelocity(share, motion, x, 3 * p, v, 3 * p);
    const at = 9 * p;
    for (let k = at; k < at + 9; k++) C[k] *= share;
    C[at + 1] -= c;
    C[at + 2] += b;
    C[at + 3] += c;
    C[at + 5] -= a;
    C[at + 6] -= b;
    C[at + 7] += a;
  }
};

/** ½ Σ m (‖v‖² + D ‖C‖²) [J] */
export const computeKineticEnergy = (points: Points, spread: number): number => {
  const { v, C, mass } = points;
  let sum = 0;
  for (let p = 0; p < points.count; p++) {
    let squares = 0;
    for (let k = 0; k < 3; k++) squares += v[3 * p + k] * v[3 * p + k];
    for (let k = 0; k < 9; k++) squares += spread * C[9 * p + k] * C[9 * p + k];
    sum += 0.5 * mass[p] * squares;
  }
  return sum;
};
