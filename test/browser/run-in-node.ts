/** Runs the engine's scenes in Node before the browser tests, so that they can compare. */
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { createEngineScene, STEPS } from './engine-scene.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** State hashes after STEPS steps in Node, without and with bending. */
    node: { readonly hashes: readonly string[] };
  }
}

export function setup(project: TestProject): void {
  const hashes = [false, true].map((bends) => {
    const world = compile(validateScene(createEngineScene(bends)));
    for (let i = 0; i < STEPS; i++) world.step();
    return world.hash();
  });
  project.provide('node', { hashes });
}
