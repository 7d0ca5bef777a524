/**
 * What a hand did in a running world, and when: with the scene it is all that is needed to run the same again, to the bit. A hand may come between
 * any two sub-steps, so moments are counted in them; `World.stepPart(1)` tries one.
 */
import type { Grab, Grabbed } from './grab.ts';
import type { World } from './world.ts';

/** Plain JSON. */
export interface HandInput {
  /** Whole steps when it came, and sub-steps tried since. */
  readonly step: number;
  readonly part: number;
  /** What it took hold of; null where it let go; left out where it moved. */
  readonly take?: Grabbed | null;
  /** Where it pulls to [m]; left out where it let go. */
  readonly point?: readonly number[];
}

/** A world that a hand pulls on: act on it and go on through this, and all of it is in `inputs`. */
export class HandLog {
  readonly world: World;
  readonly inputs: HandInput[] = [];
  #part = 0;

  /** Logs from the present step on. */
  constructor(world: World) {
    this.world = world;
  }

  /** What was held before is let go, also where there is nothing to take hold of, which throws. */
  take(grabbed: Grabbed, point: ArrayLike<number>): void {
    const take = 'body' in grabbed ? { body: grabbed.body, at: Array.from(grabbed.at) } : { ...grabbed };
    this.release();
    try {
      this.#act({ ...this.#moment, take, point: Array.from(point) });
    } catch (error) {
      this.world.grab.release();
      throw error;
    }
  }

  drag(point: ArrayLike<number>): void {
    this.#act({ ...this.#moment, point: Array.from(point) });
  }

  release(): void {
    this.#act({ ...this.#moment, take: null });
  }

  /** Tries one sub-step; true when that completed a step. */
  advance(): boolean {
    this.#part++;
    const isComplete = this.world.stepPart(1);
    if (isComplete) this.#part = 0;
    return isComplete;
  }

  get #moment(): { readonly step: number; readonly part: number } {
    return { step: this.world.steps, part: this.#part };
  }

  /** What is refused is not logged. */
  #act(input: HandInput): void {
    applyInput(this.world.grab, input);
    this.inputs.push(input);
  }
}

/** Takes a world, made anew and as far as the log's was when that began, on to a step with all that the hand did on the way. */
export function replayHand(world: World, inputs: readonly HandInput[], step: number): void {
  let next = 0;
  for (let part = 0; world.steps < step; ) {
    for (; next < inputs.length && inputs[next].step === world.steps && inputs[next].part === part; next++)
      applyInput(world.grab, inputs[next]);
    part = world.stepPart(1) ? 0 : part + 1;
  }
}

function applyInput(grab: Grab, { take, point }: HandInput): void {
  if (take === null) grab.release();
  else if (take === undefined) grab.drag(point ?? []);
  else grab.take(take, point ?? []);
}
