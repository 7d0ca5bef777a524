import { computeAngle, computeSineCosine, createRandom, writeAngles } from 'heddle/math';
import { expect, test } from 'vitest';

test('the angle equals atan2 to 4 units in the last place, tiny and nearly straight angles too', () => {
  const random = createRandom(7);
  let worst = 0;
  for (let n = 0; n < 200_000; n++) {
    const scale = 10 ** random.uniform(-8, 8);
    const theta = n % 3 === 0 ? 10 ** random.uniform(-15, 0) : random.uniform(0, Math.PI);
    const [s, c] = [scale * Math.sin(theta), scale * Math.cos(theta)];
    const expected = Math.atan2(s, c);
    worst = Math.max(worst, Math.abs(computeAngle(s, c) - expected) / (expected * Number.EPSILON));
  }
  expect(worst).toBeLessThan(4);
});

test('the angle of the axes is exact', () => {
  expect(computeAngle(0, 1)).toBe(0);
  expect(computeAngle(0, -1)).toBe(Math.PI);
  expect(Math.abs(computeAngle(1, 0) - Math.PI / 2)).toBeLessThan(3e-16);
});

test('a list of angles has the bits of single ones, in all four quadrants', () => {
  const random = createRandom(9);
  const [s, c] = [0, 1].map(() => Float64Array.from({ length: 1000 }, () => random.uniform(-3, 3)));
  s[0] = 0;
  const out = new Float64Array(1001).fill(7);
  writeAngles(s, c, out, 1000);
  for (let k = 0; k < 1000; k++) expect(out[k]).toBe((s[k] < 0 ? -1 : 1) * computeAngle(Math.abs(s[k]), c[k]));
  expect(out[1000]).toBe(7);
  writeAngles(s, c, s, 1000);
  expect(s).toEqual(out.slice(0, 1000));
});

test('sine and cosine equal those of Math to 2 units in the last place of 1, for many turns too', () => {
  const random = createRandom(8);
  let [worst, worstOfSmall] = [0, 0];
  for (let n = 0; n < 200_000; n++) {
    const x = random.uniform(-1, 1) * 10 ** random.uniform(-9, 6);
    const [s, c] = computeSineCosine(x);
    worst = Math.max(worst, Math.abs(s - Math.sin(x)), Math.abs(c - Math.cos(x)));
    if (Math.abs(x) < 0.5) worstOfSmall = Math.max(worstOfSmall, Math.abs((s - Math.sin(x)) / x));
  }
  expect(worstOfSmall).toBeLessThan(3e-16);
  expect(worst).toBeLessThan(2 * Number.EPSILON);
  expect(computeSineCosine(0)).toEqual([0, 1]);
});
