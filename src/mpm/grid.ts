/**
 * A grid that exists only near particles: blocks of 4 × 4 × 4 nodes, found by a hash of their coordinates, and the particles sorted by them.
 *
 *     node i of the whole grid     x = i Δx,  i three whole numbers;  its block ⌊i/4⌋, its place in it i − 4 ⌊i/4⌋, z fastest
 *     home block of a particle     the block of the first node it reaches; with its seven neighbours towards +x, +y, +z it holds all of them
 *     slot                         number of a block in the arrays, in order of first use by the particles; homes come first
 *
 * Everything is a function of the particles' places alone, so that a run that was saved and loaded has the same sums in the same order.
 */
import { grow } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { findSplineBase, type SplineDegree } from './spline.ts';

/** Nodes along the side of a block, and in one. */
export const BLOCK_SIDE = 4;
export const BLOCK_NODES = 64;
/** The middle of a block, in cells from its first node, and how far its nodes are from there at most, beyond rounding. */
export const BLOCK_MIDDLE = 0.5 * (BLOCK_SIDE - 1);
export const BLOCK_REACH: Readonly<Float64Array> = Float64Array.from({ length: BLOCK_NODES }, (_, n) => {
  const [x, y, z] = [(n >> 4) - BLOCK_MIDDLE, ((n >> 2) & 3) - BLOCK_MIDDLE, (n & 3) - BLOCK_MIDDLE];
  return (1 + 1e-9) * Math.sqrt(x * x + y * y + z * z);
});
/** Side of the cube of nodes that the particles of a home block reach, of which 4 + 3 are used. */
export const REACH_SIDE = 8;
/** Numbers of a node: mass and momentum; force and memory; the velocity after the step. */
const NODE_NUMBERS = 4 + 4 + 4;

/** Beyond this many cells from the origin whole numbers would be lost. */
const FARTHEST = 2 ** 27;

export interface GridOptions {
  /** Δx [m] */
  readonly spacing: number;
  /** Default 2. */
  readonly degree?: SplineDegree | undefined;
  /** Most bytes that nodes may take. Default 1 GB. */
  readonly memoryLimit?: number | undefined;
}

export class BlockGrid {
  /** Δx [m] */
  readonly spacing: number;
  readonly degree: SplineDegree;
  readonly #mostBlocks: number;
  readonly #memoryLimit: number;
  /** Blocks in use, and how many of them are home to particles. */
  blockCount = 0;
  homeCount = 0;
  /** Block coordinates, 3 a slot. */
  block = new Int32Array(0);
  /** Slots of a home block and its neighbours, 8 a home: + 4 for x, + 2 for y, + 1 for z. */
  neighbours = new Int32Array(0);
  /** Particles by home: order[start[home]] … order[start[home + 1] − 1], ascending. */
  order = new Int32Array(0);
  start = new Int32Array(1);
  /** Mass, then momentum, which becomes velocity; 4 a node. */
  node = new Float64Array(0);
  /** Force, then memory weighed by mass; 4 a node. */
  force = new Float64Array(0);
  /** Velocity after the step, and a number that is not used; 4 a node. */
  moved = new Float64Array(0);
  /** Places in `node` of the nodes round a home, 8 × 8 × 8, z fastest. */
  readonly reach = new Int32Array(REACH_SIDE * REACH_SIDE * REACH_SIDE);
  #home = new Int32Array(0);
  #table = Int32Array.of(-1);

  constructor(options: GridOptions) {
    if (!(options.spacing > 0 && options.spacing < Number.POSITIVE_INFINITY)) {
      throw new HeddleError(`The grid's spacing is ${options.spacing} m; it must be finite and > 0.`);
    }
    this.spacing = options.spacing;
    this.degree = options.degree ?? 2;
    this.#memoryLimit = options.memoryLimit ?? 2 ** 30;
    this.#mostBlocks = Math.floor(this.#memoryLimit / (8 * BLOCK_NODES * NODE_NUMBERS));
  }

  /** Bytes of the arrays. */
  get byteLength(): number {
    const arrays = [this.block, this.neighbours, this.order, this.start, this.node, this.force, this.moved];
    let sum = this.#home.byteLength + this.#table.byteLength;
    for (const array of arrays) sum += array.byteLength;
    return sum;
  }

  /** Finds the blocks of `count` particles at x (3 each), sorts the particles by home, and clears all nodes. */
  sort(x: Float64Array, count: number): void {
    if (this.order.length < count) {
      this.order = new Int32Array(count);
      this.#home = new Int32Array(count);
    }
    this.#table.fill(-1);
    this.blockCount = 0;
    this.#findHomes(x, count);
    this.homeCount = this.blockCount;
    this.#findNeighbours();
    this.#orderParticles(count);
    const numbers = 4 * BLOCK_NODES * this.blockCount;
    if (this.node.length < numbers) {
      this.node = new Float64Array(4 * BLOCK_NODES * this.#room);
      this.force = new Float64Array(4 * BLOCK_NODES * this.#room);
      this.moved = new Float64Array(4 * BLOCK_NODES * this.#room);
    }
    this.node.fill(0, 0, numbers);
    this.force.fill(0, 0, numbers);
  }

  /** Fills `reach` for the particles of a home. */
  writeReach(home: number): void {
    const { neighbours, reach } = this;
    let at = 0;
    for (let i = 0; i < REACH_SIDE; i++)
      for (let j = 0; j < REACH_SIDE; j++)
        for (let k = 0; k < REACH_SIDE; k++) {
          const slot = neighbours[8 * home + 4 * (i >> 2) + 2 * (j >> 2) + (k >> 2)];
          reach[at++] = 4 * (BLOCK_NODES * slot + 16 * (i & 3) + 4 * (j & 3) + (k & 3));
        }
  }

  get #room(): number {
    return this.block.length / 3;
  }

  #findHomes(x: Float64Array, count: number): void {
    const { degree } = this;
    const scale = 1 / this.spacing;
    let lastI = 0;
    let lastJ = 0;
    let lastK = 0;
    let last = -1;
    for (let p = 0; p < count; p++) {
      const X = x[3 * p] * scale;
      const Y = x[3 * p + 1] * scale;
      const Z = x[3 * p + 2] * scale;
      if (!(Math.abs(X) < FARTHEST && Math.abs(Y) < FARTHEST && Math.abs(Z) < FARTHEST)) {
        throw new HeddleError(
          `Particle ${p} is at (${x[3 * p]}, ${x[3 * p + 1]}, ${x[3 * p + 2]}) m; it must be finite and within ${FARTHEST} cells of the origin.`,
        );
      }
      const i = findSplineBase(degree, X) >> 2;
      const j = findSplineBase(degree, Y) >> 2;
      const k = findSplineBase(degree, Z) >> 2;
      if (last < 0 || i !== lastI || j !== lastJ || k !== lastK) {
        last = this.#findBlock(i, j, k);
        lastI = i;
        lastJ = j;
        lastK = k;
      }
      this.#home[p] = last;
    }
  }

  #findNeighbours(): void {
    const homes = this.homeCount;
    if (this.neighbours.length < 8 * homes) this.neighbours = new Int32Array(8 * this.#room);
    for (let home = 0; home < homes; home++)
      for (let n = 0; n < 8; n++) {
        const i = this.block[3 * home] + (n >> 2);
        const j = this.block[3 * home + 1] + ((n >> 1) & 1);
        const k = this.block[3 * home + 2] + (n & 1);
        this.neighbours[8 * home + n] = this.#findBlock(i, j, k);
      }
  }

  /** Counting sort, stable. */
  #orderParticles(count: number): void {
    const homes = this.homeCount;
    if (this.start.length < homes + 1) this.start = new Int32Array(this.#room + 1);
    const { start, order } = this;
    start.fill(0, 0, homes + 1);
    for (let p = 0; p < count; p++) start[this.#home[p]]++;
    let sum = 0;
    for (let home = 0; home <= homes; home++) {
      sum += start[home];
      start[home] = sum;
    }
    for (let p = count - 1; p >= 0; p--) order[--start[this.#home[p]]] = p;
  }

  /** The slot of a block, −1 where it has none. */
  findSlot(i: number, j: number, k: number): number {
    return this.#table[this.#probe(i, j, k)];
  }

  /** The slot of a block; a new one where it has none. */
  #findBlock(i: number, j: number, k: number): number {
    let at = this.#probe(i, j, k);
    if (this.#table[at] >= 0) return this.#table[at];
    if (this.blockCount === this.#room) {
      this.#growTable();
      at = this.#probe(i, j, k);
    }
    const slot = this.blockCount++;
    this.#table[at] = slot;
    this.block[3 * slot] = i;
    this.block[3 * slot + 1] = j;
    this.block[3 * slot + 2] = k;
    return slot;
  }

  /** Where a block is in the table, or would be. Open addressing; the table is never more than a quarter full. */
  #probe(i: number, j: number, k: number): number {
    const { block } = this;
    const mask = this.#table.length - 1;
    let at = (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & mask;
    for (; ; at = (at + 1) & mask) {
      const slot = this.#table[at];
      if (slot < 0 || (block[3 * slot] === i && block[3 * slot + 1] === j && block[3 * slot + 2] === k)) return at;
    }
  }

  /** Twice the room, with the blocks found so far. */
  #growTable(): void {
    if (this.#room >= this.#mostBlocks) {
      throw new HeddleError(
        `The particles need more than ${this.#mostBlocks} blocks of the grid, the maximum for ${this.#memoryLimit} bytes; make the spacing of ${this.spacing} m larger or raise memoryLimit.`,
      );
    }
    this.block = grow(this.block, 3 * Math.min(this.#mostBlocks, Math.max(64, 2 * this.#room)));
    let size = 1;
    while (size < 4 * this.#room) size *= 2;
    this.#table = new Int32Array(size).fill(-1);
    for (let slot = 0; slot < this.blockCount; slot++) {
      this.#table[this.#probe(this.block[3 * slot], this.block[3 * slot + 1], this.block[3 * slot + 2])] = slot;
    }
  }
}
