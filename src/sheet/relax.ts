/**
 * Lets new vertices of a sheet settle between the others, which stay. A vertex that was put into a flat triangle of a bent sheet leaves all
 * the bend to the edges around: twice the curvature on half the width, twice the energy. Newton steps to the least energy of
 * membrane, bending and weight over the new vertices alone, as quasi-static steps of the sheet (inertia does not count for long steps),
 * each taken as far as the energy falls.
 */

import type { Vec3 } from '../math/index.ts';
import { CANCEL_POSITION, NODE_LAGRANGIAN } from '../model/index.ts';
import { BlockMixed, DefiniteSolver } from '../sparse/index.ts';
import { SheetAssembly } from './assembly.ts';
import { SheetHolds } from './holds.ts';
import { SheetMeasure } from './measure.ts';
import type { SheetStage } from './stage.ts';
import { HOLD_MATERIAL, type SheetState, STRIDE } from './state.ts';

/** Length of a quasi-static step [s]. */
const LONG = 10;
const MOST_STEPS = 5;
const MOST_HALVINGS = 4;
/** A step that takes less than this share of what all have taken is the last. */
const ENOUGH = 0.1;

export interface RelaxReport {
  readonly steps: number;
  /** Energy before and after [J]. */
  readonly before: number;
  readonly after: number;
}

/** Moves the vertices with isFree = 1; velocities stay. */
export function relaxVertices(state: SheetState, isFree: Uint8Array, gravity: Vec3): RelaxReport {
  const assembly = new SheetAssembly();
  const measure = new SheetMeasure();
  const computeEnergy = (): number => {
    const terms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
    measure.addEnergy(state, gravity, assembly, terms);
    return terms.stretch + terms.bending + terms.gravity;
  };
  const sizes = state.kind.map((kind) => (kind === NODE_LAGRANGIAN ? 3 : STRIDE));
  const matrix = new BlockMixed(state.mesh.pattern, sizes);
  const rhs = new Float64Array(matrix.size);
  const holds = new SheetHolds();
  const stage: SheetStage = {
    h: LONG,
    linearized: true,
    massDamping: 0,
    stiffnessDamping: 0,
    gravity: Float64Array.from(gravity),
  };
  const solver = new DefiniteSolver(matrix);
  const { v } = state;
  state.v = new Float64Array(v.length);
  const before = computeEnergy();
  let energy = before;
  let steps = 0;
  for (; steps < MOST_STEPS; steps++) {
    holds.clear(state.count);
    for (let i = 0; i < state.count; i++)
      if (!isFree[i]) holds.hold(i, CANCEL_POSITION | (sizes[i] === STRIDE ? HOLD_MATERIAL : 0));
    state.qBase.set(state.q);
    state.vBase.fill(0);
    assembly.write(state, stage, matrix, rhs);
    holds.cancel(state.mesh, matrix, rhs);
    if (!solver.solve(rhs).ok) break;
    const next = follow(state, matrix, rhs, isFree, energy, computeEnergy);
    const gain = energy - next;
    energy = next;
    if (!(gain > ENOUGH * (before - energy))) break;
  }
  state.v = v;
  return { steps, before, after: energy };
}

/** Takes a step as far as the energy falls, or not at all; returns the energy. */
function follow(
  { q, qBase }: SheetState,
  matrix: BlockMixed,
  change: Float64Array,
  isFree: Uint8Array,
  energy: number,
  computeEnergy: () => number,
): number {
  for (let half = 0; half <= MOST_HALVINGS; half++) {
    const scale = LONG / 2 ** half;
    for (let i = 0; i < isFree.length; i++)
      if (isFree[i])
        for (let k = 0; k < 3; k++)
          q[STRIDE * i + k] = qBase[STRIDE * i + k] + scale * change[matrix.blockStart[i] + k];
    const next = computeEnergy();
    if (next < energy) return next;
  }
  q.set(qBase);
  return energy;
}
