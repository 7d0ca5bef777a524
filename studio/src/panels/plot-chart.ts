/**
 * One chart of uPlot over a measure table. It is made once; new rows only replace its columns. Colours are read from the
 * page at every drawing, so that a change of theme needs nothing but a redraw.
 */

import uPlot from 'uplot';
import type { MeasureTable } from './measure-table.ts';
import type { PlotGroup } from './plot-groups.ts';

export interface ChartOptions {
  readonly group: PlotGroup;
  readonly table: MeasureTable;
  readonly place: HTMLElement;
  readonly width: number;
  readonly height: number;
  /** Charts with the same key move their cursors together. */
  readonly syncKey: string;
  /** Value of a custom property of the element. */
  readonly readColour: (name: string) => string;
  readonly onCursor: (row: number | undefined) => void;
}

/** Lines that share a colour are told apart by dashes. */
const DASHES: readonly number[][] = [[], [6, 3], [2, 3]];
export const COLOURS = 6;

export class PlotChart {
  readonly group: PlotGroup;
  private readonly plot: uPlot;
  private table: MeasureTable;
  private revision: number;

  constructor(options: ChartOptions) {
    this.group = options.group;
    this.table = options.table;
    this.revision = options.table.revision;
    const { readColour, group } = options;
    const axis = (): uPlot.Axis => ({
      stroke: () => readColour('--faint'),
      grid: { stroke: () => readColour('--line'), width: 1 },
      ticks: { stroke: () => readColour('--line'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
    });
    this.plot = new uPlot(
      {
        width: options.width,
        height: options.height,
        legend: { show: false },
        cursor: {
          sync: { key: options.syncKey, setSeries: false },
          drag: { x: true, y: false },
          points: { size: 6 },
        },
        scales: { x: { time: false } },
        axes: [
          { ...axis(), size: 24 },
          { ...axis(), size: 58, values: (_plot, values) => values.map(formatTick) },
        ],
        series: [
          {},
          ...group.columns.map((_column, index) => ({
            stroke: () => readColour(`--series-${index % COLOURS}`),
            width: 1.5,
            dash: DASHES[Math.floor(index / COLOURS) % DASHES.length],
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [(plot) => options.onCursor(plot.cursor.idx ?? undefined)],
        },
      },
      this.readColumns(options.table),
      options.place,
    );
    // the chart is one element for a screen reader: the slider around it
    this.plot.root.setAttribute('aria-hidden', 'true');
  }

  /** Takes the rows that the table has now, if it has new ones. */
  update(table: MeasureTable): void {
    if (table === this.table && table.revision === this.revision) return;
    this.table = table;
    this.revision = table.revision;
    const isZoomed = this.isZoomed();
    this.plot.setData(this.readColumns(table), !isZoomed);
    if (isZoomed) this.plot.redraw();
  }

  resize(width: number, height: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
  }

  show(index: number, isShown: boolean): void {
    this.plot.setSeries(index + 1, { show: isShown });
  }

  redraw(): void {
    this.plot.redraw(false, true);
  }

  /** Puts the cursor on a row, as the pointer would. */
  point(row: number): void {
    const time = this.plot.data[0][row];
    if (time !== undefined) this.plot.setCursor({ left: this.plot.valToPos(time, 'x'), top: 0 });
  }

  dispose(): void {
    this.plot.destroy();
  }

  /** Does the chart show a part that was selected? A double click shows all again. */
  private isZoomed(): boolean {
    const [time] = this.plot.data;
    const { min, max } = this.plot.scales.x;
    if (time.length < 2 || min == null || max == null) return false;
    return min > time[0] || max < time[time.length - 1];
  }

  private readColumns(table: MeasureTable): uPlot.AlignedData {
    const time = table.find('time');
    return [table.column(time), ...this.group.columns.map((column) => table.column(column))] as uPlot.AlignedData;
  }
}

/** At most six characters. */
function formatTick(value: number): string {
  const plain = String(Number(value.toPrecision(6)));
  return plain.length <= 7 ? plain : value.toExponential(1).replace('e+', 'e');
}
