/**
 * Creases: where a sheet bends round the convex edges and corners of bodies, its vertices let material slide through.
 * [Piddington 2017, §4.10, Algorithm 3]
 *
 *     vertex        world                                    material
 *     on an edge    stays on the line of the edge, free       held along the crease (mean tangent), free across it;
 *                   along it                                  on the sheet's border: free along the border only
 *     at a corner   stays at the corner                       free; on the sheet's border along it
 *
 * Bodies only push. The thesis bounds the velocity by a wedge of binormals and solves a QP; here the place is held, and a vertex
 * whose force would pull it inwards is lifted off and carries its material until it comes back, which is the same QP by its active
 * set: the step is solved again, the mesh stays. New E-vertices are asked for where mesh edges went through an edge of a body during a step, or a body's corner through a triangle: the step is taken
 * again with them (`remesh.ts`).
 */

import type { Placement } from '../contact/index.ts';
import { computeHypot2, computeHypot3, computeLength } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { BodyCorners } from './corners.ts';
import { BACK, type CreaseAsk, CreaseSearch, type CreaseSite, THROUGH } from './crease-search.ts';
import type { SheetHolds } from './holds.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** Steps in a row before that an E-vertex must have been pulled when it is lifted off: a new mesh and a slack sheet tremble. */
const PULLED = 3;
/** Steps for which a vertex that was lifted in vain is not lifted again, before those above. */
const BACK_AGAIN = 16;
/** Share of the world's step up to which a step is short. */
const SHORT_STEP = 0.3;
/** How far an E-vertex that is off its site comes to it in a step, over h: one that comes back from further would be thrown. */
const FAR = 0.03;

export class SheetCreases {
  readonly touch: SheetTouch;
  readonly corners: readonly BodyCorners[];
  /** Whether all vertices are lifted, and none is taken back. */
  isPaused = false;
  /** Share of the world's step that the present one is. */
  share = 1;
  /** How far an E-vertex that is off its site comes to it in a step [m]. */
  readonly #most: number;
  /** How often a vertex was revised in the present stage. */
  #isRevised = new Uint8Array(0);
  readonly #search: CreaseSearch;
  readonly #points = Array.from({ length: 6 }, () => new Float64Array(3));
  readonly #d = Array.from({ length: 4 }, () => new Float64Array(3));

  /** `size`: wanted distance of vertices in material space [m]. */
  constructor(touch: SheetTouch, size = Number.POSITIVE_INFINITY) {
    this.touch = touch;
    this.#most = FAR * size;
    this.corners = touch.facets.map((facets) => new BodyCorners(facets));
    this.#search = new CreaseSearch(touch, this.corners);
  }

  /** What is wanted before the step is taken again. */
  get asks(): CreaseAsk[] {
    return this.#search.asks;
  }

  set asks(asks: CreaseAsk[]) {
    this.#search.asks = asks;
  }

  /** Labels of lifted vertices that are wanted back before the step is taken again. */
  get returns(): number[] {
    return this.#search.returns;
  }

  set returns(labels: number[]) {
    this.#search.returns = labels;
  }

  /** Looks for places where E-vertices are wanted, or lifted ones back; true when there are more than before. */
  search(state: SheetState, size: number): boolean {
    return this.#search.search(state, size);
  }

  /** Holds E-vertices on their edges and at their corners, for a stage of length h of a step `full` of the world. */
  addFrames(state: SheetState, holds: SheetHolds, h: number, full: number): void {
    for (let i = 0; i < state.count; i++) {
      if (state.kind[i] === NODE_LAGRANGIAN) continue;
      holds.freeMaterial(i);
      if (state.lifted[i] > 0) {
        holds.holdAllMaterial(i);
        continue;
      }
      const b = state.siteBody[i];
      const [m, across, along, p] = this.#d;
      const frame = holds.openFrame(i);
      if (state.siteEdge[i] >= 0) {
        this.writeEdgeAxes(b, state.siteEdge[i], m, across, along);
      } else {
        m.set([1, 0, 0]);
        across.set([0, 1, 0]);
        along.set([0, 0, 1]);
      }
      for (const d of state.siteEdge[i] >= 0 ? [m, across] : [m, across, along]) {
        // a vertex comes to its site in a whole step, however short h is, from far off in several; the site moves with its body
        const begun = this.#computeGap(state, this.touch.start[b], i, d, p);
        const gap = this.#computeGap(state, this.touch.now[b], i, d, p);
        const share = Math.min(1, this.#most / Math.abs(begun));
        holds.frames.add(frame, d[0], d[1], d[2], (gap - begun) / h + (share * begun) / Math.max(h, full));
      }
      this.#holdMaterial(state, holds, i);
    }
  }

  /** How far an E-vertex, where the stage starts from, is from its site along the unit vector d [m]. p: room for a point. */
  #computeGap(state: SheetState, placement: Placement, i: number, d: Float64Array, p: Float64Array): number {
    const b = state.siteBody[i];
    if (state.siteEdge[i] >= 0) placement.writeWorld(this.touch.facets[b].edgeStart, 3 * state.siteEdge[i], p, 0);
    else placement.writeWorld(this.corners[b].place, 3 * state.siteCorner[i], p, 0);
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += (p[k] - state.qBase[STRIDE * i + k]) * d[k];
    return gap;
  }

  /** Moves an E-vertex to the nearest point of its edge, or to its corner, the body as it is now. */
  putOnSite(state: SheetState, i: number): void {
    const b = state.siteBody[i];
    const [, , along, p] = this.#d;
    if (state.siteEdge[i] < 0) this.touch.now[b].writeWorld(this.corners[b].place, 3 * state.siteCorner[i], p, 0);
    else {
      this.writeEdgeAxes(b, state.siteEdge[i], this.#d[0], this.#d[1], along);
      this.touch.now[b].writeWorld(this.touch.facets[b].edgeStart, 3 * state.siteEdge[i], p, 0);
      let s = 0;
      for (let k = 0; k < 3; k++) s += (state.q[STRIDE * i + k] - p[k]) * along[k];
      for (let k = 0; k < 3; k++) p[k] += s * along[k];
    }
    for (let k = 0; k < 3; k++) state.q[STRIDE * i + k] = p[k];
  }

  /** A new vertex starts off its site unless that is near; from inside the body it is put there, or out of the body. */
  seat(state: SheetState, i: number, size: number): void {
    if (this.computeOff(state, i) > BACK * size) state.lifted[i] = Math.max(1, state.lifted[i]);
    if (!this.touch.isInside(state.q, STRIDE * i)) return;
    if (state.isOnSite(i)) this.putOnSite(state, i);
    else this.touch.pushOut(state.q, STRIDE * i);
  }

  #holdMaterial(state: SheetState, holds: SheetHolds, i: number): void {
    const t = state.mesh.isBorder[i] ? this.#borderTangent(state, i) : this.#creaseTangent(state, i);
    if (t === null) return;
    if (state.mesh.isBorder[i]) holds.holdMaterial(i, -t[1], t[0]);
    else if (state.siteEdge[i] >= 0) holds.holdMaterial(i, t[0], t[1]);
  }

  /** Direction of the border at a vertex, in material space: from its neighbour before to the one after. */
  #borderTangent({ q, mesh }: SheetState, i: number): readonly [number, number] | null {
    let [x, y] = [0, 0];
    for (let n = mesh.edgeStart[i]; n < mesh.edgeStart[i + 1]; n++) {
      const e = mesh.vertexEdges[n];
      if (mesh.edges[4 * e + 3] >= 0) continue;
      const [a, b] = [mesh.edges[4 * e], mesh.edges[4 * e + 1]];
      x += q[STRIDE * b + 3] - q[STRIDE * a + 3];
      y += q[STRIDE * b + 4] - q[STRIDE * a + 4];
    }
    return normalize(x, y);
  }

  /** Mean direction of the crease at a vertex; without neighbours on it, that of the edge pulled back to material space. */
  #creaseTangent(state: SheetState, i: number): readonly [number, number] | null {
    const { q, mesh } = state;
    let [x, y] = [0, 0];
    const b = state.siteBody[i];
    const [m, across, along] = this.#d;
    this.writeEdgeAxes(b, state.siteEdge[i], m, across, along);
    for (let n = mesh.edgeStart[i]; n < mesh.edgeStart[i + 1]; n++) {
      const e = mesh.vertexEdges[n];
      const [p, r] = [mesh.edges[4 * e], mesh.edges[4 * e + 1]];
      if (!this.isCrease(state, p, r)) continue;
      const other = p === i ? r : p;
      let side = 0;
      for (let k = 0; k < 3; k++) side += (q[STRIDE * other + k] - q[STRIDE * i + k]) * along[k];
      const dx = q[STRIDE * other + 3] - q[STRIDE * i + 3];
      const dy = q[STRIDE * other + 4] - q[STRIDE * i + 4];
      const length = computeHypot2(dx, dy) * (side < 0 ? -1 : 1);
      x += dx / length;
      y += dy / length;
    }
    return normalize(x, y) ?? this.#pullBack(state, i, along);
  }

  /** The material direction that runs along a world direction at a vertex: Fᵀ d of its triangles, weighted by area. */
  #pullBack({ q, mesh, area, gradients }: SheetState, i: number, d: Float64Array): readonly [number, number] | null {
    const { triangles, triangleCount } = mesh;
    let x = 0;
    let y = 0;
    for (let t = 0; t < triangleCount; t++) {
      if (triangles[3 * t] !== i && triangles[3 * t + 1] !== i && triangles[3 * t + 2] !== i) continue;
      for (let n = 0; n < 3; n++) {
        let along = 0;
        for (let k = 0; k < 3; k++) along += q[STRIDE * triangles[3 * t + n] + k] * d[k];
        x += area[t] * along * gradients[6 * t + 2 * n];
        y += area[t] * along * gradients[6 * t + 2 * n + 1];
      }
    }
    return normalize(x, y);
  }

  /** Whether the mesh edge between two vertices lies on one edge of a body. */
  isCrease(state: SheetState, i: number, j: number): boolean {
    if (!state.isOnSite(i) || !state.isOnSite(j)) return false;
    return this.findCommonEdge(state, i, j) >= 0;
  }

  /** The edge of a body that two E-vertices are on, at its corners included; −1 none. */
  findCommonEdge({ siteBody, siteEdge, siteCorner }: SheetState, i: number, j: number): number {
    return this.findEdgeBetween(
      { body: siteBody[i], edge: siteEdge[i], corner: siteCorner[i] },
      { body: siteBody[j], edge: siteEdge[j], corner: siteCorner[j] },
    );
  }

  /** The edge of a body that two sites are on; −1 none. */
  findEdgeBetween(a: CreaseSite, b: CreaseSite): number {
    if (a.body !== b.body) return -1;
    if (a.corner < 0 && b.corner < 0) return a.edge === b.edge ? a.edge : -1;
    const { ends } = this.corners[a.body];
    const isEnd = (e: number, c: number): boolean => ends[2 * e] === c || ends[2 * e + 1] === c;
    if (a.corner < 0) return isEnd(a.edge, b.corner) ? a.edge : -1;
    if (b.corner < 0) return isEnd(b.edge, a.corner) ? b.edge : -1;
    for (let e = 0; 2 * e < ends.length; e++)
      if (isEnd(e, a.corner) && isEnd(e, b.corner) && a.corner !== b.corner) return e;
    return -1;
  }

  /** Outward bisector of an edge, the direction across both, and the edge's own, unit vectors in the world, the body as it is now. */
  writeEdgeAxes(b: number, edge: number, m: Float64Array, across: Float64Array, along: Float64Array): void {
    const { edgeNormalA: A, edgeNormalB: B, edgeStart, edgeEnd } = this.touch.facets[b];
    const e = 3 * edge;
    let [length, size] = [0, 0];
    for (let k = 0; k < 3; k++) {
      m[k] = A[e + k] + B[e + k];
      along[k] = edgeEnd[e + k] - edgeStart[e + k];
      length += m[k] * m[k];
      size += along[k] * along[k];
    }
    for (let k = 0; k < 3; k++) {
      m[k] /= Math.sqrt(length);
      along[k] /= Math.sqrt(size);
    }
    const placement = this.touch.now[b];
    placement.writeDirection(m, 0, m, 0);
    placement.writeDirection(along, 0, along, 0);
    across[0] = along[1] * m[2] - along[2] * m[1];
    across[1] = along[2] * m[0] - along[0] * m[2];
    across[2] = along[0] * m[1] - along[1] * m[0];
  }

  /**
   * Lifts E-vertices off that would have to be pulled, and takes those back that would go in; each once in a stage that begins
   * with pass 1. True when the stage must be solved again.
   */
  revise(state: SheetState, holds: SheetHolds, pass: number, size: number): boolean {
    if (this.#isRevised.length !== state.count) this.#isRevised = new Uint8Array(state.count);
    else if (pass === 1) this.#isRevised.fill(0);
    let changed = false;
    if (this.isPaused) return false;
    this.#search.findReturns(state, size);
    for (let i = 0; i < state.count; i++) {
      if (state.kind[i] === NODE_LAGRANGIAN || state.lifted[i] < 0 || this.#isRevised[i] > 1) continue;
      const isLifted = state.lifted[i] > 0;
      const mayLift = state.pulled[i] >= PULLED;
      const isGoingIn = (): boolean =>
        this.isNear(state, i, size) &&
        (this.returns.includes(state.label[i]) || this.#isGoingIn(state, i, BACK * size));
      if (!(isLifted ? isGoingIn() : mayLift && this.isPulled(state, holds, i))) continue;
      // lifted and back in one stage: it would be so in the next ones, too
      if (isLifted && this.#isRevised[i] > 0) state.pulled[i] = -BACK_AGAIN;
      state.lifted[i] = isLifted ? 0 : 1;
      this.#isRevised[i]++;
      changed = true;
    }
    this.returns = [];
    return changed;
  }

  /**
   * Whether a lifted vertex may be taken back to its edge or corner: in a short step it must be near, as it comes there in a whole one and
   * would be put there at its end (`seat`).
   */
  isNear(state: SheetState, i: number, size: number): boolean {
    return this.share > SHORT_STEP || this.computeOff(state, i) < this.share * BACK * size;
  }

  /** Whether a vertex is inside its body, within `near` [m] of its edge or corner. */
  #isGoingIn(state: SheetState, i: number, near: number): boolean {
    const b = state.siteBody[i];
    const facets = this.touch.facets[b];
    const tolerance = THROUGH * facets.size;
    const p = this.#points[0];
    this.touch.now[b].writeLocal(state.q, STRIDE * i, p, 0);
    if (state.siteEdge[i] < 0) {
      const { place, outward } = this.corners[b];
      const c = 3 * state.siteCorner[i];
      const [x, y, z] = [p[0] - place[c], p[1] - place[c + 1], p[2] - place[c + 2]];
      return x * outward[c] + y * outward[c + 1] + z * outward[c + 2] < -tolerance && computeHypot3(x, y, z) < near;
    }
    const { edgeStart, edgeNormalA: A, edgeNormalB: B } = facets;
    const e = 3 * state.siteEdge[i];
    let [a, c] = [0, 0];
    for (let k = 0; k < 3; k++) {
      a += A[e + k] * (p[k] - edgeStart[e + k]);
      c += B[e + k] * (p[k] - edgeStart[e + k]);
    }
    return a < -tolerance && c < -tolerance && this.computeOff(state, i) < near;
  }

  /** How far an E-vertex is from its edge or corner [m]. */
  computeOff(state: SheetState, i: number): number {
    const b = state.siteBody[i];
    if (state.siteEdge[i] >= 0) return this.computeOffEdge(b, state.siteEdge[i], state.q, STRIDE * i);
    const p = this.#d[3];
    this.touch.now[b].writeWorld(this.corners[b].place, 3 * state.siteCorner[i], p, 0);
    return computeLength([0, 1, 2].map((k) => state.q[STRIDE * i + k] - p[k]));
  }

  /** How far a place is from the line of an edge [m]. */
  computeOffEdge(b: number, edge: number, x: ArrayLike<number>, at: number): number {
    const [m, across, along, p] = this.#d;
    this.writeEdgeAxes(b, edge, m, across, along);
    this.touch.now[b].writeWorld(this.touch.facets[b].edgeStart, 3 * edge, p, 0);
    let [u, v] = [0, 0];
    for (let k = 0; k < 3; k++) {
      u += m[k] * (x[at + k] - p[k]);
      v += across[k] * (x[at + k] - p[k]);
    }
    return computeHypot2(u, v);
  }

  /** Whether what holds an E-vertex pulls it inwards, by the last solve. */
  isPulled(state: SheetState, holds: SheetHolds, i: number): boolean {
    const [m, across, along] = this.#d;
    const b = state.siteBody[i];
    if (state.siteEdge[i] >= 0) this.writeEdgeAxes(b, state.siteEdge[i], m, across, along);
    else this.touch.now[b].writeDirection(this.corners[b].outward, 3 * state.siteCorner[i], m, 0);
    const r = holds.reaction;
    const at = STRIDE * i;
    return m[0] * r[at] + m[1] * r[at + 1] + m[2] * r[at + 2] < 0;
  }

  /** Where along its edge an E-vertex is, 0 … 1 between the ends; the body where it was at the start of the step. */
  computeAlong(state: SheetState, i: number, b: number, edge: number): number {
    const { edgeStart, edgeEnd } = this.touch.facets[b];
    const p = this.#points[0];
    this.touch.start[b].writeLocal(state.q, STRIDE * i, p, 0);
    let [along, square] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = edgeEnd[3 * edge + k] - edgeStart[3 * edge + k];
      along += d * (p[k] - edgeStart[3 * edge + k]);
      square += d * d;
    }
    return along / square;
  }
}

const normalize = (x: number, y: number): readonly [number, number] | null => {
  const length = Math.sqrt(x * x + y * y);
  return length > 0 ? [x / length, y / length] : null;
};
