/** Blender, where it is installed, and the shapes that Heddle's files should have in it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BodyGeometry,
  CURVE_SIDES,
  chooseMaterialMesh,
  chooseSamples,
  chooseYarnSamples,
  computeBodyShape,
  computeDrawnYarn,
  computeTube,
  computeYarnTubes,
  createTubeTarget,
  listYarns,
  type RecordedRun,
  resample,
  resampleSurface,
  resampleYarns,
  writeTube,
  YARN_SIDES,
} from 'heddle/io';
import { rotateVec3 } from 'heddle/math';
import type { Frame, ObjectFrame } from 'heddle/model';

/** Sides of the tubes in a GLB. */
const GLB_SIDES = 8;

/** The command, by BLENDER_PATH or the search path; none where there is no Blender. */
export function findBlender(): string | undefined {
  const command = process.env.BLENDER_PATH ?? 'blender';
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0 ? command : undefined;
}

export interface BlenderFile {
  readonly path: string;
  /** Places on the timeline at which positions are read. */
  readonly frames: readonly number[];
}

export interface BlenderObject {
  readonly materials: readonly string[];
  readonly shapeKeys: readonly string[];
  readonly faces: number;
  /** Vertices in Blender's world space, z up, one array per frame [m]. */
  readonly frames: readonly Float32Array[];
}

export interface OpenedFile {
  readonly objects: Readonly<Record<string, BlenderObject>>;
  /** First and last key of each action, by name. */
  readonly actions: Readonly<Record<string, readonly [number, number]>>;
}

/** Opens the files one after the other in one Blender, each in an empty scene of that rate. */
export function openInBlender(
  command: string,
  folder: string,
  framesPerSecond: number,
  files: readonly BlenderFile[],
): OpenedFile[] {
  const [job, answer] = [join(folder, 'job.json'), join(folder, 'answer.json')];
  writeFileSync(job, JSON.stringify({ framesPerSecond, files }));
  const script = fileURLToPath(new URL('read-in-blender.py', import.meta.url));
  const options = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script];
  const { status, stdout, stderr } = spawnSync(command, [...options, '--', job, answer], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`Blender ended with ${status}: ${stdout.slice(-3000)} ${stderr.slice(-3000)}`);
  const read = JSON.parse(readFileSync(answer, 'utf8')) as {
    files: (OpenedFile & { objects: Record<string, { frames: string[] }> })[];
  };
  return read.files.map(({ objects, actions }) => ({
    actions,
    objects: Object.fromEntries(
      Object.entries(objects).map(([name, object]) => [name, { ...object, frames: object.frames.map(decodeSingles) }]),
    ),
  }));
}

function decodeSingles(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer);
}

/** Vertices and triangles of one object; no triangles of particles. */
export interface Shape {
  readonly id: string;
  readonly positions: ArrayLike<number>;
  readonly indices?: ArrayLike<number>;
}

/** The objects as frame `f` shows them, on meshes of that frame: what OBJ and PLY hold. */
export function computeFrameShapes(run: RecordedRun, f: number): Shape[] {
  const objects = run.frames[f].objects.map((object): Shape => {
    const { id } = object;
    if (object.type === 'points') return { id, positions: object.x };
    if (object.type === 'surface') return { id, positions: object.x, indices: object.triangles };
    if (object.type === 'curve') return { id, ...computeTube(object, { sides: CURVE_SIDES }) };
    const tubes = listYarns(object).map((yarn) => computeTube(computeDrawnYarn(yarn), { sides: YARN_SIDES }));
    return { id, ...joinShapes(tubes) };
  });
  return [...objects, ...run.bodies.map((body) => placeBody(body, run.frames[f]))];
}

/** The objects as frame `f` shows them, on meshes that are the same in all frames: what a GLB holds. */
export function computeMaterialShapes(run: RecordedRun, f: number): Shape[] {
  const objects = run.frames[f].objects.map((object): Shape => {
    const { id } = object;
    if (object.type === 'points') return { id, positions: object.x };
    if (object.type === 'surface') {
      const mesh = chooseMaterialMesh(collectSequence(run, object));
      return { id, positions: resampleSurface(object, mesh).x, indices: mesh.triangles };
    }
    const sides = GLB_SIDES;
    if (object.type === 'curve') {
      const sequence = collectSequence(run, object);
      const samples = chooseSamples(sequence, undefined);
      // where a ring begins is carried from frame to frame, so that tubes do not twist
      const target = createTubeTarget();
      for (const curve of sequence.slice(0, f + 1)) {
        writeTube(resample(curve, samples), { sides, joints: 'mitre' }, target);
      }
      const { positions, vertexCount, indices, indexCount } = target;
      return { id, positions: positions.slice(0, 3 * vertexCount), indices: indices.slice(0, indexCount) };
    }
    const sequence = collectSequence(run, object);
    return {
      id,
      ...computeYarnTubes(resampleYarns(sequence, f, chooseYarnSamples(sequence)), { sides, repeat: 1 }),
    };
  });
  return [...objects, ...run.bodies.map((body) => placeBody(body, run.frames[f]))];
}

/** The same object in all frames. */
const collectSequence = <T extends ObjectFrame>(run: RecordedRun, { id, type }: T): T[] =>
  run.frames.map(({ objects }) => objects.find((object) => object.id === id && object.type === type) as T);

function placeBody(body: BodyGeometry, frame: Frame): Shape {
  const { positions: local } = computeBodyShape(body, frame.time);
  const pose = frame.bodies.find(({ id }) => id === body.id)!;
  const positions = new Float64Array(local.length);
  for (let i = 0; i < local.length; i += 3) {
    const [x, y, z] = rotateVec3(pose.orientation, [local[i], local[i + 1], local[i + 2]]);
    positions.set([pose.position[0] + x, pose.position[1] + y, pose.position[2] + z], i);
  }
  return { id: body.id, positions, indices: body.indices };
}

/** Shapes one after the other as one mesh. */
export function joinShapes(shapes: readonly Omit<Shape, 'id'>[]): { positions: Float64Array; indices: Uint32Array } {
  const firsts: number[] = [];
  let vertices = 0;
  for (const { positions } of shapes) {
    firsts.push(vertices);
    vertices += positions.length / 3;
  }
  const positions = new Float64Array(3 * vertices);
  for (const [k, shape] of shapes.entries()) positions.set(Array.from(shape.positions), 3 * firsts[k]);
  const indices = shapes.flatMap((shape, k) => Array.from(shape.indices ?? [], (index) => index + firsts[k]));
  return { positions, indices: Uint32Array.from(indices) };
}

/** Positions of the vertices that a triangle names; of particles all. Blender's importers leave out the others. */
export function selectUsed({ positions, indices }: Shape): Float64Array {
  if (indices === undefined) return Float64Array.from(positions);
  const used = [...new Set(Array.from(indices))].sort((a, b) => a - b);
  return Float64Array.from(used.flatMap((v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]));
}
