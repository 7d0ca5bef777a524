/**
 * Over which faces of a convex body the vertices of a sheet are: what has all its corners over one face at the start and the end of
 * a step cannot have gone through any edge or corner of that body meanwhile. Bits of the first faces; most of a sheet is told off
 * by them.
 */
import type { FacetBody, Placement } from '../contact/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Faces that have a bit. */
const MOST_FACES = 31;

export class FaceSides {
  /** Faces over which a vertex is now, and those over which it was at the start, too: one number a vertex. */
  now = new Int32Array(0);
  both = new Int32Array(0);
  readonly #p = new Float64Array(3);

  /** `tolerance`: depth under a face that counts as over it [m]. */
  write(
    { q, qStart, count }: SheetState,
    facets: FacetBody,
    start: Placement,
    now: Placement,
    tolerance: number,
  ): void {
    if (this.now.length !== count) {
      this.now = new Int32Array(count);
      this.both = new Int32Array(count);
    }
    for (let i = 0; i < count; i++) {
      now.writeLocal(q, STRIDE * i, this.#p, 0);
      this.now[i] = this.#computeSides(facets, tolerance);
      if (this.now[i] === 0) this.both[i] = 0;
      else {
        start.writeLocal(qStart, STRIDE * i, this.#p, 0);
        this.both[i] = this.now[i] & this.#computeSides(facets, tolerance);
      }
    }
  }

  #computeSides({ faceNormal, faceOffset, faceCount, isConvex }: FacetBody, tolerance: number): number {
    if (!isConvex) return 0;
    const [x, y, z] = this.#p;
    let sides = 0;
    for (let f = 0; f < faceCount && f < MOST_FACES; f++)
      if (faceNormal[3 * f] * x + faceNormal[3 * f + 1] * y + faceNormal[3 * f + 2] * z - faceOffset[f] >= -tolerance)
        sides |= 1 << f;
    return sides;
  }
}
