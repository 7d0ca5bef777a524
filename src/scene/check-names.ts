/** Names of a scene: which there are, that each is unique, and that references are to one that exists. */
import { suggest } from '../model/nearest.ts';
import { collectKinds, type ObjectKind } from './check-sheets.ts';
import { collectSpools, type SpoolNames } from './check-spools.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, type Raw } from './raw.ts';
import { formatPath, quote } from './wording.ts';

export interface Names {
  /** Names of the guides of each object, spools among them. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  readonly spools: ReadonlyMap<string, SpoolNames>;
  readonly bodies: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, ObjectKind>;
}

export function collectNames(scene: Raw): Names {
  const objects = new Map<string, ReadonlySet<string>>();
  eachRaw(scene.objects, [], (object) => {
    const guides = new Set<string>();
    for (const list of [object.guides, object.spools])
      eachRaw(list, [], (guide) => {
        if (typeof guide.id === 'string') guides.add(guide.id);
      });
    if (typeof object.id === 'string') objects.set(object.id, guides);
    if (object.type === 'mpm')
      eachRaw(object.parts, [], ({ id }) => {
        if (typeof id === 'string') objects.set(id, new Set());
      });
  });
  const bodies = new Set<string>();
  eachRaw(scene.bodies, [], (body) => {
    if (typeof body.id === 'string') bodies.add(body.id);
  });
  return { objects, spools: collectSpools(scene), bodies, kinds: collectKinds(scene) };
}

export function checkUniqueIds(scene: Raw, report: Report): void {
  // objects and bodies share their names, as the parts of a frame do
  const things = new Map<string, JsonPath>();
  const checkId = (taken: Map<string, JsonPath>) => (entry: Raw, path: JsonPath) => {
    if (typeof entry.id !== 'string') return;
    const first = taken.get(entry.id);
    if (first === undefined) taken.set(entry.id, path);
    else report([...path, 'id'], `is ${quote(entry.id)}, already the id of ${formatPath(first)}; use another id.`);
  };
  eachRaw(scene.objects, ['objects'], checkId(things));
  eachRaw(scene.objects, ['objects'], (object, path) => {
    if (object.type === 'mpm') eachRaw(object.parts, [...path, 'parts'], checkId(things));
  });
  eachRaw(scene.bodies, ['bodies'], checkId(things));
  eachRaw(scene.probes, ['probes'], checkId(new Map()));
  eachRaw(scene.objects, ['objects'], (object, path) => {
    const taken = new Map<string, JsonPath>();
    eachRaw(object.guides, [...path, 'guides'], checkId(taken));
    eachRaw(object.spools, [...path, 'spools'], checkId(taken));
  });
}

export function checkBodyName(name: string, path: JsonPath, names: Names, report: Report): void {
  if (names.bodies.has(name)) return;
  const hint = names.bodies.size === 0 ? ' The scene has no bodies.' : suggest(name, [...names.bodies], 'Bodies');
  report(path, `is ${quote(name)}, which is not a body of this scene.${hint}`);
}

/** Checks a reference to an object; its guides when it exists. */
export function checkObjectName(
  name: unknown,
  path: JsonPath,
  names: Names,
  report: Report,
): ReadonlySet<string> | undefined {
  if (typeof name !== 'string') return undefined;
  const guides = names.objects.get(name);
  if (guides === undefined) {
    report(
      path,
      `is ${quote(name)}, which is not an object of this scene.${suggest(name, [...names.objects.keys()], 'Objects')}`,
    );
  }
  return guides;
}
