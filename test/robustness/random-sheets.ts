/**
 * Random drops of sheets on random convex solids: boxes, pyramids, wedges, hulls of random points, spheres, cylinders, turned any
 * way, some of them moving. One seed, one scene.
 */
import { compile, parseScene, type SceneInput } from 'heddle';
import { createRandom, type Random } from 'heddle/math';
import { computeSurfaceDepth, type Sheet } from 'heddle/sheet';
import { SheetWatch } from '../laws/sheet-watch.ts';
import { type Check, type Family, type Measures, NO_REFUSAL } from './families.ts';

type Body = NonNullable<SceneInput['bodies']>[number];
type Vector = [number, number, number];

/** Sub-steps of one step, taken and rejected, above which it counts as hanging; the engine itself gives up at 20,000. */
const MOST_TRIES = 1000;

function createShape(random: Random): Body['shape'] {
  const between = random.uniform;
  const size = between(0.12, 0.25);
  const kind = Math.floor(7 * random.uniform());
  if (kind === 0) return { type: 'sphere', radius: size };
  if (kind === 1) return { type: 'cylinder', radius: 0.6 * size, length: between(0.15, 0.4) };
  if (kind <= 3) return { type: 'box', size: [between(0.15, 0.4), between(0.15, 0.4), between(0.15, 0.4)] };
  if (kind === 4) {
    const [a, b] = [between(0.15, 0.3), between(0.2, 0.4)];
    const base: Vector[] = [[-a, 0, -a], [a, 0, -a], [a, 0, a], [-a, 0, a]]; // biome-ignore format: points
    return { type: 'convex', points: [...base, [between(-0.1, 0.1), b, between(-0.1, 0.1)]] };
  }
  const points = Array.from({ length: 5 + Math.floor(12 * random.uniform()) }, (): Vector => {
    const v = [between(-1, 1), between(-1, 1), between(-1, 1)];
    const scale = (size * between(0.7, 1)) / Math.hypot(...v);
    return [scale * v[0], scale * v[1], scale * v[2]];
  });
  return { type: 'convex', points };
}

export function createRandomDrop(seed: number, step: number, remesher: 'global' | 'local'): SceneInput {
  const random = createRandom(seed);
  const between = random.uniform;
  const stiffness = 10 ** between(0, 2);
  const position: Vector = [between(-0.1, 0.1), 0, between(-0.1, 0.1)];
  const axis: Vector = [between(-1, 1), between(-1, 1), between(-1, 1)];
  const rotation = random.uniform() < 0.3 ? undefined : { axis, angle: between(0, 180) };
  const body: Body = {
    id: 'body',
    shape: createShape(random),
    position,
    rotation,
    friction: random.uniform() < 0.5 ? 0 : between(0, 0.6),
  };
  if (random.uniform() < 0.25) {
    const turned = { axis, angle: (rotation?.angle ?? 0) + between(-40, 40) };
    body.motion = 'scripted';
    body.keyframes = [
      { time: 0, position, rotation: { axis, angle: rotation?.angle ?? 0 } },
      { time: 0.5, position: [position[0], between(-0.05, 0.05), position[2]], rotation: turned },
    ];
  }
  const cells = 6 + Math.floor(7 * random.uniform());
  const [width, height] = [between(0.4, 0.8), between(0.4, 0.8)];
  return {
    heddle: 1,
    name: 'random',
    title: `Random drop ${seed}`,
    bodies: [body],
    objects: [
      {
        type: 'sheet',
        id: 'sheet',
        remesher,
        material: {
          thickness: between(0.0003, 0.002),
          arealDensity: between(0.05, 0.5),
          tensileStiffness: 500 * stiffness,
          shearStiffness: 100 * stiffness,
          bendingRigidity: 1e-6 * stiffness,
        },
        shape: {
          type: 'rectangle',
          width,
          height,
          columns: cells,
          rows: Math.max(4, Math.round((cells * height) / width)),
        },
        position: [0, 0.42, 0],
        rotation: { axis: [between(-0.3, 0.3), 1, between(-0.3, 0.3)], angle: between(0, 90) },
        velocity: [between(-0.5, 0.5), between(-2, -1), between(-0.5, 0.5)],
        damping: { mass: between(0, 2), stiffness: random.uniform() < 0.5 ? 0 : 2e-3 },
      },
    ],
    time: { step, duration: 1 },
  };
}

export const SURFACE = 'no part of the surface ends deeper in the body than 0.01 of the mesh spacing';
export const GAIN = 'no step over a static body adds more energy than 0.05 of the largest kinetic energy';

/** A survey in which no drop failed. */
const NONE = [0, 60] as const;

/** What is promised of a drop; surveys of drops with these steps and this remesher. */
const listChecks = (surveys: Record<'surface' | 'gain', readonly [number, number]>): Check[] => [
  { promise: 'the area of the material is kept', measure: 'change', most: 1e-9 },
  { promise: 'no angle of the material is below 10°', measure: 'angle', least: 10, survey: NONE },
  { ...NO_REFUSAL, survey: NONE },
  { promise: 'no vertex is deeper in the body than 1e-6 m', measure: 'depth', most: 1e-6, survey: NONE },
  {
    promise: SURFACE,
    measure: 'surface',
    most: 0.01,
    survey: surveys.surface,
  },
  {
    promise: GAIN,
    measure: 'gain',
    most: 0.05,
    survey: surveys.gain,
  },
];

const createFamily = (step: number, steps: number, remesher: 'global' | 'local', checks: readonly Check[]): Family => ({
  name: `sheets dropped on a solid in steps of ${step} s with the ${remesher} remesher`,
  checks,
  measure: (seed) => measureDrop(seed, step, steps, remesher),
});

export const DROPS: readonly Family[] = [
  createFamily(0.005, 80, 'local', listChecks({ surface: [5, 60], gain: [5, 60] })),
  createFamily(0.01, 40, 'local', listChecks({ surface: [2, 60], gain: [3, 60] })),
  createFamily(0.0025, 100, 'global', listChecks({ surface: [5, 60], gain: [5, 60] })),
];

/** Runs the drop of a seed; throws where it fails, hangs or is not finite. */
function measureDrop(seed: number, step: number, steps: number, remesher: 'global' | 'local'): Measures {
  const scene = createRandomDrop(seed, step, remesher);
  const world = compile(parseScene(JSON.stringify(scene), { source: scene.title }));
  const sheet = world.models.find((model): model is Sheet => model.type === 'sheet')!;
  const watch = new SheetWatch([sheet]);
  const isStill = world.bodies[0].motion === 'static';
  let { kinetic, total } = world.energy();
  let gain = 0;
  for (let n = 0; n < steps; n++) {
    const { substeps, rejected } = world.step();
    const energy = world.energy();
    if (!Number.isFinite(energy.total)) throw new Error(`it is not finite after step ${n + 1}`);
    if (substeps + rejected > MOST_TRIES) throw new Error(`it hangs in step ${n + 1}`);
    // a body that moves does work
    if (isStill) gain = Math.max(gain, energy.total - total);
    kinetic = Math.max(kinetic, energy.kinetic);
    total = energy.total;
    watch.look();
  }
  const { deepest, sharpest, change } = watch;
  const surface = computeSurfaceDepth(sheet.touch!, sheet.state) / sheet.adaptation!.size;
  return { depth: deepest, surface, angle: sharpest, change, gain: gain / kinetic };
}
