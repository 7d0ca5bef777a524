/**
 * The scene format, the single source of truth: TypeScript types, validation, JSON Schema (`heddle schema`) and
 * docs/reference/scene.md all come from here. A scene is plain JSON in SI units, y up, angles in degrees
 * where the unit does not say rad.
 * Every object is strict: an unknown key is a fault. What one field alone cannot say (references, order in time, one of
 * two keys) is in checks.ts.
 */

import { z } from 'zod';
import { choice, colour, flag, id, list, position, quantity, record, text, unionFault, vector } from './fields.ts';
import { driverSchema, type onSchema } from './schema-drivers.ts';
import { materialSchema } from './schema-materials.ts';
import { objectSchema } from './schema-objects.ts';
import { bodySchema, LIMITS } from './schema-parts.ts';
import { PROBE_COLUMNS, probeSchema } from './schema-probes.ts';

const step = (description: string) => quantity({ unit: 's', above: 0, max: 1e6 }, description);

const timeSettings = record(
  'time',
  {
    step: step('Length of a step.'),
    duration: quantity({ unit: 's', above: 0, max: 1e9 }, 'Simulated time of a whole run.'),
    integrator: choice(['euler', 'sdirk2'], 'euler: implicit, first order; sdirk2: second order.').default('euler'),
    adaptive: z
      .union(
        [
          z.literal(false),
          record(
            'adaptive steps',
            {
              tolerance: quantity(
                { unit: '1', above: 0, max: 1 },
                'Target error of a sub-step, relative to the local node spacing. A sub-step with twice this error is rejected and repeated with a smaller size.',
              ).default(1e-3),
              smallest: step('Smallest sub-step. A sub-step of this length is accepted whatever its error.'),
            },
            'Sub-step sizes from the estimated error.',
          ),
        ],
        unionFault('false or an object with tolerance and smallest'),
      )
      .default(false)
      .meta({ description: 'false: fixed steps. An object: sub-step sizes chosen from the estimated error.' }),
  },
  'Steps and duration.',
);

const crossingSettings = record(
  'crossings',
  {
    friction: quantity({ unit: '1', min: 0, max: 100 }, 'Coefficient of dry friction between strands.').default(0),
    objects: list(
      id('A strand.'),
      { min: 1, max: LIMITS.objects, noun: 'strands' },
      'Strands that collide with each other and with themselves. Default: all.',
    ).optional(),
  },
  'Contact between strands, and of a strand with itself. Where two strands come closer than the sum of their radii, each gets a node at the other, which slides along both.',
);

const touchingSettings = record(
  'touching',
  {
    objects: list(
      id('A strand, rod, sheet or fabric.'),
      { max: LIMITS.objects, noun: 'objects' },
      'Objects that collide with each other. An empty list: all pass through each other.',
    ),
  },
  'Contact between objects of different types. Segments of strands, rods and yarns keep their radius from each other and from the middle surface of sheets, with friction.',
);

const solverSettings = record(
  'solver',
  {
    newtonIterations: quantity(
      { unit: '1', min: 1, max: 1000, integer: true },
      'Maximum number of Newton iterations per stage. 1 is linearly implicit. Default: 1 with euler, 30 with sdirk2. sdirk2 is second order only if Newton converges.',
    ).optional(),
    tolerance: quantity(
      { unit: '1', above: 0, max: 1 },
      'Newton has converged when no node moves by more than this fraction of the smallest node spacing. Not used with one iteration.',
    ).default(1e-9),
    keepsAngularMomentum: flag(
      'Conserves the angular momentum of isolated objects to rounding; otherwise to the order of the integrator. Isolated: no constraint, driver, wind or damping acts on it, and it touches nothing static. Default: true in scenes without any external action, gravity included.',
    ).optional(),
  },
  'Solver settings.',
);

const outputSettings = record(
  'output',
  {
    framesPerSecond: quantity({ unit: '1/s', above: 0, max: 1e6 }, 'Frames written per simulated second.').default(60),
    probesPerSecond: quantity(
      { unit: '1/s', above: 0, max: 1e9 },
      'Probe rows written per simulated second. Default: one per step.',
    ).optional(),
  },
  'Output of a run.',
);

const viewSettings = record(
  'view',
  {
    camera: record(
      'a camera',
      {
        position: position('Camera position.'),
        target: position('Point the camera looks at.'),
        fieldOfView: quantity({ unit: 'degrees', above: 0, below: 180 }, 'Vertical field of view.').default(35),
      },
      'The camera. Default: one that shows the whole scene.',
    ).optional(),
    checker: quantity(
      { unit: 'm', above: 0, max: 1e9 },
      'Material length of one square of the checker pattern.',
    ).optional(),
    markers: quantity(
      { unit: 'm', min: 0, max: 1e9 },
      'Material length between marker spheres. 0: no markers.',
    ).optional(),
    nodes: flag(
      'Draw the nodes: Eulerian red, Lagrangian blue. Crossings of fabrics are white, pink if one of their two nodes is EIL, red if both are.',
    ).default(true),
    colour: choice(
      ['checker', 'speed', 'tension', 'strain', 'curvature', 'twist', 'stress', 'load', 'slip', 'pressure'],
      'Quantity shown as colour. tension: strands, rods and yarns; twist: rods; stress: sheets; load and slip: crossings of yarns; pressure: sand, goo and fluids.',
    ).default('checker'),
    forces: flag('Draw contact forces and constraint forces as arrows.').default(false),
    lines: flag(
      'Draw element boundaries: rings around strands and rods, edges of the triangles of sheets and bodies.',
    ).default(false),
    bar: flag(
      'Draw the material of the first rod as a straight bar with a tick at each node. It has the colours of the rod, or shows curvature if the rod is checkered.',
    ).default(false),
    background: colour('Background colour.').optional(),
  },
  'How the scene is drawn.',
);

const expectSchema = record(
  'an expectation',
  {
    probe: text('Column of a probe, such as "tip.y".', 200),
    min: quantity({ unit: '1', min: -1e300, max: 1e300 }, "Smallest allowed value, in the column's unit.").optional(),
    max: quantity({ unit: '1', min: -1e300, max: 1e300 }, "Largest allowed value, in the column's unit.").optional(),
  },
  'Bounds of a probe value, checked after the last step of a complete run.',
).meta({ id: 'expectation' });

export const sceneSchema = record(
  'a scene',
  {
    $schema: text('JSON Schema for editors. Heddle does not use it.', 1000).optional(),
    heddle: z
      .literal(1, unionFault('1, the only version of the scene format so far'))
      .meta({ description: 'Version of the scene format.' }),
    name: text('Name of the scene and of its results: the file name without .json.', 100, {
      pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
      words: 'letters, digits, _ and -, beginning with a letter or digit',
    }),
    title: text('Title.', 200),
    description: text('What happens in the scene, in one to four short sentences.', 2000).optional(),
    paper: text('Paper that the scene comes from: a key of docs/references.md, such as Jiang 2020.', 200).optional(),
    figure: text('Figure or table of that paper.', 200).optional(),
    gravity: vector('m/s²', 'Gravitational acceleration.', 1e6).default([0, -9.81, 0]),
    materials: z
      .record(id('Name of the material.'), materialSchema, unionFault('an object of named materials'))
      .default({})
      .meta({ description: 'Named materials.' }),
    objects: list(
      objectSchema,
      { min: 1, max: LIMITS.objects, noun: 'objects' },
      'The deformable objects. The type of the first one is the model of the scene.',
    ),
    bodies: list(bodySchema, { max: LIMITS.bodies, noun: 'bodies' }, 'Static, scripted and dynamic bodies.').default(
      [],
    ),
    crossings: crossingSettings
      .optional()
      .meta({ description: 'Contact between strands. Without it, strands pass through each other.' }),
    touching: touchingSettings.optional().meta({
      description:
        'Which strands, rods, sheets and fabrics collide with objects of other types, and which fabrics collide with other fabrics. Default: all objects of different types collide.',
    }),
    drivers: list(
      driverSchema,
      { max: LIMITS.drivers, noun: 'drivers' },
      'Constraints, prescribed motions, forces and wind.',
    ).default([]),
    probes: list(probeSchema, { max: LIMITS.probes, noun: 'probes' }, 'Measured quantities.').default([]),
    time: timeSettings,
    solver: solverSettings.prefault({}),
    output: outputSettings.prefault({}),
    view: viewSettings.prefault({}),
    sizes: z
      .record(
        id('Name of the size.'),
        z.record(
          z.string(),
          z.unknown().meta({ description: 'Value at this path.' }),
          unionFault('an object whose keys are paths and whose values are set there'),
        ),
        unionFault('an object of named sizes'),
      )
      .optional()
      .meta({
        description:
          'Named sizes of the scene: values by path, such as { "paper": { "objects[0].layers[0].pattern.warps": 230 } }. `--set size=paper` sets all values of that size. Without it the scene is used as written.',
      }),
    expect: list(
      expectSchema,
      { max: LIMITS.probes, noun: 'expectations' },
      'Expected final values of probes, checked after the last step.',
    ).default([]),
  },
  'A Heddle scene: JSON in SI units, y up.',
);

export { DRIVER_TYPES } from './schema-drivers.ts';
export { PROBE_COLUMNS } from './schema-probes.ts';

/** A validated scene, defaults filled in. */
export type Scene = z.infer<typeof sceneSchema>;
/** A scene as one writes it: defaults may be left out. */
export type SceneInput = z.input<typeof sceneSchema>;
export type SceneObject = Scene['objects'][number];
export type SceneStrand = Extract<SceneObject, { type: 'strand' }>;
export type SceneRod = Extract<SceneObject, { type: 'rod' }>;
export type SceneFabric = Extract<SceneObject, { type: 'fabric' }>;
export type SceneMpm = Extract<SceneObject, { type: 'mpm' }>;
export type SceneSheet = Extract<SceneObject, { type: 'sheet' }>;
/** Where a driver acts. */
export type On = z.infer<typeof onSchema>;
export type SceneBody = Scene['bodies'][number];
export type SceneShape = SceneBody['shape'];
export type Driver = Scene['drivers'][number];
export type Probe = Scene['probes'][number];
export type Expectation = Scene['expect'][number];
export type Material = z.infer<typeof materialSchema>;

/** Names of all columns of the given probes, in order. */
export function computeProbeColumns(probes: readonly Pick<Probe, 'id' | 'type'>[]): string[] {
  return probes.flatMap((probe) => PROBE_COLUMNS[probe.type].map((ending) => probe.id + ending));
}
