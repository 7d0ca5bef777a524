/**
 * Convex hull of points in space by quickhull [Barber 1996] with triangular faces.
 * A face sees a point that is more than ε above its plane, ε = tolerance × the diagonal of the points' box. Points within
 * ε of the hull are left out, so a point that is added lies more than ε from every edge of its horizon: no triangle is
 * thinner than ε, and coplanar input (a cube full of points) gives clean coplanar triangles. Where rounding makes the
 * horizon inconsistent, or the result is not convex to a few ε, the hull is built again with a larger ε.
 */
import { computeHypot3, computeLength } from '../math/index.ts';
import { TriangleMesh } from './mesh.ts';

export type HullResult =
  | {
      readonly ok: true;
      /** Closed, outward; its vertices are the corners of the hull only. */
      readonly mesh: TriangleMesh;
      /** For each vertex of the mesh, the index of the point given. */
      readonly corners: Int32Array;
    }
  /** `reason` completes "the points …". */
  | { readonly ok: false; readonly reason: string };

/** Relative ε of the first try and the factor and number of further ones. */
const TOLERANCE = 1e-10;
const COARSER = 100;
const TRIES = 3;

interface Face {
  /** Corners, counter-clockwise from outside. */
  readonly v: readonly [number, number, number];
  /** Faces across the sides v0–v1, v1–v2, v2–v0. */
  readonly beside: [Face, Face, Face];
  readonly normal: readonly [number, number, number];
  readonly offset: number;
  /** Points that only this face is asked about. */
  outside: number[];
  alive: boolean;
}

class Builder {
  readonly x: ArrayLike<number>;
  readonly epsilon: number;
  readonly faces: Face[] = [];

  constructor(x: ArrayLike<number>, epsilon: number) {
    this.x = x;
    this.epsilon = epsilon;
  }

  point(i: number): [number, number, number] {
    return [this.x[3 * i], this.x[3 * i + 1], this.x[3 * i + 2]];
  }

  createFace(a: number, b: number, c: number): Face {
    const [p, q, r] = [this.point(a), this.point(b), this.point(c)];
    const n = cross(sub(q, p), sub(r, p));
    const length = computeLength(n);
    const normal = [n[0] / length, n[1] / length, n[2] / length] as const;
    // The neighbours are put in by `link`.
    const beside = [] as unknown as [Face, Face, Face];
    // The plane goes through the mean of the corners, which halves the rounding of the worst one.
    const offset = (dot(normal, p) + dot(normal, q) + dot(normal, r)) / 3;
    const face = { v: [a, b, c] as const, beside, normal, offset, outside: [], alive: true };
    this.faces.push(face);
    return face;
  }

  height(face: Face, i: number): number {
    const n = face.normal;
    return n[0] * this.x[3 * i] + n[1] * this.x[3 * i + 1] + n[2] * this.x[3 * i + 2] - face.offset;
  }

  /** Gives each point to the first of the faces that sees it; the rest lie inside. */
  distribute(points: Iterable<number>, faces: readonly Face[]): void {
    for (const i of points) {
      const face = faces.find((candidate) => this.height(candidate, i) > this.epsilon);
      face?.outside.push(i);
    }
  }

  /** Adds a point seen by `first`; false where the horizon is not one simple loop. */
  addPoint(point: number, first: Face): boolean {
    const visible: Face[] = [first];
    first.alive = false;
    const rim: { from: number; to: number; beyond: Face }[] = [];
    for (let i = 0; i < visible.length; i++) {
      const face = visible[i];
      for (let side = 0; side < 3; side++) {
        const beyond = face.beside[side];
        if (!beyond.alive) continue;
        if (this.height(beyond, point) > this.epsilon) {
          beyond.alive = false;
          visible.push(beyond);
        }
      }
    }
    for (const face of visible) {
      for (let side = 0; side < 3; side++) {
        const beyond = face.beside[side];
        if (beyond.alive) rim.push({ from: face.v[side], to: face.v[(side + 1) % 3], beyond });
      }
    }
    const starting = new Map(rim.map((edge) => [edge.from, edge]));
    if (starting.size !== rim.length || !isOneLoop(rim[0], starting)) return false;
    this.closeFan(point, rim, starting);
    const created = this.faces.slice(-rim.length);
    for (const face of visible) {
      this.distribute(
        face.outside.filter((i) => i !== point),
        created,
      );
    }
    return true;
  }

  /** New faces from the rim to the point, linked to each other and to what lies beyond. */
  closeFan(
    point: number,
    rim: readonly { from: number; to: number; beyond: Face }[],
    starting: ReadonlyMap<number, { from: number }>,
  ): void {
    const created = new Map<number, Face>();
    for (const { from, to, beyond } of rim) {
      const face = this.createFace(from, to, point);
      created.set(from, face);
      face.beside[0] = beyond;
      const back = beyond.v.indexOf(to);
      beyond.beside[back] = face;
    }
    for (const { from, to } of rim) {
      const face = created.get(from)!;
      const next = created.get(starting.get(to)!.from)!;
      face.beside[1] = next;
      next.beside[2] = face;
    }
  }
}

const isOneLoop = (start: { from: number; to: number }, starting: ReadonlyMap<number, { to: number }>): boolean => {
  let length = 1;
  for (let at = start.to; at !== start.from; length++) {
    const edge = starting.get(at);
    if (edge === undefined || length > starting.size) return false;
    at = edge.to;
  }
  return length === starting.size;
};

type Triple = readonly [number, number, number];
const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const indexOfLargest = (count: number, measure: (i: number) => number): number => {
  let [best, largest] = [0, -Infinity];
  for (let i = 0; i < count; i++) {
    const value = measure(i);
    if (value > largest) [best, largest] = [i, value];
  }
  return best;
};

/** Four corners of a tetrahedron with volume, or what the points are instead. */
const findSimplex = (builder: Builder, count: number): [number, number, number, number] | string => {
  const { epsilon } = builder;
  const point = (i: number): Triple => builder.point(i);
  const extremes = [0, 1, 2].flatMap((k) => [
    indexOfLargest(count, (i) => point(i)[k]),
    indexOfLargest(count, (i) => -point(i)[k]),
  ]);
  let [a, b, longest] = [0, 0, 0];
  for (const i of extremes) {
    for (const j of extremes) {
      const length = computeLength(sub(point(j), point(i)));
      if (length > longest) [a, b, longest] = [i, j, length];
    }
  }
  if (!(longest > epsilon)) return 'all lie in one place; a hull needs four that span a volume';
  const [o, u] = [point(a), sub(point(b), point(a))];
  const fromLine = (i: number): number => computeLength(cross(u, sub(point(i), o))) / longest;
  const c = indexOfLargest(count, fromLine);
  if (!(fromLine(c) > epsilon)) return 'all lie on one line; a hull needs four that span a volume';
  const n = cross(u, sub(point(c), o));
  const area = computeLength(n);
  const fromPlane = (i: number): number => dot(n, sub(point(i), o)) / area;
  const d = indexOfLargest(count, (i) => Math.abs(fromPlane(i)));
  if (!(Math.abs(fromPlane(d)) > epsilon)) return 'all lie in one plane; a hull needs four that span a volume';
  // The fourth below the first three, so that these are counter-clockwise from outside.
  return fromPlane(d) < 0 ? [a, b, c, d] : [a, c, b, d];
};

const buildHull = (builder: Builder, count: number, simplex: readonly number[]): boolean => {
  const [a, b, c, d] = simplex;
  const base = builder.createFace(a, b, c);
  const ab = builder.createFace(b, a, d);
  const bc = builder.createFace(c, b, d);
  const ca = builder.createFace(a, c, d);
  base.beside.push(ab, bc, ca);
  ab.beside.push(base, ca, bc);
  bc.beside.push(base, ab, ca);
  ca.beside.push(base, bc, ab);
  const corners = new Set(simplex);
  const others = Array.from({ length: count }, (_, i) => i).filter((i) => !corners.has(i));
  builder.distribute(others, [base, ab, bc, ca]);
  for (let i = 0; i < builder.faces.length; i++) {
    const face = builder.faces[i];
    if (!face.alive || face.outside.length === 0) continue;
    const highest = face.outside[indexOfLargest(face.outside.length, (k) => builder.height(face, face.outside[k]))];
    if (!builder.addPoint(highest, face)) return false;
  }
  return true;
};

/** No corner across any edge stands above the face by more than a few ε. */
const isConvex = (builder: Builder, faces: readonly Face[]): boolean =>
  faces.every((face) =>
    face.beside.every((other) => other.v.every((corner) => builder.height(face, corner) <= 4 * builder.epsilon)),
  );

/** The convex hull of at least four points, given as three coordinates each. */
export const computeConvexHull = (points: ArrayLike<number>): HullResult => {
  const count = Math.floor(points.length / 3);
  if (points.length % 3 !== 0) return { ok: false, reason: `have ${points.length} coordinates; give three per point` };
  if (count < 4) return { ok: false, reason: `are only ${count}; a hull needs four that span a volume` };
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) {
      return {
        ok: false,
        reason: `include the coordinate ${points[i]} (point ${Math.floor(i / 3)}); all must be finite`,
      };
    }
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const diagonal = computeHypot3(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  // Rounding grows with the distance from the origin, not only with the size.
  const reach = Math.max(...low.map(Math.abs), ...high.map(Math.abs));
  let epsilon = Math.max(TOLERANCE * diagonal, 1e-14 * reach);
  for (let attempt = 0; attempt < TRIES; attempt++, epsilon *= COARSER) {
    const builder = new Builder(points, epsilon);
    const simplex = findSimplex(builder, count);
    if (typeof simplex === 'string') return { ok: false, reason: simplex };
    if (!buildHull(builder, count, simplex)) continue;
    const faces = builder.faces.filter((face) => face.alive);
    if (isConvex(builder, faces)) return { ok: true, ...collectMesh(points, faces) };
  }
  return { ok: false, reason: `have no stable hull; remove points closer than ${epsilon} m to each other` };
};

const collectMesh = (
  points: ArrayLike<number>,
  faces: readonly Face[],
): { mesh: TriangleMesh; corners: Int32Array } => {
  const corners = Int32Array.from(new Set(faces.flatMap((face) => face.v))).sort();
  const place = new Map(Array.from(corners, (corner, i) => [corner, i]));
  const positions = Float64Array.from(
    { length: 3 * corners.length },
    (_, i) => points[3 * corners[Math.floor(i / 3)] + (i % 3)],
  );
  const indices = Int32Array.from(faces.flatMap((face) => face.v.map((corner) => place.get(corner)!)));
  return { mesh: new TriangleMesh(positions, indices), corners };
};
