/**
 * One place where a curve touches a body, and its rows in the system.
 *
 *     n·(Σ w_i ẋ_i − v_body) ≥ (keep − gap)/h        λ ≥ 0            one row; two on an edge, for both of its faces
 *     t·(Σ w_i (ẋ_i − F_i u̇_i) − v_body) = 0  unless  |λ| = μ N h      for two tangents t, N of the pass before
 *
 *   w    1 for a node; 1 − s and s for the ends of a segment         gap  at the end of the stage with present velocities [m]
 *   F    Δx/Δu of the segment, at a node the mean of its two: friction feels the material, which slides through a node with u̇.
 *   N    normal force [N]; on an edge |λ_A n_A + λ_B n_B|/h
 *
 * At an edge where the curve turns by d the mean of the tangents is shorter than they are, |F| = cos ½d. Friction there takes
 * F/cos² ½d: so what the contact does to the curve, T₁t₁ − T₂t₂, does the work (T₁ − T₂) u̇ on it; normal force and friction stand
 * across each other, and T₂/T₁ = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d) at slip [theory/curves#friction-at-a-corner].
 */
import { writeSlidingTangents } from '../contact/index.ts';
import { CANCEL_U, type ConstraintRows, type Stage } from '../model/index.ts';
import type { BodyObstacle } from './body-obstacle.ts';
import type { CurveChain } from './chain.ts';
import { computeNodeMass, writeNodeGradient } from './node-measure.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** What touches. A node on a face, round a smooth body, on an edge; a segment across an edge, beside a smooth body. */
export const ON_FACE = 0;
export const ON_ROUND = 1;
export const ON_EDGE = 2;
export const ACROSS_EDGE = 3;
export const BESIDE_ROUND = 4;
export const CONTACT_KINDS = 5;

/** Softness of the rows relative to the mobility of their points: what is redundant then shares its load. */
const SOFTNESS = 1e-9;
/** Share of a place's motion, squared, below which it cannot be moved and gets no rows. */
const LEAST_FREE = 1e-6;
/** Cosine of the angle between a curve and the way across an edge below which it runs along that. */
const LEAST_RATE = 0.2;

export class BodyContact {
  kind = ON_FACE;
  /** The obstacle, and its face or edge. */
  body = 0;
  feature = 0;
  /** Labels of its nodes and their present places; −1 for the second of a lone node. */
  label = 0;
  other = -1;
  i = 0;
  j = -1;
  /** Weight of the second node. */
  share = 0;
  /** n and n · x in the body's frame, twice on an edge. */
  readonly plane = new Float64Array(8);
  /** Gap to have at the end, and what is asked for so that it comes out [m]. */
  readonly want = new Float64Array(2);
  readonly keep = new Float64Array(2);
  /** Impulses of the normal rows over h, and the normal force that friction is taken from [N]. */
  readonly force = new Float64Array(2);
  grip = 0;
  readonly states = new Int8Array(4);
  /** Of a node on an edge: whether its u̇ is held, and may be let go in this step. */
  isHeld = false;
  mayRelease = true;
  /** Whether it was brought back to the edge in this step. */
  hasReturned = false;
  /** Normals in the world and n · x there, for the pose that was asked for last. */
  readonly normal = new Float64Array(6);
  readonly offset = new Float64Array(2);
  /** Force on the curve in the last solve, friction included [N]. */
  readonly push = new Float64Array(3);
  readonly #gapStart = new Float64Array(2);
  #row = -1;
  #rows = 0;
  /** Speed of sliding of the pass, 0 where it sticks, −1 before anything is known [m/s]. */
  #speed = -1;
  readonly #tangents = [new Float64Array(3), new Float64Array(3)] as const;
  readonly #n = new Float64Array(3);
  readonly #x = new Float64Array(3);
  readonly #v = new Float64Array(3);
  readonly #slip = new Float64Array(3);
  readonly #gradient = new Float64Array(6);

  /** Number of normals. */
  get planes(): number {
    return this.kind === ON_EDGE ? 2 : 1;
  }

  /** Whether it is a node at an edge that does not push it: segments beside it may. */
  get isLoose(): boolean {
    return this.isHeld && !(this.force[0] > 0 || this.force[1] > 0);
  }

  /** Normal force of the last solve [N]. */
  get load(): number {
    if (this.kind !== ON_EDGE) return this.force[0];
    const [{ normal: n }, [a, b]] = [this, this.force];
    return Math.sqrt((a * n[0] + b * n[3]) ** 2 + (a * n[1] + b * n[4]) ** 2 + (a * n[2] + b * n[5]) ** 2);
  }

  /** A contact without rows and forces so far. */
  begin(kind: number, body: number, feature: number, label: number, other: number): void {
    this.kind = kind;
    this.body = body;
    this.feature = feature;
    this.label = label;
    this.other = other;
    this.share = this.grip = 0;
    this.force.fill(0);
    this.states.fill(0);
    this.push.fill(0);
    this.#row = -1;
    this.#rows = 0;
    this.#speed = -1;
    this.isHeld = false;
    this.mayRelease = true;
    this.hasReturned = false;
  }

  /** Whether each face pushes, by the impulses of a solve. */
  isPushed({ multiplier }: ConstraintRows): boolean {
    for (let m = 0; m < this.planes; m++) if (!(m < this.#rows && multiplier[this.#row + m] > 0)) return false;
    return true;
  }

  /** Of a node on an edge: by how much material it must move along the curve to be above the edge [m]; 0 where the curve runs along that. */
  computeReturn(chain: CurveChain, obstacle: BodyObstacle): number {
    const [n, F] = [this.normal, this.#gradient];
    const side = this.computePresentGap(chain, obstacle, 0) - this.#computeGap(1);
    writeNodeGradient(chain, this.i, false, F);
    let [rate, square] = [0, 0];
    for (let k = 0; k < 3; k++) {
      rate += (n[k] - n[3 + k]) * F[k];
      square += (n[k] - n[3 + k]) ** 2;
    }
    return Math.abs(rate) > LEAST_RATE * Math.sqrt(square) ? -side / rate : 0;
  }

  /** Takes the gap that it starts with for what it is to have at the end: 0, or by at most `recovery` [m] less inside. */
  measureStart(chain: CurveChain, obstacle: BodyObstacle, recovery: number): void {
    this.writePlanes(obstacle, true);
    this.#writePoint(chain.qStart);
    for (let m = 0; m < this.planes; m++) {
      const gap = this.#computeGap(m);
      this.#gapStart[m] = gap;
      this.want[m] = this.keep[m] = Math.min(0, gap + recovery);
    }
  }

  /** Gap m of the curve as it is now, the body as it is now [m]. */
  computePresentGap(chain: CurveChain, obstacle: BodyObstacle, m: number): number {
    this.writePlanes(obstacle, false);
    this.#writePoint(chain.q);
    return this.#computeGap(m);
  }

  #computeGap(m: number): number {
    const n = this.normal;
    return n[3 * m] * this.#x[0] + n[3 * m + 1] * this.#x[1] + n[3 * m + 2] * this.#x[2] - this.offset[m];
  }

  /** The planes in the world, of the body at the start of the step or now. */
  writePlanes({ start, now }: BodyObstacle, isStart: boolean): void {
    const { plane, normal, offset } = this;
    const placement = isStart ? start : now;
    for (let m = 0; m < this.planes; m++) {
      placement.writeDirection(plane, 4 * m, normal, 3 * m);
      offset[m] = plane[4 * m + 3];
      for (let k = 0; k < 3; k++) offset[m] += normal[3 * m + k] * placement.p[k];
    }
  }

  #writePoint(q: Float64Array): void {
    const { i, j, share } = this;
    for (let k = 0; k < 3; k++) this.#x[k] = j < 0 ? q[4 * i + k] : (1 - share) * q[4 * i + k] + share * q[4 * j + k];
  }

  addRows(curve: TouchingCurve, part: number, obstacle: BodyObstacle, rows: ConstraintRows, stage: Stage): void {
    const { chain } = curve;
    this.#row = rows.count;
    this.#rows = 0;
    this.writePlanes(obstacle, false);
    for (let m = 0; m < this.planes; m++) {
      if (!(obstacle.part >= 0 || this.#computeFreedom(chain, m) > LEAST_FREE)) return;
    }
    const softness = this.#computeSoftness(chain, obstacle);
    for (let m = 0; m < this.planes; m++) {
      for (let k = 0; k < 3; k++) this.#n[k] = this.normal[3 * m + k];
      rows.addRow(this.#computeShort(chain, obstacle, stage, m), softness);
      rows.boundRow(0, Number.POSITIVE_INFINITY, this.states[m], this.#guess(m) * stage.h);
      this.#addEntries(curve, part, obstacle, rows, this.#n, false);
    }
    const limit = obstacle.friction * this.grip * stage.h;
    if (limit > 0) this.#addFriction(curve, part, obstacle, rows, limit, softness, stage);
    this.#rows = rows.count - this.#row;
  }

  /** Normal force m of the solve or the step before [N]. */
  #guess(m: number): number {
    return this.force[m] === 0 && m === 0 ? this.grip : this.force[m];
  }

  /** Speed by which gap m would end too small [m/s]; with several stages the gap allows a speed for the whole step. */
  #computeShort(
    chain: CurveChain,
    { body, part }: BodyObstacle,
    { h, step, order, linearized }: Stage,
    m: number,
  ): number {
    const { i, j, share } = this;
    const { qBase, v } = chain;
    this.#writePoint(qBase);
    body.writePointVelocity(this.#x, this.#v);
    let [speed, moved] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const own = j < 0 ? v[4 * i + k] : (1 - share) * v[4 * i + k] + share * v[4 * j + k];
      const n = this.normal[3 * m + k];
      speed += n * (own - this.#v[k]);
      // a scripted body is where it will be, one that forces move only after the first iteration
      moved += n * (part >= 0 && linearized ? own - this.#v[k] : own);
    }
    return order === 1
      ? (this.keep[m] - this.#computeGap(m)) / h - moved
      : (this.keep[m] - this.#gapStart[m]) / step - speed;
  }

  #addFriction(
    curve: TouchingCurve,
    part: number,
    obstacle: BodyObstacle,
    rows: ConstraintRows,
    limit: number,
    softness: number,
    { h, linearized: isFirst }: Stage,
  ): void {
    const { push } = this;
    const slip = this.#measureSlip(curve.chain, obstacle);
    const first = this.planes;
    if (isFirst || !(this.#speed >= 0)) {
      this.#writeFrictionNormal(obstacle);
      const speed = writeSlidingTangents(slip, this.#n, this.#tangents[0], this.#tangents[1]);
      this.#speed = this.states[first] === 0 ? 0 : speed;
    }
    // what slides is not held across its way, but turned: −μ N w/|w|, to first order
    const drag = this.#speed / limit;
    for (let m = 0; m < 2; m++) {
      const t = this.#tangents[m];
      rows.addRow(-(t[0] * slip[0] + t[1] * slip[1] + t[2] * slip[2]), softness + m * drag);
      rows.boundRow(-limit, limit, this.states[first + m], h * (t[0] * push[0] + t[1] * push[1] + t[2] * push[2]));
      this.#addEntries(curve, part, obstacle, rows, t, true);
    }
  }

  /** Across the curve's mean direction on an edge, and the normal elsewhere, into #n. */
  #writeFrictionNormal({ facets, now }: BodyObstacle): void {
    const [n, e, F] = [this.#n, this.#v, this.#gradient];
    for (let k = 0; k < 3; k++) n[k] = this.normal[k];
    if (this.kind !== ON_EDGE) return;
    const at = 3 * this.feature;
    for (let k = 0; k < 3; k++) e[k] = facets.edgeEnd[at + k] - facets.edgeStart[at + k];
    now.writeDirection(e, 0, e, 0);
    let [square, size, length] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      n[k] = e[l] * F[m] - e[m] * F[l];
      square += n[k] * n[k];
      size += F[k] * F[k];
      length += e[k] * e[k];
    }
    const isAlong = !(square > 1e-6 * size * length);
    if (isAlong) for (let k = 0; k < 3; k++) n[k] = this.normal[k] + this.normal[3 + k];
    const scale = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (let k = 0; k < 3; k++) n[k] /= scale;
  }

  /** Velocity of the material against the body [m/s]; leaves F of the nodes. */
  #measureSlip(chain: CurveChain, { body }: BodyObstacle): Float64Array {
    const { i, j, share } = this;
    const [F, slip, { q, v }] = [this.#gradient, this.#slip, chain];
    this.#writePoint(q);
    body.writePointVelocity(this.#x, this.#v);
    if (j < 0) writeNodeGradient(chain, i, this.kind === ON_EDGE, F);
    else for (let k = 0; k < 3; k++) F[k] = F[3 + k] = (q[4 * j + k] - q[4 * i + k]) / (q[4 * j + 3] - q[4 * i + 3]);
    for (let k = 0; k < 3; k++) {
      const own = v[4 * i + k] - F[k] * v[4 * i + 3];
      slip[k] = (j < 0 ? own : (1 - share) * own + share * (v[4 * j + k] - F[3 + k] * v[4 * j + 3])) - this.#v[k];
    }
    return slip;
  }

  /** Sine of the angle between the sliding and the friction of the last solve; 0 where it sticks. */
  computeTurn(chain: CurveChain, obstacle: BodyObstacle): number {
    const first = this.planes;
    if (this.#rows <= first || this.states[first] === 0) return 0;
    const [t, s] = this.#tangents;
    const slip = this.#measureSlip(chain, obstacle);
    const along = slip[0] * t[0] + slip[1] * t[1] + slip[2] * t[2];
    const across = slip[0] * s[0] + slip[1] * s[1] + slip[2] * s[2];
    return along === 0 && across === 0 ? 0 : Math.abs(across) / Math.sqrt(along * along + across * across);
  }

  #addEntries(
    curve: TouchingCurve,
    part: number,
    obstacle: BodyObstacle,
    rows: ConstraintRows,
    d: Float64Array,
    isMaterial: boolean,
  ): void {
    const { chain, stride } = curve;
    for (let side = 0; side < (this.j < 0 ? 1 : 2); side++) {
      const i = side === 0 ? this.i : this.j;
      const weight = side === 1 ? this.share : this.j < 0 ? 1 : 1 - this.share;
      // the last node of a loop is the first
      const at = stride * (i >= chain.ownCount ? i - chain.ownCount : i);
      for (let k = 0; k < 3; k++) if (!(chain.cancelled[i] & (1 << k))) rows.addEntry(part, at + k, weight * d[k]);
      if (!isMaterial || chain.cancelled[i] & CANCEL_U) continue;
      const [F, o] = [this.#gradient, 3 * side];
      rows.addEntry(part, at + 3, -weight * (d[0] * F[o] + d[1] * F[o + 1] + d[2] * F[o + 2]));
    }
    if (obstacle.part < 0) return;
    this.#writePoint(chain.qStart);
    for (let k = 0; k < 3; k++) rows.addEntry(obstacle.part, k, -d[k]);
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      // arms at the start of the step keep angular momentum
      const arm = (this.#x[l] - obstacle.centre[l]) * d[m] - (this.#x[m] - obstacle.centre[m]) * d[l];
      rows.addEntry(obstacle.part, 3 + k, -arm);
    }
  }

  /** Square of what the place moves along normal m where each of its free coordinates moves by 1. */
  #computeFreedom({ cancelled }: CurveChain, m: number): number {
    const { i, j, share } = this;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const square = this.normal[3 * m + k] ** 2;
      if (!(cancelled[i] & (1 << k))) sum += square * (j < 0 ? 1 : (1 - share) ** 2);
      if (j >= 0 && !(cancelled[j] & (1 << k))) sum += square * share * share;
    }
    return sum;
  }

  #computeSoftness(chain: CurveChain, { body, part }: BodyObstacle): number {
    const { i, j, share } = this;
    const own = (j < 0 ? 1 : (1 - share) ** 2) / computeNodeMass(chain, i);
    return SOFTNESS * (own + (j < 0 ? 0 : share ** 2 / computeNodeMass(chain, j)) + (part < 0 ? 0 : 1 / body.mass));
  }

  /** Reads the impulses of the rows; gives the nodes and the body their forces. */
  takeMultipliers(curve: TouchingCurve, obstacle: BodyObstacle, rows: ConstraintRows, h: number): void {
    const [f, first] = [this.push.fill(0), this.planes];
    this.force.fill(0);
    for (let m = 0; m < this.#rows; m++) {
      const size = rows.multiplier[this.#row + m] / h;
      this.states[m] = rows.state[this.#row + m];
      if (m < first) this.force[m] = size;
      for (let k = 0; k < 3; k++) f[k] += size * (m < first ? this.normal[3 * m + k] : this.#tangents[m - first][k]);
    }
    const { i, j, share } = this;
    const own = j < 0 ? 1 : 1 - share;
    curve.addContactForce(i, own * f[0], own * f[1], own * f[2]);
    if (j >= 0) curve.addContactForce(j, share * f[0], share * f[1], share * f[2]);
    for (let k = 0; k < 3; k++) obstacle.force[k] -= f[k];
  }

  /** Where it touches, as the curve is now. */
  writePlace(chain: CurveChain, out: Float64Array): void {
    this.#writePoint(chain.q);
    out.set(this.#x);
  }
}
