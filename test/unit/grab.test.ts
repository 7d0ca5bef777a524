/** The hand that pulls on things in a running world. */
import { Strand } from 'heddle/strand';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createWorld, distance, nodesOf, run, strand, type Vector } from './world-scenes.ts';

const ROPE: Vector[] = [
  [0, 0, 0],
  [1, 0, 0],
];
const time = { step: 0.005, duration: 10 };
const freeRope = (): World => createWorld({ gravity: [0, 0, 0], objects: [strand('rope', ROPE, 11)], time });

const BALL = {
  id: 'ball',
  shape: { type: 'sphere' as const, radius: 0.15 },
  motion: 'dynamic' as const,
  mass: 2,
  position: [0, 1, 0] as Vector,
};

function momentumOf(world: World): Float64Array {
  const sum = new Float64Array(6);
  for (const model of world.models) model.addMomentum(sum);
  return sum;
}

/** Where the spring begins. */
function placeOf(world: World): Float64Array {
  const from = new Float64Array(3);
  world.grab.writeEnds(from, new Float64Array(3));
  return from;
}

function strandOf(world: World): Strand {
  const [model] = world.models;
  if (!(model instanceof Strand)) throw new Error('the first model is no strand');
  return model;
}

describe('a hand', () => {
  test('that holds nothing, or let go before a step, leaves every bit as it is', () => {
    const [plain, touched] = [freeRope(), freeRope()];
    touched.grab.take({ object: 'rope', label: 3 }, [5, 5, 5]);
    touched.grab.release();
    run(plain, 30);
    run(touched, 30);
    expect(touched.hash()).toBe(plain.hash());
    touched.grab.take({ object: 'rope', label: 3 }, [5, 5, 5]);
    run(plain, 1);
    run(touched, 1);
    expect(touched.hash()).not.toBe(plain.hash());
  });

  test('gives a strand the momentum that its force sums up to', () => {
    const world = freeRope();
    world.grab.take({ object: 'rope', label: 3 }, [0.3, 0.4, 0.2]);
    const impulse = new Float64Array(3);
    for (let n = 0; n < 60; n++) {
      world.step();
      // p = Σ h f in implicit Euler
      for (let k = 0; k < 3; k++) impulse[k] += world.timeStep * world.grab.force[k];
      expect(distance(momentumOf(world).subarray(0, 3), impulse)).toBeLessThan(1e-12);
    }
    expect(Math.abs(impulse[1])).toBeGreaterThan(0.005);
    world.grab.release();
    const p = momentumOf(world);
    run(world, 20);
    const after = momentumOf(world);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - p[k])).toBeLessThan(1e-12);
    expect(Array.from(world.grab.force)).toEqual([0, 0, 0]);
  });

  test('gives a body the momentum and the spin of its pull', () => {
    const world = createWorld({ gravity: [0, 0, 0], objects: [strand('rope', ROPE, 5)], bodies: [BALL], time });
    world.grab.take({ body: 'ball', at: [0.1, 1.15, 0] }, [0.5, 1.5, 0.3]);
    const sum = new Float64Array(6);
    for (let n = 0; n < 40; n++) {
      const r = placeOf(world);
      world.step();
      const f = world.grab.force;
      // h f, and h r × f with the arm at the start of the step: exact for a ball, whose inertia does not turn
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        sum[k] += world.timeStep * f[k];
        sum[3 + k] += world.timeStep * (r[a] * f[b] - r[b] * f[a]);
      }
      const p = momentumOf(world);
      expect(distance(p.subarray(0, 3), sum.subarray(0, 3))).toBeLessThan(1e-12);
      expect(distance(p.subarray(3), sum.subarray(3))).toBeLessThan(1e-12);
    }
    expect(Math.hypot(...sum.subarray(3))).toBeGreaterThan(0.1);
  });

  test('is the implicit recurrence of a damped spring, on a body held at its centre', () => {
    // m (v' − v) = h (k (p − x') − c v'),  x' = x + h v'
    const world = createWorld({ gravity: [0, 0, 0], objects: [strand('rope', ROPE, 5)], bodies: [BALL], time });
    const h = world.timeStep;
    const k = (40 * BALL.mass * 9.80665) / (0.3 * Math.sqrt(3));
    const c = 2 * Math.sqrt(k * BALL.mass);
    const target = 1.4;
    world.grab.take({ body: 'ball', at: BALL.position }, [0, target, 0]);
    let [x, v] = [BALL.position[1], 0];
    for (let n = 0; n < 60; n++) {
      world.step();
      v = (BALL.mass * v + h * k * (target - x)) / (BALL.mass + h * h * k + h * c);
      x += h * v;
      expect(world.frame().bodies[0].position[1]).toBeCloseTo(x, 12);
    }
    expect(x).toBeGreaterThan(1.3);
  });

  test('holds a hanging strand a fortieth of its length below the point', () => {
    // k = 40 m g₀/L: the weight m g stretches the spring by L/40 g/g₀
    const world = createWorld({
      gravity: [0, -9.80665, 0],
      objects: [strand('rope', ROPE, 11, { damping: { mass: 5 } })],
      time: { step: 0.01, duration: 10 },
    });
    world.grab.take({ object: 'rope', label: 0 }, [0, 0, 0]);
    run(world, 1500);
    expect(nodesOf(world)[0][1]).toBeCloseTo(-1 / 40, 6);
    expect(world.grab.force[1]).toBeCloseTo(0.01 * 9.80665, 6);
  });

  test.each([1e-4, 1e-2, 0.3])('brings a node to the point with steps of %d s', (step) => {
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [strand('rope', ROPE, 11)],
      time: { step, duration: 1e4 },
    });
    world.grab.take({ object: 'rope', label: 10 }, [1.05, 0.02, 0]);
    const before = distance(nodesOf(world)[10], [1.05, 0.02, 0]);
    for (let n = 0; n < 400; n++) {
      world.step();
      // critically damped: never further away than at the start
      expect(distance(nodesOf(world)[10], [1.05, 0.02, 0])).toBeLessThan(1.0001 * before);
    }
    if (step > 1e-3) expect(distance(nodesOf(world)[10], [1.05, 0.02, 0])).toBeLessThan(0.1 * before);
  });

  test.each(['euler', 'sdirk2'] as const)(
    'takes a pin along, and the pin stays where it is let go (%s)',
    (integrator) => {
      const world = createWorld({
        objects: [strand('rope', ROPE, 11)],
        drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
        probes: [{ id: 'p', type: 'position', on: { object: 'rope', at: 'start' } }],
        time: { ...time, integrator },
      });
      run(world, 5);
      world.grab.take({ object: 'rope', label: 0 }, [0, 0.3, 0.1]);
      run(world, 200);
      const place = nodesOf(world)[0];
      expect(distance(place, [0, 0.3, 0.1])).toBeLessThan(1e-3);
      world.grab.release();
      run(world, 50);
      expect(distance(nodesOf(world)[0], place)).toBeLessThan(1e-3);
      const still = nodesOf(world)[0];
      run(world, 20);
      expect(distance(nodesOf(world)[0], still)).toBeLessThan(1e-12);
    },
  );

  test('pulls a strand off the ground that it lies on', () => {
    const world = createWorld({
      objects: [
        strand(
          'rope',
          [
            [0, 0.002, 0],
            [1, 0.002, 0],
          ],
          11,
          { mode: 'eol' },
        ),
      ],
      bodies: [{ id: 'floor', shape: { type: 'box', size: [4, 1, 4] }, position: [0, -0.5, 0] }],
      time,
    });
    run(world, 20);
    world.grab.take({ object: 'rope', label: 10 }, [1, 0.5, 0]);
    run(world, 300);
    const top = nodesOf(world).at(-1)!;
    expect(top[1]).toBeGreaterThan(0.4);
    world.grab.release();
    run(world, 200);
    expect(nodesOf(world).at(-1)![1]).toBeLessThan(0.02);
  });

  test('keeps hold of the material when its node is taken out of the chain', () => {
    const world = freeRope();
    const { state } = strandOf(world);
    world.grab.take({ object: 'rope', label: 4 }, [0.4, 0.1, 0]);
    run(world, 2);
    state.disableNode(state.indexOf(4));
    const from = placeOf(world);
    const beside = [3, 5].map((label) => state.chain.q.subarray(4 * state.indexOf(label)).slice(0, 3));
    expect(Math.min(...beside.map((x) => distance(x, from)))).toBe(0);
    run(world, 20);
    expect(Math.hypot(...world.grab.force)).toBeGreaterThan(0);
  });

  test('says why it cannot grab', () => {
    const world = createWorld({
      objects: [strand('rope', ROPE, 5)],
      bodies: [{ id: 'wall', shape: { type: 'box', size: [1, 1, 1] }, position: [0, 5, 0] }],
      time,
    });
    expect(() => world.grab.take({ object: 'rope', label: 99 }, [0, 0, 0])).toThrow(/no node 99/);
    expect(() => world.grab.take({ object: 'rope', label: -1 }, [0, 0, 0])).toThrow(/no node -1/);
    expect(() => world.grab.take({ object: 'rop', label: 0 }, [0, 0, 0])).toThrow(/Did you mean/);
    expect(() => world.grab.take({ body: 'wall', at: [0, 0, 0] }, [0, 0, 0])).toThrow(/wall/);
    expect(() => world.grab.take({ object: 'rope', label: 0 }, [Number.NaN, 0, 0])).toThrow(/finite/);
  });
});
