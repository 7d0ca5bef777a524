/** The public names of Heddle that a user meets first; every folder has its own entry beside this one. */
export { Fabric, type FabricOptions } from './fabric/index.ts';
export * from './model/index.ts';
export { ContinuumModel, type ContinuumModelOptions } from './mpm/index.ts';
export { Rod, type RodOptions } from './rod/index.ts';
export * from './scene/index.ts';
export { Sheet, type SheetOptions } from './sheet/index.ts';
export { Strand, type StrandOptions } from './strand/index.ts';
export { Replay, type ReplayOptions } from './world/replay.ts';
export { type Profile, type StepReport, World, type WorldOptions } from './world/world.ts';
