/**
 * Several files as one: a ZIP archive without compression (APPNOTE 6.3, version 2.0, method 0), for exports that are a
 * sequence of files. CRC-32 with the reflected polynomial 0xEDB88320.
 */

export interface ZipFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Names are UTF-8. */
const UTF8 = 0x0800;
/** 1980-01-01, so that equal files make equal archives. */
const DATE = 0x21;

function computeCrc(bytes: Uint8Array, table: Uint32Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

function computeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
}

/** Little-endian numbers of 2 or 4 bytes: [value, bytes]. */
function pack(fields: readonly (readonly [number, 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += size;
  }
  return bytes;
}

/** The parts of the archive, in order; at most 65,535 files and 4 GB. */
export function encodeZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer>[] {
  const table = computeTable();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path);
    // version, flags, method, time, date, crc, packed size, size, length of name, length of extra field
    const common = [
      [20, 2],
      [UTF8, 2],
      [0, 2],
      [0, 2],
      [DATE, 2],
      [computeCrc(bytes, table), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const;
    const head = pack([[0x04034b50, 4], ...common]);
    // comment, disk, attributes inside and outside, offset of the file
    directory.push(pack([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), name);
    parts.push(head, name, bytes);
    offset += head.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = files.length;
  const end = pack([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
  return [...parts, ...directory, end];
}
