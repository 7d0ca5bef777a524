/** Bending of surfaces and curves of the continuum: forces and their change against differences, rest, rigid motion, energy of a cylinder and a ring. */
import { Bending, type CurvePart, Points, type SurfacePart } from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import {
  createRandom,
  differentiate,
  differentiateAll,
  dot,
  moved,
  norm,
  randomRotation,
  relativeError,
} from '../unit/mpm-fixtures.ts';
import { CLOTH, createCloth, createHair, HAIR } from '../unit/mpm-parts.ts';

/** Cloth with uneven triangles, curved at rest or flat. */
const createSheet = (depth: number): SurfacePart & { x: number[] } => {
  const random = createRandom(5);
  const cloth = createCloth(5, 4, 0.02, { ...CLOTH, bendingRigidity: 1e-3 });
  const x = cloth.x.map((value, k) => (k % 3 === 1 ? 0 : value + random.uniform(-0.004, 0.004)));
  for (let k = 0; k < x.length; k += 3) x[k + 1] = depth * Math.sin(40 * x[k] + 25 * x[k + 2]);
  return { ...cloth, x };
};

/** Hairs, curled at rest or straight, and one that is a ring. */
const createCurls = (depth: number): CurvePart & { x: number[] } => {
  const hair = createHair(2, 6, 0.02, { ...HAIR, bendingStiffness: 1e-5 });
  const x = hair.x.slice();
  for (let k = 0; k < x.length; k += 3) x[k + 1] += depth * Math.sin(40 * x[k]);
  for (let k = 0; k < x.length; k += 3) x[k + 2] += depth * Math.cos(60 * x[k]);
  const [first, segments] = [x.length / 3, hair.segments.slice()];
  const ring = depth === 0 ? 0 : 8;
  for (let k = 0; k < ring; k++) {
    x.push(0.03 * Math.cos((2 * Math.PI * k) / ring), 0.2, 0.03 * Math.sin((2 * Math.PI * k) / ring));
    segments.push(first + k, first + ((k + 1) % ring));
  }
  return { ...hair, x, segments };
};

const CASES = [
  { name: 'a flat surface', part: createSheet(0) },
  { name: 'a curved surface', part: createSheet(0.006) },
  { name: 'straight hairs', part: createCurls(0) },
  { name: 'curls and a ring', part: createCurls(0.006) },
];

describe.each(CASES)('bending of $name', ({ part }) => {
  const bending = new Bending(new Points([part]), [part]);
  const rest = Float64Array.from(part.x);
  const size = rest.length;
  const energyAt = (x: Float64Array): number => bending.set(x);
  const forcesAt = (x: Float64Array): Float64Array => {
    const out = new Float64Array(size);
    bending.set(x);
    bending.addForces(out);
    return out;
  };
  const changeAt = (x: Float64Array, u: Float64Array): Float64Array => {
    const out = new Float64Array(size);
    bending.set(x);
    bending.addForceChange(u, out);
    return out;
  };
  const shake = (seed: number, amount: number): Float64Array => {
    const random = createRandom(seed);
    return Float64Array.from({ length: size }, () => amount * random.uniform(-1, 1));
  };
  const bent = moved(rest, shake(3, 0.006), 1);

  test('has forces that are the derivative of its energy, and a change that is the derivative of the forces', () => {
    for (let seed = 11; seed < 15; seed++) {
      const [a, b] = [shake(seed, 1), shake(seed + 100, 1)];
      const power = differentiate((s) => energyAt(moved(bent, a, s)), 1e-6);
      expect(Math.abs(power)).toBeGreaterThan(1e-6);
      expect(-dot(forcesAt(bent), a) / power).toBeCloseTo(1, 6);
      const change = changeAt(bent, a);
      const found = differentiateAll((s) => forcesAt(moved(bent, a, s)), 1e-6);
      expect(norm(found)).toBeGreaterThan(1e-3);
      expect(relativeError(change, found)).toBeLessThan(1e-6);
      expect(Math.abs(dot(change, b) - dot(changeAt(bent, b), a))).toBeLessThan(1e-11 * norm(change) * norm(b));
    }
  });

  test('is nothing at rest, also turned and elsewhere, and resists any change of shape there', () => {
    const R = randomRotation(createRandom(8));
    const turned = rest.map((_, k) => {
      const at = k - (k % 3);
      return (
        [0.3, -0.2, 0.5][k % 3] +
        R[3 * (k % 3)] * rest[at] +
        R[3 * (k % 3) + 1] * rest[at + 1] +
        R[3 * (k % 3) + 2] * rest[at + 2]
      );
    });
    for (const x of [rest, turned]) {
      expect(energyAt(x)).toBeLessThan(1e-20);
      expect(norm(forcesAt(x))).toBeLessThan(1e-11 * norm(forcesAt(bent)));
    }
    for (let seed = 21; seed < 25; seed++) {
      const u = shake(seed, 1);
      expect(-dot(changeAt(rest, u), u)).toBeGreaterThan(0);
    }
  });

  test('does not feel turns, and pushes and turns nothing as a whole', () => {
    const R = randomRotation(createRandom(9));
    const turned = bent.map((_, k) => {
      const at = k - (k % 3);
      return R[3 * (k % 3)] * bent[at] + R[3 * (k % 3) + 1] * bent[at + 1] + R[3 * (k % 3) + 2] * bent[at + 2];
    });
    expect(energyAt(turned) / energyAt(bent)).toBeCloseTo(1, 11);
    const f = forcesAt(bent);
    const sum = new Float64Array(6);
    for (let k = 0; k < size; k += 3)
      for (let i = 0; i < 3; i++) {
        const [j, l] = [(i + 1) % 3, (i + 2) % 3];
        sum[i] += f[k + i];
        sum[3 + i] += bent[k + j] * f[k + l] - bent[k + l] * f[k + j];
      }
    expect(norm(sum)).toBeLessThan(1e-12 * norm(f));
  });
});

test('a patch bent to a cylinder of radius R has the energy D/2R² per area, along, across and askew', () => {
  const [radius, rigidity] = [0.8, 2e-3];
  for (const angle of [0, 0.5, Math.PI / 4, Math.PI / 2, 2.2]) {
    const cloth = createCloth(20, 20, 0.01, { ...CLOTH, bendingRigidity: rigidity });
    const x = new Float64Array(cloth.x.length);
    for (let k = 0; k < x.length; k += 3) {
      const along = Math.cos(angle) * cloth.x[k] + Math.sin(angle) * cloth.x[k + 2];
      const aside = -Math.sin(angle) * cloth.x[k] + Math.cos(angle) * cloth.x[k + 2];
      x.set([radius * Math.sin(along / radius), radius * (1 - Math.cos(along / radius)), aside], k);
    }
    const bending = new Bending(new Points([cloth]), [cloth]);
    // without the border, of which a row does not bend: (19/20)² to 1
    const share = bending.set(x) / ((0.5 * rigidity * 0.2 * 0.2) / radius ** 2);
    expect(share).toBeGreaterThan(0.88);
    expect(share).toBeLessThan(1.02);
  }
});

test('a hair bent to an arc of radius R has the energy E I/2R² per length', () => {
  const [radius, stiffness, n] = [0.3, 2e-6, 40];
  const hair = createHair(1, n, 0.01, { ...HAIR, bendingStiffness: stiffness });
  const x = hair.x.map((_, k) => {
    const angle = (0.01 * Math.floor(k / 3)) / radius;
    return [radius * Math.sin(angle), radius * (1 - Math.cos(angle)), 0][k % 3];
  });
  const bending = new Bending(new Points([hair]), [hair]);
  // ends do not bend: (n − 1)/n
  const share = bending.set(Float64Array.from(x)) / ((0.5 * stiffness * n * 0.01) / radius ** 2);
  expect(share).toBeCloseTo((n - 1) / n, 3);
});

test('triangles that go round in different senses are refused', () => {
  const cloth = createCloth(2, 2, 0.1, { ...CLOTH, bendingRigidity: 1e-3 });
  const [a, b, c, ...others] = cloth.triangles;
  const part = { ...cloth, triangles: [b, a, c, ...others] };
  expect(() => new Bending(new Points([part]), [part])).toThrow(/have opposite orientations/);
});
