/**
 * What a fabric stores: nodes (x, u, v) that two yarns share, and the order of nodes along each yarn.
 *
 *     node i      coordinates 5i … 5i + 4: x, y, z, u on its first yarn, v on its second
 *     side 2i + k node i as its k-th yarn sees it; its material coordinate is 5i + 3 + k
 *
 * A side is EoL, a node of its yarn's discretisation, or EIL, interpolated between the nearest EoL sides (`order.ts`). Where one side is EIL the node's x is
 * that of the other; where both are, x is only kept for pictures. Nodes come from a pool: places beyond those of the start are free.
 */
import type { CurveMaterial } from '../curve/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import { ROLE_POINT, ROLE_STITCH } from './net.ts';
import type { FabricOptions, LayerOptions } from './options.ts';

/** Role of a place in the pool that no node has. */
export const ROLE_FREE = 255;
/** Bits of coordinates that are not free, beside those of x (CANCEL_POSITION). */
export const CANCEL_FIRST = 8;
export const CANCEL_SECOND = 16;
/** Free places for contacts that come later, relative to the nodes of the start, and at least. */
const SPARE = { share: 0.25, least: 64 } as const;

type Stored = Float64Array | Int32Array | Uint8Array;

export class FabricState {
  readonly materials: readonly CurveMaterial[];
  readonly layers: readonly LayerOptions[];
  /** μ of layer a on b at a · layers + b. */
  readonly friction: Float64Array;
  readonly yarnCount: number;
  readonly yarnLength: Float64Array;
  readonly yarnMaterial: Uint16Array;
  readonly yarnLayer: Uint16Array;
  readonly yarnGroup: Uint8Array;
  /** Places for nodes. */
  readonly capacity: number;
  /** Places that were ever used: nodes are below. */
  count: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** v̇ and v̈ of the last step, and the v̇ with which the next one starts (`rates.ts`). */
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;
  readonly lead: Float64Array;
  readonly qStart: Float64Array;
  readonly vStart: Float64Array;
  readonly qBase: Float64Array;
  readonly vBase: Float64Array;
  readonly yarn: Int32Array;
  readonly role: Uint8Array;
  /** 1 where the first yarn lies on top, 2 where the second does, 0 where there is one. */
  readonly upper: Uint8Array;
  /** 1 where (first × second) points up, 0 where down. */
  readonly isUp: Uint8Array;
  /** 1 for EIL sides. */
  readonly eil: Uint8Array;
  /** Where the friction springs are anchored, by side [m]. */
  readonly anchor: Float64Array;
  /** What the place of the first yarn less that of the second is to be at nodes with EIL sides, 3 each [m]: `gaps.ts`. */
  readonly gap: Float64Array;
  /** N of each node [N], at the end of the last step; below zero where it pulls. */
  readonly load: Float64Array;
  /** Bits of coordinates that are held in this step, and velocities of held places. */
  readonly cancelled: Uint8Array;
  /** 1 where a driver held the yarns to each other in the last step: such nodes stay EoL. */
  readonly gripped: Uint8Array;
  readonly target: Float64Array;
  /** Forces of drivers, of what holds nodes, and of bodies [N]. */
  readonly push: Float64Array;
  readonly reaction: Float64Array;
  readonly contact: Float64Array;
  /** Sides along each yarn in material order: sides[sideStart[y] … sideStart[y + 1]). */
  readonly sideStart: Int32Array;
  readonly sides: Int32Array;
  /** EoL sides along each yarn, and their number. */
  readonly eolStart: Int32Array;
  readonly eol: Int32Array;
  /** Nearest EoL side before and after each side of its yarn; −1 beyond the ends. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** (h − h_before)/Δu + (h − h_after)/Δu of each side's yarn in the cloth at rest, h the height of its centre line towards the other yarn: what its tension presses with. */
  readonly crimp: Float64Array;
  /** 1 for places whose node has gone but is still listed along its yarns: they are not given out again before `groupSides`. */
  readonly isListed: Uint8Array;
  /** How often sides passed each other, and nodes changed between EoL and EIL, since the start. */
  passings = 0;
  transitions = 0;
  /** Jump of the energy at the last transition and the largest so far [J]. */
  lastJump = 0;
  largestJump = 0;
  readonly #stored: readonly (readonly [Stored, number])[];
  readonly #before: { counters: number[]; arrays: Stored[] } = { counters: [], arrays: [] };

  constructor(options: FabricOptions) {
    const { net } = options;
    const n = net.role.length;
    const C = n + Math.max(SPARE.least, Math.ceil(SPARE.share * n));
    this.materials = options.materials;
    this.layers = options.layers;
    this.friction = options.friction;
    this.yarnCount = net.yarnLength.length;
    this.yarnLength = net.yarnLength;
    this.yarnMaterial = net.yarnMaterial;
    this.yarnLayer = net.yarnLayer;
    this.yarnGroup = net.yarnGroup;
    this.capacity = C;
    this.count = n;
    [this.q, this.v, this.acceleration, this.jerk, this.lead, this.qStart, this.vStart, this.qBase, this.vBase] =
      Array.from({ length: 9 }, () => new Float64Array(5 * C));
    this.yarn = new Int32Array(2 * C).fill(-1);
    this.role = new Uint8Array(C).fill(ROLE_FREE);
    this.upper = new Uint8Array(C);
    this.isUp = new Uint8Array(C);
    this.eil = new Uint8Array(2 * C);
    this.anchor = new Float64Array(2 * C);
    this.gap = new Float64Array(3 * C);
    this.load = new Float64Array(C);
    this.cancelled = new Uint8Array(C);
    this.gripped = new Uint8Array(C);
    this.target = new Float64Array(3 * C);
    this.push = new Float64Array(3 * C);
    this.reaction = new Float64Array(3 * C);
    this.contact = new Float64Array(3 * C);
    this.sideStart = new Int32Array(this.yarnCount + 1);
    this.sides = new Int32Array(2 * C);
    this.eolStart = new Int32Array(this.yarnCount + 1);
    this.eol = new Int32Array(2 * C);
    this.before = new Int32Array(2 * C).fill(-1);
    this.after = new Int32Array(2 * C).fill(-1);
    this.crimp = new Float64Array(2 * C);
    this.isListed = new Uint8Array(C);
    this.yarn.set(net.yarn);
    this.role.set(net.role);
    const velocity = options.velocity ?? [0, 0, 0];
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) {
        this.q[5 * i + k] = net.x[3 * i + k];
        this.v[5 * i + k] = velocity[k];
      }
      for (let k = 0; k < 2; k++) this.q[5 * i + 3 + k] = this.anchor[2 * i + k] = net.u[2 * i + k];
      this.upper[i] = net.over[i] === 0 ? 0 : net.over[i] > 0 ? 1 : 2;
      this.isUp[i] = net.turn[i] < 0 ? 0 : 1;
    }
    this.#stored = [
      [this.q, 5],
      [this.v, 5],
      [this.acceleration, 5],
      [this.jerk, 5],
      [this.lead, 5],
      [this.yarn, 2],
      [this.role, 1],
      [this.upper, 1],
      [this.isUp, 1],
      [this.eil, 2],
      [this.anchor, 2],
      [this.gap, 3],
      [this.load, 1],
      [this.gripped, 1],
      [this.crimp, 2],
      [this.reaction, 3],
      [this.contact, 3],
      [this.sides, 2],
      [this.sideStart, 0],
    ];
  }

  /** Index in q of a side's material coordinate. */
  materialIndex(side: number): number {
    return 5 * (side >> 1) + 3 + (side & 1);
  }

  /** Whether the material of a side is fixed to its node. */
  isFixed(side: number): boolean {
    const role = this.role[side >> 1];
    return role === ROLE_POINT || role === ROLE_STITCH || this.gripped[side >> 1] === 1;
  }

  /** Whether both yarns of a node interpolate it, so that its place is nobody's coordinate. */
  hasOnlyEil(i: number): boolean {
    return this.eil[2 * i] === 1 && this.yarn[2 * i + 1] >= 0 && this.eil[2 * i + 1] === 1;
  }

  layerOf(side: number): number {
    return this.yarnLayer[this.yarn[side]];
  }

  /** Safety distance of EoL sides along a yarn [m] (paper §4.1). */
  safetyOf(y: number): number {
    return 0.1 * this.layers[this.yarnLayer[y]].spacing;
  }

  materialOf(y: number): CurveMaterial {
    return this.materials[this.yarnMaterial[y]];
  }

  /** A free place in the pool, now a node of this role without yarns; −1 where the pool is empty. */
  takeNode(role: number): number {
    let i = 0;
    if (this.count < this.capacity) i = this.count++;
    else {
      while (i < this.count && (this.role[i] !== ROLE_FREE || this.isListed[i])) i++;
      if (i === this.count) return -1;
    }
    this.role[i] = role;
    this.yarn[2 * i] = this.yarn[2 * i + 1] = -1;
    this.upper[i] = this.eil[2 * i] = this.eil[2 * i + 1] = 0;
    this.isUp[i] = 1;
    this.load[i] = this.crimp[2 * i] = this.crimp[2 * i + 1] = 0;
    this.q.fill(0, 5 * i, 5 * i + 5);
    this.v.fill(0, 5 * i, 5 * i + 5);
    this.acceleration.fill(0, 5 * i, 5 * i + 5);
    this.jerk.fill(0, 5 * i, 5 * i + 5);
    this.lead.fill(0, 5 * i, 5 * i + 5);
    this.gap.fill(0, 3 * i, 3 * i + 3);
    this.reaction.fill(0, 3 * i, 3 * i + 3);
    this.contact.fill(0, 3 * i, 3 * i + 3);
    return i;
  }

  freeNode(i: number): void {
    this.isListed[i] = 1;
    this.role[i] = ROLE_FREE;
    this.yarn[2 * i] = this.yarn[2 * i + 1] = -1;
    this.eil[2 * i] = this.eil[2 * i + 1] = 0;
    this.load[i] = 0;
    this.v.fill(0, 5 * i, 5 * i + 5);
    this.acceleration.fill(0, 5 * i, 5 * i + 5);
    this.jerk.fill(0, 5 * i, 5 * i + 5);
    this.lead.fill(0, 5 * i, 5 * i + 5);
    this.gap.fill(0, 3 * i, 3 * i + 3);
    this.reaction.fill(0, 3 * i, 3 * i + 3);
    this.contact.fill(0, 3 * i, 3 * i + 3);
  }

  /** Keeps the state for `restore`. */
  remember(): void {
    const { counters, arrays } = this.#before;
    counters.splice(0, counters.length, ...this.#counters());
    for (let k = 0; k < this.#stored.length; k++) {
      const [array, perNode] = this.#stored[k];
      arrays[k] ??= array.slice();
      const length = perNode === 0 ? array.length : perNode * this.count;
      arrays[k].set(array.subarray(0, length));
    }
  }

  restore(): void {
    const { counters, arrays } = this.#before;
    for (let i = counters[0]; i < this.count; i++) this.freeNode(i);
    this.#takeCounters(counters);
    for (let k = 0; k < this.#stored.length; k++) {
      const [array, perNode] = this.#stored[k];
      array.set(arrays[k].subarray(0, perNode === 0 ? array.length : perNode * this.count));
    }
  }

  writeState(writer: StateWriter): void {
    for (const one of this.#counters()) writer.number(one);
    for (const [array, perNode] of this.#stored)
      writer.array(array, perNode === 0 ? array.length : perNode * this.count);
  }

  readState(reader: StateReader): void {
    this.role.fill(ROLE_FREE);
    const counters = this.#counters().map(() => reader.number());
    this.#takeCounters(counters);
    for (const [array] of this.#stored) reader.array(array);
  }

  #counters(): number[] {
    return [this.count, this.passings, this.transitions, this.lastJump, this.largestJump];
  }

  #takeCounters([count, passings, transitions, lastJump, largestJump]: readonly number[]): void {
    this.count = count;
    this.passings = passings;
    this.transitions = transitions;
    this.lastJump = lastJump;
    this.largestJump = largestJump;
  }
}
