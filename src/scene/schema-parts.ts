/** Parts of the scene schema: strands, bodies. See schema.ts. */

import { z } from 'zod';
import {
  choice,
  flag,
  fraction,
  id,
  list,
  position,
  quantity,
  record,
  text,
  typeFault,
  unionFault,
  vector,
} from './fields.ts';
import { materialField } from './schema-materials.ts';

/** Upper bounds of single fields and lists: far above what is useful, far below what exhausts memory. Sums that users may limit: `model/limits.ts`. */
export const LIMITS = {
  nodes: 2_000_000,
  objects: 100_000,
  bodies: 10_000,
  drivers: 100_000,
  probes: 10_000,
  keyframes: 100_000,
  guides: 10_000,
  materials: 10_000,
} as const;

export const LARGEST_SPEED = 1e6;

const time = (description: string) => quantity({ unit: 's', min: 0, max: 1e9 }, description);

export const rotationSchema = record(
  'a rotation',
  {
    axis: vector('1', 'Direction of the axis; any length but zero.'),
    angle: quantity({ unit: 'degrees', min: -1e6, max: 1e6 }, 'Angle, right-handed about the axis.'),
  },
  'A turn about an axis.',
).meta({ id: 'rotation' });

export const dampingSchema = record(
  'damping',
  {
    mass: quantity(
      { unit: '1/s', min: 0, max: 1e9 },
      'Alpha: brakes all motion against the world at rest, as a share of speed per second.',
    ).default(0),
    stiffness: quantity({ unit: 's', min: 0, max: 1e9 }, 'Beta: the time by which strains lag (Kelvin-Voigt).').default(
      0,
    ),
  },
  'Damping of motion and of strains.',
);

/** A place on a strand or rod. */
export const atSchema = z
  .union(
    [choice(['start', 'end'], 'An end.'), fraction('Fraction of the material length.')],
    unionFault('"start", "end" or a fraction of the material from 0 to 1'),
  )
  .meta({
    id: 'at',
    description: 'Place on a strand or rod: an end, or a fraction of its material length from 0 to 1.',
  });

const guideSchema = record(
  'a guide',
  {
    id: id('Name, unique within the strand.'),
    point: position("Where the strand passes; it must lie on the strand's polyline."),
    body: id('Body that carries the point; without it the point is fixed in space.').optional(),
    friction: quantity(
      { unit: '1', min: 0, max: 100 },
      'Coefficient of dry friction at the guide; 0 slides freely.',
    ).default(0),
    law: choice(
      ['edge', 'round'],
      'How friction depends on the turn d: edge, a single sharp edge, (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d); round, a smooth round (capstan), exp(μ d).',
    ).default('edge'),
    pulley: record(
      'a pulley',
      {
        radius: quantity({ unit: 'm', above: 0, max: 1e6 }, 'Radius at which the strand runs.'),
        inertia: quantity({ unit: 'kg m²', above: 0, max: 1e15 }, 'Moment of inertia about its axle.'),
      },
      'A wheel at the guide that turns with the strand without slip; its axle is free.',
    ).optional(),
    width: quantity(
      { unit: 'm', above: 0, max: 1e6 },
      'Length of strand that it takes up: guides on bodies that forces move come no nearer to others than half of both widths, and push them. Default: the diameter of the strand.',
    ).optional(),
    stop: flag('A free end of the strand stops here, like a knot at an eyelet, instead of slipping out.').default(
      false,
    ),
  },
  'A point through which the material slides (an Eulerian node).',
).meta({ id: 'guide' });

/** A number, or keyframes of one over time. */
export const changing = (rule: Parameters<typeof quantity>[0], description: string) =>
  z
    .union(
      [
        quantity(rule, 'The same all the time.'),
        list(
          record('a keyframe', { time: time('When.'), value: quantity(rule, 'The value then.') }, 'A value at a time.'),
          { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
          'Values over time, straight in between and constant outside; times increasing.',
        ),
      ],
      unionFault(`a number in ${rule.unit}, or an array of keyframes { time, value }`),
    )
    .meta({ description: `${description} A number, or keyframes { time, value }.`, unit: rule.unit });

const spoolSchema = record(
  'a spool',
  {
    id: id('Name, unique among the guides and spools of the strand.'),
    end: choice(
      ['start', 'end'],
      "Which end of the strand sits on the drum; it leaves the drum at the polyline's first or last point.",
    ),
    body: id('Body that carries the drum; without it the drum is fixed in space.').optional(),
    stock: quantity(
      { unit: 'm', min: 0, max: 1e9 },
      'Material on the drum at the start, in addition to that of the polyline. Its end is fastened to the drum.',
    ).default(0),
    radius: quantity(
      { unit: 'm', above: 0, max: 1e6 },
      'Radius at which the strand is wound; the same for all layers.',
    ),
    inertia: quantity(
      { unit: 'kg m²', min: 0, max: 1e15 },
      'Moment of inertia of the drum about its axle, without the stock on it.',
    ).default(0),
    speed: changing(
      { unit: 'm/s', min: -LARGEST_SPEED, max: LARGEST_SPEED },
      'Speed of the material that the drive keeps: positive pays out, negative winds up. Without it the drum turns freely.',
    ).optional(),
    torque: changing(
      { unit: 'N m', min: -1e15, max: 1e15 },
      'Torque of a motor on a drum without "speed": positive pays out, negative winds up.',
    ).optional(),
    brake: quantity(
      { unit: 'N m', min: 0, max: 1e15 },
      'Most torque of a dry brake on the drum; with "speed", of the clutch between drive and drum. Below it the drum keeps still, or its speed.',
    ).optional(),
  },
  'A drum at an end of the strand that pays out and winds up material.',
).meta({ id: 'spool' });

export const massSchema = record(
  'a point mass',
  { at: atSchema, mass: quantity({ unit: 'kg', above: 0, max: 1e12 }, 'Mass.') },
  'A point mass fastened to the material.',
).meta({ id: 'pointMass' });

/** Velocity of a curve at the start. */
export const startVelocity = (noun: string) =>
  z
    .union(
      [
        vector('m/s', `The same for the whole ${noun}.`, LARGEST_SPEED),
        list(
          vector('m/s', 'At one point of the polyline.', LARGEST_SPEED),
          { min: 2, max: LIMITS.nodes, noun: 'velocities' },
          'One velocity per point of the polyline, linear in between.',
        ),
      ],
      unionFault('a velocity [x, y, z] in m/s, or an array with one per point'),
    )
    .optional()
    .meta({
      description: `World velocity of the material at the start: one for the whole ${noun}, or one per point of the polyline, linear in between.`,
    });

export const strandSchema = record(
  'a strand',
  {
    type: z.literal('strand').meta({ description: 'A strand: stretches and bends, does not twist.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    mode: choice(
      ['eol', 'lagrangian'],
      'eol: guides are nodes through which material slides; lagrangian: every node stays on its material point.',
    ).default('eol'),
    points: list(
      position('A corner of the polyline.'),
      { min: 2, max: LIMITS.nodes, noun: 'points' },
      'The polyline the strand starts on. In eol mode points on the true surface or edge of a body that it touches are moved out by the radius; deeper ones are a fault.',
    ),
    closed: flag(
      'A loop: the last point is joined to the first (which need not be repeated), and fraction 1 of the material is 0 again.',
    ).default(false),
    nodes: z
      .union(
        [
          quantity(
            { unit: '1', min: 2, max: LIMITS.nodes, integer: true },
            'Number of nodes, spread evenly over the material.',
          ),
          list(
            fraction('Fraction of the material length.'),
            { min: 2, max: LIMITS.nodes, noun: 'fractions' },
            'Fractions of the material, increasing from 0 to 1.',
          ),
        ],
        unionFault('a number of nodes, or an array of fractions of the material from 0 to 1'),
      )
      .meta({
        description:
          'Number of nodes, spread evenly over the material, or the fractions of the material where they sit; a loop needs at least 3 and does not count its start twice. Nodes are added for guides, point masses and drivers.',
      }),
    restLength: quantity(
      { unit: 'm', above: 0, max: 1e9 },
      'Material length; default: length of the polyline, where bodies have moved it out. More is slack, less is stretched.',
    ).optional(),
    velocity: startVelocity('strand'),
    slide: quantity(
      { unit: 'm/s', min: -LARGEST_SPEED, max: LARGEST_SPEED },
      'Material speed du/dt through the guides, and over the edges that it bends round, at the start.',
    ).default(0),
    guides: list(
      guideSchema,
      { max: LIMITS.guides, noun: 'guides' },
      'Points through which the material slides.',
    ).default([]),
    spools: list(
      spoolSchema,
      { max: 2, noun: 'spools' },
      'Drums that an end of the strand is paid out from or wound up on. Points, restLength, nodes and places on the strand are of the part that is free at the start.',
    ).default([]),
    masses: list(massSchema, { max: LIMITS.guides, noun: 'point masses' }, 'Point masses on the strand.').default([]),
    damping: dampingSchema.prefault({}),
    remesh: record(
      'remesh',
      {
        near: fraction('A node nearer to a guide than this fraction of its rest spacing is disabled.').default(0.3),
        far: quantity(
          { unit: '1', min: 0, max: 10 },
          'It comes back beyond this fraction; must be greater than near.',
        ).default(0.35),
      },
      'When nodes near a guide are disabled and come back.',
    ).prefault({}),
    contact: flag(
      'Whether it touches bodies: eol, with nodes held on faces and E-nodes on edges; lagrangian, free nodes by a stiff penalty. Default: all bodies; in eol mode not those that carry one of its guides or spools or at whose surface one stands, that a tie keeps it on, or deep in which a driver holds it.',
    ).optional(),
  },
  'A strand: stretches and bends, does not twist.',
).meta({ id: 'strand' });

const size = (description: string) => quantity({ unit: 'm', above: 0, max: 1e9 }, description);
const sizeComponent = size('Edge length.');

/** File beside the scene: no absolute path, no way up. */
export const MESH_FILE = {
  pattern: /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./ -]*\.(obj|glb|gltf)$/i,
  words: 'the name of an .obj, .glb or .gltf file beside the scene',
};

const SHAPES = ['plane', 'box', 'sphere', 'capsule', 'cylinder', 'convex', 'mesh'] as const;

const OBJ_FILE = {
  pattern: /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./ -]*\.obj$/i,
  words: 'the name of an .obj file beside the scene',
};

const meshAnimationSchema = record(
  'an animation',
  {
    clip: text('Of a .glb or .gltf: name of the clip; default: the first.', 200).optional(),
    files: list(
      text('A pose: a file with the same faces.', 200, OBJ_FILE),
      { min: 1, max: LIMITS.keyframes, noun: 'files' },
      'Of an .obj: the poses that follow it, in order.',
    ).optional(),
    framesPerSecond: quantity(
      { unit: '1/s', above: 0, max: 1e4 },
      'Of .obj files: poses a second, which must be given. Of a clip: how often it is sampled, at least; default 60. Between two poses vertices move straight.',
    ).optional(),
    start: time('When the first pose is left.').default(0),
    end: choice(
      ['hold', 'loop'],
      'hold: the last pose stays; loop: the first follows it a pose later, and so on; of a clip the last pose is left out, as it is to be the first again.',
    ).default('hold'),
  },
  'Poses that the mesh of a scripted body moves through. Continua, fabrics and Lagrangian strands feel its velocity.',
).meta({ id: 'meshAnimation' });

export const shapeSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a plane', { type: z.literal('plane') }, 'Infinite plane; its normal is +y in its own frame.'),
      record(
        'a box',
        {
          type: z.literal('box'),
          size: z
            .tuple([sizeComponent, sizeComponent, sizeComponent], unionFault('three full sizes [x, y, z] in m'))
            .meta({ description: 'Full sizes along x, y, z.', unit: 'm' }),
        },
        'Box about its centre.',
      ),
      record('a sphere', { type: z.literal('sphere'), radius: size('Radius.') }, 'Sphere about its centre.'),
      record(
        'a capsule',
        {
          type: z.literal('capsule'),
          radius: size('Radius.'),
          length: size('Length along y without the two caps.'),
        },
        'Capsule along its y axis.',
      ),
      record(
        'a cylinder',
        { type: z.literal('cylinder'), radius: size('Radius.'), length: size('Length along y.') },
        'Cylinder along its y axis.',
      ),
      record(
        'a convex hull',
        {
          type: z.literal('convex'),
          points: list(
            position('A point.'),
            { min: 4, max: 10_000, noun: 'points' },
            'Points whose hull it is, in its own frame.',
          ),
        },
        'Convex hull of points.',
      ),
      record(
        'a mesh',
        {
          type: z.literal('mesh'),
          file: text('File beside the scene: .obj, .glb or .gltf.', 200, MESH_FILE),
          animation: meshAnimationSchema.optional(),
        },
        'Closed triangle mesh from a file, which an animation may move.',
      ),
    ],
    typeFault('a shape', SHAPES),
  )
  .meta({ id: 'shape', description: 'Shape of a body, in its own frame.' });

export const bodyKeyframeSchema = record(
  'a keyframe',
  {
    time: time('When.'),
    position: position('Where; left out: as in the keyframe before.').optional(),
    rotation: rotationSchema.optional(),
  },
  'Pose of a scripted body, or of a clamped end of a rod, at a time.',
).meta({ id: 'bodyKeyframe' });

export const bodySchema = record(
  'a body',
  {
    id: id('Name, unique among objects and bodies.'),
    shape: shapeSchema,
    position: position('Position of its origin.').default([0, 0, 0]),
    rotation: rotationSchema.optional(),
    motion: choice(
      ['static', 'scripted', 'dynamic'],
      'static: never moves; scripted: follows its keyframes, or the animation of its mesh; dynamic: moved by forces.',
    ).default('static'),
    keyframes: list(
      bodyKeyframeSchema,
      { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
      'Scripted only: poses, times increasing. A body whose mesh has an animation may do without.',
    ).optional(),
    mass: quantity({ unit: 'kg', above: 0, max: 1e15 }, 'Dynamic only: mass; or give density.').optional(),
    density: quantity({ unit: 'kg/m³', above: 0, max: 1e6 }, 'Dynamic only: density; or give mass.').optional(),
    velocity: vector('m/s', 'Dynamic only: velocity at the start.', LARGEST_SPEED).optional(),
    angularVelocity: vector('rad/s', 'Dynamic only: angular velocity at the start.', LARGEST_SPEED).optional(),
    friction: quantity(
      { unit: '1', min: 0, max: 100 },
      "Coefficient of dry friction with strands; default: that of the strand's material.",
    ).optional(),
    hinge: record(
      'a hinge',
      { point: position('A point on the axis, in the world.'), axis: vector('1', 'Direction of the axis.') },
      'Dynamic only: it turns about this world axis and does nothing else.',
    ).optional(),
    opacity: fraction(
      'In pictures and exported scenes, how much it hides of what is in it and behind it: 1 all, 0 nothing.',
    ).default(1),
  },
  'An obstacle or rigid body.',
).meta({ id: 'body' });

/** Time from the start of the run. */
export const timeSchema = time;
