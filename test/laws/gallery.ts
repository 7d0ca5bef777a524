/**
 * Every scene of the gallery: it parses, weighs what its materials say, stays finite, ends in the condition it states
 * and gives the same state hash twice, whether or not it is saved and loaded on the way. A scene without a stated condition fails.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  compile,
  computeSheetMaterial,
  computeStrandMaterial,
  MATERIAL_PRESETS,
  parseScene,
  type Scene,
  SHEET_MATERIAL_PRESETS,
  type SurfaceFrame,
  type World,
} from 'heddle';
import { PAPER_MATERIALS } from 'heddle/mpm';
import { createKnot, createPlacedHelix } from 'heddle/patterns';
import { computeRodMaterial } from 'heddle/rod';
import { Sheet } from 'heddle/sheet';
import { describe, expect, test } from 'vitest';
import { SheetWatch } from './sheet-watch.ts';

const GALLERY = new URL('../../scenes/', import.meta.url);
/** Models whose scenes are tested in a file of their own. */
const APART = ['rod', 'fabric', 'mpm', 'mixed'] as const;

/** Scenes of the gallery: those of one such model, or all others. */
export const listScenes = (model?: (typeof APART)[number]): string[] =>
  readdirSync(GALLERY)
    .filter((file) => file.endsWith('.json') && APART.find((one) => file.startsWith(`${one}-`)) === model)
    .map((file) => file.replace(/\.json$/, ''));

/** Steps after which hashes are compared: the first quarter of a run at most, in which things have met. */
const HASH_STEPS = 40;
const HASH_SHARE = 0.25;
/** Steps after which such a run is saved and goes on in another world. */
const RESUME_EVERY = 9;
/** Moments of the whole run, as shares of it, from which another world goes on for some steps. */
const RESUME_SHARES: readonly number[] = [0.4, 0.8];
const RESUMED_STEPS = 3;
/** Sub-steps, taken and rejected, that a step may take: a single one, and in the mean. */
const MOST_TRIES = 1000;
const MEAN_TRIES = 8;

const readScene = (name: string): Scene =>
  parseScene(readFileSync(new URL(`${name}.json`, GALLERY), 'utf8'), { source: `scenes/${name}.json` });

const build = (scene: Scene): World =>
  compile(scene, { readFile: (file) => new Uint8Array(readFileSync(fileURLToPath(new URL(file, GALLERY)))) });

function readProbes(world: World): Map<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return new Map(world.probeColumns.map((column, i) => [column, values[i]]));
}

type SceneObject = Scene['objects'][number];
type ScenePart = Extract<SceneObject, { type: 'mpm' }>['parts'][number];

/** Linear density × rest length + point masses, or areal density × area [kg], from the scene alone. */
function computeObjectMass(scene: Scene, object: SceneObject): number {
  if (object.type === 'fabric') return computeFabricMass(scene, object);
  if (object.type === 'mpm') return object.parts.reduce((sum, part) => sum + computePartMass(scene, part), 0);
  const { material } = object;
  const presets = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];
  const described =
    typeof material === 'string'
      ? (scene.materials[material] ?? presets.find((preset) => preset.name === material))
      : material;
  if (object.type === 'sheet') {
    return computeSheetMaterial(described!).arealDensity * computeSheetArea(object.shape);
  }
  const { restLength, masses } = object;
  const { linearDensity } = object.type === 'rod' ? computeRodMaterial(described!) : computeStrandMaterial(described!);
  const length = restLength ?? computePolylineLength(listPoints(object, described?.radius));
  return linearDensity * length + masses.reduce((sum, { mass }) => sum + mass, 0);
}

/** Linear density × lengths of warps and wefts of flat cloth without crimp, or of the yarns of a knit [kg]. */
function computeFabricMass(scene: Scene, { id, layers }: Extract<SceneObject, { type: 'fabric' }>): number {
  return layers.reduce((sum, { pattern, material, secondMaterial }) => {
    if ('tightness' in pattern && layers.length === 1 && !secondMaterial && typeof material === 'string') {
      const yarns = build(scene)
        .frame()
        .objects.find((one) => one.id === id);
      if (yarns?.type !== 'yarns') throw new Error(`"${id}" has no yarns`);
      const { linearDensity } = computeStrandMaterial(scene.materials[material]);
      return sum + linearDensity * yarns.restLength.reduce((length, one) => length + one, 0);
    }
    if ('tightness' in pattern || pattern.crimp !== 0 || pattern.margin || secondMaterial || pattern.width)
      throw new Error('the length of such yarns has no formula in this test; add it');
    const { warps = 0, wefts = 0, spacing = 0 } = pattern;
    const [x, y] = typeof spacing === 'number' ? [spacing, spacing] : spacing;
    const described =
      typeof material === 'string'
        ? (scene.materials[material] ?? MATERIAL_PRESETS.find((preset) => preset.name === material)!)
        : material;
    return sum + computeStrandMaterial(described).linearDensity * (warps * wefts * y + wefts * warps * x);
  }, 0);
}

/** Density × volume: of a shape, of an area times thickness, of lengths times the section of fibres [kg]. */
function computePartMass(scene: Scene, { id, pattern, material }: ScenePart): number {
  const preset = 'preset' in material ? PAPER_MATERIALS.find(({ name }) => name === material.preset) : undefined;
  const density = (material.density ?? preset?.density)!;
  if (pattern.type === 'fill') return density * computeShapeVolume(pattern.shape);
  if (material.type === 'surface' && pattern.type === 'rectangle')
    return density * material.thickness * pattern.width * pattern.height;
  if (material.type === 'surface' && pattern.type === 'mesh')
    return density * material.thickness * computeFileArea(pattern.file);
  if (material.type === 'surface' && pattern.type === 'polygon') {
    const holes = pattern.holes.reduce((sum, hole) => sum + computeLoopArea(hole), 0);
    return density * material.thickness * (computeLoopArea(pattern.outline) - holes);
  }
  if (material.type === 'surface' && pattern.type === 'tube') {
    // flat sides of a prism
    if (pattern.topRadius) throw new Error('the area of a cone has no formula in this test; add it');
    const { radius, columns, height } = pattern;
    return density * material.thickness * 2 * columns * radius * Math.sin(Math.PI / columns) * height;
  }
  const shown = build(scene)
    .frame()
    .objects.find((one) => one.id === id);
  if (shown?.type !== 'yarns' || material.type !== 'curve')
    throw new Error(`the volume of "${id}" has no formula in this test; add it`);
  return density * Math.PI * material.radius ** 2 * shown.restLength.reduce((length, one) => length + one, 0);
}

/** Of the triangles of an OBJ file [m²]. */
function computeFileArea(file: string): number {
  const lines = readFileSync(new URL(file, GALLERY), 'utf8').split('\n');
  const read = (key: string): number[][] =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.split(' ').slice(1).map(Number));
  const points = read('v');
  return read('f').reduce((sum, corners) => {
    const [a, b, c] = corners.map((corner) => points[corner - 1]);
    const [u, v] = [b, c].map((end) => end.map((value, k) => value - a[k]));
    return (
      sum + Math.hypot(...[0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])) / 2
    );
  }, 0);
}

/** [m²] */
function computeSheetArea(shape: Extract<SceneObject, { type: 'sheet' }>['shape']): number {
  if (shape.type === 'rectangle') return shape.width * shape.height;
  if (shape.type !== 'polygon') throw new Error('the area of such a sheet has no formula in this test; add it');
  return computeLoopArea(shape.outline) - shape.holes.reduce((sum, hole) => sum + computeLoopArea(hole), 0);
}

/** [m²] */
const computeLoopArea = (loop: readonly (readonly [number, number])[]): number =>
  Math.abs(
    loop.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = loop[(i + 1) % loop.length];
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );

/** [m³] */
function computeShapeVolume(shape: Scene['bodies'][number]['shape']): number {
  if (shape.type === 'box') return shape.size[0] * shape.size[1] * shape.size[2];
  if (shape.type === 'cylinder') return Math.PI * shape.radius ** 2 * shape.length;
  if (shape.type === 'sphere') return (4 / 3) * Math.PI * shape.radius ** 3;
  throw new Error(`the volume of a ${shape.type} has no formula in this test; add it`);
}

/** The polyline that a strand or rod starts on. */
function listPoints(
  object: Exclude<SceneObject, { type: 'sheet' | 'fabric' | 'mpm' }>,
  radius = Number.NaN,
): readonly number[][] {
  if (object.points) return object.points;
  if (object.type === 'rod' && object.shape?.type === 'knot') {
    const { name, looseness, tail } = object.shape;
    const segments = 4 * (object.segments as number);
    const { points } = createKnot({ name, looseness, tailLength: tail, radius, segments });
    return Array.from({ length: points.length / 3 }, (_, n) => [...points.subarray(3 * n, 3 * n + 3)]);
  }
  if (object.type === 'rod' && object.shape?.type === 'helix')
    return createPlacedHelix(object.shape, (object.segments as number) / Math.abs(object.shape.turns)).map((point) => [
      ...point,
    ]);
  throw new Error('the length of such a rod has no formula in this test; add it');
}

function computePolylineLength(points: readonly number[][]): number {
  let length = 0;
  for (let i = 1; i < points.length; i++)
    length += Math.hypot(...points[i].map((value, k) => value - points[i - 1][k]));
  return length;
}

/** 4/3 π r³ ρ or a b c ρ [kg]; the dynamic bodies of the gallery are spheres and boxes. */
function computeBodyMass({ id, shape, mass, density }: Scene['bodies'][number]): number {
  if (mass !== undefined) return mass;
  if (shape.type === 'sphere') return density! * (4 / 3) * Math.PI * shape.radius ** 3;
  if (shape.type === 'box') return density! * shape.size[0] * shape.size[1] * shape.size[2];
  throw new Error(`the mass of the ${shape.type} "${id}" has no formula in this test; add it`);
}

/** The scene set loose: nothing holds it, and all of it moves with one velocity. */
function setLoose(scene: Scene, velocity: [number, number, number]): Scene {
  return {
    ...scene,
    objects: scene.objects.map((object): SceneObject => {
      // without its tie a rod would touch the body that it was fastened to, and start inside it
      if (object.type === 'rod') return { ...object, velocity, contact: { ...object.contact, bodies: false } };
      if (object.type === 'sheet' || object.type === 'fabric') return { ...object, velocity };
      if (object.type === 'mpm') return { ...object, parts: object.parts.map((part) => ({ ...part, velocity })) };
      return { ...object, velocity, slide: 0, guides: [], spools: [], mode: 'lagrangian' };
    }),
    bodies: scene.bodies.map(({ hinge: _, ...body }) =>
      body.motion === 'dynamic' ? { ...body, velocity, angularVelocity: [0, 0, 0] as [number, number, number] } : body,
    ),
    // without ties what they join lies in one place
    touching: { objects: [] },
    drivers: [],
    probes: [{ id: 'p', type: 'momentum' }],
    expect: [],
  };
}

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

/** Tests of scenes; what each must hold. */
export const describeScenes = (names: readonly string[]): void =>
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

    test('is named like its file, says in one sentence what it shows, and has a camera', () => {
      expect(scene.name).toBe(name);
      expect(scene.description).toMatch(/^[A-Z].*\.$/);
      expect(scene.view.camera).toBeDefined();
      expect(scene.paper === undefined).toBe(scene.figure === undefined);
    });

    test('total mass = linear density × rest length + point masses + areal density × area + density × volume + bodies, read off its momentum', () => {
      // p = m v for one velocity everywhere; sums of a hundred terms: round-off below 1e-12
      const velocity: [number, number, number] = [0.3, -0.7, 1.1];
      const mass =
        scene.objects.reduce((sum, object) => sum + computeObjectMass(scene, object), 0) +
        scene.bodies.filter(({ motion }) => motion === 'dynamic').reduce((sum, body) => sum + computeBodyMass(body), 0);
      const momentum = readProbes(build(setLoose(scene, velocity)));
      expect(mass).toBeGreaterThan(0);
      for (let k = 0; k < 3; k++) {
        const ratio = momentum.get(`p.${'xyz'[k]}`)! / (mass * velocity[k]);
        expect(Math.abs(ratio - 1)).toBeLessThan(1e-10);
      }
    });

    test('stays finite and ends in the condition it states; sheets on edges keep angles of 10°, their area, and out of bodies', () => {
      expect(scene.expect.length).toBeGreaterThan(0);
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
      const values = readProbes(world);
      for (const [column, value] of values) expect(Number.isFinite(value), column).toBe(true);
      for (const object of world.frame().objects) {
        expect(object.x.every(Number.isFinite)).toBe(true);
        if (object.type === 'curve')
          expect(object.u.every((value, i) => i === 0 || value > object.u[i - 1])).toBe(true);
        if (object.type === 'surface') expect(computeSmallestArea(object)).toBeGreaterThan(0);
      }
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

    test('gives the same hash twice, saved and loaded on the way, and another one a step later', () => {
      expect(hashes).toHaveLength(2);
      let again = build(scene);
      for (let n = 1; n <= hashed; n++) {
        again.step();
        if (n % RESUME_EVERY === 0) again = resume(again.save());
      }
      expect(again.hash()).toBe(hashes[0]);
      expect(hashes[1]).not.toBe(hashes[0]);
    });

    test('goes on from the middle and near the end as the whole run did', () => {
      expect(saved).toHaveLength(moments.length);
      for (const [k, bytes] of saved.entries()) {
        const world = resume(bytes);
        for (let n = 0; n < RESUMED_STEPS; n++) world.step();
        expect(world.hash()).toBe(later[k]);
      }
    });

    /** A fresh world at a moment that another one saved. */
    function resume(bytes: Uint8Array): World {
      const world = build(scene);
      world.load(bytes);
      return world;
    }
  });
