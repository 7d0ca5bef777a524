/**
 * Backward Euler on the grid: Newton with MINRES on matrix-free Hessian products.   [anisotropic-mpm-2017, §4.4]
 *
 *     v̂ minimises  E(v̂) = ½ (v̂ − ṽ)ᵀ M (v̂ − ṽ) + Φ(h v̂),   ṽ = v + h g,   subject to what bodies allow
 *     Newton       (M + h² K) δ = −∇E = M (ṽ − v̂) + h f,   then a line search on E
 *
 *   M  masses of nodes   Φ, f, K  of `trial.ts`
 *
 * Bodies. A node inside one is free, sticks (v̂ = v_body), or slides (v̂·n = v_body·n, with the impulse of friction along the surface). Which of them follows from the
 * impulse λ = ∇E that it needs: `separate` lets go where λ·n < 0, slides where ‖λ_t‖ > μ λ·n, and sticks, for the rest of the step, where sliding would turn round. All nodes are
 * asked after each solve, and it is solved again until none changes, at most `MOST_PASSES` times.
 * Linear momentum is exact, however far the iterations go: ΣKδ = 0, and MINRES with the preconditioner M⁻¹ never leaves Σ M δ = 0. Angular momentum is
 * not: forces belong to the end of the step, masses to its start.
 */
import { MinresWorkspace, minres } from '../sparse/index.ts';
import type { ObstacleSet } from './collide.ts';
import { BLOCK_NODES, type BlockGrid } from './grid.ts';
import type { TrialMotion } from './trial.ts';

const MOST_PASSES = 8;
const MOST_ITERATIONS = 30;
const MOST_HALVINGS = 12;
/** Newton ends where no node moves by more than this share of a cell. */
const MOTION_TOLERANCE = 1e-7;
/** Residual of MINRES. */
const LINEAR_TOLERANCE = 1e-4;
const MOST_PRODUCTS = 300;
/** Sine of the angle below which two normals are one. */
const PARALLEL = 1e-6;
/** Relative accuracy of friction. */
const SLIP_TOLERANCE = 1e-2;

/** What bodies make of a node. */
const FREE = 0;
const STICKS = 1;
const SLIDES = 2;
/** Has slid in this step and turned round: it sticks until the next one. */
const STOPPED = 3;

export interface ImplicitReport {
  /** Newton iterations and Hessian products of the last solve. */
  iterations: number;
  products: number;
  /** How often nodes were asked whether they stick, slide or leave. */
  passes: number;
  converged: boolean;
}

export class ImplicitSolver {
  readonly report: ImplicitReport = { iterations: 0, products: 0, passes: 0, converged: false };
  readonly #grid: BlockGrid;
  readonly #trial: TrialMotion;
  readonly #obstacles: ObstacleSet;
  #workspace = new MinresWorkspace(0);
  /** Four numbers a node: ṽ, v̂ before a line search, ∇E, δ, right-hand side, displacement, a held vector. */
  #target = new Float64Array(0);
  #base = new Float64Array(0);
  #gradient = new Float64Array(0);
  #step = new Float64Array(0);
  #rhs = new Float64Array(0);
  #motion = new Float64Array(0);
  #held = new Float64Array(0);
  /** State of every contact, and the impulse of friction on its node, 3 each. */
  #state = new Uint8Array(0);
  #friction = new Float64Array(0);
  /** The contact before this one at the same node, −1 where it is the first; and by node, the last one + 1. */
  #earlier = new Int32Array(0);
  #last = new Int32Array(0);
  /** Direction that a contact holds. */
  readonly #direction = new Float64Array(3);
  /** The largest friction that a contact may have. */
  #strongest = 0;
  #h = 0;
  #size = 0;

  constructor(grid: BlockGrid, trial: TrialMotion, obstacles: ObstacleSet) {
    this.#grid = grid;
    this.#trial = trial;
    this.#obstacles = obstacles;
  }

  /** `moved` := v̂ of a step of h seconds, and the impulses on bodies; nodes hold mass and velocity. */
  solve(h: number, gravity: readonly [number, number, number]): void {
    const { node, moved } = this.#grid;
    const obstacles = this.#obstacles;
    obstacles.find(this.#grid);
    this.#resize();
    this.#h = h;
    for (let at = 0; at < this.#size; at += 4)
      for (let k = 0; k < 4; k++) {
        this.#target[at + k] = k < 3 && node[at] > 0 ? node[at + 1 + k] + h * gravity[k] : 0;
        moved[at + k] = this.#target[at + k];
      }
    const { report } = this;
    report.iterations = 0;
    report.products = 0;
    report.passes = 0;
    for (let isChanged = this.#revise(true); isChanged && report.passes < MOST_PASSES; report.passes++) {
      this.#enforce(moved);
      report.converged = this.#minimise();
      this.#writeGradient();
      isChanged = this.#revise(false);
    }
    obstacles.impulse.fill(0);
    for (let c = 0; c < obstacles.count; c++) {
      if (this.#state[c] === FREE) continue;
      const at = obstacles.node[c];
      obstacles.addImpulse(c, this.#gradient[at], this.#gradient[at + 1], this.#gradient[at + 2]);
    }
  }

  #resize(): void {
    this.#size = 4 * BLOCK_NODES * this.#grid.blockCount;
    if (this.#rhs.length !== this.#size) {
      this.#target = new Float64Array(this.#size);
      this.#base = new Float64Array(this.#size);
      this.#gradient = new Float64Array(this.#size);
      this.#step = new Float64Array(this.#size);
      this.#rhs = new Float64Array(this.#size);
      this.#motion = new Float64Array(this.#size);
      this.#held = new Float64Array(this.#size);
      this.#last = new Int32Array(this.#size / 4);
      this.#workspace = new MinresWorkspace(this.#size);
    }
    const { count } = this.#obstacles;
    if (this.#state.length < count) {
      this.#state = new Uint8Array(2 * count);
      this.#friction = new Float64Array(6 * count);
      this.#earlier = new Int32Array(2 * count);
    }
    this.#friction.fill(0, 0, 3 * count);
    this.#last.fill(0);
    for (let c = 0; c < count; c++) {
      const node = this.#obstacles.node[c] / 4;
      this.#earlier[c] = this.#last[node] - 1;
      this.#last[node] = c + 1;
    }
  }

  /** Newton's iterations; true where they converged. */
  #minimise(): boolean {
    const { moved, spacing } = this.#grid;
    const { report } = this;
    let energy = this.#computeEnergy();
    for (let n = 0; n < MOST_ITERATIONS; n++) {
      this.#writeGradient();
      for (let k = 0; k < this.#size; k++) this.#rhs[k] = -this.#gradient[k];
      this.#addFriction(this.#rhs, 1);
      this.#project(this.#rhs);
      if (this.#h * this.#computeLargest(this.#rhs) <= MOTION_TOLERANCE * spacing) return true;
      report.iterations++;
      const slope = this.#findStep();
      this.#base.set(moved.subarray(0, this.#size));
      let length = 1;
      for (let halving = 0; halving <= MOST_HALVINGS; halving++) {
        for (let k = 0; k < this.#size; k++) moved[k] = this.#base[k] + length * this.#step[k];
        const next = this.#computeEnergy();
        if (next <= energy + 1e-4 * length * slope || halving === MOST_HALVINGS) {
          energy = next;
          break;
        }
        length *= 0.5;
      }
    }
    return false;
  }

  /** δ by MINRES; returns its slope on E, which is negative: where the Hessian is not definite it may take the way of steepest descent. */
  #findStep(): number {
    const step = this.#step.fill(0);
    const result = minres(
      (x, out) => this.#writeProduct(x, out),
      this.#rhs,
      step,
      {
        tolerance: LINEAR_TOLERANCE,
        maxIterations: MOST_PRODUCTS,
        startsAtZero: true,
        preconditioner: (x, out) => this.#divideByMass(x, out),
      },
      this.#workspace,
    );
    this.report.products += result.iterations;
    let slope = 0;
    for (let k = 0; k < this.#size; k++) slope -= this.#rhs[k] * step[k];
    if (slope < 0) return slope;
    this.#divideByMass(this.#rhs, step);
    slope = 0;
    for (let k = 0; k < this.#size; k++) slope -= this.#rhs[k] * step[k];
    return slope;
  }

  /** out := P (M + h² K) P x + (1 − P) x, P what bodies leave free. */
  #writeProduct(x: Float64Array, out: Float64Array): void {
    const held = this.#held;
    held.set(x);
    this.#project(held);
    out.fill(0);
    this.#trial.addForceChange(held, out);
    const { node } = this.#grid;
    const square = this.#h * this.#h;
    for (let at = 0; at < this.#size; at += 4) {
      const m = node[at];
      for (let k = 0; k < 3; k++) out[at + k] = m * held[at + k] - square * out[at + k];
    }
    this.#project(out);
    for (let at = 0; at < this.#size; at += 4)
      for (let k = 0; k < 4; k++)
        out[at + k] = k < 3 && node[at] > 0 ? out[at + k] + node[at] * (x[at + k] - held[at + k]) : x[at + k];
  }

  #divideByMass(x: Float64Array, out: Float64Array): void {
    const { node } = this.#grid;
    for (let at = 0; at < this.#size; at += 4) {
      const inverse = node[at] > 0 ? 1 / node[at] : 1;
      for (let k = 0; k < 4; k++) out[at + k] = x[at + k] * (k < 3 ? inverse : 1);
    }
  }

  /** Largest component of M⁻¹ x. */
  #computeLargest(x: Float64Array): number {
    const { node } = this.#grid;
    let largest = 0;
    for (let at = 0; at < this.#size; at += 4)
      if (node[at] > 0) for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(x[at + k]) / node[at]);
    return largest;
  }

  /** E of `moved`, less the work of friction; leaves the trial there. */
  #computeEnergy(): number {
    const { node, moved } = this.#grid;
    let sum = 0;
    for (let at = 0; at < this.#size; at += 4)
      for (let k = 0; k < 3; k++) {
        const d = moved[at + k] - this.#target[at + k];
        sum += 0.5 * node[at] * d * d;
        this.#motion[at + k] = this.#h * moved[at + k];
      }
    this.#trial.moveTo(this.#motion, this.#h);
    const { count, node: places } = this.#obstacles;
    for (let c = 0; c < count; c++) for (let k = 0; k < 3; k++) sum -= this.#friction[3 * c + k] * moved[places[c] + k];
    return sum + this.#trial.computeEnergy();
  }

  /** ∇E at the trial, which is at `moved`. */
  #writeGradient(): void {
    const { node, moved } = this.#grid;
    const gradient = this.#gradient.fill(0);
    this.#trial.addForces(gradient);
    for (let at = 0; at < this.#size; at += 4) {
      for (let k = 0; k < 3; k++)
        gradient[at + k] = node[at] * (moved[at + k] - this.#target[at + k]) - this.#h * gradient[at + k];
      gradient[at + 3] = 0;
    }
  }

  #addFriction(out: Float64Array, scale: number): void {
    const { count, node } = this.#obstacles;
    for (let c = 0; c < count; c++) for (let k = 0; k < 3; k++) out[node[c] + k] += scale * this.#friction[3 * c + k];
  }

  /** Takes out of a vector what bodies hold. */
  #project(x: Float64Array): void {
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
  #enforce(v: Float64Array): void {
    const { count, node, normal, velocity } = this.#obstacles;
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
  #revise(isStart: boolean): boolean {
    const obstacles = this.#obstacles;
    let changed = isStart;
    this.#strongest = 0;
    for (let c = 0; c < obstacles.count && !isStart; c++) {
      let push = 0;
      for (let k = 0; k < 3; k++) push += this.#gradient[obstacles.node[c] + k] * obstacles.normal[3 * c + k];
      this.#strongest = Math.max(this.#strongest, obstacles.frictionOf(obstacles.body[c]) * push);
    }
    for (let c = 0; c < obstacles.count; c++) {
      const condition = obstacles.conditionOf(obstacles.body[c]);
      if (condition !== 'separate') this.#state[c] = condition === 'sticky' ? STICKS : SLIDES;
      else if (isStart) this.#guessContact(c, obstacles.frictionOf(obstacles.body[c]));
      else if (this.#reviseContact(c, obstacles.frictionOf(obstacles.body[c]))) changed = true;
    }
    return changed;
  }

  /** State and friction of a contact as an explicit step would have them. */
  #guessContact(c: number, mu: number): void {
    const { node: places, normal, velocity } = this.#obstacles;
    const { node, force } = this.#grid;
    const at = places[c];
    const friction = this.#friction;
    let speed = 0;
    let squares = 0;
    for (let k = 0; k < 3; k++) {
      const v = this.#target[at + k] + (this.#h * force[at + k]) / node[at] - velocity[3 * c + k];
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

  #reviseContact(c: number, mu: number): boolean {
    const { node, normal, velocity } = this.#obstacles;
    const { moved, spacing } = this.#grid;
    const at = node[c];
    const friction = this.#friction;
    // relative velocity and impulse, across and along the surface
    let speed = 0;
    let push = 0;
    for (let k = 0; k < 3; k++) {
      speed += (moved[at + k] - velocity[3 * c + k]) * normal[3 * c + k];
      push += this.#gradient[at + k] * normal[3 * c + k];
    }
    if (this.#state[c] === FREE) {
      if (speed * this.#h >= -MOTION_TOLERANCE * spacing) return false;
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
          ? this.#gradient[at + k] - push * normal[3 * c + k]
          : -(moved[at + k] - velocity[3 * c + k] - speed * normal[3 * c + k]);
      along += t * t;
    }
    along = Math.sqrt(along);
    if (this.#state[c] === STICKS && along <= mu * push * (1 + SLIP_TOLERANCE)) return false;
    return this.#slide(c, along, mu * push, push);
  }

  /** Friction of a contact that slides, or begins to; true where it changed by more than a hundredth of the strongest. */
  #slide(c: number, along: number, limit: number, push: number): boolean {
    const { node, normal, velocity } = this.#obstacles;
    const { moved } = this.#grid;
    const at = node[c];
    const friction = this.#friction;
    const isNew = this.#state[c] === STICKS;
    let change = 0;
    let work = 0;
    for (let k = 0; k < 3; k++) {
      const relative = moved[at + k] - velocity[3 * c + k];
      const t = isNew ? this.#gradient[at + k] - push * normal[3 * c + k] : -relative;
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
