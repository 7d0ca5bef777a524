/** MPM objects in the scene schema: parts of cloth, curves and bulk on one grid, and the boundary conditions of bodies. See schema.ts. */

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
    'Decay time of the non-rigid motion within a particle. Default: that of the preset, or no decay.',
  ).optional(),
  memory: seconds(
    'Velocity retention time (FLIP time): how long a particle keeps the part of its velocity that the grid does not resolve. 0 is APIC, in which layers stick together. Default: 0.02 for surfaces and curves, 0 for bulk.',
  ).optional(),
};

const density = quantity({ unit: 'kg/m³', above: 0, max: 1e6 }, 'Mass per volume.');
const youngsModulus = quantity({ unit: 'Pa', above: 0, max: 1e15 }, "Young's modulus.");
const poissonRatio = quantity({ unit: '1', min: 0, below: 0.5 }, "Poisson's ratio.");
const frictionAngle = quantity(
  { unit: 'degrees', min: 0, below: 90 },
  'Angle of internal friction: between layers, fibres or grains.',
);

const breakingStrain = quantity(
  { unit: '1', above: 0, max: 1e3 },
  'Strain at which an element tears permanently. Default: it never tears.',
);

/** When elements tear. */
const breakingKeys = {
  breakingStrain: breakingStrain.optional(),
  weibullModulus: quantity(
    { unit: '1', min: 1, max: 1e3 },
    'Weibull modulus of the strains at which elements tear; breakingStrain is their mean. A smaller value gives a wider spread (standard deviation about 1.2 over it). Default: no spread.',
  ).optional(),
  breakingSeed: quantity(
    { unit: '1', min: 0, max: 1e9, integer: true },
    'Random seed of these strains. Default: 1.',
  ).optional(),
};

/** Numbers that a preset may give. */
const presetKeys = {
  density: density.optional(),
  youngsModulus: youngsModulus.optional(),
  poissonRatio: poissonRatio.optional(),
  shearStiffness: pressure('γ: stiffness against shear of compressed material.').optional(),
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
            'A material from the tables of Jiang, Gast and Teran (2017). Values given here replace those of the preset.',
          ).optional(),
          thickness: length('Thickness of the cloth, which sets the volume it fills in the grid.'),
          ...breakingKeys,
          normalStiffness: pressure('k: stiffness against compression across the surface.').optional(),
          bendingRigidity: quantity(
            { unit: 'N m', min: 0, max: 1e18 },
            'Bending stiffness per width. Default: 0, as in Jiang 2017.',
          ).optional(),
          ...presetKeys,
          ...commonKeys,
        },
        'Cloth. Without a preset all values are required, except those of breaking, bendingRigidity, dampingTime and memory.',
      ),
      record(
        'a curve material',
        {
          type: z.literal('curve'),
          preset: choice(
            listPresets('curve'),
            'A material from the tables of Jiang, Gast and Teran (2017). Values given here replace those of the preset.',
          ).optional(),
          radius: length('Radius of a fibre.'),
          ...breakingKeys,
          fibreStiffness: pressure('k: stiffness against stretch along the fibre.').optional(),
          bendingStiffness: quantity(
            { unit: 'N m²', min: 0, max: 1e18 },
            'Bending stiffness EI of a fibre. Default: 0, as in Jiang 2017.',
          ).optional(),
          alongFriction: choice(
            ALONG_FRICTIONS,
            'Friction rule along fibres: how friction follows from the friction angle. Default: exact.',
          ).optional(),
          crossFriction: choice(
            CROSS_FRICTIONS,
            'Friction rule across fibres: exact (Mohr–Coulomb in the plane), klar (Drucker–Prager of Klár 2016), printed (the formula as printed in Jiang 2017, far too small).',
          ).optional(),
          ...presetKeys,
          ...commonKeys,
        },
        'Hair, yarn, fibres. Without a preset all values are required, except those of breaking, bendingStiffness, the two friction rules, dampingTime and memory.',
      ),
      record(
        'sand',
        {
          type: z.literal('sand'),
          density,
          youngsModulus,
          poissonRatio: poissonRatio.default(0.3),
          frictionAngle,
          sandFriction: choice(
            SAND_FRICTIONS,
            'Friction rule: how friction follows from the friction angle. Default: exact.',
          ).optional(),
          ...commonKeys,
        },
        'Dry grains: resist compression but not tension, and slide at their friction angle.',
      ),
      record(
        'goo',
        {
          type: z.literal('goo'),
          density,
          youngsModulus,
          poissonRatio: poissonRatio.default(0.3),
          yieldStress: quantity({ unit: 'Pa', min: 0, max: 1e15 }, 'Tensile stress at which flow begins.'),
          viscosity: quantity({ unit: 'Pa s', min: 0, max: 1e12 }, 'Viscosity above the yield stress.'),
          ...commonKeys,
        },
        'A soft solid that flows above a yield stress, such as slime, dough or honey.',
      ),
      record(
        'a fluid',
        {
          type: z.literal('fluid'),
          density,
          bulkModulus: quantity(
            { unit: 'Pa', above: 0, max: 1e15 },
            'Bulk modulus. 100 × density × (largest speed)² keeps density changes within 1 %.',
          ),
          exponent: quantity(
            { unit: '1', min: 2, max: 20, integer: true },
            'Exponent of the equation of state.',
          ).default(7),
          viscosity: quantity({ unit: 'Pa s', min: 0, max: 1e12 }, 'Viscosity.').default(0),
          ...commonKeys,
        },
        'A weakly compressible fluid.',
      ),
    ],
    typeFault('a material', MPM_MATERIALS),
  )
  .meta({ id: 'mpmMaterial', description: 'Material of an MPM part.' });

const jitter = (description: string) => fraction(description);
const seed = quantity({ unit: '1', min: 0, max: 1e9, integer: true }, 'Random seed.').default(1);

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
          radius: length('Radius of the lower end.'),
          topRadius: length('Radius of the upper end. Default: that of the lower end.').optional(),
          height: length('Height, along y.'),
          columns: whole('Number of cells around the tube, an even number, two triangles each.'),
          rows: whole('Number of cells along the tube.'),
        },
        'Surface: a vertical tube, open at both ends, centred at "position".',
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
          copies: whole('Number of copies of all curves, each shifted by "shift" from the previous one.').default(1),
          shift: position('Displacement from one copy to the next.').default([0, 0, 0]),
        },
        'Curves: polylines.',
      ),
      record(
        'hairs',
        {
          type: z.literal('hairs'),
          columns: whole('Number of hairs along x.'),
          rows: whole('Number of hairs along z.'),
          spacing: length('Distance between roots.'),
          length: length('Length of a hair.'),
          segments: whole('Segments of a hair.', 10_000),
          jitter: jitter('Random displacement of roots and tips, in spacings.').default(0),
          seed,
        },
        'Curves: hairs standing up (y) on a rectangle centred at "position", like the pile of a carpet.',
      ),
      record(
        'a bundle',
        {
          type: z.literal('bundle'),
          radius: length('Radius of the round section.'),
          innerRadius: quantity({ unit: 'm', min: 0, max: 1e9 }, 'Radius of the central hole.').default(0),
          length: length('Length of the fibres, along y.'),
          spacing: length('Distance between fibres.'),
          segments: whole('Segments of a fibre.', 10_000),
          jitter: jitter('Random displacement of the ends, in spacings.').default(0),
          seed,
        },
        'Curves: parallel straight fibres along y, centred at "position".',
      ),
      record(
        'a knit',
        {
          type: z.literal('knit'),
          stitch: choice(KNIT_STITCHES, 'Stitch pattern.').default('stockinette'),
          courses: whole('Rows of loops.', 100_000),
          wales: whole('Columns of loops.', 100_000),
          spacing: z
            .tuple(
              [length('From wale to wale.'), length('From course to course.')],
              unionFault('two distances [wale, course] in m'),
            )
            .meta({ description: 'Distance between wales and between courses, [wale, course].', unit: 'm' }),
          segments: whole(
            'Number of segments in a fifth of a half loop. With 1, interlocked loops intersect between foot and leg. 2 or more keep the interlocking correct.',
            100,
          ).default(1),
          form: choice(
            KNIT_FORMS,
            'flat: courses along x, wales along −z, knitted back and forth with one yarn. tube: courses are closed rings about a vertical axis. yoke: rings from a neck at "position" outwards and down, each with more loops than the previous one, so that all loops are equally wide; "wales" counts those of the neck.',
          ).default('flat'),
          slope: quantity(
            { unit: 'degrees', min: 0, max: 90 },
            'Slope of a yoke: 0 is a flat ring, 90 a tube. Default: 0.',
          ).optional(),
        },
        'Curves: the yarn of a knit, cast on at the bottom and bound off at the top. A yoke starts at its neck.',
      ),
      record(
        'a filling',
        {
          type: z.literal('fill'),
          shape: shapeSchema,
          particlesPerCell: quantity({ unit: '1', above: 0, max: 1000 }, 'Particles per grid cell.').default(8),
          jitter: jitter('Random displacement of particles, in particle distances.').default(0.5),
          seed,
        },
        'Bulk: particles that fill a shape.',
      ),
    ],
    typeFault('a pattern', Object.values(MPM_PATTERNS).flat()),
  )
  .meta({
    id: 'mpmPattern',
    description: 'Initial positions of the particles of a part: a mesh, curves, or a filled shape.',
  });

const partSchema = record(
  'a part',
  {
    id: id('Name, unique among objects, parts and bodies. Probes and images use it.'),
    pattern: patternSchema,
    material: materialSchema,
    position: position('Position of the part.').default([0, 0, 0]),
    rotation: rotationSchema.optional().meta({
      description: 'Rotation about "position". Without it X of a surface is along world x and Y along world −z.',
    }),
    velocity: vector('m/s', 'Initial velocity.', LARGEST_SPEED).optional(),
    angularVelocity: vector('rad/s', 'Initial angular velocity about "position".', LARGEST_SPEED).optional(),
  },
  'One part of an MPM object: a pattern and its material.',
).meta({ id: 'mpmPart' });

export const mpmSchema = record(
  'an MPM object',
  {
    type: z
      .literal('mpm')
      .meta({ description: 'An MPM object: cloth, hair, sand and fluids as particles on one grid.' }),
    id: id('Name, unique among objects, parts and bodies.'),
    spacing: length('Grid spacing Δx. Particles closer than about this distance are in contact.'),
    kernel: choice(['quadratic', 'cubic'], 'Interpolation splines between particles and grid.').default('quadratic'),
    integration: choice(
      ['explicit', 'implicit'],
      'explicit: the substep is limited by sound speed, viscosity and motion. implicit: limited by motion only, but each substep costs far more.',
    ).default('explicit'),
    precision: choice(
      PRECISIONS,
      'single: compiled kernels, for explicit steps with quadratic splines and full deformation. double: everything. Default: single where possible.',
    ).optional(),
    touching: list(
      id('A strand, rod, fabric or sheet.'),
      { max: 1000, noun: 'names' },
      'Other objects in contact with the MPM object. Their nodes are coupled to its grid where both are pressed together, and they push each other. Node spacing should not exceed one grid cell.',
    ).default([]),
    touchingFriction: quantity(
      { unit: '1', min: 0, max: 100 },
      'Coefficient of dry friction with the objects in "touching". Default: they stick together while in compression.',
    ).optional(),
    longestStep: quantity(
      { unit: 's', above: 0, max: 1e9 },
      'Longest substep of the grid. Default: the stability limit, at most the step of the scene.',
    ).optional(),
    deformation: choice(
      DEFORMATIONS,
      'Deformation model, as compared in Fig. 10 of Jiang 2017. full: the complete model. elastic: no friction and no separation. mesh: no resistance across elements. grid: by the grid only, as in standard MPM.',
    ).default('full'),
    paperWeights: flag(
      "Weights energies by the particle's share of its element, as in Jiang 2017: surfaces are softer by a factor of 4, curves by 3.",
    ).default(false),
    parts: list(partSchema, { min: 1, max: 255, noun: 'parts' }, 'Parts of the object.'),
    bodies: list(
      record(
        'a body of the MPM object',
        {
          body: id('The body.'),
          condition: choice(
            BODY_CONDITIONS,
            'Boundary condition for the grid inside the body. sticky: no relative motion. slip: sliding without separation. separate: sliding with friction, and separation.',
          ).default('separate'),
          friction: quantity(
            { unit: '1', min: 0, max: 100 },
            'Coefficient of dry friction for separate. Default: that of the body, or 0.',
          ).optional(),
        },
        'Boundary condition of one body.',
      ),
      { max: LIMITS.bodies, noun: 'bodies' },
      'Bodies with a boundary condition other than "separate" with their own friction.',
    ).default([]),
    margin: quantity(
      { unit: 'm', min: 0, max: 1e9 },
      'Distance outside their surface at which bodies constrain the grid. Default: half the grid spacing, which prevents visible penetration. Cloth then lies about 0.8 cells above a flat floor, with 0 about 0.3, and deeper on round bodies.',
    ).optional(),
    contact: flag('Contact with bodies that are not in "bodies".').default(true),
  },
  'An MPM object: cloth, hair, yarns, sand, goo and fluids as particles on one grid, all in contact with each other.',
).meta({ id: 'mpm' });
