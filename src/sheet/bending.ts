/**
 * Bending of a sheet in its linear system. It acts on x through the dihedral angles θ of the edges (`geometry/hinge.ts`), which give the curvature
 * of triangles (`geometry/mid-edge.ts`); its stiffness couples an edge only with itself, by an upper bound:
 *     r −= h m ∇θ + (s h² + βh) k ∇θ (∇θ·v),    A += (h² + βh) k ∇θ ∇θᵀ        m = ∂V/∂θ [N m],  k `edgeStiffness` [N m]
 * At E-vertices the energy also depends on X (`rest-bending.ts`).
 */
import { writeHinge } from '../geometry/index.ts';
import { writeAngles } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { type EdgeAngles, writeCurvature, writeLeans } from './rest-bending.ts';
import type { SheetStage } from './stage.ts';
import { type SheetState, STRIDE } from './state.ts';

export class SheetBending {
  /** θ of edges, their moment and the gradients, 12 numbers each; φ and ∂V/∂φ. */
  #theta = new Float64Array(0);
  #lean = new Float64Array(0);
  #leanMoment = new Float64Array(0);
  #angles: EdgeAngles = { theta: this.#theta, lean: this.#lean, leanMoment: this.#leanMoment };
  #cosines = new Float64Array(0);
  #moment = new Float64Array(0);
  #hinges = new Float64Array(0);
  /** k ∇θ of one edge. */
  readonly #scaled = new Float64Array(12);

  /** Adds the bending of all inner edges to the system, but for `addSlide`. */
  add(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    this.measureAngles(state);
    const { v, kind, edgeStiffness } = state;
    const { edges, edgeCount } = state.mesh;
    const { h } = stage;
    const stiff = h * h + stage.stiffnessDamping * h;
    const product = (stage.linearized ? h * h : 0) + stage.stiffnessDamping * h;
    const { blockStart } = matrix;
    const hinges = this.#hinges;
    const moment = this.#moment;
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] < 0) continue;
      const o = 12 * e;
      let rate = 0;
      let isFixed = true;
      for (let n = 0; n < 4; n++) {
        const vertex = edges[4 * e + n];
        const i = STRIDE * vertex;
        const w = o + 3 * n;
        rate += hinges[w] * v[i] + hinges[w + 1] * v[i + 1] + hinges[w + 2] * v[i + 2];
        isFixed = isFixed && kind[vertex] === NODE_LAGRANGIAN;
      }
      const push = -h * moment[e] - product * edgeStiffness[e] * rate;
      for (let n = 0; n < 4; n++) {
        const i = blockStart[edges[4 * e + n]];
        const w = o + 3 * n;
        rhs[i] += push * hinges[w];
        rhs[i + 1] += push * hinges[w + 1];
        rhs[i + 2] += push * hinges[w + 2];
      }
      const k = stiff * edgeStiffness[e];
      for (let n = 0; n < 12; n++) this.#scaled[n] = k * this.#hinges[o + n];
      if (isFixed) this.#addFixedBlocks(state, e, matrix);
      else this.#addHingeBlocks(state, e, matrix);
    }
  }

  /** k ∇θ ∇θᵀ into the x–x parts of the blocks. */
  #addHingeBlocks({ mesh }: SheetState, e: number, matrix: BlockMixed): void {
    const { values, valueStart, sizes } = matrix;
    const { edges, edgeSlots, edgeOrder } = mesh;
    const scaled = this.#scaled;
    const w = this.#hinges;
    const o = 12 * e;
    for (let n = 0, slot = 10 * e; n < 4; n++) {
      const row = 3 * edgeOrder[4 * e + n];
      for (let m = 0; m <= n; m++, slot++) {
        const column = edgeOrder[4 * e + m];
        addOuter(values, valueStart[edgeSlots[slot]], sizes[edges[4 * e + column]], scaled, row, w, o + 3 * column);
      }
    }
  }

  /** The same where all four vertices have three unknowns, nearly everywhere: row by row of blocks, ascending by their vertices. */
  #addFixedBlocks({ mesh }: SheetState, e: number, matrix: BlockMixed): void {
    const { values, valueStart } = matrix;
    const { edgeSlots, edgeOrder } = mesh;
    const scaled = this.#scaled;
    const w = this.#hinges;
    const p = 3 * edgeOrder[4 * e];
    const q = 3 * edgeOrder[4 * e + 1];
    const r = 3 * edgeOrder[4 * e + 2];
    const s = 3 * edgeOrder[4 * e + 3];
    const o = 12 * e;
    const p0 = w[o + p];
    const p1 = w[o + p + 1];
    const p2 = w[o + p + 2];
    const q0 = w[o + q];
    const q1 = w[o + q + 1];
    const q2 = w[o + q + 2];
    const r0 = w[o + r];
    const r1 = w[o + r + 1];
    const r2 = w[o + r + 2];
    const s0 = w[o + s];
    const s1 = w[o + s + 1];
    const s2 = w[o + s + 2];
    const slot = 10 * e;
    const pp = valueStart[edgeSlots[slot]];
    const qp = valueStart[edgeSlots[slot + 1]];
    const qq = valueStart[edgeSlots[slot + 2]];
    const rp = valueStart[edgeSlots[slot + 3]];
    const rq = valueStart[edgeSlots[slot + 4]];
    const rr = valueStart[edgeSlots[slot + 5]];
    const sp = valueStart[edgeSlots[slot + 6]];
    const sq = valueStart[edgeSlots[slot + 7]];
    const sr = valueStart[edgeSlots[slot + 8]];
    const ss = valueStart[edgeSlots[slot + 9]];
    for (let k = 0; k < 3; k++) {
      const at = 3 * k;
      const a = scaled[p + k];
      values[pp + at] += a * p0;
      values[pp + at + 1] += a * p1;
      values[pp + at + 2] += a * p2;
      const b = scaled[q + k];
      values[qp + at] += b * p0;
      values[qp + at + 1] += b * p1;
      values[qp + at + 2] += b * p2;
      values[qq + at] += b * q0;
      values[qq + at + 1] += b * q1;
      values[qq + at + 2] += b * q2;
      const c = scaled[r + k];
      values[rp + at] += c * p0;
      values[rp + at + 1] += c * p1;
      values[rp + at + 2] += c * p2;
      values[rq + at] += c * q0;
      values[rq + at + 1] += c * q1;
      values[rq + at + 2] += c * q2;
      values[rr + at] += c * r0;
      values[rr + at + 1] += c * r1;
      values[rr + at + 2] += c * r2;
      const d = scaled[s + k];
      values[sp + at] += d * p0;
      values[sp + at + 1] += d * p1;
      values[sp + at + 2] += d * p2;
      values[sq + at] += d * q0;
      values[sq + at + 1] += d * q1;
      values[sq + at + 2] += d * q2;
      values[sr + at] += d * r0;
      values[sr + at + 1] += d * r1;
      values[sr + at + 2] += d * r2;
      values[ss + at] += d * s0;
      values[ss + at + 1] += d * s1;
      values[ss + at + 2] += d * s2;
    }
  }

  /** Angles of all edges, and the moments −∂V/∂θ; returns the bending energy [J]. */
  measureAngles(state: SheetState): number {
    const { q, beta, area, mesh } = state;
    const { edges, edgeCount, edgeTriangles, triangleEdges, triangleCount } = mesh;
    if (this.#moment.length !== edgeCount) {
      this.#theta = new Float64Array(edgeCount);
      this.#cosines = new Float64Array(edgeCount);
      this.#lean = new Float64Array(edgeCount);
      this.#leanMoment = new Float64Array(edgeCount);
      this.#angles = { theta: this.#theta, lean: this.#lean, leanMoment: this.#leanMoment };
      this.#moment = new Float64Array(edgeCount);
      this.#hinges = new Float64Array(12 * edgeCount);
    }
    for (let e = 0; e < edgeCount; e++) {
      const d = edges[4 * e + 3];
      if (d < 0) {
        this.#theta[e] = 0;
        this.#cosines[e] = 1;
        continue;
      }
      const a = edges[4 * e];
      const b = edges[4 * e + 1];
      const c = edges[4 * e + 2];
      writeHinge(
        q,
        STRIDE * a,
        STRIDE * b,
        STRIDE * c,
        STRIDE * d,
        this.#hinges,
        12 * e,
        this.#theta,
        this.#cosines,
        e,
      );
    }
    writeAngles(this.#theta, this.#cosines, this.#theta, edgeCount);
    writeLeans(state, this.#theta, this.#lean);
    const moment = this.#moment;
    const leanMoment = this.#leanMoment;
    moment.fill(0);
    leanMoment.fill(0);
    const [b11, b22, b12, b33] = state.material.bending;
    let energy = 0;
    for (let t = 0; t < triangleCount; t++) {
      const o = 9 * t;
      const e0 = triangleEdges[3 * t];
      const e1 = triangleEdges[3 * t + 1];
      const e2 = triangleEdges[3 * t + 2];
      const s0 = edgeTriangles[2 * e0] === t ? 1 : -1;
      const s1 = edgeTriangles[2 * e1] === t ? 1 : -1;
      const s2 = edgeTriangles[2 * e2] === t ? 1 : -1;
      const p0 = 0.5 * this.#theta[e0] + s0 * this.#lean[e0];
      const p1 = 0.5 * this.#theta[e1] + s1 * this.#lean[e1];
      const p2 = 0.5 * this.#theta[e2] + s2 * this.#lean[e2];
      const k1 = p0 * beta[o] + p1 * beta[o + 3] + p2 * beta[o + 6];
      const k2 = p0 * beta[o + 1] + p1 * beta[o + 4] + p2 * beta[o + 7];
      const k3 = p0 * beta[o + 2] + p1 * beta[o + 5] + p2 * beta[o + 8];
      const m1 = area[t] * (b11 * k1 + b12 * k2);
      const m2 = area[t] * (b12 * k1 + b22 * k2);
      const m3 = area[t] * b33 * k3;
      energy += 0.5 * (m1 * k1 + m2 * k2 + m3 * k3);
      const f0 = m1 * beta[o] + m2 * beta[o + 1] + m3 * beta[o + 2];
      const f1 = m1 * beta[o + 3] + m2 * beta[o + 4] + m3 * beta[o + 5];
      const f2 = m1 * beta[o + 6] + m2 * beta[o + 7] + m3 * beta[o + 8];
      moment[e0] += 0.5 * f0;
      moment[e1] += 0.5 * f1;
      moment[e2] += 0.5 * f2;
      leanMoment[e0] += s0 * f0;
      leanMoment[e1] += s1 * f1;
      leanMoment[e2] += s2 * f2;
    }
    this.#addLeanMoments(state);
    return energy;
  }

  /** φ = Σ γ θ: what turns φ turns those edges. */
  #addLeanMoments({ gamma, mesh }: SheetState): void {
    const { near, edgeCount, edges } = mesh;
    const moment = this.#moment;
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] < 0) continue;
      const turn = this.#leanMoment[e];
      moment[e] += gamma[5 * e] * turn;
      for (let n = 0; n < 4; n++) {
        const j = near[4 * e + n];
        if (j >= 0) moment[j] += gamma[5 * e + 1 + n] * turn;
      }
    }
  }

  /** κ₁₁, κ₂₂, 2κ₁₂ of a triangle [1/m], from the last `measureAngles`. */
  writeCurvature(state: SheetState, t: number, out: Float64Array): void {
    writeCurvature(state, t, this.#theta, this.#lean, out);
  }

  /** Of all edges, from the last `measureAngles`. */
  get angles(): EdgeAngles {
    return this.#angles;
  }

  /** Adds −∂V/∂X of the bending energy at E-vertices, with the angles measured last. */
  addSlide(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    state.restBending.addSlide(state, this.#angles, h, matrix, rhs);
  }
}

/** The 3 × 3 corner of a block of row length `width` at `o` += a bᵀ: a at a[row …], b at b[column …]. Numbers come in through arrays, unboxed. */
function addOuter(
  values: Float64Array,
  o: number,
  width: number,
  a: Float64Array,
  row: number,
  b: Float64Array,
  column: number,
): void {
  const b0 = b[column];
  const b1 = b[column + 1];
  const b2 = b[column + 2];
  const a0 = a[row];
  const a1 = a[row + 1];
  const a2 = a[row + 2];
  values[o] += a0 * b0;
  values[o + 1] += a0 * b1;
  values[o + 2] += a0 * b2;
  const p = o + width;
  values[p] += a1 * b0;
  values[p + 1] += a1 * b1;
  values[p + 2] += a1 * b2;
  const q = p + width;
  values[q] += a2 * b0;
  values[q + 1] += a2 * b1;
  values[q + 2] += a2 * b2;
}
