/**
 * The end-to-end checks of [theory/mpm#numerical-stickiness]: a sheet in free flight, and four sheets 0.6 cells apart of which the lowest is held, in gravity that is tilted. How fast the
 * top one is after 0.2 s, with what particles remember of their velocities and how they rub.
 */
import { Body, PlaneShape } from 'heddle/bodies';
import {
  addPointMomentum,
  computeDampingTime,
  computeKineticEnergy,
  createContinuum,
  PRECISIONS,
  type SurfaceMaterial,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createSheet, createWalls, meanOf } from './mpm-parts.ts';

const g = 9.81;
const DEGREE = Math.PI / 180;
const CLOTH = { type: 'surface', density: 300, poissonRatio: 0.3, normalStiffness: 2e4, shearStiffness: 2e3 } as const;

describe.each(PRECISIONS)('a sheet in free flight, %s precision', (precision) => {
  test('keeps momentum, angular momentum and energy in 2,000 steps', () => {
    const material: SurfaceMaterial = { ...CLOTH, thickness: 2e-3, youngsModulus: 2e4, frictionAngle: 0 };
    const sheet = createSheet(8, 8, 0.02, -0.08, 0, material);
    const rate = 3;
    const v: number[] = [];
    for (let k = 0; k < sheet.x.length; k += 3) v.push(0.5 - rate * sheet.x[k + 2], 0.2, rate * sheet.x[k] - 0.3);
    const model = createContinuum({ precision, spacing: 0.03, parts: [{ ...sheet, v }] });
    for (let p = 0; p < model.points.count; p++) model.points.C.set([0, 0, -rate, 0, 0, 0, rate, 0, 0], 9 * p);
    model.takePoints();
    const measure = (): { momentum: Float64Array; energy: number } => {
      const momentum = new Float64Array(6);
      addPointMomentum(model.points, model.spread, momentum);
      return { momentum, energy: computeKineticEnergy(model.points, model.spread) };
    };
    const start = measure();
    let time = 0;
    for (let n = 0; n < 2000; n++) time += model.step(1);
    // more than a turn and a half
    expect(rate * time).toBeGreaterThan(3 * Math.PI);
    const end = measure();
    const change = (first: number): number => {
      const part = (values: Float64Array): Float64Array => values.subarray(first, first + 3);
      const size = Math.hypot(...part(start.momentum));
      return Math.hypot(...part(end.momentum).map((value, k) => value - start.momentum[first + k])) / size;
    };
    // about the origin, which the sheet is 2 m away from in the end
    expect(change(0)).toBeLessThan(precision === 'double' ? 1e-11 : 5e-6);
    expect(change(3)).toBeLessThan(precision === 'double' ? 1e-9 : 5e-5);
    expect(Math.abs(end.energy / start.energy - 1)).toBeLessThan(0.0025);
  });
});

describe('four sheets in tilted gravity', () => {
  const [spacing, duration] = [0.02, 0.2];
  interface Case {
    readonly friction: number;
    /** [°], default 20. */
    readonly slope?: number;
    /** [s], default 2e-4. */
    readonly step?: number;
    /** What is remembered in a step, a of affine FLIP; default 0, APIC. */
    readonly kept?: number;
    /** ν of a step. */
    readonly damping?: number;
  }

  /** Speed of the top sheet [m/s]. */
  const slide = ({ friction, slope = 20, step = 2e-4, kept = 0, damping = 0 }: Case): number => {
    const material: SurfaceMaterial = {
      ...CLOTH,
      thickness: 0.6 * spacing,
      youngsModulus: 5e3,
      frictionAngle: Math.atan(friction),
      // a = exp(−h/τ), 1 − ν = exp(−h/τ)
      memory: computeDampingTime(1 - kept, step),
      dampingTime: computeDampingTime(damping, step),
    };
    const size = spacing / 2;
    const model = createContinuum({
      spacing,
      gravity: [g * Math.sin(slope * DEGREE), -g * Math.cos(slope * DEGREE), 0],
      parts: [0, 1, 2, 3].map((k) => createSheet(16, 5, size, -8 * size, 0.6 * spacing * (k - 1.2), material)),
      obstacles: [
        { body: new Body({ id: 'floor', shape: new PlaneShape() }), condition: 'sticky' },
        ...createWalls(1.5 * spacing),
      ],
    });
    model.run(duration, step);
    return meanOf(model, model.points.v, 3, 0);
  };

  const ideal = g * Math.sin(20 * DEGREE) * duration;
  const free = slide({ friction: 0 });

  test('stick by APIC alone without friction, twice as much in steps of half the length', () => {
    // a viscosity of about 0.005 Δx²/Δt
    expect(free).toBeLessThan(0.4 * ideal);
    expect(free).toBeGreaterThan(0.3 * ideal);
    expect(free / slide({ friction: 0, step: 1e-4 })).toBeCloseTo(2, 0.7);
  });

  test('stick four times as much where a fifth of the strain rate is damped in a step', () => {
    expect(free / slide({ friction: 0, damping: 0.2 })).toBeGreaterThan(4);
  });

  test('slide freely where particles remember: 0.9 of a step, and 0.99', () => {
    const [some, most] = [0.9, 0.99].map((kept) => slide({ friction: 0, kept }) / ideal);
    expect(some).toBeGreaterThan(0.7);
    expect(some).toBeLessThan(0.8);
    expect(most).toBeGreaterThan(0.95);
    expect(most).toBeLessThan(1.01);
  });

  test.each([
    { friction: 0.6, slope: 20, kept: 0 },
    { friction: 0.3, slope: 10, kept: 0 },
    { friction: 0.6, slope: 20, kept: 0.99 },
  ])('hold each other below the friction angle: c_F = $friction at $slope°, $kept remembered', (one) => {
    // what is remembered comes to rest later
    expect(Math.abs(slide(one))).toBeLessThan(one.kept === 0 ? 0.005 : 0.03);
  });

  test.each([
    [0.2, 20],
    [0.3, 25],
  ])('slide above it with 1 − c_F/tan θ of the speed without friction: c_F = %f at %i°', (friction, slope) => {
    const share = slide({ friction, slope }) / (slope === 20 ? free : slide({ friction: 0, slope }));
    // borders carry less: 0.013 here
    expect(Math.abs(share - (1 - friction / Math.tan(slope * DEGREE)))).toBeLessThan(0.02);
  });

  test('slide above it with g (sin θ − c_F cos θ) where particles remember', () => {
    const expected = 1 - 0.2 / Math.tan(20 * DEGREE);
    // borders: 0.04 at this size, 0.007 for sheets of 0.4 m × 0.12 m
    expect(Math.abs(slide({ friction: 0.2, kept: 0.99 }) / ideal - expected)).toBeLessThan(0.05);
  });
});
