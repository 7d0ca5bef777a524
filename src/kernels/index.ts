export * from './fronts.ts';
export { KernelMemory } from './memory.ts';
