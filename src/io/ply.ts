/**
 * PLY (binary, little endian) of one frame, and a numbered sequence of them for a run. Curves are tubes of triangles, or
 * their nodes as points joined by edges; yarns of a fabric are tubes round smooth curves through their nodes (yarns.ts), or their
 * nodes; sheets are their own triangles; particles are vertices without faces. Every file of a run has the same vertex properties:
 *
 *   float   x y z, nx ny nz        position [m], normal (none on particles and nodes)
 *   float   u, strain, tension, …  material coordinate [m] and the fields of the objects, linear between nodes; 0 where
 *                                  an object lacks the field, and on bodies
 *   float   s t                    material coordinates X of a sheet [m] (u is the first of them); only with sheets
 *   uchar   kind                   0 L-node, 1 E-node, 2 EIL-node (of the nearest node); 254 particle, 255 body
 *   uchar   group                  palette index of a particle, group of a yarn; only with particles or yarns
 *   uchar   layer                  of a yarn, and
 *   ushort  yarn                   its place in its fabric; only with yarns
 *   ushort  object                 0, 1, … objects, then bodies, named in comments of the header
 */
import { rotateVec3 } from '../math/index.ts';
import type { CurveFrame, Frame, ObjectFrame, PointsFrame, SurfaceFrame, YarnsFrame } from '../model/frame.ts';
import { computeBodyShape } from './body-geometry.ts';
import { concatenateBytes } from './png.ts';
import {
  type BodyGeometry,
  collectFieldNames,
  nameFrameFile,
  type ObjectType,
  type RecordedRun,
} from './recorded-run.ts';
import { computeVertexNormals } from './surface-shading.ts';
import { CURVE_SIDES, createTubeTarget, type TubeTarget, writeTube } from './tube.ts';
import type { TubeJoints } from './tube-path.ts';
import { computeDrawnYarn, listYarnPlaces, selectYarn, YARN_SIDES } from './yarns.ts';

/** `kind` of the vertices of bodies. */
export const PLY_BODY = 255;
/** `kind` of particles. */
export const PLY_PARTICLE = 254;

export interface PlyOptions {
  /** `tube`: triangles around the curves. `points`: only their nodes, joined by edges. Default tube. */
  readonly curves?: 'tube' | 'points';
  /** Vertices around a tube. Default 10, of yarns 6. */
  readonly sides?: number;
  /** Joints of the tubes; `mitre` where the topology must not depend on how a curve bends: yarns are polylines then. Default round. */
  readonly joints?: TubeJoints;
  readonly bodies?: readonly BodyGeometry[];
  /** Names of the fields to write. Default all that the frame has. */
  readonly fields?: readonly string[];
  /** Whether to write s and t, group, layer and yarn. Default where the frame has sheets, particles and yarns. */
  readonly hasSheets?: boolean;
  readonly hasParticles?: boolean;
  readonly hasYarns?: boolean;
}

/** The properties of the vertices, the same in all files of a run. */
interface Columns {
  readonly geometric: readonly string[];
  readonly fields: readonly string[];
  readonly hasSheets: boolean;
  readonly hasGroups: boolean;
  readonly hasYarns: boolean;
}

/** One frame as PLY bytes. */
export function encodePly(frame: Frame, options: PlyOptions = {}): Uint8Array<ArrayBuffer> {
  const nodes = options.curves === 'points';
  const shown = nodes ? { ...frame, objects: frame.objects.filter(hasCurves) } : frame;
  const hasYarns = options.hasYarns ?? hasType(shown, 'yarns');
  const columns: Columns = {
    geometric: nodes ? ['x', 'y', 'z'] : ['x', 'y', 'z', 'nx', 'ny', 'nz'],
    fields: options.fields ?? collectFieldNames([shown]),
    hasSheets: options.hasSheets ?? hasType(shown, 'surface'),
    hasGroups: hasYarns || (options.hasParticles ?? hasType(shown, 'points')),
    hasYarns,
  };
  return nodes ? encodeNodes(shown, columns) : encodeMeshes(shown, columns, options);
}

const hasCurves = ({ type }: ObjectFrame): boolean => type === 'curve' || type === 'yarns';

const hasType = ({ objects }: Frame, type: ObjectType): boolean => objects.some((object) => object.type === type);

/** One file a frame, made when it is asked for: `ply/<scene>.0001.ply`, … */
export function* encodePlySequence(
  run: RecordedRun,
  options: PlyOptions = {},
): Generator<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  const fields = collectFieldNames(run.frames);
  const hasSheets = run.frames.some((frame) => hasType(frame, 'surface'));
  const hasParticles = run.frames.some((frame) => hasType(frame, 'points'));
  const hasYarns = run.frames.some((frame) => hasType(frame, 'yarns'));
  for (const [f, frame] of run.frames.entries()) {
    const bytes = encodePly(frame, { bodies: run.bodies, fields, hasSheets, hasParticles, hasYarns, ...options });
    yield { path: `ply/${nameFrameFile(run, f, '.ply')}`, bytes };
  }
}

/** A curve of an object, or a yarn of a fabric with its place, layer and group. */
interface Line {
  readonly curve: CurveFrame;
  readonly yarn?: { readonly index: number; readonly layer: number; readonly group: number };
}

function listLines(object: CurveFrame | YarnsFrame): Line[] {
  if (object.type === 'curve') return [{ curve: object }];
  return listYarnPlaces(object).map((index) => {
    const yarn = { index, layer: object.layer[index], group: object.group[index] };
    return { curve: selectYarn(object, index), yarn };
  });
}

interface Tube extends Line {
  readonly target: TubeTarget;
  readonly sides: number;
}

function createTubes(object: CurveFrame | YarnsFrame, wished: number | undefined, joints: TubeJoints): Tube[] {
  const sides = wished ?? (object.type === 'yarns' ? YARN_SIDES : CURVE_SIDES);
  return listLines(object).map(({ curve, ...line }) => {
    const target = createTubeTarget();
    const shape = object.type === 'yarns' ? computeDrawnYarn(curve, joints) : curve;
    writeTube(shape, { sides, joints }, target);
    return { ...line, curve: shape, target, sides };
  });
}

function encodeMeshes(frame: Frame, columns: Columns, options: PlyOptions): Uint8Array<ArrayBuffer> {
  const bodies = options.bodies ?? [];
  const tubes = frame.objects.map((object) =>
    object.type === 'curve' || object.type === 'yarns'
      ? createTubes(object, options.sides, options.joints ?? 'round')
      : [],
  );
  const countVertices = (object: ObjectFrame, o: number) =>
    hasCurves(object) ? sum(tubes[o].map(({ target }) => target.vertexCount)) : object.x.length / 3;
  const countTriangles = (object: ObjectFrame, o: number) =>
    object.type === 'surface' ? object.triangles.length / 3 : sum(tubes[o].map(({ target }) => target.indexCount / 3));
  const vertices = sum(frame.objects.map(countVertices)) + sum(bodies.map((body) => body.positions.length / 3));
  const triangles = sum(frame.objects.map(countTriangles)) + sum(bodies.map((body) => body.indices.length / 3));
  const table = new VertexTable(vertices, columns);
  const faces = new FaceTable(triangles);
  for (const [number, object] of frame.objects.entries()) {
    if (object.type === 'surface') {
      faces.add(object.triangles, table.count);
      addSurface(object, number, table);
    } else if (object.type === 'points') addParticles(object, number, table);
    for (const tube of tubes[number]) {
      faces.add(tube.target.indices.subarray(0, tube.target.indexCount), table.count);
      addTube(tube, number, table);
    }
  }
  for (const [b, body] of bodies.entries()) {
    faces.add(body.indices, table.count);
    addBody(body, frame, frame.objects.length + b, table);
  }
  const names = [...frame.objects, ...bodies].map(({ id }) => id);
  const header = formatHeader(frame, names, [
    ...describeVertices(vertices, columns),
    `element face ${triangles}`,
    'property list uchar int vertex_indices',
  ]);
  return concatenateBytes([header, table.bytes, faces.bytes]);
}

function encodeNodes(frame: Frame, columns: Columns): Uint8Array<ArrayBuffer> {
  const lines = frame.objects.flatMap((object, number) =>
    object.type === 'curve' || object.type === 'yarns' ? listLines(object).map((line) => ({ ...line, number })) : [],
  );
  const nodes = sum(lines.map(({ curve }) => curve.u.length));
  const table = new VertexTable(nodes, columns);
  const edges: number[] = [];
  for (const { curve, yarn, number } of lines) {
    const first = table.count;
    const { x, u, kind, closed } = curve;
    for (let i = 0; i < u.length; i++) {
      const fields = columns.fields.map((field) => curve.fields[field]?.[i] ?? 0);
      const geometric = [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
      table.add({ geometric, u: u[i], fields, kind: kind[i], object: number, yarn, group: yarn?.group });
      if (i > 0) edges.push(first + i - 1, first + i);
    }
    if (closed) edges.push(first + u.length - 1, first);
  }
  const names = frame.objects.map(({ id }) => id);
  const header = formatHeader(frame, names, [
    ...describeVertices(nodes, columns),
    `element edge ${edges.length / 2}`,
    'property int vertex1',
    'property int vertex2',
  ]);
  const edgeBytes = new DataView(new ArrayBuffer(4 * edges.length));
  for (const [i, vertex] of edges.entries()) edgeBytes.setInt32(4 * i, vertex, true);
  return concatenateBytes([header, table.bytes, new Uint8Array(edgeBytes.buffer)]);
}

function addSurface(surface: SurfaceFrame, object: number, table: VertexTable): void {
  const { x, X, kind } = surface;
  const n = computeVertexNormals(surface);
  for (let v = 0; v < kind.length; v++) {
    const i = 3 * v;
    table.add({
      geometric: [x[i], x[i + 1], x[i + 2], n[i], n[i + 1], n[i + 2]],
      u: X[2 * v],
      material: [X[2 * v], X[2 * v + 1]],
      fields: table.columns.fields.map((field) => surface.fields[field]?.[v] ?? 0),
      kind: kind[v],
      object,
    });
  }
}

function addParticles(points: PointsFrame, object: number, table: VertexTable): void {
  const { x, group } = points;
  for (let p = 0; p < group.length; p++) {
    table.add({
      geometric: [x[3 * p], x[3 * p + 1], x[3 * p + 2], 0, 0, 0],
      fields: table.columns.fields.map((field) => points.fields[field]?.[p] ?? 0),
      kind: PLY_PARTICLE,
      group: group[p],
      object,
    });
  }
}

function addTube({ curve, yarn, target, sides }: Tube, object: number, table: VertexTable): void {
  const { positions: p, normals: n, texcoords, ringNode } = target;
  const nodes = curve.u.length;
  for (let v = 0; v < target.vertexCount; v++) {
    const at = ringNode[Math.floor(v / (sides + 1))];
    // a closed curve ends at its first node, counted once more
    const node = Math.min(Math.floor(at), curve.closed ? nodes : nodes - 1);
    const next = curve.closed ? (node + 1) % nodes : Math.min(node + 1, nodes - 1);
    const fraction = at - node;
    const fields = table.columns.fields.map((field) => {
      const onNodes = curve.fields[field];
      return onNodes === undefined ? 0 : onNodes[node % nodes] * (1 - fraction) + onNodes[next] * fraction;
    });
    const i = 3 * v;
    table.add({
      geometric: [p[i], p[i + 1], p[i + 2], n[i], n[i + 1], n[i + 2]],
      u: texcoords[2 * v],
      fields,
      kind: curve.kind[fraction < 0.5 ? node % nodes : next],
      group: yarn?.group,
      yarn,
      object,
    });
  }
}

function addBody(body: BodyGeometry, frame: Frame, object: number, table: VertexTable): void {
  const pose = frame.bodies.find(({ id }) => id === body.id);
  const [px, py, pz] = pose?.position ?? [0, 0, 0];
  const orientation = pose?.orientation ?? [0, 0, 0, 1];
  const { positions: p, normals: n } = computeBodyShape(body, frame.time);
  const fields = table.columns.fields.map(() => 0);
  for (let i = 0; i < p.length; i += 3) {
    const [x, y, z] = rotateVec3(orientation, [p[i], p[i + 1], p[i + 2]]);
    const normal = rotateVec3(orientation, [n[i], n[i + 1], n[i + 2]]);
    table.add({ geometric: [px + x, py + y, pz + z, ...normal], fields, kind: PLY_BODY, object });
  }
}

/** One vertex; what is left out is 0. */
interface VertexRow {
  readonly geometric: readonly number[];
  readonly u?: number;
  readonly material?: readonly [number, number];
  readonly fields: readonly number[];
  readonly kind: number;
  readonly group?: number | undefined;
  readonly yarn?: Line['yarn'];
  readonly object: number;
}

/** Rows of vertices: floats, then kind, group, layer, yarn and object. */
class VertexTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly columns: Columns;
  count = 0;
  readonly #view: DataView;
  readonly #row: number;

  constructor(vertices: number, columns: Columns) {
    const { geometric, fields, hasSheets, hasGroups, hasYarns } = columns;
    this.columns = columns;
    const floats = geometric.length + 1 + fields.length + (hasSheets ? 2 : 0);
    this.#row = 4 * floats + 3 + (hasGroups ? 1 : 0) + (hasYarns ? 3 : 0);
    this.bytes = new Uint8Array(vertices * this.#row);
    this.#view = new DataView(this.bytes.buffer);
  }

  add({ geometric, u = 0, fields, material = [0, 0], kind, group = 0, yarn, object }: VertexRow): void {
    const view = this.#view;
    let at = this.count++ * this.#row;
    const addFloat = (value: number): void => {
      view.setFloat32(at, value, true);
      at += 4;
    };
    geometric.forEach(addFloat);
    addFloat(u);
    fields.forEach(addFloat);
    if (this.columns.hasSheets) material.forEach(addFloat);
    view.setUint8(at++, kind);
    if (this.columns.hasGroups) view.setUint8(at++, group);
    if (this.columns.hasYarns) {
      view.setUint8(at, yarn?.layer ?? 0);
      view.setUint16(at + 1, yarn?.index ?? 0, true);
      at += 3;
    }
    view.setUint16(at, object, true);
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

function describeVertices(count: number, columns: Columns): string[] {
  const { geometric, fields, hasSheets, hasGroups, hasYarns } = columns;
  const floats = [...geometric, 'u', ...fields.map(formatName), ...(hasSheets ? ['s', 't'] : [])];
  const bytes = ['kind', ...(hasGroups ? ['group'] : []), ...(hasYarns ? ['layer'] : [])];
  return [
    `element vertex ${count}`,
    ...floats.map((name) => `property float ${name}`),
    ...bytes.map((name) => `property uchar ${name}`),
    ...(hasYarns ? ['property ushort yarn'] : []),
    'property ushort object',
  ];
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
