/** Rows of guests (`guests.ts`) among those of `PointHolds`: which nodes of the grid they meet, on which side the continuum is, what they aim at, and how they go on. */
import type { NodeField } from './collide.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';
import type { GridRows } from './grid-rows.ts';
import type { Guests } from './guests.ts';

/** Share of a guest's weights that must be at nodes with mass. */
const COVERED = 0.5;
/** A guest whose continuum's mass has a slope of less than this, over mass and cell, has it all round. */
const ALL_ROUND = 0.3;

export class GuestRows {
  /** First row of guests. */
  #first = 0;
  /** Direction from a guest to the continuum, 3 each; 0 where it is all round. */
  #towards = new Float64Array(0);
  readonly #place = new Float64Array(3);

  begin(first: number, count: number): void {
    this.#first = first;
    if (this.#towards.length < 3 * count) this.#towards = new Float64Array(6 * count);
  }

  /** Nodes of the guest of row r that have mass, with weights of which the sum is 1, and where the continuum is; none where too few have. */
  add(rows: GridRows, grid: NodeField, guests: Guests, r: number): void {
    const g = r - this.#first;
    const place = this.#place;
    for (let k = 0; k < 3; k++) place[k] = guests.place[3 * g + k];
    const from = rows.entryCount;
    rows.addPlace(grid, place, 1);
    const { entry, weight, inverse, node, entryCount: to } = rows;
    let [covered, mass, x, y, z] = [0, 0, 0, 0, 0];
    for (let at = from; at < to; at++) {
      const n = entry[at];
      if (inverse[n] === 0) {
        weight[at] = 0;
        continue;
      }
      const w = weight[at];
      const m = w / inverse[n];
      const slot = Math.floor((node[n] >> 2) / BLOCK_NODES);
      const inside = (node[n] >> 2) % BLOCK_NODES;
      covered += w;
      mass += m;
      x += m * ((BLOCK_SIDE * grid.block[3 * slot] + (inside >> 4)) * grid.spacing - place[0]);
      y += m * ((BLOCK_SIDE * grid.block[3 * slot + 1] + ((inside >> 2) & 3)) * grid.spacing - place[1]);
      z += m * ((BLOCK_SIDE * grid.block[3 * slot + 2] + (inside & 3)) * grid.spacing - place[2]);
    }
    if (covered < COVERED) {
      rows.entryCount = from;
      return;
    }
    for (let at = from; at < to; at++) weight[at] /= covered;
    // Σ w m r is the slope of the mass times Σ w r²
    const length = Math.sqrt(x * x + y * y + z * z);
    const isRound = length < 0.25 * ALL_ROUND * mass * grid.spacing;
    this.#towards[3 * g] = isRound ? 0 : x / length;
    this.#towards[3 * g + 1] = isRound ? 0 : y / length;
    this.#towards[3 * g + 2] = isRound ? 0 : z / length;
  }

  /** V + h F/m of the guest of row r into velocity[3r…]; false where it parts from the continuum. */
  aim(
    rows: GridRows,
    guests: Guests,
    r: number,
    v: Float64Array | Float32Array,
    h: number,
    out: Float64Array,
  ): boolean {
    const g = r - this.#first;
    if (rows.first[r] === rows.first[r + 1]) return false;
    let speed = 0;
    for (let k = 0; k < 3; k++) {
      const V = guests.velocity[3 * g + k] + (h * guests.force[3 * g + k]) / guests.mass[g];
      out[3 * r + k] = V;
      speed += (rows.computeSpeed(r, k, v) - V) * this.#towards[3 * g + k];
    }
    return speed <= 0;
  }

  /** Direction from the guest of row r to the continuum; false where row r is no guest, or has it all round. */
  readonly findNormal = (r: number, out: Float64Array): boolean => {
    const at = 3 * (r - this.#first);
    if (at < 0) return false;
    for (let k = 0; k < 3; k++) out[k] = this.#towards[at + k];
    return out[0] !== 0 || out[1] !== 0 || out[2] !== 0;
  };

  /** 1/m of the guest of row r. */
  softnessOf(guests: Guests, r: number): number {
    return 1 / guests.mass[r - this.#first];
  }

  /** Guests go on with what they kept of the impulses λ; where a row has no diagonal they are free. */
  move(guests: Guests, lambda: Float64Array, diagonal: Float64Array, h: number): void {
    const { velocity, place, force, mass, impulse } = guests;
    for (let g = 0; g < guests.count; g++) {
      const r = this.#first + g;
      const isFree = diagonal[3 * r] === 0;
      for (let k = 0; k < 3; k++) {
        const at = 3 * g + k;
        if (!isFree) velocity[at] += (h * force[at] - lambda[3 * r + k]) / mass[g];
        place[at] += h * velocity[at];
        impulse[at] += lambda[3 * r + k];
      }
    }
  }
}
