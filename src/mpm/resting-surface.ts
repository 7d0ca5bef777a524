/**
 * Grid nodes inside a body that rests, block by block: found once, and kept while it stays where it is. What is found does not depend on when.
 *
 *     block b   entries from start[b] to start[b + 1], one a node: its number in the block, distance and normal (4)
 */
import type { Body } from '../bodies/index.ts';
import { grow } from '../math/index.ts';
import { BlockTable } from './block-table.ts';
import { BLOCK_MIDDLE, BLOCK_NODES, BLOCK_REACH, BLOCK_SIDE } from './grid.ts';

/** More blocks than this are forgotten and looked at anew. */
const MOST_BLOCKS = 1 << 14;

export class RestingSurface {
  start = new Int32Array(64);
  node = new Uint8Array(256);
  value = new Float64Array(4 * 256);
  readonly #body: Body;
  readonly #margin: number;
  #spacing = Number.NaN;
  /** Where the body is: position and orientation. */
  readonly #pose = new Float64Array(7);
  readonly #blocks = new BlockTable();
  readonly #place = new Float64Array(3);
  readonly #surface = new Float64Array(4);

  constructor(body: Body, margin: number) {
    this.#body = body;
    this.#margin = margin;
  }

  /** Before blocks of a grid of this spacing are asked for. */
  begin(spacing: number): void {
    const { position, orientation } = this.#body;
    const pose = this.#pose;
    let isSame = spacing === this.#spacing && this.#blocks.count <= MOST_BLOCKS;
    for (let k = 0; k < 7; k++) {
      const value = k < 3 ? position[k] : orientation[k - 3];
      if (value !== pose[k]) isSame = false;
      pose[k] = value;
    }
    if (isSame) return;
    this.#spacing = spacing;
    this.#blocks.clear();
  }

  /** The number of a block at coordinates i, j, k. */
  findBlock(i: number, j: number, k: number): number {
    const b = this.#blocks.find(i, j, k);
    return b >= 0 ? b : this.#addBlock(i, j, k);
  }

  #addBlock(i: number, j: number, k: number): number {
    const b = this.#blocks.add(i, j, k);
    if (b + 2 > this.start.length) this.start = grow(this.start, 2 * (b + 2));
    let end = this.start[b];
    const far = this.#askMiddle(i, j, k) - this.#margin;
    for (let n = 0; n < BLOCK_NODES; n++) {
      // no node is nearer than the middle less the way from there
      if (far >= BLOCK_REACH[n] * this.#spacing) continue;
      this.#setPlace(i, j, k, n >> 4, (n >> 2) & 3, n & 3);
      if (!(this.#ask() < this.#margin)) continue;
      if (end === this.node.length) {
        this.node = grow(this.node, 2 * end);
        this.value = grow(this.value, 8 * end);
      }
      this.node[end] = n;
      for (let l = 0; l < 4; l++) this.value[4 * end + l] = this.#surface[l];
      end++;
    }
    this.start[b + 1] = end;
    return b;
  }

  /** Distance of the middle of a block [m]; Infinity where it is far beyond the box round the body. */
  #askMiddle(i: number, j: number, k: number): number {
    this.#setPlace(i, j, k, BLOCK_MIDDLE, BLOCK_MIDDLE, BLOCK_MIDDLE);
    if (!this.#body.isInReach(this.#place, BLOCK_REACH[0] * this.#spacing + this.#margin))
      return Number.POSITIVE_INFINITY;
    return this.#ask();
  }

  /** Puts `#place` to a place of a block, in cells from its first node. */
  #setPlace(i: number, j: number, k: number, x: number, y: number, z: number): void {
    const place = this.#place;
    place[0] = (BLOCK_SIDE * i + x) * this.#spacing;
    place[1] = (BLOCK_SIDE * j + y) * this.#spacing;
    place[2] = (BLOCK_SIDE * k + z) * this.#spacing;
  }

  /** Distance of `#place` [m]. */
  #ask(): number {
    this.#body.writeSignedDistance(this.#place, this.#surface);
    return this.#surface[0];
  }
}
