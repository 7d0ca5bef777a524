/**
 * Which bodies a strand or rod touches. `contact` true: all, false: none. Left out: all but those that it is fastened to otherwise,
 *   bodies that carry one of its guides or spools, or at whose surface one stands: they stand for the contact already,
 *   bodies that a tie keeps a point of it on,
 *   bodies deep in which a driver holds one of its points, as a wire is set into a wall.
 * In Lagrangian mode contact with the body takes the place of a guide on it.
 */
import type { Body } from '../bodies/index.ts';
import type { Vec3 } from '../math/index.ts';
import { fractionOf, type Place, Polyline } from '../strand/index.ts';
import { collectPlaces } from './compile.ts';
import type { Scene, SceneRod, SceneStrand } from './schema.ts';

/** A held point this many radii under the true surface is set into the body. */
const SET_IN = 0.5;
/** A guide nearer than this many radii to the true surface stands at it. */
const STANDS_AT = 1.5;

export function chooseObstacles(
  object: SceneStrand,
  scene: Scene,
  bodies: ReadonlyMap<string, Body>,
  radius: number,
): Body[] {
  if (object.contact === false) return [];
  const all = [...bodies.values()];
  if (object.contact === true || object.mode === 'lagrangian') return all;
  const carrying = new Set([...object.guides, ...object.spools].map(({ body }) => body));
  const polyline = new Polyline(object.points, object.closed);
  const guides = [
    ...object.guides.map(({ point }) => point),
    ...object.spools.map(({ end }) => placeOn(polyline, end)),
  ];
  const free = all.filter(({ id }) => !carrying.has(id));
  return listFree(object.id, scene, free, polyline, guides, radius);
}

/** Bodies that a rod touches; `points`: its centre line at the start. */
export function chooseRodObstacles(
  { id, contact: { bodies: isWanted } }: SceneRod,
  scene: Scene,
  bodies: ReadonlyMap<string, Body>,
  points: readonly Vec3[],
  radius: number,
): Body[] {
  if (isWanted !== undefined) return isWanted ? [...bodies.values()] : [];
  return listFree(id, scene, [...bodies.values()], new Polyline(points, false), [], radius);
}

const placeOn = (polyline: Polyline, place: Place): Vec3 => polyline.at(fractionOf(place) * polyline.length);

/** Bodies that no tie keeps it on, in which no driver holds it, and at which no guide stands. */
function listFree(
  id: string,
  scene: Scene,
  bodies: readonly Body[],
  polyline: Polyline,
  guides: readonly Vec3[],
  radius: number,
): Body[] {
  const tied = new Set<string | undefined>();
  for (const driver of scene.drivers) if (driver.type === 'tie' && driver.on.object === id) tied.add(driver.body);
  const held = collectPlaces(id, scene).map((place) => placeOn(polyline, place));
  const contact = new Float64Array(4);
  const isWithin = (body: Body, points: readonly Vec3[], reach: number): boolean =>
    points.some((point) => {
      body.writeSignedDistance(point, contact);
      return contact[0] < reach * radius;
    });
  const isSetInto = (body: Body): boolean => isWithin(body, held, -SET_IN) || isWithin(body, guides, STANDS_AT);
  return bodies.filter((body) => !tied.has(body.id) && !isSetInto(body));
}
