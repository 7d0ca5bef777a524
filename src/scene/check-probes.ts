/** Probes measure what exists, where it is; expectations are of their columns. */
import { suggest } from '../model/nearest.ts';
import { checkBodyName, checkObjectName, type Names } from './check-names.ts';
import { checkPlace, checkProbeKind, PLACE_KEYS } from './check-sheets.ts';
import { checkSpoolProbe } from './check-spools.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isRaw, type Raw } from './raw.ts';
import { PROBE_COLUMNS } from './schema.ts';
import { formatNumber, quote } from './wording.ts';

export function checkProbe(probe: Raw, path: JsonPath, names: Names, report: Report): void {
  if (typeof probe.body === 'string') checkBodyName(probe.body, [...path, 'body'], names, report);
  checkObjectName(probe.object, [...path, 'object'], names, report);
  if (probe.type === 'spool') checkSpoolProbe(probe, path, names.spools, report);
  checkProbeKind(probe, path, names.kinds, report);
  for (const key of PLACE_KEYS) {
    const on = probe[key];
    if (isRaw(on)) checkProbePlace(on, [...path, key], names, report);
  }
}

function checkProbePlace(on: Raw, path: JsonPath, names: Names, report: Report): void {
  const guides = checkObjectName(on.object, [...path, 'object'], names, report);
  checkPlace(on, path, names.kinds, report, true);
  if (typeof on.guide === 'string' && guides !== undefined && !guides.has(on.guide)) {
    const hint = guides.size === 0 ? ' It has no guides.' : suggest(on.guide, [...guides], 'Guides');
    report([...path, 'guide'], `is ${quote(on.guide)}, which is not a guide of ${quote(String(on.object))}.${hint}`);
  }
}

export function checkExpectations(scene: Raw, report: Report): void {
  const columns = new Set<string>();
  eachRaw(scene.probes, [], (probe) => {
    if (typeof probe.id !== 'string' || typeof probe.type !== 'string') return;
    const endings = Object.hasOwn(PROBE_COLUMNS, probe.type) ? PROBE_COLUMNS[probe.type as 'position'] : [];
    for (const ending of endings) columns.add(probe.id + ending);
  });
  eachRaw(scene.expect, ['expect'], (expectation, path) => {
    if (typeof expectation.probe === 'string' && !columns.has(expectation.probe)) {
      const hint =
        columns.size === 0 ? ' The scene has no probes.' : suggest(expectation.probe, [...columns], 'Columns');
      report([...path, 'probe'], `is ${quote(expectation.probe)}, which is not a column of a probe.${hint}`);
    }
    const { min, max } = expectation;
    if (min === undefined && max === undefined)
      report([...path, 'min'], 'is missing, and so is max; give at least one.');
    if (isNumber(min) && isNumber(max) && min > max) {
      report([...path, 'min'], `is ${formatNumber(min)}; it must be at most max, ${formatNumber(max)}.`);
    }
  });
}
