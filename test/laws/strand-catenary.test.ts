/** An elastic cable at rest between two supports at different heights, node by node; `heddle validate strand-catenary` has the curve. */
import { hangCable, placeTilted, solveCable } from 'heddle/validate';
import { expect, test } from 'vitest';

/** Largest distance of a node from the curve after settling, relative to the length. */
function settle(count: number, EA: number, span: number, rise: number, length: number): number {
  const cable = { EA, span, rise, length };
  const at = solveCable(cable);
  const { x, u } = hangCable(cable, count).frame().objects[0];
  let worst = 0;
  for (let i = 0; i < u.length; i++) {
    const [across, up] = at(u[i]);
    const expected = placeTilted(-up, across);
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
