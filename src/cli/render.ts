/** `heddle render`: images, a video and an animated PNG of a run or a scene. */

import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { HeddleError } from '../model/errors.ts';
import { createAnimation } from './animated-png.ts';
import { requireChromium } from './chromium.ts';
import type { Context } from './context.ts';
import { makeFolder, showPath, writeWhole } from './files.ts';
import { Renderer } from './render-frames.ts';
import { type FrameSource, openFrameSource } from './render-source.ts';
import { createVideo, hasFfmpeg, type Video } from './render-video.ts';

export interface RenderCommandOptions {
  readonly out?: string;
  readonly size: readonly [number, number];
  readonly time?: number;
  readonly frames?: readonly [number, number];
  readonly every: number;
  readonly colour?: string;
  readonly bar?: boolean;
  readonly video?: boolean;
  readonly animation?: boolean;
}

const COLOURS = ['checker', 'speed', 'tension', 'strain', 'curvature', 'twist', 'stress', 'load', 'slip', 'pressure'];

const EXAMPLES = `
Examples:
  heddle render out/strand-corner                   an image of every frame of a run
  heddle render out/strand-corner --time 0.5        one image
  heddle render out/strand-corner --frames 1..60 --every 10
  heddle render strand-corner --video               simulate a scene and make a video of it
  heddle render strand-corner --animation --every 4    an animated PNG of 15 frames per second
  heddle render out/strand-corner --colour tension --size 1920x1080

Images go to png/ in the run folder, numbered like the frames of the run; the video and the
animated PNG go into the run folder.`;

export function configureRender(command: Command, context: Context): void {
  command
    .argument('<run or scene>', 'run folder, name of a gallery scene, or path of a scene file')
    .option('-o, --out <folder>', 'folder for the images (default: the run folder, or out/<name of the scene>)')
    .option('--size <width x height>', 'size in pixels', parseSize, [1280, 720] as const)
    .option('--time <time>', 'only the frame nearest to this time [s]', parseTime)
    .option('--frames <a..b>', 'only the frames with these numbers, counted from 1', parseRange)
    .option('--every <n>', 'only every n-th frame', parseCount, 1)
    .addOption(new Option('--colour <what>', "quantity that colours show (default: the scene's own)").choices(COLOURS))
    .option('--bar', 'also draw the material of the first rod as a bar with its nodes')
    .option('--video', 'also write an MP4 video (needs ffmpeg)')
    .option('--animation', 'also write an animated PNG of at most 255 colours, for web pages')
    .addHelpText('after', EXAMPLES)
    .action((argument: string, options: RenderCommandOptions) => render(argument, options, context));
}

function parseSize(text: string): [number, number] {
  const match = /^(\d+)\s*[x×]\s*(\d+)$/.exec(text);
  const size = [Number(match?.[1]), Number(match?.[2])] as [number, number];
  if (!size.every((side) => side >= 16 && side <= 4096)) {
    throw new InvalidArgumentError('It must be width x height in pixels, each from 16 to 4096, such as 1280x720.');
  }
  return size;
}

function parseTime(text: string): number {
  const time = Number(text);
  if (text.trim() === '' || !(time >= 0) || !Number.isFinite(time)) {
    throw new InvalidArgumentError('It must be a time in seconds, >= 0.');
  }
  return time;
}

function parseRange(text: string): [number, number] {
  const match = /^(\d+)(?:\.\.(\d+))?$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (!(first >= 1 && last >= first)) {
    throw new InvalidArgumentError('It must be two frame numbers a..b with 1 <= a <= b, such as 1..60.');
  }
  return [first, last];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number, >= 1.');
  return count;
}

/** Places of the frames to draw, counted from 0. */
function choosePlaces(times: readonly number[], options: RenderCommandOptions): number[] {
  const { time, frames, every } = options;
  if (time !== undefined) {
    if (frames !== undefined || every !== 1) {
      throw new HeddleError('--time chooses one frame; leave out --frames and --every, or leave out --time.');
    }
    let best = 0;
    for (let i = 1; i < times.length; i++) if (Math.abs(times[i] - time) < Math.abs(times[best] - time)) best = i;
    return [best];
  }
  const [first, last] = frames ?? [1, times.length];
  if (last > times.length) {
    throw new HeddleError(
      `--frames is ${first}..${last}, but there are ${times.length} frames; end at ${times.length}.`,
    );
  }
  const places: number[] = [];
  for (let number = first; number <= last; number += every) places.push(number - 1);
  return places;
}

/** Draws the images of a run or a scene. */
export async function render(argument: string, options: RenderCommandOptions, context: Context): Promise<void> {
  // before a long simulation, not after it
  requireChromium();
  const source = openFrameSource(argument, context);
  const places = choosePlaces(source.times, options);
  const folder = options.out === undefined ? source.folder : resolve(context.folder, options.out);
  const videos = startVideos(folder, source, options, context);
  const view = {
    ...source.scene.view,
    ...(options.colour === undefined ? {} : { colour: options.colour }),
    ...(options.bar === true ? { bar: true } : {}),
  };
  const scene = { ...source.scene, view };
  const renderer = await Renderer.open({ ...source, scene, size: options.size });
  try {
    await drawImages(renderer, source, places, folder, videos, context);
  } finally {
    await renderer.close();
  }
}

/** A video that is being made, and what to call it. */
interface NamedVideo extends Video {
  readonly kind: string;
  readonly path: string;
}

/** Opens the videos that are asked for; without ffmpeg says so, and the images are still drawn. */
function startVideos(
  folder: string,
  source: FrameSource,
  options: RenderCommandOptions,
  context: Context,
): NamedVideo[] {
  const rate = source.scene.output.framesPerSecond / options.every;
  const videos: NamedVideo[] = [];
  const start = (kind: string, extension: string, create: (path: string, rate: number) => Video) => {
    makeFolder(folder);
    const path = join(folder, `${source.scene.name}${extension}`);
    videos.push({ kind, path, ...create(path, rate) });
  };
  if (options.video === true && hasFfmpeg()) start('video', '.mp4', createVideo);
  else if (options.video === true) {
    context.stderr.write(
      'No video will be written, because ffmpeg was not found; install it (Debian: apt-get install ffmpeg).\n',
    );
    context.exitCode = 2;
  }
  if (options.animation === true) start('animation', '.animated.png', createAnimation);
  return videos;
}

async function drawImages(
  renderer: Renderer,
  source: FrameSource,
  places: readonly number[],
  folder: string,
  videos: readonly NamedVideo[],
  context: Context,
): Promise<void> {
  const { scene } = source;
  const { stdout } = context;
  const images = join(folder, 'png');
  makeFolder(images);
  const digits = Math.max(4, String(source.times.length).length);
  let path = '';
  for (const [k, frame] of source.readFrames(places).entries()) {
    if (stdout.isTerminal) stdout.write(`\rDrawing image ${k + 1} of ${places.length} `);
    const image = await renderer.draw(frame);
    path = join(images, `${scene.name}.${String(places[k] + 1).padStart(digits, '0')}.png`);
    writeWhole(path, image);
    for (const video of videos) await video.add(image);
  }
  for (const video of videos) await video.end();
  if (stdout.isTerminal) stdout.write('\r\x1b[K');
  const count = places.length === 1 ? 'one image' : `${places.length} images, the last one`;
  stdout.write(`${scene.name}: ${count} ${showPath(path, context.folder)}\n`);
  for (const { kind, path } of videos) stdout.write(`  ${kind} ${showPath(path, context.folder)}\n`);
}
