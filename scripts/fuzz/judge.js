// What may come of a damaged file: success, or one of Heddle's errors in sentences.
import { HeddleError, SceneError } from 'heddle/model';

/** Words that would be a leak from inside: of a library, or of a value turned into text by accident. */
const LEAKS =
  /Invalid (input|option|string|key|element)|Unrecognized|ZodError|\[object |undefined|TypeError|RangeError|at .*\.[jt]s:/;
/** Longest sentence. */
const MOST_LETTERS = 900;

/** What is wrong with the outcome of a case; undefined where nothing is. */
export function judge(error) {
  if (error === undefined) return undefined;
  if (!(error instanceof HeddleError)) return `${error?.stack ?? String(error)}`;
  const sentences =
    error instanceof SceneError
      ? error.faults.map(({ path, message }) => `${path || 'the scene'} ${message}`)
      : [error.message];
  if (sentences.length === 0) return 'an error without a fault';
  for (const sentence of sentences) {
    if (LEAKS.test(sentence)) return `a leak in: ${sentence.slice(0, MOST_LETTERS)}`;
    if (sentence.length > MOST_LETTERS) return `${sentence.length} letters in: ${sentence.slice(0, MOST_LETTERS)}`;
    if (!/[.?]$/.test(sentence)) return `no end in: ${sentence}`;
    if (/\n/.test(sentence)) return `more than one line in: ${sentence}`;
  }
  return undefined;
}
