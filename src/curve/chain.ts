/**
 * The nodes of one open curve in order along its material: flat arrays, four coordinates a node (x, y, z, u).
 * Contiguous in chain order, so that assembly and the banded solver stream through memory; inserting or removing a node
 * shifts what follows. `label` names a node for good, whatever its place.
 */
import type { CurveMaterial } from './material.ts';

export class CurveChain {
  readonly material: CurveMaterial;
  /** Nodes in use. */
  count = 0;
  /** Coordinates q and velocities q̇ of the current iterate. */
  q: Float64Array;
  v: Float64Array;
  /** Where the implicit stage starts from: q = qBase + h v. */
  qBase: Float64Array;
  vBase: Float64Array;
  /** State at the start of the step, for roll-back and the second stage. */
  qStart: Float64Array;
  vStart: Float64Array;
  /** Velocities of the cancelled coordinates. */
  target: Float64Array;
  /** CANCEL_* bits per node. */
  cancelled: Uint8Array;
  /** Node kind, NODE_* of the frame. */
  kind: Uint8Array;
  /** Extra mass carried by the material at a node [kg]. */
  pointMass: Float64Array;
  /** Force from outside on the world position of a node [N], 3 per node. */
  force: Float64Array;
  /** 1 where remeshing must leave the node alone. */
  kept: Uint8Array;
  label: Int32Array;

  constructor(material: CurveMaterial, capacity: number) {
    this.material = material;
    this.q = new Float64Array(4 * capacity);
    this.v = new Float64Array(4 * capacity);
    this.qBase = new Float64Array(4 * capacity);
    this.vBase = new Float64Array(4 * capacity);
    this.qStart = new Float64Array(4 * capacity);
    this.vStart = new Float64Array(4 * capacity);
    this.target = new Float64Array(4 * capacity);
    this.cancelled = new Uint8Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.pointMass = new Float64Array(capacity);
    this.force = new Float64Array(3 * capacity);
    this.kept = new Uint8Array(capacity);
    this.label = new Int32Array(capacity);
  }

  /** Removes node i; what follows moves down. */
  remove(i: number): void {
    for (const [values, width] of this.#columns()) values.copyWithin(width * i, width * (i + 1), width * this.count);
    this.count--;
  }

  /** Opens a place at i for a new node; what stood there moves up. The caller fills it. */
  insert(i: number): void {
    for (const [values, width] of this.#columns()) values.copyWithin(width * (i + 1), width * i, width * this.count);
    this.count++;
  }

  /** Everything that a snapshot must hold, by name. The scratch of a step is rebuilt from it. */
  stateArrays(): {
    q: Float64Array;
    v: Float64Array;
    bytes: readonly Uint8Array[];
    pointMass: Float64Array;
    label: Int32Array;
  } {
    return {
      q: this.q,
      v: this.v,
      bytes: [this.cancelled, this.kind, this.kept],
      pointMass: this.pointMass,
      label: this.label,
    };
  }

  #columns(): readonly (readonly [Float64Array | Uint8Array | Int32Array, number])[] {
    return [
      [this.q, 4],
      [this.v, 4],
      [this.target, 4],
      [this.force, 3],
      [this.cancelled, 1],
      [this.kind, 1],
      [this.pointMass, 1],
      [this.kept, 1],
      [this.label, 1],
    ];
  }
}
