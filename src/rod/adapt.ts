/**
 * h-adaptivity: nodes that come and go [Wen 2020, §4].
 *
 * Split, in the middle: segments that are long, and those beside a sharp bend. The new node lies off the chord, where the two halves run
 * along their frames (at a held end the outer one stays), which are turned by ∓φ/4 about the mean bend φ of both ends: bend and twist energy stay (exactly for a circle; a
 * copied frame raises them by 4/3, [theory/rod#insertion-and-collapse]), and shear does. What the halves are longer than the chord is of fourth order in energy.
 * A tension N would draw such a node to the chord: for bends of λφ/4 the energy is EI φ²/3l (1 − λ)² + N l λ²φ²/32 above the least, so
 *     λ = 1/(1 + 3 N l²/32 EI)        l  length of the segment
 *
 * Collapse: segments that are short. The node of less priority goes (those that slide on edges stay, then kept ones, then the more bent), and
 * nodes beside short segments where the rod is straight. Of two equal ones the paper's mean by turning angles is the same as keeping the more
 * bent one, without moving it.
 * A collapsed segment is shorter than its parts, a split one longer: in a stiff rod that alone would be a large force (Fig. 6). So a new segment
 * has the force of what it took over, by a strain σ without force, and the stretch energy, by a stiffness s within bounds:
 *     s C (Γ − σ) = N,   ½ Δu s (Γ − σ)ᵀ C (Γ − σ) = V        s = ½ Δu NᵀC⁻¹N/V
 * N is the mean over the material, V the sum; both s and σ go back to 1 and 0 at a rate. The paper (§4.2) changes s alone, to V/V(Γ): that keeps the energy, but not
 * the force, nor its sign where a stretched segment would become shorter than at rest. With both bounds 1 nothing is changed.
 * Both keep momentum (`carry-velocity.ts`).
 */
import {
  computeExp,
  computeHypot3,
  computePower,
  type Quaternion,
  slerpQuaternion,
  spinQuaternion,
} from '../math/index.ts';
import { VelocityCarry } from './carry-velocity.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement, writeRotation } from './energy-stretch.ts';
import type { RefinementOptions } from './options.ts';
import type { RodState } from './state.ts';

/** Splits and collapses of a step, at most: no step may last for ever. */
const MOST_CHANGES = 64;
/** How far a node that is taken out may be from the new segment, in radii: what touches the rod there must not get through it. */
const MOST_SAGITTA = 0.5;
/** Energy per length over EA below which a segment is not stretched, and its stiffness stays: a strain of 1e-6. */
const NEGLIGIBLE = 5e-13;

export class RodRefinement {
  readonly #options: RefinementOptions;
  readonly #bend = new BendElement();
  readonly #stretch = new StretchElement();
  readonly #carry = new VelocityCarry();
  readonly #R = new Float64Array(9);
  readonly #turn = new Float64Array(3);
  readonly #quarter = new Float64Array(3);
  readonly #force = new Float64Array(3);

  constructor(options: RefinementOptions) {
    this.#options = options;
  }

  /** Changes nodes; returns how many came or went. */
  adapt(state: RodState): number {
    let changes = 0;
    for (let e = 0; e < state.count - 1 && changes < MOST_CHANGES; e++)
      if (this.#isToSplit(state, e)) {
        this.split(state, e, 0.5);
        changes++;
      }
    for (let e = 0; e < state.count - 1 && changes < MOST_CHANGES; e++) {
      const i = this.#findCollapse(state, e);
      if (i < 0) continue;
      this.#collapse(state, i);
      changes++;
      e = Math.max(-1, e - 2);
    }
    if (changes > 0) state.updateIndex();
    return changes;
  }

  /** Stiffness and length of segments go back to the real ones for a step of length h; after `adapt`. */
  recover(state: RodState, h: number): void {
    const { softness, slack, count } = state;
    const left = computeExp(-this.#options.recovery * h);
    state.relief = 1 / left - 1;
    for (let e = 0; e < count - 1; e++) if (softness[e] !== 1) softness[e] = computePower(softness[e], left);
    for (let k = 0; k < 3 * count - 3; k++) slack[k] *= left;
  }

  #isToSplit(state: RodState, e: number): boolean {
    const { longest, sharpest, finest } = this.#options;
    const { q, count } = state.chain;
    const du = q[4 * e + 7] - q[4 * e + 3];
    if (du > longest * state.spacing) return true;
    if (du < 2 * finest * state.spacing) return false;
    for (let i = Math.max(1, e); i <= Math.min(e + 1, count - 2); i++)
      if (this.#computeTurn(state, i) > sharpest && du > 0.7 * state.bendLength(i)) return true;
    return false;
  }

  /** How far the rod turns at inner node i [rad]; twist counts half, as it has no direction to miss. */
  #computeTurn(state: RodState, i: number): number {
    const m = this.#quarter;
    this.#bend.writeQuarterTurn(state.frame, 4 * i - 4, 4 * i, m, 0);
    return 4 * Math.max(Math.sqrt(m[0] * m[0] + m[1] * m[1]), 0.5 * Math.abs(m[2]));
  }

  /** Puts a node into segment e, at a share of its material; returns its label. */
  split(state: RodState, e: number, share: number): number {
    const { chain } = state;
    const turn = this.#writeMeanTurn(state, e);
    this.#carry.remember(state, e, e + 1);
    this.#addForce(state, e, this.#force.fill(0), 1);
    this.#easeTurn(state, e, turn, this.#force[2]);
    const label = state.insert(e);
    const { q, v } = chain;
    const { frame } = state;
    const [a, n, b] = [4 * e, 4 * e + 4, 4 * e + 8];
    // the halves' middles are −½ (1 − share) and ½ share of the segment from its middle; a frame that is held stays
    const isHeld = state.frameCancelled[e] || state.frameCancelled[e + 1];
    const [before, after] = [isHeld && e === 0 ? 0 : -0.5 * (1 - share), isHeld && e > 0 ? 0 : 0.5 * share];
    spinQuaternion(frame, 4 * e, turn, 0, before);
    spinQuaternion(frame, 4 * e + 4, turn, 0, after);
    q[n + 3] = q[a + 3] + share * (q[b + 3] - q[a + 3]);
    v[n + 3] = v[a + 3] + share * (v[b + 3] - v[a + 3]);
    const [first, second] = [this.#computeEnd(state, e, 1), this.#computeEnd(state, e + 1, -1)];
    for (let k = 0; k < 3; k++) {
      q[n + k] = (1 - share) * first[k] + share * second[k];
      v[n + k] = v[a + k] + share * (v[b + k] - v[a + k]);
    }
    this.#carry.fit(state, 1);
    for (let half = e; half <= e + 1; half++) this.#takeForce(state, half, this.#force);
    return label;
  }

  /** Takes out of a bend what a tension would take out; twist stays. */
  #easeTurn({ chain: { q }, material }: RodState, e: number, turn: Float64Array, tension: number): void {
    const length = q[4 * e + 7] - q[4 * e + 3];
    const stiffness = 0.5 * (material.bend[0] + material.bend[1]);
    const share = 1 / (1 + (3 * Math.max(0, tension) * length * length) / (32 * stiffness));
    turn[0] *= share;
    turn[1] *= share;
  }

  /** Where segment e would end if it ran along its frame from its outer node, as long as the whole chord has it. */
  #computeEnd(state: RodState, e: number, side: 1 | -1): number[] {
    const { q } = state.chain;
    writeRotation(state.frame, 4 * e, this.#R);
    const [a, b] = side > 0 ? [4 * e, 4 * e + 8] : [4 * e - 4, 4 * e + 4];
    const chord = computeHypot3(q[b] - q[a], q[b + 1] - q[a + 1], q[b + 2] - q[a + 2]) / (q[b + 3] - q[a + 3]);
    const du = q[4 * e + 7] - q[4 * e + 3];
    const outer = side > 0 ? a : b;
    // along the frame's tangent, corrected so that a frame that has shear itself keeps it
    return [0, 1, 2].map((k) => q[outer + k] + side * chord * du * this.#R[3 * k + 2]);
  }

  /** Turn from one end of segment e to the other, in its axes: the mean of the bends at its nodes. */
  #writeMeanTurn(state: RodState, e: number): Float64Array {
    const { chain, frame } = state;
    const { q, count } = chain;
    const turn = this.#turn.fill(0);
    const du = q[4 * e + 7] - q[4 * e + 3];
    let sides = 0;
    for (let i = e; i <= e + 1; i++) {
      if (i < 1 || i > count - 2) continue;
      this.#bend.set(frame, 4 * i - 4, 4 * i, state.bendLength(i));
      for (let k = 0; k < 3; k++) turn[k] += this.#bend.strain[k] * du;
      sides++;
    }
    for (let k = 0; k < 3 && sides > 0; k++) turn[k] /= sides;
    return turn;
  }

  /** The node to take out so that segment e goes; −1 where it stays. */
  #findCollapse(state: RodState, e: number): number {
    const { shortest, flattest, longest } = this.#options;
    const { q, count } = state.chain;
    if (count <= 3) return -1;
    const du = q[4 * e + 7] - q[4 * e + 3];
    const isFlat = du < 0.5 * state.spacing;
    if (!(du < shortest * state.spacing || isFlat)) return -1;
    let best = -1;
    for (let i = Math.max(1, e); i <= Math.min(e + 1, count - 2); i++) {
      if (mustStay(state, i) || 2 * state.bendLength(i) > 0.9 * longest * state.spacing) continue;
      if (du >= shortest * state.spacing && this.#computeSharpest(state, i) > flattest) continue;
      if (computeSagitta(state, i) > MOST_SAGITTA * state.material.radius) continue;
      if (best < 0 || this.#computeTurn(state, i) < this.#computeTurn(state, best)) best = i;
    }
    return best;
  }

  /** Largest turning angle of node i and its neighbours [rad]. */
  #computeSharpest(state: RodState, i: number): number {
    let largest = 0;
    for (let j = Math.max(1, i - 1); j <= Math.min(i + 1, state.count - 2); j++)
      largest = Math.max(largest, this.#computeTurn(state, j));
    return largest;
  }

  #collapse(state: RodState, i: number): void {
    const { chain, frame, spin, softness } = state;
    const { q } = chain;
    const [first, second] = [q[4 * i + 3] - q[4 * i - 1], q[4 * i + 7] - q[4 * i + 3]];
    const share = second / (first + second);
    const force = this.#force.fill(0);
    const energy = this.#addForce(state, i - 1, force, 1 - share) + this.#addForce(state, i, force, share);
    const { frameCancelled } = state;
    const towards = frameCancelled[i - 1] ? 0 : frameCancelled[i] ? 1 : share;
    const middle = slerpQuaternion(readFrame(frame, i - 1), readFrame(frame, i), towards);
    const soft = computePower(softness[i - 1], 1 - share) * computePower(softness[i], share);
    for (let k = 0; k < 3; k++) spin[3 * i - 3 + k] += share * (spin[3 * i + k] - spin[3 * i - 3 + k]);
    this.#carry.remember(state, i - 1, i + 1);
    state.remove(i);
    this.#carry.fit(state, -1);
    frame.set(middle, 4 * i - 4);
    const { softest, stiffest } = this.#options;
    const length = first + second;
    let taken = 0;
    for (let k = 0; k < 3; k++) taken += (0.5 * length * force[k] ** 2) / state.material.stretch[k];
    const isStretched = energy > NEGLIGIBLE * state.material.stretch[2] * length;
    softness[i - 1] = Math.min(stiffest, Math.max(softest, isStretched ? taken / energy : soft));
    this.#takeForce(state, i - 1, force);
  }

  /** Adds a share of the force of segment e, in its axes; returns its stretch energy. */
  #addForce(state: RodState, e: number, force: Float64Array, share: number): number {
    state.setStretch(this.#stretch, e);
    this.#stretch.set(state.chain.q, 4 * e, state.frame, 4 * e);
    for (let k = 0; k < 3; k++) force[k] += share * this.#stretch.N[k];
    return this.#stretch.energy;
  }

  /** Gives segment e the slack with which it has a force. */
  #takeForce(state: RodState, e: number, force: Float64Array): void {
    state.slack.fill(0, 3 * e, 3 * e + 3);
    if (this.#options.softest === 1 && this.#options.stiffest === 1) return;
    state.setStretch(this.#stretch, e);
    this.#stretch.set(state.chain.q, 4 * e, state.frame, 4 * e);
    const { N, C } = this.#stretch;
    for (let k = 0; k < 3; k++) state.slack[3 * e + k] = (N[k] - force[k]) / C[k];
  }
}

const readFrame = (frame: Float64Array, e: number): Quaternion => [
  frame[4 * e],
  frame[4 * e + 1],
  frame[4 * e + 2],
  frame[4 * e + 3],
];

/** Distance of node i from the chord between its neighbours [m]. */
function computeSagitta({ chain: { q } }: RodState, i: number): number {
  const [a, b, c] = [4 * i - 4, 4 * i, 4 * i + 4];
  const chord = [0, 1, 2].map((k) => q[c + k] - q[a + k]);
  const to = [0, 1, 2].map((k) => q[b + k] - q[a + k]);
  const size = chord[0] ** 2 + chord[1] ** 2 + chord[2] ** 2;
  const share = size > 0 ? (to[0] * chord[0] + to[1] * chord[1] + to[2] * chord[2]) / size : 0;
  return computeHypot3(to[0] - share * chord[0], to[1] - share * chord[1], to[2] - share * chord[2]);
}

/** Nodes that drivers, masses or contacts with edges need. */
const mustStay = ({ chain, sliding }: RodState, i: number): boolean =>
  chain.kept[i] !== 0 || sliding[i] !== 0 || chain.pointMass[i] > 0;
