/** Every probe against the same quantity worked out from frames by hand. */
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import {
  CORD,
  createWorld,
  distance,
  nodesOf,
  readProbe,
  readVector,
  run,
  strand,
  type Vector,
} from './world-scenes.ts';

const sub = (a: readonly number[], b: readonly number[]) => a.map((x, k) => x - b[k]);
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

describe('probes of a Lagrangian strand', () => {
  const [h, EA, EI, rho, bead] = [0.002, 50, 2e-3, 0.01, 0.003];
  const gravity: Vector = [1, -9, 2];
  const AT = 0.375; // one of the nine nodes
  const create = () =>
    createWorld({
      gravity,
      objects: [
        strand('rope', [[0, 0, 0], [0.3, -0.1, 0], [0.5, 0.2, 0.4]], 9, {
          material: { ...CORD, stretchStiffness: EA, bendingStiffness: EI },
          velocity: [0.2, 0.1, -0.3],
          masses: [{ at: 'end', mass: bead }],
        }), // biome-ignore format: points
      ],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      probes: [
        ...(
          ['position', 'velocity', 'tension', 'strain', 'curvature', 'materialCoordinate', 'materialSpeed'] as const
        ).map((type) => ({ id: type, type, on: { object: 'rope', at: AT } })),
        { id: 'endStrain', type: 'strain', on: { object: 'rope', at: 'end' } },
        { id: 'endCurvature', type: 'curvature', on: { object: 'rope', at: 'end' } },
        { id: 'E', type: 'energy' },
        { id: 'p', type: 'momentum', object: 'rope' },
        { id: 'L', type: 'angularMomentum' },
        { id: 'n', type: 'counts' },
      ],
      time: { step: h, duration: 1 },
    });

  /** Positions, velocities (x − x_before)/h of implicit Euler, material coordinates. */
  const advance = (world: World) => {
    run(world, 60);
    const before = nodesOf(world);
    world.step();
    const x = nodesOf(world);
    return { x, v: x.map((p, i) => sub(p, before[i]).map((d) => d / h)), u: world.frame().objects[0].u };
  };

  const world = create();
  const { x, v, u } = advance(world);
  const length = 0.3 * Math.hypot(1, 1 / 3) + Math.hypot(0.2, 0.3, 0.4);
  const i = u.findIndex((value) => Math.abs(value - AT * length) < 1e-9);
  const segments = x.slice(1).map((p, e) => ({ d: sub(p, x[e]), du: u[e + 1] - u[e] }));
  const strain = segments.map(({ d, du }) => Math.hypot(...d) / du - 1);

  test('read position, velocity, material coordinate and speed', () => {
    expect(i).toBeGreaterThan(0);
    expect(readVector(world, 'position')).toEqual(x[i]);
    expect(distance(readVector(world, 'velocity'), v[i])).toBeLessThan(1e-11);
    expect(readProbe(world, 'materialCoordinate')).toBeCloseTo(AT * length, 14);
    expect(readProbe(world, 'materialSpeed')).toBe(0);
  });

  test('strain and tension are means of both sides by length', () => {
    const mean =
      (strain[i - 1] * segments[i - 1].du + strain[i] * segments[i].du) / (segments[i - 1].du + segments[i].du);
    expect(Math.abs(mean)).toBeGreaterThan(1e-5);
    expect(readProbe(world, 'strain')).toBeCloseTo(mean, 13);
    expect(readProbe(world, 'tension')).toBeCloseTo(EA * mean, 11);
    expect(readProbe(world, 'endStrain')).toBeCloseTo(strain[strain.length - 1], 13);
    expect(world.maxStrain()).toBeCloseTo(Math.max(...strain.map(Math.abs)), 13);
  });

  const turn = (e: number) => {
    const [a, b] = [segments[e - 1].d, segments[e].d];
    return Math.acos(dot(a, b) / (Math.hypot(...a) * Math.hypot(...b)));
  };

  test('curvature is the turning angle over the mean material length', () => {
    const kappa = turn(i) / ((segments[i - 1].du + segments[i].du) / 2);
    expect(kappa).toBeGreaterThan(1e-3);
    expect(readProbe(world, 'curvature')).toBeCloseTo(kappa, 6);
    expect(readProbe(world, 'endCurvature')).toBe(0);
  });

  test('read the energy by term', () => {
    const stretch = segments.reduce((sum, { du }, e) => sum + 0.5 * EA * du * strain[e] ** 2, 0);
    const bending = segments
      .slice(1)
      .reduce((sum, { du }, e) => sum + (EI * turn(e + 1) ** 2) / (segments[e].du + du), 0);
    let kinetic = 0.5 * bead * dot(v[x.length - 1], v[x.length - 1]);
    let weight = -bead * dot(gravity, x[x.length - 1]);
    segments.forEach(({ du }, e) => {
      const [a, b] = [v[e], v[e + 1]];
      kinetic += ((rho * du) / 6) * (dot(a, a) + dot(b, b) + dot(a, b));
      weight -=
        rho *
        du *
        dot(
          gravity,
          x[e].map((p, k) => (p + x[e + 1][k]) / 2),
        );
    });
    for (const [column, value] of [
      ['kinetic', kinetic],
      ['stretch', stretch],
      ['bending', bending],
      ['gravity', weight],
      ['contact', 0],
      ['total', kinetic + stretch + bending + weight],
    ] as const) {
      expect(readProbe(world, `E.${column}`)).toBeCloseTo(value, 11);
      expect(world.energy()[column]).toBe(readProbe(world, `E.${column}`));
      if (column !== 'contact') expect(Math.abs(value)).toBeGreaterThan(1e-8);
    }
  });

  test('read momentum, and angular momentum about the origin', () => {
    const p = v[x.length - 1].map((w) => bead * w);
    const L = cross(x[x.length - 1], p);
    segments.forEach(({ du }, e) => {
      // ∫ x × v over a segment, both linear: (2 aa + ab + ba + 2 bb)/6
      for (const [a, b, weight] of [
        [e, e, 2],
        [e, e + 1, 1],
        [e + 1, e, 1],
        [e + 1, e + 1, 2],
      ]) {
        // biome-ignore format: table
        const spin = cross(x[a], v[b]);
        for (let k = 0; k < 3; k++) L[k] += ((rho * du * weight) / 6) * spin[k];
      }
      for (let k = 0; k < 3; k++) p[k] += rho * du * 0.5 * (v[e][k] + v[e + 1][k]);
    });
    expect(distance(readVector(world, 'p'), p)).toBeLessThan(1e-13);
    expect(distance(readVector(world, 'L'), L)).toBeLessThan(1e-13);
    expect(Math.hypot(...L)).toBeGreaterThan(1e-4);
  });

  test('read the counts of nodes', () => {
    expect(x.length).toBe(world.nodeCount);
    const counts = ['nodes', 'eulerian', 'lagrangian', 'disabled', 'remeshings'].map((c) => readProbe(world, `n.${c}`));
    expect(counts).toEqual([x.length, 0, x.length, 0, 0]);
  });
});

test('probes at a guide read the velocity −F u̇ of the material that runs through it, and counts follow the remeshing', () => {
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      strand('rope', [[-1, 0, 0], [0, 0, 0], [0, -1, 0]], 21, {
        slide: 0.4,
        guides: [{ id: 'corner', point: [0, 0, 0] }],
      }), // biome-ignore format: points
    ],
    probes: [
      { id: 'x', type: 'position', on: { object: 'rope', guide: 'corner' } },
      { id: 'u', type: 'materialCoordinate', on: { object: 'rope', guide: 'corner' } },
      { id: 'du', type: 'materialSpeed', on: { object: 'rope', guide: 'corner' } },
      { id: 'v', type: 'velocity', on: { object: 'rope', guide: 'corner' } },
      { id: 'n', type: 'counts' },
    ],
    time: { step: 1e-3, duration: 1 },
  });
  let remeshings = 0;
  for (let n = 0; n < 400; n++) {
    const before = readProbe(world, 'u');
    remeshings += world.step().remeshings;
    expect(readVector(world, 'x')).toEqual([0, 0, 0]);
    expect(readProbe(world, 'du')).toBeCloseTo((readProbe(world, 'u') - before) / 1e-3, 10);
    const { x, u } = world.frame().objects[0];
    const c = u.findIndex((value) => Math.abs(value - readProbe(world, 'u')) < 1e-15);
    // mean of −F u̇ on both sides
    const side = (a: number) => [0, 1, 2].map((k) => -(x[3 * a + 3 + k] - x[3 * a + k]) / (u[a + 1] - u[a]));
    const expected = side(c - 1).map((f, k) => (readProbe(world, 'du') * (f + side(c)[k])) / 2);
    expect(distance(readVector(world, 'v'), expected)).toBeLessThan(1e-12);
    const [nodes, eulerian, lagrangian, disabled, changes] = [
      'nodes',
      'eulerian',
      'lagrangian',
      'disabled',
      'remeshings',
    ].map((name) => readProbe(world, `n.${name}`));
    expect([nodes, eulerian, lagrangian]).toEqual([world.nodeCount, 1, world.nodeCount - 1]);
    expect(lagrangian + disabled).toBe(21);
    expect(changes).toBe(remeshings);
  }
  expect(remeshings).toBeGreaterThan(2);
});

describe('forces', () => {
  const hanging: Vector[] = [
    [0.2, 1, 0.1],
    [0.2, 0.4, 0.1],
  ];

  test('the pin of a hanging strand carries its weight', () => {
    const world = createWorld({
      objects: [strand('rope', hanging, 13, { masses: [{ at: 0.5, mass: 0.007 }] })],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      probes: [{ id: 'f', type: 'constraintForce', on: { object: 'rope', at: 'start' } }],
      time: { step: 0.02, duration: 10 },
    });
    run(world, 500);
    expect(distance(readVector(world, 'f'), [0, 9.81 * (0.01 * 0.6 + 0.007), 0])).toBeLessThan(1e-9);
  });

  for (const [title, shape, position] of [
    ['plane', { type: 'plane' as const }, [0, -0.1, 0]],
    ['box', { type: 'box' as const, size: [3, 0.2, 1] as Vector }, [0, -0.2, 0]],
  ] as const)
    test(`a strand lying on a ${title} presses on it with its weight, and keeps its radius above it`, () => {
      const world = createWorld({
        objects: [
          strand('rope', [[-0.5, -0.09, 0], [0.5, -0.09, 0.1]], 21, { mode: 'lagrangian', damping: { mass: 2, stiffness: 0 } }), // biome-ignore format: points
        ],
        bodies: [{ id: 'ground', shape, position: [...position] as Vector }],
        probes: [
          { id: 'c', type: 'contactForce', body: 'ground' },
          { id: 'E', type: 'energy' },
        ],
        time: { step: 5e-3, duration: 10 },
      });
      run(world, 1500);
      const weight = 0.01 * Math.hypot(1, 0.1) * 9.81;
      expect(distance(readVector(world, 'c'), [0, -weight, 0])).toBeLessThan(1e-9);
      // penalty k = 2 EA/(sum of its segments): a node sinks by its weight over that
      for (const [, y] of nodesOf(world)) expect(y).toBeCloseTo(-0.1 + 0.002, 5);
      expect(readProbe(world, 'E.contact')).toBeGreaterThan(0);
    });
});

test('a body probe is what its frame and its motion say', () => {
  const world = createWorld({
    objects: [strand('rope', [[5, 0, 0], [6, 0, 0]], 2)], // biome-ignore format: points
    bodies: [
      { id: 'ball', shape: { type: 'sphere', radius: 0.1 }, motion: 'dynamic', mass: 2, position: [1, 2, 3], velocity: [1, 0, -1], angularVelocity: [0, 3, 0] },
      { id: 'arm', shape: { type: 'box', size: [1, 1, 1] }, motion: 'scripted', keyframes: [{ time: 0, position: [0, 0, 0] }, { time: 2, position: [4, 0, 0], rotation: { axis: [0, 0, 1], angle: 90 } }] },
    ], // biome-ignore format: one line each
    probes: [
      { id: 'ball', type: 'body', body: 'ball' },
      { id: 'arm', type: 'body', body: 'arm' },
    ],
    time: { step: 0.01, duration: 10 },
  });
  run(world, 50);
  const [ball, arm] = world.frame().bodies;
  const read = (id: string) =>
    ['x', 'y', 'z', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz'].map((c) => readProbe(world, `${id}.${c}`));
  expect(read('ball').slice(0, 3)).toEqual([...ball.position]);
  expect(distance(read('ball').slice(0, 3), [1.5, 2 - 9.81e-4 * ((50 * 51) / 2), 2.5])).toBeLessThan(1e-12);
  expect(distance(read('ball').slice(3), [1, -9.81 * 0.5, -1, 0, 3, 0])).toBeLessThan(1e-12);
  expect(read('arm').slice(0, 3)).toEqual([...arm.position]);
  expect(distance(read('arm'), [1, 0, 0, 2, 0, 0, 0, 0, Math.PI / 4])).toBeLessThan(1e-12);
});

describe('probes between nodes', () => {
  const createRun = (probes: NonNullable<Parameters<typeof createWorld>[0]['probes']>) => {
    const world = createWorld({
      gravity: [1, -9, 2],
      objects: [
        strand('rope', [[-0.6, 0.1, 0], [0, 0, 0], [0.1, -0.7, 0.1]], 9, {
          guides: [{ id: 'corner', point: [0, 0, 0] }],
          masses: [{ at: 'end', mass: 0.02 }],
        }), // biome-ignore format: points
      ],
      probes,
      time: { step: 0.002, duration: 1 },
    });
    run(world, 120);
    return world;
  };
  const on = (at: number) => ({ object: 'rope', at });

  test('a probe leaves the mesh alone: the same state with and without it', () => {
    const places = [0.1, 0.31, 0.5, 0.77].map((at, i) => ({ id: `p${i}`, type: 'position' as const, on: on(at) }));
    expect(createRun(places).hash()).toBe(createRun([]).hash());
  });

  test('read linear position and velocity inside a segment, its own strain and tension, and nothing held', () => {
    const AT = 0.31;
    const types = ['position', 'velocity', 'strain', 'tension', 'materialCoordinate', 'constraintForce'] as const;
    const world = createRun(types.map((type) => ({ id: type, type, on: on(AT) })));
    const { x, u, restLength } = world.frame().objects[0];
    let e = 0;
    while (u[e + 1] < AT * restLength) e++;
    const t = (AT * restLength - u[e]) / (u[e + 1] - u[e]);
    const [a, b] = [0, 3].map((shift) => [...x.slice(3 * e + shift, 3 * e + shift + 3)]);
    const expected = a.map((value, k) => value + t * (b[k] - value));
    expect(t).toBeGreaterThan(0.05);
    expect(distance(readVector(world, 'position'), expected)).toBeLessThan(1e-14);
    const strain = distance(a, b) / (u[e + 1] - u[e]) - 1;
    expect(readProbe(world, 'strain')).toBeCloseTo(strain, 13);
    expect(readProbe(world, 'tension')).toBeCloseTo(CORD.stretchStiffness * strain, 10);
    expect(readProbe(world, 'materialCoordinate')).toBeCloseTo(AT * restLength, 14);
    expect(readVector(world, 'constraintForce')).toEqual([0, 0, 0]);
    // the material point moves with its probed velocity: both of implicit Euler
    const before = readVector(world, 'position');
    world.step();
    const moved = readVector(world, 'position').map((value, k) => (value - before[k]) / 0.002);
    expect(distance(moved, readVector(world, 'velocity'))).toBeLessThan(2e-2 * Math.hypot(...moved));
  });
});
