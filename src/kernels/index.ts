export * from './fronts.ts';
export { KernelMemory } from './memory.ts';
export * from './net.ts';
export * from './sheet.ts';
