/** Fabrics and dynamic bodies: both move, and push each other. */
import { Body, createShape, RigidBody } from 'heddle/bodies';
import type { FabricOptions } from 'heddle/fabric';
import type { Vec3 } from 'heddle/math';
import type { WorldOptions } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createFabric, createFabricWorld, createPlainNet, hold, SPACING, YARN } from './fabrics.ts';

const G = 9.81;
const DOWN: Vec3 = [0, -G, 0];
/** Yarns a side, and how far the middle of the cloth stays off a body. */
const [SIDE, OFFSET] = [7, 2 * YARN.radius];
const RADIUS = 0.02;

interface Options {
  /** Mass of the ball over that of the cloth. */
  readonly ratio: number;
  readonly position?: Vec3;
  readonly velocity?: Vec3;
  readonly spin?: Vec3;
  readonly radius?: number;
  readonly held?: readonly number[];
  readonly others?: readonly Body[];
  readonly fabric?: Partial<FabricOptions>;
  readonly world?: Partial<WorldOptions>;
}

/** A ball over the middle of a flat cloth. */
function create({ ratio, held = [], others = [], radius = RADIUS, ...options }: Options) {
  const net = createPlainNet(SIDE);
  const mass = net.yarnLength.reduce((sum, length) => sum + length * YARN.linearDensity, 0);
  const ball = new Body({
    id: 'ball',
    shape: createShape({ type: 'sphere', radius }),
    motion: 'dynamic',
    mass: ratio * mass,
    position: options.position ?? [0, radius + OFFSET, 0],
    velocity: options.velocity,
    angularVelocity: options.spin,
  });
  const bodies = [ball, ...others];
  const fabric = createFabric(net, { bodies, ...options.fabric });
  const rigid = new RigidBody(ball, fabric.gravity);
  const world = createFabricWorld(fabric, {
    models: [fabric, rigid],
    bodies,
    drivers: [hold(fabric, held)],
    ...options.world,
  });
  return { world, fabric, ball, mass };
}

const CORNERS = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1];

describe('a ball on a cloth that hangs from its corners', () => {
  test.each([10, 1, 0.01])('of %f times its mass comes to rest, and the pins bear both', (ratio) => {
    const { world, fabric, ball, mass } = create({
      ratio,
      held: CORNERS,
      fabric: { gravity: DOWN, damping: { mass: 5, stiffness: 6e-3 } },
    });
    let substeps = 0;
    for (let n = 0; n < 250; n++) substeps += world.step().substeps;
    expect(substeps).toBe(250);
    expect(Math.abs(ball.velocity[1])).toBeLessThan(1e-3);
    expect(ball.position[1]).toBeLessThan(RADIUS + OFFSET - 1e-3);
    const borne = CORNERS.reduce((sum, i) => sum + fabric.state.reaction[3 * i + 1], 0);
    expect(borne / (G * (mass + ball.mass))).toBeCloseTo(1, 2);
    expect(fabric.touch.contacts.bodyForce[1] / (G * ball.mass)).toBeCloseTo(1, 2);
  });
});

test.each([10, 0.1])('the table under a cloth bears a ball of %f times its mass on it', (ratio) => {
  const table = new Body({ id: 'table', shape: createShape({ type: 'plane' }), position: [0, -OFFSET, 0] });
  const { world, fabric, ball, mass } = create({
    ratio,
    others: [table],
    fabric: { gravity: DOWN, damping: { mass: 20, stiffness: 3e-3 } },
    world: { newtonIterations: 30, tolerance: 1e-8 },
  });
  for (let n = 0; n < 250; n++) world.step();
  const { bodyForce } = fabric.touch.contacts;
  expect(bodyForce[1] / (G * ball.mass)).toBeCloseTo(1, 3);
  expect(bodyForce[7] / (-G * (mass + ball.mass))).toBeCloseTo(1, 3);
});

describe('a ball that spins flies into a free cloth', () => {
  /** Momenta before and after 6 ms, in which no node goes or changes, and how much the ball was slowed. */
  const collide = (h: number, keepsAngularMomentum: boolean) => {
    const { world, ball } = create({
      ratio: 1,
      position: [4e-3, RADIUS + OFFSET + 1e-3, 0],
      velocity: [0.3, -1, 0.1],
      spin: [3, 5, 2],
      world: { timeStep: h, newtonIterations: 60, tolerance: 1e-9, keepsAngularMomentum },
    });
    const measure = (): Float64Array => {
      const out = new Float64Array(6);
      for (const model of world.models) model.addMomentum(out);
      return out;
    };
    const before = measure();
    for (let n = 0; n < Math.round(6e-3 / h); n++) world.step();
    return { before, after: measure(), slowed: 1 + ball.velocity[1] };
  };
  const compare = ({ before, after }: ReturnType<typeof collide>, from: number): number =>
    Math.hypot(...[0, 1, 2].map((k) => after[from + k] - before[from + k])) /
    Math.hypot(...before.subarray(from, from + 3));

  test('linear and angular momentum are kept to 1e-9, the latter without being given back to the first order of the step', () => {
    const [coarse, fine, kept] = [collide(1e-3, false), collide(5e-4, false), collide(1e-3, true)];
    for (const one of [coarse, fine, kept]) {
      expect(one.slowed).toBeGreaterThan(0.2);
      expect(compare(one, 0)).toBeLessThan(1e-9);
    }
    expect(compare(coarse, 3)).toBeLessThan(0.03);
    expect(compare(fine, 3)).toBeLessThan(compare(coarse, 3) / 1.5);
    expect(compare(kept, 3)).toBeLessThan(1e-9);
  });
});

test('a ball rolls down a cloth that is held on a slope without slipping: v = ω (R + offset)', () => {
  const [angle, radius] = [(10 * Math.PI) / 180, 0.04];
  const nodes = Array.from({ length: SIDE * SIDE + 4 * SIDE }, (_, i) => i);
  const { world, ball } = create({
    ratio: 2,
    radius,
    held: nodes,
    position: [-1.5 * SPACING, radius + OFFSET - 3e-4, 0],
    fabric: { gravity: [G * Math.sin(angle), -G * Math.cos(angle), 0], bodyFriction: 0.5 },
    world: { newtonIterations: 30, tolerance: 1e-8 },
  });
  for (let n = 0; n < 100; n++) world.step();
  const [speed, turn] = [ball.velocity[0], -ball.angularVelocity[2]];
  expect(speed).toBeGreaterThan(0.08);
  expect(speed / (turn * (radius + OFFSET))).toBeCloseTo(1, 2);
  // nothing else turns it, or carries it aside
  expect(Math.abs(ball.velocity[2])).toBeLessThan(1e-6 * speed);
});
