/** Gauss's integral: linking numbers of closed curves, writhe of one, and Lk = Tw + Wr between them. */
import { computeLinkingNumber, computeWrithe } from 'heddle/geometry';
import { createRandom, crossVec3, dotVec3, normalizeVec3, subVec3, type Vec3 } from 'heddle/math';
import { createCircle } from 'heddle/patterns';
import { describe, expect, test } from 'vitest';
import { createTorusKnot, deform, mapPoints, rotate } from './knot-fixtures.ts';

const reverse = (points: Float64Array): Float64Array => {
  const reversed = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) reversed.set(points.subarray(i, i + 3), points.length - 3 - i);
  return reversed;
};

describe('linking numbers', () => {
  const circle = createCircle({ radius: 1, segments: 40 }).points;
  const through = mapPoints(circle, ([x, y, z]) => [x + 1, z, y]);
  const beside = mapPoints(through, ([x, y, z]) => [x + 2.5, y, z]);

  test('of a Hopf link are ±1, by the direction of each ring; of separate rings 0', () => {
    const linking = computeLinkingNumber(circle, through);
    expect(Math.abs(linking)).toBe(1);
    expect(computeLinkingNumber(circle, reverse(through))).toBe(-linking);
    expect(computeLinkingNumber(reverse(circle), reverse(through))).toBe(linking);
    expect(computeLinkingNumber(through, circle)).toBe(linking);
    expect(
      computeLinkingNumber(
        circle,
        mapPoints(through, ([x, y, z]) => [x, y, -z]),
      ),
    ).toBe(-linking);
    expect(computeLinkingNumber(circle, beside)).toBe(0);
  });

  test('have the sign of the right hand: an axis through a counter-clockwise ring links it once', () => {
    const axis = Float64Array.from([0, 0, -5, 0, 0, 5, 9, 0, 5, 9, 0, -5]);
    expect(computeLinkingNumber(circle, axis)).toBe(1);
  });

  test('of two strands that wind n times about each other are n, deformed or not', () => {
    const random = createRandom(4);
    for (const n of [2, -3, 5]) {
      const strand = (phase: number) =>
        Float64Array.from({ length: 600 }, (_, k) => {
          const t = (2 * Math.PI * Math.floor(k / 3)) / 200;
          const radius = 2 + 0.5 * Math.cos(n * t + phase);
          return [radius * Math.cos(t), radius * Math.sin(t), -0.5 * Math.sin(n * t + phase)][k % 3];
        });
      const both = Float64Array.from([...strand(0), ...strand(Math.PI)]);
      const found = computeLinkingNumber(both.subarray(0, 600), both.subarray(600));
      expect(Math.abs(found)).toBe(Math.abs(n));
      for (let k = 0; k < 5; k++) {
        const moved = rotate(deform(both, random, 3), random);
        expect(computeLinkingNumber(moved.subarray(0, 600), moved.subarray(600))).toBe(found);
      }
    }
  });

  test('of what is no pair of closed curves are refused', () => {
    expect(() => computeLinkingNumber(circle, [0, 0, Number.NaN, 1, 1, 1, 2, 0, 0])).toThrow(/not an integer/);
    expect(() => computeLinkingNumber(circle, [0, 0])).toThrow(/2 coordinates/);
  });
});

/**
 * An axis along z that turns into a helix of radius 1 and back: straight tails, the radius grows over `ramp`. Closed by a wide
 * loop in the plane of y = 0.
 */
const TURNS = 6;
const RAMP = 6;
const RISE = 0.5;
const coil = (s: number): Vec3 => {
  // s in [−ramp, 1 + ramp] turns; smooth step of the radius
  const rise = (x: number): number => (x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (10 - 15 * x + 6 * x * x));
  const radius = rise(s / RAMP + 1) * rise((TURNS + RAMP - s) / RAMP);
  const angle = 2 * Math.PI * s;
  return [radius * Math.cos(angle), radius * Math.sin(angle), 2 * Math.PI * RISE * s];
};

function createCoil(count: number): Vec3[] {
  const from = -RAMP;
  const to = TURNS + RAMP;
  return Array.from({ length: count + 1 }, (_, i) => coil(from + ((to - from) * i) / count));
}

describe('writhe', () => {
  test('of planar curves is 0, of a mirror image the opposite', () => {
    const wave = Float64Array.from({ length: 90 }, (_, k) => [k / 3, Math.sin(k), 0][k % 3]);
    expect(computeWrithe(wave)).toBe(0);
    expect(computeWrithe(createCircle({ radius: 1, segments: 30 }).points, { closed: true })).toBeCloseTo(0, 12);
    const knot = createTorusKnot(2, 3, 100);
    const writhe = computeWrithe(knot, { closed: true });
    expect(Math.abs(writhe)).toBeGreaterThan(3);
    expect(computeWrithe(createTorusKnot(2, -3, 100), { closed: true })).toBeCloseTo(-writhe, 10);
    expect(computeWrithe(reverse(knot), { closed: true })).toBeCloseTo(writhe, 10);
    expect(computeWrithe(rotate(knot, createRandom(1)), { closed: true })).toBeCloseTo(writhe, 10);
  });

  test('of a coil on a straight axis is the area its tangent sweeps about the axis (Fuller), turns (1 − sin α) in the helix', () => {
    // [Fuller 1978]: Wr − Wr₀ = 1/2π ∫ (t₀ × t)·dt/(1 + t₀·t) with t₀ the axis; the straight axis closed in a plane has Wr₀ = 0
    const far = 400;
    const writheOf = (count: number): number => {
      const axis = createCoil(count);
      const [start, end] = [axis[0][2], axis[count][2]];
      const loop: Vec3[] = [
        [0, 0, end + far],
        [far, 0, end + far],
        [far, 0, start - far],
        [0, 0, start - far],
      ];
      return computeWrithe(Float64Array.from([...axis, ...loop].flat()), { closed: true });
    };
    const tangents = (() => {
      const axis = createCoil(40000);
      return axis.slice(1).map((x, i) => normalizeVec3(subVec3(x, axis[i])));
    })();
    let area = 0;
    for (let i = 1; i < tangents.length; i++) {
      const middle = normalizeVec3([0, 1, 2].map((k) => tangents[i][k] + tangents[i - 1][k]) as unknown as Vec3);
      area += dotVec3(crossVec3([0, 0, 1], middle), subVec3(tangents[i], tangents[i - 1])) / (1 + middle[2]);
    }
    const expected = area / (2 * Math.PI);
    // the helix between the ramps alone: sin α = rise/√(1 + rise²)
    expect(expected).toBeGreaterThan(TURNS * (1 - RISE / Math.hypot(1, RISE)));
    const errors = [400, 800].map((count) => Math.abs(writheOf(count) - expected));
    expect(errors[1]).toBeLessThan(2e-3 * expected);
    // second order in the segments, as an inscribed polygon
    expect(errors[0] / errors[1]).toBeGreaterThan(3);
  });

  test('and twist make the linking number of a ribbon (Călugăreanu)', () => {
    // ribbon along the normal of the torus knot, turned twice more: Lk = Tw + Wr with Tw = 1/2π ∫ (t × d)·dd
    const count = 900;
    const knot = createTorusKnot(2, 3, count);
    const point = (i: number): Vec3 => [knot[3 * (i % count)], knot[3 * (i % count) + 1], knot[3 * (i % count) + 2]];
    for (const turns of [0, 2, -5]) {
      const normals = Array.from({ length: count }, (_, i): Vec3 => {
        const t = normalizeVec3(subVec3(point(i + 1), point(i + count - 1)));
        const up: Vec3 = normalizeVec3(crossVec3(t, [point(i)[0], point(i)[1], 0.3]));
        const side = crossVec3(t, up);
        const angle = (2 * Math.PI * turns * i) / count;
        return [0, 1, 2].map((k) => Math.cos(angle) * up[k] + Math.sin(angle) * side[k]) as unknown as Vec3;
      });
      let twist = 0;
      for (let i = 0; i < count; i++) {
        const t = normalizeVec3(subVec3(point(i + 1), point(i)));
        const [d, next] = [normals[i], normals[(i + 1) % count]];
        twist += dotVec3(crossVec3(t, d), subVec3(next, d)) / (2 * Math.PI);
      }
      const edge = Float64Array.from(normals.flatMap((d, i) => [0, 1, 2].map((k) => point(i)[k] + 0.05 * d[k])));
      const linking = computeLinkingNumber(knot, edge);
      expect(twist + computeWrithe(knot, { closed: true })).toBeCloseTo(linking, 1);
    }
  });
});
