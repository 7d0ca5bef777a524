/**
 * Three-vectors for set-up code and public interfaces: plain tuples, returned new.
 * Hot loops work on flat Float64Arrays with inline arithmetic instead.
 */

export type Vec3 = readonly [number, number, number];

export const addVec3 = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subVec3 = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaleVec3 = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
/** a + s b */
export const addScaledVec3 = (a: Vec3, b: Vec3, s: number): Vec3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const dotVec3 = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const crossVec3 = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const lengthVec3 = (a: Vec3): number => Math.sqrt(dotVec3(a, a));
export const distanceVec3 = (a: Vec3, b: Vec3): number => lengthVec3(subVec3(a, b));
/** a/‖a‖, or the fallback where a is zero. */
export const normalizeVec3 = (a: Vec3, fallback: Vec3 = [1, 0, 0]): Vec3 => {
  const length = lengthVec3(a);
  return length > 0 ? scaleVec3(a, 1 / length) : fallback;
};
/** (1 − t) a + t b */
export const lerpVec3 = (a: Vec3, b: Vec3, t: number): Vec3 => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
