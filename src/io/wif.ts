/**
 * Reads weaving drafts in the Weaving Information File format, WIF 1.1: INI text whose names are case-insensitive and
 * whose sections stand in any order. Threads, picks, shafts and treadles count from 1 in the file, and 0 is none.
 *
 *   raised shafts of a pick = union of the tie-ups of its treadles, or its row of the lift plan
 *   a warp end lies over    = one of its shafts is raised (rising shed), or none of them is (sinking shed)
 *
 * Tie-up and treadling win over a lift plan where a file has both; a section without rows counts as left out. The list in
 * [CONTENTS] is only compared with the sections that are there. Sections and keys that a draft does not need are skipped.
 */
import { FormatError } from '../model/errors.ts';
import { cm, inch } from '../model/units.ts';
import type { Weave } from '../patterns/index.ts';
import { type IniRow, readIni } from './ini.ts';

/** Red, green and blue from 0 to 1, as the file has them. */
export type DraftColour = readonly [red: number, green: number, blue: number];

/** The warp or the weft of a draft, one entry a thread. */
export interface DraftThreads {
  /** Undefined where the file has no colour for a thread. */
  readonly colours: readonly (DraftColour | undefined)[];
  /** [m]; 0 where the file does not say. */
  readonly spacing: Float64Array;
  /** [m]; 0 where the file does not say. */
  readonly thickness: Float64Array;
}

/** A weave as `heddle/patterns` takes it, the whole draft as one repeat; ends and picks count from 0 here. */
export interface WeavingDraft extends Weave {
  readonly shafts: number;
  readonly warp: DraftThreads;
  readonly weft: DraftThreads;
  /** What is odd about the file but leaves a draft, as sentences. */
  readonly warnings: readonly string[];
}

export interface ReadWifOptions {
  /** Name of the file, for messages. */
  readonly source?: string;
}

/** A file that announces more is refused before its memory is taken. */
const LIMITS = { threads: 100_000, shafts: 100_000, crossings: 2 ** 26, looks: 2 ** 28 } as const;

/** Metres of one unit. */
const UNITS: Readonly<Record<string, number>> = {
  decipoints: inch(1) / 720,
  inches: inch(1),
  centimeters: cm(1),
};

/** Sections whose rows are read; the lines of others may be anything. */
const SECTIONS = [
  'wif',
  'contents',
  'weaving',
  'warp',
  'weft',
  'threading',
  'tieup',
  'treadling',
  'liftplan',
  'color palette',
  'color table',
  'warp colors',
  'weft colors',
  'warp spacing',
  'weft spacing',
  'warp thickness',
  'weft thickness',
] as const;
type SectionName = (typeof SECTIONS)[number];

class WifReader {
  readonly source: string;
  readonly warnings: string[] = [];
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, IniRow>>;

  constructor(text: string, source: string) {
    this.source = source;
    this.sections = readIni(text, source, new Set(SECTIONS));
  }

  fail(message: string, line?: number): never {
    throw new FormatError(`${this.source}${line === undefined ? '' : `:${line}`}: ${message}.`);
  }

  section(name: SectionName): ReadonlyMap<string, IniRow> {
    return this.sections.get(name) ?? new Map();
  }

  hasRows(name: SectionName): boolean {
    return this.section(name).size > 0;
  }

  /** A whole number ≥ 0 that stands in [section] as `key`; undefined where it is left out. */
  count(name: SectionName, key: string, limit: number): number | undefined {
    const row = this.section(name).get(key);
    if (row === undefined || row.value === '') return undefined;
    const value = this.wholeNumber(row.value, row.line, `${row.key} of [${name.toUpperCase()}]`);
    if (value > limit)
      this.fail(`${row.key} of [${name.toUpperCase()}] is ${value}; at most ${limit} are supported`, row.line);
    return value;
  }

  wholeNumber(word: string, line: number, what: string): number {
    if (!/^\d{1,9}$/.test(word)) {
      this.fail(`${what} is ${JSON.stringify(word.slice(0, 40))}; it must be a whole number of at most 9 digits`, line);
    }
    return Number(word);
  }

  /** The rows of a section that are numbered from 1 to `count`. */
  *rows(name: SectionName, count: number, of: string): Generator<{ index: number; row: IniRow }> {
    for (const row of this.section(name).values()) {
      const title = `[${name.toUpperCase()}]`;
      const index = this.wholeNumber(row.key, row.line, `the number of a row of ${title}`);
      if (index < 1 || index > count) {
        this.fail(`${title} has a row for ${index}; there are ${count} ${of}, counted from 1`, row.line);
      }
      yield { index, row };
    }
  }

  /** The shafts or treadles of a row, each from 1 to `count`; 0 and nothing are none. */
  list({ value, line }: IniRow, count: number, kind: string): number[] {
    if (value === '') return [];
    const numbers = value.split(',').map((word) => this.wholeNumber(word.trim(), line, `a ${kind}`));
    for (const number of numbers) {
      if (number > count) this.fail(`${kind} ${number} is used; there are ${count}`, line);
    }
    return [...new Set(numbers)].filter((number) => number > 0);
  }

  /** Lists of shafts or treadles by row number; a missing row is empty, and told of. */
  lists(name: SectionName, count: number, of: string, valueCount: number, kind: string): (readonly number[])[] {
    const lists: (readonly number[])[] = new Array(count + 1).fill([]);
    const missing = new Uint8Array(count + 1).fill(1);
    for (const { index, row } of this.rows(name, count, of)) {
      lists[index] = this.list(row, valueCount, kind);
      missing[index] = 0;
    }
    const first = missing.indexOf(1, 1);
    if (first > 0 && name !== 'tieup') {
      const without = missing.subarray(1).reduce((sum, flag) => sum + flag, 0);
      this.warnings.push(
        `${this.source}: [${name.toUpperCase()}] has no row for ${without} of ${count} ${of}, the first is ${first}; they have no ${kind}.`,
      );
    }
    return lists;
  }

  /** The number of ends or picks. */
  threads(name: 'warp' | 'weft'): number {
    const count = this.count(name, 'threads', LIMITS.threads);
    if (count === undefined || count === 0) {
      this.fail(`[${name.toUpperCase()}] has no Threads > 0, the number of its threads; is the file cut off?`);
    }
    return count;
  }

  isRisingShed(): boolean {
    const row = this.section('weaving').get('rising shed');
    if (row === undefined || row.value === '') return true;
    const word = row.value.toLowerCase();
    if (['true', 'yes', 'on', '1'].includes(word)) return true;
    if (['false', 'no', 'off', '0'].includes(word)) return false;
    this.fail(`Rising Shed is ${JSON.stringify(row.value.slice(0, 40))}; it must be true or false`, row.line);
  }

  /** Lists of shafts that are raised in every pick, from 1: one for each treadle. */
  lifts(picks: number, shafts: number): (readonly (readonly number[])[])[] {
    if (this.hasRows('tieup') && this.hasRows('treadling')) {
      const given = this.count('weaving', 'treadles', LIMITS.shafts);
      const tied = [...this.section('tieup').values()];
      const largest = tied.reduce((most, row) => Math.max(most, this.wholeNumber(row.key, row.line, 'a treadle')), 0);
      if (given === undefined && largest > LIMITS.shafts) {
        this.fail(`[TIEUP] has treadle ${largest}; at most ${LIMITS.shafts} are supported`);
      }
      const treadles = given ?? largest;
      const tieup = this.lists('tieup', treadles, 'treadles', shafts, 'shaft');
      return this.lists('treadling', picks, 'picks', treadles, 'treadle').map((pressed) =>
        pressed.map((treadle) => tieup[treadle]),
      );
    }
    if (this.hasRows('liftplan')) return this.lists('liftplan', picks, 'picks', shafts, 'shaft').map((lift) => [lift]);
    const found = this.hasRows('treadling')
      ? '[TREADLING] without [TIEUP]'
      : this.hasRows('tieup')
        ? '[TIEUP] without [TREADLING]'
        : 'none of them';
    this.fail(`a draft needs [TIEUP] and [TREADLING], or [LIFTPLAN]; the file has rows in ${found}; is it cut off?`);
  }

  /** Where the warp lies over. */
  drawdown(ends: number, picks: number): { shafts: number; over: Uint8Array } {
    if (ends * picks > LIMITS.crossings) {
      this.fail(`there are ${ends} ends and ${picks} picks; at most ${LIMITS.crossings} crossings are supported`);
    }
    const shafts = this.count('weaving', 'shafts', LIMITS.shafts);
    if (shafts === undefined) this.fail('[WEAVING] has no Shafts, the number of shafts; is the file cut off?');
    if (!this.hasRows('threading')) this.fail('[THREADING] is missing or has no rows; is the file cut off?');
    const threading = this.lists('threading', ends, 'ends', shafts, 'shaft');
    const lifts = this.lifts(picks, shafts);
    const count = (lists: readonly (readonly number[])[]): number => lists.reduce((sum, { length }) => sum + length, 0);
    const looks = picks * count(threading) + lifts.reduce((sum, lists) => sum + count(lists), 0);
    if (looks > LIMITS.looks)
      this.fail(
        `ends use ${count(threading)} shafts in total and there are ${picks} picks; the product exceeds ${LIMITS.looks}`,
      );
    const rising = this.isRisingShed();
    const over = new Uint8Array(picks * ends);
    const raised = new Uint8Array(shafts + 1);
    for (let pick = 0; pick < picks; pick++) {
      for (const lift of lifts[pick + 1]) for (const shaft of lift) raised[shaft] = 1;
      for (let end = 0; end < ends; end++) {
        const isRaised = threading[end + 1].some((shaft) => raised[shaft] === 1);
        if (isRaised === rising) over[pick * ends + end] = 1;
      }
      for (const lift of lifts[pick + 1]) for (const shaft of lift) raised[shaft] = 0;
    }
    return { shafts, over };
  }

  /** Lengths of all threads [m]: the default of [WARP] or [WEFT], then the rows of its own section. */
  lengths(system: 'warp' | 'weft', kind: 'spacing' | 'thickness', threads: number): Float64Array {
    const lengths = new Float64Array(threads);
    const fallback = this.section(system).get(kind);
    if (fallback !== undefined && fallback.value !== '') lengths.fill(this.length(system, fallback, kind));
    for (const { index, row } of this.rows(`${system} ${kind}`, threads, 'threads')) {
      if (row.value !== '') lengths[index - 1] = this.length(system, row, kind);
    }
    return lengths;
  }

  length(system: 'warp' | 'weft', { value, line }: IniRow, kind: string): number {
    const number = Number(value);
    if (!(number >= 0) || !Number.isFinite(number)) {
      this.fail(`the ${kind} is ${JSON.stringify(value.slice(0, 40))}; it must be a number ≥ 0`, line);
    }
    if (number === 0) return 0;
    const units = this.section(system).get('units');
    if (units === undefined || units.value === '') {
      const title = `[${system.toUpperCase()}]`;
      this.fail(`the ${kind} has no unit; give ${title} Units=Decipoints, Inches or Centimeters`, line);
    }
    const metres = Object.hasOwn(UNITS, units.value.toLowerCase()) ? UNITS[units.value.toLowerCase()] : undefined;
    if (metres === undefined) {
      const found = JSON.stringify(units.value.slice(0, 40));
      this.fail(`Units is ${found}; Decipoints, Inches and Centimeters are supported`, units.line);
    }
    return number * metres;
  }

  /** Colours by index, from [COLOR TABLE]. */
  palette(): (DraftColour | undefined)[] {
    const palette: (DraftColour | undefined)[] = [];
    for (const { index, row } of this.rows('color table', LIMITS.threads, 'colours')) {
      const words = row.value.split(',');
      if (words.length !== 3)
        this.fail(`colour ${index} is ${JSON.stringify(row.value.slice(0, 40))}; it must be red,green,blue`, row.line);
      palette[index] = this.colour(words, row.line);
    }
    return palette;
  }

  colour(words: readonly string[], line: number): DraftColour {
    const [least, most] = this.range();
    const [red, green, blue] = words.map((word) => {
      const value = word.trim() === '' ? Number.NaN : Number(word);
      if (!(value >= least && value <= most)) {
        const found = JSON.stringify(word.trim().slice(0, 40));
        this.fail(`a colour has ${found}; the Range of [COLOR PALETTE] is ${least} to ${most}`, line);
      }
      return (value - least) / (most - least);
    });
    return [red, green, blue];
  }

  /** The numbers of black and of full intensity. */
  range(): readonly [number, number] {
    const row = this.section('color palette').get('range');
    if (row === undefined || row.value === '') return [0, 255];
    const words = row.value.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
    if (words.length !== 2 || !(words[1] > words[0]) || !words.every(Number.isFinite)) {
      this.fail(
        `Range is ${JSON.stringify(row.value.slice(0, 40))}; it must be two numbers, the smaller first`,
        row.line,
      );
    }
    return [words[0], words[1]];
  }

  /** Colours of all threads: the default of [WARP] or [WEFT], then the rows of its own section. */
  colours(
    system: 'warp' | 'weft',
    palette: readonly (DraftColour | undefined)[],
    threads: number,
  ): (DraftColour | undefined)[] {
    const fallback = this.section(system).get('color');
    const colours = new Array(threads).fill(fallback === undefined ? undefined : this.threadColour(fallback, palette));
    for (const { index, row } of this.rows(`${system} colors`, threads, 'threads')) {
      colours[index - 1] = this.threadColour(row, palette);
    }
    return colours;
  }

  /** `index` of the colour table, or `index,red,green,blue`; 0 and nothing are none. */
  threadColour({ value, line }: IniRow, palette: readonly (DraftColour | undefined)[]): DraftColour | undefined {
    if (value === '') return undefined;
    const words = value.split(',');
    if (words.length === 4) return this.colour(words.slice(1), line);
    if (words.length !== 1)
      this.fail(`the colour is ${JSON.stringify(value.slice(0, 40))}; it must be index or index,red,green,blue`, line);
    const index = this.wholeNumber(value, line, 'the index of a colour');
    if (index === 0 || palette.length === 0) return undefined;
    if (palette[index] === undefined) this.fail(`colour ${index} is used; [COLOR TABLE] has no such row`, line);
    return palette[index];
  }

  draft(): WeavingDraft {
    const version = this.section('wif').get('version');
    if (version === undefined) this.fail('there is no [WIF] section with a Version; is this a weaving draft (.wif)?');
    if (!/^1\.[01]$/.test(version.value)) {
      this.warnings.push(
        `${this.source}:${version.line}: Version is ${JSON.stringify(version.value.slice(0, 20))}; 1.0 and 1.1 are supported.`,
      );
    }
    for (const row of this.section('contents').values()) {
      if (/^(true|yes|on|1)$/i.test(row.value) && !this.sections.has(row.key.toLowerCase())) {
        this.warnings.push(
          `${this.source}:${row.line}: [CONTENTS] lists ${row.key}, and the file has no such section; is it cut off?`,
        );
      }
    }
    const [ends, picks] = [this.threads('warp'), this.threads('weft')];
    const { shafts, over } = this.drawdown(ends, picks);
    const palette = this.palette();
    const system = (name: 'warp' | 'weft', threads: number): DraftThreads => ({
      colours: this.colours(name, palette, threads),
      spacing: this.lengths(name, 'spacing', threads),
      thickness: this.lengths(name, 'thickness', threads),
    });
    return {
      ends,
      picks,
      shafts,
      over,
      warp: system('warp', ends),
      weft: system('weft', picks),
      warnings: this.warnings,
    };
  }
}

/** A weaving draft from the text or the bytes of a WIF file; bytes that are not UTF-8 are read as Latin-1. */
export const readWif = (file: string | Uint8Array, options: ReadWifOptions = {}): WeavingDraft =>
  new WifReader(typeof file === 'string' ? file : decodeUtf8OrLatin1(file), options.source ?? 'WIF file').draft();

const decodeUtf8OrLatin1 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
};
