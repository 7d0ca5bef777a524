/**
 * Contact with bodies that forces move: the conditions that frames hold elsewhere, as rows between a node and the body,
 *     d·(Δ_node − Δ_body) = −gap/h − d·(v_node − v_body)          d  direction, Δ  change of velocity     (first iteration)
 * The impulse of a row acts on the node along d and, reversed, on the body at the node: momentum is kept to rounding.
 *   face    d = its normal; while it sticks two more along the face; while it slips an impulse μ N h against the sliding
 *   edge    d = outward and across; while it sticks also along; while it slips a drag along the edge (`touch-friction.ts`)
 */
import { type NodeFrames, writeTangents } from '../contact/index.ts';
import type { ConstraintRows, Stage } from '../model/index.ts';
import type { EdgeSite, Guide } from './guides.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';
import { computeEdgeDrag, computeSlidingMass, measureSliding } from './touch-friction.ts';

/** Compliance of a row whose impulse is given, relative to the inverse mass of the body: what it lets move is lost in rounding. */
const GIVEN = 1e9;

/** Mass along an edge that is left out, relative to that of the strand between two nodes. */
const SMALLEST_MASS = 1e-6;

export interface TouchParts {
  /** Indices of the strand's and the body's part in the system. */
  readonly nodes: number;
  readonly body: number;
}

/** Rows of one strand with one dynamic body. */
export class TouchRows {
  readonly #touch: StrandTouch;
  readonly #frames: NodeFrames;
  readonly #b: number;
  readonly #parts: TouchParts;
  /** What each row is: its node's label, and the contact whose normal force it is, −1 none. */
  readonly #labels: number[] = [];
  readonly #contacts: number[] = [];
  #first = 0;
  readonly #d = new Float64Array(3);
  readonly #m = new Float64Array(3);
  readonly #across = new Float64Array(3);
  readonly #along = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #v = new Float64Array(3);

  constructor(touch: StrandTouch, frames: NodeFrames, b: number, parts: TouchParts) {
    this.#touch = touch;
    this.#frames = frames;
    this.#b = b;
    this.#parts = parts;
  }

  add(state: StrandState, rows: ConstraintRows, stage: Stage): void {
    const touch = this.#touch;
    const { contacts } = touch;
    touch.now[this.#b].read(touch.bodies[this.#b]);
    // nodes that left the body feel nothing of it any more
    this.clear(state);
    this.#first = rows.count;
    this.#labels.length = this.#contacts.length = 0;
    for (const guide of state.guides)
      if (guide.site.type === 'edge' && guide.site.body === this.#b)
        this.#addEdge(state, rows, stage, guide, guide.site.edge);
    for (let c = 0; c < contacts.count; c++)
      if (contacts.active[c] && contacts.body[c] === this.#b) this.#addFace(state, rows, stage, c);
  }

  #addEdge(state: StrandState, rows: ConstraintRows, stage: Stage, guide: Guide, edge: number): void {
    const touch = this.#touch;
    const { label, friction, site } = guide;
    const i = state.indexOf(label);
    const placement = touch.now[this.#b];
    const [m, across, along, p] = [this.#m, this.#across, this.#along, this.#p];
    touch.writeEdgeAxes(this.#b, edge, placement, m, across, along);
    placement.writeWorld(touch.facets[this.#b].edgeStart, 3 * edge, p, 0);
    this.#addPlace(state, rows, stage, i, m, p, -1);
    this.#addPlace(state, rows, stage, i, across, p, -1);
    if (site.type === 'edge') this.#addSlidingMass(state, rows, i, site, along);
    if (!(friction > 0)) return;
    if (state.slip[label] === 0) {
      touch.start[this.#b].writeLocal(state.chain.qStart, 4 * i, p, 0);
      placement.writeWorld(p, 0, p, 0);
      this.#addPlace(state, rows, stage, i, along, p, -1);
    } else if (site.type === 'edge') {
      const sliding = measureSliding(touch, state, guide, site);
      const drag = stage.h * computeEdgeDrag(state, guide, sliding.through, sliding.size);
      if (drag > 0 && Number.isFinite(drag)) this.#addRow(state, rows, i, along, -sliding.along, 1 / drag, -1);
    }
  }

  /** Inertia of the node along the edge against the body, where the strand runs nearly along it. */
  #addSlidingMass(state: StrandState, rows: ConstraintRows, i: number, site: EdgeSite, along: Float64Array): void {
    const { v, vBase, material } = state.chain;
    const mass = computeSlidingMass(this.#touch, state, i, site);
    if (!(mass > SMALLEST_MASS * material.linearDensity * state.smallestSpacing)) return;
    let change = 0;
    for (let k = 0; k < 3; k++) change += along[k] * (vBase[4 * i + k] - v[4 * i + k]);
    this.#addRow(state, rows, i, along, change, 1 / mass, -1);
  }

  #addFace(state: StrandState, rows: ConstraintRows, stage: Stage, c: number): void {
    const touch = this.#touch;
    const { contacts } = touch;
    const i = state.indexOf(contacts.label[c]);
    const normal = this.#m;
    const mu = touch.friction[this.#b] * contacts.share[c];
    const gap = touch.writeGap(state.chain.q, i, c, normal);
    this.#addRow(state, rows, i, normal, -gap / stage.h - this.#approach(state, stage, i, normal), 0, c);
    if (mu === 0) return;
    if (contacts.slips[c]) {
      const compliance = GIVEN / touch.bodies[this.#b].mass;
      for (let k = 0; k < 3; k++) this.#d[k] = contacts.push[3 * c + k];
      this.#addRow(state, rows, i, this.#d, compliance * stage.h * mu * contacts.grip[c], compliance, -1);
      return;
    }
    touch.now[this.#b].writeWorld(contacts.anchor, 3 * c, this.#p, 0);
    writeTangents(normal, this.#across, this.#along);
    this.#addPlace(state, rows, stage, i, this.#across, this.#p, -1);
    this.#addPlace(state, rows, stage, i, this.#along, this.#p, -1);
  }

  /** Node i at the place p along d. */
  #addPlace(
    state: StrandState,
    rows: ConstraintRows,
    stage: Stage,
    i: number,
    d: Float64Array,
    p: Float64Array,
    contact: number,
  ): void {
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += d[k] * (state.chain.q[4 * i + k] - p[k]);
    this.#addRow(state, rows, i, d, -gap / stage.h - this.#approach(state, stage, i, d), 0, contact);
  }

  /** d·(v_node − v_body) where it belongs into the residual: in the first iteration. */
  #approach(state: StrandState, stage: Stage, i: number, d: Float64Array): number {
    if (!stage.linearized) return 0;
    const { q, v } = state.chain;
    this.#touch.bodies[this.#b].writePointVelocity(q.subarray(4 * i, 4 * i + 3), this.#v);
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += d[k] * (v[4 * i + k] - this.#v[k]);
    return sum;
  }

  #addRow(
    state: StrandState,
    rows: ConstraintRows,
    i: number,
    d: Float64Array,
    residual: number,
    compliance: number,
    contact: number,
  ): void {
    const { q, cancelled, label } = state.chain;
    rows.addRow(residual, compliance);
    this.#labels.push(label[i]);
    this.#contacts.push(contact);
    const frame = this.#frames.find(label[i]);
    for (let k = 0; k < 3; k++) {
      if (cancelled[i] & (1 << k)) continue;
      rows.addEntry(this.#parts.nodes, 4 * i + k, frame < 0 ? d[k] : this.#frames.computeShare(frame, k, d));
    }
    const centre = this.#touch.bodies[this.#b].centreOfMass;
    for (let k = 0; k < 3; k++) rows.addEntry(this.#parts.body, k, -d[k]);
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      const arm = (q[4 * i + m] - centre[m]) * d[n] - (q[4 * i + n] - centre[n]) * d[m];
      rows.addEntry(this.#parts.body, 3 + k, -arm);
    }
  }

  /** Forgets the forces of the solve before. */
  clear(state: StrandState): void {
    for (const label of this.#labels)
      if (this.#frames.find(label) < 0) for (let k = 0; k < 3; k++) state.reaction[4 * label + k] = 0;
  }

  /** Reads the impulses: forces on nodes and body, normal forces of the contacts. */
  take(state: StrandState, rows: ConstraintRows, stage: Stage): void {
    const touch = this.#touch;
    const f = this.#d;
    for (let n = 0; n < this.#labels.length; n++) {
      const row = this.#first + n;
      const size = rows.multiplier[row] / stage.h;
      const label = this.#labels[n];
      // the last six entries are minus the force and the torque of a unit impulse on the node
      for (let k = 0; k < 3; k++) f[k] = -size * rows.value[rows.start[row + 1] - 6 + k];
      const isHeld = this.#frames.find(label) < 0;
      if (isHeld) for (let k = 0; k < 3; k++) state.reaction[4 * label + k] += f[k];
      if (this.#contacts[n] >= 0) touch.contacts.force[this.#contacts[n]] = size;
      touch.noteForce(state, label, this.#b, f, 0, 1, isHeld);
    }
  }
}
