/**
 * The factor of an active set, bordered by the rows that changed since (Schur complement) [Gill 1990]:
 *
 *   ⎡ K₀  B ⎤ ⎡ x ⎤   ⎡ r ⎤      b = g_rᵀ  where the row is now held: z = −λ_r,  d = −c_r
 *   ⎣ Bᵀ  D ⎦ ⎣ z ⎦ = ⎣ ρ ⎦      b = e_r   where it no longer is: forces x_r = 0,  d = 0
 *
 * S = BᵀK₀⁻¹B − D is dense and small; K₀⁻¹b of a row is kept until the next factorisation.
 */
import type { KktSystem } from './kkt.ts';
import { computeRowProduct, HELD, type QpProblem } from './qp-problem.ts';

/** A pivot of S that lost more than this is not trusted: the system is factored again. */
const LOST = 1e-9;

export class FactorBorder {
  /** Rows that changed: first those no longer held, then those now held. */
  readonly changed: number[] = [];
  readonly #kkt: KktSystem;
  #problem!: QpProblem;
  #size = 0;
  #right = new Float64Array(0);
  readonly #columns = new Map<number, Float64Array>(); // K₀⁻¹ b by row
  readonly #spare: Float64Array[] = [];
  #schur = new Float64Array(0); // unit lower triangle and pivots, row-major
  #z = new Float64Array(0);

  constructor(kkt: KktSystem) {
    this.#kkt = kkt;
  }

  load(problem: QpProblem): void {
    const total = problem.matrix.size + problem.rows.count;
    if (this.#right.length !== total) {
      this.#columns.clear();
      this.#spare.length = 0;
      this.#right = new Float64Array(total);
    }
    this.#problem = problem;
    this.#size = problem.matrix.size;
  }

  /** Forgets all changes: there is a new factor. */
  clear(): void {
    for (const column of this.#columns.values()) this.#spare.push(column);
    this.#columns.clear();
    this.changed.length = 0;
  }

  /** Takes the rows whose state differs from the factored one; false where factoring anew is cheaper or safer. */
  update(states: Int8Array, factored: Int8Array): boolean {
    const { changed } = this;
    changed.length = 0;
    for (let r = 0; r < factored.length; r++) if (states[r] !== HELD && factored[r] === HELD) changed.push(r);
    for (let r = 0; r < factored.length; r++) if (states[r] === HELD && factored[r] !== HELD) changed.push(r);
    if (this.#kkt.report.dependentRows > 0 && this.#isDependenceOpen(states, factored)) return false;
    let missing = 0;
    for (const row of changed) if (!this.#columns.has(row)) missing++;
    if (missing + changed.length / 8 > this.#computeMostUpdates()) return false;
    for (const row of changed) if (!this.#columns.has(row)) this.#addColumn(row, states);
    return this.#factorSchur(states);
  }

  /** A held row that was left out as dependent may be needed once another is released. */
  #isDependenceOpen(states: Int8Array, factored: Int8Array): boolean {
    let open = false;
    let released = false;
    for (let r = 0; r < factored.length; r++) {
      if (factored[r] !== HELD) continue;
      if (states[r] !== HELD) released ||= this.#kkt.dependent[r] === 0;
      else open ||= this.#kkt.dependent[r] === 1;
    }
    return open && released;
  }

  /** How many solves cost less than a factorisation. */
  #computeMostUpdates(): number {
    const { operations, fill } = this.#kkt.symbolic!;
    return operations / (3 * fill);
  }

  #addColumn(row: number, states: Int8Array): void {
    const b = this.#right;
    writeRow(this.#problem, row, b);
    if (states[row] !== HELD) {
      b.fill(0);
      b[this.#size + row] = 1;
    }
    const column = this.#spare.pop() ?? new Float64Array(b.length);
    this.#kkt.solveOnce(b, column);
    this.#columns.set(row, column);
  }

  /** x = K⁻¹ r by the factor and the border; entries of r are overwritten. */
  applyInverse(states: Int8Array, r: Float64Array, x: Float64Array): void {
    const { changed } = this;
    const k = changed.length;
    if (k === 0) {
      this.#kkt.solveOnce(r, x);
      return;
    }
    const z = this.#z;
    for (let a = 0; a < k; a++) z[a] = r[this.#size + changed[a]];
    for (let a = 0; a < k; a++) r[this.#size + changed[a]] = 0;
    this.#kkt.solveOnce(r, x);
    for (let a = 0; a < k; a++) {
      const row = changed[a];
      z[a] = states[row] === HELD ? this.#dotBorder(row, states, x) - z[a] : this.#dotBorder(row, states, x);
    }
    this.#solveSchur(z, k);
    for (let a = 0; a < k; a++) {
      const column = this.#columns.get(changed[a])!;
      const factor = z[a];
      for (let i = 0; i < x.length; i++) x[i] -= factor * column[i];
    }
    for (let a = 0; a < k; a++) x[this.#size + changed[a]] = states[changed[a]] === HELD ? z[a] : 0;
  }

  /** b·x of a changed row. */
  #dotBorder(row: number, states: Int8Array, x: Float64Array): number {
    return states[row] === HELD ? computeRowProduct(this.#problem.rows, row, x) : x[this.#size + row];
  }

  /** LDLᵀ of S = Bᵀ K₀⁻¹ B − D; released rows come first: then S is quasi-definite and needs no pivoting. */
  #factorSchur(states: Int8Array): boolean {
    const { changed } = this;
    const k = changed.length;
    if (this.#schur.length < k * k) this.#schur = new Float64Array(4 * k * k);
    if (this.#z.length < k) this.#z = new Float64Array(2 * k);
    const s = this.#schur;
    const { compliance } = this.#problem.rows;
    for (let a = 0; a < k; a++) {
      for (let b = 0; b <= a; b++) s[a * k + b] = this.#dotBorder(changed[a], states, this.#columns.get(changed[b])!);
      if (states[changed[a]] === HELD) s[a * k + a] += compliance?.[changed[a]] ?? 0;
    }
    for (let a = 0; a < k; a++) {
      let magnitude = Math.abs(s[a * k + a]);
      for (let b = 0; b < a; b++) {
        let value = s[a * k + b];
        for (let c = 0; c < b; c++) value -= s[a * k + c] * s[b * k + c] * s[c * k + c];
        value /= s[b * k + b];
        s[a * k + b] = value;
      }
      let pivot = s[a * k + a];
      for (let c = 0; c < a; c++) {
        const share = s[a * k + c] * s[a * k + c] * s[c * k + c];
        pivot -= share;
        magnitude += Math.abs(share);
      }
      if (!(Math.abs(pivot) > LOST * magnitude)) return false;
      s[a * k + a] = pivot;
    }
    return true;
  }

  #solveSchur(z: Float64Array, k: number): void {
    const s = this.#schur;
    for (let a = 0; a < k; a++) for (let c = 0; c < a; c++) z[a] -= s[a * k + c] * z[c];
    for (let a = 0; a < k; a++) z[a] /= s[a * k + a];
    for (let a = k - 1; a >= 0; a--) for (let c = a + 1; c < k; c++) z[a] -= s[c * k + a] * z[c];
  }
}

/** g_rᵀ, and zeros elsewhere. */
export function writeRow({ rows }: QpProblem, row: number, out: Float64Array): void {
  const { start, columns, values } = rows;
  out.fill(0);
  for (let k = start[row]; k < start[row + 1]; k++) out[columns[k]] += values[k];
}
