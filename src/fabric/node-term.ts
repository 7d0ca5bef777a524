/**
 * Adds a term of one node to the system: its coordinates are x, y, z of the node and, with a fourth, a material one.
 *     r −= h ∇V + p H v        A += h² H        p = h² while linearised
 */
import type { FabricStage } from './segments.ts';
import type { FabricTerm } from './term.ts';
import type { FabricSystem } from './terms.ts';

/** `at`: first coordinate of the node; `u`: its material one; `diagonal`: place of its block. */
export function addNodeTerm(
  { size, gradient, hessian }: FabricTerm,
  at: number,
  u: number,
  v: Float64Array,
  { h, linearized }: FabricStage,
  { rhs, values }: FabricSystem,
  diagonal: number,
): void {
  for (let r = 0; r < size; r++) {
    const row = r < 3 ? at + r : u;
    let change = h * gradient[r];
    for (let c = 0; c < size; c++) {
      const column = c < 3 ? at + c : u;
      const stiffness = h * h * hessian[size * r + c];
      if (linearized) change += stiffness * v[column];
      if (values !== null) values[25 * diagonal + 5 * (row - at) + column - at] += stiffness;
    }
    rhs[row] -= change;
  }
}
