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
