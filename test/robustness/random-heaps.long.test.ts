/** Random heaps (`random-heaps.ts`), fresh ones in every run. */
import { drawSeed, testFresh } from './family-tests.ts';
import { HEAPS } from './random-heaps.ts';

testFresh(HEAPS, 12, drawSeed());
