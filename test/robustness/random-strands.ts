/**
 * Random scenes of strands that fall and are pulled over random bodies: boxes, spheres, cylinders, capsules, convex hulls,
 * some of them moving, now and then a floor. One seed, one scene.
 */
import { compile, parseScene, type SceneInput, type World } from 'heddle';
import { createFacetBody, Placement } from 'heddle/contact';
import { createRandom, type Random } from 'heddle/math';
import type { Strand } from 'heddle/strand';

type Body = NonNullable<SceneInput['bodies']>[number];
type Vector = [number, number, number];

/** Half the width that the bodies lie in [m]: with the strands above and beside them the size of a scene is about twice that. */
const EXTENT = 1;
/** Sub-steps of one step, taken and rejected, above which it counts as hanging; the engine itself gives up at 20,000. */
const MOST_TRIES = 5000;

function createShape(random: Random): Body['shape'] {
  const between = random.uniform;
  const size = between(0.1, 0.2);
  const kind = Math.floor(6 * random.uniform());
  if (kind === 0) return { type: 'box', size: [between(0.1, 0.22), between(0.1, 0.22), between(0.1, 0.22)] };
  if (kind === 1) return { type: 'sphere', radius: size };
  if (kind === 2) return { type: 'cylinder', radius: 0.6 * size, length: between(0.1, 0.3) };
  if (kind === 3) return { type: 'capsule', radius: 0.5 * size, length: between(0.05, 0.2) };
  const points = Array.from({ length: 6 + Math.floor(14 * random.uniform()) }, (): Vector => {
    const v = [between(-1, 1), between(-1, 1), between(-1, 1)];
    const scale = (size * between(0.6, 1)) / Math.hypot(...v);
    return [scale * v[0], scale * v[1], scale * v[2]];
  });
  return { type: 'convex', points };
}

/** Bodies beside each other, each in a slot of its own. */
function createBodies(random: Random): Body[] {
  const between = random.uniform;
  const direction = (): Vector => [between(-1, 1), between(-1, 1), between(-1, 1)];
  const count = 1 + Math.floor(3 * random.uniform());
  const bodies: Body[] = [];
  for (let b = 0; b < count; b++) {
    const position: Vector = [0.5 * (b - (count - 1) / 2), between(-0.2, 0.2), between(-0.2, 0.2)];
    const rotation = { axis: direction(), angle: between(0, 180) };
    const body: Body = { id: `body-${b}`, shape: createShape(random), position, rotation };
    if (random.uniform() < 0.3) {
      body.motion = 'scripted';
      body.keyframes = [
        { time: 0, position, rotation },
        {
          time: 0.5,
          position: [position[0], position[1] + between(-0.1, 0.1), position[2] + between(-0.1, 0.1)],
          rotation: { axis: rotation.axis, angle: rotation.angle + between(-60, 60) },
        },
      ];
    }
    bodies.push(body);
  }
  if (random.uniform() < 0.4) bodies.push({ id: 'floor', shape: { type: 'plane' }, position: [0, -0.8, 0] });
  return bodies;
}

export function createRandomScene(seed: number, step: number): SceneInput {
  const random = createRandom(seed);
  const between = random.uniform;
  const stiffness = 10 ** between(0, 2);
  const scene: SceneInput = {
    heddle: 1,
    name: 'random',
    title: `Random scene ${seed}`,
    bodies: createBodies(random),
    objects: [],
    drivers: [],
    time: { step, duration: 1 },
  };
  const strands = 1 + Math.floor(2 * random.uniform());
  for (let s = 0; s < strands; s++) {
    const y = 0.6 + 0.05 * s;
    const angle = between(0, Math.PI);
    const reach = between(0.5, EXTENT);
    const [x, z] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const id = `strand-${s}`;
    scene.objects.push({
      type: 'strand',
      id,
      contact: true,
      material: {
        radius: between(0.0005, 0.004),
        linearDensity: between(0.005, 0.05),
        stretchStiffness: 200 * stiffness,
        bendingStiffness: random.uniform() < 0.5 ? 0 : 1e-5 * stiffness,
        friction: random.uniform() < 0.5 ? 0 : between(0, 0.6),
      },
      points: [
        [-x, y, -z],
        [x, y + between(-0.05, 0.05), z],
      ],
      nodes: 15 + Math.floor(30 * random.uniform()),
      velocity: [between(-1, 1), between(-4, 0), between(-1, 1)],
      damping: { mass: between(0, 1), stiffness: random.uniform() < 0.5 ? 0 : 1e-4 },
    });
    for (const at of ['start', 'end'] as const)
      if (random.uniform() < 0.7)
        scene.drivers!.push({
          type: 'force',
          on: { object: id, at },
          value: [between(-1, 1), between(-3, 0.2), between(-1, 1)],
        });
  }
  return scene;
}

/** Runs scenes, one a seed; what was wrong with them, a line each. */
export function findFaults(seeds: Iterable<number>, step: number, steps: number): string[] {
  const faults: string[] = [];
  for (const seed of seeds)
    try {
      const depth = measurePenetration(createRandomScene(seed, step), steps);
      if (!(depth <= 1e-6)) faults.push(`scene ${seed}: depth ${depth.toExponential(2)} of the scene`);
    } catch (error) {
      faults.push(`scene ${seed}: ${(error as Error).message}`);
    }
  return faults;
}

/** Runs a scene; returns the deepest that any point of a strand ever was in a body grown by its radius [m], relative to the scene. */
function measurePenetration(scene: SceneInput, steps: number): number {
  const world = compile(parseScene(JSON.stringify(scene), { source: scene.title }));
  const strands = world.models.filter((model): model is Strand => model.type === 'strand');
  const facets = strands.map(({ state }) =>
    world.bodies.map(({ shape }) => createFacetBody(shape, state.chain.material.radius)),
  );
  let deepest = 0;
  for (let n = 0; n < steps; n++) {
    const { substeps, rejected } = world.step();
    if (!Number.isFinite(world.energy().total)) throw new Error(`${scene.title} is not finite after step ${n + 1}`);
    if (substeps + rejected > MOST_TRIES) throw new Error(`${scene.title} hangs in step ${n + 1}`);
    strands.forEach((strand, s) => {
      deepest = Math.max(deepest, computeDepth(world, strand, facets[s]));
    });
  }
  return deepest / (2 * EXTENT);
}

function computeDepth(world: World, { state }: Strand, facets: readonly ReturnType<typeof createFacetBody>[]): number {
  const [place, a, b] = [new Placement(), new Float64Array(3), new Float64Array(3)];
  const { q, count } = state.chain;
  let deepest = 0;
  world.bodies.forEach((body, n) => {
    place.read(body);
    for (let e = 0; e + 1 < count; e++) {
      place.writeLocal(q, 4 * e, a, 0);
      place.writeLocal(q, 4 * e + 4, b, 0);
      deepest = Math.max(deepest, facets[n].computeSegmentDepth(a, b));
    }
  });
  return deepest;
}
