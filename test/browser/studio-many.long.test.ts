/** Many strands at once: a bounded number of draw calls, every strand where it belongs, and none left when it is gone. */
import { addFrameToLimits, type CurveFrame, createFrameLimits, type Frame, NODE_LAGRANGIAN } from 'heddle/model';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SceneView } from '../../studio/src/view.ts';

const WIDTH = 320;
const HEIGHT = 180;
const NODES = 21;
const open: SceneView[] = [];
let calls = 0;

beforeEach(() => {
  const { prototype } = WebGL2RenderingContext;
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced'] as const) {
    const draw = prototype[name] as (...words: unknown[]) => void;
    vi.spyOn(prototype, name).mockImplementation(function (this: WebGL2RenderingContext, ...words: unknown[]) {
      calls++;
      draw.apply(this, words);
    });
  }
});

afterEach(() => {
  for (const view of open.splice(0)) view.dispose();
  vi.restoreAllMocks();
});

/** Strand `row` of `count`, hanging in front of the camera from left to right, one above the other. */
function createRow(row: number, count: number, nodes = NODES): CurveFrame {
  const y = (row + 0.5) / count;
  return {
    type: 'curve',
    id: `row-${row}`,
    closed: false,
    radius: 0.25 / count,
    restLength: 2,
    x: Float64Array.from({ length: 3 * nodes }, (_, i) => [(2 * Math.floor(i / 3)) / (nodes - 1) - 1, y, 0][i % 3]),
    u: Float64Array.from({ length: nodes }, (_, i) => (2 * i) / (nodes - 1)),
    kind: new Uint8Array(nodes).fill(NODE_LAGRANGIAN),
    fields: { tension: new Float64Array(nodes).fill(row) },
  };
}

const createFrame = (objects: readonly CurveFrame[]): Frame => ({ ...EMPTY, objects });
const EMPTY: Frame = { time: 0, step: 0, objects: [], bodies: [], forces: [] };

function createView(frame: Frame, settings: object): SceneView {
  const limits = createFrameLimits();
  addFrameToLimits(frame, new Map(), limits);
  const scene = {
    name: 'many',
    view: { camera: { position: [0, 0.5, 4], target: [0, 0.5, 0] }, ...settings },
  } as const;
  const view = new SceneView({
    scene,
    bodies: [],
    forces: [],
    limits,
    width: WIDTH,
    height: HEIGHT,
    pixelRatio: 1,
    writing: false,
  });
  open.push(view);
  view.setFrame(frame);
  return view;
}

function countCalls(view: SceneView): number {
  calls = 0;
  view.render();
  return calls;
}

test.each([
  ['500 strands', 500, false],
  ['60 strands with their nodes', 60, true],
])('%s take as many draw calls as 5', (_, count, nodes) => {
  const createRows = (rows: number) => createFrame(Array.from({ length: rows }, (_, row) => createRow(row, rows, 5)));
  const taken = countCalls(createView(createRows(5), { nodes }));
  expect(taken).toBeGreaterThan(1);
  expect(taken).toBeLessThan(20);
  expect(countCalls(createView(createRows(count), { nodes }))).toBe(taken);
});

/** Mean colour about a point of the world. */
function readColour(view: SceneView, point: readonly [number, number, number]): [number, number, number] {
  const { x, y } = view.project(point);
  const { data } = view
    .capture()
    .getContext('2d')!
    .getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
  const mean = (channel: number) => data.reduce((sum, value, i) => sum + (i % 4 === channel ? value / 9 : 0), 0);
  return [mean(0), mean(1), mean(2)];
}

const COUNT = 10;
const middle = (row: number): [number, number, number] => [0.23, (row + 0.5) / COUNT, 0];
/** The background is bright and grey; strands are dark or coloured. */
const isStrand = ([red, green, blue]: readonly [number, number, number]) =>
  Math.max(red, green, blue) - Math.min(red, green, blue) > 40 || red + green + blue < 330;

test('Each strand is drawn in its place when others gain nodes, appear and disappear', () => {
  const rows = Array.from({ length: COUNT }, (_, row) => createRow(row, COUNT));
  const view = createView(createFrame(rows), { nodes: false, checker: 0.5 });
  const seen = () => rows.map((_, row) => isStrand(readColour(view, middle(row))));
  expect(seen()).toEqual(rows.map(() => true));
  expect(isStrand(readColour(view, [0.23, 0.2, 0]))).toBe(false);
  // half of them, in another order, one with five times the nodes
  const others = [createRow(8, COUNT), createRow(2, COUNT, 101), createRow(4, COUNT), createRow(0, COUNT)];
  view.setFrame(createFrame(others));
  expect(seen()).toEqual(rows.map((_, row) => [0, 2, 4, 8].includes(row)));
  view.setFrame(EMPTY);
  expect(seen()).toEqual(rows.map(() => false));
  view.setFrame(createFrame(rows));
  expect(seen()).toEqual(rows.map(() => true));
});

test('Each strand has its own colour of the colour map', () => {
  const rows = Array.from({ length: COUNT }, (_, row) => createRow(row, COUNT));
  const view = createView(createFrame(rows), { nodes: false, colour: 'tension' });
  const colours = rows.map((_, row) => readColour(view, middle(row)));
  expect(colours.map(isStrand)).toEqual(rows.map(() => true));
  // from dark violet to yellow: green grows with the value
  for (let row = 1; row < COUNT; row++) expect(colours[row][1], `row ${row}`).toBeGreaterThan(colours[row - 1][1] + 4);
});
