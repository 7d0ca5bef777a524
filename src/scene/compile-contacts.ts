/**
 * What the sheets of a scene touch by rows: each other, themselves where they say so (`selfContact`), dynamic bodies, and edges of
 * other bodies where they say so (`edgeContact`). A scene without any of these has no rows and pays nothing.
 */
import { HeddleError, type NodePoint } from '../model/index.ts';
import { createSheetContacts, findStartFault, type Sheet, type SurfaceContacts } from '../sheet/index.ts';
import { at, type Parts } from './compile.ts';
import type { SceneSheet } from './schema.ts';

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
