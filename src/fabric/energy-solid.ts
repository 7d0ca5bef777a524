/**
 * What solid bodies do to the nodes of a fabric: they push, rub, and hold what lies on their sharp edges.  [theory/fabric#forces-at-a-crossing]
 *
 *     contact    δ = r − d(x)       d  signed distance to the body [m], n its gradient      r  how far the cloth's middle stays off [m]
 *                V = k δ³/(6w)                      0 < δ < w       w  smooth end [m]        k [N/m]
 *                V = k (½ δ² − ½ w δ + w²/6)        δ ≥ w
 *                stencil x;  exact where the body is flat: the term −V' ∂²d/∂x², which is negative for convex bodies, is left out
 *
 *     friction   s = s₀ + P (x − x₀ − F (u − u₀))        P = I − n nᵀ        F  tangent dx/du of the yarn        s₀, x₀, u₀  at the start of the step
 *                V = ½ k |s|²,  k |s| ≤ μN;    V = μN |s| − (μN)²/(2k)  beyond
 *                stencil x u;  n, F and N are those of the start. The exact Hessian is positive semi-definite. With it Newton's iterations hop to and fro over the range
 *                that sticks, so that where |s| is less than `sure` the other has μN/|s| P for what slips, without −ŝŝᵀ: the parabola that touches V and lies above
 *     s is how far the yarn's material, not the node, has moved on the body against a spring that gives way at Coulomb's limit: material that
 *     rests is held whatever its nodes do. x₀ is where the body has carried that place by now.
 *
 *     edge       V = ½ K (‖x − p‖² − (e·(x − p))²)        the line through p along the unit vector e       stencil x;  exact
 */
import type { Body } from '../bodies/index.ts';
import type { FabricTerm } from './term.ts';

/** w/r */
const SMOOTH_PART = 1;

export class SolidContact implements FabricTerm {
  readonly size = 3;
  energy = 0;
  /** V' along n, outwards [N], and V″ [N/m]. */
  push = 0;
  slope = 0;
  readonly gradient = new Float64Array(3);
  readonly hessian = new Float64Array(9);
  /** Distance and normal of the last stencil. */
  readonly touch = new Float64Array(4);
  /** k [N/m]. */
  stiffness = 0;
  /** r [m]. */
  reach = 0;
  body: Pick<Body, 'writeSignedDistance'> | undefined;

  set(q: ArrayLike<number>): void {
    const { gradient, hessian, touch, stiffness: k } = this;
    this.body!.writeSignedDistance(q, touch);
    const depth = this.reach - touch[0];
    if (!(depth > 0)) {
      this.energy = this.push = this.slope = 0;
      gradient.fill(0);
      hessian.fill(0);
      return;
    }
    const w = SMOOTH_PART * this.reach;
    const isSmooth = depth < w;
    this.energy = k * (isSmooth ? (depth * depth * depth) / (6 * w) : 0.5 * depth * (depth - w) + (w * w) / 6);
    this.push = k * (isSmooth ? (depth * depth) / (2 * w) : depth - 0.5 * w);
    this.slope = isSmooth ? (k * depth) / w : k;
    for (let r = 0; r < 3; r++) {
      gradient[r] = -this.push * touch[1 + r];
      for (let c = 0; c < 3; c++) hessian[3 * r + c] = this.slope * touch[1 + r] * touch[1 + c];
    }
  }
}

export class SolidFriction implements FabricTerm {
  readonly size = 4;
  energy = 0;
  readonly gradient = new Float64Array(4);
  readonly hessian = new Float64Array(16);
  /** k [N/m]. */
  stiffness = 0;
  /** μN [N]. */
  limit = 0;
  /** n. */
  readonly normal = new Float64Array(3);
  /** F. */
  readonly tangent = new Float64Array(3);
  /** s₀ [m]. */
  readonly slip = new Float64Array(3);
  /** x₀ and u₀ [m]. */
  readonly start = new Float64Array(4);
  /** |s| from which on what slips does so to the end of the step [m]. */
  sure = 0;
  /** V'/|s| of the last stencil [N/m]: k, or μN/|s| where it slips. */
  scale = 0;
  /** Stiffness along s in the Hessian of the last stencil [N/m]. */
  stiffnessAlong = 0;
  /** s of the last stencil [m], and |s|. */
  distance = 0;
  readonly moved = new Float64Array(3);
  /** P F. */
  readonly #along = new Float64Array(3);

  set(q: ArrayLike<number>, isExact: boolean): void {
    const { gradient, hessian, normal: n, tangent: F, slip, start, moved: s, stiffness: k, limit } = this;
    const along = this.#along;
    const slid = q[3] - start[3];
    let [off, offF, offSlip] = [0, 0, 0];
    for (let r = 0; r < 3; r++) {
      s[r] = q[r] - start[r] - F[r] * slid;
      off += n[r] * s[r];
      offF += n[r] * F[r];
      offSlip += n[r] * slip[r];
    }
    let square = 0;
    for (let r = 0; r < 3; r++) {
      s[r] += slip[r] - (off + offSlip) * n[r];
      along[r] = F[r] - offF * n[r];
      square += s[r] * s[r];
    }
    const size = Math.sqrt(square);
    const slips = k * size > limit;
    this.distance = size;
    this.energy = slips ? limit * size - (limit * limit) / (2 * k) : 0.5 * k * square;
    const scale = slips ? limit / size : k;
    this.scale = scale;
    let force = 0;
    let turned = 0;
    for (let r = 0; r < 3; r++) {
      gradient[r] = scale * s[r];
      force += s[r] * along[r];
      turned += along[r] * along[r];
    }
    gradient[3] = -scale * force;
    // of the slipping spring only what turns its direction is left
    const isSure = slips && (isExact || size > this.sure);
    const less = isSure ? 1 / square : 0;
    this.stiffnessAlong = isSure ? 0 : scale;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) hessian[4 * r + c] = scale * ((r === c ? 1 : 0) - n[r] * n[c] - less * s[r] * s[c]);
      hessian[4 * r + 3] = hessian[12 + r] = -scale * (along[r] - less * s[r] * force);
    }
    hessian[15] = scale * (turned - less * force * force);
  }
}

export class EdgeHold implements FabricTerm {
  readonly size = 3;
  energy = 0;
  readonly gradient = new Float64Array(3);
  readonly hessian = new Float64Array(9);
  /** K [N/m]. */
  stiffness = 0;
  /** p [m] and e. */
  readonly point = new Float64Array(3);
  readonly direction = new Float64Array(3);

  set(q: ArrayLike<number>): void {
    const { gradient, hessian, point, direction: e, stiffness: K } = this;
    let along = 0;
    for (let r = 0; r < 3; r++) along += e[r] * (q[r] - point[r]);
    this.energy = 0;
    for (let r = 0; r < 3; r++) {
      const off = q[r] - point[r] - along * e[r];
      this.energy += 0.5 * K * off * off;
      gradient[r] = K * off;
      for (let c = 0; c < 3; c++) hessian[3 * r + c] = K * ((r === c ? 1 : 0) - e[r] * e[c]);
    }
  }
}
