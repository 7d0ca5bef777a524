/**
 * PLY (binary, little endian) of one frame, and a numbered sequence of them for a run. Curves are tubes of triangles, or
 * their nodes as points joined by edges. Every file of a run has the same vertex properties:
 *
 *   float   x y z, nx ny nz        position [m], normal (tubes only)
 *   float   u, strain, tension, …  material coordinate [m] and the fields of the curves, linear between nodes; 0 where a
 *                                  curve lacks the field, and on bodies
 *   uchar   kind                   0 L-node, 1 E-node, 2 EIL-node (of the nearest node); 255 body
 *   ushort  object                 0, 1, … curves, then bodies, named in comments of the header
 */
import { rotateVec3 } from '../math/index.ts';
import type { CurveFrame, Frame } from '../model/frame.ts';
import { concatenateBytes } from './png.ts';
import { type BodyGeometry, collectFieldNames, nameFrameFile, type RecordedRun } from './recorded-run.ts';
import { createTubeTarget, type TubeTarget, writeTube } from './tube.ts';
import type { TubeJoints } from './tube-path.ts';

/** `kind` of the vertices of bodies. */
export const PLY_BODY = 255;

export interface PlyOptions {
  /** `tube`: triangles around the curves. `points`: their nodes, joined by edges, without bodies. Default tube. */
  readonly curves?: 'tube' | 'points';
  /** Vertices around a tube. Default 10. */
  readonly sides?: number;
  /** Joints of the tubes; `mitre` where the topology must not depend on how a curve bends. Default round. */
  readonly joints?: TubeJoints;
  readonly bodies?: readonly BodyGeometry[];
  /** Names of the fields to write. Default all that the frame has. */
  readonly fields?: readonly string[];
}

/** One frame as PLY bytes. */
export function encodePly(frame: Frame, options: PlyOptions = {}): Uint8Array<ArrayBuffer> {
  const fields = options.fields ?? collectFieldNames([frame]);
  return options.curves === 'points' ? encodePoints(frame, fields) : encodeTubes(frame, fields, options);
}

/** One file a frame, made when it is asked for: `ply/<scene>.0001.ply`, … */
export function* encodePlySequence(
  run: RecordedRun,
  options: PlyOptions = {},
): Generator<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  const fields = collectFieldNames(run.frames);
  for (const [f, frame] of run.frames.entries()) {
    const bytes = encodePly(frame, { bodies: run.bodies, fields, ...options });
    yield { path: `ply/${nameFrameFile(run, f, '.ply')}`, bytes };
  }
}

function encodeTubes(frame: Frame, fields: readonly string[], options: PlyOptions): Uint8Array<ArrayBuffer> {
  const sides = options.sides ?? 10;
  const bodies = options.bodies ?? [];
  const tubes = frame.objects.map((curve) => {
    const target = createTubeTarget();
    writeTube(curve, { sides, joints: options.joints ?? 'round' }, target);
    return target;
  });
  const vertices = sum(tubes.map((tube) => tube.vertexCount)) + sum(bodies.map((body) => body.positions.length / 3));
  const triangles = sum(tubes.map((tube) => tube.indexCount / 3)) + sum(bodies.map((body) => body.indices.length / 3));
  const table = new VertexTable(vertices, 6, fields.length);
  const faces = new FaceTable(triangles);
  for (const [object, curve] of frame.objects.entries()) {
    faces.add(tubes[object].indices.subarray(0, tubes[object].indexCount), table.count);
    addTube(curve, tubes[object], sides, fields, object, table);
  }
  for (const [b, body] of bodies.entries()) {
    faces.add(body.indices, table.count);
    addBody(body, frame, fields, frame.objects.length + b, table);
  }
  const names = [...frame.objects, ...bodies].map(({ id }) => id);
  const header = formatHeader(frame, names, [
    ...describeVertices(vertices, ['x', 'y', 'z', 'nx', 'ny', 'nz'], fields),
    `element face ${triangles}`,
    'property list uchar int vertex_indices',
  ]);
  return concatenateBytes([header, table.bytes, faces.bytes]);
}

function encodePoints(frame: Frame, fields: readonly string[]): Uint8Array<ArrayBuffer> {
  const nodes = sum(frame.objects.map(({ u }) => u.length));
  const table = new VertexTable(nodes, 3, fields.length);
  const edges: number[] = [];
  for (const [object, curve] of frame.objects.entries()) {
    const first = table.count;
    const { x, u, kind, closed } = curve;
    for (let i = 0; i < u.length; i++) {
      const values = fields.map((field) => curve.fields[field]?.[i] ?? 0);
      table.add([x[3 * i], x[3 * i + 1], x[3 * i + 2], u[i], ...values], kind[i], object);
      if (i > 0) edges.push(first + i - 1, first + i);
    }
    if (closed) edges.push(first + u.length - 1, first);
  }
  const names = frame.objects.map(({ id }) => id);
  const header = formatHeader(frame, names, [
    ...describeVertices(nodes, ['x', 'y', 'z'], fields),
    `element edge ${edges.length / 2}`,
    'property int vertex1',
    'property int vertex2',
  ]);
  const edgeBytes = new DataView(new ArrayBuffer(4 * edges.length));
  for (const [i, vertex] of edges.entries()) edgeBytes.setInt32(4 * i, vertex, true);
  return concatenateBytes([header, table.bytes, new Uint8Array(edgeBytes.buffer)]);
}

function addTube(
  curve: CurveFrame,
  tube: TubeTarget,
  sides: number,
  fields: readonly string[],
  object: number,
  table: VertexTable,
): void {
  const { positions: p, normals: n, texcoords, ringNode } = tube;
  const nodes = curve.u.length;
  for (let v = 0; v < tube.vertexCount; v++) {
    const at = ringNode[Math.floor(v / (sides + 1))];
    // a closed curve ends at its first node, counted once more
    const node = Math.min(Math.floor(at), curve.closed ? nodes : nodes - 1);
    const next = curve.closed ? (node + 1) % nodes : Math.min(node + 1, nodes - 1);
    const fraction = at - node;
    const values = fields.map((field) => {
      const onNodes = curve.fields[field];
      return onNodes === undefined ? 0 : onNodes[node % nodes] * (1 - fraction) + onNodes[next] * fraction;
    });
    const i = 3 * v;
    table.add(
      [p[i], p[i + 1], p[i + 2], n[i], n[i + 1], n[i + 2], texcoords[2 * v], ...values],
      curve.kind[fraction < 0.5 ? node % nodes : next],
      object,
    );
  }
}

function addBody(
  body: BodyGeometry,
  frame: Frame,
  fields: readonly string[],
  object: number,
  table: VertexTable,
): void {
  const pose = frame.bodies.find(({ id }) => id === body.id);
  const [px, py, pz] = pose?.position ?? [0, 0, 0];
  const orientation = pose?.orientation ?? [0, 0, 0, 1];
  const { positions: p, normals: n } = body;
  const zeros = new Array<number>(1 + fields.length).fill(0);
  for (let i = 0; i < p.length; i += 3) {
    const [x, y, z] = rotateVec3(orientation, [p[i], p[i + 1], p[i + 2]]);
    const normal = rotateVec3(orientation, [n[i], n[i + 1], n[i + 2]]);
    table.add([px + x, py + y, pz + z, ...normal, ...zeros], PLY_BODY, object);
  }
}

/** Rows of vertices: floats, then kind and object. */
class VertexTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  count = 0;
  readonly #view: DataView;
  readonly #row: number;

  /** `geometric` floats of position and normal, u, and `fields` floats. */
  constructor(vertices: number, geometric: number, fields: number) {
    this.#row = 4 * (geometric + 1 + fields) + 3;
    this.bytes = new Uint8Array(vertices * this.#row);
    this.#view = new DataView(this.bytes.buffer);
  }

  add(floats: readonly number[], kind: number, object: number): void {
    let at = this.count++ * this.#row;
    for (const value of floats) {
      this.#view.setFloat32(at, value, true);
      at += 4;
    }
    this.#view.setUint8(at, kind);
    this.#view.setUint16(at + 1, object, true);
  }
}

/** Rows of triangles: their number of corners, then the corners. */
class FaceTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(triangles: number) {
    this.bytes = new Uint8Array(13 * triangles);
    this.#view = new DataView(this.bytes.buffer);
  }

  add(indices: ArrayLike<number>, first: number): void {
    for (let i = 0; i < indices.length; i++) {
      if (i % 3 === 0) this.#view.setUint8(this.#at++, 3);
      this.#view.setInt32(this.#at, first + indices[i], true);
      this.#at += 4;
    }
  }
}

function describeVertices(count: number, geometric: readonly string[], fields: readonly string[]): string[] {
  const floats = [...geometric, 'u', ...fields.map(formatName)].map((name) => `property float ${name}`);
  return [`element vertex ${count}`, ...floats, 'property uchar kind', 'property ushort object'];
}

/** Header lines end with a line feed alone, because the first byte after the last one is a number. */
function formatHeader(frame: Frame, names: readonly string[], elements: readonly string[]): Uint8Array {
  const lines = [
    'ply',
    'format binary_little_endian 1.0',
    `comment Heddle, time ${frame.time} s, step ${frame.step}`,
    ...names.map((name, object) => `comment object ${object} ${formatName(name)}`),
    ...elements,
    'end_header',
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Headers are lines of ASCII words. */
function formatName(name: string): string {
  return name.replace(/[^\x21-\x7e]+/g, '_');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
