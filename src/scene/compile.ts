/**
 * From a validated scene to a world: knows every model [ARCHITECTURE#from-a-scene-file-to-a-picture].
 * Order: bodies, strands, rods, sheets, fabrics and continua, dynamic bodies as models, then drivers, ties and probes, which refer to them.
 */
import {
  type AxisAngle,
  Body,
  createBodyPoint,
  createShape,
  KeyframeTrack,
  RigidBody,
  type Shape,
} from '../bodies/index.ts';
import { TriangleMesh } from '../geometry/index.ts';
// not by io/index.ts: a page that only simulates must not meet the package that writes GLB
import type { MeshFile } from '../io/mesh-file.ts';
import { PiecewiseLinear, quaternionFromAxisAngle, type TimeValue, type Vec3 } from '../math/index.ts';
import {
  computeStrandMaterial,
  createLimits,
  deg,
  FormatError,
  HeddleError,
  type Limits,
  MATERIAL_PRESETS,
  type Model,
  SceneError,
  SHEET_MATERIAL_PRESETS,
  type StrandMaterial,
} from '../model/index.ts';
import type { ContinuumModel } from '../mpm/index.ts';
import type { Rod } from '../rod/index.ts';
import type { Sheet, SurfaceContacts } from '../sheet/index.ts';
import { type Guide, GuideContacts, type Place, Strand, StrandCrossings } from '../strand/index.ts';
import {
  AxisTie,
  ContactTie,
  createBodyEnd,
  createNodeEnd,
  createWorldEnd,
  PointTie,
  type Tie,
  TouchTie,
  World,
} from '../world/index.ts';
import { createRodContacts, createSceneContacts, type RodContacts } from './compile-contacts.ts';
import { compileDrivers } from './compile-drivers.ts';
import { createFabric, type FabricPart } from './compile-fabric.ts';
import { createContinuumModel } from './compile-mpm.ts';
import { compileProbes } from './compile-probes.ts';
import { createRod, createRodPoints } from './compile-rod.ts';
import { createSheet } from './compile-sheet.ts';
import { readAnimation } from './mesh-animation.ts';
import { chooseObstacles } from './obstacles.ts';
import { DRIVER_TYPES, type On, type Scene, type SceneBody, type SceneShape, type SceneStrand } from './schema.ts';
import { readMeshFile } from './sheet-mesh.ts';

export interface CompileOptions {
  /** Reads a file that the scene names, beside the scene; needed only for bodies, sheets and fillings that are meshes, and for drafts. */
  readonly readFile?: (name: string) => Uint8Array<ArrayBuffer>;
  /** Limits other than the default ones (`LIMIT_TABLE`). */
  readonly limits?: Partial<Limits>;
}

/** What later parts of the compilation refer to. */
export interface Parts {
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, Body>;
  readonly strands: ReadonlyMap<string, Strand>;
  readonly rods: ReadonlyMap<string, Rod>;
  readonly sheets: ReadonlyMap<string, Sheet>;
  readonly fabrics: ReadonlyMap<string, FabricPart>;
  readonly continua: ReadonlyMap<string, ContinuumModel>;
  readonly rigid: ReadonlyMap<string, RigidBody>;
  readonly models: readonly Model[];
  readonly crossings: StrandCrossings | undefined;
  /** What sheets touch by rows; undefined where they need none, and while drivers are compiled. */
  readonly sheetContacts?: SurfaceContacts | undefined;
  readonly rodContacts?: RodContacts | undefined;
  /** Index of a model's part in the system. */
  partOf(model: Model): number;
}

export function compile(scene: Scene, options: CompileOptions = {}): World {
  const limits = createLimits(options.limits);
  const bodies = new Map(scene.bodies.map((body, i) => [body.id, at(`bodies[${i}]`, () => createBody(body, options))]));
  const strands = new Map<string, Strand>();
  const rods = new Map<string, Rod>();
  const rodPoints = new Map<string, readonly Vec3[]>();
  const sheets = new Map<string, Sheet>();
  const fabrics = new Map<string, FabricPart>();
  const continua = new Map<string, ContinuumModel>();
  const objects = scene.objects.map((object, i) =>
    at(`objects[${i}]`, () => {
      if (object.type === 'strand') {
        const strand = createStrand(object, scene, bodies);
        strands.set(object.id, strand);
        return strand;
      }
      if (object.type === 'rod') {
        const points = createRodPoints(object, scene);
        const rod = createRod(object, scene, points);
        rodPoints.set(object.id, points);
        rods.set(object.id, rod);
        return rod;
      }
      if (object.type === 'fabric') {
        const part = createFabric(object, scene, bodies, (file) => readNamed(`fabric "${object.id}"`, file, options));
        fabrics.set(object.id, part);
        return part.fabric;
      }
      if (object.type === 'mpm') {
        const what = `MPM object "${object.id}"`;
        const continuum = createContinuumModel(
          object,
          scene,
          bodies,
          {
            readMesh: (file) => readMesh(what, file, options),
            createShape: (shape) => createSceneShape(what, shape, options),
          },
          limits,
        );
        continua.set(object.id, continuum);
        return continuum;
      }
      const sheet = createSheet(object, scene, bodies, (file) => readMesh(`sheet "${object.id}"`, file, options));
      sheets.set(object.id, sheet);
      return sheet;
    }),
  );
  const rigid = new Map<string, RigidBody>();
  for (const body of bodies.values())
    if (body.motion === 'dynamic') rigid.set(body.id, new RigidBody(body, scene.gravity));
  const models: Model[] = [...objects, ...rigid.values()];
  const partOf = (model: Model): number => models.indexOf(model);
  const crossings = at('crossings', () => createCrossings(scene, strands, partOf));
  const known = { scene, bodies, strands, rods, sheets, fabrics, continua, rigid, models, crossings, partOf };
  const { drivers, ties, joined } = compileDrivers(known);
  const sheetContacts = createSceneContacts(known, joined);
  const rodContacts = createRodContacts(known, rodPoints, joined);
  const parts: Parts = { ...known, sheetContacts, rodContacts };
  const { time, solver } = scene;
  return new World({
    models,
    limits: { substeps: limits.substeps, halvings: limits.halvings },
    bodies: [...bodies.values()],
    drivers,
    ties: [...createHinges(parts), ...createGuideTies(parts), ...createContactTies(parts), ...ties],
    couplings: [
      ...(crossings ? [crossings] : []),
      ...createGuideContacts(parts),
      ...(sheetContacts ? [sheetContacts] : []),
      ...(rodContacts.curves ? [rodContacts.curves] : []),
      ...rodContacts.bodies,
    ],
    probes: compileProbes(parts),
    timeStep: time.step,
    integrator: time.integrator,
    adaptive: time.adaptive,
    newtonIterations: solver.newtonIterations,
    tolerance: solver.tolerance,
    keepsAngularMomentum: solver.keepsAngularMomentum,
  });
}

/** Runs a part of the compilation; what it throws becomes a fault of the scene at that path. */
export function at<T>(path: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof HeddleError) || error instanceof SceneError) throw error;
    throw new SceneError([{ path, message: `cannot be built: ${error.message}` }]);
  }
}

function createBody(body: SceneBody, options: CompileOptions): Body {
  const rotation = body.rotation && toAxisAngle(body.rotation);
  const start = { position: body.position, ...(rotation && { rotation }) };
  return new Body({
    id: body.id,
    shape: createSceneShape(`body "${body.id}"`, body.shape, options),
    motion: body.motion,
    position: body.position,
    orientation: rotation && quaternionFromAxisAngle(rotation.axis, rotation.angle),
    track:
      body.keyframes &&
      new KeyframeTrack(
        body.keyframes.map((frame) => ({ ...frame, rotation: frame.rotation && toAxisAngle(frame.rotation) })),
        start,
      ),
    mass: body.mass,
    density: body.density,
    velocity: body.velocity,
    angularVelocity: body.angularVelocity,
    friction: body.friction,
  });
}

const toAxisAngle = (rotation: { axis: Vec3; angle: number }): AxisAngle => ({
  axis: rotation.axis,
  angle: deg(rotation.angle),
});

function createSceneShape(what: string, shape: SceneShape, options: CompileOptions): Shape {
  if (shape.type !== 'mesh') return createShape(shape);
  if (shape.animation !== undefined)
    return createShape({
      type: 'mesh',
      animation: readAnimation(shape.file, shape.animation, (file) => readNamed(what, file, options)),
    });
  const mesh = readMesh(what, shape.file, options);
  return createShape({ type: 'mesh', mesh: new TriangleMesh(mesh.positions, mesh.indices) });
}

function readMesh(what: string, file: string, options: CompileOptions): MeshFile {
  return readMeshFile(file, readNamed(what, file, options));
}

function readNamed(what: string, file: string, { readFile, limits }: CompileOptions): Uint8Array<ArrayBuffer> {
  if (readFile === undefined)
    throw new HeddleError(`${what} needs the file ${file}, but files cannot be read here; pass readFile to compile.`);
  const bytes = readFile(file);
  const { fileBytes } = createLimits(limits);
  if (bytes.length > fileBytes)
    throw new FormatError(
      `${file} has ${bytes.length} bytes; at most ${fileBytes} are allowed. Use a coarser mesh, or raise the limit fileBytes.`,
    );
  return bytes;
}

export function createMaterial(object: SceneStrand, scene: Scene): StrandMaterial {
  const { material } = object;
  if (typeof material !== 'string') return computeStrandMaterial(material);
  const presets = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];
  return computeStrandMaterial(scene.materials[material] ?? presets.find(({ name }) => name === material)!);
}

function createStrand(object: SceneStrand, scene: Scene, bodies: ReadonlyMap<string, Body>): Strand {
  const material = createMaterial(object, scene);
  return new Strand({
    ...object,
    material,
    guides: object.guides.map((guide) => ({
      ...guide,
      body: guide.body === undefined ? undefined : bodies.get(guide.body),
    })),
    spools: object.spools.map((spool) => ({
      ...spool,
      body: spool.body === undefined ? undefined : bodies.get(spool.body),
      speed: createSchedule(spool.speed),
      torque: createSchedule(spool.torque),
    })),
    keep: collectPlaces(object.id, scene),
    fixed: collectPlaces(object.id, scene, ['keyframes', 'tie']),
    gravity: scene.gravity,
    friction: material.friction,
    obstacles: chooseObstacles(object, scene, bodies, material.radius),
  });
}

/** A number over time, if there is one. */
function createSchedule(value: number | readonly TimeValue[] | undefined): PiecewiseLinear | undefined {
  return value === undefined ? undefined : new PiecewiseLinear(value);
}

/** Places of a strand or rod that drivers of all or of some types hold or push: a node must be there, and stay. */
export function collectPlaces(id: string, scene: Scene, types: readonly string[] = DRIVER_TYPES): Place[] {
  const places: Place[] = [];
  for (const driver of scene.drivers) {
    if (driver.type === 'wind' || driver.type === 'rest' || !types.includes(driver.type)) continue;
    if (driver.on.object === id) places.push(placeOf(driver.on));
    if (driver.type === 'tie' && driver.to?.object === id) places.push(placeOf(driver.to));
  }
  return places;
}

/** The place on a strand or rod that a scene names; checks.ts has seen that it is one. */
export function placeOf({ at: place }: Pick<On, 'at'>): Place {
  if (place === undefined || Array.isArray(place)) throw new HeddleError('a point of a strand or rod needs "at".');
  return place;
}

/** Strands that may not pass through each other. */
function createCrossings(
  scene: Scene,
  strands: ReadonlyMap<string, Strand>,
  partOf: Parts['partOf'],
): StrandCrossings | undefined {
  if (scene.crossings === undefined) return undefined;
  const { objects, friction } = scene.crossings;
  const ids =
    objects ?? scene.objects.filter((object) => object.type === 'strand' && object.mode === 'eol').map(({ id }) => id);
  const crossing = ids.map((id) => strands.get(id)!);
  return new StrandCrossings({ strands: crossing, parts: crossing.map(partOf), friction });
}

/** Guides on dynamic bodies push others that they meet on their strand. */
function createGuideContacts({ strands, partOf }: Parts): GuideContacts[] {
  const isMoved = ({ site }: Guide): boolean => site.type === 'point' && site.rider?.body.motion === 'dynamic';
  return [...strands.values()]
    .filter(({ state: { sceneGuides } }) => sceneGuides.length > 1 && sceneGuides.some(isMoved))
    .map((strand) => new GuideContacts(strand, partOf(strand)));
}

/** Strands and the dynamic bodies that they touch push on each other. */
function createContactTies({ strands, rigid, partOf }: Parts): Tie[] {
  return [...strands.values()].flatMap((strand) =>
    strand.contact.bodies.flatMap((body, b) => {
      const model = rigid.get(body.id);
      if (model === undefined) return [];
      const parts = { nodes: partOf(strand), body: partOf(model) };
      return [strand.touch ? new TouchTie(strand, b, parts) : new ContactTie(strand, b, parts)];
    }),
  );
}

function createHinges({ scene, rigid, partOf }: Parts): Tie[] {
  return scene.bodies.flatMap(({ id, hinge }) => {
    const model = rigid.get(id);
    if (hinge === undefined || model === undefined) return [];
    const part = partOf(model);
    return [
      new PointTie(createBodyEnd(createBodyPoint(model.body, hinge.point), part), createWorldEnd(hinge.point)),
      new AxisTie(model.body, hinge.axis, part),
    ];
  });
}

/** Guides that ride on dynamic bodies pull on them. */
function createGuideTies({ strands, rigid, partOf }: Parts): Tie[] {
  return [...strands.values()].flatMap((strand) =>
    strand.state.guides.flatMap(({ label, site }) => {
      const rider = site.type === 'point' ? site.rider : undefined;
      const model = rider && rigid.get(rider.body.id);
      if (model === undefined) return [];
      return [
        new PointTie(createNodeEnd({ model: strand, label }, partOf(strand)), createBodyEnd(rider!, partOf(model))),
      ];
    }),
  );
}
