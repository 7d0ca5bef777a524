/**
 * Bending of a sheet in its linear system. It acts on x through the dihedral angles θ of the edges (`hinge.ts`), which give the curvature
 * of triangles (`curvature.ts`); its stiffness couples an edge only with itself, by an upper bound:
 *     r −= h m ∇θ + (s h² + βh) k ∇θ (∇θ·v),    A += (h² + βh) k ∇θ ∇θᵀ        m = ∂V/∂θ [N m],  k `edgeStiffness` [N m]
 * At E-vertices the energy also depends on X.
 */
import { writeAngles } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import type { SheetStage } from './assembly.ts';
import { CurvatureMap } from './curvature.ts';
import { writeHinge } from './hinge.ts';
import { type SheetState, STRIDE } from './state.ts';

export class SheetBending {
  /** θ of edges, their moment and the gradients, 12 numbers each. */
  #theta = new Float64Array(0);
  #cosines = new Float64Array(0);
  #moment = new Float64Array(0);
  #hinges = new Float64Array(0);
  /** k ∇θ of one edge. */
  readonly #scaled = new Float64Array(12);
  readonly #curvature = new CurvatureMap();
  readonly #patch = new Float64Array(12);
  readonly #patchRate = new Float64Array(12);
  readonly #angles = new Float64Array(3);
  readonly #couple = new Float64Array(6);
  #density = 0;

  /** Adds the bending of all inner edges to the system. */
  add(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    this.measureAngles(state);
    const { v, edgeStiffness } = state;
    const { edges, edgeCount } = state.mesh;
    const { h } = stage;
    const stiff = h * h + stage.stiffnessDamping * h;
    const product = (stage.linearized ? h * h : 0) + stage.stiffnessDamping * h;
    const { blockStart } = matrix;
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] < 0) continue;
      const o = 12 * e;
      let rate = 0;
      for (let n = 0; n < 4; n++) {
        const i = STRIDE * edges[4 * e + n];
        const w = o + 3 * n;
        rate += this.#hinges[w] * v[i] + this.#hinges[w + 1] * v[i + 1] + this.#hinges[w + 2] * v[i + 2];
      }
      const push = -h * this.#moment[e] - product * edgeStiffness[e] * rate;
      for (let n = 0; n < 4; n++) {
        const i = blockStart[edges[4 * e + n]];
        for (let k = 0; k < 3; k++) rhs[i + k] += push * this.#hinges[o + 3 * n + k];
      }
      const k = stiff * edgeStiffness[e];
      for (let n = 0; n < 12; n++) this.#scaled[n] = k * this.#hinges[o + n];
      this.#addHingeBlocks(state, e, matrix);
    }
    if (matrix.size > 3 * state.count) this.#addSlide(state, h, matrix, rhs);
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

  /** Angles of all edges, and the moments −∂V/∂θ; returns the bending energy [J]. */
  measureAngles(state: SheetState): number {
    const { q, beta, area, mesh } = state;
    const { edges, edgeCount, triangleEdges, triangleCount } = mesh;
    if (this.#theta.length !== edgeCount) {
      this.#theta = new Float64Array(edgeCount);
      this.#cosines = new Float64Array(edgeCount);
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
    this.#moment.fill(0);
    const [b11, b22, b12, b33] = state.material.bending;
    let energy = 0;
    // two estimates of curvature a triangle
    for (let n = 0; n < 2 * triangleCount; n++) {
      const t = n >> 1;
      const o = 9 * n;
      const e0 = triangleEdges[3 * t];
      const e1 = triangleEdges[3 * t + 1];
      const e2 = triangleEdges[3 * t + 2];
      const p0 = this.#theta[e0];
      const p1 = this.#theta[e1];
      const p2 = this.#theta[e2];
      const k1 = p0 * beta[o] + p1 * beta[o + 3] + p2 * beta[o + 6];
      const k2 = p0 * beta[o + 1] + p1 * beta[o + 4] + p2 * beta[o + 7];
      const k3 = p0 * beta[o + 2] + p1 * beta[o + 5] + p2 * beta[o + 8];
      const m1 = area[t] * (b11 * k1 + b12 * k2);
      const m2 = area[t] * (b12 * k1 + b22 * k2);
      const m3 = area[t] * b33 * k3;
      energy += 0.5 * (m1 * k1 + m2 * k2 + m3 * k3);
      this.#moment[e0] += m1 * beta[o] + m2 * beta[o + 1] + m3 * beta[o + 2];
      this.#moment[e1] += m1 * beta[o + 3] + m2 * beta[o + 4] + m3 * beta[o + 5];
      this.#moment[e2] += m1 * beta[o + 6] + m2 * beta[o + 7] + m3 * beta[o + 8];
    }
    return energy;
  }

  /** Dihedral angle of an edge, from the last `measureAngles`. */
  angleOf(edge: number): number {
    return this.#theta[edge];
  }

  /** −∂V/∂X of the bending energy at E-vertices, for every triangle whose curvature depends on one. */
  #addSlide(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { kind, lifted, mesh } = state;
    const { triangles, triangleEdges, edges, edgeTriangles, triangleCount } = mesh;
    for (let t = 0; t < triangleCount; t++) {
      let isSet = false;
      for (let n = 0; n < 6; n++) {
        const e = triangleEdges[3 * t + (n % 3)];
        const across = edgeTriangles[2 * e] === t ? edges[4 * e + 3] : edges[4 * e + 2];
        const vertex = n < 3 ? triangles[3 * t + n] : across;
        // one that is off its edge carries its material
        if (vertex < 0 || kind[vertex] === NODE_LAGRANGIAN || lifted[vertex] > 0) continue;
        if (!isSet) this.#setTriangle(state, t);
        isSet = true;
        const at = matrix.blockStart[vertex] + 3;
        rhs[at] -= h * this.#computeEnergyRate(2 * n);
        rhs[at + 1] -= h * this.#computeEnergyRate(2 * n + 1);
      }
    }
  }

  /** Curvatures κ and moments B κ of both estimates of a triangle's curvature, and ½ Σ κᵀBκ. */
  #setTriangle(state: SheetState, t: number): void {
    const { triangleEdges } = state.mesh;
    const [b11, b22, b12, b33] = state.material.bending;
    const { beta } = this.#curvature;
    this.#curvature.set(this.#patch, state.writePatch(t, this.#patch));
    this.#density = 0;
    for (let k = 0; k < 3; k++) this.#angles[k] = this.#theta[triangleEdges[3 * t + k]];
    const [p0, p1, p2] = this.#angles;
    for (let o = 0; o < 18; o += 9) {
      const k1 = p0 * beta[o] + p1 * beta[o + 3] + p2 * beta[o + 6];
      const k2 = p0 * beta[o + 1] + p1 * beta[o + 4] + p2 * beta[o + 7];
      const k3 = p0 * beta[o + 2] + p1 * beta[o + 5] + p2 * beta[o + 8];
      const at = o / 3;
      this.#couple[at] = b11 * k1 + b12 * k2;
      this.#couple[at + 1] = b12 * k1 + b22 * k2;
      this.#couple[at + 2] = b33 * k3;
      this.#density += 0.5 * (this.#couple[at] * k1 + this.#couple[at + 1] * k2 + this.#couple[at + 2] * k3);
    }
  }

  /** Rate of that triangle's bending energy with one material coordinate of its patch. */
  #computeEnergyRate(coordinate: number): number {
    const map = this.#curvature;
    const { rate } = map;
    this.#patchRate[coordinate] = 1;
    map.setRate(this.#patchRate);
    this.#patchRate[coordinate] = 0;
    let sum = 0;
    for (let o = 0; o < 18; o += 9)
      for (let c = 0; c < 3; c++) {
        const change =
          this.#angles[0] * rate[o + c] + this.#angles[1] * rate[o + 3 + c] + this.#angles[2] * rate[o + 6 + c];
        sum += this.#couple[o / 3 + c] * change;
      }
    return map.areaRate * this.#density + map.area * sum;
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
