import fc from 'fast-check';
import {
  angularVelocityBetween,
  conjugateQuaternion,
  crossVec3,
  determinantMat3,
  distanceVec3,
  dotQuaternion,
  IDENTITY_QUATERNION,
  integrateQuaternion,
  mat3FromQuaternion,
  multiplyMat3,
  multiplyQuaternion,
  normalizeQuaternion,
  type Quaternion,
  quaternionFromAxisAngle,
  quaternionFromMat3,
  quaternionFromRotationVector,
  rotateDiagonal,
  rotateVec3,
  rotationVectorFromQuaternion,
  scaleVec3,
  slerpQuaternion,
  transformVec3,
  transposeMat3,
  turnQuaternion,
  unrotateVec3,
  type Vec3,
} from 'heddle/math';
import { describe, expect, test } from 'vitest';

const component = fc.double({ min: -1, max: 1, noNaN: true });
const vector = fc.tuple(component, component, component) as fc.Arbitrary<Vec3>;
const rotation = fc
  .tuple(component, component, component, component)
  .filter((q) => Math.hypot(...q) > 1e-3)
  .map((q) => normalizeQuaternion(q as unknown as Quaternion));
/** q and −q are the same rotation. */
const rotationDistance = (a: Quaternion, b: Quaternion): number => {
  const sign = dotQuaternion(a, b) < 0 ? -1 : 1;
  return Math.hypot(...a.map((value, i) => value - sign * b[i]));
};
const TINY = 4e-15;

describe('quaternions', () => {
  test('a quarter turn about z takes x to y (right-handed)', () => {
    const q = quaternionFromAxisAngle([0, 0, 2], Math.PI / 2);
    expect(distanceVec3(rotateVec3(q, [1, 0, 0]), [0, 1, 0])).toBeLessThan(1e-15);
    expect(distanceVec3(unrotateVec3(q, [0, 1, 0]), [1, 0, 0])).toBeLessThan(1e-15);
    expect(quaternionFromAxisAngle([0, 0, 0], 1)).toEqual(IDENTITY_QUATERNION);
    expect(normalizeQuaternion([0, 0, 0, 0])).toEqual(IDENTITY_QUATERNION);
  });

  test('product, conjugate and matrix agree', () => {
    fc.assert(
      fc.property(rotation, rotation, vector, (a, b, v) => {
        const both = rotateVec3(multiplyQuaternion(a, b), v);
        expect(distanceVec3(both, rotateVec3(a, rotateVec3(b, v)))).toBeLessThan(TINY);
        const product = multiplyMat3(mat3FromQuaternion(a), mat3FromQuaternion(b));
        expect(distanceVec3(both, transformVec3(product, v))).toBeLessThan(TINY);
        expect(distanceVec3(rotateVec3(conjugateQuaternion(a), rotateVec3(a, v)), v)).toBeLessThan(TINY);
        expect(Math.abs(determinantMat3(product) - 1)).toBeLessThan(TINY);
        expect(rotationDistance(quaternionFromMat3(mat3FromQuaternion(a)), a)).toBeLessThan(TINY);
      }),
    );
  });

  test('matrix to quaternion survives half turns about every axis', () => {
    const axes: Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 0],
      [0, -1, 1],
      [1, 1, 1],
    ];
    for (const axis of axes) {
      const q = quaternionFromAxisAngle(axis, Math.PI);
      expect(rotationDistance(quaternionFromMat3(mat3FromQuaternion(q)), q)).toBeLessThan(TINY);
    }
  });

  test('logarithm inverts the exponential from 1e-160 to half a turn', () => {
    fc.assert(
      fc.property(vector, fc.double({ min: -160, max: Math.log10(3.14), noNaN: true }), (direction, exponent) => {
        const length = Math.hypot(...direction);
        fc.pre(length > 1e-3);
        const angle = 10 ** exponent;
        const r = scaleVec3(direction, angle / length);
        const back = rotationVectorFromQuaternion(quaternionFromRotationVector(r));
        expect(distanceVec3(back, r)).toBeLessThan(2e-15 * angle * (1 + 1 / (Math.PI - angle)));
      }),
    );
    expect(rotationVectorFromQuaternion(IDENTITY_QUATERNION)).toEqual([0, 0, 0]);
    expect(rotationVectorFromQuaternion([-0, -0, -0, -1]).map(Math.abs)).toEqual([0, 0, 0]);
  });

  test('integration by the angular velocity between two orientations meets the second exactly', () => {
    fc.assert(
      fc.property(rotation, rotation, fc.double({ min: 1e-4, max: 10, noNaN: true }), (a, b, h) => {
        expect(rotationDistance(integrateQuaternion(a, angularVelocityBetween(a, b, h), h), b)).toBeLessThan(1e-14);
      }),
    );
  });

  test('the derivative of a turned vector is ω × v', () => {
    const q = quaternionFromAxisAngle([1, 2, 3], 0.7);
    const omega: Vec3 = [0.3, -1.1, 0.8];
    const v = rotateVec3(q, [0.2, 0.5, -0.4]);
    const h = 1e-5;
    const ahead = rotateVec3(integrateQuaternion(q, omega, h), [0.2, 0.5, -0.4]);
    const behind = rotateVec3(integrateQuaternion(q, omega, -h), [0.2, 0.5, -0.4]);
    const rate = ahead.map((value, i) => (value - behind[i]) / (2 * h)) as unknown as Vec3;
    expect(distanceVec3(rate, crossVec3(omega, v))).toBeLessThan(1e-9);
  });

  test('turning in place agrees with the exponential map, also by many turns and by none', () => {
    fc.assert(
      fc.property(
        rotation,
        fc.tuple(component, component, component),
        fc.double({ min: 0, max: 40, noNaN: true }),
        (q, w, h) => {
          const turned = Float64Array.from(q);
          turnQuaternion(turned, w, h);
          // a rounding of the angle itself turns by ε ‖h ω‖
          const tolerance = 2e-15 * (1 + h * Math.hypot(...w));
          expect(
            rotationDistance([turned[0], turned[1], turned[2], turned[3]], integrateQuaternion(q, w, h)),
          ).toBeLessThan(tolerance);
          expect(Math.abs(Math.hypot(...turned) - 1)).toBeLessThan(1e-15);
        },
      ),
    );
  });

  test('slerp meets both ends, turns evenly and takes the short way', () => {
    fc.assert(
      fc.property(rotation, rotation, component.map(Math.abs), (a, b, t) => {
        expect(rotationDistance(slerpQuaternion(a, b, 0), a)).toBeLessThan(1e-14);
        expect(rotationDistance(slerpQuaternion(a, b, 1), b)).toBeLessThan(1e-14);
        const whole = Math.hypot(...angularVelocityBetween(a, b, 1));
        const part = Math.hypot(...angularVelocityBetween(a, slerpQuaternion(a, b, t), 1));
        expect(whole).toBeLessThanOrEqual(Math.PI + 1e-14);
        expect(Math.abs(part - t * whole)).toBeLessThan(1e-13);
      }),
    );
    const a = quaternionFromAxisAngle([0, 1, 0], 1);
    const b = quaternionFromAxisAngle([0, 1, 0], 1 + 1e-12);
    expect(rotationDistance(slerpQuaternion(a, b, 0.5), a)).toBeLessThan(1e-12);
  });

  test('a turned diagonal tensor is R D Rᵀ', () => {
    const q = quaternionFromAxisAngle([1, -2, 0.5], 1.3);
    const r = mat3FromQuaternion(q);
    const d = Float64Array.of(1, 0, 0, 0, 2, 0, 0, 0, 5);
    const expected = multiplyMat3(multiplyMat3(r, d), transposeMat3(r));
    const found = rotateDiagonal(q, [1, 2, 5]);
    for (let i = 0; i < 9; i++) expect(found[i]).toBeCloseTo(expected[i], 14);
  });
});
