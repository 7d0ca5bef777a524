/**
 * Where strands come to cross within a step. A pair of segments, of two strands or of one, is asked for
 *   - when they went through each other between start and end (continuous, `geometry/segment-sweep.ts`), or
 *   - when they end nearer than d = r_A + r_B and nearer than they were, at an angle worth a crossing.
 * Left out: segments that share a node, those that a crossing joins already, and what happens nearer to a crossing or a bend
 * than a few thicknesses, which points of contact cannot resolve. Two arms of one crossing of E-nodes may cross again
 * further out: that is how strands twist about each other.
 */
import { BoxSweep, SegmentSweep, writeClosestSegmentSegment } from '../geometry/index.ts';
import { HeddleError } from '../model/index.ts';
import { type Crossing, computeLength, type Foot } from './crossing.ts';
import type { StrandCrossings } from './crossings.ts';
import type { StrandState } from './state.ts';

/** Depth below the sum of the radii, and relative to it, that counts as contact. */
const TOUCH = 1e-6;
/** sin of the angle between two segments below which being near is no crossing. */
const SHALLOW = 0.1;
/** Material distance along one strand, in sums of radii, within which it does not cross itself: it bends no tighter. */
const BEND = 4;
/** … and in spacings of nodes: a tighter loop has no node of its own. */
const BEND_NODES = 2;
/** Material distance from a crossing, in sums of radii, within which the same strands do not cross again. */
const BESIDE = 2;
/** Distance at the start that is no distance, relative to the sum of the radii. */
const MEETING = 1e-6;

export class CrossingDetector {
  readonly #crossings: StrandCrossings;
  readonly #sweep = new BoxSweep();
  readonly #segments = new SegmentSweep();
  /** Strand and first node of each segment. */
  #strand = new Int32Array(0);
  #node = new Int32Array(0);
  readonly #start = new Float64Array(12);
  readonly #end = new Float64Array(12);
  readonly #weights = new Float64Array(4);
  readonly #visit = (m: number, n: number): void => this.#comparePair(m, n);

  constructor(crossings: StrandCrossings) {
    this.#crossings = crossings;
  }

  /** Asks for the crossings that came up in this step. */
  findNew(): void {
    this.#gather();
    this.#sweep.visitPairs(this.#visit);
  }

  /** Strands that meet in one point at the start: which one is on top cannot be said. */
  refuseMeeting(): void {
    for (const { state } of this.#crossings.strands) state.chain.beginStep();
    this.#gather();
    this.#sweep.visitPairs((m, n) => {
      if (this.#isBeside(m, n)) return;
      this.#read(m, n);
      const [A, B] = [this.#strandOf(m), this.#strandOf(n)];
      const d = A.state.chain.material.radius + B.state.chain.material.radius;
      if (writeClosestSegmentSegment(this.#start, this.#weights) > (MEETING * d) ** 2) return;
      const [x, y, z] = [0, 1, 2].map((k) => this.#start[k] + this.#weights[1] * (this.#start[3 + k] - this.#start[k]));
      const where = [x, y, z].map((value) => Number(value.toPrecision(4))).join(', ');
      throw new HeddleError(
        `strands "${A.id}" and "${B.id}" intersect at [${where}]; lift one of them there by the sum of their radii, ${d} m, so that it is clear which one is on top.`,
      );
    });
  }

  /** Boxes around the way of each segment. */
  #gather(): void {
    const { strands } = this.#crossings;
    let count = 0;
    for (const { state } of strands) count += state.chain.count - 1;
    if (this.#strand.length < count) {
      this.#strand = new Int32Array(2 * count);
      this.#node = new Int32Array(2 * count);
    }
    this.#sweep.resize(count);
    const { boxes } = this.#sweep;
    let s = 0;
    for (let k = 0; k < strands.length; k++) {
      const { q, qStart, count: nodes, material } = strands[k].state.chain;
      for (let e = 0; e + 1 < nodes; e++, s++) {
        this.#strand[s] = k;
        this.#node[s] = e;
        for (let c = 0; c < 3; c++) {
          const i = 4 * e + c;
          boxes[6 * s + c] = Math.min(q[i], q[i + 4], qStart[i], qStart[i + 4]) - material.radius;
          boxes[6 * s + 3 + c] = Math.max(q[i], q[i + 4], qStart[i], qStart[i + 4]) + material.radius;
        }
      }
    }
  }

  #strandOf(segment: number) {
    return this.#crossings.strands[this.#strand[segment]];
  }

  #isBeside(m: number, n: number): boolean {
    if (this.#strand[m] !== this.#strand[n]) return false;
    const apart = Math.abs(this.#node[m] - this.#node[n]);
    const { closed, count } = this.#strandOf(m).state.chain;
    return apart <= 1 || (closed && apart === count - 2);
  }

  #read(m: number, n: number): void {
    for (let part = 0; part < 2; part++) {
      const { q, qStart } = this.#strandOf(part === 0 ? m : n).state.chain;
      const at = 4 * this.#node[part === 0 ? m : n];
      for (let i = 0; i < 2; i++)
        for (let k = 0; k < 3; k++) {
          this.#start[6 * part + 3 * i + k] = qStart[at + 4 * i + k];
          this.#end[6 * part + 3 * i + k] = q[at + 4 * i + k];
        }
    }
  }

  #comparePair(m: number, n: number): void {
    if (this.#isBeside(m, n)) return;
    const known = this.#findKnown(m, n);
    if (known === 'joined') return;
    this.#read(m, n);
    if (this.#segments.find(this.#start, this.#end)) {
      const { first, second } = this.#segments.hit;
      this.#ask(m, n, first, second);
    } else if (known === 'none' && this.#comeNear(m, n)) this.#ask(m, n, this.#weights[1], this.#weights[3]);
  }

  /** Whether a crossing joins the segments already: through them, or as two arms of one. */
  #findKnown(m: number, n: number): 'none' | 'arms' | 'joined' {
    const { list, count } = this.#crossings;
    let known: 'none' | 'arms' | 'joined' = 'none';
    for (let c = 0; c < count; c++) {
      const { a, b } = list[c];
      const isKnown = (this.#isAt(a, m) && this.#isAt(b, n)) || (this.#isAt(b, m) && this.#isAt(a, n));
      if (!isKnown) continue;
      if (!list[c].isOpen && !this.#hasArms(list[c])) return 'joined';
      known = 'arms';
    }
    return known;
  }

  #hasArms(crossing: Crossing): boolean {
    return crossing.a.isNode && crossing.b.isNode && crossing.separation > 0.5 * this.#crossings.radiiOf(crossing);
  }

  /** Whether a foot is on a segment or the ones beside it. */
  #isAt(foot: Foot, segment: number): boolean {
    if (foot.strand !== this.#strand[segment]) return false;
    const e = this.#node[segment];
    return foot.isNode ? e >= foot.node - 2 && e <= foot.node + 1 : Math.abs(e - foot.node) <= 1;
  }

  /** Whether the segments end nearer than their radii allow, and nearer than they were; leaves the weights of where. */
  #comeNear(m: number, n: number): boolean {
    const d = this.#radii(m, n);
    const before = writeClosestSegmentSegment(this.#start, this.#weights);
    const after = writeClosestSegmentSegment(this.#end, this.#weights);
    if (!(Math.sqrt(after) < Math.min(d, Math.sqrt(before)) - TOUCH * d)) return false;
    if (computeSine(this.#end) < SHALLOW) return false;
    const [u, v] = [this.#coordinateOf(m, this.#weights[1]), this.#coordinateOf(n, this.#weights[3])];
    return !this.#isTip(m, u) && !this.#isTip(n, v);
  }

  /** Whether a place of both strands is too near to a bend, or to a crossing that there is already. */
  #isTooNear(m: number, n: number, u: number, v: number): boolean {
    const d = this.#radii(m, n);
    const [A, B] = [this.#strand[m], this.#strand[n]];
    const crossings = this.#crossings;
    if (A === B && crossings.computeWay(A, u, v) < this.#computeBend(m, d)) return true;
    const isBeside = (p: Foot, r: Foot): boolean =>
      p.strand === A &&
      r.strand === B &&
      crossings.computeWay(A, p.u, u) < BESIDE * d &&
      crossings.computeWay(B, r.u, v) < BESIDE * d;
    const { list, count } = crossings;
    for (let c = 0; c < count; c++) {
      if (!isBeside(list[c].a, list[c].b) && !isBeside(list[c].b, list[c].a)) continue;
      if (list[c].isOpen) crossings.askToHold(list[c]);
      return true;
    }
    return false;
  }

  #computeBend(m: number, d: number): number {
    const { spacing, chain } = this.#strandOf(m).state;
    return Math.max(BEND * d, BEND_NODES * spacing[chain.label[this.#node[m]]]);
  }

  #radii(m: number, n: number): number {
    return this.#strandOf(m).state.chain.material.radius + this.#strandOf(n).state.chain.material.radius;
  }

  #isTip(segment: number, u: number): boolean {
    const { qStart, count, closed } = this.#strandOf(segment).state.chain;
    return !closed && (u <= qStart[3] || u >= qStart[4 * count - 1]);
  }

  /** u at a share of a segment, at the start of the step. */
  #coordinateOf(segment: number, share: number): number {
    const { qStart } = this.#strandOf(segment).state.chain;
    const at = 4 * this.#node[segment] + 3;
    return qStart[at] + share * (qStart[at + 4] - qStart[at]);
  }

  #ask(m: number, n: number, first: number, second: number): void {
    const x = this.#start;
    const [u, v] = [this.#coordinateOf(m, first), this.#coordinateOf(n, second)];
    if (this.#isTooNear(m, n, u, v) || this.#isAsked(m, n, u, v)) return;
    const a = [x[3] - x[0], x[4] - x[1], x[5] - x[2]];
    const c = [x[9] - x[6], x[10] - x[7], x[11] - x[8]];
    const r = [0, 1, 2].map((k) => x[k] + first * a[k] - x[6 + k] - second * c[k]);
    const across = [a[1] * c[2] - a[2] * c[1], a[2] * c[0] - a[0] * c[2], a[0] * c[1] - a[1] * c[0]];
    if (computeLength(across[0], across[1], across[2]) === 0) return;
    const size =
      computeLength(across[0], across[1], across[2]) *
      (across[0] * r[0] + across[1] * r[1] + across[2] * r[2] < 0 ? -1 : 1);
    const near = Math.sqrt(writeClosestSegmentSegment(x, this.#weights));
    this.#crossings.requests.push({
      a: { strand: this.#strand[m], u },
      b: { strand: this.#strand[n], u: v },
      normal: [across[0] / size, across[1] / size, across[2] / size],
      separation: Math.min(this.#radii(m, n), near),
    });
  }

  /** Whether the same crossing was asked for by a neighbouring segment. */
  #isAsked(m: number, n: number, u: number, v: number): boolean {
    const [A, B] = [this.#strandOf(m).state, this.#strandOf(n).state];
    return this.#crossings.requests.some(
      ({ a, b }) =>
        a.strand === this.#strand[m] &&
        b.strand === this.#strand[n] &&
        Math.abs(a.u - u) < spacingAt(A, this.#node[m]) &&
        Math.abs(b.u - v) < spacingAt(B, this.#node[n]),
    );
  }
}

const spacingAt = ({ chain, spacing }: StrandState, node: number): number => 0.5 * spacing[chain.label[node]];

/** sin of the angle between the two segments of x. */
function computeSine(x: Float64Array): number {
  const a = [x[3] - x[0], x[4] - x[1], x[5] - x[2]];
  const c = [x[9] - x[6], x[10] - x[7], x[11] - x[8]];
  const across = computeLength(a[1] * c[2] - a[2] * c[1], a[2] * c[0] - a[0] * c[2], a[0] * c[1] - a[1] * c[0]);
  return across / (computeLength(a[0], a[1], a[2]) * computeLength(c[0], c[1], c[2]));
}
