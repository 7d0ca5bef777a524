/**
 * A film of what is shown, recorded by the browser as time passes on the clock: a picture is painted and taken so many times a
 * second, until it is saved or dropped. Its size stays that of the first picture.
 */
import { computeFileName, downloadFile } from './download.ts';

/** Types of film that browsers write, best first; the last is for those that know no WebM. */
const FILMS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
/** Most pictures a second, whatever a scene asks for: more than a screen shows. */
const MOST_PICTURES = 60;
const BITS_PER_SECOND = 12_000_000;

/** The first type that this browser records; an error that says what else to do when there is none. */
function findFilmType(): string {
  const type =
    typeof MediaRecorder === 'undefined'
      ? undefined
      : FILMS.find((candidate) => MediaRecorder.isTypeSupported(candidate));
  if (type !== undefined) return type;
  throw new Error(
    'This browser records no film: it lacks MediaRecorder with VP8 or VP9. Use another browser, or `heddle render --video`.',
  );
}

export class Film {
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];
  readonly #canvas = document.createElement('canvas');
  readonly #track: CanvasCaptureMediaStreamTrack;
  readonly #compose: () => HTMLCanvasElement | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  /** `compose` gives the picture of the moment; `rate` pictures a second are taken, at most 60. */
  constructor(compose: () => HTMLCanvasElement | undefined, rate: number) {
    const mimeType = findFilmType();
    const first = compose();
    if (first === undefined) throw new Error('There is no picture yet to film.');
    this.#compose = compose;
    this.#canvas.width = first.width;
    this.#canvas.height = first.height;
    // 0: a picture is taken only when it is asked for
    const stream = this.#canvas.captureStream(0);
    this.#track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
    this.#recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS_PER_SECOND });
    this.#recorder.addEventListener('dataavailable', (event) => this.#parts.push(event.data));
    this.#recorder.start(250);
    this.#take();
    this.#timer = setInterval(() => this.#take(), 1000 / Math.min(MOST_PICTURES, rate));
  }

  #take(): void {
    const picture = this.#compose();
    if (picture === undefined) return;
    const { width, height } = this.#canvas;
    const scale = Math.min(width / picture.width, height / picture.height);
    const [across, down] = [scale * picture.width, scale * picture.height];
    const context = this.#canvas.getContext('2d')!;
    context.clearRect(0, 0, width, height);
    context.drawImage(picture, 0.5 * (width - across), 0.5 * (height - down), across, down);
    this.#track.requestFrame();
  }

  /** Ends the film and returns it. */
  finish(): Promise<Blob> {
    clearInterval(this.#timer);
    return new Promise((done) => {
      const { mimeType } = this.#recorder;
      this.#recorder.addEventListener('stop', () => {
        this.#track.stop();
        done(new Blob(this.#parts, { type: mimeType }));
      });
      this.#recorder.stop();
    });
  }

  /** Ends the film and offers it as a file. */
  async save(name: string): Promise<void> {
    const film = await this.finish();
    downloadFile(computeFileName(name, film.type.includes('mp4') ? '.mp4' : '.webm'), [film], film.type);
  }

  /** Ends the film; nothing is kept. */
  cancel(): void {
    void this.finish();
  }
}
