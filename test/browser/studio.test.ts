/** The studio as a person meets it: the gallery, keys, and what a screen reader needs. */

import { SCENES } from 'virtual:heddle-gallery';
import axe from 'axe-core';
import { compile, validateScene } from 'heddle';
import { encodeFrame, encodeHeader, encodeScene } from 'heddle/io';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pair } from '../../studio/src/app/pair.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { applyTheme } from '../../studio/src/app/theme.ts';
import { encodeShare } from '../../studio/src/panels/share.ts';
import { createEngineScene } from './engine-scene.ts';
import { pause } from './scene-acts.ts';
import { openApp, openScene, press } from './studio-page.ts';

/** The machine may be busy with other tests. */
const PATIENCE = { timeout: 240_000 };
let complaints: string[] = [];

beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')));
});

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.restoreAllMocks();
});

describe('the gallery', () => {
  test('lists every scene with title, sentence and a link', async () => {
    const root = await openApp('#/');
    const cards = [...root.querySelector('heddle-gallery')!.shadowRoot!.querySelectorAll('a.card')];
    expect(SCENES.length).toBeGreaterThan(20);
    expect(cards).toHaveLength(SCENES.length);
    for (const { name, title, description } of SCENES) {
      const card = cards.find((one) => one.getAttribute('href') === `#/scene/${name}`);
      expect(card?.textContent).toContain(title);
      expect(card?.textContent).toContain(description);
    }
  });

  test('keeps only what is searched for, and says so when nothing is found', async () => {
    const root = await openApp('#/');
    const gallery = root.querySelector('heddle-gallery')!;
    const search = gallery.shadowRoot!.querySelector<HTMLInputElement>('input[type=search]')!;
    const type = async (text: string) => {
      search.value = text;
      search.dispatchEvent(new Event('input'));
      await gallery.updateComplete;
      return [...gallery.shadowRoot!.querySelectorAll('a.card')].map((card) => card.getAttribute('href'));
    };
    expect(await type('rope corner LAGRANGIAN')).toEqual(['#/scene/strand-corner-lagrangian']);
    expect(await type('no such thing')).toEqual([]);
    expect(gallery.shadowRoot!.textContent).toContain('no such thing');
  });

  test('a scene that is not in the gallery is said in one sentence', async () => {
    const root = await openApp('#/scene/<b>nothing</b>');
    const alert = await vi.waitUntil(() => root.querySelector('[role=alert]'), { timeout: 240_000 });
    expect(alert.textContent).toContain('<b>nothing</b>');
    expect(alert.querySelector('b')).toBeNull();
  });
});

describe('the keys', () => {
  test('space plays and pauses, a dot takes one step, R goes back to the start', async () => {
    const page = await openScene('strand-catenary');
    await pause(page);
    press(' ');
    await vi.waitUntil(() => page.player.playing, PATIENCE);
    press(' ');
    await vi.waitUntil(() => !page.player.playing, PATIENCE);
    await pause(page);
    const { step } = page.player;
    press('.');
    await vi.waitUntil(() => page.player.step === step + 1, PATIENCE);
    press('r');
    await vi.waitUntil(() => page.player.step === 0, PATIENCE);
    expect(page.player.playing).toBe(false);
  });

  test('keys that are typed into a field are left to it', async () => {
    const page = await openScene('strand-catenary');
    await pause(page);
    const field = document.createElement('input');
    document.body.append(field);
    const deeds = (['play', 'pause', 'stepOnce', 'reset', 'seek'] as const).map((name) => vi.spyOn(page.player, name));
    const { settings } = page;
    for (const key of [' ', '.', 'r', '[', ']', 'f', 'm'])
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    for (const deed of deeds) expect(deed).not.toHaveBeenCalled();
    expect(page.settings).toBe(settings);
    // elsewhere they are heard
    press('.');
    expect(deeds[2]).toHaveBeenCalledTimes(1);
  });
});

describe('a hand', () => {
  test('over a node marks it in the material, dragging it takes it along by a spring that is shown, and the strand lives on', async () => {
    const page = await openScene('strand-catenary');
    // it must not end while a hand is on it, however slow this machine is
    await page.override('/time/duration', 60);
    await pause(page);
    const viewport = page.viewport!;
    const stage = viewport.shadowRoot!.querySelector<HTMLElement>('.stage')!;
    // no pointer of the browser stands behind these events
    stage.setPointerCapture = () => {};
    const read = (): [number, number, number] => {
      const { x } = page.player.frame!.objects[0];
      const at = 3 * Math.floor(x.length / 6);
      return [x[at], x[at + 1], x[at + 2]];
    };
    const start = read();
    const spot = viewport.locate(start)!;
    const { left, top } = stage.getBoundingClientRect();
    const hover = { pointerType: 'mouse', buttons: 0, clientX: left + spot.x, clientY: top + spot.y };
    stage.dispatchEvent(new PointerEvent('pointermove', { ...hover, bubbles: true }));
    const bar = page.shadowRoot!.querySelector('heddle-material-bar')!;
    await vi.waitUntil(() => bar.pointed?.kind === 'node', { timeout: 240_000 });
    const point = (type: string, up: number) =>
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
    point('pointerdown', 0);
    point('pointermove', 80);
    await vi.waitUntil(() => viewport.shadowRoot!.querySelector('.spring'), { timeout: 240_000 });
    await vi.waitUntil(() => read()[1] > start[1] + 0.02, { timeout: 240_000 });
    point('pointerup', 80);
    await vi.waitUntil(() => page.run.pull === null, { timeout: 240_000 });
    const { step } = page.player;
    await vi.waitUntil(() => page.player.step > step + 20, { timeout: 240_000 });
    expect(page.run.message).toBe('');
    expect(complaints).toEqual([]);
  });
});

test('a link that contains a scene gives the same state after 50 steps as the scene itself', async () => {
  const text = JSON.stringify(createEngineScene(true));
  const root = await openApp(`#/share/${await encodeShare(text)}`);
  const page = await vi.waitUntil(() => root.querySelector('heddle-scene'), { timeout: 240_000 });
  await vi.waitUntil(() => page.player.frame !== undefined, { timeout: 240_000 });
  await pause(page);
  page.player.reset();
  await vi.waitUntil(() => page.player.step === 0 && page.run.recorded[1] === 0, { timeout: 240_000 });
  await page.run.runTo(50);
  await vi.waitUntil(() => page.player.step === 50, { timeout: 240_000 });
  const world = compile(validateScene(createEngineScene(true)));
  for (let n = 0; n < 50; n++) world.step();
  expect(page.run.hash).toBe(world.hash());
});

describe('files', () => {
  /** Drops files on the page and waits for the scene page that opens. */
  async function drop(...files: File[]): Promise<HeddleScenePage> {
    const root = await openApp('#/');
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    const page = await vi.waitUntil(() => root.querySelector('heddle-scene'), { timeout: 240_000 });
    await vi.waitUntil(() => page.player.frame !== undefined, { timeout: 240_000 });
    return page;
  }

  test('a scene file that is dropped runs', async () => {
    const page = await drop(new File([JSON.stringify(createEngineScene(true))], 'slide.json'));
    await vi.waitUntil(() => page.player.step > 5, { timeout: 240_000 });
    expect(page.run.shown!.scene.name).toBe('slide');
  });

  test('a recorded run that is dropped is played as recorded, frame by frame', async () => {
    const scene = validateScene(createEngineScene(true));
    const world = compile(scene);
    const parts = [encodeHeader(), encodeScene(JSON.stringify(createEngineScene(true)))];
    const frames = Array.from({ length: 5 }, () => {
      for (let i = 0; i < 20; i++) world.step();
      return world.frame();
    });
    parts.push(...frames.map((frame) => encodeFrame(frame)));
    const page = await drop(new File(parts, 'run.heddle'));
    page.player.pause();
    expect(page.player.recorded).toEqual([0, 4]);
    for (const [i, frame] of frames.entries()) {
      page.player.seek(i);
      expect(page.player.frame).toEqual(frame);
    }
  });

  test('a scene with faults opens the editor and says what is wrong', async () => {
    const root = await openApp('#/');
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{ "heddle": 1, "name": 7 }'], 'wrong.json'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    const page = await vi.waitUntil(() => root.querySelector('heddle-scene'), { timeout: 240_000 });
    const alert = await vi.waitUntil(() => page.shadowRoot!.querySelector('[role=alert]'), { timeout: 240_000 });
    expect(alert.textContent).toContain('name');
    expect(page.panel).toBe('editor');
  });
});

test('two simulations that are compared are at the same moment whenever both are seen', async () => {
  const page = await openScene('strand-corner');
  page.player.pause();
  const overrides = [{ path: '/time/step', value: 0.001 }];
  await page.compare({ title: 'half the time step', overrides, overlaid: false });
  const pair = page.player as Pair;
  expect(pair).toBeInstanceOf(Pair);
  await vi.waitUntil(() => pair.second.step > 40, { timeout: 240_000 });
  pair.pause();
  await vi.waitUntil(() => Math.abs(pair.first.frame!.time - pair.second.frame!.time) < 1e-9, { timeout: 240_000 });
  expect(pair.second.step).toBe(2 * pair.first.step);
  expect(page.shadowRoot!.querySelectorAll('heddle-viewport')).toHaveLength(2);
});

describe('accessibility', () => {
  const pages = ['#/', '#/tour', '#/scene/strand-corner'];
  test.each(pages.flatMap((hash) => ['light', 'dark'].map((theme) => [hash, theme] as const)))(
    'axe finds nothing serious on %s in %s',
    async (hash, theme) => {
      applyTheme(theme as 'light' | 'dark');
      if (hash.startsWith('#/scene/')) {
        const page = await openScene(hash.slice('#/scene/'.length));
        await pause(page);
        await vi.waitUntil(() => page.shadowRoot!.querySelector('heddle-view-panel'), { timeout: 240_000 });
      } else await openApp(hash);
      await new Promise((wake) => setTimeout(wake, 500));
      const { violations } = await axe.run(document.body);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    },
  );
});
