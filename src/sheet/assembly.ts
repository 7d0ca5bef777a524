/**
 * The linear system of a sheet: inertia, membrane, weight and Rayleigh damping triangle by triangle, bending edge by edge.
 *     A = (1 + αh) M + (h² + βh) K
 *     r = M (v̂ − v) + h (f − c − αM v) − (s h² + βh) K v        s = 1 while f is taken at q̂ (linearly implicit), else 0
 *   v̂, q̂  start of the stage     v  iterate     α, β  Rayleigh damping [1/s], [s]     c = Ṁ v − ∂T/∂q (methods §1)
 *
 * Per triangle everything acts on y, the world motion of the material at the corners: δy = δx − F δX. Corners whose material is
 * fixed have three unknowns; E-vertices have five, and their rows are Jᵀ of those of y, J = [I, −F].   [eol-cloth-2017, Eqs. 4.8, 4.17]
 * Bending acts on x through the dihedral angles (`curvature.ts`); its stiffness couples an edge only with itself, by an upper bound.
 */
import { EolElement } from '../eol/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { CurvatureMap } from './curvature.ts';
import { writeHinge } from './hinge.ts';
import { Membrane } from './membrane.ts';
import { type SheetState, STRIDE } from './state.ts';

export interface SheetStage {
  h: number;
  linearized: boolean;
  /** First iteration from q = q̂ + h v̂: what tension does across the sheet is taken as it is at q̂. */
  isAhead?: boolean;
  massDamping: number;
  stiffnessDamping: number;
  gravity: Float64Array;
}

export class SheetAssembly {
  readonly #membrane = new Membrane();
  readonly #F = new Float64Array(6);
  /** 3 × 3 blocks of A on y, of corner pairs (0,0), (1,0), (1,1), (2,0), (2,1), (2,2). */
  readonly #blocks = new Float64Array(54);
  /** What goes through Jᵀ, and material velocities, three numbers a corner. */
  readonly #r = new Float64Array(9);
  readonly #y = new Float64Array(9);
  readonly #z = new Float64Array(9);
  /** θ of edges, their moment and the gradients, 12 numbers each. */
  #theta = new Float64Array(0);
  #moment = new Float64Array(0);
  #hinges = new Float64Array(0);
  readonly #element = new EolElement(2);
  readonly #q15 = new Float64Array(15);
  readonly #v15 = new Float64Array(15);
  readonly #c15 = new Float64Array(15);
  readonly #mixed = new Float64Array(25);
  readonly #curvature = new CurvatureMap();
  readonly #patch = new Float64Array(12);
  readonly #patchRate = new Float64Array(12);

  /** Overwrites matrix and rhs with the system of the sheet. */
  write(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    matrix.clear();
    rhs.fill(0);
    for (let t = 0; t < state.mesh.triangleCount; t++) this.#addTriangle(state, stage, t, matrix, rhs);
    if (state.material.bending[0] > 0 || state.material.bending[1] > 0) this.#addBending(state, stage, matrix, rhs);
  }

  #addTriangle(state: SheetState, stage: SheetStage, t: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, v, vBase, kind, material, gradients } = state;
    const { triangles } = state.mesh;
    const { h, massDamping: alpha, stiffnessDamping: beta } = stage;
    const F = this.#F;
    const membrane = this.#membrane;
    const area = state.area[t];
    const g = 6 * t;
    const i0 = triangles[3 * t];
    const i1 = triangles[3 * t + 1];
    const i2 = triangles[3 * t + 2];
    const slides = kind[i0] !== NODE_LAGRANGIAN || kind[i1] !== NODE_LAGRANGIAN || kind[i2] !== NODE_LAGRANGIAN;
    const a = STRIDE * i0;
    const b = STRIDE * i1;
    const c = STRIDE * i2;
    if (stage.isAhead) this.#setTension(state, t, slides);
    for (let k = 0; k < 3; k++) {
      F[2 * k] = q[a + k] * gradients[g] + q[b + k] * gradients[g + 2] + q[c + k] * gradients[g + 4];
      F[2 * k + 1] = q[a + k] * gradients[g + 1] + q[b + k] * gradients[g + 3] + q[c + k] * gradients[g + 5];
    }
    membrane.setGradient(F, material);
    if (!stage.isAhead) membrane.setTension();
    membrane.setStiffness(material);
    const y = this.#y;
    const z = this.#z;
    const massScale = 1 + alpha * h;
    for (let n = 0; n < 3; n++) {
      const i = n === 0 ? a : n === 1 ? b : c;
      for (let k = 0; k < 3; k++) {
        y[3 * n + k] = v[i + k];
        z[3 * n + k] = vBase[i + k];
        if (!slides) continue;
        y[3 * n + k] -= F[2 * k] * v[i + 3] + F[2 * k + 1] * v[i + 4];
        z[3 * n + k] -= F[2 * k] * vBase[i + 3] + F[2 * k + 1] * vBase[i + 4];
      }
      for (let k = 0; k < 3; k++) z[3 * n + k] -= massScale * y[3 * n + k];
    }
    const mass = material.arealDensity * area;
    this.#setBlocks(t, state, area, h * h + beta * h, (mass / 12) * massScale);
    this.#setForces(
      t,
      state,
      mass / 12,
      area * h,
      ((stage.linearized ? h * h : 0) + beta * h) / (h * h + beta * h),
      (mass / 12) * massScale,
    );
    const r = this.#r;
    const weight = (mass * h) / 3;
    const { blockStart } = matrix;
    for (let n = 0; n < 3; n++) {
      const i = blockStart[n === 0 ? i0 : n === 1 ? i1 : i2];
      for (let k = 0; k < 3; k++) rhs[i + k] += r[3 * n + k] + weight * stage.gravity[k];
    }
    if (slides) this.#addSliding(state, stage, t, matrix, rhs);
    else this.#addBlocks(state, t, matrix);
  }

  /** The tension of triangle t at q̂. */
  #setTension(state: SheetState, t: number, slides: boolean): void {
    const { qBase, gradients, material, mesh } = state;
    const { F } = slides ? this.#element : { F: this.#F };
    const g = 6 * t;
    if (slides) {
      this.#readTriangle(state, t, qBase, this.#q15);
      this.#element.setConfiguration(this.#q15);
    } else {
      const a = STRIDE * mesh.triangles[3 * t];
      const b = STRIDE * mesh.triangles[3 * t + 1];
      const c = STRIDE * mesh.triangles[3 * t + 2];
      for (let k = 0; k < 3; k++) {
        F[2 * k] = qBase[a + k] * gradients[g] + qBase[b + k] * gradients[g + 2] + qBase[c + k] * gradients[g + 4];
        F[2 * k + 1] =
          qBase[a + k] * gradients[g + 1] + qBase[b + k] * gradients[g + 3] + qBase[c + k] * gradients[g + 5];
      }
    }
    this.#membrane.setGradient(F, material);
    this.#membrane.setTension();
  }

  /** Five numbers of each corner of triangle t. */
  #readTriangle({ mesh }: SheetState, t: number, from: Float64Array, out: Float64Array): void {
    for (let n = 0; n < 3; n++) {
      const i = STRIDE * mesh.triangles[3 * t + n];
      for (let k = 0; k < STRIDE; k++) out[STRIDE * n + k] = from[i + k];
    }
  }

  /** A on y: area · stiff · K + mass. */
  #setBlocks(t: number, { gradients }: SheetState, area: number, stiff: number, mass: number): void {
    const blocks = this.#blocks;
    const g = 6 * t;
    let at = 0;
    for (let n = 0; n < 3; n++)
      for (let m = 0; m <= n; m++, at += 9) {
        this.#membrane.writeBlock(
          gradients[g + 2 * n],
          gradients[g + 2 * n + 1],
          gradients[g + 2 * m],
          gradients[g + 2 * m + 1],
          area * stiff,
          blocks,
          at,
        );
        const share = n === m ? 2 * mass : mass;
        blocks[at] += share;
        blocks[at + 4] += share;
        blocks[at + 8] += share;
      }
  }

  /** r = M z − h A P ∇φ − product · K y, from the blocks less their mass. */
  #setForces(t: number, { gradients }: SheetState, mass12: number, pull: number, product: number, mass: number): void {
    const r = this.#r;
    const y = this.#y;
    const z = this.#z;
    const { P } = this.#membrane;
    const blocks = this.#blocks;
    const g = 6 * t;
    for (let n = 0; n < 3; n++)
      for (let k = 0; k < 3; k++)
        r[3 * n + k] =
          mass12 * (z[k] + z[3 + k] + z[6 + k] + z[3 * n + k]) -
          pull * (P[2 * k] * gradients[g + 2 * n] + P[2 * k + 1] * gradients[g + 2 * n + 1]);
    if (product === 0) return;
    for (let k = 0; k < 3; k++) {
      const sum = y[k] + y[3 + k] + y[6 + k];
      for (let n = 0; n < 3; n++) r[3 * n + k] += product * mass * (sum + y[3 * n + k]);
    }
    let at = 0;
    for (let n = 0; n < 3; n++)
      for (let m = 0; m <= n; m++, at += 9)
        for (let k = 0; k < 3; k++) {
          const o = at + 3 * k;
          r[3 * n + k] -=
            product * (blocks[o] * y[3 * m] + blocks[o + 1] * y[3 * m + 1] + blocks[o + 2] * y[3 * m + 2]);
          if (m === n) continue;
          r[3 * m + k] -=
            product *
            (blocks[at + k] * y[3 * n] + blocks[at + 3 + k] * y[3 * n + 1] + blocks[at + 6 + k] * y[3 * n + 2]);
        }
  }

  #addBlocks({ mesh }: SheetState, t: number, matrix: BlockMixed): void {
    const { values, valueStart } = matrix;
    const { triangles, triangleSlots } = mesh;
    const blocks = this.#blocks;
    let at = 0;
    for (let n = 0; n < 3; n++)
      for (let m = 0; m <= n; m++, at += 9) {
        const o = valueStart[triangleSlots[6 * t + at / 9]];
        if (triangles[3 * t + n] >= triangles[3 * t + m]) for (let k = 0; k < 9; k++) values[o + k] += blocks[at + k];
        else
          for (let k = 0; k < 3; k++) {
            values[o + 3 * k] += blocks[at + k];
            values[o + 3 * k + 1] += blocks[at + 3 + k];
            values[o + 3 * k + 2] += blocks[at + 6 + k];
          }
      }
  }

  /** Rows and columns of E-vertices: Jᵀ A J, Jᵀ r, and the forces that do not go through J. */
  #addSliding(state: SheetState, stage: SheetStage, t: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, v, kind, material } = state;
    const { triangles } = state.mesh;
    const blocks = this.#blocks;
    const F = this.#F;
    const { blockStart } = matrix;
    let at = 0;
    for (let n = 0; n < 3; n++)
      for (let m = 0; m <= n; m++, at += 9) {
        const i = triangles[3 * t + n];
        const j = triangles[3 * t + m];
        this.#widen(blocks, at, kind[i] !== NODE_LAGRANGIAN, kind[j] !== NODE_LAGRANGIAN);
        matrix.addBlock(i, j, this.#mixed);
      }
    const element = this.#element;
    this.#readTriangle(state, t, q, this.#q15);
    this.#readTriangle(state, t, v, this.#v15);
    element.setConfiguration(this.#q15);
    element.setVelocity(this.#v15);
    this.#c15.fill(0);
    element.addInertialForce(material.arealDensity, this.#v15, this.#c15);
    const { psi } = this.#membrane;
    const height =
      (stage.gravity[0] * (this.#q15[0] + this.#q15[5] + this.#q15[10]) +
        stage.gravity[1] * (this.#q15[1] + this.#q15[6] + this.#q15[11]) +
        stage.gravity[2] * (this.#q15[2] + this.#q15[7] + this.#q15[12])) /
      3;
    // V = A (ψ − ρ g·x̄): its change with the area
    const perArea = stage.h * state.area[t] * (material.arealDensity * height - psi);
    for (let n = 0; n < 3; n++) {
      const i = triangles[3 * t + n];
      const o = blockStart[i];
      for (let k = 0; k < 3; k++) rhs[o + k] -= stage.h * this.#c15[STRIDE * n + k];
      if (kind[i] === NODE_LAGRANGIAN) continue;
      for (let k = 0; k < 2; k++) {
        let sum = perArea * state.gradients[6 * t + 2 * n + k] - stage.h * this.#c15[STRIDE * n + 3 + k];
        for (let l = 0; l < 3; l++) sum -= F[2 * l + k] * this.#r[3 * n + l];
        rhs[o + 3 + k] += sum;
      }
    }
  }

  /** #mixed = J_iᵀ B J_j of the 3 × 3 block at `at`, with J = [I, −F] for E-vertices and I for others. */
  #widen(blocks: Float64Array, at: number, rowSlides: boolean, columnSlides: boolean): void {
    const F = this.#F;
    const out = this.#mixed;
    const width = columnSlides ? 5 : 3;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) out[r * width + c] = blocks[at + 3 * r + c];
      if (!columnSlides) continue;
      for (let c = 0; c < 2; c++)
        out[r * width + 3 + c] = -(
          blocks[at + 3 * r] * F[c] +
          blocks[at + 3 * r + 1] * F[2 + c] +
          blocks[at + 3 * r + 2] * F[4 + c]
        );
    }
    if (!rowSlides) return;
    for (let r = 0; r < 2; r++)
      for (let c = 0; c < width; c++)
        out[(3 + r) * width + c] = -(F[r] * out[c] + F[2 + r] * out[width + c] + F[4 + r] * out[2 * width + c]);
  }

  #addBending(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
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
      this.#addHingeBlocks(state, e, stiff * edgeStiffness[e], matrix);
    }
    this.#addBendingSlide(state, h, matrix, rhs);
  }

  /** k ∇θ ∇θᵀ into the x–x parts of the blocks. */
  #addHingeBlocks({ mesh }: SheetState, e: number, k: number, matrix: BlockMixed): void {
    const { values, valueStart, sizes } = matrix;
    const { edges, edgeSlots } = mesh;
    const w = this.#hinges;
    let slot = 10 * e;
    for (let n = 0; n < 4; n++)
      for (let m = 0; m <= n; m++, slot++) {
        const o = valueStart[edgeSlots[slot]];
        const isLower = edges[4 * e + n] >= edges[4 * e + m];
        const row = 12 * e + 3 * (isLower ? n : m);
        const column = 12 * e + 3 * (isLower ? m : n);
        const width = sizes[edges[4 * e + (isLower ? m : n)]];
        for (let r = 0; r < 3; r++) {
          const kw = k * w[row + r];
          values[o + r * width] += kw * w[column];
          values[o + r * width + 1] += kw * w[column + 1];
          values[o + r * width + 2] += kw * w[column + 2];
        }
      }
  }

  /** Angles of all edges, and the moments −∂V/∂θ; returns the bending energy [J]. */
  measureAngles(state: SheetState): number {
    const { q, beta, area, mesh } = state;
    const { edges, edgeCount, triangleEdges, triangleCount } = mesh;
    if (this.#theta.length !== edgeCount) {
      this.#theta = new Float64Array(edgeCount);
      this.#moment = new Float64Array(edgeCount);
      this.#hinges = new Float64Array(12 * edgeCount);
    }
    for (let e = 0; e < edgeCount; e++) {
      const d = edges[4 * e + 3];
      if (d < 0) continue;
      const [a, b, c] = [edges[4 * e], edges[4 * e + 1], edges[4 * e + 2]];
      this.#theta[e] = writeHinge(q, STRIDE * a, STRIDE * b, STRIDE * c, STRIDE * d, this.#hinges, 12 * e);
    }
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
  #addBendingSlide(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { kind, mesh } = state;
    const { triangles, triangleEdges, edges, edgeTriangles, triangleCount } = mesh;
    for (let t = 0; t < triangleCount; t++)
      for (let n = 0; n < 6; n++) {
        const e = triangleEdges[3 * t + (n % 3)];
        const across = edgeTriangles[2 * e] === t ? edges[4 * e + 3] : edges[4 * e + 2];
        const vertex = n < 3 ? triangles[3 * t + n] : across;
        if (vertex < 0 || kind[vertex] === NODE_LAGRANGIAN) continue;
        for (let k = 0; k < 2; k++) {
          const rate = this.#computeEnergyRate(state, t, 2 * n + k);
          rhs[matrix.blockStart[vertex] + 3 + k] -= h * rate;
        }
      }
  }

  /** Rate of a triangle's bending energy with one material coordinate of its patch. */
  #computeEnergyRate(state: SheetState, t: number, coordinate: number): number {
    const { triangleEdges } = state.mesh;
    const [b11, b22, b12, b33] = state.material.bending;
    const inner = state.writePatch(t, this.#patch);
    this.#patchRate.fill(0);
    this.#patchRate[coordinate] = 1;
    const map = this.#curvature;
    map.set(this.#patch, inner, this.#patchRate);
    let sum = 0;
    for (let o = 0; o < 18; o += 9) {
      const kappa = [0, 0, 0];
      const rate = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const theta = this.#theta[triangleEdges[3 * t + k]];
        for (let c = 0; c < 3; c++) {
          kappa[c] += theta * map.beta[o + 3 * k + c];
          rate[c] += theta * map.rate[o + 3 * k + c];
        }
      }
      const m1 = b11 * kappa[0] + b12 * kappa[1];
      const m2 = b12 * kappa[0] + b22 * kappa[1];
      const m3 = b33 * kappa[2];
      sum +=
        0.5 * map.areaRate * (m1 * kappa[0] + m2 * kappa[1] + m3 * kappa[2]) +
        map.area * (m1 * rate[0] + m2 * rate[1] + m3 * rate[2]);
    }
    return sum;
  }
}
