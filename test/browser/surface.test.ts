/** Sheets and particles in the view and in the studio, fed with hand-made frames. */
import { encodeFrame, encodeHeader, encodeScene } from 'heddle/io';
import type { Frame, SurfaceFrame } from 'heddle/model';
import { Vector3 } from 'three';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page as browser } from 'vitest/browser';
import { findSheet, type HeddleMaterialSheet } from '../../studio/src/app/material-sheet.ts';
import { pickNode } from '../../studio/src/app/picking.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { GROUP_PALETTE } from '../../studio/src/points-cloud.ts';
import { PointsHull } from '../../studio/src/points-hull.ts';
import { SceneView, type ViewScene } from '../../studio/src/view.ts';
import { makeParticles, makeSheet, placeSheet } from '../unit/sheet-run.ts';
import { createEngineScene } from './engine-scene.ts';
import { countColours } from './scene-acts.ts';
import { dropScene } from './studio-page.ts';
import { box, computeLimits, createSheetFrame, sheetScene } from './surface-sample.ts';
import { until } from './until.ts';

const [WIDTH, HEIGHT] = [640, 400];
const open: SceneView[] = [];
let complaints: string[] = [];

beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')));
});

afterEach(() => {
  for (const view of open.splice(0)) view.dispose();
  document.body.replaceChildren();
  location.hash = '#/';
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});

type Colour = [number, number, number];

function draw(scene: ViewScene, frame: Frame = createSheetFrame(), bodies = [box]) {
  const view = new SceneView({
    scene,
    bodies,
    limits: computeLimits(frame, bodies),
    width: WIDTH,
    height: HEIGHT,
    pixelRatio: 1,
  });
  open.push(view);
  view.setFrame(frame);
  /** The picture as it is now: mean colour of 3 × 3 pixels about a world point. */
  const look = () => {
    const context = view.capture().getContext('2d')!;
    return (point: readonly [number, number, number]): Colour => {
      const { x, y } = view.project(point);
      const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
      const mean = (channel: number) => data.reduce((sum, value, i) => sum + (i % 4 === channel ? value : 0), 0) / 9;
      return [mean(0), mean(1), mean(2)];
    };
  };
  return { view, look };
}

const sum = (colour: Colour) => colour[0] + colour[1] + colour[2];
const bare = { ...sheetScene, view: { ...sheetScene.view, nodes: false } };

describe('a sheet over an edge', () => {
  test('A sheet shows the checks of its material along both coordinates', () => {
    const at = draw(bare).look();
    // checks of 10 cm on the flat part; the first colour is lighter where the indices of the check have an even sum
    let [light, dark] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 6; j++) {
        const brightness = sum(at(placeSheet(0.1 * i + 0.05, 0.1 * j + 0.05, 0.5)));
        if ((i + j) % 2 === 0) light = Math.min(light, brightness);
        else dark = Math.max(dark, brightness);
      }
    }
    expect(light).toBeGreaterThan(dark + 60);
  });

  test('The checks of a sheet move with its material, so that sliding by one check swaps the colours', () => {
    const { view, look } = draw(bare);
    const spot = placeSheet(0.25, 0.25, 0.5);
    const before = sum(look()(spot));
    view.setFrame(createSheetFrame([makeSheet(0.1, 25, 17)], 1));
    expect(Math.abs(before - sum(look()(spot)))).toBeGreaterThan(60);
  });

  test('A sheet has red E-nodes and a red crease on the edge and blue L-nodes, each where it projects to', () => {
    const sheet = makeSheet(0, 9, 7);
    const at = draw(sheetScene, createSheetFrame([sheet])).look();
    const colourOf = (v: number) => at([sheet.x[3 * v], sheet.x[3 * v + 1], sheet.x[3 * v + 2]]);
    for (const vertex of sheet.creases) {
      const [red, green, blue] = colourOf(vertex);
      expect(red, `vertex ${vertex}`).toBeGreaterThan(1.8 * Math.max(green, blue));
    }
    // between two E-nodes
    const middle = at([0, 0, 0.25]);
    expect(middle[0]).toBeGreaterThan(1.4 * Math.max(middle[1], middle[2]));
    // an L-node in the middle of the flat part
    const [red, green, blue] = colourOf(2 * 7 + 3);
    expect(blue).toBeGreaterThan(1.3 * Math.max(red, green));
  });

  test('A sheet is shaded sharply across the crease and smoothly elsewhere', () => {
    const white = { ...bare, view: { ...bare.view, checker: 100 } };
    // both faces in one check; the hanging part is turned away from the key light
    const at = draw(white).look();
    const top = sum(at(placeSheet(0.46, 0.3, 0.5)));
    const side = sum(at(placeSheet(0.54, 0.3, 0.5)));
    expect(top).toBeGreaterThan(side + 40);
    expect(Math.abs(top - sum(at(placeSheet(0.4, 0.3, 0.5))))).toBeLessThan(15);
  });

  test('The back of a sheet is darker than its front', () => {
    // the same flat sheet from above, once turned over by reversing its triangles
    const flat = { ...makeSheet(-0.5, 9, 7), creases: new Int32Array(0) };
    const turned = { ...flat, triangles: flat.triangles.slice().reverse() };
    const scene = { name: 'flat', view: { nodes: false, checker: 100 } };
    const centre = placeSheet(0.5, 0.3, 1);
    const front = sum(draw(scene, createSheetFrame([flat]), []).look()(centre));
    const back = sum(draw(scene, createSheetFrame([turned]), []).look()(centre));
    expect(front).toBeGreaterThan(back + 30);
  });

  test('Mesh lines darken the edges of a sheet and can be switched', () => {
    const { view, look } = draw(
      { ...bare, view: { ...bare.view, checker: 100 } },
      createSheetFrame([makeSheet(0, 6, 5)]),
    );
    // column 1 of the mesh is X₀ = 0.2
    const edge = placeSheet(0.2, 0.225, 0.5);
    const before = sum(look()(edge));
    view.show({ lines: true });
    expect(sum(look()(edge))).toBeLessThan(before - 25);
    view.show({ lines: false });
    expect(sum(look()(edge))).toBeCloseTo(before, 0);
  });

  test('A colour map paints low values of a sheet dark violet and high ones yellow', () => {
    const at = draw({ ...bare, view: { ...bare.view, colour: 'strain' } }).look();
    const low = at(placeSheet(0.03, 0.03, 0.5));
    const high = at(placeSheet(0.9, 0.55, 0.5));
    expect(low[2]).toBeGreaterThan(low[1]);
    expect(Math.min(high[0], high[1])).toBeGreaterThan(1.3 * high[2]);
  });

  test('A drawn sheet follows its mesh as it grows, shrinks, goes and comes back', { tags: 'long' }, () => {
    const { view, look } = draw(bare);
    const spot = placeSheet(0.25, 0.15, 0.5);
    const before = look()(spot);
    for (const columns of [60, 5, 31]) view.setFrame(createSheetFrame([makeSheet(0, columns, columns)]));
    const same = look()(spot);
    for (let k = 0; k < 3; k++) expect(Math.abs(same[k] - before[k])).toBeLessThan(8);
    view.setFrame(createSheetFrame([]));
    expect(Math.abs(sum(look()(spot)) - sum(before))).toBeGreaterThan(20);
    view.setFrame(createSheetFrame());
    expect(look()(spot)).toEqual(before);
  });
});

describe('particles', () => {
  test('200,000 particles of two materials are balls in their colours in one draw call', { tags: 'long' }, async () => {
    const sand = makeParticles(200_000);
    const { view, look } = draw({ name: 'sand' }, createSheetFrame([sand]), []);
    const at = look();
    // group 0 orange, group 1 sky blue; the front face of the block is z near 0.3
    const [orange, blue] = [at([0.07, 0.15, 0.297]), at([0.22, 0.15, 0.297])];
    expect(orange[0]).toBeGreaterThan(1.8 * orange[2]);
    expect(blue[2]).toBeGreaterThan(1.5 * blue[0]);
    expect(view.describe().groups).toEqual([
      { name: 'sand 1', colour: GROUP_PALETTE[0] },
      { name: 'sand 2', colour: GROUP_PALETTE[1] },
    ]);
    const drawAnew = (frame: Frame) => countDrawCalls(view, () => view.setFrame(frame));
    const drawAgain = () => countDrawCalls(view, () => view.render());
    const [anew, again] = [drawAnew(createSheetFrame([sand])), drawAgain()];
    const [anewWithout, againWithout] = [drawAnew(createSheetFrame([])), drawAgain()];
    // one for the picture, and one for the shadow, which stays when only the camera moves
    expect(anew - anewWithout).toBe(2);
    expect(again - againWithout).toBe(1);
  });

  test('A block drawn without its inner particles looks like the whole block', { tags: 'long' }, () => {
    const sand = makeParticles(27_000);
    const { view } = draw({ name: 'sand' }, createSheetFrame([sand]), []);
    const read = () => {
      const picture = view.capture();
      return picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height).data;
    };
    const hollow = read();
    const list = vi
      .spyOn(PointsHull.prototype, 'list')
      .mockImplementation((x) => Uint32Array.from({ length: x.length / 3 }, (_, i) => i));
    view.setFrame(createSheetFrame([sand]));
    expect(list).toHaveBeenCalledTimes(1);
    const whole = read();
    let differ = 0;
    for (let i = 0; i < whole.length; i++) if (Math.abs(whole[i] - hollow[i]) > 12) differ++;
    expect(differ).toBeLessThan(1e-4 * whole.length);
  });

  test('Particles are picked where they are seen, not inside a block', () => {
    const sand = makeParticles(8000);
    const frame = createSheetFrame([makeSheet(0, 5, 5), sand]);
    const { view } = draw({ name: 'sand' }, frame, []);
    const eye = view.camera.position;
    const measure = (i: number) => eye.distanceTo(new Vector3(sand.x[3 * i], sand.x[3 * i + 1], sand.x[3 * i + 2]));
    for (let i = 0; i < 8000; i += 57) {
      const spot = view.project([sand.x[3 * i], sand.x[3 * i + 1], sand.x[3 * i + 2]]);
      const picked = pickNode(view, frame, spot, 14);
      if (picked?.kind !== 'node') throw new Error(`particle ${i} is not found`);
      expect(picked.object).toBe(1);
      // it lies before the one that was aimed at, or is that
      expect(measure(picked.node)).toBeLessThan(measure(i) + 3 * sand.radius);
      const near = view.project(picked.point);
      expect(Math.hypot(near.x - spot.x, near.y - spot.y)).toBeLessThan(14);
    }
    expect(pickNode(view, frame, { x: 2, y: 2 }, 14)).toBeUndefined();
  });

  test('A ball is brighter above than below, and the number of balls may change', { tags: 'long' }, () => {
    const many = makeParticles(8);
    const { view, look } = draw({ name: 'balls' }, createSheetFrame([many]), []);
    const [red, , blue] = look()([many.x[21], many.x[22], many.x[23]]);
    expect(blue).toBeGreaterThan(1.3 * red);
    view.setFrame(createSheetFrame([makeParticles(1)]));
    const at = look();
    expect(sum(at([0, 0.045, 0.04]))).toBeGreaterThan(sum(at([0, -0.05, 0.04])) + 60);
    // where the last of the eight was there is nothing now
    const [paleRed, , paleBlue] = at([many.x[21], many.x[22], many.x[23]]);
    expect(Math.abs(paleRed - paleBlue)).toBeLessThan(30);
    expect(() => view.setFrame(createSheetFrame([makeParticles(0)]))).not.toThrow();
  });
});

/** Calls by which the card is told to draw. */
function countDrawCalls(view: SceneView, action: () => void): number {
  const card = view.element.querySelector('canvas')!.getContext('webgl2')!;
  let calls = 0;
  const spies = (['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'] as const).map(
    (name) => {
      const original = card[name].bind(card) as (...args: unknown[]) => void;
      return vi.spyOn(card, name).mockImplementation((...args: unknown[]) => {
        calls++;
        original(...args);
      });
    },
  );
  action();
  for (const spy of spies) spy.mockRestore();
  return calls;
}

test('A view of sheets and particles frees what it drew, and the next view has its canvas', () => {
  const { view } = draw({ ...sheetScene, view: { ...sheetScene.view, lines: true } });
  view.setFrame({ ...createSheetFrame(), objects: [...createSheetFrame().objects, makeParticles(1000)] });
  const canvas = view.element.querySelector('canvas');
  open.pop()!.dispose();
  expect(draw(sheetScene).view.element.querySelector('canvas')).toBe(canvas);
});

describe('the studio', { tags: 'long' }, () => {
  /** A recorded run of sheets over the sample box, dropped on the page; the scene in it has a strand that is not in the frames. */
  async function openRun(frames: readonly Frame[]): Promise<HeddleScenePage> {
    await browser.viewport(1280, 800);
    const parts = [
      encodeHeader(),
      encodeScene(JSON.stringify(createEngineScene(true))),
      ...frames.map((frame) => encodeFrame(frame)),
    ];
    const page = await dropScene(new File(parts, 'run.heddle'));
    await until(() => page.player.recorded[1] === frames.length - 1);
    page.player.pause();
    page.player.seek(0);
    await until(() => countColours(page) > 300);
    return page;
  }

  const frames = [0, 0.1, 0.2].map((slide, f) => ({ ...createSheetFrame([makeSheet(slide, 13, 9)], f), bodies: [] }));
  const findMaterial = (page: HeddleScenePage): HeddleMaterialSheet =>
    page.shadowRoot!.querySelector('heddle-material-sheet')!;

  test('The studio shows the material of a sheet beside the world, with checks, mesh and the present crease', async () => {
    const page = await openRun(frames);
    const material = await until(() => findMaterial(page));
    const canvas = material.shadowRoot!.querySelector('canvas')!;
    await until(() => canvas.width > 100);
    const places = () => [page.viewport!, canvas].map((element) => element.getBoundingClientRect());
    const [world, flat] = places();
    expect(flat.left).toBeGreaterThanOrEqual(world.right - 1);
    expect(world.width).toBeGreaterThan(flat.width);
    await browser.viewport(390, 800);
    await until(() => places()[1].top >= places()[0].bottom - 1);
    expect(places()[0].height).toBeGreaterThan(150);
    await browser.viewport(1280, 800);
    await until(() => places()[1].left >= places()[0].right - 1);
    const redAt = (X: number) => {
      const { x, y } = material.locate([X, 0.3])!;
      const ratio = canvas.width / canvas.clientWidth;
      const { data } = canvas.getContext('2d')!.getImageData(Math.round(ratio * x), Math.round(ratio * y), 1, 1);
      return data[0] - Math.max(data[1], data[2]);
    };
    await until(() => redAt(0.5) > 80);
    expect(redAt(0.3)).toBeLessThan(40);
    page.player.seek(2);
    await until(() => redAt(0.3) > 80);
    expect(redAt(0.5)).toBeLessThan(40);
    // its colours are those of the world
    page.settings = { ...page.settings, colour: 'strain' };
    const colourAt = (X: number, Y: number) => {
      const { x, y } = material.locate([X, Y])!;
      const ratio = canvas.width / canvas.clientWidth;
      return canvas.getContext('2d')!.getImageData(Math.round(ratio * x), Math.round(ratio * y), 1, 1).data;
    };
    // low values are dark violet, high ones yellow
    await until(() => colourAt(0.05, 0.02)[2] > 1.5 * colourAt(0.05, 0.02)[1]);
    const [red, green, blue] = colourAt(0.95, 0.58);
    expect(Math.min(red, green)).toBeGreaterThan(1.5 * blue);
    // a strand has no such view, and a sheet no bar
    expect(page.shadowRoot!.querySelector('heddle-material-bar')!.hidden).toBe(true);
  });

  test('Pointing at the material of a sheet rings its point in the world', async () => {
    const page = await openRun(frames);
    const material = await until(() => findMaterial(page));
    const canvas = material.shadowRoot!.querySelector('canvas')!;
    await until(() => canvas.width > 100);
    const { left, top } = canvas.getBoundingClientRect();
    for (const X of [
      [0.2, 0.1],
      [0.4, 0.45],
    ] as const) {
      const spot = material.locate(X)!;
      canvas.dispatchEvent(
        new PointerEvent('pointermove', { clientX: left + spot.x, clientY: top + spot.y, bubbles: true }),
      );
      const expected = placeSheet(X[0], X[1], 0.5);
      await until(() => page.highlight !== undefined && Math.abs(page.highlight[0] - expected[0]) < 0.01);
      for (let k = 0; k < 3; k++) expect(Math.abs(page.highlight![k] - expected[k])).toBeLessThan(0.01);
      const ring = await until(() => page.viewport!.shadowRoot!.querySelector('.ring'));
      const drawn = page.viewport!.locate(page.highlight!)!;
      await until(() => Math.abs(Number(ring.getAttribute('cx')) - drawn.x) < 1);
    }
    // the same material goes on being pointed at while it moves
    page.player.seek(1);
    const moved = placeSheet(0.4, 0.45, 0.4);
    await until(() => Math.abs(page.highlight![0] - moved[0]) < 0.01);
    canvas.dispatchEvent(new PointerEvent('pointerleave'));
    await until(() => page.highlight === undefined);
  });

  test('Pointing at a sheet in the world rings its material point', async () => {
    const page = await openRun(frames);
    const material = await until(() => findMaterial(page));
    const stage = page.viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!;
    const { left, top } = stage.getBoundingClientRect();
    const place = placeSheet(0.3, 0.22, 0.5);
    const spot = page.viewport!.locate(place)!;
    stage.dispatchEvent(
      new PointerEvent('pointermove', {
        pointerType: 'mouse',
        buttons: 0,
        clientX: left + spot.x,
        clientY: top + spot.y,
        bubbles: true,
      }),
    );
    await until(() => material.pointed?.kind === 'node');
    const { pointed } = material;
    if (pointed?.kind !== 'node' || pointed.material === undefined) throw new Error('no material point');
    expect(Math.abs(pointed.material[0] - 0.3)).toBeLessThan(0.005);
    expect(Math.abs(pointed.material[1] - 0.22)).toBeLessThan(0.005);
    // the vertex to grab is a corner of the triangle there
    const sheet = findSheet(page.player.frame) as SurfaceFrame;
    expect(Math.hypot(sheet.X[2 * pointed.node] - 0.3, sheet.X[2 * pointed.node + 1] - 0.22)).toBeLessThan(0.08);
    await material.updateComplete;
    const canvas = material.shadowRoot!.querySelector('canvas')!;
    const ring = material.locate(pointed.material)!;
    const ratio = canvas.width / canvas.clientWidth;
    await until(() => {
      const { data } = canvas
        .getContext('2d')!
        .getImageData(Math.round(ratio * (ring.x + 8)), Math.round(ratio * ring.y), 1, 1);
      return data[0] - data[2] > 120;
    });
    // a recording is only looked at
    expect(stage.dataset.grab).toBe('none');
  });
});
