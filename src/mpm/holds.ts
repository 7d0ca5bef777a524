/**
 * What holds, pushes and pulls particles from outside: drivers and the hand.
 *
 *     u = B v̂            velocities of points of the material on the grid, Σ a Σᵢ w v̂ᵢ: of a particle (a = 1), or of a few with shares a
 *     v̂ = v̂* + M⁻¹Bᵀλ    impulses λ on them, which the grid spreads as it spreads the forces on particles
 *     held    u = V                                        V  what the driver says
 *     pulled  λ = h k (p − x − h u) − h c u                p  where the hand is     k, c  its stiffness and damping (`world/grab.ts`)
 *             u + λ/s = h k (p − x)/s,   s = h²k + hc
 *     pushed  λ = h f
 *     (B M⁻¹Bᵀ + 1/s) λ = V − B v̂*                         by conjugate gradients; 1/s = 0 where something is held
 *
 * Of all velocities of the grid that move what is held as it should this is the nearest in the norm of the mass: neighbours are free to move as far as the grid lets them. Linear and angular
 * momentum change by λ and x × λ, to rounding. What is left on the particle (its memory, its way to the centres of elements, what conjugate gradients left) is taken by `settle`:
 *     u ← V,  v ← V,      j = m (V − v) + m/n (V − u)
 * where n corners share an element: the particles at centres go along by 1/n, and all that have a corner there weigh together as much as the corner.
 *
 * Nodes of other models that are in the grid (`guests.ts`) have equations like that of the hand.
 */
import { grow } from '../math/index.ts';
import type { NodeField } from './collide.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';
import type { Guests } from './guests.ts';
import { findSplineBase, SPLINE_ROOM, writeSpline } from './spline.ts';
import { cornersOf, type PointGroup, type Points } from './state.ts';

/** Conjugate gradients end at this share of the first residual, or after so many iterations: what is left is settled on the particles. */
const TOLERANCE = 1e-9;
const MOST_ITERATIONS = 60;

/** Bulk has more particles than the grid has nodes: held ones are held so softly, by shares of what they would resist alone, that their equations have one solution. */
const BULK_SOFTNESS = 0.05;
/** What is left there is settled as well: there is no use in solving it further. */
const BULK_TOLERANCE = 1e-4;

/** `PointHolds.particle` of rows that hold none. */
export const HAND = -1;
export const GUEST = -2;
/** Share of a guest's weights that must be at nodes with mass. */
const COVERED = 0.5;
/** A guest whose continuum's mass has a slope of less than this, over mass and cell, has it all round. */
const ALL_ROUND = 0.3;

/** Where a particle is now. */
export type WritePlace = (p: number, out: Float64Array) => void;

/** out := product of a vector, 3 a row, of the rows of a set. */
export type RowProduct = (d: Float64Array, out: Float64Array, from: number, to: number) => void;

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
  /** First row of guests. */
  #firstGuest = 0;
  /** Direction from a guest to the continuum, 3 each; 0 where it is all round. */
  #towards = new Float64Array(0);
  readonly #points: Points;
  readonly #writePlace: WritePlace;
  /** Row of a particle + 1. */
  readonly #rowOf: Int32Array;
  /** Particles that are pushed, and forces, 3 each. */
  #pushCount = 0;
  #pushed = new Int32Array(0);
  #force = new Float64Array(0);
  /** Entries of rows, then of pushes: nodes from first[r] on, as numbers of `#node`, with their weights. */
  #first = new Int32Array(0);
  #entry = new Int32Array(0);
  #weight = new Float64Array(0);
  #entryCount = 0;
  /** Nodes that are reached: place in the arrays of the grid, 1/m; and for each node of the grid its number here + 1. */
  #nodeCount = 0;
  #node = new Int32Array(0);
  #inverse = new Float64Array(0);
  #value = new Float64Array(0);
  #mark = new Int32Array(0);
  /** Of nodes: the first row that reaches it. Of rows: one of the same set, and its number; rows by sets, and where these begin. */
  #owner = new Int32Array(0);
  #parent = new Int32Array(0);
  #setOf = new Int32Array(0);
  #order = new Int32Array(0);
  #setStart = new Int32Array(1);
  #sets = 0;
  /** Of rows, 3 each: λ and right-hand sides of the last equations. */
  lambda = new Float64Array(0);
  wanted = new Float64Array(0);
  /** Residual, direction, product, diagonal; and 1/s of a row. */
  #residual = new Float64Array(0);
  #direction = new Float64Array(0);
  #product = new Float64Array(0);
  #diagonal = new Float64Array(0);
  #softness = new Float64Array(0);
  readonly #weights = new Float64Array(3 * SPLINE_ROOM);
  readonly #slopes = new Float64Array(3 * SPLINE_ROOM);
  readonly #base = new Int32Array(3);
  readonly #slots = new Int32Array(8);
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

  /** Nothing is held or pushed any more; the hand stays. */
  beginStep(): void {
    for (let r = 0; r < this.count; r++) if (this.particle[r] >= 0) this.#rowOf[this.particle[r]] = 0;
    this.count = 0;
    this.#pushCount = 0;
  }

  /** Holds components of a particle (bits 1, 2, 4). */
  hold(p: number, bits: number): void {
    if (this.#rowOf[p] === 0) {
      this.#growRows(this.count + 2);
      const r = this.count++;
      this.particle[r] = p;
      this.bits[r] = 0;
      for (let k = 0; k < 3; k++) {
        this.velocity[3 * r + k] = 0;
        this.impulse[3 * r + k] = 0;
      }
      this.#rowOf[p] = r + 1;
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
    if (this.hand !== undefined) this.#addSoft(HAND);
    this.#firstGuest = this.count;
    if (this.guests === undefined) return;
    for (let g = 0; g < this.guests.count; g++) this.#addSoft(GUEST);
    if (this.#towards.length < 3 * this.guests.count) this.#towards = new Float64Array(6 * this.guests.count);
  }

  #addSoft(kind: number): void {
    this.#growRows(this.count + 1);
    const r = this.count++;
    this.particle[r] = kind;
    this.bits[r] = 7;
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
    for (let n = 0; n < this.#nodeCount; n++) this.#mark[this.#node[n] >> 2] = 0;
    this.#nodeCount = 0;
    this.#entryCount = 0;
    if (this.#mark.length < BLOCK_NODES * grid.blockCount)
      this.#mark = new Int32Array(Math.ceil(1.5 * BLOCK_NODES * grid.blockCount));
    const rows = this.count + this.#pushCount;
    if (this.#first.length < rows + 1) this.#first = new Int32Array(2 * rows + 1);
    for (let r = 0; r < rows; r++) {
      this.#first[r] = this.#entryCount;
      const p = r < this.count ? this.particle[r] : this.#pushed[r - this.count];
      if (p >= 0) this.#addParticle(grid, p, 1);
      else if (p === GUEST) this.#addGuest(grid, r);
      else if (this.hand !== undefined) {
        const { particles, shares } = this.hand;
        for (let n = 0; n < particles.length; n++) this.#addParticle(grid, particles[n], shares[n]);
      }
    }
    this.#first[rows] = this.#entryCount;
    this.#findSets();
  }

  /** Rows that share nodes, directly or through others, side by side. */
  #findSets(): void {
    const [parent, order] = [this.#parent, this.#order];
    const owner = this.#owner.fill(-1, 0, this.#nodeCount);
    const entry = this.#entry;
    for (let r = 0; r < this.count; r++) parent[r] = r;
    const rootOf = (row: number): number => {
      let root = row;
      while (parent[root] !== root) root = parent[root];
      return root;
    };
    for (let r = 0; r < this.count; r++)
      for (let at = this.#first[r]; at < this.#first[r + 1]; at++) {
        const n = entry[at];
        if (owner[n] < 0) owner[n] = r;
        else {
          const [a, b] = [rootOf(owner[n]), rootOf(r)];
          // the first row of a set stands for it
          parent[Math.max(a, b)] = Math.min(a, b);
        }
      }
    // a row's set is known before those that come later
    this.#sets = 0;
    for (let r = 0; r < this.count; r++) {
      const root = rootOf(r);
      if (root === r) this.#setOf[r] = this.#sets++;
      else this.#setOf[r] = this.#setOf[root];
    }
    this.#setStart.fill(0, 0, this.#sets + 1);
    for (let r = 0; r < this.count; r++) this.#setStart[this.#setOf[r] + 1]++;
    for (let n = 0; n < this.#sets; n++) this.#setStart[n + 1] += this.#setStart[n];
    for (let r = this.count - 1; r >= 0; r--) order[--this.#setStart[this.#setOf[r] + 1]] = r;
    for (let n = 0; n < this.#sets; n++) this.#setStart[n] = this.#setStart[n + 1];
    this.#setStart[this.#sets] = this.count;
  }

  /** Nodes of a guest that have mass, with weights of which the sum is 1, and where the continuum is; none where too few have. */
  #addGuest(grid: NodeField, r: number): void {
    const guests = this.guests!;
    const g = r - this.#firstGuest;
    for (let k = 0; k < 3; k++) this.#place[k] = guests.place[3 * g + k];
    const from = this.#entryCount;
    this.#addEntries(grid, 1);
    let [covered, mass, x, y, z] = [0, 0, 0, 0, 0];
    for (let at = from; at < this.#entryCount; at++) {
      const n = this.#entry[at];
      if (this.#inverse[n] === 0) {
        this.#weight[at] = 0;
        continue;
      }
      const w = this.#weight[at];
      const m = w / this.#inverse[n];
      const node = this.#node[n] >> 2;
      const [slot, inside] = [Math.floor(node / BLOCK_NODES), node % BLOCK_NODES];
      covered += w;
      mass += m;
      x += m * ((BLOCK_SIDE * grid.block[3 * slot] + (inside >> 4)) * grid.spacing - this.#place[0]);
      y += m * ((BLOCK_SIDE * grid.block[3 * slot + 1] + ((inside >> 2) & 3)) * grid.spacing - this.#place[1]);
      z += m * ((BLOCK_SIDE * grid.block[3 * slot + 2] + (inside & 3)) * grid.spacing - this.#place[2]);
    }
    if (covered < COVERED) {
      this.#entryCount = from;
      return;
    }
    for (let at = from; at < this.#entryCount; at++) this.#weight[at] /= covered;
    // Σ w m r is the slope of the mass times Σ w r²
    const length = Math.sqrt(x * x + y * y + z * z);
    const isRound = length < 0.25 * ALL_ROUND * mass * grid.spacing;
    this.#towards[3 * g] = isRound ? 0 : x / length;
    this.#towards[3 * g + 1] = isRound ? 0 : y / length;
    this.#towards[3 * g + 2] = isRound ? 0 : z / length;
  }

  #addParticle(grid: NodeField, p: number, share: number): void {
    this.#writePlace(p, this.#place);
    this.#addEntries(grid, share);
  }

  /** Nodes round a place, with their weights times a share. */
  #addEntries(grid: NodeField, share: number): void {
    const { degree, spacing } = grid;
    for (let axis = 0; axis < 3; axis++) {
      const X = this.#place[axis] / spacing;
      this.#base[axis] = findSplineBase(degree, X);
      writeSpline(degree, X, this.#base[axis], this.#weights, this.#slopes, SPLINE_ROOM * axis);
    }
    const width = degree + 1;
    this.#growEntries(width * width * width);
    const bi = this.#base[0];
    const bj = this.#base[1];
    const bk = this.#base[2];
    for (let n = 0; n < 8; n++)
      this.#slots[n] = grid.findSlot((bi >> 2) + (n >> 2), (bj >> 2) + ((n >> 1) & 1), (bk >> 2) + (n & 1));
    for (let i = 0; i < width; i++)
      for (let j = 0; j < width; j++)
        for (let k = 0; k < width; k++) {
          const a = (bi & 3) + i;
          const b = (bj & 3) + j;
          const c = (bk & 3) + k;
          const slot = this.#slots[4 * (a >> 2) + 2 * (b >> 2) + (c >> 2)];
          if (slot < 0) continue;
          const node = BLOCK_NODES * slot + BLOCK_SIDE * BLOCK_SIDE * (a & 3) + BLOCK_SIDE * (b & 3) + (c & 3);
          const weight = share * this.#weights[i] * this.#weights[SPLINE_ROOM + j] * this.#weights[2 * SPLINE_ROOM + k];
          this.#entry[this.#entryCount] = this.#numberOf(grid, node);
          this.#weight[this.#entryCount++] = weight;
        }
  }

  /** Number of a node of the grid among those that are reached. */
  #numberOf(grid: NodeField, node: number): number {
    if (this.#mark[node] > 0) return this.#mark[node] - 1;
    if (this.#nodeCount === this.#node.length) {
      const room = Math.max(64, 2 * this.#nodeCount);
      this.#node = grow(this.#node, room);
      this.#inverse = grow(this.#inverse, room);
      this.#value = grow(this.#value, 3 * room);
      this.#owner = new Int32Array(room);
    }
    const number = this.#nodeCount++;
    this.#node[number] = 4 * node;
    const m = grid.node[4 * node];
    this.#inverse[number] = m > 0 ? 1 / m : 0;
    this.#mark[node] = number + 1;
    return number;
  }

  /** Pushes and pulls: changes velocities of nodes, four numbers each, as forces over h seconds do. After `find`. */
  applyForces(v: Float64Array | Float32Array, h: number): void {
    this.#value.fill(0, 0, 3 * this.#nodeCount);
    for (let n = 0; n < this.#pushCount; n++)
      for (let at = this.#first[this.count + n]; at < this.#first[this.count + n + 1]; at++)
        for (let k = 0; k < 3; k++)
          this.#value[3 * this.#entry[at] + k] += this.#weight[at] * h * this.#force[3 * n + k];
    this.#addValues(v);
  }

  /** Holds what is held, or pulls what the hand has, or both, in velocities of nodes, four numbers each. After `find`. */
  apply(v: Float64Array | Float32Array, h: number, which: Which): void {
    this.want(v, h, which);
    this.solve(this.writeProduct);
    this.#value.fill(0, 0, 3 * this.#nodeCount);
    for (let r = 0; r < this.count; r++) this.#spread(r, this.lambda);
    this.#addValues(v);
    this.takeImpulses(1);
    if (which !== 'held') this.#moveGuests(h);
  }

  /** Guests go on with what they kept. */
  #moveGuests(h: number): void {
    const { guests, lambda } = this;
    if (guests === undefined) return;
    const { velocity, place, force, mass, impulse } = guests;
    for (let g = 0; g < guests.count; g++) {
      const r = this.#firstGuest + g;
      const isFree = this.#diagonal[3 * r] === 0;
      for (let k = 0; k < 3; k++) {
        const at = 3 * g + k;
        if (!isFree) velocity[at] += (h * force[at] - lambda[3 * r + k]) / mass[g];
        place[at] += h * velocity[at];
        impulse[at] += lambda[3 * r + k];
      }
    }
  }

  /** V + h F/m of a guest; false where it parts from the continuum. */
  #aimGuest(r: number, v: Float64Array | Float32Array, h: number): boolean {
    const guests = this.guests!;
    const g = r - this.#firstGuest;
    if (this.#first[r] === this.#first[r + 1]) return false;
    this.#softness[r] = 1 / guests.mass[g];
    let speed = 0;
    for (let k = 0; k < 3; k++) {
      const V = guests.velocity[3 * g + k] + (h * guests.force[3 * g + k]) / guests.mass[g];
      this.velocity[3 * r + k] = V;
      let u = 0;
      for (let at = this.#first[r]; at < this.#first[r + 1]; at++)
        u += this.#weight[at] * v[this.#node[this.#entry[at]] + k];
      speed += (u - V) * this.#towards[3 * g + k];
    }
    return speed <= 0;
  }

  /** λ of the equations that `want` wrote, by conjugate gradients: of rows that share nodes together, or of all where others answer for them. */
  solve(writeProduct: RowProduct, isOne = false): void {
    this.lambda.fill(0, 0, 3 * this.count);
    if (isOne) this.#solveRows(writeProduct, 0, this.count);
    else for (let n = 0; n < this.#sets; n++) this.#solveRows(writeProduct, this.#setStart[n], this.#setStart[n + 1]);
  }

  #solveRows(writeProduct: RowProduct, from: number, to: number): void {
    const { lambda } = this;
    const [r, d, q, diagonal] = [this.#residual, this.#direction, this.#product, this.#diagonal];
    const order = this.#order;
    let first = 0;
    let square = 0;
    let tolerance = TOLERANCE;
    for (let n = from; n < to; n++) if (this.#isBulk(order[n])) tolerance = BULK_TOLERANCE;
    for (let n = 3 * from; n < 3 * to; n++) {
      const k = 3 * order[(n / 3) | 0] + (n % 3);
      r[k] = diagonal[k] > 0 ? this.wanted[k] : 0;
      d[k] = diagonal[k] > 0 ? r[k] / diagonal[k] : 0;
      square += r[k] * d[k];
      first = Math.max(first, Math.abs(r[k]));
    }
    for (let iteration = 0; iteration < MOST_ITERATIONS && square > 0; iteration++) {
      writeProduct(d, q, from, to);
      let slope = 0;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        if (diagonal[k] === 0) q[k] = 0;
        slope += d[k] * q[k];
      }
      if (!(slope > 0)) break;
      const length = square / slope;
      let next = 0;
      let largest = 0;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        lambda[k] += length * d[k];
        r[k] -= length * q[k];
        if (diagonal[k] > 0) next += (r[k] * r[k]) / diagonal[k];
        largest = Math.max(largest, Math.abs(r[k]));
      }
      if (largest <= tolerance * first) break;
      for (let n = 3 * from; n < 3 * to; n++) {
        const k = 3 * order[(n / 3) | 0] + (n % 3);
        d[k] = (diagonal[k] > 0 ? r[k] / diagonal[k] : 0) + (next / square) * d[k];
      }
      square = next;
    }
  }

  /** Whether a row holds a particle of bulk. */
  #isBulk(r: number): boolean {
    return this.particle[r] >= 0 && this.particle[r] < this.#points.stressCount;
  }

  /** Notes sign · λ as impulses on what is held. */
  takeImpulses(sign: 1 | -1): void {
    for (let k = 0; k < 3 * this.count; k++) this.impulse[k] += sign * this.lambda[k];
  }

  /** Equations: V − B v of those asked for, and their diagonal, 0 where a component has none. */
  want(v: Float64Array | Float32Array, h: number, which: Which): void {
    const [entry, weight, inverse] = [this.#entry, this.#weight, this.#inverse];
    for (let r = 0; r < this.count; r++) {
      const isSoft = this.particle[r] < 0;
      let isAsked = which === 'both' || isSoft === (which === 'hand');
      this.#softness[r] = 0;
      if (this.particle[r] === HAND && this.hand !== undefined) this.#aimHand(r, this.hand, h);
      if (this.particle[r] === GUEST && isAsked) isAsked = this.#aimGuest(r, v, h);
      let diagonal = this.#softness[r];
      for (let at = this.#first[r]; at < this.#first[r + 1]; at++)
        diagonal += weight[at] * weight[at] * inverse[entry[at]];
      if (this.#isBulk(r)) {
        this.#softness[r] = BULK_SOFTNESS * diagonal;
        diagonal += this.#softness[r];
      }
      for (let k = 0; k < 3; k++) this.#diagonal[3 * r + k] = isAsked && (this.bits[r] & (1 << k)) !== 0 ? diagonal : 0;
    }
    this.measure(v, this.wanted);
    for (let k = 0; k < 3 * this.count; k++) this.wanted[k] = this.velocity[k] - this.wanted[k];
  }

  /** out := B v, 3 a row. */
  measure(v: Float64Array | Float32Array, out: Float64Array): void {
    const [first, entry, weight, node] = [this.#first, this.#entry, this.#weight, this.#node];
    for (let r = 0; r < this.count; r++)
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let at = first[r]; at < first[r + 1]; at++) sum += weight[at] * v[node[entry[at]] + k];
        out[3 * r + k] = sum;
      }
  }

  /** out := B M⁻¹ y, 3 a row, y four numbers a node. */
  measureResponse(y: Float64Array, out: Float64Array): void {
    const [first, entry, weight, node, inverse] = [this.#first, this.#entry, this.#weight, this.#node, this.#inverse];
    for (let r = 0; r < this.count; r++)
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let at = first[r]; at < first[r + 1]; at++) {
          const n = entry[at];
          sum += weight[at] * inverse[n] * y[node[n] + k];
        }
        out[3 * r + k] = sum;
      }
  }

  /** Whether a node, by its place in the arrays of the grid, is reached. */
  reaches(at: number): boolean {
    return this.#mark[at >> 2] > 0;
  }

  /** out += sign · Bᵀ λ, four numbers a node. */
  addTranspose(lambda: Float64Array, sign: 1 | -1, out: Float64Array): void {
    const [first, entry, weight, node] = [this.#first, this.#entry, this.#weight, this.#node];
    for (let r = 0; r < this.count; r++)
      for (let k = 0; k < 3; k++) {
        const impulse = sign * lambda[3 * r + k];
        if (impulse === 0) continue;
        for (let at = first[r]; at < first[r + 1]; at++) out[node[entry[at]] + k] += weight[at] * impulse;
      }
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
    const [first, entry, weight, inverse, order, softness] = [
      this.#first,
      this.#entry,
      this.#weight,
      this.#inverse,
      this.#order,
      this.#softness,
    ];
    const value = this.#value;
    for (let n = from; n < to; n++) {
      const r = order[n];
      for (let at = first[r]; at < first[r + 1]; at++) {
        const i = 3 * entry[at];
        value[i] = value[i + 1] = value[i + 2] = 0;
      }
    }
    for (let n = from; n < to; n++) this.#spread(order[n], d);
    for (let n = from; n < to; n++) {
      const r = order[n];
      const soft = softness[r];
      let x = soft * d[3 * r];
      let y = soft * d[3 * r + 1];
      let z = soft * d[3 * r + 2];
      for (let at = first[r]; at < first[r + 1]; at++) {
        const i = entry[at];
        const w = weight[at] * inverse[i];
        x += w * value[3 * i];
        y += w * value[3 * i + 1];
        z += w * value[3 * i + 2];
      }
      out[3 * r] = x;
      out[3 * r + 1] = y;
      out[3 * r + 2] = z;
    }
  };

  /** What Bᵀ λ of a row adds to the values of nodes. */
  #spread(r: number, lambda: Float64Array): void {
    const value = this.#value;
    const [first, entry, weight] = [this.#first, this.#entry, this.#weight];
    const x = lambda[3 * r];
    const y = lambda[3 * r + 1];
    const z = lambda[3 * r + 2];
    if (x === 0 && y === 0 && z === 0) return;
    for (let at = first[r]; at < first[r + 1]; at++) {
      const n = 3 * entry[at];
      value[n] += weight[at] * x;
      value[n + 1] += weight[at] * y;
      value[n + 2] += weight[at] * z;
    }
  }

  /** v += M⁻¹ of the values. */
  #addValues(v: Float64Array | Float32Array): void {
    const [node, inverse, value] = [this.#node, this.#inverse, this.#value];
    for (let n = 0; n < this.#nodeCount; n++)
      for (let k = 0; k < 3; k++) v[node[n] + k] += inverse[n] * value[3 * n + k];
  }

  /** What is left of the motion and velocity of held particles of a group, `motion` 3 a particle; `isCentred`: particles at centres of elements are yet to follow their corners. */
  settle(group: PointGroup, motion: Float64Array, isCentred: boolean): void {
    const { v, mass } = this.#points;
    for (let r = 0; r < this.count; r++) {
      const p = this.particle[r];
      if (p < 0 || !isOf(group, p)) continue;
      for (let k = 0; k < 3; k++) {
        if (!(this.bits[r] & (1 << k))) continue;
        const at = 3 * p + k;
        this.impulse[3 * r + k] += this.computeRest(
          group,
          p,
          mass[p],
          v[at],
          motion[at],
          this.velocity[3 * r + k],
          isCentred,
        );
        motion[at] = this.velocity[3 * r + k];
        v[at] = this.velocity[3 * r + k];
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
    this.#parent = new Int32Array(room);
    this.#setOf = new Int32Array(room);
    this.#order = new Int32Array(room);
    this.#setStart = new Int32Array(room + 1);
    this.#softness = new Float64Array(room);
    this.lambda = new Float64Array(3 * room);
    this.#residual = new Float64Array(3 * room);
    this.#direction = new Float64Array(3 * room);
    this.#product = new Float64Array(3 * room);
    this.#diagonal = new Float64Array(3 * room);
    this.wanted = new Float64Array(3 * room);
  }

  #growEntries(more: number): void {
    if (this.#entryCount + more <= this.#entry.length) return;
    const room = 2 * (this.#entryCount + more);
    this.#entry = grow(this.#entry, room);
    this.#weight = grow(this.#weight, room);
  }
}

/** Whether a particle is of a group. */
const isOf = ({ first, count, firstVertex, vertexCount }: PointGroup, p: number): boolean =>
  (p >= first && p < first + count) || (p >= firstVertex && p < firstVertex + vertexCount);
