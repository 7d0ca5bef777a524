/** Beams of the continuum: a hair and a strip of cloth that a wall holds at one end. */
import { Body, PlaneShape } from 'heddle/bodies';
import { quaternionFromAxisAngle } from 'heddle/math';
import { Continuum } from 'heddle/mpm';
import { expect, test } from 'vitest';
import { createHairs, createSheet } from './mpm-parts.ts';

const g = 9.81;

/**
 * Half of the way that the tip falls after it is let go, over the sag of a beam under its own weight, ρ A g L⁴/8 E I: it swings about the sag.
 * Its length L in cells; E I such that it sags by L/20.
 */
const sag = (kind: 'hair' | 'strip', cells: number): number => {
  const [length, held] = [0.3, 4];
  const size = length / cells;
  const [radius, thickness, width] = [2e-3, 2e-3, 2 * size];
  const density = 500;
  const line = density * (kind === 'hair' ? Math.PI * radius ** 2 : thickness * width);
  const ideal = 0.05 * length;
  const stiffness = (line * g * length ** 4) / (8 * ideal);
  const common = { density, shearStiffness: 1e3, frictionAngle: 0.3 };
  const part =
    kind === 'hair'
      ? createHairs(1, cells + held, size, -held * size, 0.3 * size, {
          type: 'curve',
          radius,
          youngsModulus: 1e4,
          poissonRatio: 0.3,
          fibreStiffness: 2e6,
          bendingStiffness: stiffness,
          ...common,
        })
      : createSheet(cells + held, 2, size, -held * size, 0.3 * size, {
          type: 'surface',
          thickness,
          youngsModulus: 1e5,
          // a strip of no width that keeps its section: E I = D w
          poissonRatio: 0,
          normalStiffness: 2e4,
          bendingRigidity: stiffness / width,
          ...common,
        });
  const wall = new Body({
    id: 'wall',
    shape: new PlaneShape(),
    position: [1e-9, 0, 0],
    orientation: quaternionFromAxisAngle([0, 0, 1], -Math.PI / 2),
  });
  const model = new Continuum({
    spacing: size,
    gravity: [0, -g, 0],
    parts: [part],
    obstacles: [{ body: wall, condition: 'sticky' }],
  });
  const tip = 3 * (model.points.count - 1) + 1;
  const start = model.points.x[tip];
  const period = (2 * Math.PI * length ** 2 * Math.sqrt(line / stiffness)) / 3.516;
  let [time, lowest] = [0, start];
  while (time < 0.75 * period) {
    time += model.step(1);
    lowest = Math.min(lowest, model.points.x[tip]);
  }
  return (0.5 * (start - lowest)) / ideal;
};

test.each(['hair', 'strip'] as const)(
  'a %s held by a wall sags as a beam does: by ρ A g L⁴/8 E I as cells shrink',
  (kind) => {
    // the wall holds it 0.8 cells behind its face, which counts by the fourth power: 1.46 and 1.22 at 8 and 16 cells
    const [coarse, fine] = [sag(kind, 8), sag(kind, 16)];
    expect(coarse).toBeGreaterThan(1);
    expect(fine).toBeGreaterThan(1);
    expect(fine - 1).toBeLessThan(0.6 * (coarse - 1));
    // what is left without cells, by Δx/L → 0
    expect(Math.abs(2 * fine - coarse - 1)).toBeLessThan(0.05);
  },
);
