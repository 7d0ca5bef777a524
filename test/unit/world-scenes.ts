/** What the tests of the world share: building one from a scene, and reading its probes. */
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import type { World } from 'heddle/world';

export type Vector = [number, number, number];
export type StrandScene = SceneInput['objects'][number];

/** A cord of 10 g/m that stretches by 1 % under 5 N. */
export const CORD = { radius: 0.002, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness: 0 };

export const strand = (id: string, points: Vector[], nodes: number, more: Partial<StrandScene> = {}): StrandScene => ({
  type: 'strand',
  id,
  material: CORD,
  points,
  nodes,
  ...more,
});

export function createWorld(scene: Partial<SceneInput> & Pick<SceneInput, 'objects' | 'time'>): World {
  return compile(validateScene({ heddle: 1, name: 'test', title: 'test', ...scene }));
}

export function readProbe(world: World, column: string): number {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  const at = world.probeColumns.indexOf(column);
  if (at < 0) throw new Error(`no column ${column} among ${world.probeColumns.join(', ')}`);
  return values[at];
}

export const readVector = (world: World, id: string): number[] =>
  ['x', 'y', 'z'].map((c) => readProbe(world, `${id}.${c}`));

export const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};

export const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (x, k) => x - b[k]));

/** World positions of a strand's nodes. */
export function nodesOf(world: World, object = 0): number[][] {
  const { x } = world.frame().objects[object];
  return Array.from({ length: x.length / 3 }, (_, i) => [x[3 * i], x[3 * i + 1], x[3 * i + 2]]);
}
