/**
 * A heap: an island of many chains that touch each other all over, thousands of bounded rows. The problem of `island-bordered-qp.ts`, in the multipliers alone
 * and by sweeps (`sparse/qp-sweeps.ts`), with A⁻¹ of each chain on the coordinates that rows touch, dense. Rows are met as far as the sweeps go; what
 * they leave shows in Newton's corrections and in the depths that contacts measure, and Δ = A⁻¹ (r + Gᵀλ) holds to rounding for the λ that there are, so
 * that momentum is kept. Every chain must be definite by itself, without late coordinates and links.
 */
import { type BlockBanded, RowSweeps, type SweepReport, type SweptBlocks } from '../sparse/index.ts';
import { keepCopy } from './chains-inverse.ts';
import { IslandRows } from './island-rows.ts';
import type { Island } from './islands.ts';
import type { ChainPart, ConstraintRows } from './part.ts';

/** Share of all forces that a sweep may still change, in energy its square; and how many there are in one solve: Newton's next iteration goes on. */
const SWEEPS = { tolerance: 1e-3, mostSweeps: 60 };
/** Numbers in all inverses up to which they are worth it: 32 MB. */
const MOST_NUMBERS = 4e6;

export class HeapIsland {
  readonly #rows = new IslandRows();
  readonly #sweeps = new RowSweeps();
  readonly #chains: BlockBanded[] = [];
  /** First unknown of a part, by index of the part; of all unknowns their place among those that rows touch, −1 elsewhere. */
  #offset = new Int32Array(0);
  #slot = new Int32Array(0);
  /** Of what rows touch: unknown in its chain. */
  #unknown = new Int32Array(0);
  #blocks: SweptBlocks = createBlocks(0, 0);
  #inverses = new Float64Array(0);
  #x = new Float64Array(0);
  #z = new Float64Array(0);
  #work = new Float64Array(0);
  /** Indices of the parts that are not definite. */
  readonly indefinite: number[] = [];

  /** Takes over an island and factors its chains; false where these are so long that their inverses are too large. */
  load(parts: readonly ChainPart[], island: Island, rows: ConstraintRows): boolean {
    this.indefinite.length = 0;
    if (!this.#layOut(parts, island, rows)) return false;
    this.#factor(parts, island);
    return true;
  }

  /**
   * After `load`, where all parts are definite: replaces their right-hand sides by Δ and fills multipliers and states of the rows. The report is
   * reused.
   */
  solve(parts: readonly ChainPart[], island: Island, rows: ConstraintRows): SweepReport {
    this.#invert(island);
    this.#sweeps.load(this.#rows, this.#blocks);
    const { count, multipliers, lower, upper, states } = this.#rows;
    for (let r = 0; r < count; r++) multipliers[r] = Math.min(upper[r], Math.max(lower[r], rows.guess[island.rows[r]]));
    const report = this.#sweeps.solve(this.#z, multipliers, SWEEPS);
    for (let r = 0; r < count; r++) states[r] = multipliers[r] <= lower[r] ? -1 : multipliers[r] >= upper[r] ? 1 : 0;
    this.#rows.writeBack(island.rows, rows);
    this.#writeSolution(parts, island, rows);
    return report;
  }

  /** Places of the parts and of the coordinates that rows touch; false where these are too many. */
  #layOut(parts: readonly ChainPart[], island: Island, rows: ConstraintRows): boolean {
    const count = island.parts.length;
    if (this.#offset.length < parts.length) this.#offset = new Int32Array(parts.length);
    let unknowns = 0;
    for (const p of island.parts) {
      this.#offset[p] = unknowns;
      unknowns += parts[p].matrix.length;
    }
    if (this.#slot.length < unknowns) {
      this.#slot = new Int32Array(2 * unknowns);
      this.#unknown = new Int32Array(2 * unknowns);
      this.#x = new Float64Array(2 * unknowns);
      this.#z = new Float64Array(2 * unknowns);
    }
    if (this.#blocks.of.length < unknowns || this.#blocks.first.length < count)
      this.#blocks = createBlocks(2 * unknowns, 2 * count, this.#inverses);
    this.#rows.load(island.rows, rows, this.#offset);
    return this.#selectCoordinates(parts, island, unknowns);
  }

  /** Numbers what rows touch, chain by chain, in the order of the unknowns; the rows' columns become these numbers. */
  #selectCoordinates(parts: readonly ChainPart[], island: Island, unknowns: number): boolean {
    const slot = this.#slot.fill(-1, 0, unknowns);
    const { count, start, columns } = this.#rows;
    for (let e = 0; e < start[count]; e++) slot[columns[e]] = 0;
    let [places, numbers] = [0, 0];
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      this.#blocks.start[n] = places;
      this.#blocks.first[n] = numbers;
      for (let i = this.#offset[p]; i < this.#offset[p] + parts[p].matrix.length; i++) {
        if (slot[i] < 0) continue;
        slot[i] = places;
        this.#unknown[places] = i - this.#offset[p];
        this.#blocks.of[places++] = n;
      }
      numbers += (places - this.#blocks.start[n]) ** 2;
    }
    this.#blocks.start[island.parts.length] = places;
    for (let e = 0; e < start[count]; e++) columns[e] = slot[columns[e]];
    if (numbers <= this.#inverses.length || numbers > MOST_NUMBERS) return numbers <= MOST_NUMBERS;
    this.#inverses = new Float64Array(2 * numbers);
    this.#blocks = { ...this.#blocks, values: this.#inverses };
    return true;
  }

  /** Factors copies of the chains, and z₀ = A⁻¹ r. */
  #factor(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      const { matrix, rhs } = parts[p];
      const chain = keepCopy(this.#chains, n, matrix);
      if (!chain.factor().ok) {
        this.indefinite.push(p);
        continue;
      }
      for (let i = 0; i < matrix.length; i++) this.#x[this.#offset[p] + i] = rhs[i];
      chain.solve(this.#x, this.#offset[p]);
      for (let k = this.#blocks.start[n]; k < this.#blocks.start[n + 1]; k++)
        this.#z[k] = this.#x[this.#offset[p] + this.#unknown[k]];
    }
  }

  /** A⁻¹ of each chain on what rows touch: two unit vectors at a time, from the first of them on. */
  #invert(island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const chain = this.#chains[n];
      const [begin, end] = [this.#blocks.start[n], this.#blocks.start[n + 1]];
      const { length, size } = chain;
      if (this.#work.length < 2 * length) this.#work = new Float64Array(2 * length);
      for (let k = begin; k < end; k += 2) {
        const first = Math.floor(this.#unknown[k] / size);
        const work = this.#work.fill(0, 0, 2 * length);
        work[this.#unknown[k]] = 1;
        if (k + 1 < end) work[length + this.#unknown[k + 1]] = 1;
        chain.solvePair(work, 0, length, first, first);
        this.#copyInverse(n, k, 0);
        if (k + 1 < end) this.#copyInverse(n, k + 1, length);
      }
    }
  }

  /** Column k from its diagonal on, and the same as a row. */
  #copyInverse(n: number, k: number, at: number): void {
    const [begin, end] = [this.#blocks.start[n], this.#blocks.start[n + 1]];
    const size = end - begin;
    const first = this.#blocks.first[n];
    for (let j = k; j < end; j++) {
      const value = this.#work[at + this.#unknown[j]];
      this.#inverses[first + (k - begin) * size + j - begin] = value;
      this.#inverses[first + (j - begin) * size + k - begin] = value;
    }
  }

  /** A⁻¹ (r + Gᵀλ) */
  #writeSolution(parts: readonly ChainPart[], island: Island, rows: ConstraintRows): void {
    for (const row of island.rows) {
      const multiplier = rows.multiplier[row];
      if (multiplier === 0) continue;
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++)
        parts[rows.part[e]].rhs[rows.coordinate[e]] += rows.value[e] * multiplier;
    }
    for (let n = 0; n < island.parts.length; n++) this.#chains[n].solve(parts[island.parts[n]].rhs);
  }
}

function createBlocks(coordinates: number, count: number, values = new Float64Array(0)): SweptBlocks {
  return {
    of: new Int32Array(coordinates),
    start: new Int32Array(count + 1),
    first: new Int32Array(count),
    values,
  };
}
