/**
 * Friction and rotating inertia where a strand passes a guide.
 *
 * Coulomb at one contact: the edge puts the force R = n₁ − n₂ on the node (`side-forces.ts`), P along the strand and N across it.
 *     |P| ≤ μ N,  P² + N² = R²   ⇒   |P| ≤ R sin φ,  tan φ = μ          P = (f_u/λ) cos ½δ
 *   f_u  force on u [N]     δ  kink: jump of the tangent at the node; P is taken along the middle of both tangents
 * Bending stiffness allows no kink, and the first integral of the elastica makes f_u/λ the part of R along the tangent, on fine meshes and
 * on coarse ones. With the angle d between n₁ and n₂                        [theory/curves#friction-with-bending-stiffness]
 *     edge, EI > 0     δ = 0     T_b/T_a = (√(1 + m²) + m)²,  m = μ sin ½d
 *     edge, EI = 0     δ = d     T_b/T_a = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d);  it locks at μ tan ½d ≥ 1
 *     round            |T_b − T_a| ≤ (T_a + T_b) tanh ½μd,  T_b/T_a = exp μd, the capstan law  [theory/curves#friction-at-a-corner]
 * While the strand sticks, u is held (u̇ = 0) and the force that holds it is checked against the limit; while it slips,
 * the limit acts against u̇. A stage whose outcome contradicts what was assumed is solved again with the other: sticking is
 * exact, not a slow creep.
 *
 * A pulley turns with the strand without slip: I (λ u̇/R)²/2 of kinetic energy, so I λ²/R² of inertia on u.
 *   μ  friction [1]     λ  stretch at the guide [1]     I, R  moment of inertia [kg m²] and radius [m] of the pulley
 */
import { computeAngle, computeHypot2, computeTanh } from '../math/index.ts';
import { CANCEL_U, NODE_EULERIAN } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { Guide } from './guides.ts';
import { computeNodeStretch, computePulleyInertia } from './measure.ts';
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
  const { sideForces } = strand;
  const i = strand.indexOf(label);
  sideForces.measure(strand, i);
  if (sideForces.size === 0) return 0;
  const stretch = computeNodeStretch(strand, i);
  const { halfSine, halfCosine } = sideForces;
  if (law === 'round') return stretch * computeTanh(friction * computeAngle(halfSine, halfCosine)) * sideForces.sum;
  const isSmooth = strand.chain.material.bendingStiffness > 0;
  if (!isSmooth && !(friction * halfSine < halfCosine)) return Number.POSITIVE_INFINITY;
  return (stretch * computeFrictionShare(friction) * sideForces.size) / (isSmooth ? 1 : halfCosine);
}

/** sin φ, tan φ = μ: share of all the force of a contact that friction can be. */
export const computeFrictionShare = (friction: number): number => friction / computeHypot2(1, friction);

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
