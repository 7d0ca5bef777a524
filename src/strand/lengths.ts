/**
 * Puts nodes in a row back to given distances from each other, moving them as little as possible.
 *     C_e = ‖x_{e+1} − x_e‖ − l_e = 0,    J Jᵀ λ = C,    x ← x − Jᵀ λ        (Newton, least norm; J Jᵀ is tridiagonal)
 *   l_e  distance asked for [m]     t_e  direction of segment e     C_e  what it is too long [m]
 * A row that is straight between two nodes which may not move is a singular place of C: more length than the chord needs a
 * bulge, to which only the second order leads. The first nodes to move are therefore shifted towards the bulge that was
 * there before, and no move is longer than a quarter of a segment; from then on the rounds halve the error, then square it.
 */

/** Lengths count as restored to this share of their own, in at most so many rounds. */
const TOLERANCE = 1e-11;
const MOST_ROUNDS = 60;
/** Longest move in a round, relative to the shortest length asked for. */
const LONGEST_MOVE = 0.25;
/** Pivots of J Jᵀ, whose diagonal is 1 or 2, count as no smaller than this. */
const SMALLEST_PIVOT = 1e-12;

/** A few nodes in a row whose distances are to be restored; `target` and `movable` are filled in by the caller. */
export class NodeRow {
  /** Distance asked for, by segment [m]. */
  readonly target: Float64Array;
  /** 1 where a node may move. */
  readonly movable: Uint8Array;
  /** Where the row bulged before: added to the places of two nodes before the first round [m]. */
  readonly bulge = new Float64Array(3);
  readonly #direction: Float64Array;
  readonly #excess: Float64Array;
  readonly #pivot: Float64Array;
  readonly #move: Float64Array;

  /** Room for so many nodes. */
  constructor(nodes: number) {
    this.target = new Float64Array(nodes);
    this.movable = new Uint8Array(nodes);
    this.#direction = new Float64Array(3 * nodes);
    this.#excess = new Float64Array(nodes);
    this.#pivot = new Float64Array(nodes);
    this.#move = new Float64Array(3 * nodes);
  }

  /**
   * Moves `nodes` nodes of q (four coordinates each) from node `from` on; the bulge was between nodes `gap` and `gap + 1` of
   * the row. A row whose lengths are right is left alone to the bit.
   */
  restore(q: Float64Array, from: number, nodes: number, gap: number): void {
    if (this.#measure(q, from, nodes)) return;
    for (let i = gap; i <= gap + 1; i++)
      for (let k = 0; k < 3; k++) if (this.movable[i]) q[4 * (from + i) + k] += this.bulge[k];
    for (let round = 0; round < MOST_ROUNDS && !this.#measure(q, from, nodes); round++) {
      this.#solve(nodes - 1);
      this.#moveNodes(q, from, nodes);
    }
  }

  /** Directions and excess lengths of the segments; whether all are short enough. */
  #measure(q: Float64Array, from: number, nodes: number): boolean {
    let isRight = true;
    for (let e = 0; e + 1 < nodes; e++) {
      const at = 4 * (from + e);
      const [x, y, z] = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]];
      const length = Math.sqrt(x * x + y * y + z * z);
      this.#direction[3 * e] = x / length;
      this.#direction[3 * e + 1] = y / length;
      this.#direction[3 * e + 2] = z / length;
      const canChange = this.movable[e] + this.movable[e + 1] > 0;
      this.#excess[e] = canChange ? length - this.target[e] : 0;
      if (Math.abs(this.#excess[e]) > TOLERANCE * this.target[e]) isRight = false;
    }
    return isRight;
  }

  /** Overwrites the excess lengths C with λ by elimination from the first segment to the last and back. */
  #solve(segments: number): void {
    const [C, pivot] = [this.#excess, this.#pivot];
    for (let e = 0; e < segments; e++) {
      pivot[e] = Math.max(1, this.movable[e] + this.movable[e + 1]);
      if (e === 0) continue;
      const off = this.#couple(e - 1);
      C[e] -= (off * C[e - 1]) / pivot[e - 1];
      pivot[e] = Math.max(SMALLEST_PIVOT, pivot[e] - (off * off) / pivot[e - 1]);
    }
    C[segments - 1] /= pivot[segments - 1];
    for (let e = segments - 2; e >= 0; e--) C[e] = (C[e] - this.#couple(e) * C[e + 1]) / pivot[e];
  }

  /** Entry (e, e + 1) of J Jᵀ. */
  #couple(e: number): number {
    const t = this.#direction;
    const d = 3 * e;
    return this.movable[e + 1] ? -(t[d] * t[d + 3] + t[d + 1] * t[d + 4] + t[d + 2] * t[d + 5]) : 0;
  }

  #moveNodes(q: Float64Array, from: number, nodes: number): void {
    const [t, lambda, move] = [this.#direction, this.#excess, this.#move];
    let longest = 0;
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < nodes; i++) {
      if (i + 1 < nodes) shortest = Math.min(shortest, this.target[i]);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const before = i > 0 ? t[3 * i - 3 + k] * lambda[i - 1] : 0;
        const after = i + 1 < nodes ? t[3 * i + k] * lambda[i] : 0;
        move[3 * i + k] = this.movable[i] ? after - before : 0;
        square += move[3 * i + k] ** 2;
      }
      longest = Math.max(longest, Math.sqrt(square));
    }
    const share = Math.min(1, (LONGEST_MOVE * shortest) / longest);
    for (let i = 0; i < nodes; i++) for (let k = 0; k < 3; k++) q[4 * (from + i) + k] += share * move[3 * i + k];
  }
}
