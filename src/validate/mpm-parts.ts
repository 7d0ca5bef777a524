/** Pieces of cloth and hair that the laws of the continuum are made of. */
import { Body, PlaneShape } from '../bodies/index.ts';
import { quaternionFromAxisAngle } from '../math/index.ts';
import type {
  AnyContinuum,
  CurveMaterial,
  CurvePart,
  PointObstacle,
  SurfaceMaterial,
  SurfacePart,
} from '../mpm/index.ts';

/** Soft cloth and hair that no law says otherwise of. */
export const CLOTH_MATERIAL: SurfaceMaterial = {
  type: 'surface',
  density: 300,
  thickness: 2e-3,
  youngsModulus: 2e4,
  poissonRatio: 0.3,
  normalStiffness: 2e4,
  shearStiffness: 2e3,
  frictionAngle: 0.3,
};

export const HAIR_MATERIAL: CurveMaterial = {
  type: 'curve',
  density: 500,
  radius: 2e-3,
  youngsModulus: 1e4,
  poissonRatio: 0.3,
  fibreStiffness: 1e5,
  shearStiffness: 1e3,
  frictionAngle: 0.3,
};

/** m × n squares of side `size` from x = `from` on, about z = 0, at the height y. */
export const createClothPart = (
  m: number,
  n: number,
  size: number,
  from: number,
  y: number,
  material: SurfaceMaterial,
): SurfacePart & { x: number[]; triangles: number[] } => {
  const x: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= m; i++) for (let j = 0; j <= n; j++) x.push(from + size * i, y, size * (j - n / 2));
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      const b = a + n + 1;
      triangles.push(a, a + 1, b, a + 1, b + 1, b);
    }
  return { material, x, triangles };
};

/** `count` hairs of m segments along x from x = `from` on, `size` apart about z = 0, at the height y. */
export const createHairPart = (
  count: number,
  m: number,
  size: number,
  from: number,
  y: number,
  material: CurveMaterial,
): CurvePart & { x: number[]; segments: number[] } => {
  const x: number[] = [];
  const segments: number[] = [];
  for (let hair = 0; hair < count; hair++)
    for (let k = 0; k <= m; k++) {
      if (k > 0) segments.push(x.length / 3 - 1, x.length / 3);
      x.push(from + size * k, y, size * (hair - (count - 1) / 2));
    }
  return { material, x, segments };
};

/** Slippery walls at z = ± half. */
export const createWalls = (half: number): PointObstacle[] =>
  [-1, 1].map((side) => ({
    body: new Body({
      id: `wall ${side}`,
      shape: new PlaneShape(),
      position: [0, 0, side * half],
      orientation: quaternionFromAxisAngle([1, 0, 0], (-side * Math.PI) / 2),
    }),
    condition: 'slip',
  }));

/** Mean of a component over the vertices of a part. */
export const meanOfPart = (model: AnyContinuum, values: Float64Array, part: number, axis: number): number => {
  const { firstVertex, vertexCount } = model.points.groups[part];
  let sum = 0;
  for (let p = firstVertex; p < firstVertex + vertexCount; p++) sum += values[3 * p + axis];
  return sum / vertexCount;
};
