/** Corners of a body: where its convex edges end. A sheet bends round them in a point, in which creases along several edges meet. */
import type { FacetBody } from '../contact/index.ts';

/** Ends of edges nearer than this are one corner, relative to the body's size. */
const SAME = 1e-7;

export class BodyCorners {
  readonly count: number;
  /** Three coordinates each, in the body's frame [m]. */
  readonly place: Float64Array;
  /** Outward direction, the mean of the normals of the faces that meet there: 3 each, unit vectors. */
  readonly outward: Float64Array;
  /** Corner at the start and at the end of each edge. */
  readonly ends: Int32Array;

  constructor({ edgeCount, edgeStart, edgeEnd, edgeNormalA, edgeNormalB, size }: FacetBody) {
    const places: number[] = [];
    const outward: number[] = [];
    this.ends = new Int32Array(2 * edgeCount);
    for (let e = 0; e < edgeCount; e++)
      for (let end = 0; end < 2; end++) {
        const p = (end === 0 ? edgeStart : edgeEnd).subarray(3 * e, 3 * e + 3);
        let c = 0;
        while (
          c < places.length / 3 &&
          Math.hypot(places[3 * c] - p[0], places[3 * c + 1] - p[1], places[3 * c + 2] - p[2]) > SAME * size
        )
          c++;
        if (3 * c === places.length) {
          places.push(...p);
          outward.push(0, 0, 0);
        }
        for (let k = 0; k < 3; k++) outward[3 * c + k] += edgeNormalA[3 * e + k] + edgeNormalB[3 * e + k];
        this.ends[2 * e + end] = c;
      }
    this.count = places.length / 3;
    this.place = Float64Array.from(places);
    this.outward = Float64Array.from(outward);
    for (let c = 0; c < this.count; c++) {
      const length = Math.hypot(outward[3 * c], outward[3 * c + 1], outward[3 * c + 2]);
      for (let k = 0; k < 3; k++) this.outward[3 * c + k] /= length;
    }
  }
}
