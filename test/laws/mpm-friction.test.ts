/** Friction of the continuum with itself: slabs of sheets and hairs on an incline, heaps of sand. */
import { Body, PlaneShape } from 'heddle/bodies';
import { createContinuum, type SandFriction } from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createHairs, createSheet, createWalls, meanOf } from './mpm-parts.ts';

const DEGREE = Math.PI / 180;
const g = 9.81;

describe('three layers that fill their space, the lowest held, on an incline', () => {
  const mu = 0.5;
  const phi = Math.atan(mu);

  const createLayer = (kind: 'sheets' | 'hairs', layer: number, spacing: number, memory: number | undefined) => {
    const size = spacing / 2;
    const y = 0.6 * spacing * (layer - 0.2);
    const common = { density: 300, poissonRatio: 0.3, frictionAngle: phi, memory };
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
  const slide = (kind: 'sheets' | 'hairs', beyond: number, spacing = 0.02, memory?: number) => {
    const slope = phi + beyond * DEGREE;
    const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, 0.3 * spacing, 0] });
    const create = (along: number) =>
      createContinuum({
        spacing,
        gravity: [along, -g * Math.cos(slope), 0],
        parts: [0, 1, 2].map((layer) => createLayer(kind, layer, spacing, memory)),
        obstacles: [{ body: floor, condition: 'sticky' }, ...createWalls(1.75 * spacing)],
      });
    const h = 0.02 * spacing;
    const level = create(0);
    // it sinks in, slower and slower
    for (let n = 0; n < 50; n++) {
      level.run(8e-3, h);
      const { v, C } = level.points;
      for (const values of [v, C]) for (let k = 0; k < values.length; k++) values[k] *= n < 49 ? 0.7 : 0;
      level.takePoints();
    }
    const model = create(g * Math.sin(slope));
    for (const key of ['x', 'v', 'C', 'F', 'gain'] as const) model.points[key].set(level.points[key]);
    model.takePoints();
    model.run(0.05, h);
    const early = meanOf(model, model.points.v, 2, 0);
    model.run(0.1, h);
    const late = meanOf(model, model.points.v, 2, 0);
    const ideal = g * (Math.sin(slope) - mu * Math.cos(slope));
    return { early, late, missing: ideal - (late - early) / 0.1 };
  };

  describe.each(['sheets', 'hairs'] as const)('%s', (kind) => {
    const above = slide(kind, 1);

    test('1° below its friction angle it comes to rest, 1° above it slides with g (sin θ − μ cos θ)', () => {
      const below = slide(kind, -1);
      expect(below.late).toBeLessThan(0.6 * below.early);
      expect(below.late).toBeLessThan(0.02);
      expect(above.late).toBeGreaterThan(1.1 * above.early);
      // 0.01 g is 0.5° of slope: what is forgotten of sliding, see the next
      expect(Math.abs(above.missing)).toBeLessThan(0.01 * g);
    });

    // a particle forgets in its time of memory how much faster it is than the grid shows, which smears the layer that slides with the one that is held
    test('what it lacks of that is what particles forget: little with a memory of 0.05 s, and two thirds or less with cells of half the size', {
      tags: 'long',
    }, () => {
      expect(above.missing).toBeGreaterThan(0.003 * g);
      expect(Math.abs(slide(kind, 1, 0.02, 0.05).missing)).toBeLessThan(0.2 * above.missing);
      expect(slide(kind, 1, 0.01).missing).toBeLessThan(0.67 * above.missing);
    });
  });
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

  test('by Klár’s condition stays 6° above it', { tags: 'long' }, () => {
    expect(sink(36, 'klar')).toBeLessThan(0.003);
  });
});
