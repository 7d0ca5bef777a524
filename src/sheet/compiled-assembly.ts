/**
 * The assembly of a sheet by compiled loops (src/kernels/sheet.inc, sheet-slide.inc): the same bits as `fixed-triangles.ts`, `sliding-triangles.ts`
 * and `bending.ts`, in less than half the time. Topology and rest shape lie in the kernels' memory as long as they stay the same; positions and
 * velocities go in with every system, and the rest shape where material slides; the right-hand side comes out; the matrix has its values there.
 *
 *   memory:   places │ numbers │ q, q̂, v, v̂ │ rest shape │ angles │ values │ r │ topology
 */
import { KernelMemory, SHEET_NUMBERS, SHEET_PLACES } from '../kernels/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import type { EdgeAngles } from './rest-bending.ts';
import { computePullShare, computeTensionShare, type SheetStage } from './stage.ts';
import type { SheetState } from './state.ts';

/** Vertices from which on copying in and out pays. */
const COMPILED_FROM = 24;

type Place = (typeof SHEET_PLACES)[number];

export class CompiledAssembly {
  readonly #memory: KernelMemory;
  /** Where things are [bytes]. */
  readonly #at = new Int32Array(SHEET_PLACES.length);
  #numbers = 0;
  /** What the memory was laid out for, and the rest shape in it: a new one has a new array of stiffnesses. */
  #matrix: BlockMixed | undefined;
  #rest: Float64Array | undefined;
  /** What the kernels measure of edges. */
  #angles: EdgeAngles = { theta: new Float64Array(0), lean: new Float64Array(0), leanMoment: new Float64Array(0) };

  constructor(memory = new KernelMemory()) {
    this.#memory = memory;
  }

  /** Overwrites matrix and rhs, and the rest shape where material slides; false, and nothing done, where the sheet is small or kernels are not compiled. */
  write(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): boolean {
    if (state.count < COMPILED_FROM) return false;
    // another assembly may have placed the values elsewhere since
    const isHere = this.#matrix === matrix && matrix.values.buffer === this.#memory.views.f64.buffer;
    if (!isHere) this.#layOut(state, matrix);
    const kernels = this.#memory.sheet;
    if (kernels === undefined) return false;
    const { f64 } = this.#memory.views;
    const slides = matrix.size > 3 * state.count;
    if (slides) state.measureSliding();
    if (slides || this.#rest !== state.edgeStiffness) this.#writeRest(state);
    f64.set(state.q, this.#indexOf('q'));
    f64.set(state.qBase, this.#indexOf('qBase'));
    f64.set(state.v, this.#indexOf('v'));
    f64.set(state.vBase, this.#indexOf('vBase'));
    this.#writeNumbers(state, stage);
    const right = this.#indexOf('rhs');
    f64.fill(0, this.#indexOf('values'), right + rhs.length);
    const { start } = this.#memory;
    const numbers = this.#numbers;
    const { triangleCount, edgeCount } = state.mesh;
    const bends = state.material.bending[0] > 0 || state.material.bending[1] > 0;
    kernels.addSheetTriangles(start, numbers, triangleCount);
    if (bends) {
      kernels.measureSheetAngles(start, numbers, edgeCount, triangleCount);
      kernels.addSheetEdges(start, numbers, edgeCount);
    }
    if (slides) kernels.addSlidingTriangles(start, numbers, triangleCount);
    rhs.set(f64.subarray(right, right + rhs.length));
    if (slides && bends) state.restBending.addSlide(state, this.#angles, stage.h, matrix, rhs);
    return true;
  }

  #indexOf(place: Place): number {
    return this.#at[SHEET_PLACES.indexOf(place)] / 8;
  }

  #writeNumbers({ material }: SheetState, stage: SheetStage): void {
    const { h, stiffnessDamping, massDamping, gravity } = stage;
    const out = this.#memory.views.f64;
    let at = this.#numbers / 8;
    out[at++] = h;
    out[at++] = stage.isAhead ? 1 : 0;
    out[at++] = h * h + stiffnessDamping * h;
    out[at++] = (stage.linearized ? h * h : 0) + stiffnessDamping * h;
    out[at++] = computeTensionShare(stage);
    out[at++] = computePullShare(stage);
    out[at++] = 1 + massDamping * h;
    out[at++] = material.arealDensity;
    for (let k = 0; k < 3; k++) out[at++] = gravity[k];
    for (let k = 0; k < 4; k++) out[at++] = material.membrane[k];
    for (let k = 0; k < 4; k++) out[at++] = material.bending[k];
  }

  /** Places for everything, and what stays. */
  #layOut(state: SheetState, matrix: BlockMixed): void {
    const { mesh } = state;
    const { edgeCount } = mesh;
    const doubles: readonly (readonly [Place, number])[] = [
      ['q', state.q.length],
      ['qBase', state.q.length],
      ['v', state.q.length],
      ['vBase', state.q.length],
      ['area', state.area.length],
      ['gradients', state.gradients.length],
      ['beta', state.beta.length],
      ['gamma', state.gamma.length],
      ['edgeStiffness', edgeCount],
      ['theta', edgeCount],
      ['lean', edgeCount],
      ['leanMoment', edgeCount],
      ['moment', edgeCount],
      ['hinges', 12 * edgeCount],
      ['values', matrix.values.length],
      ['rhs', matrix.size],
    ];
    const integers: readonly (readonly [Place, Int32Array])[] = [
      ['triangles', mesh.triangles],
      ['triangleOrder', mesh.triangleOrder],
      ['triangleEdges', mesh.triangleEdges],
      ['trianglePlaces', takePlaces(mesh.triangleSlots, matrix.valueStart)],
      ['edges', mesh.edges],
      ['edgeOrder', mesh.edgeOrder],
      ['edgePlaces', takePlaces(mesh.edgeSlots, matrix.valueStart)],
      ['edgeTriangles', mesh.edgeTriangles],
      ['near', mesh.near],
      ['sizes', matrix.sizes],
      ['blockStart', matrix.blockStart],
    ];
    this.#numbers = this.#memory.start + 8 * Math.ceil(SHEET_PLACES.length / 2);
    let end = this.#numbers + 8 * SHEET_NUMBERS;
    for (const [place, length] of doubles) {
      this.#at[SHEET_PLACES.indexOf(place)] = end;
      end += 8 * length;
    }
    for (const [place, content] of integers) {
      this.#at[SHEET_PLACES.indexOf(place)] = end;
      end += 4 * content.length;
    }
    this.#memory.reserve(end, true);
    const { i32 } = this.#memory.views;
    i32.set(this.#at, this.#memory.start / 4);
    for (const [place, content] of integers) i32.set(content, this.#at[SHEET_PLACES.indexOf(place)] / 4);
    if (this.#memory.sheet) this.#placeValues(matrix);
    const edgesAt = (place: Place): Float64Array =>
      this.#memory.views.f64.subarray(this.#indexOf(place), this.#indexOf(place) + edgeCount);
    this.#angles = { theta: edgesAt('theta'), lean: edgesAt('lean'), leanMoment: edgesAt('leanMoment') };
    this.#matrix = matrix;
    this.#rest = undefined;
  }

  /** The matrix' values lie in the kernels' memory from now on, which no other matrix takes before this one is done with. */
  #placeValues(matrix: BlockMixed): void {
    const values = this.#indexOf('values');
    matrix.takeValues(this.#memory.views.f64.subarray(values, values + matrix.values.length));
  }

  #writeRest(state: SheetState): void {
    const { f64 } = this.#memory.views;
    f64.set(state.area, this.#indexOf('area'));
    f64.set(state.gradients, this.#indexOf('gradients'));
    f64.set(state.beta, this.#indexOf('beta'));
    f64.set(state.gamma, this.#indexOf('gamma'));
    f64.set(state.edgeStiffness, this.#indexOf('edgeStiffness'));
    this.#rest = state.edgeStiffness;
  }
}

/** First value of each of these slots. */
function takePlaces(slots: Int32Array, valueStart: Int32Array): Int32Array {
  const places = new Int32Array(slots.length);
  for (let k = 0; k < slots.length; k++) places[k] = valueStart[slots[k]];
  return places;
}
