/** What survives remeshing of a strand that runs round a corner: momentum, material; and that the world speed of the material does not jump there. */

import { Strand } from '../strand/index.ts';
import { createVelocity, World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createWorld, readProbe, unevenFractions } from './measure.ts';

/** A cord over a corner that hangs askew, falls to one side and is drawn back and forth at its upper end. */
export function createRunner(nodes: number, damping = 0.2) {
  const strand = new Strand({
    id: 'cord',
    material: { radius: 0.001, linearDensity: 0.02, stretchStiffness: 2000, bendingStiffness: 0 },
    points: [
      [-0.7, 0.2, 0.1],
      [0, 0, 0],
      [0.2, -0.9, -0.1],
    ],
    nodes: unevenFractions(nodes),
    guides: [{ id: 'corner', point: [0, 0, 0], stop: true }],
    gravity: [1.1, -9.2, 2.3],
    damping: { mass: damping, stiffness: 1e-5 },
    keep: ['start'],
  });
  const start = { model: strand, label: strand.state.findLabel('start') };
  const drivers = [0, 1, 2, 3, 4, 5].map((k) =>
    createVelocity(start, k % 2 === 0 ? [-0.9, 0.3, 0] : [0.9, -0.3, 0], { from: 0.4 * k, until: 0.4 * (k + 1) }),
  );
  return { strand, world: new World({ models: [strand], drivers, timeStep: 1e-3, newtonIterations: 20 }) };
}

export const STRAND_REMESH_MOMENTUM: ValueLaw = {
  name: 'strand-remesh-momentum',
  model: 'strand',
  kind: 'value',
  title: 'remeshing keeps the momentum in the world',
  source: 'docs/reference/strand.md',
  parameter: 'nodes [1]',
  parameters: [12, 25, 60],
  quantity: 'largest change of momentum at a remeshing, relative [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  scale: () => 1,
  predict: () => 0,
  measure(nodes) {
    const { strand, world } = createRunner(nodes);
    const [before, after] = [new Float64Array(6), new Float64Array(6)];
    let largest = 0;
    for (let n = 0; n < 800; n++) {
      world.step();
      before.fill(0);
      strand.addMomentum(before);
      strand.adapt();
      after.fill(0);
      strand.addMomentum(after);
      const size = 1e-3 + Math.hypot(before[0], before[1], before[2]);
      for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(after[k] - before[k]) / size);
    }
    if (strand.state.remeshings < nodes / 4) throw new Error(`only ${strand.state.remeshings} remeshings`);
    return largest;
  },
};

export const STRAND_REMESH_LENGTH: ValueLaw = {
  name: 'strand-remesh-length',
  model: 'strand',
  kind: 'value',
  title: 'remeshing keeps the material: segments add up to the length',
  source: 'docs/reference/strand.md',
  parameter: 'nodes [1]',
  parameters: [12, 60],
  quantity: 'material length after 0.8 s over that at the start [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  predict: () => 1,
  measure(nodes) {
    const { strand, world } = createRunner(nodes);
    const length = () => {
      const { q, count } = strand.state.chain;
      let sum = 0;
      for (let i = 1; i < count; i++) {
        // a segment turned round would count against the others
        if (!(q[4 * i + 3] > q[4 * i - 1]))
          throw new Error(`segment ${i} has the material length ${q[4 * i + 3] - q[4 * i - 1]} m`);
        sum += q[4 * i + 3] - q[4 * i - 1];
      }
      return sum;
    };
    const before = length();
    for (let n = 0; n < 800; n++) world.step();
    if (strand.state.remeshings < nodes / 4) throw new Error(`only ${strand.state.remeshings} remeshings`);
    return length() / before;
  },
};

export const STRAND_ENERGY: ValueLaw = {
  name: 'strand-energy',
  model: 'strand',
  kind: 'value',
  title: 'a strand that is let go over a corner gains no energy, but that of the sag of nodes that are taken out',
  source: 'docs/reference/strand.md',
  parameter: 'damping [1/s]',
  parameters: [0, 0.5, 5],
  quantity: 'energy gained in all steps that gain, over the energy that is lost [1]',
  stiffnesses: [],
  tolerance: 1e-3,
  scale: () => 1,
  predict: () => 0,
  measure(damping) {
    const { strand } = createRunner(25, damping);
    const world = new World({ models: [strand], timeStep: 1e-3, newtonIterations: 20 });
    let [gain, loss, last] = [0, 0, world.energy().total];
    for (let n = 0; n < 400; n++) {
      world.step();
      const now = world.energy().total;
      if (now > last) gain += now - last;
      else loss += last - now;
      last = now;
    }
    return gain / loss;
  },
};

/** Half a stroke of a hand [m] over a second, and its greatest speed. */
const REACH = 0.3;
const FASTEST = (Math.PI / 2) * REACH;

export const STRAND_EDGE: ValueLaw = {
  name: 'strand-edge',
  model: 'strand',
  kind: 'value',
  title: 'sliding over an edge is smooth: material runs as fast before the edge as after it, at every step',
  source: 'docs/reference/strand.md',
  parameter: 'nodes [1]',
  parameters: [20, 40, 80],
  quantity: 'largest difference of speeds, over the greatest speed [1]',
  stiffnesses: [],
  scale: () => 1,
  predict: () => 0,
  measure(nodes) {
    const keyframes = Array.from({ length: 33 }, (_, k) => ({
      time: k / 32,
      position: [-0.35 - (REACH / 2) * (1 - Math.cos((Math.PI * k) / 32)), 0.008, 0] as [number, number, number],
    }));
    const world = createWorld({
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.008, density: 830, youngsModulus: 1.25e8, bendingStiffness: 0, friction: 0 },
          points: [
            [-0.35, 0.008, 0],
            [0.008, 0.008, 0],
            [0.008, -0.55, 0],
          ],
          nodes,
          restLength: 0.91585,
          masses: [{ at: 'end', mass: 0.3 }],
          damping: { mass: 0, stiffness: 0.001 },
        },
      ],
      bodies: [{ id: 'box', shape: { type: 'box', size: [0.9, 0.8, 0.3] }, position: [-0.45, -0.4, 0] }],
      drivers: [{ type: 'keyframes', on: { object: 'rope', at: 'start' }, keyframes }],
      probes: [
        { id: 'before', type: 'passage', object: 'rope', point: [-0.022, 0.008, 0] },
        { id: 'after', type: 'passage', object: 'rope', point: [0.008, -0.022, 0] },
      ],
      time: { step: 0.002, duration: 1 },
    });
    let [gap, fastest] = [0, 0];
    for (let n = 0; n < 500; n++) {
      world.step();
      const [before, after] = [readProbe(world, 'before.speed'), readProbe(world, 'after.speed')];
      gap = Math.max(gap, Math.abs(before - after));
      fastest = Math.max(fastest, Math.abs(before));
    }
    if (fastest < 0.9 * FASTEST) throw new Error(`the rope runs at ${fastest} m/s at most`);
    return gap / FASTEST;
  },
};
