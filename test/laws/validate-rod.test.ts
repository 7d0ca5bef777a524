/** The laws of rods, as `heddle validate` measures them (`validate.ts`). */
import { testLaws } from './validate.ts';

testLaws('rod');
