/**
 * How the discretisation of a fabric changes before a step: nodes that ran off a yarn go, the others are sorted and assigned, and those that change between EoL
 * and EIL keep their coordinates, or take those of least energy; momentum and constraints: `transfer.ts`, `gaps.ts`.                                 [Sánchez-Banderas 2020, §4.1 and appendix]
 *
 *   EIL → EoL   u_b = (|x_b − x_c| u_a + |x_a − x_b| u_c)/(|x_a − x_b| + |x_b − x_c|)       uniform stretch (7)
 *   EoL → EIL   u_b where x_b lies nearest on the segment from a to c, within it                        (8)
 *
 * The place of a node whose sides were both EIL is that of its interpolation: `placeDoubles` keeps it.
 */
import { computeHypot3 } from '../math/index.ts';
import { EilNode } from './interpolation.ts';
import { assignNodes, sortSides } from './order.ts';
import { type FabricState, ROLE_FREE } from './state.ts';

export class FabricAdaptation {
  /** The step that nodes are assigned for [s]. */
  h = 0;
  readonly #optimises: boolean;
  readonly #was: Uint8Array;
  readonly #node = new EilNode();
  readonly #local = new Float64Array(9);
  /** Where the nine coordinates of an EIL node are. */
  readonly #index = new Int32Array(9);

  constructor(state: FabricState, optimises: boolean) {
    this.#optimises = optimises;
    this.#was = new Uint8Array(state.eil.length);
  }

  /** Sorts and assigns; true where the discretisation is other than before. Coordinates stay: `moveChanged`. */
  assign(state: FabricState): boolean {
    const { eil, count } = state;
    const was = this.#was;
    was.set(eil.subarray(0, 2 * count));
    state.passings += sortSides(state);
    const isChanged = assignNodes(state, this.h);
    if (isChanged) for (let s = 0; s < 2 * count; s++) if (eil[s] !== was[s]) state.transitions++;
    return isChanged;
  }

  /** Gives the sides that the last assignment changed the coordinates of least energy, where that is asked for. */
  moveChanged(state: FabricState): void {
    if (!this.#optimises) return;
    for (let s = 0; s < 2 * state.count; s++) if (state.eil[s] !== this.#was[s]) this.#optimise(state, s);
  }

  /** Nodes that left a yarn: takes them out; returns how many. */
  removeLost(state: FabricState): number {
    const { q, yarn, role, yarnLength, count } = state;
    let removed = 0;
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      for (let s = 2 * i; s < 2 * i + 2; s++) {
        if (yarn[s] < 0 || state.isFixed(s)) continue;
        const u = q[5 * i + 3 + (s & 1)];
        if (u > 0 && u < yarnLength[yarn[s]]) continue;
        state.freeNode(i);
        removed++;
        break;
      }
    }
    return removed;
  }

  #optimise(state: FabricState, s: number): void {
    const { q, eil, before, after, anchor } = state;
    if (before[s] < 0 || after[s] < 0 || state.isFixed(s)) return;
    const [a, b, c] = [5 * (before[s] >> 1), 5 * (s >> 1), 5 * (after[s] >> 1)];
    const ua = q[state.materialIndex(before[s])];
    const uc = q[state.materialIndex(after[s])];
    let share = 0;
    if (eil[s]) {
      let along = 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        along += (q[c + k] - q[a + k]) * (q[b + k] - q[a + k]);
        square += (q[c + k] - q[a + k]) ** 2;
      }
      share = along / square;
    } else {
      const first = computeHypot3(q[b] - q[a], q[b + 1] - q[a + 1], q[b + 2] - q[a + 2]);
      const second = computeHypot3(q[b] - q[c], q[b + 1] - q[c + 1], q[b + 2] - q[c + 2]);
      share = first / (first + second);
    }
    const u = ua + Math.min(1, Math.max(0, share)) * (uc - ua);
    const at = state.materialIndex(s);
    anchor[s] += u - q[at];
    q[at] = u;
  }

  /** x and ẋ of nodes whose sides are both EIL: on their first yarn. */
  placeDoubles(state: FabricState): void {
    const { q, v, before, after, count } = state;
    const [node, local, index] = [this.#node, this.#local, this.#index];
    for (let i = 0; i < count; i++) {
      if (state.role[i] === ROLE_FREE || !state.hasOnlyEil(i)) continue;
      for (let m = 0; m < 2; m++) {
        const s = m === 0 ? before[2 * i] : after[2 * i];
        for (let k = 0; k < 3; k++) index[4 * m + k] = 5 * (s >> 1) + k;
        index[4 * m + 3] = state.materialIndex(s);
      }
      index[8] = 5 * i + 3;
      for (let k = 0; k < 9; k++) local[k] = q[index[k]];
      node.set(local);
      for (let r = 0; r < 3; r++) {
        q[5 * i + r] = node.x[r];
        let speed = 0;
        for (let k = 0; k < 9; k++) speed += node.jacobian[9 * r + k] * v[index[k]];
        v[5 * i + r] = speed;
      }
    }
  }
}
