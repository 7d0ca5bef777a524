/**
 * Contact of strands with faces of bodies: Coulomb friction with true sticking, forces that only push, weights carried.
 */
import { expect, test } from 'vitest';
import { readVector, run } from './measure.ts';
import { createWorld, G, RADIUS, ROPE, strandOf, type Vector } from './touch-scenes.ts';

/** A strand at rest on a plane that slopes at an angle, turned by `yaw` from the line of slope. */
function createIncline(friction: number, angle: number, yaw: number, newtonIterations = 1) {
  const down: Vector = [Math.cos(angle), -Math.sin(angle), 0];
  const up: Vector = [Math.sin(angle), Math.cos(angle), 0];
  const along = [down[0] * Math.cos(yaw), down[1] * Math.cos(yaw), Math.sin(yaw)];
  const at = (s: number) => along.map((d, k) => s * d + RADIUS * up[k]) as Vector;
  const world = createWorld({
    gravity: [0, -G, 0],
    bodies: [{ id: 'ramp', shape: { type: 'plane' }, rotation: { axis: [0, 0, 1], angle: (-180 * angle) / Math.PI } }],
    objects: [{ type: 'strand', id: 'rope', material: { ...ROPE, friction }, points: [at(0), at(0.5)], nodes: 11 }],
    probes: [{ id: 'force', type: 'contactForce', body: 'ramp' }],
    time: { step: 2e-3, duration: 1 },
    solver: { newtonIterations },
  });
  return { world, down };
}

const WEIGHT = 0.5 * ROPE.linearDensity * G;

for (const mu of [0.1, 0.3, 0.6, 1.2])
  for (const yaw of [0, 0.7]) {
    test(`a strand lies still on a slope just below atan μ and the slope bears its weight, μ = ${mu}, turned ${yaw} rad`, () => {
      const { world } = createIncline(mu, Math.atan(mu) - 0.01, yaw);
      const { chain } = strandOf(world).state;
      const before = chain.q.slice();
      run(world, 100);
      for (let i = 0; i < 4 * chain.count; i++) expect(Math.abs(chain.q[i] - before[i])).toBeLessThan(1e-13);
      const force = readVector(world, 'force');
      [0, -WEIGHT, 0].forEach((f, k) => {
        expect(Math.abs(force[k] - f)).toBeLessThan(1e-12 * WEIGHT);
      });
    });

    for (const above of [0.02, 0.2])
      test(`a strand slides on a slope above atan μ with a = g (sin α − μ cos α), μ = ${mu}, ${above} rad above, turned ${yaw} rad`, () => {
        const angle = Math.atan(mu) + above;
        const { world, down } = createIncline(mu, angle, yaw);
        run(world, 250);
        const { chain } = strandOf(world).state;
        const predicted = 0.5 * G * (Math.sin(angle) - mu * Math.cos(angle));
        // while it slides all of it alike
        let mean = 0;
        for (let i = 0; i < chain.count; i++)
          mean += (chain.v[4 * i] * down[0] + chain.v[4 * i + 1] * down[1]) / chain.count;
        expect(Math.abs(mean / predicted - 1)).toBeLessThan(1e-9);
      });
  }

for (const mu of [0.2, 0.5])
  for (const [across, along] of [
    [1, 2],
    [2, 0.3],
  ] as const)
    test(`a strand that hits a floor at v_n = ${across}, v_t = ${along} m/s keeps max(0, v_t − μ v_n), μ = ${mu}`, () => {
      // no gravity: after the inelastic impact nothing presses it on, so that it slides on without friction
      const world = createWorld({
        gravity: [0, 0, 0],
        bodies: [{ id: 'floor', shape: { type: 'plane' } }],
        objects: [
          {
            type: 'strand',
            id: 'rope',
            material: { ...ROPE, friction: mu },
            points: [
              [0, 0.01, 0],
              [0.3, 0.01, 0.4],
            ],
            nodes: 11,
            velocity: [0.6 * along, -across, -0.8 * along],
          },
        ],
        time: { step: 1e-3, duration: 1 },
      });
      run(world, 50);
      const { chain } = strandOf(world).state;
      const kept = Math.max(0, along - mu * across);
      for (let i = 0; i < chain.count; i++) {
        [0.6 * kept, 0, -0.8 * kept].forEach((v, k) => {
          expect(Math.abs(chain.v[4 * i + k] - v)).toBeLessThan(1e-9);
        });
        expect(Math.abs(chain.q[4 * i + 1] - RADIUS)).toBeLessThan(1e-12);
      }
    });
