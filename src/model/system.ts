/**
 * One linear system for all models of a world:  [A Gᵀ; G −c] [Δ; −λ] = [r; g]
 *   A  block-diagonal over the parts     G  constraint rows     Δ  change of the velocities     λ  impulses of the rows
 *   c  compliance of soft rows, diagonal; 0 for strict ones
 *
 * Parts that no row ties together do not know of each other, so the system falls into islands, and each goes to the
 * cheapest solver that is exact for it:
 *   chain     one part, no row, nothing late: banded LDLT, linear in the number of nodes
 *   bordered  parts with rows or late coordinates: the same LDLT, and a dense Schur complement (`island-bordered.ts`)
 *   mesh      one mesh, no row: sparse LDLT of its own pattern, or conjugate gradients where it is large (`DefiniteSolver`)
 *   net       nets and the bodies that they push, no row: each net's own solver, and a dense Schur complement on the bodies (`island-net.ts`)
 *   sparse    a mesh with rows, or a border too wide: general sparse LDLT of the whole island (see `island-sparse.ts`)
 *   bounded   chains with rows some of which have bounds on their λ: the LDLT of the chains, and a convex quadratic problem in λ alone,
 *             dense (see `island-bordered-qp.ts`); up to a few hundred rows, and where `qp` fails
 *   heap      chains with more bounded rows than that, none of them strict: the LDLT of each chain, and sweeps over λ to 1e-3 (see `island-heap.ts`)
 *   qp        other islands with such rows: a convex quadratic problem over the whole island (see `island-qp.ts`)
 */
import type { BlockBanded, QpReport } from '../sparse/index.ts';
import { keepCopy } from './chains-inverse.ts';
import { BorderedIsland } from './island-bordered.ts';
import { BorderedQpIsland, type BorderedQpOutcome } from './island-bordered-qp.ts';
import { HeapIsland } from './island-heap.ts';
import { NetIsland } from './island-net.ts';
import { QpIsland } from './island-qp.ts';
import { SparseIsland } from './island-sparse.ts';
import { type Island, IslandFinder } from './islands.ts';
import { type ChainPart, type ConstraintRows, type MeshPart, NetPart, type Part } from './part.ts';

/** Rows of an island from which on they are solved by sweeps, where that can be: exact solvers take 0.2 s for 700. */
const HEAP = 300;

export interface SystemReport {
  ok: boolean;
  /** The part whose matrix is not positive definite, when not ok. */
  failedPart: string;
  /** All that are known not to be, by index; empty where that is not known. */
  readonly indefinite: number[];
  /** Whether that was found before anything was solved: all but `multiplier` is as it was. */
  isUntouched: boolean;
  /** Why, when not ok. */
  cause: string;
  chainIslands: number;
  meshIslands: number;
  borderedIslands: number;
  sparseIslands: number;
  /** Islands with bounded rows, and how many of them were solved as chains with a border. */
  qpIslands: number;
  borderedQpIslands: number;
  /** Islands whose rows were solved by sweeps, and whether these came as near as they should. */
  sweptIslands: number;
  isSwept: boolean;
  /** What solved the last island with bounded rows; empty where there is none. */
  qpMethod: QpReport['method'] | '';
  /** Largest scaled residual of the conditions of all quadratic problems (`docs/internals/qp.md`); 0 where there is none. */
  kktError: number;
  /** Rows that depend on others; their impulse is zero, or, in an island with bounded rows, shared. */
  redundantRows: number;
}

/** What the cost of a tied island depends on. */
export interface IslandSize {
  readonly nodes: number;
  /** Border unknowns: rows and late coordinates. */
  readonly width: number;
  /** Nodes of the parts that a border unknown touches, summed over the border. */
  readonly swept: number;
  /** Whether rows have bounds: the choice is then between two quadratic solvers. */
  readonly isBounded: boolean;
}

export interface SystemOptions {
  /** Whether a tied island goes to the sparse solver. Default: when that is cheaper. */
  readonly prefersSparse?: (island: IslandSize) => boolean;
  /** Whether heaps go by sweeps; default: yes. */
  readonly usesSweeps?: boolean;
}

export class System {
  readonly parts: readonly Part[];
  readonly #prefersSparse: (island: IslandSize) => boolean;
  readonly #usesSweeps: boolean;
  readonly #report: SystemReport = {
    ok: true,
    failedPart: '',
    indefinite: [],
    isUntouched: false,
    cause: '',
    chainIslands: 0,
    meshIslands: 0,
    borderedIslands: 0,
    sparseIslands: 0,
    qpIslands: 0,
    borderedQpIslands: 0,
    sweptIslands: 0,
    isSwept: true,
    qpMethod: '',
    kktError: 0,
    redundantRows: 0,
  };
  readonly #finder = new IslandFinder();
  readonly #bordered = new BorderedIsland();
  readonly #borderedQp = new BorderedQpIsland();
  /** Of the islands of a solve that are heaps, in their order; those that are left over from other solves behind them. */
  readonly #heaps: HeapIsland[] = [];
  readonly #heapOf = new Map<Island, HeapIsland>();
  /** Factors of chains on their own, by index of the part. */
  readonly #lone: BlockBanded[] = [];
  readonly #net = new NetIsland();
  /** By first part, so that each island keeps its symbolic factorisation. */
  readonly #sparse = new Map<number, SparseIsland>();
  readonly #qp = new Map<number, QpIsland>();

  constructor(parts: readonly Part[], options: SystemOptions = {}) {
    this.parts = parts;
    this.#prefersSparse = options.prefersSparse ?? isSparseCheaper;
    this.#usesSweeps = options.usesSweeps ?? true;
  }

  get report(): Readonly<SystemReport> {
    return this.#report;
  }

  /** Replaces each part's right-hand side by its Δ and fills the rows' multipliers. The report is reused. */
  solve(rows: ConstraintRows): SystemReport {
    const report = this.#report;
    report.ok = true;
    report.chainIslands = report.meshIslands = report.borderedIslands = report.sparseIslands = report.redundantRows = 0;
    report.qpIslands = report.borderedQpIslands = report.sweptIslands = report.kktError = 0;
    report.isSwept = true;
    report.qpMethod = report.cause = '';
    report.indefinite.length = 0;
    report.isUntouched = false;
    if (rows.count === 0 && this.parts.every(isPlain)) {
      for (let p = 0; p < this.parts.length; p++) this.#solveAlone(p);
      this.#pullNets(rows);
      return report;
    }
    rows.multiplier.fill(0, 0, rows.count);
    const islands = this.#finder.find(this.parts, rows);
    if (this.#factorFirst(islands, rows)) this.#solveIslands(islands, rows);
    this.#pullNets(rows);
    return report;
  }

  /** Heaps, which take longest, come last: they wait for what the others lack. */
  #solveIslands(islands: readonly Island[], rows: ConstraintRows): void {
    const report = this.#report;
    for (const island of islands) {
      if (this.#heapOf.has(island)) continue;
      const p = island.parts[0];
      if (this.#isAlone(island)) this.#solveAlone(p, this.#lone[p]);
      else if (island.rows.length === 0 && island.parts.some((p) => isBordered(this.parts[p]))) this.#solveNet(island);
      else this.#solveTied(island, rows);
      if (!report.ok) return;
    }
    for (const [island, heap] of this.#heapOf) {
      const { ok } = heap.solve(this.parts as readonly ChainPart[], island, rows);
      report.qpIslands++;
      report.sweptIslands++;
      report.isSwept &&= ok;
    }
  }

  #pullNets(rows: ConstraintRows): void {
    for (let p = 0; p < this.parts.length; p++) {
      const part = this.parts[p];
      if (part instanceof NetPart) part.takePull(rows, p);
    }
  }

  /** Whether an island is one part without rows or late coordinates. */
  #isAlone({ parts, rows }: Island): boolean {
    return rows.length === 0 && parts.length === 1 && isPlain(this.parts[parts[0]]);
  }

  /**
   * Factors copies of what is a chain on its own or in a heap: whether all of them are definite is known before rows, which take much longer, are
   * solved. False where some are not.
   */
  #factorFirst(islands: readonly Island[], rows: ConstraintRows): boolean {
    const { indefinite } = this.#report;
    this.#heapOf.clear();
    for (const island of islands) {
      const p = island.parts[0];
      const part = this.parts[p];
      if (this.#isAlone(island)) {
        if (part.kind !== 'mesh' && !keepCopy(this.#lone, p, part.matrix).factor().ok) indefinite.push(p);
        continue;
      }
      const chains = this.#usesSweeps ? asChains(this.parts, island) : null;
      if (chains === null || !isHeap(chains, island, rows)) continue;
      const heap = (this.#heaps[this.#heapOf.size] ??= new HeapIsland());
      if (!heap.load(chains, island, rows)) continue;
      this.#heapOf.set(island, heap);
      indefinite.push(...heap.indefinite);
    }
    if (indefinite.length === 0) return true;
    indefinite.sort((a, b) => a - b);
    this.#report.isUntouched = true;
    this.#fail(this.parts[indefinite[0]]);
    return false;
  }

  /** `factored`: the chain's factor, where there is one. */
  #solveAlone(p: number, factored?: BlockBanded): void {
    const part = this.parts[p];
    if (part.kind === 'mesh') {
      this.#solveMesh(part);
      return;
    }
    this.#report.chainIslands++;
    if (factored) factored.solve(part.rhs);
    else if (part.matrix.factor().ok) part.matrix.solve(part.rhs);
    else {
      this.#report.indefinite.push(p);
      this.#fail(part);
    }
  }

  #solveMesh(part: MeshPart | NetPart): void {
    this.#report.meshIslands++;
    if (!part.solve()) this.#fail(part);
  }

  #solveNet(island: Island): void {
    this.#report.meshIslands++;
    const failed = this.#net.solve(this.parts, island.parts);
    if (failed >= 0) this.#fail(this.parts[failed]);
  }

  #solveTied(island: Island, rows: ConstraintRows): void {
    const isBounded = rows.bounded > 0 && island.rows.some((row) => rows.isBounded(row));
    const chains = asChains(this.parts, island);
    const size = chains === null ? null : measureIsland(chains, island, rows, isBounded);
    if (isBounded) {
      this.#solveBounded(chains, island, rows, size);
    } else if (chains === null || size === null || this.#prefersSparse(size)) {
      this.#report.sparseIslands++;
      const first = island.parts[0];
      const solver = this.#sparse.get(first) ?? new SparseIsland();
      this.#sparse.set(first, solver);
      const outcome = solver.solve(this.parts, island.parts, island.rows, rows);
      this.#report.redundantRows += outcome.redundantRows;
      if (!outcome.ok) this.#fail(this.parts[first]);
    } else {
      this.#report.borderedIslands++;
      const outcome = this.#bordered.solve(chains, island, rows, size.width);
      this.#report.redundantRows += outcome.redundantRows;
      if (!outcome.ok) this.#fail(this.parts[outcome.failedPart]);
    }
  }

  /** The solver that is likely to be cheaper first; the other one where that fails. */
  #solveBounded(
    chains: readonly ChainPart[] | null,
    island: Island,
    rows: ConstraintRows,
    size: IslandSize | null,
  ): void {
    const isSparse = chains === null || size === null || this.#prefersSparse(size);
    if (!isSparse) {
      const outcome = this.#solveBorderedQp(chains, island, rows, size);
      if (outcome.ok) return;
      const tentative = outcome.isDefinite ? [] : island.parts.filter((p) => chains[p].isTentative);
      if (tentative.length > 0) {
        this.#report.qpIslands++;
        this.#report.indefinite.push(...tentative);
        this.#fail(chains[tentative[0]]);
        return;
      }
    }
    const cause = this.#solveSparseQp(island, rows);
    if (
      cause === '' ||
      (isSparse && chains !== null && size !== null && this.#solveBorderedQp(chains, island, rows, size).ok)
    )
      return;
    this.#report.qpIslands++;
    this.#fail(this.parts[island.parts[0]], `the contact problem cannot be solved: ${cause}`);
  }

  /** Where it is not solved nothing has changed. */
  #solveBorderedQp(
    chains: readonly ChainPart[],
    island: Island,
    rows: ConstraintRows,
    { width }: IslandSize,
  ): BorderedQpOutcome {
    const outcome = this.#borderedQp.solve(chains, island, rows, width);
    if (!outcome.ok) return outcome;
    this.#report.borderedQpIslands++;
    this.#addQp('active-set', outcome.error, outcome.redundantRows);
    return outcome;
  }

  /** Why it is not solved; empty where it is. */
  #solveSparseQp(island: Island, rows: ConstraintRows): string {
    const first = island.parts[0];
    const solver = this.#qp.get(first) ?? new QpIsland();
    this.#qp.set(first, solver);
    const outcome = solver.solve(this.parts, island.parts, island.rows, rows);
    if (outcome.status !== 'solved') return outcome.reason;
    this.#addQp(outcome.method, outcome.error, outcome.redundantRows);
    return '';
  }

  #addQp(method: QpReport['method'], error: number, redundantRows: number): void {
    const report = this.#report;
    report.qpIslands++;
    report.qpMethod = method;
    report.kktError = Math.max(report.kktError, error);
    report.redundantRows += redundantRows;
  }

  #fail(part: Part, cause = 'the system matrix is not positive definite'): void {
    this.#report.ok = false;
    this.#report.failedPart = part.id;
    this.#report.cause = cause;
  }
}

/** The parts, where all of an island are chains; else null. */
function asChains(parts: readonly Part[], island: Island): readonly ChainPart[] | null {
  for (let n = 0; n < island.parts.length; n++) if (parts[island.parts[n]].kind === 'mesh') return null;
  return parts as readonly ChainPart[];
}

function measureIsland(
  parts: readonly ChainPart[],
  island: Island,
  rows: ConstraintRows,
  isBounded: boolean,
): IslandSize {
  let [nodes, width, swept] = [0, island.rows.length, 0];
  for (const p of island.parts) {
    const { late, matrix } = parts[p];
    nodes += matrix.blocks;
    width += late.length;
    swept += late.length * matrix.blocks;
  }
  for (const row of island.rows)
    for (let e = rows.start[row]; e < rows.start[row + 1]; e++)
      if (e === rows.start[row] || rows.part[e] !== rows.part[e - 1]) swept += parts[rows.part[e]].matrix.blocks;
  return { nodes, width, swept, isBounded };
}

/**
 * Bordered: about 40 ns for each node that a border unknown sweeps over, and 1.5 ns for each of the width³/6
 * multiply-adds of the dense part. Sparse: about 3 µs a node. What both pay (a few µs a row) is left out.
 * Measured by `bench/system.js`; the choice is never wrong there by more than a factor 2.
 * With bounds the dense part costs much the same, and the sparse solver 15 µs a node and a row where contacts have changed
 * (`bench/bounded.js`): 250 rows on a chain of 100 nodes.
 */
const isSparseCheaper = ({ nodes, width, swept, isBounded }: IslandSize): boolean =>
  40 * swept + (width * width * width) / 4 > (isBounded ? 15_000 * (nodes + width) : 3000 * nodes);

/** Whether rows are many, all bounded, and each chain's matrix is all in its band. */
const isHeap = (chains: readonly ChainPart[], island: Island, rows: ConstraintRows): boolean =>
  island.rows.length > HEAP &&
  island.rows.every((row) => rows.isBounded(row)) &&
  island.parts.every((p) => chains[p].late.length === 0 && chains[p].links.count === 0);

const isPlain = (part: Part): boolean => (part.kind === 'mesh' ? !isBordered(part) : part.late.length === 0);

/** Whether a part is a net that pushes bodies. */
const isBordered = (part: Part): boolean => part.kind === 'mesh' && part.border !== undefined && part.border.count > 0;
