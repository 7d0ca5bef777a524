/**
 * Parts and rows of an island as one sparse system, for the solvers that take it whole (`island-sparse.ts`, `island-qp.ts`). Every
 * part keeps its own blocks. The pattern of the matrix is kept while those of the parts stay the same.
 */
import { BlockMixed, BlockPattern, type SparseRows, type SymmetricBlocks } from '../sparse/index.ts';
import type { ChainPart, ConstraintRows, MeshPart, NetBorder, NetPart, Part } from './part.ts';

/** The pattern of a part as it was when the island's was made. */
type Shape = SymmetricBlocks | string;

export class IslandSystem {
  #matrix: BlockMixed | undefined;
  /** What the pattern was made for. */
  #shapes: Shape[] = [];
  force = new Float64Array(0);
  v = new Float64Array(0);
  targets = new Float64Array(0);
  multipliers = new Float64Array(0);
  #compliance = new Float64Array(0);
  #columns = new Int32Array(0);
  #values = new Float64Array(0);
  #start = new Int32Array(1);
  readonly #offsets = new Map<number, number>();

  /** Takes over matrices and right-hand sides of the parts. */
  loadParts(parts: readonly Part[], members: readonly number[]): BlockMixed {
    this.#offsets.clear();
    let unknowns = 0;
    for (const p of members) {
      this.#offsets.set(p, unknowns);
      unknowns += computeLength(parts[p]);
    }
    if (this.force.length < unknowns) [this.force, this.v] = [new Float64Array(unknowns), new Float64Array(unknowns)];
    const matrix = this.#preparePattern(
      members.map((p) => parts[p]),
      listBlocks(parts, members),
    );
    let [block, scalar] = [0, 0];
    for (const p of members) {
      const part = parts[p];
      if (part.kind === 'mesh') copyMesh(part, block, matrix);
      else addChain(part, block, matrix);
      if (part.kind === 'mesh' && part.border !== undefined)
        addBorder(part.border, block, listBlocks(parts, members), matrix);
      const length = computeLength(part);
      for (let k = 0; k < length; k++) this.force[scalar + k] = part.rhs[k];
      block += countBlocks(part);
      scalar += length;
    }
    return matrix;
  }

  /** Takes over rows; after `loadParts`. */
  loadRows(rowIndices: readonly number[], rows: ConstraintRows): SparseRows {
    this.#reserve(rowIndices.length, rows.entries);
    let entries = 0;
    for (let k = 0; k < rowIndices.length; k++) {
      const row = rowIndices[k];
      this.targets[k] = rows.residual[row];
      this.#compliance[k] = rows.compliance[row];
      this.#start[k] = entries;
      for (let e = rows.start[row]; e < rows.start[row + 1]; e++, entries++) {
        this.#columns[entries] = this.#offsets.get(rows.part[e])! + rows.coordinate[e];
        this.#values[entries] = rows.value[e];
      }
    }
    this.#start[rowIndices.length] = entries;
    return {
      count: rowIndices.length,
      start: this.#start,
      columns: this.#columns,
      values: this.#values,
      compliance: this.#compliance,
    };
  }

  /** Gives each part its share of v. */
  returnSolution(parts: readonly Part[], members: readonly number[]): void {
    for (const p of members) {
      const at = this.#offsets.get(p)!;
      const length = computeLength(parts[p]);
      for (let k = 0; k < length; k++) parts[p].rhs[k] = this.v[at + k];
    }
  }

  #preparePattern(island: readonly Part[], blocks: ReadonlyMap<number, number>): BlockMixed {
    const shapes = [...island.map(describeShape), ...island.map(describeBorder)];
    // an island that has lost its last parts has the same shapes, but fewer
    const isOther = shapes.length !== this.#shapes.length || shapes.some((shape, k) => shape !== this.#shapes[k]);
    if (this.#matrix === undefined || isOther) {
      this.#matrix = createMatrix(island, blocks);
      this.#shapes = shapes;
    }
    this.#matrix.clear();
    return this.#matrix;
  }

  #reserve(rowCount: number, entries: number): void {
    if (this.targets.length < rowCount) {
      this.targets = new Float64Array(rowCount);
      this.#compliance = new Float64Array(rowCount);
      this.multipliers = new Float64Array(rowCount);
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

/** Nodes and bodies that a net's border couples; empty for other parts. */
function describeBorder(part: Part): string {
  if (part.kind !== 'mesh' || part.border === undefined) return '';
  const { node, part: body, count } = part.border;
  return `${node.subarray(0, count)} ${body.subarray(0, count)}`;
}

/** First block of each part in the island's matrix. */
function listBlocks(parts: readonly Part[], members: readonly number[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  let block = 0;
  for (const p of members) {
    first.set(p, block);
    block += countBlocks(parts[p]);
  }
  return first;
}

/** `blocks`: first block of each part. */
function createMatrix(island: readonly Part[], blocks: ReadonlyMap<number, number>): BlockMixed {
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
      for (const size of part.matrix.sizes) sizes.push(size);
      for (let e = 0; part.border !== undefined && e < part.border.count; e++) {
        rows.push(blocks.get(part.border.part[e])!);
        columns.push(base + part.border.node[e]);
      }
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

/** A mesh's columns hold its own blocks in the same order, so that its values lie in one piece; but behind those of a net's column are those of bodies. */
function copyMesh({ matrix, border }: MeshPart | NetPart, firstBlock: number, out: BlockMixed): void {
  const { valueStart, pattern } = out;
  if (border === undefined || border.count === 0) {
    out.values.set(matrix.values, valueStart[pattern.columnStart[firstBlock]]);
    return;
  }
  const { columnStart, n } = matrix.pattern;
  for (let j = 0; j < n; j++)
    out.values.set(
      matrix.values.subarray(25 * columnStart[j], 25 * columnStart[j + 1]),
      valueStart[pattern.columnStart[firstBlock + j]],
    );
}

/** Adds what couples a net with bodies, whose blocks must come after those of the net. */
function addBorder(
  { count, node, part, value }: NetBorder,
  firstBlock: number,
  blocks: ReadonlyMap<number, number>,
  out: BlockMixed,
): void {
  const turned = new Float64Array(30);
  for (let e = 0; e < count; e++) {
    for (let r = 0; r < 5; r++) for (let c = 0; c < 6; c++) turned[5 * c + r] = value[30 * e + 6 * r + c];
    out.addBlock(blocks.get(part[e])!, firstBlock + node[e], turned);
  }
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
