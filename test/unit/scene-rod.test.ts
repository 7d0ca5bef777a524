/** Rods in scenes: bad input, one sentence each; what a good one is built into; drivers of frames; probes. */
import { SceneError } from 'heddle/model';
import type { Rod } from 'heddle/rod';
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { readProbe, readVector, run, type Vector } from './world-scenes.ts';

type Rods = Extract<SceneInput['objects'][number], { type: 'rod' }>;

const RUBBER = { density: 1100, radius: 0.004, youngsModulus: 2e6, poissonRatio: 0.45 };
const POINTS: Vector[] = [
  [0, 0, 0],
  [0.3, 0, 0],
];

const rod = (more: Partial<Rods> = {}): Rods => ({
  type: 'rod',
  id: 'rod',
  material: RUBBER,
  points: POINTS,
  segments: 20,
  ...more,
});

const scene = (more: Partial<SceneInput> = {}): SceneInput => ({
  heddle: 1,
  name: 'rods',
  title: 'Rods',
  objects: [rod()],
  time: { step: 5e-3, duration: 1 },
  ...more,
});

const build = (more: Partial<SceneInput> = {}): World => compile(validateScene(scene(more)));

const rodOf = (world: World): Rod => world.models.find((model): model is Rod => model.type === 'rod')!;

function faultsOf(more: object): string[] {
  try {
    build(more as Partial<SceneInput>);
  } catch (error) {
    if (error instanceof SceneError) return error.faults.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}

/** Where a fault is. */
const placeOf = (fault: string): string => fault.split(' ')[0];

const still = { gravity: [0, 0, 0] as Vector };
const withRod = (more: object): object => ({ objects: [{ ...rod(), ...more }] });
const withDriver = (driver: object): object => ({
  objects: [
    rod(),
    {
      type: 'strand',
      id: 'rope',
      material: 'hemp-rope-8mm',
      points: [
        [0, 1, 0],
        [1, 1, 0],
      ],
      nodes: 5,
    },
  ],
  drivers: [driver],
});

describe('faults of rods', () => {
  test('the rod that they are made of has none', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'no centre line',
      withRod({ points: undefined }),
      'objects[0].points is missing, and so is shape; a rod needs one of the two.',
    ],
    [
      'two centre lines',
      withRod({ shape: { type: 'straight', from: [0, 0, 0], to: [1, 0, 0] } }),
      'objects[0].shape is given together with points; remove one of the two.',
    ],
    [
      'points in one place',
      withRod({
        points: [
          [1, 1, 1],
          [1, 1, 1],
        ],
      }),
      'objects[0].points are all equal; the polyline must have a length > 0 m.',
    ],
    [
      'an arc of no length',
      withRod({ points: undefined, shape: { type: 'arc', radius: 1, angle: 0 } }),
      'objects[0].shape.angle is 0, which gives no length; use another value.',
    ],
    [
      'a helix without turns',
      withRod({ points: undefined, shape: { type: 'helix', radius: 1, pitch: 1, turns: 0 } }),
      'objects[0].shape.turns is 0, which gives no length; use another value.',
    ],
    [
      'a knot along nothing',
      withRod({ points: undefined, shape: { type: 'knot', name: 'overhand', axis: [0, 0, 0] } }),
      'objects[0].shape.axis is [0, 0, 0], which has no direction; use another vector.',
    ],
    [
      'a line from a point to itself',
      withRod({ points: undefined, shape: { type: 'straight', from: [1, 2, 3], to: [1, 2, 3] } }),
      'objects[0].shape.to is the same point as from; use another point.',
    ],
    [
      'velocities of the points of a shape',
      withRod({
        points: undefined,
        shape: { type: 'arc', radius: 1, angle: 90 },
        velocity: [
          [0, 0, 0],
          [1, 0, 0],
        ],
      }),
      'objects[0].velocity has one velocity per point, but the rod has a shape; give one for the whole rod.',
    ],
    [
      'an unknown shape',
      withRod({ points: undefined, shape: { type: 'helx' } }),
      'objects[0].shape.type is the text "helx"; it must be "straight", "arc", "helix" or "knot". Did you mean "helix"?',
    ],
    [
      'neither radius nor section',
      withRod({ material: { density: 1, youngsModulus: 1 } }),
      'objects[0].material.radius is missing, and so is the section of the rod; give one of the two.',
    ],
    [
      'a material of sheets',
      withRod({ material: 'cotton' }),
      'objects[0].material is "cotton", which has no radius; a rod needs a material with one.',
    ],
    [
      'fractions that do not end at 1',
      withRod({ segments: [0, 0.5] }),
      'objects[0].segments[1] is 0.5; the last fraction must be 1.',
    ],
    [
      'velocities for other points',
      withRod({
        velocity: [
          [0, 0, 0],
          [1, 0, 0],
          [2, 0, 0],
        ],
      }),
      'objects[0].velocity has 3 velocities for 2 points; give one for the whole rod, or one per point.',
    ],
    [
      'a normal without direction',
      withRod({ normal: [0, 0, 0] }),
      'objects[0].normal is [0, 0, 0], which has no direction; use another vector.',
    ],
    [
      'places of natural strains that fall',
      withRod({ natural: [{ at: 0.5 }, { at: 0.2 }] }),
      'objects[0].natural[1].at is 0.2 after 0.5; places must increase.',
    ],
    [
      'a Lagrangian rod that slides',
      withRod({ mode: 'lagrangian', sliding: true }),
      'objects[0].sliding is given, but mode is "lagrangian", whose nodes do not slide; set mode to "rh", or remove it.',
    ],
    [
      'refinement that splits and joins the same',
      withRod({ refinement: { shortest: 0.9, longest: 1 } }),
      'objects[0].refinement.longest is 1; it must be at least twice shortest, 1.8.',
    ],
    [
      'refinement whose stiffest is softer than its softest',
      withRod({ refinement: { softest: 2, stiffest: 1.5 } }),
      'objects[0].refinement.stiffest is 1.5; it must be at least softest, 2.',
    ],
    [
      'a clamp on a strand',
      withDriver({ type: 'clamp', on: { object: 'rope', at: 'start' } }),
      'drivers[0].on.object is "rope", a strand; it must be a rod.',
    ],
    [
      'a clamp in the middle',
      withDriver({ type: 'clamp', on: { object: 'rod', at: 0.5 } }),
      'drivers[0].on.at is 0.5; it must be "start" or "end".',
    ],
    [
      'a clamp that is moved twice',
      withDriver({ type: 'clamp', on: { object: 'rod', at: 'end' }, velocity: [1, 0, 0], keyframes: [{ time: 0 }] }),
      'drivers[0].velocity is given together with keyframes; remove one of the two.',
    ],
    [
      'a turn by nothing',
      withDriver({ type: 'turn', on: { object: 'rod', at: 'end' }, axis: [1, 0, 0] }),
      'drivers[0].angle is missing, and so is rate; a turn needs one of the two.',
    ],
    [
      'a turn by an angle and a rate',
      withDriver({ type: 'turn', on: { object: 'rod', at: 'end' }, axis: [1, 0, 0], angle: 1, rate: 1 }),
      'drivers[0].rate is given together with angle; remove one of the two.',
    ],
    [
      'a turn about nothing',
      withDriver({ type: 'turn', on: { object: 'rod', at: 'end' }, axis: [0, 0, 0], rate: 1 }),
      'drivers[0].axis is [0, 0, 0], which has no direction; use another vector.',
    ],
    [
      'a pin on a side of a rod',
      withDriver({ type: 'pin', on: { object: 'rod', side: 'left' } }),
      'drivers[0].on.side is given, but the object is a rod; give its location with "at".',
    ],
    [
      'a guide of a rod',
      { probes: [{ id: 'p', type: 'tension', on: { object: 'rod', guide: 'x' } }] },
      'probes[0].on.guide is given, but the object is a rod, which has no guides.',
    ],
    [
      'a probe of sheets',
      { probes: [{ id: 'p', type: 'area', object: 'rod' }] },
      'probes[0].object is a rod; "area" is measured on sheets only.',
    ],
  ])('are told in one sentence: %s', (_, more, sentence) => {
    expect(faultsOf(more)).toContain(sentence);
  });

  test('all faults of a rod are reported together', () => {
    expect(faultsOf(withRod({ points: undefined, segments: 0, sliding: 3, twist: 'x' })).map(placeOf)).toEqual(
      expect.arrayContaining(['objects[0].points', 'objects[0].segments', 'objects[0].sliding', 'objects[0].twist']),
    );
  });
});

describe('what a scene builds', () => {
  test('sections: a ribbon bends E w t³/12 about its width and E t w³/12 about its thickness', () => {
    const { state } = rodOf(
      build(withRod({ section: { type: 'rectangle', width: 0.02, thickness: 0.001 }, twistStiffness: 5 })),
    );
    expect(state.material.bend[0]).toBeCloseTo((2e6 * 0.02 * 0.001 ** 3) / 12, 15);
    expect(state.material.bend[1]).toBeCloseTo((2e6 * 0.001 * 0.02 ** 3) / 12, 15);
    expect(state.material.bend[2]).toBe(5);
    expect(state.material.radius).toBe(5e-4);
  });

  test('a named material without radius will do for a rod with a section', () => {
    const steel = { density: 7850, youngsModulus: 2e11 };
    const object = rod({ material: 'steel', section: { type: 'circle', radius: 1e-3 } });
    expect(faultsOf({ materials: { steel }, objects: [object] })).toEqual([]);
    expect(faultsOf({ materials: { steel }, objects: [rod({ material: 'steel' })] })).not.toEqual([]);
  });

  test('a helix has the length n √((2πr)² + p²), and its natural shape as it starts leaves it at rest', () => {
    const shape = { type: 'helix', radius: 0.05, pitch: 0.03, turns: -3, axis: [1, 0, 0] } as const;
    const world = build({
      gravity: [0, 0, 0],
      objects: [rod({ points: undefined, shape: { ...shape, axis: [1, 0, 0] }, natural: 'initial', segments: 90 })],
    });
    const { state } = rodOf(world);
    // chords of 12° are shorter than arcs by 12°²/24
    const chord = 1 - ((2 * Math.PI) / 30) ** 2 / 24;
    expect(state.restLength / (3 * Math.hypot(chord * 2 * Math.PI * 0.05, 0.03))).toBeCloseTo(1, 5);
    run(world, 5);
    // straight, it would spring open with some 0.01 J
    expect(world.energy().kinetic).toBeLessThan(1e-18);
    expect(world.energy().stretch).toBeLessThan(1e-15);
  });

  test('a knot lies where the scene places it; too few segments are a fault', () => {
    const knot = { type: 'knot', name: 'overhand', tail: 0.1 } as const;
    const object = (segments: number) =>
      rod({ points: undefined, shape: { ...knot, origin: [0, 1, 0] }, segments, contact: { self: true } });
    const world = build({ ...still, objects: [object(60)] });
    const { q, count } = rodOf(world).state.chain;
    const { x } = rodOf(world).frame();
    expect([x[1], x[3 * count - 2]]).toEqual([1, 1]);
    expect(q[0]).toBeLessThan(-0.1);
    expect(q[4 * count - 4]).toBeGreaterThan(0.1);
    expect(faultsOf({ objects: [object(1)] }).join()).toMatch(
      /^objects\[0\] cannot be built: createKnot: .*segments.*\.$/,
    );
  });

  test('nodes are kept where drivers and masses are, and a short segment where a frame is held', () => {
    const world = build({
      objects: [rod({ segments: 10, masses: [{ at: 0.33, mass: 0.1 }] })],
      drivers: [
        { type: 'clamp', on: { object: 'rod', at: 'start' } },
        { type: 'pin', on: { object: 'rod', at: 0.77 } },
      ],
    });
    const { q, kept, count } = rodOf(world).state.chain;
    const places = Array.from({ length: count }, (_, i) => i)
      .filter((i) => kept[i])
      .map((i) => Number((q[4 * i + 3] / 0.3).toFixed(6)));
    expect(places).toEqual([0, 0.01, 0.33, 0.77]);
    expect(rodOf(world).computeMass()).toBeCloseTo(1100 * Math.PI * 0.004 ** 2 * 0.3 + 0.1, 12);
  });

  test('mode "rh" moves nodes to the bend, "lagrangian" leaves them where they are', () => {
    const spread = (mode: 'rh' | 'lagrangian'): number => {
      const world = build({
        objects: [rod({ mode, refinement: false, damping: { mass: 3, stiffness: 0.02 } })],
        drivers: [{ type: 'clamp', on: { object: 'rod', at: 'start' } }],
        probes: [{ id: 'rod', type: 'rod', object: 'rod' }],
      });
      run(world, 100);
      return readProbe(world, 'rod.longest') / (0.3 / 20);
    };
    expect(spread('lagrangian')).toBeCloseTo(1, 9);
    expect(spread('rh')).toBeGreaterThan(1.1);
  });
});

const on = (at: 'start' | 'end') => ({ object: 'rod', at });

for (const integrator of ['euler', 'sdirk2'] as const)
  describe(`drivers of frames with ${integrator}`, () => {
    const time = { step: 5e-3, duration: 1, integrator };
    const axisOf = (world: World, at: 'start' | 'end'): Vector => {
      const [x, y, z, w] = rodOf(world).readFrame(at);
      return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    };

    test('a clamp holds end and frame; its force is the weight, its torque weight times lever', () => {
      const world = build({
        objects: [rod({ material: { ...RUBBER, youngsModulus: 2e8 }, damping: { mass: 20, stiffness: 0.01 } })],
        drivers: [{ type: 'clamp', on: on('start') }],
        probes: [
          { id: 'f', type: 'constraintForce', on: on('start') },
          { id: 'm', type: 'torque', on: on('start') },
        ],
        time,
      });
      const frame = rodOf(world).readFrame('start');
      run(world, 400);
      rodOf(world)
        .readFrame('start')
        .forEach((value, k) => {
          expect(value).toBeCloseTo(frame[k], 12);
        });
      const weight = 1100 * Math.PI * 0.004 ** 2 * 0.3 * 9.81;
      expect(readProbe(world, 'f.y') / weight).toBeCloseTo(1, 4);
      // ½ W L, less the second-order shortening of the lever: (tip/L)² is below 1e-3
      expect(readProbe(world, 'm.z') / (0.5 * weight * 0.3)).toBeCloseTo(1, 2);
      expect(Math.abs(readProbe(world, 'm.axial'))).toBeLessThan(1e-9);
    });

    test('a clamp follows keyframes of place and rotation', () => {
      const world = build({
        ...still,
        drivers: [
          {
            type: 'clamp',
            on: on('start'),
            keyframes: [
              { time: 0, position: [0, 0, 0] },
              { time: 0.1, position: [0, 0.1, 0], rotation: { axis: [0, 0, 1], angle: 90 } },
            ],
          },
        ],
        probes: [{ id: 'p', type: 'position', on: on('start') }],
        time,
      });
      run(world, 10);
      expect(readProbe(world, 'p.y')).toBeCloseTo(0.05, 12);
      expect(axisOf(world, 'start')[1]).toBeCloseTo(Math.SQRT1_2, 9);
      run(world, 30);
      expect(axisOf(world, 'start')[1]).toBeCloseTo(1, 12);
    });

    test('a clamp with velocities that sets in late takes the end as it finds it', () => {
      const world = build({
        ...still,
        objects: [rod({ velocity: [0.2, 0, 0] })],
        drivers: [{ type: 'clamp', on: on('end'), velocity: [0, 1, 0], angularVelocity: [0, 0, 3], from: 0.1 }],
        probes: [{ id: 'p', type: 'position', on: on('end') }],
        time,
      });
      run(world, 40);
      const [x, y] = readVector(world, 'p');
      expect(x).toBeCloseTo(0.32, 9);
      expect(y).toBeCloseTo(0.1, 9);
      expect(axisOf(world, 'end')[1]).toBeCloseTo(Math.sin(0.3), 9);
    });

    test('a turn by a rate is the turn by its integral; its place is held, or free', () => {
      const turned = (more: object): World => {
        const world = build({
          ...still,
          drivers: [{ type: 'turn', on: on('start'), axis: [0, 0, 2], ...more }],
          probes: [{ id: 'p', type: 'position', on: on('start') }],
          time,
        });
        run(world, 20);
        return world;
      };
      const byRate = turned({ rate: [{ time: 0, value: 0 }, { time: 0.2, value: 8 }] }); // biome-ignore format: points
      const byAngle = turned({ angle: [{ time: 0, value: 0 }, { time: 0.1, value: 0.2 }] }); // biome-ignore format: points
      for (const world of [byRate, byAngle]) expect(axisOf(world, 'start')[1]).toBeCloseTo(Math.sin(0.2), 9);
      expect(Math.hypot(...readVector(byRate, 'p'))).toBe(0);
      expect(Math.hypot(...readVector(turned({ rate: 2, holdsPosition: false }), 'p'))).toBeGreaterThan(1e-3);
    });

    test('a rod twisted by θ between its ends carries the torque GJ θ/L', () => {
      const world = build({
        ...still,
        objects: [rod({ damping: { mass: 5, stiffness: 0.02 } })],
        drivers: [
          { type: 'clamp', on: on('start') },
          { type: 'pin', on: on('end') },
          { type: 'twist', on: on('end'), rate: 1.5, until: 0.2 },
          { type: 'twist', on: on('end'), rate: 0, from: 0.2 },
        ],
        probes: [
          { id: 'rod', type: 'rod', object: 'rod' },
          { id: 'm', type: 'torque', on: on('end') },
        ],
        time,
      });
      run(world, 300);
      expect(readProbe(world, 'rod.twist')).toBeCloseTo(0.3, 6);
      const GJ = (2e6 / 2.9) * 0.5 * Math.PI * 0.004 ** 4;
      // the twist runs between the middles of the end segments, a tenth of a spacing long each
      const length = 0.3 * (1 - 0.1 / 20);
      expect(readProbe(world, 'm.axial') / ((GJ * 0.3) / length)).toBeCloseTo(1, 4);
    });
  });

test('probes along a rod read place, speed, tension, strain, curvature, coordinate, length and counts', () => {
  const world = build({
    ...still,
    objects: [rod({ velocity: [0, 3, 4], restLength: 0.25 })],
    probes: [
      { id: 'p', type: 'position', on: { object: 'rod', at: 0.5 } },
      { id: 's', type: 'speed', on: { object: 'rod', at: 0.31 } },
      { id: 'v', type: 'velocity', on: { object: 'rod', at: 'end' } },
      { id: 't', type: 'tension', on: { object: 'rod', at: 0.5 } },
      { id: 'e', type: 'strain', on: { object: 'rod', at: 0.52 } },
      { id: 'k', type: 'curvature', on: { object: 'rod', at: 0.5 } },
      { id: 'u', type: 'materialCoordinate', on: { object: 'rod', at: 'end' } },
      { id: 'l', type: 'length', object: 'rod' },
      { id: 'n', type: 'counts', object: 'rod' },
      { id: 'M', type: 'momentum' },
    ],
  });
  expect(readVector(world, 'p')[0]).toBeCloseTo(0.15, 12);
  expect(readProbe(world, 's')).toBeCloseTo(5, 12);
  expect(readVector(world, 'v')[2]).toBeCloseTo(4, 12);
  expect(readProbe(world, 'e')).toBeCloseTo(0.2, 12);
  expect(readProbe(world, 't')).toBeCloseTo(0.2 * 2e6 * Math.PI * 0.004 ** 2, 9);
  expect(readProbe(world, 'k')).toBeCloseTo(0, 9);
  expect(readProbe(world, 'u')).toBeCloseTo(0.25, 12);
  expect(readProbe(world, 'l.material')).toBeCloseTo(0.25, 12);
  expect(readProbe(world, 'l.world')).toBeCloseTo(0.3, 12);
  expect(readProbe(world, 'n.lagrangian')).toBe(21);
  expect(readProbe(world, 'M.y')).toBeCloseTo(3 * 1100 * Math.PI * 0.004 ** 2 * 0.25, 12);
});

test('a tie hangs a rod on a strand, and a hand pulls it', () => {
  const strand = {
    type: 'strand' as const,
    id: 'rope',
    material: 'hemp-rope-8mm',
    points: [[0, 0.5, 0], [0, 0, 0]] as Vector[], // biome-ignore format: points
    nodes: 8,
    contact: false,
    damping: { mass: 2, stiffness: 0.001 },
  };
  const world = build({
    objects: [strand, rod({ damping: { mass: 5, stiffness: 0.02 } })],
    drivers: [
      { type: 'pin', on: { object: 'rope', at: 'start' } },
      { type: 'tie', on: on('start'), to: { object: 'rope', at: 'end' } },
    ],
    probes: [
      { id: 'a', type: 'position', on: on('start') },
      { id: 'b', type: 'position', on: { object: 'rope', at: 'end' } },
      { id: 'tip', type: 'position', on: on('end') },
      { id: 'f', type: 'constraintForce', on: { object: 'rope', at: 'start' } },
    ],
  });
  run(world, 600);
  const [a, b] = [readVector(world, 'a'), readVector(world, 'b')];
  for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 9);
  expect(readProbe(world, 'f.y')).toBeCloseTo(
    world.models.reduce((sum, model) => sum + (model as Rod).computeMass(), 0) * 9.81,
    2,
  );
  const before = readVector(world, 'tip');
  world.grab.take({ object: 'rod', label: rodOf(world).state.findLabel(1) }, [0.2, before[1] + 0.1, 0]);
  run(world, 40);
  expect(readVector(world, 'tip')[0]).toBeGreaterThan(before[0] + 0.05);
});
