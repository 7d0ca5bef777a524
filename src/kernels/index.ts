export * from './fabric.ts';
export * from './fronts.ts';
export { KernelMemory, type KernelMemoryOptions, type SharedKernels } from './memory.ts';
export * from './mpm.ts';
export * from './net.ts';
export * from './sheet.ts';
export { canCompileKernels } from './simd.ts';
export { canShareMemory, KernelThread } from './threads.ts';
