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
                'Error of a sub-step that is aimed at, relative to the local spacing of nodes; with twice as much it is taken again, smaller.',
              ).default(1e-3),
              smallest: step('Smallest sub-step tried; one of that length is taken whatever its error.'),
            },
            'Sub-steps sized by their estimated error.',
          ),
        ],
        unionFault('false or an object with tolerance and smallest'),
      )
      .default(false)
      .meta({ description: 'false: fixed steps; or sub-steps sized by their estimated error.' }),
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
      'Strands that cross each other and themselves; default: all.',
    ).optional(),
  },
  'Strands that do not pass through each other or themselves: where they come nearer than the sum of their radii, a node of each is kept at the other and slides along both.',
);

const touchingSettings = record(
  'touching',
  {
    objects: list(
      id('A strand, rod, sheet or fabric.'),
      { max: LIMITS.objects, noun: 'objects' },
      'Those that touch each other; none: all pass through each other.',
    ),
  },
  'Objects that touch others of another type: segments of strands, rods and yarns keep their radius from each other and from the middle surface of sheets, with friction.',
);

const solverSettings = record(
  'solver',
  {
    newtonIterations: quantity(
      { unit: '1', min: 1, max: 1000, integer: true },
      'Most Newton iterations in a stage; 1 is linearly implicit. Default: 1 with euler, 30 with sdirk2, which is of second order only when they converge.',
    ).optional(),
    tolerance: quantity(
      { unit: '1', above: 0, max: 1 },
      'Newton has converged when no node moves by more than this share of the smallest spacing of nodes; not used with one iteration.',
    ).default(1e-9),
    keepsAngularMomentum: flag(
      'Whether what is on its own (not held, driven, blown at or braked, and touching nothing that stands still) keeps its angular momentum to rounding, else to the order of the integrator. Default: in scenes that nothing acts on from outside, not even gravity.',
    ).optional(),
  },
  'The solver.',
);

const outputSettings = record(
  'output',
  {
    framesPerSecond: quantity({ unit: '1/s', above: 0, max: 1e6 }, 'Frames written per simulated second.').default(60),
    probesPerSecond: quantity(
      { unit: '1/s', above: 0, max: 1e9 },
      'Probe rows written per simulated second; default: one a step.',
    ).optional(),
  },
  'What a run writes.',
);

const viewSettings = record(
  'view',
  {
    camera: record(
      'a camera',
      {
        position: position('Where it stands.'),
        target: position('What it looks at.'),
        fieldOfView: quantity({ unit: 'degrees', above: 0, below: 180 }, 'Vertical opening angle.').default(35),
      },
      'The camera; default: one that sees everything.',
    ).optional(),
    checker: quantity({ unit: 'm', above: 0, max: 1e9 }, 'Material length of one check.').optional(),
    markers: quantity({ unit: 'm', min: 0, max: 1e9 }, 'Material length between marker spheres; 0 is none.').optional(),
    nodes: flag(
      'Draw the nodes: Eulerian red, Lagrangian blue; of fabrics crossings, white, red where both nodes are EIL, pink where one is.',
    ).default(true),
    colour: choice(
      ['checker', 'speed', 'tension', 'strain', 'curvature', 'twist', 'stress', 'load', 'slip', 'pressure'],
      'What objects are coloured by; tension is of strands, rods and yarns, twist of rods, stress of sheets, load and slip of the crossings of yarns, pressure of sand, goo and fluids.',
    ).default('checker'),
    forces: flag('Draw the forces of contacts and constraints on objects as arrows.').default(false),
    lines: flag(
      'Draw where elements end: rings round strands and rods, edges of the triangles of sheets and bodies.',
    ).default(false),
    bar: flag(
      'Draw the material of the first rod as a bar, laid out straight, with a tick at each node, in the colours of the rod, or by curvature where it has checks.',
    ).default(false),
    background: colour('Colour behind the scene.').optional(),
  },
  'How a picture of the scene looks.',
);

const expectSchema = record(
  'an expectation',
  {
    probe: text('Column of a probe, such as "tip.y".', 200),
    min: quantity({ unit: '1', min: -1e300, max: 1e300 }, "Smallest allowed value, in the column's unit.").optional(),
    max: quantity({ unit: '1', min: -1e300, max: 1e300 }, "Largest allowed value, in the column's unit.").optional(),
  },
  'A bound on a probe, checked after the last step of a whole run.',
).meta({ id: 'expectation' });

export const sceneSchema = record(
  'a scene',
  {
    $schema: text('JSON Schema for editors; not used by Heddle.', 1000).optional(),
    heddle: z
      .literal(1, unionFault('1, the only version of the scene format so far'))
      .meta({ description: 'Version of the scene format.' }),
    name: text('Name of the scene and of its results; the file name without .json.', 100, {
      pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
      words: 'letters, digits, _ and -, the first one a letter or digit',
    }),
    title: text('Title.', 200),
    description: text('What happens, in a sentence.', 2000).optional(),
    paper: text('Paper the scene comes from.', 200).optional(),
    figure: text('Figure or table of that paper.', 200).optional(),
    gravity: vector('m/s²', 'Gravitational acceleration.', 1e6).default([0, -9.81, 0]),
    materials: z
      .record(id('Name of the material.'), materialSchema, unionFault('an object of named materials'))
      .default({})
      .meta({ description: 'Named materials.' }),
    objects: list(
      objectSchema,
      { min: 1, max: LIMITS.objects, noun: 'objects' },
      'The flexible things; the first one gives the scene its model.',
    ),
    bodies: list(bodySchema, { max: LIMITS.bodies, noun: 'bodies' }, 'Obstacles and rigid bodies.').default([]),
    crossings: crossingSettings
      .optional()
      .meta({ description: 'Contact of strands with each other; left out, they pass through each other.' }),
    touching: touchingSettings.optional().meta({
      description:
        'Which strands, rods, sheets and fabrics touch each other where they are of different types, and which fabrics touch other fabrics; left out, all of different types do.',
    }),
    drivers: list(driverSchema, { max: LIMITS.drivers, noun: 'drivers' }, 'What moves, holds or pulls.').default([]),
    probes: list(probeSchema, { max: LIMITS.probes, noun: 'probes' }, 'What is measured.').default([]),
    time: timeSettings,
    solver: solverSettings.prefault({}),
    output: outputSettings.prefault({}),
    view: viewSettings.prefault({}),
    sizes: z
      .record(
        id('Name of the size.'),
        z.record(
          z.string(),
          z.unknown().meta({ description: 'The value at that path.' }),
          unionFault('an object of values by their paths'),
        ),
        unionFault('an object of named sizes'),
      )
      .optional()
      .meta({
        description:
          'Named sizes of the scene: values by their paths, such as { "paper": { "objects[0].layers[0].pattern.warps": 230 } }. `--set size=paper` sets all of them; without it the scene is as it is written.',
      }),
    expect: list(
      expectSchema,
      { max: LIMITS.probes, noun: 'expectations' },
      'The condition the scene ends in, checked after the last step.',
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
