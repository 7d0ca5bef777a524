/** What no single field says about spools: one per end, one kind of drive, nothing else fastened to that end. */
import { suggest } from '../model/nearest.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isPoint, type Point, type Raw } from './raw.ts';
import { formatPath, quote } from './wording.ts';

/** Names of the spools of a strand, and of the one at each end. */
export interface SpoolNames {
  readonly all: ReadonlySet<string>;
  readonly byEnd: ReadonlyMap<unknown, string>;
}

export function collectSpools(scene: Raw): ReadonlyMap<string, SpoolNames> {
  const spools = new Map<string, SpoolNames>();
  eachRaw(scene.objects, [], (object) => {
    const all = new Set<string>();
    const byEnd = new Map<unknown, string>();
    eachRaw(object.spools, [], ({ id, end }) => {
      if (typeof id !== 'string') return;
      all.add(id);
      byEnd.set(end, id);
    });
    if (typeof object.id === 'string') spools.set(object.id, { all, byEnd });
  });
  return spools;
}

export function checkSpools(object: Raw, path: JsonPath, report: Report): void {
  const ends = new Map<unknown, JsonPath>();
  eachRaw(object.spools, [...path, 'spools'], (spool, at) => {
    const first = ends.get(spool.end);
    if (first === undefined) ends.set(spool.end, at);
    else
      report(
        [...at, 'end'],
        `is ${quote(String(spool.end))}, already used by ${formatPath(first)}; use the other end.`,
      );
    if (spool.speed !== undefined && spool.torque !== undefined)
      report(
        [...at, 'torque'],
        'is given together with speed; a drive has a speed or a torque: remove one of the two.',
      );
  });
  eachRaw(object.masses, [...path, 'masses'], (mass, at) => {
    if (ends.has(endOf(mass.at)))
      report(
        [...at, 'at'],
        `is the ${endOf(mass.at)}, which sits on a spool; give the drum its inertia, or move the mass.`,
      );
  });
}

/** A place that a driver holds or pushes must not be an end on a spool. */
export function checkSpoolUse(
  place: Raw,
  path: JsonPath,
  spools: ReadonlyMap<string, SpoolNames>,
  report: Report,
): void {
  const end = endOf(place.at);
  const name = spools.get(String(place.object))?.byEnd.get(end);
  if (name !== undefined)
    report(
      [...path, 'at'],
      `is the ${end} of ${quote(String(place.object))}, which is on the spool ${quote(name)}; choose another location, or move the spool's body.`,
    );
}

export function checkSpoolProbe(
  probe: Raw,
  path: JsonPath,
  spools: ReadonlyMap<string, SpoolNames>,
  report: Report,
): void {
  const known = spools.get(String(probe.object))?.all;
  if (known === undefined || typeof probe.spool !== 'string' || known.has(probe.spool)) return;
  const hint = known.size === 0 ? ' It has no spools.' : suggest(probe.spool, [...known], 'Spools');
  report(
    [...path, 'spool'],
    `is ${quote(probe.spool)}, which is not a spool of ${quote(String(probe.object))}.${hint}`,
  );
}

/** Nodes that the stock of a strand will have. */
export function countStockNodes(object: Raw, computeLength: (points: readonly Point[]) => number): number {
  const { points, nodes, restLength } = object;
  const free = isNumber(restLength)
    ? restLength
    : Array.isArray(points) && points.every(isPoint)
      ? computeLength(points)
      : 0;
  const count = Array.isArray(nodes) ? nodes.length : nodes;
  let stock = 0;
  eachRaw(object.spools, [], (spool) => {
    if (isNumber(spool.stock)) stock += spool.stock;
  });
  return free > 0 && isNumber(count) && count > 1 ? Math.ceil((stock / free) * (count - 1)) : 0;
}

const endOf = (at: unknown): unknown => (at === 0 ? 'start' : at === 1 ? 'end' : at);
