/** Two simulations side by side or overlaid: a hand and the toolbar act on both, and both stay at the same moment. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Comparison } from '../../studio/src/app/comparisons.ts';
import { Pair } from '../../studio/src/app/pair.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { createEngineScene } from './engine-scene.ts';
import { countColours, pause } from './scene-acts.ts';
import { drawSeldom, dropScene, openEndless, pressOn, readNode } from './studio-page.ts';
import { until } from './until.ts';

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
  await until(() => pair.second.step > 5);
  await rest(pair);
  return pair;
}

/** Pauses, and waits until both stand still at the same moment. */
async function rest(pair: Pair): Promise<void> {
  await pair.settle();
  // a worker answers in the order of requests: what it was asked for before, and its frames, are here with the answer
  await Promise.all([pair.first.runTo(0), pair.second.runTo(0)]);
  expect(isTogether(pair)).toBe(true);
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
    ['overlaid views', 0, true],
  ])('Dragging in %s pulls both simulations alike, with a spring drawn in both', async (_, index, overlaid) => {
    const page = await openEndless('strand-catenary');
    const pair = await startPair(page, { ...SAME, overlaid });
    const node = middleOf(pair);
    const start = readNode(pair.first.frame!, node);
    const mouse = pressOn(viewportsOf(page)[index], start);
    mouse.move(80);
    await until(() => viewportsOf(page).every((view) => view.shadowRoot!.querySelector('.spring')));
    for (const run of [pair.first, pair.second]) await until(() => readNode(run.frame!, node)[1] > start[1] + 0.02);
    mouse.move(50);
    mouse.release(50);
    await until(() => !pair.isHeld);
    const { step } = pair;
    await until(() => pair.step > step + 5);
    await rest(pair);
    // both were pulled at the same moments to the same places
    expect(pair.second.step).toBe(pair.first.step);
    expect(pair.second.hash).toBe(pair.first.hash);
    expect(pair.message).toBe('');
    expect(complaints).toEqual([]);
  });

  test('Dragging holds the same material where the meshes differ, and both simulations stay at the same time', async () => {
    const page = await openEndless('strand-catenary');
    const nodes = { path: '/objects/0/nodes', value: 17 };
    const pair = await startPair(page, { title: '17 nodes', overrides: [nodes], overlaid: false });
    const node = middleOf(pair);
    const { u } = pair.first.frame!.objects[0];
    const mouse = pressOn(viewportsOf(page)[0], readNode(pair.first.frame!, node));
    mouse.move(60);
    await until(() => pair.first.pull !== null && pair.second.pull !== null);
    const held = pair.second.pull!.from;
    const nearest = [...pair.second.frame!.objects[0].u.keys()].reduce((a, b) => {
      const far = (n: number) => Math.abs(pair.second.frame!.objects[0].u[n] - u[node]);
      return far(b) < far(a) ? b : a;
    });
    expect(pair.second.frame!.objects[0].u.length).not.toBe(u.length);
    expect(held).toEqual(readNode(pair.second.frame!, nearest));
    mouse.release(60);
    await until(() => !pair.isHeld);
    await rest(pair);
    expect(pair.message).toBe('');
  });

  test('A body is pulled at the same point in both simulations, and only where it is dynamic', async () => {
    const centre: [number, number, number] = [0.5, 0, 0];
    const shape = { type: 'sphere', radius: 0.15 };
    const ball = { id: 'ball', shape, position: centre, motion: 'dynamic', density: 100 };
    const scene = { ...createEngineScene(true), gravity: [0, 0, 0], bodies: [ball] };
    const page = await dropScene(new File([JSON.stringify(scene)], 'ball.json'));
    const pair = await startPair(page, { ...SAME });
    const mouse = pressOn(viewportsOf(page)[1], centre);
    mouse.move(60);
    for (const run of [pair.first, pair.second]) await until(() => run.frame!.bodies[0].position[1] > 0.02);
    mouse.release(60);
    await until(() => !pair.isHeld);
    await rest(pair);
    expect(pair.second.hash).toBe(pair.first.hash);

    const fixed = { path: '/bodies/0', value: { id: 'ball', shape, position: centre } };
    const other = await startPair(page, { title: 'fixed', overrides: [fixed], overlaid: false });
    const again = pressOn(viewportsOf(page)[0], centre);
    again.move(60);
    await until(() => other.first.frame!.bodies[0].position[1] > 0.02);
    expect(other.second.pull).toBeNull();
    expect(other.second.frame!.bodies[0].position).toEqual(centre);
    again.release(60);
    await rest(other);
    expect(other.message).toBe('');
  });
});

test('Both views show the same time in every frame while a comparison plays', async () => {
  const page = await openEndless('strand-corner');
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

  test('One step advances both simulations by the same time, however often it is clicked', async () => {
    const page = await openEndless('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    const [first, second] = [pair.first.step, pair.second.step];
    for (let n = 0; n < 3; n++) click(page, 'One step');
    await until(() => pair.first.step === first + 3 && pair.second.step === second + 6);
    await rest(pair);
    expect([pair.first.step, pair.second.step]).toEqual([first + 3, second + 6]);
  });

  test('Pausing and playing at once leaves both simulations playing at the same time', async () => {
    const page = await openEndless('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    pair.play();
    for (let n = 0; n < 5; n++) {
      const { step } = pair;
      pair.pause();
      pair.play();
      await until(() => pair.step > step + 2);
      expect(pair.playing).toBe(true);
    }
    await rest(pair);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });

  test.each(['Reset', 'Stop the simulation'])(
    '%s takes both simulations back to the start, and both play from there',
    async (label) => {
      const page = await openEndless('strand-corner');
      const pair = await startPair(page, HALF_STEP);
      pair.play();
      await until(() => pair.second.step > 40);
      click(page, label);
      const isAtStart = () => [pair.first, pair.second].every((run) => run.step === 0 && run.recorded[1] === 0);
      await until(isAtStart);
      // nothing that was on its way comes after it
      await rest(pair);
      expect(isAtStart()).toBe(true);
      expect(pair.playing).toBe(false);
      pair.play();
      await until(() => pair.second.step > 10);
      await rest(pair);
      expect(pair.second.step).toBe(2 * pair.first.step);
      expect(pair.message).toBe('');
    },
  );

  test('The timeline takes both simulations back to the same time', async () => {
    const page = await openEndless('strand-corner');
    const pair = await startPair(page, HALF_STEP);
    pair.play();
    await until(() => pair.step > 20);
    pair.seek(7);
    await until(() => pair.first.step === 7 && pair.second.step === 14);
    pair.play();
    await until(() => pair.step > 30);
    await rest(pair);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });

  test('A change of the scene changes both simulations', async () => {
    const page = await openEndless('strand-corner');
    await startPair(page, HALF_STEP);
    await page.override('/gravity', [0, -1, 0]);
    const pair = page.player as Pair;
    for (const run of [pair.first, pair.second]) expect(run.shown!.scene.gravity).toEqual([0, -1, 0]);
    await until(() => pair.second.step > 10);
    await rest(pair);
    expect(pair.second.shown!.scene.time.step).toBe(0.001);
    expect(pair.second.step).toBe(2 * pair.first.step);
  });
});

test('An image of a comparison shows both views in their places', async () => {
  const page = await openEndless('strand-corner');
  const pair = await startPair(page, HALF_STEP);
  await until(() => countColours(page) > 300);
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
