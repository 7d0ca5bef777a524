/**
 * What a fabric touches: bodies with its nodes (`body-contact.ts`) and over their sharp edges (`body-edges.ts`), and its own layers where contacts between them come
 * and go (`layer-changes.ts`). The model calls it in the order of a step.
 */
import { RigidBody } from '../bodies/index.ts';
import {
  type EnergyTerms,
  HeddleError,
  type Model,
  type NetBorder,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import { BodyContacts } from './body-contact.ts';
import { BodyEdges } from './body-edges.ts';
import { LayerCoverage } from './coverage.ts';
import { LayerChanges } from './layer-changes.ts';
import { FabricObstacle } from './obstacle.ts';
import type { FabricOptions } from './options.ts';
import { PushedBodies } from './pushed-bodies.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

export class FabricTouch {
  readonly contacts: BodyContacts;
  readonly edges: BodyEdges;
  readonly layers: LayerChanges;
  /** The dynamic bodies among those it touches; undefined where there are none. */
  pushed: PushedBodies | undefined;
  readonly #state: FabricState;
  readonly #coverage: LayerCoverage;
  readonly #hasBodies: boolean;
  /** q̂ + h v of a first iteration. */
  readonly #ahead: Float64Array;
  #h = 0;

  constructor(
    state: FabricState,
    { bodies = [], bodyFriction, findsContacts = true, removesContacts = true }: FabricOptions,
  ) {
    // half the thickness of a cloth: its two yarns, one on the other, about their middle
    const offset = 2 * state.materials.reduce((widest, { radius }) => Math.max(widest, radius), 0);
    const obstacles = bodies.map((body) => new FabricObstacle(body, bodyFriction, offset));
    this.#state = state;
    this.#hasBodies = bodies.length > 0;
    this.#ahead = new Float64Array(bodies.length > 0 ? state.q.length : 0);
    this.#coverage = new LayerCoverage(state);
    this.contacts = new BodyContacts(obstacles, offset, this.#coverage);
    this.edges = new BodyEdges(state, obstacles, offset, this.#coverage);
    this.layers = new LayerChanges(state, findsContacts, removesContacts);
  }

  /** Finds the dynamic bodies that it touches among the models of its world; `border`: of its part; `roughness`: correction that is small enough [m]. */
  findBodies(models: readonly Model[], part: number, border: NetBorder, roughness: number): PushedBodies | undefined {
    const { obstacles } = this.contacts;
    const bodies = models.flatMap((model, k) =>
      model instanceof RigidBody && obstacles.some(({ body }) => body === model.body) ? [{ model, part: k }] : [],
    );
    if (bodies.length === 0) return undefined;
    const early = bodies.find((one) => one.part < part);
    if (early)
      throw new HeddleError(
        `Body "${early.model.id}" comes before a fabric that pushes it; in the models of a world bodies must come after fabrics.`,
      );
    this.pushed = new PushedBodies(this.#state, border, obstacles, bodies, roughness);
    return this.pushed;
  }

  /** Before nodes change: what `rollBack` goes back to. */
  remember(h: number): void {
    this.#h = h;
    this.layers.remember(h);
    if (!this.#hasBodies) return;
    this.contacts.remember();
    this.edges.remember();
  }

  rollBack(): void {
    this.layers.rollBack();
    if (!this.#hasBodies) return;
    this.contacts.rollBack();
    this.edges.rollBack();
  }

  /** Takes nodes out and puts new ones in, with the order of the last step; returns how many. */
  adapt(): number {
    const changes = this.layers.adapt();
    if (!this.#hasBodies) return changes;
    this.#coverage.update(this.#state);
    return changes + this.edges.adapt(this.#state);
  }

  /** Once nodes are in order: lists what may touch in the step. */
  beginStep(): void {
    if (!this.#hasBodies) return;
    this.#coverage.update(this.#state);
    this.contacts.beginStep(this.#state, this.#h);
    this.edges.beginStep(this.#state, this.#h);
  }

  /** Adds what bodies do at the iterate of a stage to its system. */
  add({ pattern: { columnStart } }: Stencils, { h, linearized }: FabricStage, system: FabricSystem): void {
    if (!this.#hasBodies) return;
    const { q, v, count } = this.#state;
    const places = linearized ? this.#ahead : q;
    if (linearized) for (let k = 0; k < 5 * count; k++) places[k] = q[k] + h * v[k];
    this.pushed?.begin(h, system.values !== null);
    this.contacts.add(this.#state, places, columnStart, h, system, this.pushed);
    this.edges.add(this.#state, places, columnStart, h, system, this.pushed);
    this.pushed?.end();
  }

  /** Whether contacts came out other than the last system had them, such that a node is off by more than `tolerance` [m]. */
  isOther(h: number, tolerance: number): boolean {
    if (!this.#hasBodies) return false;
    return this.contacts.isOther(this.#state, h, tolerance) || this.edges.isOther(this.#state, h, tolerance);
  }

  /** The step is accepted, and its loads are known. */
  endStep(): void {
    this.layers.endStep();
    if (!this.#hasBodies) return;
    this.#state.contact.fill(0);
    this.contacts.endStep(this.#state);
    this.edges.endStep(this.#state, this.contacts.bodyForce);
  }

  /** Whether a body that forces do not move pushed it in the last step. */
  get isOnStillBody(): boolean {
    const { obstacles, bodyForce } = this.contacts;
    for (let b = 0; b < obstacles.length; b++)
      if (obstacles[b].body.motion !== 'dynamic')
        for (let k = 6 * b; k < 6 * b + 6; k++) if (bodyForce[k] !== 0) return true;
    return false;
  }

  addEnergy(terms: EnergyTerms): void {
    if (!this.#hasBodies) return;
    this.contacts.addEnergy(this.#state, terms);
    this.edges.addEnergy(this.#state, terms);
  }

  writeState(writer: StateWriter): void {
    this.layers.writeState(writer);
    if (!this.#hasBodies) return;
    this.contacts.writeState(writer);
    this.edges.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.layers.readState(reader);
    if (!this.#hasBodies) return;
    this.contacts.readState(reader, this.#state.capacity);
    this.edges.readState(reader);
  }
}
