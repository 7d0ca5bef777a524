/**
 * Two simulations of one scene in lock-step: both are asked for the same step, and the next is asked for only when both
 * have come there, so that what is seen side by side is always the same moment. A hand acts on both: what it does waits until
 * both are at rest at the same moment, so that both are pulled from the same moment on to the same place.
 */
import { addLimits, type FrameLimits } from 'heddle/model';
import type { Held, Labelled } from './held.ts';
import type { Point } from './picking.ts';
import type { Player, Pull } from './player.ts';
import type { Run } from './run.ts';

/** Longest stretch that is simulated between two pictures, in steps. */
const MOST_STEPS = 50;

/** What is seen of one of them. */
export type Seen = Labelled & { readonly pull: Pull | null };

/** What is done to both simulations while both are at rest. */
type Deed = () => void;

export class Pair extends EventTarget implements Player {
  readonly first: Run;
  readonly second: Run;
  playing = false;
  ratio = 0;
  #goal = 0;
  #speed: number;
  /** Counts what puts an end to stretches that are asked for: a loop or a step of an earlier round goes no further. */
  #round = 0;
  /** Settles when no stretch is on its way any more. */
  #way: Promise<unknown> = Promise.resolve();
  /** Stretches on their way. */
  #going = 0;
  #deeds: Deed[] = [];
  /** Frames come one by one while a stretch is on its way; they are looked at only when both have arrived. */
  readonly #seen = new Map<Run, Seen>();
  readonly #forward = (): void => {
    if (this.#going === 0) this.#look();
    this.dispatchEvent(new Event('change'));
  };

  constructor(first: Run, second: Run) {
    super();
    this.first = first;
    this.second = second;
    this.#speed = first.speed;
    first.addEventListener('change', this.#forward);
    second.addEventListener('change', this.#forward);
    this.#look();
  }

  /** What is to be seen of one of them: the same moment as of the other. */
  see(run: Run): Seen {
    return this.#seen.get(run) ?? run;
  }

  #look(): void {
    for (const run of [this.first, this.second]) {
      const { frame, labels, pull } = run;
      this.#seen.set(run, { frame, labels, pull });
    }
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
    return this.see(this.first).frame;
  }
  get step(): number {
    return this.frame?.step ?? 0;
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
  get speed(): number {
    return this.#speed;
  }
  get message(): string {
    return this.first.message || this.second.message;
  }
  /** Whether one of them is pulled. */
  get isHeld(): boolean {
    return this.first.isHeld || this.second.isHeld;
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
    void this.#playOn(++this.#round);
  }

  /** What is on its way still arrives, so that both rest at the same moment. */
  pause(): void {
    this.#round++;
    this.playing = false;
    this.ratio = 0;
    this.#forward();
  }

  /** Pauses, and waits until what was on its way has arrived: both then rest at the same moment. */
  async settle(): Promise<void> {
    this.pause();
    await this.#way;
  }

  async #playOn(round: number): Promise<void> {
    while (round === this.#round) {
      const h = this.first.shown?.scene.time.step ?? 1e-3;
      const started = performance.now();
      const steps = Math.min(MOST_STEPS, Math.max(1, Math.round(this.#speed / 60 / h)));
      const hasArrived = await this.#go(steps, round);
      if (round !== this.#round) return;
      if (!hasArrived) return this.pause();
      await new Promise(requestAnimationFrame);
      const aim = Number.isFinite(this.#speed) ? (1000 * steps * h) / this.#speed : 0;
      const rest = aim - (performance.now() - started);
      if (rest > 1) await new Promise((wake) => setTimeout(wake, rest));
      if (round !== this.#round) return;
      this.ratio = (1000 * steps * h) / (performance.now() - started);
      if (this.#goal >= this.end && this.#goal - steps < this.end) this.pause();
    }
  }

  /** Goes on by so many steps of the first once what is on its way has arrived; nothing when its round is over by then. */
  #go(steps: number, round: number): Promise<boolean> {
    this.#going++;
    const way = this.#way.then(async () => {
      const hasArrived = round === this.#round && (await this.#runTo(this.#goal + steps));
      this.#going--;
      this.#forward();
      this.#act();
      return hasArrived;
    });
    this.#way = way;
    return way;
  }

  /** False when one of them did not get there; what it says of that is its message. */
  async #runTo(step: number): Promise<boolean> {
    this.#act();
    this.#goal = step;
    const arrivals = [this.first.runTo(step), this.second.runTo(this.#computeSecond(step))];
    const outcomes = await Promise.allSettled(arrivals);
    return outcomes.every(({ status }) => status === 'fulfilled');
  }

  stepOnce(): void {
    if (this.playing) this.pause();
    void this.#go(1, this.#round);
  }

  reset(): void {
    this.#begin();
    this.first.reset();
    this.second.reset();
  }

  /** Ends both workers at once, whatever they do, and opens both scenes from their beginning. */
  halt(): void {
    this.#begin();
    this.first.halt();
    this.second.halt();
  }

  #begin(): void {
    this.pause();
    this.#goal = 0;
    this.#deeds = [];
  }

  seek(step: number): void {
    this.pause();
    this.#do(() => {
      this.first.seek(step);
      this.second.seek(this.#computeSecond(step));
    });
  }

  setSpeed(factor: number): void {
    this.#speed = factor;
    this.first.setSpeed(factor);
  }

  /** Takes hold of the same material, or the same place of a body, in both, where they have it. */
  hold(held: Held): void {
    this.#do(() => {
      for (const run of [this.first, this.second]) run.hold(held);
    });
  }

  drag(point: Point): void {
    this.#do(() => {
      for (const run of [this.first, this.second]) run.drag(point);
    });
  }

  release(): void {
    this.#do(() => {
      for (const run of [this.first, this.second]) run.release();
    });
  }

  #do(deed: Deed): void {
    this.#deeds.push(deed);
    if (this.#going === 0) this.#act();
  }

  #act(): void {
    for (const deed of this.#deeds.splice(0)) deed();
  }

  exportRun(format: string): ReturnType<Run['exportRun']> {
    return this.first.exportRun(format);
  }

  /** Ends the second simulation; the first is left to its owner. */
  dispose(): void {
    this.pause();
    this.first.removeEventListener('change', this.#forward);
    this.second.removeEventListener('change', this.#forward);
    this.second.dispose();
  }
}
