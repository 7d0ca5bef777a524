/**
 * Memory that kernels work in, and the kernels of that memory: compiled where WebAssembly with SIMD is there, else their twins, with the
 * same bits. Grows, never shrinks; its contents are the owner's until the next `reserve`.
 */
import type { FabricKernels } from './fabric.ts';
import type { FrontKernels, MatrixKernels } from './fronts.ts';
import { FrontTwinDouble } from './fronts-twin.ts';
import { FrontTwinSingle } from './fronts-twin-single.generated.ts';
import { KERNELS_BASE64 } from './kernels.generated.ts';
import { MatrixTwin } from './matrix-twin.ts';
import type { MpmKernels } from './mpm.ts';
import type { NetKernels } from './net.ts';
import { NetTwin } from './net-twin.ts';
import type { SheetKernels } from './sheet.ts';

/** The memory as arrays; replaced when it grows. */
export interface Views {
  f64: Float64Array;
  f32: Float32Array;
  i32: Int32Array;
  i8: Int8Array;
}

/** Bytes of a page of WebAssembly; the first is the compiled code's own. */
const PAGE = 65536;
const MOST_PAGES = 65535;

/** What is used of WebAssembly, which the language's own types leave to the platform. */
interface CompiledMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, never> };
  readonly Memory: new (size: { initial: number; maximum: number; shared?: boolean }) => CompiledMemory;
}

export interface KernelMemoryOptions {
  readonly prefersTwin?: boolean;
  readonly isShared?: boolean;
}

/** What another thread needs to run the kernels of a memory, and the kernels of this thread. */
export interface SharedKernels {
  readonly module: object;
  readonly memory: object;
  readonly kernels: Readonly<Record<string, (argument: number, domain: number) => void>>;
}

export class KernelMemory {
  readonly views: Views = createViews(new ArrayBuffer(0));
  #double: FrontKernels;
  #single: FrontKernels;
  #matrix: MatrixKernels;
  #net: NetKernels;
  #sheet: SheetKernels | undefined;
  #fabric: FabricKernels | undefined;
  #mpm: MpmKernels | undefined;
  #memory: CompiledMemory | undefined;
  #mayCompile: boolean;
  readonly #wantsShared: boolean;
  #shared: SharedKernels | undefined;

  /** `prefersTwin`: always the kernels in TypeScript; `isShared`: memory that other threads can see (threads.ts), where there is such. */
  constructor({ prefersTwin = false, isShared = false }: KernelMemoryOptions = {}) {
    this.#mayCompile = !prefersTwin;
    this.#wantsShared = isShared;
    this.#double = new FrontTwinDouble(this.views);
    this.#single = new FrontTwinSingle(this.views);
    this.#matrix = new MatrixTwin(this.views);
    this.#net = new NetTwin(this.views);
  }

  get double(): FrontKernels {
    return this.#double;
  }

  get single(): FrontKernels {
    return this.#single;
  }

  get matrix(): MatrixKernels {
    return this.#matrix;
  }

  get net(): NetKernels {
    return this.#net;
  }

  /** The loops of sheets, where they are compiled; their twins belong to src/sheet. */
  get sheet(): SheetKernels | undefined {
    return this.#sheet;
  }

  /** The loops of fabrics, likewise: their twins belong to src/fabric. */
  get fabric(): FabricKernels | undefined {
    return this.#fabric;
  }

  /** The loops of the continuum in single precision, likewise: src/mpm has those in double precision. */
  get mpm(): MpmKernels | undefined {
    return this.#mpm;
  }

  /** Whether the kernels are compiled ones. */
  get isCompiled(): boolean {
    return this.#memory !== undefined;
  }

  /** Where the kernels are compiled and the memory is one that threads share. */
  get shared(): SharedKernels | undefined {
    return this.#shared;
  }

  /** First byte that may be used. */
  get start(): number {
    return PAGE;
  }

  /** Makes room up to this byte; what was in memory may be lost. `compiled`: whether compiling the kernels pays; they stay so. */
  reserve(end: number, compiled: boolean): void {
    if (compiled && this.#mayCompile) this.#compile();
    const bytes = this.views.i8.length;
    if (end <= bytes) return;
    const pages = Math.min(MOST_PAGES, Math.ceil(Math.max(end, 1.25 * bytes) / PAGE));
    if (pages * PAGE < end)
      throw new RangeError(
        `KernelMemory: ${end} bytes are more than the 4 GiB that kernels can reach; use an iterative solver for a system of this size.`,
      );
    if (this.#memory === undefined) this.#take(new ArrayBuffer(pages * PAGE));
    else {
      this.#memory.grow(pages - bytes / PAGE);
      this.#take(this.#memory.buffer);
    }
  }

  #compile(): void {
    this.#mayCompile = false;
    const compiled = (this.#wantsShared ? compile(true) : undefined) ?? compile(false);
    if (compiled === undefined) return;
    this.#shared = compiled.shared;
    this.#memory = compiled.memory;
    this.#double = compiled.double;
    this.#single = compiled.single;
    this.#matrix = compiled.matrix;
    this.#net = compiled.net;
    this.#sheet = compiled.sheet;
    this.#fabric = compiled.fabric;
    this.#mpm = compiled.mpm;
    this.#take(compiled.memory.buffer);
  }

  #take(buffer: ArrayBufferLike): void {
    Object.assign(this.views, createViews(buffer));
  }
}

const createViews = (buffer: ArrayBufferLike): Views => ({
  f64: new Float64Array(buffer),
  f32: new Float32Array(buffer),
  i32: new Int32Array(buffer),
  i8: new Int8Array(buffer),
});

interface Compiled {
  readonly memory: CompiledMemory;
  readonly double: FrontKernels;
  readonly single: FrontKernels;
  readonly matrix: MatrixKernels;
  readonly net: NetKernels;
  readonly sheet: SheetKernels;
  readonly fabric: FabricKernels;
  readonly mpm: MpmKernels;
  readonly shared: SharedKernels | undefined;
}

/** How the module asks for its memory, up to the byte that says which kind: 1 with a maximum, 3 with a maximum and shared. */
const MEMORY_IMPORT = '\x03env\x06memory\x02';
const IS_SHARED = 3;

/** Modules by whether their memory is shared: the same for all memories of a kind, so that they are read and compiled once. */
const modules = new Map<boolean, object>();

function takeModule(api: WebAssemblyApi, isShared: boolean): object {
  const known = modules.get(isShared);
  if (known !== undefined) return known;
  const text = atob(KERNELS_BASE64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  if (isShared) bytes[text.indexOf(MEMORY_IMPORT) + MEMORY_IMPORT.length] = IS_SHARED;
  const module = new api.Module(bytes);
  modules.set(isShared, module);
  return module;
}

/** Compiled kernels over a memory of their own; undefined where that is not possible. */
function compile(isShared: boolean): Compiled | undefined {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api === undefined) return undefined;
  try {
    const memory = new api.Memory({ initial: 1, maximum: MOST_PAGES, ...(isShared && { shared: true }) });
    const module = takeModule(api, isShared);
    const { exports } = new api.Instance(module, { env: { memory } });
    const pick = (suffix: string) =>
      Object.fromEntries(
        Object.entries(exports)
          .filter(([name]) => name.endsWith(suffix))
          .map(([name, kernel]) => [name.slice(0, -2), kernel]),
      ) as unknown as FrontKernels;
    const all = exports as unknown as MatrixKernels & NetKernels & SheetKernels & FabricKernels & MpmKernels;
    const kernels = Object.fromEntries(Object.entries(exports).filter(([, value]) => typeof value === 'function'));
    const shared = isShared ? { module, memory, kernels } : undefined;
    return {
      memory,
      double: pick('64'),
      single: pick('32'),
      matrix: all,
      net: all,
      sheet: all,
      fabric: all,
      mpm: all,
      shared,
    };
  } catch {
    // no SIMD, no room for another memory, or a page that forbids compiling
    return undefined;
  }
}
