/** Two simulations side by side or overlaid: a hand and the toolbar act on both, and both stay at the same moment. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Comparison } from '../../studio/src/app/comparisons.ts';
import { Pair } from '../../studio/src/app/pair.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { createEngineScene } from './engine-scene.ts';
import { countColours, pause } from './scene-acts.ts';
import { drawSeldom, dropScene, openScene, pressOn, readNode } from './studio-page.ts';

let complaints: string[] = [];

beforeEach(() => {
  complaints = [];
  drawSeldom();
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')));
});

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.restoreAllMocks();
});

/** Nothing that moves differs: both must give the same bits, whatever is done to them. */
const SAME = { title: 'another title', overrides: [{ path: '/title', value: 'Twin' }], overlaid: false };
const HALF_STEP = { title: 'half the step', overrides: [{ path: '/time/step', value: 0.001 }], overlaid: false };

/** A pair that is compared, paused soon after its start. */
async function startPair(page: HeddleScenePage, comparison: Comparison): Promise<Pair> {
  await pause(page);
  await page.compare(comparison);
  const pair = page.player as Pair;
  expect(pair).toBeInstanceOf(Pair);
  await vi.waitUntil(() => pair.second.step > 5, { timeout: 240_000 });
  await rest(pair);
  return pair;
}

/** Pauses, and waits until both stand still at the same moment. */
async function rest(pair: Pair): Promise<void> {
  pair.pause();
  // a stretch that was on its way might still change what is shown
  const see = () => (isTogether(pair) ? pair.first.recorded[1] : -1);
  for (let before = -2, same = 0; same < 3; ) {
    await new Promise((wake) => setTimeout(wake, 100));
    same = see() === before ? same + 1 : 0;
    before = see() < 0 ? -2 : see();
  }
}

const isTogether = ({ first, second }: Pair): boolean =>
  Math.abs(first.frame!.time - second.frame!.time) < 1e-9 &&
  Math.abs(first.recorded[1] * first.shown!.scene.time.step - second.recorded[1] * second.shown!.scene.time.step) <
    1e-9;

const viewportsOf = (page: HeddleScenePage) => [...page.shadowRoot!.querySelectorAll('heddle-viewport')];

const middleOf = (pair: Pair): number => Math.floor(pair.first.frame!.objects[0].u.length / 2);

describe('a hand on two simulations', () => {
  test.each([
    ['the first view', 0, false],
    ['the second view', 1, false],
    ['views that lie over each other', 0, true],
  ])('pulls both alike from %s, by a spring in both', async (_, index, overlaid) => {
    const page = await openScene('strand-catenary');
    const pair = await startPair(page, { ...SAME, overlaid });
    const node = middleOf(pair);
    const start = readNode(pair.first.frame!, node);
    const mouse = pressOn(viewportsOf(page)[index], start);
    mouse.move(80);
    await vi.waitUntil(() => viewportsOf(page).every((view) => view.shadowRoot!.querySelector('.spring')), {
      timeout: 240_000,
    });
    for (const run of [pair.first, pair.second])
      await vi.waitUntil(() => readNode(run.frame!, node)[1] > start[1] + 0.02, { timeout: 240_000 });
    mouse.move(50);
    mouse.release(50);
    await vi.waitUntil(() => !pair.isHeld, { timeout: 240_000 });
    const { step } = pair;
    await vi.waitUntil(() => pair.step > step + 5, { timeout: 240_000 });
    await rest(pair);
    // both were pulled at the same moments to the same places
    expect(pair.second.step).toBe(pair.first.step);
    expect(pair.second.hash).toBe(pair.first.hash);
    expect(pair.message).toBe('');
    expect(complaints).toEqual([]);
  });

  test('takes the same material where the nodes are others, and both stay at the same moment', async () => {
    const page = await openScene('strand-catenary');
    const nodes = { path: '/objects/0/nodes', value: 17 };
    const pair = await startPair(page, { title: '17 nodes', overrides: [nodes], overlaid: false });
    const node = middleOf(pair);
    const { u } = pair.first.frame!.objects[0];
    const mouse = pressOn(viewportsOf(page)[0], readNode(pair.first.frame!, node));
    mouse.move(60);
    await vi.waitUntil(() => pair.first.pull !== null && pair.second.pull !== null, { timeout: 240_000 });
    const held = pair.second.pull!.from;
    const nearest = [...pair.second.frame!.objects[0].u.keys()].reduce((a, b) => {
      const far = (n: number) => Math.abs(pair.second.frame!.objects[0].u[n] - u[node]);
      return far(b) < far(a) ? b : a;
    });
    expect(pair.second.frame!.objects[0].u.length).not.toBe(u.length);
    expect(held).toEqual(readNode(pair.second.frame!, nearest));
    mouse.release(60);
    await vi.waitUntil(() => !pair.isHeld, { timeout: 240_000 });
    await rest(pair);
    expect(pair.message).toBe('');
  });

  test('pulls a body at the same place of it, and only where it is free', async () => {
    const centre: [number, number, number] = [0.5, 0, 0];
    const shape = { type: 'sphere', radius: 0.15 };
    const ball = { id: 'ball', shape, position: centre, motion: 'dynamic', density: 100 };
    const scene = { ...createEngineScene(true), gravity: [0, 0, 0], bodies: [ball] };
    const page = await dropScene(new File([JSON.stringify(scene)], 'ball.json'));
    const pair = await startPair(page, { ...SAME });
    const mouse = pressOn(viewportsOf(page)[1], centre);
    mouse.move(60);
    for (const run of [pair.first, pair.second])
      await vi.waitUntil(() => run.frame!.bodies[0].position[1] > 0.02, { timeout: 240_000 });
    mouse.release(60);
    await vi.waitUntil(() => !pair.isHeld, { timeout: 240_000 });
    await rest(pair);
    expect(pair.second.hash).toBe(pair.first.hash);

    const fixed = { path: '/bodies/0', value: { id: 'ball', shape, position: centre } };
    const other = await startPair(page, { title: 'fixed', overrides: [fixed], overlaid: false });
    const again = pressOn(viewportsOf(page)[0], centre);
    again.move(60);
    await vi.waitUntil(() => other.first.frame!.bodies[0].position[1] > 0.02, { timeout: 240_000 });
    expect(other.second.pull).toBeNull();
    expect(other.second.frame!.bodies[0].position).toEqual(centre);
    again.release(60);
    await rest(other);
    expect(other.message).toBe('');
  });
});

test('what both views show while it plays is the same moment, picture by picture', async () => {
  const page = await openScene('strand-corner');
  const pair = await startPair(page, { ...HALF_STEP, overrides: [{ path: '/time/step', value: 0.0001 }] });
  const seen = new Set<number>();
  pair.play();
  while (seen.size < 20) {
    await new Promise((wake) => pair.addEventListener('change', wake, { once: true }));
    await page.updateComplete;
    const [first, second] = viewportsOf(page).map((view) => view.frame!.time);
    expect(Math.abs(first - second)).toBeLessThan(1e-9);
    seen.add(first);
  }
  await rest(pair);
});

describe('the toolbar acts on both', () => {
  const click = (page: HeddleScenePage, label: string) =>
    page
      .shadowRoot!.querySelector('heddle-transport')!
      .shadowRoot!.querySelector<HTMLElement>(`[aria-label="${label}"]`)!
      .click();

  test('one step is the same stretch of time in both, however often it is asked for', async () => {
    const page = await openScene('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    const [first, second] = [pair.first.step, pair.second.step];
    for (let n = 0; n < 3; n++) click(page, 'One step');
    await vi.waitUntil(() => pair.first.step === first + 3 && pair.second.step === second + 6, { timeout: 240_000 });
    await rest(pair);
    expect([pair.first.step, pair.second.step]).toEqual([first + 3, second + 6]);
  });

  test('pause and play in one breath leave both playing at the same moment', async () => {
    const page = await openScene('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    pair.play();
    for (let n = 0; n < 5; n++) {
      const { step } = pair;
      pair.pause();
      pair.play();
      await vi.waitUntil(() => pair.step > step + 2, { timeout: 240_000 });
      expect(pair.playing).toBe(true);
    }
    await rest(pair);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });

  test.each(['Reset', 'Stop the simulation'])(
    '%s takes both back to the start, and both play on from there',
    async (label) => {
      const page = await openScene('strand-corner');
      const pair = await startPair(page, HALF_STEP);
      pair.play();
      await vi.waitUntil(() => pair.second.step > 40, { timeout: 240_000 });
      click(page, label);
      const isAtStart = () => [pair.first, pair.second].every((run) => run.step === 0 && run.recorded[1] === 0);
      await vi.waitUntil(isAtStart, { timeout: 240_000 });
      await new Promise((wake) => setTimeout(wake, 300));
      expect(isAtStart()).toBe(true);
      expect(pair.playing).toBe(false);
      pair.play();
      await vi.waitUntil(() => pair.second.step > 10, { timeout: 240_000 });
      await rest(pair);
      expect(pair.second.step).toBe(2 * pair.first.step);
      expect(pair.message).toBe('');
    },
  );

  test('the timeline goes back in both to the same moment', async () => {
    const page = await openScene('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    pair.play();
    await vi.waitUntil(() => pair.step > 20, { timeout: 240_000 });
    pair.seek(7);
    await vi.waitUntil(() => pair.first.step === 7 && pair.second.step === 14, { timeout: 240_000 });
    pair.play();
    await vi.waitUntil(() => pair.step > 30, { timeout: 240_000 });
    await rest(pair);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });

  test('a change of the scene changes both', async () => {
    const page = await openScene('strand-corner');
    await startPair(page, HALF_STEP);
    await page.override('/gravity', [0, -1, 0]);
    const pair = page.player as Pair;
    for (const run of [pair.first, pair.second]) expect(run.shown!.scene.gravity).toEqual([0, -1, 0]);
    await vi.waitUntil(() => pair.second.step > 10, { timeout: 240_000 });
    await rest(pair);
    expect(pair.second.shown!.scene.time.step).toBe(0.001);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });
});

test('a picture of a comparison holds both views, where they stand', async () => {
  const page = await openScene('strand-corner');
  const pair = await startPair(page, HALF_STEP);
  await vi.waitUntil(() => countColours(page) > 300, { timeout: 240_000 });
  const views = viewportsOf(page).map((view) => view.getBoundingClientRect());
  const picture = page.capture()!;
  const [left, top] = [Math.min(...views.map(({ x }) => x)), Math.min(...views.map(({ y }) => y))];
  expect(picture.width).toBe(Math.round(Math.max(...views.map(({ right }) => right)) - left));
  expect(picture.height).toBe(Math.round(Math.max(...views.map(({ bottom }) => bottom)) - top));
  for (const view of views) {
    const part = picture.getContext('2d')!.getImageData(view.x - left, view.y - top, view.width, view.height);
    expect(new Set(new Uint32Array(part.data.buffer)).size).toBeGreaterThan(300);
  }
  await page.compare({ ...HALF_STEP, overlaid: true });
  await page.updateComplete;
  expect(page.player).toBe(pair);
  const [under, over] = viewportsOf(page).map((view) => view.getBoundingClientRect());
  expect([under.x, under.y]).toEqual([over.x, over.y]);
  expect(page.capture()!.height).toBe(Math.round(under.height));
});
