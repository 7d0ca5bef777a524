/** Equations A λ = b of rows by conjugate gradients with their diagonal, 3 a row; a component whose diagonal is 0 has none. */

/** out := product of a vector, 3 a row, of the rows of a set. */
export type RowProduct = (d: Float64Array, out: Float64Array, from: number, to: number) => void;

/** Conjugate gradients end after so many iterations: what is left is settled on the particles. */
const MOST_ITERATIONS = 60;

export class RowSolve {
  /** λ, b and the diagonal of A. */
  lambda = new Float64Array(0);
  wanted = new Float64Array(0);
  diagonal = new Float64Array(0);
  #residual = new Float64Array(0);
  #direction = new Float64Array(0);
  #product = new Float64Array(0);

  reserve(rows: number): void {
    this.lambda = new Float64Array(3 * rows);
    this.wanted = new Float64Array(3 * rows);
    this.diagonal = new Float64Array(3 * rows);
    this.#residual = new Float64Array(3 * rows);
    this.#direction = new Float64Array(3 * rows);
    this.#product = new Float64Array(3 * rows);
  }

  /** λ += A⁻¹ b of the rows order[from] … order[to − 1], to a share of the first residual. */
  solve(writeProduct: RowProduct, order: Int32Array, from: number, to: number, tolerance: number): void {
    const { lambda, wanted, diagonal } = this;
    const [r, d, q] = [this.#residual, this.#direction, this.#product];
    let first = 0;
    let square = 0;
    for (let n = 3 * from; n < 3 * to; n++) {
      const k = 3 * order[(n / 3) | 0] + (n % 3);
      r[k] = diagonal[k] > 0 ? wanted[k] : 0;
      d[k] = diagonal[k] > 0 ? r[k] / diagonal[k] : 0;
      square += r[k] * d[k];
      first = Math.max(first, Math.abs(r[k]));
    }
    for (let iteration = 0; iteration < MOST_ITERATIONS && square > 0; iteration++) {
      writeProduct(d, q, from, to);
      let slope = 0;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        if (diagonal[k] === 0) q[k] = 0;
        slope += d[k] * q[k];
      }
      if (!(slope > 0)) break;
      const length = square / slope;
      let next = 0;
      let largest = 0;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        lambda[k] += length * d[k];
        r[k] -= length * q[k];
        if (diagonal[k] > 0) next += (r[k] * r[k]) / diagonal[k];
        largest = Math.max(largest, Math.abs(r[k]));
      }
      if (largest <= tolerance * first) break;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        d[k] = (diagonal[k] > 0 ? r[k] / diagonal[k] : 0) + (next / square) * d[k];
      }
      square = next;
    }
  }
}
