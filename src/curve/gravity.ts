/**
 * Weight of a curve segment, an energy like any other, so that its Eulerian part is kept [theory/curves#gravity].
 *     V = −ρA Δu g·(x₀ + x₁)/2
 *   ρA  mass per material length [kg/m]     g  gravity [m/s²]
 * Its stiffness couples x and u with either sign and is left out; Newton still sees the full force.
 */
import type { CurveEnergy } from './energy.ts';

export const GRAVITY: CurveEnergy = {
  name: 'gravity',
  title: 'weight',
  formula: 'V = −ρA Δu g·(x₀ + x₁)/2',
  nodes: 2,
  internal: false,
  computeEnergy(q, at, material, g) {
    const height = g[0] * (q[at] + q[at + 4]) + g[1] * (q[at + 1] + q[at + 5]) + g[2] * (q[at + 2] + q[at + 6]);
    return -0.5 * material.linearDensity * (q[at + 7] - q[at + 3]) * height;
  },
  addForce(q, at, material, g, out) {
    const half = 0.5 * material.linearDensity;
    const du = q[at + 7] - q[at + 3];
    const height = g[0] * (q[at] + q[at + 4]) + g[1] * (q[at + 1] + q[at + 5]) + g[2] * (q[at + 2] + q[at + 6]);
    for (let k = 0; k < 3; k++) {
      out[at + k] += half * du * g[k];
      out[at + 4 + k] += half * du * g[k];
    }
    out[at + 3] -= half * height;
    out[at + 7] += half * height;
  },
  addStiffness() {},
};
