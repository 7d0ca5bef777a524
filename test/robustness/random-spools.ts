/** Random strands on spools, with and without a guide, a body, a muscle and a load, run without error, and no stock is overdrawn. */
import { compile, type SceneInput, validateScene } from 'heddle';
import { createRandom } from 'heddle/math';
import { type Family, type Measures, NO_REFUSAL } from './families.ts';

type Random = ReturnType<typeof createRandom>;
type Strand = SceneInput['objects'][number];
type Spool = NonNullable<Strand['spools']>[number];

function createSpool(random: Random, id: string, end: 'start' | 'end', body: string | undefined): Spool {
  const u = random.uniform;
  const drive = u(0, 1);
  const keyframes = [0, 0.1, 0.2].map((time) => ({ time, value: u(-3, 3) }));
  return {
    id,
    end,
    stock: u(0, 1) < 0.3 ? 0 : u(0, 1),
    radius: u(0.01, 0.2),
    inertia: u(0, 1) < 0.5 ? 0 : u(1e-5, 1e-2),
    ...(drive < 0.4 ? { speed: drive < 0.2 ? u(-2, 2) : keyframes } : drive < 0.6 ? { torque: u(-1, 1) } : {}),
    ...(u(0, 1) < 0.4 ? { brake: u(0, 1) } : {}),
    ...(body ? { body } : {}),
  };
}

function createScene(seed: number): SceneInput {
  const random = createRandom(seed);
  const u = (low: number, high: number) => random.uniform(low, high);
  const [hasGuide, hasBody, hasTwo] = [u(0, 1) < 0.5, u(0, 1) < 0.4, u(0, 1) < 0.3];
  const ring: [number, number, number] = [u(0.2, 0.8), u(0, 0.5), 0];
  const tip: [number, number, number] = [u(0.9, 1.2), u(-0.6, 0.2), u(-0.2, 0.2)];
  const first = createSpool(random, 'a', 'start', hasBody ? 'ship' : undefined);
  return {
    heddle: 1,
    name: 'random',
    title: 'random',
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: {
          radius: 0.003,
          linearDensity: Math.exp(u(-5, -1)),
          stretchStiffness: Math.exp(u(5, 12)),
          bendingStiffness: u(0, 1) < 0.3 ? 1e-4 : 0,
        },
        points: hasGuide ? [[0, 0, 0], ring, tip] : [[0, 0, 0], tip],
        nodes: Math.round(u(2, 30)),
        guides: hasGuide ? [{ id: 'ring', point: ring, friction: u(0, 1) < 0.5 ? 0.2 : 0 }] : [],
        spools: hasTwo ? [first, createSpool(random, 'b', 'end', undefined)] : [first],
        masses: !hasTwo && u(0, 1) < 0.7 ? [{ at: 'end', mass: Math.exp(u(-4, 2)) }] : [],
        damping: { stiffness: u(0, 1) < 0.5 ? 1e-3 : 0 },
      },
    ],
    bodies: hasBody ? [{ id: 'ship', shape: { type: 'sphere', radius: 0.1 }, motion: 'dynamic', mass: 2 }] : [],
    drivers: u(0, 1) < 0.3 ? [{ type: 'rest', object: 'rope', value: [{ time: 0, value: 1 }, { time: 0.2, value: u(0.6, 1.5) }] }] : [],
    probes: [
      { id: 'E', type: 'energy' },
      { id: 'l', type: 'length', object: 'rope' },
      { id: 'd', type: 'spool', object: 'rope', spool: 'a' },
    ],
    time: { step: [1e-3, 2e-3, 5e-3][seed % 3], duration: 1, integrator: u(0, 1) < 0.5 ? 'euler' : 'sdirk2' },
  };
} // biome-ignore format: one line

/** Runs the scene of a seed; throws where it fails or is not finite. */
function measureSpools(seed: number): Measures {
  const world = compile(validateScene(createScene(seed)));
  const values = new Float64Array(world.probeColumns.length);
  const stock = world.probeColumns.indexOf('d.stock');
  let least = Number.POSITIVE_INFINITY;
  while (world.time < 0.25) {
    world.step();
    world.writeProbes(values);
    if (!values.every(Number.isFinite)) throw new Error(`its probes are ${values.join()} at ${world.time} s`);
    least = Math.min(least, values[stock]);
  }
  return { stock: least };
}

export const SPOOLS: Family = {
  name: 'strands on spools',
  checks: [
    { promise: 'no stock is overdrawn', measure: 'stock', least: -1e-9 },
    { ...NO_REFUSAL, survey: [1, 700] },
  ],
  measure: measureSpools,
};
