export * from './element.ts';
export * from './overlay.ts';
export * from './transfer.ts';
