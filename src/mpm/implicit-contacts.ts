/**
 * What bodies hold of the grid's nodes in an implicit step: which contacts are free, stick or slide, and their friction. See `implicit.ts`.
 *
 *   λ = ∇E  impulse that a node needs to move as it does: where it is held, its body gives it
 * A node may be inside several bodies: it slides along all of them, and three hold it.
 *
 * Dynamic bodies have six velocities V of their own among the unknowns (`pushed-bodies.ts`). What they hold of a node follows them: with T the map from what is
 * free and V to all nodes (`spread`) and Tᵀ its transpose (`gather`), which gives to bodies what nodes that they hold would have got.
 */
import type { ObstacleSet } from './collide.ts';
import type { BlockGrid } from './grid.ts';

/** What bodies make of a node. */
const FREE = 0;
const STICKS = 1;
const SLIDES = 2;
/** Has slid in this step and turned round: it sticks until the next one. */
const STOPPED = 3;
/** Sine of the angle below which two normals are one. */
const PARALLEL = 1e-6;
/** Relative accuracy of friction. */
const SLIP_TOLERANCE = 1e-2;
/** Free nodes that enter a body by less than this share of a cell stay free. */
const ENTRY_TOLERANCE = 1e-7;

export class NodeContacts {
  readonly #grid: BlockGrid;
  readonly #obstacles: ObstacleSet;
  /** State of every contact, and the impulse of friction on its node, 3 each. */
  #state = new Uint8Array(0);
  #friction = new Float64Array(0);
  /** The contact before this one at the same node, −1 where it is the first; and by node, the last one + 1. */
  #earlier = new Int32Array(0);
  /** What contacts hold, 3 each. */
  #follow = new Float64Array(0);
  #last = new Int32Array(0);
  /** Direction that a contact holds. */
  readonly #direction = new Float64Array(3);
  /** The largest friction that a contact may have. */
  #strongest = 0;
  #h = 0;

  constructor(grid: BlockGrid, obstacles: ObstacleSet) {
    this.#grid = grid;
    this.#obstacles = obstacles;
  }

  /** Finds the contacts of a step of h seconds on `nodes` nodes, and guesses their states; target: ṽ, four numbers a node. */
  begin(h: number, gravity: readonly [number, number, number], nodes: number, target: Float64Array): void {
    const obstacles = this.#obstacles;
    obstacles.find(this.#grid);
    obstacles.predict(h, gravity);
    this.#h = h;
    const { count } = obstacles;
    if (this.#last.length < nodes) this.#last = new Int32Array(nodes);
    if (this.#state.length < count) {
      this.#state = new Uint8Array(2 * count);
      this.#friction = new Float64Array(6 * count);
      this.#earlier = new Int32Array(2 * count);
    }
    if (this.#follow.length < 3 * count) this.#follow = new Float64Array(6 * count);
    this.#friction.fill(0, 0, 3 * count);
    this.#last.fill(0, 0, nodes);
    for (let c = 0; c < count; c++) {
      const node = obstacles.node[c] / 4;
      this.#earlier[c] = this.#last[node] - 1;
      this.#last[node] = c + 1;
      const condition = obstacles.conditionOf(obstacles.body[c]);
      if (condition === 'separate') this.#guessContact(c, obstacles.frictionOf(obstacles.body[c]), target);
      else this.#state[c] = condition === 'sticky' ? STICKS : SLIDES;
    }
  }

  /** Gives bodies what their nodes took, λ = ∇E, which is used up: where several hold a node, each what it pushes and rubs. */
  writeImpulses(gradient: Float64Array): void {
    const obstacles = this.#obstacles;
    const { count, node, normal } = obstacles;
    const friction = this.#friction;
    obstacles.impulse.fill(0);
    for (let c = 0; c < count; c++) for (let k = 0; k < 3; k++) gradient[node[c] + k] -= friction[3 * c + k];
    for (let c = count - 1; c >= 0; c--) {
      if (this.#state[c] === FREE) continue;
      const at = node[c];
      let share = 1;
      let isAll = true;
      if (this.#isHeldBefore(c)) {
        isAll = this.#holdsAll(c);
        share = isAll ? 1 : this.#writeShare(c, gradient, at);
      }
      for (let k = 0; k < 3; k++) {
        const g = isAll ? gradient[at + k] : share * normal[3 * c + k];
        gradient[at + k] -= g;
        this.#follow[3 * c + k] = g + friction[3 * c + k];
      }
      obstacles.addImpulse(c, this.#follow[3 * c], this.#follow[3 * c + 1], this.#follow[3 * c + 2]);
    }
  }

  /** Whether a contact before this one holds the same node. */
  #isHeldBefore(c: number): boolean {
    for (let e = this.#earlier[c]; e >= 0; e = this.#earlier[e]) if (this.#state[e] !== FREE) return true;
    return false;
  }

  /** d·y/d·n of a contact that slides, y at `at`; 0 where its node is held already. */
  #writeShare(c: number, y: Float64Array, at: number): number {
    if (!this.#writeDirection(c)) return 0;
    const { normal } = this.#obstacles;
    const d = this.#direction;
    let along = 0;
    let share = 0;
    for (let k = 0; k < 3; k++) {
      along += d[k] * y[at + k];
      share += d[k] * normal[3 * c + k];
    }
    return along / share;
  }

  /** Σ friction · (v − v_body) */
  computeFrictionPower(v: Float64Array): number {
    const { count, node, velocity } = this.#obstacles;
    let sum = 0;
    for (let c = 0; c < count; c++)
      for (let k = 0; k < 3; k++) sum += this.#friction[3 * c + k] * (v[node[c] + k] - velocity[3 * c + k]);
    return sum;
  }

  /** out += impulses of friction on nodes, and on dynamic bodies, 6 each from `first` on. */
  addFriction(out: Float64Array, first: number): void {
    const obstacles = this.#obstacles;
    const { count, node } = obstacles;
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < 3; k++) out[node[c] + k] += this.#friction[3 * c + k];
      if (obstacles.isPushed(c)) obstacles.addToBody(c, this.#friction, 3 * c, -1, out, first);
    }
  }

  /** T: what is held follows the velocities of dynamic bodies, 6 each from `first` on; other bodies rest. */
  spread(x: Float64Array, first: number): void {
    const obstacles = this.#obstacles;
    for (let c = 0; c < obstacles.count; c++)
      if (obstacles.isPushed(c)) obstacles.writeBodyVelocity(c, x, first, this.#follow);
      else this.#follow.fill(0, 3 * c, 3 * c + 3);
    this.#hold(x, this.#follow);
  }

  /** Tᵀ: bodies, 6 numbers each from `first` on, get what is held of nodes. */
  gather(y: Float64Array, first: number): void {
    const obstacles = this.#obstacles;
    const { count, node, normal } = obstacles;
    const held = this.#follow;
    for (let c = count - 1; c >= 0; c--) {
      if (this.#state[c] === FREE) continue;
      const at = node[c];
      const isAll = this.#holdsAll(c);
      const share = isAll ? 1 : this.#writeShare(c, y, at);
      for (let k = 0; k < 3; k++) {
        held[3 * c + k] = isAll ? y[at + k] : share * normal[3 * c + k];
        y[at + k] -= held[3 * c + k];
      }
      if (obstacles.isPushed(c)) obstacles.addToBody(c, held, 3 * c, 1, y, first);
    }
  }

  /** Adds the masses of nodes that a body holds to its equations. */
  addMasses(b: number): void {
    const obstacles = this.#obstacles;
    for (let c = obstacles.start[b]; c < obstacles.start[b + 1]; c++)
      if (this.#state[c] !== FREE) obstacles.addHeldMass(c, this.#grid.node[obstacles.node[c]], this.#holdsAll(c));
  }

  /** Takes out of a vector what bodies hold. */
  project(x: Float64Array): void {
    const { count, node } = this.#obstacles;
    const d = this.#direction;
    for (let c = 0; c < count; c++) {
      if (this.#state[c] === FREE) continue;
      const at = node[c];
      if (this.#holdsAll(c)) x.fill(0, at, at + 3);
      else if (this.#writeDirection(c)) {
        const along = x[at] * d[0] + x[at + 1] * d[1] + x[at + 2] * d[2];
        for (let k = 0; k < 3; k++) x[at + k] -= along * d[k];
      }
    }
  }

  /** Held velocities are those of the bodies. */
  enforce(v: Float64Array): void {
    this.#hold(v, this.#obstacles.velocity);
  }

  /** What contacts hold of v is what they hold of `velocity`, 3 each. */
  #hold(v: Float64Array, velocity: Float64Array): void {
    const { count, node, normal } = this.#obstacles;
    const d = this.#direction;
    for (let c = 0; c < count; c++) {
      if (this.#state[c] === FREE) continue;
      const at = node[c];
      if (this.#holdsAll(c)) {
        for (let k = 0; k < 3; k++) v[at + k] = velocity[3 * c + k];
      } else if (this.#writeDirection(c)) {
        let along = 0;
        let share = 0;
        for (let k = 0; k < 3; k++) {
          along += (velocity[3 * c + k] - v[at + k]) * normal[3 * c + k];
          share += d[k] * normal[3 * c + k];
        }
        for (let k = 0; k < 3; k++) v[at + k] += (along / share) * d[k];
      }
    }
  }

  /** Whether a contact sticks, or is the third that holds its node. */
  #holdsAll(c: number): boolean {
    if (this.#state[c] !== SLIDES) return true;
    let others = 0;
    for (let e = this.#earlier[c]; e >= 0; e = this.#earlier[e]) if (this.#state[e] === SLIDES) others++;
    return others > 1;
  }

  /** The normal of a contact that slides, across that of an earlier one at its node; false where the node is held along it already. */
  #writeDirection(c: number): boolean {
    const { normal } = this.#obstacles;
    const d = this.#direction;
    for (let k = 0; k < 3; k++) d[k] = normal[3 * c + k];
    for (let e = this.#earlier[c]; e >= 0; e = this.#earlier[e]) {
      if (this.#state[e] === FREE) continue;
      if (this.#state[e] !== SLIDES) return false;
      let along = 0;
      for (let k = 0; k < 3; k++) along += d[k] * normal[3 * e + k];
      for (let k = 0; k < 3; k++) d[k] -= along * normal[3 * e + k];
    }
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (length < PARALLEL) return false;
    for (let k = 0; k < 3; k++) d[k] /= length;
    return true;
  }

  /** Asks every contact whether its state fits the impulse ∇E that its node needs; true where one changed. */
  revise(gradient: Float64Array): boolean {
    const obstacles = this.#obstacles;
    let changed = false;
    this.#strongest = 0;
    for (let c = 0; c < obstacles.count; c++) {
      let push = 0;
      for (let k = 0; k < 3; k++) push += gradient[obstacles.node[c] + k] * obstacles.normal[3 * c + k];
      this.#strongest = Math.max(this.#strongest, obstacles.frictionOf(obstacles.body[c]) * push);
    }
    for (let c = 0; c < obstacles.count; c++) {
      const index = obstacles.body[c];
      if (obstacles.conditionOf(index) !== 'separate') continue;
      if (this.#reviseContact(c, obstacles.frictionOf(index), gradient)) changed = true;
    }
    return changed;
  }

  /** State and friction of a contact as an explicit step would have them. */
  #guessContact(c: number, mu: number, target: Float64Array): void {
    const { node: places, normal, velocity } = this.#obstacles;
    const { node, force } = this.#grid;
    const at = places[c];
    const friction = this.#friction;
    let speed = 0;
    let squares = 0;
    for (let k = 0; k < 3; k++) {
      const v = target[at + k] + (this.#h * force[at + k]) / node[at] - velocity[3 * c + k];
      friction[3 * c + k] = v;
      speed += v * normal[3 * c + k];
      squares += v * v;
    }
    const along = Math.sqrt(Math.max(0, squares - speed * speed));
    this.#state[c] = speed >= 0 ? FREE : along > -mu * speed ? SLIDES : STICKS;
    const isRubbed = this.#state[c] === SLIDES && mu > 0 && along > 0;
    for (let k = 0; k < 3; k++)
      friction[3 * c + k] = isRubbed
        ? ((mu * speed * node[at]) / along) * (friction[3 * c + k] - speed * normal[3 * c + k])
        : 0;
  }

  #reviseContact(c: number, mu: number, gradient: Float64Array): boolean {
    const { node, normal, velocity } = this.#obstacles;
    const { moved, spacing } = this.#grid;
    const at = node[c];
    const friction = this.#friction;
    // relative velocity and impulse, across and along the surface
    let speed = 0;
    let push = 0;
    for (let k = 0; k < 3; k++) {
      speed += (moved[at + k] - velocity[3 * c + k]) * normal[3 * c + k];
      push += gradient[at + k] * normal[3 * c + k];
    }
    if (this.#state[c] === FREE) {
      if (speed * this.#h >= -ENTRY_TOLERANCE * spacing) return false;
      this.#state[c] = mu > 0 ? STICKS : SLIDES;
      return true;
    }
    if (push < 0) {
      this.#state[c] = FREE;
      friction.fill(0, 3 * c, 3 * c + 3);
      return true;
    }
    if (mu === 0 || this.#state[c] === STOPPED) return false;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      const t =
        this.#state[c] === STICKS
          ? gradient[at + k] - push * normal[3 * c + k]
          : -(moved[at + k] - velocity[3 * c + k] - speed * normal[3 * c + k]);
      along += t * t;
    }
    along = Math.sqrt(along);
    if (this.#state[c] === STICKS && along <= mu * push * (1 + SLIP_TOLERANCE)) return false;
    return this.#slide(c, along, mu * push, push, gradient);
  }

  /** Friction of a contact that slides, or begins to; true where it changed by more than a hundredth of the strongest. */
  #slide(c: number, along: number, limit: number, push: number, gradient: Float64Array): boolean {
    const { node, normal, velocity } = this.#obstacles;
    const { moved } = this.#grid;
    const at = node[c];
    const friction = this.#friction;
    const isNew = this.#state[c] === STICKS;
    let change = 0;
    let work = 0;
    for (let k = 0; k < 3; k++) {
      const relative = moved[at + k] - velocity[3 * c + k];
      const t = isNew ? gradient[at + k] - push * normal[3 * c + k] : -relative;
      work += friction[3 * c + k] * relative;
      const next = along > 0 ? (limit / along) * t : 0;
      change += (next - friction[3 * c + k]) ** 2;
      friction[3 * c + k] = next;
    }
    // friction that pushes along the motion: it has turned round
    if (!isNew && work > 0) {
      this.#state[c] = STOPPED;
      friction.fill(0, 3 * c, 3 * c + 3);
      return true;
    }
    this.#state[c] = SLIDES;
    return isNew || Math.sqrt(change) > SLIP_TOLERANCE * this.#strongest;
  }
}
