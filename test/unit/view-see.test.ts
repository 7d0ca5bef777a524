/** What the view shows of forces and meshes, and how it follows a run, as far as that needs no browser. */
import { CapsuleShape, SphereShape } from 'heddle/bodies';
import { createFrameLimits, type FrameLimits } from 'heddle/model';
import { BufferAttribute, BufferGeometry, Color } from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { describe, expect, test } from 'vitest';
import { computeArrowScale, FORCE_COLOURS } from '../../studio/src/arrows.ts';
import { computeCreasedNormals } from '../../studio/src/creased-normals.ts';
import { computeFraming, framesSame } from '../../studio/src/framing.ts';
import { computeMeshEdges } from '../../studio/src/mesh-lines.ts';
import { formatForce } from '../../studio/src/overlay.ts';

describe('arrows', () => {
  test.each([
    [0.1, 0.1, 0.05],
    [0.11, 0.2, 0.1],
    [0.21, 0.5, 0.2],
    [0.51, 1, 0.5],
    [4999, 5000, 2000],
  ])('a largest force of %d N is drawn on the scale of %d N, with %d N in the key', (largest, full, key) => {
    const scale = computeArrowScale(largest, 3);
    expect(scale.perNewton * full).toBeCloseTo(0.2 * 3, 12);
    expect(scale.key).toBeCloseTo(key, 12);
  });

  test('no force has no scale', () => {
    for (const none of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(computeArrowScale(none, 3)).toEqual({ diagonal: 3, perNewton: 0, key: 0 });
  });

  test('forces are written with the unit that suits them', () => {
    expect([2000, 5, 0.02, 0.005].map(formatForce)).toEqual(['2 kN', '5 N', '0.02 N', '5 mN']);
  });

  // G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009), severity 1
  test.each([
    ['all cones', [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['no red cones', [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998]],
    ['no green cones', [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881]],
    ['no blue cones', [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039]],
  ])('eyes with %s tell contacts from constraints', (_, m) => {
    const [a, b] = [FORCE_COLOURS.contact, FORCE_COLOURS.constraint].map((colour) => {
      const { r, g, b } = new Color(colour);
      return computeLab([0, 3, 6].map((row) => m[row] * r + m[row + 1] * g + m[row + 2] * b));
    });
    // a just noticeable difference is about 2.3
    expect(Math.hypot(...a.map((value, k) => value - b[k]))).toBeGreaterThan(25);
  });
});

/** CIE L*a*b* of linear sRGB. */
function computeLab(rgb: readonly number[]): number[] {
  const [r, g, b] = rgb.map((value) => Math.min(1, Math.max(0, value)));
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('the edges of a mesh are found once each', () => {
  // two triangles over a square share the diagonal: 5 edges
  expect([...computeMeshEdges([0, 1, 2, 0, 2, 3])]).toEqual([0, 1, 1, 2, 2, 0, 2, 3, 3, 0]);
});

describe('creased normals', () => {
  const weld = (positions: ArrayLike<number>, indices: ArrayLike<number>) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
    const welded = mergeVertices(geometry);
    return { positions: welded.getAttribute('position').array, indices: welded.index!.array };
  };

  test.each([
    ['sphere', new SphereShape(1), 0],
    ['capsule', new CapsuleShape(1, 2), 1],
  ])('a %s is smooth at its poles: normals are the true ones to half a degree', (_, shape, half) => {
    const { positions, indices } = weld(shape.tessellate().positions, shape.tessellate().indices);
    const normals = computeCreasedNormals(positions, indices, (32 * Math.PI) / 180);
    let worst = 0;
    for (let c = 0; c < indices.length; c++) {
      const [x, y, z] = [0, 1, 2].map((k) => positions[3 * indices[c] + k]);
      const up = y - Math.sign(y) * half;
      // where a cap meets the straight part the faces of both count, and the normal is right only to the angle between rings
      if (Math.abs(y) - half < 0.2) continue;
      const cosine = (x * normals[3 * c] + up * normals[3 * c + 1] + z * normals[3 * c + 2]) / Math.hypot(x, up, z);
      worst = Math.max(worst, Math.acos(Math.min(1, cosine)));
    }
    expect(worst).toBeGreaterThan(0);
    expect((worst * 180) / Math.PI).toBeLessThan(0.5);
  });

  test('a cube keeps its faces flat', () => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2]);
    const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]; // biome-ignore format: one line
    const normals = computeCreasedNormals(corners, faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), 0.5); // biome-ignore format: one line
    const expected = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]; // biome-ignore format: one line
    for (let c = 0; c < 36; c++) for (let k = 0; k < 3; k++) expect(normals[3 * c + k]).toBeCloseTo(expected[Math.floor(c / 6)][k], 6); // biome-ignore format: one line
  });
});

describe('framing', () => {
  const limits = (low: [number, number, number], high: [number, number, number]): FrameLimits => ({
    ...createFrameLimits(),
    objects: { low, high },
  });
  const start = limits([0, 0, 0], [3, 4, 0]);

  test('stays as it is while everything is inside', () => {
    expect(framesSame(computeFraming(start, limits([0.5, 1, 0], [2, 4, 0])), start)).toBe(true);
    expect(computeFraming(start, start).bodies).toEqual(start.bodies);
  });

  test('grows on the side where something left, at least as far, and seldom', () => {
    const faces = new Set<number>();
    for (let y = 0; y > -100; y -= 0.1) {
      const { low, high } = computeFraming(start, limits([0, y, 0], [3, 4, 0])).objects;
      expect(low[1]).toBeLessThanOrEqual(y);
      // no more than twice as far, or a first step of 15 % of the diagonal
      expect(low[1]).toBeGreaterThanOrEqual(Math.min(2 * y, -0.75) - 1e-9);
      expect([low[0], low[2], ...high]).toEqual([0, 0, 3, 4, 0]);
      faces.add(low[1]);
    }
    expect(faces.size).toBeLessThan(11);
    expect(faces.size).toBeGreaterThan(6);
  });
});
