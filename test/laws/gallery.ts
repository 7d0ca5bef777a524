/**
 * Every scene of the gallery parses, weighs what its materials say, stays finite, ends in the condition that it states
 * and gives the same state hash twice, whether or not it is saved and loaded in between. A scene without a stated
 * condition fails. `describeStarts` looks at the first steps (`npm test`), `describeRuns` at the whole run.
 */
import type { Scene, SurfaceFrame, World } from 'heddle';
import { Sheet } from 'heddle/sheet';
import { describe, expect, test } from 'vitest';
import { computeSceneMass, setLoose } from './gallery-mass.ts';
import { build, readProbes, readScene } from './gallery-scenes.ts';
import { SheetWatch } from './sheet-watch.ts';

/** Steps before and after the saved state in the test of the first steps. */
const START_STEPS = 2;
/** Steps after which hashes are compared: the first quarter of a run at most, in which things have met. */
const HASH_STEPS = 40;
const HASH_SHARE = 0.25;
/** Steps after which such a run is saved and continues in another world. */
const RESUME_EVERY = 9;
/** Moments of the whole run, as shares of it, from which another world continues for some steps. */
const RESUME_SHARES: readonly number[] = [0.4, 0.8];
const RESUMED_STEPS = 3;
/** Sub-steps, taken and rejected, that a step may take: a single one, and in the mean. */
const MOST_TRIES = 1000;
const MEAN_TRIES = 8;

/** Twice the smallest material area of a triangle; not positive where one is inverted [m²]. */
function computeSmallestArea({ X, triangles }: SurfaceFrame): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [2 * triangles[t], 2 * triangles[t + 1], 2 * triangles[t + 2]];
    smallest = Math.min(smallest, (X[b] - X[a]) * (X[c + 1] - X[a + 1]) - (X[b + 1] - X[a + 1]) * (X[c] - X[a]));
  }
  return smallest;
}

/** Sheets whose mesh follows edges of bodies. */
const isOnEdges = (model: World['models'][number]): model is Sheet =>
  model instanceof Sheet && model.adaptation !== undefined;

/** Everything that the frame shows is a number, material coordinates rise, no triangle is inverted. */
function expectSoundFrame(world: World): void {
  for (const [column, value] of readProbes(world)) expect(Number.isFinite(value), column).toBe(true);
  for (const object of world.frame().objects) {
    expect(object.x.every(Number.isFinite)).toBe(true);
    if (object.type === 'curve') expect(object.u.every((value, i) => i === 0 || value > object.u[i - 1])).toBe(true);
    if (object.type === 'surface') expect(computeSmallestArea(object)).toBeGreaterThan(0);
  }
}

/** A fresh world of the scene at a moment that another one saved. */
function resume(scene: Scene, bytes: Uint8Array): World {
  const world = build(scene);
  world.load(bytes);
  return world;
}

/** Tests of what scenes say of themselves, and of their first steps. */
export const describeStarts = (names: readonly string[]): void =>
  describe.each(names)('%s', (name) => {
    const scene = readScene(name);

    test('is named like its file, says in one sentence what it shows, states how it ends, and has a camera', () => {
      expect(scene.name).toBe(name);
      expect(scene.description).toMatch(/^[A-Z].*\.$/);
      expect(scene.view.camera).toBeDefined();
      expect(scene.expect.length).toBeGreaterThan(0);
      expect(scene.paper === undefined).toBe(scene.figure === undefined);
    });

    test('has the mass of its materials and bodies: linear density × rest length + point masses + areal density × area + density × volume', () => {
      // p = m v for one velocity everywhere; sums of a hundred terms: round-off below 1e-12
      const velocity: [number, number, number] = [0.3, -0.7, 1.1];
      const mass = computeSceneMass(scene);
      const momentum = readProbes(build(setLoose(scene, velocity)));
      expect(mass).toBeGreaterThan(0);
      for (let k = 0; k < 3; k++) {
        const ratio = momentum.get(`p.${'xyz'[k]}`)! / (mass * velocity[k]);
        expect(Math.abs(ratio - 1)).toBeLessThan(1e-10);
      }
    });

    test('stays finite in its first steps, and continues with the same hash from a saved state', () => {
      const world = build(scene);
      for (const { probe } of scene.expect) expect(world.probeColumns).toContain(probe);
      for (let n = 0; n < START_STEPS; n++) world.step();
      const saved = world.save();
      for (let n = 0; n < START_STEPS; n++) world.step();
      expectSoundFrame(world);
      const again = resume(scene, saved);
      expect(again.hash()).not.toBe(world.hash());
      for (let n = 0; n < START_STEPS; n++) again.step();
      expect(again.hash()).toBe(world.hash());
    });
  });

/** Tests of whole runs. */
export const describeRuns = (names: readonly string[]): void =>
  describe.each(names)('%s', (name) => {
    const scene = readScene(name);
    const steps = Math.round(scene.time.duration / scene.time.step);
    /** Hashes of the whole run after `hashed` steps and one more. */
    const hashed = Math.min(HASH_STEPS, Math.floor(HASH_SHARE * steps));
    const hashes: string[] = [];
    const moments = RESUME_SHARES.map((share) => Math.floor(share * steps));
    /** What the whole run saved at those moments, and its hash some steps later. */
    const saved: Uint8Array[] = [];
    const later: string[] = [];

    test('stays finite and ends in the condition that it states; sheets on edges keep angles above 10°, keep their area, and stay out of bodies', () => {
      const world = build(scene);
      const watch = new SheetWatch(world.models.filter(isOnEdges));
      let tries = 0;
      for (let n = 0; n < steps; n++) {
        const { substeps, rejected } = world.step();
        watch.look();
        expect(substeps + rejected).toBeLessThan(MOST_TRIES);
        tries += substeps + rejected;
        if (n === hashed - 1 || n === hashed) hashes.push(world.hash());
        if (moments.includes(n + 1)) saved.push(world.save());
        if (moments.includes(n + 1 - RESUMED_STEPS)) later.push(world.hash());
        if (n % 10 === 0) expect(Number.isFinite(world.energy().total)).toBe(true);
      }
      expectSoundFrame(world);
      const values = readProbes(world);
      for (const { probe, min, max } of scene.expect) {
        const value = values.get(probe)!;
        expect(value, probe).toBeGreaterThanOrEqual(min ?? Number.NEGATIVE_INFINITY);
        expect(value, probe).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
      }
      expect(tries / steps).toBeLessThan(MEAN_TRIES);
      expect(watch.sharpest).toBeGreaterThan(10);
      // the smallest scene is 1 m across
      expect(watch.deepest).toBeLessThan(1e-6);
      expect(watch.change).toBeLessThan(1e-9);
    });

    test('gives the same hash in a second run that is saved and loaded in between, and another hash one step later', () => {
      expect(hashes).toHaveLength(2);
      let again = build(scene);
      for (let n = 1; n <= hashed; n++) {
        again.step();
        if (n % RESUME_EVERY === 0) again = resume(scene, again.save());
      }
      expect(again.hash()).toBe(hashes[0]);
      expect(hashes[1]).not.toBe(hashes[0]);
    });

    test('continues from states saved in the middle and near the end as the whole run did', () => {
      expect(saved).toHaveLength(moments.length);
      for (const [k, bytes] of saved.entries()) {
        const world = resume(scene, bytes);
        for (let n = 0; n < RESUMED_STEPS; n++) world.step();
        expect(world.hash()).toBe(later[k]);
      }
    });
  });
