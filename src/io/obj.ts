/**
 * Wavefront OBJ text of one frame, and a numbered sequence of them for a run. Curves are tubes (v, vt, vn, f) or
 * polylines through their nodes (v, l); the vt of a tube is (u / two checks, once around). Sheets are triangles (v, vt,
 * vn, f), their vt is X / two checks, their normals are sharp along creases. Yarns of a fabric are tubes round smooth curves through
 * their nodes, or polylines, all in one group. Particles are points (v, p). Bodies are
 * triangles in world space (v, vn, f). Each object and body is an object (o) and a group (g) named by its id: Blender
 * tells parts apart by the one, Maya and Houdini by the other. Indices count from 1 over the whole file. Yarn curves
 * (yarn-curves.ts) are polylines, too.
 */
import { rotateVec3 } from '../math/index.ts';
import { FormatError } from '../model/errors.ts';
import type { BodyFrame, CurveFrame, Frame, PointsFrame, SurfaceFrame } from '../model/frame.ts';
import { computeBodyShape } from './body-geometry.ts';
import type { BodyGeometry, RecordedRun } from './recorded-run.ts';
import { computeTextureRepeat, nameFrameFile } from './recorded-run.ts';
import { computeCreasedMesh, writeSurfaceNormals } from './surface-shading.ts';
import { CURVE_SIDES, computeTube } from './tube.ts';
import type { TubeJoints } from './tube-path.ts';
import { checkYarnCurves, type YarnCurves } from './yarn-curves.ts';
import { computeDrawnYarn, listYarns, YARN_SIDES } from './yarns.ts';

export interface ObjOptions {
  /** How curves are written. Default tube. */
  readonly curves?: 'tube' | 'polyline';
  /** Vertices around a tube. Default 10, of yarns 6. */
  readonly sides?: number;
  /** Joints of the tubes; `mitre` where the topology must not depend on how a curve bends: yarns are polylines then. Default round. */
  readonly joints?: TubeJoints;
  /** Material length of one repeat of the texture [m]. Default 1. */
  readonly repeat?: number;
  readonly bodies?: readonly BodyGeometry[];
}

/** Points in one line of text. */
const POINTS_PER_LINE = 1000;

/** Numbers of v, vt and vn written so far. */
interface ObjCounts {
  position: number;
  texture: number;
  normal: number;
}

/** One frame as OBJ text. */
export function encodeObj(frame: Frame, options: ObjOptions = {}): string {
  const lines = [`# Heddle, time ${frame.time} s, step ${frame.step}`];
  const counts: ObjCounts = { position: 0, texture: 0, normal: 0 };
  for (const object of frame.objects) {
    startObject(object.id, lines);
    if (object.type === 'surface') addSurface(object, options.repeat ?? 1, counts, lines);
    else if (object.type === 'points') addPoints(object, counts, lines);
    else
      for (const curve of object.type === 'yarns' ? listYarns(object) : [object]) {
        if (options.curves === 'polyline') addPolyline(curve, counts, lines);
        else
          addTube(
            object.type === 'yarns' ? computeDrawnYarn(curve, options.joints) : curve,
            { sides: object.type === 'yarns' ? YARN_SIDES : CURVE_SIDES, ...options },
            counts,
            lines,
          );
      }
  }
  for (const geometry of options.bodies ?? []) {
    const pose = frame.bodies.find((body) => body.id === geometry.id);
    startObject(geometry.id, lines);
    addBody({ ...geometry, ...computeBodyShape(geometry, frame.time) }, pose, counts, lines);
  }
  return `${lines.join('\n')}\n`;
}

/** Yarn curves as OBJ text: `v` and `l`, to the bit; a closed one names its first vertex again. Flat ones have z = 0. */
export function encodeObjCurves(file: YarnCurves): string {
  if (file.type !== 'polyline') {
    throw new FormatError('OBJ has no Catmull-Rom curves; convert them to polylines with flattenYarnCurves first.');
  }
  checkYarnCurves(file);
  const lines = ['# Heddle'];
  const counts: ObjCounts = { position: 0, texture: 0, normal: 0 };
  for (const [k, { points, closed }] of file.curves.entries()) {
    const count = points.length / file.dimensions;
    if (count + (closed ? 1 : 0) < 2) {
      throw new FormatError(`curves[${k}] has 1 point; an open line in OBJ needs 2.`);
    }
    const x = Float64Array.from({ length: 3 * count }, (_, i) =>
      i % 3 < file.dimensions ? points[file.dimensions * Math.floor(i / 3) + (i % 3)] : 0,
    );
    addPolyline({ x, closed }, counts, lines);
  }
  return `${lines.join('\n')}\n`;
}

/** One text a frame, made when it is asked for: `obj/<scene>.0001.obj`, … */
export function* encodeObjSequence(
  run: RecordedRun,
  options: ObjOptions = {},
): Generator<{ path: string; text: string }> {
  for (const [f, frame] of run.frames.entries()) {
    const text = encodeObj(frame, { bodies: run.bodies, repeat: computeTextureRepeat(run), ...options });
    yield { path: `obj/${nameFrameFile(run, f, '.obj')}`, text };
  }
}

function addPolyline(
  { x, closed }: { readonly x: ArrayLike<number>; readonly closed: boolean },
  counts: ObjCounts,
  lines: string[],
): void {
  const nodes = x.length / 3;
  for (let i = 0; i < nodes; i++) lines.push(`v ${exact(x[3 * i])} ${exact(x[3 * i + 1])} ${exact(x[3 * i + 2])}`);
  const order = Array.from({ length: nodes }, (_, i) => counts.position + i + 1);
  if (closed) order.push(counts.position + 1);
  lines.push(`l ${order.join(' ')}`);
  counts.position += nodes;
}

function addTube(curve: CurveFrame, options: ObjOptions, counts: ObjCounts, lines: string[]): void {
  const tube = computeTube(curve, {
    sides: options.sides ?? CURVE_SIDES,
    repeat: options.repeat ?? 1,
    joints: options.joints ?? 'round',
  });
  const { positions: p, texcoords: t, normals: n, indices } = tube;
  for (let i = 0; i < p.length; i += 3) lines.push(`v ${single(p[i])} ${single(p[i + 1])} ${single(p[i + 2])}`);
  for (let i = 0; i < t.length; i += 2) lines.push(`vt ${single(t[i])} ${single(t[i + 1])}`);
  for (let i = 0; i < n.length; i += 3) lines.push(`vn ${single(n[i])} ${single(n[i + 1])} ${single(n[i + 2])}`);
  const corner = (vertex: number) =>
    `${counts.position + vertex + 1}/${counts.texture + vertex + 1}/${counts.normal + vertex + 1}`;
  for (let i = 0; i < indices.length; i += 3) {
    lines.push(`f ${corner(indices[i])} ${corner(indices[i + 1])} ${corner(indices[i + 2])}`);
  }
  counts.position += p.length / 3;
  counts.texture += t.length / 2;
  counts.normal += n.length / 3;
}

function addSurface(surface: SurfaceFrame, repeat: number, counts: ObjCounts, lines: string[]): void {
  const { x, X, triangles } = surface;
  const mesh = computeCreasedMesh(surface);
  const n = new Float64Array(3 * mesh.source.length);
  writeSurfaceNormals(x, mesh, n);
  for (let i = 0; i < x.length; i += 3) lines.push(`v ${x[i]} ${x[i + 1]} ${x[i + 2]}`);
  for (let i = 0; i < X.length; i += 2) lines.push(`vt ${single(X[i] / repeat)} ${single(X[i + 1] / repeat)}`);
  for (let i = 0; i < n.length; i += 3) lines.push(`vn ${single(n[i])} ${single(n[i + 1])} ${single(n[i + 2])}`);
  const corner = (at: number) =>
    `${counts.position + triangles[at] + 1}/${counts.texture + triangles[at] + 1}/${counts.normal + mesh.indices[at] + 1}`;
  for (let t = 0; t < triangles.length; t += 3) lines.push(`f ${corner(t)} ${corner(t + 1)} ${corner(t + 2)}`);
  counts.position += x.length / 3;
  counts.texture += X.length / 2;
  counts.normal += n.length / 3;
}

function addPoints({ x }: PointsFrame, counts: ObjCounts, lines: string[]): void {
  for (let i = 0; i < x.length; i += 3) lines.push(`v ${x[i]} ${x[i + 1]} ${x[i + 2]}`);
  const order = Array.from({ length: x.length / 3 }, () => ++counts.position);
  for (let i = 0; i < order.length; i += POINTS_PER_LINE) {
    lines.push(`p ${order.slice(i, i + POINTS_PER_LINE).join(' ')}`);
  }
}

function addBody(geometry: BodyGeometry, pose: BodyFrame | undefined, counts: ObjCounts, lines: string[]): void {
  const { positions: p, normals: n, indices } = geometry;
  const [px, py, pz] = pose?.position ?? [0, 0, 0];
  const orientation = pose?.orientation ?? [0, 0, 0, 1];
  for (let i = 0; i < p.length; i += 3) {
    const [x, y, z] = rotateVec3(orientation, [p[i], p[i + 1], p[i + 2]]);
    lines.push(`v ${px + x} ${py + y} ${pz + z}`);
  }
  for (let i = 0; i < n.length; i += 3) {
    const [x, y, z] = rotateVec3(orientation, [n[i], n[i + 1], n[i + 2]]);
    lines.push(`vn ${x} ${y} ${z}`);
  }
  const corner = (vertex: number) => `${counts.position + vertex + 1}//${counts.normal + vertex + 1}`;
  for (let i = 0; i < indices.length; i += 3) {
    lines.push(`f ${corner(indices[i])} ${corner(indices[i + 1])} ${corner(indices[i + 2])}`);
  }
  counts.position += p.length / 3;
  counts.normal += n.length / 3;
}

/** The shortest text that reads back as the same number, with the sign of zero. */
function exact(value: number): string {
  return Object.is(value, -0) ? '-0' : `${value}`;
}

/** Nine digits: as many as a 32-bit number has. */
function single(value: number): number {
  return Number(value.toPrecision(9));
}

function startObject(id: string, lines: string[]): void {
  lines.push(`o ${formatName(id)}`, `g ${formatName(id)}`);
}

/** A group name ends at white space. */
function formatName(id: string): string {
  return id.replace(/\s+/g, '_');
}
