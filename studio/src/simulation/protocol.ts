/**
 * What the page and the worker that simulates say to each other. Both directions are plain values, so that they cross by
 * structured clone; ArrayBuffers are transferred, not copied.
 *
 * A load that succeeds is answered by loaded, frame, measures and state; a reset by frame, measures and state. Measures whose
 * first row is step 0 begin anew: what was plotted before belongs to another run. Playing pauses when the scene's duration is
 * reached; playing again goes on beyond it.
 */
import type { FrameLimits, SceneFault } from 'heddle/model';
import type { Scene } from 'heddle/scene';
import type { BodyTriangles } from '../scene.ts';

/** A point of the world [m]. */
export type Point = readonly [number, number, number];

/** A value of the scene replaced before it is validated; the path is a JSON pointer such as `/objects/0/nodes`. */
export type Override = { path: string; value: unknown };

/** What is grabbed: a node of the object at an index by its label (`FrameReply.labels`), or a body by its id. */
export type GrabTarget = { kind: 'node'; object: string; label: number } | { kind: 'body'; body: string };

/** Page → worker. */
export type Request =
  /** Scene JSON, the files it names, and values that replace its own. */
  | { type: 'load'; id: number; text: string; files?: Record<string, ArrayBuffer>; settings?: Override[] }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'step'; steps: number }
  | { type: 'reset' }
  /** Simulated seconds per real second aimed at; Infinity: as fast as it goes. */
  | { type: 'speed'; factor: number }
  /** A recorded step is sent as a frame; playing on from there restarts at the latest. */
  | { type: 'seek'; step: number }
  | { type: 'grab'; target: GrabTarget; point: Point }
  | { type: 'drag'; point: Point }
  | { type: 'release' }
  /** Name of an exporter of heddle/io, over what was recorded, or over a frame file of the same scene. */
  | { type: 'export'; id: number; format: string; file?: Uint8Array<ArrayBuffer> }
  /** Lock-step comparison: simulate until this step, pause, and say that it has arrived when an id is given. */
  | { type: 'run-to'; step: number; id?: number };

/** Page → worker that is no longer needed: it forgets its scene and answers `Rested`, after which it says nothing until it is asked again. */
export type Rest = { type: 'rest' };

/** Whether little is left in memory, and nothing to do: then the worker is fit for another scene. */
export type Rested = { type: 'rested'; isLight: boolean };

/** A validated scene with what a view needs before the first frame. */
export type Loaded = {
  type: 'loaded';
  id: number;
  scene: Scene;
  limits: FrameLimits;
  bodies: BodyTriangles[];
  probeColumns: string[];
  hash: string;
};

/** A mistake in a scene or a step that failed; the session stays usable. */
export type Fault = { type: 'fault'; id: number | null; message: string; faults?: SceneFault[] };

/** One frame as a frame payload of heddle/io, and the spring that pulls, if any, from the thing grabbed to the pointer. */
export type FrameReply = {
  type: 'frame';
  step: number;
  time: number;
  bytes: ArrayBuffer;
  /** State hash; empty for a step gone back to that was not shown before, and of large states while they run. */
  hash: string;
  /** For each object, the labels of its nodes in order: what a grab names, because places in the frame change. None of what cannot be grabbed. */
  labels: Int32Array[];
  grab: { from: number[]; to: number[] } | null;
};

/**
 * Rows of measures, Float64 row by row; `from` is the step of the first. Columns: `MEASURE_COLUMNS`, then the probes; a unit for
 * each, '1' for pure numbers.
 */
export type Measures = { type: 'measures'; from: number; columns: string[]; units: string[]; rows: ArrayBuffer };

export type StateReply = {
  type: 'state';
  playing: boolean;
  /** Step that the simulation has reached; a frame of an earlier one may be shown. */
  step: number;
  /** Step at which the scene's duration is over. */
  end: number;
  /** First and last step that can be sought. The first is above 0 when the oldest frames were dropped. */
  recorded: [number, number];
  /** Simulated time over real time. */
  ratio: number;
  /** Mean wall time of a step [ms]. */
  stepMs: number;
  /** What all frames so far span: for colour maps, and cameras that follow. */
  limits: FrameLimits;
  /** A sentence when something of the recording is gone (the oldest frames), else null. */
  note: string | null;
};

export type Exported = {
  type: 'exported';
  id: number;
  files: { path: string; bytes: ArrayBuffer }[];
  notes: string[];
};

/** The end of a `run-to`, after its frame, measures and state; an earlier step when something else was asked for first or failed. */
export type Arrived = { type: 'arrived'; id: number; step: number };

/** Worker → page. */
export type Reply = Loaded | Fault | FrameReply | Measures | StateReply | Exported | Arrived;

/** Columns of every row of measures before the probes; their units are MEASURE_UNITS of heddle/world. */
export const MEASURE_COLUMNS = [
  'step',
  'time',
  'kinetic',
  'stretch',
  'bending',
  'gravity',
  'contact',
  'total',
  'nodes',
  'remeshings',
  'rescues',
  'substeps',
  'detect',
  'adapt',
  'assemble',
  'solve',
  'advance',
] as const;
