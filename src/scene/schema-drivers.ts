/** Drivers in the scene schema: what moves, holds or pulls. See schema.ts. */

import { z } from 'zod';
import { choice, flag, id, list, position, quantity, record, typeFault, unionFault, vector } from './fields.ts';
import { layerName } from './schema-fabric.ts';
import { atSchema, bodyKeyframeSchema, changing, LARGEST_SPEED, LIMITS, timeSchema } from './schema-parts.ts';
import { CORNERS, materialBox, materialPoint, SIDES, worldBox } from './schema-sheet.ts';

/** A point of a strand or rod, a point of a sheet, of a layer of a fabric or of an MPM surface in its material coordinates. */
export const pointSchema = z
  .union(
    [atSchema, materialPoint('Sheets, fabrics and MPM surfaces: material coordinates.')],
    unionFault('"start", "end" or a fraction from 0 to 1 on a strand or rod, or [X, Y] in m on a sheet or fabric'),
  )
  .meta({
    description:
      'Strands and rods: an end, or a fraction of the material length. MPM curves: the nearest vertex of each curve. Sheets and MPM surfaces: the nearest vertex to [X, Y]. Fabrics: the nearest crossing.',
  });

const yarnNumber = quantity({ unit: '1', min: 0, max: 1e6, integer: true }, '');
const yarnRange = (description: string) =>
  z.tuple([yarnNumber, yarnNumber], unionFault('the numbers of two yarns, [first, last]')).meta({ description });

/** What names more than one vertex of a sheet, or node of a fabric. */
export const regionKeys = {
  corner: choice(
    CORNERS,
    'Rectangular sheets and MPM parts: the vertex at a corner. Fabrics: the outermost crossing at the corner and the yarn ends beside it.',
  ).optional(),
  side: choice(
    SIDES,
    'Rectangular sheets and MPM parts: all vertices on a side. Fabrics: the outermost yarn and all yarn ends on that side.',
  ).optional(),
  box: materialBox(
    'Sheets, fabrics and MPM surfaces: all vertices or nodes in a box in material coordinates, [[X, Y], [X, Y]].',
  ).optional(),
  worldBox: worldBox(
    'Sheets, fabrics and MPM parts: all vertices, nodes or bulk particles that are in this box in world coordinates at the start.',
  ).optional(),
  warps: yarnRange('Woven fabrics: all nodes on these warps, [first, last]. The leftmost warp is 0.').optional(),
  wefts: yarnRange(
    'Fabrics: all nodes on these wefts, [first, last]. Of knits: on these yarns, in the order of knitting. The lowest is 0.',
  ).optional(),
  layer: layerName.optional().meta({
    description: 'Fabrics: a layer, by its index (the lowest is 0) or by its name. Default: all layers.',
  }),
};

export const onSchema = record(
  'a point of a strand or rod, or a point or region of a sheet, fabric or MPM part',
  {
    object: id('The strand, rod, sheet, fabric or MPM part.'),
    at: pointSchema.optional(),
    ...regionKeys,
  },
  'Where a driver acts. Strands and rods: a material point ("at"). Sheets: a point or region ("at", "corner", "side", "box" or "worldBox"). Vertices there survive remeshing. Fabrics: the same, or "warps" or "wefts", of a "layer". The yarns there are clamped together while the driver acts. MPM surfaces: as sheets. MPM curves: "at", on each curve, or "worldBox". MPM bulk: "worldBox".',
).meta({ id: 'on' });

const window = {
  from: timeSchema('Start time. Default: the start of the run.').optional(),
  until: timeSchema('End time. Default: the end of the run.').optional(),
};

const pointKeyframeSchema = record(
  'a keyframe',
  { time: timeSchema('When.'), position: position('Where.') },
  'Position at a time.',
).meta({ id: 'pointKeyframe' });

/** An end of a rod, with the frame there. */
export const rodEndSchema = record(
  'an end of a rod',
  { object: id('The rod.'), at: choice(['start', 'end'], 'Which end of the rod.') },
  'An end of a rod, with its material frame.',
).meta({ id: 'rodEnd' });

const angularRate = { unit: 'rad/s', min: -LARGEST_SPEED, max: LARGEST_SPEED };

/** Registry of driver types. */
export const DRIVER_TYPES = [
  'pin',
  'fix',
  'velocity',
  'keyframes',
  'force',
  'tie',
  'rest',
  'wind',
  'clamp',
  'turn',
  'twist',
] as const;

export const driverSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a pin', { type: z.literal('pin'), on: onSchema, ...window }, 'Fixes a point at its position.'),
      record(
        'a fix',
        {
          type: z.literal('fix'),
          on: onSchema,
          components: list(
            choice(['x', 'y', 'z'], 'A world axis.'),
            { min: 1, max: 3, noun: 'of "x", "y", "z"' },
            'World components that are fixed.',
          ),
          ...window,
        },
        'Fixes single world components of a point.',
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
            'Positions, with increasing times.',
          ),
          ...window,
        },
        'Moves a point along keyframes. For a region they give the position of its centre: all its vertices have the same displacement.',
      ),
      record(
        'a force',
        { type: z.literal('force'), on: onSchema, value: vector('N', 'The force.', 1e15), ...window },
        'Applies a force to a point. In a region each vertex gets a share in proportion to its material.',
      ),
      record(
        'a tie',
        {
          type: z.literal('tie'),
          on: onSchema,
          body: id('Body that the point is attached to. Alternative: "to".').optional(),
          to: onSchema.optional(),
          ...window,
        },
        'Attaches a point to a body ("body") or to another point ("to"). MPM parts can be attached to static and scripted bodies only. Regions of two sheets are stitched vertex by vertex, each to the nearest.',
      ),
      record(
        'a rest length',
        {
          type: z.literal('rest'),
          object: id('The strand.'),
          value: changing(
            { unit: '1', min: 1e-3, max: 1e3 },
            'Ratio of the current to the original natural length: below 1 the strand shrinks, above 1 it grows.',
          ),
          ...window,
        },
        'Changes the natural length of a strand, like a muscle. Its mass does not change. Bending keeps using the original length.',
      ),
      record(
        'wind',
        {
          type: z.literal('wind'),
          velocity: vector('m/s', 'Air velocity.', 1e6),
          airDensity: quantity({ unit: 'kg/m³', min: 0, max: 1e6 }, 'Air density.').default(1.2),
          dragCoefficient: quantity(
            { unit: '1', min: 0, max: 1e3 },
            'Drag coefficient. Strands and MPM curves: of the cross-flow, with diameter × length as area. Sheets and MPM surfaces: of a plate, with their area.',
          ).default(1.1),
          ...window,
        },
        'Air drag on all strands, sheets, MPM surfaces and MPM curves.',
      ),
      record(
        'a clamp',
        {
          type: z.literal('clamp'),
          on: rodEndSchema,
          keyframes: list(
            bodyKeyframeSchema,
            { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
            'Position of the end and rotation of its frame relative to the start, with increasing times.',
          ).optional(),
          velocity: vector('m/s', 'Velocity of the end. Alternative: keyframes.', LARGEST_SPEED).optional(),
          angularVelocity: vector(
            'rad/s',
            'Angular velocity of the frame about the end. Alternative: keyframes.',
            LARGEST_SPEED,
          ).optional(),
          ...window,
        },
        'Clamps an end of a rod with its frame, or moves both. Without keyframes and velocities both stay fixed.',
      ),
      record(
        'a turn',
        {
          type: z.literal('turn'),
          on: rodEndSchema,
          axis: vector('1', 'Direction of the axis in world coordinates. Any length except zero.'),
          angle: changing(
            { unit: 'rad', min: -1e6, max: 1e6 },
            'Rotation angle of the frame about the axis, relative to the start. Alternative: rate.',
          ).optional(),
          rate: changing(angularRate, 'Angular speed of the rotation. Alternative: angle.').optional(),
          holdsPosition: flag('Fixes the position of the end too. false: the end can move.').default(true),
          ...window,
        },
        'Rotates the frame at an end of a rod about a world axis.',
      ),
      record(
        'a twist',
        {
          type: z.literal('twist'),
          on: rodEndSchema,
          rate: changing(
            angularRate,
            'Angular speed about the axis of the rod, right-handed towards the end of the rod. 0 holds the twist.',
          ),
          ...window,
        },
        'Twists an end of a rod about its own axis. The position and direction of the end stay free.',
      ),
    ],
    typeFault('a driver', DRIVER_TYPES),
  )
  .meta({ id: 'driver', description: 'A constraint, prescribed motion, force or wind.' });
