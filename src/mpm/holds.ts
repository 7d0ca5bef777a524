/**
 * What holds, pushes and pulls particles from outside: drivers and the hand.
 *
 *     u = B v̂            velocities of points of the material on the grid (`grid-rows.ts`)
 *     v̂ = v̂* + M⁻¹Bᵀλ    impulses λ on them, which the grid spreads as it spreads the forces on particles
 *     held    u = V                                        V  what the driver says
 *     pulled  λ = h k (p − x − h u) − h c u                p  where the hand is     k, c  its stiffness and damping (`world/grab.ts`)
 *             u + λ/s = h k (p − x)/s,   s = h²k + hc
 *     pushed  λ = h f
 *     (B M⁻¹Bᵀ + 1/s) λ = V − B v̂*                         by conjugate gradients (`row-solve.ts`); 1/s = 0 where something is held
 *
 * Of all velocities of the grid that move what is held as it should this is the nearest in the norm of the mass: neighbours are free to move as far as the grid lets them. Linear and angular
 * momentum change by λ and x × λ, to rounding. What is left on the particle (its memory, its way to the centres of elements, what conjugate gradients left) is taken by `settle`:
 *     u ← V,  v ← V,      j = m (V − v) + m/n (V − u)
 * where n corners share an element: the particles at centres go along by 1/n, and all that have a corner there weigh together as much as the corner.
 *
 * Nodes of other models that are in the grid (`guests.ts`, `guest-rows.ts`) have equations like that of the hand.
 */
import { grow } from '../math/index.ts';
import type { NodeField } from './collide.ts';
import { GridRows } from './grid-rows.ts';
import { GuestFriction } from './guest-friction.ts';
import { GuestRows } from './guest-rows.ts';
import type { Guests } from './guests.ts';
import { RowSets } from './row-sets.ts';
import { type RowProduct, RowSolve } from './row-solve.ts';
import { cornersOf, type PointGroup, type Points } from './state.ts';

/** Conjugate gradients end at this share of the first residual: what is left is settled on the particles. */
const TOLERANCE = 1e-9;

/** Bulk has more particles than the grid has nodes: held ones are held so softly, by shares of what they would resist alone, that their equations have one solution. */
const BULK_SOFTNESS = 0.05;
/** What is left there is settled as well: there is no use in solving it further. */
const BULK_TOLERANCE = 1e-4;

/** `PointHolds.particle` of rows that hold none. */
export const HAND = -1;
export const GUEST = -2;

/** Where a particle is now. */
export type WritePlace = (p: number, out: Float64Array) => void;

/** Equations that are asked for. */
export type Which = 'held' | 'hand' | 'both';

/** Particles of the hand with their shares, where it pulls them to, and how. */
export interface HandGrip {
  readonly particles: Int32Array;
  /** Σ = 1 */
  readonly shares: Float64Array;
  readonly target: Float64Array;
  /** [N/m], [N s/m] */
  readonly stiffness: number;
  readonly damping: number;
}

export class PointHolds {
  /** Rows: particles that are held, then the hand, then guests. */
  count = 0;
  /** Particle of a row, −1 of the hand, −2 of guests; which of its components are held, and how fast they move, 3 each [m/s]. */
  particle = new Int32Array(0);
  bits = new Uint8Array(0);
  velocity = new Float64Array(0);
  /** Impulses on rows since `beginStep`, 3 each [N s]. */
  impulse = new Float64Array(0);
  hand: HandGrip | undefined;
  guests: Guests | undefined;
  readonly #points: Points;
  readonly #writePlace: WritePlace;
  /** Row of a particle + 1. */
  readonly #rowOf: Int32Array;
  /** Particles that are pushed, and forces, 3 each. */
  #pushCount = 0;
  #pushed = new Int32Array(0);
  #force = new Float64Array(0);
  /** B of the rows, then of pushes. */
  readonly #rows = new GridRows();
  readonly #sets = new RowSets();
  readonly #solver = new RowSolve();
  readonly #guestRows = new GuestRows();
  readonly #guestFriction = new GuestFriction();
  /** 1/s of a row. */
  #softness = new Float64Array(0);
  readonly #place = new Float64Array(3);
  readonly #middle = new Float64Array(3);

  constructor(points: Points, writePlace: WritePlace) {
    this.#points = points;
    this.#writePlace = writePlace;
    this.#rowOf = new Int32Array(points.count);
  }

  /** Whether anything acts. */
  get isActive(): boolean {
    return this.count > 0 || this.#pushCount > 0 || this.hand !== undefined;
  }

  /** Whether anything is held. */
  get isHolding(): boolean {
    return this.count > 0 && this.particle[0] >= 0;
  }

  /** λ and right-hand sides of the last equations, 3 a row. */
  get lambda(): Float64Array {
    return this.#solver.lambda;
  }

  get wanted(): Float64Array {
    return this.#solver.wanted;
  }

  /** Nothing is held or pushed any more; the hand stays. */
  beginStep(): void {
    for (let r = 0; r < this.count; r++) if (this.particle[r] >= 0) this.#rowOf[this.particle[r]] = 0;
    this.count = 0;
    this.#pushCount = 0;
  }

  /** Holds components of a particle (bits 1, 2, 4). */
  hold(p: number, bits: number): void {
    if (this.#rowOf[p] === 0) {
      this.#addRow(p, 0);
      this.#rowOf[p] = this.count;
    }
    this.bits[this.#rowOf[p] - 1] |= bits;
  }

  /** How fast a held component moves [m/s]. */
  aim(p: number, k: number, speed: number): void {
    const row = this.#rowOf[p];
    if (row > 0) this.velocity[3 * (row - 1) + k] = speed;
  }

  /** Components of a particle that are held. */
  bitsOf(p: number): number {
    return this.#rowOf[p] > 0 ? this.bits[this.#rowOf[p] - 1] : 0;
  }

  /** Adds what held a particle since `beginStep` to out[at…], times a factor. */
  addImpulse(p: number, factor: number, out: Float64Array, at: number): void {
    const row = this.#rowOf[p] - 1;
    if (row >= 0) for (let k = 0; k < 3; k++) out[at + k] += factor * this.impulse[3 * row + k];
  }

  /** Pushes a particle with a force [N]. */
  push(p: number, force: ArrayLike<number>): void {
    if (this.#pushed.length === this.#pushCount) {
      this.#pushed = grow(this.#pushed, Math.max(16, 2 * this.#pushCount));
      this.#force = grow(this.#force, 3 * this.#pushed.length);
    }
    this.#pushed[this.#pushCount] = p;
    for (let k = 0; k < 3; k++) this.#force[3 * this.#pushCount + k] = force[k];
    this.#pushCount++;
  }

  /** The hand and guests have the last rows; once all that is held is known. */
  seal(): void {
    if (this.hand !== undefined) this.#addRow(HAND, 7);
    const guests = this.guests?.count ?? 0;
    this.#guestRows.begin(this.count, guests);
    for (let g = 0; g < guests; g++) this.#addRow(GUEST, 7);
  }

  #addRow(particle: number, bits: number): void {
    this.#growRows(this.count + 1);
    const r = this.count++;
    this.particle[r] = particle;
    this.bits[r] = bits;
    for (let k = 0; k < 3; k++) {
      this.velocity[3 * r + k] = 0;
      this.impulse[3 * r + k] = 0;
    }
  }

  /** The fastest that anything is moved [m/s]. */
  computeFastest(): number {
    let fastest = 0;
    for (let r = 0; r < this.count; r++) {
      let square = 0;
      for (let k = 0; k < 3; k++) if (this.bits[r] & (1 << k)) square += this.velocity[3 * r + k] ** 2;
      fastest = Math.max(fastest, square);
    }
    fastest = Math.sqrt(fastest);
    const { hand } = this;
    if (hand === undefined) return fastest;
    this.#writeMiddle(hand);
    const [x, y, z] = [0, 1, 2].map((k) => hand.target[k] - this.#middle[k]);
    return Math.max(fastest, (Math.sqrt(x * x + y * y + z * z) * hand.stiffness) / hand.damping);
  }

  /** Nodes that rows and pushes reach, of a sorted grid whose masses are known. */
  find(grid: NodeField): void {
    const count = this.count + this.#pushCount;
    const rows = this.#rows;
    rows.begin(grid, count);
    for (let r = 0; r < count; r++) {
      const p = r < this.count ? this.particle[r] : this.#pushed[r - this.count];
      if (p >= 0) this.#addParticle(grid, p, 1);
      else if (p === GUEST && this.guests !== undefined) this.#guestRows.add(rows, grid, this.guests, r);
      else if (this.hand !== undefined) {
        const { particles, shares } = this.hand;
        for (let n = 0; n < particles.length; n++) this.#addParticle(grid, particles[n], shares[n]);
      }
      rows.endRow();
    }
    this.#sets.find(rows, this.count);
  }

  #addParticle(grid: NodeField, p: number, share: number): void {
    this.#writePlace(p, this.#place);
    this.#rows.addPlace(grid, this.#place, share);
  }

  /** Pushes: changes velocities of nodes, four numbers each, as forces over h seconds do. After `find`. */
  applyForces(v: Float64Array | Float32Array, h: number): void {
    this.#rows.clear();
    for (let n = 0; n < this.#pushCount; n++) this.#rows.spread(this.count + n, this.#force, 3 * n, h);
    this.#rows.addSpread(v);
  }

  /** Holds what is held, or pulls what the hand has, or both, in velocities of nodes, four numbers each. After `find`. */
  apply(v: Float64Array | Float32Array, h: number, which: Which): void {
    const { lambda } = this;
    this.want(v, h, which);
    this.solve(this.writeProduct);
    this.#rows.clear();
    for (let r = 0; r < this.count; r++) this.#rows.spread(r, lambda, 3 * r, 1);
    if (which !== 'held') this.#limitFriction();
    this.#rows.addSpread(v);
    this.takeImpulses(1);
    if (which !== 'held' && this.guests !== undefined)
      this.#guestRows.move(this.guests, lambda, this.#solver.diagonal, h);
  }

  /** Guests that are not pressed firmly enough slide. */
  #limitFriction(): void {
    const friction = this.guests?.friction;
    if (friction === undefined) return;
    const { start, count, order } = this.#sets;
    for (let n = 0; n < count; n++)
      this.#guestFriction.limit(
        this.#rows,
        this.#solver,
        this.#softness,
        order,
        start[n],
        start[n + 1],
        friction,
        this.#guestRows.findNormal,
      );
  }

  /** λ of the equations that `want` wrote: of rows that share nodes together, or of all where others answer for them. */
  solve(writeProduct: RowProduct, isOne = false): void {
    const { start, count } = this.#sets;
    this.lambda.fill(0, 0, 3 * this.count);
    if (isOne) this.#solveRows(writeProduct, 0, this.count);
    else for (let n = 0; n < count; n++) this.#solveRows(writeProduct, start[n], start[n + 1]);
  }

  #solveRows(writeProduct: RowProduct, from: number, to: number): void {
    const { order } = this.#sets;
    let tolerance = TOLERANCE;
    for (let n = from; n < to; n++) if (this.#isBulk(order[n])) tolerance = BULK_TOLERANCE;
    this.#solver.solve(writeProduct, order, from, to, tolerance);
  }

  /** Whether a row holds a particle of bulk. */
  #isBulk(r: number): boolean {
    return this.particle[r] >= 0 && this.particle[r] < this.#points.stressCount;
  }

  /** Notes sign · λ as impulses on what is held. */
  takeImpulses(sign: 1 | -1): void {
    const { lambda } = this;
    for (let k = 0; k < 3 * this.count; k++) this.impulse[k] += sign * lambda[k];
  }

  /** Equations: V − B v of those asked for, and their diagonal, 0 where a component has none. */
  want(v: Float64Array | Float32Array, h: number, which: Which): void {
    const { wanted, diagonal } = this.#solver;
    for (let r = 0; r < this.count; r++) {
      const isSoft = this.particle[r] < 0;
      let isAsked = which === 'both' || isSoft === (which === 'hand');
      this.#softness[r] = 0;
      if (this.particle[r] === HAND && this.hand !== undefined) this.#aimHand(r, this.hand, h);
      if (this.particle[r] === GUEST && isAsked && this.guests !== undefined) {
        this.#softness[r] = this.#guestRows.softnessOf(this.guests, r);
        isAsked = this.#guestRows.aim(this.#rows, this.guests, r, v, h, this.velocity);
      }
      let own = this.#rows.computeDiagonal(r, this.#softness[r]);
      if (this.#isBulk(r)) {
        this.#softness[r] = BULK_SOFTNESS * own;
        own += this.#softness[r];
      }
      for (let k = 0; k < 3; k++) diagonal[3 * r + k] = isAsked && (this.bits[r] & (1 << k)) !== 0 ? own : 0;
    }
    this.measure(v, wanted);
    for (let k = 0; k < 3 * this.count; k++) wanted[k] = this.velocity[k] - wanted[k];
  }

  /** out := B v, 3 a row. */
  measure(v: Float64Array | Float32Array, out: Float64Array): void {
    this.#rows.measure(v, this.count, out);
  }

  /** out := B M⁻¹ y, 3 a row, y four numbers a node. */
  measureResponse(y: Float64Array, out: Float64Array): void {
    this.#rows.measureResponse(y, this.count, out);
  }

  /** Whether a node, by its place in the arrays of the grid, is reached. */
  reaches(at: number): boolean {
    return this.#rows.reaches(at);
  }

  /** out += sign · Bᵀ λ, four numbers a node. */
  addTranspose(lambda: Float64Array, sign: 1 | -1, out: Float64Array): void {
    this.#rows.addTranspose(lambda, this.count, sign, out);
  }

  #aimHand(r: number, hand: HandGrip, h: number): void {
    const s = h * h * hand.stiffness + h * hand.damping;
    this.#writeMiddle(hand);
    for (let k = 0; k < 3; k++)
      this.velocity[3 * r + k] = (h * hand.stiffness * (hand.target[k] - this.#middle[k])) / s;
    this.#softness[r] = 1 / s;
  }

  /** Where what the hand has is. */
  #writeMiddle({ particles, shares }: HandGrip): void {
    const middle = this.#middle.fill(0);
    for (let n = 0; n < particles.length; n++) {
      this.#writePlace(particles[n], this.#place);
      for (let k = 0; k < 3; k++) middle[k] += shares[n] * this.#place[k];
    }
  }

  /** out := (B M⁻¹Bᵀ + 1/s) d */
  readonly writeProduct: RowProduct = (d, out, from, to) => {
    this.#rows.writeProduct(d, this.#softness, this.#sets.order, from, to, out);
  };

  /** What is left of the motion and velocity of held particles of a group, `motion` 3 a particle; `isCentred`: particles at centres of elements are yet to follow their corners. */
  settle(group: PointGroup, motion: Float64Array, isCentred: boolean): void {
    const { v, mass } = this.#points;
    for (let r = 0; r < this.count; r++) {
      const p = this.particle[r];
      if (p < 0 || !isOf(group, p)) continue;
      for (let k = 0; k < 3; k++) {
        if (!(this.bits[r] & (1 << k))) continue;
        const at = 3 * p + k;
        const V = this.velocity[3 * r + k];
        this.impulse[3 * r + k] += this.computeRest(group, p, mass[p], v[at], motion[at], V, isCentred);
        motion[at] = V;
        v[at] = V;
      }
    }
  }

  /** j that makes V of a component of a particle that has v and moves with u. */
  computeRest(group: PointGroup, p: number, m: number, v: number, u: number, V: number, isCentred: boolean): number {
    const n = cornersOf(group);
    return m * (V - v) + (isCentred && n > 0 && p >= this.#points.stressCount ? (m / n) * (V - u) : 0);
  }

  #growRows(rows: number): void {
    if (this.particle.length >= rows) return;
    const room = Math.max(16, 2 * rows);
    this.particle = grow(this.particle, room);
    this.bits = grow(this.bits, room);
    this.velocity = grow(this.velocity, 3 * room);
    this.impulse = grow(this.impulse, 3 * room);
    this.#softness = new Float64Array(room);
    this.#sets.reserve(room);
    this.#solver.reserve(room);
  }
}

/** Whether a particle is of a group. */
const isOf = ({ first, count, firstVertex, vertexCount }: PointGroup, p: number): boolean =>
  (p >= first && p < first + count) || (p >= firstVertex && p < firstVertex + vertexCount);
