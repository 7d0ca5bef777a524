/** Scenes of the gallery, at least one a model, for the tests that compare Chromium with Node. Such as need no other file. */
import { compile, parseScene } from 'heddle';

/** Steps of each: as many as let things meet. */
export const GALLERY_STEPS = {
  'strand-crossing': 40,
  'strand-belt': 60,
  'rod-cord': 20,
  'rod-wrap-one': 20,
  'fabric-scarf': 6,
  'fabric-tablecloth-slippery': 6,
  'sheet-drape': 16,
  'mpm-cloth-sphere': 20,
  'mpm-curves-compared': 4,
  'mixed-pulleys': 6,
} as const;

export type GalleryName = keyof typeof GALLERY_STEPS;

/** State hash of a scene after its steps; `text`: the scene file. */
export function hashGalleryRun(name: GalleryName, text: string): string {
  const world = compile(parseScene(text, { source: name }));
  for (let n = 0; n < GALLERY_STEPS[name]; n++) world.step();
  return world.hash();
}
