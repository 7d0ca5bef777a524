/**
 * Animated GLB (plain glTF 2.0, no extensions) of a recorded run.
 *
 * Each curve is one mesh: a tube whose rings stand at fixed material coordinates u_j (resample.ts), so its topology
 * lasts while nodes slide, come and go. The first frame is the mesh itself, every later frame f a morph target with
 * displacements x_f − x_0 and n_f − n_0; at the time of frame f weight f is 1 and all others 0, linear in between.
 * The texture coordinate is u / (two checks): the checkerboard is fixed to the material and travels with it.
 * Sheets stand on one material mesh in the same way, particles are points (glb-objects.ts); the yarns of a fabric are one mesh
 * of such tubes (glb-yarns.ts).
 * Each body is a mesh on a node with translation and rotation channels if it moves.
 *
 * A file holds at most 250 frames (renderers keep morph targets in texture layers, of which 256 are guaranteed); a
 * longer run is thinned evenly, first and last frame kept, and the report says so. Times count from the first frame.
 */
import { Document, type Material, type Node, TextureInfo, WebIO } from '@gltf-transform/core';
import { dotQuaternion, normalizeQuaternion, normalizeVec3, type Quaternion } from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { CurveFrame, Frame } from '../model/frame.ts';
import { computeBodyShape } from './body-geometry.ts';
import { addPoints, addSurface } from './glb-objects.ts';
import { addAttributes, addChannel, addMorphs, checkFinite, createAccessor, mapEach, type Stage } from './glb-stage.ts';
import { addYarns } from './glb-yarns.ts';
import { encodeCheckerboardPng } from './png.ts';
import {
  type BodyGeometry,
  collectObjects,
  computeTextureRepeat,
  OBJECT_COLOURS,
  type RecordedRun,
} from './recorded-run.ts';
import { resample } from './resample.ts';
import { chooseSamples } from './resample-run.ts';
import { createTubeTarget, type TubeOptions, writeTube } from './tube.ts';

/** Most frames in one GLB. */
export const LARGEST_GLB_FRAME_COUNT = 250;

export interface GlbOptions {
  /** Vertices around a tube. Default 8. */
  readonly sides?: number;
  /** Rings along each curve (default twice its largest number of nodes, from 48 to 512), fewest vertices of a sheet. */
  readonly samples?: number;
}

export interface GlbReport {
  /** Frames in the file, and in the run. */
  readonly frames: number;
  readonly recordedFrames: number;
  readonly vertices: number;
  /** Sentences about what was left out; empty when nothing was. */
  readonly notes: readonly string[];
}

/** The run as one GLB file. */
export async function encodeGlb(
  run: RecordedRun,
  options: GlbOptions = {},
): Promise<{ bytes: Uint8Array<ArrayBuffer>; report: GlbReport }> {
  const notes: string[] = [];
  const frames = chooseFrames(run, notes);
  const document = new Document();
  document.getRoot().getAsset().generator = 'Heddle';
  const buffer = document.createBuffer();
  const scene = document.createScene(run.name);
  document.getRoot().setDefaultScene(scene);

  const checker = document
    .createTexture('checker')
    .setMimeType('image/png')
    .setImage(encodeCheckerboardPng([255, 255, 255], [95, 95, 95], 16));
  const stage: Stage = {
    document,
    buffer,
    animation: frames.length > 1 ? document.createAnimation(run.name) : null,
    times: createAccessor(document, buffer, 'SCALAR', computeTimes(frames), 'times'),
    frameNames: nameFrames(run, frames),
    weights: null,
    vertices: 0,
  };

  let colour = 0;
  const createMaterial = (id: string): Material => {
    const material = document
      .createMaterial(id)
      .setBaseColorTexture(checker)
      .setBaseColorFactor([...OBJECT_COLOURS[colour++ % OBJECT_COLOURS.length], 1])
      .setMetallicFactor(0)
      .setRoughnessFactor(0.7);
    material.getBaseColorTextureInfo()?.setMagFilter(TextureInfo.MagFilter.NEAREST);
    material.getBaseColorTextureInfo()?.setMinFilter(TextureInfo.MinFilter.LINEAR_MIPMAP_LINEAR);
    return material;
  };
  const repeat = computeTextureRepeat(run);
  for (const [id, sequence] of collectObjects(frames, 'curve')) {
    scene.addChild(addCurve(stage, id, sequence, createMaterial(id), repeat, options));
  }
  for (const [id, sequence] of collectObjects(frames, 'surface')) {
    const material = createMaterial(id).setDoubleSided(true);
    scene.addChild(addSurface(stage, id, sequence, { material, repeat, ...options }));
  }
  for (const [id, sequence] of collectObjects(frames, 'points')) {
    const node = addPoints(stage, id, sequence, notes);
    if (node !== null) scene.addChild(node);
  }
  for (const [id, sequence] of collectObjects(frames, 'yarns')) {
    const node = addYarns(stage, id, sequence, { ...options, colours: run.yarnColours }, notes);
    if (node !== null) scene.addChild(node);
  }
  for (const body of run.bodies) scene.addChild(addBody(stage, body, frames));

  // what nothing refers to would only be weight, and a hint from the validator
  if (colour === 0) checker.dispose();
  if (stage.times.listParents().length < 2) stage.times.dispose();
  if (stage.animation?.listChannels().length === 0) stage.animation.dispose();
  const bytes = await new WebIO().writeBinary(document);
  return {
    bytes,
    report: { frames: frames.length, recordedFrames: run.frames.length, vertices: stage.vertices, notes },
  };
}

/** Frames of increasing time, at most as many as a file holds. */
function chooseFrames(run: RecordedRun, notes: string[]): Frame[] {
  if (run.frames.length === 0) {
    throw new HeddleError(`The run "${run.name}" has no frames to export; run the scene for at least one frame.`);
  }
  // times are stored as 32-bit numbers and must increase as such
  let latest = Number.NEGATIVE_INFINITY;
  const start = run.frames[0].time;
  const increasing = run.frames.filter((frame) => {
    const time = Math.fround(frame.time - start);
    if (!(time > latest)) return false;
    latest = time;
    return true;
  });
  const dropped = run.frames.length - increasing.length;
  if (dropped > 0)
    notes.push(
      `${dropped} frames were left out of the GLB because their time is not later than that of the previous frame.`,
    );
  if (increasing.length <= LARGEST_GLB_FRAME_COUNT) return increasing;
  notes.push(
    `The GLB has ${LARGEST_GLB_FRAME_COUNT} of the ${increasing.length} frames, evenly spaced, because it can hold at most ${LARGEST_GLB_FRAME_COUNT}.`,
  );
  const step = (increasing.length - 1) / (LARGEST_GLB_FRAME_COUNT - 1);
  return Array.from({ length: LARGEST_GLB_FRAME_COUNT }, (_, i) => increasing[Math.round(i * step)]);
}

function computeTimes(frames: readonly Frame[]): Float32Array<ArrayBuffer> {
  return Float32Array.from(frames, (frame) => frame.time - frames[0].time);
}

/** `frame 12`: the number that the frame has in the run, counted from 1 as in the names of OBJ, PLY and PNG files. */
function nameFrames(run: RecordedRun, frames: readonly Frame[]): string[] {
  const numbers = new Map(run.frames.map((frame, f) => [frame, f + 1]));
  return frames.map((frame) => `frame ${numbers.get(frame)}`);
}

function addCurve(
  stage: Stage,
  id: string,
  sequence: readonly CurveFrame[],
  material: Material,
  repeat: number,
  options: GlbOptions,
): Node {
  const { document, buffer } = stage;
  for (const curve of sequence) checkFinite(id, curve.x);
  const samples = chooseSamples(sequence, options.samples);
  const tubeOptions: TubeOptions = { sides: options.sides ?? 8, repeat, joints: 'mitre' };
  const target = createTubeTarget();
  const primitive = document.createPrimitive().setMaterial(material);
  const mesh = document.createMesh(id).addPrimitive(primitive);
  const node = document.createNode(id).setMesh(mesh);
  writeTube(resample(sequence[0], samples), tubeOptions, target);
  const size = 3 * target.vertexCount;
  const positions = target.positions.slice(0, size);
  const normals = target.normals.slice(0, size);
  addAttributes(stage, primitive, positions, normals, target.indices.slice(0, target.indexCount));
  const texcoords = target.texcoords.slice(0, 2 * target.vertexCount);
  primitive.setAttribute('TEXCOORD_0', createAccessor(document, buffer, 'VEC2', texcoords));
  if (stage.animation === null || sequence.every((curve) => isSameShape(curve, sequence[0]))) return node;

  const later = mapEach(sequence.slice(1), (curve) => {
    writeTube(resample(curve, samples), tubeOptions, target);
    return target;
  });
  addMorphs(stage, node, primitive, { positions, normals }, later);
  return node;
}

function addBody(stage: Stage, body: BodyGeometry, frames: readonly Frame[]): Node {
  const { document, buffer } = stage;
  const { opacity = 1 } = body;
  const [red, green, blue] = body.colour;
  const material = document
    .createMaterial(body.id)
    .setBaseColorFactor([red, green, blue, opacity])
    .setAlphaMode(opacity < 1 ? 'BLEND' : 'OPAQUE')
    .setMetallicFactor(0)
    .setRoughnessFactor(0.8)
    .setDoubleSided(true);
  const primitive = document.createPrimitive().setMaterial(material);
  const shapeAt = (time: number) => {
    const shape = computeBodyShape(body, time);
    const positions = Float32Array.from(shape.positions);
    checkFinite(body.id, positions);
    return { positions, normals: computeUnitNormals(shape.normals) };
  };
  const first = shapeAt(frames[0].time);
  addAttributes(stage, primitive, first.positions, first.normals, Uint32Array.from(body.indices));
  const node = document.createNode(body.id).setMesh(document.createMesh(body.id).addPrimitive(primitive));

  const { translations, rotations } = collectPoses(body.id, frames);
  node.setTranslation([translations[0], translations[1], translations[2]]);
  node.setRotation([rotations[0], rotations[1], rotations[2], rotations[3]]);
  if (stage.animation === null) return node;
  if (body.poses)
    addMorphs(
      stage,
      node,
      primitive,
      first,
      mapEach(frames.slice(1), ({ time }) => shapeAt(time)),
    );
  if (translations.some((value, i) => value !== translations[i % 3])) {
    const output = createAccessor(document, buffer, 'VEC3', translations);
    addChannel(stage, stage.animation, node, 'translation', output);
  }
  if (rotations.some((value, i) => value !== rotations[i % 4])) {
    addChannel(stage, stage.animation, node, 'rotation', createAccessor(document, buffer, 'VEC4', rotations));
  }
  return node;
}

/** Poses of a body in all frames; quaternions with the sign that is nearest to the frame before. */
function collectPoses(id: string, frames: readonly Frame[]) {
  const translations = new Float32Array(3 * frames.length);
  const rotations = new Float32Array(4 * frames.length);
  let position: readonly number[] = [0, 0, 0];
  let orientation: Quaternion = [0, 0, 0, 1];
  for (const [f, frame] of frames.entries()) {
    const pose = frame.bodies.find((body) => body.id === id);
    if (pose) {
      const next = normalizeQuaternion(pose.orientation);
      position = pose.position;
      orientation = dotQuaternion(orientation, next) < 0 ? [-next[0], -next[1], -next[2], -next[3]] : next;
    }
    translations.set(position, 3 * f);
    rotations.set(orientation, 4 * f);
  }
  checkFinite(id, translations);
  checkFinite(id, rotations);
  return { translations, rotations };
}

function computeUnitNormals(normals: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const unit = new Float32Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    unit.set(normalizeVec3([normals[i], normals[i + 1], normals[i + 2]], [0, 1, 0]), i);
  }
  return unit;
}

function isSameShape(a: CurveFrame, b: CurveFrame): boolean {
  if (a === b) return true;
  const same = (p: Float64Array, q: Float64Array) => p.length === q.length && p.every((value, i) => value === q[i]);
  return a.radius === b.radius && same(a.u, b.u) && same(a.x, b.x);
}
