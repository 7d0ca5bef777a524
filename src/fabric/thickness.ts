/**
 * Thickness for pictures: yarns have none in the mechanics, so their centre lines are moved apart along the normal of the cloth.  [Sánchez-Banderas 2020, §6]
 *
 *     layer    each lies on the one below: its middle is half the thickness of both higher; a layer is as thick as two yarns
 *     crossing the upper yarn ½ (r + r') above the middle, the lower as much below
 *     others   (contacts between layers, ends) in between, linear in u from crossing to crossing of the same yarn
 */
import { writeNodeNormal } from './load.ts';
import { ROLE_CROSSING } from './net.ts';
import type { FabricState } from './state.ts';

export class YarnHeights {
  readonly #state: FabricState;
  /** Height of the middle of each layer [m]. */
  readonly #middle: Float64Array;

  constructor(state: FabricState) {
    this.#state = state;
    const thickness = new Float64Array(state.layers.length);
    for (let y = 0; y < state.yarnCount; y++) {
      const layer = state.yarnLayer[y];
      thickness[layer] = Math.max(thickness[layer], 4 * state.materialOf(y).radius);
    }
    this.#middle = new Float64Array(thickness.length);
    for (let k = 1; k < thickness.length; k++)
      this.#middle[k] = this.#middle[k - 1] + 0.5 * (thickness[k - 1] + thickness[k]);
  }

  /** Moves the points of a frame, in the order of `state.sides`. */
  add(x: Float64Array): void {
    const { sideStart, yarnCount } = this.#state;
    const normal = new Float64Array(3);
    for (let y = 0; y < yarnCount; y++) this.#addYarn(y, sideStart[y], sideStart[y + 1], normal, x);
  }

  #addYarn(y: number, first: number, end: number, normal: Float64Array, x: Float64Array): void {
    const { sides, role, yarnLayer } = this.#state;
    const middle = this.#middle[yarnLayer[y]];
    let last = -1;
    for (let p = first; p <= end; p++) {
      if (p < end && role[sides[p] >> 1] !== ROLE_CROSSING) continue;
      // points from the last crossing to this one
      const from = last < 0 ? first : last + 1;
      for (let k = from; k <= Math.min(p, end - 1); k++) {
        const u = this.#u(k);
        const [a, b] = [last < 0 ? p : last, p < end ? p : last];
        if (a < 0 || a >= end) {
          if (middle === 0) continue;
          this.#move(x, k, middle, normal, k);
          continue;
        }
        const span = a === b ? 0 : this.#u(b) - this.#u(a);
        const w = span > 0 ? (u - this.#u(a)) / span : 0;
        const height = (1 - w) * this.#height(a) + w * this.#height(b);
        this.#move(x, k, middle + height, normal, w < 0.5 ? a : b);
      }
      last = p;
    }
  }

  #u(p: number): number {
    const s = this.#state.sides[p];
    return this.#state.q[5 * (s >> 1) + 3 + (s & 1)];
  }

  /** Of the centre line over the middle of its layer at a crossing. */
  #height(p: number): number {
    const { sides, yarn, upper } = this.#state;
    const s = sides[p];
    const r = 0.5 * (this.#state.materialOf(yarn[s]).radius + this.#state.materialOf(yarn[s ^ 1]).radius);
    return upper[s >> 1] === (s & 1) + 1 ? r : -r;
  }

  /** Moves point k by a height along the normal at point `at`. */
  #move(x: Float64Array, k: number, height: number, normal: Float64Array, at: number): void {
    const node = this.#state.sides[at] >> 1;
    if (this.#state.yarn[2 * node + 1] < 0 || !writeNodeNormal(this.#state, node, normal)) return;
    for (let c = 0; c < 3; c++) x[3 * k + c] += height * normal[c];
  }
}
