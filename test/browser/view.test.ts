import { addFrameToLimits, createFrameLimits, type Frame, NODE_EULERIAN } from 'heddle/model';
import { afterEach, expect, test, vi } from 'vitest';
import { computeColour } from '../../studio/src/colour-map.ts';
import { SceneView, type ViewScene } from '../../studio/src/view.ts';
import { createBox, createFrame, createStrand, sampleScene } from './sample.ts';

const [WIDTH, HEIGHT] = [800, 450];
const open: SceneView[] = [];
afterEach(() => {
  for (const view of open.splice(0)) view.dispose();
  vi.restoreAllMocks();
});

interface Picture {
  readonly view: SceneView;
  /** Mean colour of 3 × 3 pixels about a world point. */
  readonly colourAt: (point: readonly [number, number, number]) => [number, number, number];
  readonly pixels: Uint8ClampedArray;
}

function draw(scene: ViewScene, frame: Frame = createFrame()): Picture {
  const limits = createFrameLimits();
  const box = createBox();
  addFrameToLimits(frame, new Map([['table', box.positions]]), limits);
  const view = new SceneView({ scene, bodies: [box], limits, width: WIDTH, height: HEIGHT });
  open.push(view);
  view.setFrame(frame);
  const context = view.capture().getContext('2d')!;
  const pixels = context.getImageData(0, 0, WIDTH, HEIGHT).data;
  const colourAt: Picture['colourAt'] = (point) => {
    const { x, y } = view.project(point);
    const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
    const mean = (channel: number) => {
      let sum = 0;
      for (let i = channel; i < data.length; i += 4) sum += data[i];
      return sum / 9;
    };
    return [mean(0), mean(1), mean(2)];
  };
  return { view, colourAt, pixels };
}

const strand = createStrand();
const node = (i: number) => [strand.x[3 * i], strand.x[3 * i + 1], strand.x[3 * i + 2]] as const;

test('E-nodes are red and L-nodes blue where they project to', () => {
  const { colourAt } = draw(sampleScene);
  for (let i = 0; i < strand.u.length; i++) {
    const [red, green, blue] = colourAt(node(i));
    if (strand.kind[i] === NODE_EULERIAN) expect(red, `node ${i}`).toBeGreaterThan(2 * Math.max(green, blue));
    else expect(blue, `node ${i}`).toBeGreaterThan(1.7 * Math.max(red, green));
  }
});

test('A translucent body shows what it covers by its opacity, and one of opacity 0 is not drawn', {
  tags: 'long',
}, () => {
  // the box stands between the camera and the strand
  const covered = {
    ...createFrame(),
    bodies: [{ id: 'table', position: [0, -0.1, 0.6], orientation: [0, 0, 0, 1] }],
  } as const;
  const blue = (opacity: number) => {
    const bodies = [{ ...sampleScene.bodies[0], opacity }];
    const [red, , colour] = draw({ ...sampleScene, bodies }, covered).colourAt(node(1));
    return colour - red;
  };
  const [opaque, half, faint, none] = [1, 0.5, 0.2, 0].map(blue);
  expect(Math.abs(opaque)).toBeLessThan(15);
  expect(half).toBeGreaterThan(opaque + 15);
  expect(faint).toBeGreaterThan(half + 15);
  const [red, , colour] = draw(sampleScene).colourAt(node(1));
  expect(Math.abs(none - (colour - red))).toBeLessThan(12);
});

test('Checks alternate along the material, purple on even and black on odd', () => {
  const { colourAt } = draw({ ...sampleScene, view: { ...sampleScene.view, nodes: false } });
  // check k covers u from 0.02 k to 0.02 (k + 1); on the table x = u − 0.1
  const light = (k: number) => {
    const [red, green, blue] = colourAt([0.02 * (k + 0.5) - 0.1, 0.01, 0]);
    return { purple: Math.min(red, blue) - green, sum: red + green + blue };
  };
  for (let k = 1; k < 19; k++) {
    const { purple, sum } = light(k);
    if (k % 2 === 0) expect(purple, `check ${k}`).toBeGreaterThan(25);
    else expect(sum, `check ${k}`).toBeLessThan(240);
    if (k % 2 === 1) expect(Math.abs(purple), `check ${k}`).toBeLessThan(20);
  }
});

test('Checks move with the material, so that sliding by one check swaps the colours', () => {
  const scene = { ...sampleScene, view: { ...sampleScene.view, nodes: false } };
  const still = draw(scene);
  const slid = draw(scene, { ...createFrame(), objects: [{ ...strand, u: strand.u.map((u) => u + 0.02) }] });
  const purple = ({ colourAt }: Picture) => {
    const [red, green, blue] = colourAt([0.11, 0.01, 0]);
    return Math.min(red, blue) - green;
  };
  expect(purple(still)).toBeGreaterThan(25);
  expect(purple(slid)).toBeLessThan(20);
});

test('Markers stand at fixed steps of the material', () => {
  const { colourAt } = draw({ ...sampleScene, view: { ...sampleScene.view, nodes: false, markers: 0.15 } });
  const [red, green, blue] = colourAt([0.05, 0.01, 0]);
  expect(Math.min(red, green, blue)).toBeGreaterThan(150);
});

test('A colour map paints low and high values with its end colours and writes a legend', () => {
  const view = { ...sampleScene.view, nodes: false };
  const { colourAt, pixels } = draw({ ...sampleScene, view: { ...view, colour: 'tension' } });
  // low end: dark violet; high end: yellow, in the light and shade of the scene
  const low = colourAt([-0.095, 0.01, 0]);
  const high = colourAt([0.38, -0.38, 0]);
  expect(low[2]).toBeGreaterThan(low[1]);
  expect(Math.min(high[0], high[1])).toBeGreaterThan(1.5 * high[2]);
  const plain = draw({ ...sampleScene, view });
  const [r, g, b] = computeColour(0.5);
  const countMiddle = (data: Uint8ClampedArray) => {
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 6) count++;
    }
    return count;
  };
  expect(countMiddle(pixels)).toBeGreaterThan(countMiddle(plain.pixels) + 5);
});

test('Without a camera in the scene everything lies inside the image', () => {
  const { view } = draw({ name: 'sample' });
  for (let i = 0; i < strand.u.length; i++) {
    const { x, y } = view.project(node(i));
    expect(x).toBeGreaterThan(0.03 * WIDTH);
    expect(x).toBeLessThan(0.97 * WIDTH);
    expect(y).toBeGreaterThan(0.03 * HEIGHT);
    expect(y).toBeLessThan(0.97 * HEIGHT);
  }
});

test('Resizing changes the image, and disposing removes the view from the page', () => {
  const { view } = draw(sampleScene);
  document.body.append(view.element);
  view.resize(320, 200);
  expect(view.capture().width).toBe(320);
  view.dispose();
  open.length = 0;
  expect(view.element.isConnected).toBe(false);
});

test('The reference bar of a rod has the colours of the rod', () => {
  const n = strand.u.length;
  const twist = new Float64Array(n);
  // curvature rises along the rod, tension falls
  const curvature = Float64Array.from(strand.u, (_, i) => i);
  const tension = Float64Array.from(strand.u, (_, i) => n - 1 - i);
  const frame = { ...createFrame(), objects: [{ ...strand, fields: { curvature, tension, twist } }] };
  const { pixels } = draw({ ...sampleScene, view: { ...sampleScene.view, bar: true, colour: 'tension' } }, frame);
  for (const share of [0.03, 0.97]) {
    const x = Math.round(24 + share * (WIDTH - 48));
    const wanted = computeColour(1 - share);
    const from = 4 * ((HEIGHT - 89) * WIDTH + x);
    for (let k = 0; k < 3; k++) expect(Math.abs(pixels[from + k] - wanted[k])).toBeLessThan(25);
  }
});

test('The reference bar of a rod has a tick at every node and the colours of its curvature between them', () => {
  const n = strand.u.length;
  const twist = new Float64Array(n);
  const curvature = Float64Array.from(strand.u, (_, i) => i / (n - 1));
  const rod = { ...strand, fields: { ...strand.fields, curvature, twist } };
  const frame = { ...createFrame(), objects: [rod] };
  const { pixels } = draw({ ...sampleScene, view: { ...sampleScene.view, bar: true } }, frame);
  const { pixels: without } = draw({ ...sampleScene, view: { ...sampleScene.view, bar: false } }, frame);
  const top = HEIGHT - 100;
  const at = (x: number, y: number, from = pixels): number[] => [
    ...from.subarray(4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 3),
  ];
  const placeOf = (u: number): number => 24 + ((u - rod.u[0]) / rod.restLength) * (WIDTH - 48);
  // above the band of colours only ticks are drawn
  const ticked = new Set<number>();
  for (let x = 0; x < WIDTH; x++) if (at(x, top + 2).join() !== at(x, top + 2, without).join()) ticked.add(x);
  for (let i = 0; i < n; i++) {
    const x = Math.floor(placeOf(rod.u[i]));
    expect(ticked.has(x) || ticked.has(x - 1), `node ${i}`).toBe(true);
  }
  expect(ticked.size).toBeLessThanOrEqual(3 * n);
  const middle = Math.round(placeOf(0.5 * (rod.u[n - 2] + rod.u[n - 1])));
  const wanted = computeColour((n - 1.5) / (n - 1));
  at(middle, top + 11).forEach((value, k) => {
    expect(Math.abs(value - wanted[k])).toBeLessThan(12);
  });
});

test('A view compiles one shader for each kind of thing that it shows, and none when it shows more of them', {
  tags: 'long',
}, () => {
  // it has the shaders of the view before, if there was one: the second does not
  draw(sampleScene);
  const link = vi.spyOn(WebGL2RenderingContext.prototype, 'linkProgram');
  const { view } = draw(sampleScene);
  // strand, balls and their two shadows, body and its edges, ground, background
  expect(link).toHaveBeenCalledTimes(8);
  const limits = createFrameLimits();
  const away = { ...strand, x: strand.x.map((value) => value + 1) };
  const force = { kind: 'contact', x: new Float64Array(3), f: new Float64Array([0, 1, 0]) } as const;
  const larger: Frame = { ...createFrame(), objects: [away], forces: [force] };
  for (const frame of [createFrame(), larger]) addFrameToLimits(frame, new Map(), limits);
  view.setLimits(limits);
  expect(link).toHaveBeenCalledTimes(8);
  // arrows have two: one is seen behind things
  view.setFrame(larger);
  view.show({ forces: true });
  expect(link).toHaveBeenCalledTimes(10);
});

test('A view takes over canvas and shaders of a disposed view, but nothing of its image', { tags: 'long' }, () => {
  const first = draw(sampleScene);
  const canvas = first.view.element.querySelector('canvas');
  const larger = { ...strand, x: strand.x.map((value) => 1.5 * value) };
  const other = { ...createFrame(), objects: [larger] };
  open.pop()!.dispose();
  const link = vi.spyOn(WebGL2RenderingContext.prototype, 'linkProgram');
  expect(draw({ ...sampleScene, view: { ...sampleScene.view, background: '#204060' } }, other).pixels).not.toEqual(
    first.pixels,
  );
  open.pop()!.dispose();
  const again = draw(sampleScene);
  expect(link).not.toHaveBeenCalled();
  expect(again.view.element.querySelector('canvas')).toBe(canvas);
  expect(again.pixels.every((value, i) => value === first.pixels[i])).toBe(true);
});

test('Of two disposed views one context is kept', { tags: 'long' }, () => {
  const views = [draw(sampleScene).view, draw(sampleScene).view];
  const contexts = views.map((view) => view.element.querySelector('canvas')!.getContext('webgl2')!);
  for (const view of open.splice(0)) view.dispose();
  expect(contexts.map((context) => context.isContextLost())).toEqual([false, true]);
});
