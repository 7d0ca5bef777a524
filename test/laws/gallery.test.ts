/** Every scene of the gallery but those of rods and fabrics: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes());
