/**
 * A fabric as drivers, ties, hands, probes and pictures see it: nodes by their labels, which are their places in the pool, and what is measured of it. How it moves is in `step.ts`.
 */
import type { Vec3 } from '../math/index.ts';
import {
  blendVelocity,
  CANCEL_POSITION,
  type ConstraintRows,
  type EnergyTerms,
  type ForceFrame,
  type MaterialGrip,
  movePoints,
  type YarnsFrame,
} from '../model/index.ts';
import {
  addFabricEnergy,
  addFabricInertia,
  addFabricMomentum,
  computeFabricMass,
  computeFabricStrain,
  createFabricForces,
  createFabricFrame,
  listFrameNodes,
} from './measure.ts';
import type { FabricOptions } from './options.ts';
import { CANCEL_FIRST, CANCEL_SECOND, FabricState, ROLE_FREE } from './state.ts';
import type { Stencils } from './stencils.ts';
import type { FabricTerms } from './terms.ts';
import type { FabricTouch } from './touch.ts';

export abstract class FabricNodes {
  readonly id: string;
  readonly state: FabricState;
  readonly gravity: Vec3;
  /** Smallest rest spacing of the layers [m]. */
  readonly spacing: number;
  /** Of the thickest yarn [m]. */
  readonly radius: number;
  /** Against bodies that have none of their own, and against other objects [1]. */
  readonly friction: number;
  #segments = new Int32Array(0);
  abstract readonly stencils: Stencils;
  abstract readonly terms: FabricTerms;
  abstract readonly touch: FabricTouch;

  constructor(options: FabricOptions) {
    this.id = options.id;
    this.gravity = options.gravity ?? [0, -9.81, 0];
    this.state = new FabricState(options);
    this.spacing = Math.min(...options.layers.map(({ spacing }) => spacing));
    this.radius = Math.max(...options.materials.map(({ radius }) => radius));
    this.friction = options.bodyFriction;
  }

  get nodeCount(): number {
    const { role, count } = this.state;
    let nodes = 0;
    for (let i = 0; i < count; i++) if (role[i] !== ROLE_FREE) nodes++;
    return nodes;
  }

  /** Between EoL nodes, as forces of yarns are. */
  listSegments(): Int32Array {
    const { sides, count } = this.stencils.segments;
    if (this.#segments.length !== 2 * count) this.#segments = new Int32Array(2 * count);
    for (let k = 0; k < 2 * count; k++) this.#segments[k] = sides[k] >> 1;
    return this.#segments;
  }

  /** Of a crossing: its own. Yarns that slide through it do so slowly. */
  writeNodeMaterialVelocity(label: number, out: Float64Array): void {
    this.writeNodeVelocity(label, out);
  }

  hasNode(label: number): boolean {
    return label >= 0 && label < this.state.count && this.state.role[label] !== ROLE_FREE;
  }

  writeNodePosition(label: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = this.state.q[5 * label + k];
  }

  writeNodeVelocity(label: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = this.state.v[5 * label + k];
  }

  writeNodeBase(label: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = this.state.qBase[5 * label + k];
  }

  /** What holds a node in all directions holds its yarns, too: a pin goes through the material. */
  holdNode(label: number, bits: number): void {
    const { cancelled } = this.state;
    cancelled[label] |= bits & CANCEL_POSITION;
    if ((cancelled[label] & CANCEL_POSITION) === CANCEL_POSITION) cancelled[label] |= CANCEL_FIRST | CANCEL_SECOND;
    for (let k = 0; k < 3; k++) this.state.target[3 * label + k] = 0;
  }

  /** Holds the yarns of a node to each other for this step, and keeps it a node of both (EoL). */
  gripNode(label: number): void {
    this.state.cancelled[label] |= CANCEL_FIRST | CANCEL_SECOND;
    this.state.gripped[label] = 1;
  }

  aimNode(label: number, k: number, speed: number): void {
    this.state.target[3 * label + k] = speed;
  }

  pushNode(label: number, force: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.state.push[3 * label + k] += force[k];
  }

  addNodeRow(rows: ConstraintRows, part: number, label: number, k: number, sign: number): void {
    if (!(this.state.cancelled[label] & (1 << k))) rows.addEntry(part, 5 * label + k, sign);
  }

  clearTieForce(label: number): void {
    for (let k = 0; k < 3; k++) if (!(this.state.cancelled[label] & (1 << k))) this.state.reaction[3 * label + k] = 0;
  }

  addTieForce(label: number, force: Float64Array, sign: number): void {
    for (let k = 0; k < 3; k++)
      if (!(this.state.cancelled[label] & (1 << k))) this.state.reaction[3 * label + k] += sign * force[k];
  }

  addEnergy(terms: EnergyTerms): void {
    addFabricEnergy(this.state, this.stencils, this.gravity, terms);
    this.terms.addEnergy(this.state, this.stencils, terms);
    this.touch.addEnergy(terms);
  }

  addMomentum(out: Float64Array): void {
    addFabricMomentum(this.state, this.stencils, out);
  }

  addInertia(out: Float64Array): void {
    addFabricInertia(this.state, this.stencils, out);
  }

  moveBy(way: Float64Array): void {
    movePoints(way, this.state.q, 5, this.state.count);
  }

  blendMotion(share: number, motion: Float64Array): void {
    const { q, v, role, count } = this.state;
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      blendVelocity(share, motion, q, 5 * i, v, 5 * i);
      v[5 * i + 3] *= share;
      v[5 * i + 4] *= share;
    }
  }

  computeMaxStrain(): number {
    return computeFabricStrain(this.state, this.stencils);
  }

  computeMass(): number {
    return computeFabricMass(this.state);
  }

  frame(): YarnsFrame {
    return createFabricFrame(this.id, this.state);
  }

  forces(): ForceFrame[] {
    return createFabricForces(this.id, this.state);
  }

  frameLabels(): Int32Array<ArrayBuffer> {
    return listFrameNodes(this.state);
  }

  takeMaterial(label: number): MaterialGrip | undefined {
    if (!this.hasNode(label)) return undefined;
    const { state } = this;
    const length = Math.max(...state.yarnLength);
    let stiffness = 0;
    for (let y = 0; y < state.yarnCount; y++) stiffness += state.materialOf(y).stretchStiffness / state.yarnLength[y];
    return { findNode: () => label, place: [], mass: this.computeMass(), size: length, stiffness };
  }
}
