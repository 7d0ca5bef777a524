/** Rods that slide, split, touch and are turned give the same bits run twice and resumed. */
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

type Vector = [number, number, number];

const SCENE: SceneInput = {
  heddle: 1,
  name: 'rods',
  title: 'Rods',
  objects: [
    {
      type: 'rod',
      id: 'rod',
      material: { radius: 0.004, density: 1100, youngsModulus: 2e6 },
      points: [[-0.2, 0.05, 0], [0.2, 0.05, 0.02]] as Vector[], // biome-ignore format: points
      segments: 16,
      velocity: [0, -1, 0],
      contact: { self: true },
    },
    {
      type: 'rod',
      id: 'coil',
      material: { radius: 0.003, density: 1100, youngsModulus: 2e6 },
      shape: { type: 'helix', radius: 0.05, pitch: 0.04, turns: 1, origin: [0, -0.05, 0] },
      segments: 14,
      natural: 'initial',
    },
  ],
  bodies: [{ id: 'box', shape: { type: 'box', size: [0.1, 0.1, 0.4] }, position: [-0.12, -0.05, 0] }],
  drivers: [
    { type: 'turn', on: { object: 'rod', at: 'end' }, axis: [0, 0, 1], rate: 5 },
    { type: 'twist', on: { object: 'coil', at: 'start' }, rate: 8, from: 0.05 },
    { type: 'pin', on: { object: 'coil', at: 0.5 } },
  ],
  probes: [
    { id: 'v', type: 'velocity', on: { object: 'rod', at: 0.3 } },
    { id: 'f', type: 'constraintForce', on: { object: 'coil', at: 0.5 } },
    { id: 'T', type: 'torque', on: { object: 'rod', at: 'end' } },
    { id: 'c', type: 'contactForce', body: 'box' },
    { id: 'R', type: 'rod', object: 'coil' },
    { id: 'E', type: 'energy' },
    { id: 'n', type: 'counts' },
  ],
  time: { step: 4e-3, duration: 1 },
};
const STEPS = 80;

/** What can be read off; arrows of contacts appear with the first step after loading, as those of sheets do. */
function describeWorld(world: World): string {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return JSON.stringify([world.hash(), [...values], world.frame().objects], (_, value) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
}

describe.each(['euler', 'sdirk2'] as const)('with %s', (integrator) => {
  const create = (): World => compile(validateScene({ ...SCENE, time: { ...SCENE.time, integrator } }));

  test('saved and loaded every few steps, it ends with the same bits, through contacts and nodes that come and go', () => {
    const whole = create();
    let resumed = create();
    const at = whole.probeColumns.indexOf('n.remeshings');
    const values = new Float64Array(whole.probeColumns.length);
    let push = 0;
    for (let n = 0; n < STEPS; n++) {
      whole.step();
      resumed.step();
      expect(describeWorld(resumed) === describeWorld(whole)).toBe(true);
      whole.writeProbes(values);
      push = Math.max(push, Math.abs(values[whole.probeColumns.indexOf('c.y')]));
      if (n % 3 !== 0) continue;
      const fresh = create();
      fresh.load(resumed.save());
      resumed = fresh;
      expect(describeWorld(resumed) === describeWorld(whole)).toBe(true);
    }
    expect(values[at]).toBeGreaterThan(2);
    expect(push).toBeGreaterThan(0.01);
  });
});
