/** What the tests of the continuum share: random deformations, central differences. */
import { createRandom, type Mat3, mat3FromQuaternion, normalizeQuaternion, type Random } from 'heddle/math';
import { type CurveLaw, computeCurveLaw, computeSurfaceLaw, type SurfaceLaw } from 'heddle/mpm';

export const SURFACE: SurfaceLaw = computeSurfaceLaw({
  type: 'surface',
  density: 300,
  thickness: 1e-3,
  youngsModulus: 900,
  poissonRatio: 0.3,
  normalStiffness: 700,
  shearStiffness: 150,
  frictionAngle: 0.4,
});

export const CURVE: CurveLaw = computeCurveLaw({
  type: 'curve',
  density: 300,
  radius: 1e-3,
  youngsModulus: 500,
  poissonRatio: 0.3,
  fibreStiffness: 2000,
  shearStiffness: 300,
  frictionAngle: 0.35,
});

export const randomRotation = (random: Random): Mat3 =>
  mat3FromQuaternion(
    normalizeQuaternion([random.normal(), random.normal(), random.normal(), random.normal()]),
    new Float64Array(9),
  );

export const randomMatrix = (random: Random, size: number): Float64Array =>
  Float64Array.from({ length: 9 }, () => size * random.uniform(-1, 1));

/** A matrix near the identity, turned. */
export const randomFrame = (random: Random, strain: number): Float64Array => {
  const m = randomMatrix(random, strain);
  for (let k = 0; k < 9; k += 4) m[k] += 1;
  return multiply(randomRotation(random), m);
};

export const multiply = (a: ArrayLike<number>, b: ArrayLike<number>): Float64Array => {
  const out = new Float64Array(9);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) out[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return out;
};

export const transpose = (a: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: 9 }, (_, i) => a[3 * (i % 3) + Math.floor(i / 3)]);

/** Σ aᵢ bᵢ */
export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

export const norm = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));

/** ‖a − b‖/‖b‖ */
export const relativeError = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  norm(Float64Array.from({ length: a.length }, (_, k) => a[k] - b[k])) / norm(b);

/** x + s d */
export const moved = (x: ArrayLike<number>, d: ArrayLike<number>, s: number): Float64Array =>
  Float64Array.from({ length: x.length }, (_, k) => x[k] + s * d[k]);

/** Central difference of fourth order along d, at step e. */
export const differentiate = (f: (s: number) => number, e: number): number =>
  (8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);

export const differentiateAll = (f: (s: number) => Float64Array, e: number): Float64Array => {
  const [a, b, c, d] = [f(e), f(-e), f(2 * e), f(-2 * e)];
  return a.map((_, k) => (8 * (a[k] - b[k]) - (c[k] - d[k])) / (12 * e));
};

export { createRandom };
