/**
 * The gallery's scenes of sheets on edges and corners with each of the three remeshers, from their start over their first landings and slides: no
 * angle of the material below 10°, no triangle inverted, area kept, nothing in a body.
 */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import { type Sheet, STRIDE } from 'heddle/sheet';
import { expect, test } from 'vitest';

/** Scene, its steps, and its size across [m]. */
const SCENES = [
  ['sheet-edge', 60, 2],
  ['sheet-corner', 44, 1],
  ['sheet-slide', 60, 1],
  ['sheet-tablecloth', 60, 1],
  ['sheet-rotating', 80, 1],
  ['sheet-drape', 40, 1],
  ['sheet-two', 30, 1],
] as const;
const REMESHERS = ['global', 'local', 'adaptive'] as const;

const sumArea = ({ state }: Sheet): number => state.area.reduce((sum, one) => sum + one, 0);

/** Of all triangles in material space [rad]; negative where one is inverted. */
function computeSmallestAngle({ state: { q, mesh } }: Sheet): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < mesh.triangles.length; k++) {
    const first = k - (k % 3);
    const [a, b, c] = [0, 1, 2].map((n) => STRIDE * mesh.triangles[first + ((k + n) % 3)] + 3);
    const [ux, uy, vx, vy] = [q[b] - q[a], q[b + 1] - q[a + 1], q[c] - q[a], q[c + 1] - q[a + 1]];
    smallest = Math.min(smallest, Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
  }
  return smallest;
}

test.each(SCENES.flatMap(([name, steps, size]) => REMESHERS.map((remesher) => [name, remesher, steps, size] as const)))(
  '%s with the %s remesher: angles of 10° and more, area kept to 1e-9, nothing in a body',
  (name, remesher, steps, size) => {
    const scene = JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'));
    for (const object of scene.objects) object.remesher = remesher;
    const world = compile(parseScene(JSON.stringify(scene)));
    const sheets = world.models.filter((model): model is Sheet => model.type === 'sheet');
    const areas = sheets.map(sumArea);
    let [sharpest, deepest, change] = [Number.POSITIVE_INFINITY, 0, 0];
    for (let n = 0; n < steps; n++) {
      expect(world.step().rescues).toBe(0);
      for (const [k, sheet] of sheets.entries()) {
        sharpest = Math.min(sharpest, computeSmallestAngle(sheet));
        deepest = Math.max(deepest, sheet.touch!.computeDepth(sheet.state));
        change = Math.max(change, Math.abs(sumArea(sheet) / areas[k] - 1));
      }
    }
    expect(sheets[0].state.remeshings).toBeGreaterThan(0);
    expect((sharpest * 180) / Math.PI).toBeGreaterThan(10);
    expect(deepest).toBeLessThan(1e-6 * size);
    expect(change).toBeLessThan(1e-9);
  },
);
