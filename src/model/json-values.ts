/** How much a text of JSON holds, told without reading it into memory: sixteen million empty objects are 48 MB of text and gigabytes as objects. */

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Whether a text of JSON has more values than `most`: commas are counted, and brackets with something between them. Stops at the first value too
 * many. Of a text that is not JSON it counts what would be values, at least as many as stand before the first mistake.
 */
export function hasMoreValues(text: string, most: number): boolean {
  // each value has a character of its own
  if (text.length <= most) return false;
  let values = 1;
  let before = 0;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) continue;
    if (code === COMMA) values++;
    else if (isOpening(before) && !isClosing(code)) values++;
    if (code === QUOTE) at = findEnd(text, at);
    before = code;
  }
  return values > most;
}

/** Where the text in quotes that starts here ends, or all of it. */
function findEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
