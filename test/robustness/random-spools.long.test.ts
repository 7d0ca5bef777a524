/** Random strands on spools (`random-spools.ts`), fresh ones in every run. */
import { drawSeed, testFresh } from './family-tests.ts';
import { SPOOLS } from './random-spools.ts';

testFresh(SPOOLS, 400, drawSeed());
