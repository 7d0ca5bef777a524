/** A sheet whose material has slid over edges since its mesh was made: what Newton's corrections are measured by is saved with it. */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import { expect, test } from 'vitest';

test('a draped sheet that was loaded measures its corrections as the run that went on', () => {
  const text = readFileSync(new URL('../../scenes/sheet-drape.json', import.meta.url), 'utf8');
  const [first, second] = [compile(parseScene(text)), compile(parseScene(text))];
  for (let n = 0; n < 20; n++) first.step();
  second.load(first.save());
  const wanted = first.step().correction;
  expect(wanted).toBeGreaterThan(0);
  expect(second.step().correction).toBe(wanted);
  expect(second.hash()).toBe(first.hash());
});

test('a cloth that slides down goes on from every one of many steps as the run did: rows on chords, masses and friction on edges', () => {
  const text = readFileSync(new URL('../../scenes/sheet-slide.json', import.meta.url), 'utf8');
  const world = compile(parseScene(text));
  for (let n = 0; n < 215; n++) world.step();
  const other = compile(parseScene(text));
  for (let n = 0; n < 45; n++) {
    other.load(world.save());
    world.step();
    other.step();
    expect(other.hash(), `step ${world.steps}`).toBe(world.hash());
  }
});
