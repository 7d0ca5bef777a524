/**
 * Solves A x = b for nets of yarns: A symmetric positive definite, 5 × 5 blocks, any pattern. Conjugate gradients (pcg.ts), preconditioned by
 * block incomplete Cholesky on the pattern of A, in the kernels of src/kernels/net.ts.
 *
 *     solver.setPattern(pattern);  add blocks to solver.values at 25 · pattern.slot(i, j);  solver.solve(b)
 *
 * Yarns are so much stiffer along than across that what the factor leaves out of bending breaks it down. A shift of all diagonals would then be
 * large beside inertia, and iterations many; instead the entries left out are added to the diagonals they belong to, by shares ω that grow until
 * a factor is found. A weave of 32 × 32 crossings takes 72 iterations to 1e-6 so, and 157 with the least shift that works (both without fill). The order of elimination (net-order.ts) is worth more still.
 * Every solve depends on A and b alone, not on those before.
 */
import {
  canShareMemory,
  KernelMemory,
  KernelThread,
  NET_NUMBER_COUNT,
  NET_NUMBERS,
  type NetKernels,
} from '../kernels/index.ts';
import type { BlockPattern } from './block-sparse.ts';
import { NetLayout } from './net-layout.ts';

/** Blocks from which on there are two domains. */
const TWO_DOMAINS_FROM = 4000;
/** ω and σ of the attempts to factor, in turn. */
const ATTEMPTS: readonly (readonly [omega: number, shift: number])[] = [
  [0.1, 0],
  [0.3, 0],
  [1, 0],
  [1, 1e-6],
  [1, 1e-4],
  [1, 1e-2],
  [1, 1],
];
/** Part of all iterations so far, and least number of them, by which the error must have stopped falling. */
const LAST_PART = 0.25;
const FEWEST = 5;
/** Largest change of an entry in the last iteration, over the largest entry, that lets a solve end by the energy. */
const LAST_CHANGE = 0.01;

/** Thrown where the other thread is gone, and caught in `solve`. */
const LOST = new Error('the second thread has stopped');

export interface NetSolveOptions {
  /** ‖b − A x‖/‖b‖ at which the solve ends. Default 1e-6; 1e-10 is out of reach of some stiff nets. */
  readonly tolerance?: number;
  /**
   * Error of x over x in the norm √(xᵀAx) at which it also ends. The error e has eᵀAe = rᵀA⁻¹r: that is rᵀz as far as the preconditioner is A, and more by what it misses, for which k^1.5 times the largest α so
   * far is taken, in iteration k: where there are many it misses much. xᵀAx is the sum of αrᵀz [Hestenes 1952]; what it gained in the last quarter of all iterations, and five at least, is an error, too, and where there are
   * many the smaller one. Where stiff parts of b have almost all the energy x may be far off all the same: it ends
   * only when no entry changes by more than LAST_CHANGE of the largest. Of 600 systems of weaves, sewn layers and knits none was left with more than the tolerance, and most with a tenth. Default: no.
   */
  readonly energyTolerance?: number;
  /** Default: 10 × the number of unknowns, at least 100. */
  readonly maxIterations?: number;
  /** The same where no factor was found that leaves out less than all that has no place (ω = 1), which is a poor one. Default: as many. */
  readonly poorIterations?: number;
  /** Whether the values are those of the last solve, whose factor is then used again. Default: no. */
  readonly isFactored?: boolean;
}

export interface NetSolveReport {
  /** False where A is not positive definite, a number is not finite or iterations ran out; then b is as it was. */
  ok: boolean;
  /** Whether it is not ok because iterations ran out. */
  isExhausted: boolean;
  iterations: number;
  /** The true one, but where the solve ended by the energy. */
  residual: number;
  /** ω and σ of the factor that was found (src/kernels/net.ts). */
  omega: number;
  shift: number;
}

export interface NetSolverOptions {
  /** Kernels in TypeScript, for tests. */
  readonly prefersTwin?: boolean;
  /** Blocks from which on there are two domains; results depend on it. */
  readonly twoDomainsFrom?: number;
  /** Level of fill of the factor; see net-layout.ts. Default: 0 where blocks have ranks, else 1. */
  readonly fill?: 0 | 1;
  /** Threads to use where there are two domains and the platform has them: 1 or 2, by default 2. Results do not depend on it. */
  readonly threads?: number;
}

export class NetSolver {
  readonly report: NetSolveReport = {
    ok: false,
    isExhausted: false,
    iterations: 0,
    residual: Number.NaN,
    omega: 0,
    shift: 0,
  };
  readonly #prefersTwin: boolean;
  readonly #threads: number;
  #memory: KernelMemory;
  #layout: NetLayout;
  #thread: KernelThread | undefined;
  readonly #twoDomainsFrom: number;
  readonly #fill: 0 | 1 | undefined;
  #pattern: BlockPattern | undefined;
  #values: Float64Array = new Float64Array(0);
  #x = this.#values;
  #r = this.#values;
  #p = this.#values;
  #q = this.#values;
  #numbers = this.#values;
  #energies = new Float64Array(256);

  constructor(options: NetSolverOptions = {}) {
    const { prefersTwin = false, twoDomainsFrom = TWO_DOMAINS_FROM, fill, threads = 2 } = options;
    this.#prefersTwin = prefersTwin;
    this.#threads = threads;
    this.#memory = new KernelMemory({ prefersTwin });
    this.#layout = new NetLayout(this.#memory);
    this.#twoDomainsFrom = twoDomainsFrom;
    this.#fill = fill;
  }

  /** Of the pattern set last: 25 numbers a slot, row by row, as in `BlockSparse`. Another array after `setPattern`. */
  get values(): Float64Array {
    return this.#values;
  }

  /** Bytes that the solver has taken. */
  get bytes(): number {
    return this.#memory.views.i8.length;
  }

  /**
   * Takes a pattern; values are lost. Nothing is done where it is the one set before.
   * `isFirst`: 1 for blocks that are tied to their neighbours by something much stiffer than those are to each other, as EIL nodes are.
   * `rank`: whole numbers that rise along all yarns, at least one a block (net-order.ts). Where they are known the factor needs no fill.
   * `room`: bytes for what the owner keeps beside the values for kernels of its own (`layout`, `memory`, `run`).
   */
  setPattern(pattern: BlockPattern, isFirst?: Uint8Array, rank?: Int32Array, room = 0): void {
    if (pattern === this.#pattern) return;
    const domains = pattern.n >= this.#twoDomainsFrom ? 2 : 1;
    if (domains === 2 && !this.#prefersTwin && this.#threads === 2 && this.#thread === undefined) this.#share();
    const layout = this.#layout;
    layout.take(pattern, domains, this.#fill ?? (rank ? 0 : 1), isFirst, rank, room);
    if (domains === 2 && this.#threads === 2) this.#thread ??= KernelThread.start(this.#memory);
    this.#pattern = pattern;
    const { n } = pattern;
    const view = (byte: number, length: number): Float64Array =>
      this.#memory.views.f64.subarray(byte / 8, byte / 8 + length);
    this.#values = view(layout.get('values'), 25 * layout.slots);
    this.#x = view(layout.get('x'), 5 * n);
    this.#r = view(layout.get('r'), 5 * n);
    this.#p = view(layout.get('p'), 5 * n);
    this.#q = view(layout.get('q'), 5 * n);
    this.#numbers = view(layout.get('numbers'), NET_NUMBER_COUNT);
  }

  /** What the kernels work in; another one after `setPattern`. */
  get memory(): KernelMemory {
    return this.#memory;
  }

  /** Where the system lies in memory. */
  get layout(): NetLayout {
    return this.#layout;
  }

  /** Runs both parts of a compiled kernel of the owner's, on two threads where there are two domains; false where the second was lost on the way: once more, then. */
  run(kernel: string, table: number): boolean {
    const kernels = this.#memory.fabric as unknown as Readonly<Record<string, (table: number, domain: number) => void>>;
    if (this.#layout.domains === 2 && this.#thread !== undefined) return this.#thread.run(kernel, table);
    for (let domain = 0; domain < this.#layout.domains; domain++) kernels[kernel](table, domain);
    return true;
  }

  /** Moves to a memory that threads can share, where there may be some. */
  #share(): void {
    if (this.#memory.shared !== undefined || !canShareMemory()) return;
    this.#memory = new KernelMemory({ isShared: true });
    this.#layout = new NetLayout(this.#memory);
  }

  /** Parts of kernels that a second thread has done so far: 0 where there is none, or it has not begun yet. */
  get shared(): number {
    return this.#thread?.shared ?? 0;
  }

  /** Ends the second thread, if there is one; the solver can still be used. */
  dispose(): void {
    this.#thread?.dispose();
  }

  /** Replaces b by x where the report is ok. The report is reused. */
  solve(b: Float64Array, options: NetSolveOptions = {}): NetSolveReport {
    try {
      this.#attempt(b, options);
    } catch (error) {
      if (error !== LOST) throw error;
      // the other thread went in the middle of a kernel: once more, without it
      this.#attempt(b, options);
    }
    return this.report;
  }

  #attempt(b: Float64Array, options: NetSolveOptions): void {
    const { report } = this;
    const size = 5 * this.#layout.n;
    if (b.length !== size)
      throw new RangeError(`NetSolver.solve: b has ${b.length} entries; the pattern needs ${size}.`);
    const { tolerance = 1e-6, energyTolerance = 0 } = options;
    report.iterations = 0;
    report.residual = Number.NaN;
    report.ok = false;
    report.isExhausted = false;
    if (!options.isFactored && !this.#factor()) return;
    const most = options.maxIterations ?? Math.max(100, 10 * size);
    const maxIterations = report.omega === 1 ? Math.min(most, options.poorIterations ?? most) : most;
    this.#x.fill(0);
    const { position, n } = this.#layout;
    for (let i = 0; i < n; i++) for (let c = 0; c < 5; c++) this.#r[5 * position[i] + c] = b[5 * i + c];
    this.#measureResidual();
    const norm = Math.sqrt(this.#sum('square'));
    const scale = norm > 0 ? norm : 1;
    for (let previous = Number.POSITIVE_INFINITY; ; ) {
      report.residual = Math.sqrt(this.#sum('square')) / scale;
      report.ok = report.residual <= tolerance;
      const isOver = report.ok || !(report.residual <= previous / 2) || report.iterations >= maxIterations;
      if (isOver) break;
      previous = report.residual;
      if (!this.#iterate(tolerance * scale, scale, energyTolerance, maxIterations)) break;
      if (report.ok) break;
      this.#writeResidual(b);
    }
    report.isExhausted = !report.ok && report.iterations >= maxIterations;
    if (report.ok) for (let i = 0; i < n; i++) for (let c = 0; c < 5; c++) b[5 * i + c] = this.#x[5 * position[i] + c];
  }

  #factor(): boolean {
    const { report } = this;
    const { table, domains } = this.#layout;
    const { net } = this.#memory;
    const numbers = this.#numbers;
    for (const [omega, shift] of ATTEMPTS) {
      report.omega = numbers[NET_NUMBERS.omega] = omega;
      report.shift = numbers[NET_NUMBERS.shift] = shift;
      this.#run('factorNet');
      if (domains === 2) net.factorNetSeparator(table);
      if (numbers[NET_NUMBERS.factored] === 1) return true;
    }
    return false;
  }

  /** The recurrence from the residual in r until ‖r‖ ≤ target, or the energy (then ok) or iterations end it; false on breakdown. */
  #iterate(target: number, scale: number, energyTolerance: number, maxIterations: number): boolean {
    const { report } = this;
    const numbers = this.#numbers;
    let product = this.#precondition();
    numbers[NET_NUMBERS.beta] = 0;
    let energy = 0;
    let longest = 0;
    let count = 0;
    this.#p.fill(0);
    while (report.iterations < maxIterations) {
      if (!isPositive(product)) return false;
      this.#run('turnNet');
      this.#run('multiplyNet');
      this.#run('curveNet');
      const curvature = this.#sum('curvature');
      if (!isPositive(curvature)) return false;
      report.iterations++;
      const alpha = product / curvature;
      numbers[NET_NUMBERS.alpha] = alpha;
      this.#run('advanceNet');
      const size = Math.sqrt(this.#sum('square'));
      if (size <= target) return true;
      energy += alpha * product;
      longest = Math.max(longest, alpha);
      const next = this.#precondition();
      count++;
      const gain = energy - this.#energyBefore(count - 1, energy);
      const isNear = Math.min(count * Math.sqrt(count) * longest * next, gain) <= energyTolerance ** 2 * energy;
      if (isNear && alpha * this.#largest('change') <= LAST_CHANGE * this.#largest('size')) {
        report.residual = size / scale;
        report.ok = true;
        return true;
      }
      numbers[NET_NUMBERS.beta] = next / product;
      product = next;
    }
    return true;
  }

  /** Keeps the energy of this iteration; returns that before the last part of all, 0 where there were too few. */
  #energyBefore(count: number, energy: number): number {
    if (count === this.#energies.length) {
      const longer = new Float64Array(2 * count);
      longer.set(this.#energies);
      this.#energies = longer;
    }
    this.#energies[count] = energy;
    const back = Math.max(FEWEST, Math.ceil(LAST_PART * count));
    return count < back ? 0 : this.#energies[count - back];
  }

  /** z = M⁻¹ r; returns rᵀz. */
  #precondition(): number {
    this.#run('forwardNet');
    if (this.#layout.domains === 2) this.#memory.net.solveNetSeparator(this.#layout.table);
    this.#run('backwardNet');
    return this.#sum('product');
  }

  /** r = b − A x and its square. */
  #writeResidual(b: Float64Array): void {
    this.#p.set(this.#x);
    this.#run('multiplyNet');
    this.#run('curveNet');
    const [r, q] = [this.#r, this.#q];
    const { position, n } = this.#layout;
    for (let i = 0; i < n; i++)
      for (let c = 0; c < 5; c++) r[5 * position[i] + c] = b[5 * i + c] - q[5 * position[i] + c];
    this.#measureResidual();
  }

  /** rᵀr, by the kernel that also does it in between: with α = 0 it moves nothing. */
  #measureResidual(): void {
    this.#numbers[NET_NUMBERS.alpha] = 0;
    this.#p.fill(0);
    this.#q.fill(0);
    this.#run('advanceNet');
  }

  #run(kernel: keyof NetKernels): void {
    const { table, domains } = this.#layout;
    const { net } = this.#memory;
    if (domains === 2 && this.#thread !== undefined) {
      if (!this.#thread.run(kernel, table)) throw LOST;
    } else for (let domain = 0; domain < domains; domain++) net[kernel](table, domain);
  }

  #sum(name: 'square' | 'curvature' | 'product'): number {
    const at = NET_NUMBERS[name];
    return this.#layout.domains === 2 ? this.#numbers[at] + this.#numbers[at + 1] : this.#numbers[at];
  }

  #largest(name: 'change' | 'size'): number {
    const at = NET_NUMBERS[name];
    return this.#layout.domains === 2 ? Math.max(this.#numbers[at], this.#numbers[at + 1]) : this.#numbers[at];
  }
}

const isPositive = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;
