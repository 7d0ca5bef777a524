/** A heavy sheet that hangs over from a clamp, against the heavy elastica and Peirce's bending length. */
import { type SheetMaterial, STRIDE } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, findVertices, MESH_KINDS, type MeshKind } from './sheets.ts';

const LENGTH = 0.3;
const WIDTH = 0.15;
/** Weight per area [N/m²]. */
const WEIGHT = 0.2 * 9.81;

/** Tip (x, depth) of the heavy elastica  B θ'' = −w (L − s) cos θ,  θ(0) = 0, θ'(L) = 0: shooting with Runge–Kutta steps. */
function computeElastica(B: number, length: number): { x: number; depth: number } {
  const n = 1000;
  const h = length / n;
  const bend = (s: number, theta: number) => -((WEIGHT / B) * (length - s) * Math.cos(theta));
  const shoot = (start: number) => {
    let [theta, kappa, x, depth] = [0, start, 0, 0];
    for (let i = 0; i < n; i++) {
      const s = i * h;
      const [a1, b1] = [kappa, bend(s, theta)];
      const [a2, b2] = [kappa + (h / 2) * b1, bend(s + h / 2, theta + (h / 2) * a1)];
      const [a3, b3] = [kappa + (h / 2) * b2, bend(s + h / 2, theta + (h / 2) * a2)];
      const [a4, b4] = [kappa + h * b3, bend(s + h, theta + h * a3)];
      const middle = theta + (h / 4) * (a1 + a2);
      const end = theta + (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
      x += (h / 6) * (Math.cos(theta) + 4 * Math.cos(middle) + Math.cos(end));
      depth += (h / 6) * (Math.sin(theta) + 4 * Math.sin(middle) + Math.sin(end));
      theta = end;
      kappa += (h / 6) * (b1 + 2 * b2 + 2 * b3 + b4);
    }
    return { x, depth, kappa };
  };
  let [low, high] = [0, (WEIGHT * length ** 2) / B];
  for (let k = 0; k < 80; k++) {
    const middle = (low + high) / 2;
    if (shoot(middle).kappa > 0) high = middle;
    else low = middle;
  }
  return shoot((low + high) / 2);
}

/** Stiff against stretch; B₁₁ and B₂₂ as given. */
const createMaterial = (warp: number, weft: number): SheetMaterial => ({
  ...createCloth(1),
  membrane: [20000, 20000, 0, 8000],
  bending: [warp, weft, 0, Math.sqrt(warp * weft) / 2],
});

/**
 * Lets a sheet come to rest whose first row of triangles is held level, and returns its tip over that of the elastica. A clamp
 * acts in the middle of what it holds (methods §2): half a triangle more hangs free.
 */
function settle(kind: MeshKind, size: number, material: SheetMaterial, isAlongWeft = false) {
  const mesh = createRectangle(kind, LENGTH + size / 2, WIDTH, size);
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
    if (n === 300) throw new Error('the sheet does not come to rest');
    const before = q.slice();
    world.step();
    if (before.every((one, k) => Math.abs(one - q[k]) < 2e-6)) break;
  }
  const tip = findVertices(sheet, (a, b) => along(a, b) > LENGTH + size / 2 - 1e-9);
  const exact = computeElastica(material.bending[isAlongWeft ? 1 : 0], LENGTH);
  const mean = (k: number) => tip.reduce((sum, i) => sum + q[STRIDE * i + k], 0) / tip.length;
  return { x: mean(0), depth: -mean(1), depthError: -mean(1) / exact.depth - 1, xError: (mean(0) - exact.x) / LENGTH };
}

/** w L³/B = 4: the tip hangs at 0.43 L. */
const B = (WEIGHT * LENGTH ** 3) / 4;

test('a heavy sheet hangs from a clamp as the elastica B θ″ = −w (L − s) cos θ, to second order on a grid of one diagonal', () => {
  const [coarse, fine] = [0.03, 0.015].map((size) => settle('right', size, createMaterial(B, 3 * B)));
  expect(Math.abs(coarse.depthError)).toBeLessThan(0.01);
  expect(Math.abs(fine.depthError)).toBeLessThan(0.4 * Math.abs(coarse.depthError));
  expect(Math.abs(fine.xError)).toBeLessThan(0.001);
});

/** Largest error of the tip's depth; measured 0.1, 1.3, 4.5, 6.8, about 10 %. Refined meshes have no straight row to hold. */
const LARGEST: Record<MeshKind, number> = {
  right: 0.005,
  alternating: 0.02,
  equilateral: 0.055,
  jittered: 0.08,
  refined: 0.13,
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

test("Peirce's cantilever: a strip whose chord hangs at 41.5° has the bending length (B/w)^⅓ = L/2", () => {
  // Peirce 1930: c = L (cos ½θ/(8 tan θ))^⅓, θ the angle of the chord; an approximation to about 1 %
  const stiffness = WEIGHT * (LENGTH / 2) ** 3;
  const { x, depth } = settle('alternating', 0.02, createMaterial(stiffness, stiffness));
  const theta = Math.atan2(depth, x);
  expect(Math.abs((theta * 180) / Math.PI - 41.5)).toBeLessThan(1.5);
  expect(LENGTH * Math.cbrt(Math.cos(theta / 2) / (8 * Math.tan(theta)))).toBeCloseTo(LENGTH / 2, 2);
});
