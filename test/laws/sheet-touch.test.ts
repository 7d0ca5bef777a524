/** Sheets of scenes touch each other, themselves and bodies that forces move. */
import { SurfaceContacts } from 'heddle/sheet';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { computeMomentum, runWithoutPassing } from './sheet-contact-scenes.ts';
import { AREAL_DENSITY, build, createMaterial, listSheets, THICKNESS } from './sheet-touch-scenes.ts';

const G = 9.81;

const readProbe = (world: World, column: string): number => {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return values[world.probeColumns.indexOf(column)];
};

const contactsOf = (world: World): SurfaceContacts => world.couplings[0] as SurfaceContacts;

describe('a free box that hits a free sheet', () => {
  for (const mode of ['eol', 'lagrangian'])
    for (const friction of [0, 0.4])
      test(`momentum is kept, ${mode}, friction ${friction}`, () => {
        const world = build({
          gravity: [0, 0, 0],
          materials: { cloth: createMaterial(friction) },
          objects: [
            {
              type: 'sheet',
              id: 'sheet',
              material: 'cloth',
              mode,
              shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 5, rows: 5 },
              velocity: [0, 0.1, 0],
            },
          ],
          bodies: [
            {
              id: 'box',
              shape: { type: 'box', size: [0.08, 0.05, 0.08] },
              motion: 'dynamic',
              mass: 0.05,
              position: [0.02, 0.045, 0.01],
              velocity: [0.2, -1, 0.1],
              angularVelocity: [1, 2, 3],
            },
          ],
          time: { step: 4e-3, duration: 1 },
        });
        const before = computeMomentum(world);
        for (let n = 0; n < 15; n++) world.step();
        const after = computeMomentum(world);
        const taken = new Float64Array(6);
        listSheets(world)[0].addMomentum(taken);
        expect(taken[1]).toBeLessThan(0.1 * before[1]);
        if (friction > 0) expect(taken[0]).toBeGreaterThan(0.01 * before[0]);
        for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-13);
      });
});

describe('nothing passes through in the scene of', () => {
  for (const mode of ['eol', 'lagrangian'])
    test(`two sheets dropped on a table and on each other, ${mode}`, () => {
      const sheet = { type: 'sheet', material: 'cloth', mode };
      const world = build({
        materials: { cloth: createMaterial(0.3) },
        objects: [
          {
            ...sheet,
            id: 'lower',
            shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 4, rows: 4 },
            position: [0, 0.001, 0],
          },
          {
            ...sheet,
            id: 'upper',
            shape: { type: 'rectangle', width: 0.3, height: 0.24, columns: 5, rows: 3 },
            position: [0.06, 0.03, -0.05],
            rotation: { axis: [0.3, 1, 1], angle: 8 },
            velocity: [0.3, -1, 0],
          },
        ],
        bodies: [{ id: 'table', shape: { type: 'plane' } }],
      });
      const { nearest } = runWithoutPassing(world, listSheets(world), 30);
      expect(contactsOf(world).pushing).toBeGreaterThan(8);
      expect(nearest).toBeGreaterThan(0.5 * THICKNESS);
    });

  const createFold = (selfContact: boolean): World =>
    build({
      materials: { cloth: createMaterial(0.2) },
      objects: [
        {
          type: 'sheet',
          id: 'strip',
          material: 'cloth',
          selfContact,
          shape: { type: 'rectangle', width: 0.3, height: 0.06, columns: 15, rows: 3 },
          // one half stands over the other and comes down on it
          folds: [
            {
              line: [
                [0.14, 0],
                [0.14, 0.06],
              ],
              angle: -80,
            },
            {
              line: [
                [0.16, 0],
                [0.16, 0.06],
              ],
              angle: -60,
            },
          ],
          origin: [0, 0.03],
          position: [0, 0.001, 0],
        },
      ],
      bodies: [{ id: 'floor', shape: { type: 'plane' } }],
    });

  test('a sheet that folds on itself', () => {
    const world = createFold(true);
    runWithoutPassing(world, listSheets(world), 40);
    expect(contactsOf(world).pushing).toBeGreaterThan(3);
  });

  test('a sheet that folds on itself, but without selfContact it does', () => {
    const world = createFold(false);
    expect(world.couplings.some((coupling) => coupling instanceof SurfaceContacts)).toBe(false);
    expect(() => runWithoutPassing(world, listSheets(world), 40)).toThrow(/passes through/);
  });
});

describe('a dynamic box on a sheet held on an incline', () => {
  const slide = (friction: number, slope: number, steps: number): { moved: number; speed: number } => {
    const [sin, cos] = [Math.sin(slope), Math.cos(slope)];
    const rotation = { axis: [0, 0, 1], angle: (-180 / Math.PI) * slope };
    const height = 0.025 + THICKNESS / 2;
    const world = build({
      materials: { cloth: createMaterial(friction) },
      objects: [
        {
          type: 'sheet',
          id: 'sheet',
          material: 'cloth',
          shape: { type: 'rectangle', width: 0.4, height: 0.2, columns: 8, rows: 4 },
          rotation,
        },
      ],
      bodies: [
        {
          id: 'box',
          shape: { type: 'box', size: [0.08, 0.05, 0.08] },
          motion: 'dynamic',
          mass: 0.1,
          position: [-0.1 * cos + height * sin, 0.1 * sin + height * cos, 0.01],
          rotation,
        },
      ],
      drivers: [
        {
          type: 'pin',
          on: {
            object: 'sheet',
            box: [
              [0, 0],
              [0.4, 0.2],
            ],
          },
        },
      ],
      probes: [
        { id: 'box', type: 'body', body: 'box' },
        { id: 'push', type: 'contactForce', body: 'box' },
      ],
    });
    const [x, y] = [readProbe(world, 'box.x'), readProbe(world, 'box.y')];
    for (let n = 0; n < steps; n++) world.step();
    // it stays on the plane: its acceleration along it is all there is
    const across = (readProbe(world, 'box.x') - x) * sin + (readProbe(world, 'box.y') - y) * cos;
    expect(Math.abs(across)).toBeLessThan(1e-6);
    const normal = readProbe(world, 'push.x') * sin + readProbe(world, 'push.y') * cos;
    expect(Math.abs(normal - 0.1 * G * cos)).toBeLessThan(1e-4 * 0.1 * G);
    return {
      moved: (readProbe(world, 'box.x') - x) * cos - (readProbe(world, 'box.y') - y) * sin,
      speed: readProbe(world, 'box.vx') * cos - readProbe(world, 'box.vy') * sin,
    };
  };

  test('stays below the angle of friction, tan α < μ', () => {
    for (const friction of [0.3, 0.6]) {
      const { moved, speed } = slide(friction, 0.97 * Math.atan(friction), 30);
      expect(Math.abs(speed)).toBeLessThan(1e-7);
      expect(Math.abs(moved)).toBeLessThan(1e-7);
    }
  });

  test('slides above it with g (sin α − μ cos α)', () => {
    for (const [friction, slope] of [
      [0.3, 1.05 * Math.atan(0.3)],
      [0.3, 0.5],
      [0, 0.3],
    ]) {
      const { speed } = slide(friction, slope, 30);
      const expected = G * (Math.sin(slope) - friction * Math.cos(slope)) * 30 * 5e-3;
      // friction follows the load by a pass: a thousandth of it at most, in one direction or the other
      expect(Math.abs(speed - expected)).toBeLessThan(5e-4 * expected);
    }
  });
});

test('a box that rests on a sheet on a table: the table carries both, the sheet pushes with what the box weighs', () => {
  const world = build({
    materials: { cloth: createMaterial(0.3) },
    objects: [
      {
        type: 'sheet',
        id: 'sheet',
        material: 'cloth',
        shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 6, rows: 6 },
        position: [0, THICKNESS / 2, 0],
      },
    ],
    bodies: [
      { id: 'table', shape: { type: 'plane' } },
      {
        id: 'box',
        shape: { type: 'box', size: [0.12, 0.05, 0.12] },
        motion: 'dynamic',
        mass: 0.2,
        position: [0.01, 0.025 + THICKNESS, 0.02],
      },
    ],
    probes: [
      { id: 'box', type: 'contactForce', body: 'box' },
      { id: 'table', type: 'contactForce', body: 'table' },
    ],
  });
  for (let n = 0; n < 10; n++) world.step();
  const weight = 0.2 * G;
  const all = weight + AREAL_DENSITY * 0.09 * G;
  expect(Math.abs(readProbe(world, 'box.y') - weight)).toBeLessThan(1e-6 * weight);
  expect(Math.abs(readProbe(world, 'table.y') + all)).toBeLessThan(1e-6 * all);
  // the arrows of the picture are the same forces
  const arrows = world.frame().forces.filter(({ kind, x }) => kind === 'contact' && x[1] > 0);
  const down = arrows.flatMap(({ f }) => Array.from(f).filter((_, k) => k % 3 === 1 && f[k] < 0));
  expect(Math.abs(down.reduce((sum, f) => sum + f, 0) + weight)).toBeLessThan(1e-6 * weight);
});

test('sheets stitched side to side do not touch at their seam', () => {
  const half = (id: string, position: number[], contact?: false) => ({
    type: 'sheet',
    id,
    material: 'cloth',
    contact,
    shape: { type: 'rectangle', width: 0.1, height: 0.1, columns: 4, rows: 4 },
    position,
  });
  const create = (contact?: false): World =>
    build({
      materials: { cloth: createMaterial(0.3) },
      objects: [half('left', [-0.05, 0, 0], contact), half('right', [0.05, 0, 0], contact)],
      drivers: [
        { type: 'pin', on: { object: 'left', side: 'left' } },
        { type: 'tie', on: { object: 'left', side: 'right' }, to: { object: 'right', side: 'left' } },
      ],
    });
  const [touching, passing] = [create(), create(false)];
  expect(touching.couplings).toHaveLength(1);
  expect(passing.couplings).toHaveLength(0);
  for (let n = 0; n < 20; n++) {
    touching.step();
    passing.step();
    expect(contactsOf(touching).count).toBe(0);
  }
  expect(listSheets(touching)[1].state.q).toEqual(listSheets(passing)[1].state.q);
});
