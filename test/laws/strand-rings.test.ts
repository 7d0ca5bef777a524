/**
 * Rings that meet on a strand. Rings of masses m₁, m₂, … slide without friction along a taut line, without gravity; one thrown
 * at another is a plastic impact along the line:
 *     v = Σ mᵢ vᵢ / Σ mᵢ        momentum along the line is kept, and the rings are d = ½ (w₁ + w₂) apart from then on
 *   mᵢ  mass of a ring [kg]     vᵢ  speed before [m/s]     w  width of a ring [m], the strand's diameter unless given
 */
import type { SceneInput, World } from 'heddle';
import { describe, expect, test } from 'vitest';
import { createWorld, readProbe, readVector, run } from './measure.ts';

type Scene = Partial<SceneInput>;
type Vector = [number, number, number];

interface Ring {
  readonly x: number;
  readonly mass: number;
  readonly speed?: number;
  readonly friction?: number;
  readonly width?: number;
}

const LENGTH = 2;
const RADIUS = 2e-3;
const TENSION = 50;
const EA = 2e4;
/** Along the line, which is tilted against the axes. */
const T: Vector = [0.8, 0.48, 0.36];

const along = (s: number): Vector => [T[0] * s, T[1] * s, T[2] * s];
const dot = (a: readonly number[]): number => a[0] * T[0] + a[1] * T[1] + a[2] * T[2];

function createLineScene(rings: readonly Ring[]): SceneInput['objects'][number] {
  return {
    type: 'strand',
    id: 'line',
    material: { radius: RADIUS, linearDensity: 1e-3, stretchStiffness: EA, bendingStiffness: 0 },
    points: [along(0), along(LENGTH)],
    restLength: LENGTH / (1 + TENSION / EA),
    nodes: 21,
    guides: rings.map(({ x, friction = 0, width }, n) => ({
      id: `g${n}`,
      point: along(x),
      body: `r${n}`,
      friction,
      ...(width !== undefined && { width }),
    })),
  };
}

function createLine(rings: readonly Ring[], h: number, integrator: 'euler' | 'sdirk2', scene: Scene = {}): World {
  return createWorld({
    gravity: [0, 0, 0],
    objects: [createLineScene(rings)],
    bodies: rings.map(({ x, mass, speed }, n) => ({
      id: `r${n}`,
      shape: { type: 'sphere', radius: 0.01 },
      motion: 'dynamic',
      mass,
      position: along(x),
      velocity: along(speed ?? 0),
    })),
    drivers: [
      { type: 'pin', on: { object: 'line', at: 'start' } },
      { type: 'pin', on: { object: 'line', at: 'end' } },
    ],
    probes: rings.flatMap((_, n) => [
      { id: `r${n}`, type: 'body', body: `r${n}` },
      { id: `u${n}`, type: 'materialCoordinate', on: { object: 'line', guide: `g${n}` } },
    ]),
    time: { step: h, duration: 10, integrator },
    ...scene,
  } as Parameters<typeof createWorld>[0]);
}

const speedOf = (world: World, n: number): number => dot(readVector(world, `r${n}`, ['vx', 'vy', 'vz']));
const placeOf = (world: World, n: number): number => dot(readVector(world, `r${n}`));

for (const integrator of ['euler', 'sdirk2'] as const)
  for (const h of [1e-3, 4e-3])
    describe(`${integrator}, ${h * 1e3} ms`, () => {
      test('a ring thrown at another takes it along: v = m₁ v₁/(m₁ + m₂), momentum kept', () => {
        const [m, M, v] = [0.1, 0.25, 1.3];
        const world = createLine(
          [
            { x: 0.61, mass: m, speed: v },
            { x: 1.03, mass: M },
          ],
          h,
          integrator,
        );
        let [nearest, met] = [Infinity, 0];
        while (world.time < 1.2) {
          const report = world.step();
          expect(report.rejected).toBe(0);
          nearest = Math.min(nearest, placeOf(world, 1) - placeOf(world, 0));
          if (met === 0 && speedOf(world, 1) > 1e-3) met = world.time;
          // before, both go on as they were, but for the inertia of the line
          if (met === 0) expect(Math.abs(speedOf(world, 0) - v)).toBeLessThan(0.01 * v);
          expect(Math.abs(m * speedOf(world, 0) + M * speedOf(world, 1) - m * v)).toBeLessThan(0.005 * m * v);
        }
        expect(met).toBeGreaterThan((0.42 - 2 * RADIUS) / v - 2 * h);
        expect(met).toBeLessThan((0.42 - 2 * RADIUS) / v + 4 * h);
        const common = (m * v) / (m + M);
        expect(Math.abs(speedOf(world, 0) / common - 1)).toBeLessThan(0.01);
        expect(Math.abs(speedOf(world, 1) - speedOf(world, 0))).toBeLessThan(1e-6 * v);
        expect(Math.abs(nearest / (2 * RADIUS) - 1)).toBeLessThan(1e-3);
        // the line runs through both
        expect(readProbe(world, 'u1') - readProbe(world, 'u0')).toBeCloseTo(nearest / (1 + TENSION / EA), 6);
      });

      test('three rings meet one after the other and go on as one: v = Σ m v/Σ m', () => {
        const rings = [
          { x: 0.5, mass: 0.2, speed: 1.5, width: 0.03 },
          { x: 0.75, mass: 0.1, width: 0.01 },
          { x: 1.2, mass: 0.15, speed: -0.6 },
        ];
        const world = createLine(rings, h, integrator);
        run(world, Math.round(0.7 / h));
        const common = (0.2 * 1.5 - 0.15 * 0.6) / 0.45;
        for (const n of [0, 1, 2]) expect(Math.abs(speedOf(world, n) / common - 1)).toBeLessThan(0.01);
        expect(Math.abs((placeOf(world, 1) - placeOf(world, 0)) / 0.02 - 1)).toBeLessThan(1e-3);
        expect(Math.abs((placeOf(world, 2) - placeOf(world, 1)) / (0.005 + RADIUS) - 1)).toBeLessThan(1e-3);
      });

      test('a ring between two that come from both sides: all stop where momentum is none', () => {
        const rings = [
          { x: 0.6, mass: 0.2, speed: 1 },
          { x: 1, mass: 0.1 },
          { x: 1.4, mass: 0.1, speed: -2 },
        ];
        const world = createLine(rings, h, integrator);
        run(world, Math.round(1 / h));
        for (const n of [0, 1, 2]) expect(Math.abs(speedOf(world, n))).toBeLessThan(0.002);
      });

      test('a moved ring pushes another along; when it goes back the other goes on by itself', () => {
        const world = createLine(
          [
            { x: 0.5, mass: 1 },
            { x: 0.7, mass: 0.1 },
          ],
          h,
          integrator,
          {
            bodies: [
              {
                id: 'r0',
                shape: { type: 'sphere', radius: 0.01 },
                motion: 'scripted',
                keyframes: [
                  { time: 0, position: along(0.5) },
                  { time: 0.8, position: along(0.9) },
                  { time: 1.2, position: along(0.7) },
                ],
              },
              { id: 'r1', shape: { type: 'sphere', radius: 0.01 }, motion: 'dynamic', mass: 0.1, position: along(0.7) },
            ],
          },
        );
        run(world, Math.round(0.7 / h));
        expect(Math.abs(speedOf(world, 1) / 0.5 - 1)).toBeLessThan(1e-6);
        expect(Math.abs((placeOf(world, 1) - placeOf(world, 0)) / (2 * RADIUS) - 1)).toBeLessThan(1e-6);
        run(world, Math.round(0.5 / h));
        expect(Math.abs(speedOf(world, 1) / 0.5 - 1)).toBeLessThan(0.01);
        expect(Math.abs(placeOf(world, 1) - (0.9 + 2 * RADIUS + 0.4 * 0.5))).toBeLessThan(0.003);
      });

      test('two rings that touch part when a cord pulls one of them away, and the other goes on as it was', () => {
        const rings = [
          { x: 0.5, mass: 0.1, speed: 0.5 },
          { x: 0.52, mass: 0.1 },
        ];
        // 0.6 m from end to end, 1 m long: taut at about 0.4 m / (1 − 0.25) m/s
        const world = createLine(rings, h, integrator, {
          objects: [
            createLineScene(rings),
            {
              type: 'strand',
              id: 'cord',
              material: { radius: 1e-3, linearDensity: 1e-4, stretchStiffness: 500, bendingStiffness: 0 },
              points: [along(0.52), [0.8 * 0.82 - 0.24, 0.48 * 0.82 + 0.256, 0.36 * 0.82 + 0.192], along(1.12)],
              nodes: 11,
              contact: false,
              damping: { mass: 0, stiffness: 1e-3 },
            },
          ],
          drivers: [
            { type: 'pin', on: { object: 'line', at: 'start' } },
            { type: 'pin', on: { object: 'line', at: 'end' } },
            { type: 'tie', on: { object: 'cord', at: 'start' }, body: 'r1' },
            { type: 'velocity', on: { object: 'cord', at: 'end' }, value: along(1) },
          ],
        });
        run(world, Math.round(0.4 / h));
        expect(Math.abs((placeOf(world, 1) - placeOf(world, 0)) / (2 * RADIUS) - 1)).toBeLessThan(0.02);
        run(world, Math.round(0.4 / h));
        expect(Math.abs(speedOf(world, 0) - 0.25)).toBeLessThan(0.01);
        expect(speedOf(world, 1)).toBeGreaterThan(0.9);
        expect(placeOf(world, 1) - placeOf(world, 0)).toBeGreaterThan(0.02);
      });

      test('rings on a slope slide together with g sin α, and come to rest against an eyelet', () => {
        const rings = [
          { x: 1.5, mass: 0.1 },
          { x: 1.5 + 2 * RADIUS, mass: 0.3 },
        ];
        // down the line
        const g = 4;
        const scene = createLineScene(rings);
        const world = createLine(rings, h, integrator, {
          gravity: along(-g),
          objects: [{ ...scene, guides: [{ id: 'eyelet', point: along(0.9) }, ...scene.guides!] }],
        });
        run(world, Math.round(0.2 / h));
        for (const n of [0, 1]) expect(Math.abs(speedOf(world, n) / (-g * 0.2) - 1)).toBeLessThan(0.01);
        run(world, Math.round(1 / h));
        for (const n of [0, 1]) {
          expect(Math.abs(speedOf(world, n))).toBeLessThan(1e-6);
          expect(Math.abs((placeOf(world, n) - 0.9) / (2 * RADIUS * (n + 1)) - 1)).toBeLessThan(1e-3);
        }
      });
    });

test('rings that meet on a free strand keep linear and angular momentum, and a saved run goes on alike', () => {
  const rings = [
    { x: 0.8, mass: 0.1, speed: 1 },
    { x: 1.1, mass: 0.2, speed: -0.5 },
  ];
  const build = () =>
    createLine(rings, 1e-3, 'euler', {
      drivers: [],
      objects: [{ ...createLineScene(rings), restLength: LENGTH, velocity: [along(0), [0.3, -0.4, 0]] }],
      solver: { newtonIterations: 20 },
    });
  const world = build();
  const momentum = () => {
    const sum = new Float64Array(6);
    for (const model of world.models) model.addMomentum(sum);
    return sum;
  };
  let [before, speed] = [momentum(), speedOf(world, 1)];
  while (speedOf(world, 1) - speed < 0.1) {
    before = momentum();
    speed = speedOf(world, 1);
    world.step();
    expect(world.time).toBeLessThan(0.25);
  }
  world.step();
  // 0.1 kg m/s go from one to the other
  momentum().forEach((value, k) => {
    expect(Math.abs(value - before[k])).toBeLessThan(1e-5);
  });
  const [saved, other] = [world.save(), build()];
  run(world, 100);
  other.load(saved);
  run(other, 100);
  expect(other.hash()).toBe(world.hash());
});

test('a ring that friction holds is carried along with the line as far as an eyelet; then the line runs through it', () => {
  const rings = [{ x: 0.5, mass: 0.05, friction: 1, speed: 0.3 }];
  const scene = createLineScene(rings);
  const world = createLine(rings, 1e-3, 'euler', {
    gravity: [0, 0, -9.81],
    objects: [
      {
        ...scene,
        guides: [...scene.guides!, { id: 'eyelet', point: along(0.8) }],
        velocity: along(0.3),
        damping: { mass: 0, stiffness: 1e-3 },
      },
    ],
    drivers: [
      { type: 'velocity', on: { object: 'line', at: 'start' }, value: along(0.3) },
      { type: 'velocity', on: { object: 'line', at: 'end' }, value: along(0.3) },
    ],
  });
  run(world, 500);
  expect(Math.abs(placeOf(world, 0) - 0.65)).toBeLessThan(0.01);
  const u = readProbe(world, 'u0');
  run(world, 1000);
  expect(Math.abs(speedOf(world, 0))).toBeLessThan(0.02);
  expect(Math.abs(placeOf(world, 0) - 0.8 + 2 * RADIUS)).toBeLessThan(0.002);
  // 0.3 m of line have gone by, less the way that it took the ring
  expect(Math.abs(u - readProbe(world, 'u0') - (0.3 - (0.8 - 2 * RADIUS - 0.65)))).toBeLessThan(0.005);
});

test('rings packed between two eyelets nearer than they are wide stand still', () => {
  for (const integrator of ['euler', 'sdirk2'] as const) {
    const rings = [
      { x: 0.903, mass: 0.1 },
      { x: 0.906, mass: 0.3 },
    ];
    const scene = createLineScene(rings);
    const guides = [{ id: 'left', point: along(0.9) }, ...scene.guides!, { id: 'right', point: along(0.909) }];
    const world = createLine(rings, 1e-3, integrator, { gravity: along(5), objects: [{ ...scene, guides }] });
    run(world, 100);
    for (const n of [0, 1]) expect(Math.abs(speedOf(world, n))).toBeLessThan(1e-9);
    expect(Math.abs(placeOf(world, 0) - 0.903)).toBeLessThan(1e-9);
  }
});

test('a ring thrown at a drum stops at its width, and the line is wound up and paid out through it', () => {
  const rings = [{ x: 0.5, mass: 0.05, speed: -1, width: 0.02 }];
  const scene = createLineScene(rings);
  const speed = (value: number, time: number) => ({ time, value });
  const world = createLine(rings, 1e-3, 'euler', {
    objects: [
      {
        ...scene,
        spools: [
          {
            id: 'drum',
            end: 'start',
            stock: 1,
            radius: 0.05,
            inertia: 0,
            speed: [speed(-0.2, 0), speed(-0.2, 1), speed(0.2, 1.01)],
          },
        ],
        slide: 0.2,
      },
    ],
    drivers: [{ type: 'force', on: { object: 'line', at: 'end' }, value: along(TENSION) }],
    probes: [
      { id: 'r0', type: 'body', body: 'r0' },
      { id: 'd', type: 'spool', object: 'line', spool: 'drum' },
      { id: 'u0', type: 'materialCoordinate', on: { object: 'line', guide: 'g0' } },
    ],
  });
  for (const [stock, u] of [
    [1.2, 0.2],
    [1.002, 0.002],
  ]) {
    run(world, 1000);
    expect(Math.abs(placeOf(world, 0) / (0.01 + RADIUS) - 1)).toBeLessThan(0.01);
    expect(Math.abs(readProbe(world, 'd.stock') - stock)).toBeLessThan(0.002);
    expect(Math.abs(readProbe(world, 'u0') - u - (0.01 + RADIUS))).toBeLessThan(0.002);
  }
});
