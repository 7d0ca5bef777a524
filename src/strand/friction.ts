/**
 * Friction and rotating inertia where a strand passes a guide.
 *
 * Coulomb at one contact: the edge puts the force R on the node, P of it along the strand and N across (`side-forces.ts`).
 *     |P| ≤ μ N,  P² + N² = R²
 * With EI > 0 the strand has one tangent at the edge, and by the first integral of the elastica f_u/λ is the part of R along it, on fine meshes and
 * on coarse ones. With EI = 0 it has a kink: along is the middle between its sides, P = (f_u/λ) cos ½d. With the angle d between the forces n₁ and
 * n₂ of both sides and the push across their middle, M² = R² − (f_u/λ)² cos² ½d = N² + P² sin² ½d or N², the limits are, each times λ,
 *     edge, EI > 0     μ M/√(1 + m²),  m = μ sin ½d     T_b/T_a = (√(1 + m²) + m)²   [theory/curves#friction-with-bending-stiffness]
 *     edge, EI = 0     μ M/cos ½d                       T_b/T_a = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d); it locks at μ tan ½d ≥ 1
 *     round            M tanh(½μd)/sin ½d               T_b/T_a = exp μd, the capstan law         [theory/curves#friction-at-a-corner]
 * M stays as it is where the strand gives way, so that a limit from the forces before a solve is that after it, too.
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
  const { sideForces: sides } = strand;
  const i = strand.indexOf(label);
  sides.measure(strand, i);
  const { push, halfSine, halfCosine } = sides;
  if (push === 0) return 0;
  return push * computeNodeStretch(strand, i) * computeShare(strand, law, friction, halfSine, halfCosine);
}

/** What of the push across the middle of both sides' forces friction can be, λ apart. */
function computeShare(
  { chain: { material } }: StrandState,
  law: Guide['law'],
  friction: number,
  halfSine: number,
  halfCosine: number,
): number {
  if (law === 'round')
    return halfSine > 0 ? computeTanh(friction * computeAngle(halfSine, halfCosine)) / halfSine : friction;
  if (material.bendingStiffness > 0) return friction / computeHypot2(1, friction * halfSine);
  return friction * halfSine < halfCosine ? friction / halfCosine : Number.POSITIVE_INFINITY;
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
