/** Opens pages of the studio for the browser tests, and looks at them. */

import type { Frame } from 'heddle/model';
import { vi } from 'vitest';
import '../../studio/src/app/app.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import type { HeddleViewport } from '../../studio/src/app/viewport.ts';
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

/** Share of the nodes that are seen: bright colour within 3 pixels of where they are (ground, sky and bodies are pale). */
export function measureShown(page: HeddleScenePage): number {
  const picture = page.viewport!.capture()!;
  const context = picture.getContext('2d')!;
  const isSeen = (point: [number, number, number]): boolean => {
    const { x, y } = page.viewport!.locate(point)!;
    if (!(x > 3 && y > 3 && x < picture.width - 3 && y < picture.height - 3)) return false;
    const { data } = context.getImageData(Math.round(x) - 3, Math.round(y) - 3, 7, 7);
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = data.subarray(i, i + 3);
      if (Math.max(r, g, b) - Math.min(r, g, b) > 70) return true;
    }
    return false;
  };
  const nodes = page.player.frame!.objects.flatMap(({ x }) =>
    Array.from({ length: x.length / 3 }, (_, i): [number, number, number] => [x[3 * i], x[3 * i + 1], x[3 * i + 2]]),
  );
  return nodes.filter(isSeen).length / nodes.length;
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
export async function dropScene(...files: File[]): Promise<HeddleScenePage> {
  const root = await dropFiles(...files);
  const page = await vi.waitUntil(() => root.querySelector('heddle-scene'), { timeout: 20_000 });
  await vi.waitUntil(() => page.player.frame !== undefined, { timeout: 20_000 });
  return page;
}

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
