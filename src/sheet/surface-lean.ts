/**
 * How the line between the closest points of a pair leans against a sheet, n against its normal N at a vertex or an edge inside it.
 *
 *     |n·N| < 0.9 f    the pair lies along the sheet: something slides over it, and its vertices must not stop that as bumps would.
 *                      Other pairs are nearer there; where it hits none the less, it is kept apart along N
 *     f > 0.98         the sheet is smooth there, and touches edges and corners along N, whatever n is in a step that passes them
 *
 *   f  mean cosine of the normals of the triangles there to N, 1 for a plane
 */
import { type ContactPair, INNER, sideOf, weightOf } from '../contact/index.ts';
import type { Surface } from './surface.ts';

const ALONG = 0.9;
const SMOOTH = 0.98;

export class SurfaceLean {
  /** Whether the pair that was asked for last touches a smooth sheet. */
  isSmooth = false;
  readonly #surfaces: readonly Surface[];
  /** N of the sheet that the pair lies along, or that is smooth. */
  readonly #across = new Float64Array(3);
  readonly #normal = new Float64Array(3);

  constructor(surfaces: readonly Surface[]) {
    this.#surfaces = surfaces;
  }

  /** Whether the line between the closest points lies along one of the sheets. */
  liesAlong(pair: ContactPair): boolean {
    const split = pair.isEdges ? 2 : 1;
    this.isSmooth = false;
    return this.#liesAlongSide(pair, 0, split) || this.#liesAlongSide(pair, split, 4);
  }

  #liesAlongSide(pair: ContactPair, from: number, to: number): boolean {
    const { mesh, material, x0 } = this.#surfaces[sideOf(pair, from)];
    if (material === undefined) return false;
    const { weights, points, normal } = pair;
    let [a, b] = [-1, -1];
    for (let i = from; i < to; i++) {
      if (!(weights[i] > INNER)) continue;
      // inside a triangle the line is its normal
      if (b >= 0) return false;
      if (a < 0) a = points[i];
      else b = points[i];
    }
    const n = this.#normal;
    const flatness = mesh.writeNormal(x0, a, b, n);
    const isAlong = Math.abs(normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2]) < ALONG * flatness;
    if (isAlong || (flatness > SMOOTH && !this.isSmooth)) this.#across.set(n);
    this.isSmooth ||= flatness > SMOOTH;
    return isAlong;
  }

  /** Keeps the pair that was asked for last apart along N, on the side where its points x0 started. */
  turnAcross(pair: ContactPair, x0: Float64Array): void {
    let gap = 0;
    for (let i = 0; i < 4; i++) for (let k = 0; k < 3; k++) gap += weightOf(pair, i) * this.#across[k] * x0[3 * i + k];
    const sign = gap < 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) pair.normal[k] = sign * this.#across[k];
    pair.gap = sign * gap;
  }
}
