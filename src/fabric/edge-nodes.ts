/** What is stored of nodes of yarns on edges of bodies (`body-edges.ts`), and where such an edge is. */
import { computeHypot3 } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import { FrictionStore } from './friction-store.ts';
import type { FabricObstacle } from './obstacle.ts';

/** What is stored of each node on an edge, by node. */
export class EdgeNodes {
  /** Indices of the body and of its edge; −1 for nodes that are on none. */
  readonly body: Int32Array;
  readonly edge: Int32Array;
  /** Steps since the edge pushed. */
  readonly loose: Uint8Array;
  /** Model of friction in the last system, 2 each: `noteFriction`. */
  readonly assumed: Float64Array;
  /** N of the last step [N]. */
  readonly load: Float64Array;
  /** From the edge to the line that a node is held to, 3 each, in the body's frame [m]. */
  readonly gap: Float64Array;
  readonly friction = new FrictionStore();
  readonly #room: number;

  constructor(room: number) {
    this.body = new Int32Array(room).fill(-1);
    this.edge = new Int32Array(room);
    this.loose = new Uint8Array(room);
    this.assumed = new Float64Array(2 * room);
    this.load = new Float64Array(room);
    this.gap = new Float64Array(3 * room);
    this.friction.reserve(room);
    this.#room = room;
  }

  set(i: number, body: number, edge: number): void {
    this.body[i] = body;
    this.edge[i] = edge;
    this.loose[i] = this.load[i] = 0;
    this.friction.clear(i);
  }

  copy(other: EdgeNodes): void {
    this.body.set(other.body);
    this.edge.set(other.edge);
    this.loose.set(other.loose);
    this.load.set(other.load);
    this.gap.set(other.gap);
    this.friction.copy(other.friction, this.#room);
  }

  writeState(writer: StateWriter): void {
    for (const array of [this.body, this.edge, this.loose, this.load, this.gap]) writer.array(array);
    this.friction.writeState(writer, this.#room);
  }

  readState(reader: StateReader): void {
    for (const array of [this.body, this.edge, this.loose, this.load, this.gap]) reader.array(array);
    this.friction.readState(reader);
  }
}

/** Where the foot of p is along an edge: 0 … 1 on it. */
export function computeAlong(start: Float64Array, end: Float64Array, edge: number, p: Float64Array): number {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = end[3 * edge + k] - start[3 * edge + k];
    along += d * (p[k] - start[3 * edge + k]);
    square += d * d;
  }
  return along / square;
}

/** out := unit vector along an edge, in the world. */
export function writeEdgeDirection(
  start: Float64Array,
  end: Float64Array,
  edge: number,
  now: FabricObstacle['now'],
  out: Float64Array,
): void {
  const d = [0, 0, 0];
  for (let k = 0; k < 3; k++) d[k] = end[3 * edge + k] - start[3 * edge + k];
  const length = computeHypot3(d[0], d[1], d[2]);
  const { R } = now;
  for (let k = 0; k < 3; k++) out[k] = (R[3 * k] * d[0] + R[3 * k + 1] * d[1] + R[3 * k + 2] * d[2]) / length;
}

/** out := (nA + nB)/‖…‖ of an edge, in the world. */
export function writeEdgeOut(
  { facets, now }: FabricObstacle,
  edge: number,
  scratch: Float64Array,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) scratch[k] = facets.edgeNormalA[3 * edge + k] + facets.edgeNormalB[3 * edge + k];
  const length = computeHypot3(scratch[0], scratch[1], scratch[2]);
  for (let k = 0; k < 3; k++) scratch[k] /= length;
  now.writeDirection(scratch, 0, out, 0);
}
