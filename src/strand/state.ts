/**
 * What a strand stores: its chain of active nodes, the L-nodes that wait disabled for an E-node to pass, its guides,
 * and which coordinates are held in this step and with what force.
 */

import { CurveChain, LOOP_IMAGES } from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeHypot3, grow } from '../math/index.ts';
import {
  CANCEL_POSITION,
  CANCEL_U,
  HeddleError,
  NODE_EULERIAN,
  NODE_LAGRANGIAN,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import { createCrossingGuide, createEdgeGuide, createPointGuide, type Guide } from './guides.ts';
import {
  computeRooms,
  computeSpacing,
  fractionOf,
  type LaidNode,
  layOutNodes,
  layOutStock,
  locateGuide,
  type Place,
  type Polyline,
  roundToPeriod,
} from './layout.ts';
import { findSeam } from './loop.ts';

import { DEFAULT_REMESH, type StrandOptions } from './options.ts';
import { SideForces } from './side-forces.ts';
import type { Spool } from './spools.ts';
import { createStart, type StrandStart, writeStartVelocities } from './start.ts';

/** More nodes than any strand has: a bound for what a saved state may say. */
const MOST_NODES = 1e8;
/** Numbers that the saved site of an edge or a crossing takes. */
const SITE_NUMBERS = 4;

export class StrandState {
  readonly chain: CurveChain;
  /** Material length [m]; with spools, of the part that is free at the start: 0 ≤ u ≤ restLength. */
  restLength: number;
  /** What holds E-nodes; those of the scene come first. */
  guides: readonly Guide[];
  /** The guides of the scene, also those that the strand has slipped out of. */
  readonly sceneGuides: readonly Guide[];
  /** Drums at the ends; each is among the guides as well. */
  readonly spools: readonly Spool[];
  /** Labels from here on are of nodes that come and go: E-nodes at contacts. */
  readonly materialCount: number;
  /** Rest spacing around a node, by label [m]. */
  spacing: Float64Array;
  readonly smallestSpacing: number;
  /** Label and u of each node that waits disabled for an E-node to pass; the first `disabledCount` pairs count. */
  disabled = new Float64Array(8);
  disabledCount = 0;
  /** Nodes disabled, inserted and retagged so far, and before this step. */
  remeshings = 0;
  changes = 0;
  /** Labels of nodes with coordinates held beyond what their kind says; the first `heldCount` count. */
  held: Int32Array;
  heldCount = 0;
  /** Force of whatever holds a coordinate [N], 4 per label; 0 where nothing does. */
  reaction: Float64Array;
  /** CANCEL_* bits of world axes that drivers and guides hold, by label. `chain.cancelled` is in the axes of the node's frame. */
  heldAxes: Uint8Array;
  /** E-nodes stopped by a node that may not be removed: −1 it lies at smaller u, +1 at larger, 0 free; by label. */
  jammed: Int8Array;
  /** Sign of u̇ at E-nodes that slip against friction, 0 at those that stick; by label. */
  slip: Int8Array;
  /** 1 for contacts that pulled: at the end of the last step, or at a crossing in this one; they let go; by label. */
  pulls: Uint8Array;
  /** Force across an edge at the end of the last step, which friction is taken from [N]; by label. */
  grip: Float64Array;
  /** Whether node i can be taken out without jumping over another strand; set where strands cross. */
  isClear: ((i: number) => boolean) | undefined;
  /** Labels of the nodes with point masses. */
  weighted = new Int32Array(0);
  /** Labels of the nodes pushed from outside in this step, and the forces [N], 3 each; the first `pushCount` count. */
  pushed = new Int32Array(4);
  pushForce = new Float64Array(12);
  pushCount = 0;
  /** Scratch of friction limits. */
  readonly sideForces = new SideForces();
  #index: Int32Array;
  /** What `rememberNodes` saw, beside the chain. */
  readonly #before = {
    disabled: new Float64Array(0),
    disabledCount: 0,
    remeshings: 0,
    guides: [] as readonly Guide[],
    spacing: new Float64Array(0),
  };
  /** What `rememberHolds` saw. */
  readonly #holds: {
    count: number;
    labels: Int32Array;
    cancelled: Uint8Array;
    reaction: Float64Array;
    axes: Uint8Array;
    jammed: Int8Array;
    slip: Int8Array;
    pulls: Uint8Array;
  };

  constructor(options: StrandOptions, start: StrandStart = createStart(options)) {
    const closed = options.closed === true;
    const { polyline } = start;
    this.restLength = options.restLength ?? polyline.length;
    const scale = this.restLength / polyline.length;
    const eulerian = options.mode !== 'lagrangian';
    const guides = (options.guides ?? []).filter((guide) => eulerian || guide.body === undefined);
    const places = guides.map((guide) => locateGuide(guide, polyline, options.id, closed) * scale);
    const keep = [
      ...(options.keep ?? []),
      ...(options.masses ?? []).map((mass) => mass.at),
      ...(eulerian ? [] : places.map((u) => u / this.restLength)),
    ].map(fractionOf);
    const spools = options.spools ?? [];
    const free = layOutNodes(options.nodes, this.restLength, keep, eulerian ? places : [], closed);
    const laid = eulerian ? layOutStock(free, spools, this.restLength, guides.length) : free;
    const count = laid.length;
    const period = closed ? roundToPeriod(this.restLength, this.restLength) : 0;
    if (closed) for (const node of laid) node.u = roundToPeriod(node.u, period);
    this.materialCount = count;
    this.chain = new CurveChain(options.material, count + (closed ? LOOP_IMAGES : 0), period);
    this.spacing = new Float64Array(count);
    this.held = new Int32Array(count);
    this.reaction = new Float64Array(4 * count);
    this.heldAxes = new Uint8Array(count);
    this.jammed = new Int8Array(count);
    this.slip = new Int8Array(count);
    this.pulls = new Uint8Array(count);
    this.grip = new Float64Array(count);
    this.#index = new Int32Array(count);
    this.#fill(options, polyline, laid, scale);
    this.smallestSpacing = this.spacing.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const labelOf = (n: number, place: Place): number =>
      eulerian ? laid.findIndex((node) => node.guide === n) : this.findLabel(place);
    this.spools = spools.map((spool, n) => {
      const [side, uStart] = spool.end === 'start' ? [1 as const, 0] : [-1 as const, this.restLength];
      const label = labelOf(guides.length + n, spool.end);
      return { ...spool, label, side, uStart, uEnd: uStart - side * spool.stock };
    });
    this.sceneGuides = this.guides = [
      ...guides.map((guide, i) =>
        createPointGuide(guide, labelOf(i, places[i] / this.restLength), guide.point, guide.body),
      ),
      ...this.spools.map(({ id, end, label, body }) =>
        createPointGuide({ id }, label, options.points[end === 'start' ? 0 : options.points.length - 1], body, true),
      ),
    ];
    writeStartVelocities(this, options, start);
    this.#holds = {
      count: 0,
      labels: new Int32Array(0),
      cancelled: new Uint8Array(0),
      reaction: new Float64Array(0),
      axes: new Uint8Array(0),
      jammed: new Int8Array(count),
      slip: new Int8Array(count),
      pulls: new Uint8Array(count),
    };
    for (const mass of options.masses ?? []) this.chain.pointMass[this.indexOf(this.findLabel(mass.at))] += mass.mass;
    this.#collectWeighted();
  }

  /** Place in the chain of the node with this label; −1 while it is disabled. */
  indexOf(label: number): number {
    return this.#index[label];
  }

  /** Takes node i out of the chain; a material node waits disabled, one of a guide or contact is gone. */
  disableNode(i: number): void {
    const { chain } = this;
    if (chain.label[i] < this.materialCount && chain.kind[i] === NODE_LAGRANGIAN)
      this.#addDisabled(chain.label[i], chain.q[4 * i + 3]);
    this.#index[chain.label[i]] = -1;
    chain.remove(i);
    this.#indexFrom(i);
  }

  /** Brings the k-th disabled node back to place i of the chain; the caller fills in all but its label and u. */
  enableNode(k: number, i: number): void {
    const { chain } = this;
    chain.insert(i);
    chain.label[i] = this.disabled[2 * k];
    chain.q[4 * i + 3] = this.disabled[2 * k + 1];
    this.disabled.copyWithin(2 * k, 2 * k + 2, 2 * this.disabledCount);
    this.disabledCount--;
    this.#indexFrom(i);
  }

  /** Opens place i of the chain for a node with a label of its own, which is returned; the caller fills in the rest. */
  insertNode(i: number): number {
    const label = this.#findFreeLabel();
    this.chain.insert(i);
    this.chain.label[i] = label;
    this.jammed[label] = this.slip[label] = this.pulls[label] = this.heldAxes[label] = 0;
    this.grip[label] = this.chain.bendLoan[label] = 0;
    for (let c = 0; c < 4; c++) this.reaction[4 * label + c] = 0;
    this.#indexFrom(i);
    return label;
  }

  #findFreeLabel(): number {
    let label = this.materialCount;
    while (label < this.#index.length && this.#index[label] >= 0) label++;
    if (label === this.#index.length) this.#reserve(label + 8 + (label >> 3));
    return label;
  }

  /** Makes room for nodes with labels below `capacity`. */
  #reserve(capacity: number): void {
    const before = this.#index.length;
    if (capacity <= before) return;
    this.chain.reserve(capacity + (this.chain.closed ? LOOP_IMAGES : 0));
    this.spacing = grow(this.spacing, capacity);
    this.held = grow(this.held, capacity);
    this.reaction = grow(this.reaction, 4 * capacity);
    this.heldAxes = grow(this.heldAxes, capacity);
    this.jammed = grow(this.jammed, capacity);
    this.slip = grow(this.slip, capacity);
    this.pulls = grow(this.pulls, capacity);
    this.grip = grow(this.grip, capacity);
    this.#index = grow(this.#index, capacity).fill(-1, before);
  }

  #addDisabled(label: number, u: number): void {
    const n = this.disabledCount++;
    if (2 * n === this.disabled.length) {
      const pairs = this.disabled;
      this.disabled = new Float64Array(4 * n);
      this.disabled.set(pairs);
    }
    this.disabled[2 * n] = label;
    this.disabled[2 * n + 1] = u;
  }

  /** Called before each change of the nodes; the first one in a step remembers them. */
  beginChange(): void {
    if (this.changes++ === 0) this.rememberNodes();
  }

  /** Remembers which nodes there are and their state. */
  rememberNodes(): void {
    const before = this.#before;
    this.chain.rememberNodes();
    if (before.disabled.length < this.disabled.length) before.disabled = new Float64Array(this.disabled.length);
    before.disabled.set(this.disabled);
    before.disabledCount = this.disabledCount;
    before.remeshings = this.remeshings;
    before.guides = this.guides;
    if (before.spacing.length < this.spacing.length - this.materialCount)
      before.spacing = new Float64Array(this.spacing.length - this.materialCount);
    for (let k = this.materialCount; k < this.spacing.length; k++)
      before.spacing[k - this.materialCount] = this.spacing[k];
  }

  /** Back to the nodes that `rememberNodes` saw. */
  restoreNodes(): void {
    const before = this.#before;
    this.chain.restoreNodes();
    this.disabledCount = before.disabledCount;
    for (let k = 0; k < 2 * before.disabledCount; k++) this.disabled[k] = before.disabled[k];
    this.remeshings = before.remeshings;
    this.guides = before.guides;
    for (let k = 0; k < before.spacing.length; k++) this.setSpacing(this.materialCount + k, before.spacing[k]);
    this.#index.fill(-1);
    this.#spreadBends();
    this.#indexFrom(0);
  }

  /** Nodes that came with a contact or as a seam and are L-nodes now bend like others. */
  #spreadBends(): void {
    const { label, kind, bendSpan, count } = this.chain;
    for (let i = 0; i < count; i++)
      if (label[i] >= this.materialCount && kind[i] === NODE_LAGRANGIAN) bendSpan[label[i]] = 0;
  }

  /** Looks the places of the nodes from the first one on up again. */
  #indexFrom(first: number): void {
    const { label, ownCount } = this.chain;
    for (let i = first; i < ownCount; i++) this.#index[label[i]] = i;
  }

  /** Cuts a loop at another node; nothing but the order of the nodes and the round that their u is on changes. */
  cutAt(seam: number): void {
    const { chain, disabled } = this;
    chain.open();
    chain.closeAt(seam);
    for (let k = 0; k < this.disabledCount; k++) disabled[2 * k + 1] = this.wrap(disabled[2 * k + 1]);
    this.#indexFrom(0);
  }

  /** A material coordinate on the round of a loop that its nodes are on; as it is on an open strand. */
  wrap(u: number): number {
    const { q, period } = this.chain;
    if (u < q[3]) return u + period;
    return period > 0 && u >= q[3] + period ? u - period : u;
  }

  /** Rest spacing around a node that came with a contact, and with it the length its bend is spread over [m]. */
  setSpacing(label: number, spacing: number): void {
    this.spacing[label] = spacing;
    this.chain.bendSpan[label] = 2 * spacing;
  }

  /** Before the start: gives the material of segment e another length, and what comes after it moves along. */
  setMaterial(e: number, length: number): void {
    const { q, count } = this.chain;
    const [from, to] = [q[4 * e + 3], q[4 * e + 7]];
    const more = length - (to - from);
    for (let k = 1; k < 2 * this.disabledCount; k += 2) {
      const u = this.disabled[k];
      if (u > from) this.disabled[k] = u >= to ? u + more : from + ((u - from) * length) / (to - from);
    }
    for (let i = e + 1; i < count; i++) q[4 * i + 3] += more;
    this.restLength += more;
  }

  /** Label of the active L-node nearest to a place of the material. */
  findLabel(place: Place): number {
    const { q, kind, label, count, period } = this.chain;
    const u = this.wrap(fractionOf(place) * (period || this.restLength));
    let best = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const gap = Math.abs(q[4 * i + 3] - u);
      if (kind[i] === NODE_LAGRANGIAN && gap < distance) {
        best = label[i];
        distance = gap;
      }
    }
    return best;
  }

  /** The segment that holds the material coordinate u: index of its first node. */
  findSegment(u: number): number {
    const { q, count } = this.chain;
    let low = 0;
    let high = count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (q[4 * middle + 3] <= u) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Label of the active L-node nearest to a world position. */
  findNearest(point: Vec3): number {
    const { q, kind, label, count } = this.chain;
    let best = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const gap = computeHypot3(q[4 * i] - point[0], q[4 * i + 1] - point[1], q[4 * i + 2] - point[2]);
      if (kind[i] === NODE_LAGRANGIAN && gap < distance) {
        best = label[i];
        distance = gap;
      }
    }
    return best;
  }

  /** Frees every node to what its kind says; drivers and guides then hold what they hold, anew each step. */
  releaseAll(): void {
    const { chain, held, reaction } = this;
    for (let k = 0; k < this.heldCount; k++) {
      const i = this.#index[held[k]];
      if (i >= 0) chain.cancelled[i] = chain.kind[i] === NODE_LAGRANGIAN ? CANCEL_U : 0;
      this.heldAxes[held[k]] = 0;
      for (let c = 0; c < 4; c++) reaction[4 * held[k] + c] = 0;
    }
    this.heldCount = 0;
    this.pushCount = 0;
  }

  /** Remembers what holds the nodes, which `releaseAll` and the step then change. */
  rememberHolds(): void {
    const { chain, held, heldCount, reaction, jammed } = this;
    const before = this.#holds;
    if (before.labels.length < heldCount) {
      before.labels = new Int32Array(2 * heldCount);
      before.cancelled = new Uint8Array(2 * heldCount);
      before.axes = new Uint8Array(2 * heldCount);
      before.reaction = new Float64Array(8 * heldCount);
    }
    before.count = heldCount;
    for (let n = 0; n < heldCount; n++) {
      before.labels[n] = held[n];
      before.cancelled[n] = chain.cancelled[this.#index[held[n]]];
      before.axes[n] = this.heldAxes[held[n]];
      for (let c = 0; c < 4; c++) before.reaction[4 * n + c] = reaction[4 * held[n] + c];
    }
    if (before.jammed.length < jammed.length) {
      before.jammed = new Int8Array(jammed.length);
      before.slip = new Int8Array(jammed.length);
      before.pulls = new Uint8Array(jammed.length);
    }
    before.jammed.set(jammed);
    before.slip.set(this.slip);
    before.pulls.set(this.pulls);
    chain.rememberLoans();
  }

  /** Back to what `rememberHolds` saw; the nodes must be the same. */
  restoreHolds(): void {
    const { chain, held, reaction } = this;
    const before = this.#holds;
    this.releaseAll();
    this.heldCount = before.count;
    for (let n = 0; n < before.count; n++) {
      held[n] = before.labels[n];
      chain.cancelled[this.#index[held[n]]] = before.cancelled[n];
      this.heldAxes[held[n]] = before.axes[n];
      for (let c = 0; c < 4; c++) reaction[4 * held[n] + c] = before.reaction[4 * n + c];
    }
    for (let label = 0; label < before.jammed.length; label++) {
      this.jammed[label] = before.jammed[label];
      this.slip[label] = before.slip[label];
      this.pulls[label] = before.pulls[label];
    }
    chain.restoreLoans();
  }

  /** Cancels coordinates of an active node for this step; they move with `chain.target`. */
  hold(label: number, bits: number): void {
    this.heldAxes[label] |= bits & CANCEL_POSITION;
    this.cancel(label, bits);
  }

  /** Cancels coordinates of an active node, in the axes of its frame. */
  cancel(label: number, bits: number): void {
    const i = this.#index[label];
    const { cancelled, kind } = this.chain;
    if (cancelled[i] === (kind[i] === NODE_LAGRANGIAN ? CANCEL_U : 0)) this.#addHeld(label);
    cancelled[i] |= bits;
  }

  /** Frees coordinates of a held node within a step. */
  release(label: number, bits: number): void {
    this.chain.cancelled[this.#index[label]] &= ~bits;
    for (let c = 0; c < 4; c++) if (bits & (1 << c)) this.reaction[4 * label + c] = 0;
  }

  /** A node released and held again within a step stands in the list already. */
  #addHeld(label: number): void {
    for (let n = 0; n < this.heldCount; n++) if (this.held[n] === label) return;
    this.held[this.heldCount++] = label;
  }

  /** Adds a force on an active node for this step [N]. */
  push(label: number, force: ArrayLike<number>): void {
    const n = this.pushCount++;
    if (n === this.pushed.length) {
      const [labels, forces] = [this.pushed, this.pushForce];
      this.pushed = new Int32Array(2 * n);
      this.pushed.set(labels);
      this.pushForce = new Float64Array(6 * n);
      this.pushForce.set(forces);
    }
    this.pushed[n] = label;
    for (let k = 0; k < 3; k++) this.pushForce[3 * n + k] = force[k];
  }

  #collectWeighted(): void {
    const { pointMass, label, count } = this.chain;
    this.weighted = label.slice(0, count).filter((_, i) => pointMass[i] > 0);
  }

  writeState(writer: StateWriter): void {
    const { chain } = this;
    const n = chain.count;
    writer.number(this.#index.length);
    writer.number(n);
    writer.array(chain.q, 4 * n);
    writer.array(chain.v, 4 * n);
    for (const flags of [chain.cancelled, chain.kind, chain.kept]) writer.array(flags, n);
    writer.array(chain.pointMass, n);
    writer.array(chain.label, n);
    writer.array(this.disabled, 2 * this.disabledCount);
    const sites = this.guides.flatMap(({ label, site, friction }) => {
      if (site.type === 'point') return [];
      const place = site.type === 'edge' ? [site.body, site.edge] : [-1, -1];
      return [label, ...place, friction];
    });
    writer.array(Float64Array.from(sites));
    writer.array(this.spacing.subarray(this.materialCount));
    writer.array(new Uint8Array(this.jammed.buffer));
    writer.array(new Uint8Array(this.slip.buffer));
    writer.array(this.pulls);
    writer.array(this.grip.subarray(this.materialCount));
    writer.array(chain.bendLoan);
    writer.array(chain.bendGuide);
    writer.array(chain.bendOrigin);
    writer.array(this.reaction);
    writer.array(this.held, this.heldCount);
    writer.array(this.heldAxes);
    writer.number(this.remeshings);
  }

  readState(reader: StateReader): void {
    const { chain } = this;
    const capacity = reader.number();
    const n = reader.number();
    if (!(capacity >= this.materialCount && capacity <= MOST_NODES && n >= 2 && n <= capacity + 1))
      throw new HeddleError(
        `The saved state has ${n} nodes, but at most ${capacity} fit; it belongs to another scene.`,
      );
    this.#reserve(capacity);
    chain.count = n;
    reader.array(chain.q);
    reader.array(chain.v);
    for (const flags of [chain.cancelled, chain.kind, chain.kept]) reader.array(flags);
    reader.array(chain.pointMass);
    reader.array(chain.label);
    const disabled = new Float64Array(2 * chain.label.length);
    const stored = reader.array(disabled);
    this.disabledCount = 0;
    for (let k = 0; k < stored; k += 2) this.#addDisabled(disabled[k], disabled[k + 1]);
    this.#readSites(reader);
    reader.array(new Uint8Array(this.jammed.buffer));
    reader.array(new Uint8Array(this.slip.buffer));
    reader.array(this.pulls);
    reader.array(this.grip.subarray(this.materialCount));
    reader.array(chain.bendLoan);
    reader.array(chain.bendGuide);
    reader.array(chain.bendOrigin);
    reader.array(this.reaction);
    this.heldCount = reader.array(this.held);
    this.heldAxes.fill(0);
    reader.array(this.heldAxes);
    this.remeshings = reader.number();
    this.pushCount = 0;
    if (chain.closed) chain.writeImages();
    this.#index.fill(-1);
    this.#spreadBends();
    this.#indexFrom(0);
    this.#collectWeighted();
  }

  #readSites(reader: StateReader): void {
    const numbers = new Float64Array(SITE_NUMBERS * this.#index.length);
    const stored = reader.array(numbers);
    const active = new Set(this.chain.label.subarray(0, this.chain.count));
    const guides = this.sceneGuides.filter(({ label }) => active.has(label));
    for (let k = 0; k < stored; k += SITE_NUMBERS) {
      const [label, body, edge, friction] = numbers.subarray(k, k + SITE_NUMBERS);
      if (body < 0) guides.push(createCrossingGuide(label, friction));
      else guides.push(createEdgeGuide(label, { type: 'edge', body, edge }, friction));
    }
    this.guides = guides;
    const spacing = new Float64Array(this.spacing.length - this.materialCount);
    reader.array(spacing);
    spacing.forEach((value, k) => {
      this.setSpacing(this.materialCount + k, value);
    });
  }

  #fill(options: StrandOptions, polyline: Polyline, laid: readonly LaidNode[], scale: number): void {
    const { chain, spacing } = this;
    const { near } = options.remesh ?? DEFAULT_REMESH;
    for (let label = 0; label < laid.length; label++) {
      spacing[label] = computeSpacing(laid, label, chain.period);
      chain.bendSpan[label] = laid[label].guide >= 0 ? 2 * spacing[label] : 0;
    }
    const rooms = computeRooms(laid, chain.period);
    // a loop is cut at an L-node, so one stays
    const seam = chain.closed ? rooms.indexOf(rooms.reduce((a, b) => Math.max(a, b))) : -1;
    for (let label = 0; label < laid.length; label++) {
      const { u, guide, kept } = laid[label];
      const wound = !chain.closed && (u < 0 || u > this.restLength);
      if (guide < 0 && !kept && (wound || rooms[label] < near * spacing[label]) && label !== seam) {
        this.#addDisabled(label, u);
        continue;
      }
      const i = chain.count++;
      chain.q.set(polyline.at(u / scale), 4 * i);
      chain.q[4 * i + 3] = u;
      chain.label[i] = label;
      chain.kept[i] = kept ? 1 : 0;
      chain.kind[i] = guide >= 0 ? NODE_EULERIAN : NODE_LAGRANGIAN;
      chain.cancelled[i] = guide >= 0 ? 0 : CANCEL_U;
      if (i > 0 && !(u - chain.q[4 * i - 1] > 1e-6 * spacing[label]))
        throw new HeddleError(
          `strand "${options.id}" has two nodes that cannot be removed at u = ${u.toPrecision(4)} m (a guide and a driven or weighted point, or two guides); move one of them.`,
        );
    }
    if (chain.closed) {
      if (chain.count < 3)
        throw new HeddleError(
          `strand "${options.id}" is closed and has ${chain.count} nodes; a loop needs at least 3: raise nodes.`,
        );
      chain.closeAt(findSeam(this, chain.count));
    }
    for (let k = 0; k < this.disabledCount; k++) this.disabled[2 * k + 1] = this.wrap(this.disabled[2 * k + 1]);
    this.#index.fill(-1);
    this.#indexFrom(0);
  }
}
