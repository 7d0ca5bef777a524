/**
 * One linear system for all models of a world:  [A Gᵀ; G −c] [Δ; −λ] = [r; g]
 *   A  block-diagonal over the parts     G  constraint rows     Δ  change of the velocities     λ  impulses of the rows
 *   c  compliance of soft rows, diagonal; 0 for strict ones
 *
 * Parts that no row ties together do not know of each other, so the system falls into islands, and each goes to the
 * cheapest solver that is exact for it:
 *   chain     one part, no row, nothing late: banded LDLT, linear in the number of nodes
 *   bordered  parts with rows or late coordinates: the same LDLT, and a dense Schur complement for the border
 *   sparse    a border too wide for that: general sparse LDLT of the whole island (see `island-sparse.ts`)
 */
import { type BlockBanded, BorderColumns, BorderedChain } from '../sparse/index.ts';
import { SparseIsland } from './island-sparse.ts';
import type { ConstraintRows, Part } from './part.ts';

export interface SystemReport {
  ok: boolean;
  /** The part whose matrix is not positive definite, when not ok. */
  failedPart: string;
  chainIslands: number;
  borderedIslands: number;
  sparseIslands: number;
  /** Rows that depend on others; their impulse is zero. */
  redundantRows: number;
}

/** Parts and rows that belong together, as indices. */
interface Island {
  readonly parts: number[];
  readonly rows: number[];
}

/** What the cost of a tied island depends on. */
export interface IslandSize {
  readonly nodes: number;
  /** Border unknowns: rows and late coordinates. */
  readonly width: number;
  /** Nodes of the parts that a border unknown touches, summed over the border. */
  readonly swept: number;
}

export interface SystemOptions {
  /** Whether a tied island goes to the sparse solver. Default: when that is cheaper. */
  readonly prefersSparse?: (island: IslandSize) => boolean;
}

export class System {
  readonly parts: readonly Part[];
  readonly #prefersSparse: (island: IslandSize) => boolean;
  readonly #report: SystemReport = {
    ok: true,
    failedPart: '',
    chainIslands: 0,
    borderedIslands: 0,
    sparseIslands: 0,
    redundantRows: 0,
  };
  readonly #bordered = new BorderedChain();
  readonly #columns = new BorderColumns();
  /** By first part, so that each island keeps its symbolic factorisation. */
  readonly #sparse = new Map<number, SparseIsland>();
  #corner = new Float64Array(0);
  #x = new Float64Array(0);
  #y = new Float64Array(0);

  constructor(parts: readonly Part[], options: SystemOptions = {}) {
    this.parts = parts;
    this.#prefersSparse = options.prefersSparse ?? isSparseCheaper;
  }

  /** Replaces each part's right-hand side by its Δ and fills the rows' multipliers. The report is reused. */
  solve(rows: ConstraintRows): SystemReport {
    const report = this.#report;
    report.ok = true;
    report.chainIslands = report.borderedIslands = report.sparseIslands = report.redundantRows = 0;
    if (rows.count === 0 && this.parts.every(isPlain)) {
      for (const part of this.parts) this.#solveChain(part);
      return report;
    }
    rows.multiplier.fill(0, 0, rows.count);
    for (const island of findIslands(this.parts, rows)) {
      const only = this.parts[island.parts[0]];
      if (island.rows.length === 0 && island.parts.length === 1 && isPlain(only)) this.#solveChain(only);
      else this.#solveTied(island, rows);
      if (!report.ok) break;
    }
    return report;
  }

  #solveChain(part: Part): void {
    const report = this.#report;
    report.chainIslands++;
    if (part.matrix.factor().ok) part.matrix.solve(part.rhs);
    else this.#fail(part);
  }

  #solveTied(island: Island, rows: ConstraintRows): void {
    const size = measureIsland(this.parts, island, rows);
    if (this.#prefersSparse(size)) {
      this.#report.sparseIslands++;
      const first = island.parts[0];
      const solver = this.#sparse.get(first) ?? new SparseIsland();
      this.#sparse.set(first, solver);
      const outcome = solver.solve(this.parts, island.parts, island.rows, rows);
      this.#report.redundantRows += outcome.redundantRows;
      if (!outcome.ok) this.#fail(this.parts[first]);
    } else {
      this.#report.borderedIslands++;
      this.#solveBordered(island, rows, size.width);
    }
  }

  #solveBordered(island: Island, rows: ConstraintRows, width: number): void {
    const columns = this.#columns;
    columns.clear();
    if (this.#corner.length < width * width) this.#corner = new Float64Array(width * width);
    if (this.#y.length < width) this.#y = new Float64Array(width);
    const corner = this.#corner.fill(0, 0, width * width);
    const y = this.#y;

    // border unknowns: the late coordinates first, then one multiplier per row
    const offsets = new Map<number, number>();
    const borderOf = new Map<number, Map<number, number>>();
    let unknowns = 0;
    let border = 0;
    for (const p of island.parts) {
      const part = this.parts[p];
      offsets.set(p, unknowns);
      const late = new Map<number, number>();
      for (const coordinate of part.late) late.set(coordinate, border++);
      borderOf.set(p, late);
      for (const [coordinate, column] of late) {
        columns.beginColumn();
        y[column] = part.rhs[coordinate];
        moveToBorder(part.matrix, coordinate, late, unknowns, columns, corner, width);
      }
      for (const coordinate of part.late) cancelCoordinate(part.matrix, part.rhs, coordinate);
      unknowns += part.matrix.length;
    }
    for (const row of island.rows) {
      const column = columns.beginColumn();
      y[column] = rows.residual[row];
      corner[column * width + column] = -rows.compliance[row];
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++) {
        const late = borderOf.get(rows.part[e])!.get(rows.coordinate[e]);
        if (late === undefined) columns.addEntry(offsets.get(rows.part[e])! + rows.coordinate[e], rows.value[e]);
        else {
          corner[column * width + late] += rows.value[e];
          corner[late * width + column] += rows.value[e];
        }
      }
    }

    if (this.#x.length < unknowns) this.#x = new Float64Array(unknowns);
    const x = this.#x;
    for (const p of island.parts) {
      const { rhs, matrix } = this.parts[p];
      for (let i = 0; i < matrix.length; i++) x[offsets.get(p)! + i] = rhs[i];
    }
    const factored = this.#bordered.factor(
      island.parts.map((p) => this.parts[p].matrix),
      columns,
      corner,
    );
    if (!factored.ok) {
      this.#fail(this.parts[island.parts[Math.max(0, factored.failedChain)]]);
      return;
    }
    this.#report.redundantRows += factored.redundantRows;
    this.#bordered.solve(x, y);
    for (const p of island.parts) {
      const { rhs, matrix } = this.parts[p];
      for (let i = 0; i < matrix.length; i++) rhs[i] = x[offsets.get(p)! + i];
      for (const [coordinate, column] of borderOf.get(p)!) rhs[coordinate] = y[column];
    }
    for (let k = 0; k < island.rows.length; k++) rows.multiplier[island.rows[k]] = -y[border + k];
  }

  #fail(part: Part): void {
    this.#report.ok = false;
    this.#report.failedPart = part.id;
  }
}

function measureIsland(parts: readonly Part[], island: Island, rows: ConstraintRows): IslandSize {
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
  return { nodes, width, swept };
}

/**
 * Bordered: about 40 ns for each node that a border unknown sweeps over, and 1.5 ns for each of the width³/6
 * multiply-adds of the dense part. Sparse: about 3 µs a node. What both pay (a few µs a row) is left out.
 * Measured by `bench/system.js`; the choice is never wrong there by more than a factor 2.
 */
const isSparseCheaper = ({ nodes, width, swept }: IslandSize): boolean => 40 * swept + width ** 3 / 4 > 3000 * nodes;

const isPlain = (part: Part): boolean => part.late.length === 0;

/** Connected components of the parts under the rows, in order of their first part: deterministic. */
export function findIslands(parts: readonly Part[], rows: ConstraintRows): Island[] {
  const leader = Int32Array.from(parts, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (leader[root] !== root) root = leader[root] = leader[leader[root]];
    return root;
  };
  for (let row = 0; row < rows.count; row++)
    for (let e = rows.start[row] + 1; e < rows.start[row + 1]; e++) {
      const [a, b] = [find(rows.part[e]), find(rows.part[rows.start[row]])];
      if (a !== b) leader[Math.max(a, b)] = Math.min(a, b);
    }
  const islands = new Map<number, Island>();
  for (let p = 0; p < parts.length; p++) {
    const root = find(p);
    if (!islands.has(root)) islands.set(root, { parts: [], rows: [] });
    islands.get(root)!.parts.push(p);
  }
  for (let row = 0; row < rows.count; row++)
    if (rows.start[row + 1] > rows.start[row]) islands.get(find(rows.part[rows.start[row]]))!.rows.push(row);
  return [...islands.values()];
}

/** Copies the column of a late coordinate from the band: into B where its partner is early, into C where it is late too. */
function moveToBorder(
  matrix: BlockBanded,
  coordinate: number,
  late: ReadonlyMap<number, number>,
  offset: number,
  columns: BorderColumns,
  corner: Float64Array,
  width: number,
): void {
  const column = late.get(coordinate)!;
  forEachInColumn(matrix, coordinate, (row, value) => {
    const partner = late.get(row);
    if (partner === undefined) columns.addEntry(offset + row, value);
    else corner[partner * width + column] = value;
  });
}

/** Visits the entries of one column of a symmetric block-banded matrix. */
export function forEachInColumn(
  matrix: BlockBanded,
  coordinate: number,
  visit: (row: number, value: number, at: number, band: number) => void,
): void {
  const { size, bandwidth, bands, blocks } = matrix;
  const block = Math.floor(coordinate / size);
  const c = coordinate % size;
  for (let other = Math.max(0, block - bandwidth); other <= Math.min(blocks - 1, block + bandwidth); other++) {
    const band = Math.abs(other - block);
    const first = Math.min(other, block) * size * size;
    for (let r = 0; r < size; r++) {
      // bands[k] holds (row node i + k, column node i); above the diagonal read it transposed
      const at = first + (other >= block ? r * size + c : c * size + r);
      visit(other * size + r, bands[band][at], at, band);
    }
  }
}

/** Unit row and column, zero right-hand side: the coordinate's Δ is zero. */
export function cancelCoordinate(matrix: BlockBanded, rhs: Float64Array, coordinate: number): void {
  const { size, bandwidth, bands, blocks } = matrix;
  const block = Math.floor(coordinate / size);
  const c = coordinate % size;
  const square = size * size;
  for (let k = 0; k < size; k++) {
    bands[0][block * square + k * size + c] = 0;
    bands[0][block * square + c * size + k] = 0;
  }
  for (let band = 1; band <= bandwidth; band++)
    for (let k = 0; k < size; k++) {
      if (block + band < blocks) bands[band][block * square + k * size + c] = 0;
      if (block >= band) bands[band][(block - band) * square + c * size + k] = 0;
    }
  bands[0][block * square + c * size + c] = 1;
  rhs[coordinate] = 0;
}
