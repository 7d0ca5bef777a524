/**
 * Workers that simulate. Starting one takes most of the time of opening a small scene: the engine is read, compiled and warmed up. One that a scene no longer
 * needs is kept for the next, if it has nothing left to do and little in its memory.
 */
import type { Rested } from './protocol.ts';

/** How long a worker may take to come to rest before it is ended [ms]. */
const PATIENCE = 5000;

let spare: Worker | undefined;

/** A worker without a scene; give it back with `restWorker`, or end it. */
export function takeWorker(): Worker {
  const worker = spare ?? new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
  spare = undefined;
  worker.onerror = null;
  return worker;
}

/** Takes back a worker, whatever it does: it is ended unless it can be used again. */
export function restWorker(worker: Worker): void {
  const end = (): void => {
    clearTimeout(timer);
    if (spare === worker) spare = undefined;
    worker.onmessage = worker.onerror = null;
    worker.terminate();
  };
  const timer = setTimeout(end, PATIENCE);
  worker.onerror = (event) => {
    event.preventDefault();
    end();
  };
  // all that it still says of its scene comes before it has come to rest
  worker.onmessage = ({ data }: MessageEvent<Rested | { type: '' }>) => {
    if (data.type !== 'rested') return;
    if (!data.isLight || spare !== undefined) return end();
    clearTimeout(timer);
    worker.onmessage = null;
    spare = worker;
  };
  worker.postMessage({ type: 'rest' });
}
