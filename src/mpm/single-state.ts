/** The particles of a continuum in single precision, in the memory of the kernels (`single-layout.ts`): the way there from `Points` and back. */
import { canShareMemory, KernelMemory, MPM_WHOLE } from '../kernels/index.ts';
import type { Bending } from './bending.ts';
import { BLOCK_SIDE } from './grid.ts';
import { createSingleBending } from './single-bending.ts';
import { SingleLayout } from './single-layout.ts';
import { createPlaces, createSingleMesh } from './single-mesh.ts';
import type { PointGroup, Points } from './state.ts';
import { BROKEN } from './strength.ts';

/** Cosine up to which columns of F count as orthogonal: those that the kernels leave are, to 1e-6. */
const ORTHOGONAL = 2e-6;

export class SingleState extends SingleLayout {
  readonly #points: Points;
  /** Where particles lie that were not put elsewhere by the kernels. */
  readonly #places: Int32Array;

  constructor(points: Points, bending: Bending, spacing: number, isShared: boolean) {
    const places = createPlaces(points, BLOCK_SIDE * spacing);
    const mesh = createSingleMesh(points, places);
    const memory = new KernelMemory({ isShared: isShared && canShareMemory() });
    super(points, mesh, createSingleBending(points, bending, mesh, places), memory);
    this.#points = points;
    this.#places = places;
  }

  /** Whether there are kernels for it here. */
  static get isPossible(): boolean {
    const memory = new KernelMemory();
    memory.reserve(memory.start, true);
    return memory.mpm !== undefined;
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
}
