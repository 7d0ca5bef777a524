/** How laws are run and reported, on laws of no engine; and the references that real ones are compared with. */
import {
  encodeLawPlot,
  encodeValidationReport,
  findLeaving,
  findPressed,
  findTurning,
  LAW_MODELS,
  LAWS,
  type Law,
  PROMISES,
  runFaults,
  runLaw,
  STIFFNESSES,
  type ThresholdLaw,
  type ValueLaw,
} from 'heddle/validate';
import { describe, expect, test } from 'vitest';

/** Letters that fit on an axis. */
const QUANTITY_LENGTH = 60;

const BASE = {
  model: 'rod',
  title: 'a < b',
  source: 'nobody',
  parameter: 'p [1]',
  parameters: [1, 2],
  quantity: 'q [1]',
} as const;

/** q = p EI, measured with an error of 4/n². */
const VALUE: ValueLaw = {
  ...BASE,
  name: 'rod-value',
  kind: 'value',
  stiffnesses: ['EI'],
  resolution: { name: 'cells', values: [20, 40] },
  order: 1.9,
  predict: (p) => p,
  measure: (p, n, { EI = 1 }) => p * EI * (1 + 4 / n ** 2),
};

/** Gives way at q = 3 p EI, a hundredth later than predicted. */
const THRESHOLD: ThresholdLaw = {
  ...BASE,
  name: 'rod-threshold',
  kind: 'threshold',
  stiffnesses: ['EI', 'GJ'],
  predict: (p) => 3 * p,
  givesWay: (p, value, _, { EI = 1 }) => value > 3.03 * p * EI,
};

describe('a law of a value', () => {
  test('has errors at every resolution, their order, and passes where the last is small enough', () => {
    const { rows, order, passes } = runLaw(VALUE);
    expect(passes).toBe(true);
    expect(order).toBeCloseTo(2, 9);
    expect(rows[1].errors[0]).toBeCloseTo(0.01, 12);
    expect(rows[1]).toMatchObject({ parameter: 2, predicted: 2, passes: true });
    expect(rows[1].measured).toBeCloseTo(2.005, 12);
    expect(rows[1].order).toBeCloseTo(2, 9);
  });

  test('fails by an error beyond the tolerance, a lower order than asked for, a number that is none, and an engine that throws', () => {
    expect(runLaw({ ...VALUE, tolerance: 2e-3 }).passes).toBe(false);
    expect(runLaw({ ...VALUE, order: 2.1 }).passes).toBe(false);
    expect(runLaw({ ...VALUE, measure: () => Number.NaN }).passes).toBe(false);
    const { rows, passes } = runLaw({
      ...VALUE,
      measure: () => {
        throw new Error('no rest');
      },
    });
    expect(passes).toBe(false);
    expect(rows[0]).toMatchObject({ passes: false, fault: 'no rest' });
  });

  test('measures errors relative to its scale, and rounding has no order', () => {
    const kept: ValueLaw = { ...VALUE, scale: () => 10, predict: () => 0, measure: () => 1e-12 };
    expect(runLaw(kept).rows[0].errors).toEqual([1e-13, 1e-13]);
    expect(runLaw(kept).order).toBeUndefined();
    expect(runLaw(kept).passes).toBe(true);
  });
});

test('a threshold is looked at on both sides', () => {
  const { rows, passes } = runLaw(THRESHOLD);
  expect(passes).toBe(true);
  expect(rows[0].measured).toEqual([3 * 0.98, 3 * 1.02]);
  // too late, and too early
  expect(runLaw({ ...THRESHOLD, predict: (p) => 2.9 * p }).passes).toBe(false);
  expect(runLaw({ ...THRESHOLD, predict: (p) => 3.2 * p }).passes).toBe(false);
  expect(runLaw({ ...THRESHOLD, margin: 0.005 }).passes).toBe(false);
});

test('a wrong stiffness is noticed where a law depends on it, and said where it does not', () => {
  expect(runFaults(VALUE, 1.1)).toEqual([{ law: 'rod-value', stiffness: 'EI', factor: 1.1, isNoticed: true }]);
  expect(runFaults(THRESHOLD, 1.1).map(({ isNoticed }) => isNoticed)).toEqual([true, false]);
  expect(runLaw(VALUE, { faults: { EI: 1.1 }, endsAtFailure: true }).rows).toHaveLength(1);
});

test('every law of the registry has a name of its own that begins with its model, and an order only where there is something to refine', () => {
  expect(new Set(LAWS.map(({ name }) => name)).size).toBe(LAWS.length);
  for (const law of LAWS) {
    const { name, model, parameters, quantity, stiffnesses, order, resolution } = law;
    // no longer than the axis of a plot, where there is one, and with a unit
    if (quantity.length > QUANTITY_LENGTH)
      for (const parameter of parameters) expect(law.predict(parameter), name).toBe(law.predict(parameters[0]));
    expect(quantity, name).toMatch(/\[[^\]]+\]/);
    expect(name).toMatch(new RegExp(`^${model}-[a-z-]+$`));
    expect(LAW_MODELS).toContain(model);
    expect(parameters.length).toBeGreaterThan(0);
    for (const stiffness of stiffnesses) expect(STIFFNESSES).toContain(stiffness);
    if (order !== undefined) expect(resolution?.values.length, name).toBeGreaterThan(1);
  }
  for (const model of LAW_MODELS) expect(LAWS.some((law) => law.model === model)).toBe(true);
  // every stiffness is one that some law would notice
  for (const stiffness of STIFFNESSES)
    expect(LAWS.some(({ stiffnesses }) => stiffnesses.includes(stiffness))).toBe(true);
});

test('every promise of the models has laws, and every law is one of a promise', () => {
  const named = PROMISES.flatMap(([, laws]) => laws);
  expect(named.slice().sort()).toEqual(LAWS.map(({ name }) => name).sort());
});

describe('the page', () => {
  const law = LAWS.find(({ name }) => name === 'strand-capstan') as Law;
  const result = runLaw(law, { parameters: [0.1, 0.2] });

  test('has a plot with the predicted curve and both sides, and needs nothing from elsewhere', () => {
    const plot = encodeLawPlot(result);
    expect(plot.match(/<polyline/g)).toHaveLength(1);
    // two rows and the legend, of two marks
    expect(plot.match(/<path/g)).toHaveLength(6);
    const page = encodeValidationReport([result], new Map([[result.name, plot]]), { EI: 1.1 });
    expect(page).toContain('<article id="strand-capstan">');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('Made wrong on purpose: EI × 1.1');
    expect(page).toContain(plot.slice(0, 100));
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|@import|url\(/);
  });

  test('writes statements as text', () => {
    const page = encodeValidationReport([{ ...result, title: '<script>' }], new Map());
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script>');
  });
});

describe('references', () => {
  const ribbon = { A: 1, B: 1e5, C: 0.8, curvature: 0, clamp: Math.PI / 2 };

  test('a ribbon leaves its plane at 4.0126 √(AC)/L² by a load at its tip, at 12.854 √(AC)/L³ by its weight', () => {
    // C α″ + (P²/A)(1 − s)² α = 0: zeros of J_{−1/4}; with (1 − s)⁴ for a weight
    expect(findLeaving((load) => ({ ...ribbon, load, weight: 0 }), 0.2) / Math.sqrt(0.8)).toBeCloseTo(4.0126, 3);
    expect(findLeaving((weight) => ({ ...ribbon, load: 0, weight }), 0.7) / Math.sqrt(0.8)).toBeCloseTo(12.8539, 2);
  });

  test('a ribbon that cannot warp at its clamp turns as one that is shorter by λ = W √(A/12C), over which warping dies out', () => {
    expect(findTurning(2, 1e-3) / Math.SQRT2).toBeCloseTo(12.86, 2);
    const lambda = 0.05 / Math.sqrt(24);
    expect(Math.abs(findTurning(2, 0.05) / findTurning(2, 1e-4) / (1 - lambda) ** -3 - 1)).toBeLessThan(1e-3);
  });

  test('a pressed strip begins with the first root of tan k = k, and a push aside of √ε', () => {
    const [small, four] = [1e-3, 4e-3].map((value) => findPressed(({ compression }) => compression, value));
    expect(small.force).toBeCloseTo(4.4934 ** 2, 1);
    expect(four.ratio / small.ratio).toBeCloseTo(2, 2);
    expect(Math.abs(four.x[four.x.length - 1])).toBeLessThan(1e-9);
    expect(four.y[four.y.length - 1]).toBeCloseTo(1 - 4e-3, 8);
  });
});
