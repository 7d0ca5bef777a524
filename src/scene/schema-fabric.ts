/** Fabrics in the scene schema: layers with their patterns and yarns, how they act on each other, stitches. See schema.ts. */

import { z } from 'zod';
import {
  choice,
  colour,
  flag,
  id,
  length,
  list,
  position,
  quantity,
  record,
  text,
  typeFault,
  unionFault,
  vector,
} from './fields.ts';
import { materialField, warpWeft } from './schema-materials.ts';
import { dampingSchema, LARGEST_SPEED, rotationSchema } from './schema-parts.ts';
import { materialBox } from './schema-sheet.ts';

const whole = (description: string, max = 100_000) => quantity({ unit: '1', min: 1, max, integer: true }, description);
const coefficient = (description: string) => quantity({ unit: '1', min: 0, max: 100 }, description);
const perLength = (unit: string, description: string) => warpWeft({ unit, above: 0, max: 1e9 }, description);

/** How many yarns a woven cloth has, and how far apart they are. */
const clothKeys = {
  warps: whole('Number of warp yarns. Alternative: width.').optional(),
  wefts: whole('Number of weft yarns. Alternative: height.').optional(),
  width: length('Size along X, across the warps. As many warps as fit. Alternative: warps.').optional(),
  height: length('Size along Y, across the wefts. Alternative: wefts.').optional(),
  spacing: warpWeft(
    { unit: 'm', above: 0, max: 1e3 },
    'Distance between yarns. Alternative: yarnsPerCentimetre or yarnsPerInch.',
  ).optional(),
  yarnsPerCentimetre: perLength('1/cm', 'Yarns per centimetre, instead of spacing.').optional(),
  yarnsPerInch: perLength('1/in', 'Yarns per inch, instead of spacing.').optional(),
  crimp: warpWeft(
    { unit: '1', min: 0, max: 10 },
    'Crimp: yarn length over cloth length, minus 1. The model has no thickness, so yarns with crimp are slack and buckle. With 0 they are straight.',
  ).default(0),
  margin: length('Yarn length beyond its last crossing. Default: half the spacing there.').optional(),
};

/** File beside the scene: no absolute path, no way up. */
const DRAFT_FILE = {
  pattern: /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./ -]*\.wif$/i,
  words: 'the name of a .wif file beside the scene',
};

/** Registry of patterns; a new one is one entry here and one in compile-fabric.ts. */
export const FABRIC_PATTERNS = [
  'plain',
  'basket',
  'twill',
  'satin',
  'sateen',
  'draft',
  'wif',
  'stockinette',
  'garter',
  'seed',
  'linen',
  'heel',
  'rib',
  'honeycomb',
  'chart',
  'jacquard',
] as const;

const share = (description: string) => quantity({ unit: '1', above: 0, max: 100 }, description).default(1);

/** How large a knit is, and how long its yarns are. */
const knitKeys = {
  courses: whole('Rows of loops. Default: one repeat.').optional(),
  wales: whole('Columns of loops. Default: one repeat.').optional(),
  spacing: z
    .tuple(
      [length('From wale to wale.'), length('From course to course.')],
      unionFault('two distances [wale, course] in m'),
    )
    .meta({ description: 'Distance between wales and between courses, [wale, course].', unit: 'm' }),
  tightness: share('Rest length of all yarn relative to its drawn length: above 1 loose, below 1 tight.'),
  floatLength: share('The same for floats only, multiplied by tightness.'),
  heldLength: share('The same for legs held over several courses, multiplied by tightness.'),
  lengths: choice(
    ['straight', 'curves'],
    'Curve along which rest lengths are measured: straight lines between crossings, so that the knit starts at rest, or the smooth loops of real yarn, which are longer.',
  ).default('straight'),
  edges: choice(
    ['bound', 'free'],
    'bound: yarns in the outermost wales do not slide on each other, as in a sewn selvedge. free: they slide, and a loose knit unravels from its sides.',
  ).default('bound'),
  border: quantity(
    { unit: '1', min: 0, max: 1000, integer: true },
    'Knit stitches around the pattern, in addition to courses and wales. Default: 1 if the first course cannot be knitted without it, otherwise 0.',
  ).optional(),
  margin: length('Yarn length beyond the outermost loops. Default: half the wale spacing.').optional(),
};

const knitSchema = <const Type extends string>(type: Type, description: string) =>
  record('a knit', { type: z.literal(type), ...knitKeys }, description);

const rows = (allowed: RegExp, words: string, description: string) =>
  list(text('One course.', 10_000, { pattern: allowed, words }), { min: 1, max: 10_000, noun: 'texts' }, description);

const satinKeys = {
  ends: whole('Ends and picks of the repeat: 5, or more than 6.', 1000),
  counter: whole(
    'Step: number of picks between one end and the next. Above 1, below ends − 1, with no common divisor with ends. Default: the smallest.',
    1000,
  ).optional(),
  ...clothKeys,
};

export const patternSchema = z
  .discriminatedUnion(
    'type',
    [
      record('a plain weave', { type: z.literal('plain'), ...clothKeys }, 'Woven: over one, under one.'),
      record(
        'a basket weave',
        {
          type: z.literal('basket'),
          ends: whole('Number of warps side by side.', 1000),
          picks: whole('Number of wefts side by side.', 1000),
          ...clothKeys,
        },
        'A plain weave of groups of yarns. A rib if one group is a single yarn.',
      ),
      record(
        'a twill',
        {
          type: z.literal('twill'),
          over: whole('Number of consecutive wefts that a warp passes over.', 1000),
          under: whole('Number of wefts that it then passes under.', 1000),
          shift: whole('Shift of the next warp, in wefts.', 1000).default(1),
          direction: choice(['Z', 'S'], 'Direction in which the lines on the face rise: right or left.').default('Z'),
          ...clothKeys,
        },
        'Woven with diagonal lines, such as denim: over 3, under 1.',
      ),
      record(
        'a satin',
        { type: z.literal('satin'), ...satinKeys },
        'Woven with single interlacings, warps on the face.',
      ),
      record(
        'a sateen',
        { type: z.literal('sateen'), ...satinKeys },
        'Woven with single interlacings, wefts on the face.',
      ),
      record(
        'a draft',
        {
          type: z.literal('draft'),
          rows: list(
            text('One weft.', 10_000, { pattern: /^[X.]+$/, words: 'only "X", warp over, and ".", warp under' }),
            { min: 1, max: 10_000, noun: 'texts' },
            'One string per weft, the first weft last, as drafts are drawn: "X" warp over, "." warp under.',
          ),
          ...clothKeys,
        },
        'Woven by a drawing of one repeat.',
      ),
      record(
        'a weaving draft',
        {
          type: z.literal('wif'),
          file: text('File beside the scene: .wif.', 200, DRAFT_FILE),
          ...clothKeys,
        },
        'Woven from a draft file (WIF 1.1). Default of warps, wefts and spacing: those of the file.',
      ),
      knitSchema('stockinette', 'Knitted: all knit stitches.'),
      knitSchema('garter', 'Knitted: alternating courses of knit and purl stitches.'),
      knitSchema('seed', 'Knitted: alternating knit and purl stitches, shifted by one in every course.'),
      knitSchema('linen', 'Knitted: every other stitch slipped, with floats in front.'),
      knitSchema('heel', 'Knitted: every other wale slipped in every other course, with floats behind.'),
      record(
        'a rib',
        {
          type: z.literal('rib'),
          knit: whole('Wales of knit stitches.', 1000).default(1),
          purl: whole('Wales of purl stitches.', 1000).default(1),
          ...knitKeys,
        },
        'Knitted: alternating wales of knit and purl stitches.',
      ),
      record(
        'a slip honeycomb',
        {
          type: z.literal('honeycomb'),
          cellWidth: whole('Number of stitches between held loops, an odd number.', 1000).default(3),
          cellHeight: whole('Number of courses over which loops are held.', 1000).default(2),
          ...knitKeys,
        },
        'Knitted: cells between loops that are held over several courses.',
      ),
      record(
        'a chart',
        {
          type: z.literal('chart'),
          rows: rows(
            /^[kpsf]+$/,
            'only "k" knit, "p" purl, "s" slip with the yarn behind, "f" slip with the yarn in front',
            'One string per course, the first course last, as charts are drawn: k knit, p purl, s slip with the yarn behind, f slip with the yarn in front.',
          ),
          carriers: rows(
            /^[0-9]+$/,
            'digits: one for the whole course, or one for each wale',
            'The yarn that knits: one digit per course, or one per wale. Default: 0.',
          ).optional(),
          ...knitKeys,
        },
        'Knitted by a drawing of one repeat.',
      ),
      record(
        'a jacquard',
        {
          type: z.literal('jacquard'),
          picture: rows(
            /^[0-9]+$/,
            'digits, one for each wale',
            'One string per course, the first course last: the yarn that knits each stitch. The other yarns of the course float behind. Alternative: letters.',
          ).optional(),
          letters: text('Text knitted with yarn 1 on a ground of yarn 0.', 200).optional(),
          ...knitKeys,
        },
        'Knitted in yarns of two or more colours.',
      ),
    ],
    typeFault('a pattern', FABRIC_PATTERNS),
  )
  .meta({ id: 'pattern', description: 'How the yarns of a layer are woven or knitted.' });

const COLOURS = unionFault('a colour such as "#1e2430", or two, [first, second]');

const colours = z
  .union(
    [
      colour('Colour of all yarns.'),
      z.tuple([colour('Colour of the warps, or of yarn 0 of a knit.'), colour('Colour of the other yarns.')], COLOURS),
    ],
    COLOURS,
  )
  .meta({
    description:
      'Colour of the yarns in images: one, or two for warps and wefts, or for yarn 0 and the others of a knit.',
  });

const layerSchema = record(
  'a layer',
  {
    id: id('Name of the layer, unique in its fabric, for drivers and probes.').optional(),
    pattern: patternSchema,
    material: materialField.meta({
      description:
        'Material of the yarns: a name from "materials", the name of a built-in material, or a material object.',
    }),
    secondMaterial: materialField.optional().meta({
      description: 'Material of the wefts, or of all yarns of a knit except yarn 0. Default: that of the layer.',
    }),
    colour: colours.optional(),
    position: position('Position of the centre of the layer, in the frame of the fabric.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({
      description: 'Rotation about the centre of the layer. Without it X is along x and Y along −z, so its face is up.',
    }),
    friction: coefficient(
      'Coefficient of dry friction between its yarns. Default: that of their material, the mean of warp and weft.',
    ).optional(),
    shearStiffness: quantity(
      { unit: 'N', min: 0, max: 1e18 },
      'Shear stiffness k of a crossing, energy ½ k L φ² with the spacing L. Default: 1.5 EI/L². With 0 yarns rotate freely on each other.',
    ).optional(),
    wrappingStiffness: quantity(
      { unit: 'N', min: 0, max: 1e18 },
      'Knits: stiffness k of yarns wrapped around each other, energy ½ k L ψ². Default: 2 EI/L².',
    ).optional(),
    parallelStiffness: quantity(
      { unit: 'Pa', min: 0, max: 1e18 },
      'Stiffness k between parallel yarns compressed by δ, energy ½ k L δ². Default: a hundredth of their modulus, EA/(100 π r²).',
    ).optional(),
    frictionStiffness: quantity(
      { unit: 'N/m', above: 0, max: 1e18 },
      'Stiffness k of the friction spring between yarns that stick. Default: that of a yarn between two crossings, EA/L.',
    ).optional(),
    preload: quantity(
      { unit: 'N', min: 0, max: 1e9 },
      'Normal force at a crossing in the cloth at rest. Default: a tenth of the force that straight yarns need to be bent to the waves of the weave, 2.4 EI h/L³.',
    ).optional(),
  },
  'One layer of a fabric: a pattern of yarns.',
).meta({ id: 'layer' });

/** A layer by its place from below, or by its name. */
export const layerName = z
  .union(
    [
      quantity({ unit: '1', min: 0, max: 100, integer: true }, 'Index from below. The lowest layer is 0.'),
      id('Name of the layer.'),
    ],
    unionFault('the index of a layer, the lowest 0, or its name'),
  )
  .meta({ description: 'A layer of a fabric: its index (the lowest is 0) or its name.' });

const stitchSchema = record(
  'a seam',
  {
    layers: z
      .tuple([layerName, layerName], unionFault('two layers, [lower, upper]'))
      .meta({ description: 'The two layers that are sewn together, by index or by name.' }),
    line: materialBox('Ends of the seam in the coordinates of the first layer, [[X, Y], [X, Y]].'),
    spacing: length('Distance between stitches. Default: the larger spacing of the two layers.').optional(),
  },
  'A seam: yarns of one layer are sewn to yarns of another along a line.',
).meta({ id: 'seam' });

export const fabricSchema = record(
  'a fabric',
  {
    type: z.literal('fabric').meta({ description: 'A fabric: woven or knitted cloth at yarn level, in layers.' }),
    id: id('Name, unique among objects and bodies.'),
    layers: list(layerSchema, { min: 1, max: 100, noun: 'layers' }, 'The layers, the lowest first.'),
    position: position('Position of the fabric.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({ description: 'Rotation of all layers about "position".' }),
    velocity: vector('m/s', 'Initial velocity.', LARGEST_SPEED).optional(),
    friction: coefficient('Coefficient of dry friction between layers. Default: √(μ₁ μ₂) of the two.').optional(),
    bodyFriction: coefficient(
      'Coefficient of dry friction with bodies that have no friction of their own. Default: that of the material of the lowest layer.',
    ).optional(),
    contacts: record(
      'contacts of layers',
      {
        atStart: flag('Contact between layers where their yarns cross at the start.').default(true),
        whileRunning: flag('Contact between layers also where their yarns come to cross later.').default(false),
      },
      'Contacts between layers.',
    ).prefault({}),
    seams: list(stitchSchema, { max: 10_000, noun: 'seams' }, 'Lines along which layers are sewn together.').default(
      [],
    ),
    transition: choice(
      ['keep', 'optimise'],
      'Material coordinate of a node when it becomes interpolated or stops being so. keep: unchanged. optimise: moved to the lowest energy.',
    ).default('keep'),
    damping: dampingSchema.prefault({}).meta({
      description:
        'Damping. "stiffness" is the delay of the strain response (Kelvin–Voigt); it does not damp rigid motion.',
    }),
    contact: flag('Contact with bodies.').default(true),
  },
  'Cloth at yarn level: every crossing of two yarns is a node through which both slide.',
).meta({ id: 'fabric' });
