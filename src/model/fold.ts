/**
 * Closes a chain into a loop. A model assembles a loop of n nodes as an open chain of n + w blocks, whose last w (the
 * bandwidth) are images of its first w; folding adds the rows and columns of the images to those of the nodes:
 *
 *     0 ─ 1 ─ … ─ n−1 ─ 0′ ─ 1′          A₀₀ += A₀′₀′     A₁₀ += A₁′₀′     A₀,ₙ₋₁ = A₀′,ₙ₋₁  outside the band: a link
 *
 * The first w nodes are to be eliminated last (`Part.late`), and what is left is a banded chain again.
 */
import { cancelCoordinate } from './cancel.ts';
import type { ChainPart } from './part.ts';

/** Folds the last `bandwidth` blocks of a part onto its first; its matrix then has that many blocks less. */
export function foldLoop({ matrix, rhs, links }: ChainPart): void {
  const { size, bandwidth, bands } = matrix;
  const square = size * size;
  const n = matrix.blocks - bandwidth;
  links.clear();
  for (let node = 0; node < bandwidth; node++) {
    const image = n + node;
    for (let c = 0; c < size; c++) rhs[node * size + c] += rhs[image * size + c];
    for (let k = 0; k < square; k++) bands[0][node * square + k] += bands[0][image * square + k];
    for (let band = 1; band <= bandwidth; band++) {
      const other = image - band;
      const from = other * square;
      if (other >= n) for (let k = 0; k < square; k++) bands[band][(other - n) * square + k] += bands[band][from + k];
      else
        for (let k = 0; k < square; k++)
          links.add(node * size + Math.floor(k / size), other * size + (k % size), bands[band][from + k]);
    }
  }
  matrix.blocks = n;
}

/** Unit row and column for a coordinate of a folded part. */
export function cancelFolded({ matrix, rhs, links }: ChainPart, coordinate: number): void {
  cancelCoordinate(matrix, rhs, coordinate);
  links.cancel(coordinate);
}

/** Copies the solution of the first blocks to their images. */
export function writeImages({ matrix, rhs }: ChainPart): void {
  const { size, bandwidth, length } = matrix;
  for (let k = 0; k < bandwidth * size; k++) rhs[length + k] = rhs[k];
}
