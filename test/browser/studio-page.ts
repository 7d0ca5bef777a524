/** Opens pages of the studio for the browser tests, and looks at them. */

import type { Frame } from 'heddle/model';
import { vi } from 'vitest';
import '../../studio/src/app/app.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import type { HeddleViewport } from '../../studio/src/app/viewport.ts';
import '../../studio/src/app/theme.css';
import { until } from './until.ts';

export async function openApp(hash: string): Promise<ShadowRoot> {
  location.hash = hash;
  const app = document.createElement('heddle-app');
  document.body.append(app);
  await app.updateComplete;
  return app.shadowRoot!;
}

/** How often `drawSeldom` lets the view ask whether a picture is done: once for each frame of the page. */
const LOOKS = 60;

/**
 * A graphics card that takes 60 frames of the page for a picture, until mocks are restored: the studio draws the next one only then.
 * For tests that look at pictures seldom; without a graphics card it is drawing that takes their time.
 */
export function drawSeldom(): void {
  const { prototype } = WebGL2RenderingContext;
  const { getSyncParameter } = prototype;
  const looks = new WeakMap<WebGLSync, number>();
  vi.spyOn(prototype, 'getSyncParameter').mockImplementation(function (this: WebGL2RenderingContext, sync, name) {
    const count = (looks.get(sync) ?? 0) + 1;
    looks.set(sync, count);
    return count > LOOKS ? getSyncParameter.call(this, sync, name) : this.UNSIGNALED;
  });
}

/** The scene page in an app, once its view shows a frame. */
export async function findScene(root: ShadowRoot): Promise<HeddleScenePage> {
  const page = await until(() => root.querySelector('heddle-scene'));
  await until(() => page.player.frame !== undefined);
  return page;
}

/** The page of a scene of the gallery, once its view shows a frame; it plays. */
export const openScene = async (name: string): Promise<HeddleScenePage> => findScene(await openApp(`#/scene/${name}`));

/** `openScene`, and the scene does not come to its end, however slow this machine is. */
export async function openEndless(name: string): Promise<HeddleScenePage> {
  const page = await openScene(name);
  await page.override('/time/duration', 10_000);
  return page;
}

export const press = (key: string): boolean =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

/** Drops files on the gallery and waits for what opens. */
export async function dropFiles(...files: File[]): Promise<ShadowRoot> {
  const root = await openApp('#/');
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  return root;
}

/** Drops files and waits for the scene page with its first frame. */
export const dropScene = async (...files: File[]): Promise<HeddleScenePage> => findScene(await dropFiles(...files));

/** A mouse that presses on a world point of a view; `move` drags it up by CSS pixels. */
export function pressOn(viewport: HeddleViewport, point: [number, number, number]) {
  const stage = viewport.shadowRoot!.querySelector<HTMLElement>('.stage')!;
  // no pointer of the browser stands behind these events
  stage.setPointerCapture = () => {};
  const spot = viewport.locate(point)!;
  const { left, top } = stage.getBoundingClientRect();
  const dispatch = (type: string, up: number) =>
    stage.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        pointerType: 'mouse',
        button: 0,
        buttons: type === 'pointerup' ? 0 : 1,
        clientX: left + spot.x,
        clientY: top + spot.y - up,
        bubbles: true,
        cancelable: true,
      }),
    );
  dispatch('pointerdown', 0);
  return { move: (up: number) => dispatch('pointermove', up), release: (up: number) => dispatch('pointerup', up) };
}

/** World position of a node of the first object. */
export function readNode(frame: Frame, node: number): [number, number, number] {
  const { x } = frame.objects[0];
  return [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
}
