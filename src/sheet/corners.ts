/** Corners of a body: where its convex edges end. A sheet bends round them in a point, in which creases along several edges meet. */

import type { FacetBody } from '../contact/index.ts';
import { computeHypot3, computeLength } from '../math/index.ts';

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
  /** Length of each edge [m], and of the second longest that ends at each corner. */
  readonly length: Float64Array;
  readonly reach: Float64Array;
  /** Corners at the other ends of the edges of each. */
  readonly around: readonly (readonly number[])[];

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
          computeHypot3(places[3 * c] - p[0], places[3 * c + 1] - p[1], places[3 * c + 2] - p[2]) > SAME * size
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
    this.length = new Float64Array(edgeCount);
    this.reach = new Float64Array(this.count);
    const longest = new Float64Array(this.count);
    for (let e = 0; e < edgeCount; e++) {
      this.length[e] = computeLength([0, 1, 2].map((k) => edgeEnd[3 * e + k] - edgeStart[3 * e + k]));
      for (const c of this.ends.subarray(2 * e, 2 * e + 2)) {
        this.reach[c] = Math.max(this.reach[c], Math.min(longest[c], this.length[e]));
        longest[c] = Math.max(longest[c], this.length[e]);
      }
    }
    const around: number[][] = Array.from({ length: this.count }, () => []);
    for (let e = 0; e < edgeCount; e++) {
      const [a, b] = this.ends.subarray(2 * e, 2 * e + 2);
      around[a].push(b);
      around[b].push(a);
    }
    this.around = around;
    this.place = Float64Array.from(places);
    this.outward = Float64Array.from(outward);
    for (let c = 0; c < this.count; c++) {
      const length = computeHypot3(outward[3 * c], outward[3 * c + 1], outward[3 * c + 2]);
      for (let k = 0; k < 3; k++) this.outward[3 * c + k] /= length;
    }
  }
}
