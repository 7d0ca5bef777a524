/**
 * Two simulations of one scene in lock-step: both are asked for the same step, and the next is asked for only when both
 * have come there, so that what is seen side by side is always the same moment.
 */
import { addLimits, type FrameLimits } from 'heddle/model';
import type { Player } from './player.ts';
import type { Run } from './run.ts';

/** Longest stretch that is simulated between two pictures, in steps. */
const MOST_STEPS = 50;

export class Pair extends EventTarget implements Player {
  readonly first: Run;
  readonly second: Run;
  playing = false;
  ratio = 0;
  #goal = 0;
  #speed = 1;
  readonly #forward = (): void => {
    this.dispatchEvent(new Event('change'));
  };

  constructor(first: Run, second: Run) {
    super();
    this.first = first;
    this.second = second;
    first.addEventListener('change', this.#forward);
    second.addEventListener('change', this.#forward);
  }

  get shown(): Run['shown'] {
    return this.first.shown;
  }
  /** What both span: their views are framed alike. */
  get limits(): FrameLimits | undefined {
    const [first, second] = [this.first.limits, this.second.limits];
    if (first === undefined || second === undefined) return first ?? second;
    const limits = structuredClone(first);
    addLimits(second, limits);
    return limits;
  }
  get frame(): Run['frame'] {
    return this.first.frame;
  }
  get step(): number {
    return this.first.step;
  }
  get hash(): string | undefined {
    return this.first.hash;
  }
  get recorded(): readonly [number, number] {
    return this.first.recorded;
  }
  get end(): number {
    return this.first.end;
  }

  /** The step of the second simulation at the moment of a step of the first: they may differ in length. */
  #computeSecond(step: number): number {
    const [a, b] = [this.first.shown?.scene.time.step ?? 1, this.second.shown?.scene.time.step ?? 1];
    return Math.round((step * a) / b);
  }

  play(): void {
    if (this.playing) return;
    this.playing = true;
    this.#forward();
    void this.#playOn();
  }

  pause(): void {
    this.playing = false;
    this.ratio = 0;
    this.#forward();
  }

  async #playOn(): Promise<void> {
    while (this.playing) {
      const h = this.first.shown?.scene.time.step ?? 1e-3;
      const started = performance.now();
      const steps = Math.min(MOST_STEPS, Math.max(1, Math.round(this.#speed / 60 / h)));
      if (!(await this.#runTo(this.#goal + steps))) this.pause();
      await new Promise(requestAnimationFrame);
      const aim = Number.isFinite(this.#speed) ? (1000 * steps * h) / this.#speed : 0;
      const rest = aim - (performance.now() - started);
      if (rest > 1) await new Promise((wake) => setTimeout(wake, rest));
      this.ratio = (1000 * steps * h) / (performance.now() - started);
      if (this.#goal >= this.end && this.#goal - steps < this.end) this.pause();
    }
  }

  /** False when one of them did not get there; what it says of that is its message. */
  async #runTo(step: number): Promise<boolean> {
    this.#goal = step;
    const arrivals = [this.first.runTo(step), this.second.runTo(this.#computeSecond(step))];
    const outcomes = await Promise.allSettled(arrivals);
    return outcomes.every(({ status }) => status === 'fulfilled');
  }

  stepOnce(): void {
    void this.#runTo(this.#goal + 1);
  }

  reset(): void {
    this.pause();
    this.#goal = 0;
    this.first.reset();
    this.second.reset();
  }

  seek(step: number): void {
    this.pause();
    this.first.seek(step);
    this.second.seek(this.#computeSecond(step));
  }

  setSpeed(factor: number): void {
    this.#speed = factor;
  }

  /** Ends the second simulation; the first is left to its owner. */
  dispose(): void {
    this.pause();
    this.first.removeEventListener('change', this.#forward);
    this.second.removeEventListener('change', this.#forward);
    this.second.dispose();
  }
}
