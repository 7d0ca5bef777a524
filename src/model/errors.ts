/**
 * The errors Heddle throws. One sentence each: where, what was found, what is allowed, what to do [CONTRIBUTING#code].
 * The library throws and never logs; the command prints `message` and exits 2.
 */

/** Base of every error a user can cause or meet. */
export class HeddleError extends Error {
  override readonly name: string = 'HeddleError';
}

/** More memory was needed than there is, or than one array or one memory of kernels can have. */
export class MemoryError extends HeddleError {
  override readonly name = 'MemoryError';
}

/** The second thread ended in the middle of what it computed; there is one thread from then on. */
export class LostThreadError extends HeddleError {
  override readonly name = 'LostThreadError';
}

/** What engines of JavaScript say of memory that they cannot give. */
const NO_MEMORY =
  /allocation failed|out of memory|unable to grow|could not (allocate|grow)|failed to grow|maximum memory size|invalid (typed )?array (buffer )?length|array buffer length|KernelMemory/i;
/** What Node says of a worker that ended because its heap was full (`resourceLimits`). */
const WORKER_OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A MemoryError for what an engine throws when memory is at its end, or of a worker that ended so; any other error as it is. */
export function toMemoryError(error: unknown): unknown {
  if (error instanceof HeddleError || !(error instanceof Error)) return error;
  const isWorker = (error as { readonly code?: unknown }).code === WORKER_OUT_OF_MEMORY;
  if (!isWorker && !(error instanceof RangeError && NO_MEMORY.test(error.message))) return error;
  return new MemoryError(
    'There is not enough memory for this scene; use fewer nodes or particles, or close other programs. Results written so far are kept.',
    { cause: error },
  );
}

/** One fault of a scene file or scene object. */
export interface SceneFault {
  /** JSON path such as `objects[3].material.youngsModulus`; empty for the whole scene. */
  readonly path: string;
  /** What was found, what is allowed, what to do. */
  readonly message: string;
  /** 1-based line in the scene's text, when the scene came from text. */
  readonly line?: number;
}

/** A scene that cannot be built; lists all its faults. */
export class SceneError extends HeddleError {
  override readonly name = 'SceneError';
  readonly faults: readonly SceneFault[];
  constructor(faults: readonly SceneFault[], source = 'scene') {
    super(
      faults
        .map((fault) => {
          const where = fault.line === undefined ? source : `${source}:${fault.line}`;
          return `${fault.path === '' ? 'the scene' : fault.path} ${fault.message} (${where})`;
        })
        .join('\n'),
    );
    this.faults = faults;
  }
}

/** A file in another format (OBJ, glTF, frame file, …) that cannot be read. */
export class FormatError extends HeddleError {
  override readonly name = 'FormatError';
}

/** A step that did not converge or turned non-finite, after every retry. */
export class StepError extends HeddleError {
  override readonly name = 'StepError';
  readonly time: number;
  readonly step: number;
  readonly object: string;
  readonly stage: string;
  constructor(message: string, where: { time: number; step: number; object: string; stage: string }) {
    super(message);
    this.time = where.time;
    this.step = where.step;
    this.object = where.object;
    this.stage = where.stage;
  }
}
