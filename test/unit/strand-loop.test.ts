/** Closed strands with everything that acts on strands: drivers and ties at the seam, contact, frames, faults of scenes. */
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import type { Strand } from 'heddle/strand';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

type Point = [number, number, number];
type Scene = Partial<SceneInput> & Pick<SceneInput, 'objects'>;
const CORD = { radius: 0.003, linearDensity: 0.05, stretchStiffness: 500, bendingStiffness: 0 };
const STIFF = { ...CORD, bendingStiffness: 1e-3 };

const create = (scene: Scene): World =>
  compile(validateScene({ heddle: 1, name: 'loop', title: 'loop', time: { step: 0.002, duration: 1 }, ...scene }));

const read = (world: World, column: string): number => {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return values[world.probeColumns.indexOf(column)];
};

const run = (world: World, steps: number): World => {
  for (let n = 0; n < steps; n++) world.step();
  return world;
};

const ring = (n: number, y = 0): Point[] =>
  Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * i) / n;
    return [0.3 * Math.cos(a), y + 0.3 * Math.sin(a), 0.02 * Math.sin(2 * a)];
  });
const begin = <T>(values: readonly T[], first: number): T[] => [...values.slice(first), ...values.slice(0, first)];

const loop = (points: Point[], more: object = {}): SceneInput['objects'][number] => ({
  type: 'strand',
  id: 'loop',
  material: CORD,
  closed: true,
  points,
  nodes: points.length,
  ...more,
});

const N = 24;
const WEIGHT = CORD.linearDensity * 9.81;

describe('a loop held at a place', () => {
  // the same node, once where the loop is cut and once elsewhere
  const hold = (first: number, driver: object, more: object = {}): World => {
    const on = { object: 'loop', at: (N - first) / N };
    return create({
      objects: [loop(begin(ring(N), first), more)],
      drivers: [{ on, ...driver } as never],
      probes: [
        { id: 'F', type: 'constraintForce', on },
        { id: 'x', type: 'position', on },
        { id: 'low', type: 'position', on: { object: 'loop', at: ((N - first) / N + 0.5) % 1 } },
      ],
    });
  };
  for (const [name, driver, more] of [
    ['a pin', { type: 'pin' }, {}],
    ['a pin, bending', { type: 'pin' }, { material: STIFF }],
    ['a velocity', { type: 'velocity', value: [0.2, 0.1, 0] }, { material: STIFF }],
    ['one component', { type: 'fix', components: ['y'] }, { material: STIFF }],
    ['a force', { type: 'force', value: [0, 0.9, 0.1] }, { material: STIFF, masses: [{ at: 0, mass: 0.01 }] }],
  ] as const)
    test(`${name} acts at the seam as elsewhere`, () => {
      const seam = hold(0, driver, more);
      const inside = hold(9, driver, 'masses' in more ? { ...more, masses: [{ at: 15 / 24, mass: 0.01 }] } : more);
      for (const world of [seam, inside]) run(world, 300);
      for (const column of ['F.x', 'F.y', 'F.z', 'x.x', 'x.y', 'low.x', 'low.y', 'low.z'])
        expect(Math.abs(read(seam, column) - read(inside, column))).toBeLessThan(1e-7);
    });

  test('a pin carries the weight of a loop that came to rest', () => {
    const world = run(hold(0, { type: 'pin' }, { damping: { mass: 8, stiffness: 0.002 } }), 3000);
    const length = world.frame().objects[0].restLength;
    expect(Math.abs(read(world, 'F.y') / (WEIGHT * length) - 1)).toBeLessThan(1e-5);
  });
});

test('a loop tied by its seam hangs from a cord, and the cord carries its weight', () => {
  const top: Point = [0, 0.3, 0];
  const world = create({
    objects: [
      loop(
        Array.from({ length: N }, (_, i): Point => {
          const a = (2 * Math.PI * i) / N;
          return [0.3 * Math.sin(a), 0.3 * Math.cos(a), 0];
        }),
        { damping: { mass: 8, stiffness: 0.002 } },
      ),
      {
        type: 'strand',
        id: 'cord',
        material: CORD,
        points: [[0, 0.6, 0], top],
        nodes: 5,
        damping: { mass: 8, stiffness: 0.002 },
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'cord', at: 'start' } },
      { type: 'tie', on: { object: 'cord', at: 'end' }, to: { object: 'loop', at: 'start' } },
    ],
    probes: [{ id: 'F', type: 'constraintForce', on: { object: 'cord', at: 'start' } }],
  });
  run(world, 3000);
  const weight = WEIGHT * (world.frame().objects[0].restLength + 0.3);
  expect(Math.abs(read(world, 'F.y') / weight - 1)).toBeLessThan(1e-5);
});

describe('a loop falls on the ground and rests there', () => {
  for (const mode of ['lagrangian', 'eol'] as const)
    test(`with its weight, ${mode}`, () => {
      const worlds = [0, 5].map((first) =>
        create({
          objects: [loop(begin(ring(N, 0.35), first), { mode, contact: true, damping: { mass: 6, stiffness: 0.001 } })],
          bodies: [{ id: 'floor', shape: { type: 'box', size: [3, 0.2, 3] }, position: [0, -0.1, 0] }],
          probes: [
            { id: 'F', type: 'contactForce', body: 'floor' },
            { id: 'P', type: 'momentum' },
            { id: 'E', type: 'energy' },
          ],
        }),
      );
      for (const world of worlds) run(world, 1500);
      const { x, restLength } = worlds[0].frame().objects[0];
      for (let k = 1; k < x.length; k += 3) expect(x[k]).toBeGreaterThan(-1e-3);
      expect(Math.abs(read(worlds[0], 'P.y'))).toBeLessThan(1e-3);
      expect(Math.abs(read(worlds[0], 'E.gravity') - read(worlds[1], 'E.gravity'))).toBeLessThan(1e-5);
      if (mode === 'lagrangian')
        expect(Math.abs(read(worlds[0], 'F.y') / (-WEIGHT * restLength) - 1)).toBeLessThan(0.01);
    });
});

test('remeshing beside the seam of a slack loop leaves its node and the image of that alike', () => {
  const world = create({
    objects: [
      loop(ring(7), {
        restLength: 2.1,
        nodes: 7,
        slide: 1.1,
        velocity: ring(7).map(([x, y]) => [y, 2 * x, x - y]),
        guides: [
          { id: 'a', point: ring(7)[0] },
          { id: 'b', point: ring(7)[4] },
        ],
      }),
    ],
    solver: { newtonIterations: 20 },
  });
  const strand = world.models[0] as Strand;
  const { chain } = strand.state;
  let removed = 0;
  for (let n = 0; n < 800; n++) {
    const before = chain.count;
    strand.adapt();
    if (chain.count < before) removed++;
    const image = 4 * chain.ownCount;
    for (let k = 0; k < 3; k++) {
      expect(chain.q[image + k]).toBe(chain.q[k]);
      expect(chain.v[image + k]).toBe(chain.v[k]);
    }
    world.step();
  }
  expect(removed).toBeGreaterThan(4);
});

test('a ring that lies flat on the ground presses on it alike with all its nodes, lagrangian', () => {
  const flat = ring(N).map(([x, y]): Point => [x, 0.0029, y]);
  const world = create({
    objects: [loop(flat, { mode: 'lagrangian', damping: { mass: 6, stiffness: 0.001 } })],
    bodies: [{ id: 'floor', shape: { type: 'plane' } }],
    probes: [{ id: 'E', type: 'energy' }],
  });
  run(world, 500);
  const { x } = world.frame().objects[0];
  for (let i = 0; i < N; i++) expect(Math.abs(x[3 * i + 1] - x[1])).toBeLessThan(1e-12);
  expect(x[1]).toBeLessThan(0.003);
});

test('a frame lists each node of a loop once, from u = 0 up, wherever the loop is cut', () => {
  const world = create({
    gravity: [0, 0, 0],
    objects: [
      loop(ring(N), {
        slide: 0.9,
        guides: [
          { id: 'a', point: ring(N)[0] },
          { id: 'b', point: ring(N)[7] },
          { id: 'c', point: ring(N)[15] },
        ],
      }),
    ],
  });
  const cuts = new Set<number>();
  for (let n = 0; n < 1200; n++) {
    world.step();
    const { x, u, kind, closed, restLength } = world.frame().objects[0];
    expect(closed).toBe(true);
    expect(x.length).toBe(3 * u.length);
    expect(world.nodeCount).toBe(u.length);
    expect(kind.filter((value) => value === 1).length).toBe(3);
    expect(u[0]).toBeGreaterThanOrEqual(0);
    for (let i = 1; i < u.length; i++) expect(u[i]).toBeGreaterThan(u[i - 1]);
    expect(u[u.length - 1]).toBeLessThan(restLength);
    const { state } = world.models[0] as unknown as { state: { chain: { label: Int32Array } } };
    cuts.add(state.chain.label[0]);
  }
  expect(cuts.size).toBeGreaterThan(2);
});

test('points of a loop may repeat the first at the end', () => {
  const [once, twice] = [ring(N), [...ring(N), ring(N)[0]]].map((points) =>
    create({ objects: [loop(points, { nodes: 30, velocity: points.map(([x, y]) => [y, -x, 1]) })] }),
  );
  expect(run(once, 20).hash()).toBe(run(twice, 20).hash());
});

test('faults of closed strands are named', () => {
  const fail = (more: object) => () => create({ objects: [loop(ring(6), more)] });
  expect(fail({ nodes: 2 })).toThrow('objects[0].nodes gives 2 nodes of a closed strand; it needs at least 3');
  expect(fail({ nodes: [0, 0.5, 1] })).toThrow('it needs at least 3');
  expect(fail({ velocity: ring(5) })).toThrow('has 5 velocities for 6 points');
  expect(fail({ guides: [{ id: 'g', point: [1, 1, 1] }] })).toThrow('off the polyline');
  // on the segment that closes it
  const [a, b] = [ring(6)[5], ring(6)[0]];
  const middle = a.map((x, k) => (x + b[k]) / 2) as Point;
  expect(fail({ guides: [{ id: 'g', point: middle }] })).not.toThrow();
});
