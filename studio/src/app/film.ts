/**
 * A film of what is shown as time passes on the clock: a picture is painted and taken so many times a second, until it is
 * saved or dropped. Each picture stands in it at the time when it was taken, so a film that was taken on a busy machine has
 * fewer pictures, but is as long as it took. Its size stays that of the first picture.
 */
import { computeFileName, downloadFile } from './download.ts';
import { FilmEncoder } from './film-encoder.ts';
import { FilmRecorder } from './film-recorder.ts';

/** Most pictures a second, whatever a scene asks for: more than a screen shows. */
const MOST_PICTURES = 60;
const BITS_PER_SECOND = 12_000_000;

/** What makes a file of pictures. */
export interface FilmWriter {
  /** Of the file, with the dot. */
  readonly extension: string;
  /** More pictures wait than should: the next is not to be taken. */
  readonly isBusy: boolean;
  /** Takes the picture on the canvas; `time` is in whole milliseconds from the first one, and rises. */
  add(canvas: HTMLCanvasElement, time: number): void;
  /** Ends the film, whose last picture is shown for `last` milliseconds. */
  finish(last: number): Promise<Blob>;
  /** Ends it; nothing is kept. */
  cancel(): void;
}

type Compose = () => HTMLCanvasElement | undefined;

export class Film {
  readonly #writer: FilmWriter;
  readonly #canvas: HTMLCanvasElement;
  readonly #compose: Compose;
  /** Between pictures [ms]. */
  readonly #interval: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #started: number | undefined;
  #time = -1;

  private constructor(compose: Compose, rate: number, canvas: HTMLCanvasElement, writer: FilmWriter) {
    this.#compose = compose;
    this.#canvas = canvas;
    this.#writer = writer;
    this.#interval = 1000 / Math.min(MOST_PICTURES, rate);
    this.#take();
    this.#timer = setInterval(() => this.#take(), this.#interval);
  }

  /** `compose` gives the picture of the moment; `rate` pictures a second are taken, at most 60. */
  static async start(compose: Compose, rate: number): Promise<Film> {
    const first = compose();
    if (first === undefined) throw new Error('There is no frame to record yet.');
    const canvas = document.createElement('canvas');
    canvas.width = first.width;
    canvas.height = first.height;
    const writer =
      (await FilmEncoder.create(first.width, first.height, BITS_PER_SECOND)) ??
      FilmRecorder.create(canvas, BITS_PER_SECOND);
    if (writer === undefined) {
      throw new Error(
        'This browser cannot record video: it has neither VideoEncoder nor MediaRecorder with VP8 or VP9. Use another browser, or `heddle render --video`.',
      );
    }
    return new Film(compose, rate, canvas, writer);
  }

  #take(): void {
    if (this.#writer.isBusy) return;
    const picture = this.#compose();
    if (picture === undefined) return;
    const now = performance.now();
    this.#started ??= now;
    const { width, height } = this.#canvas;
    const scale = Math.min(width / picture.width, height / picture.height);
    const [across, down] = [scale * picture.width, scale * picture.height];
    const context = this.#canvas.getContext('2d')!;
    context.clearRect(0, 0, width, height);
    context.drawImage(picture, 0.5 * (width - across), 0.5 * (height - down), across, down);
    // timers that were late may come in the same millisecond
    this.#time = Math.max(this.#time + 1, Math.round(now - this.#started));
    this.#writer.add(this.#canvas, this.#time);
  }

  /** Ends the film and returns it: it is as long as from its first picture to its last, and one picture more. */
  finish(): Promise<Blob> {
    clearInterval(this.#timer);
    return this.#writer.finish(Math.round(this.#interval));
  }

  /** Ends the film and offers it as a file. */
  async save(name: string): Promise<void> {
    const film = await this.finish();
    downloadFile(computeFileName(name, this.#writer.extension), [film], film.type);
  }

  /** Ends the film; nothing is kept. */
  cancel(): void {
    clearInterval(this.#timer);
    this.#writer.cancel();
  }
}
