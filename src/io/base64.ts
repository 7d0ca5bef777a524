/** Base64 (RFC 4648 §4) of bytes, without `Buffer`: works in Node and in browsers. */

/** Bytes that are turned into text at once: a multiple of 3, so that no padding stands inside. */
const PIECE = 3 * 4096;

export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE))));
  }
  return pieces.join('');
}
