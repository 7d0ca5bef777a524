/** Every scene of the gallery but those of rods, fabrics, continua and of several models: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes());
