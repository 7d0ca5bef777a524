/**
 * Puts nodes in a row back to given distances from each other, moving them as little as possible.
 *     C_e = ‖x_{e+1} − x_e‖ − l_e = 0,    J Jᵀ λ = C,    x ← x − Jᵀ λ        (Newton, least norm; J Jᵀ is tridiagonal)
 *   l_e  distance asked for [m]     t_e  direction of segment e     C_e  what it is too long [m]
 * A node on a face moves within it: P t in the place of t, P the projection onto what is free.
 * A row that is straight between two nodes which may not move is a singular place of C: more length than the chord needs a
 * bulge, to which only the second order leads. The first nodes to move are therefore shifted towards the bulge that was
 * there before, and no move is longer than a quarter of a segment; from then on the rounds halve the error, then square it.
 */

/** Lengths count as restored to this share of their own, in at most so many rounds. */
const TOLERANCE = 1e-11;
const MOST_ROUNDS = 60;
/** An error of this share is put up with after that. */
const SLACK = 1e-3;
/** A direction nearer than this to the span of those before it holds nothing more. */
const DEPENDENT = 1e-6;
/** Share of its direction along which the nodes of a segment must be able to move, for its length to be changed. */
const SMALLEST_GIVE = 1e-3;
/** Longest move in a round, relative to the shortest length asked for. */
const LONGEST_MOVE = 0.25;
/** Pivots of J Jᵀ, whose diagonal is 1 or 2, count as no smaller than this. */
const SMALLEST_PIVOT = 1e-12;

/** A few nodes in a row whose distances are to be restored; `target` is filled in by the caller. */
export class NodeRow {
  /** Distance asked for, by segment [m]. */
  readonly target: Float64Array;
  /** 1 where a node may move. */
  readonly movable: Uint8Array;
  /** Where the row bulged before: added to the places of two nodes before the first round [m]. */
  readonly bulge = new Float64Array(3);
  /** Orthonormal directions along which a node is held, 9 a node, and how many. */
  readonly #held: Float64Array;
  readonly #rank: Uint8Array;
  #last = 0;
  readonly #direction: Float64Array;
  readonly #excess: Float64Array;
  readonly #pivot: Float64Array;
  readonly #move: Float64Array;

  /** Room for so many nodes. */
  constructor(nodes: number) {
    this.target = new Float64Array(nodes);
    this.movable = new Uint8Array(nodes);
    this.#held = new Float64Array(9 * nodes);
    this.#rank = new Uint8Array(nodes);
    this.#direction = new Float64Array(3 * nodes);
    this.#excess = new Float64Array(nodes);
    this.#pivot = new Float64Array(nodes);
    this.#move = new Float64Array(3 * nodes);
  }

  /** Lets node i move in all directions, or in none. */
  setMovable(i: number, isMovable: boolean): void {
    this.movable[i] = isMovable ? 1 : 0;
    this.#rank[i] = 0;
    this.#last = i;
  }

  /** Takes node i as the one set last. */
  select(i: number): void {
    this.#last = i;
  }

  /** Keeps the node set last from moving along a unit vector. */
  readonly hold = (x: number, y: number, z: number): void => {
    const i = this.#last;
    const r = this.#rank[i];
    if (r === 3 || !this.movable[i]) return;
    const [held, at] = [this.#held, 9 * i + 3 * r];
    held[at] = x;
    held[at + 1] = y;
    held[at + 2] = z;
    for (let o = 9 * i; o < at; o += 3) {
      const share = x * held[o] + y * held[o + 1] + z * held[o + 2];
      for (let k = 0; k < 3; k++) held[at + k] -= share * held[o + k];
    }
    const length = Math.sqrt(held[at] ** 2 + held[at + 1] ** 2 + held[at + 2] ** 2);
    if (length < DEPENDENT) return;
    for (let k = 0; k < 3; k++) held[at + k] /= length;
    this.#rank[i] = r + 1;
    if (r === 2) this.movable[i] = 0;
  };

  /** t_d · P t_e of node i: what is left of the product of two segments' directions where it may move. */
  #dot(i: number, d: number, e: number): number {
    if (!this.movable[i]) return 0;
    const [t, held] = [this.#direction, this.#held];
    const [a, b] = [3 * d, 3 * e];
    let product = t[a] * t[b] + t[a + 1] * t[b + 1] + t[a + 2] * t[b + 2];
    for (let o = 9 * i; o < 9 * i + 3 * this.#rank[i]; o += 3)
      product -=
        (t[a] * held[o] + t[a + 1] * held[o + 1] + t[a + 2] * held[o + 2]) *
        (t[b] * held[o] + t[b + 1] * held[o + 1] + t[b + 2] * held[o + 2]);
    return product;
  }

  /**
   * Moves `nodes` nodes of q (four coordinates each) from node `from` on; the bulge was between nodes `gap` and `gap + 1` of
   * the row. A row whose lengths are right is left alone to the bit. False when it does not come to the lengths.
   */
  restore(q: Float64Array, from: number, nodes: number, gap: number): boolean {
    if (this.#measure(q, from, nodes, TOLERANCE)) return this.#isRight(q, from, gap);
    for (let i = gap; i <= gap + 1; i++) if (this.movable[i]) this.#addMove(q, 4 * (from + i), i, this.bulge, 0, 1);
    for (let round = 0; round < MOST_ROUNDS && !this.#measure(q, from, nodes, TOLERANCE); round++) {
      this.#solve(nodes - 1);
      this.#moveNodes(q, from, nodes);
    }
    return this.#measure(q, from, nodes, SLACK) && this.#isRight(q, from, gap);
  }

  /** Whether segment e, which may be one that cannot change, has its length. */
  #isRight(q: Float64Array, from: number, e: number): boolean {
    const at = 4 * (from + e);
    const length = Math.sqrt((q[at + 4] - q[at]) ** 2 + (q[at + 5] - q[at + 1]) ** 2 + (q[at + 6] - q[at + 2]) ** 2);
    return Math.abs(length - this.target[e]) <= SLACK * this.target[e];
  }

  /** Adds `share` times the part of move[m…] along which node i may move to q[at…]. */
  #addMove(q: Float64Array, at: number, i: number, move: Float64Array, m: number, share: number): void {
    const held = this.#held;
    for (let k = 0; k < 3; k++) q[at + k] += share * move[m + k];
    for (let o = 9 * i; o < 9 * i + 3 * this.#rank[i]; o += 3) {
      const along = share * (move[m] * held[o] + move[m + 1] * held[o + 1] + move[m + 2] * held[o + 2]);
      for (let k = 0; k < 3; k++) q[at + k] -= along * held[o + k];
    }
  }

  /** Directions and excess lengths of the segments; whether all are short enough. */
  #measure(q: Float64Array, from: number, nodes: number, tolerance: number): boolean {
    let isRight = true;
    for (let e = 0; e + 1 < nodes; e++) {
      const at = 4 * (from + e);
      const [x, y, z] = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]];
      const length = Math.sqrt(x * x + y * y + z * z);
      this.#direction[3 * e] = x / length;
      this.#direction[3 * e + 1] = y / length;
      this.#direction[3 * e + 2] = z / length;
      const canChange = this.#dot(e, e, e) + this.#dot(e + 1, e, e) > SMALLEST_GIVE;
      this.#excess[e] = canChange ? length - this.target[e] : 0;
      if (Math.abs(this.#excess[e]) > tolerance * this.target[e]) isRight = false;
    }
    return isRight;
  }

  /** Overwrites the excess lengths C with λ by elimination from the first segment to the last and back. */
  #solve(segments: number): void {
    const [C, pivot] = [this.#excess, this.#pivot];
    for (let e = 0; e < segments; e++) {
      const give = this.#dot(e, e, e) + this.#dot(e + 1, e, e);
      pivot[e] = give > SMALLEST_GIVE ? give : 1;
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
    return -this.#dot(e + 1, e, e + 1);
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
    for (let i = 0; i < nodes; i++) this.#addMove(q, 4 * (from + i), i, move, 3 * i, share);
  }
}
