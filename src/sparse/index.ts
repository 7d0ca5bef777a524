export * from './chain.ts';
export * from './chain-border-columns.ts';
export * from './chain-bordered.ts';
export * from './dense.ts';
