/**
 * Which sides of nodes have another layer of the fabric below or above them. Layers lie on one another without thickness, so all of them are as near to a
 * body as the lowest is; but only that one touches it and bears the others, through the nodes between the layers.
 *
 * A side is covered where a node of its yarn with a lower (higher) layer lies within `REACH` of the wider spacing along the yarn: no more than one and a half
 * meshes, so that what hangs over the border of a layer is not.
 */
import type { FabricState } from './state.ts';

/** Bits of `LayerCoverage.of`. */
export const COVERED_BELOW = 1;
export const COVERED_ABOVE = 2;

const REACH = 1.2;

export class LayerCoverage {
  /** COVERED_* bits of each side. */
  readonly of: Uint8Array;
  readonly #reach: number;

  constructor(state: FabricState) {
    this.of = new Uint8Array(state.yarn.length);
    this.#reach = REACH * state.layers.reduce((widest, { spacing }) => Math.max(widest, spacing), 0);
  }

  /** Looks along all yarns; sides must be in order. */
  update(state: FabricState): void {
    if (state.layers.length < 2) return;
    const { sideStart, yarnCount } = state;
    for (let y = 0; y < yarnCount; y++) {
      this.#mark(state, sideStart[y], sideStart[y + 1], 1);
      this.#mark(state, sideStart[y + 1] - 1, sideStart[y] - 1, -1);
    }
  }

  /** One way along a yarn: what the last nodes with lower and higher layers still reach. */
  #mark(state: FabricState, from: number, end: number, way: 1 | -1): void {
    const { sides, q, yarn } = state;
    let below = Number.NEGATIVE_INFINITY;
    let above = Number.NEGATIVE_INFINITY;
    for (let k = from; k !== end; k += way) {
      const s = sides[k];
      const at = way * q[5 * (s >> 1) + 3 + (s & 1)];
      if (yarn[s ^ 1] >= 0) {
        const [own, other] = [state.layerOf(s), state.layerOf(s ^ 1)];
        if (other < own) below = at;
        else if (other > own) above = at;
      }
      const bits = (at - below <= this.#reach ? COVERED_BELOW : 0) | (at - above <= this.#reach ? COVERED_ABOVE : 0);
      this.of[s] = way === 1 ? bits : this.of[s] | bits;
    }
  }
}
