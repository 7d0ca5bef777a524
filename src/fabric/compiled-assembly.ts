/**
 * Segments, bends, shears and contacts of EIL nodes of a fabric by compiled loops (src/kernels/fabric.inc): the same bits as `segments.ts`, `bends.ts`, `shears.ts` and `eil-contacts.ts`. What they go over lies in the solver's memory, beside the
 * values of the matrix, as long as the discretisation stays the same; the state goes in with every system, the right-hand side comes out.
 *
 *   room:   places │ numbers │ q, v, q̂, v̂ │ r │ gaps │ forces of sides │ materials, shears │ lists of stencils
 */
import { FABRIC_ENERGIES, FABRIC_MATERIAL, FABRIC_NUMBERS, FABRIC_PLACES } from '../kernels/index.ts';
import type { EnergyTerms, NetPart } from '../model/index.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';
import type { FabricTerms } from './terms.ts';

type Place = (typeof FABRIC_PLACES)[number];
const AT = Object.fromEntries(FABRIC_PLACES.map((name, k) => [name, k])) as Readonly<Record<Place, number>>;
/** Lists of stencils, by their names in the table. */
const LISTS = ['segment', 'bend', 'shear', 'single', 'double'] as const;
const VECTORS = ['q', 'v', 'qBase', 'vBase', 'rhs'] as const;

export class CompiledAssembly {
  /** Unsigned: the pocket of [Sánchez-Banderas 2020], 613,000 nodes, has places beyond 2 GiB. */
  readonly #table = new Uint32Array(FABRIC_PLACES.length);
  #part: NetPart | undefined;
  #rhs: Float64Array = new Float64Array(0);
  #sideForce: Float64Array = this.#rhs;
  #sideForceAt = 0;
  #valuesAt = 0;

  /** Bytes of room that this discretisation takes. */
  computeRoom(state: FabricState, stencils: Stencils): number {
    return this.#place(state, stencils, 0);
  }

  /** Puts everything in its place, from byte `end` on; returns where it ends. */
  #place({ capacity, yarnCount }: FabricState, stencils: Stencils, end: number): number {
    const put = (name: Place, bytes: number): void => {
      this.#table[AT[name]] = end;
      end += 8 * Math.ceil(bytes / 8);
    };
    end += 8 * Math.ceil(FABRIC_PLACES.length / 2);
    put('numbers', 8 * FABRIC_NUMBERS);
    for (const name of VECTORS) put(name, 40 * capacity);
    put('gap', 24 * capacity);
    put('sideForce', 48 * capacity);
    put('material', 8 * FABRIC_MATERIAL * yarnCount);
    for (const name of ['shear', 'single', 'double'] as const) put(`${name}Numbers`, 16 * stencils[`${name}s`].count);
    put('yarn', 8 * capacity);
    put('segmentStart', 4 * (yarnCount + 1));
    for (const name of LISTS) {
      const list = stencils[`${name}s`];
      put(`${name}s`, 4 * list.size * list.count);
      put(`${name}Slots`, 4 * list.pairs * list.count);
    }
    return end;
  }

  /** Takes the discretisation whose pattern the part has just taken, with room for it. */
  layOut(part: NetPart, state: FabricState, stencils: Stencils, terms: FabricTerms): void {
    const { layout, memory } = part.solver;
    this.#part = memory.fabric === undefined ? undefined : part;
    if (this.#part === undefined) return;
    const { f64, i32 } = memory.views;
    const { capacity, yarnCount } = state;
    const { bends, shears, singles, doubles, segmentStart } = stencils;
    const table = this.#table;
    this.#place(state, stencils, layout.room);
    table[AT.n] = layout.n;
    table[AT.half] = layout.domains === 2 ? layout.get('half') : layout.n;
    table[AT.yarns] = yarnCount;
    table[AT.bendCount] = bends.count;
    table[AT.shearCount] = shears.count;
    table[AT.singleCount] = singles.count;
    table[AT.doubleCount] = doubles.count;
    table[AT.columnStart] = layout.get('columnStart');
    this.#valuesAt = layout.get('values');
    this.#sideForceAt = table[AT.sideForce];
    const view = (name: Place, length: number): Float64Array =>
      f64.subarray(table[AT[name]] / 8, table[AT[name]] / 8 + length);
    this.#rhs = view('rhs', 5 * capacity);
    this.#sideForce = view('sideForce', 6 * capacity);
    const material = view('material', FABRIC_MATERIAL * yarnCount);
    for (let y = 0; y < yarnCount; y++) {
      const { linearDensity, restFactor = 1, stretchStiffness, bendingStiffness } = state.materialOf(y);
      material[FABRIC_MATERIAL * y] = linearDensity;
      material[FABRIC_MATERIAL * y + 1] = restFactor;
      material[FABRIC_MATERIAL * y + 2] = stretchStiffness / restFactor;
      material[FABRIC_MATERIAL * y + 3] = bendingStiffness;
      material[FABRIC_MATERIAL * y + 4] = stretchStiffness;
    }
    terms.shears.writeStiffness(state, stencils, view('shearNumbers', 2 * shears.count));
    terms.contacts.writeStiffness(
      state,
      stencils,
      view('singleNumbers', 2 * singles.count),
      view('doubleNumbers', 2 * doubles.count),
    );
    i32.set(state.yarn, table[AT.yarn] / 4);
    i32.set(segmentStart, table[AT.segmentStart] / 4);
    for (const name of LISTS) {
      const list = stencils[`${name}s`];
      i32.set(list.sides.subarray(0, list.size * list.count), table[AT[`${name}s`]] / 4);
      i32.set(list.slots.subarray(0, list.pairs * list.count), table[AT[`${name}Slots`]] / 4);
    }
  }

  /** Adds to the matrix and overwrites the right-hand side and the forces of sides; false, and nothing done, where kernels are not compiled. */
  write(state: FabricState, stage: FabricStage, { values, rhs, sideForce }: FabricSystem): boolean {
    if (this.#part === undefined) return false;
    const { solver } = this.#part;
    const { f64, i32 } = solver.memory.views;
    const table = this.#table;
    const at = solver.layout.room;
    for (const name of ['q', 'v', 'qBase', 'vBase', 'gap'] as const) f64.set(state[name], table[AT[name]] / 8);
    this.#writeNumbers(stage, f64, table[AT.numbers] / 8);
    table[AT.values] = values === null ? 0 : this.#valuesAt;
    table[AT.sideForce] = sideForce === null ? 0 : this.#sideForceAt;
    i32.set(table, at / 4);
    for (let isDone = false; !isDone; ) {
      values?.fill(0);
      this.#rhs.fill(0);
      if (sideForce !== null) this.#sideForce.fill(0);
      isDone = solver.run('addCloth', at);
    }
    rhs.set(this.#rhs);
    sideForce?.set(this.#sideForce);
    return true;
  }

  /** Adds the energies of stretch, bending and shear; false, and nothing done, where kernels are not compiled. */
  addEnergy(state: FabricState, terms: EnergyTerms): boolean {
    if (this.#part === undefined) return false;
    const { memory, layout } = this.#part.solver;
    const { f64, i32 } = memory.views;
    f64.set(state.q, this.#table[AT.q] / 8);
    i32.set(this.#table, layout.room / 4);
    memory.fabric?.measureCloth(layout.room);
    const at = this.#table[AT.numbers] / 8 + FABRIC_ENERGIES;
    terms.stretch += f64[at];
    terms.bending += f64[at + 1];
    return true;
  }

  #writeNumbers(stage: FabricStage, out: Float64Array, at: number): void {
    const { h, stiffnessDamping: beta, massDamping: alpha, gravity } = stage;
    out[at] = h;
    out[at + 1] = h * h + beta * h;
    out[at + 2] = (stage.linearized ? h * h : 0) + beta * h;
    out[at + 3] = 1 + alpha * h;
    out[at + 4] = stage.keepsMomentum && !stage.linearized ? 1 : 0;
    out[at + 5] = stage.isExact ? 1 : 0;
    for (let k = 0; k < 3; k++) out[at + 6 + k] = gravity[k];
    out[at + 9] = stage.linearized ? 1 : 0;
    out[at + 10] = stage.isGuess ? 1 : 0;
  }
}
