/**
 * An island as one general sparse KKT system: for meshes tied to anything, and for chains tied by so many rows that a dense
 * border would cost more. Every part keeps its own blocks. The symbolic factorisation is kept while the parts' patterns and
 * that of the rows stay the same.
 */
import { BlockMixed, BlockPattern, KktSystem } from '../sparse/index.ts';
import type { ChainPart, ConstraintRows, MeshPart, Part } from './part.ts';

/** The pattern of a part as it was when the island's was made. */
type Shape = BlockMixed | string;

export class SparseIsland {
  readonly #kkt = new KktSystem();
  #matrix: BlockMixed | undefined;
  /** What the pattern was made for. */
  #shapes: Shape[] = [];
  #f = new Float64Array(0);
  #v = new Float64Array(0);
  #targets = new Float64Array(0);
  #compliance = new Float64Array(0);
  #multipliers = new Float64Array(0);
  #columns = new Int32Array(0);
  #values = new Float64Array(0);
  #start = new Int32Array(1);

  /** Replaces the right-hand sides of the parts by Δ and fills the multipliers of the rows. */
  solve(
    parts: readonly Part[],
    members: readonly number[],
    rowIndices: readonly number[],
    rows: ConstraintRows,
  ): { ok: boolean; redundantRows: number } {
    const island = members.map((p) => parts[p]);
    const offsets = new Map<number, number>();
    let unknowns = 0;
    for (const p of members) {
      offsets.set(p, unknowns);
      unknowns += computeLength(parts[p]);
    }
    this.#reserve(unknowns, rowIndices.length, rows.entries);
    const matrix = this.#preparePattern(island);
    let [block, scalar] = [0, 0];
    for (const part of island) {
      if (part.kind === 'mesh') copyMesh(part, block, matrix);
      else addChain(part, block, matrix);
      const length = computeLength(part);
      for (let k = 0; k < length; k++) this.#f[scalar + k] = part.rhs[k];
      block += countBlocks(part);
      scalar += length;
    }
    let entries = 0;
    for (let k = 0; k < rowIndices.length; k++) {
      const row = rowIndices[k];
      this.#targets[k] = rows.residual[row];
      this.#compliance[k] = rows.compliance[row];
      this.#start[k] = entries;
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++, entries++) {
        this.#columns[entries] = offsets.get(rows.part[e])! + rows.coordinate[e];
        this.#values[entries] = rows.value[e];
      }
    }
    this.#start[rowIndices.length] = entries;
    this.#kkt.factor(matrix, {
      count: rowIndices.length,
      start: this.#start,
      columns: this.#columns,
      values: this.#values,
      compliance: this.#compliance,
    });
    const report = this.#kkt.solve(this.#f, this.#targets, this.#v, this.#multipliers);
    for (const p of members) {
      const at = offsets.get(p)!;
      const length = computeLength(parts[p]);
      for (let k = 0; k < length; k++) parts[p].rhs[k] = this.#v[at + k];
    }
    for (let k = 0; k < rowIndices.length; k++) rows.multiplier[rowIndices[k]] = -this.#multipliers[k];
    return { ok: report.ok, redundantRows: report.dependentRows };
  }

  #preparePattern(island: readonly Part[]): BlockMixed {
    const shapes = island.map(describeShape);
    if (this.#matrix === undefined || shapes.some((shape, k) => shape !== this.#shapes[k])) {
      this.#matrix = createMatrix(island);
      this.#shapes = shapes;
    }
    this.#matrix.clear();
    return this.#matrix;
  }

  #reserve(unknowns: number, rowCount: number, entries: number): void {
    if (this.#f.length < unknowns) [this.#f, this.#v] = [new Float64Array(unknowns), new Float64Array(unknowns)];
    if (this.#targets.length < rowCount) {
      this.#targets = new Float64Array(rowCount);
      this.#compliance = new Float64Array(rowCount);
      this.#multipliers = new Float64Array(rowCount);
      this.#start = new Int32Array(rowCount + 1);
    }
    if (this.#columns.length < entries) {
      this.#columns = new Int32Array(entries);
      this.#values = new Float64Array(entries);
    }
  }
}

const countBlocks = (part: Part): number => (part.kind === 'mesh' ? part.matrix.pattern.n : part.matrix.blocks);
const computeLength = (part: Part): number => (part.kind === 'mesh' ? part.matrix.size : part.matrix.length);

function describeShape(part: Part): Shape {
  if (part.kind === 'mesh') return part.matrix;
  const { matrix: m, links } = part;
  return [
    m.size,
    m.bandwidth,
    m.blocks,
    ...links.row.subarray(0, links.count),
    ...links.column.subarray(0, links.count),
  ].join();
}

function createMatrix(island: readonly Part[]): BlockMixed {
  const rows: number[] = [];
  const columns: number[] = [];
  const sizes: number[] = [];
  for (const part of island) {
    const base = sizes.length;
    if (part.kind === 'mesh') {
      const { pattern } = part.matrix;
      for (let j = 0; j < pattern.n; j++)
        for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
          rows.push(base + pattern.rows[slot]);
          columns.push(base + j);
        }
      sizes.push(...part.matrix.sizes);
      continue;
    }
    const { matrix, links } = part;
    for (let i = 0; i < matrix.blocks; i++) {
      sizes.push(matrix.size);
      for (let j = i; j <= Math.min(matrix.blocks - 1, i + matrix.bandwidth); j++) {
        rows.push(base + j);
        columns.push(base + i);
      }
    }
    for (let e = 0; e < links.count; e++) {
      rows.push(base + Math.floor(links.row[e] / matrix.size));
      columns.push(base + Math.floor(links.column[e] / matrix.size));
    }
  }
  return new BlockMixed(BlockPattern.fromPairs(sizes.length, rows, columns), sizes);
}

/** A mesh's columns hold its own blocks only and in the same order, so its values lie in one piece. */
function copyMesh({ matrix }: MeshPart, firstBlock: number, out: BlockMixed): void {
  out.values.set(matrix.values, out.valueStart[out.pattern.columnStart[firstBlock]]);
}

/** Adds the lower triangle of a chain's matrix. */
function addChain({ matrix, links }: ChainPart, firstBlock: number, out: BlockMixed): void {
  const { size, bandwidth, bands, blocks } = matrix;
  for (let band = 0; band <= bandwidth; band++)
    for (let i = 0; i + band < blocks; i++)
      out.addBlock(firstBlock + i + band, firstBlock + i, bands[band], i * size * size);
  const piece = new Float64Array(size * size);
  for (let e = 0; e < links.count; e++) {
    const [row, column] = [links.row[e], links.column[e]];
    piece.fill(0);
    piece[(row % size) * size + (column % size)] = links.value[e];
    out.addBlock(firstBlock + Math.floor(row / size), firstBlock + Math.floor(column / size), piece);
  }
}
