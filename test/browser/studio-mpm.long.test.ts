/** Continua in the studio: what is seen, coloured, told, pointed at and changed of them. */
import type { PointsFrame, SurfaceFrame, YarnsFrame } from 'heddle/model';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nameHeld } from '../../studio/src/app/held.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { NODE_COLOURS } from '../../studio/src/overlay.ts';
import { GROUP_PALETTE } from '../../studio/src/points-cloud.ts';
import { countColours, pause } from './scene-acts.ts';
import { dropScene, press } from './studio-page.ts';
import { until } from './until.ts';

let complaints: string[] = [];

beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')));
});

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});

/** Sand and water side by side under a cloth and two hairs, on a floor. */
const SCENE = {
  heddle: 1,
  name: 'mixed',
  title: 'Mixed',
  objects: [
    {
      type: 'mpm',
      id: 'continuum',
      spacing: 0.05,
      parts: [
        {
          id: 'cloth',
          pattern: { type: 'rectangle', width: 0.5, height: 0.5, columns: 10, rows: 10 },
          material: { type: 'surface', preset: 'cloth-curtain', thickness: 0.01 },
          position: [0, 0.7, 0],
        },
        {
          id: 'hair',
          pattern: { type: 'lines', lines: [[[-0.5, 0.5, 0.2], [-0.5, 0.9, 0.2]], [[0.5, 0.5, 0.2], [0.5, 0.9, 0.2]]], size: 0.05 }, // biome-ignore format: lines
          material: { type: 'curve', radius: 0.01, density: 100, youngsModulus: 1e4, poissonRatio: 0.3, shearStiffness: 0, frictionAngle: 20, fibreStiffness: 1e4 }, // biome-ignore format: numbers
        },
        {
          id: 'sand',
          pattern: { type: 'fill', shape: { type: 'box', size: [0.3, 0.3, 0.3] } },
          material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
          position: [-0.3, 0.2, 0],
        },
        {
          id: 'water',
          pattern: { type: 'fill', shape: { type: 'box', size: [0.3, 0.3, 0.3] } },
          material: { type: 'fluid', density: 1000, bulkModulus: 1e4 },
          position: [0.3, 0.2, 0],
        },
      ],
    },
  ],
  bodies: [{ id: 'floor', shape: { type: 'plane' } }],
  time: { step: 0.002, duration: 1 },
  view: { camera: { position: [0.3, 0.8, 3], target: [0, 0.45, 0] } },
};

async function openMixed(scene: object = SCENE): Promise<HeddleScenePage> {
  const page = await dropScene(new File([JSON.stringify(scene)], 'mixed.json'));
  await pause(page);
  page.player.reset();
  await until(() => page.player.step === 0 && countColours(page) > 300);
  return page;
}

const legendOf = (page: HeddleScenePage): string[] =>
  [...page.viewport!.shadowRoot!.querySelectorAll('.legend li')].map((entry) =>
    entry.textContent!.replace(/\s+/g, ' ').trim(),
  );

const stageOf = (page: HeddleScenePage) => page.viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!;

/** Mean colour of the picture about a world point. */
function readColour(page: HeddleScenePage, point: [number, number, number]): number[] {
  const { x, y } = page.viewport!.locate(point)!;
  const { data } = page
    .viewport!.capture()!
    .getContext('2d')!
    .getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
  return [0, 1, 2].map((k) => data.reduce((sum, value, i) => sum + (i % 4 === k ? value / 9 : 0), 0));
}

function findObject<Type extends 'surface' | 'yarns' | 'points'>(page: HeddleScenePage, id: string, _type: Type) {
  const objects = page.player.frame!.objects as readonly (SurfaceFrame | YarnsFrame | PointsFrame)[];
  return objects.find((object) => object.id === id) as Extract<(typeof objects)[number], { type: Type }>;
}

test('Parts are drawn by their kind in the colours of the key, and vertices have balls', async () => {
  const page = await openMixed();
  expect(page.player.frame!.objects.map(({ id, type }) => `${id} ${type}`)).toEqual([
    'cloth surface',
    'hair yarns',
    'sand points',
    'water points',
  ]);
  const legend = await until(() => legendOf(page).length >= 4 && legendOf(page));
  expect(legend).toEqual(['L-node', 'sand', 'water', expect.stringMatching(/^check /)]);
  const dots = [...page.viewport!.shadowRoot!.querySelectorAll<HTMLElement>('.legend .dot')];
  const named = dots.map(({ style }) => style.backgroundColor.replaceAll(' ', ''));
  expect(named[0]).toBe(
    `rgb(${[1, 3, 5].map((k) => Number.parseInt(NODE_COLOURS.lagrangian.slice(k, k + 2), 16)).join()})`,
  );
  // sand has the first colour, fluids have the second
  expect(named.slice(1)).toEqual([GROUP_PALETTE[0], GROUP_PALETTE[1]]);
  for (const [n, place] of (
    [
      [-0.3, 0.2, 0.15],
      [0.3, 0.2, 0.15],
    ] as const
  ).entries()) {
    const [r, g, b] = readColour(page, [...place]);
    const wanted = GROUP_PALETTE[n].match(/\d+/g)!.map(Number);
    const norm = (of: readonly number[]) => of.map((value) => value / Math.hypot(...of));
    norm([r, g, b]).forEach((value, k) => {
      expect(value, `part ${n}`).toBeCloseTo(norm(wanted)[k], 0.7);
    });
  }
  // a blue ball on a vertex in the middle of a hair, which is gone without nodes
  const hair = findObject(page, 'hair', 'yarns');
  const measureBlue = () => {
    const [r, g, b] = readColour(page, [hair.x[12], hair.x[13], hair.x[14]]);
    return b - Math.max(r, g);
  };
  const before = measureBlue();
  page.settings = { ...page.settings, nodes: false };
  await until(() => !legendOf(page).includes('L-node') && measureBlue() < before - 40);
});

test('Colour maps of pressure and speed are offered and have a scale', async () => {
  const page = await openMixed();
  const choices = await until(() => {
    const panel = page.shadowRoot!.querySelector('heddle-view-panel')?.shadowRoot;
    const found = [...(panel?.querySelectorAll<HTMLInputElement>('input[name=colour]') ?? [])];
    return found.length > 3 && found;
  });
  const titles = choices.map((choice) => choice.parentElement!.querySelector('b')!.textContent);
  expect(titles).toEqual(['Material', 'Strain', 'Pressure', 'Speed']);
  await page.run.runTo(60);
  choices[2].click();
  await until(() => legendOf(page).some((entry) => entry.startsWith('pressure [Pa] ')));
  const { pressure } = findObject(page, 'water', 'points').fields;
  expect(Math.max(...pressure)).toBeGreaterThan(100);
  await until(() => page.viewport!.describe()!.range[1] >= Math.max(...pressure));
  // no colour of a part stands for a pressure
  expect(legendOf(page).some((entry) => entry === 'sand')).toBe(false);
});

test('A particle under the pointer is ringed, can be dragged and is released', async () => {
  const page = await openMixed();
  const sand = findObject(page, 'sand', 'points');
  const spot = page.viewport!.locate([-0.3, 0.2, 0.15])!;
  const stage = stageOf(page);
  stage.setPointerCapture = () => {};
  const { left, top } = stage.getBoundingClientRect();
  const event = (type: string, buttons: number, more = 0) =>
    stage.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        pointerType: 'mouse',
        buttons,
        clientX: left + spot.x + more,
        clientY: top + spot.y,
        bubbles: true,
        composed: true,
        cancelable: true,
      }),
    );
  event('pointermove', 0);
  await until(() => page.pointed !== undefined);
  const { pointed } = page;
  if (pointed?.kind !== 'node') throw new Error('no particle is pointed at');
  expect(page.player.frame!.objects[pointed.object]).toBe(sand);
  // of the front face
  expect(sand.x[3 * pointed.node + 2]).toBeGreaterThan(0.1);
  await page.viewport!.updateComplete;
  expect(page.viewport!.shadowRoot!.querySelectorAll('.ring')).toHaveLength(1);
  expect(stage.dataset.grab).toBe('ready');
  event('pointerdown', 1);
  event('pointermove', 1, 60);
  // the spring ends at the pointer
  await until(() => page.run.pull !== null && page.run.pull.to[0] > page.run.pull.from[0] + 0.01);
  event('pointerup', 0, 60);
  await until(() => page.run.pull === null);
  expect(page.viewport!.camera!.isMoved).toBe(false);
  expect(page.run.message).toBe('');
});

test.each([
  ['cloth', 'surface'],
  ['hair', 'yarns'],
  ['sand', 'points'],
] as const)('The %s follows a drag', async (id, type) => {
  const page = await openMixed({ ...SCENE, gravity: [0, 0, 0] });
  const at = page.player.frame!.objects.findIndex((object) => object.id === id);
  const { x } = findObject(page, id, type);
  const point: [number, number, number] = [x[0], x[1], x[2]];
  const held = nameHeld({ kind: 'node', object: at, node: 0, point }, page.run)!;
  page.run.hold(held);
  page.run.drag([point[0], point[1] + 0.2, point[2]]);
  await page.run.runTo(40);
  await until(() => findObject(page, id, type).x[1] > point[1] + 0.01);
  page.run.release();
  await until(() => page.run.pull === null);
});

test('A number of a part changed in the panel restarts the particles with it', async () => {
  const page = await openMixed();
  const count = () => findObject(page, 'sand', 'points').group.length;
  expect(count()).toBe(8 * 6 ** 3);
  await page.override('/objects/0/parts/2/pattern/shape/size/1', 0.15);
  await until(() => count() === 4 * 6 ** 3);
  page.shadowRoot!.querySelector<HTMLElement>('#tab-parameters')!.click();
  const panel = await until(() => page.shadowRoot!.querySelector('heddle-parameters')?.shadowRoot);
  const path = '/objects/0/parts/2/material/frictionAngle';
  const field = await until(() => {
    for (const part of panel.querySelectorAll('details')) part.open = true;
    return panel.querySelector<HTMLInputElement>(`[data-path="${path}"]`);
  });
  expect(field.value).toBe('30');
  field.value = '40';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await until(() => page.text.includes('"frictionAngle": 40'));
  expect(page.run.message).toBe('');
});

test('Mesh lines, forces and steps work as with other objects', async () => {
  const page = await openMixed();
  press('m');
  await until(() => legendOf(page).includes('element'));
  press('f');
  await until(() => legendOf(page).includes('contact force'));
  page.player.stepOnce();
  await until(() => page.player.step === 1);
  const at = page.run.measureColumns.indexOf('nodes');
  const [first] = page.run.measures.subarray(at);
  // particles and vertices of all parts
  const [sand, water] = ['sand', 'water'].map((id) => findObject(page, id, 'points').group.length);
  expect(first).toBeGreaterThan(sand + water + findObject(page, 'cloth', 'surface').kind.length);
});
