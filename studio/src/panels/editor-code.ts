/**
 * The colours of the editor: the lines in sight as coloured words, drawn behind the text area, whose own letters are
 * invisible. Only what can be seen (and a little around it) becomes elements, however long the text or a line is.
 */

import type { SceneFault } from 'heddle/model';
import { html, type nothing, type TemplateResult } from 'lit';
import { findFaultColumns, type LineToken, listTokens } from './json-tokens.ts';

/** What is in sight: lines [first, last) and columns [left, right). */
export interface Sight {
  readonly first: number;
  readonly last: number;
  readonly left: number;
  readonly right: number;
}

/** Lines and columns around what is in sight, so that a short scroll needs nothing new. */
const LINES_AROUND = 20;
const COLUMNS_AROUND = 80;

/** The sight of a text area of `width` × `height` [px], in whole margins so that it seldom changes. */
export function computeSight(
  scroll: { readonly top: number; readonly left: number },
  size: { readonly width: number; readonly height: number },
  letter: { readonly width: number; readonly height: number },
): Sight {
  const row = Math.floor(scroll.top / letter.height / LINES_AROUND) * LINES_AROUND;
  const column = Math.floor(scroll.left / letter.width / COLUMNS_AROUND) * COLUMNS_AROUND;
  const rows = Math.ceil(size.height / letter.height);
  const columns = Math.ceil(size.width / letter.width);
  return {
    first: Math.max(0, row - LINES_AROUND),
    last: row + rows + 2 * LINES_AROUND,
    left: Math.max(0, column - COLUMNS_AROUND),
    right: column + columns + 2 * COLUMNS_AROUND,
  };
}

export const isSameSight = (a: Sight, b: Sight): boolean =>
  a.first === b.first && a.last === b.last && a.left === b.left && a.right === b.right;

interface Piece {
  readonly text: string;
  readonly kind: LineToken['kind'];
  readonly isFaulty: boolean;
}

/** The pieces of a line: words in sight with their kinds; what lies before, between and after them stays plain. */
export function listPieces(line: string, { left, right }: Sight, faults: readonly SceneFault[]): Piece[] {
  const ranges = faults.map(({ path }) => findFaultColumns(line, path));
  const pieces: Piece[] = [];
  let at = 0;
  for (const { kind, from, to } of listTokens(line)) {
    if (to <= left || from >= right) continue;
    const isFaulty = ranges.some((range) => from >= range.from && to <= range.to);
    if (kind === 'mark' && !isFaulty) continue;
    if (from > at) pieces.push({ text: line.slice(at, from), kind: 'mark', isFaulty: false });
    pieces.push({ text: line.slice(from, to), kind, isFaulty });
    at = to;
  }
  if (at < line.length) pieces.push({ text: line.slice(at), kind: 'mark', isFaulty: false });
  return pieces;
}

/** The lines in sight; `place` gives the top of a line [px]. */
export function renderCode(
  lines: readonly string[],
  sight: Sight,
  faults: readonly SceneFault[],
  place: (line: number) => number,
): TemplateResult {
  const shown = lines.slice(sight.first, sight.last);
  return html`${shown.map((line, index) => {
    const number = sight.first + index;
    const own = faults.filter((fault) => (fault.line ?? 1) === number + 1);
    return html`<div class="line" .style=${`top: ${place(number)}px`}>${listPieces(line, sight, own).map(renderPiece)}</div>`;
  })}`;
}

function renderPiece({ text, kind, isFaulty }: Piece): TemplateResult | string | typeof nothing {
  if (kind === 'mark' && !isFaulty) return text;
  return html`<span class=${isFaulty ? `${kind} faulty` : kind}>${text}</span>`;
}
