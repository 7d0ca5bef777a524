/**
 * The gallery's scenes of sheets on edges and corners with the two remeshers that are not the default, from their start over their first landings and slides: no
 * angle of the material below 10°, no triangle inverted, area kept, nothing in a body.
 */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import type { Sheet } from 'heddle/sheet';
import { expect, test } from 'vitest';
import { SheetWatch } from '../laws/sheet-watch.ts';

/** Scene, its steps with each remesher, and its size across [m]. */
const SCENES = [
  ['sheet-edge', [60, 60], 2],
  ['sheet-corner', [44, 44], 1],
  ['sheet-slide', [60, 140], 1],
  ['sheet-tablecloth', [60, 60], 1],
  ['sheet-rotating', [80, 80], 1],
  ['sheet-drape', [40, 40], 1],
  ['sheet-two', [30, 30], 1],
] as const;
/** The third, local, is that of the gallery's own runs (`test/laws/gallery.long.test.ts`). */
const REMESHERS = ['global', 'adaptive'] as const;

test.each(
  SCENES.flatMap(([name, steps, size]) => REMESHERS.map((remesher, k) => [name, remesher, steps[k], size] as const)),
)(
  '%s with the %s remesher keeps angles of 10° and more, its area to 1e-9, and stays out of bodies',
  (name, remesher, steps, size) => {
    const scene = JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'));
    for (const object of scene.objects) object.remesher = remesher;
    const world = compile(parseScene(JSON.stringify(scene)));
    const sheets = world.models.filter((model): model is Sheet => model.type === 'sheet');
    const watch = new SheetWatch(sheets);
    for (let n = 0; n < steps; n++) {
      expect(world.step().rescues).toBe(0);
      watch.look();
    }
    expect(sheets[0].state.remeshings).toBeGreaterThan(0);
    expect(watch.sharpest).toBeGreaterThan(10);
    expect(watch.deepest).toBeLessThan(1e-6 * size);
    expect(watch.change).toBeLessThan(1e-9);
  },
);
