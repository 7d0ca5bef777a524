/** Pieces of cloth, hair and bulk material that the tests of the continuum are made of. */
import type { BulkPart, CurveMaterial, CurvePart, SurfaceMaterial, SurfacePart } from 'heddle/mpm';

export const CLOTH: SurfaceMaterial = {
  type: 'surface',
  density: 300,
  thickness: 2e-3,
  youngsModulus: 2e4,
  poissonRatio: 0.3,
  normalStiffness: 2e4,
  shearStiffness: 2e3,
  frictionAngle: 0.3,
};

export const HAIR: CurveMaterial = {
  type: 'curve',
  density: 500,
  radius: 2e-3,
  youngsModulus: 1e4,
  poissonRatio: 0.3,
  fibreStiffness: 1e5,
  shearStiffness: 1e3,
  frictionAngle: 0.3,
};

/** A grid of m × n squares of side `size` in the plane y = 0, about the origin. */
export const createCloth = (
  m: number,
  n: number,
  size: number,
  material: SurfaceMaterial = CLOTH,
): SurfacePart & { x: number[]; triangles: number[] } => {
  const x: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= m; i++) for (let j = 0; j <= n; j++) x.push(size * (i - m / 2), 0, size * (j - n / 2));
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      const b = a + n + 1;
      triangles.push(a, a + 1, b, a + 1, b + 1, b);
    }
  return { material, x, triangles };
};

/** Straight hairs of n segments along x, side by side along z, `size` long each segment and apart. */
export const createHair = (
  count: number,
  n: number,
  size: number,
  material: CurveMaterial = HAIR,
): CurvePart & { x: number[]; segments: number[] } => {
  const x: number[] = [];
  const segments: number[] = [];
  for (let hair = 0; hair < count; hair++)
    for (let k = 0; k <= n; k++) {
      if (k > 0) segments.push(x.length / 3 - 1, x.length / 3);
      x.push(size * (k - n / 2), 0.3 * size, size * (hair - (count - 1) / 2));
    }
  return { material, x, segments };
};

/** A cube of n³ particles, `size` apart, about a centre. */
export const createHeap = (
  type: 'sand' | 'goo' | 'fluid',
  n: number,
  size: number,
  centre: readonly [number, number, number] = [0, 0, 0],
): BulkPart & { x: number[] } => {
  const x: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k < n; k++)
        [i, j, k].forEach((index, axis) => {
          x.push(centre[axis] + size * (index - (n - 1) / 2));
        });
  const elastic = { youngsModulus: 1e5, poissonRatio: 0.3 };
  const material: BulkPart['material'] =
    type === 'sand'
      ? { type, density: 1600, frictionAngle: 0.5, ...elastic }
      : type === 'goo'
        ? { type, density: 1100, yieldStress: Number.POSITIVE_INFINITY, viscosity: 0, ...elastic }
        : { type, density: 1000, bulkModulus: 2e4 };
  return { material, x, volume: size ** 3 };
};
