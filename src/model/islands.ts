/**
 * Islands: the connected components of a world's parts under its constraint rows.
 */
import type { ConstraintRows, Part } from './part.ts';

/** Parts and rows that belong together, as indices. */
export interface Island {
  readonly parts: number[];
  readonly rows: number[];
}

/** Connected components of the parts under the rows, in order of their first part: deterministic. */
export function findIslands(parts: readonly Part[], rows: ConstraintRows): Island[] {
  const leader = Int32Array.from(parts, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (leader[root] !== root) root = leader[root] = leader[leader[root]];
    return root;
  };
  for (let row = 0; row < rows.count; row++)
    for (let e = rows.start[row] + 1; e < rows.start[row + 1]; e++) {
      const [a, b] = [find(rows.part[e]), find(rows.part[rows.start[row]])];
      if (a !== b) leader[Math.max(a, b)] = Math.min(a, b);
    }
  const islands = new Map<number, Island>();
  for (let p = 0; p < parts.length; p++) {
    const root = find(p);
    if (!islands.has(root)) islands.set(root, { parts: [], rows: [] });
    islands.get(root)!.parts.push(p);
  }
  for (let row = 0; row < rows.count; row++)
    if (rows.start[row + 1] > rows.start[row]) islands.get(find(rows.part[rows.start[row]]))!.rows.push(row);
  return [...islands.values()];
}

/** Finds islands, and keeps them while the rows tie the same parts: as a rule from one solve to the next. */
export class IslandFinder {
  #islands: readonly Island[] = [];
  #count = -1;
  #start = new Int32Array(0);
  #part = new Int32Array(0);

  find(parts: readonly Part[], rows: ConstraintRows): readonly Island[] {
    if (this.#isSame(rows)) return this.#islands;
    this.#count = rows.count;
    this.#start = rows.start.slice(0, rows.count + 1);
    this.#part = rows.part.slice(0, rows.entries);
    this.#islands = findIslands(parts, rows);
    return this.#islands;
  }

  #isSame(rows: ConstraintRows): boolean {
    if (rows.count !== this.#count || rows.entries !== this.#part.length) return false;
    for (let row = 0; row <= rows.count; row++) if (rows.start[row] !== this.#start[row]) return false;
    for (let e = 0; e < rows.entries; e++) if (rows.part[e] !== this.#part[e]) return false;
    return true;
  }
}
