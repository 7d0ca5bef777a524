/** Ropes with a weight at either end over guides: Atwood's machine, pulleys with inertia, friction at edges and rounds [theory/curves#friction-at-a-corner]. */

import type { Vec3 } from '../math/index.ts';
import { Strand, type StrandGuide } from '../strand/index.ts';
import { World } from '../world/index.ts';
import type { ThresholdLaw, ValueLaw } from './law.ts';

const G = 9.81;
/** Until the bounce of the loads has died down [s]. */
export const RUN_IN = 0.2;

/** Weights, rope and guides. */
export interface Machine {
  readonly masses: readonly [number, number];
  readonly linearDensity?: number;
  readonly guides: readonly Omit<StrandGuide, 'id'>[];
  readonly step?: number;
}

/** A rope with a weight at either end over guides; it hangs 0.6 m down on both sides, at rest and stretched by what it carries. */
function createMachine({ masses, linearDensity = 1e-4, guides, step = 1e-3 }: Machine) {
  const first = guides[0].point;
  const last = guides[guides.length - 1].point;
  const points: Vec3[] = [
    [first[0], first[1] - 0.6, first[2]],
    ...guides.map(({ point }) => point),
    [last[0], last[1] - 0.6, last[2]],
  ];
  const strand = new Strand({
    id: 'rope',
    material: { radius: 0.002, linearDensity, stretchStiffness: 1e4, bendingStiffness: 0 },
    points,
    nodes: [0, 0.05, 0.12, 0.2, 0.28, 0.37, 0.43, 0.57, 0.66, 0.75, 0.86, 0.94, 1],
    guides: guides.map((guide, i) => ({ ...guide, id: `guide ${i}` })),
    masses: [
      { at: 'start', mass: masses[0] },
      { at: 'end', mass: masses[1] },
    ],
    damping: { mass: 0, stiffness: 3e-3 },
    gravity: [0, -G, 0],
  });
  return { strand, world: new World({ models: [strand], timeStep: step, newtonIterations: 30 }) };
}

/** Acceleration of the far weight after the load's bounce has died down, its drop, and how far material ran over the guides. */
export function measureDrop(machine: Machine, time = 0.25) {
  const { strand, world } = createMachine(machine);
  const { state } = strand;
  const { chain } = state;
  const height = () => chain.q[4 * (chain.count - 1) + 1];
  const speed = () => chain.v[4 * (chain.count - 1) + 1];
  const material = () => state.guides.map(({ label }) => chain.q[4 * state.indexOf(label) + 3]);
  const start = height();
  for (let n = 0; n < Math.round(RUN_IN / world.timeStep); n++) world.step();
  const [v0, u0] = [speed(), material()];
  const steps = Math.round(time / world.timeStep);
  for (let n = 0; n < steps; n++) world.step();
  const slid = Math.max(...material().map((u, g) => Math.abs(u - u0[g])));
  return { drop: start - height(), slid, acceleration: (v0 - speed()) / (steps * world.timeStep) };
}

export const STRAND_ATWOOD: ValueLaw = {
  name: 'strand-atwood',
  model: 'strand',
  kind: 'value',
  title: 'weights over a frictionless guide accelerate with g (m₂ − m₁)/(m₁ + m₂)',
  source: 'Atwood 1784',
  parameter: 'm₂/m₁ [1]',
  parameters: [1.1, 1.5, 3, 5],
  quantity: 'acceleration [m/s²]',
  stiffnesses: [],
  predict: (ratio) => (G * (ratio - 1)) / (ratio + 1),
  measure: (ratio) => measureDrop({ masses: [0.1, 0.1 * ratio], guides: [{ point: [0, 0, 0] }] }, 0.15).acceleration,
};

const RADIUS = 0.1;

export const STRAND_PULLEY: ValueLaw = {
  name: 'strand-pulley',
  model: 'strand',
  kind: 'value',
  title: 'weights over a pulley accelerate with g (m₂ − m₁)/(m₁ + m₂ + I/R²)',
  source: 'Atwood 1784',
  parameter: 'I [kg m²]',
  parameters: [0.001, 0.004, 0.01],
  quantity: 'acceleration [m/s²]',
  stiffnesses: [],
  predict: (inertia) => (G * 0.15) / (0.55 + inertia / RADIUS ** 2),
  measure: (inertia) =>
    measureDrop({ masses: [0.2, 0.35], guides: [{ point: [0, 0, 0], pulley: { radius: RADIUS, inertia } }] })
      .acceleration,
};

/** Whether a rope slips over guides, one at each point: what the bounce of the loads has set going becomes faster, not slower. */
function slips(mu: number, ratio: number, law: 'round' | 'edge', points: readonly Vec3[]): boolean {
  const guides = points.map((point) => ({ point, friction: mu, law }));
  const { slid, acceleration } = measureDrop({ masses: [0.1, 0.1 * ratio], guides }, 0.1);
  return slid > 0 && acceleration > 0;
}

export const STRAND_CAPSTAN: ThresholdLaw = {
  name: 'strand-capstan',
  model: 'strand',
  kind: 'threshold',
  title: 'a rope slips over a round guide, turned by π, at T₂/T₁ = exp(μ π)',
  source: 'Euler 1769',
  parameter: 'μ [1]',
  parameters: [0.05, 0.1, 0.2, 0.3, 0.5],
  quantity: 'm₂/m₁ at which it slips [1]',
  stiffnesses: [],
  plot: { isLogarithmic: true },
  predict: (mu) => Math.exp(mu * Math.PI),
  givesWay: (mu, ratio) => slips(mu, ratio, 'round', [[0, 0, 0]]),
};

export const STRAND_CORNER: ThresholdLaw = {
  name: 'strand-corner',
  model: 'strand',
  kind: 'threshold',
  title:
    'a rope slips over two sharp edges, turned by d = ½π at each, at T₂/T₁ = ((cos ½d + μ sin ½d)/(cos ½d − μ sin ½d))²',
  source: 'docs/reference/strand.md',
  parameter: 'μ [1]',
  parameters: [0.05, 0.1, 0.2, 0.3, 0.5],
  quantity: 'm₂/m₁ at which it slips [1]',
  stiffnesses: [],
  plot: { isLogarithmic: true },
  predict: (mu) => ((1 + mu) / (1 - mu)) ** 2,
  givesWay: (mu, ratio) =>
    slips(mu, ratio, 'edge', [
      [0, 0, 0],
      [0.4, 0, 0],
    ]),
};
