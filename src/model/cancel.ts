/**
 * Coordinates of a node that are not free: they keep a unit row with zero right-hand side instead of leaving the system,
 * so that its pattern stays [theory/eol#held-coordinates]. One bit a coordinate.
 */
import type { BlockBanded } from '../sparse/index.ts';

export const CANCEL_X = 1;
export const CANCEL_Y = 2;
export const CANCEL_Z = 4;
/** The whole world position. */
export const CANCEL_POSITION = 7;
/** The material coordinate of a curve. */
export const CANCEL_U = 8;

/** Unit row and column, zero right-hand side: the coordinate's Δ is zero. The right-hand side may start at an offset. */
export function cancelCoordinate(matrix: BlockBanded, rhs: Float64Array, coordinate: number, offset = 0): void {
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
  rhs[offset + coordinate] = 0;
}
