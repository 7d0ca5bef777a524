/** Every scene of the gallery in the studio as a person gets it: it opens, runs, complains of nothing and is seen. */
import { readdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countColours, measureShown, runUnseen } from './scene-acts.ts';
import { openBrowser, openScene, type Site, startStudio, startVisit, until } from './studio-site.ts';

const STEPS = 100;
/** Small and at rest until it is asked to run: without a graphics card it is drawing that takes the time. */
const CALM = { viewport: { width: 480, height: 640 }, reducedMotion: 'reduce' } as const;
const SCENES = readdirSync(new URL('../../scenes/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

let site: Site;
let browser: Browser;

beforeAll(async () => {
  site = await startStudio();
  browser = await openBrowser(afterAll);
}, 60_000);
afterAll(() => site.stop());

test.each(SCENES)('%s opens, runs 100 steps and shows something', async (name) => {
  const { page, complaints } = await startVisit(browser, CALM);
  await openScene(page, `${site.address}#/scene/${name}`);
  const scene = await page.evaluateHandle(() => findScene());
  const before = await scene.evaluate(({ player }) => player.frame!.time);
  await scene.evaluate(runUnseen, STEPS);
  await until(page, (steps) => findScene().player.frame!.step === steps, STEPS);
  expect(await scene.evaluate(({ player }) => player.frame!.time)).toBeGreaterThan(before);
  expect(await scene.evaluate(({ run }) => run.message)).toBe('');
  await expect.poll(() => scene.evaluate(countColours), { timeout: 10_000 }).toBeGreaterThan(300);
  await expect.poll(() => scene.evaluate(measureShown), { timeout: 10_000 }).toBeGreaterThan(0.3);
  expect(complaints).toEqual([]);
});
