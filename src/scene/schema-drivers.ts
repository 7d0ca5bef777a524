/** Drivers in the scene schema: what moves, holds or pulls. See schema.ts. */

import { z } from 'zod';
import { choice, flag, id, list, position, quantity, record, typeFault, unionFault, vector } from './fields.ts';
import { layerName } from './schema-fabric.ts';
import { atSchema, bodyKeyframeSchema, changing, LARGEST_SPEED, LIMITS, timeSchema } from './schema-parts.ts';
import { CORNERS, materialBox, materialPoint, SIDES, worldBox } from './schema-sheet.ts';

/** A point of a strand or rod, a point of a sheet, of a layer of a fabric or of a surface of a continuum in its material coordinates. */
export const pointSchema = z
  .union(
    [atSchema, materialPoint('Sheets, fabrics and surfaces of continua: material coordinates.')],
    unionFault('"start", "end" or a fraction from 0 to 1 on a strand or rod, or [X, Y] in m on a sheet or fabric'),
  )
  .meta({
    description:
      'Strands and rods: an end, or a fraction of the material length; curves of continua: the nearest vertex of each. Sheets and surfaces of continua: the nearest vertex to [X, Y]; fabrics: the nearest crossing.',
  });

const yarnNumber = quantity({ unit: '1', min: 0, max: 1e6, integer: true }, '');
const yarnRange = (description: string) =>
  z.tuple([yarnNumber, yarnNumber], unionFault('the numbers of two yarns, [first, last]')).meta({ description });

/** What names more than one vertex of a sheet, or node of a fabric. */
export const regionKeys = {
  corner: choice(
    CORNERS,
    'Rectangular sheets and parts: the vertex at a corner. Fabrics: the outermost crossing there and the ends beside it.',
  ).optional(),
  side: choice(
    SIDES,
    'Rectangular sheets and parts: all vertices on a side. Fabrics: the outermost yarn and all ends there.',
  ).optional(),
  box: materialBox(
    'Sheets, fabrics and surfaces of continua: all vertices or nodes in a box of the material, [[X, Y], [X, Y]].',
  ).optional(),
  worldBox: worldBox(
    'Sheets, fabrics and parts of continua: all vertices, nodes or particles of bulk that are in a box of the world at the start.',
  ).optional(),
  warps: yarnRange('Woven fabrics: all nodes on these warps, [first, last]; the leftmost is 0.').optional(),
  wefts: yarnRange(
    'Fabrics: all nodes on these wefts, of knits on these yarns in the order of knitting, [first, last]; the lowest is 0.',
  ).optional(),
  layer: layerName.optional().meta({
    description: 'Fabrics: a layer, by its number from below, the lowest 0, or by its name; default: all.',
  }),
};

export const onSchema = record(
  'a point of a strand or rod, or a point or region of a sheet, fabric or part of a continuum',
  {
    object: id('The strand, rod, sheet, fabric or part of a continuum.'),
    at: pointSchema.optional(),
    ...regionKeys,
  },
  'A material point of a strand or rod ("at"), or a point or region of a sheet ("at", "corner", "side", "box" or "worldBox") or of a fabric (these, "warps" or "wefts", of a "layer"), whose yarns are held to each other there while the driver acts, as by a clip; or of a part of a continuum: of a surface as of a sheet, of curves "at" of each of them or "worldBox", of bulk "worldBox". Vertices stay when a sheet is remeshed.',
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

/** An end of a rod, with the frame there. */
export const rodEndSchema = record(
  'an end of a rod',
  { object: id('The rod.'), at: choice(['start', 'end'], 'Which end of the rod.') },
  'An end of a rod, with its frame.',
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
        'Keeps a point on a body or on another point. Give "body" or "to"; parts of continua are kept on static and scripted bodies only. Regions of two sheets are stitched vertex by vertex, each to the nearest.',
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
            'Drag of the cross-flow, over diameter × length of a strand, or of a plate, over the area of a sheet; curves and surfaces of continua likewise.',
          ).default(1.1),
          ...window,
        },
        'Air drag on all strands, sheets, and surfaces and curves of continua.',
      ),
      record(
        'a clamp',
        {
          type: z.literal('clamp'),
          on: rodEndSchema,
          keyframes: list(
            bodyKeyframeSchema,
            { min: 1, max: LIMITS.keyframes, noun: 'keyframes' },
            'Where the end is, and by how much its frame is turned from how it starts, times increasing.',
          ).optional(),
          velocity: vector('m/s', 'Velocity of the end; or give keyframes.', LARGEST_SPEED).optional(),
          angularVelocity: vector(
            'rad/s',
            'Angular velocity of its frame, about the end; or give keyframes.',
            LARGEST_SPEED,
          ).optional(),
          ...window,
        },
        'Holds an end of a rod and its frame, or moves both. Without keyframes and velocities it stays where and as it is.',
      ),
      record(
        'a turn',
        {
          type: z.literal('turn'),
          on: rodEndSchema,
          axis: vector('1', 'Direction of the axis, in the world; any length but zero.'),
          angle: changing(
            { unit: 'rad', min: -1e6, max: 1e6 },
            'By how much the frame is turned about the axis from how it starts; or give rate.',
          ).optional(),
          rate: changing(angularRate, 'How fast it is turned; or give angle.').optional(),
          holdsPosition: flag('Whether the end also stays where it is; false: its place is free.').default(true),
          ...window,
        },
        'Turns the frame at an end of a rod about an axis of the world.',
      ),
      record(
        'a twist',
        {
          type: z.literal('twist'),
          on: rodEndSchema,
          rate: changing(
            angularRate,
            "How fast the end is turned about the rod's own axis, right-handed towards the end of the rod; 0 holds its twist.",
          ),
          ...window,
        },
        'Turns an end of a rod about its own axis; where it is and where it points is free.',
      ),
    ],
    typeFault('a driver', DRIVER_TYPES),
  )
  .meta({ id: 'driver', description: 'What moves, holds or pulls.' });
