/**
 * A Frame as bytes, the payload of a FRAM chunk (little-endian; `real` is f64, or f32 when the chunk says so):
 *
 *   time f64, step f64, number of objects u32, number of bodies u32
 *   curve    1 u32, id text, closed u32, radius f64, restLength f64, nodes u32, fields u32,
 *            x 3 × nodes real, u nodes real, kind nodes u8, then per field: name text, nodes real
 *   surface  2 u32, id text, thickness f64, restArea f64, vertices u32, triangles u32, creases u32, fields u32,
 *            x 3 × vertices real, X 2 × vertices real, kind vertices u8, corners 3 × triangles u32,
 *            ends 2 × creases u32, then per field: name text, vertices real
 *   points   3 u32, id text, radius f64, particles u32, fields u32,
 *            x 3 × particles real, group particles u8, then per field: name text, particles real
 *   yarns    4 u32, id text, yarns u32, nodes u32, fields u32, count of nodes yarns u32, radius yarns f64, restLength yarns f64,
 *            layer yarns u8, group yarns u8, x 3 × nodes real, u nodes real, kind nodes u8, other + 1 nodes u32 (0 for none), then per
 *            field: name text, nodes real
 *   body     id text, position 3 × f64, orientation 4 × f64
 *   then, where there are any: number of lists of forces u32
 *   forces   kind u32 (1 contact, 2 constraint), id text, forces u32, x 3 × forces real, f 3 × forces real
 *   text     length u32, UTF-8
 */
import type {
  BodyFrame,
  CurveFrame,
  ForceFrame,
  Frame,
  ObjectFrame,
  PointsFrame,
  SurfaceFrame,
  YarnsFrame,
} from '../model/frame.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';

const OBJECT_CURVE = 1;
const OBJECT_SURFACE = 2;
const OBJECT_POINTS = 3;
const OBJECT_YARNS = 4;
/** Codes of the kinds of forces are their places here, from 1 on. */
const FORCE_KINDS = ['contact', 'constraint'] as const;
/** Fewest bytes of an object, a body, a field and a list of forces: counts beyond what these allow are refused before any allocation. */
const SMALLEST_OBJECT = 20;
const SMALLEST_BODY = 60;
const SMALLEST_FIELD = 4;
const SMALLEST_FORCES = 12;

/** A frame as the bytes of a payload alone, exact, in a buffer of their own that can be handed on. */
export function encodeFrameBytes(frame: Frame): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(measureRoom(frame));
  writeFramePayload(frame, false, writer);
  return writer.finish().slice();
}

/** Bytes of all arrays, with some more for the rest: enough that a writer seldom grows. */
function measureRoom({ objects, forces }: Frame): number {
  let room = 1024;
  for (const object of objects) {
    for (const values of [...Object.values(object), ...Object.values(object.fields)])
      if (ArrayBuffer.isView(values)) room += values.byteLength;
    room += 256;
  }
  for (const { x, f } of forces) room += x.byteLength + f.byteLength + 256;
  return room;
}

/** The frame of `encodeFrameBytes`, in arrays of its own. */
export function decodeFrameBytes(bytes: Uint8Array): Frame {
  return readFramePayload(new ByteReader(bytes, 0, bytes.length, 'The frame'), false);
}

export function writeFramePayload(frame: Frame, single: boolean, writer: ByteWriter): void {
  writer.float64(frame.time);
  writer.float64(frame.step);
  writer.uint32(frame.objects.length);
  writer.uint32(frame.bodies.length);
  for (const object of frame.objects) {
    if (object.type === 'curve') writeCurve(object, single, writer);
    else if (object.type === 'surface') writeSurface(object, single, writer);
    else if (object.type === 'points') writePoints(object, single, writer);
    else writeYarns(object, single, writer);
  }
  for (const body of frame.bodies) {
    writer.text(body.id);
    writer.floats(body.position, false);
    writer.floats(body.orientation, false);
  }
  if (frame.forces.length === 0) return;
  writer.uint32(frame.forces.length);
  for (const forces of frame.forces) writeForces(forces, single, writer);
}

function writeForces({ kind, id, x, f }: ForceFrame, single: boolean, writer: ByteWriter): void {
  if (x.length !== f.length || x.length % 3 !== 0)
    throw new RangeError(
      `Forces on "${id}" have ${x.length} position and ${f.length} force components; give three of each per force.`,
    );
  writer.uint32(1 + FORCE_KINDS.indexOf(kind));
  writer.text(id);
  writer.uint32(x.length / 3);
  writer.floats(x, single);
  writer.floats(f, single);
}

function writeCurve(curve: CurveFrame, single: boolean, writer: ByteWriter): void {
  const nodes = curve.u.length;
  checkLengths(curve, nodes, { x: [curve.x, 3], kind: [curve.kind, 1] });
  writer.uint32(OBJECT_CURVE);
  writer.text(curve.id);
  writer.uint32(curve.closed ? 1 : 0);
  writer.float64(curve.radius);
  writer.float64(curve.restLength);
  writer.uint32(nodes);
  writer.uint32(Object.keys(curve.fields).length);
  writer.floats(curve.x, single);
  writer.floats(curve.u, single);
  writer.bytes(curve.kind);
  writeFields(curve, single, writer);
}

function writeSurface(surface: SurfaceFrame, single: boolean, writer: ByteWriter): void {
  const vertices = surface.kind.length;
  checkLengths(surface, vertices, { x: [surface.x, 3], X: [surface.X, 2] });
  checkIndices(surface, vertices, surface.triangles, 3);
  checkIndices(surface, vertices, surface.creases, 2);
  writer.uint32(OBJECT_SURFACE);
  writer.text(surface.id);
  writer.float64(surface.thickness);
  writer.float64(surface.restArea);
  writer.uint32(vertices);
  writer.uint32(surface.triangles.length / 3);
  writer.uint32(surface.creases.length / 2);
  writer.uint32(Object.keys(surface.fields).length);
  writer.floats(surface.x, single);
  writer.floats(surface.X, single);
  writer.bytes(surface.kind);
  writer.indices(surface.triangles);
  writer.indices(surface.creases);
  writeFields(surface, single, writer);
}

function writePoints(points: PointsFrame, single: boolean, writer: ByteWriter): void {
  const count = points.group.length;
  checkLengths(points, count, { x: [points.x, 3] });
  writer.uint32(OBJECT_POINTS);
  writer.text(points.id);
  writer.float64(points.radius);
  writer.uint32(count);
  writer.uint32(Object.keys(points.fields).length);
  writer.floats(points.x, single);
  writer.bytes(points.group);
  writeFields(points, single, writer);
}

function writeYarns(yarns: YarnsFrame, single: boolean, writer: ByteWriter): void {
  const nodes = yarns.u.length;
  const count = yarns.start.length - 1;
  checkLengths(yarns, nodes, { x: [yarns.x, 3], kind: [yarns.kind, 1], other: [yarns.other, 1] });
  checkYarns(yarns, count, nodes);
  writer.uint32(OBJECT_YARNS);
  writer.text(yarns.id);
  writer.uint32(count);
  writer.uint32(nodes);
  writer.uint32(Object.keys(yarns.fields).length);
  writer.indices(yarns.start.subarray(1).map((end, y) => end - yarns.start[y]));
  writer.floats(yarns.radius, false);
  writer.floats(yarns.restLength, false);
  writer.bytes(yarns.layer);
  writer.bytes(yarns.group);
  writer.floats(yarns.x, single);
  writer.floats(yarns.u, single);
  writer.bytes(yarns.kind);
  writer.indices(yarns.other.map((node) => node + 1));
  writeFields(yarns, single, writer);
}

function writeFields({ fields }: ObjectFrame, single: boolean, writer: ByteWriter): void {
  for (const [name, values] of Object.entries(fields)) {
    writer.text(name);
    writer.floats(values, single);
  }
}

/** Every array of an object has its width times as many numbers as the object has points. */
function checkLengths(
  object: ObjectFrame,
  points: number,
  arrays: Readonly<Record<string, readonly [ArrayLike<number>, number]>>,
): void {
  const fields = Object.entries(object.fields).map(([name, values]) => [name, [values, 1]] as const);
  for (const [name, [values, width]] of [...Object.entries(arrays), ...fields]) {
    if (values.length === width * points) continue;
    throw new RangeError(
      `"${object.id}" (${object.type}) has ${points} points and ${values.length} numbers of ${name}; it needs ${width} per point.`,
    );
  }
}

/** Yarns have one number each of everything, follow one another, and crossings name nodes that there are. */
function checkYarns(yarns: YarnsFrame, count: number, nodes: number): void {
  const { id, start, other, radius, restLength, layer, group } = yarns;
  for (const [name, values] of Object.entries({ radius, restLength, layer, group }))
    if (values.length !== count)
      throw new RangeError(
        `"${id}" (yarns) has ${count} yarns and ${values.length} numbers of ${name}; it needs 1 per yarn.`,
      );
  if (start[0] !== 0 || start[count] !== nodes || start.some((first, y) => y > 0 && first < start[y - 1]))
    throw new RangeError(`"${id}" (yarns) has yarns that are not consecutive from node 0 to node ${nodes}.`);
  const wrong = other.find((node) => node < -1 || node >= nodes);
  if (wrong !== undefined) throw new RangeError(`"${id}" (yarns) has a crossing with node ${wrong} of ${nodes}.`);
}

function checkIndices({ id }: SurfaceFrame, vertices: number, indices: Int32Array, width: number): void {
  const wrong = indices.find((vertex) => vertex < 0 || vertex >= vertices);
  if (wrong === undefined && indices.length % width === 0) return;
  throw new RangeError(
    `"${id}" (surface) has ${indices.length} indices of its ${vertices} vertices${wrong === undefined ? '' : `, one of them ${wrong}`}; it needs ${width} per element, from 0.`,
  );
}

export function readFramePayload(reader: ByteReader, single: boolean): Frame {
  const time = reader.float64();
  const step = reader.float64();
  const objectCount = reader.count(SMALLEST_OBJECT);
  const bodyCount = reader.count(SMALLEST_BODY);
  const objects = Array.from({ length: objectCount }, () => readObject(reader, single));
  const bodies = Array.from({ length: bodyCount }, () => readBody(reader));
  // files from before there were forces end here
  const forceCount = reader.remaining > 0 ? reader.count(SMALLEST_FORCES) : 0;
  const forces = Array.from({ length: forceCount }, () => readForces(reader, single));
  if (reader.remaining > 0) reader.fail(`has ${reader.remaining} bytes after its last part`);
  return { time, step, objects, bodies, forces };
}

function readForces(reader: ByteReader, single: boolean): ForceFrame {
  const code = reader.uint32();
  const kind = FORCE_KINDS[code - 1] ?? reader.fail(`contains forces of unknown kind ${code}`);
  const id = reader.text();
  const count = reader.count(6 * (single ? 4 : 8));
  return { kind, id, x: reader.floats(3 * count, single), f: reader.floats(3 * count, single) };
}

function readObject(reader: ByteReader, single: boolean): ObjectFrame {
  const type = reader.uint32();
  if (type === OBJECT_CURVE) return readCurve(reader, single);
  if (type === OBJECT_SURFACE) return readSurface(reader, single);
  if (type === OBJECT_POINTS) return readPoints(reader, single);
  if (type === OBJECT_YARNS) return readYarns(reader, single);
  return reader.fail(`contains an object of unknown kind ${type}`);
}

function readRadius(reader: ByteReader): number {
  const radius = reader.float64();
  checkRadius(reader, radius);
  return radius;
}

function checkRadius(reader: ByteReader, radius: number): void {
  if (!(radius > 0 && radius < Number.POSITIVE_INFINITY)) reader.fail(`contains a radius of ${radius} m`);
}

function readCurve(reader: ByteReader, single: boolean): CurveFrame {
  const id = reader.text();
  const closed = reader.uint32() !== 0;
  const radius = readRadius(reader);
  const restLength = reader.float64();
  const nodes = reader.count(4 * (single ? 4 : 8) + 1);
  const fieldCount = reader.count(SMALLEST_FIELD);
  const x = reader.floats(3 * nodes, single);
  const u = reader.floats(nodes, single);
  const kind = reader.bytes(nodes);
  const fields = readFields(reader, fieldCount, nodes, single);
  return { type: 'curve', id, closed, radius, restLength, x, u, kind, fields };
}

function readSurface(reader: ByteReader, single: boolean): SurfaceFrame {
  const id = reader.text();
  const thickness = reader.float64();
  const restArea = reader.float64();
  const vertices = reader.count(5 * (single ? 4 : 8) + 1);
  const triangleCount = reader.count(12);
  const creaseCount = reader.count(8);
  const fieldCount = reader.count(SMALLEST_FIELD);
  const x = reader.floats(3 * vertices, single);
  const X = reader.floats(2 * vertices, single);
  const kind = reader.bytes(vertices);
  const triangles = reader.indices(3 * triangleCount, vertices);
  const creases = reader.indices(2 * creaseCount, vertices);
  const fields = readFields(reader, fieldCount, vertices, single);
  return { type: 'surface', id, thickness, restArea, x, X, kind, triangles, creases, fields };
}

function readPoints(reader: ByteReader, single: boolean): PointsFrame {
  const id = reader.text();
  const radius = readRadius(reader);
  const count = reader.count(3 * (single ? 4 : 8) + 1);
  const fieldCount = reader.count(SMALLEST_FIELD);
  const x = reader.floats(3 * count, single);
  const group = reader.bytes(count);
  return { type: 'points', id, radius, x, group, fields: readFields(reader, fieldCount, count, single) };
}

function readYarns(reader: ByteReader, single: boolean): YarnsFrame {
  const id = reader.text();
  const count = reader.count(22);
  const nodes = reader.count(4 * (single ? 4 : 8) + 5);
  const fieldCount = reader.count(SMALLEST_FIELD);
  const start = new Int32Array(count + 1);
  const counts = reader.indices(count, nodes + 1);
  for (let y = 0; y < count; y++) start[y + 1] = start[y] + counts[y];
  if (start[count] !== nodes) reader.fail(`contains yarns with ${start[count]} nodes in total, but ${nodes} nodes`);
  const radius = reader.floats(count, false);
  for (const one of radius) checkRadius(reader, one);
  const restLength = reader.floats(count, false);
  const layer = reader.bytes(count);
  const group = reader.bytes(count);
  const x = reader.floats(3 * nodes, single);
  const u = reader.floats(nodes, single);
  const kind = reader.bytes(nodes);
  const other = reader.indices(nodes, nodes + 1).map((node) => node - 1);
  const fields = readFields(reader, fieldCount, nodes, single);
  return { type: 'yarns', id, start, radius, restLength, layer, group, x, u, kind, other, fields };
}

function readFields(reader: ByteReader, count: number, points: number, single: boolean): Record<string, Float64Array> {
  const fields: [string, Float64Array][] = [];
  for (let f = 0; f < count; f++) fields.push([reader.text(), reader.floats(points, single)]);
  return Object.fromEntries(fields);
}

function readBody(reader: ByteReader): BodyFrame {
  const id = reader.text();
  const [x, y, z] = reader.floats(3, false);
  const [qx, qy, qz, qw] = reader.floats(4, false);
  return { id, position: [x, y, z], orientation: [qx, qy, qz, qw] };
}
