/**
 * Rows and late coordinates of an island as the border of its chains: the system
 *     ⎡ A   B ⎤      A  chains without the late coordinates, which are cancelled in them
 *     ⎣ Bᵀ  C ⎦      B  a column for each late coordinate of all parts, then one for each row; C their corner, −compliance for rows
 */
import { type BlockBanded, BorderColumns } from '../sparse/index.ts';
import { cancelCoordinate } from './cancel.ts';
import type { Island } from './islands.ts';
import type { ChainPart, ConstraintRows } from './part.ts';

export class IslandBorder {
  readonly columns = new BorderColumns();
  /** C, row-major, full. */
  corner = new Float64Array(0);
  /** Right-hand side of the border: of late coordinates, then residuals of rows. */
  y = new Float64Array(0);
  /** Number of unknowns of the chains, and of late coordinates. */
  unknowns = 0;
  late = 0;
  /** First unknown of a part among the chains, and its first border unknown, by index of the part. */
  offset = new Int32Array(0);
  border = new Int32Array(0);

  /** Places of the parts in the concatenated unknowns; no column yet. */
  layOut(parts: readonly ChainPart[], island: Island, width: number): void {
    if (this.offset.length < parts.length) {
      this.offset = new Int32Array(parts.length);
      this.border = new Int32Array(parts.length);
    }
    this.columns.clear();
    this.unknowns = this.late = 0;
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      this.offset[p] = this.unknowns;
      this.border[p] = this.late;
      this.unknowns += parts[p].matrix.length;
      this.late += parts[p].late.length;
    }
    if (this.corner.length < width * width) this.corner = new Float64Array(2 * width * width);
    if (this.y.length < width) this.y = new Float64Array(2 * width);
    this.corner.fill(0, 0, width * width);
  }

  /** Takes the late coordinates of a part out of `matrix` (its own or a copy) and out of the right-hand side from `at` on. */
  moveLate(part: ChainPart, p: number, matrix: BlockBanded, rhs: Float64Array, at: number, width: number): void {
    const { late } = part;
    for (let k = 0; k < late.length; k++) {
      const column = this.columns.beginColumn();
      this.y[column] = rhs[at + late[k]];
      this.#copyColumn(part, p, matrix, late[k], column, width);
      this.#addLinks(part, p, late[k], column, width);
    }
    for (let k = 0; k < late.length; k++) cancelCoordinate(matrix, rhs, late[k], at);
  }

  /** Copies a column of the band: into the border where its partner is early, into the corner where it is late too. */
  #copyColumn(
    { late }: ChainPart,
    p: number,
    matrix: BlockBanded,
    coordinate: number,
    column: number,
    width: number,
  ): void {
    const { size, bandwidth, bands, blocks } = matrix;
    const block = Math.floor(coordinate / size);
    const c = coordinate % size;
    for (let other = Math.max(0, block - bandwidth); other <= Math.min(blocks - 1, block + bandwidth); other++) {
      const band = bands[Math.abs(other - block)];
      const first = Math.min(other, block) * size * size;
      for (let r = 0; r < size; r++) {
        // bands[k] holds (row node i + k, column node i); above the diagonal read it transposed
        const value = band[first + (other >= block ? r * size + c : c * size + r)];
        const row = other * size + r;
        const partner = late.indexOf(row);
        if (partner < 0) this.columns.addEntry(this.offset[p] + row, value);
        else this.corner[(this.border[p] + partner) * width + column] += value;
      }
    }
  }

  /** Adds what couples a late coordinate to others outside the band. */
  #addLinks({ late, links }: ChainPart, p: number, coordinate: number, column: number, width: number): void {
    for (let e = 0; e < links.count; e++) {
      if (links.row[e] !== coordinate && links.column[e] !== coordinate) continue;
      const other = links.row[e] === coordinate ? links.column[e] : links.row[e];
      const partner = late.indexOf(other);
      if (partner < 0) this.columns.addEntry(this.offset[p] + other, links.value[e]);
      else this.corner[(this.border[p] + partner) * width + column] += links.value[e];
    }
  }

  addRow(parts: readonly ChainPart[], rows: ConstraintRows, row: number, width: number): void {
    const column = this.columns.beginColumn();
    this.y[column] = rows.residual[row];
    this.corner[column * width + column] = -rows.compliance[row];
    for (let e = rows.start[row]; e < rows.start[row + 1]; e++) {
      const p = rows.part[e];
      const partner = parts[p].late.indexOf(rows.coordinate[e]);
      if (partner < 0) this.columns.addEntry(this.offset[p] + rows.coordinate[e], rows.value[e]);
      else {
        this.corner[column * width + this.border[p] + partner] += rows.value[e];
        this.corner[(this.border[p] + partner) * width + column] += rows.value[e];
      }
    }
  }
}
