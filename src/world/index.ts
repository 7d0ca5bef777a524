export * from './drivers.ts';
export * from './grab.ts';
export * from './integrator.ts';
export * from './node-quantities.ts';
export * from './probes.ts';
export * from './replay.ts';
export * from './ties.ts';
export * from './world.ts';
