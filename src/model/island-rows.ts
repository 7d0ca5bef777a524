/** The rows of an island in the unknowns of its parts, one after another, with their bounds: flat arrays that only grow. */
import type { SparseRows } from '../sparse/index.ts';
import type { ConstraintRows } from './part.ts';

export class IslandRows implements SparseRows {
  count = 0;
  start = new Int32Array(1);
  columns = new Int32Array(0);
  values = new Float64Array(0);
  compliance = new Float64Array(0);
  target = new Float64Array(0);
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  multipliers = new Float64Array(0);
  states = new Int8Array(0);

  /** `offset`: first unknown of a part, by index of the part. */
  load(rowIndices: readonly number[], rows: ConstraintRows, offset: Int32Array): void {
    this.#reserve(rowIndices.length, rows.entries);
    this.count = rowIndices.length;
    let entries = 0;
    for (let k = 0; k < rowIndices.length; k++) {
      const row = rowIndices[k];
      this.target[k] = rows.residual[row];
      this.compliance[k] = rows.compliance[row];
      this.lower[k] = rows.lower[row];
      this.upper[k] = rows.upper[row];
      this.states[k] = rows.state[row];
      this.start[k] = entries;
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++, entries++) {
        this.columns[entries] = offset[rows.part[e]] + rows.coordinate[e];
        this.values[entries] = rows.value[e];
      }
    }
    this.start[rowIndices.length] = entries;
  }

  /** Gives the rows their multipliers and states. */
  writeBack(rowIndices: readonly number[], rows: ConstraintRows): void {
    for (let k = 0; k < rowIndices.length; k++) {
      rows.multiplier[rowIndices[k]] = this.multipliers[k];
      rows.state[rowIndices[k]] = this.states[k];
    }
  }

  #reserve(count: number, entries: number): void {
    if (this.target.length < count) {
      const room = 2 * count;
      this.start = new Int32Array(room + 1);
      this.compliance = new Float64Array(room);
      this.target = new Float64Array(room);
      this.lower = new Float64Array(room);
      this.upper = new Float64Array(room);
      this.multipliers = new Float64Array(room);
      this.states = new Int8Array(room);
    }
    if (this.columns.length < entries) {
      this.columns = new Int32Array(2 * entries);
      this.values = new Float64Array(2 * entries);
    }
  }
}
