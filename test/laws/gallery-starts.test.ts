/** Every scene of the gallery: what it says of itself, its mass, its first steps (`gallery.ts`). */
import { describeStarts } from './gallery.ts';
import { listAllScenes } from './gallery-scenes.ts';

describeStarts(listAllScenes());
