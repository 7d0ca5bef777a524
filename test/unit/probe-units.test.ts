/** Units of probe columns: known to the world, and the ones that the scene reference promises. */
import { compile, computeJsonSchema, type SceneInput, validateScene } from 'heddle/scene';
import { MEASURE_UNITS } from 'heddle/world';
import { expect, test } from 'vitest';

const on = { object: 'rope', at: 'end' as const };
const PLACES: Record<string, object> = {
  body: { body: 'ball' },
  contactForce: { body: 'ball' },
  length: { object: 'rope' },
  spool: { object: 'rope', spool: 'drum' },
  passage: { object: 'rope', point: [0.5, 0, 0] },
  stress: { on: { object: 'cloth', at: [0, 0] } },
  mesh: { object: 'cloth' },
  coherence: { object: 'cloth' },
  area: { object: 'cloth' },
  penetration: { object: 'cloth' },
  rod: { object: 'rod' },
  link: { object: 'rod' },
  torque: { on: { object: 'rod', at: 'end' } },
  fabric: { object: 'weave' },
  load: { object: 'weave' },
  slip: { object: 'weave' },
  extension: { from: { object: 'weave', side: 'left' }, to: { object: 'weave', side: 'right' } },
  bounds: { object: 'sand' },
  particles: { object: 'sand' },
  energy: {},
  momentum: {},
  angularMomentum: {},
  counts: {},
  crossings: {},
};

/** The branches of the probe's schema: types with their descriptions. */
function listProbeTypes(): { type: string; description: string }[] {
  const { definitions } = computeJsonSchema();
  const branches = definitions?.probe.oneOf ?? definitions?.probe.anyOf ?? [];
  return branches.map((branch) => ({
    type: String(branch.properties?.type.const),
    description: branch.description ?? '',
  }));
}

const compileWith = (type: string) => {
  const probe = { id: 'p', type, ...(PLACES[type] ?? { on }) };
  const scene: unknown = {
    heddle: 1,
    name: 'units',
    title: 'units',
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: 'hemp-rope-8mm',
        points: [[0, 0, 0], [1, 0, 0]], // biome-ignore format: points
        nodes: 5,
        spools: [{ id: 'drum', end: 'start', radius: 0.1, stock: 1 }],
      },
      {
        type: 'rod',
        id: 'rod',
        material: 'nylon-line-1mm',
        points: [[0, 5, 0], [1, 5, 0]], // biome-ignore format: points
        segments: 4,
      },
      {
        type: 'sheet',
        id: 'cloth',
        material: 'cotton',
        shape: { type: 'rectangle', width: 1, height: 1, columns: 2, rows: 2 },
      },
      {
        type: 'fabric',
        id: 'weave',
        layers: [{ pattern: { type: 'plain', warps: 3, wefts: 3, spacing: 1e-3 }, material: 'cotton-yarn' }],
        position: [0, 9, 0],
      },
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.1,
        parts: [
          {
            id: 'sand',
            pattern: { type: 'fill', shape: { type: 'box', size: [0.2, 0.2, 0.2] } },
            material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
            position: [0, 20, 0],
          },
        ],
      },
    ],
    bodies: [{ id: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0, -3, 0] }],
    touching: { objects: [] },
    probes: [probe],
    time: { step: 0.01, duration: 1 },
  } satisfies Omit<SceneInput, 'probes'> & { probes: unknown };
  return compile(validateScene(scene));
};

test.each(listProbeTypes())(
  'the probe $type has one unit per column, as its description says',
  ({ type, description }) => {
    const world = compileWith(type);
    expect(world.probeUnits.length).toBe(world.probeColumns.length);
    const promised = [...description.matchAll(/\[([^\]]+)\]/g)].map(([, unit]) => unit);
    const pure = (unit: string) => unit !== '1';
    expect([...new Set(world.probeUnits)].filter(pure)).toEqual([...new Set(promised)].filter(pure));
  },
);

test('what a world tells of a step has units: energies in J, stages in ms', () => {
  const world = compileWith('counts');
  const keys = [...Object.keys(world.energy()), ...Object.keys(world.profile)];
  for (const key of keys) expect(Object.keys(MEASURE_UNITS)).toContain(key);
  for (const key of Object.keys(world.energy())) expect(MEASURE_UNITS[key as 'total']).toBe('J');
  for (const key of Object.keys(world.profile)) expect(MEASURE_UNITS[key as 'solve']).toBe('ms');
});
