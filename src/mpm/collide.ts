/**
 * Bodies hold the grid: nodes inside one get the velocity that it allows.   [Jiang 2017, §5; Stomakhin 2013, §8]
 *
 *     v_rel = v̂ − v_body,  vₙ = v_rel · n,  n away from the body
 *     sticky      v_rel = 0
 *     slip        v_rel −= vₙ n
 *     separate    vₙ ≥ 0: free;  else v_rel −= vₙ n, and what is left loses μ |vₙ| (Coulomb), at most all of it
 *
 * What the body gives to the nodes, j = m δv, it gets back as an impulse: `impulse`, 6 a body, linear and about the origin. Dynamic bodies move with what they get
 * between `begin` and `end` (`pushed-bodies.ts`). There a node that is inside several bodies is asked again by each of them, body after body, until nothing changes.
 */
import type { Body } from '../bodies/index.ts';
import { grow } from '../math/index.ts';
import { BLOCK_MIDDLE, BLOCK_NODES, BLOCK_REACH, BLOCK_SIDE } from './grid.ts';
import { HeldSurface } from './held-surface.ts';
import { EXACT_BODY_ITERATIONS, MOST_BODY_ITERATIONS, PushedBodies } from './pushed-bodies.ts';
import { RestingSurface } from './resting-surface.ts';
import type { SplineDegree } from './spline.ts';

/**
 * How often every body is asked, and what a node may change in a last sweep, or a body in a last iteration, in cells a step. Two bodies that rub the same nodes take some 50 sweeps,
 * and up to 300 where they are a thousandth as heavy as these.
 */
const MOST_SWEEPS = 300;
const TOLERANCE = 1e-9;
/** What a node in single precision may change besides, as a share of its velocity with and without bodies: four times what rounding does. */
const SINGLE_TOLERANCE = 2 ** -22;

export const BODY_CONDITIONS = ['sticky', 'slip', 'separate'] as const;
export type BodyCondition = (typeof BODY_CONDITIONS)[number];

export interface PointObstacle {
  readonly body: Body;
  /** Default separate. */
  readonly condition?: BodyCondition | undefined;
  /** μ [1] of `separate`. Default the body's, or 0. */
  readonly friction?: number | undefined;
  /** How far outside its surface it holds nodes [m], default 0. Cloth on a flat floor lies −0.1 to 0.7 Δx over it with 0, 0.4 to 1.2 with half of Δx; on round bodies deeper. */
  readonly margin?: number | undefined;
}

/** What bodies need of a grid: mass at `node`[at], velocity at `moved`[at…], at = 4 (64 slot + node). */
export interface NodeField {
  readonly spacing: number;
  readonly degree: SplineDegree;
  readonly blockCount: number;
  /** Block coordinates, 3 a slot. */
  readonly block: Int32Array;
  readonly node: Float64Array | Float32Array;
  readonly moved: Float64Array | Float32Array;
  /** The slot of a block, −1 where there is none. */
  findSlot(i: number, j: number, k: number): number;
}

export class ObstacleSet {
  readonly obstacles: readonly PointObstacle[];
  /** Impulse on each body in the last step: linear [N s], then angular about the origin [N m s]. */
  readonly impulse: Float64Array;
  /** Nodes inside bodies, by body: how many, place in the grid's arrays, index of the body; normal, body's velocity and place of the node, 3 each. */
  count = 0;
  node = new Int32Array(0);
  body = new Int32Array(0);
  normal = new Float64Array(0);
  velocity = new Float64Array(0);
  place = new Float64Array(0);
  /** First contact of each body, and the end. */
  readonly start: Int32Array;
  /** How often every body was asked in the last explicit step. */
  sweeps = 0;
  /** j of every contact, 3 each [N s], of steps that push bodies. */
  given = new Float64Array(0);
  readonly pushed: PushedBodies;
  /** Impulse of a node and its velocity after it; sum over nodes of a body, about its centre. */
  readonly #j = new Float64Array(3);
  readonly #after = new Float64Array(3);
  readonly #total = new Float64Array(6);
  readonly #slope = new Float64Array(9);
  readonly #arm = new Float64Array(3);
  readonly #place = new Float64Array(3);
  readonly #surface = new Float64Array(4);
  readonly #velocity = new Float64Array(3);
  /** Bodies that rest, and those that deform: their distances are kept; and the entry of each contact with one that deforms. */
  readonly #resting: readonly (RestingSurface | undefined)[];
  readonly #held: readonly (HeldSurface | undefined)[];
  #entry = new Int32Array(0);

  constructor(obstacles: readonly PointObstacle[]) {
    this.obstacles = obstacles;
    this.impulse = new Float64Array(6 * obstacles.length);
    this.start = new Int32Array(obstacles.length + 1);
    this.#resting = obstacles.map(({ body, margin = 0 }) =>
      body.motion === 'static' ? new RestingSurface(body, margin) : undefined,
    );
    this.#held = obstacles.map(({ body, margin = 0 }) =>
      body.shape.deformation !== undefined && body.track === undefined
        ? new HeldSurface(body, body.shape.deformation, margin)
        : undefined,
    );
    this.pushed = new PushedBodies(obstacles.map(({ body }) => body));
  }

  /** From now on dynamic bodies move with what nodes give them, and with gravity. */
  begin(): void {
    this.pushed.begin();
  }

  /** Dynamic bodies are back where they were at `begin`. */
  end(): void {
    this.pushed.end();
  }

  /** Moves dynamic bodies that are pushed; after `apply`. */
  advance(h: number): void {
    if (this.pushed.isActive) this.pushed.advance(h, this.impulse);
  }

  /** What a body does to the nodes inside it. */
  conditionOf(index: number): BodyCondition {
    return this.obstacles[index].condition ?? 'separate';
  }

  frictionOf(index: number): number {
    return this.obstacles[index].friction ?? this.obstacles[index].body.friction ?? 0;
  }

  /** Finds all nodes with mass that are inside bodies. */
  find(grid: NodeField): void {
    this.count = 0;
    for (let index = 0; index < this.obstacles.length; index++) {
      this.start[index] = this.count;
      const resting = this.#resting[index];
      const held = this.#held[index];
      if (resting !== undefined) this.#findResting(grid, index, resting);
      else if (held !== undefined) this.#findHeld(grid, index, held);
      else for (let slot = 0; slot < grid.blockCount; slot++) this.#findInBlock(grid, slot, index);
    }
    this.start[this.obstacles.length] = this.count;
  }

  /** Corrects `moved` of all nodes with mass, as an explicit step of h seconds does. */
  apply(grid: NodeField, h: number, gravity: readonly [number, number, number]): void {
    this.find(grid);
    this.impulse.fill(0);
    const { given } = this;
    given.fill(0, 0, 3 * this.count);
    if (!this.pushed.isActive) {
      for (let b = 0; b < this.obstacles.length; b++) this.#hold(grid, b);
      this.sweeps = 1;
      return;
    }
    this.pushed.predict(h, gravity);
    let touching = 0;
    for (let b = 0; b < this.obstacles.length; b++) if (this.start[b + 1] > this.start[b]) touching++;
    const sweeps = touching > 1 ? MOST_SWEEPS : 1;
    const tolerance = (TOLERANCE * grid.spacing) / h;
    let change = Number.POSITIVE_INFINITY;
    for (this.sweeps = 0; this.sweeps < sweeps && change > tolerance; this.sweeps++) {
      change = 0;
      for (let b = 0; b < this.obstacles.length; b++) {
        if (this.start[b + 1] === this.start[b]) continue;
        if (this.pushed.isDynamic[b] === 1) this.#push(grid, b, tolerance);
        for (let c = this.start[b]; c < this.start[b + 1]; c++) change = Math.max(change, this.#correct(grid, c));
        if (this.pushed.isDynamic[b] === 1) this.#settle(b);
      }
    }
    for (let c = 0; c < this.count; c++) this.addImpulse(c, given[3 * c], given[3 * c + 1], given[3 * c + 2]);
  }

  /** All nodes of a body that moves as it is told, once: what `#correct` and `addImpulse` do where nothing was given yet. */
  #hold(grid: NodeField, b: number): void {
    const { node, normal: n, velocity: u, given } = this;
    const { moved } = grid;
    const condition = this.conditionOf(b);
    const friction = this.frictionOf(b);
    for (let c = this.start[b]; c < this.start[b + 1]; c++) {
      const at = node[c];
      const o = 3 * c;
      const x = moved[at] - u[o];
      const y = moved[at + 1] - u[o + 1];
      const z = moved[at + 2] - u[o + 2];
      const normal = x * n[o] + y * n[o + 1] + z * n[o + 2];
      if (condition === 'separate' && normal >= 0) continue;
      const tx = x - normal * n[o];
      const ty = y - normal * n[o + 1];
      const tz = z - normal * n[o + 2];
      let lost = condition === 'sticky' ? 1 : 0;
      if (condition === 'separate') {
        const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
        lost = speed > 0 ? Math.min(1, (-friction * normal) / speed) : 1;
      }
      const m = grid.node[at];
      given[o] = m * (-lost * tx - normal * n[o]);
      given[o + 1] = m * (-lost * ty - normal * n[o + 1]);
      given[o + 2] = m * (-lost * tz - normal * n[o + 2]);
      moved[at] = u[o] + (1 - lost) * tx;
      moved[at + 1] = u[o + 1] + (1 - lost) * ty;
      moved[at + 2] = u[o + 2] + (1 - lost) * tz;
      this.addImpulse(c, given[o], given[o + 1], given[o + 2]);
    }
  }

  /** Finds the velocity that a dynamic body has after its nodes, and what they then meet. */
  #push(grid: NodeField, b: number, tolerance: number): void {
    const { pushed } = this;
    let reach = 0;
    for (let c = this.start[b]; c < this.start[b + 1]; c++) {
      this.#writeArm(b, c);
      const arm = this.#arm;
      reach = Math.max(reach, Math.sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]));
    }
    for (let iteration = 0; iteration < MOST_BODY_ITERATIONS; iteration++) {
      pushed.writeSystem(b);
      for (let c = this.start[b]; c < this.start[b + 1]; c++) {
        this.#meet(c);
        const m = grid.node[this.node[c]];
        this.#writeImpulse(grid, c, m, iteration < EXACT_BODY_ITERATIONS);
        this.#addEquations(b, c, m);
      }
      if (!(pushed.correct(b, reach) > tolerance)) break;
    }
    for (let c = this.start[b]; c < this.start[b + 1]; c++) this.#meet(c);
  }

  /** The velocity that V has at the node of a contact. */
  #meet(c: number): void {
    this.writeBodyVelocity(c, this.pushed.twist, 0, this.velocity);
  }

  /** r of a contact. */
  #writeArm(b: number, c: number): void {
    for (let k = 0; k < 3; k++) this.#arm[k] = this.place[3 * c + k] - this.pushed.centre[3 * b + k];
  }

  /** Gᵀ A G m into the equations of a body, and −Gᵀ j, of the contact that was asked last. */
  #addEquations(b: number, c: number, m: number): void {
    const { system } = this.pushed;
    this.#writeArm(b, c);
    const x = this.#arm[0];
    const y = this.#arm[1];
    const z = this.#arm[2];
    const j = this.#j;
    const A = this.#slope;
    system[6] -= j[0];
    system[13] -= j[1];
    system[20] -= j[2];
    system[27] -= y * j[2] - z * j[1];
    system[34] -= z * j[0] - x * j[2];
    system[41] -= x * j[1] - y * j[0];
    // G = [I, −[r]×]: column k of A G, then Gᵀ times it
    for (let k = 0; k < 6; k++) {
      const gx = k === 0 ? 1 : k === 4 ? z : k === 5 ? -y : 0;
      const gy = k === 1 ? 1 : k === 3 ? -z : k === 5 ? x : 0;
      const gz = k === 2 ? 1 : k === 3 ? y : k === 4 ? -x : 0;
      const ax = m * (A[0] * gx + A[1] * gy + A[2] * gz);
      const ay = m * (A[3] * gx + A[4] * gy + A[5] * gz);
      const az = m * (A[6] * gx + A[7] * gy + A[8] * gz);
      system[k] += ax;
      system[7 + k] += ay;
      system[14 + k] += az;
      system[21 + k] += y * az - z * ay;
      system[28 + k] += z * ax - x * az;
      system[35 + k] += x * ay - y * ax;
    }
  }

  /** V of a body from what its nodes really got. */
  #settle(b: number): void {
    const total = this.#total.fill(0);
    for (let c = this.start[b]; c < this.start[b + 1]; c++) this.addToBody(c, this.given, 3 * c, -1, total, -6 * b);
    this.pushed.setTwist(b, total);
  }

  /** V* of dynamic bodies that are pushed, V there, and what nodes meet. After `find`. */
  predict(h: number, gravity: readonly [number, number, number]): void {
    if (!this.pushed.isActive) return;
    this.pushed.predict(h, gravity);
    this.meetBodies();
  }

  /** What nodes meet at V of dynamic bodies. */
  meetBodies(): void {
    for (let c = 0; c < this.count; c++) if (this.isPushed(c)) this.#meet(c);
  }

  /** Whether the body of a contact moves with what nodes give it. */
  isPushed(c: number): boolean {
    return this.pushed.isActive && this.pushed.isDynamic[this.body[c]] === 1;
  }

  /** out[3 c…] := G V of the body's six numbers in V, from `first` on. */
  writeBodyVelocity(c: number, V: Float64Array, first: number, out: Float64Array): void {
    const at = first + 6 * this.body[c];
    this.#writeArm(this.body[c], c);
    const x = this.#arm[0];
    const y = this.#arm[1];
    const z = this.#arm[2];
    out[3 * c] = V[at] + V[at + 4] * z - V[at + 5] * y;
    out[3 * c + 1] = V[at + 1] + V[at + 5] * x - V[at + 3] * z;
    out[3 * c + 2] = V[at + 2] + V[at + 3] * y - V[at + 4] * x;
  }

  /** out, six numbers a body from `first` on, += sign Gᵀ j, j at j[at…]. */
  addToBody(c: number, j: Float64Array, at: number, sign: 1 | -1, out: Float64Array, first: number): void {
    const o = first + 6 * this.body[c];
    this.#writeArm(this.body[c], c);
    const x = this.#arm[0];
    const y = this.#arm[1];
    const z = this.#arm[2];
    out[o] += sign * j[at];
    out[o + 1] += sign * j[at + 1];
    out[o + 2] += sign * j[at + 2];
    out[o + 3] += sign * (y * j[at + 2] - z * j[at + 1]);
    out[o + 4] += sign * (z * j[at] - x * j[at + 2]);
    out[o + 5] += sign * (x * j[at + 1] - y * j[at]);
  }

  /** Gᵀ m G, or Gᵀ m n nᵀ G, into the six equations of the contact's body. */
  addHeldMass(c: number, m: number, isAll: boolean): void {
    const A = this.#slope;
    this.#j.fill(0);
    for (let k = 0; k < 9; k++)
      A[k] = isAll ? Number(k % 4 === 0) : this.normal[3 * c + Math.floor(k / 3)] * this.normal[3 * c + (k % 3)];
    this.#addEquations(this.body[c], c, m);
  }

  /** What the node of a contact got, its body loses. */
  addImpulse(c: number, x: number, y: number, z: number): void {
    const { impulse, place } = this;
    const at = 6 * this.body[c];
    impulse[at] -= x;
    impulse[at + 1] -= y;
    impulse[at + 2] -= z;
    impulse[at + 3] -= place[3 * c + 1] * z - place[3 * c + 2] * y;
    impulse[at + 4] -= place[3 * c + 2] * x - place[3 * c] * z;
    impulse[at + 5] -= place[3 * c] * y - place[3 * c + 1] * x;
  }

  /** Nodes inside a body that rests. */
  #findResting(grid: NodeField, index: number, resting: RestingSurface): void {
    const { body } = this.obstacles[index];
    const { spacing, block, node } = grid;
    const place = this.#place;
    resting.begin(spacing);
    for (let slot = 0; slot < grid.blockCount; slot++) {
      const b = resting.findBlock(block[3 * slot], block[3 * slot + 1], block[3 * slot + 2]);
      for (let entry = resting.start[b]; entry < resting.start[b + 1]; entry++) {
        const n = resting.node[entry];
        const at = 4 * (BLOCK_NODES * slot + n);
        if (!(node[at] > 0)) continue;
        place[0] = (BLOCK_SIDE * block[3 * slot] + (n >> 4)) * spacing;
        place[1] = (BLOCK_SIDE * block[3 * slot + 1] + ((n >> 2) & 3)) * spacing;
        place[2] = (BLOCK_SIDE * block[3 * slot + 2] + (n & 3)) * spacing;
        for (let k = 0; k < 4; k++) this.#surface[k] = resting.value[4 * entry + k];
        body.writePointVelocity(place, this.#velocity);
        this.#add(at, index);
      }
    }
  }

  /** Nodes inside a body whose surface is held. */
  #findHeld(grid: NodeField, index: number, held: HeldSurface): void {
    const { margin = 0 } = this.obstacles[index];
    const { spacing, block, node } = grid;
    const [place, first] = [this.#place, this.count];
    held.begin(spacing);
    for (let slot = 0; slot < grid.blockCount; slot++) {
      const b = held.findBlock(block[3 * slot], block[3 * slot + 1], block[3 * slot + 2]);
      if (b < 0) continue;
      for (let n = 0; n < BLOCK_NODES; n++) {
        const at = 4 * (BLOCK_NODES * slot + n);
        if (!(node[at] > 0)) continue;
        place[0] = (BLOCK_SIDE * block[3 * slot] + (n >> 4)) * spacing;
        place[1] = (BLOCK_SIDE * block[3 * slot + 1] + ((n >> 2) & 3)) * spacing;
        place[2] = (BLOCK_SIDE * block[3 * slot + 2] + (n & 3)) * spacing;
        const entry = held.ask(b, n, place);
        if (!(held.computeDistance(entry) < margin)) continue;
        for (let k = 0; k < 4; k++) this.#surface[k] = held.value[4 * entry + k];
        this.#add(at, index);
        this.#entry[this.count - 1] = entry;
      }
    }
    held.end();
    for (let c = first; c < this.count; c++) held.writeVelocity(this.#entry[c], this.velocity, 3 * c);
  }

  #findInBlock(grid: NodeField, slot: number, index: number): void {
    const { body, margin = 0 } = this.obstacles[index];
    const { spacing, block, node } = grid;
    const place = this.#place;
    for (let k = 0; k < 3; k++) place[k] = (BLOCK_SIDE * block[3 * slot + k] + BLOCK_MIDDLE) * spacing;
    body.writeSignedDistance(place, this.#surface);
    const far = this.#surface[0] - margin;
    if (far >= BLOCK_REACH[0] * spacing) return;
    for (let n = 0; n < BLOCK_NODES; n++) {
      const at = 4 * (BLOCK_NODES * slot + n);
      // no node is nearer than the middle less the way from there
      if (!(node[at] > 0) || far >= BLOCK_REACH[n] * spacing) continue;
      place[0] = (BLOCK_SIDE * block[3 * slot] + (n >> 4)) * spacing;
      place[1] = (BLOCK_SIDE * block[3 * slot + 1] + ((n >> 2) & 3)) * spacing;
      place[2] = (BLOCK_SIDE * block[3 * slot + 2] + (n & 3)) * spacing;
      body.writeSignedDistance(place, this.#surface);
      if (!(this.#surface[0] < margin)) continue;
      body.writePointVelocity(place, this.#velocity);
      this.#add(at, index);
    }
  }

  #add(at: number, index: number): void {
    if (this.count === this.node.length) {
      const room = Math.max(64, 2 * this.count);
      this.node = grow(this.node, room);
      this.body = grow(this.body, room);
      this.normal = grow(this.normal, 3 * room);
      this.velocity = grow(this.velocity, 3 * room);
      this.place = grow(this.place, 3 * room);
      this.given = grow(this.given, 3 * room);
      this.#entry = grow(this.#entry, room);
    }
    const c = this.count++;
    this.node[c] = at;
    this.body[c] = index;
    for (let k = 0; k < 3; k++) {
      this.normal[3 * c + k] = this.#surface[1 + k];
      this.velocity[3 * c + k] = this.#velocity[k];
      this.place[3 * c + k] = this.#place[k];
    }
  }

  /** The velocity at one node, and what it got; returns by how much the velocity changed, 0 where that is rounding. */
  #correct(grid: NodeField, c: number): number {
    const { moved } = grid;
    const { given } = this;
    const at = this.node[c];
    const m = grid.node[at];
    this.#writeImpulse(grid, c, m, false);
    let change = 0;
    let size = 0;
    for (let k = 0; k < 3; k++) {
      change = Math.max(change, Math.abs(this.#after[k] - moved[at + k]));
      size = Math.max(size, Math.abs(this.#after[k]), Math.abs(moved[at + k] - given[3 * c + k] / m));
      moved[at + k] = this.#after[k];
      given[3 * c + k] = this.#j[k];
    }
    return moved instanceof Float32Array && change <= SINGLE_TOLERANCE * size ? 0 : change;
  }

  /** j of a contact whose node moves as it would without it, its velocity after it, and A of `pushed-bodies.ts`, where `isExact` with the change of friction. */
  #writeImpulse(grid: NodeField, c: number, m: number, isExact: boolean): void {
    const { node, body, normal: n, velocity: u, given } = this;
    const j = this.#j;
    const after = this.#after;
    const A = this.#slope.fill(0);
    const at = node[c];
    const condition = this.conditionOf(body[c]);
    const x = grid.moved[at] - given[3 * c] / m - u[3 * c];
    const y = grid.moved[at + 1] - given[3 * c + 1] / m - u[3 * c + 1];
    const z = grid.moved[at + 2] - given[3 * c + 2] / m - u[3 * c + 2];
    const normal = x * n[3 * c] + y * n[3 * c + 1] + z * n[3 * c + 2];
    if (condition === 'separate' && normal >= 0) {
      j.fill(0);
      for (let k = 0; k < 3; k++) after[k] = grid.moved[at + k] - given[3 * c + k] / m;
      return;
    }
    const tx = x - normal * n[3 * c];
    const ty = y - normal * n[3 * c + 1];
    const tz = z - normal * n[3 * c + 2];
    let lost = condition === 'sticky' ? 1 : 0;
    let slides = 0;
    if (condition === 'separate') {
      const friction = this.frictionOf(body[c]);
      const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
      lost = speed > 0 ? Math.min(1, (-friction * normal) / speed) : 1;
      if (isExact && lost < 1 && friction > 0) slides = friction / speed;
    }
    j[0] = m * (-lost * tx - normal * n[3 * c]);
    j[1] = m * (-lost * ty - normal * n[3 * c + 1]);
    j[2] = m * (-lost * tz - normal * n[3 * c + 2]);
    after[0] = u[3 * c] + (1 - lost) * tx;
    after[1] = u[3 * c + 1] + (1 - lost) * ty;
    after[2] = u[3 * c + 2] + (1 - lost) * tz;
    for (let k = 0; k < 3; k++) {
      for (let l = 0; l < 3; l++) A[3 * k + l] = (1 - lost) * n[3 * c + k] * n[3 * c + l];
      A[4 * k] += lost;
    }
    if (slides === 0) return;
    // s = μ |uₙ|/‖u_t‖ is `lost`: − s t tᵀ − μ t nᵀ, t = u_t/‖u_t‖
    const friction = this.frictionOf(body[c]);
    const a = (tx * slides) / friction;
    const b = (ty * slides) / friction;
    const d = (tz * slides) / friction;
    for (let k = 0; k < 3; k++) {
      const p = lost * (k === 0 ? a : k === 1 ? b : d);
      const q = friction * n[3 * c + k];
      A[k] -= a * (p + q);
      A[3 + k] -= b * (p + q);
      A[6 + k] -= d * (p + q);
    }
  }
}
