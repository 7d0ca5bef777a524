export { jamGuides, RemeshRoom, remeshStrand } from './adapt.ts';
export type { EdgeSite, Guide, PointSite } from './guides.ts';
export { fractionOf, type Place, Polyline } from './layout.ts';
export {
  computeNodeCurvature,
  computeNodeStrain,
  computeNodeVelocity,
  computeSegmentStrain,
  writeSegmentVelocity,
} from './measure.ts';
export { DEFAULT_REMESH, type StrandGuide, type StrandOptions } from './options.ts';
export { StrandState } from './state.ts';
export { Strand } from './step.ts';
