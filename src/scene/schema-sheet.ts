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

/** Shapes of sheets, and of surfaces in a continuum. */
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
    'Material from (0, 0) to (width, height), a regular grid at the start.',
  ),
  record(
    'a disk',
    {
      type: z.literal('disk'),
      radius: length('Radius.'),
      size: length('Longest edge of the mesh.'),
    },
    'Material round (0, 0), rings of vertices at the start.',
  ),
  record(
    'a polygon',
    {
      type: z.literal('polygon'),
      outline: loop('Corners of the outline in order, either way round.'),
      holes: list(
        loop('Corners of a hole.'),
        { max: 10_000, noun: 'holes' },
        'Holes: corners in order, either way round.',
      ).default([]),
      size: length('Longest edge of the mesh.'),
    },
    'Any outline with holes, in material coordinates; the mesh follows its folds.',
  ),
  record(
    'a mesh',
    {
      type: z.literal('mesh'),
      file: text('File beside the scene: .obj, .glb or .gltf.', 200, MESH_FILE),
      scale: length(
        'Material length of one unit of texture coordinates; without texture coordinates the mesh of a sheet must be plane and is its own material; that of a continuum may have any form.',
      ).default(1),
    },
    'Triangles from a file; its texture coordinates, times scale, are the material coordinates.',
  ),
] as const;

const sheetShapeSchema = z
  .discriminatedUnion('type', SHEET_SHAPE_SCHEMAS, typeFault('a shape', SHEET_SHAPES))
  .meta({ id: 'sheetShape', description: 'Shape of a sheet in its material coordinates X, Y.' });

const foldSchema = record(
  'a fold',
  {
    line: materialBox('Two points of the material that the line runs through, [[X, Y], [X, Y]].'),
    angle: quantity(
      { unit: 'degrees', min: -180, max: 180 },
      'How far what is right of the line (seen along it, from above) is turned about it: positive bends it down.',
    ),
  },
  'The sheet starts bent at a line.',
).meta({ id: 'fold' });

const sizingSchema = record(
  'a sizing',
  {
    smallest: length(
      'No edge shorter than this is made by splitting; default: half of "size", or of "largest" if that is less.',
    ).optional(),
    largest: length('Longest edge; at least twice "smallest". Default: three times "size".').optional(),
    angle: quantity(
      { unit: 'degrees', above: 0, max: 180 },
      'By how much the normal of the sheet may turn along an edge.',
    ).default(20),
    velocity: quantity(
      { unit: 'm/s', above: 0, max: LARGEST_SPEED },
      'By how much the velocity of the material, less the rigid motion of the whole sheet, may differ along an edge.',
    ).default(1),
    compression: quantity(
      { unit: '1', above: 0, max: 1 },
      'Compression that an edge of the largest length may have; where there is more, edges are shorter in proportion.',
    ).default(0.02),
  },
  'How fine an adaptive mesh is wanted.',
).meta({ id: 'sizing' });

export const sheetSchema = record(
  'a sheet',
  {
    type: z.literal('sheet').meta({ description: 'A sheet: stretches, shears and bends.' }),
    id: id('Name, unique among objects and bodies.'),
    material: materialField,
    mode: choice(
      ['eol', 'lagrangian'],
      'eol: vertices on edges of bodies let material slide through; lagrangian: every vertex stays on its material point.',
    ).default('eol'),
    remesher: choice(
      ['local', 'global', 'adaptive'],
      'How the mesh is made to follow edges of bodies: local changes triangles near them, global makes all of them anew; adaptive is local there, and in both modes, with or without bodies, refines the mesh where the sheet bends and moves and coarsens it elsewhere.',
    ).default('local'),
    sizing: sizingSchema.optional(),
    shape: sheetShapeSchema,
    position: position(
      'Where the material point "origin" lies; of a mesh from a file, by how much it is moved.',
    ).default([0, 0, 0]),
    origin: materialPoint('Material point that lies at "position"; default: the middle of the shape.').optional(),
    rotation: rotationSchema.optional().meta({
      description: 'Turn about "position". Without it X runs along world x, Y along world −z: its upper side is up.',
    }),
    folds: list(
      foldSchema,
      { max: 100, noun: 'folds' },
      'Lines at which it starts bent. A later one bends with what an earlier one has turned.',
    ).default([]),
    velocity: vector('m/s', 'World velocity of the material at the start.', LARGEST_SPEED).optional(),
    size: length('Wanted distance of vertices where it is remeshed; default: the mean edge of its mesh.').optional(),
    damping: dampingSchema.prefault({}),
    contact: flag(
      'Whether it touches bodies and other sheets; default: all, but bodies that a tie keeps it on. Sheets touch each other where both may.',
    ).optional(),
    selfContact: flag(
      'Whether it touches itself; a calm step takes about twice as long, one in which it comes down on itself many times.',
    ).default(false),
    edgeContact: flag(
      'Mode "lagrangian": whether edges and corners of static and scripted bodies keep out of its triangles, too, not only its vertices out of bodies. In mode "eol" vertices on the edges see to that.',
    ).default(false),
  },
  'A sheet of cloth, paper or leather: stretches, shears and bends, and slides over edges of bodies.',
).meta({ id: 'sheet' });
