/**
 * Where the mesh of a sheet, straight between its vertices, is in a body: edges of the mesh that cut through convex bodies with faces,
 * and triangles that a corner of one pokes through. Spheres, capsules and mantles are kept clear by their vertices (`stand-off.ts`).
 *
 *     edge        the plane that holds its direction and touches the body on its way out (`ConvexSolid.findSegmentPlane`)
 *     triangle    its own plane, at the corner
 */
import { createSegmentPlane, type FacetBody, type Placement } from '../contact/index.ts';
import type { BodyCorners } from './corners.ts';
import { SHORT } from './crease-search.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** Depth under a corner, over h, at which its edges are asked where they go through a triangle that it hardly touches. */
const CUT = 0.02;
/** Corners that are further through a triangle, over h, are on the far side of a body. */
const DEEPEST = 0.2;
/** Faces that have a bit (`#writeSides`). */
const MOST_FACES = 31;

/** An edge (two vertices) or a triangle (three) of a sheet against body `body`, at one of its corners for a triangle, by label. */
export interface ChordName {
  readonly key: string;
  readonly body: number;
  readonly labels: readonly number[];
  /** −1 for an edge of the mesh. */
  readonly corner: number;
}

/** Where a chord and its body are closest. */
export interface ChordPlace {
  /** Weights of the vertices. */
  readonly weights: Float64Array;
  /** Outward normal in the world, and the point of the body, in its own frame. */
  readonly normal: Float64Array;
  readonly foot: Float64Array;
  /** How far the chord is over the body along the normal, < 0 inside [m]. */
  gap: number;
  /** Whether vertices could let material slide there: a long edge of the body, or a corner of such. */
  isLong: boolean;
}

export const createChordPlace = (): ChordPlace => ({
  weights: new Float64Array(3),
  normal: new Float64Array(3),
  foot: new Float64Array(3),
  gap: 0,
  isLong: false,
});

export class ChordSearch {
  readonly touch: SheetTouch;
  readonly corners: readonly BodyCorners[];
  readonly size: number;
  /** Edges of each body that are long enough for creases, by both faces. */
  readonly #long: readonly ReadonlySet<number>[];
  readonly #plane = createSegmentPlane();
  readonly #place = createChordPlace();
  readonly #points = Array.from({ length: 3 }, () => new Float64Array(3));
  readonly #p = new Float64Array(3);
  readonly #shares = new Float64Array(3);
  #local = new Float64Array(0);
  #sides = new Int32Array(0);

  constructor(touch: SheetTouch, corners: readonly BodyCorners[], size: number) {
    this.touch = touch;
    this.corners = corners;
    this.size = size;
    this.#long = touch.facets.map((facets, b) => {
      const long = new Set<number>();
      for (let e = 0; e < facets.edgeCount; e++)
        if (corners[b].length[e] >= SHORT * size) {
          long.add(facets.edgeFaceA[e] * facets.faceCount + facets.edgeFaceB[e]);
          long.add(facets.edgeFaceB[e] * facets.faceCount + facets.edgeFaceA[e]);
        }
      return long;
    });
  }

  /** Whether there is any body to be looked at. */
  get hasAny(): boolean {
    return this.touch.bodies.some((_, b) => this.hasChords(b));
  }

  /** Whether a body is one whose edges and corners are looked at. */
  hasChords(b: number): boolean {
    return this.touch.facets[b].edgeCount > 0 && this.touch.facets[b].isConvex;
  }

  /** Deepest edge or corner's triangle in any body, the bodies as they are now [m]; 0 where none is inside. */
  computeDepth(state: SheetState): number {
    let deepest = 0;
    for (let b = 0; b < this.touch.bodies.length; b++)
      if (this.hasChords(b))
        this.visit(state, b, 0, (_, { gap }) => {
          deepest = Math.max(deepest, -gap);
        });
    return deepest;
  }

  /** Visits what is deeper in body b than `tolerance` [m], the body as it is now. */
  visit(state: SheetState, b: number, tolerance: number, visit: (name: ChordName, place: ChordPlace) => void): void {
    const { mesh, label } = state;
    const facets = this.touch.facets[b];
    this.#writeSides(state, facets, this.touch.now[b]);
    const sides = this.#sides;
    const place = this.#place;
    for (let e = 0; e < mesh.edgeCount; e++) {
      const i = mesh.edges[4 * e];
      const j = mesh.edges[4 * e + 1];
      if ((sides[i] & sides[j]) !== 0) continue;
      for (let k = 0; k < 3; k++) {
        this.#points[0][k] = this.#local[3 * i + k];
        this.#points[1][k] = this.#local[3 * j + k];
      }
      if (this.#measureEdge(b, this.touch.now[b], place) && place.gap < -tolerance)
        visit(nameChord(b, [label[i], label[j]], -1), place);
    }
    const { count } = this.corners[b];
    for (let t = 0; t < mesh.triangleCount; t++) {
      const i = mesh.triangles[3 * t];
      const j = mesh.triangles[3 * t + 1];
      const k = mesh.triangles[3 * t + 2];
      if ((sides[i] & sides[j] & sides[k]) !== 0) continue;
      for (let m = 0; m < 3; m++) {
        this.#points[0][m] = this.#local[3 * i + m];
        this.#points[1][m] = this.#local[3 * j + m];
        this.#points[2][m] = this.#local[3 * k + m];
      }
      for (let c = 0; c < count; c++)
        if (this.#isBeside(b, c) && this.#measureCorner(b, c, this.touch.now[b], place, tolerance))
          visit(nameChord(b, [label[i], label[j], label[k]], c), place);
    }
  }

  /** Measures the chord between vertices at `q`, the body at `placement`; false where it is well outside. `near`: gap that is not [m]. */
  measure(
    { body, corner }: ChordName,
    vertices: readonly number[],
    q: Float64Array,
    placement: Placement,
    near: number,
    out: ChordPlace,
  ): boolean {
    vertices.forEach((i, n) => {
      placement.writeLocal(q, STRIDE * i, this.#points[n], 0);
    });
    if (corner < 0) return this.#measureEdge(body, placement, out) && out.gap < near;
    return this.#measureCorner(body, corner, placement, out, -near);
  }

  #measureEdge(b: number, placement: Placement, out: ChordPlace): boolean {
    const plane = this.#plane;
    const facets = this.touch.facets[b];
    const [p, r] = this.#points;
    if (!facets.findSegmentPlane(p, r, plane)) return false;
    out.weights[0] = 1 - plane.s;
    out.weights[1] = plane.s;
    out.weights[2] = 0;
    out.gap = plane.gap;
    for (let k = 0; k < 3; k++) out.foot[k] = p[k] + plane.s * (r[k] - p[k]) - plane.gap * plane.normal[k];
    placement.writeDirection(plane.normal, 0, out.normal, 0);
    out.isLong = this.#long[b].has(plane.before * facets.faceCount + plane.after);
    return true;
  }

  /** Whether corner c is in the box of the triangle at hand, grown by the spacing. */
  #isBeside(b: number, c: number): boolean {
    const { place } = this.corners[b];
    const [u, v, w] = this.#points;
    for (let k = 0; k < 3; k++) {
      const x = place[3 * c + k];
      if (x < Math.min(u[k], v[k], w[k]) - this.size || x > Math.max(u[k], v[k], w[k]) + this.size) return false;
    }
    return true;
  }

  #measureCorner(b: number, c: number, placement: Placement, out: ChordPlace, tolerance: number): boolean {
    const { place, outward, reach } = this.corners[b];
    const [u, v, w] = this.#points;
    const n = out.normal;
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      n[k] = (v[l] - u[l]) * (w[m] - u[m]) - (v[m] - u[m]) * (w[l] - u[l]);
    }
    const facing = n[0] * outward[3 * c] + n[1] * outward[3 * c + 1] + n[2] * outward[3 * c + 2];
    const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2) * (facing < 0 ? -1 : 1);
    // nearly along the outward direction a triangle cannot rest on the corner
    if (!(Math.abs(facing) > 0.05 * Math.abs(length))) return false;
    let gap = 0;
    for (let k = 0; k < 3; k++) {
      n[k] /= length;
      out.foot[k] = place[3 * c + k];
      gap += n[k] * (u[k] - place[3 * c + k]);
    }
    if (!(gap < -tolerance && gap > -DEEPEST * this.size) || !this.#weighCorner(b, c, n, gap, out.weights))
      return false;
    placement.writeDirection(n, 0, n, 0);
    out.gap = gap;
    out.isLong = reach[c] >= SHORT * this.size;
    return true;
  }

  /**
   * Weights of the place of the triangle at hand, of normal n, that a corner `gap` under it is kept at: the mean of where the edges of
   * the corner go through it, those inside it; where none does, as on rims, the foot of the corner, if that is in the body. False
   * where it is not.
   */
  #weighCorner(b: number, c: number, n: Float64Array, gap: number, weights: Float64Array): boolean {
    const { place, around } = this.corners[b];
    const depth = Math.max(-gap, CUT * this.size);
    let count = 0;
    weights.fill(0);
    for (const other of around[c]) {
      let fall = 0;
      for (let k = 0; k < 3; k++) fall += n[k] * (place[3 * c + k] - place[3 * other + k]);
      if (!(fall > depth)) continue;
      const s = depth / fall;
      for (let k = 0; k < 3; k++) this.#p[k] = place[3 * c + k] + s * (place[3 * other + k] - place[3 * c + k]);
      if (!writeShares(this.#points, this.#p, this.#shares)) continue;
      count++;
      for (let k = 0; k < 3; k++) weights[k] += this.#shares[k];
    }
    for (let k = 0; k < 3; k++) weights[k] /= count;
    return count > 0 || this.#weighFoot(b, c, n, gap, weights);
  }

  #weighFoot(b: number, c: number, n: Float64Array, gap: number, weights: Float64Array): boolean {
    const { place } = this.corners[b];
    const p = this.#p;
    for (let k = 0; k < 3; k++) p[k] = place[3 * c + k];
    if (!writeShares(this.#points, p, weights)) return false;
    for (let k = 0; k < 3; k++) p[k] += Math.min(gap, -CUT * this.size) * n[k];
    return this.touch.facets[b].computeDepth(p[0], p[1], p[2]) > 0;
  }

  /** Vertices in the body's frame, and over which of its first faces each is, or beyond which side of its bounds: bits. */
  #writeSides({ q, count }: SheetState, facets: FacetBody, placement: Placement): void {
    if (this.#sides.length < count) {
      this.#sides = new Int32Array(count);
      this.#local = new Float64Array(3 * count);
    }
    const { bounds, faceNormal: n, faceOffset, faceCount } = facets;
    const local = this.#local;
    for (let i = 0; i < count; i++) {
      placement.writeLocal(q, STRIDE * i, local, 3 * i);
      let sides = 0;
      for (let k = 0; k < 3; k++) {
        if (local[3 * i + k] < bounds[k]) sides |= 1 << k;
        else if (local[3 * i + k] > bounds[3 + k]) sides |= 8 << k;
      }
      const [x, y, z] = [local[3 * i], local[3 * i + 1], local[3 * i + 2]];
      for (let f = 0; f < faceCount && f + 6 < MOST_FACES; f++)
        if (n[3 * f] * x + n[3 * f + 1] * y + n[3 * f + 2] * z >= faceOffset[f]) sides |= 64 << f;
      this.#sides[i] = sides;
    }
  }
}

/** Barycentric coordinates of the foot of p on a triangle; false where that is outside. */
function writeShares([a, b, c]: readonly Float64Array[], p: Float64Array, out: Float64Array): boolean {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [px, py, pz] = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
  const [uu, uv, vv] = [ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz];
  const [pu, pv] = [px * ux + py * uy + pz * uz, px * vx + py * vy + pz * vz];
  const det = uu * vv - uv * uv;
  out[1] = (pu * vv - pv * uv) / det;
  out[2] = (pv * uu - pu * uv) / det;
  out[0] = 1 - out[1] - out[2];
  return out[0] >= 0 && out[1] >= 0 && out[2] >= 0;
}

function nameChord(body: number, labels: number[], corner: number): ChordName {
  const [a, b, c] = labels;
  // a triangle begins with its first label, and keeps its sense
  const sorted =
    corner < 0 ? [Math.min(a, b), Math.max(a, b)] : a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b];
  return { key: `${body} ${corner} ${sorted.join(' ')}`, body, labels: sorted, corner };
}
