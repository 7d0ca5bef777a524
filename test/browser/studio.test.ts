/** The studio as a person meets it: the gallery, keys, and what a screen reader needs. */

import { SCENES } from 'virtual:heddle-gallery';
import { compile, validateScene } from 'heddle';
import { encodeFrame, encodeHeader, encodeScene } from 'heddle/io';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pair } from '../../studio/src/app/pair.ts';
import { encodeShare } from '../../studio/src/panels/share.ts';
import { createEngineScene } from './engine-scene.ts';
import { pause } from './scene-acts.ts';
import { drawSeldom, dropFiles, dropScene, findScene, openApp, openEndless, openScene, press } from './studio-page.ts';
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

describe('the gallery', () => {
  test('The gallery lists every scene with title, description and link', async () => {
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

  test('The gallery search keeps matching scenes and says when nothing is found', async () => {
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

  test('An unknown scene is reported in one sentence', async () => {
    const root = await openApp('#/scene/<b>nothing</b>');
    const alert = await until(() => root.querySelector('[role=alert]'));
    expect(alert.textContent).toContain('<b>nothing</b>');
    expect(alert.querySelector('b')).toBeNull();
  });
});

describe('the keys', () => {
  test('Space plays and pauses, a dot takes one step, and R goes back to the start', async () => {
    const page = await openScene('strand-catenary');
    await pause(page);
    press(' ');
    await until(() => page.player.playing);
    press(' ');
    await until(() => !page.player.playing);
    await pause(page);
    const { step } = page.player;
    press('.');
    await until(() => page.player.step === step + 1);
    press('r');
    await until(() => page.player.step === 0);
    expect(page.player.playing).toBe(false);
  });

  test('Keys typed into a field do not control the scene', async () => {
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
  test('A node under the pointer is marked in the material, follows a drag by a visible spring, and the strand continues', async () => {
    const page = await openEndless('strand-catenary');
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
    await until(() => bar.pointed?.kind === 'node');
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
    await until(() => viewport.shadowRoot!.querySelector('.spring'));
    await until(() => read()[1] > start[1] + 0.02);
    point('pointerup', 80);
    await until(() => page.run.pull === null);
    const { step } = page.player;
    await until(() => page.player.step > step + 20);
    expect(page.run.message).toBe('');
    expect(complaints).toEqual([]);
  });
});

test('A link that contains a scene gives the same state after 50 steps as the scene', async () => {
  const text = JSON.stringify(createEngineScene(true));
  const page = await findScene(await openApp(`#/share/${await encodeShare(text)}`));
  await pause(page);
  page.player.reset();
  await until(() => page.player.step === 0 && page.run.recorded[1] === 0);
  await page.run.runTo(50);
  await until(() => page.player.step === 50);
  const world = compile(validateScene(createEngineScene(true)));
  for (let n = 0; n < 50; n++) world.step();
  expect(page.run.hash).toBe(world.hash());
});

describe('files', () => {
  test('A dropped scene file runs', async () => {
    const page = await dropScene(new File([JSON.stringify(createEngineScene(true))], 'slide.json'));
    await until(() => page.player.step > 5);
    expect(page.run.shown!.scene.name).toBe('slide');
  });

  test('A dropped recording is played as recorded, frame by frame', async () => {
    const scene = validateScene(createEngineScene(true));
    const world = compile(scene);
    const parts = [encodeHeader(), encodeScene(JSON.stringify(createEngineScene(true)))];
    const frames = Array.from({ length: 5 }, () => {
      for (let i = 0; i < 20; i++) world.step();
      return world.frame();
    });
    parts.push(...frames.map((frame) => encodeFrame(frame)));
    const page = await dropScene(new File(parts, 'run.heddle'));
    page.player.pause();
    expect(page.player.recorded).toEqual([0, 4]);
    for (const [i, frame] of frames.entries()) {
      page.player.seek(i);
      expect(page.player.frame).toEqual(frame);
    }
  });

  test('A scene with faults opens the editor and says what is wrong', async () => {
    const root = await dropFiles(new File(['{ "heddle": 1, "name": 7 }'], 'wrong.json'));
    const page = await until(() => root.querySelector('heddle-scene'));
    const alert = await until(() => page.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).toContain('name');
    expect(page.panel).toBe('editor');
  });
});

test('Two compared simulations are at the same time whenever both are seen', async () => {
  const page = await openEndless('strand-corner');
  page.player.pause();
  const overrides = [{ path: '/time/step', value: 0.001 }];
  await page.compare({ title: 'half the time step', overrides, overlaid: false });
  const pair = page.player as Pair;
  expect(pair).toBeInstanceOf(Pair);
  await until(() => pair.second.step > 40);
  pair.pause();
  await until(() => Math.abs(pair.first.frame!.time - pair.second.frame!.time) < 1e-9);
  expect(pair.second.step).toBe(2 * pair.first.step);
  expect(page.shadowRoot!.querySelectorAll('heddle-viewport')).toHaveLength(2);
});
