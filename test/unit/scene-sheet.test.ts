/** Sheets in scenes: what is refused and how, where they start, what drives them, what is measured. */
import { compile, type Scene, SceneError, validateScene, type World } from 'heddle';
import { computeSheetMaterial, SHEET_MATERIAL_PRESETS } from 'heddle/model';
import { Sheet, STRIDE } from 'heddle/sheet';
import { describe, expect, test } from 'vitest';

type Json = Record<string, unknown>;

const CLOTH = {
  thickness: 0.001,
  arealDensity: 0.2,
  tensileStiffness: 500,
  poissonRatio: 0,
  bendingRigidity: 1e-5,
  friction: 0,
};

const makeScene = (sheet: Json = {}, rest: Json = {}): Json => ({
  heddle: 1,
  name: 'sheet',
  title: 'Sheet',
  materials: { cloth: CLOTH, rope: { radius: 0.01, density: 900, youngsModulus: 1e7 } },
  objects: [
    {
      type: 'sheet',
      id: 'cloth',
      material: 'cloth',
      shape: { type: 'rectangle', width: 0.6, height: 0.4, columns: 6, rows: 4 },
      ...sheet,
    },
  ],
  time: { step: 0.01, duration: 1 },
  ...rest,
});

const build = (scene: Json): World => compile(validateScene(scene) as Scene);

const sheetOf = (world: World): Sheet => {
  const [sheet] = world.models;
  if (!(sheet instanceof Sheet)) throw new Error('the first model is no sheet');
  return sheet;
};

function findFaults(scene: Json): string[] {
  try {
    build(scene);
    return [];
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.faults.map(({ path, message }) => `${path} ${message}`);
  }
}

function readProbes(world: World): Record<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
}

/** World place of the vertex nearest to a material point. */
function placeAt({ state: { q, count } }: Sheet, X: number, Y: number): number[] {
  for (let i = 0; i < count; i++)
    if (Math.hypot(q[STRIDE * i + 3] - X, q[STRIDE * i + 4] - Y) < 1e-9)
      return [...q.subarray(STRIDE * i, STRIDE * i + 3)];
  throw new Error(`no vertex at ${X}, ${Y}`);
}

const expectPlace = (found: readonly number[], place: readonly number[]) =>
  found.forEach((value, k) => {
    expect(value).toBeCloseTo(place[k], 12);
  });

describe('materials of sheets', () => {
  test('a strip of width w pulled along the warp is as stiff as k₁ w, whatever Poisson', () => {
    // uniaxial stress: C₁₁ − C₁₂²/C₂₂ = k₁
    const { membrane } = computeSheetMaterial({ ...CLOTH, tensileStiffness: [700, 300], poissonRatio: 0.4 });
    expect(membrane[0] - membrane[2] ** 2 / membrane[1]).toBeCloseTo(700, 9);
    expect(membrane[1] - membrane[2] ** 2 / membrane[0]).toBeCloseTo(300, 9);
  });

  test('a homogeneous sheet has C = E t/(1 − ν²), G t = E t/(2 + 2ν) and B = C t²/12', () => {
    const { membrane, bending } = computeSheetMaterial({
      thickness: 0.002,
      density: 1000,
      youngsModulus: 3e6,
      poissonRatio: 0.25,
    });
    const C = (3e6 * 0.002) / (1 - 0.25 ** 2);
    expect(membrane[0]).toBeCloseTo(C, 6);
    expect(membrane[2]).toBeCloseTo(0.25 * C, 6);
    expect(membrane[3]).toBeCloseTo((3e6 * 0.002) / 2.5, 6);
    bending.forEach((value, k) => {
      expect(value / membrane[k]).toBeCloseTo(0.002 ** 2 / 12, 12);
    });
  });

  test.each(SHEET_MATERIAL_PRESETS.map((preset) => [preset.name, preset] as const))(
    '%s is no stiffer in bending than a homogeneous sheet, and states its source',
    (_, preset) => {
      const { bending } = computeSheetMaterial(preset);
      const { bendingRigidity: _own, ...homogeneous } = preset;
      const most = computeSheetMaterial(homogeneous).bending;
      for (const k of [0, 1]) {
        expect(bending[k]).toBeGreaterThan(0);
        expect(bending[k]).toBeLessThan(1.001 * most[k]);
      }
      expect(preset.source.length).toBeGreaterThan(60);
    },
  );
});

describe('where a sheet starts', () => {
  test('without rotation X runs along x, Y along −z, and its middle is at its position', () => {
    const sheet = sheetOf(build(makeScene({ position: [1, 2, 3] })));
    expectPlace(placeAt(sheet, 0, 0), [0.7, 2, 3.2]);
    expectPlace(placeAt(sheet, 0.6, 0.4), [1.3, 2, 2.8]);
  });

  test('a fold of 90 degrees hangs what is right of its line down, a second one bends with it', () => {
    const folds = [
      { line: [[0.2, 0], [0.2, 0.4]], angle: 90 },
      { line: [[0.5, 0], [0.5, 0.4]], angle: 90 },
    ]; // biome-ignore format: lines
    const sheet = sheetOf(build(makeScene({ origin: [0, 0], folds })));
    expectPlace(placeAt(sheet, 0.1, 0), [0.1, 0, 0]);
    expectPlace(placeAt(sheet, 0.4, 0.4), [0.2, -0.2, -0.4]);
    expectPlace(placeAt(sheet, 0.6, 0), [0.1, -0.3, 0]);
    expect(sheet.computeMaxStrain()).toBeLessThan(1e-9);
  });

  test('the mesh of a polygon follows a slanting fold, and no material is strained by it', () => {
    const outline = [[0, 0], [0.6, 0], [0.6, 0.4], [0, 0.4]]; // biome-ignore format: corners
    const folds = [{ line: [[0.1, 0], [0.43, 0.4]], angle: 60 }]; // biome-ignore format: line
    const sheet = sheetOf(build(makeScene({ shape: { type: 'polygon', outline, size: 0.1 }, folds })));
    expect(sheet.computeMaxStrain()).toBeLessThan(1e-9);
    expect(sheet.computeMass()).toBeCloseTo(0.2 * 0.24, 12);
  });

  test('what starts crossed, in one place or inside a dynamic body is refused', () => {
    const two = (other: Json, rest: Json = {}): string[] => {
      const scene = makeScene({}, rest);
      const [sheet] = scene.objects as Json[];
      return findFaults({ ...scene, objects: [sheet, { ...sheet, id: 'other', ...other }] });
    };
    expect(two({ position: [0.05, 0.001, 0.03] })).toEqual([]);
    expect(two({ position: [0.05, 0, 0.03] })[0]).toMatch(
      /^objects\[0\] cannot be built: it coincides with sheet "other" at the start, at \[.*\], .* start them 0.001 m apart\./,
    );
    const across = { position: [0.05, 0.013, 0.03], rotation: { axis: [1, 0, 0], angle: 40 } };
    expect(two(across)[0]).toMatch(/^objects\[0\] cannot be built: it crosses sheet "other" at the start, at \[.*\]; /);
    expect(two({ ...across, contact: false })).toEqual([]);

    const folded = { folds: [{ line: [[0.3, 0], [0.3, 0.4]], angle: -180 }] }; // biome-ignore format: line
    expect(findFaults(makeScene(folded))).toEqual([]);
    expect(findFaults(makeScene({ ...folded, selfContact: true }))[0]).toMatch(/it coincides with itself/);

    const ball = { id: 'ball', shape: { type: 'sphere', radius: 0.05 }, motion: 'dynamic', mass: 1 };
    const under = (position: number[]) => findFaults(makeScene({}, { bodies: [{ ...ball, position }] }));
    expect(under([0, 0.051, 0])).toEqual([]);
    expect(under([0.1, 0.03, 0])[0]).toMatch(
      /^objects\[0\] cannot be built: its vertex at .* starts inside body "ball"; move one of them out\./,
    );
    // a cube with a corner through a triangle, no vertex inside
    const cube = {
      ...ball,
      shape: { type: 'box', size: [0.06, 0.06, 0.06] },
      rotation: { axis: [1, 0, 1], angle: 50 },
    };
    expect(findFaults(makeScene({}, { bodies: [{ ...cube, position: [0.05, 0.03, 0.05] }] }))[0]).toMatch(
      /it crosses body "ball" at the start/,
    );
  });

  test('edgeContact is for Lagrangian sheets that touch bodies, and a tie keeps a sheet on a dynamic body instead of contact', () => {
    expect(findFaults(makeScene({ edgeContact: true }))[0]).toMatch(
      /^objects\[0\].edgeContact is true, but mode is "eol", which does this with vertices on edges; remove it\./,
    );
    const flat = { mode: 'lagrangian', edgeContact: true };
    expect(findFaults(makeScene({ ...flat, contact: false }))[0]).toMatch(/edgeContact is true, but contact is false/);
    const table = { id: 'table', shape: { type: 'box', size: [0.2, 0.1, 0.2] }, position: [0, -0.1, 0] };
    const world = build(makeScene(flat, { bodies: [table] }));
    expect(world.couplings).toHaveLength(1);
    expect(build(makeScene({ mode: 'lagrangian' }, { bodies: [table] })).couplings).toHaveLength(0);

    const box = { ...table, motion: 'dynamic', mass: 1 };
    const drivers = [{ type: 'tie', on: { object: 'cloth', corner: 'left-top' }, body: 'table' }];
    expect(findFaults(makeScene({}, { bodies: [box], drivers }))).toEqual([]);
    expect(findFaults(makeScene({ contact: true }, { bodies: [box], drivers }))[0]).toMatch(
      /the sheet is tied to the dynamic body "table", and contact would push it off; remove contact\./,
    );
  });

  test('a fold that cuts through cells, and a start inside a body, are refused', () => {
    expect(findFaults(makeScene({ folds: [{ line: [[0.17, 0], [0.17, 1]], angle: 10 }] }))[0]) // biome-ignore format: line
      .toMatch(/^objects\[0\] cannot be built: folds\[0\]\.line cuts through triangles/);
    const bodies = [{ id: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0, -0.09, 0] }];
    expect(findFaults(makeScene({}, { bodies }))[0]).toMatch(/inside body "ball".*move it out\.$/);
    expect(findFaults(makeScene({ position: [0, 0.02, 0] }, { bodies }))).toEqual([]);
  });
});

describe('places on sheets', () => {
  const drive = (on: Json): string[] =>
    findFaults(makeScene({}, { drivers: [{ type: 'pin', on: { object: 'cloth', ...on } }] }));

  test.each([
    [{}, 'drivers[0].on.at is missing; on a sheet give one of "at", "corner", "side", "box" or "worldBox".'],
    [{ at: 'end' }, 'drivers[0].on.at is "end", a location on a strand; on a sheet give [X, Y] in m.'],
    [{ side: 'left', corner: 'left-top' }, 'drivers[0].on.side is given together with corner; remove one of the two.'],
    [{ box: [[2, 2], [3, 3]] }, 'objects[0] cannot be built: no vertex of sheet "cloth" is in the box; make it larger, or name a point with "at".'],
  ] as const)('%j is refused', (on, fault) => {
    expect(drive(on)).toEqual([fault]);
  }); // biome-ignore format: table

  test('materials and probes of the other kind are refused where they stand', () => {
    expect(findFaults(makeScene({ material: 'rope' }))).toEqual([
      'objects[0].material is "rope", which has no thickness; a sheet needs a material with one.',
    ]);
    const probes = [{ id: 'p', type: 'curvature', on: { object: 'cloth', at: [0, 0] } }];
    expect(findFaults(makeScene({}, { probes }))).toEqual([
      'probes[0].on.object is a sheet; "curvature" is measured on strands and rods only.',
    ]);
  });

  test('what drivers hold is kept by remeshing: a side, a box of the world', () => {
    const drivers = [
      { type: 'pin', on: { object: 'cloth', side: 'left' } },
      { type: 'pin', on: { object: 'cloth', worldBox: [[0.25, -1, -1], [1, 1, 1]] } },
    ]; // biome-ignore format: box
    const { state } = sheetOf(build(makeScene({}, { drivers })));
    expect(state.kept.reduce((sum, one) => sum + one, 0)).toBe(10);
  });
});

describe('what drives and measures sheets', () => {
  const at = (on: Json) => ({ object: 'cloth', ...on });

  test('a strip pulled by a force F at one side and held at the other: F/(k₁ w) strain, −F at the hold', () => {
    const scene = makeScene(
      { damping: { mass: 20, stiffness: 0.01 } },
      {
        gravity: [0, 0, 0],
        drivers: [
          { type: 'pin', on: at({ side: 'left' }) },
          { type: 'force', on: at({ side: 'right' }), value: [2, 0, 0] },
        ],
        probes: [
          { id: 'hold', type: 'constraintForce', on: at({ side: 'left' }) },
          { id: 'strain', type: 'strain', on: at({ at: [0.3, 0.2] }) },
          { id: 'stress', type: 'stress', on: at({ at: [0.31, 0.17] }) },
          { id: 'area', type: 'area', object: 'cloth' },
          { id: 'end', type: 'position', on: at({ side: 'right' }) },
        ],
      },
    );
    const world = build(scene);
    for (let n = 0; n < 200; n++) world.step();
    const values = readProbes(world);
    // F/w = 5 N/m over k₁ = 500 N/m: 1 %; ν = 0, so the width stays
    expect(values.strain).toBeCloseTo(0.01, 4);
    expect(values['stress.warp']).toBeCloseTo(5 / 0.001, -2);
    expect(values['hold.x']).toBeCloseTo(-2, 3);
    expect(values['area.world'] / values['area.material']).toBeCloseTo(1.01, 4);
    expect(values['end.x']).toBeCloseTo(0.3 + 0.006, 4);
  });

  test('the table carries the weight of a sheet that lies on it', () => {
    const bodies = [{ id: 'floor', shape: { type: 'plane' } }];
    const probes = [
      { id: 'floor', type: 'contactForce', body: 'floor' },
      { id: 'depth', type: 'penetration', object: 'cloth' },
    ];
    const world = build(makeScene({ position: [0, 0.0005, 0] }, { bodies, probes }));
    for (let n = 0; n < 30; n++) world.step();
    const values = readProbes(world);
    // m g = 0.2 kg/m² × 0.24 m² × 9.81 m/s²
    expect(values['floor.y']).toBeCloseTo(-0.2 * 0.24 * 9.81, 9);
    expect(values.depth).toBeLessThan(1e-9);
    const pushes = world.frame().forces.find(({ kind }) => kind === 'contact')!;
    expect(pushes.f.reduce((sum, value, k) => sum + (k % 3 === 1 ? value : 0), 0)).toBeCloseTo(0.2 * 0.24 * 9.81, 9);
  });

  test('two sheets stitched side to side hang as one: the pin carries both', () => {
    const scene = makeScene({ position: [-0.3, 0, 0], damping: { mass: 5, stiffness: 0.01 } });
    const [first] = scene.objects as Json[];
    scene.objects = [first, { ...first, id: 'second', position: [0.3, 0, 0] }];
    scene.drivers = [
      { type: 'pin', on: at({ side: 'left' }) },
      { type: 'tie', on: { object: 'second', side: 'left' }, to: at({ side: 'right' }) },
    ];
    scene.probes = [{ id: 'hold', type: 'constraintForce', on: at({ side: 'left' }) }];
    const world = build(scene);
    for (let n = 0; n < 400; n++) world.step();
    const [one, two] = world.models as Sheet[];
    for (const Y of [0, 0.2, 0.4]) expectPlace(placeAt(one, 0.6, Y), placeAt(two, 0, Y));
    expect(readProbes(world)['hold.y']).toBeCloseTo(2 * 0.2 * 0.24 * 9.81, 1);
  });

  test('a seam that something tore open by a micrometre closes in one step and stays closed', () => {
    const scene = makeScene({ position: [-0.3, 0, 0] });
    const [first] = scene.objects as Json[];
    scene.objects = [first, { ...first, id: 'second', position: [0.3, 0, 0] }];
    scene.drivers = [
      { type: 'pin', on: at({ side: 'left' }) },
      { type: 'tie', on: { object: 'second', side: 'left' }, to: at({ side: 'right' }) },
    ];
    const world = build(scene);
    for (let n = 0; n < 3; n++) world.step();
    const [one, two] = world.models as Sheet[];
    // the vertex of the second sheet at its corner
    for (let k = 0; k < 3; k++) two.state.q[k] += 1e-6;
    for (let n = 0; n < 40; n++) {
      world.step();
      for (const Y of [0, 0.2, 0.4]) expectPlace(placeAt(one, 0.6, Y), placeAt(two, 0, Y));
    }
  });

  test('an adaptive mesh is as coarse as its sizing says while it is flat, and keeps what drivers hold', () => {
    const sizing = { smallest: 0.02, largest: 0.4, angle: 10 };
    const scene = makeScene({ remesher: 'adaptive', sizing });
    scene.drivers = [{ type: 'pin', on: at({ side: 'left' }) }];
    scene.probes = [
      { id: 'mesh', type: 'mesh', object: 'cloth' },
      { id: 'stayed', type: 'coherence', object: 'cloth' },
    ];
    const world = build(scene);
    const sheet = sheetOf(world);
    expect(sheet.refinement?.sizing).toMatchObject({ ...sizing, angle: Math.PI / 18, velocity: 1, compression: 0.02 });
    const before = sheet.state.count;
    world.step();
    const values = readProbes(world);
    const gone = before - sheet.state.count;
    expect(gone).toBeGreaterThan(10);
    expect(values['stayed.last']).toBeCloseTo(sheet.state.count / before, 12);
    expect(values['stayed.mean']).toBe(values['stayed.last']);
    expect(values['mesh.kept']).toBe(values['stayed.last']);
    expect([values['stayed.gone'], values['stayed.born']]).toEqual([gone, 0]);
    for (let label = 0; label < before; label += 7) expect(sheet.state.indexOf(label)).toBeGreaterThanOrEqual(0);
    for (let n = 0; n < 40; n++) world.step();
    expect(sheet.state.count).toBeGreaterThan(before - gone);
    expect(readProbes(world)['stayed.born']).toBeGreaterThan(0);
  });

  test('a sizing goes with the adaptive remesher only, and its largest edge is at least twice the smallest', () => {
    const sizing = { smallest: 0.1, largest: 0.15 };
    expect(findFaults(makeScene({ sizing: { smallest: 0.1 } }))).toEqual([
      'objects[0].sizing is given, but the remesher is not "adaptive"; set remesher to "adaptive", or remove the sizing.',
    ]);
    expect(findFaults(makeScene({ remesher: 'adaptive', sizing }))).toEqual([
      'objects[0].sizing.largest is 0.15; it must be at least twice smallest, 0.2.',
    ]);
  });

  test('a hand lifts a sheet off the floor by a vertex of its frame', () => {
    const world = build(makeScene({ position: [0, 0.01, 0] }, { bodies: [{ id: 'floor', shape: { type: 'plane' } }] }));
    const sheet = sheetOf(world);
    const label = sheet.frameLabels()[0];
    world.grab.take({ object: 'cloth', label }, [-0.3, 0.5, 0.2]);
    for (let n = 0; n < 100; n++) world.step();
    const { x, kind, fields } = sheet.frame();
    expect(x[1]).toBeGreaterThan(0.4);
    expect(kind.length).toBe(fields.speed.length);
    world.grab.release();
    for (let n = 0; n < 100; n++) world.step();
    expect(sheet.frame().x[1]).toBeLessThan(0.1);
  });

  test('the same scene gives the same state twice, to the bit', () => {
    const run = (): string => {
      const world = build(
        makeScene(
          {},
          {
            drivers: [
              { type: 'pin', on: at({ corner: 'left-top' }) },
              { type: 'wind', velocity: [3, 0, 1] },
            ],
          },
        ),
      );
      for (let n = 0; n < 20; n++) world.step();
      return world.hash();
    };
    expect(run()).toBe(run());
  });
});
