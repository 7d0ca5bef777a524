/**
 * The words of one line of JSON, for colouring. A line stands for itself: texts of JSON do not go over line ends, so no
 * line above has to be read. What is no JSON is still cut into words, so that a text being written has its colours.
 */

export type TokenKind = 'key' | 'string' | 'number' | 'literal' | 'mark' | 'other';

export interface LineToken {
  readonly kind: TokenKind;
  /** Columns [from, to). */
  readonly from: number;
  readonly to: number;
}

/** Texts (perhaps without end), brackets, commas, colons, and words such as 1e-3 or true. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function listTokens(line: string): LineToken[] {
  return Array.from(line.matchAll(TOKEN), (match) => {
    const from = match.index;
    const to = from + match[0].length;
    return { kind: tellKind(match[0], line, to), from, to };
  });
}

function tellKind(text: string, line: string, end: number): TokenKind {
  if (text.startsWith('"')) return /^\s*:/.test(line.slice(end, end + 20)) ? 'key' : 'string';
  if (/^[{}[\],:]$/.test(text)) return 'mark';
  if (NUMBER.test(text)) return 'number';
  return text === 'true' || text === 'false' || text === 'null' ? 'literal' : 'other';
}

/**
 * The columns of a line that a fault is about: the value behind the last key of its path (`objects[0].nodes`) when the line
 * has that key, the key itself when its value goes on over other lines, else all of the line that is not blank.
 */
export function findFaultColumns(line: string, path: string): { readonly from: number; readonly to: number } {
  const key = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1];
  const tokens = listTokens(line);
  const k = tokens.findIndex(({ kind, from, to }) => kind === 'key' && line.slice(from, to) === `"${key}"`);
  if (k >= 0) {
    const value = tokens.slice(k + 1).find((token) => line.slice(token.from, token.to) !== ':');
    if (value === undefined) return tokens[k];
    if (value.kind !== 'mark') return value;
    return { from: value.from, to: findClosing(line, tokens, tokens.indexOf(value)) ?? value.to };
  }
  const from = line.length - line.trimStart().length;
  return { from, to: Math.max(from, line.trimEnd().length) };
}

/** Column behind the bracket that closes the one at an index; undefined when it is on another line. */
function findClosing(line: string, tokens: readonly LineToken[], index: number): number | undefined {
  let depth = 0;
  for (const { from, to } of tokens.slice(index)) {
    const text = line.slice(from, to);
    if (text === '{' || text === '[') depth++;
    else if (text === '}' || text === ']') depth--;
    if (depth === 0) return to;
  }
  return undefined;
}
