/** Inside the project only: the model is not whole yet, so the package does not export it. */
export * from './energy-bulk.ts';
export * from './energy-curve.ts';
export * from './energy-fluid.ts';
export * from './energy-surface.ts';
export * from './frame-stress.ts';
export * from './hencky.ts';
export * from './material.ts';
export * from './paper-materials.ts';
export * from './yield-bulk.ts';
export * from './yield-curve.ts';
export * from './yield-surface.ts';
