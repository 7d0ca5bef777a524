/** A few cheap scenes of every model, from their start to their end (`gallery.ts`). */
import { describeRuns } from './gallery.ts';

describeRuns([
  'strand-corner',
  'strand-ring',
  'rod-cantilever',
  'rod-edge',
  'sheet-hang',
  'sheet-edge',
  'sheet-corner',
  'fabric-hang',
  'mpm-cloth-sphere',
  'mixed-pulleys',
]);
