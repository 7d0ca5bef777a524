/** Pieces of cloth, hair and bulk material that the tests of the continuum are made of. */
import type { BulkPart, CurveMaterial, SurfaceMaterial } from 'heddle/mpm';
import {
  CLOTH_MATERIAL as CLOTH,
  createClothPart,
  createHairPart,
  HAIR_MATERIAL as HAIR,
} from '../../src/validate/mpm-parts.ts';

export { CLOTH, HAIR };

/** A grid of m × n squares of side `size` in the plane y = 0, about the origin. */
export const createCloth = (m: number, n: number, size: number, material: SurfaceMaterial = CLOTH) =>
  createClothPart(m, n, size, (-size * m) / 2, 0, material);

/** Straight hairs of n segments along x, side by side along z, `size` long each segment and apart. */
export const createHair = (count: number, n: number, size: number, material: CurveMaterial = HAIR) =>
  createHairPart(count, n, size, (-size * n) / 2, 0.3 * size, material);

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
