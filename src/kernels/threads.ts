/**
 * A second thread for kernels that have a part for each of two domains: kernel(argument, 0) here, kernel(argument, 1) there, over one shared memory.
 *
 *     JOB     number of the job at hand; the other thread waits for the next
 *     CLAIM   0 until one of the two takes the second part: whoever comes first. If the other thread has not begun when this one has done its
 *             part (it is not started yet, or there are more threads than cores, or it is gone), this one does both
 *     DONE    1 when the other thread has done the part it took, 2 when that failed
 *
 * Steps are synchronous, so this thread waits by Atomics, which pages may not: there, without shared memory, and where workers cannot be started
 * there is no second thread, and every result is the same. The other thread does not keep Node running, and ends with `dispose`, or when what owns it is collected.
 */
import type { KernelMemory } from './memory.ts';

const JOB = 0;
const CLAIM = 1;
const DONE = 2;
const KERNEL = 3;
const ARGUMENT = 4;
const WORDS = 5;

/** JOB of a thread that is to end. */
const STOP = -1;
/** Looks at a word before sleeping, so that a thread is awake from one kernel of a solve to the next. */
const LOOKS = 5000;
/**
 * When a part that was taken and is not done is given up, as the thread was killed in between: after so long [ms], and so many times as long as this thread's part took.
 * Both parts are about as long, so that a thread that is alive is never given up, however busy the machine is.
 */
const PATIENCE = 5000;
const PATIENCE_PARTS = 100;
/** End of the second thread's stack: the compiled code's own page has its data and the first stack at the beginning. */
const STACK_END = 65536;

/** What runs in the other thread; in Node and in browsers. */
const SOURCE = `
const serve = ({ module, memory, control, names }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  exports.__stack_pointer.value = ${STACK_END};
  const kernels = names.map((name) => exports[name]);
  for (let seen = 0; ; ) {
    let job = seen;
    for (let looks = 0; (job = Atomics.load(control, ${JOB})) === seen; looks++)
      if (looks > ${LOOKS}) Atomics.wait(control, ${JOB}, seen);
    if (job === ${STOP}) break;
    seen = job;
    if (Atomics.compareExchange(control, ${CLAIM}, 0, 1) !== 0) continue;
    let outcome = 2;
    try {
      kernels[control[${KERNEL}]](control[${ARGUMENT}], 1);
      outcome = 1;
    } finally {
      Atomics.store(control, ${DONE}, outcome);
      Atomics.notify(control, ${DONE});
    }
  }
};
if (typeof require === 'function') serve(require('node:worker_threads').workerData);
else onmessage = ({ data }) => { serve(data); close(); };
`;

interface Handle {
  readonly terminate: () => unknown;
}

/** What is used of the platform, which the language's own types leave to it. */
interface NodeWorker extends Handle {
  unref(): void;
  on(event: string, listener: () => void): void;
}
interface WebWorker extends Handle {
  postMessage(message: unknown): void;
}
interface Platform {
  readonly process?: { getBuiltinModule?: (name: string) => unknown };
  readonly WorkerGlobalScope?: unknown;
  readonly crossOriginIsolated?: boolean;
  readonly Worker?: new (url: string) => WebWorker;
  readonly Blob?: new (parts: readonly string[], options: { type: string }) => object;
  readonly URL?: { createObjectURL(blob: object): string };
}
interface NodeThreads {
  readonly Worker: new (source: string, options: { eval: true; workerData: unknown; execArgv: string[] }) => NodeWorker;
}

/** Ends threads whose owners were collected. */
const owners = new FinalizationRegistry<() => void>((end) => end());

export class KernelThread {
  readonly #kernels: Readonly<Record<string, (argument: number, domain: number) => void>>;
  readonly #names: readonly string[];
  readonly #control: Int32Array;
  readonly #end: () => void;
  #job = 0;
  #isOpen = true;
  /** Second parts that the other thread did. */
  shared = 0;

  private constructor(
    kernels: Readonly<Record<string, (argument: number, domain: number) => void>>,
    names: readonly string[],
    control: Int32Array,
    end: () => void,
  ) {
    this.#kernels = kernels;
    this.#names = names;
    this.#control = control;
    this.#end = end;
    owners.register(this, end, this);
  }

  /** A second thread for the compiled kernels of a shared memory; undefined where there can be none. */
  static start(memory: KernelMemory): KernelThread | undefined {
    const { shared } = memory;
    if (shared === undefined) return undefined;
    const names = Object.keys(shared.kernels);
    const control = new Int32Array(new SharedArrayBuffer(4 * WORDS));
    try {
      const handle = startWorker({ module: shared.module, memory: shared.memory, control, names });
      if (handle === undefined) return undefined;
      const end = (): void => {
        Atomics.store(control, JOB, STOP);
        Atomics.notify(control, JOB);
        handle.terminate();
      };
      return new KernelThread(shared.kernels, names, control, end);
    } catch {
      // a page that forbids workers, or no room for one
      return undefined;
    }
  }

  /** Both parts of a kernel. False where the other thread took its part and is gone: the results are not to be used, and there is one thread from now on. */
  run(name: string, argument: number): boolean {
    const control = this.#control;
    const kernel = this.#kernels[name];
    if (!this.#isOpen) {
      kernel(argument, 0);
      kernel(argument, 1);
      return true;
    }
    control[KERNEL] = this.#names.indexOf(name);
    control[ARGUMENT] = argument;
    control[DONE] = 0;
    Atomics.store(control, CLAIM, 0);
    this.#job = (this.#job + 1) & 0x3fffffff;
    Atomics.store(control, JOB, this.#job);
    Atomics.notify(control, JOB);
    const begin = performance.now();
    kernel(argument, 0);
    if (Atomics.compareExchange(control, CLAIM, 0, 1) === 0) {
      kernel(argument, 1);
      return true;
    }
    const patience = Math.max(PATIENCE, PATIENCE_PARTS * (performance.now() - begin));
    for (let looks = 0; looks < LOOKS && Atomics.load(control, DONE) === 0; looks++);
    Atomics.wait(control, DONE, 0, patience);
    if (Atomics.load(control, DONE) === 1) {
      this.shared++;
      return true;
    }
    this.dispose();
    return false;
  }

  /** Ends the other thread; `run` does both parts afterwards. */
  dispose(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    owners.unregister(this);
    this.#end();
  }
}

/** Whether this thread may wait for another one over shared memory. */
export function canShareMemory(): boolean {
  const { process, WorkerGlobalScope, crossOriginIsolated } = globalThis as unknown as Platform;
  if (typeof SharedArrayBuffer === 'undefined') return false;
  if (typeof process?.getBuiltinModule === 'function') return true;
  return WorkerGlobalScope !== undefined && crossOriginIsolated === true;
}

function startWorker(message: object): Handle | undefined {
  const platform = globalThis as unknown as Platform;
  const threads = platform.process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined;
  if (threads !== undefined) {
    const worker = new threads.Worker(SOURCE, { eval: true, workerData: message, execArgv: [] });
    worker.unref();
    // what it dies of shows in `run`; unheard, it would end this thread too
    worker.on('error', () => {});
    return worker;
  }
  const { Worker, Blob, URL } = platform;
  if (Worker === undefined || Blob === undefined || URL === undefined) return undefined;
  const url = URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' }));
  const worker = new Worker(url);
  worker.postMessage(message);
  return worker;
}
