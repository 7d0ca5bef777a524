/**
 * Which bodies a strand touches. `contact` true: all, false: none. Left out: all but those that it is fastened to otherwise,
 *   bodies that carry one of its guides or spools, or at whose surface one stands: they stand for the contact already,
 *   bodies that a tie keeps a point of it on,
 *   bodies deep in which a driver holds one of its points, as a wire is set into a wall.
 * In Lagrangian mode contact with the body takes the place of a guide on it.
 */
import type { Body } from '../bodies/index.ts';
import type { Vec3 } from '../math/index.ts';
import { fractionOf, type Place, Polyline } from '../strand/index.ts';
import { collectPlaces } from './compile.ts';
import type { Scene, SceneStrand } from './schema.ts';

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
  const fastened = new Set([...object.guides, ...object.spools].map(({ body }) => body));
  for (const driver of scene.drivers)
    if (driver.type === 'tie' && driver.on.object === object.id) fastened.add(driver.body);
  const polyline = new Polyline(object.points, object.closed);
  const pointAt = (place: Place): Vec3 => polyline.at(fractionOf(place) * polyline.length);
  const held = collectPlaces(object.id, scene).map(pointAt);
  const guides = [...object.guides.map(({ point }) => point), ...object.spools.map(({ end }) => pointAt(end))];
  const contact = new Float64Array(4);
  const isWithin = (body: Body, points: readonly Vec3[], reach: number): boolean =>
    points.some((point) => {
      body.writeSignedDistance(point, contact);
      return contact[0] < reach * radius;
    });
  const isSetInto = (body: Body): boolean => isWithin(body, held, -SET_IN) || isWithin(body, guides, STANDS_AT);
  return all.filter((body) => !fastened.has(body.id) && !isSetInto(body));
}
