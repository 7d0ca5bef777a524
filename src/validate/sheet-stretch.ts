/** A strip under its own weight, cut along warp, weft and bias, against the exact field of strains. */

import { type Sheet, type SheetMaterial, STRIDE } from '../sheet/index.ts';
import { createFix, World } from '../world/index.ts';
import type { Faults, ValueLaw } from './law.ts';
import { createCloth, createRectangle, createSheet, findVertices, type MeshKind, scaleSheet } from './sheets.ts';

/** C₁₁, C₂₂, C₁₂, C₃₃ [N/m]. */
export const STRIP_MEMBRANE = [12000, 5000, 1500, 900] as const;
const MATERIAL: SheetMaterial = { ...createCloth(1), membrane: STRIP_MEMBRANE };
export const STRIP_WIDTH = 0.3;
export const STRIP_LENGTH = 0.9;
/** Weight per area [N/m²], small enough for strains to be small. */
export const STRIP_WEIGHT = 0.2 * 0.4;

/** Strains (across, along, shear) of a strip cut at `bias` to the weft, per tension [N/m] along it: compliance in turned axes. */
export function computeCompliance(bias: number): [number, number, number] {
  const [c11, c22, c12, c33] = STRIP_MEMBRANE;
  const det = c11 * c22 - c12 * c12;
  const [c, s] = [Math.cos(bias), Math.sin(bias)];
  // the strip runs along d = (−s, c) in material axes: stress d dᵀ
  const [t11, t22, t12] = [s * s, c * c, -s * c];
  const e11 = (c22 * t11 - c12 * t22) / det;
  const e22 = (c11 * t22 - c12 * t11) / det;
  const e12 = t12 / c33 / 2;
  const across = c * c * e11 + s * s * e22 + 2 * s * c * e12;
  const along = s * s * e11 + c * c * e22 - 2 * s * c * e12;
  const shear = 2 * (s * c * (e22 - e11) + (c * c - s * s) * e12);
  return [across, along, shear];
}

/** A strip that hangs. */
export interface HangingStrip {
  readonly sheet: Sheet;
  /** Where each vertex was cut, across and along (from the lower end up), and where the exact solution has it. */
  readonly at: [number, number][];
  readonly exact: [number, number][];
}

/** A strip that hangs from its upper end, held there as the exact solution has it. Tension at height y is ρ g y. */
export function hangStrip(kind: MeshKind, size: number, bias: number, faults: Faults = {}): HangingStrip {
  const [c, s] = [Math.cos(bias), Math.sin(bias)];
  const cut = createRectangle(kind, STRIP_WIDTH, STRIP_LENGTH, size);
  const X = new Float64Array(cut.X.length);
  const at: [number, number][] = [];
  for (let i = 0; i < X.length; i += 2) {
    const [a, b] = [cut.X[i] - STRIP_WIDTH / 2, cut.X[i + 1]];
    at.push([a, b]);
    X[i] = c * a - s * b;
    X[i + 1] = s * a + c * b;
  }
  const [across, along, shear] = computeCompliance(bias).map((one) => one * STRIP_WEIGHT);
  // ε_aa = across·y, ε_yy = along·y, 2ε_ay = shear·y
  const exact = at.map(([a, y]): [number, number] => [
    a + across * a * y + (shear * y * y) / 2,
    y + (along * y * y - across * a * a) / 2,
  ]);
  const sheet = createSheet(
    { X, triangles: cut.triangles },
    scaleSheet(MATERIAL, faults),
    { gravity: [0, -STRIP_WEIGHT / 0.2, 0] },
    (p, q) => [c * p + s * q, c * q - s * p, 0],
  );
  const top = at.flatMap(([, y], i) => (y > STRIP_LENGTH - 1e-9 ? [i] : []));
  for (const i of top) for (let k = 0; k < 2; k++) sheet.state.q[STRIDE * i + k] = exact[i][k];
  const drivers = [
    ...top.map((label) => createFix({ model: sheet, label }, ['x', 'y'])),
    ...findVertices(sheet, () => true).map((label) => createFix({ model: sheet, label }, ['z'])),
  ];
  // steps so long that inertia does not matter
  const world = new World({ models: [sheet], drivers, timeStep: 100, newtonIterations: 40 });
  for (let n = 0; n < 4; n++) world.step();
  return { sheet, at, exact };
}

const DEGREE = Math.PI / 180;

export const SHEET_STRETCH: ValueLaw = {
  name: 'sheet-stretch',
  model: 'sheet',
  kind: 'value',
  title: 'a strip that hangs by its upper end is longer by ρ g L²/2 over its modulus, along weft, bias and warp',
  source: 'Hooke; compliance in turned axes',
  parameter: 'angle to the weft [°]',
  parameters: [0, 20, 45, 70, 90],
  quantity: 'elongation of its middle line [m]',
  stiffnesses: ['membrane'],
  resolution: { name: 'triangles across it', values: [4, 8, 16] },
  order: 1.3,
  predict: (degrees) => 0.5 * computeCompliance(degrees * DEGREE)[1] * STRIP_WEIGHT * STRIP_LENGTH ** 2,
  measure(degrees, count, faults) {
    const { sheet, at } = hangStrip('alternating', STRIP_WIDTH / count, degrees * DEGREE, faults);
    const middle = at.findIndex(([a, y]) => Math.abs(a) < 1e-9 && y < 1e-9);
    // its upper end is held where the exact solution has it
    const held = 0.5 * computeCompliance(degrees * DEGREE)[1] * STRIP_WEIGHT * STRIP_LENGTH ** 2;
    return held - sheet.state.q[STRIDE * middle + 1];
  },
};
