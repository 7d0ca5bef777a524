/**
 * The sparse columns B that border one or several chains: constraint Jacobians, transposed, or couplings to bodies.
 * Compressed columns: the entries of column j are starts[j] … starts[j + 1] − 1 of `rows` and `values`. Buffers only grow, so
 * filling them again with as many entries allocates nothing. A row may occur twice in a column: its values add.
 */
export class BorderColumns {
  #count = 0;
  #starts = new Int32Array(9);
  #rows = new Int32Array(64);
  #values = new Float64Array(64);

  get count(): number {
    return this.#count;
  }

  /** Number of entries of all columns. */
  get entries(): number {
    return this.#starts[this.#count];
  }

  get starts(): Int32Array {
    return this.#starts;
  }

  get rows(): Int32Array {
    return this.#rows;
  }

  get values(): Float64Array {
    return this.#values;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Opens the next column, empty, and returns its index. */
  beginColumn(): number {
    if (this.#count + 2 > this.#starts.length) {
      const grown = new Int32Array(2 * this.#starts.length);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#count + 1] = this.#starts[this.#count];
    return this.#count++;
  }

  /** Adds an entry to the open column; `row` counts the unknowns of all chains one after another. */
  addEntry(row: number, value: number): void {
    if (this.#count === 0) throw new RangeError('BorderColumns: there is no column to add to; call beginColumn first.');
    const at = this.#starts[this.#count]++;
    if (at === this.#rows.length) {
      const rows = new Int32Array(2 * at);
      const values = new Float64Array(2 * at);
      rows.set(this.#rows);
      values.set(this.#values);
      this.#rows = rows;
      this.#values = values;
    }
    this.#rows[at] = row;
    this.#values[at] = value;
  }

  /** x ← x + factor B y */
  addProduct(factor: number, y: Float64Array, x: Float64Array): void {
    for (let j = 0; j < this.#count; j++) {
      const scaled = factor * y[j];
      for (let e = this.#starts[j]; e < this.#starts[j + 1]; e++) x[this.#rows[e]] += scaled * this.#values[e];
    }
  }

  /** y ← y + factor Bᵀ x */
  addTransposedProduct(factor: number, x: Float64Array, y: Float64Array): void {
    for (let j = 0; j < this.#count; j++) {
      let sum = 0;
      for (let e = this.#starts[j]; e < this.#starts[j + 1]; e++) sum += this.#values[e] * x[this.#rows[e]];
      y[j] += factor * sum;
    }
  }
}
