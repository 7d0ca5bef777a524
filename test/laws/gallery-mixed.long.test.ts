/** Every gallery scene with several models, from its start to its end (`gallery.ts`). */
import { describeRuns } from './gallery.ts';
import { listScenes } from './gallery-scenes.ts';

describeRuns(listScenes('mixed'));
