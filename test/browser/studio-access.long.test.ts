/** What axe-core finds in the pages of the studio, in both themes. */
import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { applyTheme } from '../../studio/src/app/theme.ts';
import { pause, settle } from './scene-acts.ts';
import { openApp, openScene } from './studio-page.ts';
import { until } from './until.ts';

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
});

const pages = ['#/', '#/tour', '#/scene/strand-corner'];

test.each(pages.flatMap((hash) => ['light', 'dark'].map((theme) => [hash, theme] as const)))(
  'axe finds no serious fault on %s in the %s theme',
  async (hash, theme) => {
    applyTheme(theme as 'light' | 'dark');
    if (hash.startsWith('#/scene/')) {
      const page = await openScene(hash.slice('#/scene/'.length));
      await pause(page);
      await until(() => page.shadowRoot!.querySelector('heddle-view-panel'));
    } else await openApp(hash);
    await settle();
    const { violations } = await axe.run(document.body);
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  },
);
