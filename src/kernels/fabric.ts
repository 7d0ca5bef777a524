/**
 * The loops of a fabric's assembly in C (fabric.inc): segments, bends and shears, added to matrix and right-hand side. Their twins in TypeScript, with the same bits, are the loops of
 * src/fabric: segments.ts and terms.ts. They read sizes and where things are from a table of 32-bit numbers, places in bytes from the start of `KernelMemory`, and the numbers of a
 * stage from one of doubles.
 */

/** Order of the table. */
export const FABRIC_PLACES = [
  // blocks of the matrix; columns of the first domain; yarns, bends and shears
  'n',
  'half',
  'yarns',
  'bendCount',
  'shearCount',
  // matrix, 0 where it is not wanted
  'values',
  'columnStart',
  // state, right-hand side and forces of sides (0 where nobody asks)
  'q',
  'v',
  'qBase',
  'vBase',
  'rhs',
  'sideForce',
  // yarn of each side; ρA, rest factor, EA and EI of each yarn
  'yarn',
  'material',
  // lists of stencils
  'segmentStart',
  'segments',
  'segmentSlots',
  'bends',
  'bendSlots',
  'shears',
  'shearSlots',
  // k_x L and φ₀ of each shear
  'shearNumbers',
  'numbers',
] as const;

/** Numbers of a yarn. */
export const FABRIC_MATERIAL = 4;
/** How many numbers the table of the stage has: h, h² + βh, s h² + βh, 1 + αh, whether momentum is kept, whether the stiffness is exact, g (3). */
export const FABRIC_NUMBERS = 9;

export interface FabricKernels {
  /** Adds to the columns of a domain, 0 (up to `half`) or 1; domain 1 may be left out where `half` is n. */
  addCloth(table: number, domain: number): void;
}
