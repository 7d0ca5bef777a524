/**
 * Which particles of a cloud can be seen from outside it: all but those deep inside. Space is cut into cells of two distances between
 * particles, which hold eight where the cloud is dense. What stands in a cell with cells of at least FULL particles all round it is
 * hidden by them, whatever side it is looked at from.
 */

/** Side of a cell, in radii of a ball of a particle's volume: two distances between particles, (4π/3)^⅓ = 1.612 radii each. */
const CELL = 3.224;
/** Particles that fill a cell. */
const FULL = 4;
/** Most cells of a grid; of a cloud that is scattered over more all particles count as seen. */
const MOST_CELLS = 8_000_000;

export class PointsHull {
  #cells = new Uint8Array(0);
  #spare = new Uint8Array(0);
  /** The cell of each particle. */
  #places = new Int32Array(0);
  #list = new Uint32Array(0);

  /** Indices of those particles at `x`, 3 numbers each, with balls of that radius, that can be seen; valid until the next call. */
  list(x: Float64Array, radius: number): Uint32Array {
    const count = x.length / 3;
    if (this.#list.length < count) {
      this.#list = new Uint32Array(count);
      this.#places = new Int32Array(count);
    }
    const list = this.#list;
    const cells = this.#fillCells(x, CELL * radius);
    let seen = 0;
    for (let i = 0; i < count; i++) if (cells === undefined || cells[this.#places[i]] < FULL) list[seen++] = i;
    return list.subarray(0, seen);
  }

  /** Fewest particles, up to FULL, in each cell and those round it; undefined where there are too many cells. */
  #fillCells(x: Float64Array, side: number): Uint8Array | undefined {
    const [low, high] = computeBox(x);
    // an empty cell all round
    const [nx, ny, nz] = low.map((value, k) => Math.floor((high[k] - value) / side) + 3);
    const total = nx * ny * nz;
    if (!(total <= MOST_CELLS)) return undefined;
    if (this.#cells.length < total) {
      this.#cells = new Uint8Array(total);
      this.#spare = new Uint8Array(total);
    }
    const [cells, spare, places] = [this.#cells.fill(0, 0, total), this.#spare, this.#places];
    const scale = 1 / side;
    const [ox, oy, oz] = low;
    for (let i = 0; i < x.length / 3; i++) {
      const a = 1 + Math.floor((x[3 * i] - ox) * scale);
      const b = 1 + Math.floor((x[3 * i + 1] - oy) * scale);
      const c = 1 + Math.floor((x[3 * i + 2] - oz) * scale);
      const place = (c * ny + b) * nx + a;
      places[i] = place;
      if (cells[place] < FULL) cells[place]++;
    }
    writeFewest(cells, spare, total, 1);
    writeFewest(spare, cells, total, nx);
    writeFewest(cells, spare, total, nx * ny);
    return spare;
  }
}

/** Smallest and largest coordinates. */
function computeBox(x: Float64Array): [number[], number[]] {
  const [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => [value, value, value]);
  for (let k = 0; k < 3; k++)
    for (let i = k; i < x.length; i += 3) {
      low[k] = Math.min(low[k], x[i]);
      high[k] = Math.max(high[k], x[i]);
    }
  return [low, high];
}

/** Writes the smallest of each cell and those `step` before and after it; the first and last ones are empty. */
function writeFewest(from: Uint8Array, to: Uint8Array, total: number, step: number): void {
  to.fill(0, 0, step);
  to.fill(0, total - step, total);
  for (let i = step; i < total - step; i++) to[i] = Math.min(from[i - step], from[i], from[i + step]);
}
