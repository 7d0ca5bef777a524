/** No tolerance of the engine is a length, a time or a mass: a scene s times as large moves alike (`scaled-scene.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import { compile, parseScene, type Scene, type World } from 'heddle';
import type { Vec3 } from 'heddle/math';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from './measure.ts';
import { scaleObj, scaleScene } from './scaled-scene.ts';

const GALLERY = new URL('../../scenes/', import.meta.url);
/** Scenes of strands: `scaled-scene.ts` knows their units. */
const NAMES = readdirSync(GALLERY)
  .filter((file) => /^strand-.*\.json$/.test(file))
  .map((file) => file.replace(/\.json$/, ''));
/** Steps of each scene that are compared. */
const MOST_STEPS = 300;
/**
 * Rounding decides: a node starts equally deep below two faces of the box; a rope slides off a pyramid's corner, where one step
 * late in the run (the 296th) takes another number of tries. Both move alike to the last bit where scaling is exact.
 */
const UNDECIDED = ['strand-corner-lagrangian', 'strand-pyramid'];
/** A rope not yet taut lies on table and post: contacts that bear next to nothing hold or let go, stick or slip, by rounding. */
const SLACK = 'strand-lasso';

const readText = (file: string): string => readFileSync(new URL(file, GALLERY), 'utf8');

function build(scene: Scene, s: number): World {
  const readFile = (file: string) => new TextEncoder().encode(scaleObj(readText(file), s));
  return compile(scaleScene(scene, s), { readFile });
}

/** Places and material coordinates of all nodes and places of the bodies, as shares of s [m]. */
function readLengths(world: World, s: number): number[] {
  const { objects, bodies } = world.frame();
  const lengths = [...objects.flatMap(({ x, u }) => [...x, ...u]), ...bodies.flatMap(({ position }) => [...position])];
  return lengths.map((length) => length / s);
}

const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Iterations and changes of nodes of each step of the scene as it is, and the lengths that it ends with. */
function runAsIs(scene: Scene) {
  const world = build(scene, 1);
  const count = Math.min(MOST_STEPS, Math.round(scene.time.duration / scene.time.step));
  const steps = Array.from({ length: count }, () => {
    const { substeps, rejected, remeshings, nodes } = world.step();
    return { substeps, rejected, remeshings, nodes };
  });
  return { steps, lengths: readLengths(world, 1) };
}

/** Runs the scene s times as large: each step must take the same iterations and change the same nodes. */
function compare(scene: Scene, { steps, lengths }: ReturnType<typeof runAsIs>, s: number) {
  const scaled = build(scene, s);
  for (const [n, step] of steps.entries()) expect(scaled.step(), `step ${n}`).toMatchObject(step);
  return [lengths, readLengths(scaled, s)];
}

describe.each(NAMES)('%s', (name) => {
  const scene = parseScene(readText(`${name}.json`), { source: name });
  const isFree = scene.bodies.some(({ motion }) => motion === 'dynamic');
  let asIs: ReturnType<typeof runAsIs>;
  beforeAll(() => {
    if (name !== SLACK) asIs = runAsIs(scene);
  });

  // the solver for what is tied to free bodies scales its rows by itself, which changes the last bits
  test.skipIf(name === SLACK).each([1024, 1 / 1024])(
    `× %d moves alike to ${isFree ? 'rounding' : 'the last bit'}`,
    (s) => {
      const [same, scaled] = compare(scene, asIs, s);
      if (isFree) expect(largest(same.map((x, k) => scaled[k] - x))).toBeLessThan(1e-10 * largest(same));
      else expect(scaled).toEqual(same);
    },
  );

  test.skipIf(UNDECIDED.includes(name) || name === SLACK).each([1e3, 1e-3])('× %d moves alike to 1e-9', (s) => {
    const [same, scaled] = compare(scene, asIs, s);
    expect(largest(same.map((x, k) => scaled[k] - x))).toBeLessThan(1e-9 * largest(same));
  });
});

test.each([1e-3, 1, 1e3])('what a tie may start apart is a share of the strands, × %d', (s) => {
  const tieOf = (gap: number) => {
    const rope = (id: string, from: number) => ({
      type: 'strand' as const,
      id,
      material: { radius: 0.001 * s, linearDensity: 0.02, stretchStiffness: 300, bendingStiffness: 0 },
      points: [[from, 0, 0] as Vec3, [from + 0.5 * s, 0, 0] as Vec3],
      nodes: 6,
    });
    return () =>
      createWorld({
        objects: [rope('a', 0), rope('b', (0.5 + gap) * s)],
        drivers: [{ type: 'tie', on: { object: 'a', at: 'end' }, to: { object: 'b', at: 'start' } }],
        time: { step: 1e-3, duration: 1 },
      });
  };
  expect(tieOf(1e-7)).not.toThrow();
  expect(tieOf(1e-5)).toThrow('apart at the start');
});
