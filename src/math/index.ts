export * from './vec3.ts';
