/**
 * Contacts between layers that come and go while a fabric moves. The paper removes them and adds none (§5, §6); the metric by which Heddle adds:
 *
 *     gap g     of the higher layer's yarn over the lower one's where they cross, along the cloth's normal [m], both without thickness as all contacts between layers are
 *     come      where g is, or after a step with the present velocities would be, below −DEEP (r + r'), and not below −(r + r') already; and
 *               neither yarn has a node with a layer on that side within APART of the wider
 *               spacing: there the layers are held together already, and another node would only make an EIL one
 *     go        where the normal load pulls, by more than PULL of the node's weight, for MOST_PULLED steps in a row; nodes that run off a yarn: `adapt.ts`
 *
 * A new node takes the middle of both places and the material velocities of both yarns: what slides goes on sliding (u̇, v̇), along the normal both have their common momentum.
 * Only segments without nodes near are searched: layers that lie on one another cost a walk along their yarns. Places for nodes come from the pool; when it is
 * empty no more come.
 */
import type { StateReader, StateWriter } from '../model/index.ts';
import { NEAR_END } from './layer-contacts.ts';
import { writeNodeNormal } from './load.ts';
import { ROLE_BETWEEN } from './net.ts';
import { type FabricState, ROLE_FREE } from './state.ts';
import { type YarnHit, YarnSearch } from './yarn-search.ts';

/** Of the sum of the radii. */
const DEEP = 0.02;
/** Of the wider spacing. */
const APART = 0.6;
/** Of the weight of a node's material [1], and standard gravity [m/s²]. */
const PULL = 0.5;
const GRAVITY = 9.81;
const MOST_PULLED = 5;
/** Where the two pairs of `#room` begin. */
const BELOW = 0;
const ABOVE = 2;

export class LayerChanges {
  /** How many came and went since the start. */
  added = 0;
  removed = 0;
  readonly #finds: boolean;
  readonly #removes: boolean;
  readonly #widest: number;
  readonly #reach: number;
  /** Steps in a row in which a node was pulled. */
  readonly #pulled: Uint8Array;
  readonly #kept: Uint8Array;
  /** By place in the order of EoL sides: room of the segment that starts there, from and to, for nodes with layers below, then above [m]. */
  readonly #room: Float64Array;
  readonly #isLeftOut: Uint8Array;
  readonly #yarns: readonly (readonly number[])[];
  readonly #search = new YarnSearch();
  readonly #up = new Float64Array(3);
  #state: FabricState;
  #h = 0;

  constructor(state: FabricState, finds: boolean, removes: boolean) {
    this.#state = state;
    this.#finds = finds;
    this.#removes = removes;
    this.#pulled = new Uint8Array(state.capacity);
    this.#kept = new Uint8Array(state.capacity);
    const places = finds && state.layers.length > 1 ? 2 * state.capacity : 0;
    this.#isLeftOut = new Uint8Array(places);
    this.#room = new Float64Array(4 * places);
    this.#widest = state.layers.reduce((most, { spacing }) => Math.max(most, spacing), 0);
    this.#reach = 2 * state.materials.reduce((most, { radius }) => Math.max(most, radius), 0);
    this.#yarns = state.layers.map((_, layer) =>
      Array.from(state.yarnLayer.keys()).filter((y) => state.yarnLayer[y] === layer),
    );
  }

  remember(h: number): void {
    this.#h = h;
    this.#kept.set(this.#pulled);
  }

  rollBack(): void {
    this.#pulled.set(this.#kept);
  }

  /** After an accepted step, with its loads: counts how long nodes are pulled. */
  endStep(): void {
    const { role, load, yarn, layers, count } = this.#state;
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_BETWEEN) continue;
      let weight = 0;
      for (let s = 2 * i; s < 2 * i + 2; s++)
        weight += GRAVITY * this.#state.materialOf(yarn[s]).linearDensity * layers[this.#state.layerOf(s)].spacing;
      this.#pulled[i] = this.#removes && load[i] < -PULL * weight ? Math.min(MOST_PULLED, this.#pulled[i] + 1) : 0;
    }
  }

  /** Before a step, with the order of the last: takes nodes out and puts new ones in; returns how many. */
  adapt(): number {
    const state = this.#state;
    if (state.layers.length < 2) return 0;
    const { role, count } = state;
    let changes = 0;
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_BETWEEN || this.#pulled[i] < MOST_PULLED) continue;
      state.freeNode(i);
      this.#pulled[i] = 0;
      this.removed++;
      changes++;
    }
    if (!this.#finds) return changes;
    const before = this.added;
    if (this.#findRoom()) this.#findContacts();
    return changes + this.added - before;
  }

  /** Finds where segments have room for nodes with layers below and above, and leaves the others out; false where none has. */
  #findRoom(): boolean {
    const { eolStart, eol, yarnCount, yarnLayer, layers, role } = this.#state;
    let isSome = false;
    for (let y = 0; y < yarnCount; y++) {
      const [from, end] = [eolStart[y], eolStart[y + 1]];
      this.#room.fill(0, 4 * from, 4 * end);
      if (yarnLayer[y] > 0) this.#findGaps(y, BELOW);
      if (yarnLayer[y] < layers.length - 1) this.#findGaps(y, ABOVE);
      for (let k = from; k < end; k++) {
        const hasRoom = this.#room[4 * k + 1] > this.#room[4 * k] || this.#room[4 * k + 3] > this.#room[4 * k + 2];
        const isGone = k + 1 === end || role[eol[k] >> 1] === ROLE_FREE || role[eol[k + 1] >> 1] === ROLE_FREE;
        this.#isLeftOut[k] = hasRoom && !isGone ? 0 : 1;
        isSome ||= hasRoom && !isGone;
      }
    }
    return isSome;
  }

  /** Room of the segments of yarn y between its nodes with layers below or above, and beyond the last. */
  #findGaps(y: number, way: number): void {
    const state = this.#state;
    const { sideStart, sides, eolStart, q, yarn, role, yarnLayer } = state;
    let [segment, last] = [eolStart[y], Number.NEGATIVE_INFINITY];
    for (let p = sideStart[y]; p <= sideStart[y + 1]; p++) {
      let next = Number.POSITIVE_INFINITY;
      if (p < sideStart[y + 1]) {
        const s = sides[p];
        if (role[s >> 1] === ROLE_FREE || yarn[s ^ 1] < 0) continue;
        const higher = yarnLayer[yarn[s ^ 1]] - yarnLayer[y];
        if (way === BELOW ? higher >= 0 : higher <= 0) continue;
        next = q[state.materialIndex(s)];
      }
      segment = this.#fillGap(y, way, segment, last + APART * this.#widest, next - APART * this.#widest);
      last = next;
    }
  }

  /** Gives the room from `low` to `high` to the segments of yarn y from `segment` on; returns the one that `high` is in. */
  #fillGap(y: number, way: number, segment: number, low: number, high: number): number {
    const { eolStart, eol, q } = this.#state;
    const [room, most] = [this.#room, eolStart[y + 1] - 2];
    let k = segment;
    for (; k <= most; k++) {
      const a = q[this.#state.materialIndex(eol[k])];
      const b = q[this.#state.materialIndex(eol[k + 1])];
      const [from, to] = [Math.max(a, low), Math.min(b, high)];
      const at = 4 * k + way;
      if (to - from > room[at + 1] - room[at]) {
        room[at] = from;
        room[at + 1] = to;
      }
      if (b >= high) break;
    }
    return Math.min(k, Math.max(segment, most));
  }

  #findContacts(): void {
    const { eolStart, eol, q } = this.#state;
    this.#search.update(eolStart, eol, q, this.#reach, this.#isLeftOut);
    for (let upper = 1; upper < this.#yarns.length; upper++)
      for (let lower = 0; lower < upper; lower++)
        for (const first of this.#yarns[upper])
          for (const second of this.#yarns[lower]) this.#search.visit(first, second, this.#widest, this.#take);
  }

  readonly #take = (hit: YarnHit): void => {
    const state = this.#state;
    const { yarnLength } = state;
    const { first, second, u, v } = hit;
    const [endA, endB] = [first, second].map((y) => NEAR_END * state.layers[state.yarnLayer[y]].spacing);
    if (u < endA || u > yarnLength[first] - endA || v < endB || v > yarnLength[second] - endB) return;
    if (!this.#hasRoom(hit.firstPlace, u, BELOW) || !this.#hasRoom(hit.secondPlace, v, ABOVE)) return;
    const turn = this.#findTurn(hit);
    if (turn === 0) return;
    const radii = state.materialOf(first).radius + state.materialOf(second).radius;
    const gap = -turn * hit.height;
    const next = gap - this.#h * turn * this.#computeClosing(hit);
    if (gap < -radii || Math.min(gap, next) > -DEEP * radii) return;
    this.#insert(hit, turn);
  };

  /** Whether there is room for a node at u on the segment from a place on. */
  #hasRoom(place: number, u: number, way: number): boolean {
    return u > this.#room[4 * place + way] && u < this.#room[4 * place + way + 1];
  }

  /** 1 where (first × second) of the hit points up, −1 down, 0 where nothing says. */
  #findTurn(hit: YarnHit): number {
    const { eol, yarn, role } = this.#state;
    const [up, n] = [this.#up, hit.normal];
    for (const place of [hit.secondPlace, hit.secondPlace + 1, hit.firstPlace, hit.firstPlace + 1]) {
      const s = eol[place];
      if (role[s >> 1] === ROLE_FREE || yarn[s ^ 1] < 0 || !writeNodeNormal(this.#state, s >> 1, up)) continue;
      const along = up[0] * n[0] + up[1] * n[1] + up[2] * n[2];
      if (along !== 0) return Math.sign(along);
    }
    return 0;
  }

  /** Speed at which the second yarn of a hit moves along the normal against the first [m/s]. */
  #computeClosing({ firstPlace, secondPlace, u, v, normal }: YarnHit): number {
    let speed = 0;
    for (let k = 0; k < 3; k++)
      speed += normal[k] * (this.#materialSpeed(secondPlace, v, k) - this.#materialSpeed(firstPlace, u, k));
    return speed;
  }

  /** Component k of the velocity of a yarn's material at u on the segment from a place on: ẋ − F u̇, interpolated. */
  #materialSpeed(place: number, u: number, k: number): number {
    const { eol, v } = this.#state;
    const [a, c] = [eol[place], eol[place + 1]];
    const F = this.#slope(place, k);
    const w = this.#weight(place, u);
    const speed = (s: number): number => v[5 * (s >> 1) + k] - F * v[this.#state.materialIndex(s)];
    return (1 - w) * speed(a) + w * speed(c);
  }

  /** Component k of F of the segment from a place on. */
  #slope(place: number, k: number): number {
    const { eol, q } = this.#state;
    const [a, c] = [eol[place], eol[place + 1]];
    const du = q[this.#state.materialIndex(c)] - q[this.#state.materialIndex(a)];
    return (q[5 * (c >> 1) + k] - q[5 * (a >> 1) + k]) / du;
  }

  #weight(place: number, u: number): number {
    const { eol, q } = this.#state;
    const [a, c] = [q[this.#state.materialIndex(eol[place])], q[this.#state.materialIndex(eol[place + 1])]];
    return (u - a) / (c - a);
  }

  #insert({ first, second, firstPlace, secondPlace, u, v, x }: YarnHit, turn: number): void {
    const state = this.#state;
    const i = state.takeNode(ROLE_BETWEEN);
    if (i < 0) return;
    const { q, v: speed, yarn, anchor } = state;
    yarn[2 * i] = first;
    yarn[2 * i + 1] = second;
    state.upper[i] = 1;
    state.isUp[i] = turn > 0 ? 1 : 0;
    q[5 * i + 3] = anchor[2 * i] = u;
    q[5 * i + 4] = anchor[2 * i + 1] = v;
    this.#pulled[i] = 0;
    this.added++;
    // u̇ and v̇ of least ‖F u̇ − F' v̇ − (w' − w)‖: both materials go on as they went along the cloth
    let [ff, fg, gg, fd, gd] = [0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [F, G] = [this.#slope(firstPlace, k), this.#slope(secondPlace, k)];
      const d = this.#materialSpeed(secondPlace, v, k) - this.#materialSpeed(firstPlace, u, k);
      ff += F * F;
      fg += F * G;
      gg += G * G;
      fd += F * d;
      gd += G * d;
    }
    const det = ff * gg - fg * fg;
    const slideU = (fd * gg - fg * gd) / det;
    const slideV = (fg * fd - ff * gd) / det;
    const [massU, massV] = [first, second].map((y) => state.materialOf(y).linearDensity);
    for (let k = 0; k < 3; k++) {
      const one = this.#materialSpeed(firstPlace, u, k) + this.#slope(firstPlace, k) * slideU;
      const other = this.#materialSpeed(secondPlace, v, k) + this.#slope(secondPlace, k) * slideV;
      q[5 * i + k] = x[k];
      speed[5 * i + k] = (massU * one + massV * other) / (massU + massV);
    }
    speed[5 * i + 3] = slideU;
    speed[5 * i + 4] = slideV;
  }

  writeState(writer: StateWriter): void {
    writer.number(this.added);
    writer.number(this.removed);
    writer.array(this.#pulled);
  }

  readState(reader: StateReader): void {
    this.added = reader.number();
    this.removed = reader.number();
    reader.array(this.#pulled);
  }
}
