/** Pendulum and hanging chain. */
import {
  TILTED_ACROSS as ACROSS,
  TILTED_DOWN as DOWN,
  measurePendulum,
  predictPendulum,
  tiltGravity,
} from 'heddle/validate';
import { expect, test } from 'vitest';
import { createWorld, measurePeriod, readProbe, unevenFractions } from './measure.ts';

for (const [length, g] of [
  [0.5, 9.81],
  [2, 9.81],
  [1, 1.62],
] as const)
  test(`a heavy bob on a light rope swings with T = 2π √(L/g) (1 + θ²/16) for L = ${length} m, g = ${g} m/s²`, () => {
    // sdirk2 at 500 steps a period: relative period error of order (ω h)² ≈ 1.6e-4 times a constant below 1
    expect(Math.abs(measurePendulum(length, g, 500) / predictPendulum(length, g) - 1)).toBeLessThan(1e-4);
  });

test('a hanging chain swings with ω₁ = ½ j₀₁ √(g/L), j₀₁ the first zero of J₀', () => {
  const length = 1.2;
  const g = 9.81;
  // first mode J₀(j₀₁ √(1 − s/L)) with s from the top; series of J₀
  const j01 = 2.404825557695773;
  const J0 = (x: number) => {
    let [sum, term] = [1, 1];
    for (let k = 1; k < 30; k++) sum += term *= -((x / (2 * k)) ** 2);
    return sum;
  };
  const amplitude = 0.01;
  const error = (count: number) => {
    const points = unevenFractions(count).map((s) => {
      const a = amplitude * J0(j01 * Math.sqrt(1 - s));
      return [0, 1, 2].map((k) => length * s * DOWN[k] + a * ACROSS[k]) as [number, number, number];
    });
    const world = createWorld({
      gravity: tiltGravity(g),
      objects: [
        {
          type: 'strand',
          id: 'chain',
          material: { radius: 0.001, linearDensity: 0.01, stretchStiffness: 1e5, bendingStiffness: 0 },
          points,
          nodes: unevenFractions(count),
        },
      ],
      drivers: [{ type: 'pin', on: { object: 'chain', at: 'start' } }],
      probes: [{ id: 'tip', type: 'position', on: { object: 'chain', at: 'end' } }],
      time: { step: 0.002, duration: 100, integrator: 'sdirk2' },
      solver: { newtonIterations: 20 },
    });
    const signal = () => ['x', 'y', 'z'].reduce((sum, c, k) => sum + ACROSS[k] * readProbe(world, `tip.${c}`), 0);
    return measurePeriod(world, signal, 3) / (((4 * Math.PI) / j01) * Math.sqrt(length / g)) - 1;
  };
  // the mesh error is of second order: at 41 nodes below 1e-3, and it falls with the mesh
  expect(Math.abs(error(41))).toBeLessThan(1e-3);
  expect(Math.abs(error(11))).toBeGreaterThan(2 * Math.abs(error(41)));
});
