/**
 * The continuum: cloth, knit, hair, sand and fluids in one grid, stepped explicitly (symplectic Euler) or implicitly (backward Euler).   [Jiang 2017, §4]
 *
 *     detect     the grid's blocks near particles
 *     assemble   stresses; mass, momentum and forces to the grid
 *     solve      explicit: v̂ = v + h (f/m + g), then bodies; implicit: `implicit.ts`
 *     advance    velocities to the particles, which move; deformation; plasticity
 */

import { advancePoints } from './advance.ts';
import { PointAir } from './air.ts';
import { Bending } from './bending.ts';
import { computeBendingStep } from './bending-step.ts';
import { CentreWork, keepCentres } from './centre.ts';
import { ObstacleSet, type PointObstacle } from './collide.ts';
import { BLOCK_NODES, BlockGrid, type GridOptions } from './grid.ts';
import { PointHolds } from './holds.ts';
import { ImplicitSolver } from './implicit.ts';
import { computeRemainder } from './material.ts';
import { computeSplineSpread } from './spline.ts';
import { cornersOf, type PointGroup, type PointPart, Points } from './state.ts';
import { type Deformation, StressWork, writeStresses } from './stress.ts';
import { computeMotionStep, computeSoundStep, MOTION_NUMBER } from './time-step.ts';
import { addToGrid, readFromGrid, TransferWork } from './transfer.ts';
import { TrialMotion } from './trial.ts';

type Triple = readonly [number, number, number];

export interface ContinuumOptions extends GridOptions {
  readonly parts: readonly PointPart[];
  /** [m/s²], default none. */
  readonly gravity?: Triple | undefined;
  /** Default full. */
  readonly deformation?: Deformation | undefined;
  /** Energies weighed by a particle's share of its element, as the paper sums. Default false: by the whole element. */
  readonly paperWeights?: boolean | undefined;
  readonly obstacles?: readonly PointObstacle[] | undefined;
  /** Backward Euler: no limit by sound or viscosity. Default false. */
  readonly implicit?: boolean | undefined;
}

/** Memory of surfaces and curves where their material says nothing [s]: 0.99 a step of 2e-4 s. */
const DEFAULT_MEMORY = 0.02;

/** What a group keeps of its memory in a step of h seconds. */
export const computeKeptMemory = ({ type, material }: PointGroup, h: number): number =>
  computeRemainder(h, material.memory ?? (type === 'surface' || type === 'curve' ? DEFAULT_MEMORY : 0));

export class Continuum {
  readonly points: Points;
  readonly grid: BlockGrid;
  readonly obstacles: ObstacleSet;
  readonly deformation: Deformation;
  readonly gravity: Triple;
  /** Σ w r² of the spline [m²]. */
  readonly spread: number;
  /** What drivers and the hand do to particles. */
  readonly holds: PointHolds;
  readonly air: PointAir;
  readonly bending: Bending;
  /** The longest explicit step that bending allows [s]. */
  readonly bendingStep: number;
  /** Places and velocities of vertices. */
  readonly #vertices: Float64Array;
  readonly #speeds: Float64Array;
  readonly #transfer: TransferWork;
  readonly #stress = new StressWork();
  readonly #centres: CentreWork;
  readonly #lightest: number;
  /** Of implicit steps. */
  readonly solver: ImplicitSolver | undefined;

  constructor(options: ContinuumOptions) {
    this.points = new Points(options.parts, options.paperWeights);
    this.grid = new BlockGrid(options);
    this.obstacles = new ObstacleSet(options.obstacles ?? []);
    this.deformation = options.deformation ?? 'full';
    this.gravity = options.gravity ?? [0, 0, 0];
    this.spread = computeSplineSpread(this.grid.degree) * this.grid.spacing ** 2;
    this.bending = new Bending(this.points, options.parts);
    this.bendingStep =
      options.implicit === true ? Number.POSITIVE_INFINITY : computeBendingStep(this.points, this.grid, this.bending);
    this.#vertices = this.points.x.subarray(3 * this.points.stressCount);
    this.#speeds = this.points.v.subarray(3 * this.points.stressCount);
    this.holds = new PointHolds(this.points, (p, out) => this.writePlace(p, out));
    this.air = new PointAir(this.points);
    this.#transfer = new TransferWork(this.points);
    this.#centres = new CentreWork(this.points);
    if (options.implicit === true) {
      const trial = new TrialMotion(this.points, this.grid, this.deformation, this.#transfer, this.bending);
      this.solver = new ImplicitSolver(this.grid, trial, this.obstacles, this.holds);
    }
    let lightest = Number.POSITIVE_INFINITY;
    for (const mass of this.points.mass) if (mass > 0 && mass < lightest) lightest = mass;
    this.#lightest = lightest;
  }

  /** One step of at most `longest` seconds, shorter where sound, viscosity or motion ask for it; returns its length. */
  step(longest: number): number {
    this.grid.sort(this.points.x, this.points.count);
    const reach = (MOTION_NUMBER * this.grid.spacing) / this.holds.computeFastest();
    const most = Math.min(longest, reach);
    const h = this.#assemble(this.solver === undefined ? Math.min(most, this.#findStableStep()) : most);
    if (this.solver === undefined) this.#solve(h);
    else this.solver.solve(h, this.gravity);
    this.#advance(h);
    if (this.air.isBlowing) this.#blow(h);
    this.obstacles.advance(h);
    return h;
  }

  /** out := where a particle is. */
  writePlace(p: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = this.points.x[3 * p + k];
  }

  /** Takes `points` as they are after someone wrote into them. Nothing to do here: they are what is stepped. */
  takePoints(): void {}

  /** Steps for `duration` seconds; returns how many they were. */
  run(duration: number, longest = Number.POSITIVE_INFINITY): number {
    let steps = 0;
    for (let left = duration; left > 1e-12 * duration; steps++) left -= this.step(Math.min(left, longest));
    return steps;
  }

  /** What sound, viscosity and bending allow. */
  #findStableStep(): number {
    return Math.min(computeSoundStep(this.points, this.grid.spacing), this.bendingStep);
  }

  /** Everything onto the grid; returns how long the step may be. What materials forget is for a step of `longest`. */
  #assemble(longest: number): number {
    const { points, grid } = this;
    const transfer = this.#transfer;
    points.groups.forEach((group, index) => {
      transfer.memory[index] = computeKeptMemory(group, longest);
    });
    writeStresses(points, this.deformation, transfer.stress, transfer.force, this.#stress);
    if (!this.bending.isNone && this.deformation !== 'grid') {
      this.bending.set(this.#vertices);
      this.bending.addForces(transfer.force);
    }
    addToGrid(points, grid, transfer);
    const { node, force } = grid;
    for (let at = 0; at < 4 * BLOCK_NODES * grid.blockCount; at += 4) {
      const inverse = node[at] > 0 ? 1 / node[at] : 0;
      for (let k = 1; k < 4; k++) node[at + k] *= inverse;
      force[at + 3] *= inverse;
    }
    return Math.min(longest, computeMotionStep(grid, this.gravity, this.#lightest, this.solver === undefined));
  }

  /** v̂ of every node. */
  #solve(h: number): void {
    const { node, force, moved, blockCount } = this.grid;
    const { gravity } = this;
    for (let at = 0; at < 4 * BLOCK_NODES * blockCount; at += 4) {
      const m = node[at];
      for (let k = 0; k < 3; k++) moved[at + k] = m > 0 ? node[at + 1 + k] + h * (force[at + k] / m + gravity[k]) : 0;
    }
    const { holds } = this;
    if (holds.isActive) {
      holds.find(this.grid);
      holds.applyForces(moved, h);
      holds.apply(moved, h, 'both');
    }
    this.obstacles.apply(this.grid, h, gravity);
    // what bodies did to nodes near what is held
    if (holds.isHolding && this.obstacles.count > 0) holds.apply(moved, h, 'held');
  }

  #blow(h: number): void {
    const { air, points } = this;
    air.blow(this.#vertices, this.#speeds);
    for (let p = 0; p < points.count; p++) for (let k = 0; k < 3; k++) points.v[3 * p + k] += air.computeKick(p, k, h);
  }

  #advance(h: number): void {
    const { points, grid } = this;
    const transfer = this.#transfer;
    points.groups.forEach(({ material }, index) => {
      transfer.symmetric[index] = computeRemainder(h, material.dampingTime ?? Number.POSITIVE_INFINITY);
    });
    readFromGrid(points, grid, transfer, h);
    const holds = this.holds.isHolding ? this.holds : undefined;
    for (const group of points.groups)
      if (this.deformation !== 'grid' && cornersOf(group) > 0)
        keepCentres(points, group, transfer.motion, h, this.spread, this.#centres, holds);
      else holds?.settle(group, transfer.motion, false);
    advancePoints(points, transfer, this.deformation, h, this.#stress);
  }
}
