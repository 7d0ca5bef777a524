/** Runs the engine's scene in Node before the browser tests, so that they can compare. */
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { engineScene, STEPS } from './engine-scene.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** State hash of the engine's scene after STEPS steps in Node. */
    nodeHash: string;
  }
}

export function setup(project: TestProject): void {
  const world = compile(validateScene(engineScene));
  for (let i = 0; i < STEPS; i++) world.step();
  project.provide('nodeHash', world.hash());
}
