// The order of the test files in Node: the longest first, so that no thread is alone with one of them in the end. Vitest
// knows how long a file takes only after it ran here once; until then it goes by size, and the smallest run many scenes.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** By processor time, about 80 s to 20 s. */
const LONGEST = [
  'laws/gallery-rods',
  'laws/gallery',
  'laws/strand-remesh-many',
  'robustness/random-strands-2',
  'laws/strand-round',
  'determinism/no-allocation',
  'robustness/sheet-remeshers',
  'robustness/random-sheets-touch',
  'laws/scale',
  'laws/strand-cradle',
  'unit/cli-bench',
  'robustness/random-strands-3',
].map((name) => `test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => {
      const place = LONGEST.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
