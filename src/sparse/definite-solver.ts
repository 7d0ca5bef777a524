/**
 * Solves A x = b for symmetric positive definite block matrices of meshes, with the cheaper of two ways, by their measured cost:
 *
 *   direct      LDLT in double precision (ldlt.ts)
 *   iterative   conjugate gradients, preconditioned by the factor in single precision of A without its weak blocks (sparsified.ts),
 *               until ‖b − A x‖ ≤ tolerance ‖b‖, or the error is small in the norm of A; where that fails the matrix is badly conditioned, and goes to the direct one
 *
 * The choice depends on the pattern alone, and every solve on A and b alone (the factor is made anew, the iteration starts from zero): a run
 * that was saved and loaded goes on with the same bits.
 */
import { KernelMemory } from '../kernels/index.ts';
import type { BlockMixed } from './block-mixed.ts';
import type { IterativeOptions } from './iterative.ts';
import { BlockLdlt } from './ldlt.ts';
import { PcgWorkspace, pcg } from './pcg.ts';
import { SparsifiedFactor } from './sparsified.ts';

/** Relative residual of the iterative solution, where none is asked for. */
const TOLERANCE = 1e-9;
/** Iterations beyond which the direct way would have been cheaper: the preconditioner is poor. */
const MOST_ITERATIONS = 80;
/**
 * Blocks from which on the iterative way is taken. It is cheaper from some 200 on (bench/sheet-solve.js: half the time at 700, a third at
 * 2,000); what is smaller is solved to rounding, as there is time for it.
 */
const ITERATIVE_FROM = 700;

export interface DefiniteOptions {
  /** Blocks from which on the iterative way is taken. */
  readonly iterativeFrom?: number;
  /** Relative residual of the iterative solution. */
  readonly tolerance?: number;
  /** Relative error of the iterative solution in the norm √(xᵀAx), which is enough whatever the residual; see `IterativeOptions`. */
  readonly energyTolerance?: number;
}

export interface DefiniteReport {
  ok: boolean;
  /** How the last system was solved. */
  method: 'direct' | 'iterative';
  /** Of conjugate gradients, failed ones included. */
  iterations: number;
}

export class DefiniteSolver {
  readonly report: DefiniteReport = { ok: false, method: 'direct', iterations: 0 };
  readonly #matrix: BlockMixed;
  readonly #memories: SolverMemories;
  readonly #isWeak: Uint8Array | undefined;
  readonly #solution: Float64Array;
  readonly #accuracy: IterativeOptions;
  #direct: BlockLdlt | undefined;
  #sparsified: SparsifiedFactor | undefined;
  #workspace: PcgWorkspace | undefined;
  #options: IterativeOptions = {};

  /** `isWeak`: 1 for slots that the preconditioner may leave out; without it every solve is direct. */
  constructor(
    matrix: BlockMixed,
    isWeak?: Uint8Array,
    memories = new SolverMemories(),
    { iterativeFrom = ITERATIVE_FROM, tolerance = TOLERANCE, energyTolerance = 0 }: DefiniteOptions = {},
  ) {
    this.#matrix = matrix;
    this.#memories = memories;
    this.#isWeak = matrix.pattern.n >= iterativeFrom ? isWeak : undefined;
    this.#solution = new Float64Array(matrix.size);
    this.#accuracy = { tolerance, energyTolerance };
  }

  /** Replaces b by x; not ok where the matrix is not positive definite. The report is reused. */
  solve(b: Float64Array): DefiniteReport {
    const { report } = this;
    report.iterations = 0;
    if (this.#isWeak !== undefined && this.#solveIteratively(b, this.#isWeak)) {
      report.method = 'iterative';
      report.ok = true;
    } else {
      report.method = 'direct';
      report.ok = this.#solveDirectly(b);
    }
    if (report.ok) b.set(this.#solution);
    return report;
  }

  #solveIteratively(b: Float64Array, isWeak: Uint8Array): boolean {
    const sparsified = this.#sparsified ?? this.#prepare(isWeak);
    if (!sparsified.update(b)) return false;
    const x = sparsified.vectors[0];
    const { converged, iterations } = pcg(sparsified.multiply, b, x, this.#options, this.#workspace);
    this.report.iterations = iterations;
    if (converged) this.#solution.set(x);
    return converged;
  }

  #prepare(isWeak: Uint8Array): SparsifiedFactor {
    const sparsified = new SparsifiedFactor(this.#matrix, isWeak, this.#memories.single);
    this.#workspace = new PcgWorkspace(this.#matrix.size, sparsified.vectors.slice(1));
    this.#options = {
      ...this.#accuracy,
      maxIterations: MOST_ITERATIONS,
      startsAtZero: true,
      preconditioner: sparsified.apply,
    };
    this.#sparsified = sparsified;
    return sparsified;
  }

  #solveDirectly(b: Float64Array): boolean {
    if (this.#direct === undefined) {
      this.#direct = new BlockLdlt(this.#memories.double);
      this.#direct.analyze(this.#matrix.pattern, this.#matrix.sizes);
    }
    const factored = this.#direct.factor(this.#matrix);
    return factored.ok && factored.negative === 0 && this.#direct.solve(b, this.#solution).ok;
  }
}

/** Memory that solvers of one mesh after another work in, so that it is not taken anew with every pattern. */
export class SolverMemories {
  readonly double = new KernelMemory();
  readonly single = new KernelMemory();
}
