/**
 * `<heddle-material-bar>`: the material of every curve laid out straight, from u = 0 to its length, with its nodes where
 * they are in the material now. An E-node travels through it; an L-node stands. Of a rod, whose nodes all may travel, it is
 * coloured as in the view, or by curvature under checks, with ticks (`reference-bar.ts`). Pointing at it shows the place in the
 * world; what is pointed at in the world is ringed here.
 *   in   frame, pointed, content (what the view shows)     out  point {point | undefined}
 */
import { type CurveFrame, type Frame, NODE_EIL, NODE_EULERIAN } from 'heddle/model';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { NODE_COLOURS, type OverlayContent } from '../overlay.ts';
import { drawReferenceBar, isRod } from '../reference-bar.ts';
import type { Picked, Point } from './picking.ts';
import { sharedStyles } from './styles.ts';

/** More curves than this are left out: the view is what matters. */
const MOST_ROWS = 4;
const ROW = 16;

/** Place in the world of a material coordinate, on the segment that holds it. */
export function computePlace(curve: CurveFrame, u: number): Point {
  const last = curve.u.length - 2;
  let i = 0;
  while (i < last && curve.u[i + 1] < u) i++;
  const t = Math.min(1, Math.max(0, (u - curve.u[i]) / (curve.u[i + 1] - curve.u[i])));
  const at = (axis: number) => (1 - t) * curve.x[3 * i + axis] + t * curve.x[3 * i + 3 + axis];
  return [at(0), at(1), at(2)];
}

export class HeddleMaterialBar extends LitElement {
  static override properties = {
    frame: { attribute: false },
    pointed: { attribute: false },
    content: { attribute: false },
  };

  declare frame: Frame | undefined;
  declare pointed: Picked | undefined;
  declare content: OverlayContent | undefined;

  get #rows(): readonly CurveFrame[] {
    return (this.frame?.objects ?? []).filter((object) => object.type === 'curve').slice(0, MOST_ROWS);
  }

  #due = 0;
  /** Largest curvature of a rod so far [1/m]. */
  #sharpest = 1e-9;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#due);
  }

  /** Drawn with the next picture of the screen: reading widths at every message would lay out the page each time. */
  protected override updated(): void {
    cancelAnimationFrame(this.#due);
    this.#due = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    if (canvas === null || this.frame === undefined) return;
    const rows = this.#rows;
    this.hidden = rows.length === 0;
    const width = canvas.clientWidth;
    const ratio = Math.min(2, devicePixelRatio);
    canvas.style.height = `${ROW * rows.length}px`;
    const [w, h] = [Math.round(width * ratio), Math.round(ROW * rows.length * ratio)];
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, ROW * rows.length);
    const style = getComputedStyle(this);
    const line = style.getPropertyValue('--line-strong');
    const ink = style.getPropertyValue('--ink');
    for (const [row, curve] of rows.entries()) {
      const { pointed } = this;
      const ringed = pointed?.kind === 'node' && this.frame.objects[pointed.object] === curve ? pointed.node : -1;
      if (isRod(curve)) this.#drawRod(context, curve, ROW * row, width, ink, ringed);
      else this.#drawRow(context, curve, ROW * (row + 0.5), width, line, ringed);
    }
  }

  #drawRod(
    context: CanvasRenderingContext2D,
    curve: CurveFrame,
    top: number,
    width: number,
    ink: string,
    ringed: number,
  ): void {
    // under checks the colours span what the rod has been bent to so far
    this.#sharpest = curve.fields.curvature.reduce((most, value) => Math.max(most, value), this.#sharpest);
    const place = { left: 6, top: top + 1, width: width - 12, height: ROW - 2 };
    const { colour = 'checker', range } = this.content ?? {};
    const isSame = range !== undefined && curve.fields[colour] !== undefined;
    const field = isSame ? { name: colour, range } : { name: 'curvature', range: [0, this.#sharpest] as const };
    drawReferenceBar(context, curve, place, field, ink);
    if (ringed < 0) return;
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(6 + (curve.u[ringed] / curve.restLength) * (width - 12), top + ROW / 2, 7, 0, 2 * Math.PI);
    context.stroke();
  }

  #drawRow(
    context: CanvasRenderingContext2D,
    curve: CurveFrame,
    y: number,
    width: number,
    line: string,
    ringed: number,
  ): void {
    const place = (u: number) => 6 + ((u - curve.u[0]) / Math.max(1e-9, curve.restLength)) * (width - 12);
    context.fillStyle = line;
    context.fillRect(6, y - 1, width - 12, 2);
    for (let i = 0; i < curve.u.length; i++) {
      const kind = curve.kind[i];
      const special = kind === NODE_EULERIAN || kind === NODE_EIL;
      context.fillStyle =
        kind === NODE_EULERIAN ? NODE_COLOURS.eulerian : kind === NODE_EIL ? NODE_COLOURS.eil : NODE_COLOURS.lagrangian;
      context.beginPath();
      context.arc(place(curve.u[i]), y, special ? 5 : 2.8, 0, 2 * Math.PI);
      context.fill();
      if (i !== ringed) continue;
      context.strokeStyle = context.fillStyle;
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(place(curve.u[i]), y, 7, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  #point(event: PointerEvent): void {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const curve = this.#rows[Math.floor(event.offsetY / ROW)];
    if (curve === undefined || curve.u.length < 2) return;
    const part = (event.offsetX - 6) / (canvas.clientWidth - 12);
    this.#tell(computePlace(curve, curve.u[0] + Math.min(1, Math.max(0, part)) * curve.restLength));
  }

  #tell(point: Point | undefined): void {
    this.dispatchEvent(new CustomEvent('point', { detail: { point } }));
  }

  override render(): TemplateResult {
    return html`<span id="name">material</span>
      <canvas role="img" aria-label="The material as a straight bar, with its nodes" @pointermove=${this.#point} @pointerleave=${() => this.#tell(undefined)}></canvas>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host([hidden]) {
        display: none;
      }
      :host {
        display: flex;
        align-items: center;
        gap: 0.75rem;
        padding: 0.35rem 1rem;
        border-top: 1px solid var(--line);
        background: var(--surface);
      }
      span {
        color: var(--ink-soft);
        font-size: 0.75rem;
      }
      canvas {
        flex: 1;
        min-width: 0;
        height: 16px;
        cursor: crosshair;
        touch-action: none;
      }
    `,
  ];
}

customElements.define('heddle-material-bar', HeddleMaterialBar);
