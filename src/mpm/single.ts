/**
 * The continuum in single precision: explicit steps of `Continuum` (step.ts) in compiled kernels (src/kernels/mpm.ts), on two threads where there may be. Quadratic splines and full deformation only.
 * Places are kept in double precision, so that what moves slowly moves and edges have their lengths.
 *
 * Every number is a function of the particles alone: not of where they lie in memory, nor of threads, nor of when they were read. A run that was saved (`points`) and taken up again (`takePoints`) has
 * the same bits.
 */
import { KernelThread, type MpmKernels } from '../kernels/index.ts';
import { HeddleError, LostThreadError } from '../model/index.ts';
import { PointAir } from './air.ts';
import { Bending } from './bending.ts';
import { computeBendingStep } from './bending-step.ts';
import { type NodeField, ObstacleSet } from './collide.ts';
import { BLOCK_NODES, BlockGrid } from './grid.ts';
import { PointHolds } from './holds.ts';
import { computeRemainder } from './material.ts';
import { SingleState } from './single-state.ts';
import { computeSplineSpread } from './spline.ts';
import { Points } from './state.ts';
import { type ContinuumOptions, computeKeptMemory } from './step.ts';
import { computeGroupStep, MOTION_NUMBER } from './time-step.ts';

export interface SingleContinuumOptions extends ContinuumOptions {
  /** Default 2 from 10,000 particles on, where memory can be shared. */
  readonly threads?: 1 | 2 | undefined;
}

/** Particles from which on a second thread pays. */
const TWO_THREADS_FROM = 10_000;
/** Steps after which bulk particles are put beside their neighbours again. */
const REORDER_STEPS = 16;
/** Iterations for the centres of elements, before the last one that keeps momentum. */
const CENTRE_ITERATIONS = 4;

type TwoPart = Exclude<keyof MpmKernels, 'sortMpm' | 'reorderMpm' | 'straightenBulk'>;

/** What can be known of the grid. */
export class SingleGrid implements NodeField {
  readonly spacing: number;
  readonly degree = 2;
  blockCount = 0;
  homeCount = 0;
  block = new Int32Array(0);
  node: Float32Array = new Float32Array(0);
  moved: Float32Array = new Float32Array(0);
  byteLength = 0;
  readonly #state: SingleState;

  constructor(spacing: number, state: SingleState) {
    this.spacing = spacing;
    this.#state = state;
  }

  findSlot(i: number, j: number, k: number): number {
    return this.#state.findSlot(i, j, k);
  }
}

export class SingleContinuum {
  readonly grid: SingleGrid;
  readonly obstacles: ObstacleSet;
  readonly deformation = 'full';
  readonly gravity: readonly [number, number, number];
  /** Σ w r² of the spline [m²]. */
  readonly spread: number;
  readonly solver = undefined;
  readonly holds: PointHolds;
  readonly air: PointAir;
  /** In double precision, as `Continuum` has it: its energy, and what the kernels start from. */
  readonly bending: Bending;
  /** The longest step that bending allows [s]. */
  readonly bendingStep: number;
  /** Of winds: places and velocities of vertices, 3 each. */
  #vertices = new Float64Array(0);
  #speeds = new Float64Array(0);
  /** Where held particles are at the start of a step, 3 a row. */
  #heldFrom = new Float64Array(0);
  readonly #place = new Float64Array(3);
  readonly #canTear: boolean;
  readonly #points: Points;
  readonly #state: SingleState;
  readonly #memoryLimit: number;
  readonly #hasBulk: boolean;
  readonly #threads: 1 | 2;
  #thread: KernelThread | undefined;
  #isStale = false;
  #steps = 0;

  constructor(options: SingleContinuumOptions) {
    if (!(options.spacing > 0 && options.spacing < Number.POSITIVE_INFINITY))
      throw new HeddleError(`The grid's spacing is ${options.spacing} m; it must be finite and > 0.`);
    if ((options.degree ?? 2) !== 2 || (options.deformation ?? 'full') !== 'full' || options.implicit === true)
      throw new HeddleError(
        'An MPM object in single precision supports only quadratic splines, full deformation and explicit steps; use double precision for others.',
      );
    this.#points = new Points(options.parts, options.paperWeights);
    this.bending = new Bending(this.#points, options.parts);
    this.bendingStep = computeBendingStep(this.#points, new BlockGrid(options), this.bending);
    this.#canTear = this.#points.groups.some(
      (group) =>
        (group.type === 'surface' || group.type === 'curve') && group.law.breakingStrain < Number.POSITIVE_INFINITY,
    );
    this.obstacles = new ObstacleSet(options.obstacles ?? []);
    this.gravity = options.gravity ?? [0, 0, 0];
    this.spread = computeSplineSpread(2) * options.spacing ** 2;
    this.#memoryLimit = options.memoryLimit ?? 2 ** 30;
    this.#threads = options.threads ?? (this.#points.count >= TWO_THREADS_FROM ? 2 : 1);
    this.#state = new SingleState(this.#points, this.bending, options.spacing, this.#threads === 2);
    this.grid = new SingleGrid(options.spacing, this.#state);
    this.holds = new PointHolds(this.#points, (p, out) => this.writePlace(p, out));
    this.air = new PointAir(this.#points);
    this.#hasBulk = this.#state.mesh.elementCount < this.#points.stressCount;
    let lightest = Number.POSITIVE_INFINITY;
    for (const mass of this.#points.mass) if (mass > 0 && mass < lightest) lightest = mass;
    const state = this.#state;
    state.setNumber('spacing', options.spacing);
    state.setNumber('lightest', lightest);
    state.setNumber('spread', this.spread);
    state.setNumber('x', this.gravity[0]);
    state.setNumber('y', this.gravity[1]);
    state.setNumber('z', this.gravity[2]);
    state.take();
  }

  /** The particles as they are now. Who writes into them calls `takePoints` afterwards. */
  get points(): Points {
    if (this.#isStale) this.#state.give();
    this.#isStale = false;
    return this.#points;
  }

  /** out := where a particle is. */
  writePlace(p: number, out: Float64Array): void {
    this.#state.writePlace(p, out);
  }

  /** Takes `points` as they are after someone wrote into them. */
  takePoints(): void {
    this.#isStale = false;
    this.#state.take();
  }

  /** Bytes that kernels use. */
  get byteLength(): number {
    return this.#state.byteLength;
  }

  /** Parts of kernels that a second thread did. */
  get sharedParts(): number {
    return this.#thread?.shared ?? 0;
  }

  /** Ends the second thread, if there is one; steps can still be taken. */
  dispose(): void {
    this.#thread?.dispose();
  }

  /** One step of at most `longest` seconds, shorter where sound, viscosity or motion ask for it; returns its length. */
  step(longest: number): number {
    this.#sort();
    const h = this.#assemble(longest);
    this.#solve(h);
    this.#advance(h);
    if (this.air.isBlowing) this.#blow(h);
    this.obstacles.advance(h);
    this.#isStale = true;
    this.#steps++;
    return h;
  }

  /** Steps for `duration` seconds; returns how many they were. */
  run(duration: number, longest = Number.POSITIVE_INFINITY): number {
    let steps = 0;
    for (let left = duration; left > 1e-12 * duration; steps++) left -= this.step(Math.min(left, longest));
    return steps;
  }

  #sort(): void {
    const state = this.#state;
    for (;;) {
      const outcome = state.kernels.sortMpm(state.table);
      if (outcome === 0) break;
      if (outcome < 0) throw this.#describeLost(-1 - outcome);
      state.layOutBlocks(2 * state.room);
    }
    state.layOutNodes();
    if (state.gridBytes > this.#memoryLimit)
      throw new HeddleError(
        `The particles need ${state.blockCount} blocks of the grid, which take ${state.gridBytes} bytes of at most ${this.#memoryLimit}; make the spacing of ${this.grid.spacing} m larger or raise memoryLimit.`,
      );
    if (this.#hasBulk && this.#steps % REORDER_STEPS === 0) state.kernels.reorderMpm(state.table);
    const { grid } = this;
    grid.blockCount = state.blockCount;
    grid.homeCount = state.homeCount;
    grid.byteLength = state.gridBytes;
  }

  #describeLost(p: number): HeddleError {
    this.#isStale = true;
    const { x } = this.points;
    return new HeddleError(
      `Particle ${p} is at (${x[3 * p]}, ${x[3 * p + 1]}, ${x[3 * p + 2]}) m; it must be finite and within ${2 ** 27} cells of the origin.`,
    );
  }

  /** Everything onto the grid; returns how long the step may be. */
  #assemble(longest: number): number {
    const state = this.#state;
    const { groups } = this.#points;
    const hasElements = state.mesh.elementCount > 0;
    if (hasElements) this.#run('stressElements');
    let h = Math.min(longest, this.bendingStep, (MOTION_NUMBER * this.grid.spacing) / this.holds.computeFastest());
    for (let g = 0; g < groups.length; g++)
      h = Math.min(h, computeGroupStep(groups[g], 1 + state.leastOf(g), this.grid.spacing));
    for (let g = 0; g < groups.length; g++) state.setGroup(g, 'memory', computeKeptMemory(groups[g], h));
    if (!this.bending.isNone) {
      this.#run('bendHinges');
      this.#run('pushHinges');
    }
    if (hasElements) this.#run('pullVertices');
    this.#run('addToPiles');
    this.#run('gatherNodes');
    const { fastest } = state;
    return fastest > 0 ? Math.min(h, (2 * MOTION_NUMBER * this.grid.spacing) / fastest) : h;
  }

  #blow(h: number): void {
    const { air } = this;
    const state = this.#state;
    const size = 3 * state.mesh.vertexCount;
    if (this.#speeds.length < size) this.#speeds = new Float64Array(size);
    if (this.#vertices.length < size) this.#vertices = new Float64Array(size);
    if (this.#canTear) state.giveBroken();
    state.giveVertices(this.#vertices);
    state.giveSpeeds(this.#speeds);
    air.blow(this.#vertices, this.#speeds);
    const { f32 } = state.memory.views;
    for (let p = 0; p < this.#points.count; p++) {
      if (air.drag[p] === 0) continue;
      const at = state.velocityAt(p);
      for (let k = 0; k < 3; k++) f32[at + k] += air.computeKick(p, k, h);
    }
  }

  /** v̂ of every node. */
  #solve(h: number): void {
    const state = this.#state;
    state.setNumber('duration', h);
    this.#run('moveNodes');
    const { holds, obstacles, grid } = this;
    const hasObstacles = obstacles.obstacles.length > 0;
    if (hasObstacles || holds.isActive) this.#exposeNodes();
    if (holds.isActive) {
      holds.find(grid);
      holds.applyForces(grid.moved, h);
      holds.apply(grid.moved, h, 'both');
    }
    if (!hasObstacles) return;
    obstacles.apply(grid, h, this.gravity);
    if (holds.isHolding && obstacles.count > 0) holds.apply(grid.moved, h, 'held');
  }

  /** Nodes as bodies see them. */
  #exposeNodes(): void {
    const { grid } = this;
    const state = this.#state;
    const { f32, i32 } = state.memory.views;
    const blocks = state.blockCount;
    if (grid.block.length < 3 * blocks) grid.block = new Int32Array(6 * blocks);
    const from = state.at('block', 4);
    for (let slot = 0; slot < blocks; slot++)
      for (let k = 0; k < 3; k++) grid.block[3 * slot + k] = i32[from + 4 * slot + k];
    const numbers = 4 * BLOCK_NODES * blocks;
    const [node, moved] = [state.at('node', 4) + 3, state.at('moved', 4)];
    grid.node = f32.subarray(node, node + numbers);
    grid.moved = f32.subarray(moved, moved + numbers);
  }

  #advance(h: number): void {
    const state = this.#state;
    const { groups } = this.#points;
    for (let g = 0; g < groups.length; g++) {
      state.setGroup(g, 'symmetric', computeRemainder(h, groups[g].material.dampingTime ?? Number.POSITIVE_INFINITY));
      state.setLeast(g, 0);
    }
    const isHolding = this.holds.isHolding;
    if (isHolding) this.#noteHeld();
    this.#run('readFromNodes');
    if (this.#hasBulk) this.#run('projectBulk');
    if (state.mesh.elementCount > 0) {
      this.#keepCentres();
      if (isHolding) this.#holdVertices();
      this.#run('moveVertices');
    }
    if (isHolding) this.#settleHeld(h);
    if (state.mesh.elementCount > 0) this.#run('moveElements');
  }

  #noteHeld(): void {
    const { count, particle } = this.holds;
    if (this.#heldFrom.length < 3 * count) this.#heldFrom = new Float64Array(6 * count);
    for (let r = 0; r < count; r++) {
      if (particle[r] < 0) continue;
      this.#state.writePlace(particle[r], this.#place);
      for (let k = 0; k < 3; k++) this.#heldFrom[3 * r + k] = this.#place[k];
    }
  }

  /** `PointHolds.settle` of vertices: their last way to the centres of elements ends where they are held. */
  #holdVertices(): void {
    const { holds } = this;
    const state = this.#state;
    const { f32 } = state.memory.views;
    const { stressCount, groups, group, mass } = this.#points;
    for (let r = 0; r < holds.count; r++) {
      const p = holds.particle[r];
      if (p < stressCount) continue;
      const [u, y, rest, v] = [
        state.vertexAt('motion', p),
        state.vertexAt('y', p),
        state.vertexAt('residual', p),
        state.velocityAt(p),
      ];
      const own = groups[group[p]];
      const whole = 1 / (1 + 1 / (own.type === 'surface' ? 3 : 2));
      for (let k = 0; k < 3; k++) {
        if (!(holds.bits[r] & (1 << k))) continue;
        const V = holds.velocity[3 * r + k];
        const way = f32[y + k] + whole * f32[rest + k];
        holds.impulse[3 * r + k] += holds.computeRest(own, p, mass[p], f32[v + k] + way, f32[u + k] + way, V, true);
        f32[y + k] = V - f32[u + k];
        f32[rest + k] = 0;
      }
    }
  }

  /** Places and velocities of what is held. */
  #settleHeld(h: number): void {
    const { holds } = this;
    const state = this.#state;
    const { f32 } = state.memory.views;
    const { stressCount, groups, group, mass } = this.#points;
    for (let r = 0; r < holds.count; r++) {
      const p = holds.particle[r];
      if (p < 0) continue;
      const at = state.velocityAt(p);
      for (let k = 0; k < 3; k++) {
        if (!(holds.bits[r] & (1 << k))) continue;
        const V = holds.velocity[3 * r + k];
        if (p < stressCount)
          holds.impulse[3 * r + k] += holds.computeRest(groups[group[p]], p, mass[p], f32[at + k], V, V, false);
        f32[at + k] = V;
        state.setPlace(p, k, this.#heldFrom[3 * r + k] + h * V);
      }
    }
  }

  /** Chebyshev's iteration of centre.ts; a last step of its own makes linear momentum exact. */
  #keepCentres(): void {
    const state = this.#state;
    const { groups } = this.#points;
    let [three, two] = [radiusOf(3) / middleOf(3), radiusOf(2) / middleOf(2)];
    for (let g = 0; g < groups.length; g++) {
      const n = groups[g].type === 'surface' ? 3 : 2;
      state.setGroup(g, 'ahead', 1 / middleOf(n));
      // the constant vector is an eigenvector of M⁻¹(M + AᵀM_q A), to 1 + 1/n
      state.setGroup(g, 'whole', 1 / (1 + 1 / n));
    }
    this.#run('startCentres');
    for (let iteration = 0; iteration < CENTRE_ITERATIONS; iteration++) {
      const nextThree = 1 / ((2 * middleOf(3)) / radiusOf(3) - three);
      const nextTwo = 1 / ((2 * middleOf(2)) / radiusOf(2) - two);
      for (let g = 0; g < groups.length; g++) {
        const isSurface = groups[g].type === 'surface';
        state.setGroup(g, 'old', isSurface ? nextThree * three : nextTwo * two);
        state.setGroup(g, 'ahead', (2 * (isSurface ? nextThree : nextTwo)) / radiusOf(isSurface ? 3 : 2));
      }
      three = nextThree;
      two = nextTwo;
      this.#run('stepCentres');
      state.swapDirections();
    }
  }

  /** Both parts of a kernel. */
  #run(kernel: TwoPart): void {
    const { kernels, table, memory } = this.#state;
    if (this.#threads === 2) this.#thread ??= KernelThread.start(memory);
    if (this.#thread === undefined) {
      kernels[kernel](table, 0);
      kernels[kernel](table, 1);
    } else if (!this.#thread.run(kernel, table))
      throw new LostThreadError(
        `The second thread stopped in the middle of a step (${kernel}); load the last state and continue with one thread.`,
      );
  }
}

/** Eigenvalues of centre.ts lie in middle ± radius, n corners. */
const middleOf = (n: number): number => 1 + 0.5 / n;
const radiusOf = (n: number): number => 0.5 / n;
