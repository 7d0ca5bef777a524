/** Reads binary PLY for the exporter tests, strictly. */
import { expect } from 'vitest';

const SIZES: Record<string, number> = { float: 4, uchar: 1, ushort: 2, int: 4 };

function readScalar(view: DataView, type: string, offset: number): number {
  if (type === 'float') return view.getFloat32(offset, true);
  if (type === 'uchar') return view.getUint8(offset);
  if (type === 'ushort') return view.getUint16(offset, true);
  return view.getInt32(offset, true);
}

/** Reads a PLY by its header alone: rows of each element as objects; the file must end with its last element. */
export function readPly(bytes: Uint8Array): {
  comments: string[];
  elements: Record<string, Record<string, number | number[]>[]>;
} {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf('end_header\n') + 'end_header\n'.length;
  const lines = text.slice(0, end).trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual(['ply', 'format binary_little_endian 1.0']);
  const comments: string[] = [];
  const layout: { name: string; count: number; properties: string[][] }[] = [];
  for (const line of lines.slice(2, -1)) {
    const [key, ...words] = line.split(' ');
    if (key === 'comment') comments.push(words.join(' '));
    else if (key === 'element') layout.push({ name: words[0], count: Number(words[1]), properties: [] });
    else if (key === 'property') layout.at(-1)?.properties.push(words);
    else throw new Error(`Unknown line ${line}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = end;
  const elements: Record<string, Record<string, number | number[]>[]> = {};
  const take = (type: string): number => {
    const value = readScalar(view, type, at);
    at += SIZES[type];
    return value;
  };
  for (const { name, count, properties } of layout) {
    elements[name] = Array.from({ length: count }, () => {
      const row: Record<string, number | number[]> = {};
      for (const words of properties) {
        if (words[0] !== 'list') row[words[1]] = take(words[0]);
        else row[words[3]] = Array.from({ length: take(words[1]) }, () => take(words[2]));
      }
      return row;
    });
  }
  expect(at).toBe(bytes.length);
  return { comments, elements };
}
