/** What a free rod keeps: momentum, angular momentum, material; and energy, which it never gains. */
import { readFileSync } from 'node:fs';
import type { Vec3 } from 'heddle/math';
import { computeEnergy } from 'heddle/model';
import { DEFAULT_REFINEMENT, Rod, type RodOptions } from 'heddle/rod';
import { compile, validateScene } from 'heddle/scene';
import { World, type WorldOptions } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createMaterial } from './rods.ts';

/** Bent in space, natural straight, flying and tumbling. */
function throwRod(options: Partial<RodOptions>, timeStep: number, integrator: WorldOptions['integrator'] = 'euler') {
  const points: Vec3[] = [];
  const velocity: Vec3[] = [];
  for (let i = 0; i <= 20; i++) {
    const s = i / 20;
    points.push([s, 0.3 * Math.sin(2.5 * s), 0.2 * s * s]);
    velocity.push([0.7 + 1.1 * s * s, -2 * s + 0.4, 3 * s - 1]);
  }
  const rod = new Rod({
    id: 'rod',
    material: createMaterial({ bend: [1, 1.7, 0.8], stretch: [3e4, 3e4, 1e5], inertia: [1e-3, 2e-3, 3e-3] }),
    points,
    velocity,
    segments: 20,
    gravity: [0, 0, 0],
    twist: 0.8,
    masses: [{ at: 0.35, mass: 0.2 }],
    ...options,
  });
  return { rod, world: new World({ models: [rod], timeStep, integrator, newtonIterations: 30, tolerance: 1e-12 }) };
}

const momentumOf = (rod: Rod): Float64Array => {
  const out = new Float64Array(6);
  rod.addMomentum(out);
  return out;
};

const change = (a: Float64Array, b: Float64Array, from: number): number =>
  Math.hypot(...[0, 1, 2].map((k) => b[from + k] - a[from + k])) / Math.hypot(...a.subarray(from, from + 3));

const SLIDING = { contrast: 1000, rate: 10 };
const REFINEMENT = { ...DEFAULT_REFINEMENT, shortest: 0.6, longest: 1.4, finest: 1 };
/** Shares of the length with nodes: some too near to each other, some too far. */
const UNEVEN = [
  0, 0.05, 0.1, 0.12, 0.17, 0.22, 0.24, 0.35, 0.42, 0.47, 0.49, 0.55, 0.6, 0.65, 0.67, 0.7, 0.78, 0.85, 0.87, 0.95, 1,
];

/** Runs for 0.5 s: how much momentum and angular momentum changed, relatively, at most and at the end; largest gain of energy in a step. */
function run(options: Partial<RodOptions>, steps: number, integrator: WorldOptions['integrator'] = 'euler') {
  const { rod, world } = throwRod(options, 0.5 / steps, integrator);
  const start = momentumOf(rod);
  const [length, mass] = [rod.state.restLength, rod.computeMass()];
  let [linear, gain, splits, collapses] = [0, Number.NEGATIVE_INFINITY, 0, 0];
  let [energy, count] = [computeEnergy([rod]).total, rod.nodeCount];
  let next = rod.state.nextLabel;
  for (let n = 0; n < steps; n++) {
    world.step();
    linear = Math.max(linear, change(start, momentumOf(rod), 0));
    const now = computeEnergy([rod]).total;
    gain = Math.max(gain, now - energy);
    energy = now;
    splits += rod.state.nextLabel - next;
    collapses += rod.state.nextLabel - next - (rod.nodeCount - count);
    next = rod.state.nextLabel;
    count = rod.nodeCount;
    // material coordinates run from 0 to the length, whatever nodes there are, and in order
    const { q } = rod.chain;
    expect(q[3]).toBe(0);
    expect(q[4 * count - 1]).toBe(length);
    for (let i = 1; i < count; i++) expect(q[4 * i + 3]).toBeGreaterThan(q[4 * i - 1]);
    expect(rod.computeMass()).toBeCloseTo(mass, 12);
  }
  return { linear, angular: change(start, momentumOf(rod), 3), gain, splits, collapses, energy };
}

describe('a free rod that tumbles', () => {
  test('keeps its momentum', () => {
    expect(run({}, 200).linear).toBeLessThan(1e-12);
    expect(run({}, 200, 'sdirk2').linear).toBeLessThan(1e-12);
  });

  test('keeps its momentum while material points move, come and go, and its whole material', () => {
    const { linear, splits, collapses } = run({ segments: UNEVEN, sliding: SLIDING, refinement: REFINEMENT }, 200);
    expect(splits).toBeGreaterThanOrEqual(2);
    expect(collapses).toBeGreaterThanOrEqual(2);
    expect(linear).toBeLessThan(1e-6);
  });

  test('keeps its momentum with sdirk2, too, whose stages are those of momenta where material moves', () => {
    const { linear, splits, collapses } = run(
      { segments: UNEVEN, sliding: SLIDING, refinement: REFINEMENT },
      200,
      'sdirk2',
    );
    expect(splits + collapses).toBeGreaterThanOrEqual(4);
    expect(linear).toBeLessThan(1e-9);
  });

  test('keeps its angular momentum to first order with implicit Euler, to second with sdirk2', () => {
    const euler = [200, 400, 800].map((steps) => run({}, steps).angular);
    const sdirk2 = [100, 200, 400].map((steps) => run({}, steps, 'sdirk2').angular);
    expect(euler[1] / euler[2]).toBeGreaterThan(1.8);
    expect(euler[2]).toBeLessThan(0.005);
    expect(sdirk2[1] / sdirk2[2]).toBeGreaterThan(3.6);
    expect(sdirk2[2]).toBeLessThan(5e-4);
  });

  for (const [what, options] of [
    ['without damping', {}],
    ['with damping', { damping: { mass: 0.3, stiffness: 1e-3 } }],
    ['whose material points move', { sliding: SLIDING }],
  ] as const)
    test(`never gains energy with implicit Euler, ${what}`, () => {
      for (const steps of [20, 100, 400]) expect(run(options, steps).gain).toBeLessThanOrEqual(0);
    });

  test('is damped by strains that lag, which leaves its momenta alone', () => {
    const [free, damped] = [0, 5e-3].map((stiffness) => run({ damping: { mass: 0, stiffness } }, 400, 'sdirk2'));
    expect(damped.energy).toBeLessThan(0.95 * free.energy);
    expect(damped.linear).toBeLessThan(1e-12);
    expect(damped.angular).toBeLessThan(5e-4);
  });

  test('loses momentum at the rate of its mass damping', () => {
    const alpha = 0.8;
    const { linear } = run({ damping: { mass: alpha, stiffness: 0 } }, 200);
    // implicit Euler: (1 + α h)^−n
    expect(Math.abs(1 - linear - (1 + (alpha * 0.5) / 200) ** -200)).toBeLessThan(1e-12);
  });
});

test('a Lagrangian cord that bounces on its coils loses energy in every step, with the default solver', () => {
  const scene = JSON.parse(readFileSync('scenes/rod-cord.json', 'utf8'));
  scene.objects[0].mode = 'lagrangian';
  const world = compile(validateScene(scene));
  // the hand lets go at 0.6 s
  while (world.time < 1.2) world.step();
  let energy = world.energy().total;
  for (let n = 0; n < 40; n++) {
    world.step();
    const now = world.energy().total;
    expect(now).toBeLessThan(energy);
    energy = now;
  }
});
