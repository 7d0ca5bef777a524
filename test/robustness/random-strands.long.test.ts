/** Random scenes of strands (`random-strands.ts`) in three step sizes, fresh ones in every run. */
import { drawSeed, testFresh } from './family-tests.ts';
import { STRANDS } from './random-strands.ts';

const first = drawSeed();
for (const family of STRANDS) testFresh(family, 400, first);
