/**
 * VTK XML PolyData (.vtp, version 1.0) of each frame and a ParaView collection (.pvd) that names them with their times.
 * Curves (part 0): one polyline cell each; point arrays u [m], kind, radius [m] and the fields, cell arrays object, closed
 * and restLength [m]. Bodies (part 1): triangles in world space, written anew only when one moves. Sheets (part 3):
 * triangles, and their creases as lines; point arrays X [m, 2 numbers], kind, Normals and the fields, cell arrays object
 * and crease. Yarns of fabrics (part 5): one polyline cell each; point arrays u [m], kind, radius [m], other (the node of the other yarn
 * of a crossing, −1 for none) and the fields, cell arrays object, yarn, layer, group and restLength [m]. Particles (part 4): one vertex cell each; point arrays group, radius [m], object and the fields.
 * Forces of contacts and constraints (part 2): points with the vector force [N], contact (1, or 0 for a constraint) and object,
 * for glyphs. A run without objects of a part has no files of it.
 *
 * Arrays are inline base64: the number of bytes as UInt32, then the bytes, encoded together. All numbers little endian.
 * Cells are counted in the order verts, lines, strips, polys; `offsets` holds the end of each cell in `connectivity`.
 */
import { rotateVec3 } from '../math/index.ts';
import type { ForceFrame, Frame } from '../model/frame.ts';
import { encodeBase64 } from './base64.ts';
import { computeBodyShape } from './body-geometry.ts';
import {
  type BodyGeometry,
  collectFieldNames,
  nameFrameFile,
  type RecordedRun,
  selectObjects,
} from './recorded-run.ts';
import { computeVertexNormals } from './surface-shading.ts';
import { dropEmptyYarns, listYarnPlaces } from './yarns.ts';

const ARRAY_TYPES = { Float64: 8, Int32: 4, UInt8: 1 } as const;
type ArrayType = keyof typeof ARRAY_TYPES;

/** One array of a VTK file. */
interface VtkArray {
  readonly name: string;
  readonly type: ArrayType;
  /** Numbers a point or cell. Default 1. */
  readonly components?: number;
  readonly values: ArrayLike<number>;
}

interface Piece {
  readonly time: number;
  readonly points: ArrayLike<number>;
  readonly pointArrays: readonly VtkArray[];
  readonly cellArrays: readonly VtkArray[];
  readonly cells: readonly Cells[];
}

/** Cells of one kind; `offsets` holds the end of each in `connectivity`. */
interface Cells {
  readonly kind: 'Verts' | 'Lines' | 'Polys';
  readonly connectivity: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
}

/** Cells of `size` points each. */
function createCells(kind: Cells['kind'], connectivity: readonly number[], size: number): Cells {
  return { kind, connectivity, offsets: Array.from({ length: connectivity.length / size }, (_, c) => size * (c + 1)) };
}

const PARTS = [
  { type: 'curve', part: 0, suffix: '', encode: encodeVtpCurves },
  { type: 'surface', part: 3, suffix: '.surfaces', encode: encodeVtpSurfaces },
  { type: 'points', part: 4, suffix: '.points', encode: encodeVtpPoints },
  { type: 'yarns', part: 5, suffix: '.yarns', encode: encodeVtpYarns },
] as const;

/**
 * Files of the run: `vtk/<scene>.0001.vtp`, `vtk/<scene>.surfaces.0001.vtp`, `vtk/<scene>.points.0001.vtp`, `vtk/<scene>.yarns.0001.vtp`,
 * `vtk/<scene>.bodies.0001.vtp`, `vtk/<scene>.forces.0001.vtp`, …, and last `vtk/<scene>.pvd`, to be opened.
 */
export function* encodeVtkSequence(run: RecordedRun): Generator<{ path: string; text: string }> {
  const has = (type: string) => run.frames.some(({ objects }) => objects.some((object) => object.type === type));
  const parts = PARTS.filter(({ type }) => has(type));
  const fields = parts.map(({ type }) => collectFieldNames(run.frames, type));
  const entries: string[] = [];
  const list = (frame: Frame, part: number, file: string) =>
    entries.push(`    <DataSet timestep="${frame.time}" group="" part="${part}" file="${escapeXml(file)}"/>`);
  const hasForces = run.frames.some(({ forces }) => forces.length > 0);
  let [bodyFile, bodyPoses] = ['', ''];
  for (const [f, frame] of run.frames.entries()) {
    for (const [p, { part, suffix, encode }] of parts.entries()) {
      const file = nameFrameFile({ ...run, name: run.name + suffix }, f, '.vtp');
      yield { path: `vtk/${file}`, text: encode(frame, fields[p]) };
      list(frame, part, file);
    }
    if (hasForces) {
      const forceFile = nameFrameFile({ ...run, name: `${run.name}.forces` }, f, '.vtp');
      yield { path: `vtk/${forceFile}`, text: encodeVtpForces(frame) };
      list(frame, 2, forceFile);
    }
    if (run.bodies.length === 0) continue;
    const deforms = run.bodies.some((body) => body.poses !== undefined);
    const poses = JSON.stringify([deforms ? frame.time : 0, run.bodies.map((body) => findPose(frame, body))]);
    if (poses !== bodyPoses) {
      [bodyFile, bodyPoses] = [nameFrameFile({ ...run, name: `${run.name}.bodies` }, f, '.vtp'), poses];
      yield { path: `vtk/${bodyFile}`, text: encodeVtpBodies(frame, run.bodies) };
    }
    list(frame, 1, bodyFile);
  }
  const text = formatFile('Collection', '0.1', ['  <Collection>', ...entries, '  </Collection>']);
  yield { path: `vtk/${run.name}.pvd`, text };
}

/** The curves of a frame as VTP text; `fields` are the fields to write, 0 where a curve lacks one. */
export function encodeVtpCurves(frame: Frame, fields: readonly string[] = collectFieldNames([frame], 'curve')): string {
  const curves = selectObjects(frame, 'curve');
  const perNode = (value: (c: number, i: number) => number) =>
    curves.flatMap(({ u }, c) => Array.from(u, (_, i) => value(c, i)));
  const connectivity: number[] = [];
  const offsets: number[] = [];
  let first = 0;
  for (const { u, closed } of curves) {
    for (let i = 0; i < u.length; i++) connectivity.push(first + i);
    if (closed) connectivity.push(first);
    offsets.push(connectivity.length);
    first += u.length;
  }
  return encodePiece({
    time: frame.time,
    points: curves.flatMap(({ x }) => Array.from(x)),
    pointArrays: [
      { name: 'u', type: 'Float64', values: perNode((c, i) => curves[c].u[i]) },
      { name: 'kind', type: 'UInt8', values: perNode((c, i) => curves[c].kind[i]) },
      { name: 'radius', type: 'Float64', values: perNode((c) => curves[c].radius) },
      ...fields.map((name): VtkArray => {
        return { name, type: 'Float64', values: perNode((c, i) => curves[c].fields[name]?.[i] ?? 0) };
      }),
    ],
    cellArrays: [
      { name: 'object', type: 'Int32', values: curves.map((_, c) => c) },
      { name: 'closed', type: 'UInt8', values: curves.map(({ closed }) => Number(closed)) },
      { name: 'restLength', type: 'Float64', values: curves.map(({ restLength }) => restLength) },
    ],
    cells: [{ kind: 'Lines', connectivity, offsets }],
  });
}

/** The sheets of a frame as VTP text: creases as lines, then triangles. */
export function encodeVtpSurfaces(
  frame: Frame,
  fields: readonly string[] = collectFieldNames([frame], 'surface'),
): string {
  const surfaces = selectObjects(frame, 'surface');
  const triangles: number[] = [];
  const creases: number[] = [];
  const object: number[][] = [[], []];
  let first = 0;
  for (const [s, surface] of surfaces.entries()) {
    for (const vertex of surface.creases) creases.push(first + vertex);
    for (const vertex of surface.triangles) triangles.push(first + vertex);
    object[0].push(...new Array<number>(surface.creases.length / 2).fill(s));
    for (let t = 0; t < surface.triangles.length; t += 3) object[1].push(s);
    first += surface.kind.length;
  }
  const perVertex = (values: (surface: (typeof surfaces)[number]) => ArrayLike<number>): number[] =>
    surfaces.flatMap((surface) => Array.from(values(surface)));
  return encodePiece({
    time: frame.time,
    points: perVertex(({ x }) => x),
    pointArrays: [
      { name: 'X', type: 'Float64', components: 2, values: perVertex(({ X }) => X) },
      { name: 'kind', type: 'UInt8', values: perVertex(({ kind }) => kind) },
      { name: 'Normals', type: 'Float64', components: 3, values: perVertex(computeVertexNormals) },
      ...fields.map((name): VtkArray => {
        const values = perVertex((surface) => surface.fields[name] ?? new Float64Array(surface.kind.length));
        return { name, type: 'Float64', values };
      }),
    ],
    cellArrays: [
      { name: 'object', type: 'Int32', values: object.flat() },
      { name: 'crease', type: 'UInt8', values: object.flatMap((list, kind) => list.map(() => 1 - kind)) },
    ],
    cells: [createCells('Lines', creases, 2), createCells('Polys', triangles, 3)],
  });
}

/** The particles of a frame as VTP text. */
export function encodeVtpPoints(
  frame: Frame,
  fields: readonly string[] = collectFieldNames([frame], 'points'),
): string {
  const clouds = selectObjects(frame, 'points');
  const perParticle = (values: (cloud: (typeof clouds)[number], index: number) => ArrayLike<number>): number[] =>
    clouds.flatMap((cloud, index) => Array.from(values(cloud, index)));
  const object = perParticle(({ group }, index) => new Int32Array(group.length).fill(index));
  return encodePiece({
    time: frame.time,
    points: perParticle(({ x }) => x),
    pointArrays: [
      { name: 'group', type: 'UInt8', values: perParticle(({ group }) => group) },
      {
        name: 'radius',
        type: 'Float64',
        values: perParticle(({ group, radius }) => new Float64Array(group.length).fill(radius)),
      },
      { name: 'object', type: 'Int32', values: object },
      ...fields.map((name): VtkArray => {
        const values = perParticle((cloud) => cloud.fields[name] ?? new Float64Array(cloud.group.length));
        return { name, type: 'Float64', values };
      }),
    ],
    cellArrays: [],
    cells: [
      createCells(
        'Verts',
        object.map((_, particle) => particle),
        1,
      ),
    ],
  });
}

/** The yarns of a frame as VTP text: straight from node to node, where the values are. */
export function encodeVtpYarns(frame: Frame, fields: readonly string[] = collectFieldNames([frame], 'yarns')): string {
  const whole = selectObjects(frame, 'yarns');
  const fabrics = whole.map(dropEmptyYarns);
  const firsts = [0];
  for (const { u } of fabrics) firsts.push(firsts[firsts.length - 1] + u.length);
  const collect = (values: (fabric: (typeof fabrics)[number], index: number) => ArrayLike<number>): number[] =>
    fabrics.flatMap((fabric, index) => Array.from(values(fabric, index)));
  const places = firsts[fabrics.length];
  return encodePiece({
    time: frame.time,
    points: collect(({ x }) => x),
    pointArrays: [
      { name: 'u', type: 'Float64', values: collect(({ u }) => u) },
      { name: 'kind', type: 'UInt8', values: collect(({ kind }) => kind) },
      {
        name: 'radius',
        type: 'Float64',
        values: collect(({ u, start, radius }) => {
          const nodes = new Float64Array(u.length);
          for (const [y, r] of radius.entries()) nodes.fill(r, start[y], start[y + 1]);
          return nodes;
        }),
      },
      {
        name: 'other',
        type: 'Int32',
        values: collect(({ other }, f) => other.map((node) => (node < 0 ? -1 : firsts[f] + node))),
      },
      ...fields.map((name): VtkArray => {
        const values = collect((fabric) => fabric.fields[name] ?? new Float64Array(fabric.u.length));
        return { name, type: 'Float64', values };
      }),
    ],
    cellArrays: [
      { name: 'object', type: 'Int32', values: collect(({ radius }, f) => new Int32Array(radius.length).fill(f)) },
      { name: 'yarn', type: 'Int32', values: collect((_, f) => listYarnPlaces(whole[f])) },
      { name: 'layer', type: 'UInt8', values: collect(({ layer }) => layer) },
      { name: 'group', type: 'UInt8', values: collect(({ group }) => group) },
      { name: 'restLength', type: 'Float64', values: collect(({ restLength }) => restLength) },
    ],
    cells: [
      {
        kind: 'Lines',
        connectivity: Int32Array.from({ length: places }, (_, i) => i),
        offsets: collect(({ start }, f) => start.subarray(1).map((end) => firsts[f] + end)),
      },
    ],
  });
}

/** The bodies of a frame as VTP text. */
export function encodeVtpBodies(frame: Frame, bodies: readonly BodyGeometry[]): string {
  const points: number[] = [];
  const normals: number[] = [];
  const connectivity: number[] = [];
  const object: number[] = [];
  for (const [b, body] of bodies.entries()) {
    const { position, orientation } = findPose(frame, body);
    const first = points.length / 3;
    const { positions: p, normals: n } = computeBodyShape(body, frame.time);
    for (let i = 0; i < p.length; i += 3) {
      const turned = rotateVec3(orientation, [p[i], p[i + 1], p[i + 2]]);
      points.push(position[0] + turned[0], position[1] + turned[1], position[2] + turned[2]);
      normals.push(...rotateVec3(orientation, [n[i], n[i + 1], n[i + 2]]));
    }
    for (let i = 0; i < body.indices.length; i++) connectivity.push(first + body.indices[i]);
    for (let i = 0; i < body.indices.length; i += 3) object.push(b);
  }
  return encodePiece({
    time: frame.time,
    points,
    pointArrays: [{ name: 'Normals', type: 'Float64', components: 3, values: normals }],
    cellArrays: [{ name: 'object', type: 'Int32', values: object }],
    cells: [createCells('Polys', connectivity, 3)],
  });
}

/** The forces of a frame as VTP text: one point each. */
export function encodeVtpForces(frame: Frame): string {
  const { forces, objects } = frame;
  const perForce = (value: (force: ForceFrame) => number) =>
    forces.flatMap((force) => new Array<number>(force.x.length / 3).fill(value(force)));
  const points = forces.flatMap(({ x }) => Array.from(x));
  const places = Array.from({ length: points.length / 3 }, (_, i) => i);
  return encodePiece({
    time: frame.time,
    points,
    pointArrays: [
      { name: 'force', type: 'Float64', components: 3, values: forces.flatMap(({ f }) => Array.from(f)) },
      { name: 'contact', type: 'UInt8', values: perForce(({ kind }) => (kind === 'contact' ? 1 : 0)) },
      { name: 'object', type: 'Int32', values: perForce(({ id }) => objects.findIndex((object) => object.id === id)) },
    ],
    cellArrays: [],
    cells: [createCells('Verts', places, 1)],
  });
}

function findPose(frame: Frame, body: BodyGeometry) {
  const pose = frame.bodies.find(({ id }) => id === body.id);
  return {
    position: pose?.position ?? ([0, 0, 0] as const),
    orientation: pose?.orientation ?? ([0, 0, 0, 1] as const),
  };
}

function encodePiece(piece: Piece): string {
  const points: VtkArray = { name: 'Points', type: 'Float64', components: 3, values: piece.points };
  const sections = piece.cells.flatMap(({ kind, connectivity, offsets }) =>
    formatSection(kind, [
      { name: 'connectivity', type: 'Int32', values: connectivity },
      { name: 'offsets', type: 'Int32', values: offsets },
    ]),
  );
  const count = (kind: Cells['kind']) => piece.cells.find((cells) => cells.kind === kind)?.offsets.length ?? 0;
  return formatFile('PolyData', '1.0', [
    '  <PolyData>',
    '    <FieldData>',
    `      ${formatArray({ name: 'TimeValue', type: 'Float64', values: [piece.time] }, ' NumberOfTuples="1"')}`,
    '    </FieldData>',
    `    <Piece NumberOfPoints="${piece.points.length / 3}" NumberOfVerts="${count('Verts')}" NumberOfLines="${count('Lines')}" NumberOfStrips="0" NumberOfPolys="${count('Polys')}">`,
    ...formatSection('PointData', piece.pointArrays),
    ...formatSection('CellData', piece.cellArrays),
    ...formatSection('Points', [points]),
    ...sections,
    '    </Piece>',
    '  </PolyData>',
  ]);
}

function formatFile(type: string, version: string, lines: readonly string[]): string {
  return [
    '<?xml version="1.0"?>',
    `<VTKFile type="${type}" version="${version}" byte_order="LittleEndian"${version === '1.0' ? ' header_type="UInt32"' : ''}>`,
    ...lines,
    '</VTKFile>',
    '',
  ].join('\n');
}

function formatSection(tag: string, arrays: readonly VtkArray[]): string[] {
  const opening =
    tag === 'PointData' && arrays.some(({ name }) => name === 'Normals') ? `${tag} Normals="Normals"` : tag;
  return [`      <${opening}>`, ...arrays.map((array) => `        ${formatArray(array)}`), `      </${tag}>`];
}

function formatArray(array: VtkArray, more = ''): string {
  const { name, type, components = 1, values } = array;
  const attributes = `type="${type}" Name="${escapeXml(name)}" NumberOfComponents="${components}"${more} format="binary"`;
  return `<DataArray ${attributes}>${encodeBase64(encodeValues(type, values))}</DataArray>`;
}

/** The number of bytes, then the numbers. */
function encodeValues(type: ArrayType, values: ArrayLike<number>): Uint8Array {
  const size = ARRAY_TYPES[type];
  const view = new DataView(new ArrayBuffer(4 + size * values.length));
  view.setUint32(0, size * values.length, true);
  for (let i = 0; i < values.length; i++) {
    const at = 4 + size * i;
    if (type === 'Float64') view.setFloat64(at, values[i], true);
    else if (type === 'Int32') view.setInt32(at, values[i], true);
    else view.setUint8(at, values[i]);
  }
  return new Uint8Array(view.buffer);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
