/**
 * Ranks of nodes that rise along every yarn, for the solver (`sparse/net-order.ts`): nodes are eliminated from both ends of each yarn on, so that its stiffness along finds
 * a place in an incomplete factor.
 *
 *     front   most segments on a way to the node, all yarns run one way      back   most segments on a way from it      rank = front − back
 *
 * The ranks of a plain weave are its diagonals. Which way a yarn is run is said once, by where it leads at the start: all yarns of flat layers, however they are turned, lead to one side
 * of a line. Where yarns still run in a ring there are no ranks; a knit of one yarn has them, for every course hangs in those before it.
 */
import { type FabricState, ROLE_FREE } from './state.ts';

/** Directions to which yarns may lead; that to which the most square of them leads most is taken. */
const DIRECTIONS = [
  [0.74, 0.55, 0.39],
  [0.74, 0.55, -0.39],
  [0.74, -0.55, 0.39],
  [0.74, -0.55, -0.39],
  [0.39, 0.74, 0.55],
  [0.55, 0.39, 0.74],
] as const;

export class YarnRanks {
  /** 1 for yarns that are run against their material coordinate. */
  readonly #isBackward: Uint8Array;
  /** Nodes in an order in which each comes after all that lead to it; how many that are; ways to each. */
  readonly #order: Int32Array;
  readonly #waits: Int32Array;
  readonly #back: Int32Array;
  readonly #rank: Int32Array;

  /** Sides of the state are assigned. */
  constructor(state: FabricState) {
    this.#isBackward = findBackward(state);
    this.#order = new Int32Array(state.capacity);
    this.#waits = new Int32Array(state.capacity);
    this.#back = new Int32Array(state.capacity);
    this.#rank = new Int32Array(state.capacity);
  }

  /** Ranks of the nodes as they are assigned now, the same array each time; undefined where yarns run in a ring. */
  write(state: FabricState): Int32Array | undefined {
    const [order, waits, back, rank] = [this.#order, this.#waits.fill(0), this.#back.fill(0), this.#rank.fill(0)];
    const { count, role } = state;
    let nodes = 0;
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      nodes++;
      for (let k = 0; k < 2; k++) {
        const next = this.#next(state, 2 * i + k);
        if (next >= 0) waits[next]++;
      }
    }
    let end = 0;
    for (let i = 0; i < count; i++) if (role[i] !== ROLE_FREE && waits[i] === 0) order[end++] = i;
    for (let head = 0; head < end; head++)
      for (let k = 0; k < 2; k++) {
        const next = this.#next(state, 2 * order[head] + k);
        if (next < 0) continue;
        rank[next] = Math.max(rank[next], rank[order[head]] + 1);
        if (--waits[next] === 0) order[end++] = next;
      }
    if (end < nodes) return undefined;
    for (let head = end - 1; head >= 0; head--) {
      const i = order[head];
      for (let k = 0; k < 2; k++) {
        const next = this.#next(state, 2 * i + k);
        if (next >= 0) back[i] = Math.max(back[i], back[next] + 1);
      }
      rank[i] -= back[i];
    }
    return rank;
  }

  /** Node after that of an EoL side, the way its yarn is run; −1 where there is none. */
  #next({ yarn, eil, before, after }: FabricState, s: number): number {
    if (yarn[s] < 0 || eil[s]) return -1;
    const next = this.#isBackward[yarn[s]] ? before[s] : after[s];
    return next < 0 ? -1 : next >> 1;
  }
}

function findBackward({ q, eol, eolStart, yarnCount }: FabricState): Uint8Array {
  const isBackward = new Uint8Array(yarnCount);
  const lead = new Float64Array(yarnCount);
  let most = -1;
  for (const direction of DIRECTIONS) {
    let least = Number.POSITIVE_INFINITY;
    for (let y = 0; y < yarnCount; y++) {
      lead[y] = 0;
      if (eolStart[y + 1] - eolStart[y] < 2) continue;
      const a = 5 * (eol[eolStart[y]] >> 1);
      const b = 5 * (eol[eolStart[y + 1] - 1] >> 1);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        lead[y] += direction[k] * (q[b + k] - q[a + k]);
        square += (q[b + k] - q[a + k]) ** 2;
      }
      if (square > 0) least = Math.min(least, lead[y] ** 2 / square);
    }
    if (!(least > most)) continue;
    most = least;
    for (let y = 0; y < yarnCount; y++) isBackward[y] = lead[y] < 0 ? 1 : 0;
  }
  return isBackward;
}
