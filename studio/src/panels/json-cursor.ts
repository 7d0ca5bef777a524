/**
 * Where a cursor stands in JSON that is being written: inside which objects and arrays, at a key or at a value, with
 * what typed so far. The text may be broken anywhere; one pass makes the best of it and also gives the value as far as
 * it can be read, which tells what kind of object the cursor is in.
 */

import type { Path } from './overrides.ts';

export interface JsonCursor {
  /** Path of the object or array that holds the cursor; of the value itself at a value. */
  readonly path: Path;
  readonly place: 'key' | 'value' | 'none';
  /** What a completion replaces: from the start of the key or value to its end. */
  readonly from: number;
  readonly to: number;
  /** Typed before the cursor, without the quote. */
  readonly typed: string;
  /** Is the key already followed by a colon? */
  readonly hasColon: boolean;
  /** The scene as far as it can be read. */
  readonly value: unknown;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Texts (perhaps without end on their line), brackets, commas, colons, and words such as 1e-3 or true. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

interface Level {
  readonly kind: 'object' | 'array';
  readonly value: Record<string, unknown> | unknown[];
  /** Key whose value is awaited or was read last. */
  key: string | undefined;
  /** What the next token of a text or number is. */
  awaits: 'key' | 'colon' | 'value' | 'comma';
}

export function findCursor(text: string, offset: number): JsonCursor {
  const walk = new Walk(text, offset);
  for (const match of text.matchAll(TOKEN))
    walk.take({ text: match[0], start: match.index, end: match.index + match[0].length });
  return walk.finish();
}

class Walk {
  private readonly text: string;
  private readonly offset: number;
  private readonly levels: Level[] = [];
  private root: unknown;
  private cursor: Omit<JsonCursor, 'value'> | undefined;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }

  take(token: Token): void {
    const level = this.levels.at(-1);
    if (this.cursor === undefined && this.offset <= token.start) this.cursor = this.describe(undefined);
    if (this.cursor === undefined && this.offset < token.end + (isWord(token) ? 1 : 0) && isScalar(token)) {
      if (this.offset > token.start) this.cursor = this.describe(token);
    }
    const first = token.text[0];
    if (first === '{' || first === '[') this.open(first);
    else if (first === '}' || first === ']') this.close(first === '}' ? 'object' : 'array');
    else if (first === ',') this.separate(level);
    else if (first === ':') {
      if (level?.awaits === 'colon') level.awaits = 'value';
    } else this.takeScalar(level, token);
  }

  finish(): JsonCursor {
    const cursor = this.cursor ?? this.describe(undefined);
    return { ...cursor, value: this.root };
  }

  private open(bracket: string): void {
    const level: Level =
      bracket === '{'
        ? { kind: 'object', value: {}, key: undefined, awaits: 'key' }
        : { kind: 'array', value: [], key: undefined, awaits: 'value' };
    this.store(level.value);
    this.levels.push(level);
  }

  private close(kind: Level['kind']): void {
    // a bracket that fits no open one is skipped; one that fits an outer one closes those inside
    const index = this.levels.findLastIndex((level) => level.kind === kind);
    if (index >= 0) this.levels.length = index;
  }

  private separate(level: Level | undefined): void {
    if (level === undefined) return;
    level.awaits = level.kind === 'object' ? 'key' : 'value';
    level.key = undefined;
  }

  private takeScalar(level: Level | undefined, token: Token): void {
    const value = readScalar(token.text);
    if (level?.kind === 'object' && (level.awaits === 'key' || level.awaits === 'comma')) {
      // after a value without a comma, a text before a colon begins the next member
      if (level.awaits === 'comma' && !/^\s*:/.test(this.text.slice(token.end, token.end + 40))) return;
      level.key = typeof value === 'string' ? value : undefined;
      level.awaits = 'colon';
      return;
    }
    this.store(value);
  }

  private store(value: unknown): void {
    const level = this.levels.at(-1);
    if (level === undefined) {
      if (this.root === undefined) this.root = value;
      return;
    }
    if (Array.isArray(level.value)) level.value.push(value);
    else if (level.key !== undefined && value !== undefined) {
      Object.defineProperty(level.value, level.key, { value, enumerable: true, configurable: true, writable: true });
    }
    level.awaits = 'comma';
  }

  /** The cursor between tokens, or inside the text or word `token`. */
  private describe(token: Token | undefined): Omit<JsonCursor, 'value'> {
    const level = this.levels.at(-1);
    const from = token?.start ?? this.offset;
    // a text without its closing quote runs on to the next one; what is replaced ends with the word at the cursor
    const rest = token === undefined ? '' : (/^[\w$.+-]*"?/.exec(this.text.slice(this.offset, token.end))?.[0] ?? '');
    const to = this.offset + rest.length;
    const typed = token === undefined ? '' : token.text.slice(0, this.offset - token.start).replace(/^"/, '');
    const hasColon = /^\s*:/.test(this.text.slice(to, to + 40));
    const outer = this.levels.slice(0, -1).map(readSegment);
    const shape = { from, to, typed, hasColon };
    if (level === undefined) return { path: [], place: this.root === undefined ? 'value' : 'none', ...shape };
    if (level.kind === 'array') {
      if (level.awaits === 'comma') return { path: outer, place: 'none', ...shape };
      return { path: [...outer, (level.value as unknown[]).length], place: 'value', ...shape };
    }
    if (level.awaits === 'key' || (level.awaits === 'comma' && token !== undefined))
      return { path: outer, place: 'key', ...shape };
    if (level.awaits === 'value') return { path: [...outer, level.key ?? ''], place: 'value', ...shape };
    return { path: outer, place: 'none', ...shape };
  }
}

/** The step from a level to the one inside it. */
const readSegment = (level: Level): string | number =>
  level.kind === 'array' ? Math.max(0, (level.value as unknown[]).length - 1) : (level.key ?? '');

const isWord = (token: Token): boolean =>
  !/^["{}[\],:]/.test(token.text) || (!/^"(?:[^"\\]|\\.)*"$/.test(token.text) && token.text.startsWith('"'));
const isScalar = (token: Token): boolean => !/^[{}[\],:]/.test(token.text);

function readScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.startsWith('"') ? text.slice(1) : undefined;
  }
}
