// The order of the test files in Node: the longest first, so that no thread is alone with one of them in the end. Vitest
// knows how long a file takes only after it ran here once; until then it goes by size, and the smallest run many scenes.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** By processor time, about 190 s to 8 s, long files included. */
const LONGEST = [
  'laws/gallery-rods.long',
  'laws/gallery.long',
  'laws/gallery-mpm.long',
  'laws/gallery-fabrics.long',
  'laws/gallery-mixed.long',
  'laws/validate-sheet-fabric-mpm',
  'laws/validate-rod',
  'robustness/random-sheets.long',
  'robustness/random-strands.long',
  'robustness/random-heaps.long',
  'robustness/killed-run.long',
  'laws/strand-remesh-many',
  'laws/sheet-surface',
  'unit/studio-lists.long',
  'determinism/no-allocation.long',
  'laws/strand-pyramid',
  'laws/strand-round',
  'robustness/random-strands',
  'robustness/random-sheets',
  'unit/mpm-step',
  'laws/gallery-starts',
  'laws/rod-knots',
  'unit/mpm-bodies',
  'unit/cli-bench.long',
  'robustness/fuzz-files.long',
  'laws/gallery-ends',
  'laws/scale',
  'robustness/sheet-edge-table.long',
  'robustness/lost-thread.long',
  'laws/strand-touch-edge',
  'robustness/sheet-remeshers.long',
  'unit/mpm-implicit',
  'laws/strand-cradle',
  'laws/rod-conservation',
  'laws/mpm-friction',
  'laws/mpm-guests',
  'laws/strand-loop',
  'laws/fabric-bodies',
  'laws/strand-crossing-topology',
  'unit/facets-edges',
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
