/**
 * The continuum's loops in C (mpm.inc, mpm-laws.inc, mpm-elements.inc, mpm-bending.inc), in single precision. Their twins are the loops of src/mpm in double precision: results agree to rounding, not in their bits. They read sizes and where
 * things are from a table of 32-bit numbers, places in bytes from the start of `KernelMemory`, the numbers of a step from one of doubles, and those of a group from a table a group.
 */

/** Order of the table. */
export const MPM_PLACES = [
  // particles, those that carry stress, groups, elements, vertices, hinges, bends; room for blocks, size of the hash table − 1; blocks, homes, first home of the second domain
  'count',
  'stressCount',
  'groupCount',
  'elementCount',
  'vertexCount',
  'hingeCount',
  'bendCount',
  'room',
  'mask',
  'blockCount',
  'homeCount',
  'half',
  'numbers',
  'groups',
  // particles: place, rows (C, v and what lies beside), F; where a particle is, which one it is, its home; particles by home; where it is among the nodes of its home
  'x',
  'row',
  'F',
  'slot',
  'id',
  'home',
  'order',
  'spot',
  // elements: stress, forces on corners, volume, corners (vertices from 0 on); motion of elements, then vertices; force on vertices
  'stress',
  'pull',
  'volume',
  'corners',
  'motion',
  'force',
  // of vertices: their places in `pull` and weights; neighbours and their weights
  'incidentStart',
  'incidents',
  'incidentWeight',
  'rowStart',
  'rows',
  'rowWeight',
  'y',
  'residual',
  'direction',
  'other',
  // bending: hinges of surfaces, bends of curves; their forces, and where those of a vertex are
  'hinges',
  'hingeElements',
  'hingeEdges',
  'hingeStiffness',
  'restAngle',
  'turn',
  'hinge',
  'bends',
  'bendElements',
  'bendStiffness',
  'bendAngle',
  'push',
  'pushStart',
  'pushes',
  'spareX',
  'spareRow',
  'spareF',
  'spareId',
  // blocks
  'start',
  'cursor',
  'rank',
  'table',
  'block',
  'spareBlock',
  'neighbours',
  'sources',
  'reference',
  'homeSpan',
  'span',
  'scratch',
  'pile',
  'node',
  'rate',
  'moved',
  'fastest',
] as const;

export type MpmPlace = (typeof MPM_PLACES)[number];

/** Doubles of a step: Δx, h, gravity, the lightest particle's mass, Σ w r². */
export const MPM_NUMBERS = ['spacing', 'duration', 'x', 'y', 'z', 'lightest', 'spread'] as const;

/** 32-bit words of a group: whole numbers, then single-precision ones (see `Group` in mpm.inc). */
export const MPM_GROUP = [
  'type',
  'first',
  'count',
  'firstElement',
  'firstVertex',
  'vertexCount',
  'cursor',
  'rule',
  'mu',
  'lambda',
  'stiffness',
  'shear',
  'friction',
  'along',
  'memory',
  'symmetric',
  'ahead',
  'old',
  'whole',
  'breaking',
  'least',
] as const;
export const MPM_GROUP_WORDS = 32;
/** Words between the two domains' numbers of `least`, and of `fastest`. */
export const MPM_LEAST_STRIDE = 4;
export const MPM_FASTEST_STRIDE = 16;

/** Whole numbers beside single-precision ones are kept as this more. */
export const MPM_WHOLE = 2 ** 23;

/** Types of groups, in the order of their numbers. */
export const MPM_TYPES = ['surface', 'curve', 'sand', 'goo', 'fluid'] as const;

/** Nodes of a pile, and numbers of one: momentum and mass, force and memory. */
export const MPM_PILE = 216;
/** Numbers of a home's cells, four each. */
const CELLS = 864;
/** Bytes of a domain's scratch: three times the nodes round a home, two times its cells, the weights of a particle, and shares of cells. */
export const MPM_SCRATCH = 16 * (3 * MPM_PILE + 2 * CELLS + 24);

export interface MpmKernels {
  /** Finds blocks and sorts particles: 0, or 1 where there is no room, or −1 − p for a particle that is not on the grid. */
  sortMpm(table: number): number;
  /** Puts bulk particles of a home side by side; after `sortMpm`. */
  reorderMpm(table: number): void;
  /** F := U diag(s) of sand or goo. */
  straightenBulk(table: number, first: number, count: number): void;
  // both domains of each
  addToPiles(table: number, domain: number): void;
  gatherNodes(table: number, domain: number): void;
  moveNodes(table: number, domain: number): void;
  readFromNodes(table: number, domain: number): void;
  projectBulk(table: number, domain: number): void;
  stressElements(table: number, domain: number): void;
  bendHinges(table: number, domain: number): void;
  pushHinges(table: number, domain: number): void;
  pullVertices(table: number, domain: number): void;
  startCentres(table: number, domain: number): void;
  stepCentres(table: number, domain: number): void;
  moveVertices(table: number, domain: number): void;
  moveElements(table: number, domain: number): void;
}
