/**
 * The cloth of `heddle bench sheet --peers`: what every engine builds, and what is read off it.
 *
 * A square of 1 m, 200 g/m², of side × side vertices on a grid with alternating diagonals. Its material is a plain cotton: tensile stiffness
 * 5 kN/m, bending rigidity 1e-5 N m.
 *
 *   hang   pinned at two corners of the same side, let go from level
 *   edge   drawn up the side of a box and over its sharp edge, along the top: the row on top is moved at 0.4 m/s, the lower end is free
 *
 *                 ──────────────▶ 0.4 m/s           the box: x > 0, y < 0
 *               ┌─────────────                      friction 0.3
 *          side │   box
 *               │
 *          free ▼ end
 *
 * Strain is that of edges, | |x_b − x_a| / |X_b − X_a| − 1 |, whatever the engine makes of triangles. The depth at which a straight edge of
 * the mesh runs inside the box is that of its deepest point, max min(x, −y): at its ends, or where x = −y. A triangle is nowhere deeper than
 * its edges are.
 */
import { createGridMesh } from 'heddle/geometry';

export const CLOTH = {
  size: 1,
  arealDensity: 0.2,
  tensileStiffness: 5000,
  poissonRatio: 0.3,
  bendingRigidity: 1e-5,
  thickness: 4e-4,
  gravity: 9.81,
};

export const DRAW = {
  speed: 0.4,
  friction: 0.3,
  /** Length that lies on top at the start [m], to the nearest row of vertices: no edge of the mesh starts bent, so none starts too short. */
  onTop: 0.25,
  /** Size of the box [m]: as wide as the cloth, and more. */
  box: 2,
};

/** Grid of vertices: material places, triangles, edges as pairs, and the mass of each vertex. */
export function createCloth(side) {
  const { points, corners, triangleCount } = createGridMesh(CLOTH.size, CLOTH.size, side - 1, side - 1);
  const count = side * side;
  const X = Float64Array.from(points.slice(0, 2 * count));
  const triangles = Int32Array.from(corners.slice(0, 3 * triangleCount));
  const masses = new Float64Array(count);
  const share = (CLOTH.arealDensity * (CLOTH.size / (side - 1)) ** 2) / 6;
  for (const vertex of triangles) masses[vertex] += share;
  return { side, count, X, triangles, edges: listEdges(triangles), masses };
}

/** Pairs of vertices, each once: those of every triangle whose other triangle, if any, comes later. */
export function listEdges(triangles) {
  const edges = [];
  const seen = new Set();
  for (let t = 0; t < triangles.length; t += 3)
    for (let n = 0; n < 3; n++) {
      const [a, b] = [triangles[t + n], triangles[t + ((n + 1) % 3)]];
      const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(a, b);
    }
  return Int32Array.from(edges);
}

/** Where the vertices start, three numbers each: level for hanging. */
export function placeLevel({ X, count }) {
  const x = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) x.set([X[2 * i], 0, X[2 * i + 1] - CLOTH.size], 3 * i);
  return x;
}

/** Where the fold is in the material [m]. */
const computeFold = ({ side }) => CLOTH.size * (1 - Math.round(DRAW.onTop * (side - 1)) / (side - 1));

/** Bent over the edge of the box, half a thickness off its faces; the last column (X = size) on top. */
export function placeOverEdge(cloth) {
  const { X, count } = cloth;
  const fold = computeFold(cloth);
  const x = new Float64Array(3 * count);
  const half = CLOTH.thickness / 2;
  for (let i = 0; i < count; i++) {
    const top = X[2 * i] - fold;
    const z = CLOTH.size / 2 - X[2 * i + 1];
    x.set(top > 0 ? [-half + top, half, z] : [-half, half + top, z], 3 * i);
  }
  return x;
}

/** How fast they start, so that nothing jerks: all move along the cloth. */
export function computeStartVelocities(cloth) {
  const { X, count } = cloth;
  const fold = computeFold(cloth);
  const v = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) v[3 * i + (X[2 * i] > fold ? 0 : 1)] = DRAW.speed;
  return v;
}

/** Vertices that are held: two corners; the moved row; the free row. */
export const listPins = ({ side }) => [0, side - 1];
export const listDrawn = ({ side }) => Array.from({ length: side }, (_, j) => side * j + side - 1);
export const listFree = ({ side }) => Array.from({ length: side }, (_, j) => side * j);

/** Mean, 95th percentile and largest of the edges' strains; `rest` their lengths in the material. */
export function computeStrains(x, edges, rest) {
  const strains = new Float64Array(rest.length);
  let sum = 0;
  for (let e = 0; e < rest.length; e++) {
    const [a, b] = [3 * edges[2 * e], 3 * edges[2 * e + 1]];
    const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
    strains[e] = Math.abs(length / rest[e] - 1);
    sum += strains[e];
  }
  strains.sort();
  return { mean: sum / rest.length, most: strains[Math.floor(0.95 * (rest.length - 1))], worst: strains.at(-1) };
}

/** Lengths of edges in the material; `X` two numbers a vertex. */
export function computeRestLengths(X, edges) {
  const rest = new Float64Array(edges.length / 2);
  for (let e = 0; e < rest.length; e++) {
    const [a, b] = [2 * edges[2 * e], 2 * edges[2 * e + 1]];
    rest[e] = Math.hypot(X[b] - X[a], X[b + 1] - X[a + 1]);
  }
  return rest;
}

/** How deep the mesh is in the box: x > 0 and y < 0 with the corner at the origin [m]. */
export function computeDepth(x, edges) {
  let deepest = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    deepest = Math.max(deepest, computeSegmentDepth(x[a], -x[a + 1], x[b], -x[b + 1]));
  }
  return deepest;
}

/** Largest min(p, q) on the way from (p0, q0) to (p1, q1), or 0. */
export function computeSegmentDepth(p0, q0, p1, q1) {
  const [d0, d1] = [p0 - q0, p1 - q1];
  let deepest = Math.max(0, Math.min(p0, q0), Math.min(p1, q1));
  if (d0 * d1 < 0) deepest = Math.max(deepest, p0 + ((p1 - p0) * d0) / (d0 - d1));
  return deepest;
}
