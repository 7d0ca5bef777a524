/** The crack of a whip (src/validate/rod-whip.ts): when and where its end is fastest, and where its energy goes. */
import { DEFAULT_REFINEMENT, DEFAULT_SLIDING, type RodOptions } from 'heddle/rod';
import { crackWhip as crack } from 'heddle/validate';
import { describe, expect, test } from 'vitest';

const DAMPED: Partial<RodOptions> = { damping: { mass: 0.1, stiffness: 2e-4 } };
const ADAPTIVE: Partial<RodOptions> = { ...DAMPED, sliding: DEFAULT_SLIDING, refinement: DEFAULT_REFINEMENT };

// measured: tip over hand 7.49, 7.54, 7.75 at 0.2546, 0.2544, 0.2544 s, where the loop is at 0.94 of the length
describe('the end of a whip is fastest when the loop reaches it', () => {
  const cracks = [36, 72, 144].map((nodes) => crack(nodes, 2e-4, 'sdirk2', ADAPTIVE));
  const last = cracks[2];

  test('several times as fast as the hand, by as much within 5 % for 36, 72 and 144 nodes', () => {
    const ratios = cracks.map(({ ratio }) => ratio);
    console.log('whip: end over hand for 36, 72, 144 nodes', ratios.map((ratio) => ratio.toFixed(2)).join(', '));
    expect(last.ratio).toBeGreaterThan(5);
    for (const { ratio, time } of cracks) {
      expect(Math.abs(ratio / last.ratio - 1)).toBeLessThan(0.05);
      expect(Math.abs(time - last.time)).toBeLessThan(0.001);
    }
  });

  test('the place of the largest curvature runs along the whip and is near its end at that moment', () => {
    for (let n = 1; n < last.places.length; n++) expect(last.places[n]).toBeGreaterThan(last.places[n - 1]);
    for (const { place } of cracks) expect(place).toBeGreaterThan(0.9);
  });
});

describe('the energy of a whip is the work of the hand', () => {
  test('within 2 % at every moment, with second-order steps and without damping', () => {
    // measured 0.0139 at 0.2 ms, 0.0056 at 0.1 ms
    const { imbalance } = crack(72, 2e-4, 'sdirk2', {});
    expect(imbalance).toBeGreaterThan(0);
    expect(imbalance).toBeLessThan(0.02);
  });

  test('implicit Euler loses most of it in the crack, less with a shorter step', () => {
    const [coarse, fine] = [5e-4, 2.5e-4].map((h) => crack(72, h, 'euler', {}));
    for (const [h, { loss, ratio }] of [[0.5, coarse] as const, [0.25, fine] as const])
      console.log(
        `whip: implicit Euler, ${h} ms: energy lost ${(-100 * loss).toFixed(0)} %, end over hand ${ratio.toFixed(2)}`,
      );
    expect(coarse.loss).toBeLessThan(-0.3);
    expect(fine.loss / coarse.loss).toBeLessThan(0.85);
    expect(fine.ratio).toBeGreaterThan(coarse.ratio);
  });
});
