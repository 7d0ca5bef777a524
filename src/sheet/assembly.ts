/**
 * The linear system of a sheet: inertia, membrane, weight and damping triangle by triangle, bending edge by edge.
 *     A = (1 + αh) M + h² K + βh D
 *     r = M (v̂ − v) + h (f − c − αM v) − (s h² K + βh D) v        s = 1 while f is taken at q̂ (linearly implicit), else 0
 *   v̂, q̂  start of the stage     v  iterate     α, β  damping [1/s], [s]     c = Ṁ v − ∂T/∂q [theory/eol#inertia]
 *   D  what of K answers to rates of strain and of angles: β D v is the gradient of a dissipation in them, which no rigid motion has. K beside it is
 *      what tension does where triangles turn (`membrane.ts`)
 *
 * Vertices whose material is fixed have three unknowns, E-vertices five. Triangles without E-vertices, nearly all of them, have a loop of
 * their own (`fixed-triangles.ts`, `sliding-triangles.ts`); bending is in `bending.ts`. Compiled loops do the same where that pays
 * (`compiled-assembly.ts`).
 */
import { KernelMemory } from '../kernels/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { SheetBending } from './bending.ts';
import { CompiledAssembly } from './compiled-assembly.ts';
import { FixedTriangles } from './fixed-triangles.ts';
import { SlidingTriangles } from './sliding-triangles.ts';
import type { SheetStage } from './stage.ts';
import type { SheetState } from './state.ts';

export class SheetAssembly {
  readonly #bending = new SheetBending();
  readonly #fixed = new FixedTriangles();
  readonly #sliding = new SlidingTriangles();
  readonly #compiled: CompiledAssembly;

  /** `memory`: of the compiled loops. */
  constructor(memory = new KernelMemory()) {
    this.#compiled = new CompiledAssembly(memory);
  }

  /** Overwrites matrix and rhs with the system of the sheet; first measures its rest shape anew where material slides. */
  write(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    if (this.#compiled.write(state, stage, matrix, rhs)) return;
    const bends = state.material.bending[0] > 0 || state.material.bending[1] > 0;
    const slides = matrix.size > 3 * state.count;
    if (slides) state.measureSliding();
    matrix.clear();
    rhs.fill(0);
    this.#fixed.add(state, stage, matrix, rhs);
    if (bends) this.#bending.add(state, stage, matrix, rhs);
    if (!slides) return;
    this.#sliding.add(state, stage, matrix, rhs);
    if (bends) this.#bending.addSlide(state, stage.h, matrix, rhs);
  }

  /** Angles of all edges, and the moments −∂V/∂θ; returns the bending energy [J]. */
  measureAngles(state: SheetState): number {
    return this.#bending.measureAngles(state);
  }

  /** κ₁₁, κ₂₂, 2κ₁₂ of a triangle [1/m], from the last `measureAngles`. */
  writeCurvature(state: SheetState, t: number, out: Float64Array): void {
    this.#bending.writeCurvature(state, t, out);
  }
}
