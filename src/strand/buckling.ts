/**
 * Energy that an implicit step makes from nothing where a strand buckles.
 *     M (v₁ − v₀) = h (f − ∇V(q₁)),  q₁ = q₀ + h v₁     gives     ΔT + ΔV − h f·v₁ = G − D                    [J]
 *     D = ½ (v₁ − v₀)ᵀ M (v₁ − v₀) ≥ 0        G = V(q₁) − V(q₀) − ∇V(q₁)·(q₁ − q₀)
 *   V  stretch energy     f  all other forces: weight, contact, drivers
 * Where V is convex, G ≤ 0: implicit Euler only damps. A compressed segment turns aside with the stiffness −|T|/l; it is not convex
 * there, and G grows with the square of the way in which it turns within the step. No stiffness of the solver helps against that, as
 * the solution itself has the energy: only a shorter step, in which the segment turns by less, does.
 */
import type { CurveChain } from '../curve/index.ts';
import { computeHypot3, type Vec3 } from '../math/index.ts';
import { computeNodeDistance } from './measure.ts';

/** Energy that a strand may make in a step, relative to that of its motion and to its weight times the spacing: at rest there is no motion. */
const MOST_MADE = 2e-3;

/** Whether the step from qStart, vStart to q, v made more energy than it may. */
export function isBuckled(chain: CurveChain, gravity: Vec3, spacing: number): boolean {
  const { q, v, qStart, vStart, material, count } = chain;
  const { linearDensity, restFactor: rest } = material;
  const EA = material.stretchStiffness / rest;
  let [made, motion] = [0, 0];
  for (let e = 0; e + 1 < count; e++) {
    const [i, j] = [4 * e, 4 * e + 4];
    const [du0, du1] = [qStart[j + 3] - qStart[i + 3], q[j + 3] - q[i + 3]];
    const [l0, l1] = [computeNodeDistance(qStart, e, e + 1), computeNodeDistance(q, e, e + 1)];
    const [stretch0, stretch1] = [l0 / du0, l1 / du1];
    const pull = (EA * (stretch1 - rest)) / l1;
    made += 0.5 * EA * (du1 * (stretch1 - rest) ** 2 - du0 * (stretch0 - rest) ** 2);
    made += 0.5 * EA * (stretch1 ** 2 - rest ** 2) * (du1 - du0);
    const m6 = (linearDensity * du1) / 6;
    for (let k = 0; k < 3; k++) {
      const [d0, d1] = [qStart[j + k] - qStart[i + k], q[j + k] - q[i + k]];
      const [a0, b0] = [vStart[i + k] - (d0 / du0) * vStart[i + 3], vStart[j + k] - (d0 / du0) * vStart[j + 3]];
      const [a1, b1] = [v[i + k] - (d1 / du1) * v[i + 3], v[j + k] - (d1 / du1) * v[j + 3]];
      const [a, b] = [a1 - a0, b1 - b0];
      made -= pull * d1 * (d1 - d0) + m6 * (a * a + a * b + b * b);
      motion += m6 * (a0 * a0 + a0 * b0 + b0 * b0);
    }
  }
  const weight = linearDensity * (q[4 * count - 1] - q[3]) * computeHypot3(gravity[0], gravity[1], gravity[2]);
  return made > MOST_MADE * (motion + weight * spacing);
}
