/** Continua in scenes: what is refused and how, where particles lie, what probes read, what frames show. */
import { ContinuumModel, compile, SceneError, type SceneInput, validateScene, type World } from 'heddle';
import { describe, expect, test } from 'vitest';

type Json = Record<string, unknown>;

const CLOTH = { type: 'surface', preset: 'cloth-curtain', thickness: 0.01 };
const HAIR = { type: 'curve', preset: 'hair-tubes', radius: 0.01 };
const SAND = { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 };
const RECTANGLE = { type: 'rectangle', width: 0.4, height: 0.2, columns: 4, rows: 2 };
const HAIRS = { type: 'hairs', columns: 2, rows: 3, spacing: 0.05, length: 0.2, segments: 4 };
const YOKE = { type: 'knit', courses: 3, wales: 20, spacing: [0.1, 0.08], form: 'yoke', slope: 60 };
const FILL = { type: 'fill', shape: { type: 'box', size: [0.2, 0.3, 0.1] } };

const makePart = (pattern: Json, material: Json, rest: Json = {}): Json => ({ id: 'part', pattern, material, ...rest });

const makeScene = (parts: readonly Json[], rest: Json = {}, object: Json = {}): Json => ({
  heddle: 1,
  name: 'mpm',
  title: 'Continuum',
  gravity: [0, 0, 0],
  objects: [{ type: 'mpm', id: 'grid', spacing: 0.05, parts, ...object }],
  time: { step: 1e-3, duration: 1 },
  ...rest,
});

function findFaults(scene: Json): string[] {
  try {
    validateScene(scene);
    return [];
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.faults.map(({ path, message }) => `${path} ${message}`);
  }
}

const build = (scene: Json): World => compile(validateScene(scene as unknown as SceneInput));

function readProbes(world: World): Record<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
}

describe('what is refused', () => {
  const cases: readonly (readonly [string, Json, string])[] = [
    [
      'cloth made of sand',
      makeScene([makePart(RECTANGLE, SAND)]),
      'objects[0].parts[0].material.type is "sand", but the pattern is a surface; it must be "surface".',
    ],
    [
      'a filling of cloth',
      makeScene([makePart(FILL, CLOTH)]),
      'objects[0].parts[0].material.type is "surface", but the pattern is a filling; it must be "sand", "goo" or "fluid".',
    ],
    [
      'numbers that neither the scene nor a preset gives',
      makeScene([
        makePart(HAIRS, {
          type: 'curve',
          radius: 0.01,
          density: 1,
          youngsModulus: 1,
          poissonRatio: 0,
          shearStiffness: 0,
          frictionAngle: 0,
        }),
      ]),
      'objects[0].parts[0].material.fibreStiffness is missing, and so is preset; give one of the two.',
    ],
    [
      'a spread of strengths without a strength',
      makeScene([makePart(HAIRS, { ...HAIR, weibullModulus: 5 })]),
      'objects[0].parts[0].material.weibullModulus is given, but breakingStrain is not; give both or neither.',
    ],
    [
      'a part and a body of one name',
      makeScene([makePart(FILL, SAND)], { bodies: [{ id: 'part', shape: { type: 'plane' } }] }),
      'bodies[0].id is "part", already the id of objects[0].parts[0]; use another id.',
    ],
    [
      'a body that is not there',
      makeScene([makePart(FILL, SAND)], {}, { bodies: [{ body: 'floor' }] }),
      'objects[0].bodies[0].body is "floor", which is not a body of this scene. The scene has no bodies.',
    ],
    [
      'friction of what sticks',
      makeScene(
        [makePart(FILL, SAND)],
        { bodies: [{ id: 'floor', shape: { type: 'plane' } }] },
        { bodies: [{ body: 'floor', condition: 'sticky', friction: 1 }] },
      ),
      'objects[0].bodies[0].friction is given, but the condition is "sticky"; only "separate" has friction.',
    ],
    [
      'a body named twice',
      makeScene(
        [makePart(FILL, SAND)],
        { bodies: [{ id: 'floor', shape: { type: 'plane' } }] },
        { bodies: [{ body: 'floor' }, { body: 'floor', condition: 'slip' }] },
      ),
      'objects[0].bodies[1].body is "floor" again; name each body once.',
    ],
    [
      'a tube of an odd number of cells',
      makeScene([makePart({ type: 'tube', radius: 1, height: 1, columns: 7, rows: 1 }, CLOTH)]),
      'objects[0].parts[0].pattern.columns is 7; it must be an even number, 4 or more.',
    ],
    [
      'a bundle that is all hollow',
      makeScene([makePart({ type: 'bundle', radius: 1, innerRadius: 1, length: 1, spacing: 1, segments: 1 }, HAIR)]),
      'objects[0].parts[0].pattern.innerRadius is 1 m; it must be below radius, 1 m.',
    ],
    [
      'a slope of a knit that is no yoke',
      makeScene([makePart({ ...YOKE, form: 'tube' }, HAIR)]),
      'objects[0].parts[0].pattern.slope is given, but the form is "tube"; only "yoke" has a slope.',
    ],
    [
      'a yoke in rib',
      makeScene([makePart({ ...YOKE, stitch: 'rib' }, HAIR)]),
      'objects[0].parts[0].pattern.stitch is "rib", but a yoke adds wales and needs equal stitches in a course; it must be "stockinette" or "garter".',
    ],
    [
      'a yoke of too many loops, added ones too',
      makeScene([makePart({ ...YOKE, courses: 1000, slope: 0 }, HAIR)]),
      // 24 × 1000 × (20 + 999 × 2π × 0.08/0.1 / 2)
      'objects have 60738260 particles in total; at most 10000000 are allowed. Use fewer particles, or raise the limit particles.',
    ],
    [
      'a filling without end',
      makeScene([makePart({ type: 'fill', shape: { type: 'plane' } }, SAND)]),
      'objects[0].parts[0].pattern.shape.type is "plane", which is infinite; give a shape of finite volume.',
    ],
    [
      'too many particles',
      makeScene([makePart(FILL, SAND)], {}, { spacing: 1e-4 }),
      'objects have 48000000000 particles in total; at most 10000000 are allowed. Use fewer particles, or raise the limit particles.',
    ],
    [
      'a driver of a part',
      makeScene([makePart(FILL, SAND)], { drivers: [{ type: 'pin', on: { object: 'part' } }] }),
      'drivers[0].on.worldBox is missing; on a filling of an MPM object give "worldBox".',
    ],
    [
      'a driver of a corner of sand',
      makeScene([makePart(FILL, SAND)], { drivers: [{ type: 'pin', on: { object: 'part', corner: 'left-top' } }] }),
      'drivers[0].on.corner is given, but the MPM part is a filling; give "worldBox".',
    ],
    [
      'a driver of [X, Y] on curves',
      makeScene([makePart(HAIRS, HAIR)], { drivers: [{ type: 'pin', on: { object: 'part', at: [0, 0] } }] }),
      'drivers[0].on.at is [X, Y], but the part is made of curves; give "start", "end" or a fraction from 0 to 1.',
    ],
    [
      'a driver of an end on a surface',
      makeScene([makePart(RECTANGLE, CLOTH)], { drivers: [{ type: 'pin', on: { object: 'part', at: 'end' } }] }),
      'drivers[0].on.at is a location on a curve; on a surface give [X, Y] in m.',
    ],
    [
      'a driver of two places',
      makeScene([makePart(RECTANGLE, CLOTH)], {
        drivers: [{ type: 'pin', on: { object: 'part', side: 'top', corner: 'left-top' } }],
      }),
      'drivers[0].on.side is given together with corner; remove one of the two.',
    ],
    [
      'a driver of a side of a tube',
      makeScene([makePart({ type: 'tube', radius: 1, height: 1, columns: 8, rows: 2 }, CLOTH)], {
        drivers: [{ type: 'pin', on: { object: 'part', side: 'top' } }],
      }),
      'drivers[0].on.side is given, but the part is a tube; only a rectangle has corners and sides.',
    ],
    [
      'a tie of a part to a point',
      makeScene([makePart(RECTANGLE, CLOTH)], {
        drivers: [{ type: 'tie', on: { object: 'part', side: 'top' }, to: { object: 'part', side: 'bottom' } }],
      }),
      'drivers[0].to is given, but one of the two objects is an MPM part, which can be tied to static and scripted bodies only; give "body".',
    ],
    [
      'to touch a part of itself',
      makeScene([makePart(FILL, SAND)], {}, { touching: ['part'] }),
      'objects[0].touching[0] is "part", an MPM object or a part of one; parts of one grid are always in contact, and two grids cannot be.',
    ],
    [
      'to touch what is not there',
      makeScene([makePart(FILL, SAND)], {}, { touching: ['net'] }),
      'objects[0].touching[0] is "net", which is not an object of this scene. Objects: grid, part.',
    ],
    [
      'the strain of vertices',
      makeScene([makePart(RECTANGLE, CLOTH)], {
        probes: [{ id: 'p', type: 'strain', on: { object: 'part', side: 'top' } }],
      }),
      'probes[0].on.side is given, but vertices of an MPM object have no strain; give "worldBox", or nothing for the whole part.',
    ],
    [
      'the place of a continuum instead of a part',
      makeScene([makePart(FILL, SAND)], { probes: [{ id: 'p', type: 'position', on: { object: 'grid' } }] }),
      'probes[0].on.object is an MPM object; name one of its parts.',
    ],
    [
      'a corner of a filling',
      makeScene([makePart(FILL, SAND)], {
        probes: [{ id: 'p', type: 'position', on: { object: 'part', corner: 'left-top' } }],
      }),
      'probes[0].on.corner is given, but the MPM part is a filling; give "worldBox".',
    ],
    [
      'the tension of a part',
      makeScene([makePart(RECTANGLE, CLOTH)], { probes: [{ id: 'p', type: 'tension', on: { object: 'part' } }] }),
      'probes[0].on.object is an MPM part; "tension" is measured on strands and rods and sheets and fabrics only.',
    ],
    [
      'the bounds of a whole continuum',
      makeScene([makePart(FILL, SAND)], { probes: [{ id: 'p', type: 'bounds', object: 'grid' }] }),
      'probes[0].object is an MPM object; "bounds" is measured on MPM parts only.',
    ],
  ];

  test.each(cases)('is this: %s', (_, scene, fault) => {
    expect(findFaults(scene)).toEqual([fault]);
  });

  test('a box without particles, when it is built', () => {
    const worldBox = [
      [5, 5, 5],
      [6, 6, 6],
    ];
    const scene = makeScene([makePart(FILL, SAND)], {
      probes: [{ id: 'p', type: 'position', on: { object: 'part', worldBox } }],
    });
    expect(() => build(scene)).toThrow('probes[0] cannot be built: no particle of "part" is in that box at the start');
  });
});

describe('parts', () => {
  test('a box is filled exactly: as many particles a cell as asked for, and its mass is density × volume', () => {
    const world = build(
      makeScene([makePart(FILL, SAND, { velocity: [1, 2, 3], position: [0, 1, 0] })], {
        probes: [
          { id: 'p', type: 'momentum' },
          { id: 'all', type: 'particles', object: 'part' },
          { id: 'at', type: 'bounds', object: 'part' },
        ],
      }),
    );
    const values = readProbes(world);
    // 0.2 · 0.3 · 0.1 m³ in cells of 0.05 m, eight in each: lattice of 8 × 12 × 4
    expect(values['all.count']).toBe(8 * 12 * 4);
    const mass = 1500 * 0.2 * 0.3 * 0.1;
    for (const [k, axis] of ['x', 'y', 'z'].entries()) expect(values[`p.${axis}`]).toBeCloseTo(mass * (k + 1), 9);
    expect(values['at.minY']).toBeGreaterThan(0.85);
    expect(values['at.maxY']).toBeLessThan(1.15);
    expect(values['all.fastest']).toBeCloseTo(Math.sqrt(14), 12);
  });

  test('a ball is filled with its own volume', () => {
    const shape = { type: 'sphere', radius: 0.2 };
    const world = build(
      makeScene([makePart({ type: 'fill', shape }, SAND, { velocity: [1, 0, 0] })], {
        probes: [{ id: 'p', type: 'momentum' }],
      }),
    );
    expect(readProbes(world)['p.x']).toBeCloseTo((1500 * 4 * Math.PI * 0.2 ** 3) / 3, 9);
  });

  test('angular velocity turns a part about its position', () => {
    const world = build(
      makeScene([makePart(RECTANGLE, CLOTH, { position: [3, 0, 0], angularVelocity: [0, 0, 2] })], {
        probes: [
          { id: 'v', type: 'velocity', on: { object: 'part' } },
          { id: 'right', type: 'velocity', on: { object: 'part', worldBox: [[3.19, -1, -1], [3.21, 1, 1]] } }, // biome-ignore format: line
        ],
      }),
    );
    const values = readProbes(world);
    expect(values['v.y']).toBeCloseTo(0, 12);
    // ω × r at the edge, 0.2 m from the middle
    expect(values['right.y']).toBeCloseTo(0.4, 12);
  });

  test('a preset gives the numbers of the table, and those beside it replace them', () => {
    const world = build(makeScene([makePart(RECTANGLE, { ...CLOTH, density: 7 })]));
    const [model] = world.models;
    if (!(model instanceof ContinuumModel)) throw new Error('no continuum');
    const { material } = model.continuum.points.groups[0];
    expect(material).toMatchObject({ density: 7, youngsModulus: 400, normalStiffness: 800 });
  });
});

test('a yoke has rings of loops that grow by 2π c cos α/w each, below its neck at "position"', () => {
  const world = build(makeScene([makePart(YOKE, HAIR, { position: [1, 2, 3] })]));
  const [yoke] = world.frame().objects;
  if (yoke.type !== 'yarns') throw new Error('no yarns');
  // 2π 0.8 cos 60° = 2.513; ten segments a loop, three a wale at the edges, the first point again at the end
  const points = [3 * 20, 10 * 20, 10 * 22, 10 * 25, 3 * 25].map((n) => n + 1);
  expect(Array.from({ length: points.length }, (_, c) => yoke.start[c + 1] - yoke.start[c])).toEqual(points);
  const neck = 2 / (2 * Math.PI);
  for (let i = 0; i < yoke.x.length; i += 3) {
    const [r, down] = [Math.hypot(yoke.x[i] - 1, yoke.x[i + 2] - 3) - neck, 2 - yoke.x[i + 1]];
    // a yarn of radius 0.01 is at most 1.6 radii out of the cone
    expect(Math.abs(r * Math.sin(Math.PI / 3) - down * Math.cos(Math.PI / 3))).toBeLessThan(0.0161);
  }
});

const MIXED = makeScene(
  [
    makePart(RECTANGLE, CLOTH, { id: 'cloth' }),
    makePart({ type: 'tube', radius: 0.1, height: 0.2, columns: 8, rows: 3 }, CLOTH, {
      id: 'tube',
      position: [1, 0, 0],
    }),
    makePart(HAIRS, HAIR, { id: 'hair', position: [0, 0.05, 0] }),
    makePart({ type: 'knit', courses: 3, wales: 4, spacing: [0.1, 0.08], form: 'tube' }, HAIR, {
      id: 'knit',
      position: [2, 0, 0],
    }),
    makePart(FILL, SAND, { id: 'sand', position: [0, 0.5, 0] }),
    makePart(FILL, { type: 'fluid', density: 1000, bulkModulus: 1e4 }, { id: 'water', position: [0, 1, 0] }),
    makePart(
      FILL,
      { type: 'goo', density: 1000, youngsModulus: 1e4, yieldStress: 100, viscosity: 1 },
      { id: 'goo', position: [0, 1.5, 0] },
    ),
  ],
  { gravity: [0, -9.81, 0], bodies: [{ id: 'floor', shape: { type: 'plane' }, position: [0, -0.1, 0] }] },
);

describe('frames', () => {
  const world = build(MIXED);
  for (let n = 0; n < 3; n++) world.step();
  const frame = world.frame();

  test('surfaces show meshes, curves yarns, bulk particles, each under the name of its part', () => {
    expect(frame.objects.map(({ id, type }) => `${id} ${type}`)).toEqual([
      'cloth surface',
      'tube surface',
      'hair yarns',
      'knit yarns',
      'sand points',
      'water points',
      'goo points',
    ]);
    for (const object of frame.objects)
      for (const values of [object.x, ...Object.values(object.fields)])
        for (const value of values) expect(Number.isFinite(value)).toBe(true);
  });

  test('a tube is shown cut open: its first column twice, in one place, and no triangle inverted in the material', () => {
    const tube = frame.objects[1];
    if (tube.type !== 'surface') throw new Error('no surface');
    expect(tube.x.length / 3).toBe(9 * 4);
    for (let j = 0; j < 4; j++)
      expect(tube.x.slice(27 * j, 27 * j + 3)).toEqual(tube.x.slice(27 * j + 24, 27 * j + 27));
    const { X, triangles } = tube;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [...triangles.subarray(t, t + 3)].map((i) => 2 * i);
      const area2 = (X[b] - X[a]) * (X[c + 1] - X[a + 1]) - (X[b + 1] - X[a + 1]) * (X[c] - X[a]);
      expect(area2).toBeGreaterThan(0);
    }
  });

  test('parts of curves are layers, and neighbours in them have two shades', () => {
    const [hair, knit] = [frame.objects[2], frame.objects[3]];
    if (hair.type !== 'yarns' || knit.type !== 'yarns') throw new Error('no yarns');
    expect(new Set(hair.layer)).toEqual(new Set([2]));
    expect(new Set(knit.layer)).toEqual(new Set([3]));
    expect([...knit.group]).toEqual([0, 1, 0, 1, 0]);
  });

  test('rings of a knitted tube are closed, and material coordinates run along them', () => {
    const knit = frame.objects[3];
    if (knit.type !== 'yarns') throw new Error('no yarns');
    // three courses, and the yarns that cast on and bind off
    expect(knit.start.length - 1).toBe(5);
    for (let c = 0; c < 5; c++) {
      const [first, last] = [knit.start[c], knit.start[c + 1] - 1];
      expect(knit.x.slice(3 * last, 3 * last + 3)).toEqual(knit.x.slice(3 * first, 3 * first + 3));
      for (let i = first + 1; i <= last; i++) expect(knit.u[i]).toBeGreaterThan(knit.u[i - 1]);
      expect(knit.u[last]).toBe(knit.restLength[c]);
    }
  });
});

test('a surface from a file may have any form, and rests in it', () => {
  const file = 'v 0 0 0\nv 0.2 0 0\nv 0 0.3 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n';
  const scene = makeScene([makePart({ type: 'mesh', file: 'tent.obj' }, CLOTH, { id: 'tent', position: [0, 1, 0] })]);
  const world = compile(validateScene(scene as unknown as SceneInput), {
    readFile: () => new TextEncoder().encode(file),
  });
  const [tent] = world.frame().objects;
  if (tent.type !== 'surface') throw new Error('no surface');
  // sides face −z, −y and −x; each shows its own three vertices, counter-clockwise in material coordinates
  expect([...tent.triangles]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const corners = [0, 1, 0, 0, 1.3, 0, 0.2, 1, 0, 0, 1, 0, 0.2, 1, 0, 0, 1, 0.1, 0, 1, 0, 0, 1, 0.1, 0, 1.3, 0];
  corners.forEach((value, k) => {
    expect(tent.x[k]).toBeCloseTo(value, 12);
  });
  for (const [t, area] of [0.2 * 0.3, 0.2 * 0.1, 0.1 * 0.3].entries()) {
    const [ax, ay, bx, by, cx, cy] = tent.X.slice(6 * t, 6 * t + 6);
    expect((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).toBeCloseTo(area, 12);
  }
  expect(tent.restArea).toBeCloseTo((0.2 * 0.3 + 0.2 * 0.1 + 0.1 * 0.3) / 2, 12);
  for (const strain of tent.fields.strain) expect(strain).toBeCloseTo(0, 12);
});

test('particles of bulk have the colour of their kind, a second part of it another', () => {
  const fill = { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } };
  const goo = { type: 'goo', density: 1000, youngsModulus: 1e4, poissonRatio: 0.3, yieldStress: 10, viscosity: 1 };
  const world = build(
    makeScene(
      [goo, SAND, goo].map((material, n) => makePart(fill, material, { id: `part-${n}`, position: [0, n, 0] })),
    ),
  );
  expect(world.frame().objects.map((object) => 'group' in object && object.group[0])).toEqual([2, 0, 5]);
});

test('torn curves are shown in pieces that keep their numbers, torn triangles not at all', () => {
  const world = build(
    makeScene([
      makePart({ ...HAIRS, columns: 1, rows: 2 }, { ...HAIR, breakingStrain: 0.5 }, { id: 'hair' }),
      makePart(RECTANGLE, { ...CLOTH, breakingStrain: 0.5 }, { id: 'cloth', position: [0, 1, 0] }),
    ]),
  );
  const [model] = world.models;
  if (!(model instanceof ContinuumModel)) throw new Error('no continuum');
  const { points } = model.continuum;
  // the second and third of four segments of the first hair, and the first triangle
  for (const e of [1, 2, 8]) points.gain[e] = -1;
  const [hair, cloth] = world.frame().objects;
  if (hair.type !== 'yarns' || cloth.type !== 'surface') throw new Error('no yarns and cloth');
  // nodes 0 1 | 2 | 3 4, and 5 … 9
  expect([...hair.start]).toEqual([0, 2, 2, 3, 5, 5, 10, 10, 10, 10, 10]);
  expect(hair.restLength[0]).toBeCloseTo(0.05, 12);
  expect(hair.restLength[3]).toBeCloseTo(0.05, 12);
  expect(hair.restLength[5]).toBeCloseTo(0.2, 12);
  expect(cloth.triangles.length / 3).toBe(15);
});

describe('state', () => {
  test('a run that is saved and loaded goes on to the bit, and so does a step taken back', () => {
    const [one, other] = [build(MIXED), build(MIXED)];
    for (let n = 0; n < 3; n++) one.step();
    other.load(one.save());
    expect(other.hash()).toBe(one.hash());
    for (let n = 0; n < 3; n++) {
      one.step();
      other.step();
    }
    expect(other.hash()).toBe(one.hash());
    const [model] = other.models;
    const before = other.hash();
    model.beginStep();
    model.beginStage({ start: other.time, step: 1e-3, time: other.time + 1e-3 } as never, 0, 0);
    model.applyTargets();
    expect(other.hash()).not.toBe(before);
    model.rollBack(false);
    expect(other.hash()).toBe(before);
  });
});
