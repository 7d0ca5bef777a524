/**
 * The page's side of a simulation: requests as methods, replies as events and promises. The worker behind it can be ended at
 * any time, whatever it is busy with.
 */
import { decodeFrameBytes } from 'heddle/io';
import type { Frame, SceneFault } from 'heddle/model';
import type {
  Arrived,
  Exported,
  Fault,
  FrameReply,
  GrabTarget,
  Loaded,
  Measures,
  Override,
  Point,
  Reply,
  Request,
  StateReply,
} from './protocol.ts';
import { restWorker, takeWorker } from './workers.ts';

/** A frame reply with its frame read. */
export type ShownFrame = Omit<FrameReply, 'bytes'> & { readonly frame: Frame };

/** What the events carry in `detail`. */
export interface SimulationEvents {
  loaded: Loaded;
  frame: ShownFrame;
  measures: Measures;
  state: StateReply;
  fault: Fault;
}

/** A request that failed; of a load, with all faults of the scene. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
  readonly faults: readonly SceneFault[];
  constructor(message: string, faults: readonly SceneFault[] = []) {
    super(message);
    this.faults = faults;
  }
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: SimulationError) => void;
}

type LoadRequest = Extract<Request, { type: 'load' }>;

export class SimulationClient extends EventTarget {
  readonly #createWorker: () => Worker;
  #worker: Worker;
  /** Whether the worker has died; the next request starts another. */
  #isLost = false;
  /** Whether the worker is no longer this one's: another simulation may have it. */
  #isClosed = false;
  #nextId = 1;
  readonly #waiting = new Map<number, Waiting>();
  /** The last scene that was opened, to open again after a stop. */
  #opened: LoadRequest | undefined;
  readonly #loads = new Map<number, LoadRequest>();

  constructor(createWorker: () => Worker = takeWorker) {
    super();
    this.#createWorker = createWorker;
    this.#worker = this.#start();
  }

  /** Opens a scene, paused at its start; fails with a SimulationError, and then the one before stays open. */
  load(text: string, settings: Override[] = [], files: Record<string, ArrayBuffer> = {}): Promise<Loaded> {
    const request: LoadRequest = { type: 'load', id: this.#nextId++, text, settings, files };
    this.#loads.set(request.id, request);
    return this.#ask(request) as Promise<Loaded>;
  }

  play(): void {
    this.#send({ type: 'play' });
  }

  pause(): void {
    this.#send({ type: 'pause' });
  }

  step(steps = 1): void {
    this.#send({ type: 'step', steps });
  }

  reset(): void {
    this.#send({ type: 'reset' });
  }

  /** Simulated seconds per real second aimed at; Infinity: as fast as it goes. */
  setSpeed(factor: number): void {
    this.#send({ type: 'speed', factor });
  }

  seek(step: number): void {
    this.#send({ type: 'seek', step });
  }

  grab(target: GrabTarget, point: Point): void {
    this.#send({ type: 'grab', target, point });
  }

  drag(point: Point): void {
    this.#send({ type: 'drag', point });
  }

  release(): void {
    this.#send({ type: 'release' });
  }

  /** The recorded run, or the one in the bytes of a frame file, in a format of heddle/io. */
  exportRun(format: string, file?: Uint8Array<ArrayBuffer>): Promise<Exported> {
    const request = { type: 'export', id: this.#nextId++, format } as const;
    return this.#ask(file === undefined ? request : { ...request, file }) as Promise<Exported>;
  }

  /** Simulates to a step and pauses there; fails when a step does, or when something else is asked for first. */
  async runTo(step: number): Promise<void> {
    const reply = (await this.#ask({ type: 'run-to', step, id: this.#nextId++ })) as Arrived;
    if (reply.step < step)
      throw new SimulationError(`The simulation stopped at step ${reply.step}, before step ${step}.`);
  }

  /** Ends the worker, whatever it does, and starts another, which opens the last scene again. */
  stop(): void {
    if (this.#isClosed) return;
    this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker.terminate();
    this.#fail('The simulation was stopped.');
    this.#isLost = false;
    this.#worker = this.#start();
    this.#reopen();
  }

  /** Ends the simulation for good. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#worker.onmessage = this.#worker.onerror = null;
    if (this.#isLost || this.#createWorker !== takeWorker) this.#worker.terminate();
    else restWorker(this.#worker);
    this.#fail('The simulation was stopped.');
  }

  /** `addEventListener` that knows the events; returns what takes it off again. */
  on<Name extends keyof SimulationEvents>(name: Name, listen: (detail: SimulationEvents[Name]) => void): () => void {
    const listener = (event: Event): void => listen((event as CustomEvent<SimulationEvents[Name]>).detail);
    this.addEventListener(name, listener);
    return () => this.removeEventListener(name, listener);
  }

  #reopen(): void {
    if (this.#opened !== undefined)
      this.load(this.#opened.text, this.#opened.settings, this.#opened.files).catch(() => {});
  }

  #start(): Worker {
    const worker = this.#createWorker();
    worker.onmessage = ({ data: reply }: MessageEvent<Reply>) => this.#take(reply);
    worker.onerror = (event) => {
      event.preventDefault();
      const message = `The simulation has ended: ${event.message || 'its worker could not be loaded'}. The next action starts it again.`;
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      this.#isLost = true;
      this.#fail(message);
      this.#dispatch('fault', { type: 'fault', id: null, message });
    };
    return worker;
  }

  #fail(message: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new SimulationError(message));
    this.#waiting.clear();
    this.#loads.clear();
  }

  #send(request: Request): void {
    if (this.#isClosed) return;
    if (this.#isLost) {
      this.#isLost = false;
      this.#worker = this.#start();
      if (request.type !== 'load') this.#reopen();
    }
    this.#worker.postMessage(request);
  }

  #ask(request: Request & { id: number }): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#send(request);
    });
  }

  #take(reply: Reply): void {
    if ('id' in reply && reply.id !== null) this.#answer(reply.id, reply);
    if (reply.type === 'exported' || reply.type === 'arrived') return;
    if (reply.type === 'frame') {
      const { bytes, ...rest } = reply;
      this.#dispatch('frame', { ...rest, frame: decodeFrameBytes(new Uint8Array(bytes)) });
      return;
    }
    this.#dispatch(reply.type, reply);
  }

  #answer(id: number, reply: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (reply.type === 'loaded') this.#opened = this.#loads.get(id);
    this.#loads.delete(id);
    if (reply.type === 'fault') waiting?.reject(new SimulationError(reply.message, reply.faults));
    else waiting?.resolve(reply);
  }

  #dispatch<Name extends keyof SimulationEvents>(name: Name, detail: SimulationEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
