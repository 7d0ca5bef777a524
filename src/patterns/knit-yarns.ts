/**
 * The yarns of a flat knit, walked along from their left to their right ends, stretch by stretch with every crossing on the way.
 *
 *     up                            course j at up = j · course spacing, wale i between the gaps at across = i and (i + 1) · wale spacing;
 *     ↑   ∩∩∩∩  bind-off yarn       out of the plane towards the face
 *     │   ∩∩∩∩  course 1            All yarns run from the left to the right.
 *     │   ∩∩∩∩  course 0
 *     │   ────  cast-on yarn        Yarn 0 casts on, then come the carriers of each course, from the first course up; the last yarn binds off.
 *     └──────→ across
 *
 * Edges: one yarn is drawn through the feet of the first course and one through the heads of the last loops, behind each left leg and before each right
 * one. Without them a knit ravels from both: each course could be pulled out of the next.
 */
import { checkPositive } from './checks.ts';
import { KnitLayout } from './knit-layout.ts';
import {
  ANGLES,
  EDGE_OUT,
  GAP_UP,
  HalfLoop,
  type KnitPiece,
  LEAST_COURSE_SPACING,
  LEAST_WALE_SPACING,
  LEG_ANGLE,
  LEG_UP,
  Run,
} from './knit-loop.ts';
import { type Knit, STITCH_PURL, STITCH_SLIP_FRONT } from './knits.ts';

export interface KnitYarnsOptions {
  readonly knit: Knit;
  /** From wale to wale and from course to course [m]. */
  readonly spacing: { readonly wale: number; readonly course: number };
  /** Of all yarns [m]. */
  readonly radius: number;
  /** Length of yarn beyond the outermost gaps [m]; half a wale spacing if not given. */
  readonly margin?: number;
}

/** What a stretch of yarn is, for its length at rest. */
export type StretchKind = 'loop' | 'held' | 'float';

/** Takes what is met along the yarns. Calls come in the order of the yarn. */
export interface KnitVisitor {
  startYarn(yarn: number, carrier: number): void;
  /** A stretch of smooth centre line; `from` may lie behind `to`. */
  addStretch(piece: KnitPiece, from: number, to: number, kind: StretchKind): void;
  /** A crossing at the end of the stretch that was added last; the yarn is its first (0) or second (1). */
  meet(node: number, side: 0 | 1): void;
  endYarn(yarn: number): void;
}

/** Heights of floats behind the plane, in radii, where a course has several carriers: behind all loops, each in its own layer. */
const FLOAT_DEPTH = 3;
const FLOAT_LAYER = 2;
/** Part of the way from the gap to a leg in which a float reaches its height. */
const FLOAT_REACH = 0.7;
/** How much more a foot than a float counts for the height of the yarn in the gap between them; found by trying, for the room it leaves. */
const GAP_WEIGHT = 3;
/** How far carriers of a course lie apart in a gap, in course spacings, if they are not too many. */
const GAP_SPREAD = 0.2;

export class KnitYarns {
  readonly layout: KnitLayout;
  readonly wale: number;
  readonly course: number;
  readonly radius: number;
  readonly margin: number;
  /** Yarns, the two at the edges included. */
  readonly count: number;
  readonly #half: HalfLoop;
  readonly #run = new Run();
  readonly #float = { held: 0, across: 0, up: 0, left: 0, right: 0, phi: 0 };
  readonly #gap = { up: 0, out: 0 };
  /** φ and first node of the floats past a leg, from the bottom up. */
  readonly #legPhi: number[] = [];
  readonly #legNode: number[] = [];
  readonly #solved = new Map<number, number>();
  readonly #point = new Float64Array(3);

  constructor(caller: string, options: KnitYarnsOptions) {
    const { spacing, radius, margin = 0.5 * spacing.wale } = options;
    checkLoopRoom(caller, options);
    checkPositive(caller, { margin });
    this.layout = new KnitLayout(caller, options.knit);
    this.wale = spacing.wale;
    this.course = spacing.course;
    this.radius = radius;
    this.margin = margin;
    this.count = this.layout.strips + 2;
    this.#half = new HalfLoop(spacing.wale, spacing.course);
  }

  /** Walks all yarns. */
  visit(visitor: KnitVisitor): void {
    const { layout } = this;
    const { courses, wales, carriers } = layout.knit;
    this.#visitEdge(visitor, 0, carriers[0], 0);
    for (let j = 0; j < courses; j++)
      for (let strip = layout.firstStrip[j]; strip < layout.firstStrip[j + 1]; strip++) {
        visitor.startYarn(1 + strip, layout.stripCarrier[strip]);
        this.#setGap(strip, j, 0);
        this.#visitTail(visitor, true, this.#gap.up, this.#gap.out);
        for (let i = 0; i < wales; i++) {
          if (layout.isLoop(strip, j, i)) this.#visitLoop(visitor, strip, j, i);
          else this.#visitFloat(visitor, strip, j, i);
        }
        this.#setGap(strip, j, wales);
        this.#visitTail(visitor, false, this.#gap.up, this.#gap.out);
        visitor.endYarn(1 + strip);
      }
    this.#visitEdge(visitor, this.count - 1, carriers[(courses - 1) * wales], courses - 1);
  }

  /** The straight end of a yarn beyond the first or the last gap. */
  #visitTail(visitor: KnitVisitor, isFirst: boolean, up: number, out: number): void {
    const { wales } = this.layout.knit;
    const from = isFirst ? -this.margin : wales * this.wale;
    this.#visitRun(visitor, from, up, out, from + this.margin, up, out, 'loop');
  }

  #visitRun(
    visitor: KnitVisitor,
    across: number,
    up: number,
    out: number,
    toAcross: number,
    toUp: number,
    toOut: number,
    kind: StretchKind,
  ): void {
    const { from, to } = this.#run;
    from[0] = across;
    from[1] = up;
    from[2] = out;
    to[0] = toAcross;
    to[1] = toUp;
    to[2] = toOut;
    visitor.addStretch(this.#run, across, toAcross, kind);
  }

  /** The yarn that casts on or binds off, through the loops of every wale. */
  #visitEdge(visitor: KnitVisitor, yarn: number, carrier: number, course: number): void {
    const { layout, wale: w } = this;
    const { wales } = layout.knit;
    const out = EDGE_OUT * this.radius;
    const isFirst = yarn === 0;
    const half = this.#half;
    half.side = 1;
    half.gap = 0;
    half.writePoint(isFirst ? LEG_ANGLE : Math.PI - LEG_ANGLE, this.#point);
    const up = course * this.course + (isFirst ? LEG_UP : -LEG_UP) * this.course;
    const leg = this.#point[0];
    const first = isFirst ? 0 : layout.crossings - 2 * wales;
    visitor.startYarn(yarn, carrier);
    this.#visitTail(visitor, true, up, 0);
    for (let i = 0; i < wales; i++) {
      const [left, right] = [i * w + leg, (i + 1) * w - leg];
      this.#visitRun(visitor, i * w, up, 0, left, up, -out, 'loop');
      visitor.meet(first + 2 * i, 0);
      this.#visitRun(visitor, left, up, -out, right, up, out, 'loop');
      visitor.meet(first + 2 * i + 1, 0);
      this.#visitRun(visitor, right, up, out, (i + 1) * w, up, 0, 'loop');
    }
    this.#visitTail(visitor, false, up, 0);
    visitor.endYarn(yarn);
  }

  #visitLoop(visitor: KnitVisitor, strip: number, course: number, wale: number): void {
    const { layout } = this;
    const { courses, wales } = layout.knit;
    const half = this.#half;
    const cell = course * wales + wale;
    const next = layout.next[cell];
    const own = layout.firstNode[strip * wales + wale];
    const isLast = next === courses;
    const upper = isLast
      ? layout.crossings - 2 * wales + 2 * wale
      : layout.firstNode[layout.findStrip(next, wale) * wales + wale];
    const floats = this.#listFloats(course, wale, next);
    const [legPhi, legNode] = [this.#legPhi, this.#legNode];
    const kind = half.lift > 0 ? 'held' : 'loop';
    const [, foot, leg, upperLeg, head, top] = ANGLES;

    // up the left half
    this.#setGap(strip, course, wale);
    this.#setHalf(course, wale, 1);
    this.#joinGap(course);
    visitor.addStretch(half, 0, foot, 'loop');
    if (course > 0) visitor.meet(own, 0);
    visitor.addStretch(half, foot, leg, 'loop');
    visitor.meet(course > 0 ? own + 1 : 2 * wale, course > 0 ? 0 : 1);
    let at = leg;
    for (let k = 0; k < floats; k++) {
      visitor.addStretch(half, at, legPhi[k], kind);
      visitor.meet(legNode[k], 1);
      at = legPhi[k];
    }
    visitor.addStretch(half, at, upperLeg, kind);
    visitor.meet(upper, 1);
    visitor.addStretch(half, upperLeg, head, 'loop');
    if (!isLast) visitor.meet(upper + 1, 1);
    visitor.addStretch(half, head, top, 'loop');

    // down the right half
    this.#setGap(strip, course, wale + 1);
    this.#setHalf(course, wale, -1);
    this.#joinGap(course);
    visitor.addStretch(half, top, head, 'loop');
    if (!isLast) visitor.meet(upper + 2, 1);
    visitor.addStretch(half, head, upperLeg, 'loop');
    visitor.meet(isLast ? upper + 1 : upper + 3, 1);
    at = upperLeg;
    for (let k = floats - 1; k >= 0; k--) {
      visitor.addStretch(half, at, legPhi[k], kind);
      visitor.meet(legNode[k] + 1, 1);
      at = legPhi[k];
    }
    visitor.addStretch(half, at, leg, kind);
    visitor.meet(course > 0 ? own + 2 : 2 * wale + 1, course > 0 ? 0 : 1);
    visitor.addStretch(half, leg, foot, 'loop');
    if (course > 0) visitor.meet(own + 3, 0);
    visitor.addStretch(half, foot, 0, 'loop');
  }

  #visitFloat(visitor: KnitVisitor, strip: number, course: number, wale: number): void {
    const first = this.layout.firstNode[strip * this.layout.knit.wales + wale];
    const [gap, float, w] = [this.#gap, this.#float, this.wale];
    this.#setGap(strip, course, wale);
    const [startUp, startOut] = [gap.up, gap.out];
    this.#setGap(strip, course, wale + 1);
    this.#setFloat(strip, course, wale);
    const { up, left, right } = float;
    const [leftLeg, rightLeg] = [wale * w + float.across, (wale + 1) * w - float.across];
    const reach = FLOAT_REACH * float.across;
    const [before, after] = [wale * w + reach, (wale + 1) * w - reach];
    this.#visitRun(visitor, wale * w, startUp, startOut, before, up, left, 'float');
    this.#visitRun(visitor, before, up, left, leftLeg, up, left, 'float');
    visitor.meet(first, 0);
    this.#visitRun(visitor, leftLeg, up, left, rightLeg, up, right, 'float');
    visitor.meet(first + 1, 0);
    this.#visitRun(visitor, rightLeg, up, right, after, up, right, 'float');
    this.#visitRun(visitor, after, up, right, (wale + 1) * w, gap.up, gap.out, 'float');
  }

  /** Sets the half loop of a cell, but for what it does in its gap. */
  #setHalf(course: number, wale: number, side: 1 | -1): void {
    const { layout, radius } = this;
    const { courses, wales } = layout.knit;
    const half = this.#half;
    const cell = course * wales + wale;
    const next = layout.next[cell];
    half.side = side;
    half.gap = (side > 0 ? wale : wale + 1) * this.wale;
    half.middle = course * this.course;
    half.lift = (next - 1 - course) * this.course;
    half.gapShift = 0;
    const own = course > 0 ? this.#computeSign(course, wale) : 0;
    half.setHeights(own, next < courses ? this.#computeSign(next, wale) : 0, radius);
  }

  #joinGap(course: number): void {
    this.#half.gapShift = this.#gap.up - (course + GAP_UP) * this.course;
    this.#half.out[0] = this.#gap.out;
  }

  /** 1 where the loop of a cell is drawn to the face, −1 where it is drawn to the back. */
  #computeSign(course: number, wale: number): number {
    const { stitches, wales } = this.layout.knit;
    return stitches[course * wales + wale] === STITCH_PURL ? -1 : 1;
  }

  /** Lists the floats past the legs of a loop, and sets the half loop to that of the cell. */
  #listFloats(course: number, wale: number, next: number): number {
    const { layout } = this;
    const { courses, wales } = layout.knit;
    let count = 0;
    for (let j = course; j <= Math.min(next, courses - 1); j++)
      for (let strip = layout.firstStrip[j]; strip < layout.firstStrip[j + 1]; strip++) {
        if (layout.isLoop(strip, j, wale) || layout.findHeld(strip, j, wale) !== course) continue;
        this.#setFloat(strip, j, wale);
        this.#legPhi[count] = this.#float.phi;
        this.#legNode[count++] = layout.firstNode[strip * wales + wale];
      }
    this.#setHalf(course, wale, 1);
    return count;
  }

  /** Where a strip floats past the legs of a loop. */
  #setFloat(strip: number, course: number, wale: number): void {
    const { layout, radius, course: c } = this;
    const { knit } = layout;
    const half = this.#half;
    const float = this.#float;
    const held = layout.findHeld(strip, course, wale);
    const first = layout.firstStrip[course];
    const carriers = layout.firstStrip[course + 1] - first;
    const rank = strip - first;
    const stitch = knit.stitches[course * knit.wales + wale];
    const isSlipped = layout.next[course * knit.wales + wale] < 0;
    const knitter = isSlipped ? -1 : layout.findStrip(course, wale) - first;
    this.#setHalf(held, wale, 1);
    const spread = computeSpread(carriers) * c;
    const up =
      held === course
        ? LEG_UP * c + (rank - knitter) * spread
        : (course - held + GAP_UP) * c + (isSlipped ? rank - 0.5 * (carriers - 1) : rank - knitter) * spread;
    const lift = Math.round(half.lift / c);
    const key = (((lift * (knit.courses + 1) + course - held) * 16 + carriers) * 16 + rank) * 16 + knitter + 1;
    let phi = this.#solved.get(key);
    if (phi === undefined) {
      phi = half.solveUp(up);
      this.#solved.set(key, phi);
    }
    const sign = stitch === STITCH_SLIP_FRONT ? 1 : -1;
    const layer = radius * (carriers > 1 ? FLOAT_DEPTH + FLOAT_LAYER * rank : 1);
    float.held = held;
    float.phi = phi;
    half.writePoint(phi, this.#point);
    float.across = this.#point[0] - wale * this.wale;
    float.up = this.#point[1];
    float.left = sign * Math.max(sign * this.#point[2] + 2 * radius, layer);
    this.#setHalf(held, wale, -1);
    half.writePoint(phi, this.#point);
    float.right = sign * Math.max(sign * this.#point[2] + 2 * radius, layer);
  }

  /** Where a strip passes the middle of the gap before a wale: a mean of what it does at both sides. */
  #setGap(strip: number, course: number, wale: number): void {
    const { layout, radius, course: c } = this;
    const { wales } = layout.knit;
    const first = layout.firstStrip[course];
    const carriers = layout.firstStrip[course + 1] - first;
    const gap = this.#gap;
    let [sides, weight] = [0, 0];
    let [up, out] = [0, 0];
    const spread = Math.min(GAP_SPREAD, (2 * GAP_SPREAD) / (carriers - 1));
    for (let i = Math.max(0, wale - 1); i <= Math.min(wale, wales - 1); i++) {
      sides++;
      if (layout.isLoop(strip, course, i)) {
        up += (course + GAP_UP + (strip - first - 0.5 * (carriers - 1)) * spread) * c;
        out -= course > 0 ? GAP_WEIGHT * this.#computeSign(course, i) * radius : 0;
        weight += GAP_WEIGHT;
      } else {
        this.#setFloat(strip, course, i);
        up += this.#float.up;
        out += i < wale ? this.#float.right : this.#float.left;
        weight++;
      }
    }
    gap.up = up / sides;
    gap.out = out / weight;
  }
}

/** Spacings must leave room for round yarns. */
export function checkLoopRoom(caller: string, { spacing, radius }: Pick<KnitYarnsOptions, 'spacing' | 'radius'>): void {
  checkPositive(caller, { 'spacing.wale': spacing.wale, 'spacing.course': spacing.course, radius });
  const least = { wale: LEAST_WALE_SPACING * radius, course: LEAST_COURSE_SPACING * radius };
  // the tightest knit itself is allowed: rounding must not refuse it
  for (const name of ['wale', 'course'] as const)
    if (spacing[name] < least[name] * (1 - 1e-12))
      throw new RangeError(
        `${caller}: spacing.${name} is ${spacing[name]} m; loops of round yarns of radius ${radius} m need ${least[name]} m. ` +
          `Widen the spacing or use a thinner yarn.`,
      );
}

/** How far carriers of a course float apart, in course spacings: all that pass one leg share what is free of it. */
const computeSpread = (carriers: number): number => (1 + GAP_UP - LEG_UP) / (2 * carriers - 1);
