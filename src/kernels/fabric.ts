/**
 * The loops of a fabric's assembly in C (fabric.inc): segments, bends, shears and contacts of EIL nodes, added to matrix and right-hand side. Their twins in TypeScript, with the same bits, are the loops of
 * src/fabric: segments.ts, bends.ts, shears.ts, eil-contacts.ts and measure.ts. They read sizes and where things are from a table of 32-bit numbers, places in bytes from the start of `KernelMemory`, and the numbers of a
 * stage from one of doubles.
 */

/** Order of the table. */
export const FABRIC_PLACES = [
  // blocks of the matrix; columns of the first domain; yarns, bends, shears, contacts of nodes that are EIL on one yarn and on both
  'n',
  'half',
  'yarns',
  'bendCount',
  'shearCount',
  'singleCount',
  'doubleCount',
  // matrix, 0 where it is not wanted
  'values',
  'columnStart',
  // state, gaps of EIL nodes, right-hand side and forces of sides (0 where nobody asks)
  'q',
  'v',
  'qBase',
  'vBase',
  'gap',
  'rhs',
  'sideForce',
  // yarn of each side; ρA, rest factor, EA over it, EI and EA of each yarn
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
  'singles',
  'singleSlots',
  'doubles',
  'doubleSlots',
  // K and the proximal term of each contact
  'singleNumbers',
  'doubleNumbers',
  'numbers',
] as const;

/** Numbers of a yarn. */
export const FABRIC_MATERIAL = 5;
/**
 * How many numbers the table of the stage has: h, h² + βh, s h² + βh, 1 + αh, whether momentum is kept, whether the stiffness is exact, g (3), s, whether the iterate is a guess; then
 * the energies of stretch, and of bending with shear, that were measured last.
 */
export const FABRIC_NUMBERS = 13;
export const FABRIC_ENERGIES = 11;

export interface FabricKernels {
  /** Adds to the columns of a domain, 0 (up to `half`) or 1; domain 1 may be left out where `half` is n. */
  addCloth(table: number, domain: number): void;
  /** Writes the energies of the state. */
  measureCloth(table: number): void;
}
