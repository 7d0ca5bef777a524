/**
 * Functions whose bits an engine may choose are the package's own: all of `src` but the command and the formulas of `validate` uses them, so that Node and browsers give the same bits.
 * What JavaScript leaves to engines: Math.sin … Math.hypot, and powers. +, ×, ÷, √, floor and the like are exact everywhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  computeCubeRoot,
  computeHypot2,
  computeHypot3,
  computeHypot4,
  computeLength,
  computeLog2,
  computePower,
  computePowerOfTwo,
  computeSignedAngle,
  createRandom,
} from 'heddle/math';
import { expect, test } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url);
/** Where engines may differ: what prints to a terminal or a file, and what laws predict; nothing of it goes into a state. */
const FREE = [/^cli\//, /^validate\//, /^io\/line-plot\.ts$/];
const LOOSE =
  /Math\.(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|expm1|log|log1p|log2|log10|pow|cbrt|hypot)\b/;
/** Powers other than squares and whole powers of two, whose bits the next test but one holds. */
const POWER = /(?<!\b2 )\*\* (?!2\b)/;

const readSources = (): [string, string][] =>
  (readdirSync(SOURCES, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !FREE.some((free) => free.test(file)))
    .map((file) => [file, readFileSync(new URL(file, SOURCES), 'utf8')]);

/** Lines of code, comments left out. */
const listLines = (text: string): string[] =>
  text
    .replace(/\/\*.*?\*\//gs, (comment) => comment.replace(/[^\n]/g, ''))
    .split('\n')
    .map((line) => line.replace(/\/\/.*|'[^']*'/g, ''));

test('no function that engines may round as they like is used but by the command and by what laws predict', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap(([file, text]) =>
    listLines(text).flatMap((line, k) =>
      LOOSE.test(line) || POWER.test(line) ? [`${file}:${k + 1}: ${line.trim()}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

test('the search for them sees what it is to see', () => {
  for (const line of ['const a = Math.sin(x);', 'f(Math.hypot(a, b))', 'x ** 3', 'a ** b', 'square ** 1.5'])
    expect(LOOSE.test(line) || POWER.test(line), line).toBe(true);
  for (const line of ['Math.sqrt(x)', '(a - b) ** 2', '2 ** k', 'Math.floor(x)', 'Math.fround(x)'])
    expect(LOOSE.test(line) || POWER.test(line), line).toBe(false);
});

test('squares and whole powers of two by ** are exact in this engine', () => {
  const random = createRandom(11);
  let other = 0;
  for (let n = 0; n < 200_000; n++) {
    const x = random.uniform(-1, 1) * computePowerOfTwo(random.integer(-200, 200));
    if (x ** 2 !== x * x) other++;
  }
  for (let k = -1000, power = computePowerOfTwo(-1000); k <= 1000; k++, power *= 2) {
    if (2 ** k !== power) other++;
    if (computePowerOfTwo(k) !== power) other++;
  }
  expect(other).toBe(0);
});

test('lengths are those of Math.hypot in V8, bit by bit, and the odd ones everywhere', () => {
  const random = createRandom(5);
  const draw = (): number => random.uniform(-1, 1) * 10 ** random.uniform(-8, 8);
  let other = 0;
  for (let n = 0; n < 100_000; n++) {
    const [a, b, c, d] = [draw(), draw(), draw(), draw()];
    if (computeHypot2(a, b) !== Math.hypot(a, b)) other++;
    if (computeHypot3(a, b, c) !== Math.hypot(a, b, c)) other++;
    if (computeLength([a, b, c]) !== Math.hypot(a, b, c)) other++;
    if (computeHypot4(a, b, c, d) !== Math.hypot(a, b, c, d)) other++;
  }
  const odd = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, -3, 1e-310, 1e300];
  for (const a of odd)
    for (const b of odd)
      for (const c of odd) {
        if (!Object.is(computeHypot2(a, b), Math.hypot(a, b))) other++;
        if (!Object.is(computeHypot3(a, b, c), Math.hypot(a, b, c))) other++;
        if (!Object.is(computeHypot4(a, b, c, a), Math.hypot(a, b, c, a))) other++;
      }
  expect(other).toBe(0);
});

/** A number as a fraction n / 2^k, exactly. */
function split(x: number): [bigint, bigint] {
  let k = 0n;
  for (let y = x; !Number.isInteger(y); y *= 2) k++;
  return [BigInt(x * 2 ** Number(k)), k];
}

/** Whether the cube of a is at most x > 0, exactly. */
function isCubeAtMost(a: number, x: number): boolean {
  const [[n, k], [m, l]] = [split(a), split(x)];
  return (n * n * n) << l <= m << (3n * k);
}

/** The number next to x > 0, one unit in the last place away. */
function step(x: number, way: 1 | -1): number {
  const view = new BigInt64Array(Float64Array.of(x).buffer);
  view[0] += BigInt(way);
  return new Float64Array(view.buffer)[0];
}

test('cube roots are within one unit in the last place, by exact arithmetic', () => {
  const random = createRandom(7);
  for (let n = 0; n < 3000; n++) {
    const x = n < 40 ? (n + 1) ** 3 : random.uniform(0, 1) * 10 ** random.uniform(-12, 12);
    const root = computeCubeRoot(x);
    expect(isCubeAtMost(step(root, -1), x), `∛${x}`).toBe(true);
    expect(isCubeAtMost(step(root, 1), x), `∛${x}`).toBe(false);
    expect(computeCubeRoot(-x)).toBe(-root);
  }
  for (const x of [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])
    expect(computeCubeRoot(x)).toBe(x);
});

test('logarithms to base 2 are exact for powers of two and near those of Math elsewhere; powers and signed angles are near Math’s', () => {
  const random = createRandom(9);
  for (let k = -1022; k <= 1023; k++) expect(computeLog2(2 ** k)).toBe(k);
  expect(computeLog2(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(computeLog2(-1)).toBeNaN();
  let worst = 0;
  for (let n = 0; n < 50_000; n++) {
    const x = 10 ** random.uniform(-200, 200);
    worst = Math.max(worst, Math.abs(computeLog2(x) - Math.log2(x)) / Math.max(1, Math.abs(Math.log2(x))));
    const [base, share] = [random.uniform(1e-6, 1), random.uniform(0, 1)];
    worst = Math.max(worst, Math.abs(computePower(base, share) / base ** share - 1) / (1 + Math.abs(Math.log(base))));
    const [s, c] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    worst = Math.max(worst, Math.abs(computeSignedAngle(s, c) - Math.atan2(s, c)) / 4);
  }
  expect(worst).toBeLessThan(3 * Number.EPSILON);
  expect([computePower(0, 0), computePower(0, 0.5), computePower(1, 0.3)]).toEqual([1, 0, 1]);
  expect([computeSignedAngle(0, -1), computeSignedAngle(0, 0)]).toEqual([Math.PI, 0]);
});
