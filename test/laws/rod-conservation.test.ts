/** What a free rod keeps: momentum, angular momentum, material; and energy, which it never gains. */
import { readFileSync } from 'node:fs';
import { computeEnergy } from 'heddle/model';
import type { RodOptions } from 'heddle/rod';
import { compile, validateScene } from 'heddle/scene';
import { changeOf, momentumOf, RESTLESS, throwRod } from 'heddle/validate';
import type { WorldOptions } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const { sliding: SLIDING } = RESTLESS;

/** Runs for 0.5 s: how much momentum and angular momentum changed, relatively, at most and at the end; largest gain of energy in a step. */
function run(
  options: Partial<RodOptions>,
  steps: number,
  integrator: WorldOptions['integrator'] = 'euler',
  keepsAngularMomentum?: boolean,
) {
  const { rod, world } = throwRod(options, 0.5 / steps, integrator, keepsAngularMomentum);
  const start = momentumOf(rod);
  const [length, mass] = [rod.state.restLength, rod.computeMass()];
  let [linear, gain, splits, collapses] = [0, Number.NEGATIVE_INFINITY, 0, 0];
  let [energy, count] = [computeEnergy([rod]).total, rod.nodeCount];
  let next = rod.state.nextLabel;
  for (let n = 0; n < steps; n++) {
    world.step();
    linear = Math.max(linear, changeOf(start, momentumOf(rod), 0));
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
  return { linear, angular: changeOf(start, momentumOf(rod), 3), gain, splits, collapses, energy };
}

describe('a free rod that tumbles', () => {
  test('keeps its momentum', () => {
    expect(run({}, 200).linear).toBeLessThan(1e-12);
    expect(run({}, 200, 'sdirk2').linear).toBeLessThan(1e-12);
  });

  test('keeps its momentum while material points move, come and go, and its whole material', () => {
    const { linear, splits, collapses } = run(RESTLESS, 200);
    expect(splits).toBeGreaterThanOrEqual(2);
    expect(collapses).toBeGreaterThanOrEqual(2);
    expect(linear).toBeLessThan(1e-6);
  });

  test('keeps its momentum with sdirk2, too, whose stages are those of momenta where material moves', () => {
    const { linear, splits, collapses } = run(RESTLESS, 200, 'sdirk2');
    expect(splits + collapses).toBeGreaterThanOrEqual(4);
    expect(linear).toBeLessThan(1e-9);
  });

  test('keeps its angular momentum to rounding, also while material points move, come and go', () => {
    for (const integrator of ['euler', 'sdirk2'] as const)
      for (const options of [{}, RESTLESS]) expect(run(options, 200, integrator).angular).toBeLessThan(1e-11);
  });

  test('without being given it back keeps it to first order with implicit Euler, to second with sdirk2', () => {
    const euler = [200, 400, 800].map((steps) => run({}, steps, 'euler', false).angular);
    const sdirk2 = [100, 200, 400].map((steps) => run({}, steps, 'sdirk2', false).angular);
    expect(euler[1] / euler[2]).toBeGreaterThan(1.8);
    expect(euler[2]).toBeLessThan(0.005);
    expect(euler[2]).toBeGreaterThan(1e-4);
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
    expect(damped.angular).toBeLessThan(1e-11);
  });

  test('loses momentum at the rate of its mass damping', () => {
    const alpha = 0.8;
    const { linear } = run({ damping: { mass: alpha, stiffness: 0 } }, 200);
    // implicit Euler: (1 + α h)^−n
    expect(Math.abs(1 - linear - (1 + (alpha * 0.5) / 200) ** -200)).toBeLessThan(1e-12);
  });
});

test('a Lagrangian cord that bounces on its coils loses energy in every step, with the default solver', {
  tags: 'long',
}, () => {
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
