/** The gallery of scenes that comes with the package. It loads nothing of the engine, so that `heddle list` starts at once. */

import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const GALLERY = fileURLToPath(new URL('../../scenes/', import.meta.url));

/** Names of the gallery's scenes, sorted. */
export function listGallery(gallery = GALLERY): string[] {
  if (!existsSync(gallery)) return [];
  return readdirSync(gallery)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}
