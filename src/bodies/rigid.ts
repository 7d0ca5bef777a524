/**
 * A dynamic rigid body as a model: six unknown velocities (centre of mass, rotation) in the same linear system as what
 * pulls on it.
 *     m (v − v̂) = h (m g + f)          I (ω − ω̂) = h (τ − ω × I ω)
 *   m, I  mass [kg] and world inertia about the centre of mass [kg m²]     f, τ  loads from contact [N], [N m]
 * Ties act through constraint rows. The gyroscopic torque is taken at the iterate.
 */
import type { Vec3 } from '../math/index.ts';
import { type EnergyTerms, type Model, Part, type Stage, type StateReader, type StateWriter } from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import type { Body } from './body.ts';

/** A force and torque on the body that something else keeps up to date: 3 numbers each from `at`. */
export interface BodyLoad {
  readonly force: Float64Array;
  readonly torque: Float64Array;
  readonly at: number;
}

export class RigidBody implements Model {
  readonly type = 'body';
  readonly id: string;
  readonly body: Body;
  readonly part: Part;
  readonly nodeCount = 0;
  readonly loads: BodyLoad[] = [];
  readonly #gravity: Vec3;
  readonly #size: number;
  /** Velocity of the centre of mass, then angular velocity. */
  readonly #v = new Float64Array(6);
  readonly #vStart = new Float64Array(6);
  readonly #vBase = new Float64Array(6);
  readonly #poseStart = new Float64Array(7);
  readonly #poseBase = new Float64Array(7);
  readonly #inertia = new Float64Array(9);

  constructor(body: Body, gravity: Vec3) {
    this.id = body.id;
    this.body = body;
    this.#gravity = gravity;
    this.part = new Part(body.id, new BlockBanded(1, 6, 0));
    const { bounds } = body.shape;
    this.#size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
    this.#readVelocity();
  }

  detect(): void {}

  adapt(): number {
    return 0;
  }

  beginStep(): void {
    this.#vStart.set(this.#v);
    this.#savePose(this.#poseStart);
  }

  rollBack(): void {
    this.#v.set(this.#vStart);
    this.#setPose(this.#poseStart);
  }

  beginStage(_stage: Stage, drift: number, kick: number): void {
    this.#setPose(this.#poseStart);
    this.body.advance(drift);
    this.#savePose(this.#poseBase);
    for (let k = 0; k < 6; k++) this.#vBase[k] = this.#vStart[k] + kick * (this.#v[k] - this.#vStart[k]);
  }

  applyTargets(): void {}

  assemble(stage: Stage): void {
    const { body, part } = this;
    const { h } = stage;
    const matrix = part.matrix.bands[0].fill(0);
    const { rhs } = part;
    const I = this.#inertia;
    body.writeWorldInertia(I);
    const v = this.#v;
    const spin = [0, 1, 2].map((r) => I[3 * r] * v[3] + I[3 * r + 1] * v[4] + I[3 * r + 2] * v[5]);
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      matrix[7 * k] = body.mass;
      rhs[k] = body.mass * (this.#vBase[k] - v[k] + h * this.#gravity[k]);
      rhs[3 + k] = -h * (v[3 + a] * spin[b] - v[3 + b] * spin[a]);
      for (let c = 0; c < 3; c++) {
        matrix[6 * (3 + k) + 3 + c] = I[3 * k + c];
        rhs[3 + k] += I[3 * k + c] * (this.#vBase[3 + c] - v[3 + c]);
      }
      for (const { force, torque, at } of this.loads) {
        rhs[k] += h * force[at + k];
        rhs[3 + k] += h * torque[at + k];
      }
    }
  }

  correct(stage: Stage): number {
    let largest = 0;
    for (let k = 0; k < 6; k++) {
      const change = this.part.rhs[k];
      this.#v[k] += change;
      const size = Math.abs(k < 3 ? change / this.#size : change);
      if (!(size <= largest)) largest = size;
    }
    this.#setPose(this.#poseBase);
    this.body.advance(stage.h);
    return largest * stage.h;
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
    for (const values of [this.#v, position, orientation])
      for (const value of values) if (!Number.isFinite(value)) return 'a position or velocity is not finite';
    return null;
  }

  addEnergy(terms: EnergyTerms): void {
    terms.kinetic += this.body.kineticEnergy();
    const c = this.body.centreOfMass;
    for (let k = 0; k < 3; k++) terms.gravity -= this.body.mass * this.#gravity[k] * c[k];
  }

  addMomentum(out: Float64Array): void {
    const { body } = this;
    const c = body.centreOfMass;
    const v = this.#v;
    body.writeWorldInertia(this.#inertia);
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      out[k] += body.mass * v[k];
      out[3 + k] += body.mass * (c[a] * v[b] - c[b] * v[a]);
      for (let l = 0; l < 3; l++) out[3 + k] += this.#inertia[3 * k + l] * v[3 + l];
    }
  }

  computeMaxStrain(): number {
    return 0;
  }

  frame(): null {
    return null;
  }

  writeState(writer: StateWriter): void {
    this.#savePose(this.#poseStart);
    writer.array(this.#poseStart);
    writer.array(this.#v);
  }

  readState(reader: StateReader): void {
    reader.array(this.#poseStart);
    reader.array(this.#v);
    this.#setPose(this.#poseStart);
  }

  #readVelocity(): void {
    this.body.writeCentreVelocity(this.#v);
    this.#v.set(this.body.angularVelocity, 3);
  }

  #savePose(out: Float64Array): void {
    out.set(this.body.position);
    out.set(this.body.orientation, 3);
  }

  /** Takes a pose, with the velocities of the iterate. */
  #setPose(pose: Float64Array): void {
    const { position, orientation } = this.body;
    for (let k = 0; k < 3; k++) position[k] = pose[k];
    for (let k = 0; k < 4; k++) orientation[k] = pose[3 + k];
    this.body.setCentreVelocity([this.#v[0], this.#v[1], this.#v[2]], [this.#v[3], this.#v[4], this.#v[5]]);
  }
}
