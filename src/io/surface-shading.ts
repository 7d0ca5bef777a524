/**
 * How a sheet is shaded: smooth normals, but sharp along its creases. A vertex on a crease has one normal for each side,
 * so it is drawn more than once. Corners of triangles that meet at a vertex share a normal when they can be reached from
 * each other round the vertex without stepping over a crease:
 *
 *        \ 1 | 1 /            = crease through v: the corners above share one normal, those below another;
 *      ====( v )====            where a crease ends inside the sheet, all corners share one
 *        / 2 | 2 \
 *
 *   n = Σ (x_b − x_a) × (x_c − x_a) over the triangles of a side, made a unit vector: weighted by area
 */
import { computeHypot3 } from '../math/index.ts';
import type { SurfaceFrame } from '../model/frame.ts';

/** A sheet's triangles with vertices split along the creases. */
export interface CreasedMesh {
  /** Vertex of the frame that each drawn vertex is; the first ones are all vertices of the frame in order. */
  readonly source: Int32Array<ArrayBuffer>;
  /** 3 drawn vertices a triangle, in the order of the frame's triangles. */
  readonly indices: Uint32Array<ArrayBuffer>;
}

export function computeCreasedMesh(surface: Pick<SurfaceFrame, 'kind' | 'triangles' | 'creases'>): CreasedMesh {
  const { triangles, creases } = surface;
  const vertices = surface.kind.length;
  const indices = Uint32Array.from(triangles);
  const source = Array.from({ length: vertices }, (_, v) => v);
  const onCrease = new Uint8Array(vertices);
  for (const vertex of creases) onCrease[vertex] = 1;
  const sides = joinCorners(triangles, creases, onCrease);
  // the first side of a vertex keeps its number, each further one gets a new
  const drawn = new Map<number, number>();
  const isTaken = new Uint8Array(vertices);
  for (let corner = 0; corner < triangles.length; corner++) {
    const vertex = triangles[corner];
    if (onCrease[vertex] === 0) continue;
    const side = findRoot(sides, corner);
    let at = drawn.get(side);
    if (at === undefined) {
      at = isTaken[vertex] === 0 ? vertex : source.push(vertex) - 1;
      isTaken[vertex] = 1;
      drawn.set(side, at);
    }
    indices[corner] = at;
  }
  return { source: Int32Array.from(source), indices };
}

/** Corners as a forest (each names another of its side): joined across edges that are no creases. */
function joinCorners(triangles: Int32Array, creases: Int32Array, onCrease: Uint8Array): Int32Array {
  const parent = Int32Array.from(triangles, (_, corner) => corner);
  const keyOf = (a: number, b: number) => Math.min(a, b) * onCrease.length + Math.max(a, b);
  const sharp = new Set<number>();
  for (let c = 0; c < creases.length; c += 2) sharp.add(keyOf(creases[c], creases[c + 1]));
  const seen = new Map<number, number>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const [a, b] = [triangles[corner], triangles[next]];
    if (onCrease[a] === 0 && onCrease[b] === 0) continue;
    const key = keyOf(a, b);
    if (sharp.has(key)) continue;
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, corner);
      continue;
    }
    // the neighbour's side starts at a or, in a mesh of one orientation, at b
    const otherNext = other % 3 === 2 ? other - 2 : other + 1;
    const [atA, atB] = triangles[other] === a ? [other, otherNext] : [otherNext, other];
    parent[findRoot(parent, corner)] = findRoot(parent, atA);
    parent[findRoot(parent, next)] = findRoot(parent, atB);
  }
  return parent;
}

function findRoot(parent: Int32Array, corner: number): number {
  let root = corner;
  while (parent[root] !== root) root = parent[root];
  while (parent[corner] !== root) [parent[corner], corner] = [root, parent[corner]];
  return root;
}

/** Writes the unit normals of the drawn vertices into `normals`; where there is no area, upwards. */
export function writeSurfaceNormals(
  x: ArrayLike<number>,
  { source, indices }: CreasedMesh,
  normals: Float32Array | Float64Array,
): void {
  normals.fill(0, 0, 3 * source.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * source[indices[t]], 3 * source[indices[t + 1]], 3 * source[indices[t + 2]]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    for (let k = 0; k < 3; k++) {
      const at = 3 * indices[t + k];
      normals[at] += uy * vz - uz * vy;
      normals[at + 1] += uz * vx - ux * vz;
      normals[at + 2] += ux * vy - uy * vx;
    }
  }
  for (let i = 0; i < 3 * source.length; i += 3) {
    const length = computeHypot3(normals[i], normals[i + 1], normals[i + 2]);
    if (length > 0) for (let axis = 0; axis < 3; axis++) normals[i + axis] /= length;
    else normals[i + 1] = 1;
  }
}

/** Smooth unit normals of the frame's own vertices, 3 each, creases smoothed over. */
export function computeVertexNormals(surface: SurfaceFrame): Float64Array<ArrayBuffer> {
  const normals = new Float64Array(surface.x.length);
  const source = Int32Array.from(surface.kind, (_, v) => v);
  writeSurfaceNormals(surface.x, { source, indices: Uint32Array.from(surface.triangles) }, normals);
  return normals;
}
