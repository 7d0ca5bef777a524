import { chooseMaterialMesh, computeFinerMesh, resampleRun, resampleSurface } from 'heddle/io';
import { createRandom } from 'heddle/math';
import type { SurfaceFrame } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { makeGrid, makeSheet, makeSheetRun, placeSheet } from './sheet-run.ts';

/** x = A X + b. */
const affine = (X: number, Y: number) => [0.7 * X - 1.3 * Y + 2, 0.4 * X + 0.9 * Y, -1.1 * X + 0.2 * Y - 5] as const;

/** The grid with inner vertices moved at random, by up to 0.3 of a cell. */
function makeJittered(columns: number, rows: number, seed: number): SurfaceFrame {
  const random = createRandom(seed);
  const grid = makeGrid({ columns, rows });
  const X = grid.X.slice();
  for (let v = 0; v < X.length / 2; v++) {
    const [i, j] = [Math.floor(v / rows), v % rows];
    if (i === 0 || j === 0 || i === columns - 1 || j === rows - 1) continue;
    X[2 * v] += (0.6 * (random.uniform() - 0.5)) / (columns - 1);
    X[2 * v + 1] += (0.36 * (random.uniform() - 0.5)) / (rows - 1);
  }
  const x = Float64Array.from({ length: grid.x.length }, (_, i) => {
    const v = Math.floor(i / 3);
    return affine(X[2 * v], X[2 * v + 1])[i % 3];
  });
  return { ...grid, X, x };
}

describe('a sheet on a fixed material mesh', () => {
  test('an affine x(X), and fields that are affine in X, come out exactly on any mesh', () => {
    for (const seed of [1, 2, 3, 4]) {
      const from = makeJittered(11, 8, seed);
      const onto = makeJittered(14, 5, seed + 100);
      const strain = Float64Array.from(from.kind, (_, v) => from.X[2 * v] + 2 * from.X[2 * v + 1]);
      const out = resampleSurface({ ...from, fields: { strain } }, onto);
      expect(out.triangles).toBe(onto.triangles);
      for (let v = 0; v < onto.kind.length; v++) {
        const [X, Y] = [onto.X[2 * v], onto.X[2 * v + 1]];
        for (let axis = 0; axis < 3; axis++) {
          expect(Math.abs(out.x[3 * v + axis] - affine(X, Y)[axis])).toBeLessThan(1e-12);
        }
        expect(Math.abs(out.fields.strain[v] - X - 2 * Y)).toBeLessThan(1e-12);
      }
    }
  });

  test('a run whose mesh changes has one topology afterwards, and every vertex stays where its material is', () => {
    const run = makeSheetRun(7);
    const meshes = new Set(run.frames.map(({ objects }) => (objects[0] as SurfaceFrame).X.length));
    expect(meshes.size).toBeGreaterThan(1);
    const fixed = resampleRun(run);
    const first = fixed.frames[0].objects[0] as SurfaceFrame;
    expect(first.kind.length).toBeGreaterThanOrEqual(1000);
    for (const [f, { objects }] of fixed.frames.entries()) {
      const cloth = objects[0] as SurfaceFrame;
      expect(cloth.X).toEqual(first.X);
      expect(cloth.triangles).toEqual(first.triangles);
      expect(cloth.creases.length).toBe(0);
      const c = 0.5 - (0.3 * f) / 6;
      for (let v = 0; v < cloth.kind.length; v++) {
        const [X, Y] = [cloth.X[2 * v], cloth.X[2 * v + 1]];
        const expected = placeSheet(X, Y, c);
        // flat on the box it is exact; hanging, the wave between vertices is cut by at most h²/8 · max |x″|
        const cut = X <= c ? 1e-12 : ((0.09 ** 2 + 0.075 ** 2) / 8) * (0.25 * 144 * 0.36 * 1.5);
        const off = Math.hypot(...[0, 1, 2].map((k) => cloth.x[3 * v + k] - expected[k]));
        expect(off).toBeLessThan(cut);
      }
      // the field is affine in X
      for (let v = 0; v < cloth.kind.length; v++) {
        expect(cloth.fields.strain[v]).toBeCloseTo(cloth.X[2 * v] + 2 * cloth.X[2 * v + 1], 12);
      }
    }
    // particles are material points already
    expect(fixed.frames.map(({ objects }) => objects[1])).toEqual(run.frames.map(({ objects }) => objects[1]));
  });

  test('frames that share one mesh keep it, to the bit', () => {
    const frames = [0, 0.1].map((lift) => makeGrid({ columns: 5, rows: 4, place: (X, Y) => [X, lift, Y] }));
    const mesh = chooseMaterialMesh(frames);
    expect(mesh.X).toEqual(frames[0].X);
    expect(resampleSurface(frames[1], mesh)).toBe(frames[1]);
  });

  test('the chosen mesh has the area of the material and as many vertices as wished', () => {
    const area = ({ X, triangles }: Pick<SurfaceFrame, 'X' | 'triangles'>) => {
      let sum = 0;
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [2 * triangles[t], 2 * triangles[t + 1], 2 * triangles[t + 2]];
        const part = ((X[b] - X[a]) * (X[c + 1] - X[a + 1]) - (X[b + 1] - X[a + 1]) * (X[c] - X[a])) / 2;
        expect(part).toBeGreaterThan(0);
        sum += part;
      }
      return sum;
    };
    const sequence = [makeSheet(0.11, 10), makeSheet(0)];
    // without a need for more it is the finest of the frames
    expect(chooseMaterialMesh(sequence, 50).X).toEqual(sequence[1].X);
    const mesh = chooseMaterialMesh(sequence, 3000);
    expect(mesh.X.length / 2).toBeGreaterThanOrEqual(3000);
    expect(area(mesh)).toBeCloseTo(0.6, 12);
    const finer = computeFinerMesh(sequence[1]);
    expect(finer.triangles.length).toBe(4 * sequence[1].triangles.length);
    // V − E + F = 1 for a disc
    const edges = new Set<string>();
    for (let t = 0; t < finer.triangles.length; t++) {
      const [a, b] = [finer.triangles[t], finer.triangles[t % 3 === 2 ? t - 2 : t + 1]];
      edges.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
    }
    expect(finer.X.length / 2 - edges.size + finer.triangles.length / 3).toBe(1);
  });
});
