/**
 * Dry friction between a continuum and its guests (`guests.ts`), after their equations A λ = b were solved as if all of them stuck:
 *     ‖λ_t‖ ≤ μ λ_n,   λ_n ≥ 0        λ_n = λ·n, n towards the continuum     λ_t = λ − λ_n n     μ  coefficient of friction
 *     λ ← P(λ + (b − A λ)/a)          row after row, a  diagonal of A, P  onto that cone along λ_t
 * A = B M⁻¹Bᵀ + 1/m is the same in every direction, so that of one guest, and of guests on a plane, normal impulses are not changed by friction, and one sweep
 * is exact; the others sweep until nothing changes. A guest with the continuum all round has no n, and sticks: what yields there is the continuum.
 */
import type { GridRows } from './grid-rows.ts';
import type { RowSolve } from './row-solve.ts';

/** Sweeps end where no velocity changes by this share of the largest that was asked for, or after so many. */
const TOLERANCE = 1e-7;
const MOST_SWEEPS = 100;
/** λ may be out of its cone by this share before anything is swept. */
const SLACK = 1e-9;

/** Direction of the continuum from a row, unless it is no guest, or has it all round. */
export type FindNormal = (r: number, out: Float64Array) => boolean;

export class GuestFriction {
  readonly #normal = new Float64Array(3);
  readonly #next = new Float64Array(3);
  readonly #response = new Float64Array(3);

  /** Takes λ of the rows of a set into their cones; λ of all rows is spread, and stays so. */
  limit(
    rows: GridRows,
    solver: RowSolve,
    softness: Float64Array,
    order: Int32Array,
    from: number,
    to: number,
    friction: number,
    findNormal: FindNormal,
  ): void {
    const { lambda, wanted, diagonal } = solver;
    let largest = 0;
    let isOut = false;
    for (let n = from; n < to; n++) {
      const r = order[n];
      for (let k = 0; k < 3; k++) {
        if (diagonal[3 * r + k] > 0) largest = Math.max(largest, Math.abs(wanted[3 * r + k]));
        this.#next[k] = lambda[3 * r + k];
      }
      if (this.#project(r, friction, findNormal) > SLACK) isOut = true;
    }
    for (let sweep = 0; isOut && sweep < MOST_SWEEPS; sweep++)
      isOut = this.#sweep(rows, solver, softness, order, from, to, friction, findNormal) > TOLERANCE * largest;
  }

  /** Largest change of a velocity. */
  #sweep(
    rows: GridRows,
    { lambda, wanted, diagonal }: RowSolve,
    softness: Float64Array,
    order: Int32Array,
    from: number,
    to: number,
    friction: number,
    findNormal: FindNormal,
  ): number {
    const next = this.#next;
    let change = 0;
    for (let n = from; n < to; n++) {
      const r = order[n];
      rows.measureSpread(r, this.#response);
      for (let k = 0; k < 3; k++) {
        const at = 3 * r + k;
        const a = diagonal[at];
        next[k] = a > 0 ? lambda[at] + (wanted[at] - this.#response[k] - softness[r] * lambda[at]) / a : 0;
      }
      this.#project(r, friction, findNormal);
      for (let k = 0; k < 3; k++) {
        const at = 3 * r + k;
        const by = next[k] - lambda[at];
        change = Math.max(change, Math.abs(by) * diagonal[at]);
        lambda[at] = next[k];
        next[k] = by;
      }
      rows.spread(r, next, 0, 1);
    }
    return change;
  }

  /** Takes `next` of a row into its cone; by which share of it that changed. */
  #project(r: number, friction: number, findNormal: FindNormal): number {
    const [n, next] = [this.#normal, this.#next];
    if (!findNormal(r, n)) return 0;
    const size = Math.sqrt(next[0] ** 2 + next[1] ** 2 + next[2] ** 2);
    if (size === 0) return 0;
    const pressed = next[0] * n[0] + next[1] * n[1] + next[2] * n[2];
    if (pressed <= 0) {
      next.fill(0);
      return 1;
    }
    const along = Math.sqrt(Math.max(0, size * size - pressed * pressed));
    if (along <= friction * pressed) return 0;
    const share = (friction * pressed) / along;
    for (let k = 0; k < 3; k++) next[k] = pressed * n[k] + share * (next[k] - pressed * n[k]);
    return ((1 - share) * along) / size;
  }
}
