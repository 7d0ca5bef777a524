/** A sheet as a plate on meshes of all kinds: how far a strip on two supports sags, and how far a plate that three corners hold twists. */

import { type Sheet, type SheetMaterial, STRIDE } from '../sheet/index.ts';
import { createFix, createForce, type Driver, World } from '../world/index.ts';
import type { Faults, ValueLaw } from './law.ts';
import { createCloth, createRectangle, createSheet, findVertices, MESH_KINDS, scaleSheet } from './sheets.ts';

/** Weight per area of the strip [N/m²], load on the corner of the plate [N]: both bend it a little only. */
const [WEIGHT, LOAD] = [0.01, 1e-4];
/** B₁₁, B₃₃ [N m]. */
const [BEND, TWIST] = [1, 0.5];
/** Width of a strip of 1 m: as many cells across at the coarsest resolution. */
const WIDTH = 0.4;
/** About half of the longest period [s]. */
const STEP = 0.3;

const createPlate = (mesh: number, cells: number, weight: number, faults: Faults): Sheet => {
  const material: SheetMaterial = {
    ...createCloth(1, 1),
    membrane: [100, 100, 0, 50],
    bending: [BEND, BEND, 0, TWIST],
  };
  return createSheet(
    createRectangle(MESH_KINDS[mesh - 1], 1, WIDTH, 1 / cells),
    scaleSheet(material, { ...faults, membrane: 1 }),
    { gravity: [0, 0, -weight] },
  );
};

/** Steps that damp what moves, until nothing does any more. */
function settle(sheet: Sheet, drivers: Driver[]): void {
  const world = new World({ models: [sheet], drivers, timeStep: STEP });
  const { q } = sheet.state;
  for (let n = 0; n < 500; n++) {
    const before = q.slice();
    world.step();
    let [moved, whole] = [0, 0];
    for (let k = 2; k < q.length; k += STRIDE) {
      moved = Math.max(moved, Math.abs(q[k] - before[k]));
      whole = Math.max(whole, Math.abs(q[k]));
    }
    if (moved < 1e-5 * whole) return;
  }
  throw new Error('the plate does not come to rest');
}

const MESHES =
  'on meshes of one diagonal (1), alternating diagonals (2), equilateral (3), jittered (4) and refined (5) triangles';

const BASE = {
  model: 'sheet',
  kind: 'value',
  parameter: 'mesh [1]',
  parameters: [1, 2, 3, 4, 5],
  stiffnesses: ['bending'],
  resolution: { name: 'cells along it', values: [10] },
} as const;

export const SHEET_SAG: ValueLaw = {
  ...BASE,
  name: 'sheet-sag',
  title: `a strip on two supports sags by w L⁴/120 B₁₁ in the mean, ${MESHES}`,
  source: 'Euler–Bernoulli',
  quantity: 'mean sag [m]',
  predict: () => WEIGHT / (120 * BEND),
  measure(mesh, cells, faults) {
    const sheet = createPlate(mesh, cells, WEIGHT, faults);
    settle(
      sheet,
      findVertices(sheet, (a) => a < 1e-9 || a > 1 - 1e-9).map((label) =>
        createFix({ model: sheet, label }, ['y', 'z']),
      ),
    );
    const { state } = sheet;
    let sum = 0;
    for (let i = 0; i < state.count; i++) sum -= (state.massOf(i) * state.q[STRIDE * i + 2]) / WIDTH;
    return sum;
  },
};

export const SHEET_TWIST: ValueLaw = {
  ...BASE,
  name: 'sheet-twist',
  title: `a plate whose corners but one are held gives way there by P a b/4 B₃₃, ${MESHES}`,
  source: 'Kirchhoff 1850',
  quantity: 'way of the corner [m]',
  predict: () => (LOAD * WIDTH) / (4 * TWIST),
  measure(mesh, cells, faults) {
    const sheet = createPlate(mesh, cells, 0, faults);
    const corner = (x: number, y: number): number =>
      findVertices(sheet, (a, b) => Math.abs(a - x) < 1e-9 && Math.abs(b - y) < 1e-9)[0];
    const at = (label: number) => ({ model: sheet, label });
    const free = corner(1, WIDTH);
    settle(sheet, [
      createFix(at(corner(0, 0)), ['x', 'y', 'z']),
      createFix(at(corner(1, 0)), ['y', 'z']),
      createFix(at(corner(0, WIDTH)), ['z']),
      createForce(at(free), [0, 0, LOAD]),
    ]);
    return sheet.state.q[STRIDE * free + 2];
  },
};
