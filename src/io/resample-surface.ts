/**
 * A sheet on a fixed material mesh. x is known at the vertices and linear in X on every triangle, so
 *   x(X) = Σ w_k x_k   with the weights of X in the frame's own material mesh (MeshLocator)     [x, X in m]
 * The mesh of a frame may be another one in the next; the same X is always the same piece of material, so one topology
 * lasts. An affine x(X) comes out as it is on any mesh. A sharp fold between two points of the fixed mesh is cut.
 */
import { createMeshLocation, MeshLocator } from '../geometry/index.ts';
import type { SurfaceFrame } from '../model/frame.ts';

/** A triangle mesh in material space: 2 coordinates a vertex [m], 3 vertices a triangle. */
export type MaterialMesh = Pick<SurfaceFrame, 'X' | 'triangles'>;

/** Vertices that a mesh chosen without a wish has at least. */
const FEWEST_VERTICES = 1000;

/** Whether two sheets have one material mesh, to the bit. */
export function isSameMesh(a: MaterialMesh, b: MaterialMesh): boolean {
  return isSame(a.triangles, b.triangles) && isSame(a.X, b.X);
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * The mesh of all frames where they share one. Else that of the frame with the most triangles, each cut into four until
 * there are at least `wished` vertices (by default 1000): the rim of the sheet stays as it is.
 */
export function chooseMaterialMesh(sequence: readonly SurfaceFrame[], wished = FEWEST_VERTICES): MaterialMesh {
  const [first] = sequence;
  if (sequence.every((surface) => isSameMesh(surface, first))) return { X: first.X, triangles: first.triangles };
  let mesh: MaterialMesh = first;
  for (const surface of sequence) if (surface.triangles.length > mesh.triangles.length) mesh = surface;
  mesh = { X: mesh.X, triangles: mesh.triangles };
  while (mesh.triangles.length > 0 && mesh.X.length / 2 < wished) mesh = computeFinerMesh(mesh);
  return mesh;
}

/** Every triangle cut into four at the middles of its sides. */
export function computeFinerMesh({ X, triangles }: MaterialMesh): MaterialMesh {
  const vertices = X.length / 2;
  const places = Array.from(X);
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    let vertex = middles.get(key);
    if (vertex === undefined) {
      vertex = places.length / 2;
      middles.set(key, vertex);
      places.push((X[2 * a] + X[2 * b]) / 2, (X[2 * a + 1] + X[2 * b + 1]) / 2);
    }
    return vertex;
  };
  const finer = new Int32Array(4 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    finer.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 4 * t);
  }
  return { X: Float64Array.from(places), triangles: finer };
}

/** The sheet on the given mesh; its vertices are material points, so they are Lagrangian and creases are gone. */
export function resampleSurface(surface: SurfaceFrame, mesh: MaterialMesh): SurfaceFrame {
  if (isSameMesh(surface, mesh)) return surface;
  const count = mesh.X.length / 2;
  const locator = new MeshLocator(surface.X, surface.triangles);
  const location = createMeshLocation();
  const corners = new Int32Array(3 * count);
  const weights = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    locator.writeLocation(mesh.X[2 * i], mesh.X[2 * i + 1], location);
    for (let k = 0; k < 3; k++) {
      weights[3 * i + k] = location.weights[k];
      corners[3 * i + k] = surface.triangles[3 * location.triangle + k];
    }
  }
  const interpolate = (values: Float64Array, width: number): Float64Array => {
    const out = new Float64Array(width * count);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        const weight = weights[3 * i + k];
        const from = width * corners[3 * i + k];
        for (let axis = 0; axis < width; axis++) out[width * i + axis] += weight * values[from + axis];
      }
    }
    return out;
  };
  return {
    ...surface,
    ...mesh,
    x: interpolate(surface.x, 3),
    kind: new Uint8Array(count),
    creases: new Int32Array(0),
    fields: Object.fromEntries(Object.entries(surface.fields).map(([name, values]) => [name, interpolate(values, 1)])),
  };
}
