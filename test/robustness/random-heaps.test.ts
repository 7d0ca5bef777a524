/** Random heaps (`random-heaps.ts`), always the same. */
import { testFixed } from './family-tests.ts';
import { HEAPS, NO_GAIN } from './random-heaps.ts';

testFixed({ ...HEAPS, checks: [...HEAPS.checks, NO_GAIN] }, 2);
