/**
 * What a strand touches (EoL mode): L-nodes on faces of bodies and on smooth ones, E-nodes on convex edges.
 *
 *     L───L───L───E                 L on a face: held across it while it is pressed on, n·(ẋ − v_body) = −gap/h
 *     ▓▓▓▓▓▓▓▓▓▓▓▓ ╲                E on an edge: x stays on the line of the edge, slides along it; u slides
 *
 * Bodies are taken as flat faces and convex edges, grown by the strand's radius (`contact/facets.ts`). Both kinds of contact
 * only push. A face lets go within the stage in which it would have to pull and takes hold of a node that ended inside,
 * and the stage is solved again (`revise`). An edge takes hold where a segment went through it between start and end
 * of a step: the step is taken again with an E-node there (`touch-search.ts`); it lets go before the step after the one in
 * which it pulled (`touch-adapt.ts`). Every place is met exactly at the end of the stage, so nothing sinks in.
 * Bodies that forces move take part through constraint rows (`touch-rows.ts`), all others through the nodes' frames.
 *   gap  distance to the face at the start of the stage, the body where it is at its end [m]
 */
import type { Body } from '../bodies/index.ts';
import {
  type ContactForces,
  createFacetBody,
  type FacetBody,
  type NodeFrames,
  Placement,
  type RoundSolid,
} from '../contact/index.ts';
import { CANCEL_POSITION, HeddleError, NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { FaceContacts } from './face-contacts.ts';
import type { StrandState } from './state.ts';
import {
  addFrictionForce,
  addStickFrame,
  addStickShare,
  beginFriction,
  FrictionRoom,
  reviseEdgeFriction,
  reviseFaceFriction,
  writeEdgeDrag,
} from './touch-friction.ts';
import { followRound, meetsRound, ROUND, widenRound } from './touch-round.ts';
import { TouchSearch } from './touch-search.ts';

/** Depth that counts as inside, relative to the body and the spacing of nodes. */
const TOUCH_TOLERANCE = 1e-9;
/** Passes of a stage in which contacts may still let go; after that they only take hold. */
const RELEASING_PASSES = 6;
/** Way that a pulling contact may move its node, relative to the spacing, before the step is too long. */
const PULLED = 0.02;
/** How near to a body a node that stands still moves with it, relative to the smallest spacing. */
const CARRIED = 1;
/** How often a step is taken again with new E-nodes before it is halved, and how often after that before it is accepted: not before the world rescues (`Model.rescue`). */
const MOST_RETRIES = 24;
const MOST_HALVINGS = 8;

export class StrandTouch {
  readonly bodies: readonly Body[];
  readonly facets: readonly FacetBody[];
  /** Coefficient of dry friction with each body [1]. */
  readonly friction: Float64Array;
  /** Bodies that the strand can reach in this step. */
  readonly near: Uint8Array;
  /** Poses at the start of the step and now. */
  readonly start: readonly Placement[];
  readonly now: readonly Placement[];
  readonly contacts = new FaceContacts();
  /** What is to be inserted before the step is taken again. */
  readonly search = new TouchSearch();
  readonly room = new FrictionRoom();
  /** Length of the step to come [s]. */
  step = 0;
  /** Steps accepted although something could not be resolved. */
  fallbacks = 0;
  readonly #forces: ContactForces;
  readonly #before = new FaceContacts();
  #fallbacksBefore = 0;
  /** Whether the last try asked for E-nodes. */
  #found = false;
  #retries = 0;
  #halvings = 0;
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #c = new Float64Array(3);
  readonly #d = new Float64Array(3);
  readonly #plane = new Float64Array(5);

  constructor(forces: ContactForces, radius: number, friction: number) {
    this.bodies = forces.bodies;
    this.near = forces.near;
    this.#forces = forces;
    this.facets = this.bodies.map(({ shape }) => createFacetBody(shape, radius));
    this.friction = Float64Array.from(this.bodies, (body) => body.friction ?? friction);
    this.start = this.bodies.map(() => new Placement());
    this.now = this.bodies.map(() => new Placement());
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
    this.#before.copy(this.contacts);
    this.#fallbacksBefore = this.fallbacks;
  }

  /** Back to the contacts before the step. In a shorter step what was asked for is too early: the strand is not there yet. */
  restoreContacts(isAsLong: boolean): void {
    if (isAsLong) this.#retries++;
    else {
      this.#clearSearch();
      this.#halvings++;
      this.search.usesPlanes = false;
    }
    this.#found = false;
    this.contacts.copy(this.#before);
    this.fallbacks = this.#fallbacksBefore;
  }

  #clearSearch(): void {
    this.search.clear();
    this.#retries = 0;
  }

  /** Before a step: remembers the poses, and forgets contacts that do not hold or whose node has left its face. */
  beginStep(state: StrandState): void {
    const { contacts } = this;
    this.place(this.start);
    let kept = 0;
    for (let c = 0; c < contacts.count; c++)
      if (contacts.active[c] && this.#isOnFace(state, c)) contacts.copyOne(contacts, c, kept++);
    contacts.count = kept;
    for (let c = 0; c < kept; c++) if (contacts.face[c] === ROUND) followRound(this, state, c, this.#a);
    for (const { label, body, normal, offset } of this.search.planes) {
      if (state.indexOf(label) < 0) continue;
      const c = contacts.add(label, body, -1, normal[0], normal[1], normal[2], offset);
      contacts.slips[c] = 1;
    }
    for (let c = 0; c < contacts.count; c++) this.#anchor(state, state.chain.q, c);
  }

  #isOnFace(state: StrandState, c: number): boolean {
    const { label, body, face } = this.contacts;
    const i = state.indexOf(label[c]);
    // planes of nodes that fly off an edge are asked for anew in each step
    if (i < 0 || (face[c] < 0 && face[c] !== ROUND)) return false;
    const b = body[c];
    const p = this.#a;
    this.start[b].writeLocal(state.chain.q, 4 * i, p, 0);
    if (face[c] === ROUND) return Math.abs(p[1]) < (this.facets[b].round as RoundSolid).top;
    if (state.chain.kind[i] !== NODE_LAGRANGIAN && this.findEdgeOf(state, label[c], b) >= 0) return false;
    return this.facets[b].isOverFace(face[c], p[0], p[1], p[2], this.toleranceOf(b, state));
  }

  /** Where the node of a contact is at the start of the step, in the body's frame; q: the coordinates there. */
  #anchor(state: StrandState, q: Float64Array, c: number): void {
    const { label, body, anchor } = this.contacts;
    this.start[body[c]].writeLocal(q, 4 * state.indexOf(label[c]), anchor, 3 * c);
  }

  /** Visits the outward normals, in the world, of the faces that hold a node at the start of a step. */
  eachNormal(label: number, visit: (x: number, y: number, z: number) => void): void {
    const { contacts } = this;
    const n = this.#a;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.label[c] !== label || !contacts.active[c]) continue;
      this.start[contacts.body[c]].writeDirection(contacts.plane, 4 * c, n, 0);
      visit(n[0], n[1], n[2]);
    }
  }

  /** Moves a place that lies in a body, at the start of a step, out onto the nearest face and visits its normal; true when it did. */
  pushOut(places: Float64Array, at: number, visit: (x: number, y: number, z: number) => void): boolean {
    const [p, n] = [this.#a, this.#b];
    let isPushed = false;
    for (let b = 0; b < this.bodies.length; b++) {
      if (!this.near[b]) continue;
      this.start[b].writeLocal(places, at, p, 0);
      const depth = this.writeWayOut(b, p, TOUCH_TOLERANCE * this.facets[b].size, n);
      if (!(depth > 0)) continue;
      this.start[b].writeDirection(n, 0, n, 0);
      for (let k = 0; k < 3; k++) places[at + k] += depth * n[k];
      visit(n[0], n[1], n[2]);
      isPushed = true;
    }
    return isPushed;
  }

  /** How deep a point p of body b's frame is under the surface nearest to it, and the way out; 0 within `tolerance` of outside [m]. */
  writeWayOut(b: number, p: Float64Array, tolerance: number, n: Float64Array): number {
    const facets = this.facets[b];
    const depth = facets.computeDepth(p[0], p[1], p[2]);
    if (!(depth > tolerance)) return 0;
    const { round } = facets;
    if (round) {
      round.writePlane(p, 0, 0, this.#plane, 0);
      for (let k = 0; k < 3; k++) n[k] = this.#plane[k];
      const [out, up] = [round.computeDepth(p[0], p[1], p[2]), round.top - Math.abs(p[1])];
      if (up > out) return out;
      n[0] = n[2] = 0;
      n[1] = Math.sign(p[1]);
      return up;
    }
    const face = facets.findFace(p, 0, p, 0, tolerance);
    if (face < 0) return 0;
    let under = facets.faceOffset[face];
    for (let k = 0; k < 3; k++) {
      n[k] = facets.faceNormal[3 * face + k];
      under -= n[k] * p[k];
    }
    return under;
  }

  /** Whether a face holds a node. */
  isTouching(label: number): boolean {
    return this.contacts.isHolding(label);
  }

  beginStage(state: StrandState): void {
    this.place(this.now);
    beginFriction(this, state);
  }

  /** Frames of all nodes that bodies hold which forces do not move, for a stage of length h. */
  addFrames(state: StrandState, frames: NodeFrames, h: number): void {
    const { contacts } = this;
    this.place(this.now);
    for (const { label, site } of state.guides)
      if (site.type === 'edge' && !this.isDynamic(site.body))
        this.#addEdge(state, frames, label, site.body, site.edge, h);
    for (let c = 0; c < contacts.count; c++) {
      contacts.direction[c] = contacts.tangent[2 * c] = contacts.tangent[2 * c + 1] = -1;
      if (contacts.active[c] && !this.isDynamic(contacts.body[c])) this.#addFace(state, frames, c, h);
    }
    // after all normals: sticking to one face must not take the place of another face's push
    for (let c = 0; c < contacts.count; c++)
      if (contacts.direction[c] >= 0 && this.friction[contacts.body[c]] > 0 && !contacts.slips[c])
        addStickFrame(this, state, frames, frames.find(contacts.label[c]), c, h);
  }

  #addEdge(state: StrandState, frames: NodeFrames, label: number, b: number, edge: number, h: number): void {
    const { qBase } = state.chain;
    const at = 4 * state.indexOf(label);
    const n = openFrame(state, frames, label);
    this.writeEdgeAxes(b, edge, this.now[b], this.#a, this.#b, this.#c);
    const [m, across, along, p] = [this.#a, this.#b, this.#c, this.#d];
    this.now[b].writeWorld(this.facets[b].edgeStart, 3 * edge, p, 0);
    for (const d of [m, across]) {
      const gap = (p[0] - qBase[at]) * d[0] + (p[1] - qBase[at + 1]) * d[1] + (p[2] - qBase[at + 2]) * d[2];
      frames.add(n, d[0], d[1], d[2], gap / h);
    }
    if (!(this.friction[b] > 0) || state.slip[label] !== 0) return;
    // it sticks: along the edge too it stays where it was on the body
    this.start[b].writeLocal(state.chain.qStart, at, p, 0);
    this.now[b].writeWorld(p, 0, p, 0);
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += (p[k] - qBase[at + k]) * along[k];
    frames.add(n, along[0], along[1], along[2], gap / h);
  }

  /** Outward bisector of an edge, the direction across both, and the edge's own, unit vectors in the world. */
  writeEdgeAxes(
    b: number,
    edge: number,
    placement: Placement,
    m: Float64Array,
    across: Float64Array,
    along: Float64Array,
  ): void {
    const { edgeNormalA: A, edgeNormalB: B, edgeStart, edgeEnd } = this.facets[b];
    const e = 3 * edge;
    let [length, size] = [0, 0];
    for (let k = 0; k < 3; k++) {
      m[k] = A[e + k] + B[e + k];
      along[k] = edgeEnd[e + k] - edgeStart[e + k];
      length += m[k] * m[k];
      size += along[k] * along[k];
    }
    for (let k = 0; k < 3; k++) {
      m[k] /= Math.sqrt(length);
      along[k] /= Math.sqrt(size);
    }
    placement.writeDirection(m, 0, m, 0);
    placement.writeDirection(along, 0, along, 0);
    across[0] = along[1] * m[2] - along[2] * m[1];
    across[1] = along[2] * m[0] - along[0] * m[2];
    across[2] = along[0] * m[1] - along[1] * m[0];
  }

  #addFace(state: StrandState, frames: NodeFrames, c: number, h: number): void {
    const { label, direction } = this.contacts;
    if ((state.heldAxes[label[c]] & CANCEL_POSITION) === CANCEL_POSITION) return;
    const normal = this.#a;
    const gap = this.writeGap(state.chain.qBase, state.indexOf(label[c]), c, normal);
    const n = openFrame(state, frames, label[c]);
    direction[c] = frames.add(n, normal[0], normal[1], normal[2], -gap / h);
  }

  /** Distance of node i to the plane of a contact, the body where it is now [m]; writes the plane's normal in the world. */
  writeGap(q: Float64Array, i: number, c: number, normal: Float64Array): number {
    const { plane, body } = this.contacts;
    const placement = this.now[body[c]];
    placement.writeDirection(plane, 4 * c, normal, 0);
    let gap = -plane[4 * c + 3];
    for (let k = 0; k < 3; k++) gap += normal[k] * (q[4 * i + k] - placement.p[k]);
    return gap;
  }

  /** Reads the forces of the contacts after a solve, and notes what the bodies get of them. */
  readForces(state: StrandState, frames: NodeFrames): void {
    const { contacts } = this;
    this.#forces.force.fill(0);
    this.#forces.torque.fill(0);
    this.#forces.nodes.clear();
    for (let c = 0; c < contacts.count; c++) {
      if (this.isDynamic(contacts.body[c])) continue;
      const label = contacts.label[c];
      const n = contacts.active[c] && contacts.direction[c] >= 0 ? frames.find(label) : -1;
      contacts.tie.fill(0, 3 * c, 3 * c + 3);
      contacts.force[c] = n < 0 ? 0 : frames.computeMultiplier(n, contacts.direction[c], state.reaction, 4 * label);
      if (n < 0) continue;
      this.now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, this.#a, 0);
      for (let k = 0; k < 3; k++) this.#a[k] *= contacts.force[c];
      this.noteForce(state, label, contacts.body[c], this.#a, 0, 1, true);
      this.#a.fill(0);
      addFrictionForce(this, state, frames, n, c, this.#a);
      // friction of what slips pushes the node without holding it
      this.noteForce(state, label, contacts.body[c], this.#a, 0, 1, contacts.slips[c] === 0);
    }
    for (const guide of state.guides) {
      const { label, site } = guide;
      if (site.type !== 'edge' || this.isDynamic(site.body)) continue;
      this.noteForce(state, label, site.body, state.reaction, 4 * label, 1, true);
      if (writeEdgeDrag(this, state, guide, site, this.#a))
        this.noteForce(state, label, site.body, this.#a, 0, 1, false);
    }
  }

  /** What a tie, sign · force, does of the force that holds a node, no face does. */
  takeOffTie(state: StrandState, frames: NodeFrames, label: number, force: Float64Array, sign: number): void {
    const { contacts } = this;
    const n = frames.find(label);
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.label[c] !== label || !contacts.active[c] || contacts.direction[c] < 0) continue;
      if (this.isDynamic(contacts.body[c])) continue;
      const size = frames.computeMultiplier(n, contacts.direction[c], force, 0);
      contacts.force[c] -= sign * size;
      for (let k = 0; k < 3; k++) contacts.tie[3 * c + k] += sign * force[k];
      this.now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, this.#a, 0);
      for (let k = 0; k < 3; k++) this.#a[k] *= size;
      addStickShare(this, frames, n, c, force, 0, this.#a);
      this.noteForce(state, label, contacts.body[c], this.#a, 0, -sign, true);
    }
  }

  /** Notes sign · f[at…], a force of body b on a node, and the force and torque that the body gets; `isHeld`: see `NodeForces`. */
  noteForce(
    state: StrandState,
    label: number,
    b: number,
    f: Float64Array,
    at: number,
    sign: number,
    isHeld: boolean,
  ): void {
    const { force, torque, nodes } = this.#forces;
    nodes.add(label, f, at, sign, isHeld);
    const { q } = state.chain;
    const i = 4 * state.indexOf(label);
    const centre = this.bodies[b].centreOfMass;
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      force[3 * b + k] -= sign * f[at + k];
      torque[3 * b + k] -= sign * ((q[i + m] - centre[m]) * f[at + n] - (q[i + n] - centre[n]) * f[at + m]);
    }
  }

  /** Lets go of what pulls and takes hold of nodes that ended inside; true when the stage must be solved again. */
  revise(state: StrandState, pass: number, h: number): boolean {
    const { contacts } = this;
    this.place(this.now);
    let changed = false;
    if (pass <= RELEASING_PASSES)
      for (let c = 0; c < contacts.count; c++)
        if (contacts.active[c] && contacts.force[c] < 0) {
          contacts.active[c] = 0;
          contacts.force[c] = 0;
          changed = true;
        }
    if (pass <= RELEASING_PASSES) changed = reviseEdgeFriction(this, state) || changed;
    for (let c = 0; c < contacts.count; c++)
      if (contacts.active[c] && contacts.face[c] === ROUND) changed = widenRound(this, state, c) || changed;
    // before new contacts, whose forces are not known yet
    changed = reviseFaceFriction(this, state, h) || changed;
    for (let b = 0; b < this.bodies.length; b++) if (this.near[b]) changed = this.#catchNodes(state, b) || changed;
    return changed;
  }

  /** Whether a contact that could not be let go in a stage of length h pulls so hard that it moves its node by a part of its segment. */
  isHeldBack({ chain, spacing }: StrandState, h: number): boolean {
    const { contacts } = this;
    for (let c = 0; c < contacts.count; c++) {
      const length = spacing[contacts.label[c]];
      if (contacts.active[c] && -contacts.force[c] * h * h > PULLED * chain.material.linearDensity * length * length)
        return true;
    }
    return false;
  }

  #catchNodes(state: StrandState, b: number): boolean {
    const { q, qStart, kind, label, count } = state.chain;
    const facets = this.facets[b];
    const tolerance = this.toleranceOf(b, state);
    const [p0, p1] = [this.#a, this.#b];
    let changed = false;
    for (let i = 0; i < count; i++) {
      if ((state.heldAxes[label[i]] & CANCEL_POSITION) === CANCEL_POSITION) continue;
      // an E-node on an edge may run into the faces of other bodies only
      if (kind[i] !== NODE_LAGRANGIAN && this.findEdgeOf(state, label[i], b) >= 0) continue;
      this.now[b].writeLocal(q, 4 * i, p1, 0);
      this.start[b].writeLocal(qStart, 4 * i, p0, 0);
      const face = facets.findFace(p0, 0, p1, 0, tolerance);
      // the mantle of a cylinder counts, not the faces of the prism round it
      if (facets.round && !(face >= 0 && facets.faceNormal[3 * face + 1] !== 0)) {
        if (meetsRound(this, state, b, i, p0, p1, this.#plane))
          changed = this.#take(state, label[i], b, ROUND, this.#plane) || changed;
        continue;
      }
      if (face < 0) continue;
      for (let k = 0; k < 3; k++) this.#plane[k] = facets.faceNormal[3 * face + k];
      this.#plane[3] = facets.faceOffset[face];
      changed = this.#take(state, label[i], b, face, this.#plane) || changed;
    }
    return changed;
  }

  /** Makes a contact hold; false when it did already. */
  #take(state: StrandState, label: number, b: number, face: number, plane: Float64Array): boolean {
    const { contacts } = this;
    const known = contacts.find(label, b, face);
    if (known >= 0) {
      if (contacts.active[known]) return false;
      contacts.active[known] = 1;
      return true;
    }
    const c = contacts.add(label, b, face, plane[0], plane[1], plane[2], plane[3]);
    contacts.reach[c] = plane[4];
    this.#anchor(state, state.chain.qStart, c);
    return true;
  }

  /** Looks for segments that went through an edge during the step; true when the step must be taken again. */
  findCrossings(state: StrandState): boolean {
    this.place(this.now);
    this.#found = this.search.search(state, this);
    return this.#found;
  }

  /** Takes back what was asked for and pulled in this try; true when the step must be taken again. */
  withdraw(state: StrandState): boolean {
    this.#found = this.#retries < MOST_RETRIES && this.search.withdraw(state, this);
    return this.#found;
  }

  /** Whether the edge that holds a node pulls it inwards. */
  isPulled(state: StrandState, label: number): boolean {
    for (const { label: other, site } of state.guides) {
      if (other !== label || site.type !== 'edge') continue;
      this.writeEdgeAxes(site.body, site.edge, this.now[site.body], this.#a, this.#b, this.#c);
      const [m, r, at] = [this.#a, state.reaction, 4 * label];
      return m[0] * r[at] + m[1] * r[at + 1] + m[2] * r[at + 2] < 0;
    }
    return false;
  }

  /** The edge of body b that a node is on; −1 none. */
  findEdgeOf(state: StrandState, label: number, b: number): number {
    if (label < state.materialCount) return -1;
    for (const { label: other, site } of state.guides)
      if (other === label && site.type === 'edge' && site.body === b) return site.edge;
    return -1;
  }

  /** Whether enough was tried: the step is taken as it is. */
  get isHopeless(): boolean {
    return this.#halvings >= MOST_HALVINGS && this.#retries >= MOST_RETRIES;
  }

  /** Whether the step may be taken again as it was, with the E-nodes asked for. */
  get wantsRetry(): boolean {
    return this.#found && this.#retries < MOST_RETRIES;
  }

  /** After an accepted step: which edges pulled. */
  endStep(state: StrandState): void {
    this.#clearSearch();
    this.#halvings = 0;
    this.search.usesPlanes = true;
    for (const { label, site } of state.guides) {
      if (site.type !== 'edge') continue;
      this.writeEdgeAxes(site.body, site.edge, this.now[site.body], this.#a, this.#b, this.#c);
      const [m, r, at] = [this.#a, state.reaction, 4 * label];
      const along = this.#c[0] * r[at] + this.#c[1] * r[at + 1] + this.#c[2] * r[at + 2];
      const square = r[at] ** 2 + r[at + 1] ** 2 + r[at + 2] ** 2;
      state.grip[label] = Math.sqrt(Math.max(0, square - along * along));
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

  /** Deepest point of the straight line between two nodes in any body, at the start of a step [m]. */
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

  isCut(state: StrandState, i: number, j: number): boolean {
    for (let b = 0; b < this.bodies.length; b++) {
      const { round } = this.facets[b];
      if (!this.near[b] || round === undefined) continue;
      this.start[b].writeLocal(state.chain.q, 4 * i, this.#a, 0);
      this.start[b].writeLocal(state.chain.q, 4 * j, this.#b, 0);
      const isBeyond = Math.min(Math.abs(this.#a[1]), Math.abs(this.#b[1])) > round.top;
      if (!isBeyond && round.computeSegmentDepth(this.#a, 0, this.#b, 0) > this.toleranceOf(b, state)) return true;
    }
    return false;
  }

  /** Moves nodes near a scripted body with it, from its present pose to the one at `end`, where it then is. */
  carry(state: StrandState, end: number): void {
    const { q, count } = state.chain;
    const p = this.#a;
    for (let b = 0; b < this.bodies.length; b++) {
      if (!this.near[b] || this.bodies[b].motion !== 'scripted') continue;
      this.start[b].read(this.bodies[b]);
      this.bodies[b].moveTo(end);
      this.now[b].read(this.bodies[b]);
      for (let i = 0; i < count; i++) {
        this.start[b].writeLocal(q, 4 * i, p, 0);
        if (this.facets[b].computeDepth(p[0], p[1], p[2]) > -CARRIED * state.smallestSpacing)
          this.now[b].writeWorld(p, 0, q, 4 * i);
      }
    }
  }

  writeState(writer: StateWriter): void {
    writer.number(this.fallbacks);
    this.contacts.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.fallbacks = reader.number();
    this.contacts.readState(reader);
    this.#checkContacts();
    this.#clearSearch();
  }

  /** Contacts of a state are with bodies that there are. */
  #checkContacts(): void {
    const { count, body } = this.contacts;
    for (let c = 0; c < count; c++) {
      if (this.facets[body[c]] !== undefined) continue;
      throw new HeddleError(
        `The saved state has a contact with body ${body[c]}, which does not exist; it is damaged or belongs to another scene.`,
      );
    }
  }
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
