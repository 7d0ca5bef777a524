// The order of the test files in Node: the longest first, so that no thread is alone with one of them in the end. Vitest
// knows how long a file takes only after it ran here once; until then it goes by size, and the smallest run many scenes.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** By processor time, about 190 s to 8 s. */
const LONGEST = [
  'laws/gallery-rods',
  'laws/gallery',
  'laws/gallery-mpm',
  'laws/gallery-fabrics',
  'laws/gallery-mixed',
  'laws/validate',
  'laws/strand-round',
  'laws/strand-remesh-many',
  'robustness/random-strands-2',
  'unit/studio-lists',
  'unit/mpm-step',
  'laws/mpm-friction',
  'determinism/no-allocation',
  'unit/recipes',
  'laws/mixed-world',
  'laws/mpm-stack',
  'laws/mixed-contact',
  'laws/scale',
  'laws/sheet-edge-friction',
  'robustness/random-strands-3',
  'unit/cli-bench',
  'unit/mpm-bodies',
  'unit/mpm-implicit',
  'robustness/sheet-remeshers',
  'robustness/random-strands-1',
  'robustness/random-sheets-touch',
  'laws/rod-knots',
  'laws/strand-cradle',
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
