/** Random strands on spools (`random-spools.ts`), always the same. */
import { testFixed } from './family-tests.ts';
import { SPOOLS } from './random-spools.ts';

testFixed(SPOOLS, 60);
