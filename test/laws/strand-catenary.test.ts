/**
 * An elastic cable at rest between two supports at different heights (Irvine, Cable Structures, §2). With w = ρA g per
 * material length, H the horizontal tension and V the vertical one at the first support, at material coordinate s
 *     x(s) = H s/EA + (H/w) [asinh(V/H) − asinh((V − w s)/H)]
 *     y(s) = −(V s − w s²/2)/EA − (1/w) [√(H² + V²) − √(H² + (V − w s)²)]            (y along −gravity)
 */
import { expect, test } from 'vitest';
import { createWorld, unevenFractions } from './measure.ts';

const G = 9.81;
const DOWN = [0.36, -0.8, 0.48] as const;
const ACROSS = [0.8 / Math.sqrt(0.7696), 0.36 / Math.sqrt(0.7696), 0] as const;
const toWorld = (x: number, y: number): [number, number, number] => [
  x * ACROSS[0] - y * DOWN[0],
  x * ACROSS[1] - y * DOWN[1],
  x * ACROSS[2] - y * DOWN[2],
];

const cable = (EA: number, w: number, H: number, V: number, s: number): [number, number] => [
  (H * s) / EA + (H / w) * (Math.asinh(V / H) - Math.asinh((V - w * s) / H)),
  -(V * s - (w * s * s) / 2) / EA - (Math.hypot(H, V) - Math.hypot(H, V - w * s)) / w,
];

/** H and V that bring the far end to (span, rise), by Newton with differences. */
function solveCable(EA: number, w: number, length: number, span: number, rise: number): [number, number] {
  let [H, V] = [w * length, (w * length) / 2];
  for (let k = 0; k < 100; k++) {
    const [x, y] = cable(EA, w, H, V, length);
    const d = 1e-6 * w * length;
    const [xh, yh] = cable(EA, w, H + d, V, length);
    const [xv, yv] = cable(EA, w, H, V + d, length);
    const [a, b, c, e] = [(xh - x) / d, (xv - x) / d, (yh - y) / d, (yv - y) / d];
    const det = a * e - b * c;
    H -= 0.7 * ((e * (x - span) - b * (y - rise)) / det);
    V -= 0.7 * ((a * (y - rise) - c * (x - span)) / det);
    H = Math.max(H, 1e-3 * w * length);
  }
  return [H, V];
}

/** Largest distance of a node from the curve after settling, relative to the length. */
function settle(count: number, EA: number, span: number, rise: number, length: number): number {
  const rhoA = 0.05;
  const fractions = unevenFractions(count);
  const sag = 0.3;
  const world = createWorld({
    gravity: [G * DOWN[0], G * DOWN[1], G * DOWN[2]],
    objects: [
      {
        type: 'strand',
        id: 'cable',
        material: { radius: 0.002, linearDensity: rhoA, stretchStiffness: EA, bendingStiffness: 0 },
        points: fractions.map((s) => toWorld(span * s, rise * s - 4 * sag * s * (1 - s))),
        restLength: length,
        nodes: fractions,
        damping: { mass: 4, stiffness: 0 },
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'cable', at: 'start' } },
      { type: 'pin', on: { object: 'cable', at: 'end' } },
    ],
    time: { step: 0.05, duration: 100 },
    solver: { newtonIterations: 40 },
  });
  for (let n = 0; n < 600; n++) world.step();
  expect(world.energy().kinetic).toBeLessThan(1e-16);
  const [H, V] = solveCable(EA, rhoA * G, length, span, rise);
  const { x, u } = world.frame().objects[0];
  let worst = 0;
  for (let i = 0; i < u.length; i++) {
    const expected = toWorld(...cable(EA, rhoA * G, H, V, u[i]));
    worst = Math.max(worst, Math.hypot(...expected.map((value, k) => x[3 * i + k] - value)));
  }
  return worst / length;
}

for (const [EA, span, rise, length] of [
  [1e4, 1, 0.3, 1.3],
  [5, 1, -0.2, 1.1],
] as const)
  test(`a hanging strand is an elastic catenary, EA = ${EA} N, second order in the node spacing`, () => {
    const coarse = settle(11, EA, span, rise, length);
    const fine = settle(21, EA, span, rise, length);
    expect(fine).toBeLessThan(2e-3);
    // halving the spacing of the same smooth grading divides the error by four; the jitter makes it 3…6
    expect(coarse / fine).toBeGreaterThan(2.8);
    expect(coarse / fine).toBeLessThan(7);
  });
