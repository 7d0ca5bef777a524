export { YarnBending } from './energy-bending.ts';
export { computeContactStiffness, EilContact } from './energy-contact.ts';
export { CrossingFriction, computeNormalLoad, dragAnchor } from './energy-friction.ts';
export { bendsAround, hasParallelContact, type MeetingYarn, ParallelContact } from './energy-parallel.ts';
export { CrossingShear } from './energy-shear.ts';
export { YarnStretch } from './energy-stretch.ts';
export { StitchWrapping } from './energy-wrapping.ts';
export { EilNode } from './interpolation.ts';
export type { FabricTerm } from './term.ts';
