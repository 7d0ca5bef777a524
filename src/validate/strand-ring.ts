/**
 * A rope drawn through a ring while it swings. Without gravity nothing turns the free part about the ring, so its angular
 * momentum (ρA l³/3 + m l²) φ̇ is constant while l shrinks [theory/eol#inertia]. On one segment everything hangs on Ṁq̇ − ∂T/∂q:
 * without it, as in the papers, a rope without bob drawn in to half its length turns 4 times as fast instead of 8.
 */

import { Strand } from '../strand/index.ts';
import { createVelocity, World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { unevenFractions } from './measure.ts';

const DENSITY = 0.2;

/** Final over initial of a rope drawn in from a free length of 1. */
export interface RingDraw {
  readonly angular: number;
  /** Of φ̇ of the tip, and what a rigid bar would have. */
  readonly rate: number;
  readonly predicted: number;
  readonly remeshings: number;
}

/** Draws the rope in until its free length is at most `end`. */
export function drawThroughRing(bob: number, h: number, nodes: number, end: number, speed = 0.25): RingDraw {
  const [free, store, spin] = [1, 1, 1.5];
  const strand = new Strand({
    id: 'rope',
    material: { radius: 0.002, linearDensity: DENSITY, stretchStiffness: 2e4, bendingStiffness: 0 },
    points: [
      [0, 0, store],
      [0, 0, 0],
      [0, -free, 0],
    ],
    // drawn in at constant speed from the start, and turning about the ring like a rigid bar
    velocity: [
      [0, 0, speed],
      [0, 0, speed],
      [spin * free, 0, 0],
    ],
    nodes: nodes === 2 ? [0, 1] : unevenFractions(nodes),
    guides: [{ id: 'ring', point: [0, 0, 0] }],
    masses: bob > 0 ? [{ at: 'end', mass: bob }] : [],
    gravity: [0, 0, 0],
    keep: ['start'],
  });
  const { state } = strand;
  const { chain } = state;
  // the free part also moves towards the ring at the drawing speed
  const ring = () => state.indexOf(state.guides[0].label);
  for (let i = ring() + 1; i < chain.count; i++) {
    chain.v.set([spin * -chain.q[4 * i + 1], speed, 0], 4 * i);
  }
  for (let i = 0; i < ring(); i++) chain.v.set([0, 0, speed], 4 * i);
  chain.v[4 * ring() + 3] = speed;
  const world = new World({
    models: [strand],
    drivers: [createVelocity({ model: strand, label: state.findLabel('start') }, [0, 0, speed])],
    timeStep: h,
    integrator: 'sdirk2',
    newtonIterations: 30,
  });
  const momentum = new Float64Array(6);
  const angular = () => {
    momentum.fill(0);
    strand.addMomentum(momentum);
    return momentum[5];
  };
  const rate = () => {
    const i = chain.count - 1;
    const [x, y] = [chain.q[4 * i], chain.q[4 * i + 1]];
    return (x * chain.v[4 * i + 1] - y * chain.v[4 * i]) / (x * x + y * y);
  };
  const before = { angular: angular(), rate: rate() };
  const length = () => state.restLength - chain.q[4 * ring() + 3];
  for (let n = 0; n < 3 / (h * speed) && length() > end; n++) world.step();
  if (!(length() <= end)) throw new Error(`the rope is drawn in to ${length()} m only`);
  // the free part as it is: a little stretched by its own pull
  const tip = 4 * (chain.count - 1);
  const l = Math.hypot(chain.q[tip], chain.q[tip + 1]);
  const inertia = (u: number, reach: number) => ((DENSITY * u) / 3 + bob) * reach ** 2;
  return {
    angular: angular() / before.angular,
    rate: rate() / before.rate,
    predicted: inertia(free, free) / inertia(length(), l),
    remeshings: state.remeshings,
  };
}

/** At l = ½, of a rigid bar; the stretch of the rope is 1e-4. */
export const STRAND_RING: ValueLaw = {
  name: 'strand-ring',
  model: 'strand',
  kind: 'value',
  title: 'a rope drawn through a ring to half its length turns as (ρA l³/3 + m l²) φ̇ = const says',
  source: 'conservation of angular momentum',
  parameter: 'end mass m [kg]',
  parameters: [0, 0.05, 0.2, 1],
  quantity: 'φ̇ over φ̇ at the start [1]',
  stiffnesses: [],
  resolution: { name: 'steps a second', values: [250, 500, 1000] },
  predict: (m) => (DENSITY / 3 + m) / (DENSITY / 24 + m / 4),
  measure(m, perSecond) {
    // the last step goes a little beyond: as much is taken off by the law itself
    const { rate, predicted } = drawThroughRing(m, 1 / perSecond, 2, 0.5);
    return (rate / predicted) * ((DENSITY / 3 + m) / (DENSITY / 24 + m / 4));
  },
};
