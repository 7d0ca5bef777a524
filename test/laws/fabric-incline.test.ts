/** A patch on a larger one that is held, on a slope: friction between layers. */
import { addLayerContacts, ROLE_BETWEEN } from 'heddle/fabric';
import { joinNets, placeNet } from 'heddle/patterns';
import type { WorldOptions } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createFabric, createFabricWorld, createPlainNet, hold, LAYER, SPACING, YARN } from './fabrics.ts';

const G = 9.81;
const DEGREE = Math.PI / 180;
const EXACT = { newtonIterations: 40, tolerance: 1e-8 };

/** The slope goes down along x: gravity is turned instead of the cloth. */
function lay(friction: number, angle: number, solver: Partial<WorldOptions> = EXACT) {
  const layers = [
    { ...LAYER, preload: 0.05 },
    { ...LAYER, name: 'upper', preload: 0.05 },
  ];
  const [lower, upper] = [createPlainNet(8, 6), createPlainNet(3)];
  const [below, above] = [lower.role.length, upper.role.length];
  const placed = placeNet(upper, [2.3 * SPACING, 0, -1.4 * SPACING], [0, 0, 0, 1]);
  const fabric = createFabric(addLayerContacts(joinNets([lower, placed]), { layers, materials: [YARN] }), {
    layers,
    friction: Float64Array.of(0.5, friction, friction, 0.5),
    gravity: [G * Math.sin(angle), -G * Math.cos(angle), 0],
  });
  const held = Array.from({ length: below }, (_, i) => i);
  const own = Array.from({ length: above }, (_, i) => below + i);
  const mean = (array: Float64Array): number => own.reduce((sum, i) => sum + array[5 * i], 0) / above;
  const weight = 6 * 3 * SPACING * YARN.linearDensity * G;
  const { state } = fabric;
  return {
    state,
    world: createFabricWorld(fabric, { ...solver, drivers: [hold(fabric, held)] }),
    computeSpeed: () => mean(state.v),
    computePlace: () => mean(state.q),
    /** All loads between the layers, relative to the weight. */
    computeLoad: () => {
      let sum = 0;
      for (let i = below + above; i < state.count; i++)
        if (state.role[i] === ROLE_BETWEEN) sum += Math.max(0, state.load[i]);
      return sum / weight;
    },
  };
}

describe.each([0.2, 0.5, 1])('a patch on another, μ = %f', (friction) => {
  test('comes to rest 1° below atan μ, and presses with its weight across the slope', () => {
    const angle = Math.atan(friction) - DEGREE;
    const { world, computeSpeed, computePlace, computeLoad } = lay(friction, angle);
    // the first step does not know the loads yet; what it gains is lost at 0.17 m/s² here
    for (let n = 0; n < 110; n++) world.step();
    const place = computePlace();
    for (let n = 0; n < 30; n++) world.step();
    expect(Math.abs(computeSpeed())).toBeLessThan(2e-4);
    // ½ g t² sin a of 30 ms is a millimetre and more
    expect(Math.abs(computePlace() - place)).toBeLessThan(1e-5);
    expect(computeLoad()).toBeCloseTo(Math.cos(angle), 2);
  });

  for (const [iterations, solver] of [['all', EXACT] as const, ['its own', {}] as const])
    test(`slides 1° above with g (sin a − μ cos a), to 5 %, with ${iterations} of Newton's iterations`, () => {
      const angle = Math.atan(friction) + DEGREE;
      const { world, computeSpeed, state } = lay(friction, angle, solver);
      for (let n = 0; n < 40; n++) world.step();
      const before = computeSpeed();
      for (let n = 0; n < 80; n++) world.step();
      // crossings of the patch with the other have passed those of the other
      if (friction === 1) expect(state.passings).toBeGreaterThan(0);
      const share = (computeSpeed() - before) / 0.08 / (G * (Math.sin(angle) - friction * Math.cos(angle)));
      expect(share).toBeGreaterThan(0.95);
      expect(share).toBeLessThan(1.05);
    });
});
