/** What the laws of sheets share: meshes of five kinds, sheets laid out flat, and what is read off them. */

import { createGridMesh, createPolygonMesh } from '../geometry/index.ts';
import { createRandom } from '../math/index.ts';
import { Sheet, type SheetMaterial, SheetMeasure, type SheetOptions, STRIDE } from '../sheet/index.ts';
import { type Faults, faultOf } from './law.ts';

export interface PlanarMesh {
  readonly X: Float64Array;
  readonly triangles: Int32Array;
}

export const MESH_KINDS = ['right', 'alternating', 'equilateral', 'jittered', 'refined'] as const;
export type MeshKind = (typeof MESH_KINDS)[number];

/** A rectangle from (0, 0) to (width, height) with edges of about `size`. */
export function createRectangle(kind: MeshKind, width: number, height: number, size: number, seed = 1): PlanarMesh {
  if (kind === 'refined') return createRefined(width, height, size, seed);
  if (kind === 'equilateral') return createEquilateral(width, height, size);
  const columns = Math.max(1, Math.round(width / size));
  const rows = Math.max(1, Math.round(height / size));
  const { points, corners } = createGridMesh(width, height, columns, rows);
  if (kind === 'alternating') return { X: points, triangles: corners };
  const triangles: number[] = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const a = i + (columns + 1) * j;
      triangles.push(a, a + 1, a + columns + 2, a, a + columns + 2, a + columns + 1);
    }
  if (kind === 'jittered') jitter(points, width, height, Math.min(width / columns, height / rows), seed);
  return { X: points, triangles: kind === 'jittered' ? corners : Int32Array.from(triangles) };
}

/** Moves inner vertices by up to 0.25 of an edge, and those of the border along it. */
function jitter(points: Float64Array, width: number, height: number, size: number, seed: number): void {
  const random = createRandom(seed);
  const inside = (x: number, end: number) => x > 1e-9 * end && x < (1 - 1e-9) * end;
  for (let i = 0; i < points.length; i += 2) {
    const [a, b] = [random.uniform(-0.25, 0.25), random.uniform(-0.25, 0.25)];
    const [isInX, isInY] = [inside(points[i], width), inside(points[i + 1], height)];
    if (isInX) points[i] += a * size;
    if (isInY) points[i + 1] += b * size;
  }
}

/** Rows of equilateral triangles along X₁; the ends are cut square. */
function createEquilateral(width: number, height: number, size: number): PlanarMesh {
  const columns = Math.max(1, Math.round(width / size));
  const rows = Math.max(1, Math.round(height / ((Math.sqrt(3) / 2) * size)));
  const X: number[] = [];
  const triangles: number[] = [];
  const start: number[] = [];
  for (let j = 0; j <= rows; j++) {
    start.push(X.length / 2);
    const shifted = j % 2 === 1;
    if (shifted) X.push(0, (height * j) / rows);
    for (let i = 0; i <= columns - (shifted ? 1 : 0); i++)
      X.push((width * (i + (shifted ? 0.5 : 0))) / columns, (height * j) / rows);
    if (shifted) X.push(width, (height * j) / rows);
  }
  for (let j = 0; j < rows; j++) {
    // the even row has columns + 1 vertices, the shifted one columns + 2
    const isUp = j % 2 === 0;
    const [even, odd] = isUp ? [start[j], start[j + 1]] : [start[j + 1], start[j]];
    const add = (a: number, b: number, c: number) => triangles.push(a, ...(isUp ? [b, c] : [c, b]));
    for (let i = 0; i <= columns; i++) add(even + i, odd + i + 1, odd + i);
    for (let i = 0; i < columns; i++) add(even + i, even + i + 1, odd + i + 1);
  }
  return { X: Float64Array.from(X), triangles: Int32Array.from(triangles) };
}

/** Delaunay refinement from a point that the seed places. */
function createRefined(width: number, height: number, size: number, seed: number): PlanarMesh {
  const random = createRandom(seed);
  const at = [random.uniform(0.3, 0.7) * width, random.uniform(0.3, 0.7) * height];
  const to = [at[0] + 0.4 * size, at[1] + 0.3 * size];
  const { mesh } = createPolygonMesh([0, 0, width, 0, width, height, 0, height], [], { size, lines: [[...at, ...to]] });
  mesh.compact();
  return {
    X: mesh.points.slice(0, 2 * mesh.vertexCount),
    triangles: mesh.corners.slice(0, 3 * mesh.triangleCount),
  };
}

/** A sheet of a planar mesh, each vertex placed by `place`; flat in the plane z = 0 where none is given. */
export function createSheet(
  { X, triangles }: PlanarMesh,
  material: SheetMaterial,
  options: Partial<SheetOptions> = {},
  place: (a: number, b: number) => readonly [number, number, number] = (a, b) => [a, b, 0],
): Sheet {
  const x: number[] = [];
  for (let i = 0; i < X.length; i += 2) x.push(...place(X[i], X[i + 1]));
  return new Sheet({ id: 'cloth', material, x, X, triangles, ...options });
}

/** Vertices whose material coordinates satisfy a condition. */
export function findVertices({ state }: Sheet, condition: (a: number, b: number) => boolean): number[] {
  const found: number[] = [];
  for (let i = 0; i < state.count; i++) if (condition(state.q[STRIDE * i + 3], state.q[STRIDE * i + 4])) found.push(i);
  return found;
}

export const positionOf = ({ state }: Sheet, i: number): [number, number, number] => [
  state.q[STRIDE * i],
  state.q[STRIDE * i + 1],
  state.q[STRIDE * i + 2],
];

/** Mean, 95th percentile and largest of the principal strains of all triangles, by magnitude. */
export function measureStrains(sheet: Sheet): { mean: number; p95: number; max: number } {
  const measure = new SheetMeasure();
  const strains = Array.from({ length: sheet.state.mesh.triangleCount }, (_, t) =>
    Math.abs(measure.computeStrain(sheet.state, t)),
  ).sort((a, b) => a - b);
  return {
    mean: strains.reduce((sum, one) => sum + one, 0) / strains.length,
    p95: strains[Math.floor(0.95 * strains.length)],
    max: strains[strains.length - 1],
  };
}

/** Cloth of a given stiffness [N/m]: Poisson number 0.3, shear a fifth of it, bending as of soft cotton. */
export const createCloth = (stiffness: number, arealDensity = 0.2, bending = 1e-5): SheetMaterial => ({
  arealDensity,
  membrane: [stiffness, stiffness, 0.3 * stiffness, 0.2 * stiffness],
  bending: [bending, bending, 0.3 * bending, 0.35 * bending],
  thickness: 5e-4,
  friction: 0.3,
});

/** A material whose stiffnesses carry a deliberate fault. */
export const scaleSheet = (material: SheetMaterial, faults: Faults): SheetMaterial => ({
  ...material,
  membrane: scaleFour(material.membrane, faultOf(faults, 'membrane')),
  bending: scaleFour(material.bending, faultOf(faults, 'bending')),
});

const scaleFour = ([a, b, c, d]: SheetMaterial['bending'], factor: number): [number, number, number, number] => [
  factor * a,
  factor * b,
  factor * c,
  factor * d,
];
