/**
 * The nearest known name for a misspelt one.
 * Distance: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), letter case ignored.
 */

/** Edit distance of two words. */
export function computeEditDistance(a: string, b: string): number {
  const width = b.length + 1;
  let older = new Uint16Array(width);
  let previous = Uint16Array.from({ length: width }, (_, j) => j);
  let current = new Uint16Array(width);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(previous[j] + 1, current[j - 1] + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, older[j - 2] + 1);
      current[j] = best;
    }
    [older, previous, current] = [previous, current, older];
  }
  return previous[b.length];
}

/** Letters that are compared: names may be of any length. */
const LONGEST = 64;

/** The known word nearest to `word`, or undefined when none is near enough to be what was meant. */
export function findNearest(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase().slice(0, LONGEST);
  let nearest: string | undefined;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const target = candidate.toLowerCase().slice(0, LONGEST);
    const contained = lower.length >= 3 && (target.startsWith(lower) || lower.startsWith(target));
    const distance = contained ? 1 : computeEditDistance(lower, target);
    const allowed = contained ? 1 : Math.max(1, Math.floor(Math.max(lower.length, target.length) / 3));
    if (distance <= allowed && distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Names of a file's own may be of any length. */
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);

/** ` Did you mean "x"?` or, with nothing near, the known names; empty when there are none. */
export function suggest(word: string, known: readonly string[], kind = 'Known'): string {
  const nearest = findNearest(word, known);
  if (nearest !== undefined) return ` Did you mean "${shorten(nearest)}"?`;
  if (known.length === 0) return '';
  const shown = known.slice(0, 20).map(shorten).join(', ');
  return ` ${kind}: ${shown}${known.length > 20 ? `, and ${known.length - 20} more` : ''}.`;
}
