/** Alexander polynomials against known ones, and what must not change them: views, deformations, Reidemeister's moves. */
import { computeKnotInvariant } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import {
  createSignedBraid,
  createTorusKnot,
  type DiagramPoint,
  deform,
  drawTrefoil,
  flatten,
  mapPoints,
  resample,
  rotate,
} from './knot-fixtures.ts';

const TREFOIL = [1, -1, 1];
const TREFOIL_POINTS = drawTrefoil(-1, 1, -1).length;

const multiply = (a: readonly number[], b: readonly number[]): number[] => {
  const product = new Array<number>(a.length + b.length - 1).fill(0);
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) product[i + j] += a[i] * b[j];
  return product;
};

/** t^n − 1 */
const powerMinusOne = (n: number): number[] => [-1, ...new Array<number>(n - 1).fill(0), 1];

describe('torus knots have the polynomial (t^pq − 1)(t − 1)/((t^p − 1)(t^q − 1))', () => {
  test.each([
    [2, 3],
    [2, 5],
    [2, 7],
    [3, 4],
    [3, 5],
    [4, 5],
    [2, 13],
    [5, 6],
  ])('(%i, %i)', (p, q) => {
    const { polynomial, crossings } = computeKnotInvariant(createTorusKnot(p, q, 60 * p), { closed: true });
    expect(multiply(multiply(polynomial, powerMinusOne(p)), powerMinusOne(q))).toEqual(
      multiply(powerMinusOne(p * q), [-1, 1]),
    );
    expect(crossings).toBeGreaterThanOrEqual(Math.min(p * (q - 1), q * (p - 1)));
    const mirrored = computeKnotInvariant(createTorusKnot(p, -q, 60 * p), { closed: true });
    expect(mirrored.polynomial).toEqual(polynomial);
  });

  test('a trefoil has three crossings of one sign, its mirror image of the other', () => {
    const right = computeKnotInvariant(createTorusKnot(2, 3, 90), { closed: true });
    const left = computeKnotInvariant(createTorusKnot(2, -3, 90), { closed: true });
    expect(right).toMatchObject({ crossings: 3, determinant: 3, polynomial: TREFOIL });
    expect(Math.abs(right.writhe)).toBe(3);
    expect(left.writhe).toBe(-right.writhe);
  });
});

describe('crossings that are switched', () => {
  // one switched crossing undoes itself and one of the others: (2, n) becomes (2, n − 2)
  test.each([
    [[1, 1, 1], TREFOIL],
    [[1, 1, -1], [1]],
    [[1, -1, 1], [1]],
    [[-1, -1, -1], TREFOIL],
    [
      [1, 1, 1, 1, 1],
      [1, -1, 1, -1, 1],
    ],
    [[1, 1, -1, 1, 1], TREFOIL],
    [[-1, 1, -1, 1, 1], [1]],
    [
      [1, 1, 1, -1, 1, 1, 1],
      [1, -1, 1, -1, 1],
    ],
  ])('two strands with crossings %j', (signs, polynomial) => {
    const found = computeKnotInvariant(createSignedBraid(signs), { closed: true });
    expect(found.polynomial).toEqual(polynomial);
    const plain = computeKnotInvariant(createSignedBraid(signs), {
      closed: true,
      reduced: false,
      direction: [0.01, 0.02, 1],
    });
    expect(plain.polynomial).toEqual(polynomial);
    expect(plain.crossings).toBe(signs.length);
    expect(Math.abs(plain.writhe)).toBe(Math.abs(signs.reduce((sum, sign) => sum + sign, 0)));
  });

  test('an overhand knot opens when any one of its crossings is switched', () => {
    const end: DiagramPoint = [9, 9, 0];
    const compute = (a: number, b: number, c: number) =>
      computeKnotInvariant(flatten([...drawTrefoil(a, b, c), end])).polynomial;
    expect(compute(-1, 1, -1)).toEqual(TREFOIL);
    expect(compute(1, -1, 1)).toEqual(TREFOIL);
    for (const heights of [
      [1, 1, -1],
      [-1, -1, -1],
      [-1, 1, 1],
    ])
      expect(compute(heights[0], heights[1], heights[2])).toEqual([1]);
  });
});

describe("Reidemeister's moves change crossings, not the polynomial", () => {
  /** Closed round the outside, seen from above as it is. */
  const look = (points: readonly DiagramPoint[]) =>
    computeKnotInvariant(flatten([...points, [12, 12, 0], [12, -9, 0], [-9, -9, 0]]), {
      closed: true,
      direction: [0, 0, 1],
      reduced: false,
    });
  const trefoil = drawTrefoil(-1, 1, -1);
  const plain = look(trefoil);

  test('the knot that is moved', () => {
    expect(plain).toMatchObject({ crossings: 3, polynomial: TREFOIL });
    expect(look(drawTrefoil(-1, 1, 1))).toMatchObject({ crossings: 3, polynomial: [1] });
  });

  test('I: a curl adds one crossing, whose sign depends on the way it lies', () => {
    const writhes = [0.5, -0.5].map((height) => {
      const curl: DiagramPoint[] = [
        [7, 8, 0],
        [8, 9.5, height],
        [7, 11, height],
        [6, 9.5, height],
        [6, 7, height],
        [8, 6, 0],
      ];
      const curled = look([...trefoil, [4, 8, 0], ...curl]);
      expect(curled).toMatchObject({ crossings: 4, polynomial: TREFOIL });
      return curled.writhe - plain.writhe;
    });
    expect(writhes.sort()).toEqual([-1, 1]);
  });

  test('II: a strand laid over or under another adds two crossings that cancel', () => {
    for (const height of [5, -5]) {
      const reach = (x: number): DiagramPoint[] => [
        [8, 7, height],
        [8, 2.4, height],
        [x, 2.3, height],
        [x, 1.6, height],
        [9, 1.2, height],
        [10, 8, 0],
      ];
      expect(look([...trefoil, ...reach(7)])).toMatchObject({ crossings: 3, polynomial: TREFOIL });
      const laid = look([...trefoil, ...reach(5.2)]);
      expect(laid).toMatchObject({ crossings: 5, polynomial: TREFOIL, writhe: plain.writhe });
    }
  });

  test('III: a strand above or below all goes across crossings', () => {
    // y = 1: across the loop; y = −1: on the other side of the crossings at (1.1, 0) and (3, 0)
    const lead = (y: number, height: number): DiagramPoint[] => [
      [8, 7, height],
      [8, y, height],
      [-8, y + 0.1, height],
      [-9, 8, height],
      [-3, 12, 0],
    ];
    for (const height of [9, -9])
      for (const y of [1, -1])
        expect(look([...trefoil, ...lead(y, height)])).toMatchObject({ crossings: 6, polynomial: TREFOIL });
    // between the layers it is another knot: the same view, the same crossings, others above
    expect(look([...trefoil, ...lead(1, 0.3)]).crossings).toBe(6);
  });
});

describe('the polynomial stays', () => {
  const knots: readonly (readonly [string, Float64Array, readonly number[]])[] = [
    ['unknot', createSignedBraid([1, -1, 1]), [1]],
    ['trefoil', createTorusKnot(2, 3, 120), TREFOIL],
    ['(3, 4)', createTorusKnot(3, 4, 150), [1, -1, 0, 1, 0, -1, 1]],
  ];

  test.each(knots)('in every view of the %s, reduced or not', (_name, points, polynomial) => {
    const random = createRandom(11);
    for (let k = 0; k < 12; k++) {
      const direction = random.direction();
      for (const reduced of [true, false])
        expect(computeKnotInvariant(points, { closed: true, direction, reduced }).polynomial).toEqual(polynomial);
    }
  });

  test.each(knots)('when space is deformed, turned and the %s has other points', (_name, points, polynomial) => {
    const random = createRandom(12);
    for (let k = 0; k < 12; k++) {
      const moved = rotate(deform(resample(points, random), random, 4), random);
      expect(computeKnotInvariant(moved, { closed: true }).polynomial).toEqual(polynomial);
    }
  });

  test('with 500 points and a hundred crossings', () => {
    const random = createRandom(13);
    for (let k = 0; k < 4; k++) {
      let points = createTorusKnot(2, 5, 500);
      for (let round = 0; round < 4; round++) points = deform(points, random, 3);
      const direction = random.direction();
      const plain = computeKnotInvariant(points, { closed: true, direction, reduced: false });
      expect(plain.polynomial).toEqual([1, -1, 1, -1, 1]);
      expect(computeKnotInvariant(points, { closed: true }).polynomial).toEqual([1, -1, 1, -1, 1]);
    }
  });

  test('for hugely scaled and shifted curves', () => {
    for (const [scale, shift] of [
      [1e-6, 0],
      [1e6, 3e6],
      [1, 1000],
    ]) {
      const points = mapPoints(createTorusKnot(2, 3, 90), ([x, y, z]) => [
        scale * x + shift,
        scale * y,
        scale * z - shift,
      ]);
      expect(computeKnotInvariant(points, { closed: true }).polynomial).toEqual(TREFOIL);
    }
  });
});

describe('planar and straight curves are unknots', () => {
  test.each([
    ['straight', (t: number) => [t, 0, 0]],
    ['a parabola', (t: number) => [t, t * t, 0]],
    ['a wave', (t: number) => [8 * t, 0, Math.sin(9 * t)]],
  ])('as is this one: %s', (_name, curve) => {
    const points = Float64Array.from({ length: 60 }, (_, k) => curve(Math.floor(k / 3) / 10 - 1)[k % 3]);
    expect(computeKnotInvariant(points)).toEqual({ crossings: 0, writhe: 0, determinant: 1, polynomial: [1] });
  });

  test('large coefficients are exact: twelve trefoils on one rope have (1 − t + t²)¹²', () => {
    const points: DiagramPoint[] = [];
    for (let k = 0; k < 12; k++) for (const [x, y, z] of drawTrefoil(-1, 1, -1)) points.push([x + 20 * k, y, z]);
    // each end at (3.2, 7) goes on to the next start over the top, clear of everything
    const list = points.flatMap((point, i): DiagramPoint[] =>
      i % TREFOIL_POINTS === TREFOIL_POINTS - 1 ? [point, [point[0] + 8, 8, 0]] : [point],
    );
    const { polynomial, determinant } = computeKnotInvariant(flatten(list));
    const expected = Array.from({ length: 12 }).reduce<number[]>((product) => multiply(product, TREFOIL), [1]);
    expect(polynomial).toEqual(expected);
    expect(determinant).toBe(3 ** 12);
  });
});

test('curves that are none are refused in a sentence', () => {
  expect(() => computeKnotInvariant([0, 0, 0, 1, 0])).toThrow(/5 coordinates.*three or more points/);
  expect(() => computeKnotInvariant([0, 0, 0, 1, 0, Number.NaN, 1, 1, 1])).toThrow(/not all finite/);
});
