/** Values of a chart's lines at a moment: in its legend, beside the cursor, and said by a screen reader. */

import { html, type TemplateResult } from 'lit';
import type { MeasureTable } from './measure-table.ts';
import { COLOURS } from './plot-colours.ts';
import type { PlotGroup } from './plot-groups.ts';

/** Six digits: enough to read, short enough not to jump about. */
export function formatReading(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}

const withUnit = (value: number | undefined, unit: string): string =>
  value === undefined ? '' : `${formatReading(value)}${unit === '' ? '' : ` ${unit}`}`;

/** Everything the chart shows at a row, in a sentence. */
export function describeRow(table: MeasureTable, group: PlotGroup, row: number): string {
  if (table.length === 0) return 'no measurements yet';
  const values = group.columns.map(
    (column, i) => `${group.names[i]} ${withUnit(table.column(column)[row], group.unit)}`,
  );
  return `${formatReading(table.column(table.find('time'))[row])} s: ${values.join(', ')}`;
}

const swatch = (index: number): string =>
  `border-color: var(--series-${index % COLOURS}); border-style: ${['solid', 'dashed', 'dotted'][Math.floor(index / COLOURS) % 3]}`;

export interface LegendOptions {
  readonly table: MeasureTable;
  readonly group: PlotGroup;
  readonly row: number;
  readonly isShown: (index: number) => boolean;
  readonly toggle: (index: number) => void;
}

export function renderLegend({ table, group, row, isShown, toggle }: LegendOptions): TemplateResult {
  return html`<ul class="legend">
    ${group.columns.map(
      (column, index) => html`<li>
        <button class="plain" aria-pressed=${isShown(index) ? 'true' : 'false'} @click=${() => toggle(index)}>
          <span class="swatch" .style=${swatch(index)}></span>${group.names[index]}
        </button>
        <output>${withUnit(table.column(column)[row], group.unit)}</output>
      </li>`,
    )}
  </ul>`;
}

/** The values beside the cursor; `left` is where the cursor stands [px], `width` that of the chart. */
export function renderReadout(options: LegendOptions, left: number, width: number): TemplateResult {
  const { table, group, row, isShown } = options;
  const place = left < width / 2 ? `left: ${left + 10}px` : `right: ${width - left + 10}px`;
  return html`<div class="readout" aria-hidden="true" .style=${place}>
    <b>t = ${formatReading(table.column(table.find('time'))[row])} s</b>
    ${group.columns.map((column, index) =>
      isShown(index)
        ? html`<span><span class="swatch" .style=${swatch(index)}></span>${group.names[index]}</span>
            <span>${withUnit(table.column(column)[row], group.unit)}</span>`
        : '',
    )}
  </div>`;
}
