/**
 * A film by MediaRecorder, for browsers that cannot encode single pictures: the browser encodes as time passes, and leaves out
 * pictures when it is busy.
 */
import type { FilmWriter } from './film.ts';

/** Types of film that browsers write, best first; the last is for those that know no WebM. */
const FILMS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

export class FilmRecorder implements FilmWriter {
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];
  readonly #track: CanvasCaptureMediaStreamTrack;

  private constructor(canvas: HTMLCanvasElement, mimeType: string, videoBitsPerSecond: number) {
    // 0: a picture is taken only when it is asked for
    const stream = canvas.captureStream(0);
    this.#track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
    this.#recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond });
    this.#recorder.addEventListener('dataavailable', (event) => this.#parts.push(event.data));
    this.#recorder.start(250);
  }

  /** Undefined where the browser records none of the types. */
  static create(canvas: HTMLCanvasElement, bitrate: number): FilmRecorder | undefined {
    if (typeof MediaRecorder === 'undefined') return undefined;
    const type = FILMS.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    return type === undefined ? undefined : new FilmRecorder(canvas, type, bitrate);
  }

  get extension(): string {
    return this.#recorder.mimeType.includes('mp4') ? '.mp4' : '.webm';
  }

  get isBusy(): boolean {
    return false;
  }

  add(): void {
    this.#track.requestFrame();
  }

  finish(): Promise<Blob> {
    return new Promise((done) => {
      this.#recorder.addEventListener('stop', () => {
        this.#track.stop();
        done(new Blob(this.#parts, { type: this.#recorder.mimeType }));
      });
      this.#recorder.stop();
    });
  }

  cancel(): void {
    void this.finish();
  }
}
