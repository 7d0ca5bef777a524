/**
 * The first convex edge that a moving segment goes through. The body stands still; the ends of the segment move straight:
 *     a(t) = a₀ + t (a₁ − a₀),   d(t) = b(t) − a(t),   V(t) = (a(t) − p) · (e × d(t)),   0 ≤ t ≤ 1
 *   p, e    start of the edge and its vector [m]; e points along nA × nB         nA, nB  normals of its faces
 *   V       volume spanned by edge and segment [m³], quadratic in t: its roots are the times at which the two lines meet
 *   m       e × d where d · nA > 0 > d · nB, turned round where the signs are the other way:  m ∥ ±(−(d·nB) nA + (d·nA) nB)
 * The line can rest on the edge only where it leaves one face and enters the other, (d·nA)(d·nB) ≤ 0: then m lies in the
 * cone of the normals and s = m · (a − p)/‖m‖ is the separation, > 0 outside. Lines in the plane of a face belong to it.
 * Below the edge (s < 0) the deepest point of the line under both faces has the depth
 *     −s ‖−(d·nB) nA + (d·nA) nB‖ / (|d·nA| + |d·nB|)
 * Where an edge ends in a valley, a line below it near that end is nearest beyond the end, and also beyond that of the edge which goes on
 * across the valley; it is below both (`isOnEdge`).
 */
import { Bvh } from '../geometry/index.ts';
import { computeEdgeBoxes, touches } from './facet-boxes.ts';
import type { FacetSolid } from './facet-convex.ts';
import { RUNS_ON_AT_END, RUNS_ON_AT_START } from './facet-planes.ts';

export interface EdgeHit {
  /** −1 for none; the rest then means nothing. */
  edge: number;
  /** Part of the motion after which they touch, 0 … 1. */
  time: number;
  /** Where on the segment at that time, 0 at a … 1 at b. */
  segment: number;
  /** Where on the edge, 0 … 1. */
  along: number;
  /** How far below the edge the segment's line is at the end of the motion [m]; 0 where it does not pass below it then. */
  depth: number;
}

export const createEdgeHit = (): EdgeHit => ({ edge: -1, time: 0, segment: 0, along: 0, depth: 0 });

export interface EdgeList {
  readonly edgeCount: number;
  readonly edgeStart: Float64Array;
  readonly edgeEnd: Float64Array;
  readonly edgeNormalA: Float64Array;
  readonly edgeNormalB: Float64Array;
  readonly edgeRunsOn: Uint8Array;
  readonly bounds: Float64Array;
  readonly size: number;
}

/** Slack of the parameters along segment and edge, and of directions in a face's plane: nothing falls between two edges. */
const SLACK = 1e-9;
/** Sine of the angle below which segment and edge are parallel. */
const PARALLEL = 1e-12;
/** Times nearer than this are one; the smaller depth wins. */
const SAME_TIME = 1e-12;
/** Below so many edges a tree costs more than it saves. */
const FEW_EDGES = 40;
/** How often the rest of the motion is halved towards the contact in search for a moment at which the segment is inside. */
const HALVINGS = 40;
/** Share of its depth under an edge's faces that the segment must really have in the body: less, and it is under others. */
const OWN_DEPTH = 0.1;

/** How far beyond its end in a valley an edge counts, relative to the depth below it: twice what two walls at right angles need. */
const RUN_ON = 2;

/** Whether `along` is on an edge of a length, below which a line is by `depth` [m]. */
export function isOnEdge(along: number, runsOn: number, length: number, depth: number): boolean {
  const slack = SLACK + (RUN_ON * Math.max(0, depth)) / length;
  return (
    along >= -(runsOn & RUNS_ON_AT_START ? slack : SLACK) && along <= 1 + (runsOn & RUNS_ON_AT_END ? slack : SLACK)
  );
}

export class EdgeSearch {
  readonly #edges: EdgeList;
  readonly #solid: FacetSolid;
  readonly #bvh: Bvh | undefined;
  /** The motion: a, b at the start and how they move. */
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #va = new Float64Array(3);
  readonly #vb = new Float64Array(3);
  readonly #at = new Float64Array(6);
  readonly #box = new Float64Array(6);
  #tolerance = 0;
  #skip: Int32Array = new Int32Array(0);
  #skipCount = 0;
  #static = false;
  #hit = createEdgeHit();
  /** What `#measure` found. */
  #separation = 0;
  #segment = 0;
  #along = 0;
  #depth = 0;

  constructor(edges: EdgeList, solid: FacetSolid) {
    this.#edges = edges;
    this.#solid = solid;
    if (edges.edgeCount >= FEW_EDGES) this.#bvh = new Bvh(computeEdgeBoxes(edges.edgeStart, edges.edgeEnd));
  }

  /** See `FacetBody.findEdge`. */
  find(
    a0: Float64Array,
    b0: Float64Array,
    a1: Float64Array,
    b1: Float64Array,
    tolerance: number,
    skip: Int32Array,
    skipCount: number,
    out: EdgeHit,
  ): number {
    out.edge = -1;
    for (let k = 0; k < 3; k++) {
      this.#a[k] = a0[k];
      this.#b[k] = b0[k];
      this.#va[k] = a1[k] - a0[k];
      this.#vb[k] = b1[k] - b0[k];
      this.#box[k] = Math.min(a0[k], b0[k], a1[k], b1[k]);
      this.#box[3 + k] = Math.max(a0[k], b0[k], a1[k], b1[k]);
    }
    this.#growBox(SLACK * this.#edges.size);
    if (!touches(this.#edges.bounds, this.#box)) return -1;
    this.#tolerance = tolerance;
    this.#skip = skip;
    this.#skipCount = skipCount;
    this.#hit = out;
    out.time = Infinity;
    this.#static = false;
    this.#visitNear();
    if (out.edge >= 0) return out.edge;
    const depth = this.#solid.computeSegmentDepth(a1, 0, b1, 0, tolerance);
    if (!(depth > tolerance)) return -1;
    // The segment was inside before: look a little around its way.
    this.#growBox(2 * depth);
    out.depth = Infinity;
    this.#static = true;
    this.#visitNear();
    return out.edge;
  }

  #growBox(by: number): void {
    for (let k = 0; k < 3; k++) {
      this.#box[k] -= by;
      this.#box[3 + k] += by;
    }
  }

  #visitNear(): void {
    if (this.#bvh) this.#bvh.queryBox(this.#box, this.#visit);
    else for (let e = 0; e < this.#edges.edgeCount; e++) this.#visit(e);
  }

  readonly #visit = (edge: number): void => {
    for (let i = 0; i < this.#skipCount; i++) if (this.#skip[i] === edge) return;
    if (this.#static) {
      this.#tryStatic(edge);
    } else {
      this.#tryStart(edge);
      this.#tryCrossing(edge);
    }
  };

  /** Times at which the segment's line goes through the edge's line, from outside to inside. */
  #tryCrossing(edge: number): void {
    const { edgeStart, edgeEnd } = this.#edges;
    const a = this.#a;
    const b = this.#b;
    const va = this.#va;
    const vb = this.#vb;
    const o = 3 * edge;
    const ex = edgeEnd[o] - edgeStart[o];
    const ey = edgeEnd[o + 1] - edgeStart[o + 1];
    const ez = edgeEnd[o + 2] - edgeStart[o + 2];
    const wx = a[0] - edgeStart[o];
    const wy = a[1] - edgeStart[o + 1];
    const wz = a[2] - edgeStart[o + 2];
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const dz = b[2] - a[2];
    const ux = vb[0] - va[0];
    const uy = vb[1] - va[1];
    const uz = vb[2] - va[2];
    const mx = ey * dz - ez * dy;
    const my = ez * dx - ex * dz;
    const mz = ex * dy - ey * dx;
    const nx = ey * uz - ez * uy;
    const ny = ez * ux - ex * uz;
    const nz = ex * uy - ey * ux;
    // V = c₀ + c₁ t + c₂ t²
    const c0 = wx * mx + wy * my + wz * mz;
    const c1 = va[0] * mx + va[1] * my + va[2] * mz + wx * nx + wy * ny + wz * nz;
    const c2 = va[0] * nx + va[1] * ny + va[2] * nz;
    const discriminant = c1 * c1 - 4 * c2 * c0;
    if (!(discriminant >= 0)) return;
    const q = -0.5 * (c1 + (c1 < 0 ? -1 : 1) * Math.sqrt(discriminant));
    this.#tryTime(edge, q / c2, c1, c2);
    this.#tryTime(edge, c0 / q, c1, c2);
  }

  #tryTime(edge: number, time: number, c1: number, c2: number): void {
    const hit = this.#hit;
    if (!(time >= 0 && time <= 1 && time <= hit.time + SAME_TIME)) return;
    const side = this.#measure(edge, time);
    if (side === 0 || !(side * (c1 + 2 * c2 * time) < 0)) return;
    const segment = this.#segment;
    const along = this.#along;
    if (this.#goesUnder(edge, time) || this.#goesIn(time)) this.#keep(edge, time, segment, along);
  }

  /** A segment that rests on the edge, inside by no more than the tolerance, and goes deeper: a contact from the start. */
  #tryStart(edge: number): void {
    if (this.#measure(edge, 0) === 0 || this.#separation > 0 || this.#depth > this.#tolerance) return;
    const segment = this.#segment;
    const along = this.#along;
    if (this.#goesUnder(edge, 0)) this.#keep(edge, 0, segment, along);
  }

  /** Takes the contact for the first one unless another at the same time is less deep in the end. */
  #keep(edge: number, time: number, segment: number, along: number): void {
    const hit = this.#hit;
    const below = this.#measure(edge, 1) === 0 ? 0 : Math.max(0, -this.#separation);
    if (time > hit.time - SAME_TIME && !(below < hit.depth)) return;
    hit.edge = edge;
    hit.time = time;
    hit.segment = Math.min(1, Math.max(0, segment));
    hit.along = Math.min(1, Math.max(0, along));
    hit.depth = below;
  }

  /**
   * Whether the segment's point under this edge is deeper in the body than the tolerance at some moment after the contact.
   * Looked for at the end and at times closer and closer to the contact, so that no body is too thin, until the way is
   * shorter than the tolerance.
   */
  #goesUnder(edge: number, time: number): boolean {
    const least = this.#tolerance / this.#longestWay();
    for (let k = 0, after = 1 - time; k < HALVINGS && after > least; k++, after /= 2) {
      if (this.#measure(edge, time + after) !== 0 && this.#isUnderOwnFaces(edge, time + after, 0)) return true;
    }
    return false;
  }

  /** The same for the whole segment: over a corner it may have slipped to other edges. */
  #goesIn(time: number): boolean {
    const at = this.#at;
    const least = this.#tolerance / this.#longestWay();
    for (let k = 0, after = 1 - time; k < HALVINGS && after > least; k++, after /= 2) {
      for (let i = 0; i < 3; i++) {
        at[i] = this.#a[i] + (time + after) * this.#va[i];
        at[3 + i] = this.#b[i] + (time + after) * this.#vb[i];
      }
      if (this.#solid.computeSegmentDepth(at, 0, at, 3, this.#tolerance) > this.#tolerance) return true;
    }
    return false;
  }

  /** Of the two ends [m]. */
  #longestWay(): number {
    const va = this.#va;
    const vb = this.#vb;
    return Math.sqrt(Math.max(va[0] ** 2 + va[1] ** 2 + va[2] ** 2, vb[0] ** 2 + vb[1] ** 2 + vb[2] ** 2));
  }

  /** A segment that is inside at the end and came through no edge: the nearest edge under whose own faces it lies. */
  #tryStatic(edge: number): void {
    const hit = this.#hit;
    if (this.#measure(edge, 1) === 0 || !(this.#separation < 0)) return;
    const below = -this.#separation;
    const segment = this.#segment;
    const along = this.#along;
    if (!(this.#depth > this.#tolerance && below < hit.depth && this.#isUnderOwnFaces(edge, 1, OWN_DEPTH))) return;
    hit.edge = edge;
    hit.depth = below;
    hit.time = 0;
    hit.segment = segment;
    hit.along = along;
    if (this.#measure(edge, 0) !== 0) {
      if (this.#separation > 0) hit.time = this.#separation / (this.#separation + below);
      if (this.#measure(edge, hit.time) !== 0) {
        hit.segment = this.#segment;
        hit.along = this.#along;
      }
    }
    hit.segment = Math.min(1, Math.max(0, hit.segment));
    hit.along = Math.min(1, Math.max(0, hit.along));
  }

  /**
   * At a time: whether the point of the segment that is equally deep under both faces of the edge is deeper in the body than
   * the tolerance and than `share` of that depth. A segment without such a point ends in the body: faces hold its end.
   */
  #isUnderOwnFaces(edge: number, time: number, share: number): boolean {
    const p = this.#edges.edgeStart;
    const nA = this.#edges.edgeNormalA;
    const nB = this.#edges.edgeNormalB;
    const o = 3 * edge;
    let heightA = 0;
    let heightB = 0;
    let alongA = 0;
    let alongB = 0;
    for (let k = 0; k < 3; k++) {
      const start = this.#a[k] + time * this.#va[k];
      const d = this.#b[k] + time * this.#vb[k] - start;
      heightA += nA[o + k] * (start - p[o + k]);
      heightB += nB[o + k] * (start - p[o + k]);
      alongA += nA[o + k] * d;
      alongB += nB[o + k] * d;
    }
    const t = (heightB - heightA) / (alongA - alongB);
    if (!(t >= -SLACK && t <= 1 + SLACK)) return false;
    const own = Math.min(-heightA - t * alongA, -heightB - t * alongB);
    if (!(own > this.#tolerance)) return false;
    const at = this.#at;
    for (let k = 0; k < 3; k++) {
      const start = this.#a[k] + time * this.#va[k];
      at[k] = start + t * (this.#b[k] + time * this.#vb[k] - start);
    }
    return this.#solid.computeDepth(at[0], at[1], at[2]) > Math.max(this.#tolerance, share * own);
  }

  /**
   * Edge and segment at a time: 0 where the line cannot rest on the edge, or their closest points lie beyond their ends;
   * otherwise the sign that turns e × d into m, and separation, parameters and depth are left in the fields.
   */
  #measure(edge: number, t: number): number {
    const { edgeStart, edgeEnd, edgeNormalA: nA, edgeNormalB: nB, edgeRunsOn } = this.#edges;
    const a = this.#a;
    const b = this.#b;
    const va = this.#va;
    const vb = this.#vb;
    const o = 3 * edge;
    const ax = a[0] + t * va[0];
    const ay = a[1] + t * va[1];
    const az = a[2] + t * va[2];
    const dx = b[0] + t * vb[0] - ax;
    const dy = b[1] + t * vb[1] - ay;
    const dz = b[2] + t * vb[2] - az;
    const alongA = nA[o] * dx + nA[o + 1] * dy + nA[o + 2] * dz;
    const alongB = nB[o] * dx + nB[o + 1] * dy + nB[o + 2] * dz;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const sizeA = Math.abs(alongA);
    const sizeB = Math.abs(alongB);
    if (alongA * alongB > 0 && Math.min(sizeA, sizeB) > SLACK * length) return 0;
    const ex = edgeEnd[o] - edgeStart[o];
    const ey = edgeEnd[o + 1] - edgeStart[o + 1];
    const ez = edgeEnd[o + 2] - edgeStart[o + 2];
    const mx = ey * dz - ez * dy;
    const my = ez * dx - ex * dz;
    const mz = ex * dy - ey * dx;
    const square = mx * mx + my * my + mz * mz;
    const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
    if (!(square > (PARALLEL * length * size) ** 2)) return 0;
    const wx = ax - edgeStart[o];
    const wy = ay - edgeStart[o + 1];
    const wz = az - edgeStart[o + 2];
    // a + μ d and p + λ e are closest:  μ = (w × e) · (e × d)/‖e × d‖²,  λ = (w × d) · (e × d)/‖e × d‖²,  w = a − p
    this.#segment = ((wy * ez - wz * ey) * mx + (wz * ex - wx * ez) * my + (wx * ey - wy * ex) * mz) / square;
    if (!(this.#segment >= -SLACK && this.#segment <= 1 + SLACK)) return 0;
    this.#along = ((wy * dz - wz * dy) * mx + (wz * dx - wx * dz) * my + (wx * dy - wy * dx) * mz) / square;
    const side = sizeA >= sizeB ? Math.sign(alongA) : -Math.sign(alongB);
    this.#separation = (side * (wx * mx + wy * my + wz * mz)) / Math.sqrt(square);
    if (!isOnEdge(this.#along, edgeRunsOn[edge], size, -this.#separation)) return 0;
    const cosine = nA[o] * nB[o] + nA[o + 1] * nB[o + 1] + nA[o + 2] * nB[o + 2];
    const cone = Math.sqrt(alongA * alongA + alongB * alongB - 2 * alongA * alongB * cosine);
    this.#depth = (-this.#separation * cone) / (sizeA + sizeB);
    return side;
  }
}
