/**
 * USD (usda 1.0, one layer, no references) of a recorded run, with time samples.
 *
 *   /<scene>            Xform, the default prim; metres, y up
 *   /<scene>/<curve>    BasisCurves, linear: points and curveVertexCounts change together where nodes come and go;
 *                       widths = 2 radius; primvars u [m], kind (0 L, 1 E, 2 EIL) and the curve's fields on its nodes
 *   /<scene>/<sheet>    Mesh whose points and faces change together; st carries X (usda-surface.ts)
 *   /<scene>/<fabric>   BasisCurves, one curve a yarn (usda-yarns.ts)
 *   /<scene>/<cloud>    Points
 *   /<scene>/<body>     Mesh; translate and orient move it
 *
 * With `curves: 'tube'` each curve is a Mesh instead: a tube whose rings stand at fixed material coordinates
 * (resample-run.ts), so that faces last and only points and normals are animated. Its texture coordinate st carries u.
 * Sheets then have one material mesh in all frames (resample-surface.ts).
 *
 * Time code = time · timeCodesPerSecond, which is the rate of the recorded frames. Frame k is recorded on the first step
 * at or after k / rate and gets the code k, as in a film: a reader that shows whole codes shows each frame in its turn.
 */
import { dotQuaternion, normalizeQuaternion, type Quaternion } from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { CurveFrame, Frame } from '../model/frame.ts';
import { computeBodyShape } from './body-geometry.ts';
import {
  type BodyGeometry,
  collectObjects,
  computeTextureRepeat,
  OBJECT_COLOURS,
  type RecordedRun,
} from './recorded-run.ts';
import { resample } from './resample.ts';
import { chooseSamples } from './resample-run.ts';
import { chooseMaterialMesh, resampleSurface } from './resample-surface.ts';
import { createTubeTarget, writeTube } from './tube.ts';
import { addColour, addFaces, addFields, addPrim, checkFinite, formatExtent } from './usda-prims.ts';
import { addPoints, addSurface } from './usda-surface.ts';
import { createIdentifiers, formatNumbers, formatSingle, formatTuples, quote, UsdaText } from './usda-text.ts';
import { addYarnCurves, addYarnTubes } from './usda-yarns.ts';

export interface UsdaOptions {
  /** `curves`: the nodes as they are. `tube`: meshes of one topology. Default curves. */
  readonly curves?: 'curves' | 'tube';
  /** Vertices around a tube. Default 8. */
  readonly sides?: number;
  /** Rings along each tube (default twice its largest number of nodes, from 48 to 512), fewest vertices of a sheet. */
  readonly samples?: number;
}

/** The run as one USD layer; `notes` are sentences about what was left out. */
export function encodeUsda(
  run: RecordedRun,
  options: UsdaOptions = {},
): { bytes: Uint8Array<ArrayBuffer>; notes: readonly string[] } {
  if (run.frames.length === 0) {
    throw new HeddleError(`The run "${run.name}" has no frames to export; run the scene for at least one frame.`);
  }
  const rate = computeRate(run);
  const { frames, codes } = chooseFrames(run.frames, rate);
  const out = new UsdaText(codes);
  const rootName = createIdentifiers()(run.name);
  writeHeader(run, rootName, codes, rate, out);
  out.line('');
  out.line(`def Xform "${rootName}"`);
  out.block('{', '}', () => {
    const identify = createIdentifiers();
    let colour = 0;
    for (const [id, sequence] of collectObjects(frames, 'curve')) {
      for (const { x } of sequence) checkFinite(id, x);
      const shade = OBJECT_COLOURS[colour++ % OBJECT_COLOURS.length];
      if (options.curves === 'tube')
        addTube(identify(id), id, sequence, shade, computeTextureRepeat(run), options, out);
      else addCurves(identify(id), id, sequence, shade, out);
    }
    for (const [id, sequence] of collectObjects(frames, 'surface')) {
      const shade = OBJECT_COLOURS[colour++ % OBJECT_COLOURS.length];
      const mesh = options.curves === 'tube' ? chooseMaterialMesh(sequence, options.samples) : undefined;
      const shown = mesh ? sequence.map((surface) => resampleSurface(surface, mesh)) : sequence;
      addSurface(identify(id), id, shown, { colour: shade, repeat: computeTextureRepeat(run) }, out);
    }
    for (const [id, sequence] of collectObjects(frames, 'yarns')) {
      if (options.curves === 'tube')
        addYarnTubes(identify(id), id, sequence, { sides: 6, ...options, colours: run.yarnColours }, out);
      else addYarnCurves(identify(id), id, sequence, run.yarnColours, out);
    }
    for (const [id, sequence] of collectObjects(frames, 'points')) addPoints(identify(id), id, sequence, out);
    for (const body of run.bodies) addBody(identify(body.id), body, frames, out);
  });
  const dropped = run.frames.length - frames.length;
  const notes =
    dropped > 0
      ? [
          `${dropped} frames were left out of the USD file because their time is not later than that of the previous frame.`,
        ]
      : [];
  return { bytes: out.finish(), notes };
}

/** Frames a second; a whole number where it has to be found from their times, 24 (which USD assumes) for one frame. */
function computeRate({ frames, framesPerSecond }: RecordedRun): number {
  if (framesPerSecond !== undefined && framesPerSecond > 0) return framesPerSecond;
  const span = frames[frames.length - 1].time - frames[0].time;
  return frames.length > 1 && span > 0 ? Math.max(1, Math.round((frames.length - 1) / span)) : 24;
}

/** Frames whose time codes increase. The last frame of a run may stand between two codes. */
function chooseFrames(recorded: readonly Frame[], rate: number): { frames: Frame[]; codes: number[] } {
  const frames: Frame[] = [];
  const codes: number[] = [];
  let [latest, latestExact] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const frame of recorded) {
    // 12 digits take the rounding out of 3 · (1/60) · 60
    const exact = Number((frame.time * rate).toPrecision(12));
    if (!(exact > latestExact)) continue;
    latest = Math.floor(exact) > latest ? Math.floor(exact) : exact;
    latestExact = exact;
    frames.push(frame);
    codes.push(latest);
  }
  return { frames, codes };
}

function writeHeader(run: RecordedRun, rootName: string, codes: readonly number[], rate: number, out: UsdaText): void {
  out.line('#usda 1.0');
  out.block('(', ')', () => {
    out.line(`defaultPrim = "${rootName}"`);
    out.line(`doc = ${quote(`Heddle: ${run.name}`)}`);
    out.line(`endTimeCode = ${codes[codes.length - 1]}`);
    out.line(`framesPerSecond = ${rate}`);
    out.line('metersPerUnit = 1');
    out.line(`startTimeCode = ${codes[0]}`);
    out.line(`timeCodesPerSecond = ${rate}`);
    out.line('upAxis = "Y"');
  });
}

function addCurves(
  name: string,
  id: string,
  sequence: readonly CurveFrame[],
  colour: readonly number[],
  out: UsdaText,
): void {
  addPrim('BasisCurves', name, id, out, () => {
    out.line('uniform token type = "linear"');
    out.line(`uniform token wrap = "${sequence[0].closed ? 'periodic' : 'nonperiodic'}"`);
    out.attribute(
      'int[] curveVertexCounts',
      sequence.map(({ u }) => `[${u.length}]`),
    );
    out.attribute(
      'point3f[] points',
      sequence.map(({ x }) => formatTuples(x, 3)),
    );
    out.attribute(
      'float[] widths',
      sequence.map(({ radius }) => `[${formatSingle(2 * radius)}]`),
      'constant',
    );
    out.attribute(
      'float3[] extent',
      sequence.map(({ x, radius }) => formatExtent(x, radius)),
    );
    addColour(colour, out);
    out.attribute(
      'float[] primvars:u',
      sequence.map(({ u }) => formatNumbers(u)),
      'vertex',
    );
    out.attribute(
      'int[] primvars:kind',
      sequence.map(({ kind }) => `[${kind.join(', ')}]`),
      'vertex',
    );
    addFields(id, sequence, ['u', 'kind', 'widths'], out);
  });
}

function addTube(
  name: string,
  id: string,
  sequence: readonly CurveFrame[],
  colour: readonly number[],
  repeat: number,
  options: UsdaOptions,
  out: UsdaText,
): void {
  const at = chooseSamples(sequence, options.samples);
  const target = createTubeTarget();
  const points: string[] = [];
  const normals: string[] = [];
  const extents: string[] = [];
  for (const curve of sequence) {
    writeTube(resample(curve, at), { sides: options.sides ?? 8, repeat, joints: 'mitre' }, target);
    const positions = target.positions.subarray(0, 3 * target.vertexCount);
    points.push(formatTuples(positions, 3));
    normals.push(formatTuples(target.normals.subarray(0, 3 * target.vertexCount), 3));
    extents.push(formatExtent(positions, 0));
  }
  addPrim('Mesh', name, id, out, () => {
    addFaces([target.indices.subarray(0, target.indexCount)], out);
    out.attribute('point3f[] points', points);
    out.attribute('normal3f[] normals', normals, 'vertex');
    out.attribute('float3[] extent', extents);
    addColour(colour, out);
    const texcoords = target.texcoords.subarray(0, 2 * target.vertexCount);
    out.attribute('texCoord2f[] primvars:st', [formatTuples(texcoords, 2)], 'vertex');
    out.attribute(
      'float[] primvars:u',
      [formatNumbers(texcoords.filter((_, i) => i % 2 === 0).map((s) => s * repeat))],
      'vertex',
    );
  });
}

function addBody(name: string, body: BodyGeometry, frames: readonly Frame[], out: UsdaText): void {
  const shapes = (body.poses ? frames : frames.slice(0, 1)).map(({ time }) => computeBodyShape(body, time));
  for (const { positions, normals } of shapes) {
    checkFinite(body.id, positions);
    checkFinite(body.id, normals);
  }
  const { translations, rotations } = collectPoses(body.id, frames);
  addPrim('Mesh', name, body.id, out, () => {
    addFaces([body.indices], out);
    out.line('uniform bool doubleSided = 1');
    out.attribute(
      'point3f[] points',
      shapes.map(({ positions }) => formatTuples(positions, 3)),
    );
    out.attribute(
      'normal3f[] normals',
      shapes.map(({ normals }) => formatTuples(normals, 3)),
      'vertex',
    );
    out.attribute(
      'float3[] extent',
      shapes.map(({ positions }) => formatExtent(positions, 0)),
    );
    addColour(body.colour, out);
    if (body.opacity !== undefined && body.opacity < 1)
      out.attribute('float[] primvars:displayOpacity', [formatNumbers([body.opacity])], 'constant');
    out.attribute('double3 xformOp:translate', translations);
    out.attribute('quatf xformOp:orient', rotations);
    out.line('uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]');
  });
}

/** Poses of a body as `(x, y, z)` and `(w, x, y, z)`, quaternions with the sign that is nearest to the frame before. */
function collectPoses(id: string, frames: readonly Frame[]): { translations: string[]; rotations: string[] } {
  const translations: string[] = [];
  const rotations: string[] = [];
  let position: readonly number[] = [0, 0, 0];
  let orientation: Quaternion = [0, 0, 0, 1];
  for (const frame of frames) {
    const pose = frame.bodies.find((body) => body.id === id);
    if (pose) {
      checkFinite(id, [...pose.position, ...pose.orientation]);
      const next = normalizeQuaternion(pose.orientation);
      position = pose.position;
      orientation = dotQuaternion(orientation, next) < 0 ? [-next[0], -next[1], -next[2], -next[3]] : next;
    }
    const [x, y, z, w] = orientation;
    translations.push(`(${position.map((value) => value + 0).join(', ')})`);
    rotations.push(`(${[w, x, y, z].map(formatSingle).join(', ')})`);
  }
  return { translations, rotations };
}
