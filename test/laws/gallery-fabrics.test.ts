/** Every scene of fabrics: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes('fabric'));
