/** Naturally curved rods that hang from a clamp: in a plane, or in space. */
import { computeEnergy } from 'heddle/model';
import { Rod } from 'heddle/rod';
import { type Driver, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { clampStart, createMaterial, settle } from './rods.ts';

/** Planar rest, then what becomes of a small push out of the plane. Natural curvature about z, EI = 1, GJ = 0.8, L = 1. */
function hang(curvature: number, weight: number) {
  const state = { isPlanar: true, push: 0 };
  const rod = new Rod({
    id: 'curl',
    material: createMaterial({ stretch: [1e6, 1e6, 1e6] }),
    points: [
      [0, 0, 0],
      [0, -1, 0],
    ],
    segments: SEGMENTS,
    normal: [0, 0, 1],
    natural: [curvature, 0, 0],
    gravity: [0, -weight, 0],
    damping: { mass: 0.2 * Math.sqrt(weight), stiffness: 1e-3 },
  });
  const driver: Driver = {
    prepare() {
      for (let i = 1; i <= SEGMENTS; i++) {
        if (state.isPlanar) rod.holdNode(i, 4);
        else if (state.push !== 0) rod.pushNode(i, [0, 0, state.push * (0.3 + Math.sin(i) ** 3)]);
      }
    },
    aim() {},
  };
  const world = new World({ models: [rod], drivers: [clampStart(rod), driver], timeStep: 0.02, newtonIterations: 20 });
  settle(world, rod, 1e-6, 4000);
  const planar = computeEnergy([rod]).total;
  expect(depthOf(rod)).toBeLessThan(1e-12);
  state.isPlanar = false;
  state.push = 1e-4;
  world.step();
  state.push = 0;
  const first = depthOf(rod);
  for (let n = 0; n < 600; n++) world.step();
  settle(world, rod, 1e-4, 4000);
  return { first, depth: depthOf(rod), planar, energy: computeEnergy([rod]).total };
}

const SEGMENTS = 80;
const depthOf = ({ chain: { q, count } }: Rod): number => {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(q[4 * i + 2]));
  return largest;
};

/**
 * Of a long rod only the lowest part curls, where its weight is no more than its bend can lift: the one length is (EI/w)^⅓, and whether it leaves
 * its plane depends on κ̄ (EI/w)^⅓ alone [Miller 2014]. Measured for GJ/EI = 0.8: between 1.72 and 1.8, for
 * w L³/EI from 100 to 1000 alike.
 */
describe('a naturally curved rod hangs in space where κ̄ (EI/w)^⅓ is more than 1.75; `heddle validate rod-bend-twist` has both sides', () => {
  for (const weight of [100, 300, 1000]) {
    test(`w L³/EI = ${weight}, 1.95: it grows, and the rod comes to rest in space with less energy`, () => {
      const { first, depth, planar, energy } = hang(1.95 * Math.cbrt(weight), weight);
      expect(first).toBeLessThan(1e-5);
      expect(depth).toBeGreaterThan(0.2 / Math.cbrt(weight));
      expect(energy).toBeLessThan(planar - 1e-3 * Math.abs(planar));
    });
  }
});
