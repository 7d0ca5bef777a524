/**
 * Random drops of sheets on random convex solids: boxes, pyramids, wedges, hulls of random points, spheres, cylinders, turned any
 * way, some of them moving. One seed, one scene.
 */
import { compile, parseScene, type SceneInput } from 'heddle';
import { createRandom, type Random } from 'heddle/math';
import { computeSurfaceDepth, type Sheet } from 'heddle/sheet';
import { SheetWatch } from '../laws/sheet-watch.ts';

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

/**
 * What a drop may come to: depth of a vertex in the body [m], at the end of the surface between vertices, over the spacing, smallest
 * angle of a triangle in the material [°].
 */
export interface Limits {
  readonly deepest: number;
  readonly surface: number;
  readonly sharpest: number;
}

/** Runs scenes, one a seed; what was wrong with them, a line each. */
export function findFaults(
  seeds: Iterable<number>,
  step: number,
  steps: number,
  remesher: 'global' | 'local',
  limits: Limits,
): string[] {
  const faults: string[] = [];
  for (const seed of seeds)
    try {
      run(createRandomDrop(seed, step, remesher), steps, limits, (fault) => faults.push(`drop ${seed}: ${fault}`));
    } catch (error) {
      faults.push(`drop ${seed}: ${(error as Error).message}`);
    }
  return faults;
}

function run(scene: SceneInput, steps: number, limits: Limits, complain: (fault: string) => void): void {
  const world = compile(parseScene(JSON.stringify(scene), { source: scene.title }));
  const sheet = world.models.find((model): model is Sheet => model.type === 'sheet')!;
  const watch = new SheetWatch([sheet]);
  for (let n = 0; n < steps; n++) {
    const { substeps, rejected } = world.step();
    if (!Number.isFinite(world.energy().total)) throw new Error(`not finite after step ${n + 1}`);
    if (substeps + rejected > MOST_TRIES) throw new Error(`hangs in step ${n + 1}`);
    watch.look();
  }
  const { deepest, sharpest, change } = watch;
  if (!(deepest <= limits.deepest)) complain(`${deepest.toExponential(2)} m deep`);
  const surface = computeSurfaceDepth(sheet.touch!, sheet.state) / sheet.adaptation!.size;
  if (!(surface <= limits.surface)) complain(`${surface.toFixed(4)} of the spacing deep between vertices`);
  if (!(sharpest >= limits.sharpest)) complain(`an angle of ${sharpest.toFixed(1)}°`);
  if (!(change <= 1e-9)) complain(`area changed by ${change.toExponential(2)}`);
}
