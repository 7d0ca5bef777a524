/** The studio in the hands of a person: a scene is opened from the gallery and played by keys, in a real page. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CALM, openScene, pause, readPlayer, until, useStudio } from './studio-site.ts';

const studio = useStudio();

/** Keys of the help as they are pressed, with what must come of it. */
const readHelp = (page: Page) =>
  page.evaluate(() => {
    const help = document.querySelector('heddle-app')!.shadowRoot!.querySelector('heddle-help')!.shadowRoot!;
    const names = [...help.querySelectorAll('.keys dt')].map((term) => term.textContent!.trim().replace(/\s+/g, ' '));
    return names.map((keys, i) => [keys, help.querySelectorAll('.keys dd')[i].textContent] as const);
  });

test('The keys of the help play, pause, step, reset and scrub a scene', async () => {
  const { page } = await studio.visit(CALM);
  await openScene(page, `${studio.address}#/scene/strand-catenary`);
  // it must not come to its end before that is seen, however slow this machine is
  await page.evaluate(() => findScene().override('/time/duration', 10_000));
  expect(await readHelp(page)).toEqual([
    ['space', 'Play and pause'],
    ['.', 'One step'],
    ['R', 'Back to the start'],
    ['[ ]', 'One recorded step back or forward'],
    ['← → ↑ ↓', 'Rotate the view, when it has the focus'],
    ['shift ←…', 'Move the view'],
    ['+ −', 'Zoom in and out'],
    ['0', 'Reset the view'],
    ['F', 'Show or hide forces'],
    ['M', 'Show or hide mesh lines'],
    ['G', 'Gallery'],
    ['?', 'This help'],
  ]);
  await pause(page);
  const waitFor = (step: number) => until(page, (step) => findScene().player.step === step, step);
  await page.keyboard.press('r');
  await waitFor(0);
  await page.keyboard.press('.');
  await waitFor(1);
  await page.keyboard.press('.');
  await waitFor(2);
  await page.keyboard.press('[');
  await waitFor(1);
  expect((await readPlayer(page)).last).toBe(2);
  await page.keyboard.press(']');
  await waitFor(2);
  await page.keyboard.press('[');
  await waitFor(1);
  await page.keyboard.press('[');
  await waitFor(0);
  await page.keyboard.press(' ');
  await until(page, () => findScene().player.playing && findScene().player.step > 3);
  await page.keyboard.press(' ');
  await until(page, () => !findScene().player.playing);
  await page.keyboard.press('R');
  await waitFor(0);
  expect((await readPlayer(page)).playing).toBe(false);
  await page.keyboard.press('g');
  await page.getByRole('searchbox').waitFor();
});
