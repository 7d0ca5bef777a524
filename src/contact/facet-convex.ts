/**
 * A convex solid asked about points and segments. With h_i = n_i · x − d_i the height over the plane of face i,
 *     depth = min over i of −h_i
 * is the depth of a point inside and is concave along a line. Faces are crossed as in [Cyrus 1978].
 */
import type { FacetGeometry } from './facet-planes.ts';

/** What a solid answers, in its own frame; see `FacetBody`. Nothing is allocated. */
export interface FacetSolid {
  computeDepth(x: number, y: number, z: number): number;
  /**
   * Largest depth of the segment from a[atA …] to b[atB …]; about minus the distance where it stays outside. Where `least` is given, anything up
   * to that for what is not deeper.
   */
  computeSegmentDepth(a: Float64Array, atA: number, b: Float64Array, atB: number, least?: number): number;
  /** `start`: depth of p0, where that is known. */
  findFace(p0: Float64Array, at0: number, p1: Float64Array, at1: number, tolerance: number, start?: number): number;
  isOverFace(face: number, x: number, y: number, z: number, tolerance: number): boolean;
}

/** A plane between a segment and a convex body that holds the segment's direction: the body is below it, n · x ≤ offset. */
export interface SegmentPlane {
  /** n, a unit vector, and offset [m]. */
  readonly normal: Float64Array;
  offset: number;
  /** The deepest point of the segment, 0 … 1, and how far the segment is over the plane there, < 0 inside [m]. */
  s: number;
  gap: number;
  /** The faces that limit the depth on both sides of it. */
  before: number;
  after: number;
}

export const createSegmentPlane = (): SegmentPlane => ({
  normal: new Float64Array(3),
  offset: 0,
  s: 0,
  gap: 0,
  before: -1,
  after: -1,
});

/** Steps of the search for the deepest point; it ends by itself after a few. */
const MOST_STEPS = 64;
const ROUND_OFF = 1e-14;

export class ConvexSolid implements FacetSolid {
  readonly #normal: Float64Array;
  readonly #offset: Float64Array;
  readonly #size: number;
  /** Sides of each face: faceSides[sideStart[f] … sideStart[f + 1]) point into `side`. */
  readonly #sideStart: Int32Array;
  /** For each side of a face: a point on it and the unit vector out of the face, in its plane; six numbers. */
  readonly #side: Float64Array;
  /** Heights over the faces at the start and end of the segment at hand. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  /** Faces that can limit the depth of the segment at hand. */
  readonly #active: Int32Array;
  #activeCount = 0;
  /** The face that kept the last segment outside. */
  #separating = 0;
  /** Of the last envelope asked for: how fast the depth grows there, and the face that limits it. */
  #slope = 0;
  #limit = 0;

  constructor(facets: FacetGeometry, size: number) {
    this.#normal = facets.faceNormal;
    this.#offset = facets.faceOffset;
    this.#size = size;
    this.#from = new Float64Array(this.#offset.length);
    this.#to = new Float64Array(this.#offset.length);
    this.#active = new Int32Array(this.#offset.length);
    const sides = collectSides(facets);
    this.#sideStart = sides.start;
    this.#side = sides.side;
  }

  computeDepth(x: number, y: number, z: number): number {
    let depth = Infinity;
    for (let f = 0; f < this.#offset.length; f++) depth = Math.min(depth, -this.#height(f, x, y, z));
    return depth;
  }

  computeSegmentDepth(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    const outside = this.#writeHeights(a, atA, b, atB);
    return outside > 0 ? -outside : this.#computeDeepest();
  }

  findFace(p0: Float64Array, at0: number, p1: Float64Array, at1: number, tolerance: number): number {
    if (this.#writeHeights(p0, at0, p1, at1) > 0) return -1;
    const deepest = this.#computeDeepest();
    if (!(deepest > tolerance)) return -1;
    const start = -this.#from[this.#findShallowest(this.#from)];
    const end = -this.#to[this.#findShallowest(this.#to)];
    // It leaves, or passes on without getting deeper than it was.
    if (!(end > tolerance) && !(deepest > Math.max(start, 0) + tolerance)) return -1;
    if (start < -ROUND_OFF * this.#size) return this.#findEntry();
    return start > tolerance && end > tolerance ? this.#findShallowest(this.#to) : this.#findFacing(start + tolerance);
  }

  isOverFace(face: number, x: number, y: number, z: number, tolerance: number): boolean {
    const side = this.#side;
    for (let i = this.#sideStart[face]; i < this.#sideStart[face + 1]; i++) {
      const o = 6 * i;
      const out = (x - side[o]) * side[o + 3] + (y - side[o + 1]) * side[o + 4] + (z - side[o + 2]) * side[o + 5];
      if (out > tolerance) return false;
    }
    return true;
  }

  #height(f: number, x: number, y: number, z: number): number {
    const n = this.#normal;
    return n[3 * f] * x + n[3 * f + 1] * y + n[3 * f + 2] * z - this.#offset[f];
  }

  /**
   * Heights of both ends over all faces. Where one face has both above it, the segment is outside: the height of the lower
   * end is returned and the rest left out; otherwise 0. The face of the last time is tried first.
   */
  #writeHeights(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    const outside = this.#writeHeight(this.#separating, a, atA, b, atB);
    if (outside > 0) return outside;
    for (let f = 0; f < this.#offset.length; f++) {
      const above = this.#writeHeight(f, a, atA, b, atB);
      if (above > 0) {
        this.#separating = f;
        return above;
      }
    }
    return 0;
  }

  #writeHeight(f: number, a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    const from = this.#height(f, a[atA], a[atA + 1], a[atA + 2]);
    const to = this.#height(f, b[atB], b[atB + 1], b[atB + 2]);
    this.#from[f] = from;
    this.#to[f] = to;
    return Math.min(from, to);
  }

  /** Keeps the faces that can limit the depth: the others are deeper all along than one is anywhere. */
  #writeActive(): void {
    let most = Infinity;
    for (let f = 0; f < this.#from.length; f++) most = Math.min(most, Math.max(-this.#from[f], -this.#to[f]));
    this.#activeCount = 0;
    for (let f = 0; f < this.#from.length; f++) {
      if (Math.min(-this.#from[f], -this.#to[f]) <= most) this.#active[this.#activeCount++] = f;
    }
  }

  /** The depth at t of the segment at hand; leaves its slope. */
  #computeEnvelope(t: number): number {
    let depth = Infinity;
    for (let i = 0; i < this.#activeCount; i++) {
      const f = this.#active[i];
      const change = this.#to[f] - this.#from[f];
      const value = -(this.#from[f] + t * change);
      if (value < depth) {
        depth = value;
        this.#slope = -change;
        this.#limit = f;
      }
    }
    return depth;
  }

  /**
   * The plane across which a segment comes out of the body in the shortest way, held by its direction d: where the depth has its peak
   * between faces A and B,  n ∥ α n_A + β n_B with α, β > 0 and n · d = 0. False where one face has the whole segment above it, or an
   * end of the segment is deepest.
   */
  findSegmentPlane(a: Float64Array, atA: number, b: Float64Array, atB: number, out: SegmentPlane): boolean {
    if (this.#writeHeights(a, atA, b, atB) > 0) return false;
    this.#writeActive();
    this.#computeEnvelope(0);
    let [before, up] = [this.#limit, this.#slope];
    this.#computeEnvelope(1);
    let [after, down] = [this.#limit, this.#slope];
    if (!(up > 0 && down < 0)) return false;
    const [from, to] = [this.#from, this.#to];
    for (let step = 0; step < MOST_STEPS; step++) {
      out.s = (from[before] - from[after]) / (up - down);
      const bound = -(from[before] + out.s * (to[before] - from[before]));
      const value = this.#computeEnvelope(out.s);
      if (!(bound - value > ROUND_OFF * (Math.abs(bound) + this.#size))) break;
      if (this.#slope > 0) [before, up] = [this.#limit, this.#slope];
      else [after, down] = [this.#limit, this.#slope];
    }
    const n = this.#normal;
    const share = -down / (up - down);
    let length = 0;
    for (let k = 0; k < 3; k++) {
      out.normal[k] = share * n[3 * before + k] + (1 - share) * n[3 * after + k];
      length += out.normal[k] ** 2;
    }
    length = Math.sqrt(length);
    if (!(length > 0)) return false;
    for (let k = 0; k < 3; k++) out.normal[k] /= length;
    out.offset = (share * this.#offset[before] + (1 - share) * this.#offset[after]) / length;
    out.gap = (from[before] + out.s * (to[before] - from[before])) / length;
    out.before = before;
    out.after = after;
    return true;
  }

  /** The highest point of a concave, piecewise linear curve: again and again where the lines of its two sides meet. */
  #computeDeepest(): number {
    this.#writeActive();
    let left = 0;
    let right = 1;
    let leftValue = this.#computeEnvelope(0);
    let leftSlope = this.#slope;
    if (leftSlope <= 0) return leftValue;
    let rightValue = this.#computeEnvelope(1);
    let rightSlope = this.#slope;
    if (rightSlope >= 0) return rightValue;
    let best = Math.max(leftValue, rightValue);
    for (let step = 0; step < MOST_STEPS; step++) {
      const t = (rightValue - leftValue + leftSlope * left - rightSlope * right) / (leftSlope - rightSlope);
      const bound = leftValue + leftSlope * (t - left);
      const value = this.#computeEnvelope(t);
      best = Math.max(best, value);
      if (!(bound - value > ROUND_OFF * (Math.abs(bound) + this.#size)) || this.#slope === 0) break;
      if (this.#slope > 0) {
        left = t;
        leftValue = value;
        leftSlope = this.#slope;
      } else {
        right = t;
        rightValue = value;
        rightSlope = this.#slope;
      }
    }
    return best;
  }

  /** The last face plane that the segment goes down through; of equal ones the steepest. */
  #findEntry(): number {
    let face = -1;
    let last = -Infinity;
    let steepest = 0;
    for (let f = 0; f < this.#from.length; f++) {
      const change = this.#to[f] - this.#from[f];
      if (!(this.#from[f] > 0 && change < 0)) continue;
      const t = this.#from[f] / -change;
      if (t < last - ROUND_OFF || (t <= last + ROUND_OFF && !(change < steepest))) continue;
      face = f;
      last = t;
      steepest = change;
    }
    return face;
  }

  #findShallowest(heights: Float64Array): number {
    let face = 0;
    for (let f = 1; f < heights.length; f++) if (heights[f] > heights[face]) face = f;
    return face;
  }

  /** Of the faces not deeper than `depth` above the start, the one that the motion goes into most steeply. */
  #findFacing(depth: number): number {
    let face = -1;
    let steepest = 0;
    for (let f = 0; f < this.#from.length; f++) {
      const change = this.#to[f] - this.#from[f];
      if (-this.#from[f] > depth || !(change < steepest)) continue;
      face = f;
      steepest = change;
    }
    return face >= 0 ? face : this.#findShallowest(this.#to);
  }
}

/** Out of face A across an edge: the part of nB across nA, n_B − (n_A · n_B) n_A, as a unit vector. */
const collectSides = (facets: FacetGeometry): { start: Int32Array; side: Float64Array } => {
  const { faceNormal: n, edgeFaceA, edgeFaceB } = facets;
  const faceCount = facets.faceOffset.length;
  const of = Array.from({ length: faceCount }, () => [] as number[]);
  for (let e = 0; e < edgeFaceA.length; e++) {
    for (const [a, b] of [
      [edgeFaceA[e], edgeFaceB[e]],
      [edgeFaceB[e], edgeFaceA[e]],
    ]) {
      const cosine = n[3 * a] * n[3 * b] + n[3 * a + 1] * n[3 * b + 1] + n[3 * a + 2] * n[3 * b + 2];
      const out = [0, 1, 2].map((k) => n[3 * b + k] - cosine * n[3 * a + k]);
      const length = Math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2);
      of[a].push(...facets.edgeStart.subarray(3 * e, 3 * e + 3), ...out.map((value) => value / length));
    }
  }
  const start = new Int32Array(faceCount + 1);
  for (const [f, list] of of.entries()) start[f + 1] = start[f] + list.length / 6;
  return { start, side: Float64Array.from(of.flat()) };
};
