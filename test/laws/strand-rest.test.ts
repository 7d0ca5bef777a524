/**
 * Strands whose natural length changes (driver `rest`): V = ½ EA λ₀ Δu (λ/λ₀ − 1)².
 */
import type { SceneInput } from 'heddle';
import { expect, test } from 'vitest';
import { createWorld, readProbe, run } from './measure.ts';

const EA = 5e3;
const G = 9.81;

type Driver = NonNullable<SceneInput['drivers']>[number];

function createMuscle(
  value: Extract<Driver, { type: 'rest' }>['value'],
  more: Partial<SceneInput>,
  strand: object = {},
) {
  return createWorld({
    objects: [
      {
        type: 'strand',
        id: 'muscle',
        material: { radius: 0.003, linearDensity: 0.02, stretchStiffness: EA, bendingStiffness: 0 },
        points: [
          [0, 0, 0],
          [0, -1, 0],
        ],
        nodes: 11,
        damping: { mass: 1, stiffness: 1e-3 },
        ...strand,
      },
    ],
    probes: [
      { id: 'T', type: 'tension', on: { object: 'muscle', at: 0.55 } },
      { id: 'e', type: 'strain', on: { object: 'muscle', at: 0.55 } },
      { id: 'l', type: 'length', object: 'muscle' },
      { id: 'E', type: 'energy' },
      { id: 'tip', type: 'position', on: { object: 'muscle', at: 'end' } },
    ],
    time: { step: 2e-3, duration: 4 },
    ...more,
    drivers: [
      { type: 'pin', on: { object: 'muscle', at: 'start' } },
      { type: 'rest', object: 'muscle', value },
      ...(more.drivers ?? []),
    ],
  });
}

for (const factor of [0.5, 0.9, 0.999])
  test(`a strand held at both ends and shrunk to ${factor} of its length bears T = EA (1/λ₀ − 1)`, () => {
    const ramp = [
      { time: 0.1, value: 1 },
      { time: 0.5, value: factor },
    ];
    const hold: Driver = { type: 'pin', on: { object: 'muscle', at: 'end' } };
    const world = createMuscle(ramp, { gravity: [0, 0, 0], drivers: [hold] });
    expect(readProbe(world, 'T')).toBe(0);
    run(world, 500);
    expect(Math.abs(readProbe(world, 'T') / (EA * (1 / factor - 1)) - 1)).toBeLessThan(1e-9);
    expect(Math.abs(readProbe(world, 'e') / (1 / factor - 1) - 1)).toBeLessThan(1e-9);
    // ½ EA λ₀ L (1/λ₀ − 1)²
    expect(Math.abs(readProbe(world, 'E.stretch') / (0.5 * EA * factor * (1 / factor - 1) ** 2) - 1)).toBeLessThan(
      1e-9,
    );
  });

/** λ₀ now: λ/(1 + ε) of the segment that the probes read. */
function strandFactor(world: ReturnType<typeof createMuscle>): number {
  const { x, u } = world.frame().objects[0];
  const l = Math.hypot(x[18] - x[15], x[19] - x[16], x[20] - x[17]);
  return l / (u[6] - u[5]) / (1 + readProbe(world, 'e'));
}

test('a muscle that shrinks to 0.8 of its length lifts a weight by that share, and its work is the energy gained', () => {
  const mass = 3;
  const time = { step: 1e-3, duration: 4, integrator: 'sdirk2' as const };
  // a smooth ramp in 40 pieces, so that the weight does not bounce
  const shrink = Array.from({ length: 41 }, (_, n) => ({
    time: 0.2 + n / 40,
    value: 0.9 + 0.1 * Math.cos((Math.PI * n) / 40),
  }));
  const strand = {
    masses: [{ at: 'end', mass }],
    damping: { mass: 0, stiffness: 0 },
    restLength: 1 / (1 + (mass * G) / EA),
  };
  const world = createMuscle(shrink, { time }, strand);
  const before = readProbe(world, 'E.total');
  // dV/dλ₀ = ½ EA (1 − (λ/λ₀)²) L for an even stretch: a muscle under tension does work as it shrinks
  let work = 0;
  for (let n = 0; n < 1500; n++) {
    const [shrunk, stretch] = [strandFactor(world), 1 + readProbe(world, 'e')];
    world.step();
    const square = (stretch ** 2 + (1 + readProbe(world, 'e')) ** 2) / 2;
    work += 0.5 * EA * (1 - square) * strand.restLength * (strandFactor(world) - shrunk);
  }
  // length λ₀ (1 + m g/EA) L, and half the rope's own weight on top
  const law = 0.8 * (1 + ((mass + 0.01) * G) / EA) * strand.restLength;
  expect(readProbe(world, 'tip.y')).toBeCloseTo(-readProbe(world, 'l.world'), 9);
  expect(readProbe(world, 'E.total') - before).toBeGreaterThan(0.19 * mass * G);
  expect(Math.abs(work / (readProbe(world, 'E.total') - before) - 1)).toBeLessThan(2e-3);
  // mean over two periods of the bounce that is left, √(EA/λ₀ L m)
  const steps = Math.round((2 * 2 * Math.PI * Math.sqrt((0.8 * mass) / EA)) / time.step);
  let mean = 0;
  for (let n = 0; n < steps; n++) {
    world.step();
    mean += readProbe(world, 'l.world') / steps;
  }
  expect(Math.abs(mean / law - 1)).toBeLessThan(1e-4);
});

test('where it passes a ring a shrunk strand pulls alike on both sides', () => {
  // the Eshelby force of both sides balances only where λ/λ₀ is the same
  const world = createMuscle(
    0.9,
    { gravity: [0, 0, 0], drivers: [{ type: 'pin', on: { object: 'muscle', at: 'end' } }] },
    {
      points: [
        [0, 0, 0],
        [0, -0.3, 0],
        [0.7, -0.3, 0],
      ],
      guides: [{ id: 'ring', point: [0, -0.3, 0] }],
    },
  );
  run(world, 1000);
  const { x, u } = world.frame().objects[0];
  for (let e = 0; e + 1 < u.length; e++) {
    const l = Math.hypot(x[3 * e + 3] - x[3 * e], x[3 * e + 4] - x[3 * e + 1]);
    expect(l / (u[e + 1] - u[e])).toBeCloseTo(1, 9);
  }
  expect(readProbe(world, 'T')).toBeCloseTo(EA * (1 / 0.9 - 1), 5);
});

test('outside its span a rest length is the one that the strand was made with', () => {
  const world = createMuscle(0.9, {
    gravity: [0, 0, 0],
    drivers: [{ type: 'pin', on: { object: 'muscle', at: 'end' } }],
  });
  expect(readProbe(world, 'T')).toBeCloseTo(EA * (1 / 0.9 - 1), 8);
  const later = createWorld({
    objects: [
      {
        type: 'strand',
        id: 'muscle',
        material: { radius: 0.003, linearDensity: 0.02, stretchStiffness: EA },
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        nodes: 5,
      },
    ],
    gravity: [0, 0, 0],
    drivers: [
      { type: 'pin', on: { object: 'muscle', at: 'start' } },
      { type: 'pin', on: { object: 'muscle', at: 'end' } },
      { type: 'rest', object: 'muscle', value: 0.9, from: 0.1, until: 0.2 },
    ],
    probes: [{ id: 'T', type: 'tension', on: { object: 'muscle', at: 0.4 } }],
    time: { step: 0.01, duration: 1 },
  });
  run(later, 10);
  expect(readProbe(later, 'T')).toBe(0);
  run(later, 1);
  expect(readProbe(later, 'T')).toBeCloseTo(EA * (1 / 0.9 - 1), 8);
  run(later, 10);
  expect(readProbe(later, 'T')).toBeCloseTo(0, 8);
});
