/** A recorded run (a frame file) that is only played back: nothing is simulated. Its steps are its frames. */
import { collectBodyVertices, readFrame, readScene, scanChunks } from 'heddle/io';
import { addFrameToLimits, createFrameLimits, type Frame, type FrameLimits, HeddleError } from 'heddle/model';
import type { Exported } from '../simulation/protocol.ts';
import type { Player, Shown } from './player.ts';

/** What a frame file holds for the page. */
export interface RecordedFile {
  readonly text: string;
  readonly frames: readonly Frame[];
  /** The file as it is, for exports. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whether these are the first bytes of a frame file. */
export function isFrameFile(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89 && String.fromCharCode(...bytes.subarray(1, 7)) === 'HEDDLE';
}

/** Scene text and frames of a frame file. */
export function readRecordedFile(bytes: Uint8Array<ArrayBuffer>): RecordedFile {
  const { entries } = scanChunks(bytes);
  const scene = entries.find((entry) => entry.type === 'SCEN');
  const frames = entries.filter((entry) => entry.type === 'FRAM').map((entry) => readFrame(bytes, entry));
  if (scene === undefined || frames.length === 0) {
    throw new HeddleError('This run has no scene or no frame; the start of the file is damaged.');
  }
  return { text: readScene(bytes, scene).text, frames, bytes };
}

/** What the frames span, bodies included. */
export function computeRecordedLimits(frames: readonly Frame[], bodies: Shown['bodies']): FrameLimits {
  const limits = createFrameLimits();
  const vertices = collectBodyVertices(bodies);
  for (const frame of frames) addFrameToLimits(frame, vertices, limits);
  return limits;
}

export class Recording extends EventTarget implements Player {
  readonly shown: Shown;
  readonly #frames: readonly Frame[];
  playing = false;
  step = 0;
  ratio = 0;
  readonly hash = undefined;
  readonly message = '';
  readonly isHeld = false;
  readonly exportRun: (format: string) => Promise<Exported>;
  #speed = 1;
  /** Counts the calls of `play`, so that the loop of an earlier one ends. */
  #round = 0;

  /** `exportRun` writes the file of this recording in a format of heddle/io. */
  constructor(shown: Shown, frames: readonly Frame[], exportRun: (format: string) => Promise<Exported>) {
    super();
    this.exportRun = exportRun;
    this.shown = { ...shown, limits: computeRecordedLimits(frames, shown.bodies) };
    this.#frames = frames;
  }

  get limits(): FrameLimits {
    return this.shown.limits;
  }
  get frame(): Frame {
    return this.#frames[this.step];
  }
  get recorded(): readonly [number, number] {
    return [0, this.#frames.length - 1];
  }
  get end(): number {
    return this.#frames.length - 1;
  }
  get speed(): number {
    return this.#speed;
  }

  #tell(): void {
    this.dispatchEvent(new Event('change'));
  }

  play(): void {
    if (this.playing) return;
    if (this.step === this.#frames.length - 1) this.step = 0;
    this.playing = true;
    this.ratio = this.#speed;
    const [begin, started] = [this.frame.time, performance.now()];
    const speed = Math.min(this.#speed, 1e3);
    const round = ++this.#round;
    const draw = (): void => {
      if (!this.playing || round !== this.#round) return;
      const time = begin + ((performance.now() - started) / 1000) * speed;
      while (this.step < this.#frames.length - 1 && this.#frames[this.step + 1].time <= time) this.step++;
      if (this.step === this.#frames.length - 1) this.pause();
      else requestAnimationFrame(draw);
      this.#tell();
    };
    requestAnimationFrame(draw);
    this.#tell();
  }

  pause(): void {
    this.playing = false;
    this.ratio = 0;
    this.#tell();
  }

  stepOnce(): void {
    this.seek(this.step + 1);
  }

  reset(): void {
    this.seek(0);
  }

  halt(): void {
    this.reset();
  }

  /** What was recorded cannot be pulled. */
  hold(): void {}
  drag(): void {}
  release(): void {}

  seek(step: number): void {
    this.playing = false;
    this.step = Math.min(this.#frames.length - 1, Math.max(0, step));
    this.#tell();
  }

  setSpeed(factor: number): void {
    const { playing } = this;
    this.#speed = factor;
    if (!playing) return;
    this.playing = false;
    this.play();
  }

  dispose(): void {
    this.playing = false;
  }
}
