/** Remeshing of sheets and energy: a new mesh under a sheet that falls on edges and corners makes no energy, and keeps it out of the body. */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import type { Sheet } from 'heddle/sheet';
import { expect, test } from 'vitest';

test('a cloth that falls on a pyramid never has more energy than it began with and gains no twentieth of that in any step, though its mesh changes again and again; no vertex is ever inside', () => {
  const world = compile(parseScene(readFileSync('scenes/sheet-pyramid.json', 'utf8')));
  const sheet = world.models[0] as Sheet;
  const begun = world.energy().total;
  let energy = begun;
  let [gain, most, deepest, remeshings] = [0, 0, 0, 0];
  for (let n = 0; n < 70; n++) {
    world.step();
    const { total } = world.energy();
    gain = Math.max(gain, total - energy);
    energy = total;
    most = Math.max(most, total);
    deepest = Math.max(deepest, sheet.touch!.computeDepth(sheet.state));
    remeshings += world.report.remeshings;
  }
  expect(remeshings).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(begun);
  expect(gain).toBeLessThan(0.05 * begun);
  expect(deepest).toBeLessThan(1e-9);
});
