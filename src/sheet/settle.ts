/**
 * Brings a sheet that was put together anew to where its material fits: steps of implicit Euler from rest to rest,
 *
 *     (M/s² + K) Δ = f,   velocities aside,   Δ over (x, X)
 *
 * in which E-vertices stay on their sites and let material through, and vertices stay out of bodies. A remeshing exchanges folds of the
 * old mesh for others; what that makes too long or too short can only go away if all of the sheet may follow by a little.
 *   s   length of a step [s]: short enough that nothing buckles, long enough that a whole side can follow
 */
import { CANCEL_POSITION } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { computeMaterialArea } from './ahead.ts';
import type { SheetCreases } from './creases.ts';
import { SheetHolds } from './holds.ts';
import { SheetMeasure } from './measure.ts';
import type { SheetStage } from './stage.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetSystem } from './system.ts';

const SPAN = 0.02;
const MOST_STEPS = 20;
const MOST_HALVINGS = 4;
/** A step that takes less than this share of the energy is the last. */
const CALM = 0.02;
/** Share of its area in the material that a triangle keeps in a step. */
const KEEPS = 0.7;

/**
 * Moves all vertices but those that are kept, until the membrane energy is below `limit` [J] or does not fall any more; returns it.
 * `system`: the sheet's own, sized for its new mesh here. `isOld`: E-vertices through which dry friction lets no material.
 */
export function settleSheet(
  state: SheetState,
  system: SheetSystem,
  creases: SheetCreases,
  limit: number,
  isOld: (i: number) => boolean,
): number {
  system.fit(state);
  const { part, assembly } = system;
  const { matrix, rhs } = part;
  const measure = new SheetMeasure();
  const holds = new SheetHolds();
  const stage: SheetStage = {
    h: SPAN,
    linearized: true,
    massDamping: 0,
    stiffnessDamping: 0,
    gravity: new Float64Array(3),
  };
  const { v } = state;
  state.v = new Float64Array(v.length);
  /** Vertices that the last step pushed out of bodies, with the normals there. */
  const pushed = new Map<number, Float64Array>();
  let energy = measure.computeMotion(state).stretch;
  for (let n = 0; n < MOST_STEPS && energy > limit; n++) {
    state.qBase.set(state.q);
    state.vBase.fill(0);
    state.v.fill(0);
    holdVertices(state, holds, creases, pushed, isOld);
    pushed.clear();
    assembly.write(state, stage, matrix, rhs);
    holds.cancel(state.mesh, matrix, rhs);
    if (!part.solve()) break;
    holds.finish(state.mesh, matrix, rhs, SPAN);
    const next = follow(state, matrix, rhs, creases, pushed, energy, measure);
    const gain = energy - next;
    energy = next;
    const isFirstTouch = n === 0 && pushed.size > 0;
    if (!(gain > CALM * energy) && !isFirstTouch) break;
  }
  state.v = v;
  state.measureSliding();
  return energy;
}

function holdVertices(
  state: SheetState,
  holds: SheetHolds,
  creases: SheetCreases,
  pushed: ReadonlyMap<number, Float64Array>,
  isOld: (i: number) => boolean,
): void {
  const { kept, count, siteBody } = state;
  holds.clear(count);
  for (let i = 0; i < count; i++) if (kept[i]) holds.hold(i, CANCEL_POSITION);
  for (const [i, [x, y, z]] of pushed) holds.frames.add(holds.openFrame(i), x, y, z, 0);
  creases.addFrames(state, holds, SPAN, SPAN);
  for (let i = 0; i < count; i++)
    if (state.isOnSite(i) && isOld(i) && creases.touch.friction[siteBody[i]] > 0) holds.holdAllMaterial(i);
  holds.applyTargets(state);
}

/** Takes a step as far as the energy falls and no triangle is squeezed, or not at all; returns the energy. */
function follow(
  state: SheetState,
  { sizes, blockStart }: BlockMixed,
  change: Float64Array,
  { touch }: SheetCreases,
  pushed: Map<number, Float64Array>,
  energy: number,
  measure: SheetMeasure,
): number {
  const { q, qBase, v, count } = state;
  const normal = new Float64Array(3);
  for (let half = 0; half <= MOST_HALVINGS; half++) {
    const scale = SPAN / 2 ** half;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < sizes[i]; k++)
        q[STRIDE * i + k] = qBase[STRIDE * i + k] + scale * (v[STRIDE * i + k] + change[blockStart[i] + k]);
      if (!state.kept[i] && !state.isOnSite(i) && touch.pushOut(q, STRIDE * i, normal)) pushed.set(i, normal.slice());
    }
    if (!keepsTriangles(state)) continue;
    const next = measure.computeMotion(state).stretch;
    if (next < energy) return next;
  }
  q.set(qBase);
  return energy;
}

function keepsTriangles({ q, qBase, mesh: { triangles } }: SheetState): boolean {
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k], triangles[k + 1], triangles[k + 2]];
    if (!(computeMaterialArea(q, a, b, c) > KEEPS * computeMaterialArea(qBase, a, b, c))) return false;
  }
  return true;
}
