/**
 * How fast simulated time may run against the clock, and how fast it did.
 *     aim(t) = s₀ + speed (t − t₀)        s simulated, t real [s]; t₀, s₀ the last time that playing began or fell behind
 */

/** Real time that the simulation may be behind its aim and still catch up [s]. */
const MOST_DEBT = 0.1;
/** Real time that the ratio is taken over, at least [s]. */
const WINDOW = 0.25;

export class Pace {
  /** Simulated time over real time, measured. */
  ratio = 0;
  #speed = 1;
  #origin = { real: 0, simulated: 0 };
  #mark = { real: 0, simulated: 0 };
  #isRunning = false;

  get speed(): number {
    return this.#speed;
  }

  /** `now` is the clock, `simulated` the time of the world, both [s]. */
  setSpeed(speed: number, now: number, simulated: number): void {
    this.#speed = speed;
    this.begin(now, simulated);
  }

  /** Playing, or running to a step, begins. */
  begin(now: number, simulated: number): void {
    this.#isRunning = true;
    this.#origin = { real: now, simulated };
    this.#mark = { real: now, simulated };
  }

  /** Real time until a step that ends at `simulated` is due [s]; 0 when it is. Debt that cannot be paid is forgotten. */
  computeWait(now: number, simulated: number): number {
    if (this.#speed === Number.POSITIVE_INFINITY) return 0;
    const wait = this.#origin.real + (simulated - this.#origin.simulated) / this.#speed - now;
    if (wait < -MOST_DEBT) this.#origin = { real: now, simulated };
    return Math.max(0, wait);
  }

  /** Takes the measure of the ratio while it runs, when the last is long ago or `isLast`: the one that stays. */
  measure(now: number, simulated: number, isLast: boolean): void {
    if (!this.#isRunning) return;
    this.#isRunning = !isLast;
    const { real, simulated: before } = this.#mark;
    const isFirst = real === this.#origin.real;
    if (now - real < WINDOW && !(isLast && isFirst && now > real)) return;
    this.ratio = (simulated - before) / (now - real);
    this.#mark = { real: now, simulated };
  }
}
