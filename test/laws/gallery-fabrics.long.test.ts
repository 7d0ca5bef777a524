/** Every gallery scene of fabrics, from its start to its end (`gallery.ts`). */
import { describeRuns } from './gallery.ts';
import { listScenes } from './gallery-scenes.ts';

describeRuns(listScenes('fabric'));
