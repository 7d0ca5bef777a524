/** Rods in the scene schema: section, shape at the start, natural shape, how nodes move and come and go. See schema.ts. */

import { z } from 'zod';
import { KNOTS } from '../patterns/knots.ts';
import { DEFAULT_REFINEMENT, DEFAULT_SLIDING } from '../rod/options.ts';
import {
  choice,
  flag,
  fraction,
  id,
  length,
  list,
  position,
  quantity,
  record,
  typeFault,
  unionFault,
  vector,
} from './fields.ts';
import { materialField } from './schema-materials.ts';
import { dampingSchema, LIMITS, massSchema, startVelocity } from './schema-parts.ts';

const share = (value: number, description: string) =>
  quantity({ unit: '1', above: 0, max: 1e3 }, description).default(value);
const curvature = quantity({ unit: '1/m', min: -1e9, max: 1e9 }, '');

/** Registry of sections of rods. */
export const ROD_SECTIONS = ['circle', 'ellipse', 'rectangle'] as const;

const sectionSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a circle', { type: z.literal('circle'), radius: length('Radius.') }, 'A solid round section.'),
      record(
        'an ellipse',
        { type: z.literal('ellipse'), a: length('Semi-axis along d1, the normal.'), b: length('Semi-axis along d2.') },
        'A solid elliptic section.',
      ),
      record(
        'a rectangle',
        {
          type: z.literal('rectangle'),
          width: length('Along d1, the normal.'),
          thickness: length('Along d2.'),
        },
        'A solid rectangular section, such as a ribbon or a blade.',
      ),
    ],
    typeFault('a section', ROD_SECTIONS),
  )
  .meta({
    id: 'rodSection',
    description: 'Cross-section of a rod. Contact and images use a round tube whose diameter is the smaller width.',
  });

/** Registry of shapes that a rod can start in; a new pattern is one entry here and one in compile-rod.ts. */
export const ROD_SHAPES = ['straight', 'arc', 'helix', 'knot'] as const;

const KNOT_NAMES = KNOTS.map(({ name }) => name) as [string, ...string[]];

const around = {
  radius: length('Radius.'),
  origin: position('A point on the axis, level with the first point.').default([0, 0, 0]),
  axis: vector('1', 'Direction of the axis. Any length except zero.').default([0, 1, 0]),
  start: vector(
    '1',
    'Direction from the axis to the first point; its component along the axis is ignored. Default: the world axis most perpendicular to the axis.',
  ).optional(),
};

const rodShapeSchema = z
  .discriminatedUnion(
    'type',
    [
      record(
        'a straight line',
        { type: z.literal('straight'), from: position('Start point.'), to: position('End point.') },
        'A straight line.',
      ),
      record(
        'an arc',
        {
          type: z.literal('arc'),
          angle: quantity(
            { unit: 'degrees', min: -1e6, max: 1e6 },
            'Angle of the arc about the axis, right-handed. Not 0.',
          ),
          ...around,
        },
        'An arc of a circle.',
      ),
      record(
        'a helix',
        {
          type: z.literal('helix'),
          pitch: quantity({ unit: 'm', min: -1e9, max: 1e9 }, 'Pitch: distance along the axis per turn.'),
          turns: quantity(
            { unit: '1', min: -1e4, max: 1e4 },
            'Number of turns, not 0. Positive: right-handed; negative: left-handed.',
          ),
          ...around,
        },
        'A helix, such as a coil spring.',
      ),
      record(
        'a knot',
        {
          type: z.literal('knot'),
          name: choice(KNOT_NAMES, 'The knot. docs/reference/patterns.md shows all of them.'),
          looseness: quantity(
            { unit: '1', min: 1, max: 1e4 },
            "Size relative to the smallest size in which a tube of the rod's radius does not touch itself.",
          ).default(1.5),
          tail: quantity({ unit: 'm', min: 0, max: 1e9 }, 'Length of each straight end.').default(0),
          mirrored: flag('Mirrors the knot.').default(false),
          origin: position('Centre of the knot.').default([0, 0, 0]),
          axis: vector('1', 'Direction of the two ends. Any length except zero.').default([1, 0, 0]),
        },
        'A loose open knot.',
      ),
    ],
    typeFault('a shape', ROD_SHAPES),
  )
  .meta({ id: 'rodShape', description: 'Initial centre line of a rod.' });

const curvatures = z
  .tuple([curvature, curvature], unionFault('two curvatures, about d1 and about d2, in 1/m'))
  .meta({ description: 'Curvature about d1 (the normal) and about d2.', unit: '1/m' });

const strainKeys = {
  curvature: curvatures.default([0, 0]),
  twist: quantity({ unit: 'rad/m', min: -1e9, max: 1e9 }, 'Twist per length.').default(0),
};

const naturalSchema = z
  .union(
    [
      choice(
        ['straight', 'initial'],
        'straight: no curvature and no twist; initial: the curvature and twist of the start.',
      ),
      record('a natural strain', strainKeys, 'The same along the whole rod, for example an arc or a helix.'),
      list(
        record(
          'a natural strain',
          { at: fraction('Fraction of the material length.'), ...strainKeys },
          'Natural strain at a location.',
        ),
        { min: 1, max: LIMITS.nodes, noun: 'natural strains' },
        'Natural strains at locations, linear in between. Locations must increase.',
      ),
    ],
    unionFault('"straight", "initial", { curvature, twist }, or an array of { at, curvature, twist }'),
  )
  .meta({
    description:
      'Stress-free state of the rod: "straight"; "initial", the shape at the start; { curvature: [about d1, about d2] in 1/m, twist in rad/m }; or an array of these with "at", a fraction of the length.',
  });

const slidingSchema = record(
  'sliding',
  {
    contrast: quantity(
      { unit: '1', min: 1, max: 1e9 },
      'Weight of a sharp bend relative to a straight piece. 1 spaces nodes evenly.',
    ).default(DEFAULT_SLIDING.contrast),
    rate: quantity({ unit: '1/s', above: 0, max: 1e9 }, 'Rate at which nodes move to their target positions.').default(
      DEFAULT_SLIDING.rate,
    ),
  },
  'How nodes slide through the material.',
);

const refinementSchema = record(
  'refinement',
  {
    longest: share(DEFAULT_REFINEMENT.longest, 'Segments longer than this, in mean spacings, are split.'),
    shortest: share(DEFAULT_REFINEMENT.shortest, 'Segments shorter than this, in mean spacings, are removed.'),
    sharpest: quantity(
      { unit: 'rad', above: 0, max: Math.PI },
      'Segments at a node with a bending angle above this are split.',
    ).default(DEFAULT_REFINEMENT.sharpest),
    flattest: quantity(
      { unit: 'rad', min: 0, max: Math.PI },
      'Nodes at short segments are removed if the bending angle is below this.',
    ).default(DEFAULT_REFINEMENT.flattest),
    finest: share(
      DEFAULT_REFINEMENT.finest,
      'Segments shorter than this, in mean spacings, are not split because of the bending angle.',
    ),
    softest: share(
      DEFAULT_REFINEMENT.softest,
      'Lower limit of the stretch stiffness, relative to the real one, that a segment has temporarily after a merge.',
    ),
    stiffest: share(
      DEFAULT_REFINEMENT.stiffest,
      'Upper limit of that stiffness. With both limits 1, merged segments keep their stiffness and length, and their force jumps.',
    ),
    recovery: quantity(
      { unit: '1/s', min: 0, max: 1e9 },
      'Rate at which stiffness and length return to the real ones.',
    ).default(DEFAULT_REFINEMENT.recovery),
  },
  'When nodes are added and removed. Lengths are relative to the mean spacing at the start.',
);

const switchOr = <Options extends z.ZodType>(options: Options, keys: string, description: string) =>
  z.union([flag(''), options], unionFault(`true, false or an object with ${keys}`)).meta({ description });

export const rodSchema = record(
  'a rod',
  {
    type: z.literal('rod').meta({ description: 'A rod: resists stretching, shearing, bending and twisting.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    section: sectionSchema.optional().meta({
      description: "Cross-section. Default: the circle with the material's radius.",
    }),
    twistStiffness: quantity(
      { unit: 'N m²', above: 0, max: 1e18 },
      'Twist stiffness GJ. Default: from section and material.',
    ).optional(),
    shearStiffness: quantity(
      { unit: 'N', above: 0, max: 1e18 },
      'Shear stiffness kGA, which keeps sections perpendicular to the centre line. Default: from section and material.',
    ).optional(),
    mode: choice(
      ['rh', 'lagrangian'],
      'rh: nodes slide through the material to where it bends (sliding), and are added and removed (refinement); both are on by default. lagrangian: every node stays at its material point, and their number is constant.',
    ).default('rh'),
    points: list(
      position('A corner of the polyline.'),
      { min: 2, max: LIMITS.nodes, noun: 'points' },
      'Initial centre line as a polyline. Alternative: "shape".',
    ).optional(),
    shape: rodShapeSchema.optional().meta({ description: 'Initial centre line as a pattern. Alternative: "points".' }),
    segments: z
      .union(
        [
          quantity({ unit: '1', min: 1, max: LIMITS.nodes, integer: true }, 'Number of segments.'),
          list(
            fraction('Fraction of the material length.'),
            { min: 2, max: LIMITS.nodes, noun: 'fractions' },
            'Fractions of the material, increasing from 0 to 1.',
          ),
        ],
        unionFault('a number of segments, or an array of fractions of the material from 0 to 1'),
      )
      .meta({
        description:
          'Number of equal segments at the start, or the node positions as fractions of the material length. Nodes are added for point masses and drivers. An end whose frame a driver holds gets a short segment.',
      }),
    restLength: length('Material length. Default: length of the polyline.').optional(),
    normal: vector(
      '1',
      'Direction of d1 at the start of the rod; its component along the rod is ignored. The other frames follow without twist. Default: the world axis most perpendicular to the rod.',
    ).optional(),
    twist: quantity({ unit: 'rad', min: -1e6, max: 1e6 }, 'Initial twist, evenly distributed over the length.').default(
      0,
    ),
    natural: naturalSchema.default('straight'),
    velocity: startVelocity('rod'),
    masses: list(massSchema, { max: LIMITS.guides, noun: 'point masses' }, 'Point masses on the rod.').default([]),
    damping: dampingSchema.prefault({}).meta({
      description:
        'Damping. "stiffness" is the delay of the strain response (Kelvin–Voigt); it does not damp rigid motion.',
    }),
    sliding: switchOr(
      slidingSchema,
      'contrast and rate',
      'Moves nodes through the material to where it bends. true, false or settings. Default: true in mode "rh", false in mode "lagrangian".',
    ).optional(),
    refinement: switchOr(
      refinementSchema,
      'longest, shortest, sharpest, flattest, finest, softest, stiffest and recovery',
      'Adds and removes nodes. true, false or settings. Default: true in mode "rh", false in mode "lagrangian".',
    ).optional(),
    contact: record(
      'contact',
      {
        self: flag('Self-contact.').default(false),
        others: flag('Contact with other rods. Both rods must have it.').default(true),
        bodies: flag(
          'Contact with bodies. Default: all except bodies that it is tied to, or inside which a driver holds it.',
        ).optional(),
        insertsNodes: flag(
          'Adds a node at contacts between nodes. Default: true in mode "rh", false in mode "lagrangian".',
        ).optional(),
      },
      'Contact settings.',
    ).prefault({}),
  },
  'A rod: resists stretching, shearing, bending and twisting. Its frame d1, d2, d3 rotates with the section; d3 points along the rod.',
).meta({ id: 'rod' });
