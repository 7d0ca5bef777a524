export { jamGuides, RemeshRoom, remeshStrand } from './adapt.ts';
export { Crossing, Foot } from './crossing.ts';
export { type CrossingOptions, StrandCrossings } from './crossings.ts';
export { GuideContacts } from './guide-contacts.ts';
export type { EdgeSite, Guide, PointSite } from './guides.ts';
export { fractionOf, type Place, Polyline } from './layout.ts';
export {
  computeNodeCoordinate,
  computeNodeCurvature,
  computeNodeDistance,
  computeNodeStrain,
  computeSegmentStrain,
} from './measure.ts';
export { DEFAULT_REMESH, type StrandGuide, type StrandOptions, type StrandSpool } from './options.ts';
export { computeSpoolInertia, computeStock, type Spool, StrandSpools } from './spools.ts';
export { StrandState } from './state.ts';
export { Strand } from './step.ts';
export type { TouchParts, TouchRows } from './touch-rows.ts';
