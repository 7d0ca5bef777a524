/**
 * Gaps of EIL nodes. A side that becomes EIL goes from its place to one on the chord of its neighbours, and where the yarn bends these are apart: a constraint that held them
 * together at once would open with up to ½ K s², s the safety distance. Heddle, unlike [Sánchez-Banderas 2020], lets it leave the gap g that there is:
 *     r = x_A − x_B − g        r as before the change, or 0 where the node was EoL on both yarns        x_A, x_B  the node on its first and second yarn
 * and closes it as a driver would, ġ = −g/τ with τ = √(s/9.81 m/s²): yarns are drawn together no faster than they would fall by s, so that closing takes no more than their weight times s.
 * The same where the chord of a node changes under it, because a neighbour of it comes, goes or changes.
 */
import { computeExp } from '../math/index.ts';
import { EilNode } from './interpolation.ts';
import { type FabricState, ROLE_FREE } from './state.ts';

/** Standard gravity [m/s²]. */
const GRAVITY = 9.81;

export class ContactGaps {
  /** r of each node before the change, 3 each. */
  readonly #rest: Float64Array;
  readonly #between = new Float64Array(3);
  readonly #node = new EilNode();
  readonly #local = new Float64Array(9);

  constructor({ capacity }: FabricState) {
    this.#rest = new Float64Array(3 * capacity);
  }

  /** Keeps r, before nodes change. */
  remember(state: FabricState): void {
    const { role, eil, gap, count } = state;
    const [rest, between] = [this.#rest, this.#between];
    // nodes that come have none
    rest.fill(0);
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE || !(eil[2 * i] | eil[2 * i + 1])) continue;
      this.#write(state, i);
      for (let k = 0; k < 3; k++) rest[3 * i + k] = between[k] - gap[3 * i + k];
    }
  }

  /** Gives every node the gap that leaves r as it was. */
  take(state: FabricState): void {
    const { role, eil, gap, count } = state;
    const [rest, between] = [this.#rest, this.#between];
    for (let i = 0; i < count; i++) {
      const hasEil = role[i] !== ROLE_FREE && (eil[2 * i] | eil[2 * i + 1]) !== 0;
      if (hasEil) this.#write(state, i);
      for (let k = 0; k < 3; k++) gap[3 * i + k] = hasEil ? between[k] - rest[3 * i + k] : 0;
    }
  }

  /** #between := x_A − x_B */
  #write(state: FabricState, i: number): void {
    const { q, eil, yarn, before, after } = state;
    const [node, local, out] = [this.#node, this.#local, this.#between];
    out.fill(0);
    for (let side = 0; side < 2; side++) {
      const s = 2 * i + side;
      const sign = side === 0 ? 1 : -1;
      if (yarn[s] < 0 || !eil[s]) {
        for (let k = 0; k < 3; k++) out[k] += sign * q[5 * i + k];
        continue;
      }
      for (let m = 0; m < 2; m++) {
        const t = m === 0 ? before[s] : after[s];
        for (let k = 0; k < 3; k++) local[4 * m + k] = q[5 * (t >> 1) + k];
        local[4 * m + 3] = q[state.materialIndex(t)];
      }
      local[8] = q[state.materialIndex(s)];
      node.set(local);
      for (let k = 0; k < 3; k++) out[k] += sign * node.x[k];
    }
  }
}

/** Closes gaps as far as they do in a step of length h. */
export function closeGaps(state: FabricState, h: number): void {
  const { gap, yarn, count } = state;
  for (let i = 0; i < count; i++) {
    if (gap[3 * i] === 0 && gap[3 * i + 1] === 0 && gap[3 * i + 2] === 0) continue;
    const left = computeGapLeft(state, yarn[2 * i], h);
    for (let k = 3 * i; k < 3 * i + 3; k++) gap[k] *= left;
  }
}

/** What is left of a gap on yarn y after a step of length h. */
export const computeGapLeft = (state: FabricState, y: number, h: number): number =>
  computeExp(-h / Math.sqrt(state.safetyOf(y) / GRAVITY));
