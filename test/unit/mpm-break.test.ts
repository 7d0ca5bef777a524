/** Elements of the continuum that tear. */
import { Body, BoxShape, KeyframeTrack } from 'heddle/bodies';
import {
  addPointMomentum,
  Continuum,
  computeElasticEnergy,
  createContinuum,
  type PointPart,
  StressWork,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { norm } from './mpm-fixtures.ts';
import { CLOTH, createCloth, createHair, HAIR } from './mpm-parts.ts';

const work = new StressWork();

/** Stretched along x by a share that grows to the right end: 0 to `most`. */
const stretch = (x: readonly number[], most: number, half: number): number[] =>
  x.map((value, k) => (k % 3 === 0 ? value + (most * (value + half) ** 2) / (4 * half) : value));

describe.each([
  {
    name: 'a hair',
    part: createHair(1, 10, 0.02, { ...HAIR, breakingStrain: 0.2, bendingStiffness: 1e-6 }) as PointPart,
  },
  {
    name: 'a cloth',
    part: createCloth(10, 3, 0.02, { ...CLOTH, breakingStrain: 0.2, bendingRigidity: 1e-4 }) as PointPart,
  },
])('$name', ({ part }) => {
  const x = part.x as readonly number[];
  const create = (most: number, implicit = false): Continuum =>
    new Continuum({ spacing: 0.03, implicit, parts: [{ ...part, rest: x, x: stretch(x, most, 0.1) } as PointPart] });
  const brokenOf = (model: Continuum): number => model.points.gain.filter((value) => value === -1).length;

  test('tears where it is stretched beyond its breaking strain, and nowhere else', () => {
    const whole = create(0.19);
    whole.step(1e-6);
    expect(brokenOf(whole)).toBe(0);
    // elements n of 10 have strains 0.3 (n + ½)/10: beyond 0.2 from the seventh on
    const torn = create(0.3);
    torn.step(1e-6);
    const { points } = torn;
    for (let p = 0; p < points.stressCount; p++) expect(points.gain[p]).toBe(points.x[3 * p] > x[0] + 0.155 ? -1 : 0);
    expect(brokenOf(torn)).toBeGreaterThan(0);
  });

  test('carries nothing where it is torn, keeps both momenta, and never heals', () => {
    const model = create(0.3);
    model.step(1e-6);
    const [broken, energy] = [brokenOf(model), computeElasticEnergy(model.points, work)];
    const start = new Float64Array(6);
    addPointMomentum(model.points, model.spread, start);
    const { points } = model;
    const reachOf = ({ points: { x: places } }: Continuum): number =>
      places.reduce((most, value, k) => (k % 3 === 0 ? Math.max(most, value) : most), -1);
    const material = { ...part.material, breakingStrain: undefined };
    const strong = new Continuum({
      spacing: 0.03,
      parts: [{ ...part, material, rest: x, x: stretch(x, 0.3, 0.1) } as PointPart],
    });
    const held = computeElasticEnergy(strong.points, work);
    let time = 0;
    for (let n = 0; n < 100; n++) time += model.step(1);
    strong.run(time);
    const change = new Float64Array(6);
    addPointMomentum(points, model.spread, change);
    for (let k = 0; k < 6; k++) change[k] -= start[k];
    // the scale of momentum: the elastic energy as motion
    const mass = points.mass.reduce((sum, m) => sum + m, 0);
    expect(norm(change)).toBeLessThan(1e-12 * Math.sqrt(2 * energy * mass));
    expect(brokenOf(model)).toBe(broken);
    // the torn end is not pulled back as that of one that holds
    expect(reachOf(model)).toBeGreaterThan(reachOf(strong) + 0.004);
    expect(energy).toBeLessThan(0.8 * held);
  });

  test('tears in implicit steps as well, and goes on from its state', () => {
    const model = create(0.3, true);
    model.step(1e-4);
    expect(brokenOf(model)).toBeGreaterThan(0);
    const before = brokenOf(model);
    for (let n = 0; n < 3; n++) model.step(1e-3);
    expect(brokenOf(model)).toBe(before);
    expect(model.points.x.every(Number.isFinite)).toBe(true);
  });
});

test('a bundle that is drawn by both ends tears at its breaking strain', () => {
  const track = (side: number): KeyframeTrack =>
    new KeyframeTrack([
      { time: 0, position: [side * 0.1, 0, 0] },
      { time: 1, position: [side * 0.2, 0, 0] },
    ]);
  const hands = [-1, 1].map((side) => ({
    body: new Body({
      id: `hand ${side}`,
      shape: new BoxShape([0.06, 0.2, 0.2]),
      motion: 'scripted',
      track: track(side),
    }),
    condition: 'sticky' as const,
  }));
  const hair = createHair(3, 12, 0.02, { ...HAIR, breakingStrain: 0.1 });
  const model = new Continuum({ spacing: 0.02, parts: [hair], obstacles: hands });
  const { points } = model;
  let [time, torn] = [0, 0];
  while (time < 0.25 && torn === 0) {
    for (const { body } of hands) body.moveTo(time);
    time += model.step(1);
    torn = points.gain.filter((value) => value === -1).length;
  }
  // hands are 0.14 m apart and part by 0.2 m/s: 10 % after 0.07 s, sooner or later by a cell of what they hold
  expect(torn).toBeGreaterThan(0);
  expect(time).toBeGreaterThan(0.05);
  expect(time).toBeLessThan(0.11);
});

describe.each(['single', 'double'] as const)('hairs of spread strength, in %s precision', (precision) => {
  const [COUNT, LINKS, MODULUS, MEAN] = [400, 6, 4, 0.2];
  const material = { ...HAIR, breakingStrain: MEAN, weibullModulus: MODULUS };
  /** Elements that are broken once all are strained alike, hair after hair. */
  const tear = (strain: number, breakingSeed = 1): boolean[] => {
    const part = createHair(COUNT, LINKS, 0.02, { ...material, breakingSeed });
    const x = (part.x as readonly number[]).map((value, k) => (k % 3 === 0 ? (1 + strain) * value : value));
    const model = createContinuum({ spacing: 0.03, precision, parts: [{ ...part, rest: part.x, x }] });
    model.step(1e-9);
    return Array.from(model.points.gain, (value) => value === -1);
  };
  const countWhole = (broken: boolean[], links: number): number =>
    Array.from({ length: broken.length / links }, (_, n) => broken.slice(links * n, links * (n + 1))).filter(
      (chain) => !chain.includes(true),
    ).length;

  test.each([
    ['an element tears at its breaking strain in the mean', 1, 1],
    ['a hair is as strong as its weakest link: n^(−1/m) of that', LINKS, LINKS ** (-1 / MODULUS)],
  ])('%s', (_, links, expected) => {
    // the mean of what is borne is the sum of all shares that still hold, over strain
    const step = 0.1;
    let sum = step / 2;
    for (let s = step; s < 2; s += step) sum += (step * countWhole(tear(s * MEAN), links)) / ((COUNT * LINKS) / links);
    // standard deviation of a strength over its mean is 0.28 (m = 4): four of the mean of 400
    expect(Math.abs(sum / expected - 1)).toBeLessThan((4 * 0.28) / Math.sqrt((COUNT * LINKS) / links));
  });

  test('they tear at places of their own, the same for the same seed', () => {
    const broken = tear(0.8 * MEAN);
    const byLink = Array.from({ length: LINKS }, (_, k) => broken.filter((torn, e) => torn && e % LINKS === k).length);
    // a share of 0.24 of 400 in each link, ± 4 standard deviations
    const share = 1 - Math.exp(-((0.9064 * 0.8) ** MODULUS));
    for (const count of byLink) expect(Math.abs(count - COUNT * share)).toBeLessThan(4 * Math.sqrt(COUNT * share));
    expect(tear(0.8 * MEAN)).toEqual(broken);
    expect(tear(0.8 * MEAN, 2)).not.toEqual(broken);
  });
});
