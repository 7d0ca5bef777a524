/**
 * A Frame as bytes, the payload of a FRAM chunk (little-endian; `real` is f64, or f32 when the chunk says so):
 *
 *   time f64, step f64, number of objects u32, number of bodies u32
 *   object   kind of object u32 (1 curve), id text, closed u32, radius f64, restLength f64, nodes u32, fields u32,
 *            x 3 × nodes real, u nodes real, kind nodes u8, then per field: name text, nodes real
 *   body     id text, position 3 × f64, orientation 4 × f64
 *   text     length u32, UTF-8
 */
import type { BodyFrame, CurveFrame, Frame } from '../model/frame.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';

const OBJECT_CURVE = 1;
/** Fewest bytes of an object, a body and a field: counts beyond what these allow are refused before any allocation. */
const SMALLEST_OBJECT = 36;
const SMALLEST_BODY = 60;
const SMALLEST_FIELD = 4;

/** A frame as the bytes of a payload alone, exact, in a buffer of their own that can be handed on. */
export function encodeFrameBytes(frame: Frame): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writeFramePayload(frame, false, writer);
  return writer.finish().slice();
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
  for (const object of frame.objects) writeCurve(object, single, writer);
  for (const body of frame.bodies) {
    writer.text(body.id);
    writer.floats(body.position, false);
    writer.floats(body.orientation, false);
  }
}

function writeCurve(curve: CurveFrame, single: boolean, writer: ByteWriter): void {
  const nodes = curve.u.length;
  const fields = Object.entries(curve.fields);
  const odd = fields.find(([, values]) => values.length !== nodes);
  if (curve.x.length !== 3 * nodes || curve.kind.length !== nodes || odd) {
    throw new RangeError(
      `Curve "${curve.id}" has ${nodes} material coordinates, ${curve.x.length} position components, ${curve.kind.length} kinds${odd ? ` and ${odd[1].length} values of ${odd[0]}` : ''}; it needs one, three, one and one per node.`,
    );
  }
  writer.uint32(OBJECT_CURVE);
  writer.text(curve.id);
  writer.uint32(curve.closed ? 1 : 0);
  writer.float64(curve.radius);
  writer.float64(curve.restLength);
  writer.uint32(nodes);
  writer.uint32(fields.length);
  writer.floats(curve.x, single);
  writer.floats(curve.u, single);
  writer.bytes(curve.kind);
  for (const [name, values] of fields) {
    writer.text(name);
    writer.floats(values, single);
  }
}

export function readFramePayload(reader: ByteReader, single: boolean): Frame {
  const time = reader.float64();
  const step = reader.float64();
  const objectCount = reader.count(SMALLEST_OBJECT);
  const bodyCount = reader.count(SMALLEST_BODY);
  const objects = Array.from({ length: objectCount }, () => readCurve(reader, single));
  const bodies = Array.from({ length: bodyCount }, () => readBody(reader));
  if (reader.remaining > 0) reader.fail(`has ${reader.remaining} bytes after its last body`);
  return { time, step, objects, bodies };
}

function readCurve(reader: ByteReader, single: boolean): CurveFrame {
  const type = reader.uint32();
  if (type !== OBJECT_CURVE) reader.fail(`holds an object of unknown kind ${type}`);
  const id = reader.text();
  const closed = reader.uint32() !== 0;
  const radius = reader.float64();
  const restLength = reader.float64();
  const nodes = reader.count(4 * (single ? 4 : 8) + 1);
  const fieldCount = reader.count(SMALLEST_FIELD);
  const x = reader.floats(3 * nodes, single);
  const u = reader.floats(nodes, single);
  const kind = reader.bytes(nodes);
  const fields: [string, Float64Array][] = [];
  for (let f = 0; f < fieldCount; f++) fields.push([reader.text(), reader.floats(nodes, single)]);
  return { type: 'curve', id, closed, radius, restLength, x, u, kind, fields: Object.fromEntries(fields) };
}

function readBody(reader: ByteReader): BodyFrame {
  const id = reader.text();
  const [x, y, z] = reader.floats(3, false);
  const [qx, qy, qz, qw] = reader.floats(4, false);
  return { id, position: [x, y, z], orientation: [qx, qy, qz, qw] };
}
