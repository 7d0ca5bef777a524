/** A line of a table: each cell as wide as its column, the first `names` of them flush left, numbers flush right. */
export const padCells = (cells: readonly string[], widths: readonly number[], names: number): string =>
  cells.map((cell, k) => (k < names ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('');
