/** Probes in the scene schema: what is measured, and its columns. See schema.ts. */

import { z } from 'zod';
import { choice, id, position, record, typeFault } from './fields.ts';
import { pointSchema, regionKeys, rodEndSchema } from './schema-drivers.ts';
import { worldBox } from './schema-sheet.ts';

const placeSchema = record(
  'a place on a strand, rod, sheet, fabric or part',
  {
    object: id('The strand, rod, sheet, fabric or part of a continuum.'),
    at: pointSchema.optional(),
    guide: id('Strands: a guide or spool; or give "at".').optional(),
    ...regionKeys,
  },
  'A point of a strand or rod ("at"), a guide or a spool of a strand ("guide"); or a point of a sheet, wherever its vertices are, or a region of it; or a crossing or region of a fabric, by what was there at the start; or a part of a continuum, all of it, what was in "worldBox" at the start, or vertices as drivers name them.',
).meta({ id: 'place' });

const probeId = id('Name, unique among probes; first part of its columns.');

const pointProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), on: placeSchema }, description);

const totalProbe = <const Type extends string>(type: Type, description: string) =>
  record(
    'a probe',
    { id: probeId, type: z.literal(type), object: id('One object; default: the whole world.').optional() },
    description,
  );

const sheetProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), object: id('The sheet.') }, description);

const fabricProbe = <const Type extends string>(type: Type, description: string) =>
  record(
    'a probe',
    {
      id: probeId,
      type: z.literal(type),
      object: id('The fabric.'),
      of: choice(
        ['all', 'within', 'between'],
        'Which crossings: all, those of yarns within a layer, or those of yarns of two layers.',
      ).default('all'),
    },
    description,
  );

const rodProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), object: id('The rod.') }, description);

const bodyProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), body: id('The body.') }, description);

const vectorColumns = ['.x', '.y', '.z'];

/** Registry of probe types with the endings of their columns; a scalar has the one column `<id>`. */
export const PROBE_COLUMNS = {
  position: vectorColumns,
  velocity: vectorColumns,
  speed: [''],
  tension: [''],
  stress: ['.warp', '.weft', '.shear'],
  strain: [''],
  curvature: [''],
  materialCoordinate: [''],
  materialSpeed: [''],
  constraintForce: vectorColumns,
  energy: ['.kinetic', '.stretch', '.bending', '.gravity', '.contact', '.total'],
  momentum: vectorColumns,
  angularMomentum: vectorColumns,
  counts: ['.nodes', '.eulerian', '.lagrangian', '.disabled', '.remeshings'],
  mesh: ['.triangles', '.smallestAngle', '.kept'],
  coherence: ['.last', '.mean', '.gone', '.born'],
  area: ['.material', '.world'],
  penetration: [''],
  length: ['.material', '.world'],
  rod: ['.twist', '.curvature', '.bending', '.shortest', '.longest'],
  link: ['.link', '.twist', '.writhe'],
  torque: ['.x', '.y', '.z', '.axial'],
  spool: ['.stock', '.speed', '.turn', '.torque'],
  crossings: ['.count', '.interpolated', '.load', '.made', '.lost'],
  fabric: ['.lagrangian', '.within', '.between', '.eil', '.share', '.passed', '.transitions', '.jump', '.largestJump'],
  extension: ['.length', '.extension'],
  load: ['.total', '.mean', '.largest'],
  slip: ['.mean', '.largest'],
  bounds: ['.minX', '.minY', '.minZ', '.maxX', '.maxY', '.maxZ'],
  particles: ['.count', '.share', '.speed', '.fastest'],
  body: ['.x', '.y', '.z', '.vx', '.vy', '.vz', '.wx', '.wy', '.wz'],
  contactForce: vectorColumns,
  passage: ['.u', '.speed'],
} satisfies Record<string, readonly string[]>;

export const probeSchema = z
  .discriminatedUnion(
    'type',
    [
      pointProbe('position', 'World position [m], of a region the mean, of particles by mass: .x .y .z'),
      pointProbe(
        'velocity',
        'World velocity of the material [m/s], of a region the mean, of particles by mass: .x .y .z',
      ),
      pointProbe('speed', 'Strands and rods: speed of the material [m/s].'),
      pointProbe(
        'tension',
        'Axial force of a strand or rod [N]; of a fabric that of its yarns, of a region the mean; of a sheet the largest principal force per width, in N/m, of a region the mean.',
      ),
      pointProbe('stress', 'Sheets: stress in the material axes [Pa], of a region the mean: .warp .weft .shear'),
      pointProbe(
        'strain',
        'Axial strain of a strand or rod, of the yarns of a fabric or of curves of a continuum, principal strain of larger size of a sheet or of a surface of a continuum [1], of a region the mean.',
      ),
      pointProbe('curvature', 'Strands and rods: curvature [1/m].'),
      pointProbe('materialCoordinate', 'Strands and rods: material coordinate u of the node [m].'),
      pointProbe('materialSpeed', 'Strands and rods: speed du/dt of the material through the node [m/s].'),
      pointProbe(
        'constraintForce',
        'Force of what holds the point [N], of a region the sum; of sheets without that of bodies: .x .y .z',
      ),
      totalProbe('energy', 'Energy by term [J]: .kinetic .stretch .bending .gravity .contact .total'),
      totalProbe('momentum', 'Linear momentum [kg m/s]: .x .y .z'),
      totalProbe('angularMomentum', 'Angular momentum about the origin [kg m²/s]: .x .y .z'),
      totalProbe(
        'counts',
        'Numbers of nodes or vertices, of continua particles, which are Lagrangian; of fabrics "disabled" are interpolated ones (EIL), "remeshings" changes between EoL and EIL: .nodes .eulerian .lagrangian .disabled .remeshings',
      ),
      sheetProbe(
        'mesh',
        'Mesh of a sheet: triangles, smallest angle in the material [rad], share of vertices that the last remeshing kept: .triangles .smallestAngle .kept',
      ),
      sheetProbe(
        'coherence',
        'What remeshings of a sheet kept: share of its vertices that the last one kept, mean of all, vertices that went and that came since the start: .last .mean .gone .born',
      ),
      sheetProbe('area', 'Area of a sheet [m²]: .material .world'),
      sheetProbe(
        'penetration',
        'How deep the deepest vertex of a sheet is in a body, half its thickness counted [m]; 0 where none is.',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('length'), object: id('The strand or rod.') },
        'Length of a strand or rod between its ends, without stock on spools [m]: .material .world',
      ),
      rodProbe(
        'rod',
        'Of a rod: its whole twist [rad], largest curvature [1/m], energy of bend and twist [J], shortest and longest segment in the material [m]: .twist .curvature .bending .shortest .longest',
      ),
      rodProbe(
        'link',
        'How often the material of a rod winds round its centre line, in turns: twist of its frames + writhe of the line, which goes straight on from both ends. Only what turns the ends changes it: .link .twist .writhe',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('torque'), on: rodEndSchema },
        "Torque of what holds the frame at an end of a rod [N m], in world axes and about the rod's own axis: .x .y .z .axial",
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('spool'), object: id('The strand.'), spool: id('The spool.') },
        'Stock on a drum [m], speed of the material [m/s] and turn of the drum since the start [rad], torque of drive and brake on it [N m]; + pays out: .stock .speed .turn .torque',
      ),
      totalProbe(
        'crossings',
        'Crossings of strands: .count, .interpolated (feet without a node of their own), .load, the sum of their forces [N]; of the whole world .made and .lost so far.',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('fabric'), object: id('The fabric.') },
        'Nodes of a fabric: ends of yarns, crossings within layers and between them, those interpolated on a yarn (EIL) and their share; how often crossings passed each other on a yarn and nodes changed between EoL and EIL so far; jump of the energy at the last such change and the largest [J]: .lagrangian .within .between .eil .share .passed .transitions .jump .largestJump',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('extension'), from: placeSchema, to: placeSchema },
        'Fabrics: distance of the middles of two regions [m], and that over the one at the start, less 1: .length .extension',
      ),
      fabricProbe('load', 'Load that presses the two yarns of crossings together [N]: .total .mean .largest'),
      fabricProbe(
        'slip',
        'How far the yarns of crossings have slid on each other since the start, √(Δu² + Δv²) [m]; of crossings that were there then: .mean .largest',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('bounds'), object: id('The part of a continuum.') },
        'Smallest and largest coordinates of particles [m]: .minX .minY .minZ .maxX .maxY .maxZ',
      ),
      record(
        'a probe',
        {
          id: probeId,
          type: z.literal('particles'),
          object: id('The part of a continuum.'),
          box: worldBox('Only those that are in this box of the world at the time; default: all.').optional(),
        },
        'Particles of a part of a continuum: number, share of its mass, mean speed and the fastest [m/s]: .count .share .speed .fastest',
      ),
      bodyProbe('body', 'Position [m], velocity [m/s], angular velocity [rad/s]: .x .y .z .vx .vy .vz .wx .wy .wz'),
      bodyProbe('contactForce', 'Force of all contacts on the body [N]: .x .y .z'),
      record(
        'a probe',
        {
          id: probeId,
          type: z.literal('passage'),
          object: id('The strand.'),
          point: position('Where it is looked at.'),
        },
        'The material nearest to a fixed point of space: its coordinate u [m] and its speed along the strand towards larger u [m/s]: .u .speed',
      ),
    ],
    typeFault('a probe', Object.keys(PROBE_COLUMNS)),
  )
  .meta({ id: 'probe', description: 'What is measured; its columns are named after its id.' });
