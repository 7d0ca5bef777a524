/**
 * A⁻¹ of an island of chains, late coordinates eliminated last, and S = G A⁻¹ Gᵀ + c of its rows:
 *
 *     ⎡ A   B   Gᵀ ⎤     A  chains without late coordinates     B  columns of these, C their corner (`island-border.ts`)
 *     ⎢ Bᵀ  C   Kᵀ ⎥     K  the rows' entries of late coordinates
 *     ⎣ G   K   −c ⎦
 *     T = C − Bᵀ A⁻¹ B      Q = K − G A⁻¹ B      S = G A⁻¹ Gᵀ + c + Q T⁻¹ Qᵀ
 *
 * T must be definite; it is not where only rows hold a late coordinate, and `factor` says so.
 */
import { BlockBanded, BorderProduct, DenseLdlt } from '../sparse/index.ts';
import type { IslandBorder } from './island-border.ts';
import type { Island } from './islands.ts';
import type { ChainPart } from './part.ts';

/** Copies a matrix to place n of a list, into the one that is there where that has its shape. */
export function keepCopy(chains: BlockBanded[], n: number, matrix: BlockBanded): BlockBanded {
  const kept = chains[n] as BlockBanded | undefined;
  if (kept?.size !== matrix.size || kept.bandwidth !== matrix.bandwidth)
    chains[n] = new BlockBanded(matrix.blocks, matrix.size, matrix.bandwidth);
  chains[n].copyFrom(matrix);
  return chains[n];
}

export class ChainsInverse {
  /** S, row-major, both triangles. */
  schur = new Float64Array(0);
  readonly #chains: BlockBanded[] = [];
  readonly #product = new BorderProduct();
  readonly #dense = new DenseLdlt();
  #border!: IslandBorder;
  #offsets = new Int32Array(1);
  /** Places of the late coordinates among all unknowns. */
  #late = new Int32Array(0);
  #corner = new Float64Array(0);
  #y = new Float64Array(0);
  #work = new Float64Array(0);

  /** Copies the matrices of the parts, and takes the late coordinates out of the copies; `x` loses their right-hand side. */
  load(parts: readonly ChainPart[], island: Island, border: IslandBorder, x: Float64Array, width: number): void {
    const count = island.parts.length;
    this.#border = border;
    this.#chains.length = count;
    if (this.#offsets.length < count + 1) this.#offsets = new Int32Array(count + 1);
    if (this.#late.length < border.late) this.#late = new Int32Array(border.late);
    let late = 0;
    for (let n = 0; n < count; n++) {
      const p = island.parts[n];
      const { matrix } = parts[p];
      keepCopy(this.#chains, n, matrix);
      this.#offsets[n] = border.offset[p];
      for (const coordinate of parts[p].late) this.#late[late++] = border.offset[p] + coordinate;
      border.moveLate(parts[p], p, this.#chains[n], x, border.offset[p], width);
    }
    this.#offsets[count] = border.unknowns;
  }

  /** After the rows were added to the border; false where A or T is not positive definite. */
  factor(width: number): boolean {
    for (const chain of this.#chains) if (!chain.factor().ok) return false;
    const { late, corner, columns } = this.#border;
    if (this.schur.length < width * width) this.schur = new Float64Array(2 * width * width);
    this.#product.write(this.#chains, this.#offsets, columns, this.schur);
    const rows = width - late;
    if (late > 0) return this.#eliminateLate(late, rows, width);
    for (let r = 0; r < rows; r++) this.schur[r * rows + r] -= corner[r * width + r];
    return true;
  }

  /** T and Q from the whole product, which S then takes the place of. */
  #eliminateLate(late: number, rows: number, width: number): boolean {
    const { corner } = this.#border;
    const S = this.schur;
    if (this.#corner.length < width * late) this.#corner = new Float64Array(width * late);
    if (this.#y.length < late) this.#y = new Float64Array(late);
    const Q = this.#corner;
    for (let r = 0; r < width; r++)
      for (let k = 0; k < late; k++) Q[r * late + k] = corner[r * width + k] - S[r * width + k];
    const inertia = this.#dense.factor(Q, late);
    if (!inertia.ok || inertia.positive < late) return false;
    for (let r = 0; r < rows; r++)
      for (let q = 0; q < rows; q++) {
        const at = (late + r) * width + late + q;
        // in place: S is read behind where it is written
        S[r * rows + q] = S[at] - corner[at];
      }
    const y = this.#y;
    for (let r = 0; r < rows; r++) {
      for (let k = 0; k < late; k++) y[k] = Q[(late + r) * late + k];
      this.#dense.solve(y);
      for (let q = 0; q <= r; q++) {
        let sum = 0;
        for (let k = 0; k < late; k++) sum += Q[(late + q) * late + k] * y[k];
        S[r * rows + q] += sum;
        S[q * rows + r] = S[r * rows + q];
      }
    }
    return true;
  }

  /** x ← A⁻¹ x over all unknowns, late ones at their places. */
  apply(x: Float64Array): void {
    const { late, columns, unknowns } = this.#border;
    const y = this.#y;
    for (let k = 0; k < late; k++) {
      y[k] = x[this.#late[k]];
      x[this.#late[k]] = 0;
    }
    for (let n = 0; n < this.#chains.length; n++) this.#chains[n].solve(x, this.#offsets[n]);
    if (late === 0) return;
    const { starts, rows, values } = columns;
    if (this.#work.length < unknowns) this.#work = new Float64Array(unknowns);
    const work = this.#work.fill(0, 0, unknowns);
    for (let k = 0; k < late; k++) for (let e = starts[k]; e < starts[k + 1]; e++) y[k] -= values[e] * x[rows[e]];
    this.#dense.solve(y);
    for (let k = 0; k < late; k++) for (let e = starts[k]; e < starts[k + 1]; e++) work[rows[e]] += values[e] * y[k];
    for (let n = 0; n < this.#chains.length; n++) this.#chains[n].solve(work, this.#offsets[n]);
    for (let i = 0; i < unknowns; i++) x[i] -= work[i];
    for (let k = 0; k < late; k++) x[this.#late[k]] = y[k];
  }
}
