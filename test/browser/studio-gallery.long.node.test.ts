/** Every scene of the gallery in the studio. */
import { readdirSync } from 'node:fs';
import { testScenes } from './studio-gallery-scenes.ts';

testScenes(
  readdirSync(new URL('../../scenes/', import.meta.url))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length)),
);
