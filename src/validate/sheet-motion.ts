/** Sheets that fall, fly, drape and slide: what they keep, and how fast they go. */

import { Body, BoxShape, PlaneShape } from '../bodies/index.ts';
import { type Sheet, STRIDE } from '../sheet/index.ts';
import { World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createFallLaw, createSlideLaw, createSlopeLaw } from './shared-laws.ts';
import { createCloth, createRectangle, createSheet, findVertices } from './sheets.ts';

const G = 9.81;

/** Fall in 0.5 s of an irregular sheet: that of the vertex that is farthest from what it should be. */
function measureFall(g: number): number {
  const sheet = createSheet(
    createRectangle('jittered', 0.6, 0.4, 0.1),
    createCloth(800, 0.3, 2e-4),
    { gravity: [0.36 * g, -0.8 * g, 0.48 * g] },
    (a, b) => [a, 0.6 * b, 0.8 * b],
  );
  const before = sheet.state.q.slice();
  const world = new World({ models: [sheet], timeStep: 0.01, integrator: 'sdirk2' });
  for (let n = 0; n < 50; n++) world.step();
  const { q } = sheet.state;
  const fallen = findVertices(sheet, () => true).map((i) =>
    [0.36, -0.8, 0.48].reduce((sum, d, k) => sum + d * (q[STRIDE * i + k] - before[STRIDE * i + k]), 0),
  );
  return fallen.reduce((worst, one) => (Math.abs(one - 0.125 * g) > Math.abs(worst - 0.125 * g) ? one : worst));
}

export const SHEET_FALL = createFallLaw('sheet', measureFall);

/** A sheet that flies, spins about an oblique axis and is stretched and bent at the start, without weight. */
function createSpinning(): Sheet {
  const sheet = createSheet(
    createRectangle('jittered', 0.6, 0.4, 0.1),
    createCloth(800, 0.3, 2e-4),
    { gravity: [0, 0, 0] },
    (a, b) => [1.04 * a, b, 0.08 * Math.sin(6 * a + b)],
  );
  const { q, v, count } = sheet.state;
  const [start, spin] = [
    [0.4, 0.7, -0.2],
    [1.5, -2, 3],
  ];
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      v[STRIDE * i + k] = start[k] + spin[m] * q[STRIDE * i + n] - spin[n] * q[STRIDE * i + m];
    }
  return sheet;
}

export const SHEET_MOMENTUM: ValueLaw = {
  name: 'sheet-momentum',
  model: 'sheet',
  kind: 'value',
  title: 'a free sheet that spins and vibrates keeps its momentum',
  source: 'Newton',
  parameter: 'step [s]',
  parameters: [0.002, 0.01],
  quantity: 'change of momentum in 0.5 s, relative [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  scale: () => 1,
  predict: () => 0,
  measure(timeStep) {
    const sheet = createSpinning();
    const [before, after] = [new Float64Array(6), new Float64Array(6)];
    sheet.addMomentum(before);
    const world = new World({ models: [sheet], timeStep });
    for (let n = 0; n < 0.5 / timeStep; n++) world.step();
    sheet.addMomentum(after);
    return Math.hypot(...[0, 1, 2].map((k) => after[k] - before[k])) / Math.hypot(...before.subarray(0, 3));
  },
};

const SIDE = 0.6;

export const SHEET_SYMMETRY: ValueLaw = {
  name: 'sheet-symmetry',
  model: 'sheet',
  kind: 'value',
  title: 'a square over a table drapes symmetrically to its middle lines and diagonals',
  source: 'docs/reference/sheet.md',
  parameter: 'cells [1]',
  parameters: [8, 10, 12, 14],
  quantity: 'largest distance of a vertex from where a symmetry puts its partner [side]',
  stiffnesses: [],
  tolerance: 1e-8,
  scale: () => 1,
  predict: () => 0,
  measure(cells) {
    // wider than some cells, so that no vertex lies on an edge, where rounding would choose its face
    const shape = new BoxShape([0.33, 0.3, 0.33]);
    const table = new Body({ id: 'table', shape, position: [SIDE / 2, -0.15, SIDE / 2], friction: 0.3 });
    const sheet = createSheet(
      createRectangle('alternating', SIDE, SIDE, SIDE / cells),
      // softer ones touch the table's sides, where rounding chooses which of the mirror images does so first
      createCloth(500, 0.2, 4e-3),
      { obstacles: [table], mode: 'lagrangian', damping: { mass: 4, stiffness: 1e-3 } },
      (a, b) => [a, 2.5e-4, b],
    );
    const world = new World({ models: [sheet], bodies: [table], timeStep: 0.005 });
    for (let n = 0; n < 60; n++) world.step();
    return (
      Math.max(
        measureAsymmetry(sheet, (a, b) => [SIDE - a, b]),
        measureAsymmetry(sheet, (a, b) => [a, SIDE - b]),
        measureAsymmetry(sheet, (a, b) => [b, a]),
      ) / SIDE
    );
  },
};

/** Largest distance of a vertex from where a symmetry of the square puts its partner, in the material and in the plane of x and z. */
export function measureAsymmetry(sheet: Sheet, turn: (a: number, b: number) => readonly [number, number]): number {
  const { q, count } = sheet.state;
  const partners = new Map<string, number>();
  const name = (a: number, b: number) => `${Math.round(1e6 * a)},${Math.round(1e6 * b)}`;
  for (let i = 0; i < count; i++) partners.set(name(q[STRIDE * i + 3], q[STRIDE * i + 4]), i);
  let largest = 0;
  for (let i = 0; i < count; i++) {
    const partner = STRIDE * partners.get(name(...turn(q[STRIDE * i + 3], q[STRIDE * i + 4])))!;
    const [a, b] = turn(q[STRIDE * i], q[STRIDE * i + 2]);
    largest = Math.max(largest, Math.hypot(q[partner] - a, q[partner + 1] - q[STRIDE * i + 1], q[partner + 2] - b));
  }
  return largest;
}

/** Half the thickness of the cloth on a table [m], and what hangs of it at the start, of 1 m. */
const [HALF, HANGING] = [2.5e-4, 0.3];

/** A sheet of 1 m that hangs over the edge of a table without friction. */
export function createSliding(cells: number, remesher: 'local' | 'adaptive'): { sheet: Sheet; table: Body } {
  const table = new Body({ id: 'table', shape: new BoxShape([2, 1, 2]), position: [-1, -0.5, 0] });
  const sheet = createSheet(
    createRectangle('alternating', 1, 0.4, 1 / cells),
    { ...createCloth(5000, 0.2, 1e-6), friction: 0 },
    { obstacles: [table], mode: 'eol', remesher, damping: { mass: 0, stiffness: 1e-3 } },
    (a, b) => {
      const s = a - (1 - HANGING);
      return s < 0 ? [s + HALF, HALF, 0.2 - b] : [HALF, HALF - s, 0.2 - b];
    },
  );
  return { sheet, table };
}

/** How much of it hangs. */
export function measureHanging({ state }: Sheet): number {
  const rear: number[] = [];
  for (let i = 0; i < state.count; i++) if (state.q[STRIDE * i + 3] < 1e-9) rear.push(HALF - state.q[STRIDE * i]);
  return 1 - rear.reduce((sum, one) => sum + one, 0) / rear.length;
}

/** Until as much hangs as the edge still holds: 0.55 m. */
const DURATION = 0.38;

export const SHEET_EDGE: ValueLaw = {
  name: 'sheet-edge',
  model: 'sheet',
  kind: 'value',
  title: 'a sheet slides over an edge as two masses do: what hangs is l₀ cosh(t √(g/L)), whatever the mesh',
  source: 'docs/reference/sheet.md',
  parameter: 'cells [1]',
  parameters: [6, 10, 16],
  quantity: 'what hangs after 0.38 s [m]',
  stiffnesses: [],
  resolution: { name: 'steps a second', values: [500, 1000] },
  order: 0.7,
  predict: () => HANGING * Math.cosh(DURATION * Math.sqrt(G)),
  measure(cells, perSecond) {
    const { sheet, table } = createSliding(cells, 'local');
    const world = new World({ models: [sheet], bodies: [table], timeStep: 1 / perSecond });
    for (let n = 0; n < DURATION * perSecond - 0.5; n++) world.step();
    return measureHanging(sheet);
  },
};

export const SHEET_AREA: ValueLaw = {
  name: 'sheet-area',
  model: 'sheet',
  kind: 'value',
  title: 'remeshing keeps the material: triangles add up to the area',
  source: 'docs/reference/sheet.md',
  parameter: 'cells [1]',
  parameters: [6, 10],
  quantity: 'material area after over before [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  predict: () => 1,
  measure(cells) {
    const { sheet, table } = createSliding(cells, 'adaptive');
    const world = new World({ models: [sheet], bodies: [table], timeStep: 4e-3 });
    for (let n = 0; n < 90; n++) world.step();
    const { state } = sheet;
    if (state.remeshings < 2) throw new Error(`only ${state.remeshings} remeshings`);
    if (state.area.subarray(0, state.mesh.triangleCount).some((one) => !(one > 0)))
      throw new Error('a triangle is inverted');
    return state.area.subarray(0, state.mesh.triangleCount).reduce((sum, one) => sum + one, 0) / 0.4;
  },
};

/** Speeds at two times of a sheet laid on a plane of slope α (gravity is turned instead), with friction μ. */
function slideSheet(mu: number, alpha: number, times: readonly [number, number], timeStep: number): [number, number] {
  const plane = new Body({ id: 'plane', shape: new PlaneShape(), friction: mu });
  const sheet = createSheet(
    createRectangle('alternating', 0.3, 0.2, 0.05),
    { ...createCloth(1000), friction: mu },
    { obstacles: [plane], gravity: [G * Math.sin(alpha), -G * Math.cos(alpha), 0] },
    (a, b) => [a, HALF, -b],
  );
  const world = new World({ models: [sheet], bodies: [plane], timeStep });
  const momentum = new Float64Array(6);
  const measure = (time: number): number => {
    while (world.time < time - 0.5 * timeStep) world.step();
    momentum.fill(0);
    sheet.addMomentum(momentum);
    return momentum[0] / (0.2 * 0.06);
  };
  return [measure(times[0]), measure(times[1])];
}

export const SHEET_SLOPE = createSlopeLaw(
  'sheet',
  'a sheet',
  [0.1, 0.3, 0.6, 1],
  (mu, tangent) => slideSheet(mu, Math.atan(tangent), [0.1, 0.2], 0.002)[1] > 1e-4,
);

/** Friction takes the speed at which a step begins, and is too large by a h/v where it grows: of first order, and the less the faster it goes. */
export const SHEET_SLIDE = createSlideLaw('sheet', 'a sheet', {
  parameters: [0.6, 0.8, 1, 1.5],
  quantity: 'acceleration from 0.2 to 0.4 s [m/s²]',
  resolution: { name: 'steps a second', values: [500, 1000] },
  order: 0.8,
  measure(tangent, perSecond) {
    const [early, late] = slideSheet(0.4, Math.atan(tangent), [0.2, 0.4], 1 / perSecond);
    return (late - early) / 0.2;
  },
});
