/**
 * A model's share of the linear system, and the constraint rows that tie shares together.
 */
import type { BlockBanded } from '../sparse/index.ts';

/** Unknown velocities of one model: a chain of equal blocks (a single block for a rigid body). */
export class Part {
  readonly id: string;
  /** Symmetric positive definite, except along the coordinates in `late`. Overwritten by the solve. */
  readonly matrix: BlockBanded;
  /** Right-hand side; holds the solution Δ after the solve. */
  rhs: Float64Array;
  /**
   * Coordinates to eliminate last. Where material may slide through a node whose world position is held only by
   * constraint rows, the chain alone is singular along δx = F δu; taking x out of it makes what is left definite.
   */
  readonly late: number[] = [];
  /** Entries of the matrix outside its band: those that close a loop. One of their two coordinates must be in `late`. */
  readonly links = new Links();

  constructor(id: string, matrix: BlockBanded) {
    this.id = id;
    this.matrix = matrix;
    this.rhs = new Float64Array(matrix.capacity * matrix.size);
  }
}

/** Symmetric entries of a part's matrix that lie outside its band; each is stored once, for both triangles. */
export class Links {
  count = 0;
  row = new Int32Array(16);
  column = new Int32Array(16);
  value = new Float64Array(16);

  clear(): void {
    this.count = 0;
  }

  add(row: number, column: number, value: number): void {
    if (this.count === this.row.length) {
      this.row = grow(this.row);
      this.column = grow(this.column);
      this.value = grow(this.value);
    }
    this.row[this.count] = row;
    this.column[this.count] = column;
    this.value[this.count++] = value;
  }

  /** Sets the entries of a cancelled coordinate to zero. */
  cancel(coordinate: number): void {
    for (let k = 0; k < this.count; k++)
      if (this.row[k] === coordinate || this.column[k] === coordinate) this.value[k] = 0;
  }
}

/** Equality rows G v = target over the unknown velocities of several parts. Refilled for each solve; grows, never shrinks. */
export class ConstraintRows {
  count = 0;
  entries = 0;
  /** First entry of each row; `start[count]` is the end. */
  start = new Int32Array(17);
  part = new Int32Array(64);
  coordinate = new Int32Array(64);
  value = new Float64Array(64);
  /** Right-hand side in terms of Δ: target − G v. */
  residual = new Float64Array(16);
  /** c ≥ 0 of a soft row, G Δ + c λ = residual [1/kg for a row of unit velocity]; 0 is a strict one. */
  compliance = new Float64Array(16);
  /** λ of the last solve: impulse along the row [N s for a row of unit velocity]. */
  multiplier = new Float64Array(16);

  clear(): void {
    this.count = 0;
    this.entries = 0;
  }

  /** Begins a row whose velocity is short of its target by `residual`; returns its index. */
  addRow(residual: number, compliance = 0): number {
    if (this.count === this.residual.length) {
      this.residual = grow(this.residual);
      this.compliance = grow(this.compliance);
      this.multiplier = grow(this.multiplier);
    }
    if (this.count + 1 === this.start.length) this.start = grow(this.start);
    this.residual[this.count] = residual;
    this.compliance[this.count] = compliance;
    this.start[this.count] = this.entries;
    this.start[this.count + 1] = this.entries;
    return this.count++;
  }

  /** Adds a coefficient to the last row. */
  addEntry(part: number, coordinate: number, value: number): void {
    if (this.entries === this.part.length) {
      this.part = grow(this.part);
      this.coordinate = grow(this.coordinate);
      this.value = grow(this.value);
    }
    this.part[this.entries] = part;
    this.coordinate[this.entries] = coordinate;
    this.value[this.entries] = value;
    this.start[this.count] = ++this.entries;
  }
}

function grow<T extends Int32Array | Float64Array>(values: T): T {
  const grown = new (values.constructor as new (n: number) => T)(2 * values.length);
  grown.set(values);
  return grown;
}
