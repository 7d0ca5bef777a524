/**
 * Backward Euler on the grid: Newton with MINRES on matrix-free Hessian products.   [Jiang 2017, §4.4]
 *
 *     v̂ minimises  E(v̂) = ½ (v̂ − ṽ)ᵀ M (v̂ − ṽ) + Φ(h v̂),   ṽ = v + h g,   subject to what bodies allow
 *     Newton       (M + h² K) δ = −∇E = M (ṽ − v̂) + h f,   then a line search on E
 *
 *   M  masses of nodes   Φ, f, K  of `trial.ts`
 *
 * Bodies. A node inside one is free, sticks (v̂ = v_body), or slides (v̂·n = v_body·n, with the impulse of friction along the surface). Which of them follows from the
 * impulse λ = ∇E that it needs: `separate` lets go where λ·n < 0, slides where ‖λ_t‖ > μ λ·n, and sticks, for the rest of the step, where sliding would turn round. All nodes are
 * asked after each solve, and it is solved again until none changes, at most `MOST_PASSES` times.
 * Dynamic bodies that are pushed add ½ (V − V*)ᵀ M (V − V*) to E, V six velocities each (`pushed-bodies.ts`), and what they hold of nodes follows V: the equations are
 * Tᵀ (M + h² K) T (`implicit-contacts.ts`), with the masses of what a body holds in its preconditioner. Bodies may be as light as they like.
 * What drivers hold (`holds.ts`), B v̂ = V, leaves of every residual r what Q r = r − TᵀBᵀ (B T M⁻¹TᵀBᵀ)⁻¹ B T M⁻¹ r leaves: then M⁻¹ Q r moves nothing that is held, and ∇E = BᵀΛ in the end, Λ the impulses
 * that hold it. Pushes and the hand are known before.
 * Linear momentum is exact, however far the iterations go: ΣKδ = 0, and MINRES with the preconditioner M⁻¹ never leaves Σ M δ = 0. Angular momentum is
 * not: forces belong to the end of the step, masses to its start. With bodies both are as exact as Newton has converged.
 */
import { MinresWorkspace, minres } from '../sparse/index.ts';
import type { ObstacleSet } from './collide.ts';
import { BLOCK_NODES, type BlockGrid } from './grid.ts';
import type { PointHolds } from './holds.ts';
import { NodeContacts } from './implicit-contacts.ts';
import { solveSix } from './pushed-bodies.ts';
import type { RowProduct } from './row-solve.ts';
import type { TrialMotion } from './trial.ts';

const MOST_PASSES = 8;
const MOST_ITERATIONS = 30;
const MOST_HALVINGS = 12;
/** Newton ends where no node moves by more than this share of a cell. */
const MOTION_TOLERANCE = 1e-7;
/** Residual of MINRES. */
const LINEAR_TOLERANCE = 1e-4;
const MOST_PRODUCTS = 300;

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
  readonly #contacts: NodeContacts;
  readonly #obstacles: ObstacleSet;
  readonly #holds: PointHolds | undefined;
  /** Whether something is held in this step. */
  #isHolding = false;
  /** Whether bodies hold nodes that it reaches. */
  #isOverlapping = false;
  #workspace = new MinresWorkspace(0);
  /** Four numbers a node, and behind them six of each body if bodies are pushed: ṽ, v̂ before a line search, ∇E, δ, right-hand side, displacement, a held vector, and one without what is held. */
  #target = new Float64Array(0);
  #base = new Float64Array(0);
  #gradient = new Float64Array(0);
  #step = new Float64Array(0);
  #rhs = new Float64Array(0);
  #motion = new Float64Array(0);
  #held = new Float64Array(0);
  #free = new Float64Array(0);
  /** Of what is held: BᵀΛ, and M⁻¹ times it. */
  #spreadOut = new Float64Array(0);
  #response = new Float64Array(0);
  /** V before a line search, 6 each; matrices of the preconditioner, 42 each. */
  readonly #baseTwist: Float64Array;
  readonly #bodyMatrix: Float64Array;
  readonly #system = new Float64Array(42);
  readonly #solution = new Float64Array(6);
  #h = 0;
  #size = 0;
  /** Bodies among the unknowns, and how many numbers there are with them. */
  #bodies = 0;
  #total = 0;

  constructor(grid: BlockGrid, trial: TrialMotion, obstacles: ObstacleSet, holds?: PointHolds) {
    this.#grid = grid;
    this.#trial = trial;
    this.#contacts = new NodeContacts(grid, obstacles);
    this.#obstacles = obstacles;
    this.#holds = holds;
    this.#baseTwist = new Float64Array(6 * obstacles.obstacles.length);
    this.#bodyMatrix = new Float64Array(42 * obstacles.obstacles.length);
  }

  /** `moved` := v̂ of a step of h seconds, and the impulses on bodies; nodes hold mass and velocity. */
  solve(h: number, gravity: readonly [number, number, number]): void {
    const { node, moved } = this.#grid;
    const contacts = this.#contacts;
    this.#resize();
    this.#h = h;
    for (let at = 0; at < this.#size; at += 4)
      for (let k = 0; k < 4; k++) {
        this.#target[at + k] = k < 3 && node[at] > 0 ? node[at + 1 + k] + h * gravity[k] : 0;
      }
    this.#isHolding = this.#holds?.isHolding === true;
    this.#pushAndPull(h);
    moved.set(this.#target);
    contacts.begin(h, gravity, this.#size / 4, this.#target);
    const { report } = this;
    report.iterations = 0;
    report.products = 0;
    report.passes = 0;
    for (let isChanged = true; isChanged && report.passes < MOST_PASSES; report.passes++) {
      contacts.enforce(moved);
      if (this.#isHolding) this.#writeOverlap();
      if (this.#isHolding) this.#enforceHolds();
      report.converged = this.#minimise();
      this.#writeGradient();
      if (this.#isHolding) this.#takeHoldImpulses();
      // what the last pass was solved with stays: impulses belong to it
      isChanged = report.passes + 1 < MOST_PASSES && contacts.revise(this.#gradient);
    }
    contacts.writeImpulses(this.#gradient);
    if (this.#isHolding) this.#holds!.takeImpulses(-1);
  }

  /** What is pushed, and what the hand pulls, in ṽ. */
  #pushAndPull(h: number): void {
    const holds = this.#holds;
    if (!holds?.isActive) return;
    holds.find(this.#grid);
    holds.applyForces(this.#target, h);
    if (holds.hand !== undefined || holds.guests !== undefined) holds.apply(this.#target, h, 'hand');
  }

  /** v̂ nearest to `moved` that moves what is held as it should. */
  #enforceHolds(): void {
    const holds = this.#holds!;
    const { moved } = this.#grid;
    this.#writeBodyMatrices();
    holds.want(moved, this.#h, 'held');
    holds.solve(this.#writeHoldProduct, true);
    this.#respond(holds.lambda);
    for (let k = 0; k < this.#size; k++) moved[k] += this.#response[k];
    const { twist } = this.#obstacles.pushed;
    for (let k = 0; k < 6 * this.#bodies; k++) twist[k] += this.#response[this.#size + k];
    if (this.#bodies > 0) this.#obstacles.meetBodies();
  }

  /** Whether bodies hold nodes that holds reach: then they answer to each other. */
  #writeOverlap(): void {
    const { count, node } = this.#obstacles;
    this.#isOverlapping = false;
    for (let c = 0; c < count; c++) if (this.#holds!.reaches(node[c])) this.#isOverlapping = true;
  }

  /** T M⁻¹TᵀBᵀλ into `#response`. */
  #respond(lambda: Float64Array): void {
    const out = this.#spreadOut.fill(0);
    this.#holds!.addTranspose(lambda, 1, out);
    this.#takeHeld(out);
    this.#divideByMass(out, this.#response);
    if (this.#bodies > 0) this.#contacts.spread(this.#response, this.#size);
  }

  readonly #writeHoldProduct: RowProduct = (d, out) => {
    this.#respond(d);
    this.#holds!.measure(this.#response, out);
  };

  /** Q: takes what holds would take out of a residual, from which `#takeHeld` took what bodies hold; λ of the holds is what it was. */
  #takeHolds(x: Float64Array): void {
    const holds = this.#holds!;
    if (!this.#isOverlapping) {
      holds.measureResponse(x, holds.wanted);
      holds.solve(holds.writeProduct);
      holds.addTranspose(holds.lambda, -1, x);
      return;
    }
    this.#divideByMass(x, this.#response);
    if (this.#bodies > 0) this.#contacts.spread(this.#response, this.#size);
    holds.measure(this.#response, holds.wanted);
    holds.solve(this.#writeHoldProduct, true);
    const out = this.#spreadOut.fill(0);
    holds.addTranspose(holds.lambda, 1, out);
    this.#takeHeld(out);
    for (let k = 0; k < this.#total; k++) x[k] -= out[k];
  }

  /** ∇E less BᵀΛ, Λ = −λ of the holds. */
  #takeHoldImpulses(): void {
    for (let k = 0; k < this.#size; k++) this.#rhs[k] = -this.#gradient[k];
    this.#writeBodyRhs();
    this.#contacts.addFriction(this.#rhs, this.#size);
    this.#takeHeld(this.#rhs);
    this.#takeHolds(this.#rhs);
    this.#holds!.addTranspose(this.#holds!.lambda, 1, this.#gradient);
  }

  #resize(): void {
    this.#size = 4 * BLOCK_NODES * this.#grid.blockCount;
    this.#bodies = this.#obstacles.pushed.isActive ? this.#obstacles.obstacles.length : 0;
    this.#total = this.#size + 6 * this.#bodies;
    if (this.#rhs.length === this.#total) return;
    this.#target = new Float64Array(this.#size);
    this.#base = new Float64Array(this.#size);
    this.#gradient = new Float64Array(this.#size);
    this.#step = new Float64Array(this.#total);
    this.#rhs = new Float64Array(this.#total);
    this.#motion = new Float64Array(this.#size);
    this.#held = new Float64Array(this.#total);
    this.#free = new Float64Array(this.#total);
    this.#spreadOut = new Float64Array(this.#total);
    this.#response = new Float64Array(this.#total);
    this.#workspace = new MinresWorkspace(this.#total);
  }

  /** Newton's iterations; true where they converged. */
  #minimise(): boolean {
    const { moved, spacing } = this.#grid;
    const { report } = this;
    let energy = this.#computeEnergy();
    for (let n = 0; n < MOST_ITERATIONS; n++) {
      this.#writeGradient();
      for (let k = 0; k < this.#size; k++) this.#rhs[k] = -this.#gradient[k];
      this.#writeBodyRhs();
      this.#contacts.addFriction(this.#rhs, this.#size);
      this.#takeHeld(this.#rhs);
      if (this.#isHolding) this.#takeHolds(this.#rhs);
      if (this.#h * this.#computeLargest(this.#rhs) <= MOTION_TOLERANCE * spacing) return true;
      report.iterations++;
      const slope = this.#findStep();
      this.#base.set(moved.subarray(0, this.#size));
      this.#baseTwist.set(this.#obstacles.pushed.twist);
      let length = 1;
      for (let halving = 0; halving <= MOST_HALVINGS; halving++) {
        for (let k = 0; k < this.#size; k++) moved[k] = this.#base[k] + length * this.#step[k];
        this.#moveBodies(length);
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
    this.#writeBodyMatrices();
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
    for (let k = 0; k < this.#total; k++) slope -= this.#rhs[k] * step[k];
    if (!(slope < 0)) {
      this.#divideByMass(this.#rhs, step);
      slope = 0;
      for (let k = 0; k < this.#total; k++) slope -= this.#rhs[k] * step[k];
    }
    if (this.#bodies > 0) this.#contacts.spread(step, this.#size);
    return slope;
  }

  /** Pᵀ or Tᵀ: what bodies hold of a vector goes, to the bodies that move with it. */
  #takeHeld(x: Float64Array): void {
    if (this.#bodies > 0) this.#contacts.gather(x, this.#size);
    else this.#contacts.project(x);
  }

  /** M (V* − V) of bodies into the right-hand side. */
  #writeBodyRhs(): void {
    const { pushed } = this.#obstacles;
    for (let b = 0; b < this.#bodies; b++) {
      for (let k = 0; k < 6; k++)
        this.#held[this.#size + 6 * b + k] =
          pushed.isDynamic[b] === 1 ? pushed.target[6 * b + k] - pushed.twist[6 * b + k] : 0;
      pushed.writeProduct(b, this.#held, this.#rhs, this.#size);
    }
  }

  /** V of a share of the step, and what nodes meet then. */
  #moveBodies(share: number): void {
    if (this.#bodies === 0) return;
    const { twist } = this.#obstacles.pushed;
    for (let k = 0; k < 6 * this.#bodies; k++) twist[k] = this.#baseTwist[k] + share * this.#step[this.#size + k];
    this.#obstacles.meetBodies();
  }

  /** Masses of bodies with those of the nodes that they hold. */
  #writeBodyMatrices(): void {
    const { pushed } = this.#obstacles;
    for (let b = 0; b < this.#bodies; b++) {
      if (pushed.isDynamic[b] === 0) continue;
      pushed.writeSystem(b);
      this.#contacts.addMasses(b);
      this.#bodyMatrix.set(pushed.system, 42 * b);
    }
  }

  /** out := P (M + h² K) P x + (1 − P) x, P what bodies leave free; with bodies that are pushed Tᵀ (…) T. */
  #writeProduct(x: Float64Array, out: Float64Array): void {
    const held = this.#held;
    const free = this.#bodies > 0 ? this.#free : held;
    held.set(x);
    if (this.#bodies > 0) {
      free.set(x);
      this.#contacts.project(free);
      this.#contacts.spread(held, this.#size);
    } else this.#contacts.project(held);
    out.fill(0);
    this.#trial.addForceChange(held, out);
    const { node } = this.#grid;
    const square = this.#h * this.#h;
    for (let at = 0; at < this.#size; at += 4) {
      const m = node[at];
      for (let k = 0; k < 3; k++) out[at + k] = m * held[at + k] - square * out[at + k];
    }
    for (let b = 0; b < this.#bodies; b++) this.#obstacles.pushed.writeProduct(b, x, out, this.#size);
    this.#takeHeld(out);
    for (let at = 0; at < this.#size; at += 4)
      for (let k = 0; k < 4; k++)
        out[at + k] = k < 3 && node[at] > 0 ? out[at + k] + node[at] * (x[at + k] - free[at + k]) : x[at + k];
    if (this.#isHolding) this.#takeHolds(out);
  }

  #divideByMass(x: Float64Array, out: Float64Array): void {
    const { node } = this.#grid;
    for (let at = 0; at < this.#size; at += 4) {
      const inverse = node[at] > 0 ? 1 / node[at] : 1;
      for (let k = 0; k < 4; k++) out[at + k] = x[at + k] * (k < 3 ? inverse : 1);
    }
    for (let b = 0; b < this.#bodies; b++) this.#divideByBodyMass(b, x, out);
  }

  #divideByBodyMass(b: number, x: Float64Array, out: Float64Array): void {
    const at = this.#size + 6 * b;
    const isFree = this.#obstacles.pushed.isDynamic[b] === 1;
    if (isFree) {
      for (let k = 0; k < 42; k++) this.#system[k] = this.#bodyMatrix[42 * b + k];
      for (let k = 0; k < 6; k++) this.#system[7 * k + 6] = x[at + k];
      solveSix(this.#system, this.#solution);
    }
    for (let k = 0; k < 6; k++) out[at + k] = isFree ? this.#solution[k] : x[at + k];
  }

  /** Largest component of M⁻¹ x. */
  #computeLargest(x: Float64Array): number {
    const { node } = this.#grid;
    let largest = 0;
    for (let at = 0; at < this.#size; at += 4)
      if (node[at] > 0) for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(x[at + k]) / node[at]);
    if (this.#bodies === 0) return largest;
    this.#writeBodyMatrices();
    for (let b = 0; b < this.#bodies; b++) {
      if (this.#obstacles.pushed.isDynamic[b] === 0) continue;
      this.#divideByBodyMass(b, x, this.#held);
      const at = this.#size + 6 * b;
      // a turn counts at the size of the body
      const { bounds } = this.#obstacles.obstacles[b].body.shape;
      const reach = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
      for (let k = 0; k < 6; k++) largest = Math.max(largest, Math.abs(this.#held[at + k]) * (k < 3 ? 1 : reach));
    }
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
    return sum + this.#computeBodyEnergy() + this.#trial.computeEnergy() - this.#contacts.computeFrictionPower(moved);
  }

  /** ½ (V − V*)ᵀ M (V − V*) */
  #computeBodyEnergy(): number {
    const { pushed } = this.#obstacles;
    const [held, free] = [this.#held, this.#free];
    let sum = 0;
    for (let b = 0; b < this.#bodies; b++) {
      if (pushed.isDynamic[b] === 0) continue;
      const at = this.#size + 6 * b;
      for (let k = 0; k < 6; k++) held[at + k] = pushed.twist[6 * b + k] - pushed.target[6 * b + k];
      pushed.writeProduct(b, held, free, this.#size);
      for (let k = 0; k < 6; k++) sum += 0.5 * held[at + k] * free[at + k];
    }
    return sum;
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
}
