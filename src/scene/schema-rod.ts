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
        { type: z.literal('ellipse'), a: length('Half-axis along d1, the normal.'), b: length('Half-axis along d2.') },
        'A solid elliptic section.',
      ),
      record(
        'a rectangle',
        {
          type: z.literal('rectangle'),
          width: length('Along d1, the normal.'),
          thickness: length('Along d2.'),
        },
        'A solid rectangular section: a ribbon, a blade.',
      ),
    ],
    typeFault('a section', ROD_SECTIONS),
  )
  .meta({
    id: 'rodSection',
    description:
      'Cross-section of a rod. It touches and is drawn as a round tube, whose diameter is the smaller of its widths.',
  });

/** Registry of shapes that a rod can start in; a new pattern is one entry here and one in compile-rod.ts. */
export const ROD_SHAPES = ['straight', 'arc', 'helix', 'knot'] as const;

const KNOT_NAMES = KNOTS.map(({ name }) => name) as [string, ...string[]];

const around = {
  radius: length('Radius.'),
  origin: position('A point on the axis, level with the first point.').default([0, 0, 0]),
  axis: vector('1', 'Direction of the axis; any length but zero.').default([0, 1, 0]),
  start: vector(
    '1',
    'Direction from the axis to the first point; only what is across the axis counts. Default: the world axis that is most across.',
  ).optional(),
};

const rodShapeSchema = z
  .discriminatedUnion(
    'type',
    [
      record(
        'a straight line',
        { type: z.literal('straight'), from: position('Where it starts.'), to: position('Where it ends.') },
        'A straight line.',
      ),
      record(
        'an arc',
        {
          type: z.literal('arc'),
          angle: quantity(
            { unit: 'degrees', min: -1e6, max: 1e6 },
            'How far it goes round the axis, right-handed; not 0.',
          ),
          ...around,
        },
        'An arc of a circle.',
      ),
      record(
        'a helix',
        {
          type: z.literal('helix'),
          pitch: quantity({ unit: 'm', min: -1e9, max: 1e9 }, 'Way along the axis of one turn.'),
          turns: quantity(
            { unit: '1', min: -1e4, max: 1e4 },
            'Number of turns, right-handed; negative: left-handed, not 0.',
          ),
          ...around,
        },
        'A helix, as of a coil spring.',
      ),
      record(
        'a knot',
        {
          type: z.literal('knot'),
          name: choice(KNOT_NAMES, 'Which knot; docs/patterns.md has their pictures.'),
          looseness: quantity(
            { unit: '1', min: 1, max: 1e4 },
            "Size beside the smallest in which a tube of the rod's radius does not touch itself.",
          ).default(1.5),
          tail: quantity({ unit: 'm', min: 0, max: 1e9 }, 'Length of each straight end.').default(0),
          mirrored: flag('Whether it is of the other hand.').default(false),
          origin: position('Middle of the knot.').default([0, 0, 0]),
          axis: vector('1', 'Direction in which its ends run; any length but zero.').default([1, 0, 0]),
        },
        'A loose open knot.',
      ),
    ],
    typeFault('a shape', ROD_SHAPES),
  )
  .meta({ id: 'rodShape', description: 'A pattern that gives the centre line of a rod at the start.' });

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
        'straight: neither bent nor twisted; initial: as it starts, bends and twist included.',
      ),
      record('a natural strain', strainKeys, 'The same all along the rod: an arc, a helix.'),
      list(
        record('a natural strain', { at: fraction('Fraction of the material length.'), ...strainKeys }, 'At a place.'),
        { min: 1, max: LIMITS.nodes, noun: 'natural strains' },
        'Natural strains at places, straight in between; places increasing.',
      ),
    ],
    unionFault('"straight", "initial", { curvature, twist }, or an array of { at, curvature, twist }'),
  )
  .meta({
    description:
      'What it is when nothing acts on it: "straight"; "initial", as it starts; { curvature: [about d1, about d2] in 1/m, twist in rad/m }; or an array of these with "at", a fraction of the length.',
  });

const slidingSchema = record(
  'sliding',
  {
    contrast: quantity(
      { unit: '1', min: 1, max: 1e9 },
      'How much more a sharp bend weighs than a straight piece; 1 spaces nodes evenly.',
    ).default(DEFAULT_SLIDING.contrast),
    rate: quantity({ unit: '1/s', above: 0, max: 1e9 }, 'How fast nodes go to where they are to be.').default(
      DEFAULT_SLIDING.rate,
    ),
  },
  'How nodes move through the material.',
);

const refinementSchema = record(
  'refinement',
  {
    longest: share(DEFAULT_REFINEMENT.longest, 'Segments longer than this many mean spacings are split.'),
    shortest: share(DEFAULT_REFINEMENT.shortest, 'Segments shorter than this many mean spacings go.'),
    sharpest: quantity(
      { unit: 'rad', above: 0, max: Math.PI },
      'Segments beside a node at which the rod turns by more than this are split.',
    ).default(DEFAULT_REFINEMENT.sharpest),
    flattest: quantity(
      { unit: 'rad', min: 0, max: Math.PI },
      'Nodes beside short segments go where the rod turns by less than this.',
    ).default(DEFAULT_REFINEMENT.flattest),
    finest: share(DEFAULT_REFINEMENT.finest, 'By angle, segments are not split below this many mean spacings.'),
    softest: share(
      DEFAULT_REFINEMENT.softest,
      'Least stretch stiffness, over the real one, that a segment has for a while after it took over another.',
    ),
    stiffest: share(
      DEFAULT_REFINEMENT.stiffest,
      'Most of it. With both 1 such segments keep stiffness and length, and their force jumps.',
    ),
    recovery: quantity(
      { unit: '1/s', min: 0, max: 1e9 },
      'How fast stiffness and length go back to the real ones.',
    ).default(DEFAULT_REFINEMENT.recovery),
  },
  'When nodes come and go; lengths relative to the mean spacing at the start.',
);

const switchOr = <Options extends z.ZodType>(options: Options, keys: string, description: string) =>
  z.union([flag(''), options], unionFault(`true, false or an object with ${keys}`)).meta({ description });

export const rodSchema = record(
  'a rod',
  {
    type: z.literal('rod').meta({ description: 'A rod: stretches, shears, bends and twists.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    section: sectionSchema.optional().meta({
      description: "Cross-section; default: the circle of the material's radius.",
    }),
    twistStiffness: quantity(
      { unit: 'N m²', above: 0, max: 1e18 },
      'Twist stiffness GJ, instead of that of section and material.',
    ).optional(),
    shearStiffness: quantity(
      { unit: 'N', above: 0, max: 1e18 },
      'Shear stiffness kGA, which keeps sections across the centre line, instead of that of section and material.',
    ).optional(),
    mode: choice(
      ['rh', 'lagrangian'],
      'rh: nodes move through the material to where it bends (sliding), and come and go (refinement), both on unless they say otherwise; lagrangian: every node stays on its material point, and there are always the same.',
    ).default('rh'),
    points: list(
      position('A corner of the polyline.'),
      { min: 2, max: LIMITS.nodes, noun: 'points' },
      'The polyline that its centre line starts on; or give "shape".',
    ).optional(),
    shape: rodShapeSchema.optional().meta({ description: 'A pattern that it starts in; or give "points".' }),
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
          'Number of segments at the start, equally long, or the fractions of the material where nodes sit. Nodes are added for point masses and drivers, and a short segment at an end whose frame a driver holds.',
      }),
    restLength: length('Material length; default: length of the polyline.').optional(),
    normal: vector(
      '1',
      'Direction of d1 at the start of the rod, as far as it is across it; the others follow without twist. Default: the world axis that is most across.',
    ).optional(),
    twist: quantity(
      { unit: 'rad', min: -1e6, max: 1e6 },
      'Twist that it starts with, spread evenly over its length.',
    ).default(0),
    natural: naturalSchema.default('straight'),
    velocity: startVelocity('rod'),
    masses: list(massSchema, { max: LIMITS.guides, noun: 'point masses' }, 'Point masses on the rod.').default([]),
    damping: dampingSchema.prefault({}).meta({
      description:
        'Damping: "stiffness" is the time by which all strains lag (Kelvin-Voigt); rigid motions keep free of it.',
    }),
    sliding: switchOr(
      slidingSchema,
      'contrast and rate',
      'Whether and how nodes move through the material to where it bends. Default: true in mode "rh", false in mode "lagrangian".',
    ).optional(),
    refinement: switchOr(
      refinementSchema,
      'longest, shortest, sharpest, flattest, finest, softest, stiffest and recovery',
      'Whether and when nodes come and go. Default: true in mode "rh", false in mode "lagrangian".',
    ).optional(),
    contact: record(
      'contact',
      {
        self: flag('Whether it touches itself.').default(false),
        others: flag('Whether it touches other rods; two touch where both may.').default(true),
        bodies: flag(
          'Whether it touches bodies. Default: all but those that a tie keeps it on, or in which a driver holds it.',
        ).optional(),
        insertsNodes: flag(
          'Whether it gets a node where it is touched between nodes. Default: true in mode "rh", false in mode "lagrangian".',
        ).optional(),
      },
      'What it touches.',
    ).prefault({}),
  },
  'A rod: stretches, shears, bends and twists. Its frame d1, d2, d3 turns with the section; d3 runs along it.',
).meta({ id: 'rod' });
