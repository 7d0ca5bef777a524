export * from './bvh.ts';
export * from './closest.ts';
export * from './hull.ts';
export * from './mass.ts';
export * from './mesh.ts';
export * from './mesh-distance.ts';
export type { MeshFault, ValidateOptions } from './mesh-faults.ts';
export * from './polygon.ts';
export * from './weld.ts';
