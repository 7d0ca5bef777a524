/**
 * A scene that is being simulated: its world, advanced sub-step by sub-step, and the recording of all its whole steps.
 */

import { type BodyGeometry, collectBodyVertices, computeBodyGeometry } from 'heddle/io';
import { HeddleError, isNodeModel, SceneError } from 'heddle/model';
import { compile, countSteps, locateFaults, parseScene, type Scene, setPointer } from 'heddle/scene';
import { HandLog, MEASURE_UNITS, type Profile, type World } from 'heddle/world';
import { type GrabTarget, MEASURE_COLUMNS, type Override, type Point } from './protocol.ts';
import { Recording } from './recording.ts';

/** Steps that the mean wall time of a step is taken over. */
const MEAN_STEPS = 30;

/** What a run is made from; made again, it gives the same bits. */
export interface RunSource {
  readonly text: string;
  readonly overrides: readonly Override[];
  readonly files: Readonly<Record<string, ArrayBuffer>>;
}

export class Run {
  readonly source: RunSource;
  readonly scene: Scene;
  readonly world: World;
  /** What the hand does; with the source all that is needed to run the same again. */
  readonly hand: HandLog;
  /** Bodies that have an end, as triangles. */
  readonly bodies: readonly BodyGeometry[];
  readonly recording: Recording;
  /** Columns of measures. */
  readonly columns: readonly string[];
  /** Unit of each column. */
  readonly units: readonly string[];
  /** Step at which the scene's duration is over. */
  readonly end: number;
  /** Whether a step has begun and is not complete. */
  isInside = false;
  /** Mean wall time of the last steps [ms]. */
  stepMs = 0;
  readonly #stages: Profile;
  readonly #now: () => number;
  #spent = 0;
  #steps = 0;

  /** Throws a SceneError with all faults of the source. */
  constructor(source: RunSource, limit: number, now: () => number) {
    this.source = source;
    this.scene = parseScene(source.text, {
      change: (raw) => {
        for (const { path, value } of source.overrides) setPointer(raw, path, value);
      },
    });
    this.world = compileSource(this.scene, source);
    this.hand = new HandLog(this.world);
    const planes = new Set(this.scene.bodies.filter(({ shape }) => shape.type === 'plane').map(({ id }) => id));
    this.bodies = computeBodyGeometry(this.world, this.scene).filter(({ id }) => !planes.has(id));
    this.recording = new Recording(collectBodyVertices(this.bodies), limit);
    this.columns = [...MEASURE_COLUMNS, ...this.world.probeColumns];
    this.units = [...MEASURE_COLUMNS.map((column) => MEASURE_UNITS[column]), ...this.world.probeUnits];
    this.end = countSteps(this.scene.time.duration, this.scene.time.step);
    this.#stages = { ...this.world.profile };
    this.#now = now;
    this.#record();
  }

  /** Goes on by one sub-step; true when that completed a step, which is recorded then. Throws a StepError. */
  advance(): boolean {
    const begin = this.#now();
    // there was no room for its record when it was complete
    if (!this.isInside && this.recording.last.step < this.world.steps) {
      this.#record();
      return true;
    }
    // what throws has rolled back: the next call begins anew
    this.isInside = false;
    const isComplete = this.hand.advance();
    this.isInside = !isComplete;
    this.#spent += this.#now() - begin;
    if (!isComplete) return false;
    this.#steps = Math.min(MEAN_STEPS, this.#steps + 1);
    this.stepMs += (this.#spent - this.stepMs) / this.#steps;
    this.#spent = 0;
    this.#record();
    return true;
  }

  /** Takes hold of something; `point` is where it was touched, and where it is pulled to. */
  grab(target: GrabTarget, point: Point): void {
    const { hand } = this;
    if (target.kind === 'body') hand.take({ body: target.body, at: point }, point);
    else hand.take({ object: target.object, label: target.label }, point);
  }

  /** The state hash of the last step; empty while a step is half done, or where it was broken off. */
  computeHash(): string {
    const { last } = this.recording;
    const { world } = this;
    if (last.hash === '' && !this.isInside && world.steps === last.step && !world.isBroken) last.hash = world.hash();
    return last.hash;
  }

  #record(): void {
    const { world } = this;
    const frame = world.frame();
    const labels = new Map(
      world.models
        .filter(isNodeModel)
        .flatMap((model) => (model.frameIds ?? [model.id]).map((id) => [id, model.frameLabels(id)] as const)),
    );
    this.recording.add(
      frame,
      frame.objects.map(({ id }) => labels.get(id) ?? new Int32Array(0)),
      this.#measure(),
    );
  }

  #measure(): Float64Array<ArrayBuffer> {
    const { world } = this;
    const row = new Float64Array(this.columns.length);
    const { kinetic, stretch, bending, gravity, contact, total } = world.energy();
    row.set([world.steps, world.time, kinetic, stretch, bending, gravity, contact, total, world.nodeCount]);
    const first = MEASURE_COLUMNS.indexOf('remeshings');
    row[first] = world.report.remeshings;
    row[first + 1] = world.report.rescues;
    // a continuum takes its own
    row[first + 2] = Math.max(world.report.substeps, ...world.models.map(({ substeps = 0 }) => substeps));
    const stages = ['detect', 'adapt', 'assemble', 'solve', 'advance'] as const;
    stages.forEach((stage, k) => {
      row[first + 3 + k] = world.profile[stage] - this.#stages[stage];
      this.#stages[stage] = world.profile[stage];
    });
    world.writeProbes(row.subarray(MEASURE_COLUMNS.length));
    return row;
  }
}

function compileSource(scene: Scene, { text, files }: RunSource): World {
  const readFile = (name: string): Uint8Array<ArrayBuffer> => {
    if (Object.hasOwn(files, name)) return new Uint8Array(files[name]);
    throw new HeddleError(`the file ${name} is missing; drop it together with the scene.`);
  };
  try {
    return compile(scene, { readFile });
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new SceneError(locateFaults(error.faults, text));
  }
}
