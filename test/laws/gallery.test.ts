/** Every scene of the gallery but those of rods, fabrics and continua: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes());
