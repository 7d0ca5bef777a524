/** A third of the 300 random scenes: those with a step of 0.01 s. See `random-strands.ts`. */
import { expect, test } from 'vitest';
import { createRandomScene, measurePenetration } from './random-strands.ts';

const SCENES = 100;
const STEP = 0.01;
const STEPS = 25;

test(`${SCENES} random scenes with steps of ${STEP} s end without hang, crash or non-finite number, and nothing is deeper than 1e-6 of the scene in a body`, () => {
  const faults: string[] = [];
  for (let n = 0; n < SCENES; n++) {
    const seed = 2000 + n;
    try {
      const depth = measurePenetration(createRandomScene(seed, STEP), STEPS);
      if (!(depth <= 1e-6)) faults.push(`scene ${seed}: depth ${depth.toExponential(2)} of the scene`);
    } catch (error) {
      faults.push(`scene ${seed}: ${(error as Error).message}`);
    }
  }
  expect(faults).toEqual([]);
}, 600_000);
