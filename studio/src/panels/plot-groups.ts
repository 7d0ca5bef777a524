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
  {
    id: 'energies',
    title: 'Energies',
    unit: 'J',
    names: ['kinetic', 'stretch', 'bending', 'gravity', 'contact', 'total'],
  },
  { id: 'counts', title: 'Nodes and remeshings', unit: '', names: ['nodes', 'remeshings', 'rescues'] },
  {
    id: 'stages',
    title: 'Milliseconds per stage',
    unit: 'ms',
    names: ['detect', 'adapt', 'assemble', 'solve', 'advance'],
  },
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

/** Energies, one group a probe, counts, stages; groups without columns are left out. */
export function computeGroups(columns: readonly string[]): PlotGroup[] {
  const first = countMeasures(columns);
  const fixed = FIXED.map(({ names, ...group }) => {
    const present = names.filter((name) => columns.indexOf(name) >= 0 && columns.indexOf(name) < first);
    return { ...group, names: present, columns: present.map((name) => columns.indexOf(name)), isProbe: false };
  });
  const probes = new Map<string, number[]>();
  for (let index = first; index < columns.length; index++) {
    const [id] = columns[index].split('.');
    probes.set(id, [...(probes.get(id) ?? []), index]);
  }
  const groups = [...probes].map(([id, indices]) => ({
    id: `probe-${id}`,
    title: id,
    unit: '',
    columns: indices,
    names: indices.map((index) => columns[index].slice(id.length + 1) || id),
    isProbe: true,
  }));
  const [energies, counts, stages] = fixed;
  return [energies, ...groups, counts, stages].filter((group) => group.columns.length > 0);
}

/**
 * The measures as CSV with full precision: `time` and the probes, the columns of the probes.csv that `heddle run`
 * writes (which samples at output.probesPerSecond, here every step), or with `isWhole` every column.
 */
export function encodeMeasures(table: MeasureTable, isWhole: boolean): string[] {
  const time = table.find('time');
  const first = countMeasures(table.columns);
  const all = [...table.columns.keys()];
  const indices = isWhole ? all : all.filter((index) => index === time || index >= first);
  const series = indices.map((index) => table.column(index));
  const parts = [encodeCsvHeader(indices.map((index) => table.columns[index]))];
  const row = new Float64Array(indices.length);
  for (let r = 0; r < table.length; r++) {
    for (let c = 0; c < row.length; c++) row[c] = series[c][r];
    parts.push(encodeCsvRow(row));
  }
  return parts;
}
