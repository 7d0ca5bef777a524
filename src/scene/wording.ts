/** How values found in a scene are spoken of in faults. */

/** A number as a person writes it: plain while short, then with exponent where that is shorter (`0.001`, `2e9`). */
export function formatNumber(value: number): string {
  const plain = String(value).replace('e+', 'e');
  if (!Number.isFinite(value) || value === 0) return plain;
  const exponent = value.toExponential().replace('e+', 'e');
  return plain.length > 6 && exponent.length < plain.length ? exponent : plain;
}

/** What was found, in a few words: `the text "abc"`, `an array of 3`, `-2e9`. */
export function describeFound(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return `the text ${quote(value)}`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return String(value);
}

/** A text in quotes, shortened, control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** `objects[3].material.youngsModulus`; keys that are not plain words are quoted in brackets. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[\w$-]{1,60}$/.test(String(segment))) text += text === '' ? String(segment) : `.${String(segment)}`;
    else text += `[${quote(String(segment))}]`;
  }
  return text;
}

/** Words as an English list: `"a", "b" or "c"`. */
export function listChoices(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted[quoted.length - 1]}`;
}
