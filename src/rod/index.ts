export { BendElement } from './energy-bend.ts';
export { StretchElement } from './energy-stretch.ts';
export { computeLink, type RodLink } from './link.ts';
export {
  computeRodStrain,
  computeSegmentStrain,
  computeSegmentTension,
  computeTwist,
} from './measure.ts';
export { computeCurvature } from './mesh-motion.ts';
export * from './nodes.ts';
export * from './options.ts';
export * from './section.ts';
export * from './step.ts';
