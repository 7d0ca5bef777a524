/** Fabrics in the view, fed with hand-made frames: colours of yarns, balls on crossings, colour maps, many yarns, picking. */
import { encodeFrame, encodeHeader } from 'heddle/io';
import { addFrameToLimits, createFrameLimits, type Frame, NODE_EIL, type YarnsFrame } from 'heddle/model';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { locateHeld, nameHeld } from '../../studio/src/app/held.ts';
import { pickNode } from '../../studio/src/app/picking.ts';
import { computeColour } from '../../studio/src/colour-map.ts';
import { drawFrame, openView } from '../../studio/src/render-page.ts';
import { SceneView, type SceneViewOptions } from '../../studio/src/view.ts';
import { makeWoven, type WovenFrameOptions } from '../unit/yarns-run.ts';

const [WIDTH, HEIGHT] = [640, 400];
const open: SceneView[] = [];
let complaints: string[] = [];

beforeEach(() => {
  complaints = [];
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void complaints.push(words.join(' ')));
});

afterEach(() => {
  for (const view of open.splice(0)) view.dispose();
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});

type Colour = [number, number, number];
type Scene = SceneViewOptions['scene'];

const frameOf = (...objects: Frame['objects']): Frame => ({ time: 0, step: 0, objects, bodies: [], forces: [] });
const fromAbove = { camera: { position: [0, 0.4, 0.001], target: [0, 0, 0] } } as const;

function draw(frame: Frame, view: Scene['view'] = {}, more: Partial<Scene> = {}, triangles = 200_000) {
  const limits = createFrameLimits();
  addFrameToLimits(frame, new Map(), limits);
  const scene: Scene = { name: 'cloth', view: { ...fromAbove, ...view }, ...more };
  const shown = new SceneView({ scene, bodies: [], limits, width: WIDTH, height: HEIGHT, pixelRatio: 1, triangles });
  open.push(shown);
  shown.setFrame(frame);
  const context = shown.capture().getContext('2d')!;
  const look = (point: readonly [number, number, number]): Colour => {
    const { x, y } = shown.project(point);
    const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
    return [0, 1, 2].map((channel) => data.reduce((sum, v, i) => sum + (i % 4 === channel ? v : 0), 0) / 9) as Colour;
  };
  return { shown, look, context };
}

const woven = (options: Partial<WovenFrameOptions> = {}) =>
  makeWoven({ warps: 9, wefts: 7, spacing: 0.02, radius: 0.006, ...options });
const place = ({ x }: YarnsFrame, node: number) => [x[3 * node], x[3 * node + 1], x[3 * node + 2]] as const;
/** Nodes that lie on top, seen from above: [warps, wefts]. */
const listTops = (yarns: YarnsFrame): [number[], number[]] => {
  const tops = Array.from(yarns.u.keys()).filter(
    (i) => yarns.other[i] >= 0 && yarns.x[3 * i + 1] > yarns.x[3 * yarns.other[i] + 1],
  );
  return [tops.filter((i) => i < yarns.start[9]), tops.filter((i) => i >= yarns.start[9])];
};

test.each([
  ['tubes', 200_000],
  ['ribbons', 100],
])('The yarn on top is seen in the colour of its layer or scene, drawn as %s', (_, triangles) => {
  const cloth = woven();
  const [warps, wefts] = listTops(cloth);
  const plain = { nodes: false, checker: 100 };
  const usual = draw(frameOf(cloth), plain, {}, triangles);
  const objects = [{ type: 'fabric', id: 'cloth', layers: [{ colour: ['#c02010', '#1030c0'] }] }];
  const own = draw(frameOf(cloth), plain, { objects }, triangles);
  for (const node of warps) {
    const [red, green, blue] = usual.look(place(cloth, node));
    expect(green, `warp ${node}`).toBeGreaterThan(1.2 * red);
    expect(green).toBeGreaterThan(blue);
    const [ownRed, , ownBlue] = own.look(place(cloth, node));
    expect(ownRed, `red warp ${node}`).toBeGreaterThan(2 * ownBlue);
  }
  for (const node of wefts) {
    const [red, , blue] = own.look(place(cloth, node));
    expect(blue, `blue weft ${node}`).toBeGreaterThan(2 * red);
  }
  // wefts are the lighter tone
  const mean = (nodes: number[]) =>
    nodes.reduce((sum, node) => sum + usual.look(place(cloth, node))[0], 0) / nodes.length;
  expect(mean(wefts)).toBeGreaterThan(mean(warps) + 30);
});

test('Checks lie along the yarns and move with them', { tags: 'long' }, () => {
  const cloth = woven();
  const light = (u: Float64Array) => {
    const { look } = draw(frameOf({ ...cloth, u }), { nodes: false, checker: 0.04 });
    return listTops(cloth)[0].map((node) => look(place(cloth, node)).reduce((a, b) => a + b));
  };
  const [still, slid] = [cloth.u, cloth.u.map((u) => u + 0.04)].map(light);
  // what was light is dark now, and the other way round
  const isLight = (values: number[]) => {
    const middle = (Math.min(...values) + Math.max(...values)) / 2;
    return values.map((value) => value > middle);
  };
  const same = isLight(still).filter((value, i) => value === isLight(slid)[i]).length;
  expect(same).toBeLessThan(0.2 * still.length);
});

test('Balls on crossings are white, red where both nodes are EIL and pink where one is, as the key says', () => {
  const cloth = woven({ slide: 0.1 });
  const { shown, look } = draw(frameOf(cloth));
  let counts = [0, 0, 0];
  for (let node = 0; node < cloth.u.length; node++) {
    if (cloth.other[node] <= node) continue;
    const eil = [node, cloth.other[node]].filter((one) => cloth.kind[one] === NODE_EIL).length;
    const middle = place(cloth, node).map((value, k) => (value + place(cloth, cloth.other[node])[k]) / 2);
    const [red, green, blue] = look(middle as Colour);
    if (eil === 0) expect(Math.min(red, green, blue), `white ${node}`).toBeGreaterThan(200);
    if (eil === 2) expect(red, `red ${node}`).toBeGreaterThan(2.5 * Math.max(green, blue));
    if (eil === 1) {
      expect(red, `pink ${node}`).toBeGreaterThan(1.2 * green);
      expect(green).toBeGreaterThan(80);
    }
    counts = counts.map((count, k) => count + (k === eil ? 1 : 0));
  }
  expect(Math.min(...counts)).toBeGreaterThan(5);
  expect(shown.describe().nodes).toEqual(['crossing', 'crossingEil', 'crossingMixed']);
  shown.setColour('load');
  // under a colour map the many white ones would hide it
  expect(shown.describe().nodes).toEqual(['crossingEil', 'crossingMixed']);
  shown.show({ nodes: false });
  expect(shown.describe().nodes).toEqual([]);
});

test.each([
  ['tubes', 200_000],
  ['ribbons', 100],
])('A colour map paints low and high loads with its end colours, drawn as %s', { tags: 'long' }, (_, triangles) => {
  const cloth = woven();
  const { look, shown } = draw(frameOf(cloth), { nodes: false, colour: 'load' }, {}, triangles);
  const [, wefts] = listTops(cloth);
  const [low, high] = [wefts[0], wefts[wefts.length - 1]].map((node) => look(place(cloth, node)));
  expect(low[2]).toBeGreaterThan(low[1]);
  expect(Math.min(high[0], high[1])).toBeGreaterThan(1.5 * high[2]);
  expect(shown.describe()).toMatchObject({ colour: 'load', range: [0, 62] });
  expect(computeColour(0)[2]).toBeGreaterThan(computeColour(0)[1]);
});

test('A removed fabric is no longer drawn, and a new one is', { tags: 'long' }, () => {
  const cloth = woven();
  const [warps] = listTops(cloth);
  const { shown } = draw(frameOf(cloth), { nodes: false });
  const green = () => {
    const context = shown.capture().getContext('2d')!;
    const { x, y } = shown.project(place(cloth, warps[8]));
    const [red, value] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data;
    return value - red;
  };
  expect(green()).toBeGreaterThan(20);
  shown.setFrame(frameOf());
  expect(green()).toBeLessThan(10);
  shown.setFrame(frameOf({ ...cloth, id: 'other' }));
  expect(green()).toBeGreaterThan(20);
});

test('A fabric of 60,000 crossings is drawn as ribbons', { tags: 'long' }, () => {
  const cloth = makeWoven({ warps: 250, wefts: 240, spacing: 0.001, radius: 0.0003 });
  const { look } = draw(frameOf(cloth), { nodes: true }, {}, 48_000);
  const [red, green] = look([0.01, 0, 0.01]);
  expect(green).toBeGreaterThan(red + 10);
});

test('The page of `heddle render` draws the fabrics of a frame file', { tags: 'long' }, async () => {
  const cloth = woven();
  const frame = frameOf(cloth);
  const limits = createFrameLimits();
  addFrameToLimits(frame, new Map(), limits);
  const scene = { name: 'cloth', view: { ...fromAbove, nodes: false } };
  const view = openView(JSON.stringify({ scene, bodies: [], limits, width: WIDTH, height: HEIGHT }));
  open.push(view);
  const bytes = Uint8Array.from([...encodeHeader(), ...encodeFrame(frame)]);
  const picture = new Image();
  picture.src = `data:image/png;base64,${drawFrame(view, btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')))}`;
  await picture.decode();
  expect([picture.width, picture.height]).toEqual([WIDTH, HEIGHT]);
});

test('Picking takes the visible node under the pointer, not one of a layer behind it', { tags: 'long' }, () => {
  const front = woven();
  // the same cloth 10 cm below, its nodes nearer to the middle of the picture by perspective
  const back = woven({ id: 'below', bend: (x, z) => ({ at: [x, -0.1, z], up: [0, 1, 0] }) });
  const both: YarnsFrame = { ...front, x: Float64Array.from([...front.x, ...back.x]), ...joinYarns(front, back) };
  const frame = frameOf(both);
  const { shown } = draw(frame, { nodes: false });
  for (const node of [...listTops(front)[0].slice(3, 9), ...listTops(front)[1].slice(3, 9)]) {
    const spot = shown.project(place(front, node));
    const picked = pickNode(shown, frame, spot, 14);
    expect(picked).toMatchObject({ kind: 'node', object: 0 });
    // the two nodes of a crossing lie behind one another
    const taken = (picked as { node: number }).node;
    expect([node, front.other[node]]).toContain(taken);
  }
  // right over a node behind, where a node in front is within reach
  for (const node of listTops(back)[0].slice(3, 9)) {
    const picked = pickNode(shown, frame, shown.project(place(back, node)), 30) as { node: number };
    expect(picked.node).toBeLessThan(front.u.length);
  }
  expect(pickNode(shown, frame, { x: 2, y: 2 }, 14)).toBeUndefined();
});

function joinYarns(a: YarnsFrame, b: YarnsFrame): Partial<YarnsFrame> {
  const nodes = a.u.length;
  return {
    start: Int32Array.from([...a.start, ...b.start.subarray(1).map((first) => first + nodes)]),
    u: Float64Array.from([...a.u, ...b.u]),
    kind: Uint8Array.from([...a.kind, ...b.kind]),
    other: Int32Array.from([...a.other, ...b.other.map((node) => (node < 0 ? -1 : node + nodes))]),
    radius: Float64Array.from([...a.radius, ...b.radius]),
    restLength: Float64Array.from([...a.restLength, ...b.restLength]),
    layer: Uint8Array.from([...a.layer, ...b.layer]),
    group: Uint8Array.from([...a.group, ...b.group]),
    fields: {},
  };
}

test('A held point of a fabric is found again on the same yarn, nearest along it', () => {
  const cloth = woven();
  const labels = [Int32Array.from(cloth.u.keys())];
  const frame = frameOf(cloth);
  const node = cloth.start[4] + 3;
  const held = nameHeld({ kind: 'node', object: 0, node, point: [0, 0, 0] }, { frame, labels })!;
  // in the other simulation all nodes have slid a little and have other labels
  const other = frameOf({ ...cloth, u: cloth.u.map((u) => u + 0.004) });
  const found = locateHeld(held, { frame: other, labels: [labels[0].map((label) => label + 1000)] });
  expect(found?.target).toEqual({ kind: 'node', object: frame.objects[0].id, label: 1000 + node });
});

test('A view of a fabric frees what it drew, and the next view has its canvas', { tags: 'long' }, () => {
  const { shown } = draw(frameOf(woven()), { lines: true });
  const canvas = shown.element.querySelector('canvas');
  open.pop()!.dispose();
  expect(draw(frameOf(woven())).shown.element.querySelector('canvas')).toBe(canvas);
});
