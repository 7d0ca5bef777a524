/** Places of a strand that are fastened to free bodies and lie on a face of another: ties and faces share what holds them. */
import type { Vec3 } from 'heddle/math';
import { expect, test } from 'vitest';
import { createWorld, readProbe, run } from './measure.ts';

const G = 9.81;
const RADIUS = 0.004;
const ROPE = { radius: RADIUS, linearDensity: 0.05, stretchStiffness: 2000, bendingStiffness: 0 };
const LENGTH = 0.3;
const BALL = 0.08;
const WEIGHT = (BALL + ROPE.linearDensity * LENGTH) * G;

/** A rope along x on the floor; a ball about one of its points is tied to it, or threaded on it. */
function createBallOnFloor(at: 'end' | 'threaded', height: number, friction: number, gravity: Vec3) {
  const y = RADIUS + height;
  const place: Vec3 = at === 'end' ? [LENGTH, y, 0] : [0.4 * LENGTH, y, 0];
  return createWorld({
    gravity,
    materials: { rope: { ...ROPE, friction } },
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: 'rope',
        points: [
          [0, y, 0],
          [LENGTH, y, 0],
        ],
        nodes: 7,
        guides: at === 'threaded' ? [{ id: 'bead', point: place, body: 'ball', friction: 1 }] : [],
        damping: { mass: 0, stiffness: 0.001 },
      },
    ],
    bodies: [
      { id: 'floor', shape: { type: 'plane' } },
      { id: 'ball', shape: { type: 'sphere', radius: 0.01 }, position: place, motion: 'dynamic', mass: BALL },
    ],
    drivers: at === 'end' ? [{ type: 'tie', on: { object: 'rope', at: 'end' }, body: 'ball' }] : [],
    probes: [
      { id: 'floor', type: 'contactForce', body: 'floor' },
      { id: 'ball', type: 'body', body: 'ball' },
    ],
    time: { step: 0.002, duration: 1 },
  });
}

test.each(['end', 'threaded'] as const)(
  'a floor bears the weight of a rope and of a ball on it that fell on it (%s)',
  (at) => {
    const world = createBallOnFloor(at, 0.01, 0.3, [0, -G, 0]);
    // √(2·0.01/g) = 45 ms of fall, an impact, then rest
    run(world, 200);
    expect(readProbe(world, 'ball.y')).toBeCloseTo(RADIUS, 9);
    expect(readProbe(world, 'floor.y') / WEIGHT).toBeCloseTo(-1, 6);
    expect(Math.abs(readProbe(world, 'floor.x'))).toBeLessThan(1e-6 * WEIGHT);
  },
);

test('on an incline a rope with a ball tied to it sticks while tan a < μ and gains g (sin a − μ cos a) t beyond', () => {
  const mu = 0.5;
  for (const slope of [0.95 * mu, 1.05 * mu]) {
    const a = Math.atan(slope);
    const world = createBallOnFloor('end', 0, mu, [G * Math.sin(a), -G * Math.cos(a), 0]);
    // until the rope has stretched to the force that it passes on
    run(world, 50);
    const before = readProbe(world, 'ball.vx');
    run(world, 100);
    const gained = 0.2 * G * Math.max(0, Math.sin(a) - mu * Math.cos(a));
    // 2 % of the gain at 1.05 μ: both sides of the limit are told apart by 50 times the tolerance
    expect(Math.abs(readProbe(world, 'ball.vx') - before - gained)).toBeLessThan(
      0.02 * 0.2 * G * 0.05 * mu * Math.cos(a),
    );
    expect(readProbe(world, 'floor.y') / (WEIGHT * Math.cos(a))).toBeCloseTo(-1, 6);
    expect(readProbe(world, 'floor.x') / (WEIGHT * Math.cos(a))).toBeCloseTo(Math.min(mu, slope), 6);
  }
});
