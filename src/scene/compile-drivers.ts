/**
 * Drivers and ties of a scene, on the strands, rods, sheets, fabrics, parts of continua and bodies they name. A region of a sheet, fabric or part is driven vertex by vertex: all
 * hold or move alike, a force is shared by the mass around them.
 */
import { createBodyPoint, KeyframeTrack } from '../bodies/index.ts';
import {
  computeHypot3,
  PiecewiseLinear,
  quaternionFromAxisAngle,
  quaternionFromRotationVector,
  type Vec3,
} from '../math/index.ts';
import { deg, HeddleError, type NodeModel, type NodePoint, type Span } from '../model/index.ts';
import { ContinuumModel } from '../mpm/index.ts';
import { listRegion, STRIDE } from '../sheet/index.ts';
import { fractionOf } from '../strand/index.ts';
import {
  createBodyEnd,
  createFix,
  createForce,
  createFrameTurn,
  createGrip,
  createKeyframes,
  createNodeEnd,
  createPin,
  createRest,
  createRide,
  createTwist,
  createVelocity,
  type Driver,
  PointTie,
  type Tie,
  type TurnAt,
} from '../world/index.ts';
import { at, type Parts, placeOf } from './compile.ts';
import { computeNodeMass, type FabricPart, listFabricNodes } from './compile-fabric.ts';
import { createRegion } from './compile-sheet.ts';
import { type FoundPart, findPart, listPartNodes } from './mpm-places.ts';
import type { On, Scene, SceneSheet } from './schema.ts';

/** Points nearer than this start in one place, relative to the size of the larger object. */
const SAME_PLACE = 1e-6;

type SceneDriver = Scene['drivers'][number];
type SceneTie = Extract<SceneDriver, { type: 'tie' }>;

/** What drivers of a scene become; `joined`: the points that ties keep together. */
export interface CompiledDrivers {
  readonly drivers: Driver[];
  readonly ties: Tie[];
  readonly joined: (readonly [NodePoint, NodePoint])[];
}

export function compileDrivers(parts: Parts): CompiledDrivers {
  const found: CompiledDrivers = { drivers: [], ties: [], joined: [] };
  const { drivers } = found;
  parts.scene.drivers.forEach((driver, i) => {
    at(`drivers[${i}]`, () => {
      if (driver.type === 'wind') {
        const { strands, sheets, continua } = parts;
        for (const one of [...strands.values(), ...sheets.values(), ...continua.values()]) one.winds.push(driver);
      } else if (driver.type === 'rest')
        drivers.push(createRest(parts.strands.get(driver.object)!, new PiecewiseLinear(driver.value), driver));
      else if (driver.type === 'tie') addTies(driver, parts, found);
      else if (driver.type === 'clamp' || driver.type === 'turn' || driver.type === 'twist')
        drivers.push(...createFrameDrivers(driver, parts));
      else {
        drivers.push(...findPoints(driver.on, parts).map((point) => createDriver(driver, point)));
        addGrip(driver.on, driver, parts, drivers);
      }
    });
  });
  return found;
}

/** A node that a driver acts on, its share of the whole, and where it is from the middle of all. */
interface DrivenPoint extends NodePoint {
  readonly share: number;
  readonly offset: readonly number[];
}

/** Yarns of a fabric are held to each other where a driver holds or pulls their crossings. */
function addGrip(on: On, span: Span, { fabrics }: Parts, drivers: Driver[]): void {
  const part = fabrics.get(on.object);
  if (part) drivers.push(createGrip(part.fabric, listFabricNodes(on, part.plan), span));
}

export function findPoints(on: On, { scene, strands, rods, sheets, fabrics, continua }: Parts): DrivenPoint[] {
  const whole = { share: 1, offset: [0, 0, 0] };
  const strand = strands.get(on.object);
  if (strand) return [{ model: strand, label: strand.state.findLabel(placeOf(on)), ...whole }];
  const rod = rods.get(on.object);
  if (rod) return [{ model: rod, label: rod.state.findLabel(fractionOf(placeOf(on))), ...whole }];
  const part = fabrics.get(on.object);
  if (part) return findFabricPoints(on, part);
  const piece = findPart(on.object, continua, scene);
  if (piece) return findPartPoints(on, piece);
  const sheet = sheets.get(on.object)!;
  const object = scene.objects.find((one): one is SceneSheet => one.type === 'sheet' && one.id === on.object)!;
  const { state } = sheet;
  const vertices = listRegion(state, createRegion(on, object, sheet));
  const mass = vertices.reduce((sum, i) => sum + state.massOf(i), 0);
  const middle = [0, 1, 2].map((k) => vertices.reduce((sum, i) => sum + state.q[STRIDE * i + k], 0) / vertices.length);
  return vertices.map((i) => ({
    model: sheet,
    label: state.label[i],
    share: state.massOf(i) / mass,
    offset: middle.map((value, k) => state.q[STRIDE * i + k] - value),
  }));
}

function findPartPoints(on: On, piece: FoundPart): DrivenPoint[] {
  const { model } = piece;
  const { x, mass } = model.continuum.points;
  const nodes = Array.from(listPartNodes(on, piece));
  const whole = nodes.reduce((sum, p) => sum + mass[p], 0);
  const middle = [0, 1, 2].map((k) => nodes.reduce((sum, p) => sum + x[3 * p + k], 0) / nodes.length);
  return nodes.map((p) => ({
    model,
    label: p,
    share: mass[p] / whole,
    offset: middle.map((value, k) => x[3 * p + k] - value),
  }));
}

function findFabricPoints(on: On, { fabric, plan }: FabricPart): DrivenPoint[] {
  const nodes = listFabricNodes(on, plan);
  const { q } = fabric.state;
  const masses = nodes.map((i) => computeNodeMass(fabric, i));
  const mass = masses.reduce((sum, value) => sum + value, 0);
  const middle = [0, 1, 2].map((k) => nodes.reduce((sum, i) => sum + q[5 * i + k], 0) / nodes.length);
  return nodes.map((i, n) => ({
    model: fabric,
    label: i,
    share: masses[n] / mass,
    offset: middle.map((value, k) => q[5 * i + k] - value),
  }));
}

type FrameDriver = Extract<SceneDriver, { type: 'clamp' | 'turn' | 'twist' }>;

/** What holds the frame at an end of a rod, and where it also holds the end, that. */
function createFrameDrivers(driver: FrameDriver, parts: Parts): Driver[] {
  const rod = parts.rods.get(driver.on.object)!;
  const end = driver.on.at;
  const [point] = findPoints(driver.on, parts);
  switch (driver.type) {
    case 'twist':
      return [createTwist(rod, end, new PiecewiseLinear(driver.rate), driver)];
    case 'turn': {
      const turn = createFrameTurn(rod, end, createTurn(driver), driver);
      return driver.holdsPosition ? [createPin(point, driver), turn] : [turn];
    }
    case 'clamp':
      return createClamp(driver, point, (turnAt) => createFrameTurn(rod, end, turnAt, driver));
  }
}

type Turn = Extract<SceneDriver, { type: 'turn' }>;

function createTurn({ axis, angle, rate }: Turn): TurnAt {
  const schedule = new PiecewiseLinear(angle ?? rate!);
  const angleAt = (time: number): number =>
    angle === undefined ? time * schedule.computeMean(0, time) : schedule.valueAt(time);
  return (time) => quaternionFromAxisAngle(axis, angleAt(time));
}

type Clamp = Extract<SceneDriver, { type: 'clamp' }>;

function createClamp(clamp: Clamp, point: NodePoint, createHold: (turnAt?: TurnAt) => Driver): Driver[] {
  const { keyframes, velocity, angularVelocity } = clamp;
  if (keyframes === undefined) {
    const turnAt: TurnAt | undefined =
      angularVelocity &&
      ((time) => quaternionFromRotationVector(angularVelocity.map((w) => w * time) as unknown as Vec3));
    return [velocity ? createVelocity(point, velocity, clamp) : createPin(point, clamp), createHold(turnAt)];
  }
  const track = new KeyframeTrack(
    keyframes.map(({ rotation, ...frame }) => ({
      ...frame,
      rotation: rotation && { axis: rotation.axis, angle: deg(rotation.angle) },
    })),
    { position: locatePoint(point) as unknown as Vec3 },
  );
  return [
    createKeyframes(point, (time, out) => out.set(track.positionAt(time)), clamp),
    createHold((time) => track.orientationAt(time)),
  ];
}

type NodeDriver = Exclude<SceneDriver, FrameDriver | { type: 'wind' | 'tie' | 'rest' }>;

function createDriver(driver: NodeDriver, point: DrivenPoint): Driver {
  switch (driver.type) {
    case 'pin':
      return createPin(point, driver);
    case 'fix':
      return createFix(point, driver.components, driver);
    case 'velocity':
      return createVelocity(point, driver.value, driver);
    case 'force': {
      const [x, y, z] = driver.value;
      return createForce(point, [point.share * x, point.share * y, point.share * z], driver);
    }
    case 'keyframes': {
      const track = new KeyframeTrack(driver.keyframes);
      return createKeyframes(point, (time, out) => writeShifted(track.positionAt(time), point.offset, out), driver);
    }
  }
}

function writeShifted(place: ArrayLike<number>, offset: readonly number[], out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = place[k] + offset[k];
}

/** On a body that forces do not move the point simply rides; otherwise the two pull on each other. */
function addTies(tie: SceneTie, parts: Parts, { drivers, ties, joined }: CompiledDrivers): void {
  const points = findPoints(tie.on, parts);
  for (const on of tie.to === undefined ? [tie.on] : [tie.on, tie.to]) addGrip(on, tie, parts, drivers);
  if (tie.to === undefined) for (const point of points) addBodyTie(tie, point, parts, drivers, ties);
  else
    for (const [one, other] of pairPoints(points, findPoints(tie.to, parts))) {
      addPointTie(tie, one, other, parts, ties);
      joined.push([one, other]);
    }
}

/** Each point with the nearest of the others; regions must fit one to one. */
function pairPoints(points: readonly NodePoint[], others: readonly NodePoint[]): (readonly [NodePoint, NodePoint])[] {
  if (points.length !== others.length)
    throw new HeddleError(
      `it ties ${points.length} vertices to ${others.length}; both regions need the same number of vertices, equally spaced.`,
    );
  const taken = new Set<NodePoint>();
  return points.map((point) => {
    const free = others.filter((other) => !taken.has(other));
    const nearest = free.reduce((best, other) => (measureGap(point, other) < measureGap(point, best) ? other : best));
    taken.add(nearest);
    return [point, nearest] as const;
  });
}

function addPointTie(tie: SceneTie, point: NodePoint, other: NodePoint, parts: Parts, ties: Tie[]): void {
  const { partOf } = parts;
  if (other.model === point.model && other.label === point.label)
    throw new HeddleError('it ties a point to itself; name two different points.');
  const gap = measureGap(point, other);
  const size = Math.max(computeSize(point.model), computeSize(other.model));
  if (!(tie.from! > 0) && gap > SAME_PLACE * size)
    throw new HeddleError(
      `it ties points that are ${Number(gap.toPrecision(3))} m apart at the start, and would pull them together within one step; start the objects with these points at the same position.`,
    );
  ties.push(new PointTie(createNodeEnd(point, partOf(point.model)), createNodeEnd(other, partOf(other.model)), tie));
}

/** Length of a strand, diagonal of a sheet [m]. */
const computeSize = (model: NodeModel): number => model.takeMaterial(model.frameLabels()[0])!.size;

function addBodyTie(tie: SceneTie, point: NodePoint, parts: Parts, drivers: Driver[], ties: Tie[]): void {
  const { bodies, rigid, partOf } = parts;
  const rider = createBodyPoint(bodies.get(tie.body!)!, locatePoint(point));
  const model = rigid.get(tie.body!);
  if (model !== undefined && point.model instanceof ContinuumModel)
    throw new HeddleError(
      `it ties an MPM part to the dynamic body "${tie.body}"; use the boundary condition "sticky" of the body instead.`,
    );
  if (model === undefined) drivers.push(createRide(point, rider, tie));
  else ties.push(new PointTie(createNodeEnd(point, partOf(point.model)), createBodyEnd(rider, partOf(model)), tie));
}

function locatePoint({ model, label }: NodePoint): Float64Array {
  const place = new Float64Array(3);
  model.writeNodePosition(label, place);
  return place;
}

function measureGap(a: NodePoint, b: NodePoint): number {
  const [p, q] = [locatePoint(a), locatePoint(b)];
  return computeHypot3(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
