/** The scale law (`scale.test.ts`) for rods, sheets, fabrics, MPM and several models over more steps. */
import { test } from 'vitest';
import { expectAlike, OTHER_SCENES } from './scaled-run.ts';

for (const [name, , steps, exact] of OTHER_SCENES)
  test(`the scene ${name} moves alike to ${exact === 'always' ? 'the last bit' : 'rounding'} over ${steps} steps if it is 1024 times as large or as small`, () => {
    expectAlike(name, steps, exact === 'always');
  });
