/** What laws share: building a world from a scene, and reading oscillations off it. */

import { compile, type SceneInput, validateScene } from '../scene/index.ts';
import type { World } from '../world/index.ts';

/** A world from a scene with the parts that do not matter to a law filled in. */
export function createWorld(scene: Partial<SceneInput> & Pick<SceneInput, 'objects' | 'time'>): World {
  return compile(validateScene({ heddle: 1, name: 'law', title: 'law', ...scene }));
}

/** Value of a probe column now. */
export function readProbe(world: World, column: string): number {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return values[world.probeColumns.indexOf(column)];
}

/** Mean time between the first and the last of `crossings` upward zero crossings of a signal, by linear interpolation. */
export function measurePeriod(world: World, signal: () => number, crossings: number): number {
  const times: number[] = [];
  let before = signal();
  for (let n = 0; times.length < crossings; n++) {
    if (n > 100_000 || !Number.isFinite(before))
      throw new Error(`no oscillation: ${times.length} crossings, value ${before}`);
    const start = world.time;
    world.step();
    const after = signal();
    if (before < 0 && after >= 0) times.push(start + ((world.time - start) * before) / (before - after));
    before = after;
  }
  return (times[crossings - 1] - times[0]) / (crossings - 1);
}

/** Uneven fractions 0…1: a smooth grading with seeded jitter. */
export function unevenFractions(count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const s = i / (count - 1);
    const jitter = i === 0 || i === count - 1 ? 0 : (0.3 * Math.sin(12.9898 * i)) / (count - 1);
    return s + 0.08 * Math.sin(2 * Math.PI * s) + jitter;
  });
}

/** Components of a vector probe now. */
export const readVector = (world: World, id: string, components = ['x', 'y', 'z']): number[] =>
  components.map((component) => readProbe(world, `${id}.${component}`));

export const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((x, k) => x - b[k]));

export const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};

/** log₂ of the ratio of two errors, the step halved between them. */
export const orderOf = (coarse: number, fine: number): number => Math.log2(coarse / fine);
