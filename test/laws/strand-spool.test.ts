/**
 * Spools: a strand that is paid out and wound up. Stock s, free length l, drum of radius R and inertia I, load m.
 * The whole rope moves at the drum's speed, so M = m + ρA (l + s) + I/R² is constant and M l̈ = (m + ρA l) g − torque/R.
 */
import type { SceneInput } from 'heddle';
import { expect, test } from 'vitest';
import { createWorld, readProbe, run } from './measure.ts';

const G = 9.81;
const LENGTH = 0.5;
const STOCK = 2;
const RADIUS = 0.1;

type Strand = SceneInput['objects'][number];
type Spool = NonNullable<Strand['spools']>[number];

/** A load on a rope that hangs straight down from a drum. */
function hang(
  spool: Partial<Spool>,
  options: {
    mass?: number;
    density?: number;
    h?: number;
    strand?: Partial<Strand>;
    scene?: Partial<SceneInput>;
    height?: number;
  } = {},
) {
  const { mass = 2, density = 0.05, h = 1e-3, height = 0 } = options;
  return createWorld({
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: 0.003, linearDensity: density, stretchStiffness: 2e6, bendingStiffness: 0 },
        points: [
          [0, height, 0],
          [0, height - LENGTH, 0],
        ],
        nodes: 6,
        spools: [{ id: 'drum', end: 'start', stock: STOCK, radius: RADIUS, inertia: 0, ...spool }],
        masses: mass > 0 ? [{ at: 'end', mass }] : [],
        ...options.strand,
      },
    ],
    probes: [
      { id: 'd', type: 'spool', object: 'rope', spool: 'drum' },
      { id: 'l', type: 'length', object: 'rope' },
      { id: 'E', type: 'energy' },
      { id: 'n', type: 'counts' },
      { id: 'T', type: 'tension', on: { object: 'rope', guide: 'drum' } },
      { id: 'f', type: 'constraintForce', on: { object: 'rope', guide: 'drum' } },
      { id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } },
    ],
    time: { step: h, duration: 1, integrator: 'sdirk2' },
    ...options.scene,
  });
}

for (const [mass, inertia, density] of [
  [2, 0.03, 1e-4],
  [2, 0.03, 0.05],
  [2, 0, 0.4],
  [0, 0.01, 0.3],
])
  test(`a load of ${mass} kg unwinds a free drum of ${inertia} kg m² with rope of ${density} kg/m: l = (l₀ + m/ρA) cosh(kt) − m/ρA`, () => {
    const time = 0.4;
    const world = hang({ inertia }, { mass, density });
    const before = readProbe(world, 'E.total');
    run(world, 400);
    // M l̈ = (m + ρA l) g,  k² = ρA g/M; without rope mass l̈ = g m/(m + I/R²)
    const total = mass + density * (LENGTH + STOCK) + inertia / RADIUS ** 2;
    const k = Math.sqrt((density * G) / total);
    const law = (LENGTH + mass / density) * Math.cosh(k * time) - mass / density;
    if (density === 1e-4) expect(law - LENGTH).toBeCloseTo((0.5 * G * mass * time ** 2) / (mass + 3), 4);
    // the rope stretches by up to m g/EA = 1e-5 as it takes up the load; measured 4e-6 and less
    expect(Math.abs(readProbe(world, 'l.material') - law)).toBeLessThan(1e-5 * (law - LENGTH));
    expect(readProbe(world, 'd.stock') + readProbe(world, 'l.material')).toBeCloseTo(LENGTH + STOCK, 12);
    expect(readProbe(world, 'd.turn')).toBeCloseTo((law - LENGTH) / RADIUS, 4);
    expect(readProbe(world, 'd.torque')).toBe(0);
    expect(readProbe(world, 'n.remeshings')).toBeGreaterThan(0);
    // what the take-up of the load leaves in vibrations is damped away: (m g)²/2EA l of 20 J
    expect(Math.abs(readProbe(world, 'E.total') - before)).toBeLessThan(1e-5 * readProbe(world, 'E.kinetic') + 1e-7);
  });

test('neither the height of the origin nor a steady motion of the drum shows in the forces', () => {
  const unwind = (scene: Partial<SceneInput>, spool: object, strand: object, height: number) => {
    const world = hang({ inertia: 0.01, ...spool }, { density: 0.3, scene, strand, height });
    run(world, 300);
    return readProbe(world, 'l.material');
  };
  const at = unwind({}, {}, {}, 0);
  // 50 m of height on forces of u: round-off of the energies' derivative, ρA g·x/(ρA g l) = 1e2
  expect(Math.abs(unwind({}, {}, {}, 50) / at - 1)).toBeLessThan(1e-10);
  const velocity: [number, number, number] = [3, 7, -2];
  const lift: Partial<SceneInput> = {
    bodies: [
      {
        id: 'lift',
        shape: { type: 'sphere', radius: 0.01 },
        motion: 'scripted',
        keyframes: [
          { time: 0, position: [0, 0, 0] },
          { time: 10, position: [30, 70, -20] },
        ],
      },
    ],
  };
  expect(Math.abs(unwind(lift, { body: 'lift' }, { velocity }, 0) / at - 1)).toBeLessThan(1e-9);
});

test('a winch lifts its load at T = (m + ρA l) g, and the work of its motor is the energy that the load gains', () => {
  const speed = -0.4;
  for (const density of [0.05, 0.5]) {
    const world = hang({ speed, inertia: 0.02 }, { density, strand: { slide: -speed, velocity: [0, 0, 0] } });
    const energy = readProbe(world, 'E.total');
    const h = 1e-3;
    let work = 0;
    for (let n = 0; n < 600; n++) {
      world.step();
      work += readProbe(world, 'd.torque') * (speed / RADIUS) * h;
    }
    const weight = (2 + density * readProbe(world, 'l.material')) * G;
    expect(readProbe(world, 'l.material')).toBeCloseTo(LENGTH + speed * 0.6, 12);
    // the rope that is wound up gives its momentum to the drum: ρA v²
    const held = weight + density * readProbe(world, 'd.stock') * G - density * speed ** 2;
    expect(Math.abs(readProbe(world, 'f.y') / held - 1)).toBeLessThan(2e-4);
    expect(Math.abs(-readProbe(world, 'd.torque') / RADIUS / weight - 1)).toBeLessThan(2e-4);
    // the reaction of an L-stable step is that of its last stage: first order in h over the jerk at the start
    expect(Math.abs(work / (readProbe(world, 'E.total') - energy) - 1)).toBeLessThan(2e-3);
    expect(readProbe(world, 'E.total') - energy).toBeGreaterThan(0.9 * 2 * G * 0.24);
  }
});

test('the free length follows the keyframes of the speed exactly: l = l₀ + ∫ v dt', () => {
  const speed = [
    { time: 0.05, value: 0 },
    { time: 0.15, value: 1.2 },
    { time: 0.3, value: 1.2 },
    { time: 0.45, value: -0.8 },
  ];
  for (const integrator of ['euler', 'sdirk2'] as const) {
    const world = hang({ speed }, { scene: { time: { step: 5e-3, duration: 1, integrator } } });
    run(world, 100);
    expect(world.time).toBeCloseTo(0.5, 12);
    expect(readProbe(world, 'l.material')).toBeCloseTo(LENGTH + 0.06 + 0.18 + 0.03 - 0.04, 12);
    expect(readProbe(world, 'd.speed')).toBeCloseTo(-0.8, 12);
  }
});

test('a dry brake holds a load below m g R and lets it down with l̈ = (m g − M/R)/(m + I/R²) above', () => {
  const [mass, inertia, density] = [2, 0.03, 1e-5];
  for (const share of [0.2, 0.6, 0.9, 0.99, 1.01, 1.5]) {
    const brake = share * mass * G * RADIUS;
    // starts stretched by its load
    const restLength = LENGTH / (1 + (mass * G) / 2e6);
    const world = hang({ brake, inertia }, { mass, density, strand: { restLength } });
    run(world, 300);
    const fall = readProbe(world, 'l.material') - restLength;
    if (share > 1) {
      expect(Math.abs(fall)).toBeLessThan(1e-12);
      expect(Math.abs(readProbe(world, 'd.torque') / (-mass * G * RADIUS) - 1)).toBeLessThan(1e-4);
    } else {
      const law = (0.5 * (1 - share) * mass * G * 0.3 ** 2) / (mass + inertia / RADIUS ** 2);
      expect(Math.abs(fall / law - 1)).toBeLessThan(1e-3);
      expect(readProbe(world, 'd.torque')).toBeCloseTo(-brake, 9);
    }
  }
});

test('a winch whose clutch bears less than the load slips; one that bears more lifts', () => {
  for (const share of [0.7, 1.3]) {
    const brake = share * 2 * G * RADIUS;
    const world = hang({ speed: -0.2, brake }, { density: 1e-5, strand: { damping: { stiffness: 1e-3 } } });
    run(world, 400);
    if (share > 1) expect(readProbe(world, 'd.speed')).toBeCloseTo(-0.2, 9);
    else expect(readProbe(world, 'd.speed')).toBeGreaterThan(0.3 * G * 0.35);
  }
});

for (const [title, spool] of [
  ['a free drum', { stock: 0.3 }],
  ['a winch', { stock: 0.3, speed: 0.8 }],
] as const)
  test(`${title} stops where its stock ends: the rope hangs at its whole length and bears m g`, () => {
    for (const end of ['start', 'end'] as const) {
      const points: [number, number, number][] = [
        [0, 0, 0],
        [0, -LENGTH, 0],
      ];
      const world = hang(
        { ...spool, end },
        {
          strand: {
            points: end === 'start' ? points : points.reverse(),
            masses: [{ at: end === 'start' ? 'end' : 'start', mass: 2 }],
            damping: { stiffness: 0.02, mass: 2 },
          },
          scene: { time: { step: 2e-3, duration: 4, integrator: 'euler' } },
        },
      );
      run(world, 1500);
      expect(readProbe(world, 'd.stock')).toBeCloseTo(0, 10);
      expect(readProbe(world, 'l.material')).toBeCloseTo(LENGTH + 0.3, 10);
      expect(readProbe(world, 'd.speed')).toBeCloseTo(0, 10);
      expect(Math.abs(readProbe(world, 'f.y') / ((2 + 0.05 * 0.8) * G) - 1)).toBeLessThan(1e-3);
    }
  });

for (const [integrator, h] of [
  ['sdirk2', 1e-3],
  ['euler', 2e-3],
] as const)
  test(`a winch whose load ran its stock out against the clutch winds up again once the clutch bears the load (${integrator})`, () => {
    // the clutch bears 10 N of the load's 19.62 N; 9.24 N and then 10 N are taken off it
    const lift = (force: number, from: number, until?: number) =>
      ({ type: 'force', on: { object: 'rope', at: 'end' }, value: [0, force, 0], from, until }) as const;
    const world = hang(
      { stock: 0.3, speed: -0.2, brake: 10 * RADIUS },
      {
        density: 1e-4,
        h,
        strand: { damping: { mass: 0, stiffness: 1e-3 } },
        scene: {
          time: { step: h, duration: 5, integrator },
          drivers: [lift(9.24, 1, 1.5), lift(10, 1.5)],
        },
      },
    );
    const end = LENGTH + 0.3;
    run(world, Math.round(1 / h));
    expect(readProbe(world, 'l.material')).toBeCloseTo(end, 12);
    run(world, Math.round(0.5 / h));
    expect(readProbe(world, 'l.material')).toBeCloseTo(end, 12);
    run(world, Math.round(1 / h));
    // 0.38 N are left over and lift the 2 kg by ½ 0.19 m/s² (1 s)²
    expect(end - readProbe(world, 'l.material')).toBeCloseTo(0.095, 3);
    run(world, Math.round(0.5 / h));
    expect(readProbe(world, 'd.speed')).toBeCloseTo(-0.2, 6);
  });

test('a clutched winch that paid its stock out winds it up again when its drive turns back', () => {
  const time = (at: number, value: number) => ({ time: at, value });
  for (const brake of [3, 2.2]) {
    const world = hang({
      stock: 0.3,
      speed: [time(0, 0.4), time(1.5, 0.4), time(1.6, -0.3)],
      brake,
    });
    run(world, 1500);
    expect(readProbe(world, 'd.stock')).toBeCloseTo(0, 12);
    run(world, 1000);
    expect(readProbe(world, 'd.speed')).toBeCloseTo(-0.3, 6);
    expect(readProbe(world, 'd.stock')).toBeGreaterThan(0.2);
  }
});

test('a winch winds its load up to the drum, stops there, and lets it down again', () => {
  const speed = [
    { time: 1.5, value: -0.5 },
    { time: 1.6, value: 0.5 },
  ];
  const world = hang({ speed }, { scene: { time: { step: 2e-3, duration: 4, integrator: 'euler' } } });
  run(world, 750);
  expect(readProbe(world, 'l.material')).toBeGreaterThan(0);
  expect(readProbe(world, 'l.material')).toBeLessThan(0.02);
  expect(readProbe(world, 'd.speed')).toBe(0);
  run(world, 250);
  expect(readProbe(world, 'd.speed')).toBeCloseTo(0.5, 9);
  expect(readProbe(world, 'l.material')).toBeGreaterThan(0.15);
});

test('a winch on a free body draws body and load together and keeps the momentum of both, its stock included', () => {
  const draw = (h: number) => {
    const speed = [
      { time: 0, value: 0 },
      { time: 0.1, value: -0.5 },
    ];
    const world = hang(
      { speed, body: 'ship', stock: 3, inertia: 0.01 },
      {
        density: 0.5,
        strand: {
          points: [
            [0, 0, 0],
            [1, 0, 0],
          ],
        },
        scene: {
          gravity: [0, 0, 0],
          bodies: [
            {
              id: 'ship',
              shape: { type: 'box', size: [0.4, 0.2, 0.2] },
              motion: 'dynamic',
              mass: 3,
              position: [-0.2, 0, 0],
            },
          ],
          probes: [
            { id: 'p', type: 'momentum' },
            { id: 'ship', type: 'body', body: 'ship' },
            { id: 'l', type: 'length', object: 'rope' },
            { id: 'd', type: 'spool', object: 'rope', spool: 'drum' },
            { id: 'tip', type: 'velocity', on: { object: 'rope', at: 'end' } },
          ],
          time: { step: h, duration: 1, integrator: 'sdirk2' },
        },
      },
    );
    run(world, Math.round(0.6 / h));
    expect(readProbe(world, 'l.material')).toBeCloseTo(1 - 0.025 - 0.25, 12);
    return world;
  };
  const [coarse, fine] = [draw(4e-3), draw(2e-3)];
  // 0.6 kg m/s go to either side; the mass on the drum changes within a step: second order, measured 1.1e-5 and 2.8e-6
  expect(Math.abs(readProbe(fine, 'p.x'))).toBeLessThan(5e-6);
  expect(Math.abs(readProbe(coarse, 'p.x') / readProbe(fine, 'p.x'))).toBeGreaterThan(3);
  // the free rope moves with the load, the rest with the ship: (M + ρA s) V + (m + ρA l)(V − 0.5) = 0
  const free = readProbe(fine, 'l.material');
  const law = ((2 + 0.5 * free) * 0.5) / (3 + 2 + 0.5 * 4);
  expect(Math.abs(readProbe(fine, 'ship.vx') / law - 1)).toBeLessThan(1e-3);
  expect(Math.abs(readProbe(fine, 'tip.x') - (law - 0.5))).toBeLessThan(1e-3);
});

test('in Lagrangian mode the strand is fastened to its drum, which carries the stock', () => {
  const world = hang(
    { speed: 1, inertia: 0.02 },
    { strand: { mode: 'lagrangian', damping: { mass: 5, stiffness: 1e-3 } } },
  );
  run(world, 2000);
  expect(readProbe(world, 'l.material')).toBe(LENGTH);
  expect(readProbe(world, 'd.stock')).toBe(STOCK);
  expect(readProbe(world, 'd.speed')).toBe(0);
  expect(Math.abs(readProbe(world, 'f.y') / ((2 + 0.05 * 2.5) * G) - 1)).toBeLessThan(1e-3);
});
