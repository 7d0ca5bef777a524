/**
 * A model's share of the linear system, and the constraint rows that tie shares together.
 */
import { KernelMemory } from '../kernels/index.ts';
import { grow } from '../math/index.ts';
import {
  type BlockBanded,
  BlockLdlt,
  BlockMixed,
  type BlockPattern,
  BlockSparse,
  type DefiniteReport,
  DefiniteSolver,
  NetSolver,
  SolverMemories,
} from '../sparse/index.ts';

/**
 * Relative error of large systems in the norm √(xᵀAx), A = M + h²K: of the velocities that a step changes, and of the stretch that they make. An error e
 * has ½ eᵀMe of kinetic and ½ h² eᵀKe of elastic energy, together at most 1e-5 of the same of the step's change. In falling cloth (1/60 s, 5 kN/m) that
 * is a strain of 3e-6, far below what the linearisation of a step leaves; forces are computed anew in each, so nothing adds up.
 */
const ACCURACY = { energyTolerance: 3e-3 };

/** Unknown velocities of one model. */
export type Part = ChainPart | MeshPart | NetPart;

/** A chain of equal blocks (a single block for a rigid body). */
export class ChainPart {
  readonly kind = 'chain';
  readonly id: string;
  /** Symmetric positive definite, except along the coordinates in `late`. Overwritten by the solve. */
  readonly matrix: BlockBanded;
  /** Right-hand side; holds the solution Δ after the solve. */
  rhs: Float64Array;
  /**
   * Coordinates to eliminate last. Where material may slide through a node whose world position is held only by
   * constraint rows, the chain alone is singular along δx = F δu; taking x out of it makes what is left definite.
   */
  readonly late: number[] = [];
  /** Entries of the matrix outside its band: those that close a loop. One of their two coordinates must be in `late`. */
  readonly links = new Links();
  /**
   * Whether its model has a positive part to take where the matrix is not definite (`Model.takePositivePart`): that is cheaper than to
   * look whether bounded rows leave a minimum.
   */
  isTentative = false;

  constructor(id: string, matrix: BlockBanded) {
    this.id = id;
    this.matrix = matrix;
    this.rhs = new Float64Array(matrix.capacity * matrix.size);
  }
}

/** The vertices of a mesh, blocks of different sizes in a sparse matrix whose pattern changes when the mesh does. */
export class MeshPart {
  readonly kind = 'mesh';
  /** Bodies are coupled with meshes by rows. */
  readonly border: undefined;
  readonly id: string;
  /** Symmetric positive definite. Left as it is by the solve. */
  matrix: BlockMixed;
  /** Right-hand side; holds the solution Δ after the solve. */
  rhs: Float64Array;
  readonly #memories = new SolverMemories();
  #solver: DefiniteSolver;

  /** `isWeak`: 1 for blocks of the pattern that couple weakly; it lets large systems be solved faster (`DefiniteSolver`). */
  constructor(id: string, pattern: BlockPattern, sizes: ArrayLike<number>, isWeak?: Uint8Array) {
    this.id = id;
    this.matrix = new BlockMixed(pattern, sizes);
    this.rhs = new Float64Array(this.matrix.size);
    this.#solver = new DefiniteSolver(this.matrix, isWeak, this.#memories, ACCURACY);
  }

  /** Another mesh, or other sizes of its blocks; the system is zero afterwards. */
  setPattern(pattern: BlockPattern, sizes: ArrayLike<number>, isWeak?: Uint8Array): void {
    this.matrix = new BlockMixed(pattern, sizes);
    this.rhs = new Float64Array(this.matrix.size);
    this.#solver = new DefiniteSolver(this.matrix, isWeak, this.#memories, ACCURACY);
  }

  /** How the last system that no row tied was solved. */
  get solution(): Readonly<DefiniteReport> {
    return this.#solver.report;
  }

  /** Replaces the right-hand side by Δ, where no row ties the part; false where the matrix is not positive definite. */
  solve(): boolean {
    return this.#solver.solve(this.rhs).ok;
  }
}

/**
 * Relative error of nets in the norm √(xᵀAx): as that of meshes, Newton's iterations go on until the corrections are small. The residual says little: constraints of EIL nodes, a million times
 * stiffer than what holds nodes across their yarns, have all of it.
 */
const NET_ACCURACY = { tolerance: 1e-9, energyTolerance: 3e-3 };
/**
 * Nodes up to which nets are factored instead, whose momentum is then kept to rounding. Conjugate gradients are faster from some 90 on: a step of a swinging cloth of 8 × 8 crossings (96 nodes) takes
 * 0.33 to 0.45 ms with them and 0.53 with a factor.
 */
const FACTORED_NODES = 80;
/** Nodes up to which nets that push bodies are: each body takes six more right-hand sides. */
const FACTORED_WITH_BODIES = 1500;
/**
 * Iterations after which a factorisation would have been as fast, over √n, and nodes up to which it is taken then: cloth whose yarns are pressed together has nothing that holds them across, and
 * conjugate gradients take hundreds. Measured: a factor takes as long as 100 iterations with 900 nodes, 120 with 1,300 and 270 with 8,500.
 */
const PATIENCE = 3.3;
/** The same where the incomplete factor is a poor one: few of those come to an end before. */
const LITTLE_PATIENCE = 1.5;
const LARGEST_FACTORED = 10_000;

/** The nodes of a fabric: equal blocks in a sparse matrix whose pattern changes when nodes pass each other. */
export class NetPart {
  readonly kind = 'mesh';
  readonly id: string;
  /** Symmetric positive definite. Left as it is by the solve. */
  matrix: BlockSparse;
  /** Right-hand side; holds the solution Δ after the solve. */
  readonly rhs: Float64Array;
  /** Has the values of the matrix in its memory, and room there for the model. */
  readonly solver = new NetSolver();
  readonly #memory = new KernelMemory();
  /** The right-hand side of the blocks that the pattern has. */
  #own: Float64Array;
  #solution = new Float64Array(0);
  #direct: BlockLdlt | undefined;
  /** Whether the last matrix is factored there. */
  #isDirect = false;
  readonly #accuracy = { ...NET_ACCURACY, isFactored: false, maxIterations: 0, poorIterations: 0 };
  /** What couples its nodes with bodies; refilled for each solve. */
  readonly border = new NetBorder();
  /** Impulses of rows on its unknowns in the last solve, Gᵀλ; and whether there were any: what its model minimises has them as loads. */
  readonly pull: Float64Array;
  isPulled = false;
  /** Iterations of conjugate gradients of the last solve; 0 where it was factored at once. */
  iterations = 0;

  /** `isFirst`, `rank`, `room`: see `NetSolver.setPattern`; `capacity`: most blocks that a pattern may have. */
  constructor(
    id: string,
    pattern: BlockPattern,
    isFirst?: Uint8Array,
    rank?: Int32Array | undefined,
    capacity = pattern.n,
    room = 0,
  ) {
    this.id = id;
    this.rhs = new Float64Array(5 * capacity);
    this.pull = new Float64Array(5 * capacity);
    this.#own = this.rhs;
    this.matrix = this.#take(pattern, isFirst, rank, room);
  }

  /** Another pattern; what the matrix holds afterwards is not said. */
  setPattern(pattern: BlockPattern, isFirst?: Uint8Array, rank?: Int32Array, room = 0): void {
    this.matrix = this.#take(pattern, isFirst, rank, room);
  }

  #take(
    pattern: BlockPattern,
    isFirst: Uint8Array | undefined,
    rank: Int32Array | undefined,
    room: number,
  ): BlockSparse {
    if (5 * pattern.n !== this.#own.length) this.#own = this.rhs.subarray(0, 5 * pattern.n);
    this.#direct = undefined;
    this.solver.setPattern(pattern, isFirst, rank, room);
    return new BlockSparse(pattern, 5, this.solver.values);
  }

  /** Notes the impulses of the rows on this part, the `index`-th of the system. */
  takePull(rows: ConstraintRows, index: number): void {
    if (this.isPulled) this.pull.fill(0);
    this.isPulled = false;
    for (let row = 0; row < rows.count; row++)
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++) {
        if (rows.part[e] !== index) continue;
        this.pull[rows.coordinate[e]] += rows.value[e] * rows.multiplier[row];
        this.isPulled = true;
      }
  }

  /** Bytes that the solvers have taken. */
  get bytes(): number {
    return this.solver.bytes + this.#memory.views.i8.length;
  }

  /** Replaces the right-hand side by Δ, where no row ties the part; false where the matrix is not positive definite. */
  solve(): boolean {
    this.iterations = 0;
    return this.solveFor(this.#own, false);
  }

  /** Replaces b by A⁻¹ b; `isSame`: A is that of the last call. b may be longer than the pattern is, its rest stays. False where A is not positive definite. */
  solveFor(b: Float64Array, isSame: boolean): boolean {
    const { n } = this.matrix.pattern;
    const own = b.length === 5 * n ? b : b.subarray(0, 5 * n);
    this.#isDirect &&= isSame;
    const factored = this.border.count > 0 ? FACTORED_WITH_BODIES : FACTORED_NODES;
    if (n <= factored || this.#isDirect) return this.#solveDirectly(own);
    const accuracy = this.#accuracy;
    accuracy.isFactored = isSame;
    accuracy.maxIterations = n <= LARGEST_FACTORED ? Math.ceil(PATIENCE * Math.sqrt(n)) : 50 * n;
    accuracy.poorIterations = n <= LARGEST_FACTORED ? Math.ceil(LITTLE_PATIENCE * Math.sqrt(n)) : 50 * n;
    const report = this.solver.solve(own, accuracy);
    this.iterations += report.iterations;
    return report.ok || (report.isExhausted && this.#solveDirectly(own));
  }

  #solveDirectly(b: Float64Array): boolean {
    const { matrix } = this;
    if (this.#solution.length !== b.length) this.#solution = new Float64Array(b.length);
    if (this.#direct === undefined) {
      this.#direct = new BlockLdlt(this.#memory);
      this.#direct.analyze(matrix.pattern, matrix.sizes);
    }
    if (!this.#isDirect) {
      const factored = this.#direct.factor(matrix);
      if (!(factored.ok && factored.negative === 0)) return false;
      this.#isDirect = true;
    }
    if (!this.#direct.solve(b, this.#solution).ok) return false;
    b.set(this.#solution);
    return true;
  }
}

/** Blocks that couple nodes of a net with rigid bodies, whose parts are single blocks of six: 5 × 6 each, row by row, in any order; those of one pair add up. */
export class NetBorder {
  count = 0;
  node = new Int32Array(16);
  /** Index of the body's part in the system. */
  part = new Int32Array(16);
  value = new Float64Array(16 * 30);

  clear(): void {
    this.count = 0;
  }

  /** A block of zeros, to be filled in: where it begins in `value`. */
  add(node: number, part: number): number {
    const at = this.count++;
    if (at === this.node.length) {
      this.node = grow(this.node, 2 * at);
      this.part = grow(this.part, 2 * at);
      this.value = grow(this.value, 60 * at);
    }
    this.node[at] = node;
    this.part[at] = part;
    this.value.fill(0, 30 * at, 30 * at + 30);
    return 30 * at;
  }
}

/** Symmetric entries of a part's matrix that lie outside its band; each is stored once, for both triangles. */
export class Links {
  count = 0;
  row = new Int32Array(16);
  column = new Int32Array(16);
  value = new Float64Array(16);

  clear(): void {
    this.count = 0;
  }

  add(row: number, column: number, value: number): void {
    if (this.count === this.row.length) {
      this.row = grow(this.row, 2 * this.row.length);
      this.column = grow(this.column, 2 * this.column.length);
      this.value = grow(this.value, 2 * this.value.length);
    }
    this.row[this.count] = row;
    this.column[this.count] = column;
    this.value[this.count++] = value;
  }

  /** Sets the entries of a cancelled coordinate to zero. */
  cancel(coordinate: number): void {
    for (let k = 0; k < this.count; k++)
      if (this.row[k] === coordinate || this.column[k] === coordinate) this.value[k] = 0;
  }
}

/**
 * Rows G v = target over the unknown velocities of several parts, or, with bounds lo ≤ λ ≤ hi on its multiplier, one-sided (contact,
 * G v ≥ target: [0, ∞)) and dry friction ([−b, b]); `docs/internals/qp.md` has the conditions. Refilled for each solve; grows, never shrinks.
 */
export class ConstraintRows {
  count = 0;
  entries = 0;
  /** First entry of each row; `start[count]` is the end. */
  start = new Int32Array(17);
  part = new Int32Array(64);
  coordinate = new Int32Array(64);
  value = new Float64Array(64);
  /** Right-hand side in terms of Δ: target − G v. */
  residual = new Float64Array(16);
  /** c ≥ 0 of a soft row, G Δ + c λ = residual [1/kg for a row of unit velocity]; 0 is a strict one. */
  compliance = new Float64Array(16);
  /** λ of the last solve: impulse along the row [N s for a row of unit velocity]. */
  multiplier = new Float64Array(16);
  /** lo and hi of λ; −∞ and ∞ where a row is an equality. */
  lower = new Float64Array(16);
  upper = new Float64Array(16);
  /** Of bounded rows, a guess in and what was found out: −1 λ = lo, 0 the row holds, 1 λ = hi. */
  state = new Int8Array(16);
  /** Guess of a bounded row's λ, for solvers that come nearer step by step. */
  guess = new Float64Array(16);
  /** How many rows have bounds. */
  bounded = 0;

  clear(): void {
    this.count = 0;
    this.entries = 0;
    this.bounded = 0;
  }

  /** Begins a row whose velocity is short of its target by `residual`; returns its index. */
  addRow(residual: number, compliance = 0): number {
    if (this.count === this.residual.length) {
      this.residual = grow(this.residual, 2 * this.residual.length);
      this.compliance = grow(this.compliance, 2 * this.compliance.length);
      this.multiplier = grow(this.multiplier, 2 * this.multiplier.length);
      this.lower = grow(this.lower, 2 * this.lower.length);
      this.upper = grow(this.upper, 2 * this.upper.length);
      this.state = grow(this.state, 2 * this.state.length);
      this.guess = grow(this.guess, 2 * this.guess.length);
    }
    if (this.count + 1 === this.start.length) this.start = grow(this.start, 2 * this.start.length);
    this.residual[this.count] = residual;
    this.compliance[this.count] = compliance;
    this.lower[this.count] = Number.NEGATIVE_INFINITY;
    this.upper[this.count] = Number.POSITIVE_INFINITY;
    this.state[this.count] = 0;
    this.guess[this.count] = 0;
    this.start[this.count] = this.entries;
    this.start[this.count + 1] = this.entries;
    return this.count++;
  }

  /** Bounds the multiplier of the last row; `state` and `guess` say where it may be. */
  boundRow(lower: number, upper: number, state: number, guess = 0): void {
    const row = this.count - 1;
    this.guess[row] = guess;
    this.lower[row] = lower;
    this.upper[row] = upper;
    this.state[row] = state;
    this.bounded++;
  }

  isBounded(row: number): boolean {
    return this.lower[row] > Number.NEGATIVE_INFINITY || this.upper[row] < Number.POSITIVE_INFINITY;
  }

  /** Adds a coefficient to the last row. */
  addEntry(part: number, coordinate: number, value: number): void {
    if (this.entries === this.part.length) {
      this.part = grow(this.part, 2 * this.part.length);
      this.coordinate = grow(this.coordinate, 2 * this.coordinate.length);
      this.value = grow(this.value, 2 * this.value.length);
    }
    this.part[this.entries] = part;
    this.coordinate[this.entries] = coordinate;
    this.value[this.entries] = value;
    this.start[this.count] = ++this.entries;
  }
}
