/**
 * Nets and the rigid bodies that they push, without rows:
 *     [A B; Bᵀ D] [Δ; δ] = [r; s]        A  nets, one after the other     D  bodies, 6 × 6 each     B  borders of the nets
 *     y = A⁻¹ r,   W = A⁻¹ B,   (D − BᵀW) δ = s − Bᵀy,   Δ = y − W δ
 * Six columns a body go to the solver of each net that touches it, which keeps its factor for them. Columns that are zero to rounding, as those of the turn of a
 * ball without friction, are left out.
 */
import { DenseLdlt } from '../sparse/index.ts';
import type { ChainPart, NetPart, Part } from './part.ts';

/** Of the largest entry of a net's border: what is smaller is rounding. Turns count by √(moment of inertia/mass). */
const ROUNDING = 1e-11;

export class NetIsland {
  readonly #dense = new DenseLdlt();
  /** Parts that are bodies. */
  #bodies: readonly number[] = [];
  /** Columns of W, of one net after the other; and the scalar of the bodies that each belongs to. */
  readonly #columns: Float64Array[] = [];
  readonly #scalars: number[] = [];
  #S = new Float64Array(0);
  #s = new Float64Array(0);
  #n = 0;

  /** Replaces the right-hand sides of the parts by their Δ; returns the part whose matrix is not positive definite, −1 where all are. */
  solve(parts: readonly Part[], members: readonly number[]): number {
    this.#loadBodies(parts, members);
    const [S, s, n, bodies] = [this.#S, this.#s, this.#n, this.#bodies];
    this.#scalars.length = 0;
    const starts: number[] = [];
    for (const p of members) {
      const net = parts[p];
      if (net.kind === 'chain') continue;
      starts.push(this.#scalars.length);
      if (!net.solve() || !this.#eliminate(net as NetPart)) return p;
    }
    const { ok, positive } = this.#dense.factor(S, n);
    if (!ok || positive < n) return bodies[0];
    this.#dense.solve(s.subarray(0, n));
    starts.push(this.#scalars.length);
    let k = 0;
    for (const p of members) {
      if (parts[p].kind === 'chain') continue;
      for (let at = starts[k]; at < starts[k + 1]; at++)
        subtract(parts[p].rhs, s[this.#scalars[at]], this.#columns[at]);
      k++;
    }
    for (let b = 0; b < bodies.length; b++) parts[bodies[b]].rhs.set(s.subarray(6 * b, 6 * b + 6));
    return -1;
  }

  /** S := D, s of the bodies. */
  #loadBodies(parts: readonly Part[], members: readonly number[]): void {
    this.#bodies = members.filter((p) => parts[p].kind === 'chain');
    const n = (this.#n = 6 * this.#bodies.length);
    if (this.#s.length < n) [this.#S, this.#s] = [new Float64Array(n * n), new Float64Array(n)];
    this.#S.fill(0);
    for (let b = 0; b < this.#bodies.length; b++) {
      const { matrix, rhs } = parts[this.#bodies[b]] as ChainPart;
      this.#s.set(rhs.subarray(0, 6), 6 * b);
      for (let r = 0; r < 6; r++)
        for (let c = 0; c < 6; c++) this.#S[(6 * b + r) * n + 6 * b + c] = matrix.bands[0][6 * r + c];
    }
  }

  /** Takes a net, whose right-hand side is y, out of the bodies' system: S −= BᵀW, s −= Bᵀy. False where a column has no solution. */
  #eliminate(net: NetPart): boolean {
    const { border, rhs, matrix } = net;
    const [S, s, n, bodies] = [this.#S, this.#s, this.#n, this.#bodies];
    const first = this.#scalars.length;
    for (let b = 0; b < bodies.length; b++) this.#listColumns(net, b);
    for (let at = first; at < this.#scalars.length; at++) {
      const c = this.#scalars[at];
      if (this.#columns[at]?.length !== matrix.size) this.#columns[at] = new Float64Array(matrix.size);
      const w = this.#columns[at].fill(0);
      const [part, k] = [bodies[Math.floor(c / 6)], c % 6];
      for (let e = 0; e < border.count; e++) {
        if (border.part[e] !== part) continue;
        for (let r = 0; r < 5; r++) w[5 * border.node[e] + r] += border.value[30 * e + 6 * r + k];
      }
      if (!net.solveFor(w, true)) return false;
    }
    for (let at = first; at < this.#scalars.length; at++) {
      const d = this.#scalars[at];
      s[d] -= this.#multiply(net, d, rhs);
      for (let other = first; other < this.#scalars.length; other++) {
        // iterations leave the two triangles a little different
        const half = 0.5 * this.#multiply(net, d, this.#columns[other]);
        S[d * n + this.#scalars[other]] -= half;
        S[this.#scalars[other] * n + d] -= half;
      }
    }
    return true;
  }

  /** Adds the scalars of body b that the net's border knows to the list. */
  #listColumns({ border }: NetPart, b: number): void {
    const [S, n, part] = [this.#S, this.#n, this.#bodies[b]];
    const largest = [0, 0, 0, 0, 0, 0];
    for (let e = 0; e < border.count; e++)
      if (border.part[e] === part)
        for (let k = 0; k < 30; k++) largest[k % 6] = Math.max(largest[k % 6], Math.abs(border.value[30 * e + k]));
    const most = Math.max(largest[0], largest[1], largest[2]);
    const diagonal = (k: number): number => S[(6 * b + k) * (n + 1)];
    for (let k = 0; k < 6; k++) {
      const size = k < 3 ? 1 : Math.sqrt(diagonal(k) / diagonal(0));
      if (largest[k] > ROUNDING * most * size) this.#scalars.push(6 * b + k);
    }
  }

  /** Column c of B times a vector of the net. */
  #multiply({ border }: NetPart, c: number, x: Float64Array): number {
    const [part, k] = [this.#bodies[Math.floor(c / 6)], c % 6];
    let sum = 0;
    for (let e = 0; e < border.count; e++) {
      if (border.part[e] !== part) continue;
      for (let r = 0; r < 5; r++) sum += border.value[30 * e + 6 * r + k] * x[5 * border.node[e] + r];
    }
    return sum;
  }
}

function subtract(out: Float64Array, scale: number, x: Float64Array): void {
  for (let k = 0; k < x.length; k++) out[k] -= scale * x[k];
}
