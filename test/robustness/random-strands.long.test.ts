/** Random scenes of strands (`random-strands.ts`) in three step sizes: more of the fixed ones, and fresh ones in every run. */
import { drawSeed, testFixed, testFresh } from './family-tests.ts';
import { STRANDS } from './random-strands.ts';

const [fine, middle, coarse] = STRANDS;
testFixed(fine, 80);
testFixed(middle, 50);
testFixed(coarse, 80);

const first = drawSeed();
for (const family of STRANDS) testFresh(family, 400, first);
