/**
 * A film by WebCodecs: each picture is encoded with its own time, and none is left out. Browsers without an encoder
 * of VP9 or VP8 have `FilmRecorder`.
 */
import type { FilmWriter } from './film.ts';
import { encodeWebm, type FilmDescription, type FilmPicture } from './webm.ts';

/** Codecs with their names in a WebM file, best first. VP9: profile 0, level 5.1 (3840 × 2160, 60 a second), 8 bits. */
const CODECS = [
  { codec: 'vp09.00.51.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
] as const;
/** Pictures that wait for the encoder before no more are taken. */
const MOST_WAITING = 8;
/** Longest time between key pictures, to which a player jumps [ms]. */
const KEY_INTERVAL = 2000;

/** The codec's settings for pictures of a size, or undefined where the browser has no encoder for them. */
async function findConfig(width: number, height: number, bitrate: number) {
  if (typeof VideoEncoder === 'undefined' || typeof VideoFrame === 'undefined') return undefined;
  for (const { codec, name } of CODECS) {
    // quality: no picture may be left out, while “realtime” allows it
    const config: VideoEncoderConfig = { codec, width, height, bitrate, latencyMode: 'quality' };
    const isSupported = await VideoEncoder.isConfigSupported(config).then(
      ({ supported }) => supported === true,
      () => false,
    );
    if (isSupported) return { config, name };
  }
  return undefined;
}

export class FilmEncoder implements FilmWriter {
  readonly extension = '.webm';
  readonly #encoder: VideoEncoder;
  readonly #description: Omit<FilmDescription, 'last'>;
  readonly #pictures: FilmPicture[] = [];
  #lastKey = Number.NEGATIVE_INFINITY;
  #fault: DOMException | undefined;

  private constructor(config: VideoEncoderConfig, codec: FilmDescription['codec']) {
    this.#description = { codec, width: config.width, height: config.height };
    this.#encoder = new VideoEncoder({
      output: (chunk) => this.#keep(chunk),
      error: (fault) => {
        this.#fault = fault;
      },
    });
    this.#encoder.configure(config);
  }

  /** Undefined where the browser cannot encode pictures of this size. */
  static async create(width: number, height: number, bitrate: number): Promise<FilmEncoder | undefined> {
    const found = await findConfig(width, height, bitrate);
    return found && new FilmEncoder(found.config, found.name);
  }

  get isBusy(): boolean {
    return this.#encoder.encodeQueueSize >= MOST_WAITING;
  }

  #keep(chunk: EncodedVideoChunk): void {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    this.#pictures.push({ bytes, time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key' });
  }

  add(canvas: HTMLCanvasElement, time: number): void {
    // what went wrong is told when the film ends
    if (this.#encoder.state !== 'configured') return;
    const keyFrame = time - this.#lastKey >= KEY_INTERVAL;
    if (keyFrame) this.#lastKey = time;
    const picture = new VideoFrame(canvas, { timestamp: 1000 * time });
    this.#encoder.encode(picture, { keyFrame });
    picture.close();
  }

  async finish(last: number): Promise<Blob> {
    if (this.#encoder.state === 'configured') await this.#encoder.flush().catch(() => undefined);
    this.cancel();
    if (this.#fault !== undefined) throw new Error(`The browser could not encode the video: ${this.#fault.message}`);
    if (this.#pictures.length === 0) throw new Error('The video has no frames.');
    return new Blob(encodeWebm({ ...this.#description, last }, this.#pictures), { type: 'video/webm' });
  }

  cancel(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}
