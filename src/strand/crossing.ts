/**
 * Where two strands cross: a foot on each, and what lies between them.
 *
 *      A ───●─── p_A          p_A − p_B = s n        n  unit normal ± t_A × t_B, the side that A lies on, kept for life
 *           │ s n             s → d = r_A + r_B      t  tangent at a foot
 *      B ───●─── p_B
 *
 * A foot is of one of two kinds [Sánchez-Banderas 2020, §3.3]:
 *   EoL   an E-node of the strand: its x follows the other foot, u slides
 *   EIL   no node: p = (1 − w) x_a + w x_c between the two nodes beside u. It changes no force in the strand, has no mass and
 *         slides along the segment, so that the crossing acts across the segment only. Velocity of the material at u, with
 *         the five parts of [theory/fabric#eil-nodes]:  (1 − w)(ẋ_a − F u̇_a) + w (ẋ_c − F u̇_c)
 */
import { CANCEL_U, type ConstraintRows, type StateReader, type StateWriter } from '../model/index.ts';
import type { StrandState } from './state.ts';
import type { Strand } from './step.ts';

/** sin of the angle of two strands below which t_A × t_B is no direction to go by. */
const NO_ANGLE = 1e-3;
/** cos of half the turn at a foot below which its mean tangent is none: a strand folded back over the other. */
const FOLDED = 0.2;

export class Foot {
  /** Index of the strand among those that cross. */
  strand = 0;
  /** Label of its E-node; −1 for EIL. */
  label = -1;
  /** Material coordinate [m]. */
  u = 0;
  /** EIL: sign of u̇ while it slips against friction, 0 while it sticks. */
  slip = 0;
  /** Place in the chain, position and tangent, by `locate`: a node, or the share w of the next one. */
  node = 0;
  share = 0;
  readonly x = new Float64Array(3);
  readonly tangent = new Float64Array(3);
  /** At a node, the tangent after it minus the one before: where both arms leave to if it is folded back. */
  readonly fold = new Float64Array(3);
  isFolded = false;

  get isNode(): boolean {
    return this.label >= 0;
  }

  copy(other: Foot): void {
    this.strand = other.strand;
    this.label = other.label;
    this.u = other.u;
    this.slip = other.slip;
  }

  /** Finds its place in the chain, its position and its tangent: of the segment, or the mean of both beside a node. */
  locate(state: StrandState): void {
    this.find(state);
    this.writePosition(state);
    const { q } = state.chain;
    const { tangent: t, fold: c } = this;
    writeDirection(q, this.node, t);
    this.isFolded = false;
    if (!this.isNode) return;
    writeDirection(q, this.node - 1, c);
    for (let k = 0; k < 3; k++) [t[k], c[k]] = [t[k] + c[k], t[k] - c[k]];
    const length = computeLength(t[0], t[1], t[2]);
    this.isFolded = length < 2 * FOLDED;
    if (!this.isFolded) for (let k = 0; k < 3; k++) t[k] /= length;
  }

  find(state: StrandState): void {
    this.node = this.isNode ? state.indexOf(this.label) : state.findSegment(this.u);
    if (this.isNode) this.u = state.chain.q[4 * this.node + 3];
  }

  /** Position at the current iterate; the place in the chain must be known. */
  writePosition(state: StrandState): void {
    const { q } = state.chain;
    const at = 4 * this.node;
    this.share = this.isNode ? 0 : (this.u - q[at + 3]) / (q[at + 7] - q[at + 3]);
    for (let k = 0; k < 3; k++)
      this.x[k] = this.isNode ? q[at + k] : q[at + k] + this.share * (q[at + 4 + k] - q[at + k]);
  }

  /** Component along d of its velocity at the current iterate: of the node, or of the material. */
  computeSpeed(state: StrandState, d: Float64Array, o: number): number {
    const { v } = state.chain;
    const at = 4 * this.node;
    const along = v[at] * d[o] + v[at + 1] * d[o + 1] + v[at + 2] * d[o + 2];
    if (this.isNode) return along;
    const next = v[at + 4] * d[o] + v[at + 5] * d[o + 1] + v[at + 6] * d[o + 2];
    const F = this.#gradientAlong(state, d, o);
    return (1 - this.share) * (along - F * v[at + 3]) + this.share * (next - F * v[at + 7]);
  }

  /** Adds sign · (d · velocity) to the last row. */
  addEntries(strand: Strand, part: number, rows: ConstraintRows, d: Float64Array, o: number, sign: number): void {
    if (this.isNode) {
      strand.addNodeEntries(rows, part, this.node, sign, d, o, 0);
      return;
    }
    const F = this.#gradientAlong(strand.state, d, o);
    strand.addNodeEntries(rows, part, this.node, sign * (1 - this.share), d, o, -F);
    strand.addNodeEntries(rows, part, this.node + 1, sign * this.share, d, o, -F);
  }

  /** Adds an impulse along d to the assembled system of its strand [N s]. */
  addImpulse(strand: Strand, size: number, d: Float64Array): void {
    if (this.isNode) {
      strand.addNodeImpulse(this.node, size, d, 0);
      return;
    }
    const F = this.#gradientAlong(strand.state, d, 0);
    strand.addNodeImpulse(this.node, size * (1 - this.share), d, -F);
    strand.addNodeImpulse(this.node + 1, size * this.share, d, -F);
  }

  #gradientAlong({ chain: { q } }: StrandState, d: Float64Array, o: number): number {
    const at = 4 * this.node;
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (q[at + 4 + k] - q[at + k]) * d[o + k];
    return sum / (q[at + 7] - q[at + 3]);
  }
}

export class Crossing {
  readonly a = new Foot();
  readonly b = new Foot();
  readonly feet: readonly Foot[] = [this.a, this.b];
  /** From B to A. */
  readonly normal = new Float64Array(3);
  /** s: distance kept along the normal [m]; grows to the sum of the radii. */
  separation = 0;
  /** Whether it lets go in this step because it would have to pull. */
  isOpen = false;
  /** Force along the normal that holds the strands apart [N], from the last solve. */
  load = 0;
  /** Directions in which it acts in this stage, three numbers each, and their number. */
  readonly directions = new Float64Array(9);
  rank = 0;
  /** What is left of the gap p_A − p_B − s n along each of them at the end of the step [m]. */
  readonly left = new Float64Array(3);
  /** What of it is closed in the step [m]. */
  readonly due = new Float64Array(3);
  readonly #across = new Float64Array(3);
  /** Its first row in the system. */
  row = 0;
  /** Force on A [N]. */
  readonly force = new Float64Array(3);

  copy(other: Crossing): void {
    this.a.copy(other.a);
    this.b.copy(other.b);
    this.normal.set(other.normal);
    this.separation = other.separation;
    this.isOpen = other.isOpen;
    this.load = other.load;
    this.force.set(other.force);
  }

  /** Finds both feet and the normal that belongs to them: ± t_A × t_B on the side it had. */
  locate(a: StrandState, b: StrandState): void {
    this.a.locate(a);
    this.b.locate(b);
    this.#turnNormal();
  }

  #turnNormal(): void {
    const [t, s, n] = [this.a.tangent, this.b.tangent, this.normal];
    if (this.a.isFolded || this.b.isFolded) {
      this.#turnFolded();
      return;
    }
    let [x, y, z] = [t[1] * s[2] - t[2] * s[1], t[2] * s[0] - t[0] * s[2], t[0] * s[1] - t[1] * s[0]];
    if (computeLength(x, y, z) < NO_ANGLE) {
      const along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
      [x, y, z] = [n[0] - along * t[0], n[1] - along * t[1], n[2] - along * t[2]];
    }
    const length = computeLength(x, y, z) * (x * n[0] + y * n[1] + z * n[2] < 0 ? -1 : 1);
    if (length === 0) return;
    n[0] = x / length;
    n[1] = y / length;
    n[2] = z / length;
  }

  /** A strand folded over the other pulls along the normal; its tangent is across both. */
  #turnFolded(): void {
    const { a, b, normal: n } = this;
    const sum = [0, 1, 2].map((k) => (b.isFolded ? b.fold[k] : 0) - (a.isFolded ? a.fold[k] : 0));
    const straight = a.isFolded ? (b.isFolded ? undefined : b.tangent) : a.tangent;
    if (straight !== undefined) {
      const along = sum[0] * straight[0] + sum[1] * straight[1] + sum[2] * straight[2];
      for (let k = 0; k < 3; k++) sum[k] -= along * straight[k];
    }
    const length = computeLength(sum[0], sum[1], sum[2]) * (sum[0] * n[0] + sum[1] * n[1] + sum[2] * n[2] < 0 ? -1 : 1);
    if (length !== 0) for (let k = 0; k < 3; k++) n[k] = sum[k] / length;
    // both folded: any two directions across the normal will do
    if (straight === undefined) writePerpendicular(n, b.tangent);
    if (a.isFolded) writeCross(b.tangent, n, a.tangent);
    else writeCross(n, a.tangent, b.tangent);
  }

  /** 2 sin of half the larger turn of the two strands; `locate` first. */
  computeTurn(): number {
    const { a, b } = this;
    const turn = ({ isNode, fold: c }: Foot): number => (isNode ? computeLength(c[0], c[1], c[2]) : 0);
    return Math.max(turn(a), turn(b));
  }

  /** sin of the angle between the strands; `locate` first. */
  computeSine(): number {
    const [t, s] = [this.a.tangent, this.b.tangent];
    return computeLength(t[1] * s[2] - t[2] * s[1], t[2] * s[0] - t[0] * s[2], t[0] * s[1] - t[1] * s[0]);
  }

  /** n · (p_A − p_B); positions must be written [m]. */
  computeDistance(): number {
    const [p, r, n] = [this.a.x, this.b.x, this.normal];
    return n[0] * (p[0] - r[0]) + n[1] * (p[1] - r[1]) + n[2] * (p[2] - r[2]);
  }

  /** Component of the gap p_A − p_B − s n along direction k; positions must be written [m]. */
  computeGap(k: number): number {
    const { directions: d, normal: n, separation } = this;
    let gap = 0;
    for (let c = 0; c < 3; c++) gap += (this.a.x[c] - this.b.x[c] - separation * n[c]) * d[3 * k + c];
    return gap;
  }

  /** Directions of the rows: all that is across the EIL feet that slide, the normal first. */
  writeDirections(slidesA: boolean, slidesB: boolean): void {
    const { directions: d, normal: n } = this;
    d.set(n);
    this.rank = 1;
    const [t, s] = [this.a.tangent, this.b.tangent];
    if (slidesA && slidesB) return;
    if (slidesA) this.#addAcross(t, n);
    else if (slidesB) this.#addAcross(s, n);
    else {
      this.#addAcross(t, n);
      this.#addAcross(n, d.subarray(3, 6));
    }
  }

  /** Adds the unit vector across two directions. */
  #addAcross(p: Float64Array, r: Float64Array): void {
    const d = this.directions;
    const o = 3 * this.rank++;
    const across = this.#across;
    writeCross(p, r, across);
    for (let k = 0; k < 3; k++) d[o + k] = across[k];
  }

  write(writer: StateWriter): void {
    for (const foot of this.feet)
      for (const value of [foot.strand, foot.label, foot.u, foot.slip]) writer.number(value);
    for (const value of this.normal) writer.number(value);
    writer.number(this.separation);
    writer.number(this.isOpen ? 1 : 0);
    writer.number(this.load);
    for (const value of this.force) writer.number(value);
  }

  read(reader: StateReader): void {
    for (const foot of this.feet) {
      foot.strand = reader.number();
      foot.label = reader.number();
      foot.u = reader.number();
      foot.slip = reader.number();
    }
    for (let k = 0; k < 3; k++) this.normal[k] = reader.number();
    this.separation = reader.number();
    this.isOpen = reader.number() === 1;
    this.load = reader.number();
    for (let k = 0; k < 3; k++) this.force[k] = reader.number();
  }
}

/** Holds u of a foot's E-node for this step. */
export function holdFoot(state: StrandState, { label }: Foot): void {
  if (label < 0) return;
  state.hold(label, CANCEL_U);
  state.chain.target[4 * state.indexOf(label) + 3] = 0;
}

/** Writes the unit vector of segment e. */
function writeDirection(q: Float64Array, e: number, out: Float64Array): void {
  const at = 4 * e;
  const [x, y, z] = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]];
  const length = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}

/** √(x² + y² + z²): `Math.hypot` is not rounded alike everywhere. */
export const computeLength = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);

/** Unit vector along p × r. */
function writeCross(p: Float64Array, r: Float64Array, out: Float64Array): void {
  const [x, y, z] = [p[1] * r[2] - p[2] * r[1], p[2] * r[0] - p[0] * r[2], p[0] * r[1] - p[1] * r[0]];
  const length = computeLength(x, y, z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}

/** A unit vector across n. */
function writePerpendicular(n: Float64Array, out: Float64Array): void {
  const thin = Math.abs(n[0]) < 0.6 ? 0 : 1;
  for (let k = 0; k < 3; k++) out[k] = (k === thin ? 1 : 0) - n[thin] * n[k];
  const length = computeLength(out[0], out[1], out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
}
