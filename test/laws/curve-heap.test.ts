/**
 * Heaps: so many contacts that rows go by sweeps (`model/island-heap.ts`), which come only near to the solution. Momentum is kept to rounding all the same,
 * nothing goes through, and what is left is brought out by the next steps.
 */
import { createPin } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import {
  computeDistance,
  computeMomentum,
  createCurveWorld,
  RADIUS,
  ROPE,
  strand,
  type TouchingStrand,
  type Vector,
} from './curve-scenes.ts';

const [COUNT, PITCH, NODES] = [18, 0.022, 7];
const G = 9.81;

/** Two crossed layers of strands, `gap` between their surfaces; the upper one falls by `velocity`. */
function createLayers(gap: number, velocity: Vector, gravity: Vector, mu: number, massDamping: number) {
  const half = 0.5 * PITCH * COUNT;
  const place = (n: number) => PITCH * (n + 0.5) - half;
  const more = { friction: mu, damping: { mass: massDamping, stiffness: 1e-3 } };
  const lower = Array.from({ length: COUNT }, (_, n) =>
    strand(
      `lower ${n}`,
      [
        [place(n), 0, -half],
        [place(n), 0, half],
      ],
      NODES,
      more,
    ),
  );
  const upper = Array.from({ length: COUNT }, (_, n) =>
    strand(
      `upper ${n}`,
      [
        [-half, 2 * RADIUS + gap, place(n)],
        [half, 2 * RADIUS + gap, place(n)],
      ],
      NODES,
      { ...more, gravity, velocity },
    ),
  );
  return { lower, upper };
}

const closest = (lower: readonly TouchingStrand[], upper: readonly TouchingStrand[]): number =>
  Math.min(...lower.flatMap((a) => upper.map((b) => computeDistance(a, b))));

describe.each([0, 0.3])('friction %s', (mu) => {
  test('a layer thrown at another does not go through it, and momentum is kept', () => {
    const { lower, upper } = createLayers(0.003, [0.3, -2, 0.1], [0, 0, 0], mu, 0);
    const { world, watch } = createCurveWorld([...lower, ...upper], { timeStep: 0.004 });
    const before = computeMomentum(world);
    const energy = world.energy().total;
    let swept = 0;
    for (let n = 0; n < 12; n++) {
      world.step();
      if (world.system.report.sweptIslands > 0) swept++;
      expect(closest(lower, upper)).toBeGreaterThan(0.95 * 2 * RADIUS);
      expect(world.energy().total).toBeLessThan(energy * (1 + 1e-9));
    }
    const after = computeMomentum(world);
    expect(swept).toBeGreaterThan(0);
    expect(watch.crossings).toBe(0);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-12 * Math.abs(before[1]));
  });
});

test('a layer comes to rest on another, 2r above it, and is borne by it', () => {
  const { lower, upper } = createLayers(1e-4, [0, 0, 0], [0, -G, 0], 0.3, 20);
  const { world } = createCurveWorld([...lower, ...upper], {
    timeStep: 0.01,
    drivers: lower.flatMap((model) => [0, NODES - 1].map((i) => createPin({ model, label: model.chain.label[i] }))),
  });
  for (let n = 0; n < 60; n++) world.step();
  expect(world.system.report.sweptIslands).toBe(1);
  expect(world.energy().kinetic).toBeLessThan(1e-10);
  const weight = upper.reduce((sum, { state }) => sum + ROPE.linearDensity * state.restLength * G, 0);
  const borne = upper.reduce((sum, one) => sum + one.computePush()[1], 0);
  expect(borne / weight).toBeCloseTo(1, 3);
  expect(Math.abs(closest(lower, upper) / (2 * RADIUS) - 1)).toBeLessThan(1e-3);
});
