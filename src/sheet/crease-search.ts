/**
 * Where a sheet wants E-vertices, and which lifted ones it wants back: mesh edges that went through an edge of a body during a step, and
 * corners of bodies that went through a triangle.   [Piddington 2017, §5.1]
 */

import { createEdgeHit } from '../contact/index.ts';
import { computeHypot2, computeHypot3 } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BodyCorners } from './corners.ts';
import { FaceSides } from './face-sides.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** An edge or a corner of an obstacle. */
export interface CreaseSite {
  readonly body: number;
  /** −1 at a corner. */
  readonly edge: number;
  /** −1 on an edge. */
  readonly corner: number;
}

/** A place in the material where an E-vertex is wanted. */
export interface CreaseAsk extends CreaseSite {
  /** Material coordinates [m]. */
  readonly X: number;
  readonly Y: number;
  /** Where along the edge, 0 … 1. */
  readonly along: number;
  /** Whether it lies on the border of the sheet. */
  readonly isBorder: boolean;
  /** Vertices of the mesh edge, or at a corner of the triangle, that it lies on. */
  readonly vertices: readonly number[];
}

/** Depth below which nothing went through anything, relative to the body's size. */
export const THROUGH = 1e-8;
/** How near to its edge a lifted vertex that goes in is taken back, and how near to a new place one is that is there; over h. */
export const BACK = 0.15;
/** E-vertices nearer than this to a wanted place are enough, and edges shorter than this are not bent round; over h. */
const NEAREST = 0.5;
export const SHORT = 0.7;

export class CreaseSearch {
  readonly touch: SheetTouch;
  readonly corners: readonly BodyCorners[];
  /** What is wanted before the step is taken again. */
  asks: CreaseAsk[] = [];
  /** Labels of lifted vertices that are wanted back before the step is taken again. */
  returns: number[] = [];
  #size = 0;
  /** Whether only lifted vertices are looked for, that can be taken back. */
  #wantsOld = false;
  readonly #sides = new FaceSides();
  readonly #hit = createEdgeHit();
  readonly #skip = new Int32Array(16);
  readonly #points = Array.from({ length: 6 }, () => new Float64Array(3));

  constructor(touch: SheetTouch, corners: readonly BodyCorners[]) {
    this.touch = touch;
    this.corners = corners;
  }

  /** Lifted vertices beside which the mesh goes through their edge or corner. */
  findReturns(state: SheetState, size: number): void {
    const { lifted, mesh } = state;
    this.returns = [];
    if (!lifted.some((steps) => steps > 0)) return;
    this.#size = size;
    this.#wantsOld = true;
    this.touch.place(this.touch.now);
    for (let b = 0; b < this.touch.bodies.length; b++) {
      if (this.touch.facets[b].edgeCount === 0) continue;
      for (let e = 0; e < mesh.edgeCount; e++)
        if (lifted[mesh.edges[4 * e]] > 0 || lifted[mesh.edges[4 * e + 1]] > 0) this.#searchEdge(state, b, e);
      for (let t = 0; t < mesh.triangleCount; t++)
        if ([0, 1, 2].some((n) => lifted[mesh.triangles[3 * t + n]] > 0)) this.#searchCorners(state, b, t);
    }
    this.#wantsOld = false;
  }

  /**
   * Looks for mesh edges that went through edges of bodies and for corners of bodies that went through triangles; true when it
   * asks for more. Edges much shorter than the sheet's, `size` [m], it cannot follow.
   */
  search(state: SheetState, size: number): boolean {
    const before = this.asks.length + this.returns.length;
    this.#size = size;
    for (let b = 0; b < this.touch.bodies.length; b++) {
      if (this.touch.facets[b].edgeCount === 0) continue;
      const facets = this.touch.facets[b];
      const { edges, edgeCount, triangles, triangleCount } = state.mesh;
      this.#sides.write(state, facets, this.touch.start[b], this.touch.now[b], THROUGH * facets.size);
      const { both, now } = this.#sides;
      for (let e = 0; e < edgeCount; e++)
        if ((both[edges[4 * e]] & both[edges[4 * e + 1]]) === 0) this.#searchEdge(state, b, e);
      for (let t = 0; t < triangleCount; t++)
        if ((now[triangles[3 * t]] & now[triangles[3 * t + 1]] & now[triangles[3 * t + 2]]) === 0)
          this.#searchCorners(state, b, t);
    }
    return this.asks.length + this.returns.length > before;
  }

  #searchEdge(state: SheetState, b: number, e: number): void {
    const { mesh, q, qStart } = state;
    const facets = this.touch.facets[b];
    const { start, now } = this.touch;
    const [a0, b0, a1, b1] = this.#points;
    const [i, j] = [mesh.edges[4 * e], mesh.edges[4 * e + 1]];
    start[b].writeLocal(qStart, STRIDE * i, a0, 0);
    start[b].writeLocal(qStart, STRIDE * j, b0, 0);
    now[b].writeLocal(q, STRIDE * i, a1, 0);
    now[b].writeLocal(q, STRIDE * j, b1, 0);
    const skipped = this.#listSkipped(state, b, i, j);
    const edge = facets.findEdge(a0, b0, a1, b1, THROUGH * facets.size, this.#skip, skipped, this.#hit);
    if (edge < 0 || this.corners[b].length[edge] < SHORT * this.#size) return;
    const s = this.#hit.segment;
    this.#ask(state, b, edge, -1, [i, j], [1 - s, s], this.#hit.along, mesh.edges[4 * e + 3] < 0);
  }

  /** Edges of body b that end vertices of a mesh edge are on already. */
  #listSkipped(state: SheetState, b: number, i: number, j: number): number {
    let count = 0;
    for (const vertex of [i, j]) {
      if (state.siteBody[vertex] !== b || state.lifted[vertex] > 0) continue;
      if (state.siteEdge[vertex] >= 0) this.#skip[count++] = state.siteEdge[vertex];
      else
        for (let e = 0; 2 * e < this.corners[b].ends.length && count < this.#skip.length; e++)
          if (
            this.corners[b].ends[2 * e] === state.siteCorner[vertex] ||
            this.corners[b].ends[2 * e + 1] === state.siteCorner[vertex]
          )
            this.#skip[count++] = e;
    }
    return count;
  }

  #searchCorners(state: SheetState, b: number, t: number): void {
    const { mesh, q } = state;
    const { count, place, outward, reach } = this.corners[b];
    const tolerance = THROUGH * this.touch.facets[b].size;
    const [pa, pb, pc] = this.#points;
    const i = mesh.triangles[3 * t];
    const j = mesh.triangles[3 * t + 1];
    const k = mesh.triangles[3 * t + 2];
    const vertices = [i, j, k];
    this.touch.now[b].writeLocal(q, STRIDE * i, pa, 0);
    this.touch.now[b].writeLocal(q, STRIDE * j, pb, 0);
    this.touch.now[b].writeLocal(q, STRIDE * k, pc, 0);
    for (let c = 0; c < count; c++) {
      if (reach[c] < SHORT * this.#size || this.#isAt(state, b, c, vertices)) continue;
      const weights = computeCornerHit(pa, pb, pc, place, outward, 3 * c, tolerance);
      if (weights === null || !this.#isNear(state, b, c, i, j, k)) continue;
      this.#ask(state, b, -1, c, vertices, weights, 0, false);
    }
  }

  #isAt(state: SheetState, b: number, c: number, vertices: readonly number[]): boolean {
    return vertices.some((i) => state.siteBody[i] === b && state.siteCorner[i] === c && state.lifted[i] <= 0);
  }

  /** Whether the corner was no further through the triangle at the start than vertices are taken back: the other side of a body is none. */
  #isNear(state: SheetState, b: number, c: number, i: number, j: number, k: number): boolean {
    const [u, v, w] = this.#points.slice(3);
    this.touch.start[b].writeLocal(state.qStart, STRIDE * i, u, 0);
    this.touch.start[b].writeLocal(state.qStart, STRIDE * j, v, 0);
    this.touch.start[b].writeLocal(state.qStart, STRIDE * k, w, 0);
    const { place, outward } = this.corners[b];
    return computeCornerDepth(u, v, w, place, outward, 3 * c) < BACK * this.#size;
  }

  /** Whether there is an E-vertex near enough, or already at the corner. */
  #isThere(state: SheetState, site: CreaseSite, X: number, Y: number): boolean {
    const { q, count, kind, siteBody, siteEdge, siteCorner } = state;
    for (let i = 0; i < count; i++) {
      if (kind[i] === NODE_LAGRANGIAN) continue;
      const distance = computeHypot2(q[STRIDE * i + 3] - X, q[STRIDE * i + 4] - Y);
      if (state.lifted[i] > 0) {
        const isSame = siteBody[i] === site.body && siteEdge[i] === site.edge && siteCorner[i] === site.corner;
        if (!isSame || distance > BACK * this.#size) continue;
        if (!this.returns.includes(state.label[i])) this.returns.push(state.label[i]);
        return true;
      }
      if (site.corner >= 0) {
        if (siteBody[i] === site.body && siteCorner[i] === site.corner) return true;
      } else if (distance < NEAREST * this.#size) return true;
    }
    return false;
  }

  #ask(
    state: SheetState,
    body: number,
    edge: number,
    corner: number,
    vertices: readonly number[],
    weights: readonly number[],
    along: number,
    isBorder: boolean,
  ): void {
    let [X, Y] = [0, 0];
    vertices.forEach((vertex, n) => {
      X += weights[n] * state.q[STRIDE * vertex + 3];
      Y += weights[n] * state.q[STRIDE * vertex + 4];
    });
    if (this.#isThere(state, { body, edge, corner }, X, Y) || this.#wantsOld) return;
    this.asks.push({ body, edge, corner, X, Y, along, isBorder, vertices });
  }
}

/** How far a corner is through the plane of a triangle, along its outward direction [m]; negative before it. */
function computeCornerDepth(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  place: Float64Array,
  outward: Float64Array,
  at: number,
): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const facing = nx * outward[at] + ny * outward[at + 1] + nz * outward[at + 2];
  const length = computeHypot3(nx, ny, nz) * (facing < 0 ? -1 : 1);
  return (nx * (place[at] - a[0]) + ny * (place[at + 1] - a[1]) + nz * (place[at + 2] - a[2])) / length;
}

/** Barycentric coordinates of a corner's foot in a triangle through which it pokes by more than `tolerance`; null where it does not. */
function computeCornerHit(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  place: Float64Array,
  outward: Float64Array,
  at: number,
  tolerance: number,
): readonly [number, number, number] | null {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  let [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > 0)) return null;
  const facing = nx * outward[at] + ny * outward[at + 1] + nz * outward[at + 2];
  const length = Math.sqrt(square) * (facing < 0 ? -1 : 1);
  // nearly along the outward direction a triangle cannot rest on the corner
  if (Math.abs(facing) < 0.05 * Math.abs(length)) return null;
  const [px, py, pz] = [place[at] - a[0], place[at + 1] - a[1], place[at + 2] - a[2]];
  const depth = (nx * px + ny * py + nz * pz) / length;
  const reach = Math.sqrt(Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz));
  if (!(depth > tolerance && depth < reach)) return null;
  nx /= square;
  ny /= square;
  nz /= square;
  const w2 = (uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz;
  const w1 = (py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz;
  if (w1 < 0 || w2 < 0 || w1 + w2 > 1) return null;
  return [1 - w1 - w2, w1, w2];
}
