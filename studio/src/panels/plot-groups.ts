/** Which columns of the measures are drawn together, and what goes into a CSV file. */

import { encodeCsvHeader, encodeCsvRow } from 'heddle/io';
import type { MeasureTable } from './measure-table.ts';

export interface PlotGroup {
  /** Unique among the groups. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** Indices of the columns. */
  readonly columns: readonly number[];
  /** Names in the legend, one for each column. */
  readonly names: readonly string[];
  readonly isProbe: boolean;
}

const FIXED = [
  { id: 'energies', title: 'Energies', names: ['kinetic', 'stretch', 'bending', 'gravity', 'contact', 'total'] },
  { id: 'counts', title: 'Nodes and remeshing', names: ['nodes', 'remeshings', 'rescues'] },
  { id: 'substeps', title: 'Sub-steps per step', names: ['substeps'] },
  { id: 'stages', title: 'Time per step by stage', names: ['detect', 'adapt', 'assemble', 'solve', 'advance'] },
] as const;

/** Columns before the probes; a probe may bear the same name, so only the first of each counts. */
const MEASURES = new Set<string>(['step', 'time', ...FIXED.flatMap(({ names }) => names)]);

/** Number of columns before the first probe. */
export function countMeasures(columns: readonly string[]): number {
  const seen = new Set<string>();
  for (const name of columns) {
    if (!MEASURES.has(name) || seen.has(name)) break;
    seen.add(name);
  }
  return seen.size;
}

/** Energies, one group for each unit of a probe, counts, stages; groups without columns are left out. */
export function computeGroups({ columns, units }: Pick<MeasureTable, 'columns' | 'units'>): PlotGroup[] {
  const first = countMeasures(columns);
  const fixed = FIXED.map(({ names, ...group }) => {
    const present = names.filter((name) => columns.indexOf(name) >= 0 && columns.indexOf(name) < first);
    const indices = present.map((name) => columns.indexOf(name));
    return { ...group, unit: showUnit(units[indices[0]]), names: present, columns: indices, isProbe: false };
  });
  const probes = new Map<string, number[]>();
  for (let index = first; index < columns.length; index++) {
    const [id] = columns[index].split('.');
    probes.set(id, [...(probes.get(id) ?? []), index]);
  }
  const groups = [...probes].flatMap(([id, indices]) => splitByUnit(id, indices, columns, units));
  const [energies, ...others] = fixed;
  return [energies, ...groups, ...others].filter((group) => group.columns.length > 0);
}

/** Metres and radians have no common axis: a probe of several units has a chart for each. */
function splitByUnit(
  id: string,
  indices: readonly number[],
  columns: readonly string[],
  units: readonly string[],
): PlotGroup[] {
  return [...new Set(indices.map((index) => units[index]))].map((unit, k) => {
    const own = indices.filter((index) => units[index] === unit);
    return {
      id: k === 0 ? `probe-${id}` : `probe-${id}-${k}`,
      title: id,
      unit: showUnit(unit),
      columns: own,
      names: own.map((index) => columns[index].slice(id.length + 1) || id),
      isProbe: true,
    };
  });
}

/** A unit as a person reads it: nothing for pure numbers. */
const showUnit = (unit: string | undefined): string => (unit === undefined || unit === '1' ? '' : unit);

/**
 * The measures as CSV with full precision: `time` and the probes, the columns of the probes.csv that `heddle run`
 * writes (which samples at output.probesPerSecond, here every step), or with `isWhole` every column. The header names the
 * unit of a column behind its name, `load.x [m]`; pure numbers have none.
 */
export function encodeMeasures(table: MeasureTable, isWhole: boolean): string[] {
  const time = table.find('time');
  const first = countMeasures(table.columns);
  const all = [...table.columns.keys()];
  const indices = isWhole ? all : all.filter((index) => index === time || index >= first);
  const series = indices.map((index) => table.column(index));
  const parts = [encodeCsvHeader(indices.map((index) => nameColumn(table, index)))];
  const row = new Float64Array(indices.length);
  for (let r = 0; r < table.length; r++) {
    for (let c = 0; c < row.length; c++) row[c] = series[c][r];
    parts.push(encodeCsvRow(row));
  }
  return parts;
}

function nameColumn({ columns, units }: MeasureTable, index: number): string {
  const unit = showUnit(units[index]);
  return unit === '' ? columns[index] : `${columns[index]} [${unit}]`;
}
