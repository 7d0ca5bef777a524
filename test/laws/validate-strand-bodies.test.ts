/** The laws of strands and bodies, as `heddle validate` measures them (`validate.ts`). */
import { testLaws } from './validate.ts';

testLaws('strand', 'bodies');
