export * from './angle.ts';
export * from './decompose.ts';
export * from './eigen.ts';
export * from './mat3.ts';
export * from './quaternion.ts';
export * from './random.ts';
export * from './tanh.ts';
export * from './vec3.ts';
