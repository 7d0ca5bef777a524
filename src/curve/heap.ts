/**
 * What is left to the next step in a heap, where a solve takes long and forces are shared in many ways.
 */

/** In how many passes of a stage friction is taken anew from the newest normal forces; in a heap these are as a rule those of the step before. */
const PASSES = 4;
/** Depth in bodies that the next step may bring out, in radii. */
const DEPTH = 0.01;

export const computeFrictionPasses = (isHeap: boolean): number => (isHeap ? 1 : PASSES);

/** [m] */
export const computeLeftDepth = (isHeap: boolean, radius: number): number => (isHeap ? DEPTH * radius : 0);
