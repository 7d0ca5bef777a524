/**
 * Shape of the loops of a knit: smooth centre lines of round yarns that do not touch.
 *
 *     across   σ (w φ/2π + a sin 2φ)               of the left half of a loop, from the middle of the gap before it (φ = 0) to the
 *     up       −½ H cos φ                          middle of its head (φ = π); σ = −1 mirrors it to the right half
 *     w  wale spacing [m]     c  course spacing [m]     a = 0.24 w     H = 1.6 c  height of a loop     r  radius of the yarn
 *
 *              ╭──head──╮                          Two courses cross at four places a stitch. With φ_f < φ_l the parameters of the foot
 *        φ = π │        │ head                     and the leg of the upper loop, the lower one has there π − φ_l and π − φ_f, as the
 *        leg   ╳  ╭──╮  ╳                          whole is the same turned half round in its plane:
 *        foot ─╳──╯  ╰──╳─                             s(φ_f) + s(φ_l) = ½ w        cos φ_f + cos φ_l = 2 c/H
 *        gap   ╰╴      ╶╯
 *
 * Out of the plane a yarn lies r over or under it where it crosses another one, and goes from one height to the next by a cubic 3q² − 2q³. A loop
 * that is held over courses is drawn longer by the same cubic between φ_l and π − φ_l. In jersey of w = 8r, c = 7r centre lines stay 1.95 r apart, and a
 * stitch has 33 r of yarn; Peirce's loop [Peirce 1947] has 33.3 r. The shape in the plane is after the sinusoidal loops of
 * [Kaldor 2008].
 */
import { computeAngle, computeSineCosine } from '../math/index.ts';

/** a/w and H/c. */
const BULGE = 0.24;
const HEIGHT = 1.6;

/** Nodes and weights of Gauss's rule on [0, 1], six points. */
const GAUSS_AT = [0.2386191860831969, 0.6612093864662645, 0.9324695142031521];
const GAUSS_WEIGHT = [0.46791393457269104, 0.3607615730481386, 0.17132449237917036];

/** φ_f and φ_l of the shape above; they depend on a/w and H/c only. */
export const { foot: FOOT_ANGLE, leg: LEG_ANGLE } = solveCrossings();

/** Spacings at which round yarns of radius 1 still pass each other. */
export const LEAST_WALE_SPACING = 8;
export const LEAST_COURSE_SPACING = 5;

/** How far out of the plane the yarns at the edges lie where they pass a leg, and the leg there, in radii. */
export const EDGE_OUT = 0.4;
const EDGE_LEG_OUT = 1.6;

/** A stretch of centre line with a parameter: its place across, up and out, and their derivatives. */
export interface KnitPiece {
  /** Writes across, up, out [m]. */
  writePoint(at: number, out: Float64Array): void;
  /** Writes their derivatives by the parameter. */
  writeSlope(at: number, out: Float64Array): void;
}

/** Half a loop; its fields are set for one after the other. */
export class HalfLoop implements KnitPiece {
  /** w and c [m]. */
  readonly wale: number;
  readonly course: number;
  /** Across of the middle of the gap [m]. */
  gap = 0;
  /** 1 for the left half, −1 for the right one, whose parameter runs from the gap to the head, too. */
  side: 1 | -1 = 1;
  /** Up of the middle of the loop [m]. */
  middle = 0;
  /** How much longer the loop is because it is held [m]. */
  lift = 0;
  /** How much higher than usual the yarn lies in the middle of the gap [m]. */
  gapShift = 0;
  /** Out of the plane [m] at φ = 0, φ_f, φ_l, π − φ_l, π − φ_f, π. */
  readonly out = new Float64Array(6);

  constructor(wale: number, course: number) {
    this.wale = wale;
    this.course = course;
  }

  /**
   * Sets the heights out of the plane by the sides to which this loop is drawn through the one below and the next one through this: 1 the face, −1
   * the back, 0 where the yarn at an edge is drawn through instead.
   */
  setHeights(own: number, drawn: number, radius: number): void {
    const edge = EDGE_LEG_OUT * this.side;
    const { out } = this;
    out[0] = out[1] = own === 0 ? 0 : -own * radius;
    out[2] = (own === 0 ? edge : own) * radius;
    out[3] = (drawn === 0 ? edge : drawn) * radius;
    out[4] = out[5] = drawn === 0 ? 0 : -drawn * radius;
  }

  /** Place up of the yarn, less that of the middle of the loop [m]. */
  computeUp(phi: number): number {
    let up = -0.5 * HEIGHT * this.course * computeSineCosine(phi)[1];
    if (phi < FOOT_ANGLE) up += this.gapShift * (1 - ease(phi / FOOT_ANGLE));
    else if (phi > LEG_ANGLE) up += this.lift * ease(Math.min(1, (phi - LEG_ANGLE) / (Math.PI - 2 * LEG_ANGLE)));
    return up;
  }

  writePoint(phi: number, out: Float64Array): void {
    const k = findStretch(phi);
    out[0] = this.gap + this.side * this.wale * computeAcross(phi);
    out[1] = this.middle + this.computeUp(phi);
    out[2] = this.out[k] + (this.out[k + 1] - this.out[k]) * ease((phi - ANGLES[k]) / (ANGLES[k + 1] - ANGLES[k]));
  }

  writeSlope(phi: number, out: Float64Array): void {
    const k = findStretch(phi);
    const [sine, cosine] = computeSineCosine(phi);
    out[0] = this.side * this.wale * (1 / (2 * Math.PI) + 2 * BULGE * (cosine * cosine - sine * sine));
    out[1] = 0.5 * HEIGHT * this.course * sine;
    const width = ANGLES[k + 1] - ANGLES[k];
    const slope = easeSlope((phi - ANGLES[k]) / width) / width;
    if (k === 0) out[1] -= this.gapShift * slope;
    else if (k === 2) out[1] += this.lift * slope;
    out[2] = (this.out[k + 1] - this.out[k]) * slope;
  }

  /** φ of the leg at which the yarn is so far up of the middle [m]; between φ_l and π − φ_l. */
  solveUp(up: number): number {
    let [low, high] = [LEG_ANGLE, Math.PI - LEG_ANGLE];
    for (let k = 0; k < 40; k++) {
      const middle = 0.5 * (low + high);
      if (this.computeUp(middle) < up) low = middle;
      else high = middle;
    }
    return 0.5 * (low + high);
  }
}

/** A yarn that runs across from one place to another; the parameter is the place across. */
export class Run implements KnitPiece {
  /** Across, up and out [m] where it begins and where it ends. */
  readonly from = new Float64Array(3);
  readonly to = new Float64Array(3);

  writePoint(at: number, out: Float64Array): void {
    const { from, to } = this;
    const part = ease((at - from[0]) / (to[0] - from[0]));
    out[0] = at;
    out[1] = from[1] + (to[1] - from[1]) * part;
    out[2] = from[2] + (to[2] - from[2]) * part;
  }

  writeSlope(at: number, out: Float64Array): void {
    const { from, to } = this;
    const width = to[0] - from[0];
    const slope = easeSlope((at - from[0]) / width) / width;
    out[0] = 1;
    out[1] = (to[1] - from[1]) * slope;
    out[2] = (to[2] - from[2]) * slope;
  }
}

/** Length of a piece between two parameters [m], within one stretch of it, by Gauss's rule. */
export function computePieceLength(piece: KnitPiece, from: number, to: number, scratch: Float64Array): number {
  const [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
  let sum = 0;
  for (let k = 0; k < 3; k++)
    for (let sign = -1; sign <= 1; sign += 2) {
      piece.writeSlope(middle + sign * half * GAUSS_AT[k], scratch);
      sum += GAUSS_WEIGHT[k] * Math.sqrt(scratch[0] ** 2 + scratch[1] ** 2 + scratch[2] ** 2);
    }
  return Math.abs(half) * sum;
}

/** Places up of the middle of the gap and of the leg at φ_l, in course spacings from the middle of a loop. */
export const GAP_UP = -0.5 * HEIGHT;
export const LEG_UP = -0.5 * HEIGHT * computeSineCosine(LEG_ANGLE)[1];

/** Where the heights out of the plane are given. */
export const ANGLES: readonly number[] = [0, FOOT_ANGLE, LEG_ANGLE, Math.PI - LEG_ANGLE, Math.PI - FOOT_ANGLE, Math.PI];

/** Across from the middle of the gap, in wale spacings. */
function computeAcross(phi: number): number {
  const [sine, cosine] = computeSineCosine(phi);
  return phi / (2 * Math.PI) + 2 * BULGE * sine * cosine;
}

function findStretch(phi: number): number {
  let k = 0;
  while (k < 4 && phi > ANGLES[k + 1]) k++;
  return k;
}

/** 3q² − 2q³ and its derivative. */
export const ease = (q: number): number => q * q * (3 - 2 * q);
const easeSlope = (q: number): number => 6 * q * (1 - q);

function solveCrossings(): { foot: number; leg: number } {
  const computeLeg = (foot: number): number => {
    const cosine = 2 / HEIGHT - computeSineCosine(foot)[1];
    return computeAngle(Math.sqrt(1 - cosine * cosine), cosine);
  };
  // between the upright of the gap and where foot and leg would be one
  let [low, high] = [0.1, 0.5];
  for (let k = 0; k < 60; k++) {
    const foot = 0.5 * (low + high);
    if (computeAcross(foot) + computeAcross(computeLeg(foot)) < 0.5) low = foot;
    else high = foot;
  }
  return { foot: low, leg: computeLeg(low) };
}
