/** Probes in the scene schema: what is measured, and its columns. See schema.ts. */

import { z } from 'zod';
import { choice, id, position, record, typeFault } from './fields.ts';
import { pointSchema, regionKeys, rodEndSchema } from './schema-drivers.ts';
import { worldBox } from './schema-sheet.ts';

const placeSchema = record(
  'a location on a strand, rod, sheet, fabric or MPM part',
  {
    object: id('The strand, rod, sheet, fabric or MPM part.'),
    at: pointSchema.optional(),
    guide: id('Strands: a guide or spool. Alternative: "at".').optional(),
    ...regionKeys,
  },
  'Where a probe measures. Strands and rods: a point ("at"). Strands: a guide or spool ("guide"). Sheets: any material point, also between vertices, or a region. Fabrics: a crossing or region, chosen at the start. MPM parts: the whole part, the particles that start in "worldBox", or vertices named as for drivers.',
).meta({ id: 'place' });

const probeId = id('Name, unique among probes. It is the first part of the column names.');

const pointProbe = <const Type extends string>(type: Type, description: string) =>
  record('a probe', { id: probeId, type: z.literal(type), on: placeSchema }, description);

const totalProbe = <const Type extends string>(type: Type, description: string) =>
  record(
    'a probe',
    { id: probeId, type: z.literal(type), object: id('One object. Default: the whole world.').optional() },
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
        'Which crossings: all, those between yarns of one layer (within), or those between yarns of two layers (between).',
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
      pointProbe('position', 'World position [m]. Mean over a region, mass-weighted over particles: .x .y .z'),
      pointProbe(
        'velocity',
        'World velocity of the material [m/s]. Mean over a region, mass-weighted over particles: .x .y .z',
      ),
      pointProbe('speed', 'Strands and rods: speed of the material [m/s].'),
      pointProbe(
        'tension',
        'Strands and rods: axial force [N]. Fabrics: axial force of the yarns. Sheets: largest principal force per width, in N/m. Mean over a region.',
      ),
      pointProbe('stress', 'Sheets: stress in material axes [Pa]. Mean over a region: .warp .weft .shear'),
      pointProbe(
        'strain',
        'Strands, rods, yarns of fabrics and MPM curves: axial strain [1]. Sheets and MPM surfaces: the principal strain of larger magnitude [1]. Mean over a region.',
      ),
      pointProbe('curvature', 'Strands and rods: curvature [1/m].'),
      pointProbe('materialCoordinate', 'Strands and rods: material coordinate u of the node [m].'),
      pointProbe('materialSpeed', 'Strands and rods: speed du/dt of the material through the node [m/s].'),
      pointProbe(
        'constraintForce',
        'Constraint force on the point [N]. Sum over a region; of sheets without body contacts: .x .y .z',
      ),
      totalProbe('energy', 'Energy by term [J]: .kinetic .stretch .bending .gravity .contact .total'),
      totalProbe('momentum', 'Linear momentum [kg m/s]: .x .y .z'),
      totalProbe('angularMomentum', 'Angular momentum about the origin [kg m²/s]: .x .y .z'),
      totalProbe(
        'counts',
        'Numbers of nodes or vertices. MPM: particles, all Lagrangian. Fabrics: "disabled" counts interpolated nodes (EIL), "remeshings" counts changes between EoL and EIL: .nodes .eulerian .lagrangian .disabled .remeshings',
      ),
      sheetProbe(
        'mesh',
        'Mesh of a sheet: number of triangles, smallest angle in material space [rad], fraction of vertices kept by the last remeshing: .triangles .smallestAngle .kept',
      ),
      sheetProbe(
        'coherence',
        'Coherence of the remeshing of a sheet: fraction of vertices kept by the last remeshing, mean over all remeshings, numbers of vertices removed and added since the start: .last .mean .gone .born',
      ),
      sheetProbe('area', 'Area of a sheet [m²]: .material .world'),
      sheetProbe(
        'penetration',
        'Largest penetration of a vertex of a sheet into a body [m], with half the thickness included. 0 without penetration.',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('length'), object: id('The strand or rod.') },
        'Length of a strand or rod between its ends [m], without material on spools: .material .world',
      ),
      rodProbe(
        'rod',
        'Rods: total twist [rad], largest curvature [1/m], bending and twisting energy [J], shortest and longest segment in material length [m]: .twist .curvature .bending .shortest .longest',
      ),
      rodProbe(
        'link',
        'Link of a rod, in turns: twist of its frames + writhe of its centre line, which is extended straight from both ends. Only rotating an end changes the link: .link .twist .writhe',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('torque'), on: rodEndSchema },
        'Constraint torque on the frame at an end of a rod [N m], in world axes and about the axis of the rod: .x .y .z .axial',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('spool'), object: id('The strand.'), spool: id('The spool.') },
        'Material on a drum [m], its speed [m/s], rotation of the drum since the start [rad], torque of drive and brake on it [N m]. Positive pays out: .stock .speed .turn .torque',
      ),
      totalProbe(
        'crossings',
        'Crossings of strands: .count, .interpolated (contact points without a node of their own), .load, the sum of the contact forces [N]. For the whole world also .made and .lost since the start.',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('fabric'), object: id('The fabric.') },
        'Nodes of a fabric. Yarn ends, crossings within layers and between layers, interpolated nodes (EIL) and their fraction. Since the start: crossings that passed each other on a yarn, changes between EoL and EIL. Energy jump at the last such change and the largest [J]: .lagrangian .within .between .eil .share .passed .transitions .jump .largestJump',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('extension'), from: placeSchema, to: placeSchema },
        'Fabrics: distance between the centres of two regions [m], and its relative change since the start: .length .extension',
      ),
      fabricProbe('load', 'Normal force between the two yarns of a crossing [N]: .total .mean .largest'),
      fabricProbe(
        'slip',
        'Sliding distance between the two yarns of a crossing since the start, √(Δu² + Δv²) [m], for crossings that existed then: .mean .largest',
      ),
      record(
        'a probe',
        { id: probeId, type: z.literal('bounds'), object: id('The MPM part.') },
        'Smallest and largest particle coordinates [m]: .minX .minY .minZ .maxX .maxY .maxZ',
      ),
      record(
        'a probe',
        {
          id: probeId,
          type: z.literal('particles'),
          object: id('The MPM part.'),
          box: worldBox(
            'Only particles that are in this box in world coordinates at that time. Default: all.',
          ).optional(),
        },
        'Particles of an MPM part: number, fraction of its mass, mean and largest speed [m/s]: .count .share .speed .fastest',
      ),
      bodyProbe('body', 'Position [m], velocity [m/s], angular velocity [rad/s]: .x .y .z .vx .vy .vz .wx .wy .wz'),
      bodyProbe('contactForce', 'Total contact force on the body [N]: .x .y .z'),
      record(
        'a probe',
        {
          id: probeId,
          type: z.literal('passage'),
          object: id('The strand.'),
          point: position('The fixed point in space.'),
        },
        'The material nearest to a fixed point in space: its coordinate u [m] and its speed along the strand towards larger u [m/s]: .u .speed',
      ),
    ],
    typeFault('a probe', Object.keys(PROBE_COLUMNS)),
  )
  .meta({ id: 'probe', description: 'A measured quantity. Its columns are named after its id.' });
