/** The laws of sheets, fabrics and MPM, as `heddle validate` measures them (`validate.ts`). */
import { testLaws } from './validate.ts';

testLaws('sheet', 'fabric', 'mpm');
