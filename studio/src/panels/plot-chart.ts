/**
 * One chart of uPlot over a measure table. It is made once; new rows only replace its columns. Colours are read from the
 * page at every drawing, so that a change of theme needs nothing but a redraw.
 */

import uPlot from 'uplot';
import type { MeasureTable } from './measure-table.ts';
import { COLOURS } from './plot-colours.ts';
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
  /** A part of time [s] was chosen; undefined: all of it. */
  readonly onSpan: (span: Span | undefined) => void;
}

/** From and to [s]. */
export type Span = readonly [number, number];

/** Lines that share a colour are told apart by dashes. */
const DASHES: readonly number[][] = [[], [6, 3], [2, 3]];

const FONT = '11px system-ui, sans-serif';

export class PlotChart {
  readonly group: PlotGroup;
  private readonly plot: uPlot;
  private table: MeasureTable;
  private revision: number;
  private span: Span | undefined;

  constructor(options: ChartOptions) {
    this.group = options.group;
    this.table = options.table;
    this.revision = options.table.revision;
    const { readColour, group } = options;
    const axis = (): uPlot.Axis => ({
      stroke: () => readColour('--faint'),
      grid: { stroke: () => readColour('--line'), width: 1 },
      ticks: { stroke: () => readColour('--line'), width: 1, size: 4 },
      font: FONT,
    });
    this.plot = new uPlot(
      {
        width: options.width,
        height: options.height,
        legend: { show: false },
        cursor: {
          sync: { key: options.syncKey, setSeries: false },
          drag: { x: true, y: false, setScale: false },
          points: { size: 6 },
          bind: {
            dblclick: () => () => {
              options.onSpan(undefined);
              return null;
            },
          },
        },
        scales: { x: { time: false } },
        axes: [
          { ...axis(), size: 24, label: 't [s]', labelSize: 14, labelFont: FONT },
          {
            ...axis(),
            size: 50,
            values: (_plot, values) => values.map(formatTick),
            ...(group.unit === '' ? {} : { label: group.unit, labelSize: 16, labelFont: FONT }),
          },
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
          setSelect: [(plot) => this.takeSelection(plot, options)],
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
    this.plot.setData(this.readColumns(table), this.span === undefined);
    if (this.span !== undefined) this.plot.redraw();
  }

  /** Shows a part of time, or all of it. */
  show(span: Span | undefined): void {
    this.span = span;
    const [time] = this.plot.data;
    const [min, max] = span ?? [time[0], time[time.length - 1]];
    if (time.length > 1 && max > min) this.plot.setScale('x', { min, max });
  }

  /** A selection chooses a part of time and goes away. */
  private takeSelection(plot: uPlot, options: ChartOptions): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    options.onSpan([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  resize(width: number, height: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
  }

  showLine(index: number, isShown: boolean): void {
    this.plot.setSeries(index + 1, { show: isShown });
  }

  redraw(): void {
    this.plot.redraw(false, true);
  }

  get width(): number {
    return this.plot.width;
  }

  /** Puts the cursor on a row, as the pointer would. */
  point(row: number): void {
    const time = this.plot.data[0][row];
    if (time !== undefined) this.plot.setCursor({ left: this.plot.valToPos(time, 'x'), top: 0 });
  }

  dispose(): void {
    this.plot.destroy();
  }

  /** Where a row stands [px from the left of the chart]. */
  placeOf(row: number): number | undefined {
    const time = this.plot.data[0][row];
    return time === undefined ? undefined : this.plot.valToPos(time, 'x') + this.plot.over.offsetLeft;
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
