/** The stretch of a sheet through a remeshing (`stretch-transfer.ts`): affine maps stay, folds keep their lengths. */
import { MeshLocator } from 'heddle/geometry';
import { type SheetMaterial, SheetState } from 'heddle/sheet';
import { expect, test } from 'vitest';
import { restoreStretch } from '../../src/sheet/stretch-transfer.ts';

const STRIDE = 5;
const MATERIAL: SheetMaterial = {
  arealDensity: 0.1,
  membrane: [1000, 1000, 100, 300],
  bending: [1e-5, 1e-5, 0, 5e-6],
  thickness: 1e-3,
  friction: 0,
};

type Place = (X: number, Y: number) => readonly number[];

/** A square of 4 × 4 cells, divided along X + Y = const or, where `isTurned`, along X − Y = const; x by a map of X. */
function createSquare(isTurned: boolean, map: Place): SheetState {
  const n = 4;
  const X: number[] = [];
  const triangles: number[] = [];
  for (let r = 0; r <= n; r++)
    for (let c = 0; c <= n; c++) {
      X.push(c / n, r / n);
      if (r === n || c === n) continue;
      const a = r * (n + 1) + c;
      const [b, d, e] = [a + 1, a + n + 1, a + n + 2];
      triangles.push(...(isTurned ? [a, b, e, a, e, d] : [a, b, d, b, e, d]));
    }
  const x = Array.from({ length: X.length / 2 }, (_, i) => map(X[2 * i], X[2 * i + 1])).flat();
  return new SheetState(MATERIAL, x, X, Int32Array.from(triangles));
}

/** The square with its diagonals turned, before and after its stretch was restored. */
function restore(map: Place): { before: SheetState; after: SheetState } {
  const [old, before, after] = [createSquare(false, map), createSquare(true, map), createSquare(true, map)];
  const points = new Float64Array(2 * old.count);
  for (let i = 0; i < old.count; i++) points.set(old.q.subarray(STRIDE * i + 3, STRIDE * i + 5), 2 * i);
  restoreStretch(
    after,
    { q: old.q, v: old.v, mesh: old.mesh, label: old.label },
    new MeshLocator(points, old.mesh.triangles),
    () => false,
    () => {},
  );
  return { before, after };
}

/** Largest difference of FᵀF from the identity over all triangles. */
function measureStrain({ q, mesh, gradients }: SheetState): number {
  let largest = 0;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const c = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const f = [0, 1].map((m) =>
        [0, 1, 2].reduce((sum, n) => sum + q[STRIDE * mesh.triangles[3 * t + n] + k] * gradients[6 * t + 2 * n + m], 0),
      );
      c[0] += f[0] * f[0];
      c[1] += f[0] * f[1];
      c[2] += f[1] * f[1];
    }
    largest = Math.max(largest, Math.abs(c[0] - 1), Math.abs(c[1]), Math.abs(c[2] - 1));
  }
  return largest;
}

test('an affine map of the material stays as it is, however stretched', () => {
  const { before, after } = restore((X, Y) => [1.1 * X + 0.2 * Y, 0.3 * X - 0.9 * Y, 0.1 * X]);
  for (let k = 0; k < before.q.length; k++) expect(after.q[k]).toBeCloseTo(before.q[k], 12);
});

test('a sheet folded along its diagonals gets its lengths back where edges now run across the folds', () => {
  // a zigzag with folds along the lines X + Y = const, every quarter
  const zigzag: Place = (X, Y) => {
    const [u, w] = [(X + Y) * Math.SQRT1_2, (X - Y) * Math.SQRT1_2];
    const along = u * Math.cos(0.4);
    const up = Math.abs(((4 * (X + Y)) % 2) - 1) * 0.25 * Math.SQRT1_2 * Math.sin(0.4);
    return [(along + w) * Math.SQRT1_2, (along - w) * Math.SQRT1_2, up];
  };
  expect(measureStrain(createSquare(false, zigzag))).toBeLessThan(1e-12);
  const { before, after } = restore(zigzag);
  expect(measureStrain(before)).toBeGreaterThan(0.1);
  expect(measureStrain(after)).toBeLessThan(0.1 * measureStrain(before));
});
