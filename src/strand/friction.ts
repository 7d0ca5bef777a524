/**
 * Friction and rotating inertia where a strand passes a guide.
 *
 * Coulomb friction lets the tensions on both sides of a bend of angle d differ by at most
 *     |T_b − T_a| ≤ κ (T_a + T_b)      edge:  κ = μ tan ½d       T_b/T_a = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d)
 *                                      round: κ = tanh ½μd       T_b/T_a = exp μd, the capstan law  [theory/curves#friction-at-a-corner]
 * While the strand sticks, u is held (u̇ = 0) and the force that holds it is checked against the limit; while it slips,
 * the limit acts against u̇. A stage whose outcome contradicts what was assumed is solved again with the other: sticking is
 * exact, not a slow creep. At an edge with μ tan ½d ≥ 1 the strand locks.
 *
 * A pulley turns with the strand without slip: I (λ u̇/R)²/2 of kinetic energy, so I λ²/R² of inertia on u.
 *   μ  friction [1]     λ  stretch at the guide [1]     I, R  moment of inertia [kg m²] and radius [m] of the pulley
 */
import { computeAngle, computeTanh } from '../math/index.ts';
import { CANCEL_U, NODE_EULERIAN } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { Guide } from './guides.ts';
import { computeNodeDistance, computeNodeStretch, computePulleyInertia, computeSegmentStrain } from './measure.ts';
import type { StrandState } from './state.ts';

/** Holds u of the guides that stick, before a stage. */
export function holdSticking(strand: StrandState): void {
  for (let g = 0; g < strand.guides.length; g++)
    if (strand.guides[g].friction > 0 && strand.slip[strand.guides[g].label] === 0 && isSliding(strand, g))
      stick(strand, g);
}

/** Adds friction of the slipping guides and the inertia of the pulleys to the system of a stage of length h. */
export function addGuideForces(strand: StrandState, h: number, matrix: BlockBanded, rhs: Float64Array): void {
  const { v, vBase } = strand.chain;
  for (let g = 0; g < strand.guides.length; g++) {
    const { friction, pulley, label, site } = strand.guides[g];
    if (!isSliding(strand, g)) continue;
    const i = strand.indexOf(label);
    const at = 4 * i + 3;
    if (site.type !== 'edge' && friction > 0 && strand.slip[label] !== 0) {
      const limit = computeFrictionLimit(strand, strand.guides[g]);
      // at an edge that has locked it sticks when the stage is revised
      if (limit < Number.POSITIVE_INFINITY) rhs[at] -= h * strand.slip[label] * limit;
    }
    if (pulley !== undefined) {
      const inertia = computePulleyInertia(strand, i, pulley);
      rhs[at] += inertia * (vBase[at] - v[at]);
      matrix.bands[0][16 * i + 15] += inertia;
    }
  }
}

/** Checks what guides did against what was assumed; true when a stage must be solved again. Edges: `touch-friction.ts`. */
export function reviseFriction(strand: StrandState): boolean {
  let changed = false;
  for (let g = 0; g < strand.guides.length; g++) {
    const { friction, label, site } = strand.guides[g];
    if (site.type === 'edge' || friction === 0 || !isSliding(strand, g)) continue;
    if (strand.slip[label] === 0) {
      const pull = strand.reaction[4 * label + 3];
      if (!(Math.abs(pull) > computeFrictionLimit(strand, strand.guides[g]) * (1 + 1e-9))) continue;
      // what holds u pushes against the motion that it prevents
      strand.slip[label] = pull > 0 ? -1 : 1;
      strand.release(label, CANCEL_U);
      changed = true;
    } else if (
      strand.chain.v[4 * strand.indexOf(label) + 3] * strand.slip[label] < 0 ||
      computeFrictionLimit(strand, strand.guides[g]) === Number.POSITIVE_INFINITY
    ) {
      strand.slip[label] = 0;
      stick(strand, g);
      changed = true;
    }
  }
  return changed;
}

/** Largest force on u that friction can bear at a guide [N]. */
export function computeFrictionLimit(strand: StrandState, { friction, law, label }: Guide): number {
  const { q, material } = strand.chain;
  const i = strand.indexOf(label);
  const strain = Math.max(0, computeSegmentStrain(strand, i - 1)) + Math.max(0, computeSegmentStrain(strand, i));
  if (strain === 0) return 0;
  const [a, b, c] = [4 * (i - 1), 4 * i, 4 * (i + 1)];
  let cosine = 0;
  for (let k = 0; k < 3; k++) cosine += (q[b + k] - q[a + k]) * (q[c + k] - q[b + k]);
  cosine /= computeNodeDistance(q, i - 1, i) * computeNodeDistance(q, i, i + 1);
  const halfSine = Math.sqrt(Math.max(0, 1 - cosine) / 2);
  const halfCosine = Math.sqrt(Math.max(0, 1 + cosine) / 2);
  const grip =
    law === 'edge' ? (friction * halfSine) / halfCosine : computeTanh(friction * computeAngle(halfSine, halfCosine));
  if (law === 'edge' && !(grip < 1)) return Number.POSITIVE_INFINITY;
  return grip * material.stretchStiffness * strain * computeNodeStretch(strand, i);
}

/** Guides of Lagrangian mode nail the material; jammed ones, and crossings that let go, are held already. */
function isSliding(strand: StrandState, g: number): boolean {
  const { label, site } = strand.guides[g];
  if (site.type === 'crossing' && strand.pulls[label]) return false;
  return strand.chain.kind[strand.indexOf(label)] === NODE_EULERIAN && strand.jammed[label] === 0;
}

function stick(strand: StrandState, g: number): void {
  const { label } = strand.guides[g];
  strand.hold(label, CANCEL_U);
  strand.chain.target[4 * strand.indexOf(label) + 3] = 0;
}
