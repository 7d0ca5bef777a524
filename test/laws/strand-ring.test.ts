/** A rope drawn through a ring while it swings, of many segments and of one; `heddle validate strand-ring` has the curve. */
import { drawThroughRing } from 'heddle/validate';
import { expect, test } from 'vitest';

for (const bob of [0, 0.05, 2])
  test(`a rope drawn through a ring keeps (ρA l³/3 + m l²) φ̇, end mass ${bob} kg`, () => {
    const coarse = drawThroughRing(bob, 2e-3, 25, 0.5);
    const fine = drawThroughRing(bob, 1e-3, 25, 0.5);
    expect(fine.remeshings).toBeGreaterThan(8);
    // measured −9.9e-3, −1.7e-3, −3.8e-4 at h = 4, 2, 1 ms without bob
    expect(Math.abs(fine.angular - 1)).toBeLessThan(5e-4);
    expect(Math.abs(fine.angular - 1)).toBeLessThan(Math.abs(coarse.angular - 1) / 3);
    // the rope is no rigid bar: only a heavy bob turns at the rate of the law, the tip of a light rope lags
    if (bob > 1) expect(Math.abs(fine.rate / fine.predicted - 1)).toBeLessThan(0.01);
  });

for (const bob of [0, 0.05, 2])
  test(`a single segment drawn through a ring turns as (ρA l³/3 + m l²) φ̇ = const says, end mass ${bob} kg`, () => {
    const { rate, predicted, remeshings } = drawThroughRing(bob, 1e-3, 2, 0.5);
    expect(remeshings).toBe(0);
    expect(predicted).toBeGreaterThan(4);
    // measured 1.8e-3, 2.3e-4, 2.9e-5 at h = 2, 1, ½ ms without bob; less with one
    expect(Math.abs(rate / predicted - 1)).toBeLessThan(5e-4);
  });
