/**
 * An EIL node: its material coordinate u_b is free, its place is interpolated between the nearest EoL nodes a and c of the
 * yarn.                                                                              [Sánchez-Banderas 2020, Eq. 3; theory/fabric#eil-nodes]
 *     x = w_a x_a + w_c x_c,   w_a = (u_c − u_b)/D,   w_c = (u_b − u_a)/D,   D = u_c − u_a,   F = (x_c − x_a)/D
 *     stencil   x_a u_a  x_c u_c  u_b
 *
 * Jacobian, all five parts (the paper names interpolation only):
 *     ∂x/∂x_a = w_a I,   ∂x/∂x_c = w_c I,   ∂x/∂u_b = F,   ∂x/∂u_a = −w_a F,   ∂x/∂u_c = −w_c F
 * Second derivatives, times D:
 *     x_a u_b: −1    x_a u_a: w_a    x_a u_c: w_c        x_c: the negatives
 *     u_b u_a: F     u_b u_c: −F     u_a u_a: −2 w_a F    u_a u_c: (w_a − w_c) F     u_c u_c: 2 w_c F
 */
export class EilNode {
  /** Coordinates of the stencil. */
  static readonly SIZE = 9;
  /** Interpolated place [m]. */
  readonly x = new Float64Array(3);
  /** 3 × 9, row-major. */
  readonly jacobian = new Float64Array(27);
  readonly #F = new Float64Array(3);
  #wa = 0;
  #wc = 0;
  #D = 1;

  /** Reads the nine coordinates from q[at] on. */
  set(q: ArrayLike<number>, at = 0): void {
    const { x, jacobian: J } = this;
    const F = this.#F;
    const D = q[at + 7] - q[at + 3];
    const wa = (q[at + 7] - q[at + 8]) / D;
    const wc = (q[at + 8] - q[at + 3]) / D;
    J.fill(0);
    for (let k = 0; k < 3; k++) {
      x[k] = wa * q[at + k] + wc * q[at + 4 + k];
      F[k] = (q[at + 4 + k] - q[at + k]) / D;
      J[9 * k + k] = wa;
      J[9 * k + 4 + k] = wc;
      J[9 * k + 3] = -wa * F[k];
      J[9 * k + 7] = -wc * F[k];
      J[9 * k + 8] = F[k];
    }
    this.#D = D;
    this.#wa = wa;
    this.#wc = wc;
  }

  /** Adds Jᵀ g to out[at … at + 9): a derivative in the place, carried over to what is free. */
  addGradient(g: ArrayLike<number>, out: Float64Array, at = 0): void {
    for (let k = 0; k < 3; k++) for (let i = 0; i < 9; i++) out[at + i] += this.jacobian[9 * k + i] * g[k];
  }

  /** Adds Σ g_k ∂²x_k/∂q² to the block of `out` (size × size) that starts at row and column `at`. */
  addCurvature(g: ArrayLike<number>, out: Float64Array, size: number, at = 0): void {
    const [F, wa, wc, D] = [this.#F, this.#wa, this.#wc, this.#D];
    const add = (i: number, j: number, value: number) => {
      out[(at + i) * size + at + j] += value;
      if (i !== j) out[(at + j) * size + at + i] += value;
    };
    let along = 0;
    for (let k = 0; k < 3; k++) {
      const gD = g[k] / D;
      along += gD * F[k];
      add(k, 8, -gD);
      add(k, 3, wa * gD);
      add(k, 7, wc * gD);
      add(4 + k, 8, gD);
      add(4 + k, 3, -wa * gD);
      add(4 + k, 7, -wc * gD);
    }
    add(8, 3, along);
    add(8, 7, -along);
    add(3, 3, -2 * wa * along);
    add(3, 7, (wa - wc) * along);
    add(7, 7, 2 * wc * along);
  }
}
