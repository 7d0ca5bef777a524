/** Rows of a grid that share nodes, directly or through others, side by side: the equations of each set are solved alone. */
import type { GridRows } from './grid-rows.ts';

export class RowSets {
  count = 0;
  /** Rows by sets, and where these begin. */
  order = new Int32Array(0);
  start = new Int32Array(1);
  /** Of nodes: the first row that reaches it. Of rows: one of the same set, and its number. */
  #owner = new Int32Array(0);
  #parent = new Int32Array(0);
  #setOf = new Int32Array(0);

  reserve(rows: number): void {
    this.order = new Int32Array(rows);
    this.start = new Int32Array(rows + 1);
    this.#parent = new Int32Array(rows);
    this.#setOf = new Int32Array(rows);
  }

  /** Sets of the first `rowCount` rows. */
  find({ first, entry, node, nodeCount }: GridRows, rowCount: number): void {
    if (this.#owner.length < nodeCount) this.#owner = new Int32Array(node.length);
    const { order, start } = this;
    const [owner, parent, setOf] = [this.#owner.fill(-1, 0, nodeCount), this.#parent, this.#setOf];
    for (let r = 0; r < rowCount; r++) parent[r] = r;
    const rootOf = (row: number): number => {
      let root = row;
      while (parent[root] !== root) root = parent[root];
      return root;
    };
    for (let r = 0; r < rowCount; r++)
      for (let at = first[r]; at < first[r + 1]; at++) {
        const n = entry[at];
        if (owner[n] < 0) owner[n] = r;
        else {
          const [a, b] = [rootOf(owner[n]), rootOf(r)];
          // the first row of a set stands for it
          parent[Math.max(a, b)] = Math.min(a, b);
        }
      }
    // a row's set is known before those that come later
    this.count = 0;
    for (let r = 0; r < rowCount; r++) {
      const root = rootOf(r);
      if (root === r) setOf[r] = this.count++;
      else setOf[r] = setOf[root];
    }
    start.fill(0, 0, this.count + 1);
    for (let r = 0; r < rowCount; r++) start[setOf[r] + 1]++;
    for (let n = 0; n < this.count; n++) start[n + 1] += start[n];
    for (let r = rowCount - 1; r >= 0; r--) order[--start[setOf[r] + 1]] = r;
    for (let n = 0; n < this.count; n++) start[n] = start[n + 1];
    start[this.count] = rowCount;
  }
}
