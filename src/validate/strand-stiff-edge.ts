/**
 * A stiff cable over a sharp edge: an elastica on both sides of one Coulomb contact.
 *
 * With a₁, a₂ from the tangent at the edge to the pulls T₁, T₂ far away, a₁ + a₂ = d:
 *     bending     ½ EI κ² = T (1 − cos a) on both sides, and κ has no jump:  T₂/T₁ = (1 − cos a₁)/(1 − cos a₂)
 *     Coulomb     T₂ cos a₂ − T₁ cos a₁ = μ (T₁ sin a₁ + T₂ sin a₂)
 * EI drops out, but a strand without any has a kink there and obeys another law (strand-corner).
 */
import type { Strand } from '../strand/index.ts';
import type { World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createWorld, readProbe } from './measure.ts';

/** T₂/T₁ at which the cable slips, turned by d [rad]. */
export function predictStiffEdge(mu: number, d: number): number {
  const ratioAt = (a: number): number => (1 - Math.cos(a)) / (1 - Math.cos(d - a));
  // friction that the tangent at a₁ needs, less what there is
  const excess = (a: number): number => {
    const ratio = ratioAt(a);
    return ratio * Math.cos(d - a) - Math.cos(a) - mu * (Math.sin(a) + ratio * Math.sin(d - a));
  };
  let [low, high] = [d / 2, d];
  for (let n = 0; n < 100; n++) {
    const middle = (low + high) / 2;
    if (excess(middle) < 0) low = middle;
    else high = middle;
  }
  return ratioAt(low);
}

export interface StiffEdge {
  readonly friction: number;
  /** Turn between the two sides [rad]. */
  readonly turn: number;
  readonly nodes: number;
  /** The edge is that of a box (turn ½π), not a guide; or the guide is round. */
  readonly site?: 'edge' | 'round' | 'box';
  readonly bendingStiffness?: number;
  /** Force at the first end [N]. */
  readonly load?: number;
  /** −1 lowers the load instead. */
  readonly direction?: 1 | -1;
}

/** Cable of 12 mm with 1 m on either side. */
const [RADIUS, LENGTH, EA] = [0.006, 1, 2e6];
/** Both ends carry the load until the bends are at rest [s]; then the pull changes by RATE of the load a second. */
const [SETTLE, RATE, STEP] = [0.1, 4, 1e-3];
/** Steps in a row in which it slides, until it has slipped; steps at most. */
const [RUN, MOST_STEPS] = [10, 4000];

function createEdge({ friction, turn, nodes, site = 'edge', direction = 1, ...edge }: StiffEdge): World {
  const { bendingStiffness = 1.5, load = 4905 } = edge;
  const scale = (size: number): [number, number, number] => [size * Math.sin(turn), size * Math.cos(turn), 0];
  const isBox = site === 'box';
  return createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'strand',
        id: 'cable',
        material: { radius: RADIUS, linearDensity: 0.5, stretchStiffness: EA, bendingStiffness },
        points: [[0, -LENGTH, 0], [0, 0, 0], scale(LENGTH)],
        restLength: (2 * LENGTH) / (1 + load / EA),
        nodes,
        damping: { mass: 30, stiffness: 2e-3 },
        guides: isBox ? [] : [{ id: 'edge', point: [0, 0, 0], friction, law: site }],
      },
    ],
    bodies: isBox
      ? [{ id: 'box', shape: { type: 'box', size: [4, 4, 4] }, position: [2 + RADIUS, -2 - RADIUS, 0], friction }]
      : [],
    drivers: [
      { type: 'force', on: { object: 'cable', at: 'start' }, value: [0, -load, 0] },
      { type: 'force', on: { object: 'cable', at: 'end' }, value: scale(load), until: SETTLE },
      {
        type: 'velocity',
        on: { object: 'cable', at: 'end' },
        value: scale((direction * RATE * LENGTH * load) / EA),
        from: SETTLE,
      },
    ],
    probes: [{ id: 'pull', type: 'constraintForce', on: { object: 'cable', at: 'end' } }],
    time: { step: STEP, duration: 1 },
  });
}

/** T₂/T₁ at which material begins to run over the edge; NaN if it does not. */
export function measureStiffEdge(edge: StiffEdge): number {
  const { turn, load = 4905 } = edge;
  const world = createEdge(edge);
  const { state } = world.models[0] as Strand;
  const fast = (0.5 * RATE * LENGTH * load) / EA;
  let [ratio, run] = [Number.NaN, 0];
  for (let n = 0; n < MOST_STEPS; n++) {
    world.step();
    const at = 4 * state.indexOf(state.guides[0].label) + 3;
    if (world.time < SETTLE + 3 * STEP || !(Math.abs(state.chain.v[at]) > fast)) {
      run = 0;
      continue;
    }
    if (run++ === 0)
      ratio = (readProbe(world, 'pull.x') * Math.sin(turn) + readProbe(world, 'pull.y') * Math.cos(turn)) / load;
    if (run > RUN) return ratio;
  }
  return Number.NaN;
}

export const STRAND_STIFF_EDGE: ValueLaw = {
  name: 'strand-stiff-edge',
  model: 'strand',
  kind: 'value',
  title: 'a stiff cable slips over a sharp edge, turned by ½π, as an elastica on both sides of one contact does',
  source: 'Euler 1744, Coulomb 1785',
  parameter: 'μ [1]',
  parameters: [0.15, 0.2, 0.25, 0.3],
  quantity: 'T₂/T₁ at which it slips [1]',
  // it is the same for every EI > 0
  stiffnesses: [],
  resolution: { name: 'nodes', values: [41, 81, 161, 321] },
  predict: (mu) => predictStiffEdge(mu, Math.PI / 2),
  measure: (mu, nodes) => measureStiffEdge({ friction: mu, turn: Math.PI / 2, nodes }),
};
