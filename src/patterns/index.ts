export * from './arcs.ts';
