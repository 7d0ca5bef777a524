/** Runs the engine's scenes in Node before the browser tests, for those tests of this run that compare with them. */
import { readFileSync } from 'node:fs';
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { runContinuum } from './engine-continuum.ts';
import { GALLERY_STEPS, type GalleryName, hashGalleryRun } from './engine-gallery.ts';
import { ENGINE_SCENES, STEPS } from './engine-scene.ts';
import { CLOTHS, hashCloth, runEdge } from './engine-sheet.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `engine.test.ts`: state hashes of ENGINE_SCENES after STEPS steps, of CLOTHS, and of the cloth over an edge, and all numbers of a continuum, in Node. */
    node: {
      readonly hashes: readonly string[];
      readonly cloths: readonly string[];
      readonly edge: string;
      readonly continuum: readonly number[];
    };
    /** For `engine-gallery.long.test.ts`: scenes of the gallery with their text and their state hash in Node. */
    gallery: readonly { readonly name: GalleryName; readonly text: string; readonly hash: string }[];
  }
}

function hashScene(scene: (typeof ENGINE_SCENES)[number]): string {
  const world = compile(validateScene(scene));
  for (let i = 0; i < STEPS; i++) world.step();
  return world.hash();
}

function runGalleryScene(name: GalleryName) {
  const text = readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8');
  return { name, text, hash: hashGalleryRun(name, text) };
}

export async function setup(project: TestProject): Promise<void> {
  const { testFiles } = await project.globTestFiles(project.vitest.filenamePattern);
  const isRun = (file: string) => testFiles.some((path) => path.endsWith(`/${file}`));
  if (isRun('engine.test.ts')) {
    const [hashes, cloths] = [ENGINE_SCENES.map(hashScene), CLOTHS.map(hashCloth)];
    project.provide('node', { hashes, cloths, edge: runEdge().hash, continuum: runContinuum() });
  }
  if (isRun('engine-gallery.long.test.ts'))
    project.provide('gallery', (Object.keys(GALLERY_STEPS) as GalleryName[]).map(runGalleryScene));
}
