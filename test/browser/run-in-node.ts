/** Runs the engine's scenes in Node before the browser tests, so that they can compare. */
import { readFileSync } from 'node:fs';
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { runContinuum } from './engine-continuum.ts';
import { GALLERY_STEPS, type GalleryName, hashGalleryRun } from './engine-gallery.ts';
import { ENGINE_SCENES, STEPS } from './engine-scene.ts';
import { CLOTHS, hashCloth, runEdge } from './engine-sheet.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** State hashes of ENGINE_SCENES after STEPS steps, of CLOTHS, and of the cloth over an edge, and all numbers of a continuum, in Node. */
    node: {
      readonly hashes: readonly string[];
      readonly cloths: readonly string[];
      readonly edge: string;
      readonly continuum: readonly number[];
      /** Of scenes of the gallery, with their text; none where `engine-gallery.long.test.ts` is not among the tests. */
      readonly gallery: readonly { readonly name: GalleryName; readonly text: string; readonly hash: string }[];
    };
  }
}

export async function setup(project: TestProject): Promise<void> {
  const hashes = ENGINE_SCENES.map((scene) => {
    const world = compile(validateScene(scene));
    for (let i = 0; i < STEPS; i++) world.step();
    return world.hash();
  });
  const { testFiles } = await project.globTestFiles();
  const isAsked = testFiles.some((file) => file.endsWith('engine-gallery.long.test.ts'));
  const names = isAsked ? (Object.keys(GALLERY_STEPS) as GalleryName[]) : [];
  const gallery = names.map((name) => {
    const text = readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8');
    return { name, text, hash: hashGalleryRun(name, text) };
  });
  const cloths = CLOTHS.map(hashCloth);
  project.provide('node', { hashes, cloths, edge: runEdge().hash, continuum: runContinuum(), gallery });
}
