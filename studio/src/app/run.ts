/**
 * A live simulation: the client of the worker with what it last said. Replaces its scene, keeps the measures of all
 * steps in one growing array, and stays usable after a fault.
 */
import type { Frame, FrameLimits, SceneFault } from 'heddle/model';
import { type ShownFrame, SimulationClient, SimulationError } from '../simulation/client.ts';
import type { Exported, Fault, Loaded, Measures, Override, StateReply } from '../simulation/protocol.ts';
import { type Held, locateHeld } from './held.ts';
import type { Picked, Point } from './picking.ts';
import type { Player, Pull } from './player.ts';

/** Contents of the files that a scene names. */
export type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

export class Run extends EventTarget implements Player {
  shown: Loaded | undefined;
  limits: FrameLimits | undefined;
  frame: Frame | undefined;
  hash: string | undefined;
  pull: Pull | null = null;
  /** Labels of the nodes of each object of the frame, for grabs. */
  labels: readonly Int32Array[] = [];
  state: StateReply | undefined;
  /** The last fault, until something works again. */
  message = '';
  faults: readonly SceneFault[] = [];
  measureColumns: readonly string[] = [];
  measureUnits: readonly string[] = [];
  readonly #client: SimulationClient;
  #measures = new Float64Array(0);
  #measured = 0;
  #speed = 1;

  constructor(client: SimulationClient = new SimulationClient()) {
    super();
    this.#client = client;
    client.on('loaded', (reply) => this.#setLoaded(reply));
    client.on('frame', (reply) => this.#setFrame(reply));
    client.on('state', (reply) => {
      this.state = reply;
      this.limits = reply.limits;
      this.#tell();
    });
    client.on('measures', (reply) => this.#addMeasures(reply));
    client.on('fault', (reply) => this.#setFault(reply));
  }

  #tell(): void {
    this.dispatchEvent(new Event('change'));
  }

  get playing(): boolean {
    return this.state?.playing ?? false;
  }
  get step(): number {
    return this.frame?.step ?? 0;
  }
  get recorded(): readonly [number, number] {
    return this.state?.recorded ?? [0, 0];
  }
  get end(): number {
    return this.state?.end ?? 0;
  }
  get ratio(): number {
    return this.playing ? (this.state?.ratio ?? 0) : 0;
  }
  get speed(): number {
    return this.#speed;
  }
  get isHeld(): boolean {
    return this.pull !== null;
  }
  /** All measures so far, row by row. */
  get measures(): Float64Array {
    return this.#measures.subarray(0, this.#measured);
  }

  /** Replaces the scene; false when it has faults, and then the old one goes on. */
  async load(text: string, files: Files, overrides: readonly Override[] = []): Promise<boolean> {
    try {
      const buffers = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.buffer]));
      await this.#client.load(text, [...overrides], buffers);
      this.#client.setSpeed(this.#speed);
      return true;
    } catch (error) {
      this.message = error instanceof Error ? error.message : String(error);
      this.faults = error instanceof SimulationError ? error.faults : [];
      this.#tell();
      return false;
    }
  }

  #setLoaded(reply: Loaded): void {
    this.shown = reply;
    this.limits = reply.limits;
    this.hash = reply.hash;
    this.message = '';
    this.faults = [];
    this.#tell();
  }

  #setFrame(reply: ShownFrame): void {
    this.frame = reply.frame;
    this.hash = reply.hash || undefined;
    this.labels = reply.labels;
    this.pull = reply.grab as Pull | null;
    this.#tell();
  }

  #setFault(reply: Fault): void {
    this.message = reply.message;
    this.faults = reply.faults ?? [];
    this.#tell();
  }

  #addMeasures(reply: Measures): void {
    const rows = new Float64Array(reply.rows);
    const width = reply.columns.length;
    if (this.measureColumns.join() !== reply.columns.join() || reply.from === 0) this.#measured = 0;
    this.measureColumns = reply.columns;
    this.measureUnits = reply.units;
    // rows of steps that were taken before are taken again after a reset
    while (this.#measured > 0 && this.#measures[this.#measured - width] >= reply.from) this.#measured -= width;
    if (this.#measured + rows.length > this.#measures.length) {
      const larger = new Float64Array(2 * (this.#measured + rows.length));
      larger.set(this.measures);
      this.#measures = larger;
    }
    this.#measures.set(rows, this.#measured);
    this.#measured += rows.length;
    this.#tell();
  }

  play(): void {
    this.message = '';
    this.#client.play();
  }
  pause(): void {
    this.#client.pause();
  }
  stepOnce(): void {
    this.#client.step(1);
  }
  reset(): void {
    this.message = '';
    this.#client.reset();
  }
  seek(step: number): void {
    this.#client.seek(step);
  }
  setSpeed(factor: number): void {
    this.#speed = factor;
    this.#client.setSpeed(factor);
  }
  runTo(step: number): Promise<void> {
    this.message = '';
    return this.#client.runTo(step);
  }
  /** Whether a body is free to move, so that it can be pulled. */
  isFree(body: string): boolean {
    return this.shown?.scene.bodies.find(({ id }) => id === body)?.motion === 'dynamic';
  }
  /** Whether a hand can take hold of what was picked: of a body that is free, of nodes that have names. */
  allows(picked: Picked): boolean {
    return picked.kind === 'body' ? this.isFree(picked.body) : (this.labels[picked.object]?.length ?? 0) > 0;
  }
  hold(held: Held): void {
    const found = locateHeld(held, this);
    if (found === undefined || (held.kind === 'body' && !this.isFree(held.body))) return;
    this.#client.grab(found.target, found.point);
    this.#client.drag(held.point);
  }
  drag(point: Point): void {
    this.#client.drag(point);
  }
  release(): void {
    this.#client.release();
  }
  exportRun(format: string): Promise<Exported> {
    return this.#client.exportRun(format);
  }
  /** The run in the bytes of a frame file of this scene, in a format of heddle/io. */
  exportFile(format: string, bytes: Uint8Array<ArrayBuffer>): Promise<Exported> {
    return this.#client.exportRun(format, bytes);
  }

  /** Ends the worker at once, whatever it does, and opens the same scene from its beginning. */
  halt(): void {
    this.#client.stop();
    this.#client.setSpeed(this.#speed);
  }

  dispose(): void {
    this.#client.close();
  }
}
