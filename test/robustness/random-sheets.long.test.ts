/** Random drops of sheets (`random-sheets.ts`) in three step sizes, with two remeshers, fresh ones in every run. */
import { drawSeed, testFresh } from './family-tests.ts';
import { DROPS } from './random-sheets.ts';

const first = drawSeed();
for (const family of DROPS) testFresh(family, 80, first);
