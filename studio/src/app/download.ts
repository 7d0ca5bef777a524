/** Files that leave the page: by a link that is clicked for the user. */

/** Offers bytes or text as a file to keep. */
export function downloadFile(name: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replaceAll('/', '-');
  link.click();
  // the browser reads the address after the click
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file, from a scene's own. */
export function computeFileName(name: string, extension: string): string {
  return `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80) || 'heddle'}${extension}`;
}

/** Types of film that browsers write, best first. */
const FILMS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/** Records a canvas until it is told to stop. */
export class Film {
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];

  constructor(canvas: HTMLCanvasElement) {
    const type = FILMS.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    if (type === undefined) throw new Error('This browser writes no film.');
    this.#recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12_000_000 });
    this.#recorder.addEventListener('dataavailable', (event) => this.#parts.push(event.data));
    this.#recorder.start(250);
  }

  /** Ends the film and offers it as a file. */
  finish(name: string): Promise<void> {
    return new Promise((done) => {
      this.#recorder.addEventListener('stop', () => {
        const type = this.#recorder.mimeType;
        downloadFile(computeFileName(name, type.includes('mp4') ? '.mp4' : '.webm'), this.#parts, type);
        done();
      });
      this.#recorder.stop();
    });
  }
}
