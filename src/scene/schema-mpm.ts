/** Continua in the scene schema: parts of cloth, curves and bulk in one grid, and how bodies hold them. See schema.ts. */

import { z } from 'zod';
import { BODY_CONDITIONS } from '../mpm/collide.ts';
import { PRECISIONS } from '../mpm/create.ts';
import { CROSS_FRICTIONS } from '../mpm/material.ts';
import { PAPER_MATERIALS } from '../mpm/paper-materials.ts';
import { DEFORMATIONS } from '../mpm/stress.ts';
import { SAND_FRICTIONS } from '../mpm/yield-bulk.ts';
import { ALONG_FRICTIONS } from '../mpm/yield-curve.ts';
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
import { LARGEST_SPEED, LIMITS, rotationSchema, shapeSchema } from './schema-parts.ts';
import { SHEET_SHAPE_SCHEMAS } from './schema-sheet.ts';

const whole = (description: string, max: number = LIMITS.nodes) =>
  quantity({ unit: '1', min: 1, max, integer: true }, description);
const seconds = (description: string) => quantity({ unit: 's', min: 0, max: 1e9 }, description);
const pressure = (description: string) => quantity({ unit: 'Pa', min: 0, max: 1e15 }, description);

const listPresets = (type: 'surface' | 'curve'): [string, ...string[]] =>
  PAPER_MATERIALS.filter((one) => one.type === type).map(({ name }) => name) as [string, ...string[]];

const commonKeys = {
  dampingTime: seconds(
    'How long motion other than rigid lives in a particle; default: that of the preset, else for ever.',
  ).optional(),
  memory: seconds(
    'How long a particle remembers what the grid does not show of its velocity: 0 is APIC, in which layers stick to each other. Default 0.02 for surfaces and curves, 0 for bulk.',
  ).optional(),
};

const density = quantity({ unit: 'kg/m³', above: 0, max: 1e6 }, 'Mass per volume.');
const youngsModulus = quantity({ unit: 'Pa', above: 0, max: 1e15 }, "Young's modulus.");
const poissonRatio = quantity({ unit: '1', min: 0, below: 0.5 }, "Poisson's ratio.");
const frictionAngle = quantity(
  { unit: 'degrees', min: 0, below: 90 },
  'Angle of internal friction: of layers on each other, of fibres, of grains.',
);

const breakingStrain = quantity(
  { unit: '1', above: 0, max: 1e3 },
  'Strain at which an element tears, for good; default: it never does.',
);

/** When elements tear. */
const breakingKeys = {
  breakingStrain: breakingStrain.optional(),
  weibullModulus: quantity(
    { unit: '1', min: 1, max: 1e3 },
    'Spread of the strains at which elements tear, of which breakingStrain is the mean: the smaller, the wider (Weibull; standard deviation about 1.2 over it). Default: none.',
  ).optional(),
  breakingSeed: quantity(
    { unit: '1', min: 0, max: 1e9, integer: true },
    'Start of the random numbers of these strains; default 1.',
  ).optional(),
};

/** Numbers that a preset may give. */
const presetKeys = {
  density: density.optional(),
  youngsModulus: youngsModulus.optional(),
  poissonRatio: poissonRatio.optional(),
  shearStiffness: pressure('γ: against shear of what is pressed together.').optional(),
  frictionAngle: frictionAngle.optional(),
};

export const MPM_MATERIALS = ['surface', 'curve', 'sand', 'goo', 'fluid'] as const;

const materialSchema = z
  .discriminatedUnion(
    'type',
    [
      record(
        'a surface material',
        {
          type: z.literal('surface'),
          preset: choice(
            listPresets('surface'),
            "A material of the paper's tables; numbers given beside it replace its own.",
          ).optional(),
          thickness: length('Thickness of the cloth, with which it fills the grid.'),
          ...breakingKeys,
          normalStiffness: pressure('k: against compression across the surface.').optional(),
          bendingRigidity: quantity(
            { unit: 'N m', min: 0, max: 1e18 },
            'Bending stiffness per width; default 0, as in the paper.',
          ).optional(),
          ...presetKeys,
          ...commonKeys,
        },
        'Cloth. Without a preset all numbers but those of breaking, bendingRigidity, dampingTime and memory are needed.',
      ),
      record(
        'a curve material',
        {
          type: z.literal('curve'),
          preset: choice(
            listPresets('curve'),
            "A material of the paper's tables; numbers given beside it replace its own.",
          ).optional(),
          radius: length('Radius of a fibre.'),
          ...breakingKeys,
          fibreStiffness: pressure('k: against stretch along the fibre.').optional(),
          bendingStiffness: quantity(
            { unit: 'N m²', min: 0, max: 1e18 },
            'Bending stiffness EI of a fibre; default 0, as in the paper.',
          ).optional(),
          alongFriction: choice(
            ALONG_FRICTIONS,
            'What the friction angle means along fibres; default exact.',
          ).optional(),
          crossFriction: choice(
            CROSS_FRICTIONS,
            'What the friction angle means across fibres: exact (Mohr–Coulomb in the plane), klar (Drucker–Prager of Klár et al.), printed (the formula of the paper as printed, far below).',
          ).optional(),
          ...presetKeys,
          ...commonKeys,
        },
        'Hair, yarn, fibres. Without a preset all numbers but those of breaking, bendingStiffness, the two rules of friction, dampingTime and memory are needed.',
      ),
      record(
        'sand',
        {
          type: z.literal('sand'),
          density,
          youngsModulus,
          poissonRatio: poissonRatio.default(0.3),
          frictionAngle,
          sandFriction: choice(SAND_FRICTIONS, 'What the friction angle means; default exact.').optional(),
          ...commonKeys,
        },
        'Dry grains: pressed but not pulled, sliding at their friction angle.',
      ),
      record(
        'goo',
        {
          type: z.literal('goo'),
          density,
          youngsModulus,
          poissonRatio: poissonRatio.default(0.3),
          yieldStress: quantity({ unit: 'Pa', min: 0, max: 1e15 }, 'Stress in tension at which it begins to flow.'),
          viscosity: quantity({ unit: 'Pa s', min: 0, max: 1e12 }, 'How slowly it flows above that.'),
          ...commonKeys,
        },
        'A soft solid that flows above a stress: slime, dough, honey.',
      ),
      record(
        'a fluid',
        {
          type: z.literal('fluid'),
          density,
          bulkModulus: quantity(
            { unit: 'Pa', above: 0, max: 1e15 },
            'Against compression; 100 times density × (largest speed)² keeps densities within 1 %.',
          ),
          exponent: quantity({ unit: '1', min: 2, max: 20, integer: true }, 'Of the equation of state.').default(7),
          viscosity: quantity({ unit: 'Pa s', min: 0, max: 1e12 }, 'Viscosity.').default(0),
          ...commonKeys,
        },
        'A weakly compressible fluid.',
      ),
    ],
    typeFault('a material', MPM_MATERIALS),
  )
  .meta({ id: 'mpmMaterial', description: 'What a part of a continuum is made of.' });

const jitter = (description: string) => fraction(description);
const seed = quantity({ unit: '1', min: 0, max: 1e9, integer: true }, 'Start of the random numbers.').default(1);

/** Registry of knits. */
export const KNIT_STITCHES = ['stockinette', 'garter', 'seed', 'linen', 'heel', 'rib', 'honeycomb'] as const;

export const KNIT_FORMS = ['flat', 'tube', 'yoke'] as const;
/** Those that are alike in all of a course, to which a yoke can add wales. */
export const YOKE_STITCHES: readonly string[] = ['stockinette', 'garter'];

/** Registry of patterns: those of surfaces, of curves, of bulk; a new one is one entry here and one in mpm-patterns.ts. */
export const MPM_PATTERNS = {
  surface: ['rectangle', 'disk', 'polygon', 'mesh', 'tube'],
  curve: ['lines', 'hairs', 'bundle', 'knit'],
  bulk: ['fill'],
} as const;

const patternSchema = z
  .discriminatedUnion(
    'type',
    [
      ...SHEET_SHAPE_SCHEMAS,
      record(
        'a tube',
        {
          type: z.literal('tube'),
          radius: length('Radius of its lower end.'),
          topRadius: length('Radius of its upper end; default: as below.').optional(),
          height: length('Height, along y.'),
          columns: whole('Cells round it, an even number, two triangles each.'),
          rows: whole('Cells along it.'),
        },
        'A surface: an upright tube, open at both ends, its middle at "position".',
      ),
      record(
        'lines',
        {
          type: z.literal('lines'),
          lines: list(
            list(position('A point.'), { min: 2, max: LIMITS.nodes, noun: 'points' }, 'Points of one curve.'),
            { min: 1, max: LIMITS.nodes, noun: 'curves' },
            'The curves.',
          ),
          size: length('Longest segment.'),
          copies: whole('How many of all of them there are, each moved by "shift" from the one before.').default(1),
          shift: position('From one copy to the next.').default([0, 0, 0]),
        },
        'Curves: polylines.',
      ),
      record(
        'hairs',
        {
          type: z.literal('hairs'),
          columns: whole('Hairs along x.'),
          rows: whole('Hairs along z.'),
          spacing: length('Distance of their roots.'),
          length: length('Length of a hair.'),
          segments: whole('Segments of a hair.', 10_000),
          jitter: jitter('By how much roots and tips are moved at random, in spacings.').default(0),
          seed,
        },
        'Curves: hairs that stand up (y) on a rectangle about "position", the pile of a carpet.',
      ),
      record(
        'a bundle',
        {
          type: z.literal('bundle'),
          radius: length('Radius of the round section.'),
          innerRadius: quantity({ unit: 'm', min: 0, max: 1e9 }, 'Radius of the hollow in its middle.').default(0),
          length: length('Length of the fibres, along y.'),
          spacing: length('Distance of fibres.'),
          segments: whole('Segments of a fibre.', 10_000),
          jitter: jitter('By how much their ends are moved at random, in spacings.').default(0),
          seed,
        },
        'Curves: straight fibres side by side along y, their middle at "position".',
      ),
      record(
        'a knit',
        {
          type: z.literal('knit'),
          stitch: choice(KNIT_STITCHES, 'How its loops are made.').default('stockinette'),
          courses: whole('Rows of loops.', 100_000),
          wales: whole('Columns of loops.', 100_000),
          spacing: z
            .tuple(
              [length('From wale to wale.'), length('From course to course.')],
              unionFault('two distances [wale, course] in m'),
            )
            .meta({ description: 'Distance from wale to wale and from course to course, [wale, course].', unit: 'm' }),
          segments: whole(
            'Segments of a fifth of a half loop. With 1, pieces of a loop and the one below meet between foot and leg; 2 or more keep who winds round whom.',
            100,
          ).default(1),
          form: choice(
            KNIT_FORMS,
            'flat: courses along x, wales along −z, knitted to and fro with one yarn; tube: courses wound into rings about an upright axis, their ends joined; yoke: rings from a neck at "position" outwards and down, each with more loops than the one before, so that all are as wide; "wales" are those of the neck.',
          ).default('flat'),
          slope: quantity(
            { unit: 'degrees', min: 0, max: 90 },
            'How steeply a yoke goes down from its neck: 0 is a flat ring, 90 a tube; default 0.',
          ).optional(),
        },
        'Curves: the yarn of a knit as it lies, cast on below and bound off above, a yoke from its neck on.',
      ),
      record(
        'a filling',
        {
          type: z.literal('fill'),
          shape: shapeSchema,
          particlesPerCell: quantity({ unit: '1', above: 0, max: 1000 }, 'Particles in a cell of the grid.').default(8),
          jitter: jitter('By how much particles are moved at random, in distances between them.').default(0.5),
          seed,
        },
        'Bulk: particles that fill a shape.',
      ),
    ],
    typeFault('a pattern', Object.values(MPM_PATTERNS).flat()),
  )
  .meta({ id: 'mpmPattern', description: 'Where the particles of a part are: a mesh, curves, or a shape to fill.' });

const partSchema = record(
  'a part',
  {
    id: id('Name, unique among objects, parts and bodies; probes and pictures use it.'),
    pattern: patternSchema,
    material: materialSchema,
    position: position('Where it lies.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({
      description: 'Turn about "position". Without it X of a surface runs along world x, Y along world −z.',
    }),
    velocity: vector('m/s', 'Velocity at the start.', LARGEST_SPEED).optional(),
    angularVelocity: vector('rad/s', 'Angular velocity at the start, about "position".', LARGEST_SPEED).optional(),
  },
  'One material of a continuum.',
).meta({ id: 'mpmPart' });

export const mpmSchema = record(
  'a continuum',
  {
    type: z.literal('mpm').meta({ description: 'A continuum: cloth, hair, sand and fluids as particles in one grid.' }),
    id: id('Name, unique among objects, parts and bodies.'),
    spacing: length('Distance of grid nodes Δx. What is nearer than about that touches.'),
    kernel: choice(['quadratic', 'cubic'], 'Splines between particles and grid.').default('quadratic'),
    integration: choice(
      ['explicit', 'implicit'],
      'explicit: substeps as short as sound, viscosity and motion ask for; implicit: limited by motion alone, each far dearer.',
    ).default('explicit'),
    precision: choice(
      PRECISIONS,
      'single: compiled kernels, for explicit steps with quadratic splines and full deformation; double: everything. Default: single where it can be.',
    ).optional(),
    touching: list(
      id('A strand, rod, fabric or sheet.'),
      { max: 1000, noun: 'names' },
      'Other objects that it touches: their nodes are in its grid, which meets them where it is pressed against them; both push each other. Nodes should be no further apart than a cell.',
    ).default([]),
    touchingFriction: quantity(
      { unit: '1', min: 0, max: 100 },
      'Coefficient of dry friction with what is named in "touching"; default: it sticks to them while it is pressed against them.',
    ).optional(),
    longestStep: quantity(
      { unit: 's', above: 0, max: 1e9 },
      'Longest substep of the grid; default: as long as it may be, at most the step of the scene.',
    ).optional(),
    deformation: choice(
      DEFORMATIONS,
      'How elements deform, as compared in Fig. 10 of the paper: full; elastic, without friction and separation; mesh, nothing resists across elements; grid, by the grid alone, as in standard MPM.',
    ).default('full'),
    paperWeights: flag(
      "Energies weighed by a particle's share of its element, as the paper sums: surfaces are softer by 4, curves by 3.",
    ).default(false),
    parts: list(partSchema, { min: 1, max: 255, noun: 'parts' }, 'What it is made of.'),
    bodies: list(
      record(
        'a body of the continuum',
        {
          body: id('The body.'),
          condition: choice(
            BODY_CONDITIONS,
            'What it does with the grid inside it: sticky holds it, slip lets it slide but not leave, separate lets it leave, with friction.',
          ).default('separate'),
          friction: quantity(
            { unit: '1', min: 0, max: 100 },
            "Coefficient of dry friction of separate; default: the body's own, else 0.",
          ).optional(),
        },
        'How one body acts.',
      ),
      { max: LIMITS.bodies, noun: 'bodies' },
      'Bodies that act otherwise than "separate" with their own friction.',
    ).default([]),
    margin: quantity(
      { unit: 'm', min: 0, max: 1e9 },
      'How far outside their surfaces bodies hold the grid; default: half the spacing, with which what lies on a body is not seen to sink into it: cloth lies about 0.8 cells over a flat floor, with 0 about 0.3, on round bodies deeper.',
    ).optional(),
    contact: flag('Whether it touches bodies that are not in "bodies".').default(true),
  },
  'A continuum: cloth, hair, yarns, sand, goo and fluids as particles in one grid, where all touch each other.',
).meta({ id: 'mpm' });
