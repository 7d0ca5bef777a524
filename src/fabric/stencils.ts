/**
 * Which coordinates each term of a fabric's energy joins, and the pattern of blocks that follows: made anew when the order of nodes or their assignment
 * changes, not in every step.
 *
 *   segment   two consecutive EoL sides of a yarn            stretch, inertia, weight
 *   bend      three of them                                   bending
 *   shear     neighbours of a crossing on both yarns          shear
 *   wrap      four consecutive points of one yarn             wrapping
 *   single    an EIL side a, c, u and the node's own x        contact constraint
 *   double    a, c, u and a', c', v of a node with two EIL sides
 *   parallel  two sides whose crossing yarns cannot pass      parallel contact
 *
 * Sides are listed; their nodes are blocks of the matrix. `…Slot` holds the places of off-diagonal blocks, pair by pair (0,1), (0,2), …, (1,2), …; −1 where both
 * are the same node.
 */
import { grow } from '../math/index.ts';
import { BlockPattern } from '../sparse/index.ts';
import { ROLE_CROSSING } from './net.ts';
import { findParallels } from './parallels.ts';
import { type FabricState, ROLE_FREE } from './state.ts';

/** A list of stencils of `size` sides each, with the slots of their pairs. */
export class StencilList {
  readonly size: number;
  readonly pairs: number;
  count = 0;
  sides: Int32Array;
  slots: Int32Array;

  constructor(size: number) {
    this.size = size;
    this.pairs = (size * (size - 1)) / 2;
    this.sides = new Int32Array(16 * size);
    this.slots = new Int32Array(16 * this.pairs);
  }

  /** Room for one more; returns where its sides go. */
  add(): number {
    const at = this.count++ * this.size;
    if (at === this.sides.length) {
      this.sides = grow(this.sides, 2 * this.sides.length);
      this.slots = grow(this.slots, 2 * this.slots.length);
    }
    return at;
  }
}

export class Stencils {
  /** Segments of yarn y: segmentStart[y] … segmentStart[y + 1] − 1, in order. */
  readonly segmentStart: Int32Array;
  readonly segments = new StencilList(2);
  readonly bends = new StencilList(3);
  readonly shears = new StencilList(4);
  /** Crossing whose shear each is. */
  shearNode = new Int32Array(16);
  readonly wraps = new StencilList(4);
  /** Wrap of the net, doubled, plus which of its yarns. */
  wrapIndex = new Int32Array(16);
  readonly singles = new StencilList(3);
  readonly doubles = new StencilList(5);
  readonly parallels = new StencilList(2);
  pattern: BlockPattern;
  /** 1 for nodes between which yarns wind round each other. */
  readonly #isWound: Uint8Array;
  readonly #lists: readonly StencilList[];
  #rows = new Int32Array(64);
  #columns = new Int32Array(64);
  #pairs = 0;

  constructor(state: FabricState) {
    this.segmentStart = new Int32Array(state.yarnCount + 1);
    this.#isWound = new Uint8Array(state.capacity);
    this.pattern = BlockPattern.fromPairs(state.count, [], []);
    this.#lists = [this.segments, this.bends, this.shears, this.wraps, this.singles, this.doubles, this.parallels];
  }

  /** Lists the terms of the present discretisation. `netWraps`: pairs of nodes of the net that wind round each other. */
  build(state: FabricState, netWraps: Int32Array): void {
    for (const list of this.#lists) list.count = 0;
    this.#listYarns(state);
    this.#listNodes(state);
    this.#listWraps(state, netWraps);
    this.#isWound.fill(0);
    for (const node of netWraps) this.#isWound[node] = 1;
    findParallels(state, this.#isWound, this.parallels);
    this.#makePattern(state);
  }

  #listYarns({ eolStart, eol, yarnCount }: FabricState): void {
    const { segments, bends, segmentStart } = this;
    for (let y = 0; y < yarnCount; y++) {
      for (let k = eolStart[y]; k + 1 < eolStart[y + 1]; k++) {
        const at = segments.add();
        segments.sides[at] = eol[k];
        segments.sides[at + 1] = eol[k + 1];
        if (k + 2 >= eolStart[y + 1]) continue;
        const bend = bends.add();
        for (let m = 0; m < 3; m++) bends.sides[bend + m] = eol[k + m];
      }
      segmentStart[y + 1] = segments.count;
    }
  }

  #listNodes(state: FabricState): void {
    const { role, eil, yarn, before, after, count, layers } = state;
    const { shears, singles, doubles } = this;
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      const [a, b] = [2 * i, 2 * i + 1];
      if (role[i] === ROLE_CROSSING && layers[state.layerOf(a)].shearStiffness > 0) {
        const at = shears.add();
        if (shears.count > this.shearNode.length) this.shearNode = grow(this.shearNode, 2 * this.shearNode.length);
        this.shearNode[shears.count - 1] = i;
        for (let k = 0; k < 2; k++) {
          const s = a + k;
          shears.sides[at + 2 * k] = before[s] >= 0 ? before[s] : s;
          shears.sides[at + 2 * k + 1] = after[s] >= 0 ? after[s] : s;
        }
      }
      const isSecond = yarn[b] >= 0 && eil[b] === 1;
      if (eil[a] && isSecond) {
        const at = doubles.add();
        doubles.sides[at] = before[a];
        doubles.sides[at + 1] = after[a];
        doubles.sides[at + 2] = before[b];
        doubles.sides[at + 3] = after[b];
        doubles.sides[at + 4] = a;
      } else if (eil[a] || isSecond) {
        const s = eil[a] ? a : b;
        const at = singles.add();
        singles.sides[at] = before[s];
        singles.sides[at + 1] = after[s];
        singles.sides[at + 2] = s;
      }
    }
  }

  /** A wrap has a term for each of its yarns on which both its nodes are EoL, but for one whose arm is the tail of its yarn: that is free to straighten, and would turn about the stitch without an end. */
  #listWraps(state: FabricState, netWraps: Int32Array): void {
    const { role, eil, yarn, before, after, q } = state;
    const { wraps } = this;
    for (let w = 0; 2 * w < netWraps.length; w++) {
      const [i, j] = [netWraps[2 * w], netWraps[2 * w + 1]];
      if (role[i] === ROLE_FREE || role[j] === ROLE_FREE) continue;
      for (let k = 0; k < 2; k++) {
        const s = 2 * i + k;
        const t = yarn[2 * j] === yarn[s] ? 2 * j : 2 * j + 1;
        if (yarn[t] !== yarn[s] || eil[s] || eil[t]) continue;
        const isInOrder = q[state.materialIndex(s)] < q[state.materialIndex(t)];
        const [first, last] = isInOrder ? [s, t] : [t, s];
        const [a, b] = [before[first], after[last]];
        if (a < 0 || b < 0 || before[a] < 0 || after[b] < 0) continue;
        const at = wraps.add();
        if (wraps.count > this.wrapIndex.length) this.wrapIndex = grow(this.wrapIndex, 2 * this.wrapIndex.length);
        this.wrapIndex[wraps.count - 1] = 2 * w + k;
        wraps.sides[at] = a;
        wraps.sides[at + 1] = first;
        wraps.sides[at + 2] = last;
        wraps.sides[at + 3] = b;
      }
    }
  }

  /** Of the places that were ever used. */
  #makePattern({ count }: FabricState): void {
    this.#pairs = 0;
    for (const list of this.#lists) if (list !== this.bends && list !== this.shears) this.#addPairs(list);
    this.#addOuterPairs();
    this.pattern = BlockPattern.fromPairs(
      count,
      this.#rows.subarray(0, this.#pairs),
      this.#columns.subarray(0, this.#pairs),
    );
    for (const list of this.#lists) this.#findSlots(list);
  }

  #addPairs({ size, count, sides }: StencilList): void {
    for (let e = 0; e < count; e++)
      for (let m = 0; m < size; m++)
        for (let n = m + 1; n < size; n++) this.#addPair(sides[e * size + m] >> 1, sides[e * size + n] >> 1);
  }

  /** Of bends and shears those that no segment has, and of shears those that no bend has. */
  #addOuterPairs(): void {
    const { bends, shears } = this;
    for (let e = 0; e < bends.count; e++) this.#addPair(bends.sides[3 * e] >> 1, bends.sides[3 * e + 2] >> 1);
    for (let e = 0; e < shears.count; e++)
      for (let m = 0; m < 2; m++)
        for (let n = 2; n < 4; n++) this.#addPair(shears.sides[4 * e + m] >> 1, shears.sides[4 * e + n] >> 1);
  }

  #addPair(i: number, j: number): void {
    if (i === j) return;
    if (this.#pairs === this.#rows.length) {
      this.#rows = grow(this.#rows, 2 * this.#rows.length);
      this.#columns = grow(this.#columns, 2 * this.#columns.length);
    }
    this.#rows[this.#pairs] = i;
    this.#columns[this.#pairs++] = j;
  }

  #findSlots({ size, count, sides, slots }: StencilList): void {
    const { pattern } = this;
    let at = 0;
    for (let e = 0; e < count; e++)
      for (let m = 0; m < size; m++)
        for (let n = m + 1; n < size; n++) {
          const i = sides[e * size + m] >> 1;
          const j = sides[e * size + n] >> 1;
          slots[at++] = i === j ? -1 : pattern.slot(i, j);
        }
  }
}
