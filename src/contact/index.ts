export * from './body-contact.ts';
export * from './dynamic-contact.ts';
export { createEdgeHit, type EdgeHit } from './facet-edges.ts';
export type { RoundSolid } from './facet-round.ts';
export * from './facets.ts';
export * from './force-list.ts';
export * from './node-forces.ts';
export * from './node-frames.ts';
export * from './placement.ts';
