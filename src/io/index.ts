export * from './csv.ts';
export * from './exporters.ts';
export * from './frame-file.ts';
export * from './glb.ts';
export * from './obj.ts';
export type { BodyGeometry, RecordedRun } from './recorded-run.ts';
export * from './resample.ts';
export * from './tube.ts';
export type { TubeJoints } from './tube-path.ts';
