/**
 * Weaves: which yarn lies on top where a warp end crosses a weft pick, for one repeat.
 *
 *     plain           over = i + j even
 *     basket n × m    over = ⌊i/n⌋ + ⌊j/m⌋ even                    n ends and m picks lie side by side
 *     twill n/m       over = (j − d s i) mod (n + m) < n           s shift, d = 1 for a Z twill, −1 for an S twill
 *     satin           over = (j − c i) mod N ≠ 0                   c counter, coprime to N, 1 < c < N − 1
 *     sateen          over = (j − c i) mod N = 0
 *   i  warp end, from the left     j  weft pick, from the first woven up     seen from the face
 *
 * A twill holds its yarns if gcd(s, n + m) ≤ min(n, m). A cloth may still fall apart into layers though every yarn interlaces: it
 * hangs together if and only if "lies over" leads from every yarn to every other one. [Clapham 1980] has the same condition in
 * terms of sums of rows and columns.
 */
import { checkWhole } from './checks.ts';

export interface Weave {
  /** Warp ends of one repeat. */
  readonly ends: number;
  /** Weft picks of one repeat. */
  readonly picks: number;
  /** 1 where the warp lies over the weft, else 0; pick by pick: `over[pick * ends + end]`. */
  readonly over: Uint8Array;
}

export interface TwillOptions {
  /** Picks that a warp end lies over, one after the other. */
  readonly over: number;
  /** Picks that it then lies under. */
  readonly under: number;
  /** Picks that the next end is moved by; 1 by default. */
  readonly shift?: number;
  /** Z by default: lines on the face rise to the right, as the middle stroke of the letter does. */
  readonly direction?: 'Z' | 'S';
}

export interface SatinOptions {
  /** Ends and picks of the repeat. */
  readonly ends: number;
  /** Picks that the next end is moved by. */
  readonly counter: number;
  /** Warp by default, a satin; weft makes a sateen. */
  readonly face?: 'warp' | 'weft';
}

/** Every yarn over one and under one. */
export function createPlainWeave(): Weave {
  return createGrid(2, 2, (end, pick) => (end + pick) % 2 === 0);
}

/** A plain weave of groups of yarns; a rib if one of the groups is a single yarn. */
export function createBasketWeave({ ends, picks }: { ends: number; picks: number }): Weave {
  checkWhole('createBasketWeave', { ends, picks });
  return createGrid(2 * ends, 2 * picks, (i, j) => (Math.floor(i / ends) + Math.floor(j / picks)) % 2 === 0);
}

export function createTwill({ over, under, shift = 1, direction = 'Z' }: TwillOptions): Weave {
  checkWhole('createTwill', { over, under, shift });
  const size = over + under;
  const common = computeCommonDivisor(shift, size);
  if (common > Math.min(over, under))
    throw new RangeError(
      `createTwill: shift is ${shift}, which leaves picks of a ${over}/${under} twill without interlacing; ` +
        `its greatest common divisor with ${size} is ${common} and must be ${Math.min(over, under)} or less. Give 1.`,
    );
  const step = direction === 'Z' ? shift : -shift;
  return createGrid(size / common, size, (i, j) => computeRemainder(j - step * i, size) < over);
}

/** A satin, or with `face: 'weft'` a sateen: single interlacings that never touch each other. */
export function createSatin({ ends, counter, face = 'warp' }: SatinOptions): Weave {
  checkWhole('createSatin', { ends, counter });
  const counters = listSatinCounters(ends);
  if (counters.length === 0)
    throw new RangeError(`createSatin: no counter makes a satin of ${ends} ends; give 5 ends, or more than 6.`);
  if (!counters.includes(counter))
    throw new RangeError(
      `createSatin: counter is ${counter}; a satin of ${ends} ends has ${counters.join(', ')} ` +
        `(above 1, below ${ends - 1}, without a common divisor with ${ends}).`,
    );
  return createGrid(ends, ends, (i, j) => (computeRemainder(j - counter * i, ends) === 0) === (face === 'weft'));
}

/** Counters that make a satin of this many ends; none for fewer than 5, and for 6. */
export function listSatinCounters(ends: number): number[] {
  const counters: number[] = [];
  for (let c = 2; c < ends - 1; c++) if (computeCommonDivisor(c, ends) === 1) counters.push(c);
  return counters;
}

/**
 * A weave from its draft: one text a pick, `X` where the warp lies over, `.` where it lies under. As drafts are drawn, the last
 * text is the first pick woven. Refused if a yarn never changes sides or the cloth would fall apart into layers.
 */
export function createWeave(draft: readonly string[]): Weave {
  const [picks, ends] = [draft.length, draft[0]?.length ?? 0];
  if (picks === 0 || ends === 0) throw new RangeError("createWeave: the draft is empty; give strings of 'X' and '.'.");
  for (const [row, text] of draft.entries()) {
    if (text.length !== ends)
      throw new RangeError(
        `createWeave: draft[${row}] has ${text.length} ends, draft[0] has ${ends}; all rows must have the same number.`,
      );
    if (/[^X.]/.test(text))
      throw new RangeError(`createWeave: draft[${row}] is '${text}'; use only 'X' (warp over) and '.' (warp under).`);
  }
  const weave = createGrid(ends, picks, (i, j) => draft[picks - 1 - j][i] === 'X');
  const fault = findWeaveFault(weave);
  if (fault !== undefined) throw new RangeError(`createWeave: ${fault}`);
  return weave;
}

/** The draft of a weave, as `createWeave` reads it. */
export function createDraft({ ends, picks, over }: Weave): string[] {
  return Array.from({ length: picks }, (_, row) => {
    const first = (picks - 1 - row) * ends;
    return Array.from({ length: ends }, (_, i) => (over[first + i] === 1 ? 'X' : '.')).join('');
  });
}

/** Whether the warp lies over the weft, anywhere in a cloth that repeats the weave; ends and picks may be negative. */
export function isWarpOver({ ends, picks, over }: Weave, end: number, pick: number): boolean {
  return over[computeRemainder(pick, picks) * ends + computeRemainder(end, ends)] === 1;
}

/** The cloth turned over about its diagonal: what was warp is weft. Twice gives the weave back. */
export function exchangeWarpAndWeft(weave: Weave): Weave {
  return createGrid(weave.picks, weave.ends, (i, j) => !isWarpOver(weave, j, i));
}

/** Why a weave is none: the yarn that never changes sides, or that layers come apart; `undefined` if it holds. */
export function findWeaveFault(weave: Weave): string | undefined {
  const { ends, picks, over } = weave;
  for (let i = 0; i < ends; i++) {
    const changes = new Set(Array.from({ length: picks }, (_, j) => over[j * ends + i]));
    if (changes.size < 2) return `warp end ${i} never changes sides; it must pass over some picks and under others.`;
  }
  for (let j = 0; j < picks; j++)
    if (new Set(over.subarray(j * ends, (j + 1) * ends)).size < 2)
      return `weft pick ${j} never changes sides; it must pass over some ends and under others.`;
  const below = countReached(weave, true);
  const above = countReached(weave, false);
  if (below < ends + picks || above < ends + picks)
    return `the cloth falls apart: ${Math.min(below, above)} of the ${ends + picks} yarns of a repeat lie on one side of all others.`;
  return undefined;
}

/** Lengths of all floats of warps over wefts and of wefts over warps in one repeat: counts of crossings passed on one side. */
export function measureFloats(weave: Weave): { warp: number[]; weft: number[] } {
  const { ends, picks } = weave;
  const warp: number[] = [];
  const weft: number[] = [];
  for (let i = 0; i < ends; i++) addRuns(picks, (j) => isWarpOver(weave, i, j), warp);
  for (let j = 0; j < picks; j++) addRuns(ends, (i) => !isWarpOver(weave, i, j), weft);
  return { warp, weft };
}

/** Adds the lengths of runs of `true` on a ring of `count` places that is not `true` everywhere. */
function addRuns(count: number, isOver: (k: number) => boolean, out: number[]): void {
  for (let k = 0; k < count; k++) {
    if (!isOver(k) || isOver(k - 1)) continue;
    let length = 1;
    while (length < count && isOver(k + length)) length++;
    out.push(length);
  }
}

/** Yarns that can be reached from warp end 0 by going to yarns it lies over (or under), and on from there. */
function countReached({ ends, picks, over }: Weave, downward: boolean): number {
  const isReached = new Uint8Array(ends + picks);
  const front = [0];
  isReached[0] = 1;
  let count = 0;
  for (let yarn = front.pop(); yarn !== undefined; yarn = front.pop()) {
    count++;
    const isWarp = yarn < ends;
    for (let other = isWarp ? ends : 0; other < (isWarp ? ends + picks : ends); other++) {
      const warpOver = isWarp ? over[(other - ends) * ends + yarn] : over[(yarn - ends) * ends + other];
      if (isReached[other] === 1 || ((warpOver === 1) === isWarp) !== downward) continue;
      isReached[other] = 1;
      front.push(other);
    }
  }
  return count;
}

function createGrid(ends: number, picks: number, isOver: (end: number, pick: number) => boolean): Weave {
  const over = new Uint8Array(ends * picks);
  for (let j = 0; j < picks; j++) for (let i = 0; i < ends; i++) over[j * ends + i] = isOver(i, j) ? 1 : 0;
  return { ends, picks, over };
}

const computeRemainder = (value: number, size: number): number => ((value % size) + size) % size;

const computeCommonDivisor = (a: number, b: number): number => (b === 0 ? a : computeCommonDivisor(b, a % b));
