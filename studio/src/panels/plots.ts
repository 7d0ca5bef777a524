/**
 * <heddle-plots>: what a run measures, live. In: `columns`, `units` (one each) and `rows` (Float64, row by row, a whole
 * table), or rows as they come by `addRows`; `name` for the files. Charts load with the first rows and are made when their
 * group is opened. All of them show the same part of time and point at the same moment.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { MeasureTable } from './measure-table.ts';
import type { PlotChart, Span } from './plot-chart.ts';
import { downloadMeasures } from './plot-files.ts';
import { type Gestures, takePress, takeWheel } from './plot-gestures.ts';
import { computeGroups, type PlotGroup } from './plot-groups.ts';
import { describeRow, formatReading, type LegendOptions, renderLegend, renderReadout } from './plot-readings.ts';
import { computePanned, computeShowing, computeZoomed } from './plot-span.ts';
import { plotStyles } from './plot-styles.ts';
import { PAN, renderZoom, ZOOM, type Zoomable } from './plot-zoom.ts';
import { panelStyles } from './styles.ts';

const HEIGHT = 164;
/** Most probes that are listed. */
const MOST_PROBES = 100;
/** Probes whose charts are open at first. */
const FIRST_PROBES = 2;

export class HeddlePlots extends LitElement implements Zoomable {
  static override styles = [panelStyles, plotStyles];
  static override properties = {
    columns: { attribute: false },
    units: { attribute: false },
    rows: { attribute: false },
    name: { type: String },
    row: { state: true },
    pointed: { state: true },
    span: { state: true },
  };
  declare columns: readonly string[];
  declare units: readonly string[];
  declare rows: Float64Array | undefined;
  declare name: string;
  /** Row under the cursor; undefined: the latest. */
  declare private row: number | undefined;
  /** Group whose chart the pointer or the keys are in. */
  declare private pointed: string;
  /** Part of time that is shown; undefined: all. */
  declare span: Span | undefined;

  private table = new MeasureTable([]);
  private groups: PlotGroup[] = [];
  private readonly open = new Set<string>();
  private readonly hiddenLines = new Set<string>();
  private readonly charts = new Map<string, PlotChart>();
  private module: typeof import('./plot-chart.ts') | undefined;
  private readonly syncKey = `heddle-plots-${Math.random()}`;
  private resizes: ResizeObserver | undefined;
  private themes: MutationObserver | undefined;
  private readonly scheme = matchMedia('(prefers-color-scheme: dark)');
  private frame = 0;

  constructor() {
    super();
    this.columns = [];
    this.units = [];
    this.rows = undefined;
    this.name = 'scene';
    this.row = undefined;
    this.pointed = '';
    this.span = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes = new ResizeObserver(() => this.resizeCharts());
    this.resizes.observe(this);
    this.themes = new MutationObserver(() => this.redraw());
    this.themes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['class', 'style', 'data-theme'],
    });
    this.scheme.addEventListener('change', this.redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes?.disconnect();
    this.themes?.disconnect();
    this.scheme.removeEventListener('change', this.redraw);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.disposeCharts();
  }

  /** Adds rows as they come (`measures` of the simulation); rows of an earlier step replace what followed. */
  addRows(columns: readonly string[], rows: ArrayBuffer | Float64Array, units: readonly string[] = []): void {
    if (!isSame(columns, this.table.columns) || !isSame(units, this.table.units)) this.begin(columns, units);
    this.table.append(rows instanceof Float64Array ? rows : new Float64Array(rows));
    this.scheduleDrawing();
  }

  /** Forgets all rows; the open groups stay open. */
  clear(): void {
    this.table = new MeasureTable(this.table.columns, this.table.units);
    this.scheduleDrawing();
  }

  /** Number of charts that exist; they are made once and fed on. */
  get chartCount(): number {
    return this.charts.size;
  }

  private begin(columns: readonly string[], units: readonly string[]): void {
    this.disposeCharts();
    this.table = new MeasureTable(columns, units);
    this.groups = computeGroups(this.table);
    this.hiddenLines.clear();
    this.row = undefined;
    this.span = undefined;
    const probes = this.groups.filter((group) => group.isProbe).slice(0, FIRST_PROBES);
    for (const { id } of [...probes, ...this.groups.filter((group) => group.id === 'energies')]) this.open.add(id);
    this.requestUpdate();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (!changes.has('columns') && !changes.has('rows')) return;
    const { columns, units } = this;
    if (columns.length === 0) return;
    if (!isSame(columns, this.table.columns) || !isSame(units, this.table.units)) this.begin(columns, units);
    const rows = this.rows ?? new Float64Array(0);
    // a table that only grew is fed on; copying all of it at every frame would cost more and more
    if (!this.table.isStartOf(rows)) this.table = new MeasureTable(columns, units);
    this.table.append(rows.subarray(this.table.length * columns.length));
  }

  protected override updated(changes: PropertyValues): void {
    this.makeCharts();
    if (!changes.has('span')) return;
    for (const chart of this.charts.values()) chart.show(this.span);
    // what stands beside the cursor follows
    this.scheduleDrawing();
  }

  /** Many appends make one drawing. */
  private scheduleDrawing(): void {
    if (this.frame !== 0 || !this.isConnected) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.requestUpdate();
    });
  }

  private async makeCharts(): Promise<void> {
    if (this.table.length === 0 && this.charts.size === 0) return;
    this.module ??= await import('./plot-chart.ts');
    if (!this.isConnected) return;
    for (const group of this.groups) {
      const place = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(`chart-${group.id}`)}`);
      const chart = this.charts.get(group.id);
      if (place === null) {
        chart?.dispose();
        this.charts.delete(group.id);
      } else if (chart === undefined) this.makeChart(group, place);
      else chart.update(this.table);
    }
  }

  private makeChart(group: PlotGroup, place: HTMLElement): void {
    const { PlotChart } = this.module!;
    const chart = new PlotChart({
      group,
      table: this.table,
      place,
      width: place.clientWidth,
      height: HEIGHT,
      syncKey: this.syncKey,
      readColour: (name) => this.readColour(name),
      onCursor: (row) => (this.row = row),
      onSpan: (span) => (this.span = span),
    });
    this.charts.set(group.id, chart);
    if (this.span !== undefined) chart.show(this.span);
    group.names.forEach((name, index) => {
      if (this.hiddenLines.has(`${group.id} ${name}`)) chart.showLine(index, false);
    });
  }

  private disposeCharts(): void {
    for (const chart of this.charts.values()) chart.dispose();
    this.charts.clear();
  }

  private resizeCharts(): void {
    for (const [id, chart] of this.charts) {
      const place = this.renderRoot.querySelector(`#${CSS.escape(`chart-${id}`)}`);
      if (place !== null) chart.resize(place.clientWidth, HEIGHT);
    }
    this.scheduleDrawing();
  }

  private readonly redraw = (): void => {
    for (const chart of this.charts.values()) chart.redraw();
  };

  /** A custom property as a colour that a canvas understands: light-dark() and var() resolved. */
  private readColour(name: string): string {
    const probe = this.renderRoot.querySelector<HTMLElement>('.probe');
    if (probe === null) return '#888';
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  }

  protected override render(): TemplateResult {
    const probes = this.groups.filter((group) => group.isProbe);
    const [first, ...rest] = this.groups.filter((group) => !group.isProbe);
    const isEmpty = this.table.length === 0;
    return html`
      <span class="probe" aria-hidden="true"></span>
      <div class="bar">
        <span class="time">${isEmpty ? 'No measurements yet' : `t = ${this.readTime()} s`}</span>
        ${isEmpty ? nothing : renderZoom(this)}
        <span class="files">
          <button ?disabled=${isEmpty || probes.length === 0} @click=${() => downloadMeasures(this.table, this.name, false)}>Probes as CSV</button>
          <button ?disabled=${isEmpty} @click=${() => downloadMeasures(this.table, this.name, true)}>All as CSV</button>
        </span>
      </div>
      ${first === undefined ? nothing : this.renderGroup(first)}
      ${probes.length === 0 ? nothing : html`<h3>Probes</h3>`}
      ${probes.slice(0, MOST_PROBES).map((group) => this.renderGroup(group))}
      ${probes.length > MOST_PROBES ? html`<p class="faint">${probes.length - MOST_PROBES} more are in the CSV.</p>` : nothing}
      ${rest.length === 0 ? nothing : html`<h3>Run</h3>`} ${rest.map((group) => this.renderGroup(group))}
    `;
  }

  private get shownRow(): number {
    return Math.min(this.row ?? this.table.length - 1, this.table.length - 1);
  }

  private readTime(): string {
    return formatReading(this.table.column(this.table.find('time'))[this.shownRow]);
  }

  private renderGroup(group: PlotGroup): TemplateResult {
    const isOpen = this.open.has(group.id);
    return html`<details ?open=${isOpen} @toggle=${(event: Event) => this.toggle(event, group.id)}>
      <summary>${group.title}${group.unit === '' ? nothing : html` <span class="faint">${group.unit}</span>`}</summary>
      ${isOpen ? html`<div class="box">${this.renderChart(group)}</div>${renderLegend(this.describeLines(group))}` : nothing}
    </details>`;
  }

  /** The chart is a slider over time: arrows move the cursor, and what it reads is said. */
  private renderChart(group: PlotGroup): TemplateResult {
    const gestures: Gestures = {
      zoom: (factor, share) => this.zoom(factor, share),
      pan: (share) => this.pan(share),
    };
    return html`<div
        class="chart"
        id=${`chart-${group.id}`}
        role="slider"
        tabindex="0"
        aria-label=${`${group.title}${group.unit === '' ? '' : ` in ${group.unit}`} over time`}
        aria-valuemin="0"
        aria-valuemax=${Math.max(0, this.table.length - 1)}
        aria-valuenow=${Math.max(0, this.shownRow)}
        aria-valuetext=${describeRow(this.table, group, this.shownRow)}
        @keydown=${(event: KeyboardEvent) => this.takeKey(event, group)}
        @pointerenter=${() => (this.pointed = group.id)}
        @focus=${() => (this.pointed = group.id)}
        @wheel=${{ handleEvent: (event: WheelEvent) => takeWheel(event, gestures), passive: false }}
        @mousedown=${{ handleEvent: (event: MouseEvent) => takePress(event, gestures), capture: true }}
      ></div>
      ${this.renderReadout(group)}`;
  }

  private describeLines(group: PlotGroup): LegendOptions {
    const keyOf = (index: number) => `${group.id} ${group.names[index]}`;
    return {
      table: this.table,
      group,
      row: this.shownRow,
      isShown: (index) => !this.hiddenLines.has(keyOf(index)),
      toggle: (index) => this.toggleLine(group, index, keyOf(index)),
    };
  }

  private renderReadout(group: PlotGroup): TemplateResult | typeof nothing {
    const chart = this.charts.get(group.id);
    if (this.row === undefined || this.pointed !== group.id || chart === undefined) return nothing;
    const left = chart.placeOf(this.shownRow);
    return left === undefined ? nothing : renderReadout(this.describeLines(group), left, chart.width);
  }

  private toggle(event: Event, id: string): void {
    const { open } = event.currentTarget as HTMLDetailsElement;
    if (open === this.open.has(id)) return;
    if (open) this.open.add(id);
    else this.open.delete(id);
    this.requestUpdate();
  }

  private toggleLine(group: PlotGroup, index: number, key: string): void {
    if (!this.hiddenLines.delete(key)) this.hiddenLines.add(key);
    this.charts.get(group.id)?.showLine(index, !this.hiddenLines.has(key));
    this.requestUpdate();
  }

  /** The times measured so far [s]. */
  private get times(): Float64Array {
    return this.table.column(this.table.find('time'));
  }

  private get whole(): Span {
    return [this.times[0] ?? 0, this.times.at(-1) ?? 0];
  }

  /** Zooms about the moment at a share of what is shown; without one, about the cursor. */
  zoom(factor: number, share?: number): void {
    const [from, to] = this.span ?? this.whole;
    const cursor = this.row === undefined ? (from + to) / 2 : this.times[this.shownRow];
    const centre = share === undefined ? cursor : from + share * (to - from);
    this.span = computeZoomed(this.span, this.whole, centre, factor);
  }

  pan(share: number): void {
    this.span = computePanned(this.span, this.whole, share);
  }

  /** Arrows move the cursor, with Shift what is shown; + and − zoom, 0 shows all. */
  private takeKey(event: KeyboardEvent, group: PlotGroup): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    if (key === '+' || key === '=') this.zoom(ZOOM);
    else if (key === '-') this.zoom(1 / ZOOM);
    else if (key === '0') this.span = undefined;
    else if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) this.pan(key === 'ArrowLeft' ? -PAN : PAN);
    else if (!this.moveCursor(key, group)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private moveCursor(key: string, group: PlotGroup): boolean {
    const last = this.table.length - 1;
    const large = Math.max(1, Math.round(last / 20));
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -large, PageUp: large };
    const row = key === 'Home' ? 0 : key === 'End' ? last : this.shownRow + (moves[key] ?? Number.NaN);
    if (Number.isNaN(row)) return false;
    this.row = Math.min(last, Math.max(0, row));
    this.pointed = group.id;
    this.span = computeShowing(this.span, this.whole, this.times[this.row]);
    const chart = this.charts.get(group.id);
    chart?.show(this.span);
    chart?.point(this.row);
    return true;
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();

if (customElements.get('heddle-plots') === undefined) customElements.define('heddle-plots', HeddlePlots);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-plots': HeddlePlots;
  }
}
