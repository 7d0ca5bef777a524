/** What the studio shows beyond shapes: forces as arrows, mesh lines, colour maps, and a view that follows the run. */
import type { ForceFrame } from 'heddle/model';
import { Color, SRGBColorSpace } from 'three';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { FORCE_COLOURS } from '../../studio/src/arrows.ts';
import { computeColour } from '../../studio/src/colour-map.ts';
import { encodeShare } from '../../studio/src/panels/share.ts';
import { pause } from './scene-acts.ts';
import { findScene, openApp, openScene, press, pressOn } from './studio-page.ts';
import { until, untilPasses } from './until.ts';

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
});

/** The scene at a step, paused, drawn. */
async function openAt(name: string, step: number): Promise<HeddleScenePage> {
  const page = await openScene(name);
  await pause(page);
  await page.run.runTo(Math.max(step, page.run.recorded[1]));
  page.player.seek(step);
  await until(() => page.player.frame!.step === step);
  return page;
}

/** A scene of one's own, paused. */
async function openText(scene: object): Promise<HeddleScenePage> {
  // who asked for less motion gets a scene that rests at its start, however slow this machine is
  const { matchMedia } = window;
  window.matchMedia = (query) => matchMedia.call(window, query.includes('reduced-motion') ? 'all' : query);
  const link = await encodeShare(JSON.stringify({ heddle: 1, title: 'A test', ...scene }));
  const page = await findScene(await openApp(`#/share/${link}`));
  window.matchMedia = matchMedia;
  await pause(page);
  expect(page.player.step).toBe(0);
  return page;
}

/** Waits until what was asked for is in the picture, however long drawing takes. */
const see = (check: () => void) => untilPasses(check);

const shot = (page: HeddleScenePage): ImageData => {
  const picture = page.viewport!.capture()!;
  return picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
};

/** Number of pixels of a colour within a distance of a place. */
function countNear({ data, width, height }: ImageData, colour: string, x: number, y: number, reach: number): number {
  const { r, g, b } = new Color(colour).getRGB({ r: 0, g: 0, b: 0 }, SRGBColorSpace);
  let count = 0;
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(height, y + reach); row++)
    for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(width, x + reach); column++) {
      const at = 4 * (row * width + column);
      const off = Math.abs(data[at] - 255 * r) + Math.abs(data[at + 1] - 255 * g) + Math.abs(data[at + 2] - 255 * b);
      if (off < 24) count++;
    }
  return count;
}

const countAll = (image: ImageData, colour: string): number => {
  // the key in the lower left corner shows the colours too
  const y = (image.height - 60) / 2;
  return countNear({ ...image, data: image.data, width: image.width, height: image.height - 60 } as ImageData, colour, image.width / 2, y, Math.max(image.width, y)); // biome-ignore format: one line
};

const largest = ({ x, f }: ForceFrame): { at: [number, number, number]; way: [number, number, number] } => {
  let best = 0;
  const size = (i: number) => Math.hypot(f[i], f[i + 1], f[i + 2]);
  for (let i = 0; i < f.length; i += 3) if (size(i) > size(best)) best = i;
  return { at: [x[best], x[best + 1], x[best + 2]], way: [f[best], f[best + 1], f[best + 2]] };
};

const switchOf = async (page: HeddleScenePage, name: string): Promise<HTMLInputElement> => {
  const panel = await until(() => page.shadowRoot!.querySelector('heddle-view-panel'));
  await panel.updateComplete;
  return panel.shadowRoot!.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
};

const legendOf = (page: HeddleScenePage): string =>
  page.viewport!.shadowRoot!.querySelector('.legend')!.textContent!.replace(/\s+/g, ' ');

describe('forces', () => {
  test('The force switch draws arrows in their colours where pins and an edge act, with a key', async () => {
    // a rope from a pin over the edge of a table
    const page = await openText({
      name: 'edge',
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.003, linearDensity: 0.05, stretchStiffness: 2000, bendingStiffness: 0, friction: 0 },
          points: [[-0.5, 0.003, 0], [0, 0.003, 0], [0.003, 0, 0], [0.003, -0.4, 0]], // biome-ignore format: points
          nodes: 21,
          damping: { mass: 5, stiffness: 0.001 },
        },
      ],
      bodies: [{ id: 'table', shape: { type: 'box', size: [1, 0.6, 0.6] }, position: [-0.5, -0.3, 0] }],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      time: { step: 0.005, duration: 2 },
    });
    await page.run.runTo(200);
    await until(() => page.player.frame!.step >= 200);
    const { forces } = page.player.frame!;
    expect(forces.map(({ kind }) => kind).sort()).toEqual(['constraint', 'contact']);
    const countBoth = () => Object.values(FORCE_COLOURS).map((colour) => countAll(shot(page), colour));
    await see(() => expect(countBoth()).toEqual([0, 0]));
    expect(legendOf(page)).not.toContain('force');

    const box = await switchOf(page, 'forces');
    expect(box.checked).toBe(false);
    box.click();
    await see(() => expect(Math.min(...countBoth())).toBeGreaterThan(20));
    const image = shot(page);
    for (const force of forces) {
      const { at, way } = largest(force);
      const size = Math.hypot(...way);
      const from = page.viewport!.locate(at)!;
      const to = page.viewport!.locate(at.map((x, k) => x + (0.05 * way[k]) / size) as [number, number, number])!;
      // along the arrow, and none on the other side of the point
      expect(countNear(image, FORCE_COLOURS[force.kind], to.x, to.y, 6), force.kind).toBeGreaterThan(8);
      const behind = { x: 2 * from.x - to.x, y: 2 * from.y - to.y };
      expect(countNear(image, FORCE_COLOURS[force.kind], behind.x, behind.y, 4), force.kind).toBe(0);
    }
    await see(() => expect(legendOf(page)).toMatch(/contact force constraint force = [\d.]+ m?N/));
    box.click();
    await see(() => expect(countBoth()).toEqual([0, 0]));
  });

  test('The keys F and M switch forces and mesh lines', async () => {
    const page = await openScene('strand-catenary');
    press('f');
    press('m');
    expect(page.settings).toMatchObject({ forces: true, lines: true });
    press('f');
    expect(page.settings).toMatchObject({ forces: false, lines: true });
  });
});

describe('mesh lines', () => {
  test('Mesh lines put a pale ring at every node in place of its sphere', async () => {
    const page = await openText({
      name: 'thick',
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.03, linearDensity: 0.5, stretchStiffness: 2000, bendingStiffness: 0 },
          points: [[-0.5, 0, 0], [0.5, 0, 0]], // biome-ignore format: points
          nodes: 9,
        },
      ],
      time: { step: 0.01, duration: 1 },
    });
    const [curve] = page.player.frame!.objects;
    const nodes = curve.u.length;
    /** How light the tube is, on its side towards the camera, at a share of the way from each inner node to the next. */
    const measureLight = (share: number) => {
      const image = shot(page);
      const eye = page.viewport!.camera!.place().position;
      return Array.from({ length: nodes - 4 }, (_, n) => {
        // the strand lies along x
        const across = curve.radius / Math.hypot(eye.y, eye.z);
        const along = (1 - share) * curve.x[3 * n + 6] + share * curve.x[3 * n + 9];
        const { x, y } = page.viewport!.locate([along, across * eye.y, across * eye.z])!;
        const at = 4 * (Math.round(y) * image.width + Math.round(x));
        return image.data[at] + image.data[at + 1] + image.data[at + 2];
      });
    };
    await see(() => expect(Math.max(...measureLight(0))).toBeGreaterThan(0));
    const before = [measureLight(0), measureLight(0.5)];
    const countLighter = (share: number, old: readonly number[]) =>
      measureLight(share).filter((light, n) => light > old[n] + 120).length;
    (await switchOf(page, 'lines')).click();
    await see(() => expect(countLighter(0, before[0])).toBe(nodes - 4));
    expect(countLighter(0.5, before[1])).toBe(0);
    await see(() => expect(legendOf(page)).toContain('element'));
    expect(legendOf(page)).not.toContain('L-node');
  });

  test('Mesh lines draw the triangles of bodies', async () => {
    const page = await openText({
      name: 'box',
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.01, linearDensity: 0.5, stretchStiffness: 2000, bendingStiffness: 0 },
          points: [[-0.5, 0.8, 0], [0.5, 0.8, 0]], // biome-ignore format: points
          nodes: 5,
        },
      ],
      bodies: [{ id: 'box', shape: { type: 'box', size: [1, 1, 1] } }],
      time: { step: 0.01, duration: 1 },
    });
    /** Spread of light about the middle of the front face, where the diagonal of its two triangles passes. */
    const measureSpread = () => {
      const image = shot(page);
      const { x, y } = page.viewport!.locate([0, 0, 0.5])!;
      const light: number[] = [];
      for (let row = -4; row <= 4; row++)
        for (let column = -4; column <= 4; column++)
          light.push(image.data[4 * ((Math.round(y) + row) * image.width + Math.round(x) + column)]);
      return light[40] === 0 ? Number.NaN : Math.max(...light) - Math.min(...light);
    };
    await see(() => expect(measureSpread()).toBeLessThan(8));
    (await switchOf(page, 'lines')).click();
    await see(() => expect(measureSpread()).toBeGreaterThan(20));
  });
});

test('Colour maps paint every node with the colour of its value in the shown range', async () => {
  const page = await openAt('strand-catenary', 100);
  const [curve] = page.player.frame!.objects;
  for (const mode of ['strain', 'tension', 'curvature', 'speed'] as const) {
    page.settings = { ...page.settings, colour: mode, nodes: false };
    await see(() => {
      const map = page.viewport!.shadowRoot!.querySelector('.legend .map')!;
      expect(map.textContent).toContain(`${mode} [`);
      const [low, high] = [...map.querySelectorAll('.ends span')].map((end) => Number(end.textContent));
      const values = Array.from(curve.fields[mode], (value) => (mode === 'strain' ? 100 : 1) * value);
      expect(high).toBeGreaterThanOrEqual(0.99 * Math.max(...values));
      const image = shot(page);
      // light and shade change a colour's lightness, hardly its hue
      const off = values.slice(1, -1).map((value, i) => {
        const hue = computeHue(computeColour((value - low) / (high - low)));
        const way = Math.abs(measureHue(page, image, i + 1) - hue);
        return Math.min(way, 1 - way);
      });
      expect(off.reduce((a, b) => a + b, 0) / off.length, mode).toBeLessThan(0.05);
    });
  }
});

test('The last frame of a changed scene leaves no trace in camera and colours of the new one', async () => {
  const page = await openAt('strand-pendulum', 100);
  const { shown, frame } = page.run;
  // a view that only this test feeds
  const viewport = document.createElement('heddle-viewport');
  Object.assign(viewport.style, { display: 'block', width: '300px', height: '200px' });
  Object.assign(viewport, { shown, frame, settings: { colour: 'speed' } });
  document.body.replaceChildren(viewport);
  await see(() => expect(viewport.describe()?.range[1]).toBeGreaterThan(0.1));
  // as when a scene is loaded anew and its first frame is still on its way
  const drawn = vi.spyOn(WebGL2RenderingContext.prototype, 'fenceSync');
  viewport.shown = { ...shown!, limits: { ...shown!.limits, ranges: { speed: [0, 0.01] } } };
  await viewport.updateComplete;
  for (let n = 0; n < 5; n++) await new Promise(requestAnimationFrame);
  expect(drawn).not.toHaveBeenCalled();
  viewport.frame = { ...frame!, objects: frame!.objects.map((one) => ({ ...one, fields: {} })) };
  await until(() => drawn.mock.calls.length > 0);
  expect(viewport.describe()!.range).toEqual([0, 0.01]);
});

const computeHue = ([r, g, b]: readonly number[]): number =>
  new Color(r / 255, g / 255, b / 255).getHSL({ h: 0, s: 0, l: 0 }).h;

/** Hue of the picture at a node [0..1]. */
function measureHue(page: HeddleScenePage, image: ImageData, i: number): number {
  const { x: points } = page.player.frame!.objects[0];
  const { x, y } = page.viewport!.locate([points[3 * i], points[3 * i + 1], points[3 * i + 2]])!;
  const at = 4 * (Math.round(y) * image.width + Math.round(x));
  return computeHue([...image.data.subarray(at, at + 3)]);
}

test('Only a new frame, not a rotating camera, sends data to the graphics card', async () => {
  const page = await openScene('strand-catenary');
  await pause(page);
  const { prototype } = WebGL2RenderingContext;
  const sent = vi.spyOn(prototype, 'bufferSubData');
  const drawn = vi.spyOn(prototype, 'fenceSync');
  const stage = page.viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!;
  stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  await until(() => drawn.mock.calls.length > 0);
  expect(sent).not.toHaveBeenCalled();
  const { step } = page.player;
  page.player.stepOnce();
  await until(() => page.player.step > step);
  await until(() => sent.mock.calls.length > 0);
});

describe('a view without a camera of its own', () => {
  const fall = {
    name: 'fall',
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: 0.005, linearDensity: 0.05, stretchStiffness: 2000, bendingStiffness: 0 },
        points: [[-0.5, 0, 0], [0.5, 0, 0]], // biome-ignore format: points
        nodes: 11,
      },
    ],
    time: { step: 0.01, duration: 3 },
  };
  const middle = (page: HeddleScenePage): { x: number; y: number } => {
    const { x } = page.player.frame!.objects[0];
    return page.viewport!.locate([x[15], x[16], x[17]])!;
  };

  test('The view follows a rope that falls out of the image, and a ringed point stays ringed', async () => {
    const page = await openText(fall);
    page.highlight = [0, -4, 0];
    const { height } = shot(page);
    const home = page.viewport!.camera!.place();
    await page.run.runTo(100);
    await until(() => page.player.frame!.step >= 100);
    // 4.9 m down: five times its own size
    expect(page.run.limits!.objects.low[1]).toBeLessThan(-4.5);
    await until(() => middle(page).y < height && middle(page).y > 0);
    expect(page.viewport!.camera!.isMoved).toBe(false);
    expect(page.viewport!.camera!.place().position.distanceTo(home.position)).toBeGreaterThan(1);
    await pause(page);
    const ring = page.viewport!.shadowRoot!.querySelector('.ring')!;
    await see(() => expect(Number(ring.getAttribute('cy'))).toBeCloseTo(page.viewport!.locate([0, -4, 0])!.y, 3));
  });

  test('The view rests during a drag and follows after the release', async () => {
    const held = { ...fall.objects[0], id: 'held', points: [[-0.5, 0.3, 0], [0.5, 0.3, 0]] }; // biome-ignore format: points
    const pins = ['start', 'end'].map((at) => ({ type: 'pin', on: { object: 'held', at } }));
    const page = await openText({ ...fall, objects: [...fall.objects, held], drivers: pins });
    const home = page.viewport!.camera!.place();
    const measureWay = () => page.viewport!.camera!.place().position.distanceTo(home.position);
    const mouse = pressOn(page.viewport!, [0, 0.3, 0]);
    mouse.move(5);
    await until(() => page.run.pull !== null);
    // limits are told less often than frames
    await until(() => page.run.limits!.objects.low[1] < -4.5);
    expect(page.run.pull).not.toBeNull();
    expect(measureWay()).toBe(0);
    mouse.release(5);
    await until(() => measureWay() > 1);
  });

  test('The view stays where the user put it until it is sent home', async () => {
    const page = await openText(fall);
    const { height } = shot(page);
    const viewport = page.viewport!;
    const stage = viewport.shadowRoot!.querySelector<HTMLElement>('.stage')!;
    stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    expect(viewport.camera!.isMoved).toBe(true);
    const place = viewport.camera!.place();
    await page.run.runTo(100);
    await until(() => page.player.frame!.step >= 100);
    await see(() => expect(middle(page).y).toBeGreaterThan(height));
    expect(viewport.camera!.place().position.distanceTo(place.position)).toBe(0);
    stage.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }));
    await see(() => expect(middle(page).y).toBeLessThan(height));
  });
});
