/**
 * How much of a mesh stays when it is made anew: vertices keep their label and their place in the material, or go.
 *
 *     share kept = vertices that stay / vertices before
 */

/** What remeshings did since the start. */
export interface MeshCoherence {
  readonly remeshings: number;
  /** Share kept by the last remeshing, and the sum of all shares. */
  readonly last: number;
  readonly sum: number;
  /** Vertices that went and that came. */
  readonly gone: number;
  readonly born: number;
}

/** Before the first remeshing. */
export const FULL_COHERENCE: MeshCoherence = { remeshings: 0, last: 1, sum: 0, gone: 0, born: 0 };

/** With one more remeshing, from the labels before to those after. */
export function countRemeshing(so: MeshCoherence, before: Int32Array, after: Int32Array): MeshCoherence {
  const known = new Set(before);
  let stay = 0;
  for (const label of after) if (known.has(label)) stay++;
  const last = stay / before.length;
  return {
    remeshings: so.remeshings + 1,
    last,
    sum: so.sum + last,
    gone: so.gone + before.length - stay,
    born: so.born + after.length - stay,
  };
}

/** Mean share kept of all remeshings; 1 without any. */
export const computeMeanKept = ({ remeshings, sum }: MeshCoherence): number => (remeshings > 0 ? sum / remeshings : 1);
