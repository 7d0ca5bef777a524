/**
 * What a strand touches (EoL mode): L-nodes on faces of bodies, E-nodes on their convex edges.
 *
 *     L───L───L───E                 L on a face: held across it while it is pressed on, n·(ẋ − v_body) = −gap/h
 *     ▓▓▓▓▓▓▓▓▓▓▓▓ ╲                E on an edge: x stays on the line of the edge, slides along it; u slides
 *
 * Bodies are taken as flat faces and convex edges, grown by the strand's radius (`contact/facets.ts`). Both kinds of contact
 * only push. A face lets go within the stage in which it would have to pull and takes hold of a node that ended inside,
 * and the stage is solved again (`revise`). An edge takes hold where a segment went through it between start and end
 * of a step: the step is taken again with an E-node there (`findCrossing`); it lets go before the step after the one in
 * which it pulled (`touch-adapt.ts`). Every place is met exactly at the end of the stage, so nothing sinks in.
 *   gap  distance to the face at the start of the stage, the body where it is at its end [m]
 */
import type { Body } from '../bodies/index.ts';
import { createFacetBody, type EdgeHit, type FacetBody, Placement } from '../contact/index.ts';
import { grow } from '../curve/index.ts';
import { CANCEL_POSITION, NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import type { NodeFrames } from './frames.ts';
import type { StrandState } from './state.ts';

/** Depth that counts as inside, relative to the body and the spacing of nodes. */
const TOUCH_TOLERANCE = 1e-9;
/** Passes of a stage in which contacts may still let go; after that they only take hold. */
const RELEASING_PASSES = 6;
/** How often a step is taken again with new E-nodes before it is halved, and how often after that before it is accepted. */
const MOST_RETRIES = 24;
const MOST_HALVINGS = 6;

/** Where the strand's free end is nearer to an edge than this, relative to the spacing, the end itself is kept above the edge. */
const TIP = 0.02;

/** An E-node asked for: at the material coordinate u, on an edge of a body. */
export interface EdgeRequest {
  readonly u: number;
  readonly body: number;
  readonly edge: number;
}

/** The end of a strand, to be kept above the plane through an edge along the strand's direction; in the body's frame. */
interface TipRequest {
  readonly label: number;
  readonly body: number;
  readonly normal: readonly number[];
  readonly offset: number;
}

export class StrandTouch {
  readonly bodies: readonly Body[];
  readonly facets: readonly FacetBody[];
  /** Bodies that the strand can reach in this step. */
  readonly near: Uint8Array;
  /** Poses at the start of the step and now. */
  readonly start: readonly Placement[];
  readonly now: readonly Placement[];
  /** E-nodes to insert before the step is taken again. */
  requests: EdgeRequest[] = [];
  #tips: TipRequest[] = [];
  retries = 0;
  /** Steps accepted although something could not be resolved. */
  fallbacks = 0;
  /** Contacts of L-nodes with faces: label of the node, body, face, whether it holds, force [N]. */
  count = 0;
  label = new Int32Array(8);
  body = new Int32Array(8);
  face = new Int32Array(8);
  active = new Uint8Array(8);
  force = new Float64Array(8);
  /** Outward normal and offset of the plane that it is kept above, in the body's frame: 4 a contact. */
  plane = new Float64Array(32);
  /** Which held direction of its node's frame a contact is; −1 none. */
  #direction = new Int32Array(8);
  #passes = 0;
  /** Whether the last try asked for E-nodes. */
  #found = false;
  #halvings = 0;
  readonly #before = {
    count: 0,
    label: new Int32Array(8),
    body: new Int32Array(8),
    face: new Int32Array(8),
    active: new Uint8Array(8),
    force: new Float64Array(8),
    plane: new Float64Array(32),
    fallbacks: 0,
  };
  #local0 = new Float64Array(0);
  #local1 = new Float64Array(0);
  readonly #skip = new Int32Array(2);
  readonly #hit: EdgeHit = { edge: -1, time: 0, segment: 0, along: 0, depth: 0 };
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #c = new Float64Array(3);
  readonly #d = new Float64Array(3);

  constructor(bodies: readonly Body[], near: Uint8Array, radius: number) {
    this.bodies = bodies;
    this.near = near;
    this.facets = bodies.map(({ shape }) => createFacetBody(shape, radius));
    this.start = bodies.map(() => new Placement());
    this.now = bodies.map(() => new Placement());
    this.place(this.start);
  }

  /** Depth at which a point counts as inside body b [m]. */
  toleranceOf(b: number, state: StrandState): number {
    return TOUCH_TOLERANCE * Math.max(this.facets[b].size, state.smallestSpacing);
  }

  /** Takes the present poses of all bodies. */
  place(placements: readonly Placement[]): void {
    for (let b = 0; b < this.bodies.length; b++) placements[b].read(this.bodies[b]);
  }

  isDynamic(b: number): boolean {
    return this.bodies[b].motion === 'dynamic';
  }

  rememberContacts(): void {
    const before = this.#before;
    if (before.label.length < this.count) {
      before.label = new Int32Array(this.label.length);
      before.body = new Int32Array(this.label.length);
      before.face = new Int32Array(this.label.length);
      before.active = new Uint8Array(this.label.length);
      before.force = new Float64Array(this.label.length);
      before.plane = new Float64Array(4 * this.label.length);
    }
    copyContacts(this, before, this.count);
    before.count = this.count;
    before.fallbacks = this.fallbacks;
  }

  /** Back to the contacts before the step. In a shorter step what was asked for is too early: the strand is not there yet. */
  restoreContacts(isAsLong: boolean): void {
    if (isAsLong) this.retries++;
    else {
      this.#clearRequests();
      this.#halvings++;
    }
    this.#found = false;
    this.count = this.#before.count;
    this.fallbacks = this.#before.fallbacks;
    copyContacts(this.#before, this, this.count);
  }

  /** Before a step: remembers the poses, and forgets contacts that do not hold or whose node has left its face. */
  beginStep(state: StrandState): void {
    this.place(this.start);
    let kept = 0;
    for (let c = 0; c < this.count; c++) {
      if (!this.active[c] || !this.#isOnFace(state, c)) continue;
      copyContact(this, c, this, kept++);
    }
    this.count = kept;
    for (const { label, body, normal, offset } of this.#tips)
      this.#add(label, body, -1, normal[0], normal[1], normal[2], offset);
  }

  #isOnFace(state: StrandState, c: number): boolean {
    const i = state.indexOf(this.label[c]);
    if (i < 0 || this.face[c] < 0) return false;
    const b = this.body[c];
    if (state.chain.kind[i] !== NODE_LAGRANGIAN && this.#edgeOf(state, this.label[c], b) >= 0) return false;
    const p = this.#a;
    this.start[b].writeLocal(state.chain.q, 4 * i, p, 0);
    return this.facets[b].isOverFace(this.face[c], p[0], p[1], p[2], this.toleranceOf(b, state));
  }

  beginStage(): void {
    this.#passes = 0;
  }

  /** Frames of all nodes that bodies hold which forces do not move, for a stage of length h. */
  addFrames(state: StrandState, frames: NodeFrames, h: number): void {
    this.place(this.now);
    for (const { label, site } of state.guides)
      if (site.type === 'edge' && !this.isDynamic(site.body))
        this.#addEdge(state, frames, label, site.body, site.edge, h);
    for (let c = 0; c < this.count; c++) {
      this.#direction[c] = -1;
      if (this.active[c] && !this.isDynamic(this.body[c])) this.#addFace(state, frames, c, h);
    }
  }

  #addEdge(state: StrandState, frames: NodeFrames, label: number, b: number, edge: number, h: number): void {
    const { qBase } = state.chain;
    const at = 4 * state.indexOf(label);
    const n = openFrame(state, frames, label);
    this.writeEdgeAxes(b, edge, this.now[b]);
    this.now[b].writeWorld(this.facets[b].edgeStart, 3 * edge, this.#c, 0);
    const [p, m, across] = [this.#c, this.#a, this.#b];
    for (const d of [m, across]) {
      const gap = (p[0] - qBase[at]) * d[0] + (p[1] - qBase[at + 1]) * d[1] + (p[2] - qBase[at + 2]) * d[2];
      frames.add(n, d[0], d[1], d[2], gap / h);
    }
  }

  /** Leaves the outward bisector of an edge in #a and the direction across both in #b, in the world. */
  writeEdgeAxes(b: number, edge: number, placement: Placement): void {
    const { edgeNormalA: A, edgeNormalB: B, edgeStart, edgeEnd } = this.facets[b];
    const e = 3 * edge;
    const [m, across, c] = [this.#a, this.#b, this.#c];
    let length = 0;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      c[k] = A[e + k] + B[e + k];
      length += c[k] * c[k];
      across[k] = edgeEnd[e + k] - edgeStart[e + k];
      along += across[k] * across[k];
    }
    for (let k = 0; k < 3; k++) {
      c[k] /= Math.sqrt(length);
      across[k] /= Math.sqrt(along);
    }
    placement.writeDirection(c, 0, m, 0);
    placement.writeDirection(across, 0, c, 0);
    across[0] = c[1] * m[2] - c[2] * m[1];
    across[1] = c[2] * m[0] - c[0] * m[2];
    across[2] = c[0] * m[1] - c[1] * m[0];
  }

  #addFace(state: StrandState, frames: NodeFrames, c: number, h: number): void {
    const b = this.body[c];
    const { plane } = this;
    const i = state.indexOf(this.label[c]);
    if ((state.heldAxes[this.label[c]] & CANCEL_POSITION) === CANCEL_POSITION) return;
    const f = 4 * c;
    const [normal, p] = [this.#a, this.#b];
    this.now[b].writeDirection(plane, f, normal, 0);
    this.now[b].writeLocal(state.chain.qBase, 4 * i, p, 0);
    const gap = plane[f] * p[0] + plane[f + 1] * p[1] + plane[f + 2] * p[2] - plane[f + 3];
    const n = openFrame(state, frames, this.label[c]);
    this.#direction[c] = frames.add(n, normal[0], normal[1], normal[2], -gap / h);
  }

  /** Reads the forces of the contacts after a solve. */
  readForces(state: StrandState, frames: NodeFrames): void {
    for (let c = 0; c < this.count; c++) {
      if (this.isDynamic(this.body[c])) continue;
      const n = this.active[c] && this.#direction[c] >= 0 ? frames.find(this.label[c]) : -1;
      this.force[c] = n < 0 ? 0 : frames.computeMultiplier(n, this.#direction[c], state.reaction, 4 * this.label[c]);
    }
  }

  /** Lets go of what pulls and takes hold of nodes that ended inside; true when the stage must be solved again. */
  revise(state: StrandState): boolean {
    this.#passes++;
    this.place(this.now);
    let changed = false;
    if (this.#passes <= RELEASING_PASSES)
      for (let c = 0; c < this.count; c++)
        if (this.active[c] && this.force[c] < 0) {
          this.active[c] = 0;
          this.force[c] = 0;
          changed = true;
        }
    for (let b = 0; b < this.bodies.length; b++) if (this.near[b]) changed = this.#catchNodes(state, b) || changed;
    return changed;
  }

  #catchNodes(state: StrandState, b: number): boolean {
    const { q, qStart, kind, label, count } = state.chain;
    const facets = this.facets[b];
    const tolerance = this.toleranceOf(b, state);
    const [p0, p1] = [this.#a, this.#b];
    let changed = false;
    for (let i = 0; i < count; i++) {
      if ((state.heldAxes[label[i]] & CANCEL_POSITION) === CANCEL_POSITION) continue;
      // an E-node is on an edge; it may run into the faces of other bodies only
      if (kind[i] !== NODE_LAGRANGIAN && (label[i] < state.materialCount || this.#edgeOf(state, label[i], b) >= 0))
        continue;
      this.now[b].writeLocal(q, 4 * i, p1, 0);
      this.start[b].writeLocal(qStart, 4 * i, p0, 0);
      if (isApart(facets.bounds, p0, 0, p1, 0)) continue;
      const face = facets.findFace(p0, 0, p1, 0, tolerance);
      if (face >= 0) changed = this.#take(label[i], b, face) || changed;
    }
    return changed;
  }

  /** Makes a contact hold; false when it did already. */
  #take(label: number, b: number, face: number): boolean {
    for (let c = 0; c < this.count; c++)
      if (this.label[c] === label && this.body[c] === b && this.face[c] === face) {
        if (this.active[c]) return false;
        this.active[c] = 1;
        return true;
      }
    const { faceNormal: n, faceOffset } = this.facets[b];
    this.#add(label, b, face, n[3 * face], n[3 * face + 1], n[3 * face + 2], faceOffset[face]);
    return true;
  }

  #add(label: number, b: number, face: number, nx: number, ny: number, nz: number, offset: number): void {
    const c = this.count++;
    if (c === this.label.length) this.#grow(2 * c);
    this.label[c] = label;
    this.body[c] = b;
    this.face[c] = face;
    this.active[c] = 1;
    this.force[c] = 0;
    this.plane[4 * c] = nx;
    this.plane[4 * c + 1] = ny;
    this.plane[4 * c + 2] = nz;
    this.plane[4 * c + 3] = offset;
    this.#direction[c] = -1;
  }

  #grow(n: number): void {
    this.label = grow(this.label, n);
    this.body = grow(this.body, n);
    this.face = grow(this.face, n);
    this.active = grow(this.active, n);
    this.force = grow(this.force, n);
    this.plane = grow(this.plane, 4 * n);
    this.#direction = grow(this.#direction, n);
  }

  /** Whether a node is held by a face. */
  isTouching(label: number): boolean {
    for (let c = 0; c < this.count; c++) if (this.label[c] === label && this.active[c]) return true;
    return false;
  }

  /** Looks for segments that went through an edge during the step, and asks for E-nodes there; true when it found any. */
  findCrossings(state: StrandState): boolean {
    const before = this.requests.length + this.#tips.length;
    this.place(this.now);
    for (let b = 0; b < this.bodies.length; b++)
      if (this.near[b] && this.facets[b].edgeCount > 0) this.#crossBody(state, b);
    this.#found = this.requests.length + this.#tips.length > before;
    return this.#found;
  }

  #crossBody(state: StrandState, b: number): void {
    const { q, qStart, label, count } = state.chain;
    const facets = this.facets[b];
    const tolerance = this.toleranceOf(b, state);
    if (this.#local0.length < 3 * count) {
      this.#local0 = new Float64Array(3 * state.chain.label.length);
      this.#local1 = new Float64Array(3 * state.chain.label.length);
    }
    const [p0, p1] = [this.#local0, this.#local1];
    for (let i = 0; i < count; i++) {
      this.start[b].writeLocal(qStart, 4 * i, p0, 3 * i);
      this.now[b].writeLocal(q, 4 * i, p1, 3 * i);
    }
    for (let e = 0; e + 1 < count; e++) {
      if (isSegmentApart(facets.bounds, p0, p1, 3 * e)) continue;
      let skipped = 0;
      for (let i = e; i <= e + 1; i++) {
        const edge = this.#edgeOf(state, label[i], b);
        if (edge >= 0) this.#skip[skipped++] = edge;
      }
      for (let k = 0; k < 3; k++) {
        this.#a[k] = p0[3 * e + k];
        this.#b[k] = p0[3 * e + 3 + k];
        this.#c[k] = p1[3 * e + k];
        this.#d[k] = p1[3 * e + 3 + k];
      }
      const found = facets.findEdge(this.#a, this.#b, this.#c, this.#d, tolerance, this.#skip, skipped, this.#hit);
      if (found < 0) continue;
      const s = this.#hit.segment;
      const u = qStart[4 * e + 3] * (1 - s) + qStart[4 * e + 7] * s;
      const tip = this.#findTip(state, e, u);
      if (tip < 0) this.requests.push({ u, body: b, edge: found });
      else this.#askTip(label[tip], b, found);
    }
  }

  /** The free end of the strand that the place u of segment e is very near to; −1 where there is none. */
  #findTip(state: StrandState, e: number, u: number): number {
    const { qStart, label, count, closed } = state.chain;
    for (let i = e; i <= e + 1 && !closed; i++) {
      if ((i !== 0 && i !== count - 1) || state.heldAxes[label[i]] !== 0) continue;
      if (Math.abs(qStart[4 * i + 3] - u) < TIP * state.spacing[label[i]]) return i;
    }
    return -1;
  }

  /** Asks for an end to be kept above an edge; the segment stands in #c and #d. */
  #askTip(label: number, b: number, edge: number): void {
    const { edgeStart, edgeEnd, edgeNormalA, edgeNormalB } = this.facets[b];
    const o = 3 * edge;
    const normal = [0, 0, 0];
    let [length, side, offset] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      normal[k] =
        (edgeEnd[o + m] - edgeStart[o + m]) * (this.#d[n] - this.#c[n]) -
        (edgeEnd[o + n] - edgeStart[o + n]) * (this.#d[m] - this.#c[m]);
      length += normal[k] ** 2;
      side += normal[k] * (edgeNormalA[o + k] + edgeNormalB[o + k]);
    }
    for (let k = 0; k < 3; k++) {
      normal[k] /= Math.sign(side) * Math.sqrt(length);
      offset += normal[k] * edgeStart[o + k];
    }
    this.#tips.push({ label, body: b, normal, offset });
  }

  #edgeOf(state: StrandState, label: number, b: number): number {
    if (label < state.materialCount) return -1;
    for (const { label: other, site } of state.guides)
      if (other === label && site.type === 'edge' && site.body === b) return site.edge;
    return -1;
  }

  #clearRequests(): void {
    this.requests = [];
    this.#tips = [];
    this.retries = 0;
  }

  /** Whether enough was tried: the step is taken as it is. */
  get isHopeless(): boolean {
    return this.#halvings >= MOST_HALVINGS && this.retries >= MOST_RETRIES;
  }

  /** After an accepted step: which edges pulled. */
  endStep(state: StrandState): void {
    this.#clearRequests();
    this.#halvings = 0;
    for (const { label, site } of state.guides) {
      if (site.type !== 'edge') continue;
      this.writeEdgeAxes(site.body, site.edge, this.now[site.body]);
      const [m, r, at] = [this.#a, state.reaction, 4 * label];
      state.pulls[label] = m[0] * r[at] + m[1] * r[at + 1] + m[2] * r[at + 2] < 0 ? 1 : 0;
    }
  }

  /** Whether the node at q[at…] has run off the end of an edge, at the start of a step. */
  isOffEdge(q: Float64Array, at: number, b: number, edge: number): boolean {
    const { edgeStart, edgeEnd } = this.facets[b];
    const p = this.#a;
    this.start[b].writeLocal(q, at, p, 0);
    let [along, length2] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = edgeEnd[3 * edge + k] - edgeStart[3 * edge + k];
      along += d * (p[k] - edgeStart[3 * edge + k]);
      length2 += d * d;
    }
    return along < 0 || along > length2;
  }

  /** Whether the step may be taken again as it was, with the E-nodes asked for. */
  get wantsRetry(): boolean {
    return this.#found && this.retries < MOST_RETRIES;
  }

  /** Deepest point of the straight line between two nodes in any body [m]. */
  computeChordDepth(state: StrandState, i: number, j: number): number {
    let deepest = 0;
    for (let b = 0; b < this.bodies.length; b++) {
      if (!this.near[b]) continue;
      this.start[b].writeLocal(state.chain.q, 4 * i, this.#a, 0);
      this.start[b].writeLocal(state.chain.q, 4 * j, this.#b, 0);
      deepest = Math.max(deepest, this.facets[b].computeSegmentDepth(this.#a, this.#b));
    }
    return deepest;
  }

  writeState(writer: StateWriter): void {
    writer.number(this.count);
    writer.number(this.fallbacks);
    for (const values of [this.label, this.body, this.face]) writer.array(values, this.count);
    writer.array(this.active, this.count);
    writer.array(this.force, this.count);
    writer.array(this.plane, 4 * this.count);
  }

  readState(reader: StateReader): void {
    const count = reader.number();
    this.fallbacks = reader.number();
    if (count > this.label.length) this.#grow(count);
    for (const values of [this.label, this.body, this.face]) reader.array(values);
    reader.array(this.active);
    reader.array(this.force);
    reader.array(this.plane);
    this.count = count;
    this.#clearRequests();
  }
}

interface ContactList {
  readonly label: Int32Array;
  readonly body: Int32Array;
  readonly face: Int32Array;
  readonly active: Uint8Array;
  readonly force: Float64Array;
  readonly plane: Float64Array;
}

function copyContacts(from: ContactList, to: ContactList, count: number): void {
  for (let c = 0; c < count; c++) copyContact(from, c, to, c);
}

function copyContact(from: ContactList, c: number, to: ContactList, d: number): void {
  to.label[d] = from.label[c];
  to.body[d] = from.body[c];
  to.face[d] = from.face[c];
  to.active[d] = from.active[c];
  to.force[d] = from.force[c];
  for (let k = 0; k < 4; k++) to.plane[4 * d + k] = from.plane[4 * c + k];
}

/** The frame of a node, with the world axes that drivers hold. */
function openFrame(state: StrandState, frames: NodeFrames, label: number): number {
  const known = frames.find(label);
  if (known >= 0) return known;
  const n = frames.open(label);
  const { target } = state.chain;
  const at = 4 * state.indexOf(label);
  for (let k = 0; k < 3; k++)
    if (state.heldAxes[label] & (1 << k))
      frames.add(n, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, target[at + k]);
  return n;
}

/** Whether the box of a straight motion from p to r misses the bounds. */
function isApart(bounds: Float64Array, p: Float64Array, i: number, r: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++)
    if (Math.min(p[i + k], r[j + k]) > bounds[3 + k] || Math.max(p[i + k], r[j + k]) < bounds[k]) return true;
  return false;
}

/** The same for a segment whose ends, six numbers at `at`, move from p to r. */
function isSegmentApart(bounds: Float64Array, p: Float64Array, r: Float64Array, at: number): boolean {
  for (let k = at; k < at + 3; k++)
    if (
      Math.min(p[k], p[k + 3], r[k], r[k + 3]) > bounds[3 + k - at] ||
      Math.max(p[k], p[k + 3], r[k], r[k + 3]) < bounds[k - at]
    )
      return true;
  return false;
}
