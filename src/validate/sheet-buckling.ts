/** A heavy strip of a sheet on edge, and the weight at which it turns sideways. */

import { STRIDE } from '../sheet/index.ts';
import { createPin, World } from '../world/index.ts';
import { type Faults, faultOf, type ThresholdLaw } from './law.ts';
import { findTurning } from './ribbon.ts';
import { measureGrowth } from './rods.ts';
import { createCloth, createRectangle, createSheet, findVertices, scaleSheet } from './sheets.ts';

/** B₃₃ over B₁₁: the ribbon has C = 4 B₃₃ W against twist, A = B₁₁ W against bending. */
const TWIST = 0.5;

/** Cells along the strip; steps that show whether a push grows. */
const COLUMNS = 24;
const STEPS = 100;

/** Whether a strip 1 m long of this width turns sideways by a weight per area of `weight`, B₁₁ = 1. */
export function turnsSideways(
  kind: 'right' | 'alternating',
  width: number,
  cells: number,
  weight: number,
  faults: Faults = {},
): boolean {
  // a clamp acts in the middle of the row of triangles that it holds
  const step = 1 / (COLUMNS - 0.5);
  const mesh = createRectangle(kind, COLUMNS, cells, 1);
  const X = mesh.X.map((one, k) => one * (k % 2 === 0 ? step : width / cells));
  const stiff = 4000 / width ** 2;
  const sheet = createSheet(
    { X, triangles: mesh.triangles },
    scaleSheet(
      { ...createCloth(1, 1), membrane: [stiff, stiff, 0, stiff / 2], bending: [1, 1, 0, TWIST] },
      { bending: faultOf(faults, 'bending') },
    ),
    { gravity: [0, -weight, 0], damping: { mass: 0.2, stiffness: 0 } },
    (a, b) => [a - step / 2, b, 0],
  );
  const { q, v, count } = sheet.state;
  for (let i = 0; i < count; i++) v[STRIDE * i + 2] = 1e-5 * Math.max(0, q[STRIDE * i]) ** 2;
  const drivers = findVertices(sheet, (a) => a < 1.01 * step).map((label) => createPin({ model: sheet, label }));
  const [tip] = findVertices(sheet, (a, b) => a > COLUMNS * step - 1e-9 && b < 1e-9);
  const world = new World({ models: [sheet], drivers, timeStep: 0.1, newtonIterations: 20 });
  return measureGrowth(world, () => Math.abs(q[STRIDE * tip + 2]), STEPS) > 1;
}

export const SHEET_LATERAL: ThresholdLaw = {
  name: 'sheet-lateral-buckling',
  model: 'sheet',
  kind: 'threshold',
  title:
    'a heavy strip on edge turns sideways where a ribbon does, near 12.85 √(A C)/L³, A = B₁₁ W, C = 4 B₃₃ W, later the wider it is',
  source: 'lateral buckling test, Romero et al. 2021; warping held at the clamp, Vlasov 1940; thresholds by ribbon.ts',
  parameter: 'width/length [1]',
  parameters: [0.1, 0.2],
  quantity: 'w L³/B₁₁ at which it turns sideways [1]',
  stiffnesses: ['bending'],
  resolution: { name: 'cells across it', values: [4] },
  predict: (width) => findTurning(4 * TWIST, width),
  givesWay: (width, weight, cells, faults) => turnsSideways('alternating', width, cells, weight, faults),
};
