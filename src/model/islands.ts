/**
 * Islands: the connected components of a world's parts under its constraint rows, and under what couples nets with bodies.
 */
import { DisjointSets } from './disjoint-sets.ts';
import type { ConstraintRows, Part } from './part.ts';

/** Parts and rows that belong together, as indices. */
export interface Island {
  readonly parts: number[];
  readonly rows: number[];
}

/** Pairs of parts that borders of nets couple: net and body by turns, each pair once. */
export function listBorderPairs(parts: readonly Part[], out: number[]): void {
  out.length = 0;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p];
    if (part.kind !== 'mesh' || part.border === undefined) continue;
    const { border } = part;
    const first = out.length;
    for (let e = 0; e < border.count; e++) {
      let at = first;
      while (at < out.length && out[at + 1] !== border.part[e]) at += 2;
      if (at === out.length) out.push(p, border.part[e]);
    }
  }
}

/** Connected components of the parts under the rows, in order of their first part: deterministic. */
export function findIslands(parts: readonly Part[], rows: ConstraintRows, pairs: readonly number[] = []): Island[] {
  const sets = new DisjointSets(parts.length);
  for (let row = 0; row < rows.count; row++)
    for (let e = rows.start[row] + 1; e < rows.start[row + 1]; e++) sets.join(rows.part[e], rows.part[rows.start[row]]);
  for (let k = 0; k < pairs.length; k += 2) sets.join(pairs[k], pairs[k + 1]);
  const islands = new Map<number, Island>();
  for (let p = 0; p < parts.length; p++) {
    const root = sets.find(p);
    if (!islands.has(root)) islands.set(root, { parts: [], rows: [] });
    islands.get(root)!.parts.push(p);
  }
  for (let row = 0; row < rows.count; row++)
    if (rows.start[row + 1] > rows.start[row]) islands.get(sets.find(rows.part[rows.start[row]]))!.rows.push(row);
  return [...islands.values()];
}

/** Finds islands, and keeps them while the rows tie the same parts: as a rule from one solve to the next. */
export class IslandFinder {
  #islands: readonly Island[] = [];
  #count = -1;
  #start = new Int32Array(0);
  #part = new Int32Array(0);
  #pairs: readonly number[] = [];
  readonly #now: number[] = [];

  find(parts: readonly Part[], rows: ConstraintRows): readonly Island[] {
    listBorderPairs(parts, this.#now);
    if (this.#isSame(rows)) return this.#islands;
    this.#pairs = [...this.#now];
    this.#count = rows.count;
    this.#start = rows.start.slice(0, rows.count + 1);
    this.#part = rows.part.slice(0, rows.entries);
    this.#islands = findIslands(parts, rows, this.#pairs);
    return this.#islands;
  }

  #isSame(rows: ConstraintRows): boolean {
    if (rows.count !== this.#count || rows.entries !== this.#part.length) return false;
    const [now, pairs] = [this.#now, this.#pairs];
    if (now.length !== pairs.length) return false;
    for (let k = 0; k < now.length; k++) if (now[k] !== pairs[k]) return false;
    for (let row = 0; row <= rows.count; row++) if (rows.start[row] !== this.#start[row]) return false;
    for (let e = 0; e < rows.entries; e++) if (rows.part[e] !== this.#part[e]) return false;
    return true;
  }
}
