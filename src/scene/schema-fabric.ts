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
  warps: whole('Warp yarns; or give width.').optional(),
  wefts: whole('Weft yarns; or give height.').optional(),
  width: length('Size along X, across the warps: as many as fit; or give warps.').optional(),
  height: length('Size along Y, across the wefts; or give wefts.').optional(),
  spacing: warpWeft(
    { unit: 'm', above: 0, max: 1e3 },
    'Distance from yarn to yarn; or give yarnsPerCentimetre or yarnsPerInch.',
  ).optional(),
  yarnsPerCentimetre: perLength('1/cm', 'Yarns per centimetre, instead of spacing.').optional(),
  yarnsPerInch: perLength('1/in', 'Yarns per inch, instead of spacing.').optional(),
  crimp: warpWeft(
    { unit: '1', min: 0, max: 10 },
    'Length of yarn over length of cloth, less 1. The model has no thickness, so that yarns with crimp are slack and buckle; with 0 they lie straight.',
  ).default(0),
  margin: length('Length of yarn beyond its last crossing; default: half the spacing there.').optional(),
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
  courses: whole('Rows of loops; default: one repeat.').optional(),
  wales: whole('Columns of loops; default: one repeat.').optional(),
  spacing: z
    .tuple(
      [length('From wale to wale.'), length('From course to course.')],
      unionFault('two distances [wale, course] in m'),
    )
    .meta({ description: 'Distance from wale to wale and from course to course, [wale, course].', unit: 'm' }),
  tightness: share('Length of all yarn at rest over the length that is drawn: above 1 loose, below 1 tight.'),
  floatLength: share('The same of floats alone, times tightness.'),
  heldLength: share('The same of legs that are held over courses, times tightness.'),
  lengths: choice(
    ['straight', 'curves'],
    'What lengths at rest are measured along: the straight lines from crossing to crossing, with which the knit starts at rest, or the smooth loops of real yarn, which are longer.',
  ).default('straight'),
  edges: choice(
    ['bound', 'free'],
    'bound: in the outermost wales yarns do not slide on each other, as in a selvedge that is sewn. free: they do, and a loose knit ravels from its sides.',
  ).default('bound'),
  border: quantity(
    { unit: '1', min: 0, max: 1000, integer: true },
    'Knit stitches all round, beyond courses and wales; default: 1 where the first course could not be knitted without, else 0.',
  ).optional(),
  margin: length('Length of yarn beyond the outermost loops; default: half the distance of wales.').optional(),
};

const knitSchema = <const Type extends string>(type: Type, description: string) =>
  record('a knit', { type: z.literal(type), ...knitKeys }, description);

const rows = (allowed: RegExp, words: string, description: string) =>
  list(text('One course.', 10_000, { pattern: allowed, words }), { min: 1, max: 10_000, noun: 'texts' }, description);

const satinKeys = {
  ends: whole('Ends and picks of the repeat: 5, or more than 6.', 1000),
  counter: whole(
    'Picks that the next end is moved by: above 1, below ends − 1, without a common divisor with it. Default: the smallest.',
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
          ends: whole('Warps side by side.', 1000),
          picks: whole('Wefts side by side.', 1000),
          ...clothKeys,
        },
        'A plain weave of groups of yarns; a rib if one group is a single yarn.',
      ),
      record(
        'a twill',
        {
          type: z.literal('twill'),
          over: whole('Wefts that a warp lies over, one after the other.', 1000),
          under: whole('Wefts that it then lies under.', 1000),
          shift: whole('Wefts that the next warp is moved by.', 1000).default(1),
          direction: choice(['Z', 'S'], 'Whether the lines on the face rise to the right, or to the left.').default(
            'Z',
          ),
          ...clothKeys,
        },
        'Woven with diagonal lines, as denim: over 3, under 1.',
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
            'One text a weft, the first weft last, as drafts are drawn: "X" warp over, "." warp under.',
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
        'Woven by a draft in a file (WIF 1.1); warps, wefts and spacing are those of the file where they are left out.',
      ),
      knitSchema('stockinette', 'Knitted: every stitch a knit stitch.'),
      knitSchema('garter', 'Knitted: courses of knit and of purl stitches.'),
      knitSchema('seed', 'Knitted: knit and purl stitches in turn, moved by one in every course.'),
      knitSchema('linen', 'Knitted: every other stitch slipped, with floats before it.'),
      knitSchema('heel', 'Knitted: every other wale slipped in every other course, with floats behind.'),
      record(
        'a rib',
        {
          type: z.literal('rib'),
          knit: whole('Wales of knit stitches.', 1000).default(1),
          purl: whole('Wales of purl stitches.', 1000).default(1),
          ...knitKeys,
        },
        'Knitted: wales of knit and of purl stitches.',
      ),
      record(
        'a slip honeycomb',
        {
          type: z.literal('honeycomb'),
          cellWidth: whole('Stitches between held loops, an odd number.', 1000).default(3),
          cellHeight: whole('Courses over which loops are held.', 1000).default(2),
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
            'only "k" knit, "p" purl, "s" slip with the yarn behind, "f" slip with the yarn before',
            'One text a course, the first course last, as charts are drawn: k knit, p purl, s slip with the yarn behind, f slip with the yarn before.',
          ),
          carriers: rows(
            /^[0-9]+$/,
            'digits: one for the whole course, or one for each wale',
            'Which yarn knits: one digit a course, or one for each wale; default: 0.',
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
            'One text a course, the first course last: the yarn that knits each stitch; the others of the course float behind. Or give letters.',
          ).optional(),
          letters: text('Words to be knitted with yarn 1 on a ground of yarn 0.', 200).optional(),
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
      colour('Of all yarns.'),
      z.tuple([colour('Of warps, or of yarn 0 of a knit.'), colour('Of the others.')], COLOURS),
    ],
    COLOURS,
  )
  .meta({
    description:
      'Colour of the yarns in pictures: one, or two, of warps and wefts, or of yarn 0 and the others of a knit.',
  });

const layerSchema = record(
  'a layer',
  {
    id: id('Name of the layer, unique in its fabric; drivers and probes may name it.').optional(),
    pattern: patternSchema,
    material: materialField.meta({
      description:
        'Material of the yarns: a name from "materials" or of a built-in material, or a material written here.',
    }),
    secondMaterial: materialField.optional().meta({
      description: 'Material of the wefts, or of all yarns of a knit but yarn 0, where it is another.',
    }),
    colour: colours.optional(),
    position: position('Where the middle of the layer lies, in the frame of the fabric.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({
      description: 'Turn about the middle of the layer. Without it X runs along x, Y along −z: its face is up.',
    }),
    friction: coefficient(
      'Coefficient of dry friction of its yarns on each other; default: that of their material, the mean of warp and weft.',
    ).optional(),
    shearStiffness: quantity(
      { unit: 'N', min: 0, max: 1e18 },
      'k of a crossing that is turned, ½ k L φ², L the spacing; default 1.5 EI/L². 0: yarns turn freely on each other.',
    ).optional(),
    wrappingStiffness: quantity(
      { unit: 'N', min: 0, max: 1e18 },
      'Knits: k of yarns that wind round each other, ½ k L ψ²; default 2 EI/L².',
    ).optional(),
    parallelStiffness: quantity(
      { unit: 'Pa', min: 0, max: 1e18 },
      'k of yarns side by side that are pressed together by δ, ½ k L δ²; default: a hundredth of their modulus, EA/(100 π r²).',
    ).optional(),
    frictionStiffness: quantity(
      { unit: 'N/m', above: 0, max: 1e18 },
      'k of the spring by which yarns stick to each other; default: that of a yarn from crossing to crossing, EA/L.',
    ).optional(),
    preload: quantity(
      { unit: 'N', min: 0, max: 1e9 },
      'Load of a crossing in the cloth at rest; default: a tenth of what straight yarns press with that are bent to its waves, 2.4 EI h/L³.',
    ).optional(),
  },
  'One cloth of a fabric: a pattern of yarns.',
).meta({ id: 'layer' });

/** A layer by its place from below, or by its name. */
export const layerName = z
  .union(
    [
      quantity({ unit: '1', min: 0, max: 100, integer: true }, 'Place from below; the lowest is 0.'),
      id('Name of the layer.'),
    ],
    unionFault('the number of a layer, the lowest 0, or its name'),
  )
  .meta({ description: 'A layer of a fabric: its number from below, the lowest 0, or its name.' });

const stitchSchema = record(
  'a seam',
  {
    layers: z
      .tuple([layerName, layerName], unionFault('two layers, [lower, upper]'))
      .meta({ description: 'The two layers that are sewn together, by number from below or by name.' }),
    line: materialBox('Ends of the seam in the coordinates of the first of the layers, [[X, Y], [X, Y]].'),
    spacing: length('Distance from stitch to stitch; default: the wider spacing of the two layers.').optional(),
  },
  'A seam: along a line yarns of one layer are sewn to those of another.',
).meta({ id: 'seam' });

export const fabricSchema = record(
  'a fabric',
  {
    type: z.literal('fabric').meta({ description: 'A fabric: woven or knitted cloth, yarn by yarn, in layers.' }),
    id: id('Name, unique among objects and bodies.'),
    layers: list(layerSchema, { min: 1, max: 100, noun: 'layers' }, 'The layers, the lowest first.'),
    position: position('Where the fabric lies.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({ description: 'Turn of all layers about "position".' }),
    velocity: vector('m/s', 'Velocity at the start.', LARGEST_SPEED).optional(),
    friction: coefficient('Coefficient of dry friction between layers; default: √(μ₁ μ₂) of the two.').optional(),
    bodyFriction: coefficient(
      'Coefficient of dry friction with bodies that do not say their own; default: that of the material of the lowest layer.',
    ).optional(),
    contacts: record(
      'contacts of layers',
      {
        atStart: flag('Whether layers touch where their yarns cross at the start.').default(true),
        whileRunning: flag('Whether they also touch where their yarns come to cross later.').default(false),
      },
      'Contacts between layers.',
    ).prefault({}),
    seams: list(stitchSchema, { max: 10_000, noun: 'seams' }, 'Lines at which layers are sewn together.').default([]),
    transition: choice(
      ['keep', 'optimise'],
      'What becomes of the material coordinate of a node that is interpolated from now on, or no longer: keep leaves it, optimise moves it to the least energy.',
    ).default('keep'),
    damping: dampingSchema.prefault({}).meta({
      description:
        'Damping: "stiffness" is the time by which strains lag (Kelvin-Voigt); cloth that moves as a whole is not braked by it.',
    }),
    contact: flag('Whether it touches bodies.').default(true),
  },
  'Cloth yarn by yarn: every crossing of two yarns is a node through which both slide.',
).meta({ id: 'fabric' });
