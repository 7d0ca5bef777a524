/**
 * Reads knitout 2 (.k), programs of knitting machines: a line `;!knitout-2`, a header of `;;name: value` lines, then one
 * operation a line; `;` begins a comment.
 *
 *   in | inhook | releasehook | out | outhook   CS         carriers come into and go out of action
 *   stitch L T      rack R      pause                      of the machine
 *   knit | tuck | miss   D N CS                            D is + or -, N a needle: f, b, fs or bs and a whole number
 *   split D N N2 CS      xfer N N2      drop N      amiss N
 *   x-…                                                    extensions, of which none is known: warnings
 *
 * Checked: every carrier is in the header, is used only while in action, and comes in only while out; releasehook follows an
 * inhook of the same carriers with which something was knitted; split and xfer go to the other bed. Not checked: whether the beds
 * are racked so that two needles face each other, and what is on the needles.
 */
import { FormatError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';

export interface KnitoutNeedle {
  readonly bed: 'front' | 'back';
  /** A slide needle. */
  readonly isSlider: boolean;
  /** May be negative. */
  readonly index: number;
}

export type KnitoutOperation = {
  /** 1-based. */
  readonly line: number;
} & (
  | {
      readonly name: 'in' | 'inhook' | 'releasehook' | 'out' | 'outhook';
      readonly carriers: readonly string[];
    }
  /** Machine units that the needle is pulled before (leading) and after (trailing) it forms a loop. */
  | { readonly name: 'stitch'; readonly leading: number; readonly trailing: number }
  /** Offset of the front bed relative to the back bed, in needles. */
  | { readonly name: 'rack'; readonly racking: number }
  | {
      readonly name: 'knit' | 'tuck' | 'miss';
      /** 1 towards larger needle numbers, −1 towards smaller. */
      readonly direction: 1 | -1;
      readonly needle: KnitoutNeedle;
      readonly carriers: readonly string[];
    }
  | {
      readonly name: 'split';
      readonly direction: 1 | -1;
      readonly needle: KnitoutNeedle;
      /** Where the old loops go. */
      readonly target: KnitoutNeedle;
      readonly carriers: readonly string[];
    }
  | { readonly name: 'xfer'; readonly needle: KnitoutNeedle; readonly target: KnitoutNeedle }
  | { readonly name: 'drop' | 'amiss'; readonly needle: KnitoutNeedle }
  | { readonly name: 'pause' }
);

export interface KnitoutWarning {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface KnitoutProgram {
  readonly version: number;
  /** From front to back. */
  readonly carriers: readonly string[];
  /** The header's other lines, by name as written. */
  readonly headers: ReadonlyMap<string, string>;
  /** Every needle that an operation names, once, in the order of naming; operations share these objects. */
  readonly needles: readonly KnitoutNeedle[];
  readonly operations: readonly KnitoutOperation[];
  readonly warnings: readonly KnitoutWarning[];
}

export interface ReadKnitoutOptions {
  /** Name of the file, for messages. */
  readonly source?: string;
}

const VERSION = 2;
/** Carriers of a machine; more would take too long to look for. */
const MOST_CARRIERS = 1000;

/** What follows each operation, for messages. */
const FORMS = {
  in: 'in CARRIERS',
  inhook: 'inhook CARRIERS',
  releasehook: 'releasehook CARRIERS',
  out: 'out CARRIERS',
  outhook: 'outhook CARRIERS',
  stitch: 'stitch LEADING TRAILING',
  rack: 'rack RACKING',
  knit: 'knit DIRECTION NEEDLE CARRIERS',
  tuck: 'tuck DIRECTION NEEDLE CARRIERS',
  miss: 'miss DIRECTION NEEDLE CARRIERS',
  split: 'split DIRECTION NEEDLE NEEDLE CARRIERS',
  xfer: 'xfer NEEDLE NEEDLE',
  drop: 'drop NEEDLE',
  amiss: 'amiss NEEDLE',
  pause: 'pause',
} as const;
type OperationName = keyof typeof FORMS;

const KNOWN_HEADERS = /^(machine|gauge|carriers|position|yarn-.+)$/i;

/** A carrier in action: the line that brought it in, and whether it has been used since. */
interface Carrier {
  readonly since: number;
  isUsed: boolean;
}

class KnitoutReader {
  readonly source: string;
  readonly headers = new Map<string, string>();
  readonly needles = new Map<string, KnitoutNeedle>();
  readonly operations: KnitoutOperation[] = [];
  readonly warnings: KnitoutWarning[] = [];
  readonly active = new Map<string, Carrier>();
  /** Carriers that the inserting hook holds, sorted, one text a set. */
  readonly hooked = new Set<string>();
  carriers: readonly string[] = [];
  version = VERSION;
  line = 1;

  constructor(source: string) {
    this.source = source;
  }

  fail(message: string): never {
    throw new FormatError(`${this.source}:${this.line}: ${message}`);
  }

  warn(message: string, line = this.line): void {
    this.warnings.push({ line, message });
  }

  read(text: string): KnitoutProgram {
    const lines = text.split('\n');
    if (lines.some((line) => line.endsWith('\r'))) this.warn('lines end with CR LF; knitout ends them with LF');
    const start = this.readHeader(lines.map((line) => line.replace(/\r$/, '')));
    for (let i = start; i < lines.length; i++) {
      this.line = i + 1;
      const words = lines[i].split(';', 1)[0].trim().split(/\s+/);
      if (words[0] !== '') this.readOperation(words[0], words.slice(1));
    }
    for (const [carrier, { since }] of this.active) {
      this.warn(`carrier ${carrier} is brought in here and never taken out; is the file cut off?`, since);
    }
    const { version, carriers, headers, operations, warnings } = this;
    return { version, carriers, headers, needles: [...this.needles.values()], operations, warnings };
  }

  /** Reads the first line and the header; returns the number of lines they take. */
  readHeader(lines: readonly string[]): number {
    const magic = /^;!knitout-(\d{1,6})\s*$/.exec(lines[0].replace(/^\uFEFF/, ''));
    if (magic === null) {
      this.fail(`the first line is ${JSON.stringify(lines[0].slice(0, 40))}; knitout begins with ";!knitout-2".`);
    }
    this.version = Number(magic[1]);
    if (this.version > VERSION) this.warn(`the version is ${this.version}; ${VERSION} is the latest known`);
    let next = 1;
    let carriers: readonly string[] | undefined;
    for (; next < lines.length && /^\s*(;|$)/.test(lines[next]); next++) {
      this.line = next + 1;
      if (!lines[next].startsWith(';;')) continue;
      const entry = /^;;([^:]+):(.*)$/.exec(lines[next]);
      if (entry === null) {
        this.fail(
          `the header line ${JSON.stringify(lines[next].slice(0, 40))} has no ":"; it must be ";;name: value".`,
        );
      }
      const [name, value] = [entry[1].trim(), entry[2].trim()];
      if (name.toLowerCase() === 'carriers') {
        if (carriers !== undefined) this.fail('the header ";;Carriers:" occurs twice; give all carriers in one line.');
        carriers = value === '' ? [] : value.split(/\s+/);
        if (carriers.length > MOST_CARRIERS)
          this.fail(`the header has ${carriers.length} carriers; at most ${MOST_CARRIERS} are supported.`);
        const twice = carriers.find((carrier, i) => carriers?.indexOf(carrier) !== i);
        if (twice !== undefined)
          this.fail(`the carrier ${JSON.stringify(twice.slice(0, 40))} occurs twice in the header.`);
      } else {
        if (!KNOWN_HEADERS.test(name)) this.warn(`the header ${JSON.stringify(name.slice(0, 40))} is unknown`);
        this.headers.set(name, value);
      }
    }
    if (carriers === undefined) this.fail('the header has no line ";;Carriers: …" with the names of all carriers.');
    this.carriers = carriers;
    return next;
  }

  readOperation(name: string, words: readonly string[]): void {
    if (name.startsWith('x-')) {
      this.warn(`the extension ${JSON.stringify(name.slice(0, 40))} is unknown and ignored`);
      return;
    }
    if (!Object.hasOwn(FORMS, name)) {
      const shown = JSON.stringify(name.slice(0, 40));
      this.fail(`${shown} is not a knitout operation.${suggest(name, Object.keys(FORMS))}`);
    }
    this.operations.push(this.parse(name as OperationName, words));
  }

  parse(name: OperationName, words: readonly string[]): KnitoutOperation {
    const { line } = this;
    switch (name) {
      case 'in':
      case 'inhook':
      case 'releasehook':
      case 'out':
      case 'outhook':
        this.expectWords(name, words, 1, Number.POSITIVE_INFINITY);
        return { line, name, carriers: this.moveCarriers(name, this.readCarriers(words)) };
      case 'stitch':
        this.expectWords(name, words, 2, 2);
        return { line, name, leading: this.readNumber(words[0]), trailing: this.readNumber(words[1]) };
      case 'rack':
        this.expectWords(name, words, 1, 1);
        return { line, name, racking: this.readNumber(words[0]) };
      case 'knit':
      case 'tuck':
      case 'miss': {
        this.expectWords(name, words, 2, Number.POSITIVE_INFINITY);
        const direction = this.readDirection(words[0]);
        const needle = this.readNeedle(words[1]);
        return { line, name, direction, needle, carriers: this.useCarriers(words.slice(2)) };
      }
      case 'split': {
        this.expectWords(name, words, 3, Number.POSITIVE_INFINITY);
        const direction = this.readDirection(words[0]);
        const [needle, target] = this.readTransfer(words[1], words[2]);
        return { line, name, direction, needle, target, carriers: this.useCarriers(words.slice(3)) };
      }
      case 'xfer': {
        this.expectWords(name, words, 2, 2);
        const [needle, target] = this.readTransfer(words[0], words[1]);
        return { line, name, needle, target };
      }
      case 'drop':
      case 'amiss':
        this.expectWords(name, words, 1, 1);
        return { line, name, needle: this.readNeedle(words[0]) };
      case 'pause':
        this.expectWords(name, words, 0, 0);
        return { line, name };
    }
  }

  expectWords(name: OperationName, words: readonly string[], least: number, most: number): void {
    if (words.length >= least && words.length <= most) return;
    const found = JSON.stringify([name, ...words].join(' ').slice(0, 60));
    this.fail(`${found} has ${words.length} words after ${name}; it must be "${FORMS[name]}".`);
  }

  readNumber(word: string): number {
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(word)) this.fail(`${JSON.stringify(word.slice(0, 40))} is not a number.`);
    return Number(word);
  }

  readDirection(word: string): 1 | -1 {
    if (word !== '+' && word !== '-')
      this.fail(`the direction is ${JSON.stringify(word.slice(0, 40))}; it must be + or -.`);
    return word === '+' ? 1 : -1;
  }

  readNeedle(word: string): KnitoutNeedle {
    const known = this.needles.get(word);
    if (known !== undefined) return known;
    const parts = /^([fb])(s?)(-?\d{1,9})$/.exec(word);
    if (parts === null) {
      this.fail(
        `the needle is ${JSON.stringify(word.slice(0, 40))}; it must be f, b, fs or bs and a whole number, such as f12.`,
      );
    }
    // + 0 makes −0 0
    const needle = {
      bed: parts[1] === 'f' ? 'front' : 'back',
      isSlider: parts[2] === 's',
      index: Number(parts[3]) + 0,
    } as const;
    // f7 may also be written f07
    const name = `${parts[1]}${parts[2]}${needle.index}`;
    const same = this.needles.get(name);
    if (same !== undefined) return same;
    this.needles.set(name, needle);
    return needle;
  }

  readTransfer(from: string, to: string): [KnitoutNeedle, KnitoutNeedle] {
    const [needle, target] = [this.readNeedle(from), this.readNeedle(to)];
    if (needle.bed === target.bed) this.fail(`${from} and ${to} are on the same bed; loops must go to the other bed.`);
    return [needle, target];
  }

  readCarriers(words: readonly string[]): readonly string[] {
    for (const [i, word] of words.entries()) {
      if (!this.carriers.includes(word)) {
        const shown = JSON.stringify(word.slice(0, 40));
        this.fail(
          `the carrier ${shown} is not in the header ";;Carriers: ${this.carriers.slice(0, 20).join(' ').slice(0, 80)}".`,
        );
      }
      if (words.indexOf(word) !== i) this.fail(`the carrier ${JSON.stringify(word.slice(0, 40))} occurs twice.`);
    }
    return words;
  }

  useCarriers(words: readonly string[]): readonly string[] {
    for (const name of this.readCarriers(words)) {
      const carrier = this.active.get(name);
      if (carrier === undefined) this.fail(`carrier ${name} is not active; bring it in with "in" or "inhook" first.`);
      carrier.isUsed = true;
    }
    return words;
  }

  moveCarriers(
    name: 'in' | 'inhook' | 'releasehook' | 'out' | 'outhook',
    carriers: readonly string[],
  ): readonly string[] {
    const set = [...carriers].sort().join(' ');
    for (const carrier of carriers) {
      const known = this.active.get(carrier);
      if (name === 'in' || name === 'inhook') {
        if (known !== undefined) this.fail(`carrier ${carrier} is already active, since line ${known.since}.`);
        this.active.set(carrier, { since: this.line, isUsed: false });
      } else if (known === undefined) this.fail(`carrier ${carrier} is not active, so ${name} has no effect.`);
    }
    if (name === 'inhook') this.hooked.add(set);
    else if (name === 'releasehook') {
      if (!this.hooked.delete(set))
        this.fail(
          `the hook does not hold the carriers ${set}; releasehook must follow an inhook of the same carriers.`,
        );
      if (!carriers.some((carrier) => this.active.get(carrier)?.isUsed)) {
        this.fail(`nothing was knitted with ${set} since inhook; releasehook must come after the first loops.`);
      }
    } else if (name !== 'in') {
      for (const carrier of carriers) this.active.delete(carrier);
      for (const held of this.hooked) {
        if (held.split(' ').some((carrier) => carriers.includes(carrier))) this.hooked.delete(held);
      }
    }
    return carriers;
  }
}

/** A checked program from the text or the bytes (UTF-8) of a knitout file. */
export const readKnitout = (file: string | Uint8Array, options: ReadKnitoutOptions = {}): KnitoutProgram => {
  const source = options.source ?? 'knitout file';
  return new KnitoutReader(source).read(typeof file === 'string' ? file : decodeUtf8(file, source));
};

const decodeUtf8 = (bytes: Uint8Array, source: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError(`${source} is not UTF-8 text; a knitout file must be.`);
  }
};
