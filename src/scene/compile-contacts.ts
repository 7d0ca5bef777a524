/**
 * What rods touch, each other, themselves and bodies, and what the sheets of a scene touch by rows: each other, themselves where they say so (`selfContact`), dynamic bodies, and edges of
 * other bodies where they say so (`edgeContact`); and what strands, rods, sheets and fabrics touch that is of another type (`touching`). A scene without any of these has no rows and pays nothing.
 */
import type { Body } from '../bodies/index.ts';
import { createFacetBody, type FacetBody } from '../contact/index.ts';
import { CurveBodyContacts, CurveContacts, findBodyStartFault, findCurveStartFault } from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import { HeddleError, type Model, type NodePoint } from '../model/index.ts';
import type { Rod } from '../rod/index.ts';
import { createSheetContacts, findStartFault, type Sheet, type SurfaceContacts } from '../sheet/index.ts';
import { fractionOf } from '../strand/index.ts';
import { at, collectPlaces, type Parts } from './compile.ts';
import { chooseRodObstacles } from './obstacles.ts';
import { DRIVER_TYPES, type Scene, type SceneRod, type SceneSheet } from './schema.ts';

/** What rods touch. */
export interface RodContacts {
  readonly curves: CurveContacts | undefined;
  readonly bodies: readonly CurveBodyContacts[];
}

const insertsNodes = ({ mode, contact }: SceneRod): boolean => contact.insertsNodes ?? mode === 'rh';

/** Drivers that let the point move on which they act. */
const LOOSE_DRIVERS: readonly string[] = ['force', 'turn', 'twist'];

/** One coupling for all rods that touch each other or themselves, and one for each rod that may touch a body. `points`: their centre lines at the start; `joined`: points that ties keep together. */
export function createRodContacts(
  { scene, bodies, rods, rigid, partOf }: Parts,
  points: ReadonlyMap<string, readonly Vec3[]>,
  joined: readonly (readonly [NodePoint, NodePoint])[],
): RodContacts {
  const described = new Map<string, SceneRod>();
  for (const object of scene.objects) if (object.type === 'rod') described.set(object.id, object);
  const contactOf = (rod: { readonly id: string }): SceneRod['contact'] => described.get(rod.id)!.contact;
  const all = [...rods.values()];
  const touching = all.filter((rod) => contactOf(rod).self || (contactOf(rod).others && all.length > 1));
  const touches = (one: { readonly id: string }, other: { readonly id: string }): boolean =>
    one === other ? contactOf(one).self : contactOf(one).others && contactOf(other).others;
  checkApart(touching, touches, scene, joined);
  const curves =
    touching.length === 0
      ? undefined
      : new CurveContacts(
          touching.map((rod) => ({ curve: rod, part: partOf(rod) })),
          {
            self: (rod) => touches(rod, rod),
            others: touches,
            insertsNodes: (rod) => insertsNodes(described.get(rod.id)!),
            joints: joined.map(([a, b]) => [
              { curve: a.model, label: a.label },
              { curve: b.model, label: b.label },
            ]),
          },
        );
  const grown = new Map<string, FacetBody>();
  const growOnce = (body: Body, radius: number): FacetBody => {
    const key = `${radius} ${body.id}`;
    const facets = grown.get(key) ?? createFacetBody(body.shape, radius);
    grown.set(key, facets);
    return facets;
  };
  const bodyContacts = all.flatMap((rod) => {
    const object = described.get(rod.id)!;
    const obstacles = chooseRodObstacles(object, scene, bodies, points.get(rod.id)!, rod.radius).map((body) => {
      const model = rigid.get(body.id);
      return { body, part: model ? partOf(model) : -1, facets: growOnce(body, rod.radius) };
    });
    if (obstacles.length === 0) return [];
    checkOutside(rod, obstacles, scene);
    const mode = insertsNodes(object) ? 'eol' : 'lagrangian';
    return [new CurveBodyContacts({ curve: rod, part: partOf(rod), obstacles, mode })];
  });
  return { curves, bodies: bodyContacts };
}

/** A rod starts outside the bodies that it touches. */
function checkOutside(rod: Rod, obstacles: Parameters<typeof findBodyStartFault>[1], scene: Scene): void {
  const types = DRIVER_TYPES.filter((type) => !LOOSE_DRIVERS.includes(type));
  const held = new Set(collectPlaces(rod.id, scene, types).map((place) => rod.state.findLabel(fractionOf(place))));
  const fault = findBodyStartFault(rod, obstacles, (label) => held.has(label));
  if (fault === undefined) return;
  const { body, place, depth, most } = fault;
  refuse(
    rod,
    scene,
    `starts inside body "${body}": near ${describePlace(place)} it penetrates the body, enlarged by the rod's radius, by ${shorten(depth)} m, and at most ${shorten(most)} m, half its radius, is corrected; move it out of the body, give it more points and segments where it bends around the body, or set "contact" to { "bodies": false }.`,
  );
}

/** Rods that touch start apart, but for those that a tie joins. */
function checkApart(
  rods: readonly Rod[],
  touches: (one: { readonly id: string }, other: { readonly id: string }) => boolean,
  scene: Scene,
  joined: readonly (readonly [NodePoint, NodePoint])[],
): void {
  const areJoined = (one: string, other: string): boolean =>
    joined.some(([{ model: a }, { model: b }]) => (a.id === one && b.id === other) || (a.id === other && b.id === one));
  const fault = findCurveStartFault(rods, (one, other) => touches(one, other) && !areJoined(one.id, other.id));
  if (fault === undefined) return;
  const { first, second, place, distance, least } = fault;
  const [what, whose, key] =
    first === second
      ? ['itself', 'two parts of its centre line', 'self']
      : [`rod "${second.id}"`, 'their centre lines', 'others'];
  refuse(
    first,
    scene,
    `starts too close to ${what}: near ${describePlace(place)} ${whose} are ${shorten(distance)} m apart, and no less than ${shorten(least)} m, half of the contact distance, is corrected; move them apart, or set "contact" to { "${key}": false }.`,
  );
}

const shorten = (value: number): number => Number(value.toPrecision(3));
const describePlace = (place: Float64Array): string =>
  `[${Array.from(place, (value) => Number(value.toPrecision(4))).join(', ')}]`;

function refuse({ id }: { readonly id: string }, scene: Scene, why: string): void {
  at(`objects[${scene.objects.findIndex((object) => object.id === id)}]`, () => {
    throw new HeddleError(`rod "${id}" ${why}`);
  });
}

/** `joined`: points that ties keep together. */
export function createSceneContacts(
  { scene, sheets, models }: Parts,
  joined: readonly (readonly [NodePoint, NodePoint])[],
): SurfaceContacts | undefined {
  const meet = createMeetings(scene);
  const described = new Map<Sheet, SceneSheet>();
  for (const object of scene.objects) if (object.type === 'sheet') described.set(sheets.get(object.id)!, object);
  const touching = [...described.values()].filter(({ contact }) => contact !== false);
  const isNeeded =
    meet !== undefined ||
    touching.length > 1 ||
    [...described].some(
      ([sheet, { selfContact, edgeContact }]) =>
        selfContact || edgeContact || sheet.obstacles.some(({ motion }) => motion === 'dynamic'),
    );
  if (!isNeeded) return undefined;
  const contacts = createSheetContacts(models, {
    touchesItself: (sheet) => described.get(sheet)!.selfContact,
    touchesSheets: (sheet) => described.get(sheet)!.contact !== false,
    touchesEdges: (sheet) => described.get(sheet)!.edgeContact,
    ...(meet && { linesMeet: meet }),
    ties: joined,
  });
  const fault = findStartFault(contacts);
  if (fault) {
    const index = scene.objects.findIndex(({ id }) => id === fault.sheet);
    at(`objects[${index}]`, () => {
      throw new HeddleError(fault.message);
    });
  }
  return contacts;
}

/** Whether two objects of different types, or two fabrics that are named, touch each other; undefined where no two do. Strands touch strands by `crossings`, rods rods by their `contact`. */
function createMeetings({ objects, touching }: Scene): ((one: Model, other: Model) => boolean) | undefined {
  const named = touching?.objects;
  const types = new Map(objects.filter((object) => mayMeet(object, named)).map(({ id, type }) => [id, type]));
  const meet = (one: { readonly id: string }, other: { readonly id: string }): boolean => {
    const [a, b] = [types.get(one.id), types.get(other.id)];
    return (
      a !== undefined && b !== undefined && (a !== b || (a === 'fabric' && named !== undefined && one.id !== other.id))
    );
  };
  const ids = [...types.keys()].map((id) => ({ id }));
  return ids.some((one) => ids.some((other) => meet(one, other))) ? meet : undefined;
}

function mayMeet(object: Scene['objects'][number], named: readonly string[] | undefined): boolean {
  if (object.type === 'mpm' || (named !== undefined && !named.includes(object.id))) return false;
  if (object.type === 'sheet') return object.contact !== false;
  return object.type === 'rod' ? object.contact.others : true;
}
