/**
 * Velocities of a rod when a node comes or goes: those of the nodes around it are fitted to the material's velocity as it was, and keep world
 * momentum exactly (`eol/transfer.ts`). u̇ stays, and so does the velocity of nodes that drivers, masses or edges have.
 */
import { type CurvePatch, CurvePatches } from '../curve/index.ts';
import { VelocityTransfer } from '../eol/index.ts';
import type { RodState } from './state.ts';

/** Nodes on either side whose velocities change. */
const REACH = 2;

export class VelocityCarry {
  readonly #transfer = new VelocityTransfer(1);
  readonly #patches = new CurvePatches();
  readonly #after = new CurvePatches();
  #before: CurvePatch | undefined;
  #from = 0;
  #to = 0;

  /** Remembers the nodes around those at first … last. */
  remember(state: RodState, first: number, last: number): void {
    this.#from = Math.max(0, first - REACH);
    this.#to = Math.min(state.count - 1, last + REACH);
    this.#before = this.#patches.read(state.chain, this.#from, this.#to);
  }

  /** Fits velocities after `added` nodes came (−1: one went). */
  fit(state: RodState, added: number): void {
    const { chain, sliding } = state;
    const before = this.#before;
    if (before === undefined) return;
    const from = this.#from;
    const to = this.#to + added;
    const after = this.#after.read(chain, from, to);
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
