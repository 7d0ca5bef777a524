/**
 * Which yarns side by side cannot pass each other, by the rules (a) and (b) of `energy-parallel.ts`.                [Sánchez-Banderas 2020, §4.2]
 *
 * Asked of consecutive crossings of a yarn with its own fabric; contacts with other layers between them do not count (rule a). Whether a yarn bends round another
 * is seen in the cloth with its thickness: without it a woven yarn is straight. A yarn turns by the height of its centre line over its neighbours', so rule (b) reads
 * (`crimp` of state.ts, h − h_before and h − h_after over the distances):
 *     mean of the two slopes down to the neighbours > 0.25
 * and yarns that wind round each other in a stitch bend round each other whatever their heights are: two loops on one yarn cannot pass, and the two crossings of a stitch cannot meet.
 */
import { bendsAround, hasParallelContact, type MeetingYarn } from './energy-parallel.ts';
import { ROLE_CROSSING } from './net.ts';
import type { FabricState } from './state.ts';
import type { StencilList } from './stencils.ts';

class Meeting implements MeetingYarn {
  readonly isExternal = false;
  side = 0;
  bendsAround = false;
  readonly #x = new Float64Array(9);
  readonly #normal = new Float64Array(3);

  /** Takes the yarn that crosses at side `s` of the crossed yarn. */
  set(state: FabricState, s: number, isWound: boolean): void {
    const { upper, before, after, crimp } = state;
    const other = s ^ 1;
    const isUpper = upper[other >> 1] === (other & 1) + 1;
    this.side = isUpper ? 1 : -1;
    const x = this.#x;
    const [a, c] = [before[other], after[other]];
    if (isWound || a < 0 || c < 0) {
      this.bendsAround = isWound;
      return;
    }
    // in the yarn's own frame, along it and across towards the crossed yarn; how far its neighbours are does not matter
    const drop = 0.5 * crimp[other];
    x[0] = -1;
    x[1] = x[7] = drop;
    x[6] = this.#normal[1] = 1;
    this.bendsAround = bendsAround(x, this.#normal);
  }
}

/** Fills the list with pairs of consecutive crossings of each yarn whose other yarns cannot pass. `isWound`: 1 for nodes of stitches. */
export function findParallels(state: FabricState, isWound: Uint8Array, list: StencilList): void {
  const { role, yarn, sideStart, sides, yarnCount, yarnLayer, layers } = state;
  const [first, second] = [new Meeting(), new Meeting()];
  for (let y = 0; y < yarnCount; y++) {
    if (layers[yarnLayer[y]].parallelStiffness === 0) continue;
    let last = -1;
    for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
      const s = sides[k];
      if (role[s >> 1] !== ROLE_CROSSING || yarn[s ^ 1] < 0) continue;
      if (last >= 0) {
        first.set(state, last, isWound[last >> 1] === 1);
        second.set(state, s, isWound[s >> 1] === 1);
        if (hasParallelContact(first, second)) {
          const at = list.add();
          list.sides[at] = last;
          list.sides[at + 1] = s;
        }
      }
      last = s;
    }
  }
}
