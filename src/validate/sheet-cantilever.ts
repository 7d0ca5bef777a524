/** A heavy sheet that hangs over from a clamp: the elastica, on grids of one diagonal. */

import { type SheetMaterial, STRIDE } from '../sheet/index.ts';
import { createPin, World } from '../world/index.ts';
import { measureTip, shootElastica } from './elastica.ts';
import type { ValueLaw } from './law.ts';
import { createCloth, createRectangle, createSheet, findVertices, type MeshKind, scaleSheet } from './sheets.ts';

export const CANTILEVER_LENGTH = 0.3;
/** Weight per area [N/m²]. */
export const CANTILEVER_WEIGHT = 0.2 * 9.81;

/** A strip of a mesh, how wide it is, and along what it is cut. */
export interface SheetCantilever {
  readonly kind: MeshKind;
  readonly size: number;
  readonly width: number;
  readonly isAlongWeft?: boolean;
}

/** Stiff against stretch; B₁₁ and B₂₂ as given. */
export const createBendingCloth = (warp: number, weft: number): SheetMaterial => ({
  ...createCloth(1),
  membrane: [20000, 20000, 0, 8000],
  bending: [warp, weft, 0, Math.sqrt(warp * weft) / 2],
});

/**
 * Lets a sheet come to rest, no vertex by more than `settled` [m] in a step, whose first row of triangles is held level; where its tip is. A clamp acts in the middle of what it holds [theory/curves#clamps]: half
 * a triangle more hangs free.
 */
export function hangSheet(
  { kind, size, width, isAlongWeft = false }: SheetCantilever,
  material: SheetMaterial,
  settled: number,
): { readonly x: number; readonly depth: number } {
  const mesh = createRectangle(kind, CANTILEVER_LENGTH + size / 2, width, size);
  const X = mesh.X.slice();
  // a quarter turn in material space: what runs along the warp runs along the weft
  if (isAlongWeft) for (let i = 0; i < X.length; i += 2) [X[i], X[i + 1]] = [-mesh.X[i + 1], mesh.X[i]];
  const sheet = createSheet({ X, triangles: mesh.triangles }, material, {}, (a, b) =>
    isAlongWeft ? [b - size / 2, 0, a] : [a - size / 2, 0, -b],
  );
  const along = (a: number, b: number) => (isAlongWeft ? b : a);
  const held = findVertices(sheet, (a, b) => along(a, b) < 1.01 * size);
  const drivers = held.map((label) => createPin({ model: sheet, label }));
  const world = new World({ models: [sheet], drivers, timeStep: 0.05 });
  const { q } = sheet.state;
  for (let n = 0; ; n++) {
    if (n === 2000) throw new Error('the sheet does not come to rest');
    const before = q.slice();
    world.step();
    if (before.every((one, k) => Math.abs(one - q[k]) < settled)) break;
  }
  const tip = findVertices(sheet, (a, b) => along(a, b) > CANTILEVER_LENGTH + size / 2 - 1e-9);
  const mean = (k: number) => tip.reduce((sum, i) => sum + q[STRIDE * i + k], 0) / tip.length;
  return { x: mean(0), depth: -mean(1) };
}

export const SHEET_CANTILEVER: ValueLaw = {
  name: 'sheet-cantilever',
  model: 'sheet',
  kind: 'value',
  title:
    'a heavy sheet hangs from a clamp as the elastica B θ″ = w (L − s) cos θ: height over width of its shape against w L³/B',
  source: 'master curve of the cantilever test, Romero et al. 2021; the elastica by shooting; grids of one diagonal',
  parameter: 'w L³/B [1]',
  parameters: [0.1, 1, 3, 10, 30, 100, 300, 1000],
  quantity: 'height/width [1]',
  stiffnesses: ['bending'],
  resolution: { name: 'triangles along it', values: [40, 80] },
  order: 1.7,
  plot: { isLogarithmicX: true, isLogarithmic: true },
  predict(load) {
    const [depth, x] = measureTip(shootElastica(load, 0, Math.PI / 2));
    return depth / x;
  },
  measure(load, count, faults) {
    const B = (CANTILEVER_WEIGHT * CANTILEVER_LENGTH ** 3) / load;
    const size = CANTILEVER_LENGTH / (count - 0.5);
    const { x, depth } = hangSheet(
      { kind: 'right', size, width: 3 * size },
      scaleSheet(createBendingCloth(B, B), faults),
      1e-8,
    );
    return depth / x;
  },
};
