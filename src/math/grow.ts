/** Longer arrays: what is stored outgrows its room now and then. */

/** The same values in an array of n numbers, the rest 0. */
export function grow<T extends Float64Array | Int32Array | Int8Array | Uint8Array>(values: T, n: number): T {
  const grown = new (values.constructor as new (n: number) => T)(n);
  grown.set(values);
  return grown;
}
