/**
 * Inertia, membrane, weight and damping of the triangles with an E-vertex. Everything acts on the velocity of the material at the
 * corners, y = ẋ − F Ẋ, as in `fixed-triangles.ts` on ẋ; the rows of an E-vertex are Jᵀ of those of y, J = [I, −F].   [Piddington 2017, Eqs. 4.8, 4.17]
 *     s_n = m/12 (Σz + z_n) − A (h P + (s h² + βh) dP) ∇φ_n − h c_n,   z = ŷ − (1 + αh) y,   dP = K Ḟ,   Ḟ = Σ y_n ⊗ ∇φ_n
 *     r_x = s_n + m h g/3,    r_X = −Fᵀ s_n + h Ḟᵀ p_n + h (T + A (ρ g·x̄ − ψ)) ∇φ_n
 *     c_n = (Ȧ/A) p_n − m/12 Ḟ (ΣẊ + Ẋ_n) + (Σ p_i ⊗ Ẋ_i) ∇φ_n,   p_n = m/12 (Σy + y_n),   T = ½ Σ p·y      [theory/eol#inertia]
 * Corners p, q, r in ascending order of their vertices; other symbols as in `assembly.ts`. Twin in C: src/kernels/sheet-slide.inc, with
 * the same bits.
 */
import type { BlockMixed } from '../sparse/index.ts';
import { writeGradient } from './fixed-triangles.ts';
import { Membrane } from './membrane.ts';
import { computePullShare, computeTensionShare, type SheetStage } from './stage.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Where K_qq, K_rq and K_rr begin among the numbers of `Membrane.writeBlocks`. */
const HALF_Q = 0;
const FULL = 6;
const HALF_R = 15;

export class SlidingTriangles {
  readonly #membrane = new Membrane();
  readonly #F = new Float64Array(6);
  readonly #dF = new Float64Array(6);
  readonly #pull = new Float64Array(6);
  /** ∇φ of p, q, r; of q and r at q̂. */
  readonly #gradients = new Float64Array(6);
  readonly #base = new Float64Array(4);
  /** y, z, momenta p and s of the corners, three numbers each; Ẋ, two each. */
  readonly #y = new Float64Array(9);
  readonly #z = new Float64Array(9);
  readonly #momenta = new Float64Array(9);
  readonly #s = new Float64Array(9);
  readonly #rates = new Float64Array(6);
  readonly #parts = new Float64Array(21);
  /** 3 × 3 blocks of A on y: (p,p), (q,p), (q,q), (r,p), (r,q), (r,r); a block times −F. */
  readonly #blocks = new Float64Array(54);
  readonly #turned = new Float64Array(6);
  readonly #vertices = new Int32Array(3);
  /** h A, (s h² + βh) A, (h² + βh) A, a twelfth of the mass. */
  readonly #scales = new Float64Array(4);

  add(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    const { triangles, triangleOrder, triangleCount } = state.mesh;
    const { sizes } = matrix;
    const vertices = this.#vertices;
    for (let t = 0; t < triangleCount; t++) {
      let unknowns = 0;
      for (let n = 0; n < 3; n++) {
        vertices[n] = triangles[3 * t + triangleOrder[3 * t + n]];
        unknowns += sizes[vertices[n]];
      }
      if (unknowns > 9) this.#addTriangle(state, stage, t, matrix, rhs);
    }
  }

  #addTriangle(state: SheetState, stage: SheetStage, t: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, material } = state;
    const { h, stiffnessDamping } = stage;
    const membrane = this.#membrane;
    const [ip, iq, ir] = this.#vertices;
    if (stage.isAhead) this.#setTension(state);
    this.#readGradients(state, t);
    writeGradient(q, STRIDE * ip, STRIDE * iq, STRIDE * ir, this.#gradients, 2, 4, this.#F);
    membrane.setGradient(this.#F, material);
    if (!stage.isAhead) membrane.setTension();
    const share = computePullShare(stage);
    membrane.tensionShare = share;
    membrane.setStiffness(material);
    const area = state.area[t];
    const scales = this.#scales;
    scales[0] = area * h;
    scales[1] = area * ((stage.linearized ? h * h : 0) + stiffnessDamping * h);
    scales[2] = area * (h * h + stiffnessDamping * h);
    scales[3] = (material.arealDensity * area) / 12;
    this.#setVelocities(state, stage);
    writeGradient(this.#y, 0, 3, 6, this.#gradients, 2, 4, this.#dF);
    membrane.writePull(this.#dF, scales, this.#pull);
    this.#setForces(h);
    this.#addForces(state, stage, area, matrix, rhs);
    membrane.tensionShare = computeTensionShare(stage);
    if (membrane.tensionShare !== share) membrane.setStiffness(material);
    membrane.writeBlocks(this.#gradients, 2, 4, scales, this.#parts);
    this.#setBlocks(scales[3] * (1 + stage.massDamping * h));
    this.#addBlocks(state, t, matrix);
  }

  /** The tension at q̂. */
  #setTension({ qBase, material }: SheetState): void {
    const base = this.#base;
    const p = STRIDE * this.#vertices[0];
    const q = STRIDE * this.#vertices[1];
    const r = STRIDE * this.#vertices[2];
    const ux = qBase[q + 3] - qBase[p + 3];
    const uy = qBase[q + 4] - qBase[p + 4];
    const wx = qBase[r + 3] - qBase[p + 3];
    const wy = qBase[r + 4] - qBase[p + 4];
    const inverse = 1 / (ux * wy - uy * wx);
    base[0] = wy * inverse;
    base[1] = -wx * inverse;
    base[2] = -uy * inverse;
    base[3] = ux * inverse;
    writeGradient(qBase, p, q, r, base, 0, 2, this.#F);
    this.#membrane.setGradient(this.#F, material);
    this.#membrane.setTension();
  }

  #readGradients({ gradients, mesh }: SheetState, t: number): void {
    for (let n = 0; n < 3; n++) {
      const from = 6 * t + 2 * mesh.triangleOrder[3 * t + n];
      this.#gradients[2 * n] = gradients[from];
      this.#gradients[2 * n + 1] = gradients[from + 1];
    }
  }

  /** y, z and Ẋ of the corners. */
  #setVelocities({ v, vBase }: SheetState, stage: SheetStage): void {
    const F = this.#F;
    const scale = 1 + stage.massDamping * stage.h;
    for (let n = 0; n < 3; n++) {
      const i = STRIDE * this.#vertices[n];
      const a = v[i + 3];
      const b = v[i + 4];
      const c = vBase[i + 3];
      const d = vBase[i + 4];
      this.#rates[2 * n] = a;
      this.#rates[2 * n + 1] = b;
      for (let k = 0; k < 3; k++) {
        const y = v[i + k] - (F[2 * k] * a + F[2 * k + 1] * b);
        this.#y[3 * n + k] = y;
        this.#z[3 * n + k] = vBase[i + k] - (F[2 * k] * c + F[2 * k + 1] * d) - scale * y;
      }
    }
  }

  /** Momenta and s of the corners. */
  #setForces(h: number): void {
    const g = this.#gradients;
    const X = this.#rates;
    const y = this.#y;
    const z = this.#z;
    const p = this.#momenta;
    const dF = this.#dF;
    const pull = this.#pull;
    const mass = this.#scales[3];
    const growth = g[2] * (X[2] - X[0]) + g[3] * (X[3] - X[1]) + (g[4] * (X[4] - X[0]) + g[5] * (X[5] - X[1]));
    const sumX = X[0] + X[2] + X[4];
    const sumY = X[1] + X[3] + X[5];
    for (let k = 0; k < 3; k++) {
      const all = y[k] + y[3 + k] + y[6 + k];
      const rest = mass * (z[k] + z[3 + k] + z[6 + k]);
      for (let n = 0; n < 3; n++) p[3 * n + k] = mass * (all + y[3 * n + k]);
      const flowX = p[k] * X[0] + p[3 + k] * X[2] + p[6 + k] * X[4];
      const flowY = p[k] * X[1] + p[3 + k] * X[3] + p[6 + k] * X[5];
      for (let n = 0; n < 3; n++) {
        const carried = mass * (dF[2 * k] * (sumX + X[2 * n]) + dF[2 * k + 1] * (sumY + X[2 * n + 1]));
        const c = growth * p[3 * n + k] - carried + (flowX * g[2 * n] + flowY * g[2 * n + 1]);
        const f = pull[2 * k] * g[2 * n] + pull[2 * k + 1] * g[2 * n + 1];
        this.#s[3 * n + k] = rest + mass * z[3 * n + k] - f - h * c;
      }
    }
  }

  #addForces(state: SheetState, stage: SheetStage, area: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, material } = state;
    const { h, gravity } = stage;
    const p = this.#momenta;
    const s = this.#s;
    const F = this.#F;
    const dF = this.#dF;
    const g = this.#gradients;
    let kinetic = 0;
    let height = 0;
    for (let k = 0; k < 9; k++) kinetic += 0.5 * p[k] * this.#y[k];
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = this.#vertices;
      height += gravity[k] * (q[STRIDE * a + k] + q[STRIDE * b + k] + q[STRIDE * c + k]);
    }
    // T − V, V = A (ψ − ρ g·x̄), grows with the area
    const perArea = h * (kinetic + area * ((material.arealDensity * height) / 3 - this.#membrane.psi));
    for (let n = 0; n < 3; n++) {
      const i = this.#vertices[n];
      const o = matrix.blockStart[i];
      for (let k = 0; k < 3; k++) rhs[o + k] += s[3 * n + k] + 4 * this.#scales[3] * h * gravity[k];
      if (matrix.sizes[i] === 3) continue;
      for (let a = 0; a < 2; a++) {
        let sum = perArea * g[2 * n + a];
        for (let k = 0; k < 3; k++) sum += h * dF[2 * k + a] * p[3 * n + k] - F[2 * k + a] * s[3 * n + k];
        rhs[o + 3 + a] += sum;
      }
    }
  }

  /** K_qq, K_rq, K_rr and the mass m become all six blocks. */
  #setBlocks(m: number): void {
    const parts = this.#parts;
    const out = this.#blocks;
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        const at = 3 * r + c;
        // in the upper half by rows
        const half = r + c + (r > 0 && c > 0 ? 1 : 0);
        const A = parts[HALF_Q + half];
        const D = parts[HALF_R + half];
        const C = parts[FULL + at];
        const turned = parts[FULL + 3 * c + r];
        const share = r === c ? m : 0;
        out[at] = A + D + (C + turned) + 2 * share;
        out[9 + at] = share - (A + turned);
        out[18 + at] = A + 2 * share;
        out[27 + at] = share - (C + D);
        out[36 + at] = C + share;
        out[45 + at] = D + 2 * share;
      }
  }

  #addBlocks({ mesh }: SheetState, t: number, matrix: BlockMixed): void {
    const { sizes, valueStart } = matrix;
    for (let n = 0, slot = 0; n < 3; n++)
      for (let m = 0; m <= n; m++, slot++) {
        const place = valueStart[mesh.triangleSlots[6 * t + slot]];
        this.#addWide(matrix.values, place, sizes[this.#vertices[n]], sizes[this.#vertices[m]], 9 * slot);
      }
  }

  /** Adds J_nᵀ B J_m of the block B at `at`, with J = [I, −F] where a vertex has five unknowns and I where three. */
  #addWide(values: Float64Array, place: number, height: number, width: number, at: number): void {
    const F = this.#F;
    const B = this.#blocks;
    const turned = this.#turned;
    for (let r = 0; r < 3; r++) {
      const b0 = B[at + 3 * r];
      const b1 = B[at + 3 * r + 1];
      const b2 = B[at + 3 * r + 2];
      const o = place + r * width;
      values[o] += b0;
      values[o + 1] += b1;
      values[o + 2] += b2;
      if (width === 3) continue;
      for (let c = 0; c < 2; c++) {
        turned[2 * r + c] = -(b0 * F[c] + b1 * F[2 + c] + b2 * F[4 + c]);
        values[o + 3 + c] += turned[2 * r + c];
      }
    }
    if (height === 3) return;
    for (let r = 0; r < 2; r++) {
      const o = place + (3 + r) * width;
      for (let c = 0; c < 3; c++)
        values[o + c] -= F[r] * B[at + c] + F[2 + r] * B[at + 3 + c] + F[4 + r] * B[at + 6 + c];
      if (width === 3) continue;
      for (let c = 0; c < 2; c++)
        values[o + 3 + c] -= F[r] * turned[c] + F[2 + r] * turned[2 + c] + F[4 + r] * turned[4 + c];
    }
  }
}
