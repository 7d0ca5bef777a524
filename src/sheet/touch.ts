/**
 * What the vertices of a sheet touch: faces of bodies and smooth bodies, with dry friction. Bodies are grown by half the sheet's
 * thickness (`contact/facets.ts`), so that its middle surface is what counts.
 *
 *     on a face      n·(ẋ − v_body) = −gap/h while it is pressed on: the place is met exactly, nothing sinks in
 *     sticking       held along the face too, where it was on the body, while that takes no more than μ N
 *     slipping       −μ N w/|w|: as a drag on the sliding w, |w| of the pass before, so that it never turns w round
 *
 * It is the active-set method for the QP (4.18) of [Piddington 2017] in the vertices' own frames: what is held are cancelled
 * coordinates, no multipliers, one pattern. A contact that would have to pull lets go, a vertex that ended inside is taken hold of,
 * and the stage is solved again (`revise`) until nothing changes: then all conditions of the QP hold.
 */
import type { Body } from '../bodies/index.ts';
import {
  type ContactForces,
  createContactForces,
  createFacetBody,
  type FacetBody,
  Placement,
  writeTangents,
} from '../contact/index.ts';
import { CANCEL_POSITION, type StateReader, type StateWriter } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { VertexContacts } from './contacts.ts';
import type { CreaseFriction } from './crease-friction.ts';
import type { SheetHolds } from './holds.ts';
import { computeStandOff, easeOut } from './stand-off.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Depth that counts as inside, relative to the body's size. */
const TOUCH_TOLERANCE = 1e-9;
/** Passes of a stage in which contacts may still let go; after that they only take hold. */
const RELEASING_PASSES = 8;
/** How often a contact may let go in a step: what would come back each time stays. */
const MOST_RELEASES = 2;
/** How often the friction of a contact may change in a stage. */
const MOST_FLIPS = 3;
/** Sliding that friction brings down to this share of itself in one stage has come to rest. */
const STOPPED = 0.05;
/** Friction is taken from the newest normal force and speed while that differs by more than this share of it, or of the mean one where that is more. */
const SAME_FORCE = 0.05;
/** A vertex nearer to an edge than this may go on over it, relative to the body's size. */
const ON_EDGE = 1e-6;
/** Sliding slower than what friction takes off in a stage, by this factor, is as slow: the drag must not drown the sheet's own stiffness. */
const SLOWEST = 1e-6;
/** The face of contacts with smooth bodies. */
const SMOOTH = -1;

export class SheetTouch {
  readonly bodies: readonly Body[];
  readonly facets: readonly FacetBody[];
  /** Coefficient of dry friction with each body [1]. */
  readonly friction: Float64Array;
  /** Poses at the start of the step and now. */
  readonly start: readonly Placement[];
  readonly now: readonly Placement[];
  readonly contacts = new VertexContacts();
  /** Force and torque on each body. */
  readonly forces: ContactForces;
  readonly #before = new VertexContacts();
  #meanForce = 0;
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #n = new Float64Array(3);
  readonly #t = new Float64Array(3);
  readonly #s = new Float64Array(3);
  readonly #plane = new Float64Array(4);

  constructor(bodies: readonly Body[], thickness: number, friction: number) {
    this.bodies = bodies;
    this.forces = createContactForces(bodies);
    this.facets = bodies.map(({ shape }) => createFacetBody(shape, thickness / 2));
    this.friction = Float64Array.from(bodies, (body) => body.friction ?? friction);
    this.start = bodies.map(() => new Placement());
    this.now = bodies.map(() => new Placement());
    this.place(this.start);
  }

  /** Takes the present poses of all bodies. */
  place(placements: readonly Placement[]): void {
    for (let b = 0; b < this.bodies.length; b++) placements[b].read(this.bodies[b]);
  }

  /** Before a step: remembers the poses and the contacts, and forgets contacts that do not hold or whose vertex has left its face. */
  beginStep(state: SheetState): void {
    const { contacts } = this;
    this.place(this.start);
    this.#before.copy(contacts);
    contacts.filter((c) => contacts.active[c] === 1 && this.#isOnFace(state, c));
    for (let c = 0; c < contacts.count; c++) {
      const i = state.indexOf(contacts.label[c]);
      this.start[contacts.body[c]].writeLocal(state.q, STRIDE * i, contacts.anchor, 3 * c);
      contacts.flips[c] = contacts.guessed[c] = contacts.releases[c] = 0;
      if (contacts.face[c] === SMOOTH) this.#followSmooth(state, c, i);
    }
  }

  rollBack(): void {
    this.contacts.copy(this.#before);
  }

  #isOnFace(state: SheetState, c: number): boolean {
    const { label, body, face } = this.contacts;
    const i = state.indexOf(label[c]);
    if (i < 0 || state.isOnSite(i)) return false;
    if (face[c] === SMOOTH) return true;
    const p = this.#a;
    this.start[body[c]].writeLocal(state.q, STRIDE * i, p, 0);
    const facets = this.facets[body[c]];
    // on an edge its motion decides anew on which side it goes on
    return facets.isOverFace(face[c], p[0], p[1], p[2], -ON_EDGE * facets.size);
  }

  /** The plane of a contact with a smooth body follows its vertex i round it. */
  #followSmooth({ q, mesh }: SheetState, c: number, i: number): void {
    const { body, anchor, plane } = this.contacts;
    const round = this.facets[body[c]].round!;
    const [x, y, z] = anchor.subarray(3 * c, 3 * c + 3);
    const reach = easeOut(
      round,
      round.computeDistance(x, y, z),
      computeStandOff(round, this.start[body[c]], q, mesh, i),
    );
    round.writePlane(anchor, 3 * c, reach, plane, 4 * c);
  }

  /** Frames of all vertices that bodies hold, for a stage of length h. What is inside comes out in a whole step, `full`, however short h is. */
  addFrames(state: SheetState, holds: SheetHolds, h: number, full: number): void {
    const { contacts } = this;
    this.place(this.now);
    for (let c = 0; c < contacts.count; c++) {
      contacts.direction.fill(-1, 3 * c, 3 * c + 3);
      if (contacts.active[c]) this.#addNormal(state, holds, c, h, full);
    }
    // after all normals: sticking to one face must not take the place of another face's push
    for (let c = 0; c < contacts.count; c++)
      if (contacts.direction[3 * c] >= 0 && this.friction[contacts.body[c]] > 0 && !contacts.slips[c])
        this.#addStick(state, holds, c, h);
  }

  #addNormal(state: SheetState, holds: SheetHolds, c: number, h: number, full: number): void {
    const { label, body, direction } = this.contacts;
    const i = state.indexOf(label[c]);
    if ((holds.bits[i] & CANCEL_POSITION) === CANCEL_POSITION) return;
    const n = this.#n;
    const begun = this.#computeGap(this.start[body[c]], state, i, c, n);
    const gap = this.#computeGap(this.now[body[c]], state, i, c, n);
    // what was inside at the start, apart from what the body's motion adds
    const inside = Math.max(0, -begun);
    const speed = -(gap + inside) / h + inside / Math.max(h, full);
    direction[3 * c] = holds.frames.add(holds.openFrame(i), n[0], n[1], n[2], speed);
  }

  /** Distance of vertex i, where the stage starts from, to the plane of a contact; writes the normal in the world. */
  #computeGap(placement: Placement, { qBase }: SheetState, i: number, c: number, n: Float64Array): number {
    const { plane } = this.contacts;
    placement.writeDirection(plane, 4 * c, n, 0);
    let gap = -plane[4 * c + 3];
    for (let k = 0; k < 3; k++) gap += n[k] * (qBase[STRIDE * i + k] - placement.p[k]);
    return gap;
  }

  #addStick(state: SheetState, holds: SheetHolds, c: number, h: number): void {
    const { label, body, plane, anchor, direction } = this.contacts;
    const i = state.indexOf(label[c]);
    const frame = holds.frames.find(i);
    const place = this.#a;
    this.now[body[c]].writeWorld(anchor, 3 * c, place, 0);
    this.now[body[c]].writeDirection(plane, 4 * c, this.#n, 0);
    writeTangents(this.#n, this.#t, this.#s);
    for (let m = 0; m < 2; m++) {
      const t = m === 0 ? this.#t : this.#s;
      let gap = 0;
      for (let k = 0; k < 3; k++) gap += (place[k] - state.qBase[STRIDE * i + k]) * t[k];
      direction[3 * c + 1 + m] = holds.frames.add(frame, t[0], t[1], t[2], gap / h);
    }
  }

  /** Adds the drag of slipping vertices, for a stage of length h. */
  addFriction(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { contacts } = this;
    const { values, valueStart, blockStart, sizes } = matrix;
    const { columnStart } = state.mesh.pattern;
    for (let c = 0; c < contacts.count; c++) {
      const limit = this.friction[contacts.body[c]] * contacts.grip[c];
      if (!(contacts.active[c] && contacts.slips[c] && limit > 0)) continue;
      const i = state.indexOf(contacts.label[c]);
      this.#writeSlip(state, c, state.v, this.#a);
      const drag = (h * limit) / contacts.speed[c];
      const d = valueStart[columnStart[i]];
      for (let k = 0; k < 3; k++) {
        rhs[blockStart[i] + k] -= drag * this.#a[k];
        for (let m = 0; m < 3; m++)
          values[d + k * sizes[i] + m] += drag * ((k === m ? 1 : 0) - this.#n[k] * this.#n[m]);
      }
    }
  }

  /** Velocity of a contact's vertex along the face, relative to the body; leaves the normal in #n, returns the size. */
  #writeSlip(state: SheetState, c: number, v: Float64Array, out: Float64Array): number {
    const { label, body, plane } = this.contacts;
    const at = STRIDE * state.indexOf(label[c]);
    const n = this.#n;
    for (let k = 0; k < 3; k++) this.#b[k] = state.q[at + k];
    this.bodies[body[c]].writePointVelocity(this.#b, out);
    this.now[body[c]].writeDirection(plane, 4 * c, n, 0);
    let across = 0;
    for (let k = 0; k < 3; k++) {
      out[k] = v[at + k] - out[k];
      across += out[k] * n[k];
    }
    let square = 0;
    for (let k = 0; k < 3; k++) {
      out[k] -= across * n[k];
      square += out[k] * out[k];
    }
    return Math.sqrt(square);
  }

  /** Reads the forces of the contacts after a solve, and what the bodies get of them and of E-vertices on their edges. */
  readForces(state: SheetState, holds: SheetHolds, creaseFriction: CreaseFriction | undefined): void {
    const { contacts } = this;
    this.forces.force.fill(0);
    this.forces.torque.fill(0);
    for (let c = 0; c < contacts.count; c++) {
      const i = state.indexOf(contacts.label[c]);
      const frame = contacts.active[c] && contacts.direction[3 * c] >= 0 ? holds.frames.find(i) : -1;
      contacts.force[c] = 0;
      if (frame < 0) continue;
      contacts.force[c] = holds.frames.computeMultiplier(frame, contacts.direction[3 * c], holds.reaction, STRIDE * i);
      this.#writeForce(state, holds, c, frame, this.#a);
      this.#noteForce(state, i, contacts.body[c], this.#a);
    }
    for (let i = 0; i < state.count; i++) {
      if (!state.isOnSite(i)) continue;
      this.#noteForce(state, i, state.siteBody[i], holds.reaction.subarray(STRIDE * i, STRIDE * i + 3));
      if (creaseFriction?.writeDrag(state, i, this.#a)) this.#noteForce(state, i, state.siteBody[i], this.#a);
    }
  }

  /** Force of a contact on its vertex, friction included, into `out`. */
  #writeForce(state: SheetState, holds: SheetHolds, c: number, frame: number, out: Float64Array): void {
    const { contacts } = this;
    if (contacts.slips[c]) {
      const size = this.#writeSlip(state, c, state.v, out);
      const limit = this.friction[contacts.body[c]] * contacts.grip[c];
      const drag = size > 0 ? limit / contacts.speed[c] : 0;
      for (let k = 0; k < 3; k++) out[k] = contacts.force[c] * this.#n[k] - drag * out[k];
      return;
    }
    this.now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, this.#n, 0);
    for (let k = 0; k < 3; k++) out[k] = contacts.force[c] * this.#n[k];
    writeTangents(this.#n, this.#t, this.#s);
    const at = STRIDE * state.indexOf(contacts.label[c]);
    for (let m = 0; m < 2; m++) {
      const j = contacts.direction[3 * c + 1 + m];
      if (j < 0) continue;
      const size = holds.frames.computeMultiplier(frame, j, holds.reaction, at);
      for (let k = 0; k < 3; k++) out[k] += size * (m === 0 ? this.#t : this.#s)[k];
    }
  }

  /** Notes what body b gets of a force on vertex i. */
  #noteForce(state: SheetState, i: number, b: number, f: Float64Array): void {
    const { force, torque } = this.forces;
    const centre = this.bodies[b].centreOfMass;
    const at = STRIDE * i;
    for (let k = 0; k < 3; k++) {
      const [m, o] = [(k + 1) % 3, (k + 2) % 3];
      force[3 * b + k] -= f[k];
      torque[3 * b + k] -= (state.q[at + m] - centre[m]) * f[o] - (state.q[at + o] - centre[o]) * f[m];
    }
  }

  /** Lets go of what pulls, takes hold of what sank in, checks friction; true when the stage must be solved again. */
  revise(state: SheetState, holds: SheetHolds, pass: number, h: number): boolean {
    const { contacts } = this;
    this.place(this.now);
    let changed = false;
    this.#meanForce = this.#computeMeanForce();
    if (pass <= RELEASING_PASSES)
      for (let c = 0; c < contacts.count; c++)
        if (contacts.active[c] && contacts.force[c] < 0 && contacts.releases[c] < MOST_RELEASES) {
          contacts.releases[c]++;
          contacts.active[c] = 0;
          contacts.force[c] = 0;
          changed = true;
        }
    for (let c = 0; c < contacts.count; c++)
      if (contacts.active[c] && this.friction[contacts.body[c]] > 0)
        changed =
          (contacts.slips[c] ? this.#reviseSlip(state, c, h) : this.#reviseStick(state, holds, c, h)) || changed;
    for (let b = 0; b < this.bodies.length; b++) changed = this.#catchVertices(state, holds, b) || changed;
    return changed;
  }

  /** Mean normal force of the contacts that push [N]. */
  #computeMeanForce(): number {
    const { force, count } = this.contacts;
    let [sum, pushing] = [0, 0];
    for (let c = 0; c < count; c++) {
      if (!(force[c] > 0)) continue;
      sum += force[c];
      pushing++;
    }
    return pushing > 0 ? sum / pushing : 0;
  }

  #reviseStick(state: SheetState, holds: SheetHolds, c: number, h: number): boolean {
    const { contacts } = this;
    const i = state.indexOf(contacts.label[c]);
    const frame = holds.frames.find(i);
    contacts.grip[c] = Math.max(0, contacts.force[c]);
    // never more than friction can bear in the end: the last change of a stage is to slip
    if (frame < 0 || contacts.direction[3 * c] < 0 || contacts.flips[c] > MOST_FLIPS) return false;
    let square = 0;
    for (let m = 1; m < 3; m++)
      if (contacts.direction[3 * c + m] >= 0)
        square += holds.frames.computeMultiplier(frame, contacts.direction[3 * c + m], holds.reaction, STRIDE * i) ** 2;
    const limit = this.friction[contacts.body[c]] * contacts.grip[c];
    const excess = Math.sqrt(square) - limit;
    if (!(excess > 1e-9 * limit)) return false;
    contacts.slips[c] = 1;
    contacts.flips[c]++;
    contacts.guessed[c] = 1;
    // as it slid before, or what the rest of the force would do to the vertex alone
    const before = this.#writeSlip(state, c, state.vBase, this.#a);
    contacts.speed[c] = Math.max(before, (SLOWEST * limit * h) / state.massOf(i));
    if (!(before > 0)) contacts.speed[c] = (Math.max(excess, SLOWEST * limit) * h) / state.massOf(i);
    return true;
  }

  #reviseSlip(state: SheetState, c: number, h: number): boolean {
    const { contacts } = this;
    const before = contacts.grip[c];
    contacts.grip[c] = Math.max(0, contacts.force[c]);
    const speed = this.#writeSlip(state, c, state.v, this.#a);
    const isGuess = contacts.guessed[c] === 1;
    const isStopped = !isGuess && speed < STOPPED * contacts.speed[c];
    contacts.guessed[c] = 0;
    if (isStopped && contacts.flips[c] < MOST_FLIPS) {
      contacts.slips[c] = 0;
      contacts.flips[c]++;
      return true;
    }
    const enough = SAME_FORCE * Math.max(contacts.grip[c], this.#meanForce);
    const isSame =
      Math.abs(contacts.grip[c] - before) <= enough &&
      contacts.grip[c] * Math.abs(speed - contacts.speed[c]) <= enough * speed;
    const limit = this.friction[contacts.body[c]] * contacts.grip[c];
    const slowest = (SLOWEST * limit * h) / state.massOf(state.indexOf(contacts.label[c]));
    contacts.speed[c] = Math.max(speed, isGuess ? 0 : STOPPED * contacts.speed[c], slowest);
    return !isSame && contacts.flips[c]++ < MOST_FLIPS;
  }

  #catchVertices(state: SheetState, holds: SheetHolds, b: number): boolean {
    const { q, qStart, label, count } = state;
    const facets = this.facets[b];
    const tolerance = TOUCH_TOLERANCE * facets.size;
    const [p0, p1] = [this.#a, this.#b];
    let changed = false;
    for (let i = 0; i < count; i++) {
      if (state.isOnSite(i) || (holds.bits[i] & CANCEL_POSITION) === CANCEL_POSITION) continue;
      this.now[b].writeLocal(q, STRIDE * i, p1, 0);
      this.start[b].writeLocal(qStart, STRIDE * i, p0, 0);
      let face = facets.findFace(p0, 0, p1, 0, tolerance);
      const { round } = facets;
      // the mantle of a cylinder counts, not the faces of the prism round it; what started over an end comes in through that, if at all
      const isMantle = round !== undefined && !(face >= 0 && facets.faceNormal[3 * face + 1] !== 0);
      const isOverEnd =
        isMantle &&
        Math.abs(p0[1]) > round.top - tolerance &&
        round.computeDistance(p0[0], p0[1], p0[2]) < round.radius;
      if (isMantle && Math.abs(p1[1]) > round.top - tolerance) continue;
      if (isOverEnd) {
        if (round.computeDistance(p1[0], p1[1], p1[2]) > round.radius - tolerance) continue;
        face = findEnd(facets, p0[1]);
        this.#writeFace(facets, face);
      } else if (isMantle) {
        const reach = this.#findReach(state, b, i, p0, p1);
        if (reach === 0 || round.findEntry(p0, 0, p1, 0, reach, tolerance) < 0) continue;
        round.writePlane(p0, 0, reach, this.#plane, 0);
        face = SMOOTH;
      } else {
        if (face < 0) continue;
        face = this.#chooseSide(facets, face, p0, p1);
        this.#writeFace(facets, face);
      }
      changed = this.#take(state, label[i], b, face, p0) || changed;
    }
    return changed;
  }

  /** Distance from the axis of round body b that vertex i, on its way from p0 to p1, keeps in this step [m]; 0 where it stays far off. */
  #findReach({ qStart, mesh }: SheetState, b: number, i: number, p0: Float64Array, p1: Float64Array): number {
    const round = this.facets[b].round!;
    const d0 = round.computeDistance(p0[0], p0[1], p0[2]);
    const way = Math.sqrt((p1[0] - p0[0]) ** 2 + (p1[1] - p0[1]) ** 2 + (p1[2] - p0[2]) ** 2);
    const full = computeStandOff(round, this.start[b], qStart, mesh, i, d0 - way);
    return full === 0 ? 0 : easeOut(round, d0, full);
  }

  /** Makes the plane of a face that of the contact to be. */
  #writeFace({ faceNormal, faceOffset }: FacetBody, face: number): void {
    for (let k = 0; k < 3; k++) this.#plane[k] = faceNormal[3 * face + k];
    this.#plane[3] = faceOffset[face];
  }

  /** Of the two faces at an edge that a point starts on, the one along which it moves more: so a vertex does not hang on the edge. */
  #chooseSide(facets: FacetBody, face: number, p0: Float64Array, p1: Float64Array): number {
    let best = face;
    let most = computeAlong(facets, face, p0, p1);
    for (let e = 0; e < facets.edgeCount; e++) {
      const [a, b] = [facets.edgeFaceA[e], facets.edgeFaceB[e]];
      if ((a !== face && b !== face) || !isOnEdge(facets, e, p0)) continue;
      const other = a === face ? b : a;
      const along = computeAlong(facets, other, p0, p1);
      if (along <= most) continue;
      best = other;
      most = along;
    }
    return best;
  }

  /** Makes a contact hold; false when it did already. p0: where its vertex started, in the body's frame. */
  #take(state: SheetState, label: number, b: number, face: number, p0: Float64Array): boolean {
    const { contacts } = this;
    const known = contacts.find(label, b, face);
    if (known >= 0) {
      if (contacts.active[known]) return false;
      contacts.active[known] = 1;
      return true;
    }
    const c = contacts.add(label, b, face, this.#plane);
    contacts.anchor.set(p0, 3 * c);
    if (!(this.friction[b] > 0)) return true;
    // what lands sliding goes on sliding: to hold it would shake the sheet
    contacts.speed[c] = this.#writeSlip(state, c, state.vBase, this.#s);
    contacts.slips[c] = contacts.guessed[c] = contacts.speed[c] > 0 ? 1 : 0;
    return true;
  }

  /** Whether a place lies in a body, the bodies as they are now. */
  isInside(places: Float64Array, at: number): boolean {
    return this.facets.some((facets, b) => {
      this.now[b].writeLocal(places, at, this.#a, 0);
      return facets.computeDepth(this.#a[0], this.#a[1], this.#a[2]) > 0;
    });
  }

  /** Moves a place that lies in a body, as that is now, out onto the nearest face; true when it did, with the normal of that in `normal`. */
  pushOut(places: Float64Array, at: number, normal?: Float64Array): boolean {
    const p = this.#a;
    let isPushed = false;
    for (let b = 0; b < this.bodies.length; b++) {
      const facets = this.facets[b];
      const { round } = facets;
      this.now[b].writeLocal(places, at, p, 0);
      if (!(facets.computeDepth(p[0], p[1], p[2]) > 0)) continue;
      const face = facets.findFace(p, 0, p, 0, 0);
      if (round && !(face >= 0 && facets.faceNormal[3 * face + 1] !== 0))
        round.writePlane(p, 0, round.radius, this.#plane, 0);
      else if (face < 0) continue;
      else this.#writeFace(facets, face);
      const [x, y, z, offset] = this.#plane;
      const depth = offset - (x * p[0] + y * p[1] + z * p[2]);
      for (let k = 0; k < 3; k++) p[k] += depth * this.#plane[k];
      this.now[b].writeWorld(p, 0, places, at);
      if (normal) this.now[b].writeDirection(this.#plane, 0, normal, 0);
      isPushed = true;
    }
    return isPushed;
  }

  /** Deepest vertex in any body [m]; 0 where none is inside. */
  computeDepth(state: SheetState): number {
    let deepest = 0;
    this.place(this.now);
    for (let b = 0; b < this.bodies.length; b++)
      for (let i = 0; i < state.count; i++) {
        this.now[b].writeLocal(state.q, STRIDE * i, this.#a, 0);
        deepest = Math.max(deepest, this.facets[b].computeDepth(this.#a[0], this.#a[1], this.#a[2]));
      }
    return deepest;
  }

  writeState(writer: StateWriter): void {
    this.contacts.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.contacts.readState(reader);
  }
}

/** The end of a cylinder over which the height y is. */
function findEnd({ faceNormal, faceCount }: FacetBody, y: number): number {
  for (let face = 0; face < faceCount; face++) if (faceNormal[3 * face + 1] * y > 0.5 * Math.abs(y)) return face;
  return -1;
}

/** Square of the way from p0 to p1 along a face. */
function computeAlong({ faceNormal }: FacetBody, face: number, p0: Float64Array, p1: Float64Array): number {
  let [across, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = p1[k] - p0[k];
    across += d * faceNormal[3 * face + k];
    square += d * d;
  }
  return square - across * across;
}

function isOnEdge({ edgeStart, edgeEnd, size }: FacetBody, e: number, p: Float64Array): boolean {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = edgeEnd[3 * e + k] - edgeStart[3 * e + k];
    along += d * (p[k] - edgeStart[3 * e + k]);
    square += d * d;
  }
  const s = Math.min(1, Math.max(0, along / square));
  let distance = 0;
  for (let k = 0; k < 3; k++)
    distance += (edgeStart[3 * e + k] + s * (edgeEnd[3 * e + k] - edgeStart[3 * e + k]) - p[k]) ** 2;
  return distance < (2 * ON_EDGE * size) ** 2;
}
