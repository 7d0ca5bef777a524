/**
 * The nodes of one curve in order along its material: flat arrays, four coordinates a node (x, y, z, u).
 * Contiguous in chain order, so that assembly and the banded solver stream through memory; inserting or removing a node
 * shifts what follows. `label` names a node for good, whatever its place.
 *
 * A loop is cut at one of its nodes, the seam, and stored as an open chain whose last node is the image of the first: same
 * label and place, u one period on. Behind it, not counted, stands the image of the second node, for the bend at the seam.
 *
 *     0 ─ 1 ─ 2 ─ … ─ n−1 ─ 0′ (1′)         count = n + 1,  ownCount = n
 */
import { grow } from '../math/index.ts';
import type { CurveMaterial } from './material.ts';

/** Places that the images of a loop take. */
export const LOOP_IMAGES = 2;

export class CurveChain {
  /** Its own copy: `restFactor` changes while the curve shrinks or grows. */
  readonly material: CurveMaterial & { restFactor: number };
  /** Material length of a loop [m]; 0 for an open curve. */
  readonly period: number;
  /** Nodes in use. */
  count = 0;
  /** Coordinates q and velocities q̇ of the current iterate. */
  q: Float64Array;
  v: Float64Array;
  /** State at the start of the step, for roll-back and the second stage. */
  qStart: Float64Array;
  vStart: Float64Array;
  /** Where the implicit stage starts from: q = qBase + h v. The same arrays as qStart and vStart where it starts there. */
  qBase: Float64Array;
  vBase: Float64Array;
  /** Velocities of the cancelled coordinates. */
  target: Float64Array;
  /** CANCEL_* bits per node. */
  cancelled: Uint8Array;
  /** Node kind, NODE_* of the frame. */
  kind: Uint8Array;
  /** Extra mass carried by the material at a node [kg]. */
  pointMass: Float64Array;
  /** Material length that a bend is spread over [m], by label; 0 takes the distance of the neighbours. */
  bendSpan: Float64Array;
  /** What that length is changed by (`bending.ts`), by label: [m] where it is fixed, else [1] of the neighbours' distance. */
  bendLoan: Float64Array;
  /** Label of the guide's node where that was lent, and its material coordinate then [m]; by label. */
  bendGuide: Int32Array;
  bendOrigin: Float64Array;
  /** 1 where remeshing must leave the node alone. */
  kept: Uint8Array;
  label: Int32Array;
  /** Whether q is still that of the start of the step. */
  #atStart = false;
  /** What `rememberNodes` saw. */
  #before: NodeCopy | undefined;
  /** What `rememberLoans` saw. */
  #loans:
    | { readonly bendLoan: Float64Array; readonly bendGuide: Int32Array; readonly bendOrigin: Float64Array }
    | undefined;
  /** Room for a start of a stage that is not that of the step; made when first needed. */
  #ownBase: { readonly q: Float64Array; readonly v: Float64Array } | undefined;

  constructor(material: CurveMaterial, capacity: number, period = 0) {
    this.material = { ...material, restFactor: material.restFactor ?? 1 };
    this.period = period;
    this.q = new Float64Array(4 * capacity);
    this.v = new Float64Array(4 * capacity);
    this.qStart = this.qBase = new Float64Array(4 * capacity);
    this.vStart = this.vBase = new Float64Array(4 * capacity);
    this.target = new Float64Array(4 * capacity);
    this.cancelled = new Uint8Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.pointMass = new Float64Array(capacity);
    this.bendSpan = new Float64Array(capacity);
    this.bendLoan = new Float64Array(capacity);
    this.bendGuide = new Int32Array(capacity);
    this.bendOrigin = new Float64Array(capacity);
    this.kept = new Uint8Array(capacity);
    this.label = new Int32Array(capacity);
  }

  get closed(): boolean {
    return this.period > 0;
  }

  /** Number of different nodes: the image at the seam of a loop is not one. */
  get ownCount(): number {
    return this.period > 0 ? this.count - 1 : this.count;
  }

  /** Makes room for at least `capacity` nodes, between two steps. */
  reserve(capacity: number): void {
    if (capacity <= this.label.length) return;
    this.q = grow(this.q, 4 * capacity);
    this.v = grow(this.v, 4 * capacity);
    this.qStart = this.qBase = grow(this.qStart, 4 * capacity);
    this.vStart = this.vBase = grow(this.vStart, 4 * capacity);
    this.target = grow(this.target, 4 * capacity);
    this.pointMass = grow(this.pointMass, capacity);
    this.bendSpan = grow(this.bendSpan, capacity);
    this.bendLoan = grow(this.bendLoan, capacity);
    this.bendGuide = grow(this.bendGuide, capacity);
    this.bendOrigin = grow(this.bendOrigin, capacity);
    this.cancelled = grow(this.cancelled, capacity);
    this.kind = grow(this.kind, capacity);
    this.kept = grow(this.kept, capacity);
    this.label = grow(this.label, capacity);
    this.#ownBase = undefined;
    if (this.#before !== undefined) {
      const before = new NodeCopy(capacity);
      before.count = this.#before.count;
      copyNodes(this.#before, before);
      this.#before = before;
    }
  }

  /** Remembers the state as that of the start of the step. */
  beginStep(): void {
    this.qStart.set(this.q);
    this.vStart.set(this.v);
    this.#atStart = true;
  }

  /** Back to the start of the step. */
  rollBack(): void {
    this.q.set(this.qStart);
    this.v.set(this.vStart);
    this.#atStart = true;
  }

  /** q̂ = q_start + drift·v, v̂ = v_start + kick·(v − v_start), q = q̂. */
  beginStage(drift: number, kick: number): void {
    const { q, v, qStart, vStart, count } = this;
    if (drift === 0 && kick === 0) {
      this.qBase = qStart;
      this.vBase = vStart;
      if (!this.#atStart) q.set(qStart);
    } else {
      this.#ownBase ??= { q: new Float64Array(q.length), v: new Float64Array(v.length) };
      const { q: qBase, v: vBase } = this.#ownBase;
      for (let k = 0; k < 4 * count; k++) {
        qBase[k] = qStart[k] + drift * v[k];
        vBase[k] = vStart[k] + kick * (v[k] - vStart[k]);
        q[k] = qBase[k];
      }
      this.qBase = qBase;
      this.vBase = vBase;
    }
    this.#atStart = false;
  }

  /** Removes node i; what follows moves down. */
  remove(i: number): void {
    this.#shift(i + 1, i);
    this.count--;
  }

  /** Opens a place at i for a new node; what stood there moves up. The caller fills it. */
  insert(i: number): void {
    this.#shift(i, i + 1);
    this.count++;
  }

  /** Copies the first two nodes of a loop to their images. */
  writeImages(): void {
    const { q, v, label, kind, cancelled } = this;
    const n = this.count - 1;
    for (let node = 0; node < LOOP_IMAGES; node++) {
      const image = n + node;
      for (let c = 0; c < 4; c++) {
        q[4 * image + c] = q[4 * node + c];
        v[4 * image + c] = v[4 * node + c];
      }
      q[4 * image + 3] += this.period;
      label[image] = label[node];
      kind[image] = kind[node];
      cancelled[image] = cancelled[node];
    }
  }

  /** Makes the first `count` nodes, without images so far, a loop that is cut at node `seam`. u then starts in [0, period). */
  closeAt(seam: number): void {
    const { q, count, period } = this;
    for (let i = 0; i < seam; i++) q[4 * i + 3] += period;
    rotate(this.q, 4 * seam, 4 * count);
    rotate(this.v, 4 * seam, 4 * count);
    rotate(this.target, 4 * seam, 4 * count);
    for (const values of [this.cancelled, this.kind, this.pointMass, this.kept, this.label])
      rotate(values, seam, count);
    if (q[3] >= period) for (let i = 0; i < count; i++) q[4 * i + 3] -= period;
    this.count++;
    for (let c = 0; c < 4; c++) this.target[4 * count + c] = 0;
    this.pointMass[count] = 0;
    this.kept[count] = this.kept[0];
    this.writeImages();
  }

  /** Takes the image at the seam of a loop away, so that it can be cut elsewhere. */
  open(): void {
    this.count--;
  }

  /** Remembers which nodes there are and their state. */
  rememberNodes(): void {
    this.#before ??= new NodeCopy(this.label.length);
    this.#before.count = this.count;
    copyNodes(this, this.#before);
  }

  /** Back to the nodes that `rememberNodes` saw. */
  restoreNodes(): void {
    if (this.#before === undefined) return;
    this.count = this.#before.count;
    copyNodes(this.#before, this);
    this.#atStart = false;
  }

  /** Remembers the lengths that bends were lent. */
  rememberLoans(): void {
    if (this.material.bendingStiffness === 0) return;
    const { bendLoan, bendGuide, bendOrigin } = this;
    if (this.#loans === undefined || this.#loans.bendLoan.length < bendLoan.length)
      this.#loans = { bendLoan: bendLoan.slice(), bendGuide: bendGuide.slice(), bendOrigin: bendOrigin.slice() };
    this.#loans.bendLoan.set(bendLoan);
    this.#loans.bendGuide.set(bendGuide);
    this.#loans.bendOrigin.set(bendOrigin);
  }

  /** Back to the loans that `rememberLoans` saw. */
  restoreLoans(): void {
    if (this.#loans === undefined) return;
    this.bendLoan.set(this.#loans.bendLoan);
    this.bendGuide.set(this.#loans.bendGuide);
    this.bendOrigin.set(this.#loans.bendOrigin);
  }

  /** Moves the nodes from `from` to the end to places from `to` on. */
  #shift(from: number, to: number): void {
    const { count } = this;
    this.q.copyWithin(4 * to, 4 * from, 4 * count);
    this.v.copyWithin(4 * to, 4 * from, 4 * count);
    this.target.copyWithin(4 * to, 4 * from, 4 * count);
    this.cancelled.copyWithin(to, from, count);
    this.kind.copyWithin(to, from, count);
    this.pointMass.copyWithin(to, from, count);
    this.kept.copyWithin(to, from, count);
    this.label.copyWithin(to, from, count);
  }
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** Brings the number at `first` to the front of the first n numbers; those before it go to the end. */
function rotate(values: Numbers, first: number, n: number): void {
  reverse(values, 0, first);
  reverse(values, first, n);
  reverse(values, 0, n);
}

function reverse(values: Numbers, from: number, to: number): void {
  for (let a = from, b = to - 1; a < b; a++, b--) {
    const value = values[a];
    values[a] = values[b];
    values[b] = value;
  }
}

/** What tells one node from another. */
class NodeCopy {
  count = 0;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly cancelled: Uint8Array;
  readonly kind: Uint8Array;
  readonly pointMass: Float64Array;
  readonly kept: Uint8Array;
  readonly label: Int32Array;

  constructor(capacity: number) {
    this.q = new Float64Array(4 * capacity);
    this.v = new Float64Array(4 * capacity);
    this.cancelled = new Uint8Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.pointMass = new Float64Array(capacity);
    this.kept = new Uint8Array(capacity);
    this.label = new Int32Array(capacity);
  }
}

function copyNodes(from: Omit<NodeCopy, 'count'>, to: Omit<NodeCopy, 'count'>): void {
  to.q.set(from.q);
  to.v.set(from.v);
  to.cancelled.set(from.cancelled);
  to.kind.set(from.kind);
  to.pointMass.set(from.pointMass);
  to.kept.set(from.kept);
  to.label.set(from.label);
}
