/**
 * A film of encoded pictures as a WebM file (Matroska, RFC 9559; EBML, RFC 8794):
 *
 *     EBML   Segment ─┬─ SeekHead   where the parts below are
 *                     ├─ Info       duration [ms]
 *                     ├─ Tracks     one, of pictures
 *                     ├─ Cues       where each key picture is, so that players can jump
 *                     └─ Cluster …  pictures from one key picture to the next
 *
 * All lengths are known before the first byte is written, so nothing is mended afterwards. Times are milliseconds.
 */

export interface FilmPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whole milliseconds from the start of the film. */
  readonly time: number;
  /** It can be shown without those before it. */
  readonly isKey: boolean;
}

export interface FilmDescription {
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly width: number;
  readonly height: number;
  /** How long the last picture is shown [ms]; the film ends then. */
  readonly last: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Ids of elements, with the marker bits that tell their length. */
const ID = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  referenceBlock: 0xfb,
} as const;

/** Nanoseconds in a unit of time: times are milliseconds, as WebM asks for. */
const MILLISECOND = 1_000_000;
/** Times of pictures in a cluster are 16 bits with a sign [ms]. */
const LONGEST_CLUSTER = 32_767;
const VIDEO = 1;
const TRACK = 1;
const KEY = 0x80;

/** Big-endian, `length` bytes; up to 2⁵³. */
function encodeUnsigned(value: number, length: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let i = length - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
  return bytes;
}

function countBytes(value: number): number {
  let count = 1;
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) count++;
  return count;
}

/** The length of an element's body: 7 bits a byte, the marker before them; a body of ones would mean unknown. */
function encodeSize(size: number): Bytes {
  let length = 1;
  while (size >= 2 ** (7 * length) - 1) length++;
  const bytes = encodeUnsigned(size, length);
  bytes[0] |= 0x80 >> (length - 1);
  return bytes;
}

const measure = (parts: readonly Bytes[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** An element with its body, in parts that are not copied. */
function element(id: number, body: readonly Bytes[]): Bytes[] {
  return [encodeUnsigned(id, countBytes(id)), encodeSize(measure(body)), ...body];
}

const unsigned = (id: number, value: number): Bytes[] => element(id, [encodeUnsigned(value, countBytes(value))]);

/** Always eight bytes, so that a position may be known after the length of what holds it. */
const position = (id: number, value: number): Bytes[] => element(id, [encodeUnsigned(value, 8)]);

const text = (id: number, value: string): Bytes[] => element(id, [new TextEncoder().encode(value)]);

function float(id: number, value: number): Bytes[] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, [bytes]);
}

/** Pictures that stand together: from a key picture on, as long as 16 bits tell their times. */
function groupPictures(pictures: readonly FilmPicture[]): FilmPicture[][] {
  const groups: FilmPicture[][] = [];
  for (const picture of pictures) {
    const group = groups.at(-1);
    if (group === undefined || picture.isKey || picture.time - group[0].time > LONGEST_CLUSTER) groups.push([picture]);
    else group.push(picture);
  }
  return groups;
}

/** Track, time in the cluster, flags, and the picture. */
function blockBody({ bytes, time }: FilmPicture, start: number, flags: number): Bytes[] {
  const head = new Uint8Array(4);
  head[0] = 0x80 | TRACK;
  new DataView(head.buffer).setInt16(1, time - start);
  head[3] = flags;
  return [head, bytes];
}

/** The last picture: the only one whose duration no other picture tells. `back` is the time to the one before it [ms]. */
function lastBlock(picture: FilmPicture, start: number, duration: number, back: number): Bytes[] {
  const reference = new Uint8Array(4);
  new DataView(reference.buffer).setInt32(0, -back);
  return element(ID.blockGroup, [
    ...element(ID.block, blockBody(picture, start, 0)),
    ...unsigned(ID.blockDuration, duration),
    // a block that refers to another is no key picture
    ...(picture.isKey ? [] : element(ID.referenceBlock, [reference])),
  ]);
}

function encodeClusters(
  pictures: readonly FilmPicture[],
  last: number,
): { time: number; isKey: boolean; parts: Bytes[] }[] {
  const end = pictures[pictures.length - 1];
  const back = end.time - (pictures.at(-2)?.time ?? 0);
  return groupPictures(pictures).map((group) => {
    const { time, isKey } = group[0];
    const blocks = group.flatMap((picture) =>
      picture === end
        ? lastBlock(picture, time, last, back)
        : element(ID.simpleBlock, blockBody(picture, time, picture.isKey ? KEY : 0)),
    );
    return { time, isKey, parts: element(ID.cluster, [...unsigned(ID.timestamp, time), ...blocks]) };
  });
}

/** Where things are, counted from the first byte in the segment. */
function encodeCues(places: readonly { time: number; at: number }[]): Bytes[] {
  const points = places.map(({ time, at }) =>
    element(ID.cuePoint, [
      ...unsigned(ID.cueTime, time),
      ...element(ID.cueTrackPositions, [...unsigned(ID.cueTrack, TRACK), ...position(ID.cueClusterPosition, at)]),
    ]),
  );
  return element(ID.cues, points.flat());
}

function encodeSeekHead(places: readonly { id: number; at: number }[]): Bytes[] {
  const seeks = places.map(({ id, at }) =>
    element(ID.seek, [...element(ID.seekId, [encodeUnsigned(id, 4)]), ...position(ID.seekPosition, at)]),
  );
  return element(ID.seekHead, seeks.flat());
}

/** The parts of the file, in order. Pictures stand in the order of their times, which rise; the first is a key picture. */
export function encodeWebm(film: FilmDescription, pictures: readonly FilmPicture[]): Bytes[] {
  const { codec, width, height, last } = film;
  const head = element(ID.ebml, [
    ...unsigned(ID.ebmlVersion, 1),
    ...unsigned(ID.ebmlReadVersion, 1),
    ...unsigned(ID.ebmlMaxIdLength, 4),
    ...unsigned(ID.ebmlMaxSizeLength, 8),
    ...text(ID.docType, 'webm'),
    ...unsigned(ID.docTypeVersion, 4),
    ...unsigned(ID.docTypeReadVersion, 2),
  ]);
  const info = element(ID.info, [
    ...unsigned(ID.timestampScale, MILLISECOND),
    ...float(ID.duration, pictures[pictures.length - 1].time + last),
    ...text(ID.muxingApp, 'Heddle'),
    ...text(ID.writingApp, 'Heddle'),
  ]);
  const track = element(ID.trackEntry, [
    ...unsigned(ID.trackNumber, TRACK),
    ...unsigned(ID.trackUid, TRACK),
    ...unsigned(ID.trackType, VIDEO),
    ...unsigned(ID.flagLacing, 0),
    ...text(ID.codecId, codec),
    ...element(ID.video, [...unsigned(ID.pixelWidth, width), ...unsigned(ID.pixelHeight, height)]),
  ]);
  const tracks = element(ID.tracks, track);
  const clusters = encodeClusters(pictures, last);
  const keys = clusters.filter(({ isKey }) => isKey);
  // positions have a fixed length: what stands before the clusters is as long with all of them zero
  const none = [ID.info, ID.tracks, ID.cues].map((id) => ({ id, at: 0 }));
  const infoAt = measure(encodeSeekHead(none));
  const tracksAt = infoAt + measure(info);
  const cuesAt = tracksAt + measure(tracks);
  let at = cuesAt + measure(encodeCues(keys.map(({ time }) => ({ time, at: 0 }))));
  const places: { time: number; at: number }[] = [];
  for (const { time, isKey, parts } of clusters) {
    if (isKey) places.push({ time, at });
    at += measure(parts);
  }
  const seekHead = encodeSeekHead([
    { id: ID.info, at: infoAt },
    { id: ID.tracks, at: tracksAt },
    { id: ID.cues, at: cuesAt },
  ]);
  const body = [...seekHead, ...info, ...tracks, ...encodeCues(places), ...clusters.flatMap(({ parts }) => parts)];
  return [...head, ...element(ID.segment, body)];
}
