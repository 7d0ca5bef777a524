/**
 * CRC-32 as in PNG and ISO 3309: polynomial 0xEDB88320 (reflected), start and final exclusive-or 0xFFFFFFFF.
 * Four bytes a turn: table k holds the remainder of a byte followed by k zero bytes, and remainders add by exclusive-or.
 */

/** Four tables of 256; signed, because 32-bit integers stay integers in the engine and larger ones become doubles. */
const TABLES = createTables();

function createTables(): Int32Array {
  const tables = new Int32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
    tables[byte] = remainder;
  }
  for (let i = 256; i < tables.length; i++) tables[i] = (tables[i - 256] >>> 8) ^ tables[tables[i - 256] & 255];
  return tables;
}

/** CRC-32 of `bytes[start, end)` as an unsigned 32-bit integer. */
export function computeCrc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc =
      TABLES[768 + (crc & 255)] ^
      TABLES[512 + ((crc >>> 8) & 255)] ^
      TABLES[256 + ((crc >>> 16) & 255)] ^
      TABLES[crc >>> 24];
  }
  for (; i < end; i++) crc = (crc >>> 8) ^ TABLES[(crc ^ bytes[i]) & 255];
  return (crc ^ -1) >>> 0;
}
