/**
 * A solid that is not convex, asked about points and segments: depths are signed distances to its grown mesh; paths are
 * followed to the first triangle that they go down through [Möller 1997].
 */
import { Bvh, computeTriangleBoxes, MeshDistance, writeClosestPointTriangle } from '../geometry/index.ts';
import type { FacetSolid } from './facet-convex.ts';
import type { MeshFacets } from './facet-mesh.ts';

/** The search along a segment halves it down to this part of its length, then closes in on the deepest sample. */
const FINEST_PART = 1 / 64;
const CLOSING_STEPS = 20;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Slack of barycentric weights, so that no path slips through between two triangles. */
const SLACK = 1e-9;
/** Relative to the size. */
const ROUND_OFF = 1e-14;

const compare = (a: number, b: number): number => a - b;

export class MeshSolid implements FacetSolid {
  readonly #facets: MeshFacets;
  readonly #distance: MeshDistance;
  readonly #bvh: Bvh;
  /** Triangles of each face: triangles[start[f] … start[f + 1]). */
  readonly #start: Int32Array;
  readonly #triangles: Int32Array;
  readonly #out = new Float64Array(4);
  readonly #x = new Float64Array(12);
  readonly #weights = new Float64Array(4);
  /** The segment at hand: start and difference. */
  readonly #from = new Float64Array(3);
  readonly #along = new Float64Array(3);
  readonly #roundOff: number;
  #length = 0;
  /** Depth that need not be told from none, and the triangle that the last sample lies right over, −1 for none. */
  #least = 0;
  #over = -1;
  #deepest = 0;
  #deepestAt = 0;
  #entry = -1;
  /** Where the segment crosses the surface, and whether the last crossing goes down. */
  readonly #cuts: number[] = [];
  #isDown = false;

  constructor(facets: MeshFacets, size: number) {
    this.#roundOff = ROUND_OFF * size;
    this.#facets = facets;
    this.#distance = new MeshDistance(facets.mesh);
    this.#bvh = new Bvh(computeTriangleBoxes(facets.mesh));
    const { faceOfTriangle } = facets;
    this.#start = new Int32Array(facets.faceOffset.length + 1);
    for (const f of faceOfTriangle) this.#start[f + 1]++;
    for (let f = 0; f < facets.faceOffset.length; f++) this.#start[f + 1] += this.#start[f];
    this.#triangles = Int32Array.from(faceOfTriangle.keys()).sort(
      (s, t) => faceOfTriangle[s] - faceOfTriangle[t] || s - t,
    );
  }

  computeDepth(x: number, y: number, z: number): number {
    this.#distance.writeSignedDistance(x, y, z, this.#out);
    return -this.#out[0];
  }

  /**
   * Where it crosses the surface it is cut into parts, each all inside or all outside. Inside, the depth changes by no more than the way, and over one
   * triangle by no more than between the ends: what cannot beat the best sample is left out, and all that is not deeper than `least`.
   */
  computeSegmentDepth(a: Float64Array, atA: number, b: Float64Array, atB: number, least = 0): number {
    this.#setSegment(a, atA, b, atB);
    this.#deepest = -Infinity;
    this.#least = least;
    if (this.#depthAt(0.5) + 0.5 * this.#length <= least) return this.#deepest;
    this.#cuts.length = 0;
    this.#bvh.queryRay(this.#from, this.#along, 1, this.#addCut);
    this.#cuts.push(1);
    this.#cuts.sort(compare);
    let depth = this.#depthAt(0);
    let over = this.#over;
    for (let k = 0, low = 0; k < this.#cuts.length; k++) {
      const high = this.#cuts[k];
      const before = depth;
      const overBefore = over;
      depth = this.#depthAt(high);
      over = this.#over;
      this.#searchCut(low, before, overBefore, high, depth, over);
      low = high;
    }
    if (!(this.#deepest > least)) return this.#deepest;
    this.#closeIn(Math.max(0, this.#deepestAt - FINEST_PART), Math.min(1, this.#deepestAt + FINEST_PART));
    return this.#deepest;
  }

  /** A part between two crossings: nothing to search where its middle is outside. */
  #searchCut(low: number, lowDepth: number, lowOver: number, high: number, highDepth: number, highOver: number): void {
    if (!this.#mayBeDeep(low, lowDepth, lowOver, high, highDepth, highOver)) return;
    const middle = (low + high) / 2;
    const depth = this.#depthAt(middle);
    if (depth < -this.#roundOff) return;
    const over = this.#over;
    this.#searchPart(low, lowDepth, lowOver, middle, depth, over);
    this.#searchPart(middle, depth, over, high, highDepth, highOver);
  }

  findFace(
    p0: Float64Array,
    at0: number,
    p1: Float64Array,
    at1: number,
    tolerance: number,
    start = this.computeDepth(p0[at0], p0[at0 + 1], p0[at0 + 2]),
  ): number {
    this.#setSegment(p0, at0, p1, at1);
    if (start + this.#length <= 0) return -1;
    const end = this.computeDepth(p1[at1], p1[at1 + 1], p1[at1 + 2]);
    const face = this.#facets.faceOfTriangle[this.#distance.closestTriangle];
    if (!(end > tolerance) && !(this.computeSegmentDepth(p0, at0, p1, at1) > Math.max(start, 0) + tolerance)) return -1;
    // From inside, the closest; from outside, through a triangle; from the surface, the face stood on.
    if (start > tolerance && end > tolerance) return face;
    this.#entry = -1;
    this.#bvh.queryRay(this.#from, this.#along, 1, this.#visit);
    const entry = this.#entry < 0 ? -1 : this.#facets.faceOfTriangle[this.#entry];
    if (start < 0 && entry >= 0) return entry;
    const near = this.#findFacing(p0[at0], p0[at0 + 1], p0[at0 + 2], Math.max(start, 0) + tolerance);
    return near >= 0 ? near : entry >= 0 ? entry : face;
  }

  isOverFace(face: number, x: number, y: number, z: number, tolerance: number): boolean {
    const { faceNormal: n, faceOffset } = this.#facets;
    const o = 3 * face;
    const height = n[o] * x + n[o + 1] * y + n[o + 2] * z - faceOffset[face];
    this.#x[0] = x - height * n[o];
    this.#x[1] = y - height * n[o + 1];
    this.#x[2] = z - height * n[o + 2];
    const reach = Math.max(0, tolerance + this.#roundOff) ** 2;
    for (let i = this.#start[face]; i < this.#start[face + 1]; i++) {
      this.#setTriangle(this.#triangles[i]);
      writeClosestPointTriangle(this.#x, this.#weights);
      if (this.#squareInPlane(o) <= reach) return true;
    }
    return false;
  }

  /** Square of the distance between the point at hand and its closest in the triangle, along the plane with n at o. */
  #squareInPlane(o: number): number {
    const n = this.#facets.faceNormal;
    const x = this.#x;
    const w = this.#weights;
    const dx = x[0] - w[1] * x[3] - w[2] * x[6] - w[3] * x[9];
    const dy = x[1] - w[1] * x[4] - w[2] * x[7] - w[3] * x[10];
    const dz = x[2] - w[1] * x[5] - w[2] * x[8] - w[3] * x[11];
    const off = n[o] * dx + n[o + 1] * dy + n[o + 2] * dz;
    return (dx - off * n[o]) ** 2 + (dy - off * n[o + 1]) ** 2 + (dz - off * n[o + 2]) ** 2;
  }

  #setSegment(a: Float64Array, atA: number, b: Float64Array, atB: number): void {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      this.#from[k] = a[atA + k];
      this.#along[k] = b[atB + k] - a[atA + k];
      square += this.#along[k] ** 2;
    }
    this.#length = Math.sqrt(square);
  }

  #depthAt(t: number): number {
    const p = this.#from;
    const v = this.#along;
    const depth = this.computeDepth(p[0] + t * v[0], p[1] + t * v[1], p[2] + t * v[2]);
    this.#over = this.#distance.isOverTriangle ? this.#distance.closestTriangle : -1;
    if (depth > this.#deepest) {
      this.#deepest = depth;
      this.#deepestAt = t;
    }
    return depth;
  }

  #searchPart(low: number, lowDepth: number, lowOver: number, high: number, highDepth: number, highOver: number): void {
    if (high - low <= FINEST_PART || !this.#mayBeDeep(low, lowDepth, lowOver, high, highDepth, highOver)) return;
    const middle = (low + high) / 2;
    const depth = this.#depthAt(middle);
    const over = this.#over;
    this.#searchPart(low, lowDepth, lowOver, middle, depth, over);
    this.#searchPart(middle, depth, over, high, highDepth, highOver);
  }

  /** Over one triangle the distance to its plane is linear, and nothing is deeper than that. */
  #mayBeDeep(
    low: number,
    lowDepth: number,
    lowOver: number,
    high: number,
    highDepth: number,
    highOver: number,
  ): boolean {
    const isOverOne = lowOver >= 0 && lowOver === highOver;
    const bound = isOverOne
      ? Math.max(Math.abs(lowDepth), Math.abs(highDepth))
      : (lowDepth + highDepth + (high - low) * this.#length) / 2;
    return bound > Math.max(this.#deepest, this.#least);
  }

  /** Golden section for a deeper point between two samples. */
  #closeIn(low: number, high: number): void {
    let p = high - GOLDEN * (high - low);
    let q = low + GOLDEN * (high - low);
    let depthP = this.#depthAt(p);
    let depthQ = this.#depthAt(q);
    for (let step = 0; step < CLOSING_STEPS; step++) {
      if (depthP > depthQ) {
        high = q;
        q = p;
        depthQ = depthP;
        p = high - GOLDEN * (high - low);
        depthP = this.#depthAt(p);
      } else {
        low = p;
        p = q;
        depthP = depthQ;
        q = low + GOLDEN * (high - low);
        depthQ = this.#depthAt(q);
      }
    }
  }

  #setTriangle(triangle: number): void {
    const { positions, indices } = this.#facets.mesh;
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * indices[3 * triangle + corner];
      for (let k = 0; k < 3; k++) this.#x[3 * corner + 3 + k] = positions[v + k];
    }
  }

  readonly #addCut = (triangle: number, limit: number): number => {
    const t = this.#crossTriangle(triangle);
    if (t <= limit) this.#cuts.push(t);
    return limit;
  };

  readonly #visit = (triangle: number, limit: number): number => {
    const t = this.#crossTriangle(triangle);
    if (!(t <= limit && this.#isDown)) return limit;
    this.#entry = triangle;
    return t;
  };

  /** Part of the segment after which it goes through the triangle, and whether down; Infinity where it does not. */
  #crossTriangle(triangle: number): number {
    this.#setTriangle(triangle);
    const x = this.#x;
    const p = this.#from;
    const v = this.#along;
    const ux = x[6] - x[3];
    const uy = x[7] - x[4];
    const uz = x[8] - x[5];
    const wx = x[9] - x[3];
    const wy = x[10] - x[4];
    const wz = x[11] - x[5];
    const qx = v[1] * wz - v[2] * wy;
    const qy = v[2] * wx - v[0] * wz;
    const qz = v[0] * wy - v[1] * wx;
    const determinant = ux * qx + uy * qy + uz * qz;
    // Positive where the path runs against the normal.
    this.#isDown = determinant > 0;
    if (determinant === 0) return Infinity;
    const sx = p[0] - x[3];
    const sy = p[1] - x[4];
    const sz = p[2] - x[5];
    const b = (sx * qx + sy * qy + sz * qz) / determinant;
    if (b < -SLACK || b > 1 + SLACK) return Infinity;
    const rx = sy * uz - sz * uy;
    const ry = sz * ux - sx * uz;
    const rz = sx * uy - sy * ux;
    const c = (v[0] * rx + v[1] * ry + v[2] * rz) / determinant;
    if (c < -SLACK || b + c > 1 + SLACK) return Infinity;
    const t = (wx * rx + wy * ry + wz * rz) / determinant;
    return t >= 0 && t <= 1 ? t : Infinity;
  }

  /** Of the faces within `reach` of a point, the one that the segment at hand goes into most steeply; −1 for none. */
  #findFacing(x: number, y: number, z: number, reach: number): number {
    const { faceNormal: n, faceOffset } = this.#facets;
    const v = this.#along;
    let face = -1;
    let steepest = 0;
    for (let f = 0; f < faceOffset.length; f++) {
      const o = 3 * f;
      const change = n[o] * v[0] + n[o + 1] * v[1] + n[o + 2] * v[2];
      const height = n[o] * x + n[o + 1] * y + n[o + 2] * z - faceOffset[f];
      if (!(change < steepest) || Math.abs(height) > reach || !this.isOverFace(f, x, y, z, reach)) continue;
      face = f;
      steepest = change;
    }
    return face;
  }
}
