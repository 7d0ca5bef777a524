/** A body that a fabric may touch, with its poses at the start of the step and now. */

import type { Body } from '../bodies/index.ts';
import { createFacetBody, type FacetBody, Placement } from '../contact/index.ts';
import { computeHypot3 } from '../math/index.ts';

export class FabricObstacle {
  readonly body: Body;
  /** μ with the fabric. */
  readonly friction: number;
  /** Sharp edges that yarns can slide over; a body that deforms has none. */
  readonly edgeCount: number;
  readonly start = new Placement();
  readonly now = new Placement();
  readonly #facets: FacetBody | undefined;
  readonly #isMitred: boolean;
  readonly #offset: number;
  #startTime = 0;
  readonly #p = new Float64Array(6);

  constructor(body: Body, friction: number, offset: number) {
    this.body = body;
    this.friction = body.friction ?? friction;
    this.#facets = body.shape.deformation ? undefined : createFacetBody(body.shape, offset);
    this.edgeCount = this.#facets?.edgeCount ?? 0;
    this.#isMitred = this.#facets?.isConvex === true && this.#facets.round === undefined;
    this.#offset = offset;
    this.beginStep();
  }

  beginStep(): void {
    this.start.read(this.body);
    this.now.read(this.body);
    this.#startTime = this.body.time;
  }

  /** Faces and edges of a body that does not deform, as far out as the cloth's middle stays. */
  get facets(): FacetBody {
    return this.#facets!;
  }

  /** How long ago the step began for the body as it is now [s]. */
  get elapsed(): number {
    return this.body.time - this.#startTime;
  }

  /** out := velocity of the surface next to a point of the world, in the body's own frame [m/s]; false for a body that does not deform. */
  writeDrift(world: ArrayLike<number>, out: Float64Array): boolean {
    const { deformation } = this.body.shape;
    if (deformation === undefined) return false;
    this.body.writeWorldToLocal(world, out);
    deformation.writeVelocity(out[0], out[1], out[2], out);
    return true;
  }

  /** Speed of its fastest point [m/s], turning about its origin. */
  computeSpeed(): number {
    const { velocity: v, angularVelocity: w, shape } = this.body;
    let far = 0;
    for (let k = 0; k < 6; k++) far = Math.max(far, Math.abs(shape.bounds[k]));
    const turn = computeHypot3(w[0], w[1], w[2]);
    const deforming = shape.deformation?.topSpeed ?? 0;
    return computeHypot3(v[0], v[1], v[2]) + (turn === 0 ? 0 : turn * Math.sqrt(3) * far) + deforming;
  }

  /**
   * out := [distance, nx, ny, nz] of a point of the world, as `Body.writeSignedDistance`; but of convex bodies with flat faces the height over the highest face: their offset is
   * mitred, as their grown faces and edges are (contact/facets.ts), and not round at edges, so that nodes beside those on an edge go over it where these are.
   */
  writeSignedDistance(world: ArrayLike<number>, out: Float64Array): void {
    const { facets, now } = this;
    if (!this.#isMitred) {
      this.body.writeSignedDistance(world, out);
      return;
    }
    const p = this.#p;
    for (let k = 0; k < 3; k++) p[3 + k] = world[k];
    now.writeLocal(p, 3, p, 0);
    const { faceNormal: n, faceOffset, faceCount } = facets;
    let [highest, face] = [Number.NEGATIVE_INFINITY, 0];
    for (let f = 0; f < faceCount; f++) {
      const height = n[3 * f] * p[0] + n[3 * f + 1] * p[1] + n[3 * f + 2] * p[2] - faceOffset[f];
      if (height > highest) [highest, face] = [height, f];
    }
    out[0] = highest + this.#offset;
    now.writeDirection(n, 3 * face, out, 1);
  }

  /** Box of the body in the world at the start, grown by `reach`; without end where the body has none. */
  writeBox(reach: number, out: Float64Array): void {
    const { bounds } = this.body.shape;
    const { R, p } = this.start;
    out.fill(Number.NEGATIVE_INFINITY, 0, 3);
    out.fill(Number.POSITIVE_INFINITY, 3, 6);
    for (let k = 0; k < 6; k++) if (!Number.isFinite(bounds[k])) return;
    for (let r = 0; r < 3; r++) {
      let [middle, half] = [p[r], reach];
      for (let c = 0; c < 3; c++) {
        middle += 0.5 * R[3 * r + c] * (bounds[c] + bounds[3 + c]);
        half += 0.5 * Math.abs(R[3 * r + c]) * (bounds[3 + c] - bounds[c]);
      }
      out[r] = middle - half;
      out[3 + r] = middle + half;
    }
  }
}

/** out[o…] := Rᵀ d */
export function writeLocalDirection({ R }: Placement, d: Float64Array, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) out[o + k] = R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2];
}

/** Adds a force on the node at q[at…] to the force and the torque about the centre of mass that a body bears, out[o …], turned round. */
export function addReaction(
  body: Body,
  q: Float64Array,
  at: number,
  f: Float64Array,
  out: Float64Array,
  o: number,
): void {
  const c = body.centreOfMass;
  for (let k = 0; k < 3; k++) {
    const [m, n] = [(k + 1) % 3, (k + 2) % 3];
    out[o + k] -= f[k];
    out[o + 3 + k] -= (q[at + m] - c[m]) * f[n] - (q[at + n] - c[n]) * f[m];
  }
}

/** Whether the point q[at…], moved by `by`, stays out of a box. */
export function isOutside(box: Float64Array, q: Float64Array, at: number, by: number): boolean {
  return (
    q[at] < box[0] - by ||
    q[at] > box[3] + by ||
    q[at + 1] < box[1] - by ||
    q[at + 1] > box[4] + by ||
    q[at + 2] < box[2] - by ||
    q[at + 2] > box[5] + by
  );
}
