/** Every gallery scene of particles (MPM), from its start to its end (`gallery.ts`). */
import { describeRuns } from './gallery.ts';
import { listScenes } from './gallery-scenes.ts';

describeRuns(listScenes('mpm'));
