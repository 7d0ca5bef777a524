/**
 * What an exporter gets: a run as it was recorded, with the shapes of its bodies.
 */
import type { VertexPoses } from '../bodies/index.ts';
import type { Frame, ObjectFrame } from '../model/frame.ts';
import type { ProbeTable } from './csv.ts';
import type { YarnColours } from './group-colours.ts';

/** Triangles of a body in its own frame; `BodyFrame` with the same id places it. */
export interface BodyGeometry {
  readonly id: string;
  /** 3 per vertex [m]. */
  readonly positions: ArrayLike<number>;
  /** 3 per vertex; need not be of unit length. */
  readonly normals: ArrayLike<number>;
  /** 3 per triangle, counter-clockwise seen from outside. */
  readonly indices: ArrayLike<number>;
  /** Linear red, green, blue, 0…1. */
  readonly colour: readonly [number, number, number];
  /** How much it hides of what is behind it, 0…1. Default 1. */
  readonly opacity?: number;
  /** Of a body that deforms: its vertices by time. `positions` and `normals` are those at one moment. */
  readonly poses?: VertexPoses | undefined;
}

export interface RecordedRun {
  /** Name of the scene; file names start with it. */
  readonly name: string;
  readonly frames: readonly Frame[];
  readonly bodies: readonly BodyGeometry[];
  readonly probes: ProbeTable;
  /** Rate at which frames were recorded [1/s]; where it is missing it is taken from their times. */
  readonly framesPerSecond?: number;
  /** Material length of one check of the checkerboard [m]. Default 0.05. */
  readonly checker?: number;
  /** Colours that the scene gives its fabrics. */
  readonly yarnColours?: YarnColours;
}

/** Linear base colours of curves and sheets, in turn. */
export const OBJECT_COLOURS = [
  [0.85, 0.42, 0.12],
  [0.12, 0.4, 0.75],
  [0.25, 0.6, 0.25],
  [0.7, 0.15, 0.3],
  [0.5, 0.35, 0.75],
  [0.75, 0.65, 0.2],
] as const;

/** The texture repeat [m] for a run: two checks. */
export function computeTextureRepeat(run: RecordedRun): number {
  return 2 * (run.checker ?? 0.05);
}

export type ObjectType = ObjectFrame['type'];
export type FrameOf<T extends ObjectType> = Extract<ObjectFrame, { readonly type: T }>;

/** The objects of one type in a frame. */
export function selectObjects<T extends ObjectType>(frame: Frame, type: T): FrameOf<T>[] {
  return frame.objects.filter((object): object is FrameOf<T> => object.type === type);
}

/**
 * Every object of a type in the run by id, one entry a frame; where a frame lacks it, as it was before (or will be
 * first).
 */
export function collectObjects<T extends ObjectType>(frames: readonly Frame[], type: T): Map<string, FrameOf<T>[]> {
  const objects = new Map<string, FrameOf<T>[]>();
  for (const [f, frame] of frames.entries()) {
    for (const object of selectObjects(frame, type)) {
      const sequence = objects.get(object.id) ?? [];
      objects.set(object.id, sequence);
      const before = sequence.at(-1) ?? object;
      while (sequence.length < f) sequence.push(before);
      sequence[f] = object;
    }
  }
  for (const sequence of objects.values()) {
    while (sequence.length < frames.length) sequence.push(sequence[sequence.length - 1]);
  }
  return objects;
}

/** Names of all fields that any object of the run (of one type, if given) has, in the order in which they appear. */
export function collectFieldNames(frames: readonly Frame[], type?: ObjectType): string[] {
  const names = new Set<string>();
  for (const { objects } of frames) {
    for (const object of objects) {
      if (type === undefined || object.type === type) for (const name of Object.keys(object.fields)) names.add(name);
    }
  }
  return [...names];
}

/** Name of the file of frame `f` (from 0) in a sequence that is numbered from 1: `<scene>.0001.obj`. */
export function nameFrameFile(run: RecordedRun, f: number, extension: string): string {
  const digits = Math.max(4, String(run.frames.length).length);
  return `${run.name}.${String(f + 1).padStart(digits, '0')}${extension}`;
}
