/**
 * An island as one general sparse KKT system: for parts tied by so many rows that a dense border would cost more.
 * All parts are cut into blocks of one common size (the greatest common divisor of theirs). The symbolic factorisation is
 * kept while the parts' sizes and the pattern of the rows stay the same.
 */
import { BlockPattern, BlockSparse, KktSystem } from '../sparse/index.ts';
import type { ConstraintRows, Part } from './part.ts';

export class SparseIsland {
  readonly #kkt = new KktSystem();
  #matrix: BlockSparse | undefined;
  /** What the pattern was made for: block size, then size, bandwidth and blocks of each part. */
  #shape = '';
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
    const block = island.map((part) => part.matrix.size).reduce(greatestCommonDivisor);
    const offsets = new Map<number, number>();
    let unknowns = 0;
    for (const p of members) {
      offsets.set(p, unknowns);
      unknowns += parts[p].matrix.length;
    }
    this.#reserve(unknowns, rowIndices.length, rows.entries);
    const matrix = this.#preparePattern(island, block, unknowns);
    let base = 0;
    for (const part of island) {
      addPart(part, base, block, matrix);
      for (let k = 0; k < part.matrix.length; k++) this.#f[base + k] = part.rhs[k];
      base += part.matrix.length;
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
      for (let k = 0; k < parts[p].matrix.length; k++) parts[p].rhs[k] = this.#v[at + k];
    }
    for (let k = 0; k < rowIndices.length; k++) rows.multiplier[rowIndices[k]] = -this.#multipliers[k];
    return { ok: report.ok, redundantRows: report.dependentRows };
  }

  #preparePattern(island: readonly Part[], block: number, unknowns: number): BlockSparse {
    const shape = [
      block,
      ...island.flatMap(({ matrix: m, links }) => [m.size, m.bandwidth, m.blocks, links.count]),
    ].join();
    if (this.#matrix === undefined || shape !== this.#shape) {
      const pairs = { rows: [] as number[], columns: [] as number[] };
      let base = 0;
      for (const { matrix, links } of island) {
        const ratio = matrix.size / block;
        for (let i = 0; i < matrix.blocks; i++)
          for (let j = i; j <= Math.min(matrix.blocks - 1, i + matrix.bandwidth); j++)
            for (let r = 0; r < ratio; r++)
              for (let c = 0; c < ratio; c++) {
                pairs.rows.push(base + j * ratio + r);
                pairs.columns.push(base + i * ratio + c);
              }
        for (let e = 0; e < links.count; e++) {
          pairs.rows.push(base + Math.floor(Math.max(links.row[e], links.column[e]) / block));
          pairs.columns.push(base + Math.floor(Math.min(links.row[e], links.column[e]) / block));
        }
        base += matrix.blocks * ratio;
      }
      this.#matrix = new BlockSparse(BlockPattern.fromPairs(unknowns / block, pairs.rows, pairs.columns), block);
      this.#shape = shape;
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

/** Adds the lower triangle of a part's matrix, cut into blocks. */
function addPart(part: Part, base: number, block: number, out: BlockSparse): void {
  const { size, bandwidth, bands, blocks } = part.matrix;
  const piece = new Float64Array(block * block);
  const first = base / block;
  const ratio = size / block;
  for (let band = 0; band <= bandwidth; band++)
    for (let i = 0; i + band < blocks; i++)
      for (let r = 0; r < ratio; r++)
        for (let c = 0; c < (band === 0 ? r + 1 : ratio); c++) {
          for (let k = 0; k < block; k++)
            for (let l = 0; l < block; l++)
              piece[k * block + l] = bands[band][i * size * size + (r * block + k) * size + c * block + l];
          out.addBlock(first + (i + band) * ratio + r, first + i * ratio + c, piece);
        }
  const { links } = part;
  for (let e = 0; e < links.count; e++) {
    const high = Math.max(links.row[e], links.column[e]);
    const low = Math.min(links.row[e], links.column[e]);
    piece.fill(0);
    piece[(high % block) * block + (low % block)] = links.value[e];
    out.addBlock(first + Math.floor(high / block), first + Math.floor(low / block), piece);
  }
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
