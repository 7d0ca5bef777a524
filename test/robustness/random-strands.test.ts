/** Random scenes of strands (`random-strands.ts`) in three step sizes, always the same. */
import { testFixed } from './family-tests.ts';
import { STRANDS } from './random-strands.ts';

const [fine, middle, coarse] = STRANDS;
testFixed(fine, 30);
testFixed(middle, 20);
testFixed(coarse, 30);
