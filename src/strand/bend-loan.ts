/**
 * How nodes that come and go beside an E-node hand the bend of the strand to each other, so that remeshing makes no energy.
 *
 * A polygon with fewer vertices bends more sharply. Two bends in series, of angles θ₁, θ₂ over lengths D₁, D₂, hold no less
 * than one of both angles over both lengths (Cauchy–Schwarz),
 *     EI θ₁²/D₁ + EI θ₂²/D₂  ≥  EI (θ₁ + θ₂)²/(D₁ + D₂)
 * so a vertex that goes must leave its length with its angle, or energy comes from nowhere. The E-node takes over as much
 * length L as keeps the energy of the nodes around, and no more:
 *     E_after(L) = E_before:     EI θ²/(D + L) = EI θ²/D − ΔE                              [J]
 *   θ  turn at the E-node after the change     D  length it is spread over then [m]     ΔE  gain of energy at L = 0:
 *      bending, stretch, weight and motion of the nodes that the change touches
 * A node that comes back stands on the chord, without a bend; what its other neighbour gains, whose D ends there now, is lent
 * likewise. No remeshing gains energy then, as long as there is energy in the bend at the E-node; at a spool there is no bend.
 *
 * Loans are given back while the material runs on. D is a function of the E-node's u (`curve/bending.ts`), so the Eshelby
 * force does the work: what pulls the strand pays for the node that went. Paid it must be for the one that came, or each node
 * that passes would cost what the loan was: with all of its length at once it would snap from the chord to the curve and lose
 * that. Its length therefore grows from STIFF (u₂ − u₀) as the E-node moves away, and shrinks to that as one comes near, so
 * that little is left to lend when it goes. Where the material runs so fast that a node could not follow, it keeps its length.
 * Giving a node its full length at once, as where the E-node is gone, loses energy. A change that loses energy gives back of
 * a loan first.
 */
import {
  BENDING,
  BendingStencil,
  CURVE_ENERGIES,
  type CurveChain,
  computeLoanPhase,
  findLender,
  writeSegmentVelocity,
} from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import { NODE_EULERIAN } from '../model/index.ts';
import type { StrandState } from './state.ts';

/** Length over which a node bends where it comes or goes, relative to the distance of its neighbours. */
const STIFF = 0.1;
/** Way of the material in a step above which it is too fast, relative to the length that the E-node's bend is spread over. */
const FAST = 0.05;
/** Largest length that an E-node's bend is spread over, relative to that at rest. */
const LARGEST = 100;

/** Energies of nodes in a row before and after a change, and the loans that make up the difference. */
export class BendLoans {
  readonly #gravity: Vec3;
  readonly #stencil = new BendingStencil();
  readonly #ends = new Float64Array(6);
  /** Length of a step [s]. */
  step = 0;

  constructor(gravity: Vec3) {
    this.#gravity = gravity;
  }

  /** Energy of the segments between nodes from…to, and of the bends that they take part in [J]; 0 without bending. */
  computeEnergy(strand: StrandState, from: number, to: number): number {
    const { chain } = strand;
    if (chain.material.bendingStiffness === 0) return 0;
    if (chain.closed) chain.writeImages();
    let sum = 0;
    for (let i = from; i <= to; i++) sum += this.#computeBend(chain, i);
    for (let e = from; e < to; e++) sum += this.#computeSegment(strand, e);
    return sum;
  }

  /**
   * Lends the bend at E-node e the length that brings the energy of nodes from…to back to `before` [J], as far as there is
   * energy in it.
   */
  lend(strand: StrandState, e: number, from: number, to: number, before: number): void {
    const { chain } = strand;
    const rest = chain.bendSpan[chain.label[e]];
    if (chain.material.bendingStiffness === 0 || rest === 0) return;
    const gain = this.computeEnergy(strand, from, to) - before;
    const energy = this.#computeBend(chain, e);
    if (energy === 0) return;
    const { span } = this.#stencil;
    const wanted = energy > gain ? (span * energy) / (energy - gain) : Number.POSITIVE_INFINITY;
    writeLoan(chain, e, e, Math.max(0, Math.min(wanted, LARGEST * rest) - rest));
  }

  /** Lets node i, which has no bend yet, start with a short length beside E-node e. */
  shorten({ chain }: StrandState, i: number, e: number): void {
    if (chain.material.bendingStiffness > 0) writeLoan(chain, i, e, STIFF - 1);
  }

  /** Lets the length of node p shrink as E-node e comes near, which removes it at a distance `gap`; not if that is too fast. */
  prepare({ chain }: StrandState, p: number, e: number, gap: number): void {
    const { label, bendLoan, bendOrigin, q, v, material } = chain;
    const n = label[p];
    if (material.bendingStiffness === 0 || bendLoan[n] !== 0) return;
    if (v[4 * e + 3] * (p - e) <= 0 || this.#isFast(chain, e)) return;
    writeLoan(chain, p, e, STIFF - 1);
    bendOrigin[n] = q[4 * p + 3] - (p - e) * gap;
    // from where it has its full length yet
    if (computeLoanPhase(chain, p, q[4 * e + 3]) * (p - e) > -1) bendLoan[n] = 0;
  }

  /** Gives nodes their full lengths whose E-node is far enough by now, comes back too fast or is gone. */
  release({ chain }: StrandState): void {
    const { label, bendLoan, kind, q, v, count, material } = chain;
    if (material.bendingStiffness === 0) return;
    for (let i = 0; i < count; i++) {
      if (bendLoan[label[i]] === 0) continue;
      const e = findLender(chain, i);
      const s = e < 0 || kind[e] !== NODE_EULERIAN ? Number.NaN : computeLoanPhase(chain, i, q[4 * e + 3]);
      const isBack = e !== i && s * v[4 * e + 3] < 0;
      if (!(isBack ? !this.#isFast(chain, e) : Math.abs(s) < 1)) bendLoan[label[i]] = 0;
    }
  }

  #isFast({ v, label, bendSpan }: CurveChain, e: number): boolean {
    return Math.abs(v[4 * e + 3]) * this.step > FAST * bendSpan[label[e]];
  }

  /** Energy of the bend at node i [J]; 0 at an end. Leaves the stencil there. */
  #computeBend(chain: CurveChain, i: number): number {
    // that of the seam of a loop stands at its last node
    const n = i === 0 && chain.closed ? chain.count - 1 : i;
    if (n === 0 || (n === chain.count - 1 && !chain.closed)) return 0;
    const stencil = this.#stencil;
    stencil.bendingStiffness = chain.material.bendingStiffness;
    stencil.setSpan(chain, n);
    stencil.set(chain.q, 4 * n - 4);
    return stencil.energy;
  }

  /** Stretch, weight and motion of segment e [J]. */
  #computeSegment(strand: StrandState, e: number): number {
    const { q, material } = strand.chain;
    const ends = this.#ends;
    let sum = 0;
    for (const energy of CURVE_ENERGIES)
      if (energy !== BENDING) sum += energy.computeEnergy(q, 4 * e, material, this.#gravity);
    writeSegmentVelocity(strand.chain, e, ends);
    let square = 0;
    for (let k = 0; k < 3; k++) square += ends[k] ** 2 + ends[3 + k] ** 2 + ends[k] * ends[3 + k];
    return sum + (material.linearDensity * (q[4 * e + 7] - q[4 * e + 3]) * square) / 6;
  }
}

function writeLoan(
  { label, q, bendLoan, bendGuide, bendOrigin }: CurveChain,
  i: number,
  e: number,
  loan: number,
): void {
  bendLoan[label[i]] = loan;
  bendGuide[label[i]] = label[e];
  bendOrigin[label[i]] = q[4 * e + 3];
}
