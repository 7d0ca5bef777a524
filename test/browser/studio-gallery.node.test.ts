/**
 * Every scene of the gallery in the studio as a person gets it who looks at one after the other: it opens, runs, complains
 * of nothing and is seen. What it comes to is seen in Node (`test/laws/gallery.long.test.ts`).
 */
import { readdirSync } from 'node:fs';
import { expect, onTestFailed, test } from 'vitest';
import { countColours, measureShown, runUnseen } from './scene-acts.ts';
import { CALM, until, useStudio, type Visit } from './studio-site.ts';

const STEPS = 5;
const SCENES = readdirSync(new URL('../../scenes/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

const studio = useStudio();
/** One page for all scenes, as loading it takes longer than a scene; a new one after a failure, which ends with its test. */
let visit: Visit | undefined;

test.each(SCENES)('%s opens, runs and shows something', async (name) => {
  visit ??= await studio.stay(CALM);
  onTestFailed(() => {
    visit = undefined;
  });
  const { page, complaints } = visit;
  await page.goto(`${studio.address}#/scene/${name}`);
  // the scene before may still be there
  await until(
    page,
    (name) => {
      const { player, viewport } = (document.querySelector('heddle-app')?.shadowRoot && findScene()) ?? {};
      return player?.shown?.scene.name === name && player.frame?.step === 0 && viewport?.canvas;
    },
    name,
  );
  const scene = await page.evaluateHandle(() => findScene());
  const before = await scene.evaluate(({ player }) => player.frame!.time);
  await scene.evaluate(runUnseen, STEPS);
  await until(page, (steps) => findScene().player.frame!.step === steps, STEPS);
  expect(await scene.evaluate(({ player }) => player.frame!.time)).toBeGreaterThan(before);
  expect(await scene.evaluate(({ run }) => run.message)).toBe('');
  await expect.poll(() => scene.evaluate(countColours), { timeout: 240_000 }).toBeGreaterThan(300);
  // every second check of a strand is black, which does not count as seen
  await expect.poll(() => scene.evaluate(measureShown), { timeout: 240_000 }).toBeGreaterThan(0.25);
  expect(complaints).toEqual([]);
});
