/**
 * Adds gradient and Hessian of one stencil to the system: where its coordinates are, and the places of its blocks.
 *     r −= h ∇V + p H v        A += s H
 */
import type { StencilList, Stencils } from './stencils.ts';

export class Scatter {
  /** Global coordinate of each local one, and the local node it belongs to. */
  readonly coordinate = new Int32Array(18);
  readonly node = new Int32Array(18);
  /** Global nodes of the stencil. */
  readonly nodes = new Int32Array(5);
  size = 0;
  #slots = new Int32Array(25);

  /** Takes the stencil `e` of a list: its nodes and slots. Coordinates are added after it. */
  begin({ size, pairs, sides, slots }: StencilList, e: number): void {
    this.size = 0;
    let at = e * pairs;
    for (let m = 0; m < size; m++) this.nodes[m] = sides[e * size + m] >> 1;
    for (let m = 0; m < size; m++)
      for (let n = m + 1; n < size; n++) this.#slots[5 * m + n] = this.#slots[5 * n + m] = slots[at++];
  }

  /** The next local coordinate: c-th of the m-th node. */
  add(m: number, c: number): void {
    this.coordinate[this.size] = 5 * this.nodes[m] + c;
    this.node[this.size++] = m;
  }

  /** x, y and z of the m-th node. */
  addPosition(m: number): void {
    this.add(m, 0);
    this.add(m, 1);
    this.add(m, 2);
  }

  /** Local coordinates of the stencil. */
  gather(q: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[k] = q[this.coordinate[k]];
  }

  addGradient(gradient: ArrayLike<number>, scale: number, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[this.coordinate[k]] += scale * gradient[k];
  }

  /** out −= scale H v */
  subtractProduct(hessian: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    const { size, coordinate } = this;
    for (let k = 0; k < size; k++) {
      let sum = 0;
      for (let l = 0; l < size; l++) sum += hessian[k * size + l] * v[coordinate[l]];
      out[coordinate[k]] -= scale * sum;
    }
  }

  addHessian(hessian: Float64Array, scale: number, { pattern: { columnStart } }: Stencils, values: Float64Array): void {
    const { size, coordinate, node, nodes } = this;
    for (let k = 0; k < size; k++) {
      const m = node[k];
      const i = nodes[m];
      const c = coordinate[k] - 5 * i;
      for (let l = 0; l <= k; l++) {
        const value = scale * hessian[k * size + l];
        const n = node[l];
        const j = nodes[n];
        const d = coordinate[l] - 5 * j;
        if (i === j) {
          const D = 25 * columnStart[i];
          values[D + 5 * c + d] += value;
          if (k !== l) values[D + 5 * d + c] += value;
        } else {
          const O = 25 * this.#slots[5 * m + n];
          values[O + (i > j ? 5 * c + d : 5 * d + c)] += value;
        }
      }
    }
  }
}
