/** Files in and out: dropped runs and scenes with meshes, every export of a dropped run, films, and links with meshes. */

import { SCENES } from 'virtual:heddle-gallery';
import { compile, type Frame, validateScene } from 'heddle';
import { EXPORTERS, encodeFrame, encodeHeader, encodeProbeColumns, encodeProbeRows, encodeScene } from 'heddle/io';
import type { SceneInput } from 'heddle/scene';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commands } from 'vitest/browser';
import { Film } from '../../studio/src/app/film.ts';
import { Recording } from '../../studio/src/app/recording.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import type { HeddleTakeAway } from '../../studio/src/app/take-away.ts';
import { readWebm } from '../unit/webm-reader.ts';
import { createEngineScene } from './engine-scene.ts';
import { countColours, pause, settle } from './scene-acts.ts';
import { dropFiles, dropScene, findScene, openApp, openScene } from './studio-page.ts';
import { lookUntil, until } from './until.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Errors and warnings of gltf-validator. */
    validateGltf(base64: string): Promise<string[]>;
  }
}

let complaints: string[] = [];
/** What was offered as a file. */
let saved: { name: string; bytes: Uint8Array<ArrayBuffer> }[] = [];

beforeEach(() => {
  complaints = [];
  saved = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(async function (this: HTMLAnchorElement) {
    const name = this.download;
    saved.push({ name, bytes: new Uint8Array(await (await fetch(this.href)).arrayBuffer()) });
  });
});

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A tetrahedron on its tip as OBJ; its face lies 1 mm below the end of the strand, which falls on it. */
const TETRAHEDRON = `v -0.3 -0.605 -0.3
v 0.4 -0.605 -0.3
v 0.05 -0.605 0.4
v 0.05 -0.9 0
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
`;

/** The engine's scene with a body of a mesh file. */
const createMeshScene = (file = 'tetrahedron.obj', position: [number, number, number] = [0, 0, 0]): SceneInput => ({
  ...createEngineScene(true),
  bodies: [{ id: 'rock', shape: { type: 'mesh', file }, position }],
  time: { step: 0.005, duration: 1 },
});

const COUNT = 6;
/** Of a film of that run, which says nothing about pictures a second [ms]. */
const PICTURE = 17;

const readTetrahedron = () => new TextEncoder().encode(TETRAHEDRON);

/** A run of the scene with a mesh, as `heddle run` writes it, and its frames. */
function createRun(): { file: File; frames: Frame[] } {
  const world = compile(validateScene(createMeshScene()), { readFile: readTetrahedron });
  const parts = [encodeHeader(), encodeScene(JSON.stringify(createMeshScene()))];
  const row = new Float64Array(world.probeColumns.length);
  parts.push(encodeProbeColumns(['time', ...world.probeColumns]));
  const frames = Array.from({ length: COUNT }, () => {
    for (let i = 0; i < 20; i++) world.step();
    world.writeProbes(row);
    parts.push(encodeProbeRows([[world.time, ...row]]), encodeFrame(world.frame()));
    return world.frame();
  });
  return { file: new File(parts, 'run.heddle'), frames };
}

const mesh = () => new File([TETRAHEDRON], 'tetrahedron.obj');

/** The panel of what can be taken away, opened as a person does. */
async function openTakeAway(page: HeddleScenePage): Promise<HeddleTakeAway> {
  page.shadowRoot!.querySelector<HTMLElement>('#tab-take-away')!.click();
  const panel = await until(() => page.shadowRoot!.querySelector('heddle-take-away') as HeddleTakeAway | null);
  await until(() => panel.formats.length > 0);
  await panel.updateComplete;
  return panel;
}

function findItem(panel: HeddleTakeAway, title: string): HTMLElement {
  const items = [...panel.shadowRoot!.querySelectorAll<HTMLElement>('.item')];
  const item = items.find((candidate) => candidate.querySelector('b')!.textContent!.trim() === title);
  if (item === undefined) throw new Error(`there is no ${title} among ${items.map(({ textContent }) => textContent)}`);
  return item;
}

const decode = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

/** Names and contents of the files in a ZIP without compression. */
function readZip(bytes: Uint8Array): { name: string; bytes: Uint8Array }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
    const [size, name] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
    const start = at + 30 + name + view.getUint16(at + 28, true);
    files.push({ name: decode(bytes.subarray(at + 30, at + 30 + name)), bytes: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return files;
}

/** The first letters of the files of each format, and how many a run of COUNT frames has. */
const HEADERS: Readonly<Record<string, { count: number; begin: RegExp }>> = {
  glb: { count: 1, begin: /^glTF/ },
  obj: { count: COUNT, begin: /^(#[^\n]*\n)*(o|g|v|mtllib) / },
  ply: { count: COUNT, begin: /^ply\nformat / },
  usda: { count: 1, begin: /^#usda 1\.0\n/ },
  'usda-fixed': { count: 1, begin: /^#usda 1\.0\n/ },
  vtk: { count: 0, begin: /^<\?xml|^<VTKFile/ },
  bcc: { count: COUNT, begin: /^BCC/ },
  'obj-curves': { count: COUNT, begin: /^# Heddle\nv / },
  csv: { count: 1, begin: /^time,/ },
  json: { count: 1, begin: /^\s*\{/ },
};

describe('a recorded run that is dropped', () => {
  test('A recorded run that is dropped can be scrubbed and exported in every format', async () => {
    const { file, frames } = createRun();
    const page = await dropScene(file, mesh());
    expect(page.player).toBeInstanceOf(Recording);
    page.player.pause();
    for (const [i, frame] of frames.entries()) {
      page.player.seek(i);
      expect(page.player.frame).toEqual(frame);
    }
    const panel = await openTakeAway(page);
    expect(panel.formats.map(({ name }) => name)).toEqual(EXPORTERS.map(({ name }) => name));
    for (const { name, title } of panel.formats) {
      saved = [];
      findItem(panel, title).click();
      await until(() => saved.length > 0 && panel.busy === '');
      const files = saved[0].name.endsWith('.zip') ? readZip(saved[0].bytes) : saved;
      const { count, begin } = HEADERS[name];
      if (count > 0) expect(files, name).toHaveLength(count);
      expect(files.length, name).toBeGreaterThan(0);
      for (const each of files) {
        expect(each.bytes.length, each.name).toBeGreaterThan(60);
        expect(decode(each.bytes.subarray(0, 400)), each.name).toMatch(begin);
      }
      if (name === 'glb') {
        const base64 = btoa(Array.from(files[0].bytes, (byte) => String.fromCharCode(byte)).join(''));
        expect(await commands.validateGltf(base64)).toEqual([]);
      }
      if (name === 'csv') {
        const rows = decode(files[0].bytes).trim().split(/\r?\n/);
        expect(rows).toHaveLength(1 + COUNT);
        expect(Number(rows[COUNT].split(',')[0])).toBeCloseTo(frames[COUNT - 1].time, 12);
      }
      if (name === 'usda') expect(decode(files[0].bytes)).toContain('rock');
    }
    expect(page.note).toBe('');
    expect(complaints).toEqual([]);
  });

  test('A recorded run that is dropped can be saved as an image and as a video', async () => {
    const page = await dropScene(createRun().file, mesh());
    await until(() => countColours(page) > 300);
    const panel = await openTakeAway(page);
    findItem(panel, 'PNG').click();
    await until(() => saved.length === 1);
    expect([...saved[0].bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    const bitmap = await createImageBitmap(new Blob([saved[0].bytes]));
    expect(bitmap.width).toBe(Math.round(page.viewport!.getBoundingClientRect().width));
    const captures = vi.spyOn(page, 'capture');
    findItem(panel, 'WebM video').click();
    await until(() => page.film !== undefined);
    page.player.play();
    await until(() => captures.mock.calls.length > 5);
    await panel.updateComplete;
    findItem(panel, 'Stop recording').click();
    await until(() => saved.length === 2);
    expect(saved[1].name).toBe('slide.webm');
    const { blocks, duration } = readWebm(saved[1].bytes);
    // one was looked at for its size alone
    expect(blocks).toHaveLength(captures.mock.calls.length - 1);
    expect(duration).toBe(blocks.at(-1)!.time + PICTURE);
    const video = await loadFilm(saved[1].bytes);
    expect(video.duration).toBeCloseTo(duration / 1000, 6);
    await video.play();
    await new Promise((done) => video.addEventListener('ended', done));
    expect(video.currentTime).toBeCloseTo(duration / 1000, 6);
  });
});

/** A film in a video element, ready to be shown. */
async function loadFilm(bytes: Uint8Array<ArrayBuffer>): Promise<HTMLVideoElement> {
  const video = document.createElement('video');
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
  await new Promise((done, fail) => {
    video.onloadeddata = done;
    video.onerror = () => fail(video.error);
  });
  return video;
}

/** What a film shows at a time [s]. On a busy machine that may be the picture before, though the browser says that it is there: go there again then. */
async function seekFilm(video: HTMLVideoElement, time: number): Promise<HTMLCanvasElement> {
  const seeked = new Promise((done) => video.addEventListener('seeked', done, { once: true }));
  video.currentTime = time;
  await seeked;
  await settle();
  const shown = document.createElement('canvas');
  [shown.width, shown.height] = [video.videoWidth, video.videoHeight];
  shown.getContext('2d')!.drawImage(video, 0, 0);
  return shown;
}

/** Pixels of two pictures that differ clearly. */
function countDifferent(a: HTMLCanvasElement, b: HTMLCanvasElement): number {
  const [one, other] = [a, b].map((canvas) => canvas.getContext('2d')!.getImageData(0, 0, a.width, a.height).data);
  let count = 0;
  for (let i = 0; i < one.length; i += 4) if (Math.abs(one[i] - other[i]) > 60) count++;
  return count;
}

describe('a film', () => {
  test('A video holds every captured image at its time, and not more per second than the scene asks for', async () => {
    const text = await SCENES.find(({ name }) => name === 'strand-pendulum')!.load();
    const pendulum = JSON.parse(text);
    // it must not come to its end before it is filmed, however slow this machine is
    const scene = { ...pendulum, time: { ...pendulum.time, duration: 10_000 }, output: { framesPerSecond: 10 } };
    const page = await dropScene(new File([JSON.stringify(scene)], 'pendulum.json'));
    await until(() => countColours(page) > 300);
    // when each picture was asked for, and when it was there
    const taken: { asked: number; there: number; picture: HTMLCanvasElement }[] = [];
    const capture = page.capture.bind(page);
    vi.spyOn(page, 'capture').mockImplementation(() => {
      const asked = performance.now();
      const picture = capture()!;
      taken.push({ asked, there: performance.now(), picture });
      return picture;
    });
    const intervals = vi.spyOn(globalThis, 'setInterval');
    await page.toggleFilm();
    expect(intervals.mock.calls.map(([, delay]) => delay)).toEqual([100]);
    intervals.mockRestore();
    // the first was looked at for its size alone
    taken.shift();
    await until(() => taken.length >= 25);
    const film = await page.film!.finish();
    page.film = undefined;
    const ended = performance.now();
    page.player.pause();
    const bytes = new Uint8Array(await film.arrayBuffer());
    const { blocks, cues, duration, width, height } = readWebm(bytes);
    expect([width, height]).toEqual([taken[0].picture.width, taken[0].picture.height]);
    expect(blocks).toHaveLength(taken.length);
    expect(blocks.length).toBeLessThanOrEqual(1 + Math.ceil((ended - taken[0].asked) / 100));
    // half a millisecond each for the two that are rounded
    const rest = [...taken.slice(1).map(({ asked }) => asked), ended];
    for (const [n, { time }] of blocks.entries()) {
      expect(time).toBeGreaterThanOrEqual(n === 0 ? 0 : taken[n].there - rest[0] - 1);
      expect(time).toBeLessThanOrEqual(n === 0 ? 0 : rest[n] - taken[0].there + 1);
    }
    expect(duration).toBe(blocks.at(-1)!.time + 100);
    // 25 pictures take 2.4 s at least, and every 2 s there is one to start from
    expect(cues.length).toBeGreaterThan(1);
    for (const { time, found, isKey } of cues) expect([time, isKey]).toEqual([found, true]);
    const video = await loadFilm(bytes);
    expect(video.duration).toBeCloseTo(duration / 1000, 6);
    expect([video.videoWidth, video.videoHeight]).toEqual([width, height]);
    expect(video.seekable.end(0)).toBeCloseTo(duration / 1000, 6);
    // the pendulum moves, and the film shows it where it was at each time
    // it comes back to where it started: when depends on how fast this machine takes pictures
    const moved = Math.max(...taken.map(({ picture }) => countDifferent(taken[0].picture, picture)));
    expect(moved).toBeGreaterThan(50);
    for (const n of [blocks.length - 1, 0, blocks.length >> 1, blocks.length - 2]) {
      const end = blocks[n + 1]?.time ?? duration;
      const middle = (0.5 * (blocks[n].time + end)) / 1000;
      const isShown = async () => countDifferent(await seekFilm(video, middle), taken[n].picture) < 0.1 * moved;
      await lookUntil(isShown, settle, `picture ${n} of the film`);
    }
  });

  test('A video is recorded in real time where the browser cannot encode single images', async () => {
    const page = await openScene('strand-catenary');
    await until(() => countColours(page) > 300);
    vi.stubGlobal('VideoEncoder', undefined);
    const starts = vi.spyOn(MediaRecorder.prototype, 'start');
    await page.toggleFilm();
    const [recorder] = starts.mock.contexts;
    // until the browser has encoded something
    await new Promise<void>((done) =>
      recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && done()),
    );
    await page.toggleFilm();
    await until(() => saved.length === 1);
    expect(saved[0].name).toBe('strand-catenary.webm');
    const picture = page.capture()!;
    const video = await loadFilm(saved[0].bytes);
    expect([video.videoWidth, video.videoHeight]).toEqual([picture.width, picture.height]);
  });

  test('A video that the browser fails to encode reports that when it ends', async () => {
    const page = await openScene('strand-catenary');
    await until(() => countColours(page) > 300);
    let count = 0;
    vi.stubGlobal(
      'VideoEncoder',
      class extends VideoEncoder {
        readonly #fail: WebCodecsErrorCallback;
        constructor(init: VideoEncoderInit) {
          super(init);
          this.#fail = init.error;
        }
        override encode(...picture: Parameters<VideoEncoder['encode']>): void {
          super.encode(...picture);
          if (++count < 3) return;
          this.close();
          this.#fail(new DOMException('the codec gave up', 'EncodingError'));
        }
      },
    );
    const captures = vi.spyOn(page, 'capture');
    await page.toggleFilm();
    await until(() => captures.mock.calls.length > 6);
    await page.toggleFilm();
    await page.updateComplete;
    expect(page.shadowRoot!.querySelector('[role=alert]')!.textContent).toContain(
      'The browser could not encode the video: the codec gave up',
    );
    expect([count, saved]).toEqual([3, []]);
  });

  test('A video takes no image while the encoder is behind', async () => {
    const page = await openScene('strand-catenary');
    await until(() => countColours(page) > 300);
    const waiting = vi.spyOn(VideoEncoder.prototype, 'encodeQueueSize', 'get').mockReturnValue(7);
    const captures = vi.spyOn(page, 'capture');
    const intervals = vi.spyOn(globalThis, 'setInterval').mockImplementation(() => 0 as never);
    await page.toggleFilm();
    const [[take]] = intervals.mock.calls as [[() => void]];
    intervals.mockRestore();
    // one for its size, one at once
    expect(captures).toHaveBeenCalledTimes(2);
    take();
    expect(captures).toHaveBeenCalledTimes(3);
    waiting.mockReturnValue(8);
    take();
    expect(captures).toHaveBeenCalledTimes(3);
    waiting.mockReturnValue(7);
    take();
    expect(captures).toHaveBeenCalledTimes(4);
    const film = await page.film!.finish();
    expect(readWebm(new Uint8Array(await film.arrayBuffer())).blocks).toHaveLength(3);
  });

  test('A discarded video saves no file and takes no more images', async () => {
    const page = await openScene('strand-catenary');
    await until(() => countColours(page) > 300);
    const panel = await openTakeAway(page);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    findItem(panel, 'WebM video').click();
    await until(() => panel.filming);
    await panel.updateComplete;
    const captures = vi.spyOn(page, 'capture');
    vi.advanceTimersByTime(100);
    expect(captures.mock.calls.length).toBeGreaterThan(2);
    findItem(panel, 'Discard the video').click();
    await until(() => !panel.filming);
    // no timer is left that would take one
    expect(vi.getTimerCount()).toBe(0);
    expect(saved).toEqual([]);
  });

  test('A browser that cannot make videos says so in one sentence', async () => {
    const page = await openScene('strand-catenary');
    await until(() => countColours(page) > 300);
    const lacks = 'This browser cannot record video: it has neither VideoEncoder nor MediaRecorder with VP8 or VP9. ';
    vi.spyOn(VideoEncoder, 'isConfigSupported').mockImplementation(async (config) => ({ config, supported: false }));
    vi.spyOn(MediaRecorder, 'isTypeSupported').mockReturnValue(false);
    await expect(Film.start(() => page.capture(), 30)).rejects.toThrow(lacks);
    vi.stubGlobal('VideoEncoder', undefined);
    vi.stubGlobal('MediaRecorder', undefined);
    await page.toggleFilm();
    await page.updateComplete;
    expect(page.film).toBeUndefined();
    expect(page.shadowRoot!.querySelector('[role=alert]')!.textContent).toContain(lacks);
  });
});

describe('a scene with a mesh', () => {
  const scene = (...more: Parameters<typeof createMeshScene>) =>
    new File([JSON.stringify(createMeshScene(...more))], 'scene.json');
  const computeHash = (y = 0) => {
    const world = compile(validateScene(createMeshScene('tetrahedron.obj', [0, y, 0])), { readFile: readTetrahedron });
    for (let n = 0; n < 50; n++) world.step();
    return world.hash();
  };
  const runFifty = async (page: HeddleScenePage) => {
    await pause(page);
    page.player.reset();
    await until(() => page.player.step === 0 && page.run.recorded[1] === 0);
    await page.run.runTo(50);
    await until(() => page.player.step === 50);
    return page.run.hash;
  };

  test('A scene runs when it is dropped together with its mesh, in any order and beside other files', async () => {
    const page = await dropScene(mesh(), new File(['nothing'], 'notes.txt'), scene());
    expect(page.run.shown!.bodies[0].positions).toHaveLength(36);
    expect(Object.keys(page.source!.files)).toEqual(['tetrahedron.obj']);
    expect(await runFifty(page)).toBe(computeHash());
    // the mesh counts: lower, it is not reached
    expect(computeHash(-0.1)).not.toBe(computeHash());
    expect(page.note).toBe('');
  });

  test('A scene dropped without its mesh names the missing file', async () => {
    const root = await dropFiles(scene());
    const page = await until(() => root.querySelector('heddle-scene'));
    const alert = await until(() => page.shadowRoot!.querySelector('.message[role=alert]'));
    expect(alert.textContent).toContain('tetrahedron.obj is missing; drop it together with the scene');
  });

  test('A mesh that was not dropped is taken from the gallery, with a note', async () => {
    const page = await dropScene(scene('ring.obj', [1, 0, 0]));
    expect(page.note).toContain('ring.obj was not dropped');
  });

  test('A link to a scene with a mesh holds the mesh and gives the same state after 50 steps in a new page', async () => {
    const panel = await openTakeAway(await dropScene(scene(), mesh()));
    findItem(panel, 'Link').click();
    await until(() => panel.link !== '');
    const { hash } = new URL(panel.link);
    document.body.replaceChildren();
    const page = await findScene(await openApp(hash));
    expect(page.run.shown!.bodies[0].positions).toHaveLength(36);
    expect(await runFifty(page)).toBe(computeHash());
    const again = await openTakeAway(page);
    findItem(again, 'Meshes').click();
    await until(() => saved.length === 1);
    expect(saved[0].name).toBe('tetrahedron.obj');
    expect(decode(saved[0].bytes)).toBe(TETRAHEDRON);
  });

  test('A mesh too large for a link is named, with what to do instead', async () => {
    const big = new File([TETRAHEDRON, '#'.repeat(3 * 1024 * 1024)], 'tetrahedron.obj');
    const page = await dropScene(scene(), big);
    const panel = await openTakeAway(page);
    findItem(panel, 'Link').click();
    await until(() => page.note !== '');
    expect(page.note).toContain(
      'tetrahedron.obj 3.0 MB; a link can contain at most 2 MB. Send the scene file and these files',
    );
    expect(panel.link).toBe('');
  });
});
