/**
 * The memory of the kernels of continua (src/kernels/mpm.ts): where everything is, and what never changes in it.
 *
 * Fixed arrays come first, then those of blocks, which the sorting fills, then nodes and piles. Blocks and nodes are made anew in every step, so that they can move when there are more.
 */
import {
  type KernelMemory,
  MPM_FASTEST_STRIDE,
  MPM_GROUP,
  MPM_GROUP_WORDS,
  MPM_LEAST_STRIDE,
  MPM_NUMBERS,
  MPM_PILE,
  MPM_PLACES,
  MPM_SCRATCH,
  MPM_TYPES,
  type MpmKernels,
  type MpmPlace,
} from '../kernels/index.ts';
import { HeddleError } from '../model/index.ts';
import { BLOCK_NODES } from './grid.ts';
import type { SingleBending } from './single-bending.ts';
import { numbersOf, ruleOf } from './single-laws.ts';
import type { SingleMesh } from './single-mesh.ts';
import type { Points } from './state.ts';

/** Bytes that arrays begin at multiples of. */
const LINE = 64;
const FIRST_ROOM = 256;

/** Lists of bending that never change. */
const BENDING_LISTS = [
  'hinges',
  'hingeElements',
  'hingeEdges',
  'hingeStiffness',
  'restAngle',
  'bends',
  'bendElements',
  'bendStiffness',
  'bendAngle',
  'pushStart',
  'pushes',
] as const;

export class SingleLayout {
  readonly memory: KernelMemory;
  readonly mesh: SingleMesh;
  readonly #bending: SingleBending;
  readonly #points: Points;
  /** Bytes from the start of the memory, by name; sizes are not places. */
  readonly #at = new Map<MpmPlace, number>();
  #room = 0;
  #homeRoom = 0;
  #blockRoom = 0;
  #fixedEnd = 0;
  #blocksEnd = 0;
  #end = 0;

  constructor(points: Points, mesh: SingleMesh, bending: SingleBending, memory: KernelMemory) {
    this.#points = points;
    this.mesh = mesh;
    this.#bending = bending;
    this.memory = memory;
    this.#layOutFixed();
    this.layOutBlocks(FIRST_ROOM);
    this.#writeFixed();
  }

  get kernels(): MpmKernels {
    const { mpm } = this.memory;
    if (mpm === undefined)
      throw new HeddleError('An MPM object in single precision needs WebAssembly with SIMD; use double precision.');
    return mpm;
  }

  /** First byte of the table. */
  get table(): number {
    return this.memory.start;
  }

  get byteLength(): number {
    return this.#end;
  }

  /** Bytes of nodes and piles. */
  get gridBytes(): number {
    return this.#end - this.#blocksEnd;
  }

  get room(): number {
    return this.#room;
  }

  get blockCount(): number {
    return this.#read('blockCount');
  }

  get homeCount(): number {
    return this.#read('homeCount');
  }

  /** Where an array begins, in numbers of `bytes` bytes. */
  at(place: MpmPlace, bytes: 4 | 8): number {
    return (this.#at.get(place) ?? 0) / bytes;
  }

  setNumber(name: (typeof MPM_NUMBERS)[number], value: number): void {
    this.memory.views.f64[this.at('numbers', 8) + MPM_NUMBERS.indexOf(name)] = value;
  }

  /** A number of a group in single precision. */
  setGroup(index: number, name: (typeof MPM_GROUP)[number], value: number): void {
    this.memory.views.f32[this.#groupAt(index, name)] = value;
  }

  /** The smaller of the domains' `least` of a group. */
  leastOf(index: number): number {
    const { f32 } = this.memory.views;
    const at = this.#groupAt(index, 'least');
    return Math.min(f32[at], f32[at + MPM_LEAST_STRIDE]);
  }

  setLeast(index: number, value: number): void {
    const { f32 } = this.memory.views;
    const at = this.#groupAt(index, 'least');
    f32[at] = value;
    f32[at + MPM_LEAST_STRIDE] = value;
  }

  get fastest(): number {
    const { f32 } = this.memory.views;
    const at = this.at('fastest', 4);
    return Math.max(f32[at], f32[at + MPM_FASTEST_STRIDE]);
  }

  /** The vectors of an iteration change places. */
  swapDirections(): void {
    const [direction, other] = [this.#at.get('direction') ?? 0, this.#at.get('other') ?? 0];
    this.#place('direction', other);
    this.#place('other', direction);
  }

  /** Room for so many blocks. */
  layOutBlocks(room: number): void {
    let mask = 1;
    while (mask < 4 * room) mask *= 2;
    this.#room = room;
    this.#end = this.#fixedEnd;
    this.#take('start', 4 * (room + 1));
    this.#take('cursor', 4 * room);
    this.#take('rank', 4 * room);
    this.#take('table', 4 * mask);
    this.#take('block', 16 * room);
    this.#take('spareBlock', 16 * room);
    this.#take('neighbours', 32 * room);
    this.#take('sources', 32 * room);
    this.#take('reference', 16 * room);
    this.#take('homeSpan', 8 * room);
    this.#take('span', 8 * room);
    this.#blocksEnd = this.#end;
    this.#homeRoom = 0;
    this.#blockRoom = 0;
    this.memory.reserve(this.#end, true);
    this.#writeTable();
    this.#write('room', room);
    this.#write('mask', mask - 1);
  }

  /** Nodes for all blocks that were found, and piles for their homes. */
  layOutNodes(): void {
    const { blockCount, homeCount } = this;
    if (blockCount <= this.#blockRoom && homeCount <= this.#homeRoom) return;
    if (this.#blockRoom > 0 || this.#homeRoom > 0) {
      this.#blockRoom = Math.ceil(1.25 * blockCount);
      this.#homeRoom = Math.ceil(1.25 * homeCount);
    } else {
      this.#blockRoom = blockCount;
      this.#homeRoom = homeCount;
    }
    this.#end = this.#blocksEnd;
    for (const name of ['node', 'rate', 'moved'] as const) this.#take(name, 16 * BLOCK_NODES * this.#blockRoom);
    this.#take('pile', 32 * MPM_PILE * this.#homeRoom);
    this.memory.reserve(this.#end, true);
    this.#writeTable();
  }

  /** The slot of a block, −1 where there is none (`probe` in mpm.inc). */
  findSlot(i: number, j: number, k: number): number {
    const { i32 } = this.memory.views;
    const [table, block, mask] = [this.at('table', 4), this.at('block', 4), this.#read('mask')];
    let at = (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & mask;
    for (; ; at = (at + 1) & mask) {
      const slot = i32[table + at];
      if (slot < 0) return -1;
      const b = block + 4 * slot;
      if (i32[b] === i && i32[b + 1] === j && i32[b + 2] === k) return slot;
    }
  }

  #layOutFixed(): void {
    const { count, stressCount, groups } = this.#points;
    const { elementCount, vertexCount, incidents, rows } = this.mesh;
    this.#end = this.memory.start + LINE * Math.ceil((4 * MPM_PLACES.length) / LINE);
    this.#take('numbers', 8 * MPM_NUMBERS.length);
    this.#take('groups', 4 * MPM_GROUP_WORDS * groups.length);
    this.#take('x', 24 * count);
    this.#take('row', 64 * count);
    this.#take('F', 48 * stressCount);
    for (const name of ['slot', 'id', 'home', 'order'] as const) this.#take(name, 4 * count);
    this.#take('spot', 16 * count);
    this.#take('stress', 48 * elementCount);
    this.#take('pull', 48 * elementCount);
    this.#take('volume', 4 * elementCount);
    this.#take('corners', 12 * elementCount);
    this.#take('motion', 16 * (elementCount + vertexCount));
    for (const name of ['force', 'y', 'residual', 'direction', 'other'] as const) this.#take(name, 16 * vertexCount);
    this.#take('incidentStart', 4 * (vertexCount + 1));
    this.#take('incidents', 4 * incidents.length);
    this.#take('incidentWeight', 4 * incidents.length);
    this.#take('rowStart', 4 * (vertexCount + 1));
    this.#take('rows', 4 * rows.length);
    this.#take('rowWeight', 4 * rows.length);
    const { hingeCount, bendCount } = this.#bending;
    for (const name of BENDING_LISTS) this.#take(name, this.#bending[name].byteLength);
    this.#take('turn', 4 * hingeCount);
    this.#take('hinge', 32 * hingeCount);
    this.#take('push', 16 * (4 * hingeCount + 3 * bendCount));
    const spare = elementCount < stressCount ? stressCount : 0;
    this.#take('spareX', 24 * spare);
    this.#take('spareRow', 64 * spare);
    this.#take('spareF', 48 * spare);
    this.#take('spareId', 4 * spare);
    this.#take('fastest', 8 * MPM_FASTEST_STRIDE);
    this.#take('scratch', 2 * MPM_SCRATCH);
    this.#fixedEnd = this.#end;
  }

  /** What never changes. */
  #writeFixed(): void {
    const { count, stressCount, groups } = this.#points;
    const { mesh } = this;
    const { f32, i32 } = this.memory.views;
    this.#write('count', count);
    this.#write('stressCount', stressCount);
    this.#write('groupCount', groups.length);
    this.#write('elementCount', mesh.elementCount);
    this.#write('vertexCount', mesh.vertexCount);
    this.#write('hingeCount', this.#bending.hingeCount);
    this.#write('bendCount', this.#bending.bendCount);
    for (const name of ['corners', 'incidentStart', 'incidents', 'rowStart', 'rows'] as const)
      i32.set(mesh[name], this.at(name, 4));
    for (const name of BENDING_LISTS) {
      const list = this.#bending[name];
      (list instanceof Int32Array ? i32 : f32).set(list, this.at(name, 4));
    }
    for (const name of ['incidentWeight', 'rowWeight'] as const) f32.set(mesh[name], this.at(name, 4));
    groups.forEach((group, index) => {
      const whole = {
        type: MPM_TYPES.indexOf(group.type),
        first: group.first,
        count: group.count,
        firstElement: mesh.firstElement[index],
        firstVertex: group.firstVertex - stressCount,
        vertexCount: group.vertexCount,
        rule: ruleOf(group),
      };
      for (const [name, value] of Object.entries(whole)) i32[this.#groupAt(index, name as keyof typeof whole)] = value;
      for (const [name, value] of Object.entries(numbersOf(group)))
        this.setGroup(index, name as (typeof MPM_GROUP)[number], value);
    });
  }

  #groupAt(index: number, name: (typeof MPM_GROUP)[number]): number {
    return this.at('groups', 4) + MPM_GROUP_WORDS * index + MPM_GROUP.indexOf(name);
  }

  #take(place: MpmPlace, bytes: number): void {
    this.#at.set(place, this.#end);
    this.#end += LINE * Math.ceil(bytes / LINE);
  }

  #place(place: MpmPlace, at: number): void {
    this.#at.set(place, at);
    this.#write(place, at);
  }

  #writeTable(): void {
    for (const [place, at] of this.#at) this.#write(place, at);
  }

  #write(place: MpmPlace, value: number): void {
    this.memory.views.i32[this.table / 4 + MPM_PLACES.indexOf(place)] = value;
  }

  #read(place: MpmPlace): number {
    return this.memory.views.i32[this.table / 4 + MPM_PLACES.indexOf(place)];
  }
}
