/** A heavy sheet that hangs over from a clamp on all kinds of meshes, and Peirce's bending length; `heddle validate sheet-cantilever` has the master curve. */

import type { SheetMaterial } from 'heddle/sheet';
import {
  createBendingCloth as createMaterial,
  hangSheet,
  CANTILEVER_LENGTH as LENGTH,
  measureTip,
  shootElastica,
  CANTILEVER_WEIGHT as WEIGHT,
} from 'heddle/validate';
import { expect, test } from 'vitest';
import { MESH_KINDS, type MeshKind } from './sheets.ts';

/** Tip of a sheet 0.15 m wide beside that of the elastica. */
function settle(kind: MeshKind, size: number, material: SheetMaterial, isAlongWeft = false) {
  const { x, depth } = hangSheet({ kind, size, width: 0.15, isAlongWeft }, material, 2e-6);
  const load = (WEIGHT * LENGTH ** 3) / material.bending[isAlongWeft ? 1 : 0];
  const [exact, across] = measureTip(shootElastica(load, 0, Math.PI / 2)).map((one) => one * LENGTH);
  return { x, depth, depthError: depth / exact - 1, xError: (x - across) / LENGTH };
}

/** w L³/B = 4: the tip hangs at 0.43 L. */
const B = (WEIGHT * LENGTH ** 3) / 4;

/** Largest error of the tip's depth; measured 0.2, 0.2, 3.5, 1, 2.3 %: all but grids have no straight row to hold, and are clamped half a triangle off. */
const LARGEST: Record<MeshKind, number> = {
  right: 0.004,
  alternating: 0.004,
  equilateral: 0.04,
  jittered: 0.02,
  refined: 0.03,
};

test('on every mesh the tip is where the elastica has it, to what the mesh can do', () => {
  for (const kind of MESH_KINDS)
    for (const across of [1, 3])
      for (const load of across === 1 && kind !== 'refined' ? [4, 12] : [4]) {
        const stiffness = (WEIGHT * LENGTH ** 3) / load;
        const { depthError, xError } = settle(kind, 0.025, createMaterial(stiffness, across * stiffness));
        expect(Math.abs(depthError), kind).toBeLessThan(LARGEST[kind]);
        // a chord of fixed length: dx = −(depth²/x) d(depth)/depth, at most 0.92 of it here
        expect(Math.abs(xError), kind).toBeLessThan(LARGEST[kind]);
      }
});

test('the stiffness of warp and weft is that along which the strip is cut', () => {
  const material = createMaterial(B, 4 * B);
  const [warp, weft] = [false, true].map((isAlongWeft) => settle('alternating', 0.02, material, isAlongWeft));
  expect(Math.abs(warp.depthError)).toBeLessThan(0.05);
  expect(Math.abs(weft.depthError)).toBeLessThan(0.05);
  expect(warp.depth).toBeGreaterThan(2.2 * weft.depth);
});

test("a strip whose chord hangs at 41.5° in Peirce's cantilever test has the bending length (B/w)^⅓ = L/2", () => {
  // [Peirce 1930]: c = L (cos ½θ/(8 tan θ))^⅓, θ the angle of the chord; an approximation to about 1 %
  const stiffness = WEIGHT * (LENGTH / 2) ** 3;
  const { x, depth } = settle('alternating', 0.02, createMaterial(stiffness, stiffness));
  const theta = Math.atan2(depth, x);
  expect(Math.abs((theta * 180) / Math.PI - 41.5)).toBeLessThan(1.5);
  expect(LENGTH * Math.cbrt(Math.cos(theta / 2) / (8 * Math.tan(theta)))).toBeCloseTo(LENGTH / 2, 2);
});
