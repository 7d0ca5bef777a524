/** Runs the engine's scenes in Node before the browser tests, so that they can compare. */
import { compile, validateScene } from 'heddle/scene';
import type { TestProject } from 'vitest/node';
import { createEngineScene, STEPS } from './engine-scene.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** After STEPS steps in Node: state hash without bending, probe values with bending. */
    node: { readonly hash: string; readonly probes: readonly number[] };
  }
}

export function setup(project: TestProject): void {
  const [flexible, bending] = [false, true].map((bends) => {
    const world = compile(validateScene(createEngineScene(bends)));
    for (let i = 0; i < STEPS; i++) world.step();
    return world;
  });
  const probes = new Float64Array(bending.probeColumns.length);
  bending.writeProbes(probes);
  project.provide('node', { hash: flexible.hash(), probes: [...probes] });
}
