/** Drivers and ties of a scene, on the strands and bodies they name. */
import { createBodyPoint, KeyframeTrack } from '../bodies/index.ts';
import { PiecewiseLinear } from '../math/index.ts';
import { HeddleError, type NodePoint } from '../model/index.ts';
import {
  createBodyEnd,
  createFix,
  createForce,
  createKeyframes,
  createNodeEnd,
  createPin,
  createRest,
  createRide,
  createVelocity,
  type Driver,
  PointTie,
  type Tie,
} from '../world/index.ts';
import { at, type Parts } from './compile.ts';
import type { Scene } from './schema.ts';

/** Points nearer than this start in one place, relative to the length of the longer strand. */
const SAME_PLACE = 1e-6;

type SceneDriver = Scene['drivers'][number];
type SceneTie = Extract<SceneDriver, { type: 'tie' }>;

export function compileDrivers(parts: Parts): { drivers: Driver[]; ties: Tie[] } {
  const drivers: Driver[] = [];
  const ties: Tie[] = [];
  parts.scene.drivers.forEach((driver, i) => {
    at(`drivers[${i}]`, () => {
      if (driver.type === 'wind') for (const strand of parts.strands.values()) strand.winds.push(driver);
      else if (driver.type === 'rest')
        drivers.push(createRest(parts.strands.get(driver.object)!, new PiecewiseLinear(driver.value), driver));
      else if (driver.type === 'tie') addTie(driver, parts, drivers, ties);
      else drivers.push(createDriver(driver, findPoint(driver.on, parts)));
    });
  });
  return { drivers, ties };
}

export function findPoint(on: SceneTie['on'], { strands }: Parts): NodePoint {
  const strand = strands.get(on.object)!;
  return { model: strand, label: strand.state.findLabel(on.at) };
}

function createDriver(driver: Exclude<SceneDriver, { type: 'wind' | 'tie' | 'rest' }>, point: NodePoint): Driver {
  switch (driver.type) {
    case 'pin':
      return createPin(point, driver);
    case 'fix':
      return createFix(point, driver.components, driver);
    case 'velocity':
      return createVelocity(point, driver.value, driver);
    case 'force':
      return createForce(point, driver.value, driver);
    case 'keyframes': {
      const track = new KeyframeTrack(driver.keyframes);
      return createKeyframes(point, (time, out) => out.set(track.positionAt(time)), driver);
    }
  }
}

/** On a body that forces do not move the point simply rides; otherwise the two pull on each other. */
function addTie(tie: SceneTie, parts: Parts, drivers: Driver[], ties: Tie[]): void {
  const { bodies, rigid, partOf } = parts;
  const point = findPoint(tie.on, parts);
  const own = createNodeEnd(point, partOf(point.model));
  if (tie.to !== undefined) {
    const other = findPoint(tie.to, parts);
    if (other.model === point.model && other.label === point.label)
      throw new HeddleError('it ties a point to itself; name two different points.');
    const gap = measureGap(point, other);
    const size = Math.max(...[tie.on, tie.to].map(({ object }) => parts.strands.get(object)!.state.restLength));
    if (!(tie.from! > 0) && gap > SAME_PLACE * size)
      throw new HeddleError(
        `it ties points that are ${Number(gap.toPrecision(3))} m apart at the start, and would pull them together within one step; let the strands start with these points in one place.`,
      );
    ties.push(new PointTie(own, createNodeEnd(other, partOf(other.model)), tie));
    return;
  }
  const rider = createBodyPoint(bodies.get(tie.body!)!, placeOf(point));
  const model = rigid.get(tie.body!);
  if (model === undefined) drivers.push(createRide(point, rider, tie));
  else ties.push(new PointTie(own, createBodyEnd(rider, partOf(model)), tie));
}

function placeOf({ model, label }: NodePoint): Float64Array {
  const place = new Float64Array(3);
  model.writeNodePosition(label, place);
  return place;
}

function measureGap(a: NodePoint, b: NodePoint): number {
  const [p, q] = [placeOf(a), placeOf(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
