/**
 * The continuum in single precision against the one in double precision: one step of every material, many steps, the same bits however it is run.
 */
import {
  type BulkPart,
  Continuum,
  type ContinuumOptions,
  createContinuum,
  type PointPart,
  SingleContinuum,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom, norm } from './mpm-fixtures.ts';
import { CLOTH, createCloth, createHair, createHeap, HAIR } from './mpm-parts.ts';

/** The same part with random velocities about a common one [m/s]. */
const stir = <T extends PointPart & { x: number[] }>(
  part: T,
  common: readonly number[],
  size: number,
  seed: number,
): T & { v: number[] } => {
  const random = createRandom(seed);
  return { ...part, v: part.x.map((_, k) => common[k % 3] + size * random.normal()) };
};

/** The same part, higher and folded a little. */
const fold = <T extends PointPart & { x: number[] }>(part: T, y: number): T => ({
  ...part,
  x: part.x.map((value, k) => (k % 3 === 1 ? value + y + 0.1 * Math.abs(part.x[k - 1]) : value)),
});

const withMaterial = (part: BulkPart & { x: number[] }, numbers: object): BulkPart & { x: number[] } => ({
  ...part,
  material: { ...part.material, ...numbers } as BulkPart['material'],
});

/** Parts that are strained, sheared and near their limits after some steps. */
const SCENES: Readonly<Record<string, () => PointPart[]>> = {
  fluid: () => [
    stir(
      withMaterial(createHeap('fluid', 8, 0.01, [0.013, 0.02, -0.03]), { viscosity: 0.1, dampingTime: 0.05 }),
      [0.3, -1, 0],
      0.3,
      1,
    ),
  ],
  sand: () => [stir(createHeap('sand', 8, 0.01, [0.013, 0.02, -0.03]), [0.3, -1, 0], 0.3, 2)],
  'sand of Klár': () => [
    stir(
      withMaterial(createHeap('sand', 8, 0.01, [0.013, 0.02, -0.03]), { sandFriction: 'klar', memory: 0.01 }),
      [0.3, -1, 0],
      0.3,
      3,
    ),
  ],
  goo: () => [
    stir(
      withMaterial(createHeap('goo', 8, 0.01, [0.013, 0.02, -0.03]), { yieldStress: 300, viscosity: 2 }),
      [0.3, -1, 0],
      0.3,
      4,
    ),
  ],
  cloth: () => [0, 0.012, 0.03].map((y, k) => fold(stir(createCloth(9, 7, 0.013), [0.3, -20 * y, 0], 0.3, 10 + k), y)),
  'cloth without friction': () =>
    [0, 0.012].map((y, k) =>
      fold(
        stir(createCloth(9, 7, 0.013, { ...CLOTH, shearStiffness: 0, memory: 0 }), [0.3, -20 * y, 0], 0.3, 20 + k),
        y,
      ),
    ),
  hair: () => [0, 0.008, 0.016].map((y, k) => fold(stir(createHair(6, 11, 0.009), [0.3, -30 * y, 0], 0.3, 30 + k), y)),
  "hair of the paper's friction": () =>
    [0, 0.008].map((y, k) =>
      fold(
        stir(
          createHair(6, 11, 0.009, { ...HAIR, alongFriction: 'mean', crossFriction: 'printed', dampingTime: 0.01 }),
          [0.3, -30 * y, 0],
          0.3,
          40 + k,
        ),
        y,
      ),
    ),
  mixture: () => [
    stir(createHeap('sand', 4, 0.01, [0.01, 0.04, 0]), [0, -1, 0], 0.3, 51),
    stir(createCloth(9, 7, 0.013), [0, 0, 0.2], 0.3, 52),
    stir(createHeap('fluid', 5, 0.01, [-0.02, -0.05, 0]), [0, 1, 0], 0.3, 53),
    fold(stir(createHair(6, 11, 0.009), [0.3, -1, 0], 0.3, 54), 0.02),
    stir(createHeap('goo', 4, 0.01, [0.04, -0.05, 0.01]), [0, 1, 0], 0.3, 55),
  ],
  solid: () => [stir(createHeap('goo', 8, 0.01, [0.013, 0.02, -0.03]), [0.3, -1, 0], 0.3, 5)],
};

const createOptions = (parts: readonly PointPart[]): ContinuumOptions => ({
  spacing: 0.02,
  gravity: [0.5, -9.8, 0],
  parts,
});

/** F of fluids and elements, F Fᵀ of sand and goo, which do not see what is turned before. */
const shapesOf = (model: Continuum | SingleContinuum): number[] => {
  const { F, groups } = model.points;
  const out: number[] = [];
  for (const { type, first, count } of groups)
    for (let at = 9 * first; at < 9 * (first + count); at += 9) {
      if (type !== 'sand' && type !== 'goo') {
        out.push(...F.subarray(at, at + 9));
        continue;
      }
      for (let i = 0; i < 9; i += 3)
        for (let j = 0; j < 9; j += 3)
          out.push(F[at + i] * F[at + j] + F[at + i + 1] * F[at + j + 1] + F[at + i + 2] * F[at + j + 2]);
    }
  return out;
};

/** ‖a − b‖/‖scale‖ */
const distance = (a: ArrayLike<number>, b: ArrayLike<number>, scale: number): number =>
  norm(Float64Array.from(a, (value, k) => value - b[k])) / scale;

/** What a state's numbers are, all of them. */
const bitsOf = ({ points: { x, v, C, F, gain } }: Continuum | SingleContinuum): number[] =>
  [x, v, C, F, gain].flatMap((array) => Array.from(array));

test.each(Object.keys(SCENES))(
  'one step of %s is as long as in double precision, and moves everything alike to 1e-5',
  (name) => {
    // the state that both start from is taken after some steps in double precision
    const double = new Continuum(createOptions(SCENES[name]()));
    for (let n = 0; n < 25; n++) double.step(1);
    const single = new SingleContinuum({ ...createOptions(SCENES[name]()), threads: 1 });
    for (const key of ['x', 'v', 'C', 'F', 'gain'] as const) single.points[key].set(double.points[key]);
    single.takePoints();
    const before = Float64Array.from(double.points.x);
    const h = double.step(1);
    expect(single.step(1) / h).toBeCloseTo(1, 6);
    const [a, b] = [single.points, double.points];
    const moved = norm(b.x.map((x, k) => x - before[k]));
    expect(moved).toBeGreaterThan(0);
    expect(distance(a.x, b.x, moved)).toBeLessThan(1e-5);
    expect(distance(a.v, b.v, norm(b.v))).toBeLessThan(1e-6);
    // C is made of differences of velocities over Δx
    expect(distance(a.C, b.C, norm(b.v) / 0.02)).toBeLessThan(1e-6);
    expect(distance(shapesOf(single), shapesOf(double), norm(shapesOf(double)))).toBeLessThan(1e-5);
    expect(distance(a.gain, b.gain, Math.sqrt(a.gain.length))).toBeLessThan(1e-6);
  },
);

describe.each(Object.keys(SCENES))('%s', (name) => {
  const run = (model: SingleContinuum, steps: number): SingleContinuum => {
    for (let n = 0; n < steps; n++) model.step(1);
    return model;
  };
  const create = (threads: 1 | 2): SingleContinuum =>
    new SingleContinuum({ ...createOptions(SCENES[name]()), threads });

  test('has the same bits on two threads, read now and then, and taken up from a saved state', () => {
    const expected = bitsOf(run(create(1), 40));
    const shared = create(2);
    run(shared, 40);
    expect(bitsOf(shared)).toEqual(expected);
    shared.dispose();
    const saved = run(create(1), 23);
    const resumed = create(1);
    for (const key of ['x', 'v', 'C', 'F', 'gain'] as const) resumed.points[key].set(saved.points[key]);
    resumed.takePoints();
    expect(bitsOf(run(resumed, 17))).toEqual(expected);
    expect(bitsOf(run(saved, 17))).toEqual(expected);
  });
});

test('createContinuum takes single precision where it can', () => {
  const options = createOptions(SCENES.sand());
  expect(createContinuum(options)).toBeInstanceOf(SingleContinuum);
  expect(createContinuum({ ...options, precision: 'double' })).toBeInstanceOf(Continuum);
  expect(createContinuum({ ...options, degree: 3 })).toBeInstanceOf(Continuum);
  expect(createContinuum({ ...options, implicit: true })).toBeInstanceOf(Continuum);
  expect(createContinuum({ ...options, deformation: 'elastic' })).toBeInstanceOf(Continuum);
  expect(() => createContinuum({ ...options, degree: 3, precision: 'single' })).toThrow('quadratic splines');
});
