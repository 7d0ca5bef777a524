/** Disjoint sets of the numbers below a count, joined two at a time. The leader of a set is its smallest number. */
export class DisjointSets {
  readonly #leader: Int32Array;

  constructor(count: number) {
    this.#leader = new Int32Array(count);
    this.separate();
  }

  /** Every number is a set of its own again. */
  separate(): void {
    const leader = this.#leader;
    for (let i = 0; i < leader.length; i++) leader[i] = i;
  }

  /** Leader of the set of i. */
  find(i: number): number {
    const leader = this.#leader;
    let first = i;
    while (leader[first] !== first) first = leader[first] = leader[leader[first]];
    return first;
  }

  /** Returns the leader of both. */
  join(i: number, j: number): number {
    const a = this.find(i);
    const b = this.find(j);
    const first = Math.min(a, b);
    this.#leader[Math.max(a, b)] = first;
    return first;
  }
}
