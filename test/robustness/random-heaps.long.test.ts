/** Random heaps (`random-heaps.ts`): fixed ones, and fresh ones in every run. */
import { drawSeed, testFixed, testFresh } from './family-tests.ts';
import { HEAPS, NO_GAIN } from './random-heaps.ts';

testFixed({ ...HEAPS, checks: [...HEAPS.checks, NO_GAIN] }, 2);
testFresh(HEAPS, 12, drawSeed());
