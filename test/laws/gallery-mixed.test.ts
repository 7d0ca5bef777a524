/** Every scene with several models: its mass, its end, its hash (`gallery.ts`). */
import { describeScenes, listScenes } from './gallery.ts';

describeScenes(listScenes('mixed'));
