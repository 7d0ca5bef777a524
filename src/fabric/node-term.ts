/**
 * Adds a term of one node to the system: its coordinates are x, y, z of the node and, with a fourth, a material one.
 *     r −= h ∇V        A += h² H
 * Both are those of the iterate q̂ + h v, also in the first iteration, in which other terms take V' of q̂ and its change by H: whether something touches or slips is not
 * seen at q̂.
 */

import type { FabricSystem } from './stage.ts';
import type { FabricTerm } from './term.ts';

/** `at`: first coordinate of the node; `u`: its material one; `diagonal`: place of its block. */
export function addNodeTerm(
  { size, gradient, hessian }: FabricTerm,
  at: number,
  u: number,
  h: number,
  { rhs, values }: FabricSystem,
  diagonal: number,
): void {
  for (let r = 0; r < size; r++) {
    const row = r < 3 ? at + r : u;
    rhs[row] -= h * gradient[r];
    if (values === null) continue;
    const o = 25 * diagonal + 5 * (row - at) - at;
    for (let c = 0; c < size; c++) values[o + (c < 3 ? at + c : u)] += h * h * hessian[size * r + c];
  }
}
