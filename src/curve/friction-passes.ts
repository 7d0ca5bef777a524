/**
 * In how many passes of a stage friction is taken anew from the newest normal forces. In heaps, where a solve takes long and forces are shared
 * in many ways, once: the rest follows from step to step, as the normal forces of the last one are where the next begins.
 */
const PASSES = 4;
/** Rows from which on it is a heap. */
const HEAP = 300;

export const computeFrictionPasses = (rows: number): number => (rows > HEAP ? 1 : PASSES);
