/**
 * A body that a curve can touch: its faces and edges grown by the curve's radius, and its poses at the start of the step and now.
 * Round bodies may spin about their axis under what touches them: their frames here do not, but follow from the axis alone
 * (the basis of [Duff 2017], about y), so a node that rests on one does not move in its frame.
 */
import type { Body } from '../bodies/index.ts';
import { createFacetBody, type FacetBody, Placement } from '../contact/index.ts';

/** Depth that counts as inside, relative to the body and the spacing of nodes. */
const INSIDE = 1e-9;

export interface CurveObstacle {
  readonly body: Body;
  /** Index of its part in the system, −1 where forces do not move it. */
  readonly part: number;
  /** Its shape grown by the curve's radius, where that is known: curves of the same radius may share it. */
  readonly facets?: FacetBody;
}

export class BodyObstacle {
  readonly body: Body;
  /** Index of its part in the system, −1 where forces do not move it. */
  readonly part: number;
  readonly facets: FacetBody;
  /** Coefficient of dry friction with the curve [1]. */
  readonly friction: number;
  readonly start = new Placement();
  readonly now = new Placement();
  /** Centre of mass at the start of the step [m]. */
  readonly centre = new Float64Array(3);
  /** Force of the curve on it in the last solve [N]. */
  readonly force = new Float64Array(3);
  /** Depth at which a point counts as inside [m]. */
  readonly tolerance: number;
  /** Radius of the sphere about its origin that holds it, grown; infinite for planes [m]. */
  readonly #radius: number;
  /** Which of the two bases of the axis is taken in this step. */
  #sign = 1;

  constructor(
    { body, part, facets }: CurveObstacle,
    curve: { readonly radius: number; readonly friction: number },
    spacing: number,
  ) {
    this.body = body;
    this.part = part;
    this.facets = facets ?? createFacetBody(body.shape, curve.radius);
    this.friction = body.friction ?? curve.friction;
    this.tolerance = INSIDE * Math.max(this.facets.size, spacing);
    const { bounds } = this.facets;
    let square = 0;
    for (let k = 0; k < 3; k++) square += Math.max(bounds[k] ** 2, bounds[3 + k] ** 2);
    this.#radius = Math.sqrt(square);
  }

  beginStep(): void {
    this.start.read(this.body);
    this.#sign = this.start.R[4] > -0.5 ? 1 : -1;
    this.#removeSpin(this.start.R);
    this.read();
    for (let k = 0; k < 3; k++) this.centre[k] = this.body.centreOfMass[k];
  }

  /** Takes the present pose. */
  read(): void {
    this.now.read(this.body);
    this.#removeSpin(this.now.R);
  }

  #removeSpin(R: Float64Array): void {
    if (!this.facets.round) return;
    const s = this.#sign;
    const [x, y, z] = [R[1], R[4], R[7]];
    const a = -1 / (s + y);
    // columns X, Y, Z with Y the axis and Z × X = Y
    R[2] = s * z * x * a;
    R[5] = -s * z;
    R[8] = 1 + s * z * z * a;
    R[0] = s + x * x * a;
    R[3] = -x;
    R[6] = z * x * a;
  }

  /** Whether a box, min and max, meets the sphere about the body on its way from the start to now. */
  isNear(low: Float64Array, high: Float64Array): boolean {
    const [p, q, r] = [this.start.p, this.now.p, this.#radius];
    for (let k = 0; k < 3; k++)
      if (Math.min(p[k], q[k]) - r > high[k] || Math.max(p[k], q[k]) + r < low[k]) return false;
    return true;
  }
}
