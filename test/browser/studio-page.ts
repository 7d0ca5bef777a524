/** Opens pages of the studio for the browser tests, and looks at them. */

import { vi } from 'vitest';
import '../../studio/src/app/app.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import '../../studio/src/app/theme.css';

export async function openApp(hash: string): Promise<ShadowRoot> {
  location.hash = hash;
  const app = document.createElement('heddle-app');
  document.body.append(app);
  await app.updateComplete;
  return app.shadowRoot!;
}

/** The scene page, once its view shows a frame; paused. */
export async function openScene(name: string): Promise<HeddleScenePage> {
  const root = await openApp(`#/scene/${name}`);
  const page = await vi.waitUntil(() => root.querySelector('heddle-scene'), { timeout: 20_000 });
  await vi.waitUntil(() => page.player.frame !== undefined, { timeout: 20_000 });
  return page;
}

/** Number of different colours in the view, to tell a picture from a blank one. */
export function countColours(page: HeddleScenePage): number {
  const picture = page.viewport!.capture()!;
  const { data } = picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

export const press = (key: string): boolean =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
