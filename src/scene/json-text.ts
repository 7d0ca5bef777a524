/**
 * JSON with line numbers. A strict RFC 8259 reader that, unlike JSON.parse, reports duplicate keys, says line and
 * column of a syntax error in words, bounds size and depth, and can tell the line of any path.
 * `__proto__` becomes an ordinary own key, so that it can be refused as an unknown one.
 */

import type { SceneFault } from '../model/errors.ts';
import { hasMoreValues } from '../model/json-values.ts';
import { createLimits, type Limits } from '../model/limits.ts';
import { formatPath, quote } from './wording.ts';

export type JsonPath = readonly PropertyKey[];

export interface JsonReading {
  /** The value; undefined when the text is not JSON. */
  readonly value: unknown;
  /** Syntax error (then the only one) or duplicate keys. */
  readonly faults: readonly SceneFault[];
}

/** A tree of paths whose lines are wanted. */
interface LineTree {
  line: number | undefined;
  readonly children: Map<PropertyKey, LineTree>;
}

class SyntaxFault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Reads JSON text; never throws. */
export function readJson(text: string, limits: Limits = createLimits()): JsonReading {
  if (text.length > limits.text) {
    const message = `has ${text.length} characters of text; at most ${limits.text} are allowed. Put large meshes into files of their own.`;
    return { value: undefined, faults: [{ path: '', message }] };
  }
  if (hasMoreValues(text, limits.values)) {
    const message = `has more than ${limits.values} values; put large meshes into files of their own.`;
    return { value: undefined, faults: [{ path: '', message }] };
  }
  const reader = new JsonReader(text, undefined, limits);
  try {
    const value = reader.readDocument();
    return { value, faults: reader.faults };
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const { line, column } = computeLine(text, error.offset);
    const message = `is not valid JSON at line ${line}, column ${column}: ${error.message}`;
    return { value: undefined, faults: [{ path: '', message, line }] };
  }
}

/** Line of each path in a valid JSON text; of the nearest ancestor where the path itself is not there. */
export function findLines(text: string, paths: readonly JsonPath[], limits: Limits = createLimits()): number[] {
  const root: LineTree = { line: 1, children: new Map() };
  for (const path of paths) {
    let node = root;
    for (const segment of path) {
      let child = node.children.get(segment);
      if (child === undefined) {
        child = { line: undefined, children: new Map() };
        node.children.set(segment, child);
      }
      node = child;
    }
  }
  new JsonReader(text, root, limits).readDocument();
  return paths.map((path) => {
    let line = root.line ?? 1;
    let node: LineTree | undefined = root;
    for (const segment of path) {
      node = node?.children.get(segment);
      if (node?.line === undefined) break;
      line = node.line;
    }
    return line;
  });
}

function computeLine(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

const SPACE = 32;
const NEWLINE = 10;
const QUOTE = 34;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly faults: SceneFault[] = [];
  private readonly text: string;
  private readonly wanted: LineTree | undefined;
  private readonly deepest: number;
  private readonly path: PropertyKey[] = [];
  private readonly number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  private readonly word = /[A-Za-z_$][\w$]*/y;
  private offset = 0;
  private line = 1;

  constructor(text: string, wanted: LineTree | undefined, { depth }: Limits) {
    this.text = text;
    this.wanted = wanted;
    this.deepest = depth;
  }

  readDocument(): unknown {
    if (this.text.charCodeAt(0) === 0xfeff) this.offset = 1;
    this.skipSpace();
    if (this.offset >= this.text.length) throw this.syntax('the text is empty; a scene is a JSON object');
    if (this.wanted !== undefined) this.wanted.line = this.line;
    const value = this.readValue(this.wanted);
    this.skipSpace();
    if (this.offset < this.text.length) throw this.syntax(`${this.describeHere()} follows the end of the scene`);
    return value;
  }

  private readValue(wanted: LineTree | undefined): unknown {
    const first = this.text[this.offset];
    if (first === '{') return this.readObject(wanted);
    if (first === '[') return this.readArray(wanted);
    if (first === '"') return this.readString();
    if (first === '-' || (first >= '0' && first <= '9')) return this.readNumber();
    return this.readWord();
  }

  private readObject(wanted: LineTree | undefined): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    this.enter();
    if (this.accept('}')) return result;
    for (;;) {
      if (this.text.charCodeAt(this.offset) !== QUOTE) {
        throw this.syntax(`${this.describeHere()} is found instead of a key in double quotes`);
      }
      const keyLine = this.line;
      const key = this.readString();
      const child = wanted?.children.get(key);
      if (child !== undefined) child.line = keyLine;
      this.path.push(key);
      if (Object.hasOwn(result, key)) this.reportDuplicate(keyLine);
      this.skipSpace();
      this.expect(':', `after the key ${quote(key)}`);
      const value = this.readValue(child);
      if (key === '__proto__') {
        Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
      } else {
        result[key] = value;
      }
      this.path.pop();
      if (this.endOfMembers('}')) return result;
    }
  }

  private readArray(wanted: LineTree | undefined): unknown[] {
    const result: unknown[] = [];
    this.enter();
    if (this.accept(']')) return result;
    for (;;) {
      const child = wanted?.children.get(result.length);
      if (child !== undefined) child.line = this.line;
      this.path.push(result.length);
      result.push(this.readValue(child));
      this.path.pop();
      if (this.endOfMembers(']')) return result;
    }
  }

  /** Steps over the opening bracket; the path has one segment for each level. */
  private enter(): void {
    if (this.path.length >= this.deepest) {
      throw this.syntax(`the nesting is deeper than ${this.deepest} levels; a scene needs fewer than 10`);
    }
    this.offset++;
    this.skipSpace();
  }

  private endOfMembers(close: string): boolean {
    this.skipSpace();
    if (this.accept(close)) return true;
    this.expect(',', `or "${close}"`);
    if (this.text[this.offset] === close) throw this.syntax(`there is a comma before "${close}"; remove it`);
    return false;
  }

  private readString(): string {
    const { text } = this;
    const start = ++this.offset;
    let escaped = false;
    for (;;) {
      const code = text.charCodeAt(this.offset);
      if (code === QUOTE) break;
      if (Number.isNaN(code)) throw this.syntax('a string in double quotes has no end', start - 1);
      if (code < SPACE) throw this.syntax('there is a line break or control character inside a string; write \\n');
      if (code === 92) {
        escaped = true;
        this.offset++;
      }
      this.offset++;
    }
    const raw = text.slice(start, this.offset++);
    return escaped ? this.unescape(raw, start) : raw;
  }

  private unescape(raw: string, start: number): string {
    return raw.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (all, code: string, at: number) => {
      if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
      const character = ESCAPES[code];
      if (character === undefined)
        throw this.syntax(`${quote(all)} is no escape of JSON; write \\\\ for \\`, start + at);
      return character;
    });
  }

  private readNumber(): number {
    this.number.lastIndex = this.offset;
    const match = this.number.exec(this.text);
    if (match === null) throw this.syntax('"-" is not followed by a number');
    const next = this.text[this.offset + match[0].length] ?? '';
    if (/[\w.+-]/.test(next)) {
      const whole = /^[\w.+-]{1,40}/.exec(this.text.slice(this.offset, this.offset + 40));
      throw this.syntax(`${whole?.[0]} is not a number of JSON; write for example 0.5, -2 or 1e-3`);
    }
    this.offset += match[0].length;
    return Number(match[0]);
  }

  private readWord(): boolean | null {
    this.word.lastIndex = this.offset;
    const word = this.word.exec(this.text)?.[0];
    if (word === 'true' || word === 'false' || word === 'null') {
      this.offset += word.length;
      return word === 'null' ? null : word === 'true';
    }
    if (word !== undefined) throw this.syntax(`${word.slice(0, 40)} is not a JSON value; strings need double quotes`);
    throw this.syntax(`${this.describeHere()} is found instead of a value`);
  }

  private reportDuplicate(line: number): void {
    if (this.faults.length >= 100) return;
    this.faults.push({
      path: formatPath(this.path),
      message: 'is given twice in the same object; remove one of the two.',
      line,
    });
  }

  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.offset);
      if (code === NEWLINE) this.line++;
      else if (code !== SPACE && code !== 9 && code !== 13) {
        if (code === 47 && /[/*]/.test(text[this.offset + 1] ?? ''))
          throw this.syntax('JSON has no comments; remove this one');
        return;
      }
      this.offset++;
    }
  }

  private accept(character: string): boolean {
    if (this.text[this.offset] !== character) return false;
    this.offset++;
    return true;
  }

  private expect(character: string, where: string): void {
    if (!this.accept(character))
      throw this.syntax(`${this.describeHere()} is found instead of "${character}" ${where}`);
    this.skipSpace();
  }

  private describeHere(): string {
    const character = this.text[this.offset];
    if (character === undefined) return 'the end of the text';
    return character === "'" ? 'a single quote (JSON has double ones)' : quote(character);
  }

  private syntax(message: string, offset = this.offset): SyntaxFault {
    return new SyntaxFault(`${message}.`, offset);
  }
}
