/**
 * Dynamic bodies that the grid pushes while it steps: a body has its own velocity in every substep, and nodes meet the velocity that it has after them.
 *
 *     M (V − V*) = −Σ Gᵢᵀ jᵢ(V),      V = (v of the centre of mass, ω),   V* = V + h (g, 0),   Gᵢ V = v + ω × rᵢ,  rᵢ = xᵢ − c
 *     jᵢ(V)   impulse that the node i gets from a body that moves with Gᵢ V, the node alone (`ObstacleSet`)
 *
 * A node does not know of the others but through V, so six equations are solved, however many nodes there are and whatever weighs more. Newton, with u = v̂ᵢ − Gᵢ V:
 *     (M + Σ mᵢ Gᵢᵀ Aᵢ Gᵢ) δ = M (V* − V) − Σ Gᵢᵀ jᵢ,       A = −∂j/∂u/m
 *     sticky, or held by friction  A = I      slip, or pressed  A = n nᵀ      sliding besides  + s (I − n nᵀ − t tᵀ) − μ t nᵀ,   t = u_t/‖u_t‖, s = μ |uₙ|/‖u_t‖
 * In the end V is what the very impulses make of V*, so that linear and angular momentum of bodies and particles are kept to round-off, converged or not.
 *   M  mass and inertia about the centre, at the start of the substep; the spin M_ω ω is kept while the body turns
 * In implicit steps V is among the unknowns (`implicit.ts`).
 * A body is where it is at the start of a substep, and moves on with V (`advance`). `begin` remembers where bodies are, `end` takes them back there: their own
 * model then makes the step of the world, with the impulses that the grid gave.
 */
import type { Body } from '../bodies/index.ts';
import { inverseMat3 } from '../math/index.ts';

/** Newton's iterations of one body; beyond the first ones friction is taken without its change. */
export const MOST_BODY_ITERATIONS = 30;
export const EXACT_BODY_ITERATIONS = 12;

/** Numbers of one body in `PushedBodies.kept`: position, orientation, velocity, angular velocity. */
const KEPT = 13;

export class PushedBodies {
  readonly bodies: readonly Body[];
  /** Whether bodies are pushed now, between `begin` and `end`. */
  isActive = false;
  /** 1 where a body is dynamic. */
  readonly isDynamic: Uint8Array;
  /** V and V* of bodies, 6 each; c, 3 each. */
  readonly twist: Float64Array;
  readonly target: Float64Array;
  readonly centre: Float64Array;
  /** M_ω and its inverse, nine numbers each; the spin, 3 each [kg m²/s]. */
  readonly inertia: Float64Array;
  readonly #inverse: Float64Array;
  readonly #spin: Float64Array;
  readonly #kept: Float64Array;
  readonly #matrix = new Float64Array(9);
  readonly #other = new Float64Array(9);
  readonly #triple = new Float64Array(3);
  /** The six equations: 6 × 7, right-hand side last; and their solution. */
  readonly system = new Float64Array(42);
  readonly solution = new Float64Array(6);

  constructor(bodies: readonly Body[]) {
    const count = bodies.length;
    this.bodies = bodies;
    this.isDynamic = Uint8Array.from(bodies, (body) => (body.motion === 'dynamic' ? 1 : 0));
    this.twist = new Float64Array(6 * count);
    this.target = new Float64Array(6 * count);
    this.centre = new Float64Array(3 * count);
    this.inertia = new Float64Array(9 * count);
    this.#inverse = new Float64Array(9 * count);
    this.#spin = new Float64Array(3 * count);
    this.#kept = new Float64Array(KEPT * count);
  }

  /** Bodies are pushed from now on, from where they are. */
  begin(): void {
    this.isActive = false;
    for (let b = 0; b < this.bodies.length; b++) {
      if (this.isDynamic[b] === 0) continue;
      this.isActive = true;
      const body = this.bodies[b];
      const at = KEPT * b;
      for (let k = 0; k < 3; k++) {
        this.#kept[at + k] = body.position[k];
        this.#kept[at + 7 + k] = body.velocity[k];
        this.#kept[at + 10 + k] = body.angularVelocity[k];
      }
      for (let k = 0; k < 4; k++) this.#kept[at + 3 + k] = body.orientation[k];
      this.#writeInertia(b);
      const [I, w] = [this.inertia, body.angularVelocity];
      for (let k = 0; k < 3; k++) {
        const row = 9 * b + 3 * k;
        this.#spin[3 * b + k] = I[row] * w[0] + I[row + 1] * w[1] + I[row + 2] * w[2];
      }
    }
  }

  /** Bodies are back where they were at `begin`, with the velocities of then. */
  end(): void {
    if (!this.isActive) return;
    this.isActive = false;
    for (let b = 0; b < this.bodies.length; b++) {
      if (this.isDynamic[b] === 0) continue;
      const body = this.bodies[b];
      const at = KEPT * b;
      for (let k = 0; k < 3; k++) {
        body.position[k] = this.#kept[at + k];
        body.velocity[k] = this.#kept[at + 7 + k];
        body.angularVelocity[k] = this.#kept[at + 10 + k];
      }
      for (let k = 0; k < 4; k++) body.orientation[k] = this.#kept[at + 3 + k];
    }
  }

  /** V* of all bodies for a substep of h seconds; V starts there. */
  predict(h: number, gravity: readonly [number, number, number]): void {
    for (let b = 0; b < this.bodies.length; b++) {
      if (this.isDynamic[b] === 0) continue;
      const body = this.bodies[b];
      this.#writeInertia(b);
      const c = body.centreOfMass;
      body.writeCentreVelocity(this.#triple);
      for (let k = 0; k < 3; k++) {
        this.centre[3 * b + k] = c[k];
        this.target[6 * b + k] = this.#triple[k] + h * gravity[k];
        this.target[6 * b + 3 + k] = this.#turn(b, k, this.#spin, 3 * b);
      }
      for (let k = 0; k < 6; k++) this.twist[6 * b + k] = this.target[6 * b + k];
    }
  }

  /** The six equations of a body at V, without contacts: M | M (V* − V). */
  writeSystem(b: number): void {
    const { system, target, twist, inertia } = this;
    const { mass } = this.bodies[b];
    system.fill(0);
    for (let k = 0; k < 3; k++) {
      system[8 * k] = mass;
      system[7 * k + 6] = mass * (target[6 * b + k] - twist[6 * b + k]);
      for (let j = 0; j < 3; j++) {
        const I = inertia[9 * b + 3 * k + j];
        system[7 * (3 + k) + 3 + j] = I;
        system[7 * (3 + k) + 6] += I * (target[6 * b + 3 + j] - twist[6 * b + 3 + j]);
      }
    }
  }

  /** out[first + 6 b…] := M X of a body, X at x[first + 6 b…]; of one that is not dynamic X itself. */
  writeProduct(b: number, x: Float64Array, out: Float64Array, first: number): void {
    const at = first + 6 * b;
    const I = this.inertia;
    for (let k = 0; k < 3; k++) {
      const row = 9 * b + 3 * k;
      const isFree = this.isDynamic[b] === 1;
      out[at + k] = isFree ? this.bodies[b].mass * x[at + k] : x[at + k];
      out[at + 3 + k] = isFree ? I[row] * x[at + 3] + I[row + 1] * x[at + 4] + I[row + 2] * x[at + 5] : x[at + 3 + k];
    }
  }

  /** Solves the six equations and corrects V; returns how far a point within `reach` of the centre changes its velocity [m/s]. */
  correct(b: number, reach: number): number {
    const x = solveSix(this.system, this.solution);
    for (let k = 0; k < 6; k++) this.twist[6 * b + k] += x[k];
    const turn = Math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
    return Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + reach * turn;
  }

  /** V := what the impulse `total` on a body makes of V*: linear, and about its centre. */
  setTwist(b: number, total: Float64Array): void {
    const { mass } = this.bodies[b];
    for (let k = 0; k < 3; k++) {
      this.twist[6 * b + k] = this.target[6 * b + k] + total[k] / mass;
      this.twist[6 * b + 3 + k] = this.target[6 * b + 3 + k] + this.#turn(b, k, total, 3);
    }
  }

  /** Bodies move on for h seconds with the V that `impulse` makes of V*: what they got, 6 each, linear and about the origin. */
  advance(h: number, impulse: Float64Array): void {
    const v = this.#triple;
    const w = this.#other;
    const c = this.centre;
    for (let b = 0; b < this.bodies.length; b++) {
      if (this.isDynamic[b] === 0) continue;
      const body = this.bodies[b];
      const at = 6 * b;
      for (let k = 0; k < 3; k++) {
        const i = (k + 1) % 3;
        const j = (k + 2) % 3;
        v[k] = this.target[at + k] + impulse[at + k] / body.mass;
        this.#spin[3 * b + k] +=
          impulse[at + 3 + k] - (c[3 * b + i] * impulse[at + j] - c[3 * b + j] * impulse[at + i]);
      }
      for (let k = 0; k < 3; k++) w[k] = this.#turn(b, k, this.#spin, 3 * b);
      body.setCentreVelocity(v, w);
      body.advance(h);
      // the spin stays, so the turn changes
      this.#writeInertia(b);
      for (let k = 0; k < 3; k++) w[k] = this.#turn(b, k, this.#spin, 3 * b);
      body.setCentreVelocity(v, w);
    }
  }

  /** Component k of M_ω⁻¹ s, s at s[at…]. */
  #turn(b: number, k: number, s: Float64Array, at: number): number {
    const row = 9 * b + 3 * k;
    const I = this.#inverse;
    return I[row] * s[at] + I[row + 1] * s[at + 1] + I[row + 2] * s[at + 2];
  }

  #writeInertia(b: number): void {
    this.bodies[b].writeWorldInertia(this.#matrix);
    for (let k = 0; k < 9; k++) this.inertia[9 * b + k] = this.#matrix[k];
    inverseMat3(this.#matrix, this.#other);
    for (let k = 0; k < 9; k++) this.#inverse[9 * b + k] = this.#other[k];
  }
}

/** x of six equations, 6 × 7 with the right-hand side last, which are overwritten: elimination with pivots. */
export const solveSix = (a: Float64Array, x: Float64Array): Float64Array => {
  for (let column = 0; column < 6; column++) {
    let pivot = column;
    for (let row = column + 1; row < 6; row++)
      if (Math.abs(a[7 * row + column]) > Math.abs(a[7 * pivot + column])) pivot = row;
    if (pivot !== column)
      for (let k = column; k < 7; k++) {
        const kept = a[7 * column + k];
        a[7 * column + k] = a[7 * pivot + k];
        a[7 * pivot + k] = kept;
      }
    for (let row = column + 1; row < 6; row++) {
      const share = a[7 * row + column] / a[7 * column + column];
      for (let k = column; k < 7; k++) a[7 * row + k] -= share * a[7 * column + k];
    }
  }
  for (let row = 5; row >= 0; row--) {
    let sum = a[7 * row + 6];
    for (let k = row + 1; k < 6; k++) sum -= a[7 * row + k] * x[k];
    x[row] = sum / a[7 * row + row];
  }
  return x;
};
