/** Every scene of rods: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes('rod'));
