/** Strands that fall and swing. */

import type { ValueLaw } from './law.ts';
import { createWorld, measurePeriod, readProbe, unevenFractions } from './measure.ts';
import { createFallLaw } from './shared-laws.ts';

/** Down along a tilted gravity, and a direction across it. */
export const TILTED_DOWN = [0.36, -0.8, 0.48] as const;
export const TILTED_ACROSS = [0.8 / Math.sqrt(0.7696), 0.36 / Math.sqrt(0.7696), 0] as const;

/** `along` down and `across` it, in the world. */
export const placeTilted = (along: number, across: number): [number, number, number] => [
  along * TILTED_DOWN[0] + across * TILTED_ACROSS[0],
  along * TILTED_DOWN[1] + across * TILTED_ACROSS[1],
  along * TILTED_DOWN[2] + across * TILTED_ACROSS[2],
];

/** Gravity g along the tilted direction. */
export const tiltGravity = (g: number): [number, number, number] => placeTilted(g, 0);

/** Fall in 0.5 s of a cord that does not hang straight. */
function measureFall(g: number): number {
  const world = createWorld({
    gravity: tiltGravity(g),
    objects: [
      {
        type: 'strand',
        id: 'cord',
        material: { radius: 0.001, linearDensity: 0.0031, stretchStiffness: 900, bendingStiffness: 1e-4 },
        points: [
          [0.1, 0, 0],
          [0.9, 0.5, -0.3],
        ],
        nodes: unevenFractions(17),
        masses: [{ at: 0.4, mass: 0.01 }],
      },
    ],
    probes: [{ id: 'tip', type: 'position', on: { object: 'cord', at: 'end' } }],
    time: { step: 0.01, duration: 1, integrator: 'sdirk2' },
  });
  const place = () => ['x', 'y', 'z'].reduce((sum, c, k) => sum + TILTED_DOWN[k] * readProbe(world, `tip.${c}`), 0);
  const start = place();
  for (let n = 0; n < 50; n++) world.step();
  return place() - start;
}

export const STRAND_FALL = createFallLaw('strand', measureFall);

/** Rope of 1/1000 of the bob's mass, swinging by 0.1 rad; EA keeps its stretch at 5e-5. */
const [BOB, ROPE, SWING, EA] = [1, 1e-3, 0.1, 2e5];

/** Period of a bob on a strand of length L (stretched) in g = 9.81 m/s², with so many steps a period. */
export function measurePendulum(L: number, g: number, steps: number): number {
  const rest = L / (1 + (BOB * g) / EA);
  const world = createWorld({
    gravity: tiltGravity(g),
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: 0.001, linearDensity: (ROPE * BOB) / rest, stretchStiffness: EA, bendingStiffness: 0 },
        points: [[0, 0, 0], placeTilted(L * Math.cos(SWING), L * Math.sin(SWING))],
        restLength: rest,
        nodes: unevenFractions(9),
        masses: [{ at: 'end', mass: BOB }],
      },
    ],
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    probes: [{ id: 'bob', type: 'position', on: { object: 'rope', at: 'end' } }],
    time: { step: (Math.sqrt(L / g) * 2 * Math.PI) / steps, duration: 100, integrator: 'sdirk2' },
    solver: { newtonIterations: 20 },
  });
  const signal = () => ['x', 'y', 'z'].reduce((sum, c, k) => sum + TILTED_ACROSS[k] * readProbe(world, `bob.${c}`), 0);
  return measurePeriod(world, signal, 2);
}

/** ω² = (g/L) (1 + μ/2)/(1 + μ/3) for a rope of μ times the bob's mass, and the first term of the amplitude. */
export const predictPendulum = (L: number, g: number): number =>
  2 * Math.PI * Math.sqrt((L / g) * ((1 + ROPE / 3) / (1 + ROPE / 2))) * (1 + SWING ** 2 / 16);

export const STRAND_PENDULUM: ValueLaw = {
  name: 'strand-pendulum',
  model: 'strand',
  kind: 'value',
  title: 'a bob on a light strand swings with T = 2π √(L/g) (1 + θ²/16)',
  source: 'Huygens 1673',
  parameter: 'L [m]',
  parameters: [0.25, 0.5, 1, 2],
  quantity: 'period [s]',
  stiffnesses: [],
  resolution: { name: 'steps a period', values: [60, 120] },
  order: 1.7,
  predict: (L) => predictPendulum(L, 9.81),
  measure: (L, steps) => measurePendulum(L, 9.81, steps),
};
