/** What a value of JSON is. */

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number as a person writes it: plain while short, with exponent where that is shorter (`0.001`, `2e9`). */
export function formatNumber(value: number): string {
  const plain = String(value).replace('e+', 'e');
  if (!Number.isFinite(value) || value === 0) return plain;
  const exponent = value.toExponential().replace('e+', 'e');
  return plain.length > 6 && exponent.length < plain.length ? exponent : plain;
}
