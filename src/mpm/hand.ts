/**
 * The hand on a continuum (`world/grab.ts`): its spring pulls a small patch of the part that was touched, the particles within a cell and a half, by weights that fall to nothing there:
 *     x = Σ a xₚ,      a ∝ m (1 − r²/R²)²,   Σ a = 1
 * A single particle of sand or water would be drawn out alone.
 */
import { HeddleError, type ModelHand, type StateReader, type StateWriter } from '../model/index.ts';
import type { AnyContinuum } from './create.ts';
import { cornersOf } from './state.ts';

/** R in cells. */
const REACH = 1.5;

export class PointHand implements ModelHand {
  readonly force = new Float64Array(3);
  readonly #continuum: AnyContinuum;
  readonly #target = new Float64Array(3);
  readonly #place = new Float64Array(3);

  constructor(continuum: AnyContinuum) {
    this.#continuum = continuum;
  }

  take(label: number, stiffness: number, damping: number): void {
    const { points, holds, grid } = this.#continuum;
    const { x, mass, group } = points;
    // particles at centres of elements follow their corners
    const isMesh = cornersOf(points.groups[group[label]]) > 0;
    const reach = (REACH * grid.spacing) ** 2;
    const particles: number[] = [];
    const shares: number[] = [];
    let sum = 0;
    for (let p = isMesh ? points.stressCount : 0; p < points.count; p++) {
      if (group[p] !== group[label]) continue;
      const square =
        (x[3 * p] - x[3 * label]) ** 2 +
        (x[3 * p + 1] - x[3 * label + 1]) ** 2 +
        (x[3 * p + 2] - x[3 * label + 2]) ** 2;
      if (square >= reach || !(mass[p] > 0)) continue;
      const share = mass[p] * (1 - square / reach) ** 2;
      particles.push(p);
      shares.push(share);
      sum += share;
    }
    holds.hand = {
      particles: Int32Array.from(particles),
      shares: Float64Array.from(shares, (share) => share / sum),
      target: this.#target,
      stiffness,
      damping,
    };
    this.writePlace(this.#target);
  }

  drag(point: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.#target[k] = point[k];
  }

  release(): void {
    this.#continuum.holds.hand = undefined;
    this.force.fill(0);
  }

  writeState(writer: StateWriter): void {
    const { hand } = this.#continuum.holds;
    writer.array(hand?.particles ?? new Int32Array(0));
    writer.array(hand?.shares ?? new Float64Array(0));
    writer.array(this.force);
  }

  readState(reader: StateReader): void {
    const { holds, points } = this.#continuum;
    const { hand } = holds;
    const most = points.count;
    const particles = new Int32Array(most);
    const shares = new Float64Array(most);
    const count = reader.array(particles);
    const isSound = reader.array(shares) === count && count > 0 && particles.every((p) => p >= 0 && p < most);
    if (hand === undefined || !isSound || !shares.every(Number.isFinite))
      throw new HeddleError('The saved state has a drag that holds nothing; it is damaged.');
    reader.array(this.force);
    holds.hand = { ...hand, particles: particles.slice(0, count), shares: shares.slice(0, count) };
  }

  writePlace(out: Float64Array): void {
    const { hand } = this.#continuum.holds;
    out.fill(0);
    if (hand === undefined) return;
    for (let n = 0; n < hand.particles.length; n++) {
      this.#continuum.writePlace(hand.particles[n], this.#place);
      for (let k = 0; k < 3; k++) out[k] += hand.shares[n] * this.#place[k];
    }
  }
}
