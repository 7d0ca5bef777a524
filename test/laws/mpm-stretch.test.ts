/** Stretch of the continuum's elements is that of strands and sheets. */
import { STRETCH } from 'heddle/curve';
import { computeElasticEnergy, Points, StressWork, writeStresses } from 'heddle/mpm';
import { Membrane } from 'heddle/sheet';
import { expect, test } from 'vitest';
import { createHairs, createSheet } from './mpm-parts.ts';

const work = new StressWork();
const STRETCHES = [0.7, 0.95, 1.02, 1.5];

const scaleX = (x: ArrayLike<number>, share: number): number[] =>
  Array.from(x, (value, k) => (k % 3 === 0 ? value * share : value));

test('a hair has the energy and the tension of a strand of E A = k π r²', () => {
  const [radius, fibreStiffness, size, n] = [2e-3, 3e5, 0.02, 5];
  const part = createHairs(1, n, size, 0, 0, {
    type: 'curve',
    density: 500,
    radius,
    youngsModulus: 1e4,
    poissonRatio: 0.3,
    fibreStiffness,
    shearStiffness: 1e3,
    frictionAngle: 0.3,
  });
  const strand = {
    linearDensity: 1,
    stretchStiffness: fibreStiffness * Math.PI * radius ** 2,
    bendingStiffness: 0,
    radius,
  };
  for (const stretch of STRETCHES) {
    const points = new Points([{ ...part, rest: part.x, x: scaleX(part.x, stretch) }]);
    const q = [0, 0, 0, 0, stretch * size, 0, 0, size];
    const energy = n * STRETCH.computeEnergy(q, 0, strand, [0, 0, 0]);
    expect(computeElasticEnergy(points, work) / energy).toBeCloseTo(1, 12);
    const [stress, force] = [new Float64Array(9 * n), new Float64Array(3 * (n + 1))];
    writeStresses(points, 'full', stress, force, work);
    const pull = new Float64Array(8);
    STRETCH.addForce(q, 0, strand, [0, 0, 0], pull);
    expect(force[0] / pull[0]).toBeCloseTo(1, 12);
    expect(force[3 * n] / pull[4]).toBeCloseTo(1, 12);
  }
});

test('a cloth stretched along one direction has the energy of a sheet, E t/(1 − ν²) wide', () => {
  const [E, nu, thickness, size] = [3e4, 0.3, 2e-3, 0.02];
  const part = createSheet(4, 3, size, 0, 0, {
    type: 'surface',
    density: 300,
    thickness,
    youngsModulus: E,
    poissonRatio: nu,
    normalStiffness: 2e4,
    shearStiffness: 1e3,
    frictionAngle: 0.3,
  });
  const wide = (E * thickness) / (1 - nu * nu);
  const membrane = new Membrane();
  for (const stretch of STRETCHES) {
    const points = new Points([{ ...part, rest: part.x, x: scaleX(part.x, stretch) }]);
    membrane.setGradient(Float64Array.of(stretch, 0, 0, 0, 0, 1), {
      arealDensity: 1,
      membrane: [wide, wide, nu * wide, (E * thickness) / (2 + 2 * nu)],
      bending: [0, 0, 0, 0],
      thickness,
      friction: 0,
    });
    expect(computeElasticEnergy(points, work) / (membrane.psi * 12 * size * size)).toBeCloseTo(1, 11);
  }
});
