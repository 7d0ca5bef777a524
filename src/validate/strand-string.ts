/** A taut string, standing and running between eyelets. */

import type { Vec3 } from '../math/index.ts';
import { faultOf, type ValueLaw } from './law.ts';
import { createWorld, measurePeriod, readProbe, unevenFractions } from './measure.ts';

const DENSITY = 0.01;

/** Wave speed in the world: T = EA (λ − 1), and ρA/λ is the mass per world length. */
const computeWaveSpeed = (EA: number, strain: number): number => Math.sqrt((EA * strain * (1 + strain)) / DENSITY);

/** Period of the first mode of a string of 1 m with uneven nodes. */
export function measureString(EA: number, strain: number, nodes: number, expected: number): number {
  const fractions = unevenFractions(nodes);
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'strand',
        id: 'string',
        material: { radius: 0.001, linearDensity: DENSITY, stretchStiffness: EA, bendingStiffness: 0 },
        points: fractions.map((s): [number, number, number] => [s, 1e-4 * Math.sin(Math.PI * s), 0]),
        restLength: 1 / (1 + strain),
        nodes: fractions,
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'string', at: 'start' } },
      { type: 'pin', on: { object: 'string', at: 'end' } },
    ],
    probes: [{ id: 'middle', type: 'position', on: { object: 'string', at: 0.5 } }],
    time: { step: expected / 300, duration: 100, integrator: 'sdirk2' },
    solver: { newtonIterations: 10 },
  });
  return measurePeriod(world, () => readProbe(world, 'middle.y'), 2);
}

const EA = 400;

export const STRAND_WAVE: ValueLaw = {
  name: 'strand-wave',
  model: 'strand',
  kind: 'value',
  title: 'a taut string rings with 2 L/c, c = √(T λ/ρA)',
  source: 'Mersenne 1636',
  parameter: 'strain [1]',
  parameters: [0.01, 0.03, 0.1, 0.3],
  quantity: 'period [s]',
  stiffnesses: ['EA'],
  resolution: { name: 'nodes', values: [11, 21, 41] },
  order: 1.5,
  plot: { isLogarithmicX: true },
  predict: (strain) => 2 / computeWaveSpeed(EA, strain),
  measure: (strain, nodes, faults) =>
    measureString(EA * faultOf(faults, 'EA'), strain, nodes, 2 / computeWaveSpeed(EA, strain)),
};

/** Of a bar on two supports: ω₁ = π²/L² √(EI/ρA). */
const predictSupported = (EI: number): number => 2 / (Math.PI * Math.sqrt(EI / DENSITY));

export const STRAND_BENDING: ValueLaw = {
  name: 'strand-bending-waves',
  model: 'strand',
  kind: 'value',
  title: 'a stiff strand on two supports rings with ω₁ = π²/L² √(EI/ρA)',
  source: 'Euler–Bernoulli',
  parameter: 'EI [N m²]',
  parameters: [0.01, 0.1, 1],
  quantity: 'period [s]',
  stiffnesses: ['EI'],
  resolution: { name: 'nodes', values: [6, 11] },
  plot: { isLogarithmicX: true, isLogarithmic: true },
  predict: predictSupported,
  measure(EI, nodes, faults) {
    const at = Array.from({ length: nodes }, (_, i) => i / (nodes - 1));
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'bar',
          material: {
            radius: 0.001,
            linearDensity: DENSITY,
            stretchStiffness: 1e5,
            bendingStiffness: EI * faultOf(faults, 'EI'),
          },
          points: at.map((s): [number, number, number] => [s, 1e-5 * Math.sin(Math.PI * s), 0]),
          nodes: at,
        },
      ],
      drivers: [
        { type: 'pin', on: { object: 'bar', at: 'start' } },
        { type: 'fix', on: { object: 'bar', at: 'end' }, components: ['y', 'z'] },
      ],
      probes: [{ id: 'middle', type: 'position', on: { object: 'bar', at: 0.5 } }],
      time: { step: predictSupported(EI) / 300, duration: 1000, integrator: 'sdirk2' },
      solver: { newtonIterations: 10 },
    });
    return measurePeriod(world, () => readProbe(world, 'middle.y'), 2);
  },
};

const STRAIN = 0.05;

/** Period of a string that runs at V = ratio · c between eyelets 1 m apart: 2 L c/(c² − V²). All modes are multiples of it. */
const predictRunning = (stiffness: number, ratio: number): number =>
  2 / (computeWaveSpeed(stiffness, STRAIN) * (1 - ratio * ratio));

/** The same of a strand whose Lagrangian nodes, `perMetre` of them, run through the eyelets at V [m/s]. */
export function measureRunning(stiffness: number, V: number, perMetre: number, expected: number): number {
  const crossings = 2;
  const lambda = 1 + STRAIN;
  const tail = 1 + (crossings + 1) * V * expected;
  const inner = Array.from({ length: 31 }, (_, i): Vec3 => [i / 30, 1e-3 * Math.sin((Math.PI * i) / 30), 0]);
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'strand',
        id: 'string',
        material: { radius: 0.001, linearDensity: DENSITY, stretchStiffness: stiffness, bendingStiffness: 0 },
        points: [[-tail, 0, 0], ...inner.map(([x, y, z]): [number, number, number] => [x, y, z]), [1.5, 0, 0]],
        restLength: (tail + 1.5) / lambda,
        nodes: unevenFractions(Math.round(perMetre * (tail + 1.5))),
        slide: -V / lambda,
        guides: [
          { id: 'left', point: [0, 0, 0] },
          { id: 'right', point: [1, 0, 0] },
        ],
      },
    ],
    drivers: [
      { type: 'velocity', on: { object: 'string', at: 'start' }, value: [V, 0, 0] },
      { type: 'velocity', on: { object: 'string', at: 'end' }, value: [V, 0, 0] },
    ],
    time: { step: expected / 250, duration: 100, integrator: 'sdirk2' },
    solver: { newtonIterations: 20 },
  });
  /** Lateral position of the string at the world station x = ½. */
  const signal = () => {
    const { x } = world.frame().objects[0];
    let i = 0;
    while (x[3 * i + 3] < 0.5) i++;
    const t = (0.5 - x[3 * i]) / (x[3 * i + 3] - x[3 * i]);
    return x[3 * i + 1] + t * (x[3 * i + 4] - x[3 * i + 1]);
  };
  return measurePeriod(world, signal, crossings);
}

export const STRAND_RUNNING: ValueLaw = {
  name: 'strand-running-string',
  model: 'strand',
  kind: 'value',
  title: 'a string that runs at V between eyelets rings with ω₁ = π (c² − V²)/(c L)',
  source: 'Skutch 1897',
  parameter: 'V/c [1]',
  parameters: [0, 0.3, 0.55],
  quantity: 'period [s]',
  stiffnesses: ['EA'],
  resolution: { name: 'nodes a metre', values: [12, 24] },
  predict: (ratio) => predictRunning(EA, ratio),
  measure: (ratio, perMetre, faults) =>
    measureRunning(
      EA * faultOf(faults, 'EA'),
      ratio * computeWaveSpeed(EA, STRAIN),
      perMetre,
      predictRunning(EA, ratio),
    ),
};
