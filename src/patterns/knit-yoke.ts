/**
 * A yoke: a knit in the round that is worked from its neck outwards, a flat ring or a cone, as the upper part of a pullover or a whole poncho. Each course is
 * a closed ring, and every one has as many more loops as fit, so that all are about as wide:
 *
 *     N_j = ⌊N_0 + 2π j (c/w) cos α⌋          loops of course j
 *     w, c  spacing from wale to wale and from course to course     α  slope of the cone below the horizontal
 *
 *     neck ∩ ∩ ∩ ∩    An added loop stands between two of the course before, drawn through none of them: a yarn-over, which leaves an eyelet below it.
 *         ∩ ∩ ∩ ∩ ∩   From its first course on it is a wale as any other.
 *        ∩ ∩ ∩ ∩ ∩ ∩
 *
 * Every point has a wale, a place within it (0 to 1) and a height up the cone. At each height the wales share the circumference, 1 part each; a wale that is
 * born in course b has 0 parts up to (b − 1.8) c, below the yarn that it opens, and rises to 1 by the cubic 3q² − 2q³ until (b + 0.8) c. So wales are
 * mapped one to one, and loops pass each other as in the flat knit (knit-loop.ts), in w = 8r, c = 7r centre lines at least 1.45 r apart. Births of a course are spread evenly and go on round by the golden
 * ratio from course to course: wales run straight out, and eyelets lie in no line.
 */
import { computeSineCosine } from '../math/index.ts';
import { checkSegments } from './checks.ts';
import type { CurveSet } from './curve-sets.ts';
import { ANGLES, EDGE_OUT, ease, GAP_UP, HalfLoop, LEG_ANGLE, LEG_UP, Run } from './knit-loop.ts';
import { checkLoopRoom, type KnitYarnsOptions } from './knit-yarns.ts';
import { findKnitFault, hasLoop, type Knit, STITCH_PURL } from './knits.ts';

export interface YokeOptions extends Omit<KnitYarnsOptions, 'margin'> {
  /** Its wales are those of the neck; every course must be knitted or purled all round. */
  readonly knit: Knit;
  /** How steeply it goes down from its neck [rad]: 0 is a flat ring, π/2 a tube; 0 if not given. */
  readonly slope?: number;
  /** Segments between two places where the shape is given, of which a half loop has six; 4 if not given. */
  readonly segments?: number;
}

/** When the strip of a new wale opens and when it has its full width, in courses from that of its first loop; found by trying, for the room it leaves. */
const OPENS = -1.8;
const IS_OPEN = 0.8;
/** Births move on by this share of their distance from course to course. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** One closed curve for each course, the yarns at the edges first and last. About the y-axis, the middle of the neck at the origin, the face above. */
export function createYoke(options: YokeOptions): CurveSet {
  const { knit, spacing, radius, slope = 0, segments = 4 } = options;
  checkSegments('createYoke', segments);
  checkLoopRoom('createYoke', options);
  if (!(slope >= 0 && slope <= Math.PI / 2))
    throw new RangeError(`createYoke: slope is ${slope}; give an angle from 0 (flat) to π/2 (a tube).`);
  checkKnit(knit);
  const growth = Math.ceil(computeYokeGrowth(spacing, slope) - 1e-9);
  if (knit.wales < growth)
    throw new RangeError(
      `createYoke: the neck has ${knit.wales} wales, but up to ${growth} are added in a course, at most one between two; give ${growth} or more, or a steeper slope.`,
    );
  const yoke = new Yoke(knit, spacing.wale, spacing.course, slope);
  yoke.addEdge(0, radius, segments);
  for (let j = 0; j < knit.courses; j++) yoke.addCourse(j, radius, segments);
  yoke.addEdge(knit.courses - 1, radius, segments);
  return { x: Float64Array.from(yoke.points), start: Int32Array.from(yoke.starts), closed: true };
}

/** Loops of each course. */
export function countYokeLoops(
  knit: { readonly courses: number; readonly wales: number },
  spacing: { readonly wale: number; readonly course: number },
  slope: number,
): Int32Array {
  const growth = computeYokeGrowth(spacing, slope);
  // rounding must not lose a loop that just fits
  return Int32Array.from({ length: knit.courses }, (_, j) => Math.floor(knit.wales + j * growth + 1e-9));
}

/** By how many loops a course has more than the one before, in the mean. */
export const computeYokeGrowth = (
  { wale, course }: { readonly wale: number; readonly course: number },
  slope: number,
): number => (2 * Math.PI * course * Math.abs(computeSineCosine(slope)[1])) / wale;

function checkKnit(knit: Knit): void {
  const fault = findKnitFault(knit);
  if (fault !== undefined) throw new RangeError(`createYoke: ${fault}`);
  const { stitches, wales } = knit;
  for (let cell = 0; cell < stitches.length; cell++)
    if (!hasLoop(stitches[cell]) || stitches[cell] !== stitches[cell - (cell % wales)])
      throw new RangeError(
        `createYoke: course ${Math.floor(cell / wales)} has different stitches (wale ${cell % wales}); wales are added, so each course must be all knit or all purl.`,
      );
}

class Yoke {
  readonly points: number[] = [];
  readonly starts = [0];
  readonly #knit: Knit;
  readonly #course: number;
  /** Radius of the neck [m], where the first course is lowest. */
  readonly #neck: number;
  readonly #sine: number;
  readonly #cosine: number;
  /** Course of the first loop of each wale, in their order at the hem. */
  readonly #birth: Int32Array;
  /** Share of each wale at the height in hand, summed. */
  readonly #sum: Float64Array;
  readonly #point = new Float64Array(3);

  constructor(knit: Knit, wale: number, course: number, slope: number) {
    this.#knit = knit;
    this.#course = course;
    this.#neck = (knit.wales * wale) / (2 * Math.PI);
    [this.#sine, this.#cosine] = computeSineCosine(slope);
    this.#birth = listBirths(countYokeLoops(knit, { wale, course }, slope));
    this.#sum = new Float64Array(this.#birth.length + 1);
  }

  /** The loops of a course, from gap to gap. */
  addCourse(j: number, radius: number, segments: number): void {
    const { stitches, wales, courses } = this.#knit;
    const sign = (course: number): number => (stitches[course * wales] === STITCH_PURL ? -1 : 1);
    const half = new HalfLoop(1, this.#course);
    half.middle = j * this.#course;
    const count = 2 * (ANGLES.length - 1) * segments;
    const birth = this.#birth;
    const loops = this.#countBorn(j);
    const [own, drawn] = [j > 0 ? sign(j) : 0, j + 1 < courses ? sign(j + 1) : 0];
    const first = this.#startRing(loops * count);
    for (let n = 0; n < count; n++) {
      const isLeft = 2 * n < count;
      const phi = computePhi(isLeft ? n : count - n, segments);
      half.side = isLeft ? 1 : -1;
      half.gap = isLeft ? 0 : 1;
      half.setHeights(own, drawn, radius);
      half.writePoint(phi, this.#point);
      const [across, up, out] = this.#point;
      this.#shareOut(up);
      // of a loop that is drawn through none
      half.out[2] = 0;
      half.writePoint(phi, this.#point);
      const addedOut = this.#point[2];
      const addedAcross = half.gap + half.side * openLegs(phi, half.side * (across - half.gap));
      for (let k = 0, loop = 0; k < birth.length; k++)
        if (birth[k] <= j) {
          const isAdded = j > 0 && birth[k] === j;
          this.#write(first + loop++ * count + n, k, isAdded ? addedAcross : across, up, isAdded ? addedOut : out);
        }
    }
  }

  /** The yarn that casts on (course 0, before it) or binds off: behind each left leg and before each right one. */
  addEdge(j: number, radius: number, segments: number): void {
    const isFirst = this.starts.length === 1;
    const up = (j + (isFirst ? LEG_UP : -LEG_UP)) * this.#course;
    const half = new HalfLoop(1, this.#course);
    half.writePoint(isFirst ? LEG_ANGLE : Math.PI - LEG_ANGLE, this.#point);
    const [leg, out] = [this.#point[0], EDGE_OUT * radius];
    const stops = [0, leg, 1 - leg, 1];
    const heights = [0, -out, out, 0];
    const birth = this.#birth;
    const first = this.#startRing(3 * segments * this.#countBorn(j));
    const run = new Run();
    this.#shareOut(up);
    for (let s = 0; s < 3; s++) {
      run.from.set([stops[s], up, heights[s]]);
      run.to.set([stops[s + 1], up, heights[s + 1]]);
      for (let n = 0; n < segments; n++) {
        run.writePoint(stops[s] + ((stops[s + 1] - stops[s]) * n) / segments, this.#point);
        const [across, , height] = this.#point;
        for (let k = 0, loop = 0; k < birth.length; k++)
          if (birth[k] <= j) this.#write(first + loop++ * 3 * segments + s * segments + n, k, across, up, height);
      }
    }
  }

  #countBorn(j: number): number {
    return this.#birth.reduce((sum, birth) => sum + (birth <= j ? 1 : 0), 0);
  }

  /** Number of the first point of a ring of so many. */
  #startRing(points: number): number {
    const first = this.starts[this.starts.length - 1];
    this.starts.push(first + points);
    return first;
  }

  /** How the wales share the circumference so far up. */
  #shareOut(up: number): void {
    const at = up / this.#course;
    this.#birth.forEach((birth, k) => {
      const q = birth === 0 ? 1 : (at - birth - OPENS) / (IS_OPEN - OPENS);
      this.#sum[k + 1] = this.#sum[k] + ease(Math.min(1, Math.max(0, q)));
    });
  }

  /** Writes a point of a wale at the height of `#shareOut`. */
  #write(index: number, wale: number, across: number, up: number, out: number): void {
    const sum = this.#sum;
    const share = sum[wale] + across * (sum[wale + 1] - sum[wale]);
    const [sine, cosine] = computeSineCosine((-2 * Math.PI * share) / sum[sum.length - 1]);
    const along = up - GAP_UP * this.#course;
    const r = this.#neck + along * this.#cosine + out * this.#sine;
    this.points[3 * index] = r * sine;
    this.points[3 * index + 1] = out * this.#cosine - along * this.#sine;
    this.points[3 * index + 2] = r * cosine;
  }
}

/** φ of the n-th of so many points a stretch, from the gap on. */
function computePhi(n: number, segments: number): number {
  const stretch = Math.min(ANGLES.length - 2, Math.floor(n / segments));
  const [from, to] = [ANGLES[stretch], ANGLES[stretch + 1]];
  return from + ((to - from) * (n - stretch * segments)) / segments;
}

/** Place of the legs of an added loop in its width, from where they would be: nothing draws them together below. */
function openLegs(phi: number, across: number): number {
  const even = phi / (2 * Math.PI);
  return even + (across - even) * ease(Math.min(1, (2 * phi) / Math.PI));
}

/** Course of the first loop of every wale, in the order in which they lie at the hem. */
function listBirths(loops: Int32Array): Int32Array {
  let births = Array<number>(loops[0]).fill(0);
  for (let j = 1; j < loops.length; j++) {
    const added = loops[j] - loops[j - 1];
    const next: number[] = [];
    let done = 0;
    births.forEach((birth, k) => {
      next.push(birth);
      while (done < added && k + 1 >= ((done + ((j * GOLDEN) % 1)) / added) * births.length) {
        next.push(j);
        done++;
      }
    });
    births = next;
  }
  return Int32Array.from(births);
}
