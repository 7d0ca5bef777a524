/**
 * A knitout program as a grid of instructions, where it knits one flat piece to and fro.
 *
 *   wale          a needle number; its loop is on the front bed (knit) or on the back bed (purl) and may be transferred straight across
 *   cast-on       what is put on empty needles before the first loop is drawn through another one: the first course of the grid
 *   course        one pass of a carrier. Needles it leaves out are slipped; the yarn runs between the beds, so behind loops on
 *                 the front bed and before those on the back bed
 *   jacquard      passes of several carriers in a row on the front bed that knit every needle once are one course
 *   drop, out     at the end of the program: the piece comes off the machine
 *
 * The grid has a yarn from side to side for each pass; that the yarn turns at the sides is not part of it. All else is refused with the line: loops on both
 * beds of a number (tubes, full-gauge ribs), tucks into loops, splits, decreases, moves to other numbers, short rows, plating.
 */
import { FormatError } from '../model/errors.ts';
import { type Knit, STITCH_KNIT, STITCH_PURL, STITCH_SLIP, STITCH_SLIP_FRONT } from '../patterns/index.ts';
import type { KnitoutNeedle, KnitoutOperation, KnitoutProgram, ReadKnitoutOptions } from './knitout.ts';

/** Digits that charts have for carriers. */
const MOST_CARRIERS = 10;
/** Wales times courses: a program can name a few needles and passes in turn, and take more memory than there is. */
const MOST_STITCHES = 2_000_000;

/** One way of one carrier over the bed. */
interface Pass {
  readonly line: number;
  readonly carrier: string;
  readonly direction: 1 | -1;
  /** STITCH_* of the needles that were knitted. */
  readonly knitted: Map<number, number>;
  /** Numbers passed, missed needles included. */
  lowest: number;
  highest: number;
  last: number;
  /** Beds of all loops when it ended. */
  beds: ReadonlyMap<number, KnitoutNeedle['bed']>;
}

/** What a program knits; its warnings are left to the reader of the program. */
export function createKnitFromKnitout(
  program: KnitoutProgram,
  { source = 'knitout file' }: ReadKnitoutOptions = {},
): Knit {
  const machine = new Machine(source);
  for (const operation of program.operations) machine.take(operation);
  return machine.finish();
}

class Machine {
  readonly #source: string;
  /** Which bed holds the loop of each number. */
  readonly #beds = new Map<number, KnitoutNeedle['bed']>();
  readonly #passes: Pass[] = [];
  /** Carriers in the order of their first use. */
  readonly #carriers: string[] = [];
  #pass: Pass | undefined;
  #isCastOn = true;
  #droppedAt = 0;
  #line = 0;

  constructor(source: string) {
    this.#source = source;
  }

  take(operation: KnitoutOperation): void {
    this.#line = operation.line;
    switch (operation.name) {
      case 'knit':
      case 'tuck':
      case 'miss':
        this.#checkNeedle(operation.needle);
        if (operation.carriers.length > 1)
          this.#fail(`${operation.name} has ${operation.carriers.length} carriers; a stitch must have one yarn.`);
        if (operation.carriers.length === 0) this.#drop(operation.needle);
        else this.#work(operation.name, operation.direction, operation.needle, operation.carriers[0]);
        return;
      case 'xfer':
        this.#transfer(operation.needle, operation.target);
        return;
      case 'drop':
        this.#checkNeedle(operation.needle);
        this.#drop(operation.needle);
        return;
      case 'split':
        this.#fail('split makes two loops from one; each wale must have one loop.');
        return;
      case 'rack':
        if (Math.abs(operation.racking) >= 1)
          this.#fail(
            `rack is ${operation.racking}; loops can only be transferred straight across, to the same needle number.`,
          );
        return;
      default:
        // carriers in and out, stitch sizes and pauses do not change the grid
        return;
    }
  }

  finish(): Knit {
    this.#endPass();
    if (this.#passes.length === 0)
      throw new FormatError(
        `${this.#source}: no loop is drawn through another one; a knit needs a course above its cast-on.`,
      );
    const needles = [...this.#beds.keys()].sort((a, b) => a - b);
    const wales = needles.length;
    const rows: { stitches: number[]; carriers: number[] }[] = [
      { stitches: Array(wales).fill(STITCH_KNIT), carriers: Array(wales).fill(0) },
    ];
    for (let k = 0; k < this.#passes.length; ) {
      const size = this.#countMerged(k, wales);
      const group = this.#passes.slice(k, k + size);
      if (size === 1) this.#checkReach(group[0], needles);
      const knitter = (needle: number): Pass => group.find((pass) => pass.knitted.has(needle)) ?? group[0];
      rows.push({
        stitches: needles.map(
          (needle) =>
            knitter(needle).knitted.get(needle) ??
            (group[0].beds.get(needle) === 'front' ? STITCH_SLIP : STITCH_SLIP_FRONT),
        ),
        carriers: needles.map((needle) => this.#carriers.indexOf(knitter(needle).carrier)),
      });
      k += size;
    }
    return {
      courses: rows.length,
      wales,
      stitches: Uint8Array.from(rows.flatMap((row) => row.stitches)),
      carriers: Uint8Array.from(rows.flatMap((row) => row.carriers)),
    };
  }

  #work(name: 'knit' | 'tuck' | 'miss', direction: 1 | -1, { bed, index }: KnitoutNeedle, carrier: string): void {
    if (this.#droppedAt > 0 && name !== 'miss')
      this.#fail(`loops were dropped in line ${this.#droppedAt}; a piece can only be dropped at its end.`);
    const held = this.#beds.get(index);
    if (held === undefined && name !== 'miss') {
      if (!this.#isCastOn) this.#fail(`needle ${index} holds no loop; a piece must keep the width of its cast-on.`);
      this.#nameCarrier(carrier);
      this.#beds.set(index, bed);
      return;
    }
    if (name === 'tuck')
      this.#fail(`tuck puts a second loop on needle ${index}; only knit, purl and slipped stitches are supported.`);
    if (name === 'knit' && held !== bed)
      this.#fail(
        `needle ${index} would hold loops on both beds, as in tubes and full-gauge ribs; a flat piece has one loop per needle number.`,
      );
    if (name === 'miss' && this.#isCastOn) return;
    this.#isCastOn = false;
    this.#extendPass(direction, index, carrier);
    if (name === 'knit') this.#pass?.knitted.set(index, bed === 'front' ? STITCH_KNIT : STITCH_PURL);
  }

  /** Goes on with the pass, or begins another one where the carrier changes or turns. */
  #extendPass(direction: 1 | -1, index: number, carrier: string): void {
    const pass = this.#pass;
    if (
      pass === undefined ||
      pass.carrier !== carrier ||
      pass.direction !== direction ||
      (index - pass.last) * direction <= 0
    ) {
      this.#endPass();
      this.#nameCarrier(carrier);
      const [line, beds] = [this.#line, this.#beds];
      this.#pass = { line, carrier, direction, knitted: new Map(), lowest: index, highest: index, last: index, beds };
      return;
    }
    pass.last = index;
    pass.lowest = Math.min(pass.lowest, index);
    pass.highest = Math.max(pass.highest, index);
  }

  #endPass(): void {
    const pass = this.#pass;
    this.#pass = undefined;
    // a carrier that only moves out of the way knits no course
    if (pass === undefined || pass.knitted.size === 0) return;
    const courses = this.#passes.length + 2;
    if (courses * this.#beds.size > MOST_STITCHES) {
      this.#line = pass.line;
      this.#fail(
        `there are ${courses} passes over ${this.#beds.size} needles; at most ${MOST_STITCHES} stitches are supported.`,
      );
    }
    pass.beds = new Map(this.#beds);
    this.#passes.push(pass);
  }

  #transfer(needle: KnitoutNeedle, target: KnitoutNeedle): void {
    for (const place of [needle, target]) this.#checkNeedle(place);
    if (needle.index !== target.index)
      this.#fail(
        `xfer moves a loop from needle ${needle.index} to ${target.index}; only transfers straight across are supported.`,
      );
    const held = this.#beds.get(needle.index);
    // an empty needle has nothing to give
    if (held !== needle.bed) return;
    this.#endPass();
    this.#beds.set(needle.index, target.bed);
  }

  #drop({ bed, index }: KnitoutNeedle): void {
    if (this.#beds.get(index) === bed && this.#droppedAt === 0) this.#droppedAt = this.#line;
  }

  #nameCarrier(carrier: string): void {
    if (this.#carriers.includes(carrier)) return;
    if (this.#carriers.length === MOST_CARRIERS)
      this.#fail(`carrier ${carrier} exceeds the maximum of ${MOST_CARRIERS} carriers; carriers are named by digits.`);
    this.#carriers.push(carrier);
  }

  #checkNeedle({ isSlider, index }: KnitoutNeedle): void {
    if (isSlider) this.#fail(`needle ${index} is a slide needle; only the needles of the two beds are supported.`);
  }

  /** How many passes from this one on knit every needle just once, each with a carrier of its own, on the front bed; 1 if none do. */
  #countMerged(first: number, wales: number): number {
    const carriers = new Set<string>();
    const seen = new Set<number>();
    for (let k = first; k < this.#passes.length; k++) {
      const { carrier, knitted } = this.#passes[k];
      // in any order: floats lie behind all loops, and may as well pass the loop below as the new one
      const isAnother = !carriers.has(carrier);
      if (!isAnother || [...knitted].some(([needle, stitch]) => stitch !== STITCH_KNIT || seen.has(needle))) return 1;
      carriers.add(carrier);
      for (const needle of knitted.keys()) seen.add(needle);
      if (seen.size === wales) return k - first + 1;
    }
    return 1;
  }

  #checkReach({ line, carrier, lowest, highest }: Pass, needles: readonly number[]): void {
    const [left, right] = [needles[0], needles[needles.length - 1]];
    if (lowest <= left && highest >= right) return;
    this.#line = line;
    this.#fail(
      `carrier ${carrier} goes only from needle ${lowest} to ${highest}, the piece from ${left} to ${right}; short rows are not supported. ` +
        'If the outermost stitches are slipped, add misses for them.',
    );
  }

  #fail(message: string): never {
    throw new FormatError(`${this.#source}:${this.#line}: ${message}`);
  }
}
