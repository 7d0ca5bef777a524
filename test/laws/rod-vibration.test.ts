/** Small vibrations of rods of another stiffness, to what steps and segments leave; `heddle validate rod` has the modes of the others. */
import { CANTILEVER_ROOTS, measureBending, spacingFor, VIBRATION_STEPS } from 'heddle/validate';
import { expect, test } from 'vitest';

test('a cantilever vibrates with ω = k² √(EI/ρA)/L², EI = 2.7 N m²', () => {
  const [EI, segments, k] = [2.7, 40, CANTILEVER_ROOTS[0]];
  const period = (2 * Math.PI) / (k * k * Math.sqrt(EI));
  expect(VIBRATION_STEPS).toBe(200);
  // steps leave 1e-4
  expect(Math.abs(measureBending(1, segments, EI, period) / period - 1)).toBeLessThan(
    2e-4 + (k * spacingFor(1, segments)) ** 2 / 24,
  );
});
