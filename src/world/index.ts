export * from './drivers.ts';
export * from './integrator.ts';
export * from './probes.ts';
export * from './ties.ts';
export * from './world.ts';
