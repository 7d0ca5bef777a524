/**
 * The package's own elementary functions against exact values, over random and hard arguments: near the ends of what their arguments are reduced to, near zeros, near 1. Bounds are in units in the last place
 * of the exact value; docs/internals/reliability.md has them, as the files of the functions do.
 */
import { readFileSync } from 'node:fs';
import {
  computeAngle,
  computeExp,
  computeLog,
  computeLog2,
  computePower,
  computeSignedAngle,
  computeSineCosine,
  computeTanh,
  createRandom,
} from 'heddle/math';
import { describe, expect, test } from 'vitest';
import * as exact from './exact.ts';

const fixed = exact.toFixedPoint;

/** Numbers next to x on both sides, and itself. */
function near(x: number): number[] {
  const view = new BigInt64Array(Float64Array.of(x).buffer);
  return [-2n, -1n, 0n, 1n, 2n].map((way) => new Float64Array(BigInt64Array.of(view[0] + way).buffer)[0]);
}

interface Case {
  readonly name: string;
  /** Most units in the last place, as the docs have it. */
  readonly bound: number;
  /** How many of them it takes at least somewhere, so that the test is known to see errors. */
  readonly seen: number;
  readonly find: (...args: number[]) => number;
  readonly exact: (...args: bigint[]) => bigint;
  readonly draw: (random: ReturnType<typeof createRandom>) => number[];
  readonly hard: readonly number[][];
}

const COUNT = 1200;
const whole = (count: number, first = 0): number[] => Array.from({ length: count }, (_, k) => k + first);
const single = (...lists: number[][]): number[][] => lists.flat().map((x) => [x]);
const signed = (random: ReturnType<typeof createRandom>, low: number, high: number): number =>
  (random.uniform() < 0.5 ? -1 : 1) * 10 ** random.uniform(low, high);

/** Multiples of π/2 up to 10⁶ and the numbers around them: sines and cosines of 10⁻¹⁶. */
const quarters = [...whole(40, 1), 710, 52174, 103993, 208341, 312689, 571000]
  .map((k) => (k * Math.PI) / 2)
  .flatMap((x) => [...near(x), ...near(-x), x + Math.PI / 4, x - 1e-7, ...near(x + 0.502), ...near(x - 0.507)]);

const CASES: readonly Case[] = [
  {
    name: 'exp',
    bound: 1.2,
    seen: 0.9,
    find: computeExp,
    exact: exact.exp,
    draw: (random) => [random.uniform(-50, 300)],
    hard: single(
      whole(40, -20).flatMap((k) => near((k + 0.5) * Math.LN2)),
      [1e-300, 1e-17, 1e-9, -1e-9, 1, -1, 709, 709.78].filter((x) => Math.abs(x) > 1e-40),
    ),
  },
  {
    name: 'log',
    bound: 2,
    seen: 1.4,
    find: computeLog,
    exact: exact.log,
    draw: (random) => [random.uniform() < 0.5 ? 10 ** random.uniform(-30, 300) : 1 + signed(random, -12, -0.4)],
    hard: single(whole(20, -10).flatMap((k) => [...near(Math.SQRT2 * 2 ** k), ...near(2 ** k)])),
  },
  {
    name: 'log2',
    bound: 3.2,
    seen: 2,
    find: computeLog2,
    exact: exact.log2,
    draw: (random) => [random.uniform() < 0.5 ? 10 ** random.uniform(-30, 300) : 1 + signed(random, -12, -0.4)],
    hard: single(whole(20, -10).flatMap((k) => [...near(Math.SQRT2 * 2 ** k), ...near(2 ** k)])),
  },
  {
    name: 'sin',
    bound: 2.5,
    seen: 1,
    find: (x) => computeSineCosine(x)[0],
    exact: (x) => exact.sineCosine(x)[0],
    draw: (random) => [signed(random, -9, 6)],
    hard: single(quarters),
  },
  {
    name: 'cos',
    bound: 2.5,
    seen: 1,
    find: (x) => computeSineCosine(x)[1],
    exact: (x) => exact.sineCosine(x)[1],
    draw: (random) => [signed(random, -9, 6)],
    hard: single(quarters),
  },
  {
    name: 'angles',
    bound: 6,
    seen: 3,
    find: computeSignedAngle,
    exact: exact.angle,
    draw: (random) => [signed(random, -9, 2), signed(random, -2, 2)],
    hard: whole(33, -16).flatMap((k) => [
      [Math.sin((k * Math.PI) / 16), Math.cos((k * Math.PI) / 16)],
      [2 ** -k, 1],
      [-(2 ** -k), -1],
    ]),
  },
  {
    name: 'tanh',
    bound: 3.5,
    seen: 1.5,
    find: computeTanh,
    exact: exact.tanh,
    draw: (random) => [signed(random, -9, 1.4)],
    hard: single([0.25, 0.5, 1, 2, 4, 8, 16, 20].flatMap((x) => [...near(x), ...near(-x)])),
  },
];

function findWorst({ find, exact: compute, draw, hard }: Case): { units: number; args: readonly number[] } {
  const random = createRandom(17);
  let worst = { units: 0, args: [] as readonly number[] };
  for (const args of [...hard, ...whole(COUNT).map(() => draw(random))]) {
    const units = exact.countUnits(find(...args), compute(...args.map(fixed)));
    if (!(units <= worst.units)) worst = { units, args };
  }
  return worst;
}

test.each(CASES)('$name is off by at most $bound units in the last place', (one) => {
  const { units, args } = findWorst(one);
  expect(units, `of (${args.join(', ')})`).toBeLessThanOrEqual(one.bound);
  expect(units).toBeGreaterThan(one.seen);
});

test('powers are off by at most 2 units, and 2 more for each unit of y ln x', () => {
  const random = createRandom(23);
  let worst = 0;
  for (let n = 0; n < COUNT; n++) {
    const [x, y] = [10 ** random.uniform(-6, 6), random.uniform(-3, 3)];
    const units = exact.countUnits(computePower(x, y), exact.power(fixed(x), fixed(y)));
    worst = Math.max(worst, units / (2 + 2 * Math.abs(y * Math.log(x))));
  }
  expect(worst).toBeLessThan(1);
  expect(worst).toBeGreaterThan(0.3);
});

test('docs/internals/reliability.md says these bounds', () => {
  const docs = readFileSync(new URL('../../docs/internals/reliability.md', import.meta.url), 'utf8');
  for (const { name, bound } of CASES) expect(docs).toContain(`${name} ${bound}`);
});

describe('what they are compared with', () => {
  test('has the known digits', () => {
    const digits = (value: bigint): string => ((value * 10n ** 40n) >> 220n).toString();
    expect(digits(exact.exp(fixed(1)))).toBe('27182818284590452353602874713526624977572');
    expect(digits(exact.log(fixed(10)))).toBe('23025850929940456840179914546843642076011');
    expect(digits(exact.angle(fixed(0), fixed(-1)))).toBe('31415926535897932384626433832795028841971');
    expect(digits(exact.angle(fixed(1), fixed(1)))).toBe('7853981633974483096156608458198757210492');
    expect(digits(exact.sineCosine(fixed(1))[0])).toBe('8414709848078965066525023216302989996225');
    expect(digits(exact.sineCosine(fixed(100))[1])).toBe('8623188722876839341019385139508425355100');
    expect(digits(exact.tanh(fixed(0.5)))).toBe('4621171572600097585023184836436725487302');
    expect(digits(exact.log2(fixed(10)))).toBe('33219280948873623478703194294893901758648');
    expect(digits(exact.power(fixed(2), fixed(0.5)))).toBe('14142135623730950488016887242096980785696');
  });

  test('counts units', () => {
    const third = (1n << 220n) / 3n;
    expect(exact.countUnits(1 / 3, third)).toBeCloseTo(1 / 3, 5);
    expect(exact.countUnits(1 / 3 + 2 ** -54, third)).toBeCloseTo(2 / 3, 5);
    expect(exact.countUnits(1, fixed(1 + 2 ** -52))).toBe(1);
  });
});

test('odd arguments have odd values, as of Math', () => {
  const odd = [0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of odd) {
    expect(computeExp(x)).toBe(Math.exp(x));
    expect(computeLog(x)).toBe(Math.log(x));
    expect(computeTanh(x)).toBe(Math.tanh(x));
  }
  expect([computeExp(-746), computeExp(711), computeLog(-1)]).toEqual([0, Number.POSITIVE_INFINITY, Number.NaN]);
  expect(computeAngle(0, 1)).toBe(0);
});
