/** Sheets in the scene schema: shape, placement, folds, and regions of their material. See schema.ts. */

import { z } from 'zod';
import {
  choice,
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
import { materialField } from './schema-materials.ts';
import { dampingSchema, LARGEST_SPEED, LIMITS, MESH_FILE, rotationSchema } from './schema-parts.ts';

const cells = (description: string) => quantity({ unit: '1', min: 1, max: 10_000, integer: true }, description);
const coordinate = quantity({ unit: 'm', min: -1e9, max: 1e9 }, '');

export const materialPoint = (description: string) =>
  z
    .tuple([coordinate, coordinate], unionFault('two material coordinates [X, Y] in m'))
    .meta({ description, unit: 'm' });

export const materialBox = (description: string) =>
  z
    .tuple(
      [materialPoint('A corner.'), materialPoint('The opposite corner.')],
      unionFault('two opposite corners [[X, Y], [X, Y]] in m'),
    )
    .meta({ description, unit: 'm' });

export const worldBox = (description: string) =>
  z
    .tuple(
      [position('A corner.'), position('The opposite corner.')],
      unionFault('two opposite corners [[x, y, z], [x, y, z]] in m'),
    )
    .meta({ description, unit: 'm' });

/** Sides and corners of a rectangle: X grows from left to right, Y from bottom to top. */
export const SIDES = ['left', 'right', 'bottom', 'top'] as const;
export const CORNERS = ['left-bottom', 'right-bottom', 'right-top', 'left-top'] as const;

const loop = (description: string) =>
  list(materialPoint('A corner.'), { min: 3, max: LIMITS.nodes, noun: 'corners [X, Y]' }, description);

/** Registry of shapes of sheets. */
export const SHEET_SHAPES = ['rectangle', 'disk', 'polygon', 'mesh'] as const;

/** Shapes of sheets, and of MPM surfaces. */
export const SHEET_SHAPE_SCHEMAS = [
  record(
    'a rectangle',
    {
      type: z.literal('rectangle'),
      width: length('Along X, the warp.'),
      height: length('Along Y, the weft.'),
      columns: cells('Cells along X, two triangles each.'),
      rows: cells('Cells along Y.'),
    },
    'Material from (0, 0) to (width, height), meshed as a regular grid at the start.',
  ),
  record(
    'a disk',
    {
      type: z.literal('disk'),
      radius: length('Radius.'),
      size: length('Longest edge of the mesh.'),
    },
    'Material around (0, 0), meshed in rings at the start.',
  ),
  record(
    'a polygon',
    {
      type: z.literal('polygon'),
      outline: loop('Corners of the outline in order, clockwise or counter-clockwise.'),
      holes: list(
        loop('Corners of a hole.'),
        { max: 10_000, noun: 'holes' },
        'Holes: corners in order, clockwise or counter-clockwise.',
      ).default([]),
      size: length('Longest edge of the mesh.'),
    },
    'Any outline with holes, in material coordinates. The mesh follows the folds.',
  ),
  record(
    'a mesh',
    {
      type: z.literal('mesh'),
      file: text('File beside the scene: .obj, .glb or .gltf.', 200, MESH_FILE),
      scale: length(
        'Material length of one unit of texture coordinates. Without texture coordinates the mesh of a sheet must be flat and defines the material coordinates. The mesh of an MPM surface may have any shape.',
      ).default(1),
    },
    'Triangles from a file. Its texture coordinates times scale are the material coordinates.',
  ),
] as const;

const sheetShapeSchema = z
  .discriminatedUnion('type', SHEET_SHAPE_SCHEMAS, typeFault('a shape', SHEET_SHAPES))
  .meta({ id: 'sheetShape', description: 'Shape of a sheet in its material coordinates X, Y.' });

const foldSchema = record(
  'a fold',
  {
    line: materialBox('Two material points on the line, [[X, Y], [X, Y]].'),
    angle: quantity(
      { unit: 'degrees', min: -180, max: 180 },
      'Fold angle of the part to the right of the line, seen from above along it. Positive folds it down.',
    ),
  },
  'The sheet is folded at a line at the start.',
).meta({ id: 'fold' });

const sizingSchema = record(
  'a sizing',
  {
    smallest: length(
      'Splitting makes no edge shorter than this. Default: half of "size", or half of "largest" if that is less.',
    ).optional(),
    largest: length('Longest edge, at least twice "smallest". Default: three times "size".').optional(),
    angle: quantity(
      { unit: 'degrees', above: 0, max: 180 },
      'Largest change of the sheet normal along an edge.',
    ).default(20),
    velocity: quantity(
      { unit: 'm/s', above: 0, max: LARGEST_SPEED },
      'Largest velocity difference along an edge, after the rigid motion of the whole sheet is subtracted.',
    ).default(1),
    compression: quantity(
      { unit: '1', above: 0, max: 1 },
      'Largest compression of an edge of the largest length. With more compression, edges are proportionally shorter.',
    ).default(0.02),
  },
  'Target resolution of an adaptive mesh.',
).meta({ id: 'sizing' });

export const sheetSchema = record(
  'a sheet',
  {
    type: z.literal('sheet').meta({ description: 'A sheet: resists stretching, shearing and bending.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    mode: choice(
      ['eol', 'lagrangian'],
      'eol: material slides through the vertices on edges of bodies. lagrangian: every vertex stays at its material point.',
    ).default('eol'),
    remesher: choice(
      ['local', 'global', 'adaptive'],
      'How the mesh follows edges of bodies. local: changes triangles near them. global: remeshes the whole sheet. adaptive: local, and also refines the mesh where the sheet bends or moves and coarsens it elsewhere. adaptive works in both modes, with or without bodies.',
    ).default('local'),
    sizing: sizingSchema.optional(),
    shape: sheetShapeSchema,
    position: position('Position of the material point "origin". For a mesh from a file: its displacement.').default([
      0, 0, 0,
    ]),
    origin: materialPoint('Material point at "position". Default: the centre of the shape.').optional(),
    rotation: rotationSchema.optional().meta({
      description:
        'Rotation about "position". Without it X is along world x and Y along world −z, so the upper side faces up.',
    }),
    folds: list(
      foldSchema,
      { max: 100, noun: 'folds' },
      'Folds at the start. A later fold also moves with the earlier ones.',
    ).default([]),
    velocity: vector('m/s', 'Initial velocity of the material in world coordinates.', LARGEST_SPEED).optional(),
    size: length('Target vertex spacing for remeshing. Default: the mean edge length of the mesh.').optional(),
    damping: dampingSchema.prefault({}),
    contact: flag(
      'Contact with bodies and other sheets. Default: all, except bodies that it is tied to. Two sheets collide if both have contact.',
    ).optional(),
    selfContact: flag(
      'Self-contact. A calm step takes about twice as long; a step in which the sheet lands on itself takes many times as long.',
    ).default(false),
    edgeContact: flag(
      'Mode "lagrangian": edges and corners of static and scripted bodies also collide with triangles of the sheet, not only its vertices with bodies. Mode "eol" does this with vertices on the edges.',
    ).default(false),
  },
  'A sheet of cloth, paper or leather. It resists stretching, shearing and bending, and slides over edges of bodies.',
).meta({ id: 'sheet' });
