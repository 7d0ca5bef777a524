/**
 * The scene format, the single source of truth: TypeScript types, validation, JSON Schema (`heddle schema`) and
 * docs/scene-reference.md all come from here. A scene is plain JSON in SI units, y up, angles in degrees.
 * Every object is strict: an unknown key is a fault. What one field alone cannot say (references, order in time, one of
 * two keys) is in checks.ts.
 */

import { z } from 'zod';
import { choice, flag, id, list, position, quantity, record, text, typeFault, unionFault, vector } from './fields.ts';
import { materialSchema } from './schema-materials.ts';
import { objectSchema } from './schema-objects.ts';
import { atSchema, bodySchema, changing, LIMITS, timeSchema } from './schema-parts.ts';
import { CORNERS, materialBox, materialPoint, SIDES, worldBox } from './schema-sheet.ts';

/** A point of a strand, a point of a sheet in its material coordinates. */
const pointSchema = z
  .union(
    [atSchema, materialPoint('Sheets: material coordinates.')],
    unionFault('"start", "end" or a fraction from 0 to 1 on a strand, or [X, Y] in m on a sheet'),
  )
  .meta({
    description: 'Strands: an end, or a fraction of the material length. Sheets: the nearest vertex to [X, Y].',
  });

/** What names more than one vertex of a sheet. */
const regionKeys = {
  corner: choice(CORNERS, 'Rectangular sheets: the vertex at a corner.').optional(),
  side: choice(SIDES, 'Rectangular sheets: all vertices on a side.').optional(),
  box: materialBox('Sheets: all vertices in a box of the material, [[X, Y], [X, Y]].').optional(),
  worldBox: worldBox('Sheets: all vertices that are in a box of the world at the start.').optional(),
};

const onSchema = record(
  'a point of a strand, or a point or region of a sheet',
  { object: id('The strand or sheet.'), at: pointSchema.optional(), ...regionKeys },
  'A material point of a strand ("at"), or a point or region of a sheet ("at", "corner", "side", "box" or "worldBox"). Its vertices stay when the sheet is remeshed.',
).meta({ id: 'on' });

const window = {
  from: timeSchema('Acts from this time on; default: the start.').optional(),
  until: timeSchema('Acts until this time; default: the end.').optional(),
};

const pointKeyframeSchema = record(
  'a keyframe',
  { time: timeSchema('When.'), position: position('Where.') },
  'Position at a time.',
).meta({ id: 'pointKeyframe' });

/** Registry of driver types. */
export const DRIVER_TYPES = ['pin', 'fix', 'velocity', 'keyframes', 'force', 'tie', 'rest', 'wind'] as const;

const driverSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a pin', { type: z.literal('pin'), on: onSchema, ...window }, 'Holds a point where it is.'),
      record(
        'a fix',
        {
          type: z.literal('fix'),
          on: onSchema,
          components: list(
            choice(['x', 'y', 'z'], 'A world axis.'),
            { min: 1, max: 3, noun: 'of "x", "y", "z"' },
            'World components that are held.',
          ),
          ...window,
        },
        'Holds single world components of a point.',
      ),
      record(
        'a velocity',
        { type: z.literal('velocity'), on: onSchema, value: vector('m/s', 'The velocity.', 1e6), ...window },
        'Prescribes the velocity of a point.',
      ),
      record(
        'keyframes',
        {
          type: z.literal('keyframes'),
          on: onSchema,
          keyframes: list(
            pointKeyframeSchema,
            { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
            'Positions, times increasing.',
          ),
          ...window,
        },
        'Moves a point along keyframes; of a region, its middle: all its vertices go by the same way.',
      ),
      record(
        'a force',
        { type: z.literal('force'), on: onSchema, value: vector('N', 'The force.', 1e15), ...window },
        'Pulls at a point. A region shares the force by the material around its vertices.',
      ),
      record(
        'a tie',
        {
          type: z.literal('tie'),
          on: onSchema,
          body: id('Body that the point stays on; or give "to".').optional(),
          to: onSchema.optional(),
          ...window,
        },
        'Keeps a point on a body or on another point. Give "body" or "to". Regions of two sheets are stitched vertex by vertex, each to the nearest.',
      ),
      record(
        'a rest length',
        {
          type: z.literal('rest'),
          object: id('The strand.'),
          value: changing(
            { unit: '1', min: 1e-3, max: 1e3 },
            'Natural length over the length that the strand was made with: below 1 it shrinks, above it grows.',
          ),
          ...window,
        },
        'Changes the natural length of a strand, as a muscle does. Its mass stays, and so does the length that bending is reckoned with.',
      ),
      record(
        'wind',
        {
          type: z.literal('wind'),
          velocity: vector('m/s', 'Velocity of the air.', 1e6),
          airDensity: quantity({ unit: 'kg/m³', min: 0, max: 1e6 }, 'Density of the air.').default(1.2),
          dragCoefficient: quantity(
            { unit: '1', min: 0, max: 1e3 },
            'Drag of the cross-flow, over diameter × length of a strand, or of a plate, over the area of a sheet.',
          ).default(1.1),
          ...window,
        },
        'Air drag on all strands and sheets.',
      ),
    ],
    typeFault('a driver', DRIVER_TYPES),
  )
  .meta({ id: 'driver', description: 'What moves, holds or pulls.' });

const placeSchema = record(
  'a place on a strand or sheet',
  {
    object: id('The strand or sheet.'),
    at: pointSchema.optional(),
    guide: id('Strands: a guide or spool; or give "at".').optional(),
    ...regionKeys,
  },
  'A point ("at"), a guide or a spool of a strand ("guide"); or a point of a sheet, wherever its vertices are, or a region of it.',
).meta({ id: 'place' });

const probeId = id('Name, unique among probes; first part of its columns.');

const pointProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), on: placeSchema }, description);

const totalProbe = <const Type extends string>(type: Type, description: string) =>
  record(
    'a probe',
    { id: probeId, type: z.literal(type), object: id('One object; default: the whole world.').optional() },
    description,
  );

const sheetProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), object: id('The sheet.') }, description);

const bodyProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), body: id('The body.') }, description);

const vectorColumns = ['.x', '.y', '.z'];

/** Registry of probe types with the endings of their columns; a scalar has the one column `<id>`. */
export const PROBE_COLUMNS = {
  position: vectorColumns,
  velocity: vectorColumns,
  tension: [''],
  stress: ['.warp', '.weft', '.shear'],
  strain: [''],
  curvature: [''],
  materialCoordinate: [''],
  materialSpeed: [''],
  constraintForce: vectorColumns,
  energy: ['.kinetic', '.stretch', '.bending', '.gravity', '.contact', '.total'],
  momentum: vectorColumns,
  angularMomentum: vectorColumns,
  counts: ['.nodes', '.eulerian', '.lagrangian', '.disabled', '.remeshings'],
  mesh: ['.triangles', '.smallestAngle', '.kept'],
  area: ['.material', '.world'],
  penetration: [''],
  length: ['.material', '.world'],
  spool: ['.stock', '.speed', '.turn', '.torque'],
  crossings: ['.count', '.interpolated', '.load', '.made', '.lost'],
  body: ['.x', '.y', '.z', '.vx', '.vy', '.vz', '.wx', '.wy', '.wz'],
  contactForce: vectorColumns,
  passage: ['.u', '.speed'],
} satisfies Record<string, readonly string[]>;

const probeSchema = z
  .discriminatedUnion(
    'type',
    [
      pointProbe('position', 'World position [m], of a region the mean: .x .y .z'),
      pointProbe('velocity', 'World velocity of the material [m/s], of a region the mean: .x .y .z'),
      pointProbe(
        'tension',
        'Axial force of a strand [N]; largest principal force per width of a sheet [N/m], of a region the mean.',
      ),
      pointProbe('stress', 'Sheets: stress in the material axes [Pa], of a region the mean: .warp .weft .shear'),
      pointProbe(
        'strain',
        'Axial strain of a strand, principal strain of larger size of a sheet [1], of a region the mean.',
      ),
      pointProbe('curvature', 'Strands: curvature [1/m].'),
      pointProbe('materialCoordinate', 'Strands: material coordinate u of the node [m].'),
      pointProbe('materialSpeed', 'Strands: speed du/dt of the material through the node [m/s].'),
      pointProbe(
        'constraintForce',
        'Force of what holds the point [N], of a region the sum; of sheets without that of bodies: .x .y .z',
      ),
      totalProbe('energy', 'Energy by term [J]: .kinetic .stretch .bending .gravity .contact .total'),
      totalProbe('momentum', 'Linear momentum [kg m/s]: .x .y .z'),
      totalProbe('angularMomentum', 'Angular momentum about the origin [kg m²/s]: .x .y .z'),
      totalProbe('counts', 'Numbers of nodes or vertices: .nodes .eulerian .lagrangian .disabled .remeshings'),
      sheetProbe(
        'mesh',
        'Mesh of a sheet: triangles, smallest angle in the material [rad], share of vertices that the last remeshing kept: .triangles .smallestAngle .kept',
      ),
      sheetProbe('area', 'Area of a sheet [m²]: .material .world'),
      sheetProbe(
        'penetration',
        'How deep the deepest vertex of a sheet is in a body, half its thickness counted [m]; 0 where none is.',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('length'), object: id('The strand.') },
        'Length of a strand between its ends, without stock on spools [m]: .material .world',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('spool'), object: id('The strand.'), spool: id('The spool.') },
        'Stock on a drum [m], speed of the material [m/s] and turn of the drum since the start [rad], torque of drive and brake on it [N m]; + pays out: .stock .speed .turn .torque',
      ),
      totalProbe(
        'crossings',
        'Crossings of strands: .count, .interpolated (feet without a node of their own), .load, the sum of their forces [N]; of the whole world .made and .lost so far.',
      ),
      bodyProbe('body', 'Position [m], velocity [m/s], angular velocity [rad/s]: .x .y .z .vx .vy .vz .wx .wy .wz'),
      bodyProbe('contactForce', 'Force of all contacts on the body [N]: .x .y .z'),
      record(
        'a probe',
        {
          id: probeId,
          type: z.literal('passage'),
          object: id('The strand.'),
          point: position('Where it is looked at.'),
        },
        'The material nearest to a fixed point of space: its coordinate u [m] and its speed along the strand towards larger u [m/s]: .u .speed',
      ),
    ],
    typeFault('a probe', Object.keys(PROBE_COLUMNS)),
  )
  .meta({ id: 'probe', description: 'What is measured; its columns are named after its id.' });

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
    nodes: flag('Draw the nodes: Eulerian red, Lagrangian blue.').default(true),
    colour: choice(
      ['checker', 'speed', 'tension', 'strain', 'curvature', 'stress'],
      'What strands and sheets are coloured by; tension is of strands, stress of sheets.',
    ).default('checker'),
    forces: flag('Draw the forces of contacts and constraints on strands and sheets as arrows.').default(false),
    lines: flag('Draw where elements end: rings round strands, edges of the triangles of sheets and bodies.').default(
      false,
    ),
    background: text('Colour behind the scene.', 9, {
      pattern: /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
      words: 'a colour such as "#fff" or "#1e2430"',
    }).optional(),
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
    drivers: list(driverSchema, { max: LIMITS.drivers, noun: 'drivers' }, 'What moves, holds or pulls.').default([]),
    probes: list(probeSchema, { max: LIMITS.probes, noun: 'probes' }, 'What is measured.').default([]),
    time: timeSettings,
    solver: solverSettings.prefault({}),
    output: outputSettings.prefault({}),
    view: viewSettings.prefault({}),
    expect: list(
      expectSchema,
      { max: LIMITS.probes, noun: 'expectations' },
      'The condition the scene ends in, checked after the last step.',
    ).default([]),
  },
  'A Heddle scene: JSON in SI units, y up.',
);

/** A validated scene, defaults filled in. */
export type Scene = z.infer<typeof sceneSchema>;
/** A scene as one writes it: defaults may be left out. */
export type SceneInput = z.input<typeof sceneSchema>;
export type SceneObject = Scene['objects'][number];
export type SceneStrand = Extract<SceneObject, { type: 'strand' }>;
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
