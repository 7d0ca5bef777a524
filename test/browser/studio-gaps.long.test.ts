/** The studio, bullet by bullet: groups of the gallery, a worker that hangs, speed, bodies and pins in a hand, linked hover. */

import { type GalleryScene, SCENES } from 'virtual:heddle-gallery';
import type { Frame } from 'heddle/model';
import { afterEach, describe, expect, test, vi } from 'vitest';
import catenary from '../../scenes/strand-catenary.json?raw';
import { Pair } from '../../studio/src/app/pair.ts';
import type { Pull } from '../../studio/src/app/player.ts';
import { Run } from '../../studio/src/app/run.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { SimulationClient } from '../../studio/src/simulation/client.ts';
import { createEngineScene } from './engine-scene.ts';
import { pause } from './scene-acts.ts';
import { dropScene, openApp, openEndless, openScene, pressOn, readNode } from './studio-page.ts';
import { until, untilPasses } from './until.ts';

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.unstubAllGlobals();
});

describe('the gallery', () => {
  const strange = (name: string, ...models: string[]): GalleryScene => ({
    ...{ name, title: `Title of ${name}`, description: 'A sentence.', models, picture: undefined },
    load: () => Promise.reject(new Error('never opened')),
  });
  /** Headings, each with the addresses of the cards under it. */
  const readGroups = (root: ShadowRoot): (readonly [string, readonly string[]])[] =>
    [...root.querySelector('heddle-gallery')!.shadowRoot!.querySelectorAll('section')].map((section) => {
      const heading = section.querySelector('h2')!;
      expect(section.getAttribute('aria-labelledby')).toBe(heading.id);
      return [
        heading.textContent!,
        [...section.querySelectorAll('a.card')].map((card) => card.getAttribute('href')!.slice('#/scene/'.length)),
      ] as const;
    });

  test('The gallery groups scenes by model: known models in order, mixed scenes together, unknown models last', async () => {
    const known = (model: string) => SCENES.filter(({ models }) => models.join() === model).map(({ name }) => name);
    const [strands, rods, fabrics, sheets] = [known('strand'), known('rod'), known('fabric'), known('sheet')];
    const continua = known('mpm');
    const together = SCENES.filter(({ models }) => models.length > 1).map(({ name }) => name);
    const groups = [strands, rods, fabrics, sheets, continua, together];
    expect(groups.reduce((sum, { length }) => sum + length, 0)).toBe(SCENES.length);
    const list = SCENES as GalleryScene[];
    list.unshift(strange('a', 'gel'), strange('b', 'strand', 'sheet'), strange('c', 'sheet'), strange('d', 'rod'));
    try {
      expect(readGroups(await openApp('#/'))).toEqual([
        ['Strands', strands],
        ['Rods', ['d', ...rods]],
        ['Fabric', fabrics],
        ['Sheets', ['c', ...sheets]],
        ['Material point method (MPM)', continua],
        ['Mixed', ['b', ...together]],
        ['gel', ['a']],
      ]);
    } finally {
      list.splice(0, 4);
    }
  });

  test('The gallery names paper and figure on the cards of scenes that have them', async () => {
    const root = await openApp('#/');
    const cards = root.querySelector('heddle-gallery')!.shadowRoot!.querySelectorAll('a.card');
    const sources = SCENES.map(({ name }) => {
      const card = [...cards].find((one) => one.getAttribute('href') === `#/scene/${name}`);
      return card?.querySelector('.source')?.textContent ?? '';
    });
    // read from the files, not from what the gallery made of them
    const scenes = await Promise.all(SCENES.map(async ({ load }) => JSON.parse(await load())));
    expect(sources).toEqual(scenes.map(({ paper, figure }) => [paper, figure].filter(Boolean).join(', ')));
    expect(sources).toContain('Jiang 2020, Fig. 10');
  });
});

/** The address of a module that is a worker's program with something after it. */
const writeProgram = (worker: string | URL, after: string): string =>
  URL.createObjectURL(
    new Blob([`import ${JSON.stringify(new URL(worker, location.href).href)};\n${after}`], { type: 'text/javascript' }),
  );

const transportOf = (page: HeddleScenePage): ShadowRoot =>
  page.shadowRoot!.querySelector('heddle-transport')!.shadowRoot!;

const clickStop = (page: HeddleScenePage): void =>
  transportOf(page).querySelector<HTMLElement>('[aria-label="Stop the simulation"]')!.click();

describe('the worker', () => {
  test('A worker that hangs does not block the page, Stop ends it, and the next one plays', async () => {
    const made: Worker[] = [];
    class FirstHangs extends Worker {
      constructor(program: string | URL, options?: WorkerOptions) {
        const hang = `addEventListener('message', ({ data }) => { if (data.type === 'run-to') for (;;); });`;
        super(made.length === 0 ? writeProgram(program, hang) : program, options);
        made.push(this);
      }
    }
    vi.stubGlobal('Worker', FirstHangs);
    const page = await openScene('strand-pendulum');
    const stuck = page.run.runTo(1_000_000);
    const outcome = stuck.then(
      () => 'arrived',
      (error: Error) => error.message,
    );
    // it hears nothing any more, and the page still turns the view
    page.player.pause();
    const stage = page.viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!;
    const before = page.viewport!.camera!.place().position.clone();
    stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await new Promise(requestAnimationFrame);
    expect(page.viewport!.camera!.place().position.distanceTo(before)).toBeGreaterThan(0.01);
    clickStop(page);
    expect(await outcome).toBe('The simulation was stopped.');
    await until(() => page.player.step === 0 && page.run.recorded[1] === 0 && !page.player.playing);
    expect(made).toHaveLength(2);
    page.player.play();
    await until(() => page.player.step > 5);
    expect(page.run.message).toBe('');
  });

  test('The worker transfers the buffers of frames and measures instead of copying them', async () => {
    const spy = `
      const post = self.postMessage.bind(self);
      self.postMessage = (reply, transfer) => {
        const buffers = [reply.bytes, reply.rows, ...(reply.labels ?? []).map(({ buffer }) => buffer)].filter(Boolean);
        const sizes = buffers.map(({ byteLength }) => byteLength);
        post(reply, transfer);
        if (buffers.length > 0) post({ type: 'seen', of: reply.type, sizes, left: buffers.map((one) => one.byteLength) }, []);
      };`;
    const worker = new URL('../../studio/src/simulation/worker.ts', import.meta.url);
    const seen: { of: string; sizes: number[]; left: number[] }[] = [];
    const client = new SimulationClient(() => {
      const made = new Worker(writeProgram(worker, spy), { type: 'module' });
      made.addEventListener('message', ({ data }) => data.type === 'seen' && seen.push(data));
      return made;
    });
    await client.load(catenary);
    await client.runTo(20);
    await until(() => seen.length >= 4);
    client.close();
    expect(new Set(seen.map(({ of }) => of))).toEqual(new Set(['frame', 'measures']));
    for (const { sizes, left } of seen) {
      expect(Math.min(...sizes)).toBeGreaterThan(100);
      expect(left).toEqual(sizes.map(() => 0));
    }
  });
});

test('The speed menu sets the target ratio, and the ratio reached is shown', async () => {
  const endless = { ...createEngineScene(true), time: { step: 0.001, duration: 10_000 } };
  const page = await dropScene(new File([JSON.stringify(endless)], 'endless.json'));
  const menu = transportOf(page).querySelector('select')!;
  expect([...menu.options].map(({ text }) => text)).toEqual([
    '0.05×',
    '0.1×',
    '0.25×',
    '0.5×',
    '1×',
    '2×',
    '4×',
    'max',
  ]);
  const choose = (text: string) => {
    menu.value = [...menu.options].find((option) => option.text === text)!.value;
    menu.dispatchEvent(new Event('change'));
  };
  const readRatio = (): string =>
    [...transportOf(page).querySelectorAll('dl div')]
      .find((part) => part.querySelector('dt')!.textContent === 'ratio')!
      .querySelector('dd')!.textContent!;
  choose('0.05×');
  await until(() => ['0.04×', '0.05×', '0.06×'].includes(readRatio()));
  choose('0.25×');
  await until(() => ['0.23×', '0.24×', '0.25×', '0.26×'].includes(readRatio()));
  // faster than it just was, however slow this machine is
  choose('max');
  await until(() => Number.parseFloat(readRatio()) > 0.26);
  page.player.pause();
  await until(() => readRatio() === '–');
});

describe('a mouse', () => {
  /** The spring that is drawn: its two ends, in CSS pixels. */
  const readSpring = (page: HeddleScenePage) => {
    const path = page.viewport!.shadowRoot!.querySelector<SVGPathElement>('.spring');
    if (path === null) return undefined;
    const ends = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())];
    return ends.map(({ x, y }) => ({ x, y }));
  };

  test('Dragging a dynamic body pulls it by a spring from the grabbed point to the pointer', async () => {
    const centre: [number, number, number] = [0.5, 0, 0];
    const shape = { type: 'sphere', radius: 0.15 };
    const ball = { id: 'ball', shape, position: centre, motion: 'dynamic', density: 100 };
    // a camera of its own does not follow the ball
    const camera = { position: [0.2, 0.1, 2.5], target: [0.2, 0, 0], fieldOfView: 40 };
    const scene = { ...createEngineScene(true), gravity: [0, 0, 0], bodies: [ball], view: { camera } };
    const page = await dropScene(new File([JSON.stringify(scene)], 'ball.json'));
    await pause(page);
    expect(page.player.frame!.bodies[0].position).toEqual(centre);
    // slow, so that the spring stays long for a while
    page.player.setSpeed(0.05);
    const from = page.viewport!.locate(centre)!;
    const mouse = pressOn(page.viewport!, centre);
    mouse.move(60);
    await until(() => {
      const [touched, hand] = readSpring(page) ?? [];
      if (touched === undefined) return false;
      const length = Math.hypot(hand.x - touched.x, hand.y - touched.y);
      return length > 8 && Math.hypot(hand.x - from.x, hand.y - (from.y - 60)) < 2;
    });
    await until(() => page.player.frame!.bodies[0].position[1] > 0.02);
    mouse.release(60);
    await until(() => readSpring(page) === undefined);
    // it flies on: nothing holds it any more
    const { step, frame } = page.player;
    await page.run.runTo(step + 50);
    expect(page.player.frame!.bodies[0].position).not.toEqual(frame!.bodies[0].position);
    expect(page.run.message).toBe('');
  });

  test('A dragged pin stays where it is released, and the chain hangs from there', async () => {
    const page = await openEndless('strand-catenary');
    await pause(page);
    page.player.reset();
    await until(() => page.player.step === 0);
    const start = page.player.frame!;
    expect(readNode(start, 0)[0]).toBeCloseTo(-0.6, 12);
    const mouse = pressOn(page.viewport!, readNode(start, 0));
    mouse.move(60);
    await until(() => readSpring(page) !== undefined);
    // until the pin has come along and rests
    const measureSpring = ({ from, to }: Pull) => Math.hypot(...from.map((x, k) => x - to[k]));
    const isThere = () => page.run.pull !== null && page.run.pull.to[1] > 0.05 && measureSpring(page.run.pull) < 0.03;
    await until(isThere);
    const { step } = page.player;
    await until(() => page.player.step > step + 40 && isThere());
    mouse.release(60);
    await until(() => page.run.pull === null && readSpring(page) === undefined);
    const left = page.player.frame!;
    expect(readNode(left, 0)[1]).toBeGreaterThan(0.05);
    await page.run.runTo(left.step + 60);
    const later = page.player.frame!;
    const measureWay = (from: Frame, node: number) =>
      Math.hypot(...readNode(later, node).map((x, k) => x - readNode(from, node)[k]));
    expect(measureWay(left, 0)).toBeLessThan(1e-9);
    expect(measureWay(start, 16)).toBeGreaterThan(1e-3);
    // the other pin was left alone
    expect(measureWay(start, 32)).toBeLessThan(1e-9);
    expect(page.run.message).toBe('');
  });
});

describe('hover links material and world', () => {
  const NODE = 12;

  /** The chain, paused, with the canvas of its material bar and where a node is in it [CSS pixels]. */
  async function openBar() {
    const page = await openScene('strand-catenary');
    await pause(page);
    const bar = page.shadowRoot!.querySelector('heddle-material-bar')!;
    const canvas = bar.shadowRoot!.querySelector('canvas')!;
    await until(() => canvas.width > 300);
    const [curve] = page.player.frame!.objects;
    const { width } = canvas.getBoundingClientRect();
    return { page, canvas, x: 6 + (curve.u[NODE] / 1.6) * (width - 12) };
  }

  test('Pointing at the material bar rings the point in the world until the pointer leaves', async () => {
    const { page, canvas, x } = await openBar();
    const { left, top } = canvas.getBoundingClientRect();
    const rings = () => [...page.viewport!.shadowRoot!.querySelectorAll('.ring')];
    expect(rings()).toEqual([]);
    canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: left + x, clientY: top + 8, bubbles: true }));
    await until(() => rings().length === 1);
    // a pixel of the bar is 2 mm of material; the ring follows the view, which may just be given another size
    await untilPasses(() => {
      const spot = page.viewport!.locate(readNode(page.player.frame!, NODE))!;
      const [ring] = rings();
      expect(Math.abs(Number(ring.getAttribute('cx')) - spot.x)).toBeLessThan(3);
      expect(Math.abs(Number(ring.getAttribute('cy')) - spot.y)).toBeLessThan(3);
    });
    canvas.dispatchEvent(new PointerEvent('pointerleave'));
    await until(() => rings().length === 0);
  });

  test('Pointing at a node in the world rings it in the material bar', async () => {
    const { page, canvas, x } = await openBar();
    const scale = canvas.width / canvas.clientWidth;
    /** How much is drawn 7 pixels above and below a node, where only a ring reaches. */
    const countRing = () =>
      [1, 15].filter((y) => {
        const { data } = canvas.getContext('2d')!.getImageData((x - 1) * scale, (y - 1) * scale, 2 * scale, 2 * scale);
        return data.some((value, i) => i % 4 === 3 && value > 60);
      }).length;
    expect(countRing()).toBe(0);
    const stage = page.viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!;
    const { left, top } = stage.getBoundingClientRect();
    const spot = page.viewport!.locate(readNode(page.player.frame!, NODE))!;
    const over = { pointerType: 'mouse', buttons: 0, clientX: left + spot.x, clientY: top + spot.y, bubbles: true };
    stage.dispatchEvent(new PointerEvent('pointermove', over));
    await until(() => countRing() === 2);
    stage.dispatchEvent(new PointerEvent('pointerleave'));
    await until(() => countRing() === 0);
  });
});

test('A drag that never rests pulls two compared simulations at the same times, to the bit', async () => {
  const runs = [new Run(), new Run()];
  for (const run of runs) expect(await run.load(catenary, {})).toBe(true);
  for (const run of runs) await until(() => run.frame !== undefined);
  const [first, second] = runs;
  const pair = new Pair(first, second);
  pair.setSpeed(Number.POSITIVE_INFINITY);
  const start = readNode(first.frame!, 16);
  const { u } = first.frame!.objects[0] as { u: Float64Array };
  pair.hold({ kind: 'node', object: 'chain', label: first.labels[0][16], material: [u[16]], point: start });
  const hashes = runs.map((run) => {
    const byStep = new Map<number, string>();
    run.addEventListener('change', () => run.hash !== undefined && byStep.set(run.step, run.hash));
    return byStep;
  });
  let drags = 0;
  first.addEventListener('change', () => {
    drags++;
    pair.drag([start[0] + 0.2 * Math.sin(drags), start[1] + 0.2, start[2] + 0.2 * Math.cos(drags)]);
  });
  pair.play();
  // stretches of 50 steps at this speed, each of which ends with a frame of both
  const ends = [50, 100, 150, 200, 250, 300];
  await until(() => hashes.every((of) => of.has(300)));
  pair.dispose();
  first.dispose();
  expect(drags).toBeGreaterThan(6);
  expect(ends.map((step) => hashes[1].get(step))).toEqual(ends.map((step) => hashes[0].get(step)));
  expect(hashes[0].get(300)).toMatch(/^[0-9a-f]+$/);
});
