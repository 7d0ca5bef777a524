/**
 * The particles of a continuum in single precision, in the memory of the kernels (src/kernels/mpm.ts): how it is laid out, and the way there from `Points` and back.
 *
 * Fixed arrays come first, then those of blocks, which the sorting fills, then nodes and piles. Blocks and nodes are made anew in every step, so that they can move when there are more.
 */
import {
  canShareMemory,
  KernelMemory,
  MPM_FASTEST_STRIDE,
  MPM_GROUP,
  MPM_GROUP_WORDS,
  MPM_LEAST_STRIDE,
  MPM_NUMBERS,
  MPM_PILE,
  MPM_PLACES,
  MPM_SCRATCH,
  MPM_TYPES,
  MPM_WHOLE,
  type MpmKernels,
  type MpmPlace,
} from '../kernels/index.ts';
import { HeddleError } from '../model/index.ts';
import type { Bending } from './bending.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';
import { createSingleBending, type SingleBending } from './single-bending.ts';
import { createPlaces, createSingleMesh, type SingleMesh } from './single-mesh.ts';
import type { PointGroup, Points } from './state.ts';
import { BROKEN } from './strength.ts';

/** Bytes that arrays begin at multiples of. */
const LINE = 64;
const FIRST_ROOM = 256;
/** Cosine up to which columns of F count as orthogonal: those that the kernels leave are, to 1e-6. */
const ORTHOGONAL = 2e-6;

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

export class SingleState {
  readonly memory: KernelMemory;
  readonly mesh: SingleMesh;
  readonly #bending: SingleBending;
  readonly #points: Points;
  /** Where particles lie that were not put elsewhere by the kernels. */
  readonly #places: Int32Array;
  /** Bytes from the start of the memory, by name; sizes are not places. */
  readonly #at = new Map<MpmPlace, number>();
  #room = 0;
  #homeRoom = 0;
  #blockRoom = 0;
  #fixedEnd = 0;
  #blocksEnd = 0;
  #end = 0;

  constructor(points: Points, bending: Bending, spacing: number, isShared: boolean) {
    this.#points = points;
    this.#places = createPlaces(points, BLOCK_SIDE * spacing);
    this.mesh = createSingleMesh(points, this.#places);
    this.#bending = createSingleBending(points, bending, this.mesh, this.#places);
    this.memory = new KernelMemory({ isShared: isShared && canShareMemory() });
    this.#layOutFixed();
    this.layOutBlocks(FIRST_ROOM);
    this.#writeFixed();
  }

  /** Whether there are kernels for it here. */
  static get isPossible(): boolean {
    const memory = new KernelMemory();
    memory.reserve(memory.start, true);
    return memory.mpm !== undefined;
  }

  get kernels(): MpmKernels {
    const { mpm } = this.memory;
    if (mpm === undefined)
      throw new HeddleError('A continuum in single precision needs WebAssembly with SIMD; use double precision.');
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

  /** Takes the particles as they are now. */
  take(): void {
    const points = this.#points;
    const { f32, f64, i32 } = this.memory.views;
    const [slot, id, places, rows] = [this.at('slot', 4), this.at('id', 4), this.at('x', 8), this.at('row', 4)];
    for (let p = 0; p < points.count; p++) {
      const to = this.#places[p];
      i32[slot + p] = to;
      i32[id + to] = p;
      const at = rows + 16 * to;
      for (let k = 0; k < 3; k++) {
        f64[places + 3 * to + k] = points.x[3 * p + k];
        for (let i = 0; i < 3; i++) f32[at + 4 * k + i] = points.C[9 * p + 3 * i + k];
        f32[at + 12 + k] = points.v[3 * p + k];
      }
      f32[at + 3] = points.mass[p];
      f32[at + 7] = p < points.stressCount ? points.volume[p] : 0;
      f32[at + 11] = p < points.stressCount ? points.gain[p] : 0;
      f32[at + 15] = MPM_WHOLE + points.group[p];
    }
    points.groups.forEach((group, index) => {
      this.#takeDeformation(group, index);
    });
  }

  #takeDeformation(group: PointGroup, index: number): void {
    const { F, gain, rest } = this.#points;
    const { f32 } = this.memory.views;
    const to = this.at('F', 4);
    const isElement = group.type === 'surface' || group.type === 'curve';
    const volume = this.at('volume', 4) + this.mesh.firstElement[index] - group.first;
    let least = 0;
    for (let p = group.first; p < group.first + group.count; p++) {
      const at = to + 12 * this.#places[p];
      if (group.type === 'fluid') {
        f32[at] = F[9 * p] - 1;
        least = Math.min(least, f32[at]);
        for (let k = 1; k < 7; k++) f32[at + k] = F[9 * p + k];
        continue;
      }
      if (isElement) f32[volume + this.#places[p]] = gain[p] !== BROKEN ? this.#points.volume[p] : 0;
      for (let k = 0; k < 3; k++) {
        for (let i = 0; i < 3; i++) f32[at + 4 * k + i] = F[9 * p + 3 * i + k];
        f32[at + 4 * k + 3] = isElement ? rest[3 * p + k] : 0;
      }
      if (!isElement && !this.#isStraight(at)) this.kernels.straightenBulk(this.table, p, 1);
    }
    this.setLeast(index, least);
  }

  /** Whether the columns at a place are orthogonal. */
  #isStraight(at: number): boolean {
    const { f32 } = this.memory.views;
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      let [aa, bb, ab] = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        aa += f32[at + 4 * a + k] ** 2;
        bb += f32[at + 4 * b + k] ** 2;
        ab += f32[at + 4 * a + k] * f32[at + 4 * b + k];
      }
      if (ab * ab > ORTHOGONAL * ORTHOGONAL * aa * bb) return false;
    }
    return true;
  }

  /** out := where a particle is. */
  writePlace(p: number, out: Float64Array): void {
    const { f64, i32 } = this.memory.views;
    const at = this.at('x', 8) + 3 * i32[this.at('slot', 4) + p];
    for (let k = 0; k < 3; k++) out[k] = f64[at + k];
  }

  /** Component k of a particle's place := value. */
  setPlace(p: number, k: number, value: number): void {
    const { f64, i32 } = this.memory.views;
    f64[this.at('x', 8) + 3 * i32[this.at('slot', 4) + p] + k] = value;
  }

  /** Where the velocity of a particle is among single-precision numbers. */
  velocityAt(p: number): number {
    return this.at('row', 4) + 16 * this.memory.views.i32[this.at('slot', 4) + p] + 12;
  }

  /** Where four numbers of a vertex begin, of arrays that have them. */
  vertexAt(place: 'motion' | 'y' | 'residual', p: number): number {
    const first = place === 'motion' ? this.mesh.elementCount : 0;
    return this.at(place, 4) + 4 * (first + this.#places[p] - this.#points.stressCount);
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

  /** out := velocities of vertices, 3 each. */
  giveSpeeds(out: Float64Array): void {
    const { f32 } = this.memory.views;
    const { stressCount } = this.#points;
    const rows = this.at('row', 4) + 12;
    for (let v = 0; v < this.mesh.vertexCount; v++)
      for (let k = 0; k < 3; k++) out[3 * v + k] = f32[rows + 16 * this.#places[stressCount + v] + k];
  }

  /** out := places of vertices, 3 each. */
  giveVertices(out: Float64Array): void {
    const { f64 } = this.memory.views;
    const { stressCount } = this.#points;
    const from = this.at('x', 8);
    for (let v = 0; v < this.mesh.vertexCount; v++) {
      const at = from + 3 * this.#places[stressCount + v];
      for (let k = 0; k < 3; k++) out[3 * v + k] = f64[at + k];
    }
  }

  /** How strong elements are, and which are broken, into `gain` of the particles. */
  giveBroken(): void {
    const { groups, gain } = this.#points;
    const { f32 } = this.memory.views;
    const rows = this.at('row', 4);
    for (const group of groups)
      if (group.type === 'surface' || group.type === 'curve')
        for (let p = group.first; p < group.first + group.count; p++) gain[p] = f32[rows + 16 * this.#places[p] + 11];
  }

  /** Gives the particles as they are now. */
  give(): void {
    const { x, v, C, F, gain, count, stressCount, groups, group } = this.#points;
    const { f32, f64, i32 } = this.memory.views;
    const [slot, places, rows, frames] = [this.at('slot', 4), this.at('x', 8), this.at('row', 4), this.at('F', 4)];
    for (let p = 0; p < count; p++) {
      const from = i32[slot + p];
      const at = rows + 16 * from;
      for (let k = 0; k < 3; k++) {
        x[3 * p + k] = f64[places + 3 * from + k];
        v[3 * p + k] = f32[at + 12 + k];
        for (let i = 0; i < 3; i++) C[9 * p + 3 * i + k] = f32[at + 4 * k + i];
      }
      if (p >= stressCount) continue;
      gain[p] = f32[at + 11];
      const d = frames + 12 * from;
      if (groups[group[p]].type === 'fluid') {
        F[9 * p] = 1 + f32[d];
        for (let k = 1; k < 7; k++) F[9 * p + k] = f32[d + k];
      } else for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) F[9 * p + 3 * i + k] = f32[d + 4 * k + i];
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

/** 0 where friction is exact. */
const ruleOf = (group: PointGroup): number =>
  group.type === 'sand'
    ? Number(group.law.rule !== 'exact')
    : group.type === 'curve'
      ? Number(group.law.alongRule !== 'exact')
      : 0;

/** The law's numbers, as the kernels name them. */
const numbersOf = (group: PointGroup): Record<string, number> => {
  if (group.type === 'fluid') {
    const { bulkModulus, exponent, viscosity } = group.law;
    return { stiffness: bulkModulus, shear: exponent, along: viscosity };
  }
  const { mu, lambda } = group.law;
  if (group.type === 'sand') return { mu, lambda, friction: group.law.friction };
  if (group.type === 'goo') return { mu, lambda, friction: group.law.flowStress, along: group.law.viscosity };
  if (group.type === 'surface') {
    const { normalStiffness, shearStiffness, friction, breakingStrain } = group.law;
    return { mu, lambda, stiffness: normalStiffness, shear: shearStiffness, friction, breaking: breakingStrain };
  }
  const { fibreStiffness, shearStiffness, acrossFriction, alongFriction, breakingStrain } = group.law;
  return {
    mu,
    lambda,
    stiffness: fibreStiffness,
    shear: shearStiffness,
    friction: acrossFriction,
    along: alongFriction,
    breaking: breakingStrain,
  };
};
