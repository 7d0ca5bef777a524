/**
 * Distances of grid nodes to a body that deforms, kept while its surface is held: from one held pose to the next, none of whose
 * points is further than HELD cells from where it is at present (`Deformation.holdTime`). Which poses are held depends on time alone, so that a run that was loaded finds the same
 * distances. What the surface has moved since counts to the first order, d = d_held − n · u, u the way of the point that was closest in the held pose: a body that is shifted is
 * where it is. Velocities are those of the present, of the same points.
 *
 *     entry     64 b + n of node n of block b: distance and normal (4), triangle and weights (3) of the surface's closest point, once it was asked for
 */
import type { Body, Deformation } from '../bodies/index.ts';
import { grow } from '../math/index.ts';
import { BlockTable } from './block-table.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';

/** How far a surface may be from its held pose, in cells. */
const HELD = 0.25;
/** Beyond rounding. */
const FURTHEST = (1 + 1e-6) * HELD;
/** More blocks than this are forgotten and asked for anew. */
const MOST_BLOCKS = 1 << 14;

export class HeldSurface {
  /** Distance and normal of each entry in the held pose, 4 each. */
  value = new Float64Array(0);
  #hasMoved = false;
  readonly #body: Body;
  readonly #deformation: Deformation;
  readonly #margin: number;
  #time = Number.NaN;
  #spacing = Number.NaN;
  readonly #blocks = new BlockTable();
  #isNear = new Uint8Array(0);
  #isKnown = new Uint8Array(0);
  #triangle = new Int32Array(0);
  #weights = new Float64Array(0);
  readonly #place = new Float64Array(3);
  readonly #surface = new Float64Array(4);

  /** Of a body that has no track: between poses only its surface moves. */
  constructor(body: Body, deformation: Deformation, margin: number) {
    this.#body = body;
    this.#deformation = deformation;
    this.#margin = margin;
  }

  /** Puts the surface into its held pose, for a grid of this spacing; `end` puts it back. */
  begin(spacing: number): void {
    const deformation = this.#deformation;
    const time = deformation.holdTime(this.#body.time, HELD * spacing);
    if (time !== this.#time || spacing !== this.#spacing || this.#blocks.count > MOST_BLOCKS) this.#blocks.clear();
    this.#time = time;
    this.#spacing = spacing;
    deformation.moveTo(time, 0);
    this.#hasMoved = time !== this.#body.time;
    if (this.#hasMoved) deformation.setWay(time, this.#body.time);
  }

  end(): void {
    this.#deformation.moveTo(this.#body.time, this.#body.span);
  }

  /** The block at coordinates i, j, k, if a node of it may be inside the body; −1 where none is. */
  findBlock(i: number, j: number, k: number): number {
    let b = this.#blocks.find(i, j, k);
    if (b < 0) b = this.#addBlock(i, j, k);
    return this.#isNear[b] ? b : -1;
  }

  #addBlock(i: number, j: number, k: number): number {
    const b = this.#blocks.add(i, j, k);
    if (b >= this.#isNear.length) this.#reserve(Math.max(64, 2 * b));
    this.#isKnown.fill(0, BLOCK_NODES * b, BLOCK_NODES * (b + 1));
    this.#isNear[b] = this.#asksNear(i, j, k) ? 1 : 0;
    return b;
  }

  #asksNear(i: number, j: number, k: number): boolean {
    const half = 0.5 * (BLOCK_SIDE - 1);
    const place = this.#place;
    place[0] = (BLOCK_SIDE * i + half) * this.#spacing;
    place[1] = (BLOCK_SIDE * j + half) * this.#spacing;
    place[2] = (BLOCK_SIDE * k + half) * this.#spacing;
    const reach = (Math.sqrt(3) * half + HELD) * this.#spacing + this.#margin;
    if (!this.#body.isInReach(place, reach)) return false;
    this.#body.writeSignedDistance(place, this.#surface);
    return this.#surface[0] < reach;
  }

  /** The entry of node n of a block, at a place of the world; its `value` is known then. */
  ask(block: number, n: number, place: Float64Array): number {
    const entry = BLOCK_NODES * block + n;
    if (this.#isKnown[entry]) return entry;
    this.#isKnown[entry] = 1;
    this.#body.writeSignedDistance(place, this.#surface);
    this.value.set(this.#surface, 4 * entry);
    this.#triangle[entry] = this.#deformation.closestTriangle;
    const w = this.#deformation.closestWeights;
    for (let k = 0; k < 3; k++) this.#weights[3 * entry + k] = w[1 + k];
    return entry;
  }

  /** Distance of an entry's node to the surface at present [m]; that of the held pose where it is further from there than the surface has moved since. */
  computeDistance(entry: number): number {
    const { value } = this;
    const at = 4 * entry;
    if (!this.#hasMoved || value[at] > this.#margin + FURTHEST * this.#spacing) return value[at];
    const u = this.#place;
    this.#body.writeSurfaceWay(this.#triangle[entry], this.#weights, 3 * entry, u, 0);
    return value[at] - u[0] * value[at + 1] - u[1] * value[at + 2] - u[2] * value[at + 3];
  }

  /** out[o…] := velocity of the surface at an entry's closest point, after `end`. */
  writeVelocity(entry: number, out: Float64Array, o: number): void {
    this.#body.writeSurfaceVelocity(this.#triangle[entry], this.#weights, 3 * entry, out, o);
  }

  #reserve(blocks: number): void {
    this.#isNear = grow(this.#isNear, blocks);
    this.#isKnown = grow(this.#isKnown, BLOCK_NODES * blocks);
    this.value = grow(this.value, 4 * BLOCK_NODES * blocks);
    this.#triangle = grow(this.#triangle, BLOCK_NODES * blocks);
    this.#weights = grow(this.#weights, 3 * BLOCK_NODES * blocks);
  }
}
