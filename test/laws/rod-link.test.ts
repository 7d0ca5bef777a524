/** Link of a rod: twist + writhe is what turns its ends against each other, whatever shape it has in between. */
import type { Vec3 } from 'heddle/math';
import { computeLink, Rod } from 'heddle/rod';
import { expect, test } from 'vitest';
import { createMaterial } from './rods.ts';

/** From −1 to 1 along x, with a loop whose strands pass each other at `gap`; both ends run along x. */
function createLoop(gap: number, twist: number): Rod {
  const points: Vec3[] = [
    [-1, 0, 0],
    [-0.9, 0, 0],
    [-0.2, 0.05, 0],
    [0.2, 0.2, gap],
    [0.25, 0.5, 0.1],
    [-0.05, 0.6, -0.1],
    [-0.25, 0.45, 0.05],
    [-0.2, 0.2, -gap],
    [0.2, 0.05, 0],
    [0.9, 0, 0],
    [1, 0, 0],
  ];
  const along = [0];
  for (let i = 1; i < points.length; i++)
    along.push(along[i - 1] + Math.hypot(...points[i].map((x, k) => x - points[i - 1][k])));
  const length = along[along.length - 1];
  return new Rod({
    id: 'rod',
    material: createMaterial(),
    points,
    segments: along.map((s) => s / length),
    normal: [0, 1, 0],
    twist,
  });
}

/** Angle from d₁ of the first frame to that of the last about x, in turns; both have d₃ = x. */
function measureTurn(rod: Rod): number {
  const { frame, count } = rod.state;
  const read = (e: number): Vec3 => {
    const [x, y, z, w] = frame.subarray(4 * e, 4 * e + 4);
    return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
  };
  const [a, b] = [read(0), read(count - 2)];
  return Math.atan2(a[1] * b[2] - a[2] * b[1], a[1] * b[1] + a[2] * b[2]) / (2 * Math.PI);
}

test('twist + writhe is the rotation of the last frame against the first, but for whole turns', () => {
  // rays of 1e4 lengths: 1e-4
  for (const twist of [0, 0.7, -5.1, 23]) {
    for (const gap of [0.1, -0.1]) {
      const rod = createLoop(gap, twist);
      const { link, writhe } = computeLink(rod.state);
      const excess = link - measureTurn(rod);
      expect(Math.abs(excess - Math.round(excess))).toBeLessThan(1e-3);
      expect(Math.abs(writhe)).toBeGreaterThan(0.3);
    }
  }
});

test('a rod that passes through itself changes its link by two, its twist not at all', () => {
  const [over, under] = [computeLink(createLoop(1e-4, 2).state), computeLink(createLoop(-1e-4, 2).state)];
  expect(Math.abs(Math.abs(over.link - under.link) - 2)).toBeLessThan(5e-3);
  expect(Math.abs(over.twist - under.twist)).toBeLessThan(1e-3);
});
