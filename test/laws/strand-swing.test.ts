/** Pendulum and hanging chain. */
import { expect, test } from 'vitest';
import { createWorld, measurePeriod, readProbe, unevenFractions } from './measure.ts';

/** Down along a tilted gravity g·(direction), and a direction across it in the plane of the swing. */
const DOWN = [0.36, -0.8, 0.48] as const;
const ACROSS = [0.8 / Math.sqrt(0.7696), 0.36 / Math.sqrt(0.7696), 0] as const;
const at = (length: number, angle: number): [number, number, number] => [
  length * (Math.cos(angle) * DOWN[0] + Math.sin(angle) * ACROSS[0]),
  length * (Math.cos(angle) * DOWN[1] + Math.sin(angle) * ACROSS[1]),
  length * (Math.cos(angle) * DOWN[2] + Math.sin(angle) * ACROSS[2]),
];

for (const [length, g] of [
  [0.5, 9.81],
  [2, 9.81],
  [1, 1.62],
] as const)
  test(`pendulum: T = 2π √(L/g) (1 + θ²/16) for L = ${length} m, g = ${g} m/s², light rope, heavy bob`, () => {
    // rope of mass μ m: ω² = (g/L) (1 + μ/2)/(1 + μ/3) + O(μ²); L is the stretched length, L₀ (1 + m g/EA)
    const bob = 1;
    const EA = 2e5;
    const angle = 0.1;
    const mu = 1e-3;
    const rest = length / (1 + (bob * g) / EA);
    const world = createWorld({
      gravity: [g * DOWN[0], g * DOWN[1], g * DOWN[2]],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.001, linearDensity: (mu * bob) / rest, stretchStiffness: EA, bendingStiffness: 0 },
          points: [[0, 0, 0], at(length, angle)],
          restLength: rest,
          nodes: unevenFractions(9),
          masses: [{ at: 'end', mass: bob }],
        },
      ],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      probes: [{ id: 'bob', type: 'position', on: { object: 'rope', at: 'end' } }],
      time: { step: 0.002 * Math.sqrt(length / g) * 2 * Math.PI, duration: 100, integrator: 'sdirk2' },
      solver: { newtonIterations: 20 },
    });
    const signal = () => ['x', 'y', 'z'].reduce((sum, c, k) => sum + ACROSS[k] * readProbe(world, `bob.${c}`), 0);
    const predicted = 2 * Math.PI * Math.sqrt((length / g) * ((1 + mu / 3) / (1 + mu / 2))) * (1 + angle ** 2 / 16);
    const measured = measurePeriod(world, signal, 3);
    // sdirk2 at 500 steps a period: relative period error of order (ω h)² ≈ 1.6e-4 times a constant below 1
    expect(Math.abs(measured / predicted - 1)).toBeLessThan(1e-4);
  });

test('hanging chain: ω₁ = ½ j₀₁ √(g/L), the first zero of J₀', () => {
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
      gravity: [g * DOWN[0], g * DOWN[1], g * DOWN[2]],
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
