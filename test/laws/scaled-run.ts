/** Runs gallery scenes as they are and s times as large (`scaled-scene.ts`), and compares every step. */
import { readFileSync } from 'node:fs';
import { compile, parseScene, type Scene, type World } from 'heddle';
import { expect } from 'vitest';
import { scaleObj, scaleScene } from './scaled-scene.ts';

export const GALLERY = new URL('../../scenes/', import.meta.url);

const readText = (file: string): string => readFileSync(new URL(file, GALLERY), 'utf8');

export const readScene = (name: string): Scene => parseScene(readText(`${name}.json`), { source: name });

function build(scene: Scene, s: number): World {
  const readFile = (file: string) => new TextEncoder().encode(scaleObj(readText(file), s));
  return compile(scaleScene(scene, s), { readFile });
}

/** Places and material coordinates of all nodes and places of the bodies, as shares of s [m]. */
function readLengths(world: World, s: number): number[] {
  const { objects, bodies } = world.frame();
  const lengths = [
    ...objects.flatMap(({ x, u }) => [...x, ...(u ?? [])]),
    ...bodies.flatMap(({ position }) => [...position]),
  ];
  return lengths.map((length) => length / s);
}

export const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Iterations and changes of nodes of each step of the scene as it is, and the lengths that it ends with. */
export function runAsIs(scene: Scene, mostSteps: number) {
  const world = build(scene, 1);
  const count = Math.min(mostSteps, Math.round(scene.time.duration / scene.time.step));
  const steps = Array.from({ length: count }, () => {
    const { substeps, rejected, remeshings, nodes } = world.step();
    return { substeps, rejected, remeshings, nodes };
  });
  return { steps, lengths: readLengths(world, 1) };
}

/** Runs the scene s times as large: each step must take the same iterations and change the same nodes. */
export function compare(scene: Scene, { steps, lengths }: ReturnType<typeof runAsIs>, s: number) {
  const scaled = build(scene, s);
  for (const [n, step] of steps.entries()) expect(scaled.step(), `step ${n}`).toMatchObject(step);
  return [lengths, readLengths(scaled, s)];
}

/** Expects the scene to move alike 1024 times as large and as small: to the last bit, or to 1e-10 of its lengths. */
export function expectAlike(name: string, steps: number, isExact: boolean): void {
  const scene = readScene(name);
  const asIs = runAsIs(scene, steps);
  for (const s of [1024, 1 / 1024]) {
    const [same, scaled] = compare(scene, asIs, s);
    if (isExact) expect(scaled, `× ${s}`).toEqual(same);
    else expect(largest(same.map((x, k) => scaled[k] - x)), `× ${s}`).toBeLessThan(1e-10 * largest(same));
  }
}

/**
 * Scenes of rods, sheets, fabrics, MPM and of several models: steps in `npm test`, steps in `npm run test:all`, and how long scaling is exact. It is rounded
 * where a solver scales unknowns of different units by itself: bodies and what is coupled to them, contacts of rods, whose twist is an angle.
 */
export const OTHER_SCENES: readonly (readonly [
  name: string,
  few: number,
  many: number,
  exact: 'always' | 'at first' | 'never',
])[] = [
  ['rod-cantilever', 10, 100, 'always'],
  ['rod-twist', 10, 100, 'always'],
  ['rod-edge', 4, 20, 'at first'],
  ['rod-wrap-one', 6, 12, 'never'],
  ['sheet-hang', 2, 10, 'always'],
  ['sheet-edge-lagrangian', 1, 8, 'always'],
  ['sheet-edge', 1, 6, 'always'],
  ['fabric-hang', 1, 6, 'always'],
  ['fabric-incline-slides', 1, 4, 'always'],
  ['mpm-sand-column', 1, 4, 'always'],
  ['mpm-curves-friction', 1, 6, 'at first'],
  ['mixed-awning', 6, 20, 'at first'],
  ['mixed-eyelet', 1, 4, 'always'],
  ['mixed-pulleys', 2, 6, 'never'],
];
