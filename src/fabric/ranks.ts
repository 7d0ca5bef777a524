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
  /** By side, the way its yarn is run: the EoL side after an EoL one, and what comes between, or after an EIL one; −1 where there is none. */
  readonly #next: Int32Array;
  readonly #between: Int32Array;
  /** How many ways to a node are still to come: of the first kind, and all. */
  readonly #waits: Int32Array;
  readonly #waitsForAny: Int32Array;
  /** Nodes in the order in which they are ranked; such as wait for EIL sides alone; when each was ranked, from 1 on. */
  readonly #order: Int32Array;
  readonly #late: Int32Array;
  readonly #turn: Int32Array;
  readonly #back: Int32Array;
  readonly #rank: Int32Array;

  /** Sides of the state are assigned. */
  constructor(state: FabricState) {
    const { capacity } = state;
    this.#isBackward = findBackward(state);
    this.#next = new Int32Array(2 * capacity);
    this.#between = new Int32Array(2 * capacity);
    this.#waits = new Int32Array(capacity);
    this.#waitsForAny = new Int32Array(capacity);
    this.#order = new Int32Array(capacity);
    this.#late = new Int32Array(capacity);
    this.#turn = new Int32Array(capacity);
    this.#back = new Int32Array(capacity);
    this.#rank = new Int32Array(capacity);
  }

  /**
   * Ranks of the nodes as they are assigned now, the same array each time; undefined where yarns run in a ring. EIL sides have their place between the EoL ones as far as they
   * do not contradict each other, but for nodes that the solver eliminates first.
   */
  write(state: FabricState, isFirst: Uint8Array): Int32Array | undefined {
    this.#link(state, isFirst);
    const count = this.#sort(state);
    if (count < 0) return undefined;
    const [order, turn] = [this.#order, this.#turn];
    const [rank, back] = [this.#rank.fill(0), this.#back.fill(0)];
    for (let k = 0; k < count; k++)
      for (let way = 0; way < 4; way++) {
        const to = this.#follow(order[k], way);
        if (to >= 0 && turn[to] > k) rank[to] = Math.max(rank[to], rank[order[k]] + 1);
      }
    for (let k = count - 1; k >= 0; k--) {
      const i = order[k];
      for (let way = 0; way < 4; way++) {
        const to = this.#follow(i, way);
        if (to >= 0 && turn[to] > k) back[i] = Math.max(back[i], back[to] + 1);
      }
      rank[i] -= back[i];
    }
    return rank;
  }

  /** Node to which one of the ways from node i leads: 0 and 1 along EoL sides of its yarns, 2 and 3 to and from EIL ones; −1 where there is none. */
  #follow(i: number, way: number): number {
    const to = (way < 2 ? this.#next : this.#between)[2 * i + (way & 1)];
    return to < 0 ? -1 : to >> 1;
  }

  /** Orders all nodes, each after those that lead to it, but where only EIL sides say so and they contradict; returns how many there are, −1 where that cannot be. */
  #sort({ role, count }: FabricState): number {
    const [waits, any, turn] = [this.#waits.fill(0), this.#waitsForAny.fill(0), this.#turn.fill(0)];
    const [order, late] = [this.#order, this.#late];
    for (let i = 0; i < count; i++)
      for (let way = 0; way < 4; way++) {
        const to = this.#follow(i, way);
        if (to < 0) continue;
        any[to]++;
        if (way < 2) waits[to]++;
      }
    let [end, lateEnd, lateHead, nodes] = [0, 0, 0, 0];
    const take = (i: number): void => {
      order[end] = i;
      turn[i] = ++end;
    };
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      nodes++;
      if (any[i] === 0) take(i);
      else if (waits[i] === 0) late[lateEnd++] = i;
    }
    for (let head = 0; ; head++) {
      for (; head === end && lateHead < lateEnd; lateHead++) if (turn[late[lateHead]] === 0) take(late[lateHead]);
      if (head === end) return end < nodes ? -1 : end;
      for (let way = 0; way < 4; way++) {
        const to = this.#follow(order[head], way);
        if (to < 0) continue;
        any[to]--;
        if (way < 2) waits[to]--;
        if (turn[to] > 0) continue;
        if (any[to] === 0) take(to);
        else if (way < 2 && waits[to] === 0) late[lateEnd++] = to;
      }
    }
  }

  #link({ sides, sideStart, yarnCount, before, after, eil }: FabricState, isFirst: Uint8Array): void {
    const [next, between] = [this.#next.fill(-1), this.#between.fill(-1)];
    for (let y = 0; y < yarnCount; y++) {
      const isBackward = this.#isBackward[y] === 1;
      let last = -1;
      for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
        const s = sides[k];
        if (!eil[s]) next[s] = isBackward ? before[s] : after[s];
        if (isFirst[s >> 1]) continue;
        if (last >= 0 && (eil[s] || eil[last])) between[isBackward ? s : last] = isBackward ? last : s;
        last = s;
      }
    }
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
