/**
 * A dynamic rigid body as a model: six unknown velocities (centre of mass, rotation) in the same linear system as what
 * pulls on it.
 *     m v − m v̂ = h (m g + f)          I ω − L̂ = h τ          f, τ from ties and contact, through their rows, and `push`
 *   m, I  mass [kg] and world inertia about the centre of mass at the end of the stage [kg m²]
 *   L̂     angular momentum at the start of the stage [kg m²/s]
 * Written for the momentum, so that a body without torque keeps L = I ω exactly (once Newton has converged) and implicit
 * Euler damps its tumbling: the usual I ω̇ = τ − ω × I ω does neither. I depends on ω through the turn. A first iteration
 * takes I from the ω that the body would get on its own; so does a linearly implicit step, which is then exact for a free
 * body. Later ones hold I fixed, which converges as h |ω|.
 */
import type { Vec3 } from '../math/index.ts';
import {
  addPointInertia,
  blendVelocity,
  ChainPart,
  type EnergyTerms,
  type Stage,
  type StateReader,
  type StateWriter,
  type TurnableModel,
} from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import type { Body } from './body.ts';

/** Fixed-point iterations for the turn of a free body in one stage, and the angle at which they end [rad]. */
const MOST_PREDICTIONS = 20;
const PREDICTION_TOLERANCE = 1e-15;

export class RigidBody implements TurnableModel {
  readonly type = 'body';
  readonly id: string;
  readonly body: Body;
  readonly part: ChainPart;
  readonly signature: string;
  readonly nodeCount = 0;
  readonly keepsSpin = true;
  readonly gravity: Vec3;
  /** Motion by a correction that is small enough for a linearly implicit stage [m]; 0: as the world says. Set by what pushes it and is no more exact. */
  roughness = 0;
  /** Force on the centre of mass [N] and torque about it [N m] in this step, of models that solve for themselves. Forgotten when a step begins. */
  readonly push = new Float64Array(6);
  readonly #size: number;
  #correction = 0;
  /** Velocity of the centre of mass, then angular velocity. */
  readonly #v = new Float64Array(6);
  readonly #was = new Float64Array(6);
  readonly #angular = new Float64Array(3);
  readonly #vStart = new Float64Array(6);
  readonly #vBase = new Float64Array(6);
  readonly #poseStart = new Float64Array(7);
  readonly #poseBase = new Float64Array(7);
  readonly #inertia = new Float64Array(9);
  /** I ω now, at the start of the step, and L̂. */
  readonly #spin = new Float64Array(3);
  readonly #spinStart = new Float64Array(3);
  readonly #spinBase = new Float64Array(3);
  readonly #spinEnd = new Float64Array(3);

  constructor(body: Body, gravity: Vec3) {
    this.id = body.id;
    this.body = body;
    this.gravity = gravity;
    this.part = new ChainPart(body.id, new BlockBanded(1, 6, 0));
    const { bounds } = body.shape;
    this.#size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
    this.signature = JSON.stringify([this.type, this.id]);
    this.#readVelocity();
  }

  detect(): void {}

  adapt(): number {
    return 0;
  }

  beginStep(): void {
    this.push.fill(0);
    this.#vStart.set(this.#v);
    this.#savePose(this.#poseStart);
    this.body.writeWorldInertia(this.#inertia);
    this.#writeSpin(this.#spinStart);
  }

  rollBack(): void {
    this.#v.set(this.#vStart);
    this.#setPose(this.#poseStart);
  }

  beginStage(_stage: Stage, drift: number, kick: number): void {
    this.body.writeWorldInertia(this.#inertia);
    this.#writeSpin(this.#spin);
    for (let k = 0; k < 3; k++) {
      this.#vBase[k] = this.#vStart[k] + kick * (this.#v[k] - this.#vStart[k]);
      this.#spinBase[k] = this.#spinStart[k] + kick * (this.#spin[k] - this.#spinStart[k]);
    }
    this.#setPose(this.#poseStart);
    this.#advance(drift);
    this.#savePose(this.#poseBase);
  }

  applyTargets(): void {}

  assemble(stage: Stage): void {
    const { body, part } = this;
    const { h } = stage;
    const matrix = part.matrix.bands[0].fill(0);
    const { rhs } = part;
    const I = this.#inertia;
    if (stage.linearized) this.#predictInertia(h);
    else body.writeWorldInertia(I);
    this.#writeSpin(this.#spin);
    for (let k = 0; k < 3; k++) {
      matrix[7 * k] = body.mass;
      rhs[k] = body.mass * (this.#vBase[k] - this.#v[k] + h * this.gravity[k]) + h * this.push[k];
      rhs[3 + k] = this.#spinBase[k] - this.#spin[k] + h * this.push[3 + k];
      for (let c = 0; c < 3; c++) matrix[6 * (3 + k) + 3 + c] = I[3 * k + c];
    }
  }

  correct(stage: Stage): number {
    let largest = 0;
    for (let k = 0; k < 6; k++) {
      const change = this.part.rhs[k];
      this.#v[k] += change;
      const size = Math.abs(k < 3 ? change / this.#size : change);
      // a NaN stays
      if (size > largest || Number.isNaN(size)) largest = size;
    }
    this.#setPose(this.#poseBase);
    this.#advance(stage.h);
    this.#correction = largest * stage.h;
    return this.#correction;
  }

  hasSettled(): boolean {
    return this.#correction * this.#size < this.roughness;
  }

  /** Stands where a share of the part's solution would have it, to be looked at by what touches it; `correct` or `restartStage` follow. */
  preview(h: number, share: number): void {
    const [v, was] = [this.#v, this.#was];
    was.set(v);
    if (share > 0) for (let k = 0; k < 6; k++) v[k] += share * this.part.rhs[k];
    this.#setPose(this.#poseBase);
    this.#advance(h);
    v.set(was);
  }

  /** out := what the pose and the velocities of the last preview leave of its own equations, 6 numbers. */
  writeResidual(h: number, out: Float64Array): void {
    const { body } = this;
    const [I, w] = [this.#inertia, body.angularVelocity];
    body.writeCentreVelocity(out);
    body.writeWorldInertia(I);
    for (let k = 0; k < 3; k++) {
      out[k] = body.mass * (this.#vBase[k] - out[k] + h * this.gravity[k]) + h * this.push[k];
      out[3 + k] =
        this.#spinBase[k] + h * this.push[3 + k] - (I[3 * k] * w[0] + I[3 * k + 1] * w[1] + I[3 * k + 2] * w[2]);
    }
  }

  isFarFromLinear(): boolean {
    return false;
  }

  restartStage(): void {
    this.#setPose(this.#poseBase);
  }

  computeStepError(h: number): number {
    let largest = 0;
    for (let k = 0; k < 6; k++) {
      const change = Math.abs(this.#v[k] - this.#vStart[k]);
      largest = Math.max(largest, k < 3 ? change / this.#size : change);
    }
    return 0.5 * h * largest;
  }

  findFault(): string | null {
    const { position, orientation } = this.body;
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += this.#v[k];
    for (let k = 0; k < 3; k++) sum += position[k];
    for (let k = 0; k < 4; k++) sum += orientation[k];
    return Number.isFinite(sum) ? null : 'a position or velocity is not finite';
  }

  readVelocities(): void {
    this.#readVelocity();
  }

  endStep(): void {}

  addEnergy(terms: EnergyTerms): void {
    terms.kinetic += this.body.kineticEnergy();
    const c = this.body.centreOfMass;
    for (let k = 0; k < 3; k++) terms.gravity -= this.body.mass * this.gravity[k] * c[k];
  }

  addMomentum(out: Float64Array): void {
    const { body } = this;
    const c = body.centreOfMass;
    const v = this.#v;
    body.writeWorldInertia(this.#inertia);
    this.#writeSpin(this.#spin);
    for (let k = 0; k < 3; k++) {
      const a = (k + 1) % 3;
      const b = (k + 2) % 3;
      out[k] += body.mass * v[k];
      out[3 + k] += body.mass * (c[a] * v[b] - c[b] * v[a]) + this.#spin[k];
    }
  }

  isOnItsOwn(): boolean {
    return true;
  }

  addInertia(out: Float64Array): void {
    const { body } = this;
    const I = this.#inertia;
    addPointInertia(body.mass, body.centreOfMass, 0, out);
    body.writeWorldInertia(I);
    for (let k = 0; k < 3; k++) out[4 + k] += I[4 * k];
    out[7] += I[1];
    out[8] += I[2];
    out[9] += I[5];
  }

  blendMotion(share: number, motion: Float64Array): void {
    blendVelocity(share, motion, this.body.centreOfMass, 0, this.#v, 0);
    for (let k = 3; k < 6; k++) this.#v[k] = share * this.#v[k] + motion[k];
    this.#giveVelocity();
  }

  moveBy(way: Float64Array): void {
    for (let k = 0; k < 3; k++) this.body.position[k] += way[k];
  }

  computeMaxStrain(): number {
    return 0;
  }

  frame(): null {
    return null;
  }

  writeState(writer: StateWriter): void {
    const pose = new Float64Array(7);
    this.#savePose(pose);
    writer.array(pose);
    writer.array(this.#v);
  }

  readState(reader: StateReader): void {
    const pose = new Float64Array(7);
    reader.array(pose);
    reader.array(this.#v);
    this.#setPose(pose);
  }

  /** Inertia at the end of a stage of a body without ties: I(exp(h ω) q̂) ω = L̂ + h τ, by fixed-point iteration. */
  #predictInertia(h: number): void {
    const I = this.#inertia;
    const w = this.#angular;
    const start = this.#spinEnd;
    for (let k = 0; k < 3; k++) {
      w[k] = this.#v[3 + k];
      start[k] = this.#spinBase[k] + h * this.push[3 + k];
    }
    for (let iteration = 0; iteration < MOST_PREDICTIONS; iteration++) {
      this.body.writeInertiaAfter(w, h, I);
      // ω = I⁻¹ L̂ by cofactors
      const a = I[4] * I[8] - I[5] * I[5];
      const b = I[2] * I[5] - I[1] * I[8];
      const c = I[1] * I[5] - I[2] * I[4];
      const d = I[0] * I[8] - I[2] * I[2];
      const e = I[1] * I[2] - I[0] * I[5];
      const f = I[0] * I[4] - I[1] * I[1];
      const scale = 1 / (I[0] * a + I[1] * b + I[2] * c);
      const x = scale * (a * start[0] + b * start[1] + c * start[2]);
      const y = scale * (b * start[0] + d * start[1] + e * start[2]);
      const z = scale * (c * start[0] + e * start[1] + f * start[2]);
      const change = Math.abs(x - w[0]) + Math.abs(y - w[1]) + Math.abs(z - w[2]);
      w[0] = x;
      w[1] = y;
      w[2] = z;
      if (!(change * h > PREDICTION_TOLERANCE)) return;
    }
  }

  #readVelocity(): void {
    this.body.writeCentreVelocity(this.#v);
    for (let k = 0; k < 3; k++) this.#v[3 + k] = this.body.angularVelocity[k];
  }

  /** out := I ω with the inertia written last. */
  #writeSpin(out: Float64Array): void {
    const I = this.#inertia;
    const v = this.#v;
    for (let k = 0; k < 3; k++) out[k] = I[3 * k] * v[3] + I[3 * k + 1] * v[4] + I[3 * k + 2] * v[5];
  }

  #savePose(out: Float64Array): void {
    const { position, orientation } = this.body;
    for (let k = 0; k < 3; k++) out[k] = position[k];
    for (let k = 0; k < 4; k++) out[3 + k] = orientation[k];
  }

  /** Takes a pose, with the velocities of the iterate. */
  #setPose(pose: Float64Array): void {
    const { position, orientation } = this.body;
    for (let k = 0; k < 3; k++) position[k] = pose[k];
    for (let k = 0; k < 4; k++) orientation[k] = pose[3 + k];
    this.#giveVelocity();
  }

  /** Moves on by h; the body then has the very velocities of the iterate, as after `#setPose`. */
  #advance(h: number): void {
    this.body.advance(h);
    this.#giveVelocity();
  }

  #giveVelocity(): void {
    for (let k = 0; k < 3; k++) this.#angular[k] = this.#v[3 + k];
    this.body.setCentreVelocity(this.#v, this.#angular);
  }
}
