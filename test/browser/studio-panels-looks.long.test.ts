/** The studio's panels on narrow and wide screens, in both themes, and what axe-core finds in them. */
import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import winch from '../../scenes/strand-winch.json?raw';
import { closePanels, fieldAt, find, openEditor, openParameters, openPlots, put } from './panels.ts';
import { settle } from './scene-acts.ts';
import { until } from './until.ts';

afterEach(closePanels);

async function checkAccessibility(element: HTMLElement): Promise<void> {
  const { violations } = await axe.run(element);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`);
  expect(found).toEqual([]);
}

/** In both colour schemes, and as narrow as a phone. */
async function checkLooks(element: HTMLElement, name: string): Promise<void> {
  for (const scheme of ['light', 'dark']) {
    document.documentElement.style.colorScheme = scheme;
    document.documentElement.style.background = scheme === 'dark' ? '#171b24' : '#fff';
    await settle();
    await checkAccessibility(element);
    for (const width of [360, 720]) {
      await page.viewport(width, 760);
      await settle();
      expect(document.documentElement.scrollWidth, `${name} ${width}`).toBeLessThanOrEqual(width);
      if (import.meta.env.VITE_PICTURES)
        await page.screenshot({ path: `../../test-pictures/${name}-${scheme}-${width}.png` });
    }
  }
}

test('The parameter panel fits narrow screens and is accessible in both themes', async () => {
  const { element } = await openParameters();
  element.faults = [{ path: 'objects[0].nodes', message: 'is 1; it must be >= 2.' }];
  await userEvent.fill(fieldAt(element, '/time/step')!, '0.002');
  for (const closed of element.shadowRoot!.querySelectorAll<HTMLElement>('details:not([open]) > summary')) {
    if (/spools|load|points/.test(closed.textContent)) closed.click();
  }
  await checkLooks(element, 'parameters');
});

test('The editor fits narrow screens and is accessible in both themes', async () => {
  const { element, area } = await openEditor(winch.replace('"nodes": 31', '"nodes": -1'));
  await until(() => find(element, '.mark'));
  await checkLooks(element, 'editor');
  put(area, '"output": {');
  await userEvent.keyboard('{Control>} {/Control}');
  await until(() => find(element, '[role=option]'));
  await checkLooks(element, 'editor-list');
});

test('The plots fit narrow screens, are accessible and follow the theme', async () => {
  const element = await openPlots();
  for (const summary of element.shadowRoot!.querySelectorAll('summary')) {
    if (/stage/.test(summary.textContent)) summary.click();
  }
  await until(() => find(element, '#chart-stages canvas'));
  find<HTMLElement>(element, '#chart-energies')!.focus();
  await userEvent.keyboard('{Home}{PageUp}{PageUp}{PageUp}+');
  await until(() => find(element, '.readout'));
  await checkLooks(element, 'plots');
});
