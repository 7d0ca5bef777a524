/**
 * <heddle-plots>: what a run measures, live. In: `columns` and `rows` (Float64, row by row, a whole table), or rows as
 * they come by `addRows`; `name` for the files. Charts load with the first rows and are made when their group is opened.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { MeasureTable } from './measure-table.ts';
import type { PlotChart } from './plot-chart.ts';
import { computeGroups, encodeMeasures, type PlotGroup } from './plot-groups.ts';
import { plotStyles } from './plot-styles.ts';
import { panelStyles } from './styles.ts';

const HEIGHT = 150;
/** Most probes that are listed. */
const MOST_PROBES = 100;
/** Probes whose charts are open at first. */
const FIRST_PROBES = 2;
const COLOURS = 6;

export class HeddlePlots extends LitElement {
  static override styles = [panelStyles, plotStyles];
  static override properties = {
    columns: { attribute: false },
    rows: { attribute: false },
    name: { type: String },
    row: { state: true },
  };
  declare columns: readonly string[];
  declare rows: Float64Array | undefined;
  declare name: string;
  /** Row under the cursor; undefined: the latest. */
  declare private row: number | undefined;

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
    this.rows = undefined;
    this.name = 'scene';
    this.row = undefined;
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
  addRows(columns: readonly string[], rows: ArrayBuffer | Float64Array): void {
    if (columns.join() !== this.table.columns.join()) this.begin(columns);
    this.table.append(rows instanceof Float64Array ? rows : new Float64Array(rows));
    this.scheduleDrawing();
  }

  /** Forgets all rows; the open groups stay open. */
  clear(): void {
    this.table = new MeasureTable(this.table.columns);
    this.scheduleDrawing();
  }

  /** Number of charts that exist; they are made once and fed on. */
  get chartCount(): number {
    return this.charts.size;
  }

  private begin(columns: readonly string[]): void {
    this.disposeCharts();
    this.table = new MeasureTable(columns);
    this.groups = computeGroups(columns);
    this.hiddenLines.clear();
    this.row = undefined;
    const probes = this.groups.filter((group) => group.isProbe).slice(0, FIRST_PROBES);
    for (const { id } of [...probes, ...this.groups.filter((group) => group.id === 'energies')]) this.open.add(id);
    this.requestUpdate();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (!changes.has('columns') && !changes.has('rows')) return;
    if (this.columns.length === 0) return;
    if (this.columns.join() !== this.table.columns.join()) this.begin(this.columns);
    const rows = this.rows ?? new Float64Array(0);
    // a table that only grew is fed on; copying all of it at every frame would cost more and more
    if (!this.table.isStartOf(rows)) this.table = new MeasureTable(this.columns);
    this.table.append(rows.subarray(this.table.length * this.columns.length));
  }

  protected override updated(): void {
    this.makeCharts();
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
    });
    this.charts.set(group.id, chart);
    group.names.forEach((name, index) => {
      if (this.hiddenLines.has(`${group.id} ${name}`)) chart.show(index, false);
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

  private download(isWhole: boolean): void {
    const blob = new Blob(encodeMeasures(this.table, isWhole), { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${this.name}-${isWhole ? 'measures' : 'probes'}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  protected override render(): TemplateResult {
    const probes = this.groups.filter((group) => group.isProbe);
    const [first, ...rest] = this.groups.filter((group) => !group.isProbe);
    const isEmpty = this.table.length === 0;
    return html`
      <span class="probe" aria-hidden="true"></span>
      <div class="bar">
        <span class="time">${isEmpty ? 'Nothing measured yet' : `t = ${this.readTime()} s`}</span>
        <button ?disabled=${isEmpty || probes.length === 0} @click=${() => this.download(false)}>Probes as CSV</button>
        <button ?disabled=${isEmpty} @click=${() => this.download(true)}>All as CSV</button>
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
      ${isOpen ? html`${this.renderChart(group)}${this.renderLegend(group)}` : nothing}
    </details>`;
  }

  /** The chart is a slider over time: arrows move the cursor, and what it reads is said. */
  private renderChart(group: PlotGroup): TemplateResult {
    const { length } = this.table;
    const values = group.columns.map(
      (column, i) => `${group.names[i]} ${formatReading(this.table.column(column)[this.shownRow])}`,
    );
    return html`<div
      class="chart"
      id=${`chart-${group.id}`}
      role="slider"
      tabindex="0"
      aria-label=${`${group.title} over time`}
      aria-valuemin="0"
      aria-valuemax=${Math.max(0, length - 1)}
      aria-valuenow=${Math.max(0, this.shownRow)}
      aria-valuetext=${length === 0 ? 'nothing measured yet' : `${this.readTime()} s: ${values.join(', ')} ${group.unit}`}
      @keydown=${(event: KeyboardEvent) => this.takeKey(event, group)}
    ></div>`;
  }

  private renderLegend(group: PlotGroup): TemplateResult {
    return html`<ul class="legend">
      ${group.columns.map((column, index) => {
        const key = `${group.id} ${group.names[index]}`;
        const isShown = !this.hiddenLines.has(key);
        const value = this.table.length === 0 ? '' : formatReading(this.table.column(column)[this.shownRow]);
        const swatch = `border-color: var(--series-${index % COLOURS}); border-style: ${['solid', 'dashed', 'dotted'][Math.floor(index / COLOURS) % 3]}`;
        return html`<li>
          <button class="plain" aria-pressed=${isShown ? 'true' : 'false'} @click=${() => this.toggleLine(group, index, key)}>
            <span class="swatch" .style=${swatch}></span>${group.names[index]}
          </button>
          <output>${value}</output>
        </li>`;
      })}
    </ul>`;
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
    this.charts.get(group.id)?.show(index, !this.hiddenLines.has(key));
    this.requestUpdate();
  }

  private takeKey(event: KeyboardEvent, group: PlotGroup): void {
    const last = this.table.length - 1;
    const large = Math.max(1, Math.round(last / 20));
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -large, PageUp: large };
    const row =
      event.key === 'Home' ? 0 : event.key === 'End' ? last : this.shownRow + (moves[event.key] ?? Number.NaN);
    if (Number.isNaN(row)) return;
    event.preventDefault();
    this.row = Math.min(last, Math.max(0, row));
    this.charts.get(group.id)?.point(this.row);
  }
}

/** Six digits: enough to read, short enough not to jump about. */
function formatReading(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}

if (customElements.get('heddle-plots') === undefined) customElements.define('heddle-plots', HeddlePlots);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-plots': HeddlePlots;
  }
}
