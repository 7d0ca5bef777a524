export * from './errors.ts';
export * from './frame.ts';
