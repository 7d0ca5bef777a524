/**
 * Dynamic bodies that a fabric pushes. Contact, friction and edges are energies V(x − p) of a node's place against that of a point of the body, so they act on both, and
 * nodes and bodies are unknowns of one system:
 *
 *     δp = J (δc, δθ),   J = [I, −[a]×],   a = x − c        c  centre of mass        (δc, δθ) its six velocities
 *     body   r += h Jᵀ∇V,  D += h² Jᵀ H J          node   A += h² H  (`node-term.ts`)          both   B −= h² H J
 *
 * Every force is there twice with opposite signs and one line of action, so that momentum is kept to the accuracy of the linear solve in every iterate; a light body is no less
 * stable than a heavy one. The change of J with the turn is left out of the matrix. B goes to the net's border, D and r to the bodies' parts, which come after the fabric in the
 * world: the line search of the fabric moves them along, and they take the same share of the correction.
 */
import type { Body, RigidBody } from '../bodies/index.ts';
import type { ConstraintRows, Coupling, NetBorder } from '../model/index.ts';
import type { FabricState } from './state.ts';
import type { FabricTerm } from './term.ts';

export class PushedBodies implements Coupling {
  /** Whether a stage has just begun, so that its bodies stand where it starts. */
  isFirst = false;
  readonly #bodies: readonly { readonly model: RigidBody; readonly part: number }[];
  /** By obstacle: its place among the bodies, −1 for those that forces do not move. */
  readonly #place: readonly number[];
  readonly #border: NetBorder;
  readonly #state: FabricState;
  /** Of the last system: D, 36 a body, and what the fabric adds to r, 6 a body. */
  readonly #stiffness: Float64Array;
  readonly #force: Float64Array;
  /** r of the last system, whole. */
  readonly #gradient: Float64Array;
  /** Impulses of rows on the bodies in the last solve, 6 a body: ties and contacts of others. */
  readonly #pull: Float64Array;
  readonly #centre: Float64Array;
  readonly #own = new Float64Array(6);
  /** 3 × 6, and H J of one row. */
  readonly #J = new Float64Array(18);
  readonly #HJ = new Float64Array(24);
  #hasMatrix = false;

  /** `roughness`: correction of the fabric that is small enough [m]. */
  constructor(
    state: FabricState,
    border: NetBorder,
    obstacles: readonly { readonly body: Body }[],
    bodies: readonly { readonly model: RigidBody; readonly part: number }[],
    roughness: number,
  ) {
    this.#state = state;
    this.#border = border;
    this.#bodies = bodies;
    this.#place = obstacles.map(({ body }) => bodies.findIndex(({ model }) => model.body === body));
    this.#stiffness = new Float64Array(36 * bodies.length);
    this.#force = new Float64Array(6 * bodies.length);
    this.#gradient = new Float64Array(6 * bodies.length);
    this.#pull = new Float64Array(6 * bodies.length);
    this.#centre = new Float64Array(3 * bodies.length);
    for (const { model } of bodies)
      model.roughness = model.roughness > 0 ? Math.min(model.roughness, roughness) : roughness;
  }

  /** Before a system is written. Bodies stand where the iterate has them; in a first iteration they go where their velocities lead. */
  begin(h: number, hasMatrix: boolean): void {
    this.#hasMatrix = hasMatrix;
    this.#force.fill(0);
    for (let b = 0; b < this.#bodies.length; b++) {
      const { model } = this.#bodies[b];
      if (this.isFirst) model.preview(h, 0);
      this.#centre.set(model.body.centreOfMass, 3 * b);
    }
    if (!hasMatrix) return;
    this.#stiffness.fill(0);
    this.#border.clear();
  }

  end(): void {
    if (this.isFirst) for (const { model } of this.#bodies) model.restartStage();
  }

  /** A term of node i with obstacle o, at its place q[5i…]; `u`: which of its coordinates is the fourth of the term. */
  add({ size, gradient: g, hessian }: FabricTerm, q: Float64Array, i: number, u: number, o: number, h: number): void {
    const b = this.#place[o];
    if (b < 0) return;
    const [J, HJ, D, border] = [this.#J, this.#HJ, this.#stiffness, this.#border];
    const ax = q[5 * i] - this.#centre[3 * b];
    const ay = q[5 * i + 1] - this.#centre[3 * b + 1];
    const az = q[5 * i + 2] - this.#centre[3 * b + 2];
    const force = this.#force;
    for (let k = 0; k < 3; k++) force[6 * b + k] += h * g[k];
    force[6 * b + 3] += h * (ay * g[2] - az * g[1]);
    force[6 * b + 4] += h * (az * g[0] - ax * g[2]);
    force[6 * b + 5] += h * (ax * g[1] - ay * g[0]);
    if (!this.#hasMatrix) return;
    J[0] = J[7] = J[14] = 1;
    J[4] = az;
    J[5] = -ay;
    J[9] = -az;
    J[11] = ax;
    J[15] = ay;
    J[16] = -ax;
    for (let r = 0; r < size; r++)
      for (let c = 0; c < 6; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += hessian[size * r + k] * J[6 * k + c];
        HJ[6 * r + c] = h * h * sum;
      }
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < 6; c++) D[36 * b + 6 * r + c] += J[r] * HJ[c] + J[6 + r] * HJ[6 + c] + J[12 + r] * HJ[12 + c];
    const at = border.add(i, this.#bodies[b].part);
    const held = this.#state.cancelled[i];
    for (let r = 0; r < size; r++) {
      const row = r < 3 ? r : u;
      if (!(held & (1 << row))) for (let c = 0; c < 6; c++) border.value[at + 6 * row + c] -= HJ[6 * r + c];
    }
  }

  /** Gives the bodies, whose parts are assembled by now, their share of the system. */
  addRows(): void {
    for (let b = 0; b < this.#bodies.length; b++) {
      const { matrix, rhs } = this.#bodies[b].model.part;
      for (let k = 0; k < 36; k++) matrix.bands[0][k] += this.#stiffness[36 * b + k];
      for (let k = 0; k < 6; k++) rhs[k] += this.#force[6 * b + k];
      this.#gradient.set(rhs.subarray(0, 6), 6 * b);
    }
  }

  /** Takes note of what rows pull the bodies with: loads of what Newton minimises. */
  preview(rows: ConstraintRows): void {
    this.#pull.fill(0);
    for (let row = 0; row < rows.count; row++)
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++)
        for (let b = 0; b < this.#bodies.length; b++)
          if (this.#bodies[b].part === rows.part[e])
            this.#pull[6 * b + rows.coordinate[e]] += rows.value[e] * rows.multiplier[row];
  }

  /** How fast what Newton minimises falls along the bodies' correction, at its start. */
  computeStartSlope(): number {
    let sum = 0;
    for (let b = 0; b < this.#bodies.length; b++)
      for (let k = 0; k < 6; k++)
        sum += (this.#gradient[6 * b + k] + this.#pull[6 * b + k]) * this.#bodies[b].model.part.rhs[k];
    return sum;
  }

  /** Moves the bodies by a share of their correction, to look at. */
  moveAhead(h: number, share: number): void {
    for (const { model } of this.#bodies) model.preview(h, share);
  }

  /** The slope where `moveAhead` has the bodies, with the forces of the last system there. */
  computeSlope(h: number): number {
    const own = this.#own;
    let sum = 0;
    for (let b = 0; b < this.#bodies.length; b++) {
      const { model } = this.#bodies[b];
      model.writeResidual(h, own);
      for (let k = 0; k < 6; k++) sum += (own[k] + this.#force[6 * b + k] + this.#pull[6 * b + k]) * model.part.rhs[k];
    }
    return sum;
  }

  /** The bodies will take a share of their correction. */
  shorten(share: number): void {
    for (const { model } of this.#bodies) for (let k = 0; k < 6; k++) model.part.rhs[k] *= share;
  }

  adapt(): void {}
  beginStep(): void {}
  rollBack(): void {}
  clearForces(): void {}
  takeMultipliers(_rows: ConstraintRows): void {}

  revise(): boolean {
    return false;
  }

  findFault(): string | null {
    return null;
  }

  wantsRetry(): boolean {
    return false;
  }

  endStep(): void {}
  writeState(): void {}
  readState(): void {}
}
