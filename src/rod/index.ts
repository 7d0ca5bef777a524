export { BendElement } from './energy-bend.ts';
export { StretchElement } from './energy-stretch.ts';
export * from './section.ts';
