/** Rods that start inside bodies, through each other or through themselves are refused in a sentence; what only touches is not. */
import { SceneError } from 'heddle/model';
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import type { Vector } from './world-scenes.ts';

const RADIUS = 0.004;
const RUBBER = { density: 1100, radius: RADIUS, youngsModulus: 2e6, poissonRatio: 0.45 };

const rod = (id: string, points: readonly Vector[], more: object = {}): object => ({
  type: 'rod',
  id,
  material: RUBBER,
  points,
  segments: 20,
  ...more,
});

/** Faults of a scene of these rods and what else it has. */
function faultsOf(objects: readonly object[], more: object = {}): string[] {
  const scene = { heddle: 1, name: 'start', title: 'Start', objects, time: { step: 1e-3, duration: 1 }, ...more };
  try {
    compile(validateScene(scene as SceneInput));
  } catch (error) {
    if (error instanceof SceneError) return error.faults.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}

const box = { id: 'box', shape: { type: 'box', size: [0.2, 0.1, 0.2] } };
/** Along x through the middle of the box's upper side, `height` over it. */
const over = (height: number, more: object = {}) =>
  rod('cord', [[-0.3, 0.05 + height, 0], [0.3, 0.05 + height, 0]], more); // biome-ignore format: points
const legal: string[] = [];

describe('bodies', () => {
  test('a rod through one is refused with its place, its depth and what to do', () => {
    expect(
      faultsOf(
        [
          rod('other', [
            [0, 1, 0],
            [1, 1, 0],
          ]),
          over(-0.02),
        ],
        { bodies: [box] },
      ),
    ).toEqual([
      // biome-ignore format: points
      expect.stringMatching(
        /^objects\[1\] cannot be built: rod "cord" starts inside body "box": near \[-?0\.\d+, 0\.03, 0\] it penetrates the body, enlarged by the rod's radius, by 0\.024 m, and at most 0\.002 m, half its radius, is corrected; move it out of the body, .* or set "contact" to \{ "bodies": false \}\.$/,
      ),
    ]);
  });

  test.each(['rh', 'lagrangian'])('the limit is half a radius of overlap, mode %s', (mode) => {
    const at = (overlap: number) => faultsOf([over(RADIUS - overlap, { mode })], { bodies: [box] });
    expect(at(-1e-9)).toEqual(legal);
    expect(at(1e-9)).toEqual(legal);
    expect(at(0.49 * RADIUS)).toEqual(legal);
    expect(at(0.51 * RADIUS)).toHaveLength(1);
  });

  // biome-ignore format: points
  test.each([
    ['wholly inside', [[-0.05, 0, 0], [0.05, 0, 0]]],
    ['with its end', [[0, 0.3, 0], [0, 0.02, 0]]],
    ['across an edge, all four nodes outside', [[-0.25, -0.12, 0], [0.15, 0.28, 0]]],
  ])('a rod that lies %s is refused, unless it does not touch bodies', (_, points) => {
    const inside = (more: object = {}) =>
      faultsOf([rod('cord', points as Vector[], { segments: 4, ...more })], { bodies: [box] });
    expect(inside()).toHaveLength(1);
    expect(inside({ contact: { bodies: false } })).toEqual(legal);
  });

  test('one that is turned and moved, and a plane', () => {
    const turned = { ...box, position: [0, 0, 1], rotation: { axis: [0, 0, 1], angle: 45 } };
    const beside = (x: number) => rod('cord', [[x, 0, 0.8], [x, 0, 1.2]]); // biome-ignore format: points
    // its long sides, 0.05 from the middle and turned by 45°, meet the x axis at 0.05 √2
    expect(faultsOf([beside(0.05 * Math.SQRT2 + 2 * RADIUS)], { bodies: [turned] })).toEqual(legal);
    expect(faultsOf([beside(0.05 * Math.SQRT2 - RADIUS)], { bodies: [turned] })).toHaveLength(1);
    const plane = { id: 'plane', shape: { type: 'plane' } };
    const level = (y: number) => rod('cord', [[0, y, 0], [1, y, 0]]); // biome-ignore format: points
    expect(faultsOf([level(RADIUS)], { bodies: [plane] })).toEqual(legal);
    expect(faultsOf([level(0)], { bodies: [plane] })).toHaveLength(1);
  });

  test('a polyline laid round a cylinder may cut off what its chords do; one that is too coarse may not', () => {
    const drum = { id: 'drum', shape: { type: 'cylinder', radius: 0.05, length: 0.2 }, rotation: { axis: [1, 0, 0], angle: 90 } }; // biome-ignore format: one body
    // chords of n segments cut off (R + r)(1 − cos(π/2n)) of a half circle
    const around = (segments: number) => {
      const shape = { type: 'arc', radius: 0.05 + RADIUS, angle: 180, axis: [0, 0, 1] };
      return faultsOf([rod('cord', [], { points: undefined, shape, segments })], { bodies: [drum] });
    };
    const cut = (segments: number) => (0.05 + RADIUS) * (1 - Math.cos(Math.PI / (2 * segments)));
    expect(cut(7)).toBeLessThan(0.5 * RADIUS);
    expect(around(7)).toEqual(legal);
    expect(cut(4)).toBeGreaterThan(0.5 * RADIUS);
    expect(around(4)).toHaveLength(1);
  });

  test('from where it is held at a surface it may lead out', () => {
    const hanging = (from: number, more: object = {}) => rod('cord', [[0, -0.05 + from, 0], [0, -0.4, 0]], more); // biome-ignore format: points
    const pin = { drivers: [{ type: 'pin', on: { object: 'cord', at: 'start' } }], bodies: [box] };
    expect(faultsOf([hanging(0)], pin)).toEqual(legal);
    expect(faultsOf([hanging(0, { segments: 400 })], pin)).toEqual(legal);
    expect(faultsOf([hanging(0)], { bodies: [box] })).toHaveLength(1);
    const push = { drivers: [{ type: 'force', on: { object: 'cord', at: 'start' }, value: [0, 1, 0] }], bodies: [box] };
    expect(faultsOf([hanging(0)], push)).toHaveLength(1);
    // out of the side on which it is held and in again is not out
    const back = rod('cord', [[0, -0.05, 0], [0, -0.1, 0], [0.02, -0.1, 0], [0.02, 0, 0]], { segments: 100 }); // biome-ignore format: points
    expect(faultsOf([back], pin)).toHaveLength(1);
  });
});

describe('each other', () => {
  const level = (id: string, z: number, more: object = {}) => rod(id, [[-0.1, 0, z], [0.1, 0, z]], more); // biome-ignore format: points
  const across = (id: string, y: number, more: object = {}) => rod(id, [[0, y, -0.1], [0, y, 0.13]], more); // biome-ignore format: points

  test('rods through each other are refused with place, distance and what to do', () => {
    expect(faultsOf([level('a', 0), across('b', 0.001)])).toEqual([
      expect.stringMatching(
        /^objects\[0\] cannot be built: rod "a" starts too close to rod "b": near \[-?0, 0, -?0\] their centre lines are 0\.001 m apart, and no less than 0\.004 m, half of the contact distance, is corrected; move them apart, or set "contact" to \{ "others": false \}\.$/,
      ),
    ]);
  });

  test('centre lines that meet, and such that lie in one place, too', () => {
    expect(faultsOf([level('a', 0), across('b', 0)])).toHaveLength(1);
    expect(faultsOf([level('a', 0), level('b', 0)])).toHaveLength(1);
  });

  test('the limit is half of the sum of the radii: those that touch, or nearly so by rounding, may', () => {
    for (const make of [across, (id: string, y: number) => level(id, y)]) {
      expect(faultsOf([level('a', 0), make('b', 2 * RADIUS)])).toEqual(legal);
      expect(faultsOf([level('a', 0), make('b', 2 * RADIUS * (1 - 1e-9))])).toEqual(legal);
      expect(faultsOf([level('a', 0), make('b', 1.02 * RADIUS)])).toEqual(legal);
      expect(faultsOf([level('a', 0), make('b', 0.98 * RADIUS)])).toHaveLength(1);
    }
  });

  test('those that do not touch, and those that a tie joins, may be in one place', () => {
    const none = { contact: { others: false } };
    expect(faultsOf([level('a', 0, none), across('b', 0)])).toEqual(legal);
    const tie = (at: object, to: object) => ({ drivers: [{ type: 'tie', on: at, to }] });
    const joined = tie({ object: 'b', at: 0.5 }, { object: 'a', at: 0.5 });
    expect(faultsOf([level('a', 0), rod('b', [[0, 0, -0.1], [0, 0, 0.1]])], joined)).toEqual(legal); // biome-ignore format: points
    expect(faultsOf([level('a', 0), across('b', 0), across('c', 0)], joined)).toHaveLength(1);
  });
});

describe('itself', () => {
  const self = { contact: { self: true } };
  /** A loop that comes back over its own beginning, `height` over it. */
  const loop = (height: number): Vector[] => [[-0.1, 0, 0], [0.1, 0, 0], [0.1, 0, 0.1], [0, 0.5 * height, 0.1], [0, height, 0], [0, height, -0.1]]; // biome-ignore format: points

  test('is refused where it asks for contact with itself, and only there', () => {
    const found = faultsOf([rod('cord', loop(0.001), { segments: 80, ...self })]);
    expect(found).toEqual([
      expect.stringMatching(
        /^objects\[0\] cannot be built: rod "cord" starts too close to itself: near .* two parts of its centre line are 0\.00\d+ m apart, and no less than 0\.004 m, .* \{ "self": false \}\.$/,
      ),
    ]);
    expect(faultsOf([rod('cord', loop(0.001), { segments: 80 })])).toEqual(legal);
    expect(faultsOf([rod('cord', loop(0), { segments: 80, ...self })])).toHaveLength(1);
    expect(faultsOf([rod('cord', loop(2 * RADIUS), { segments: 80, ...self })])).toEqual(legal);
  });

  test('bends, corners and close coils are no such thing', () => {
    const arc = { type: 'arc', radius: 1.1 * RADIUS, angle: 300, axis: [0, 0, 1] };
    expect(faultsOf([rod('cord', [], { points: undefined, shape: arc, segments: 40, ...self })])).toEqual(legal);
    const coil = { type: 'helix', radius: 0.02, pitch: 2 * RADIUS, turns: 5, axis: [0, 1, 0] };
    expect(faultsOf([rod('cord', [], { points: undefined, shape: coil, segments: 150, ...self })])).toEqual(legal);
    const corner: Vector[] = [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0]]; // biome-ignore format: points
    expect(faultsOf([rod('cord', corner, { segments: 400, ...self })])).toEqual(legal);
    const flat = { ...coil, pitch: 0.9 * RADIUS };
    expect(faultsOf([rod('cord', [], { points: undefined, shape: flat, segments: 150, ...self })])).toHaveLength(1);
  });

  test('a tie that closes it to a ring joins its ends', () => {
    const ring = { type: 'arc', radius: 0.1, angle: 360, axis: [0, 0, 1] };
    const object = rod('cord', [], { points: undefined, shape: ring, segments: 60, ...self });
    expect(faultsOf([object])).toHaveLength(1);
    const tie = { type: 'tie', on: { object: 'cord', at: 'start' }, to: { object: 'cord', at: 'end' } };
    expect(faultsOf([object], { drivers: [tie] })).toEqual(legal);
  });
});
