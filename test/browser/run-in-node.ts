/** Runs the engine's scenes in Node before the browser tests, so that they can compare. */
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { runContinuum } from './engine-continuum.ts';
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
    };
  }
}

export function setup(project: TestProject): void {
  const hashes = ENGINE_SCENES.map((scene) => {
    const world = compile(validateScene(scene));
    for (let i = 0; i < STEPS; i++) world.step();
    return world.hash();
  });
  project.provide('node', { hashes, cloths: CLOTHS.map(hashCloth), edge: runEdge().hash, continuum: runContinuum() });
}
