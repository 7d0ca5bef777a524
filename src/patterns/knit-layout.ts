/**
 * Which loops, floats and yarns a knit has, and which of them meet.
 *
 * Each carrier of a course is one yarn. A loop of course j is drawn through the last loop of its wale below it; the latter is held over all courses
 * between. Carriers of a course that do not make the loop of a cell float past its wale; the order of carriers in a course is their order from
 * the bottom up, so that they never change places:
 *
 *     where a cell is slipped     all float past the legs of the loop that is held
 *     where carrier c knits       those after c float past the legs of the new loop, those before c past those of the one below
 */
import type { Knit } from './knits.ts';
import { findKnitFault, hasLoop } from './knits.ts';

export class KnitLayout {
  readonly knit: Knit;
  /** Course that draws its loop through that of a cell; the number of courses if none does, −1 if the cell has no loop. */
  readonly next: Int32Array;
  /** Course of the loop that is held or drawn through in a cell; −1 in the first course. */
  readonly below: Int32Array;
  /** First strip of each course, and one behind the last. A strip is a carrier in a course. */
  readonly firstStrip: Int32Array;
  readonly stripCarrier: Uint8Array;
  /** First of the nodes of a strip at a wale: four of a loop that is drawn through another one, two of a float. */
  readonly firstNode: Int32Array;
  /** Crossings, those of the cast-on yarn (two a wale) first and those of the bind-off yarn last. */
  readonly crossings: number;
  /** Loops that are drawn through others. */
  readonly stitches: number;

  constructor(caller: string, knit: Knit) {
    const fault = findKnitFault(knit);
    if (fault !== undefined) throw new RangeError(`${caller}: ${fault}`);
    const { courses, wales, stitches, carriers } = knit;
    this.knit = knit;
    this.next = new Int32Array(courses * wales).fill(-1);
    this.below = new Int32Array(courses * wales).fill(-1);
    this.firstStrip = new Int32Array(courses + 1);
    for (let i = 0; i < wales; i++) {
      let last = -1;
      for (let j = 0; j < courses; j++) {
        const cell = j * wales + i;
        this.below[cell] = last;
        if (!hasLoop(stitches[cell])) continue;
        if (last >= 0) this.next[last * wales + i] = j;
        this.next[cell] = courses;
        last = j;
      }
    }
    const strips: number[] = [];
    for (let j = 0; j < courses; j++) {
      const present = [...new Set(carriers.subarray(j * wales, (j + 1) * wales))].sort((a, b) => a - b);
      for (const carrier of present) strips.push(carrier);
      this.firstStrip[j + 1] = strips.length;
    }
    this.stripCarrier = Uint8Array.from(strips);
    this.firstNode = new Int32Array(strips.length * wales);
    let [count, loops] = [2 * wales, 0];
    for (let j = 0; j < courses; j++)
      for (let i = 0; i < wales; i++)
        for (let strip = this.firstStrip[j]; strip < this.firstStrip[j + 1]; strip++) {
          this.firstNode[strip * wales + i] = count;
          if (!this.isLoop(strip, j, i)) count += 2;
          else if (j > 0) {
            count += 4;
            loops++;
          }
        }
    this.crossings = count + 2 * wales;
    this.stitches = loops;
  }

  get strips(): number {
    return this.stripCarrier.length;
  }

  /** Whether a strip makes the loop of a cell of its course. */
  isLoop(strip: number, course: number, wale: number): boolean {
    const cell = course * this.knit.wales + wale;
    return hasLoop(this.knit.stitches[cell]) && this.knit.carriers[cell] === this.stripCarrier[strip];
  }

  /** The strip that makes the loop of a cell. */
  findStrip(course: number, wale: number): number {
    let strip = this.firstStrip[course];
    while (!this.isLoop(strip, course, wale)) strip++;
    return strip;
  }

  /** Course of the loop whose legs a strip floats past. */
  findHeld(strip: number, course: number, wale: number): number {
    const cell = course * this.knit.wales + wale;
    const isNew = hasLoop(this.knit.stitches[cell]) && this.stripCarrier[strip] > this.knit.carriers[cell];
    return isNew ? course : this.below[cell];
  }
}
