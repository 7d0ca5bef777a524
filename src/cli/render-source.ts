/**
 * What `heddle render` draws: the frames of a run folder, or of a scene that is simulated here and now. All frames are
 * looked at once for what they span; only those to be drawn are kept.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BodyGeometry, collectBodyVertices, computeBodyGeometry, readFrame, readScene } from '../io/index.ts';
import type { Frame } from '../model/frame.ts';
import { addFrameToLimits, createFrameLimits, type FrameLimits } from '../model/frame-limits.ts';
import { countSteps, isMoment, parseScene, type Scene } from '../scene/index.ts';
import type { Context } from './context.ts';
import { FileError, readBytes, showPath } from './files.ts';
import { visitChunks } from './frame-file-disk.ts';
import { readLimits } from './limits.ts';
import { findBoundedBodies } from './render-frames.ts';
import { RUN_FILE } from './run-folder.ts';
import { compileLoaded, findScenePath, loadScene } from './scene-source.ts';

/** Something with recorded frames. */
export interface FrameSource {
  readonly scene: Scene;
  /** Triangles of the bounded bodies. */
  readonly bodies: readonly BodyGeometry[];
  /** The run folder, or where a run of the scene would go. */
  readonly folder: string;
  /** Times of all frames [s]. */
  readonly times: readonly number[];
  readonly limits: FrameLimits;
  /** The frames at these places of `times`. */
  readonly readFrames: (places: readonly number[]) => Frame[];
}

/** Opens a run folder, or simulates the scene of that name or file. */
export function openFrameSource(argument: string, context: Context): FrameSource {
  const folder = resolve(context.folder, argument);
  return existsSync(join(folder, RUN_FILE)) ? openRun(folder, context) : simulateScene(argument, context);
}

function openRun(folder: string, context: Context): FrameSource {
  const path = join(folder, RUN_FILE);
  const shown = showPath(path, context.folder);
  let text: string | undefined;
  visitChunks(path, (chunk) => {
    if (chunk.type === 'SCEN') text = readScene(chunk.bytes, chunk.entry).text;
  });
  if (text === undefined)
    throw new FileError(`${shown} has no scene; the file is damaged at its start: run the scene again.`);
  const allowed = readLimits(context);
  const scene = parseScene(text, { source: shown, limits: allowed });
  const readFile = (name: string) => readBytes(join(folder, name), allowed.fileBytes);
  const world = compileLoaded({ scene, path, readFile, limits: allowed }, context);
  const bodies = findBoundedBodies(scene, computeBodyGeometry(world, scene));
  const { limits, times, add } = createSurvey(bodies);
  const visitFrames = (visit: (frame: Frame) => void) =>
    visitChunks(path, (chunk) => {
      if (chunk.type === 'FRAM') visit(readFrame(chunk.bytes, chunk.entry));
    });
  visitFrames(add);
  if (times.length === 0) throw new FileError(`${shown} has no frames; run the scene again.`);
  const readFrames = (places: readonly number[]) => {
    const wanted = new Set(places);
    const frames: Frame[] = [];
    let place = 0;
    visitFrames((frame) => {
      if (wanted.has(place++)) frames.push(frame);
    });
    return frames;
  };
  return { scene, bodies, folder, times, limits, readFrames };
}

function simulateScene(argument: string, context: Context): FrameSource {
  const loaded = loadScene(findScenePath(argument, context.folder), context.folder, [], readLimits(context));
  const { scene } = loaded;
  const world = compileLoaded(loaded, context);
  const bodies = findBoundedBodies(scene, computeBodyGeometry(world, scene));
  const { limits, times, add } = createSurvey(bodies);
  const { step, duration } = scene.time;
  const steps = countSteps(duration, step);
  const frames: Frame[] = [];
  context.stdout.write(`Simulating ${scene.name} …\n`);
  for (;;) {
    if (world.steps === steps || isMoment(world.steps, step, scene.output.framesPerSecond)) {
      const frame = world.frame();
      frames.push(frame);
      add(frame);
    }
    if (world.steps >= steps) break;
    world.step();
  }
  const folder = resolve(context.folder, 'out', scene.name);
  return { scene, bodies, folder, times, limits, readFrames: (places) => places.map((place) => frames[place]) };
}

/** Collects times and limits of frames. */
function createSurvey(bodies: readonly BodyGeometry[]) {
  const limits = createFrameLimits();
  const times: number[] = [];
  const vertices = collectBodyVertices(bodies);
  const add = (frame: Frame): void => {
    times.push(frame.time);
    addFrameToLimits(frame, vertices, limits);
  };
  return { limits, times, add };
}
