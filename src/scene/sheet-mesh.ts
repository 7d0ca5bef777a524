/**
 * Where a sheet of a scene starts: mesh in material space, and its place in the world,
 *     x = p + R (X − X₀, 0, −(Y − Y₀))          p position, R rotation, (X₀, Y₀) the material point that lies at p
 * so that without a rotation its upper side is up. A fold turns what is right of its line about it; later folds first, in the flat
 * material, so that an earlier one takes them along.
 */
import { createDiskMesh, createGridMesh, createPolygonMesh, type Triangulation } from '../geometry/index.ts';
import { readGltfMesh } from '../io/gltf-read.ts';
import { decodeMeshText, type MeshFile } from '../io/mesh-file.ts';
import { readObjMesh } from '../io/obj-read.ts';
import {
  computeHypot2,
  computeLength,
  crossVec3,
  normalizeVec3,
  quaternionFromAxisAngle,
  rotateVec3,
  type Vec3,
} from '../math/index.ts';
import { deg, HeddleError } from '../model/index.ts';
import type { SceneSheet } from './schema.ts';

/** World and material coordinates of vertices, and triangles between them, counter-clockwise in material space. */
export interface SheetStart {
  readonly x: Float64Array;
  readonly X: Float64Array;
  readonly triangles: Int32Array;
}

/** What says where a sheet starts. */
export type SheetPlacement = Pick<SceneSheet, 'shape' | 'folds' | 'position' | 'origin' | 'rotation'>;

/** Places that differ by less than this share of the sheet's size are the same. */
const SAME_PLACE = 1e-6;
/** Of a triangle [m²]: sides of about 1e-9 m. */
const SMALLEST_AREA = 1e-18;

export function createSheetStart(object: SheetPlacement, readMesh: (file: string) => MeshFile): SheetStart {
  if (object.shape.type === 'mesh') return placeFile(object, readMesh(object.shape.file), object.shape.scale);
  const mesh = createMesh(object);
  const X = Float64Array.from(mesh.points.slice(0, 2 * mesh.vertexCount));
  const triangles = Int32Array.from(mesh.corners.slice(0, 3 * mesh.triangleCount));
  checkAreas(X, triangles);
  checkFolds(object, X, triangles);
  return { x: placeMaterial(object, X), X, triangles };
}

/** Reads a mesh file by the ending of its name. */
export function readMeshFile(name: string, bytes: Uint8Array): MeshFile {
  const source = { source: name };
  return /\.obj$/i.test(name) ? readObjMesh(decodeMeshText(bytes, name), source) : readGltfMesh(bytes, source);
}

function createMesh({ shape, folds }: SheetPlacement): Triangulation {
  if (shape.type === 'rectangle') return createGridMesh(shape.width, shape.height, shape.columns, shape.rows);
  if (shape.type === 'disk') return createDiskMesh(shape.radius, shape.size);
  if (shape.type === 'mesh') throw new HeddleError('a mesh from a file is not made here.');
  const { outline, holes, size } = shape;
  const lines = folds.flatMap(({ line }) => clipLine(line, [outline, ...holes]));
  try {
    const { mesh } = createPolygonMesh(
      outline.flat(),
      holes.map((hole) => hole.flat()),
      { size, lines },
    );
    mesh.compact();
    return mesh;
  } catch (error) {
    // the mesher's sentence says what is wrong with the outline
    if (error instanceof RangeError) throw new HeddleError(error.message);
    throw error;
  }
}

/** Triangles that are smaller than anything is would have no stiffness that numbers can hold. */
function checkAreas(X: Float64Array, triangles: Int32Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [2 * triangles[t], 2 * triangles[t + 1], 2 * triangles[t + 2]];
    const area = ((X[b] - X[a]) * (X[c + 1] - X[a + 1]) - (X[b + 1] - X[a + 1]) * (X[c] - X[a])) / 2;
    if (!(area >= SMALLEST_AREA && Number.isFinite(area)))
      throw new HeddleError(
        `a triangle of its mesh has ${area} m²; it must have at least ${SMALLEST_AREA}. Make the sheet larger, or its mesh coarser.`,
      );
  }
}

/** The parts of a line through two points that lie inside loops, each as four coordinates. */
function clipLine([[ax, ay], [bx, by]]: SceneSheet['folds'][number]['line'], loops: readonly [number, number][][]) {
  const [dx, dy] = [bx - ax, by - ay];
  const cuts: number[] = [];
  for (const loop of loops)
    loop.forEach(([px, py], i) => {
      const [qx, qy] = loop[(i + 1) % loop.length];
      const from = dx * (py - ay) - dy * (px - ax);
      const to = dx * (qy - ay) - dy * (qx - ax);
      if (from < 0 === to < 0) return;
      const s = from / (from - to);
      const [x, y] = [px + s * (qx - px), py + s * (qy - py)];
      cuts.push(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy));
    });
  cuts.sort((a, b) => a - b);
  const parts: number[][] = [];
  for (let i = 0; i + 1 < cuts.length; i += 2)
    parts.push([ax + cuts[i] * dx, ay + cuts[i] * dy, ax + cuts[i + 1] * dx, ay + cuts[i + 1] * dy]);
  return parts;
}

/** How far right of a fold's line a material point is [m]. */
function computeRight([[ax, ay], [bx, by]]: SceneSheet['folds'][number]['line'], X: number, Y: number): number {
  return ((by - ay) * (X - ax) - (bx - ax) * (Y - ay)) / computeHypot2(bx - ax, by - ay);
}

/** No triangle may have vertices on both sides of a fold. */
function checkFolds({ folds, shape }: SheetPlacement, X: Float64Array, triangles: Int32Array): void {
  const size = computeSize(X);
  folds.forEach(({ line }, k) => {
    for (let t = 0; t < triangles.length; t += 3) {
      const sides = [0, 1, 2].map((n) => computeRight(line, X[2 * triangles[t + n]], X[2 * triangles[t + n] + 1]));
      if (!(Math.max(...sides) > SAME_PLACE * size && Math.min(...sides) < -SAME_PLACE * size)) continue;
      const remedy =
        shape.type === 'rectangle'
          ? 'move it to a column or row, or make the shape a polygon, whose mesh follows its folds'
          : 'make the shape a polygon, whose mesh follows its folds';
      throw new HeddleError(`folds[${k}].line cuts through triangles of the mesh; ${remedy}.`);
    }
  });
}

function computeSize(X: Float64Array): number {
  const { low, high } = computeBounds(X);
  return computeHypot2(high[0] - low[0], high[1] - low[1]);
}

function computeBounds(X: Float64Array): { readonly low: readonly number[]; readonly high: readonly number[] } {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < X.length; i++) {
    low[i % 2] = Math.min(low[i % 2], X[i]);
    high[i % 2] = Math.max(high[i % 2], X[i]);
  }
  return { low, high };
}

function placeMaterial(object: SheetPlacement, X: Float64Array): Float64Array {
  const { low, high } = computeBounds(X);
  const [originX, originY] = object.origin ?? [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const x = new Float64Array((3 * X.length) / 2);
  const slack = SAME_PLACE * computeSize(X);
  for (let i = 0; 2 * i < X.length; i++) {
    let point: Vec3 = [X[2 * i] - originX, 0, originY - X[2 * i + 1]];
    for (const { line, angle } of object.folds.toReversed()) {
      if (!(computeRight(line, X[2 * i], X[2 * i + 1]) > slack)) continue;
      const [[ax, ay], [bx, by]] = line;
      const turn = quaternionFromAxisAngle([bx - ax, 0, ay - by], deg(angle));
      const base: Vec3 = [ax - originX, 0, originY - ay];
      const turned = rotateVec3(turn, [point[0] - base[0], point[1] - base[1], point[2] - base[2]]);
      point = [base[0] + turned[0], base[1] + turned[1], base[2] + turned[2]];
    }
    writePlaced(object, point, x, 3 * i);
  }
  return x;
}

function writePlaced({ position, rotation }: SheetPlacement, point: Vec3, out: Float64Array, at: number): void {
  const turned = rotation ? rotateVec3(quaternionFromAxisAngle(rotation.axis, deg(rotation.angle)), point) : point;
  for (let k = 0; k < 3; k++) out[at + k] = position[k] + turned[k];
}

/** A mesh from a file: material from its texture coordinates, or, where it has none and is plane, from its own plane. */
function placeFile(object: SheetPlacement, file: MeshFile, scale: number): SheetStart {
  const { positions, indices, texcoords } = file;
  if (indices.length === 0)
    throw new HeddleError('the mesh of the file has no triangle with three different corners; a sheet needs one.');
  const count = positions.length / 3;
  const x = new Float64Array(positions.length);
  for (let i = 0; i < count; i++)
    writePlaced(object, [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]], x, 3 * i);
  const X = texcoords ? readTexture(positions, indices, texcoords, scale) : unfold(positions, indices);
  const triangles = orient(X, indices);
  checkAreas(X, triangles);
  return { x, X, triangles };
}

/** Texture coordinates by vertex; a vertex with two of them is a seam, where the material would be cut. */
function readTexture(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  texcoords: Float64Array,
  scale: number,
): Float64Array {
  const X = new Float64Array((2 * positions.length) / 3).fill(Number.NaN);
  for (let c = 0; c < indices.length; c++)
    for (let k = 0; k < 2; k++) {
      const at = 2 * indices[c] + k;
      const value = scale * texcoords[2 * c + k];
      if (Number.isNaN(X[at])) X[at] = value;
      else if (Math.abs(X[at] - value) > SAME_PLACE * scale)
        throw new HeddleError(
          `the texture coordinates of the file have a seam at vertex ${indices[c] + 1}; a sheet needs one pair per vertex: unwrap it as one piece.`,
        );
    }
  return X;
}

/** Material coordinates of a plane mesh: its own plane, from its first edge on. */
function unfold(positions: ArrayLike<number>, indices: ArrayLike<number>): Float64Array {
  const point = (i: number): Vec3 => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const base = point(indices[0]);
  const warp = normalizeVec3(minus(point(indices[1]), base));
  const normal = normalizeVec3(crossVec3(warp, minus(point(indices[2]), base)));
  const weft = crossVec3(normal, warp);
  const X = new Float64Array((2 * positions.length) / 3);
  let [size, deepest] = [0, 0];
  for (let i = 0; 2 * i < X.length; i++) {
    const d = minus(point(i), base);
    X[2 * i] = dot(d, warp);
    X[2 * i + 1] = dot(d, weft);
    size = Math.max(size, computeLength(d));
    deepest = Math.max(deepest, Math.abs(dot(d, normal)));
  }
  if (deepest > SAME_PLACE * size)
    throw new HeddleError(
      'the file has no texture coordinates and its mesh is not flat, so its material coordinates are unknown; unwrap it, and export texture coordinates (vt).',
    );
  return X;
}

/** Triangles counter-clockwise in material space; all must lie one way round. */
function orient(X: Float64Array, indices: ArrayLike<number>): Int32Array {
  const triangles = Int32Array.from(indices);
  let [left, right, flat] = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [2 * triangles[t], 2 * triangles[t + 1], 2 * triangles[t + 2]];
    const area2 = (X[b] - X[a]) * (X[c + 1] - X[a + 1]) - (X[b + 1] - X[a + 1]) * (X[c] - X[a]);
    if (area2 > 0) left++;
    else if (area2 < 0) right++;
    else flat++;
    if (!(area2 > 0)) [triangles[t + 1], triangles[t + 2]] = [triangles[t + 2], triangles[t + 1]];
  }
  if (flat > 0 || (left > 0 && right > 0))
    throw new HeddleError(
      `${flat + Math.min(left, right)} of ${left + right + flat} triangles are inverted or flat in texture coordinates; unwrap the mesh without overlaps.`,
    );
  return triangles;
}
