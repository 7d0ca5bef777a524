/**
 * A Frame as bytes, the payload of a FRAM chunk (little-endian; `real` is f64, or f32 when the chunk says so):
 *
 *   time f64, step f64, number of objects u32, number of bodies u32
 *   object   kind of object u32 (1 curve), id text, closed u32, radius f64, restLength f64, nodes u32, fields u32,
 *            x 3 × nodes real, u nodes real, kind nodes u8, then per field: name text, nodes real
 *   body     id text, position 3 × f64, orientation 4 × f64
 *   then, where there are any: number of lists of forces u32
 *   forces   kind u32 (1 contact, 2 constraint), id text, forces u32, x 3 × forces real, f 3 × forces real
 *   text     length u32, UTF-8
 */
import type { BodyFrame, CurveFrame, ForceFrame, Frame } from '../model/frame.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';

const OBJECT_CURVE = 1;
/** Codes of the kinds of forces are their places here, from 1 on. */
const FORCE_KINDS = ['contact', 'constraint'] as const;
/** Fewest bytes of an object, a body, a field and a list of forces: counts beyond what these allow are refused before any allocation. */
const SMALLEST_OBJECT = 36;
const SMALLEST_BODY = 60;
const SMALLEST_FIELD = 4;
const SMALLEST_FORCES = 12;

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
  if (frame.forces.length === 0) return;
  writer.uint32(frame.forces.length);
  for (const forces of frame.forces) writeForces(forces, single, writer);
}

function writeForces({ kind, id, x, f }: ForceFrame, single: boolean, writer: ByteWriter): void {
  if (x.length !== f.length || x.length % 3 !== 0)
    throw new RangeError(
      `Forces on "${id}" have ${x.length} position and ${f.length} force components; each needs three of both.`,
    );
  writer.uint32(1 + FORCE_KINDS.indexOf(kind));
  writer.text(id);
  writer.uint32(x.length / 3);
  writer.floats(x, single);
  writer.floats(f, single);
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
  // files from before there were forces end here
  const forceCount = reader.remaining > 0 ? reader.count(SMALLEST_FORCES) : 0;
  const forces = Array.from({ length: forceCount }, () => readForces(reader, single));
  if (reader.remaining > 0) reader.fail(`has ${reader.remaining} bytes after its last part`);
  return { time, step, objects, bodies, forces };
}

function readForces(reader: ByteReader, single: boolean): ForceFrame {
  const code = reader.uint32();
  const kind = FORCE_KINDS[code - 1] ?? reader.fail(`holds forces of unknown kind ${code}`);
  const id = reader.text();
  const count = reader.count(6 * (single ? 4 : 8));
  return { kind, id, x: reader.floats(3 * count, single), f: reader.floats(3 * count, single) };
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
