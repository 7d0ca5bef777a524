/** What tests do with a scene page and see of it. Runs in the page, also when it is sent there by a test in Node: it imports nothing. */
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';

/**
 * Pauses, and waits until it is so and the camera rests, which jumps to where it was gliding: without a graphics card the
 * pictures on its way take seconds. The worker answers requests in their order, so that its answer to
 * one that asks for nothing more than a pause comes after all that was asked before, playing included, and after its frames.
 */
export async function pause(scene: HeddleScenePage): Promise<void> {
  await scene.run.runTo(0);
  const { matchMedia } = window;
  window.matchMedia = (query) => matchMedia.call(window, query.includes('reduced-motion') ? 'all' : query);
  const see = () => JSON.stringify(scene.viewport?.camera?.place());
  for (let before = '', same = 0; same < 3; ) {
    await new Promise(requestAnimationFrame);
    // reading waits until what was drawn is done: only then the next picture is drawn, which may move the camera
    const card = scene.viewport?.canvas?.getContext('webgl2');
    card?.readPixels(0, 0, 1, 1, card.RGBA, card.UNSIGNED_BYTE, new Uint8Array(4));
    same = see() === before ? same + 1 : 0;
    before = see();
  }
  window.matchMedia = matchMedia;
}

/** Two frames of the page and the end of all transitions: by then everything that was asked of the page before is seen. */
export async function settle(): Promise<void> {
  const frames = async () => {
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  };
  await frames();
  const listAnimations = (root: Document | ShadowRoot): Animation[] => [
    ...root.getAnimations(),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      shadowRoot === null ? [] : listAnimations(shadowRoot),
    ),
  ];
  const ending = listAnimations(document).filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  // one that is cancelled has ended, too
  await Promise.allSettled(ending.map(({ finished }) => finished));
  await frames();
}

/** Runs to a step as in a tab that nobody sees: nothing is drawn until it is there. Then it is, once. */
export async function runUnseen(scene: HeddleScenePage, step: number): Promise<void> {
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = window;
  const due = new Map<number, FrameRequestCallback>();
  let last = 0;
  window.requestAnimationFrame = (draw) => {
    due.set(++last, draw);
    return last;
  };
  window.cancelAnimationFrame = (id) => {
    if (!due.delete(id)) cancel.call(window, id);
  };
  await scene.run.runTo(step);
  window.requestAnimationFrame = request;
  window.cancelAnimationFrame = cancel;
  for (const draw of due.values()) request.call(window, draw);
}

/** Number of different colours in the view, to tell a picture from a blank one. */
export function countColours(scene: HeddleScenePage): number {
  const picture = scene.viewport!.capture()!;
  const { data } = picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

/** Share of the nodes that are seen: bright colour within 3 pixels of where they are (ground, sky and bodies are pale). */
export function measureShown(scene: HeddleScenePage): number {
  const picture = scene.viewport!.capture()!;
  const { data, width, height } = picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
  const isBright = (column: number, row: number): boolean => {
    const at = 4 * (row * width + column);
    const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
    // half of the darkest colour of a map, as at a thin rod, over the grey of the ground
    return Math.max(r, g, b) - Math.min(r, g, b) > 40;
  };
  const isSeen = (point: [number, number, number]): boolean => {
    const { x, y } = scene.viewport!.locate(point)!;
    if (!(x > 3 && y > 3 && x < width - 3 && y < height - 3)) return false;
    for (let row = Math.round(y) - 3; row <= Math.round(y) + 3; row++)
      for (let column = Math.round(x) - 3; column <= Math.round(x) + 3; column++)
        if (row < height && column < width && isBright(column, row)) return true;
    return false;
  };
  const nodes = scene.player.frame!.objects.flatMap(({ x }) =>
    Array.from({ length: x.length / 3 }, (_, i): [number, number, number] => [x[3 * i], x[3 * i + 1], x[3 * i + 2]]),
  );
  return nodes.filter(isSeen).length / nodes.length;
}
