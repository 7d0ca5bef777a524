/**
 * A world that can be wound back: it keeps snapshots as it goes, and reaches any earlier step by loading the nearest one
 * before it and simulating from there, which gives the same bits as the first time.
 *
 * Memory is bounded. When there are more than `most` snapshots, every second one goes and the distance between them
 * doubles, so that they always lie evenly over all that was simulated: a seek simulates at most 2 n/most steps, n the
 * number of steps so far (or `every` steps, while that is more).
 */
import { HeddleError } from '../model/index.ts';
import type { StepReport, World } from './world.ts';

export interface ReplayOptions {
  /** Steps between snapshots, to begin with. Default 10. */
  readonly every?: number;
  /** Most snapshots kept. Default 100, at least 2. */
  readonly most?: number;
}

interface Snapshot {
  readonly step: number;
  readonly bytes: Uint8Array;
}

export class Replay {
  readonly world: World;
  /** The step that recording began at: the first that can be sought. */
  readonly first: number;
  readonly #most: number;
  #every: number;
  #last: number;
  /** In order of their steps; the first stays. */
  #snapshots: Snapshot[];

  /** Records `world` from its present step on; take steps and seek through the replay from then on. */
  constructor(world: World, options: ReplayOptions = {}) {
    this.world = world;
    this.#every = checkCount('every', options.every ?? 10, 1);
    this.#most = checkCount('most', options.most ?? 100, 2);
    this.first = this.#last = world.steps;
    this.#snapshots = [{ step: this.first, bytes: world.save() }];
  }

  /** The furthest step reached so far. */
  get last(): number {
    return this.#last;
  }

  /** Steps of the snapshots kept. */
  get snapshots(): readonly number[] {
    return this.#snapshots.map(({ step }) => step);
  }

  /** Bytes of the snapshots kept. */
  get memory(): number {
    return this.#snapshots.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** One step of the world, recorded. */
  step(): StepReport {
    const report = this.world.step();
    this.#last = Math.max(this.#last, this.world.steps);
    this.#record();
    return report;
  }

  /** Brings the world to a step: an earlier one again, to the bit, or a later one than ever before. */
  seek(step: number): void {
    if (!(Number.isInteger(step) && step >= this.first))
      throw new HeddleError(
        `Step ${step} is not available; give a whole number from ${this.first}, where recording began.`,
      );
    const nearest = this.#snapshots[this.#indexBefore(step)];
    if (this.world.steps > step || this.world.steps < nearest.step) this.world.load(nearest.bytes);
    while (this.world.steps < step) this.step();
  }

  #record(): void {
    const step = this.world.steps;
    if ((step - this.first) % this.#every !== 0) return;
    const before = this.#indexBefore(step);
    if (this.#snapshots[before].step === step) return;
    this.#snapshots.splice(before + 1, 0, { step, bytes: this.world.save() });
    if (this.#snapshots.length <= this.#most) return;
    this.#every *= 2;
    this.#snapshots = this.#snapshots.filter((snapshot) => (snapshot.step - this.first) % this.#every === 0);
  }

  /** Index of the last snapshot at or before a step. */
  #indexBefore(step: number): number {
    let low = 0;
    let high = this.#snapshots.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#snapshots[middle].step <= step) low = middle;
      else high = middle;
    }
    return low;
  }
}

function checkCount(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new HeddleError(`${name} of a replay is ${value}; it must be a whole number ≥ ${least}.`);
}
