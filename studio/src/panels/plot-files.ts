/** Measures as a file of the browser. */

import type { MeasureTable } from './measure-table.ts';
import { encodeMeasures } from './plot-groups.ts';

export function downloadMeasures(table: MeasureTable, name: string, isWhole: boolean): void {
  const blob = new Blob(encodeMeasures(table, isWhole), { type: 'text/csv' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}-${isWhole ? 'measures' : 'probes'}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
