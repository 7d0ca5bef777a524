/**
 * Velocities of a rod when a node comes or goes: those of the nodes around it are fitted to the material's velocity as it was, and keep world
 * momentum exactly (`eol/transfer.ts`). u̇ stays, and so does the velocity of nodes that drivers, masses or edges have.
 */
import { type EolPatch, VelocityTransfer } from '../eol/index.ts';
import type { RodState } from './state.ts';

/** Nodes on either side whose velocities change. */
const REACH = 2;

interface Patch extends EolPatch {
  readonly velocity: Float64Array;
  readonly held: Uint8Array;
}

export class VelocityCarry {
  readonly #transfer = new VelocityTransfer(1);
  /** Patches before and after a change, by their number of nodes. */
  readonly #before: Patch[] = [];
  readonly #after: Patch[] = [];
  #from = 0;
  #to = 0;

  /** Remembers the nodes around those at first … last. */
  remember(state: RodState, first: number, last: number): void {
    this.#from = Math.max(0, first - REACH);
    this.#to = Math.min(state.count - 1, last + REACH);
    readPatch(this.#before, state, this.#from, this.#to);
  }

  /** Fits velocities after `added` nodes came (−1: one went). */
  fit(state: RodState, added: number): void {
    const { chain, sliding } = state;
    const before = this.#before[this.#to - this.#from + 1];
    const from = this.#from;
    const to = this.#to + added;
    const after = readPatch(this.#after, state, from, to);
    for (let i = from; i <= to; i++) {
      const isOuter = (i === from && from > 0) || (i === to && to < chain.count - 1);
      const stays = isOuter || chain.kept[i] || chain.pointMass[i] > 0 || sliding[i];
      for (let k = 0; k < 4; k++)
        after.held[4 * (i - from) + k] = stays || k === 3 || chain.cancelled[i] & (1 << k) ? 1 : 0;
    }
    this.#transfer.transfer(before, before.velocity, after, after.held, after.velocity);
    chain.v.set(after.velocity, 4 * from);
  }
}

function readPatch(patches: Patch[], { chain }: RodState, from: number, to: number): Patch {
  const count = to - from + 1;
  patches[count] ??= {
    dimension: 1,
    q: new Float64Array(4 * count),
    elements: Int32Array.from({ length: 2 * (count - 1) }, (_, k) => (k + 1) >> 1),
    density: chain.material.linearDensity,
    velocity: new Float64Array(4 * count),
    held: new Uint8Array(4 * count),
  };
  const patch = patches[count];
  patch.q.set(chain.q.subarray(4 * from, 4 * to + 4));
  patch.velocity.set(chain.v.subarray(4 * from, 4 * to + 4));
  return patch;
}
