/**
 * What rods touch, each other, themselves and bodies, and what the sheets of a scene touch by rows: each other, themselves where they say so (`selfContact`), dynamic bodies, and edges of
 * other bodies where they say so (`edgeContact`). A scene without any of these has no rows and pays nothing.
 */
import type { Body } from '../bodies/index.ts';
import { createFacetBody, type FacetBody } from '../contact/index.ts';
import { CurveBodyContacts, CurveContacts } from '../curve/index.ts';
import { HeddleError, type NodePoint } from '../model/index.ts';
import { createSheetContacts, findStartFault, type Sheet, type SurfaceContacts } from '../sheet/index.ts';
import { at, type Parts } from './compile.ts';
import { createPoints } from './compile-rod.ts';
import { chooseRodObstacles } from './obstacles.ts';
import type { SceneRod, SceneSheet } from './schema.ts';

/** What rods touch. */
export interface RodContacts {
  readonly curves: CurveContacts | undefined;
  readonly bodies: readonly CurveBodyContacts[];
}

const insertsNodes = ({ mode, contact }: SceneRod): boolean => contact.insertsNodes ?? mode === 'rh';

/** One coupling for all rods that touch each other or themselves, and one for each rod that may touch a body. */
export function createRodContacts({ scene, bodies, rods, rigid, partOf }: Parts): RodContacts {
  const described = new Map<string, SceneRod>();
  for (const object of scene.objects) if (object.type === 'rod') described.set(object.id, object);
  const contactOf = (rod: { readonly id: string }): SceneRod['contact'] => described.get(rod.id)!.contact;
  const all = [...rods.values()];
  const touching = all.filter((rod) => contactOf(rod).self || (contactOf(rod).others && all.length > 1));
  const curves =
    touching.length === 0
      ? undefined
      : new CurveContacts(
          touching.map((rod) => ({ curve: rod, part: partOf(rod) })),
          {
            self: (rod) => contactOf(rod).self,
            others: (one, other) => contactOf(one).others && contactOf(other).others,
            insertsNodes: (rod) => insertsNodes(described.get(rod.id)!),
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
    const obstacles = chooseRodObstacles(object, scene, bodies, createPoints(object, rod.radius), rod.radius).map(
      (body) => {
        const model = rigid.get(body.id);
        return { body, part: model ? partOf(model) : -1, facets: growOnce(body, rod.radius) };
      },
    );
    if (obstacles.length === 0) return [];
    const mode = insertsNodes(object) ? 'eol' : 'lagrangian';
    return [new CurveBodyContacts({ curve: rod, part: partOf(rod), obstacles, mode })];
  });
  return { curves, bodies: bodyContacts };
}

/** `joined`: points that ties keep together. */
export function createSceneContacts(
  { scene, sheets, models }: Parts,
  joined: readonly (readonly [NodePoint, NodePoint])[],
): SurfaceContacts | undefined {
  const described = new Map<Sheet, SceneSheet>();
  for (const object of scene.objects) if (object.type === 'sheet') described.set(sheets.get(object.id)!, object);
  const touching = [...described.values()].filter(({ contact }) => contact !== false);
  const isNeeded =
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
