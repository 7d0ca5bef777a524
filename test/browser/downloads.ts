/** Files that leave the studio by a click, for tests from the side of Node. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { CALM, openPanel, openScene, runFromStart, type Studio, type Visit } from './studio-site.ts';

export const STEPS = 100;

/** Opens a panel of the scene strand-winch after STEPS steps, paused. One page for all tests of a file: loading it and these steps take longest. */
export function useWinch(studio: Studio): (panel: string) => Promise<Visit> {
  const open = async (): Promise<Visit> => {
    const visit = await studio.stay(CALM);
    await openScene(visit.page, `${studio.address}#/scene/strand-winch`);
    await runFromStart(visit.page, STEPS);
    return visit;
  };
  let opened: Promise<Visit> | undefined;
  return async (panel) => {
    opened ??= open();
    const visit = await opened;
    await openPanel(visit.page, panel);
    return visit;
  };
}

/** Clicks a button and gives the file that comes of it. */
export async function download(page: Page, button: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
