export { YarnBending } from './energy-bending.ts';
export { computeContactStiffness, EilContact } from './energy-contact.ts';
export { computeFrictionEnergy, computeFrictionPull, dragAnchor } from './energy-friction.ts';
export { bendsAround, hasParallelContact, type MeetingYarn, ParallelContact } from './energy-parallel.ts';
export { CrossingShear } from './energy-shear.ts';
export { EdgeHold, SolidContact, SolidFriction } from './energy-solid.ts';
export { YarnStretch } from './energy-stretch.ts';
export { StitchWrapping } from './energy-wrapping.ts';
export { EilNode } from './interpolation.ts';
export { addLayerContacts, type LayerContactOptions, type StitchLine } from './layer-contacts.ts';
export { computeLayerOptions, type LayerYarns } from './layer-defaults.ts';
export { computeTension } from './load.ts';
export { countNodes, type NodeCounts } from './measure.ts';
export {
  ROLE_BETWEEN,
  ROLE_CROSSING,
  ROLE_EDGE,
  ROLE_POINT,
  ROLE_STITCH,
  type YarnNet,
} from './net.ts';
export type { FabricOptions, LayerOptions } from './options.ts';
export type { FabricState } from './state.ts';
export { Fabric } from './step.ts';
export type { FabricTerm } from './term.ts';
