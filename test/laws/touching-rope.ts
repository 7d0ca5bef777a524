/**
 * The smallest model that `CurveBodyContacts` can work on: a rope of stretch, weight and consistent mass whose material coordinate may be
 * free at nodes. Unlike a strand it knows nothing of bodies; its u̇ is regularised as a rod's is.
 */
import { CurveBodyContacts, CurveChain, type CurveMaterial, type TouchingCurve, writeAxialSystem } from 'heddle/curve';
import {
  CANCEL_POSITION,
  CANCEL_U,
  ChainPart,
  cancelCoordinate,
  type EnergyTerms,
  type Model,
  NODE_EULERIAN,
  NODE_LAGRANGIAN,
  type ObjectFrame,
  type Stage,
  type StateReader,
  type StateWriter,
} from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';

export interface RopeOptions {
  readonly points: readonly (readonly [number, number, number])[];
  readonly material?: Partial<CurveMaterial>;
  readonly friction?: number;
  readonly gravity?: readonly [number, number, number];
  readonly velocity?: readonly [number, number, number];
}

const CAPACITY = 256;
/** Mass of u̇, relative to that of a segment. */
const REGULAR = 1e-7;
/** Neighbours of sliding nodes go when they are nearer than this share of the spacing; segments longer than that are divided. */
const CLOSE = 0.2;
const LONG = 1.5;

export class TouchingRope implements Model, TouchingCurve {
  readonly type = 'rope';
  readonly id: string;
  readonly stride = 4;
  readonly chain: CurveChain;
  readonly part: ChainPart;
  readonly friction: number;
  readonly signature: string;
  readonly spacing: number;
  readonly contactForce = new Float64Array(3 * CAPACITY);
  readonly #gravity: Float64Array;
  #labels = 0;

  constructor(
    id: string,
    { points, material, friction = 0, gravity = [0, -9.81, 0], velocity = [0, 0, 0] }: RopeOptions,
  ) {
    this.id = id;
    this.friction = friction;
    this.#gravity = Float64Array.from(gravity);
    this.chain = new CurveChain(
      { linearDensity: 0.1, stretchStiffness: 2000, bendingStiffness: 0, radius: 0.005, ...material },
      CAPACITY,
    );
    this.part = new ChainPart(id, new BlockBanded(CAPACITY, 4, 1));
    let u = 0;
    points.forEach((p, i) => {
      if (i > 0) u += Math.hypot(...p.map((x, k) => x - points[i - 1][k]));
      this.chain.q.set([...p, u], 4 * i);
      this.chain.v.set([...velocity, 0], 4 * i);
      this.chain.label[i] = this.#labels++;
      this.chain.cancelled[i] = CANCEL_U;
    });
    this.chain.count = points.length;
    this.spacing = u / (points.length - 1);
    this.signature = JSON.stringify([this.type, id]);
    this.chain.rememberNodes();
  }

  get radius(): number {
    return this.chain.material.radius;
  }

  get nodeCount(): number {
    return this.chain.count;
  }

  /** Gives coordinates (CANCEL_* bits) of a node a velocity, for good. */
  hold(i: number, bits: number, velocity: readonly number[] = [0, 0, 0, 0]): void {
    this.chain.cancelled[i] |= bits;
    for (let k = 0; k < velocity.length; k++) if (bits & (1 << k)) this.chain.target[4 * i + k] = velocity[k];
    this.chain.kept[i] = 1;
    this.chain.rememberNodes();
  }

  addContactForce(i: number, fx: number, fy: number, fz: number): void {
    this.contactForce[3 * i] += fx;
    this.contactForce[3 * i + 1] += fy;
    this.contactForce[3 * i + 2] += fz;
  }

  clearContactForces(): void {
    this.contactForce.fill(0);
  }

  indexOf(label: number): number {
    for (let i = 0; i < this.chain.count; i++) if (this.chain.label[i] === label) return i;
    return -1;
  }

  insertNode(u: number): number {
    const { q, count, label } = this.chain;
    if (!(u > q[3] && u < q[4 * count - 1])) return -1;
    for (let i = 0; i < count; i++) if (Math.abs(q[4 * i + 3] - u) < 1e-3 * this.spacing) return label[i];
    let e = 0;
    while (q[4 * e + 7] < u) e++;
    return this.#insert(e, u);
  }

  #insert(e: number, u: number): number {
    const { chain } = this;
    chain.insert(e + 1);
    const { q, v } = chain;
    const [i, n, j] = [4 * e, 4 * e + 4, 4 * e + 8];
    const s = (u - q[i + 3]) / (q[j + 3] - q[i + 3]);
    for (let k = 0; k < 3; k++) {
      const F = (q[j + k] - q[i + k]) / (q[j + 3] - q[i + 3]);
      q[n + k] = (1 - s) * q[i + k] + s * q[j + k];
      v[n + k] = (1 - s) * (v[i + k] - F * v[i + 3]) + s * (v[j + k] - F * v[j + 3]);
      chain.target[n + k] = 0;
    }
    q[n + 3] = u;
    v[n + 3] = chain.target[n + 3] = 0;
    chain.kind[e + 1] = NODE_LAGRANGIAN;
    chain.cancelled[e + 1] = CANCEL_U;
    chain.kept[e + 1] = 0;
    chain.label[e + 1] = this.#labels++;
    return chain.label[e + 1];
  }

  setSliding(label: number, isSliding: boolean): void {
    const { chain } = this;
    const i = this.indexOf(label);
    chain.kind[i] = isSliding ? NODE_EULERIAN : NODE_LAGRANGIAN;
    if (isSliding) chain.cancelled[i] &= ~CANCEL_U;
    else {
      const { q, v } = chain;
      for (let k = 0; k < 3; k++)
        v[4 * i + k] -= (v[4 * i + 3] * (q[4 * i + 4 + k] - q[4 * i - 4 + k])) / (q[4 * i + 7] - q[4 * i - 1]);
      v[4 * i + 3] = 0;
      chain.cancelled[i] |= CANCEL_U;
    }
  }

  detect(): void {}

  adapt(): number {
    const { chain } = this;
    const before = chain.count;
    for (let i = 1; i + 1 < chain.count; i++) {
      if (chain.kind[i] !== NODE_LAGRANGIAN || chain.kept[i]) continue;
      const isNear = (j: number) =>
        chain.kind[j] !== NODE_LAGRANGIAN && Math.abs(chain.q[4 * j + 3] - chain.q[4 * i + 3]) < CLOSE * this.spacing;
      if (isNear(i - 1) || isNear(i + 1)) chain.remove(i--);
    }
    for (let e = 0; e + 1 < chain.count; e++) {
      const du = chain.q[4 * e + 7] - chain.q[4 * e + 3];
      if (du > LONG * this.spacing) this.#insert(e, chain.q[4 * e + 3] + du / 2);
    }
    this.part.matrix.blocks = chain.count;
    return Math.abs(chain.count - before);
  }

  beginStep(): void {
    this.chain.beginStep();
  }

  rollBack(): void {
    this.chain.restoreNodes();
  }

  beginStage(_stage: Stage, drift: number, kick: number): void {
    this.chain.beginStage(drift, kick);
  }

  applyTargets(): void {
    const { v, target, cancelled, count } = this.chain;
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 4; k++) if (cancelled[i] & (1 << k)) v[4 * i + k] = target[4 * i + k];
  }

  assemble({ h, linearized, order }: Stage): void {
    const { chain, part } = this;
    const { matrix, rhs } = part;
    const stage = { h, linearized, keepsMomentum: order === 1, massDamping: 0, stiffnessDamping: 0 };
    writeAxialSystem(chain, { ...stage, gravity: this.#gravity }, matrix, rhs);
    const mass = REGULAR * chain.material.linearDensity * this.spacing;
    for (let i = 0; i < chain.count; i++) {
      if (chain.kind[i] !== NODE_LAGRANGIAN) {
        matrix.bands[0][16 * i + 15] += mass;
        rhs[4 * i + 3] -= mass * chain.v[4 * i + 3];
      }
      for (let k = 0; k < 4; k++) if (chain.cancelled[i] & (1 << k)) cancelCoordinate(matrix, rhs, 4 * i + k);
    }
  }

  correct({ h }: Stage): number {
    const { q, qBase, v, count } = this.chain;
    let largest = 0;
    for (let k = 0; k < 4 * count; k++) {
      v[k] += this.part.rhs[k];
      q[k] = qBase[k] + h * v[k];
      largest = Math.max(largest, Math.abs(this.part.rhs[k]));
    }
    return (largest * h) / this.spacing;
  }

  isFarFromLinear(): boolean {
    return true;
  }

  convergesSlowly(): boolean {
    return true;
  }

  restartStage(): void {
    this.chain.q.set(this.chain.qBase);
  }

  computeStepError(): number {
    return 0;
  }

  findFault(): string | null {
    const { q, count } = this.chain;
    for (let k = 0; k < 4 * count; k++) if (!Number.isFinite(q[k])) return 'a position is not finite';
    for (let e = 0; e + 1 < count; e++) if (!(q[4 * e + 7] > q[4 * e + 3])) return 'a segment has turned over';
    return null;
  }

  endStep(): void {
    this.chain.rememberNodes();
  }

  addEnergy(_terms: EnergyTerms): void {}

  addMomentum(out: Float64Array): void {
    const { q, v, count, material } = this.chain;
    for (let e = 0; e + 1 < count; e++) {
      const [i, j] = [4 * e, 4 * e + 4];
      const du = q[j + 3] - q[i + 3];
      for (let k = 0; k < 3; k++) {
        const F = (q[j + k] - q[i + k]) / du;
        out[k] += 0.5 * material.linearDensity * du * (v[i + k] + v[j + k] - F * (v[i + 3] + v[j + 3]));
      }
    }
  }

  computeMaxStrain(): number {
    return 0;
  }

  frame(): ObjectFrame | null {
    return null;
  }

  /** Tension of segment e [N]. */
  computeTension(e: number): number {
    const { q, material } = this.chain;
    const l = Math.hypot(q[4 * e + 4] - q[4 * e], q[4 * e + 5] - q[4 * e + 1], q[4 * e + 6] - q[4 * e + 2]);
    return material.stretchStiffness * (l / (q[4 * e + 7] - q[4 * e + 3]) - 1);
  }

  writeState(writer: StateWriter): void {
    const { chain } = this;
    writer.number(chain.count);
    writer.number(this.#labels);
    for (const values of [chain.q, chain.v, chain.target]) writer.array(values, 4 * chain.count);
    for (const values of [chain.kind, chain.cancelled, chain.kept]) writer.array(values, chain.count);
    writer.array(chain.label, chain.count);
  }

  readState(reader: StateReader): void {
    const { chain } = this;
    chain.count = reader.number();
    this.#labels = reader.number();
    for (const values of [chain.q, chain.v, chain.target]) reader.array(values);
    for (const values of [chain.kind, chain.cancelled, chain.kept]) reader.array(values);
    reader.array(chain.label);
    chain.rememberNodes();
  }
}

/** Points on a straight line, n segments. */
export const line = (
  a: readonly [number, number, number],
  b: readonly [number, number, number],
  n: number,
): [number, number, number][] =>
  Array.from(
    { length: n + 1 },
    (_, i) => [0, 1, 2].map((k) => a[k] + (i / n) * (b[k] - a[k])) as [number, number, number],
  );

export { CANCEL_POSITION, CurveBodyContacts };
