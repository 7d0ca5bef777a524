/**
 * Newton corrections of a sheet that go too far. Triangles pull when stretched and hardly push when pressed together, so the
 * matrix of a slack state is too soft for the taut one behind it: the iteration swings between the two and never ends.
 *
 *     φ(s): what an iteration makes small, along its correction d     φ'(0) = −r₀·d     φ'(1) = −r₁·d
 *   r₀, r₁  right-hand sides before and after the correction
 *
 * Where φ' has changed its sign and its size is more than a share of what it was, the lowest point lies between: s = φ'(0)/(φ'(0) − φ'(1))
 * by the secant, and the sheet goes back there. Where φ' is many times what it was, the sheet has turned by an angle ~ s, strained by ~ s²: the
 * next correction removes that, once in a stage. What turns again and again does not end by itself (a border that buckles), and goes back to where
 * φ'(s) = φ'(0) + (φ'(1) − φ'(0)) s³ is zero. The slope costs nothing while corrections are good: r₁ is what the next iteration is
 * solved with. What is held has d = 0 and does no work; forces along rows (ties, other surfaces) are not in r, so sheets in rows do not go back.
 */
import { computeCubeRoot } from '../math/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Slope against the first one that is too much, and one that only turning makes. */
const TOO_FAR = 0.5;
const TURNED = 4;

export class Overshoot {
  #r = new Float64Array(0);
  #v = new Float64Array(0);
  #isKnown = false;
  /** Corrections of the present stage that turned the sheet. */
  #turns = 0;

  /** Before a stage. */
  begin(): void {
    this.#turns = 0;
    this.#isKnown = false;
  }

  /** Remembers where an iteration starts from and with which right-hand side, nothing cancelled yet. */
  note({ v }: SheetState, rhs: Float64Array): void {
    if (this.#r.length !== rhs.length) this.#r = new Float64Array(rhs.length);
    if (this.#v.length !== v.length) this.#v = new Float64Array(v.length);
    this.#r.set(rhs);
    this.#v.set(v);
    this.#isKnown = true;
  }

  forget(): void {
    this.#isKnown = false;
  }

  /** After the correction of the iteration noted last, with the right-hand side there: goes back where it went too far; true when it did. */
  goBack(state: SheetState, h: number, { sizes, blockStart }: BlockMixed, rhs: Float64Array): boolean {
    const r = this.#r;
    const before = this.#v;
    const { q, v, qBase, count } = state;
    if (!this.#isKnown || rhs.length !== r.length) return false;
    let [first, last] = [0, 0];
    for (let i = 0; i < count; i++)
      for (let k = 0; k < sizes[i]; k++) {
        const d = v[STRIDE * i + k] - before[STRIDE * i + k];
        first += r[blockStart[i] + k] * d;
        last += rhs[blockStart[i] + k] * d;
      }
    if (!(first > 0 && last < -TOO_FAR * first)) return false;
    const hasTurned = last < -TURNED * first;
    if (hasTurned && this.#turns++ === 0) return false;
    const secant = first / (first - last);
    const share = hasTurned ? computeCubeRoot(secant) : secant;
    for (let k = 0; k < v.length; k++) {
      v[k] = before[k] + share * (v[k] - before[k]);
      q[k] = qBase[k] + h * v[k];
    }
    return true;
  }
}
