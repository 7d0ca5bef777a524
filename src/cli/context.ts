/** What a command gets from its surroundings, so that tests can give it others. */

import type { Tessellation } from '../bodies/index.ts';
import type { Frame } from '../model/frame.ts';
import type { Limits } from '../model/limits.ts';
import type { Scene } from '../scene/index.ts';

/** A stream for text. */
export interface Output {
  write(text: string): void;
  /** Whether a person watches. */
  readonly isTerminal: boolean;
  /** Width in characters; undefined when unknown. */
  readonly columns: number | undefined;
}

/** What the command needs of a world (src/world has the real one). */
export interface RunnableWorld {
  readonly time: number;
  readonly steps: number;
  step(): unknown;
  /** Goes on with a step for at most so many sub-steps; true when it is complete. */
  stepPart(most: number): boolean;
  frame(): Frame;
  readonly probeColumns: readonly string[];
  readonly probeUnits: readonly string[];
  writeProbes(out: Float64Array): void;
  energy(): Readonly<Record<'kinetic' | 'stretch' | 'bending' | 'gravity' | 'contact' | 'total', number>>;
  maxStrain(): number;
  readonly nodeCount: number;
  /** Bodies with their shapes, for exporters. */
  readonly bodies: readonly { readonly id: string; readonly shape: { tessellate(): Tessellation } }[];
  /** Accumulated milliseconds by stage. */
  readonly profile: Readonly<Record<'detect' | 'adapt' | 'assemble' | 'solve' | 'advance', number>>;
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  hash(): string;
}

export interface CompileOptions {
  /** Reads a file that the scene names, beside the scene. */
  readonly readFile: (name: string) => Uint8Array<ArrayBuffer>;
  readonly limits?: Limits;
}

export interface Context {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Builds the world of a scene; the engine's own when it is left out. */
  readonly compile?: (scene: Scene, options: CompileOptions) => RunnableWorld;
  /** Wall clock [ms]. */
  readonly now: () => number;
  /** Calls back at Ctrl-C and at a request to end; returns what stops that. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Limits as the environment has them (HEDDLE_LIMITS): name=value, with commas. */
  readonly limits?: string | undefined;
  /** Folder of the built studio; the one that comes with the package when it is left out. */
  readonly studio?: string;
  /** What the process ends with. */
  exitCode: number;
}

function createOutput(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => {
      stream.write(text);
    },
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns;
    },
  };
}

/** The surroundings of the real command. */
export function createContext(): Context {
  return {
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    folder: process.cwd(),
    now: () => performance.now(),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
    limits: process.env.HEDDLE_LIMITS,
    exitCode: 0,
  };
}
