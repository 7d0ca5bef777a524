/**
 * The linear system of a sheet: inertia, membrane, weight and Rayleigh damping triangle by triangle, bending edge by edge.
 *     A = (1 + αh) M + (h² + βh) K
 *     r = M (v̂ − v) + h (f − c − αM v) − (s h² + βh) K v        s = 1 while f is taken at q̂ (linearly implicit), else 0
 *   v̂, q̂  start of the stage     v  iterate     α, β  Rayleigh damping [1/s], [s]     c = Ṁ v − ∂T/∂q (methods §1)
 *
 * Per triangle everything acts on y, the world motion of the material at the corners: δy = δx − F δX. Corners whose material is
 * fixed have three unknowns; E-vertices have five, and their rows are Jᵀ of those of y, J = [I, −F].   [eol-cloth-2017, Eqs. 4.8, 4.17]
 * Triangles whose corners are all fixed to the material, nearly all of them, have a loop of their own (`fixed-triangles.ts`); bending is in
 * `bending.ts`; compiled loops do both where that pays (`compiled-assembly.ts`).
 */
import { EolElement } from '../eol/index.ts';
import { KernelMemory } from '../kernels/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { SheetBending } from './bending.ts';
import { CompiledAssembly } from './compiled-assembly.ts';
import { FixedTriangles } from './fixed-triangles.ts';
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
  readonly #bending = new SheetBending();
  readonly #fixed = new FixedTriangles();
  readonly #element = new EolElement(2);
  readonly #q15 = new Float64Array(15);
  readonly #v15 = new Float64Array(15);
  readonly #c15 = new Float64Array(15);
  readonly #mixed = new Float64Array(25);
  readonly #compiled: CompiledAssembly;

  /** `memory`: of the compiled loops. */
  constructor(memory = new KernelMemory()) {
    this.#compiled = new CompiledAssembly(memory);
  }

  /** Overwrites matrix and rhs with the system of the sheet. */
  write(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    const bends = state.material.bending[0] > 0 || state.material.bending[1] > 0;
    if (!this.#compiled.write(state, stage, matrix, rhs, this.#bending.reserveAngles(state))) {
      matrix.clear();
      rhs.fill(0);
      this.#fixed.add(state, stage, matrix, rhs);
      if (bends) this.#bending.add(state, stage, matrix, rhs);
    }
    if (matrix.size === 3 * state.count) return;
    this.#addSlidingTriangles(state, stage, matrix, rhs);
    if (bends) this.#bending.addSlide(state, stage.h, matrix, rhs);
  }

  /** Angles of all edges, and the moments −∂V/∂θ; returns the bending energy [J]. */
  measureAngles(state: SheetState): number {
    return this.#bending.measureAngles(state);
  }

  /** Dihedral angle of an edge, from the last `measureAngles`. */
  angleOf(edge: number): number {
    return this.#bending.angleOf(edge);
  }

  /** Those with an E-vertex. */
  #addSlidingTriangles(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    const { kind, mesh } = state;
    for (let t = 0; t < mesh.triangleCount; t++)
      for (let n = 0; n < 3; n++) {
        if (kind[mesh.triangles[3 * t + n]] === NODE_LAGRANGIAN) continue;
        this.#addTriangle(state, stage, t, matrix, rhs);
        break;
      }
  }

  #addTriangle(state: SheetState, stage: SheetStage, t: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, v, vBase, material, gradients } = state;
    const { triangles } = state.mesh;
    const { h, massDamping: alpha, stiffnessDamping: beta } = stage;
    const F = this.#F;
    const membrane = this.#membrane;
    const area = state.area[t];
    const g = 6 * t;
    const i0 = triangles[3 * t];
    const i1 = triangles[3 * t + 1];
    const i2 = triangles[3 * t + 2];
    const a = STRIDE * i0;
    const b = STRIDE * i1;
    const c = STRIDE * i2;
    if (stage.isAhead) this.#setTension(state, t);
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
        y[3 * n + k] = v[i + k] - (F[2 * k] * v[i + 3] + F[2 * k + 1] * v[i + 4]);
        z[3 * n + k] = vBase[i + k] - (F[2 * k] * vBase[i + 3] + F[2 * k + 1] * vBase[i + 4]);
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
    this.#addSliding(state, stage, t, matrix, rhs);
  }

  /** The tension of triangle t at q̂. */
  #setTension(state: SheetState, t: number): void {
    this.#readTriangle(state, t, state.qBase, this.#q15);
    this.#element.setConfiguration(this.#q15);
    this.#membrane.setGradient(this.#element.F, state.material);
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
}
