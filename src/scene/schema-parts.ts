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
    axis: vector('1', 'Direction of the axis. Any length except zero.'),
    angle: quantity({ unit: 'degrees', min: -1e6, max: 1e6 }, 'Rotation angle, right-handed about the axis.'),
  },
  'A rotation about an axis.',
).meta({ id: 'rotation' });

export const dampingSchema = record(
  'damping',
  {
    mass: quantity(
      { unit: '1/s', min: 0, max: 1e9 },
      'Alpha: damps all motion relative to the world frame, as a fraction of the speed per second.',
    ).default(0),
    stiffness: quantity({ unit: 's', min: 0, max: 1e9 }, 'Beta: delay of the strain response (Kelvin–Voigt).').default(
      0,
    ),
  },
  'Damping of motion (mass) and of strain rates (stiffness).',
);

/** A place on a strand or rod. */
export const atSchema = z
  .union(
    [choice(['start', 'end'], 'An end.'), fraction('Fraction of the material length.')],
    unionFault('"start", "end" or a fraction of the material from 0 to 1'),
  )
  .meta({
    id: 'at',
    description: 'Location on a strand or rod: an end, or a fraction of its material length from 0 to 1.',
  });

const guideSchema = record(
  'a guide',
  {
    id: id('Name, unique within the strand.'),
    point: position('Location of the guide. It must lie on the polyline of the strand.'),
    body: id('Body that the guide is attached to. Without it the guide is fixed in space.').optional(),
    friction: quantity(
      { unit: '1', min: 0, max: 100 },
      'Coefficient of dry friction at the guide. 0 is frictionless.',
    ).default(0),
    law: choice(
      ['edge', 'round'],
      'How the tension ratio depends on the deflection angle d. edge: one sharp edge, (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d). round: a smooth round (capstan), exp(μ d).',
    ).default('edge'),
    pulley: record(
      'a pulley',
      {
        radius: quantity({ unit: 'm', above: 0, max: 1e6 }, 'Radius at which the strand runs over the pulley.'),
        inertia: quantity({ unit: 'kg m²', above: 0, max: 1e15 }, 'Moment of inertia about the axle.'),
      },
      'A pulley at the guide. It rotates with the strand without slip, on a frictionless axle.',
    ).optional(),
    width: quantity(
      { unit: 'm', above: 0, max: 1e6 },
      'Length of strand that the guide occupies. A guide on a dynamic body keeps half of both widths away from other guides and pushes them. Default: the diameter of the strand.',
    ).optional(),
    stop: flag(
      'A free end of the strand stops at this guide, like a knot at an eyelet, instead of slipping out.',
    ).default(false),
  },
  'A point through which the material slides (an Eulerian node).',
).meta({ id: 'guide' });

/** A number, or keyframes of one over time. */
export const changing = (rule: Parameters<typeof quantity>[0], description: string) =>
  z
    .union(
      [
        quantity(rule, 'A constant value.'),
        list(
          record(
            'a keyframe',
            { time: time('When.'), value: quantity(rule, 'Value at that time.') },
            'A value at a time.',
          ),
          { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
          'Values over time. Linear in between, constant before the first and after the last. Times must increase.',
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
      'The end of the strand that sits on the drum. The strand leaves the drum at the first or last point of the polyline.',
    ),
    body: id('Body that the drum is attached to. Without it the drum is fixed in space.').optional(),
    stock: quantity(
      { unit: 'm', min: 0, max: 1e9 },
      'Material on the drum at the start, in addition to the polyline. Its end is fastened to the drum.',
    ).default(0),
    radius: quantity(
      { unit: 'm', above: 0, max: 1e6 },
      'Radius at which the strand is wound, the same for all layers.',
    ),
    inertia: quantity(
      { unit: 'kg m²', min: 0, max: 1e15 },
      'Moment of inertia of the drum about its axle, without the stored strand.',
    ).default(0),
    speed: changing(
      { unit: 'm/s', min: -LARGEST_SPEED, max: LARGEST_SPEED },
      'Material speed that the drive maintains: positive pays out, negative winds up. Without it the drum rotates freely.',
    ).optional(),
    torque: changing(
      { unit: 'N m', min: -1e15, max: 1e15 },
      'Motor torque on a drum without "speed": positive pays out, negative winds up.',
    ).optional(),
    brake: quantity(
      { unit: 'N m', min: 0, max: 1e15 },
      'Maximum torque of a dry brake on the drum or, with "speed", of the clutch between drive and drum. Below it the drum keeps still, or keeps its speed.',
    ).optional(),
  },
  'A drum at an end of the strand that pays out or winds up material.',
).meta({ id: 'spool' });

export const massSchema = record(
  'a point mass',
  { at: atSchema, mass: quantity({ unit: 'kg', above: 0, max: 1e12 }, 'Mass.') },
  'A point mass attached to the material.',
).meta({ id: 'pointMass' });

/** Velocity of a curve at the start. */
export const startVelocity = (noun: string) =>
  z
    .union(
      [
        vector('m/s', `One velocity for the whole ${noun}.`, LARGEST_SPEED),
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
      description: `Initial velocity of the material in world coordinates: one for the whole ${noun}, or one per point of the polyline, linear in between.`,
    });

export const strandSchema = record(
  'a strand',
  {
    type: z.literal('strand').meta({ description: 'A strand: resists stretching and bending, not twisting.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    mode: choice(
      ['eol', 'lagrangian'],
      'eol: material slides through the guides, which are Eulerian nodes. lagrangian: every node stays at its material point.',
    ).default('eol'),
    points: list(
      position('A corner of the polyline.'),
      { min: 2, max: LIMITS.nodes, noun: 'points' },
      'Initial polyline of the strand. In eol mode, points on the surface or on an edge of a body in contact are moved outwards by the radius. Deeper points are errors.',
    ),
    closed: flag(
      'Closed loop: the last point is joined to the first, which need not be repeated. Fraction 1 of the material is then the same as 0.',
    ).default(false),
    nodes: z
      .union(
        [
          quantity(
            { unit: '1', min: 2, max: LIMITS.nodes, integer: true },
            'Number of nodes, evenly spaced in the material.',
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
          'Number of nodes, evenly spaced in the material, or their positions as fractions of the material length. A closed loop needs at least 3 and counts its start once. Nodes are added for guides, point masses and drivers.',
      }),
    restLength: quantity(
      { unit: 'm', above: 0, max: 1e9 },
      'Material length. Longer than the polyline: slack; shorter: stretched. Default: the length of the polyline, after bodies have moved it outwards.',
    ).optional(),
    velocity: startVelocity('strand'),
    slide: quantity(
      { unit: 'm/s', min: -LARGEST_SPEED, max: LARGEST_SPEED },
      'Initial material speed du/dt through the guides and over the edges of bodies.',
    ).default(0),
    guides: list(
      guideSchema,
      { max: LIMITS.guides, noun: 'guides' },
      'Points through which the material slides.',
    ).default([]),
    spools: list(
      spoolSchema,
      { max: 2, noun: 'spools' },
      'Drums that pay out or wind up an end of the strand. Points, restLength, nodes and locations on the strand refer to the part that is free at the start.',
    ).default([]),
    masses: list(massSchema, { max: LIMITS.guides, noun: 'point masses' }, 'Point masses on the strand.').default([]),
    damping: dampingSchema.prefault({}),
    remesh: record(
      'remesh',
      {
        near: fraction('A node is disabled if it is closer to a guide than this fraction of its rest spacing.').default(
          0.3,
        ),
        far: quantity(
          { unit: '1', min: 0, max: 10 },
          'A disabled node is enabled again beyond this fraction. It must be greater than near.',
        ).default(0.35),
      },
      'When nodes near a guide are disabled and enabled again.',
    ).prefault({}),
    contact: flag(
      'Contact with bodies. eol: constraints on faces and E-nodes on edges. lagrangian: penalty forces on the nodes. Default: all bodies. In eol mode these are left out: bodies that carry one of its guides or spools or have one at their surface, bodies that it is tied to, and bodies deep inside which a driver holds it.',
    ).optional(),
  },
  'A strand: resists stretching and bending, not twisting.',
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
    clip: text('Only .glb and .gltf: name of the animation clip. Default: the first.', 200).optional(),
    files: list(
      text('A pose: a file with the same faces.', 200, OBJ_FILE),
      { min: 1, max: LIMITS.keyframes, noun: 'files' },
      'Only .obj: files of the following poses, in order.',
    ).optional(),
    framesPerSecond: quantity(
      { unit: '1/s', above: 0, max: 1e4 },
      '.obj files: poses per second, required. Clips: minimum sampling rate, default 60. Vertices move linearly between poses.',
    ).optional(),
    start: time('Time at which the first pose begins to change.').default(0),
    end: choice(
      ['hold', 'loop'],
      'hold: the last pose stays. loop: after the last pose the first one follows. In a looped clip the last pose is dropped, because it equals the first.',
    ).default('hold'),
  },
  'Animation of the mesh of a scripted body. MPM objects, fabrics and Lagrangian strands feel its velocity.',
).meta({ id: 'meshAnimation' });

export const shapeSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a plane', { type: z.literal('plane') }, 'Infinite plane. Its normal is +y in its local frame.'),
      record(
        'a box',
        {
          type: z.literal('box'),
          size: z
            .tuple([sizeComponent, sizeComponent, sizeComponent], unionFault('three full sizes [x, y, z] in m'))
            .meta({ description: 'Full sizes along x, y, z.', unit: 'm' }),
        },
        'Box centred at its origin.',
      ),
      record('a sphere', { type: z.literal('sphere'), radius: size('Radius.') }, 'Sphere centred at its origin.'),
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
            'Points in the local frame of the body.',
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
        'Closed triangle mesh from a file, optionally animated.',
      ),
    ],
    typeFault('a shape', SHAPES),
  )
  .meta({ id: 'shape', description: 'Shape of a body, in its local frame.' });

export const bodyKeyframeSchema = record(
  'a keyframe',
  {
    time: time('When.'),
    position: position('Position. Default: that of the previous keyframe.').optional(),
    rotation: rotationSchema.optional(),
  },
  'Pose of a scripted body, or of a clamped end of a rod, at a time.',
).meta({ id: 'bodyKeyframe' });

export const bodySchema = record(
  'a body',
  {
    id: id('Name, unique among objects and bodies.'),
    shape: shapeSchema,
    position: position('Position of the origin of the body.').default([0, 0, 0]),
    rotation: rotationSchema.optional(),
    motion: choice(
      ['static', 'scripted', 'dynamic'],
      'static: never moves. scripted: follows its keyframes or the animation of its mesh. dynamic: moved by forces.',
    ).default('static'),
    keyframes: list(
      bodyKeyframeSchema,
      { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
      'Scripted bodies only: poses, with increasing times. Not needed if the mesh has an animation.',
    ).optional(),
    mass: quantity({ unit: 'kg', above: 0, max: 1e15 }, 'Dynamic bodies only: mass. Alternative: density.').optional(),
    density: quantity(
      { unit: 'kg/m³', above: 0, max: 1e6 },
      'Dynamic bodies only: density. Alternative: mass.',
    ).optional(),
    velocity: vector('m/s', 'Dynamic bodies only: initial velocity.', LARGEST_SPEED).optional(),
    angularVelocity: vector('rad/s', 'Dynamic bodies only: initial angular velocity.', LARGEST_SPEED).optional(),
    friction: quantity(
      { unit: '1', min: 0, max: 100 },
      "Coefficient of dry friction with strands, rods, sheets and fabrics. Default: that of the object's material. MPM objects state their own.",
    ).optional(),
    hinge: record(
      'a hinge',
      { point: position('A point on the axis, in world coordinates.'), axis: vector('1', 'Direction of the axis.') },
      'Dynamic bodies only: the body can only rotate about this axis in the world.',
    ).optional(),
    opacity: fraction('Opacity in images and exported scenes: 1 opaque, 0 invisible.').default(1),
  },
  'A static, scripted or dynamic rigid body.',
).meta({ id: 'body' });

/** Time from the start of the run. */
export const timeSchema = time;
