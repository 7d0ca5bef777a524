/** Friction of the continuum with itself: slabs of sheets and hairs on an incline, heaps of sand. */
import { Body, PlaneShape } from 'heddle/bodies';
import { Continuum, createContinuum, type SandFriction } from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createHairs, createSheet, createWalls, meanOf } from './mpm-parts.ts';

const DEGREE = Math.PI / 180;
const g = 9.81;

describe('three layers that fill their space, the lowest held, on an incline', () => {
  const [spacing, size, mu] = [0.02, 0.01, 0.5];
  const phi = Math.atan(mu);

  const createLayer = (kind: 'sheets' | 'hairs', layer: number) => {
    const y = 0.6 * spacing * (layer - 0.2);
    const common = { density: 300, poissonRatio: 0.3, frictionAngle: phi };
    return kind === 'sheets'
      ? createSheet(20, 6, size, -10 * size, y, {
          type: 'surface',
          thickness: 0.6 * spacing,
          youngsModulus: 5e3,
          normalStiffness: 2e4,
          shearStiffness: 2e3,
          ...common,
        })
      : createHairs(7, 20, size, -10 * size, y, {
          type: 'curve',
          radius: Math.sqrt((0.6 * 0.5) / Math.PI) * spacing,
          youngsModulus: 2e4,
          fibreStiffness: 2e4,
          shearStiffness: 5e3,
          ...common,
        });
  };

  /** Speed of the top layer 0.05 s and 0.15 s after the slab was tilted, by an angle beyond that of friction; it has come to rest pressed before. */
  const slide = (kind: 'sheets' | 'hairs', beyond: number) => {
    const slope = phi + beyond * DEGREE;
    const gravity: [number, number, number] = [0, -g * Math.cos(slope), 0];
    const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, 0.3 * spacing, 0] });
    const model = new Continuum({
      spacing,
      gravity,
      parts: [0, 1, 2].map((layer) => createLayer(kind, layer)),
      obstacles: [{ body: floor, condition: 'sticky' }, ...createWalls(3.5 * size)],
    });
    const stop = (): void => {
      model.points.v.fill(0);
      model.points.C.fill(0);
    };
    for (let n = 0; n < 20; n++) {
      model.run(4e-3, 4e-4);
      stop();
    }
    gravity[0] = g * Math.sin(slope);
    model.run(0.05, 4e-4);
    const early = meanOf(model, model.points.v, 2, 0);
    model.run(0.1, 4e-4);
    const late = meanOf(model, model.points.v, 2, 0);
    return { early, late, acceleration: (late - early) / 0.1, ideal: g * (Math.sin(slope) - mu * Math.cos(slope)) };
  };

  // 0.01 g is 0.5° of slope: what grid and memory hold back
  test.each(['sheets', 'hairs'] as const)(
    '1° below its friction angle it comes to rest, 1° above it slides with g (sin θ − μ cos θ): %s',
    (kind) => {
      const below = slide(kind, -1);
      expect(below.late).toBeLessThan(0.6 * below.early);
      expect(below.late).toBeLessThan(0.02);
      const above = slide(kind, 1);
      expect(above.late).toBeGreaterThan(1.1 * above.early);
      expect(Math.abs(above.acceleration - above.ideal)).toBeLessThan(0.01 * g);
    },
  );
});

describe('a long heap of sand', () => {
  /** How much of its height a heap of a slope loses in half a second, after it has settled. */
  const sink = (slope: number, rule: SandFriction): number => {
    const [spacing, half] = [0.02, 0.3];
    const size = spacing / 2;
    const steepness = Math.tan(slope * DEGREE);
    const x: number[] = [];
    for (let i = -30; i < 30; i++)
      for (let j = 0; j < 40; j++)
        for (let k = 0; k < 4; k++)
          if ((j + 0.5) * size < steepness * (half - Math.abs(i + 0.5) * size))
            x.push((i + 0.5) * size, (j + 0.5) * size, (k - 1.5) * size);
    const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, 1e-6, 0] });
    const model = createContinuum({
      spacing,
      gravity: [0, -g, 0],
      parts: [
        {
          x,
          volume: size ** 3,
          material: {
            type: 'sand',
            density: 1600,
            youngsModulus: 1e6,
            poissonRatio: 0.3,
            frictionAngle: 30 * DEGREE,
            sandFriction: rule,
          },
        },
      ],
      obstacles: [{ body: floor, condition: 'sticky' }, ...createWalls(0.999 * spacing)],
    });
    const heightOf = (): number =>
      model.points.x.reduce((most, value, k) => (k % 3 === 1 ? Math.max(most, value) : most), 0);
    model.run(0.2);
    const height = heightOf();
    model.run(0.5);
    return 1 - heightOf() / height;
  };

  test('stays 2° below its friction angle, and flows 2° above', () => {
    const [below, above] = [sink(28, 'exact'), sink(32, 'exact')];
    expect(below).toBeLessThan(0.003);
    expect(above).toBeGreaterThan(0.02);
  });

  test('by Klár’s condition stays 6° above it', () => {
    expect(sink(36, 'klar')).toBeLessThan(0.003);
  });
});
