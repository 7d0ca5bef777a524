/** Reads VTK XML PolyData for the exporter tests, strictly. */
import { expect } from 'vitest';

export interface XmlNode {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
  text: string;
}

/** A small strict XML reader: tags nest, attributes are quoted, nothing is left open. */
export function readXml(text: string): XmlNode {
  const root: XmlNode = { tag: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const body = text.replace(/^<\?xml version="1\.0"\?>\n/, '');
  let at = 0;
  for (const match of body.matchAll(/<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>/g)) {
    stack.at(-1)!.text += body.slice(at, match.index);
    at = match.index + match[0].length;
    const [, closing, tag, attributeText, single] = match;
    if (closing) {
      expect(stack.pop()?.tag).toBe(tag);
      continue;
    }
    const attributes = Object.fromEntries(
      [...attributeText.matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, unescapeXml(v)]),
    );
    const node: XmlNode = { tag, attributes, children: [], text: '' };
    stack.at(-1)!.children.push(node);
    if (!single) stack.push(node);
  }
  expect(stack.length).toBe(1);
  expect(body.slice(at).trim()).toBe('');
  return root.children[0];
}

const unescapeXml = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

export const findChild = (node: XmlNode, tag: string): XmlNode => {
  const found = node.children.filter((child) => child.tag === tag);
  expect(found.length, tag).toBe(1);
  return found[0];
};

/** Numbers of an inline base64 array: UInt32 number of bytes, then the bytes. */
function readArray(node: XmlNode): number[] {
  expect(node.attributes.format).toBe('binary');
  const bytes = Buffer.from(node.text.trim(), 'base64');
  expect(bytes.toString('base64')).toBe(node.text.trim());
  expect(bytes.readUInt32LE(0)).toBe(bytes.length - 4);
  const { type } = node.attributes;
  const size = { Float64: 8, Int32: 4, UInt8: 1 }[type]!;
  return Array.from({ length: (bytes.length - 4) / size }, (_, i) => {
    const offset = 4 + size * i;
    return type === 'Float64'
      ? bytes.readDoubleLE(offset)
      : type === 'Int32'
        ? bytes.readInt32LE(offset)
        : bytes[offset];
  });
}

export function readVtp(text: string) {
  const file = readXml(text);
  expect(file.tag).toBe('VTKFile');
  expect(file.attributes).toEqual({
    type: 'PolyData',
    version: '1.0',
    byte_order: 'LittleEndian',
    header_type: 'UInt32',
  });
  const grid = findChild(file, 'PolyData');
  const piece = findChild(grid, 'Piece');
  const arrays = (tag: string) =>
    Object.fromEntries(findChild(piece, tag).children.map((node) => [node.attributes.Name, readArray(node)]));
  const time = readArray(findChild(grid, 'FieldData').children[0])[0];
  return { piece, arrays, time };
}
