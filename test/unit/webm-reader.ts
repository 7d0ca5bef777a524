/** Reads a WebM file as a player does, by the ids of RFC 9559 and from nothing that writes one. */

interface Element {
  readonly id: number;
  /** Where its head and its body start, and where it ends. */
  readonly from: number;
  readonly body: number;
  readonly end: number;
}

export interface WebmBlock {
  readonly time: number;
  readonly isKey: boolean;
  readonly bytes: Uint8Array;
  /** Only where it is written. */
  readonly duration?: number;
}

export interface WebmFilm {
  readonly docType: string;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly duration: number;
  /** Ids of what the seek head points to, each read at the place it says. */
  readonly sought: readonly number[];
  /** Times of cues, and the time of the first block of the cluster that they point to. */
  readonly cues: readonly { time: number; found: number; isKey: boolean }[];
  readonly blocks: readonly WebmBlock[];
}

export function readWebm(bytes: Uint8Array): WebmFilm {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const countLength = (at: number) => Math.clz32(bytes[at]) - 23;
  const readNumber = (from: number, end: number) => {
    let value = 0;
    for (let i = from; i < end; i++) value = 256 * value + bytes[i];
    return value;
  };
  const readElement = (from: number): Element => {
    const size = from + countLength(from);
    const body = size + countLength(size);
    const length = readNumber(size, body) - 2 ** (7 * (body - size));
    if (length === 2 ** (7 * (body - size)) - 1) throw new Error('an element of unknown size');
    return { id: readNumber(from, size), from, body, end: body + length };
  };
  const readAll = ({ body, end }: Pick<Element, 'body' | 'end'>): Element[] => {
    const elements: Element[] = [];
    for (let at = body; at < end; at = elements[elements.length - 1].end) elements.push(readElement(at));
    if (elements.at(-1)?.end !== end) throw new Error('elements do not end where what holds them does');
    return elements;
  };
  const find = (parent: Element, ...path: number[]): Element =>
    path.reduce((at, id) => {
      const found = readAll(at).find((element) => element.id === id);
      if (found === undefined) throw new Error(`there is no ${id.toString(16)}`);
      return found;
    }, parent);
  const number = (parent: Element, ...path: number[]) => {
    const { body, end } = find(parent, ...path);
    return readNumber(body, end);
  };
  const text = (parent: Element, ...path: number[]) => {
    const { body, end } = find(parent, ...path);
    return new TextDecoder().decode(bytes.subarray(body, end));
  };

  const readBlocks = (cluster: Element): WebmBlock[] => {
    const start = number(cluster, 0xe7);
    return readAll(cluster).flatMap((element) => {
      if (element.id !== 0xa3 && element.id !== 0xa0) return [];
      const group = element.id === 0xa0 ? readAll(element) : [];
      const block = element.id === 0xa3 ? element : find(element, 0xa1);
      if (bytes[block.body] !== 0x81) throw new Error('a block of another track');
      const isKey = element.id === 0xa3 ? bytes[block.body + 3] === 0x80 : !group.some(({ id }) => id === 0xfb);
      const time = start + view.getInt16(block.body + 1);
      const picture = { time, isKey, bytes: bytes.subarray(block.body + 4, block.end) };
      return [element.id === 0xa3 ? picture : { ...picture, duration: number(element, 0x9b) }];
    });
  };

  const [head, segment] = readAll({ body: 0, end: bytes.length });
  if (head.id !== 0x1a45dfa3 || segment.id !== 0x18538067) throw new Error('this is no WebM file');
  const parts = readAll(segment);
  const info = find(segment, 0x1549a966);
  const track = find(segment, 0x1654ae6b, 0xae);
  return {
    docType: text(head, 0x4282),
    codec: text(track, 0x86),
    width: number(track, 0xe0, 0xb0),
    height: number(track, 0xe0, 0xba),
    scale: number(info, 0x2ad7b1),
    duration: view.getFloat64(find(info, 0x4489).body),
    sought: readAll(find(segment, 0x114d9b74)).map((seek) => {
      const { id } = readElement(segment.body + number(seek, 0x53ac));
      if (id !== number(seek, 0x53ab)) throw new Error('the seek head points to something else');
      return id;
    }),
    cues: readAll(find(segment, 0x1c53bb6b)).map((point) => {
      const cluster = readElement(segment.body + number(point, 0xb7, 0xf1));
      const [{ time, isKey }] = readBlocks(cluster);
      return { time: number(point, 0xb3), found: time, isKey };
    }),
    blocks: parts.filter(({ id }) => id === 0x1f43b675).flatMap(readBlocks),
  };
}
