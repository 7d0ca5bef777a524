/**
 * Knits as grids of instructions, for one repeat or a whole piece.
 *
 *     k  knit: the loop is drawn from the back to the face through the one below      p  purl: from the face to the back
 *     s  slip: the loop below is held, the yarn floats behind it                       f  slip: the yarn floats before it
 *
 * A course is a row, a wale a column. Charts show the face in every course, as charts do, not what is worked on the way back:
 * a garter stitch, knitted to and fro, is a course of k and a course of p.
 */
import { checkWhole } from './checks.ts';

/** What is done in a cell; `LETTERS` has their letters. */
export const STITCH_KNIT = 0;
export const STITCH_PURL = 1;
export const STITCH_SLIP = 2;
export const STITCH_SLIP_FRONT = 3;

/** Letters of charts, in the order of STITCH_*. */
export const STITCH_LETTERS = 'kpsf';

/** Carriers are named by the digits of charts. */
const MOST_CARRIERS = 10;

export interface Knit {
  readonly courses: number;
  readonly wales: number;
  /** STITCH_* of each cell, course by course from the first knitted: `stitches[course * wales + wale]`, wales from the left. */
  readonly stitches: Uint8Array;
  /**
   * Carrier of each cell, 0 to 9: the yarn that makes its loop, or any of the course where it is slipped. Every carrier that a course names
   * runs through the whole of it, and floats where another one knits.
   */
  readonly carriers: Uint8Array;
}

/** Plain knitting, jersey: knit everywhere. */
export function createStockinette(): Knit {
  return createKnit(['k']);
}

/** A course knit, a course purl: both sides alike. */
export function createGarter(): Knit {
  return createKnit(['p', 'k']);
}

/** Wales of knit stitches and wales of purl stitches in turn. */
export function createRib({ knit, purl }: { readonly knit: number; readonly purl: number }): Knit {
  checkWhole('createRib', { knit, purl });
  return createKnit(['k'.repeat(knit) + 'p'.repeat(purl)]);
}

/** Knit and purl in turn in both directions: moss stitch. */
export function createSeed(): Knit {
  return createKnit(['pk', 'kp']);
}

/** Every other stitch slipped, with the float before it; moved by one in the next course: a face of floats, like a weave. */
export function createLinenStitch(): Knit {
  return createKnit(['fk', 'kf']);
}

/** Every other wale slipped in every other course, with floats behind: held loops stand as ribs on a thick cloth. */
export function createHeelStitch(): Knit {
  return createKnit(['kk', 'ks']);
}

/** Cells of `width` stitches, between loops that are held over `height` courses and moved by half a repeat in the next cells. */
export function createSlipHoneycomb({ width = 3, height = 2 }: { width?: number; height?: number } = {}): Knit {
  checkWhole('createSlipHoneycomb', { width, height });
  if (width % 2 === 0)
    throw new RangeError(
      `createSlipHoneycomb: width is ${width}; give an odd number, so that the cells can be offset.`,
    );
  const middle = (width + 1) / 2;
  const row = (at: number): string => `${'k'.repeat(at)}s${'k'.repeat(width - at)}`;
  const plain = 'k'.repeat(width + 1);
  const [first, second] = [Array(height).fill(row(0)), Array(height).fill(row(middle))];
  return createKnit([plain, ...second, plain, ...first]);
}

/**
 * Pictures of several yarns: each cell is knitted by the carrier it names, the others of its course float behind. One text a course, the
 * last text first, digits for carriers; see `createLetters` for words.
 */
export function createJacquard(picture: readonly string[]): Knit {
  return createKnit(
    picture.map((text) => 'k'.repeat(text.length)),
    { carriers: picture },
  );
}

export interface KnitOptions {
  /** Carriers, one text a course as in the chart: one digit for all of the course, or one for each cell. 0 everywhere if not given. */
  readonly carriers?: readonly string[];
}

/**
 * A knit from its chart: one text a course, one letter a cell. As charts are drawn, the last text is the first course knitted, and the first
 * letter is the leftmost wale on the face.
 */
export function createKnit(chart: readonly string[], { carriers }: KnitOptions = {}): Knit {
  const [courses, wales] = [chart.length, chart[0]?.length ?? 0];
  if (courses === 0 || wales === 0)
    throw new RangeError(
      `createKnit: the chart is empty; give one string per course, of the letters ${listLetters()}.`,
    );
  if (carriers !== undefined && carriers.length !== courses)
    throw new RangeError(
      `createKnit: carriers has ${carriers.length} courses, the chart has ${courses}; give one string per course.`,
    );
  const knit = {
    courses,
    wales,
    stitches: new Uint8Array(courses * wales),
    carriers: new Uint8Array(courses * wales),
  };
  for (const [row, text] of chart.entries()) {
    if (text.length !== wales)
      throw new RangeError(
        `createKnit: chart[${row}] has ${text.length} wales, chart[0] has ${wales}; all courses must have the same number.`,
      );
    const yarns = carriers?.[row] ?? '0';
    if (!/^\d+$/.test(yarns) || (yarns.length !== 1 && yarns.length !== wales))
      throw new RangeError(
        `createKnit: carriers[${row}] is '${yarns}'; give one digit, or one for each of the ${wales} wales.`,
      );
    for (let wale = 0; wale < wales; wale++) {
      const stitch = STITCH_LETTERS.indexOf(text[wale]);
      if (stitch < 0)
        throw new RangeError(
          `createKnit: chart[${row}] has '${text[wale]}' at wale ${wale}; use only ${listLetters()}.`,
        );
      const cell = (courses - 1 - row) * wales + wale;
      knit.stitches[cell] = stitch;
      knit.carriers[cell] = Number(yarns[yarns.length === 1 ? 0 : wale]);
    }
  }
  return knit;
}

/** The chart of a knit, and its carriers, as `createKnit` reads them. */
export function createChart({ courses, wales, stitches, carriers }: Knit): { chart: string[]; carriers: string[] } {
  const write = (letter: (cell: number) => string): string[] =>
    Array.from({ length: courses }, (_, row) =>
      Array.from({ length: wales }, (_, wale) => letter((courses - 1 - row) * wales + wale)).join(''),
    );
  return { chart: write((cell) => STITCH_LETTERS[stitches[cell]]), carriers: write((cell) => `${carriers[cell]}`) };
}

/** A piece of so many courses and wales that repeats a knit from its lower left corner on; repeats need not be whole. */
export function repeatKnit(knit: Knit, { courses, wales }: { courses: number; wales: number }): Knit {
  checkWhole('repeatKnit', { courses, wales });
  const stitches = new Uint8Array(courses * wales);
  const carriers = new Uint8Array(courses * wales);
  for (let j = 0; j < courses; j++)
    for (let i = 0; i < wales; i++) {
      const from = (j % knit.courses) * knit.wales + (i % knit.wales);
      stitches[j * wales + i] = knit.stitches[from];
      carriers[j * wales + i] = knit.carriers[from];
    }
  return { courses, wales, stitches, carriers };
}

export interface BorderOptions {
  /** Courses added below and above, and wales added at either side; 1, 1 and 0 if not given. */
  readonly below?: number;
  readonly above?: number;
  readonly sides?: number;
  /** Carrier of the added courses; 0 if not given. Added wales have that of the cell at their side. */
  readonly carrier?: number;
}

/** The knit within a border of knit stitches: what a piece needs below if its first course slips or has several carriers. */
export function addBorder(knit: Knit, { below = 1, above = 1, sides = 0, carrier = 0 }: BorderOptions = {}): Knit {
  for (const [name, value] of Object.entries({ below, above, sides }))
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw new RangeError(`addBorder: ${name} is ${value}; give a whole number, 0 or more.`);
  checkCarrier('addBorder', carrier);
  const [courses, wales] = [knit.courses + below + above, knit.wales + 2 * sides];
  const stitches = new Uint8Array(courses * wales);
  const carriers = new Uint8Array(courses * wales).fill(carrier);
  for (let j = 0; j < knit.courses; j++)
    for (let i = 0; i < wales; i++) {
      const wale = Math.min(knit.wales - 1, Math.max(0, i - sides));
      const to = (below + j) * wales + i;
      if (wale === i - sides) stitches[to] = knit.stitches[j * knit.wales + wale];
      carriers[to] = knit.carriers[j * knit.wales + wale];
    }
  return { courses, wales, stitches, carriers };
}

/**
 * The piece turned over about a vertical line: what was its back is its face. Twice gives the knit back. Not for courses of several
 * carriers: their floats would lie on the face, which a grid does not say.
 */
export function turnOver({ courses, wales, stitches, carriers }: Knit): Knit {
  for (let cell = 0; cell < courses * wales; cell++)
    if (carriers[cell] !== carriers[cell - (cell % wales)])
      throw new RangeError(
        `turnOver: course ${Math.floor(cell / wales)} has several carriers; only pieces with one in a course can be turned over.`,
      );
  const turned = [STITCH_PURL, STITCH_KNIT, STITCH_SLIP_FRONT, STITCH_SLIP];
  const out = { courses, wales, stitches: new Uint8Array(courses * wales), carriers: new Uint8Array(courses * wales) };
  for (let j = 0; j < courses; j++)
    for (let i = 0; i < wales; i++) {
      const from = j * wales + wales - 1 - i;
      out.stitches[j * wales + i] = turned[stitches[from]];
      out.carriers[j * wales + i] = carriers[from];
    }
  return out;
}

/** Whether a cell has a loop of its own. */
export const hasLoop = (stitch: number): boolean => stitch === STITCH_KNIT || stitch === STITCH_PURL;

/** Why a grid cannot be knitted; `undefined` if it can. */
export function findKnitFault({ courses, wales, stitches, carriers }: Knit): string | undefined {
  const count = courses * wales;
  if (!(Number.isSafeInteger(count) && count > 0 && stitches.length === count && carriers.length === count))
    return `a knit of ${courses} courses and ${wales} wales has ${stitches.length} stitches and ${carriers.length} carriers; give one of each per cell.`;
  for (let i = 0; i < wales; i++)
    if (!hasLoop(stitches[i]) || carriers[i] !== carriers[0])
      return `the first course ${hasLoop(stitches[i]) ? 'has several carriers' : 'slips'} at wale ${i}, where no loop holds it; knit the whole course with one carrier, or use addBorder.`;
  const knits = new Uint8Array(MOST_CARRIERS);
  for (let j = 0; j < courses; j++) {
    knits.fill(0);
    for (let i = 0; i < wales; i++) {
      const [stitch, carrier] = [stitches[j * wales + i], carriers[j * wales + i]];
      if (stitch >= STITCH_LETTERS.length || carrier >= MOST_CARRIERS)
        return `course ${j} has stitch ${stitch} of carrier ${carrier} at wale ${i}; there are stitches 0 to ${STITCH_LETTERS.length - 1} and carriers 0 to ${MOST_CARRIERS - 1}.`;
      knits[carrier] |= hasLoop(stitch) ? 2 : 1;
    }
    const idle = knits.indexOf(1);
    if (idle >= 0) return `carrier ${idle} makes no loop in course ${j}; let it knit or purl there, or leave it out.`;
  }
  return undefined;
}

const listLetters = (): string => "'k' (knit), 'p' (purl), 's' (slip, float behind) and 'f' (slip, float in front)";

function checkCarrier(caller: string, carrier: number): void {
  if (!(Number.isInteger(carrier) && carrier >= 0 && carrier < MOST_CARRIERS))
    throw new RangeError(`${caller}: carrier is ${carrier}; give a whole number from 0 to ${MOST_CARRIERS - 1}.`);
}
