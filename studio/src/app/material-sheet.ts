/**
 * `<heddle-material-sheet>`: the material mesh of a sheet, flat, beside the world: triangles at X, creases and E-nodes where
 * they are in the material now, coloured as in the world. Pointing at it shows the place in the world; what is pointed at in the
 * world is ringed here.
 *   in   frame, content (how the view draws), pointed     out  point {point | undefined}
 */
import { createMeshLocation, MeshLocator } from 'heddle/geometry';
import { type Frame, NODE_EIL, NODE_LAGRANGIAN, type SurfaceFrame } from 'heddle/model';
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { computeColour } from '../colour-map.ts';
import { NODE_COLOURS, type OverlayContent } from '../overlay.ts';
import { SHEET_COLOURS } from '../surface-material.ts';
import type { Picked, Point } from './picking.ts';
import { sharedStyles } from './styles.ts';

/** Free space around the mesh [CSS pixels]. */
const MARGIN = 14;

/** The sheet that is laid out: the first of the frame. */
export function findSheet(frame: Frame | undefined): SurfaceFrame | undefined {
  return frame?.objects.find((object) => object.type === 'surface');
}

/** Where the material lies on the canvas: pixel = offset + scale · X, the second axis upwards. */
interface Layout {
  readonly scale: number;
  readonly left: number;
  readonly bottom: number;
}

export function computeLayout({ X }: SurfaceFrame, width: number, height: number): Layout {
  let [low, high, lowest, highest] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < X.length; i += 2) {
    low = Math.min(low, X[i]);
    high = Math.max(high, X[i]);
    lowest = Math.min(lowest, X[i + 1]);
    highest = Math.max(highest, X[i + 1]);
  }
  const across = Math.max(1e-9, high - low);
  const up = Math.max(1e-9, highest - lowest);
  const scale = Math.max(1e-9, Math.min((width - 2 * MARGIN) / across, (height - 2 * MARGIN) / up));
  return {
    scale,
    left: 0.5 * (width - scale * across) - scale * low,
    bottom: 0.5 * (height + scale * up) + scale * lowest,
  };
}

export class HeddleMaterialSheet extends LitElement {
  static override properties = {
    frame: { attribute: false },
    content: { attribute: false },
    pointed: { attribute: false },
  };

  declare frame: Frame | undefined;
  declare content: OverlayContent | undefined;
  declare pointed: Picked | undefined;
  /** The material point under the pointer here. */
  #here: readonly [number, number] | undefined;
  #locator: { readonly of: SurfaceFrame; readonly locator: MeshLocator } | undefined;
  #due = 0;
  readonly #observer = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#due);
  }

  /** Where a material point is drawn, in CSS pixels from the upper left corner of the canvas. */
  locate(X: readonly [number, number]): { readonly x: number; readonly y: number } | undefined {
    const canvas = this.renderRoot.querySelector('canvas');
    const sheet = findSheet(this.frame);
    if (canvas === null || sheet === undefined) return undefined;
    const { scale, left, bottom } = computeLayout(sheet, canvas.clientWidth, canvas.clientHeight);
    return { x: left + scale * X[0], y: bottom - scale * X[1] };
  }

  /** Drawn with the next picture of the screen: a run sends more frames than can be seen. */
  protected override updated(changed: PropertyValues<this>): void {
    // the material under a resting pointer moves on
    if (changed.has('frame') && this.#here !== undefined) this.#tell(this.#here);
    cancelAnimationFrame(this.#due);
    this.#due = requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const sheet = findSheet(this.frame);
    if (canvas === null || sheet === undefined) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = Math.min(2, devicePixelRatio);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#draw(context, sheet, computeLayout(sheet, width, height));
  }

  #draw(context: CanvasRenderingContext2D, sheet: SurfaceFrame, layout: Layout): void {
    const place = (vertex: number) =>
      [
        layout.left + layout.scale * sheet.X[2 * vertex],
        layout.bottom - layout.scale * sheet.X[2 * vertex + 1],
      ] as const;
    const path = new Path2D();
    for (let t = 0; t < sheet.triangles.length; t += 3) addTriangle(path, sheet.triangles, t, place);
    this.#fill(context, sheet, layout, path, place);
    context.strokeStyle = 'rgb(29 32 39 / 40%)';
    context.lineWidth = 0.5;
    context.stroke(path);
    context.strokeStyle = NODE_COLOURS.eulerian;
    context.lineWidth = 2;
    context.beginPath();
    for (let c = 0; c < sheet.creases.length; c += 2) {
      context.moveTo(...place(sheet.creases[c]));
      context.lineTo(...place(sheet.creases[c + 1]));
    }
    context.stroke();
    for (let v = 0; v < sheet.kind.length; v++) {
      if (sheet.kind[v] === NODE_LAGRANGIAN) continue;
      drawDot(context, ...place(v), sheet.kind[v] === NODE_EIL ? NODE_COLOURS.eil : NODE_COLOURS.eulerian);
    }
    this.#ring(context, layout);
  }

  /** Checks or colours, as in the world. */
  #fill(
    context: CanvasRenderingContext2D,
    sheet: SurfaceFrame,
    layout: Layout,
    path: Path2D,
    place: (vertex: number) => readonly [number, number],
  ): void {
    const { content } = this;
    const values = content === undefined ? undefined : sheet.fields[content.colour];
    if (content === undefined || content.colour === 'checker' || values === undefined) {
      context.fillStyle = createChecks(context, layout, content?.check ?? 1);
      context.fill(path);
      return;
    }
    const [low, high] = content.range;
    for (let t = 0; t < sheet.triangles.length; t += 3) {
      const [a, b, c] = sheet.triangles.subarray(t, t + 3);
      const mean = (values[a] + values[b] + values[c]) / 3;
      const triangle = new Path2D();
      addTriangle(triangle, sheet.triangles, t, place);
      context.fillStyle = `rgb(${computeColour((mean - low) / (high - low)).join(' ')})`;
      context.fill(triangle);
    }
  }

  /** Rings what is pointed at in the world, or here. */
  #ring(context: CanvasRenderingContext2D, { left, bottom, scale }: Layout): void {
    const { pointed } = this;
    const isHere = pointed?.kind === 'node' && this.frame?.objects[pointed.object] === findSheet(this.frame);
    const material = this.#here ?? (isHere ? pointed.material : undefined);
    if (material === undefined) return;
    context.strokeStyle = '#ff8a00';
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(left + scale * material[0], bottom - scale * material[1], 8, 0, 2 * Math.PI);
    context.stroke();
  }

  #point(event: PointerEvent): void {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const sheet = findSheet(this.frame);
    if (sheet === undefined) return;
    const { left, bottom, scale } = computeLayout(sheet, canvas.clientWidth, canvas.clientHeight);
    this.#tell([(event.offsetX - left) / scale, (bottom - event.offsetY) / scale]);
    this.requestUpdate();
  }

  #leave(): void {
    this.#here = undefined;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('point', { detail: { point: undefined } }));
  }

  /** Tells where the material point (or the nearest one of the sheet) is in the world. */
  #tell([X, Y]: readonly [number, number]): void {
    const sheet = findSheet(this.frame);
    if (sheet === undefined || sheet.triangles.length === 0) return;
    if (this.#locator?.of !== sheet) this.#locator = { of: sheet, locator: new MeshLocator(sheet.X, sheet.triangles) };
    const location = createMeshLocation();
    this.#locator.locator.writeLocation(X, Y, location);
    const { weights, triangle } = location;
    const blend = (values: Float64Array, width: number, axis: number) =>
      weights.reduce((sum, w, k) => sum + w * values[width * sheet.triangles[3 * triangle + k] + axis], 0);
    this.#here = [blend(sheet.X, 2, 0), blend(sheet.X, 2, 1)];
    const point: Point = [blend(sheet.x, 3, 0), blend(sheet.x, 3, 1), blend(sheet.x, 3, 2)];
    this.dispatchEvent(new CustomEvent('point', { detail: { point } }));
  }

  override render(): TemplateResult {
    return html`<canvas
        role="img"
        aria-label="The material of the sheet laid flat, with its mesh and creases"
        @pointermove=${this.#point}
        @pointerleave=${this.#leave}
      ></canvas>
      <span>material</span>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        position: relative;
        display: block;
        min-width: 0;
        border-left: 1px solid var(--line);
        background: var(--surface);
      }
      canvas {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        cursor: crosshair;
        touch-action: none;
      }
      span {
        position: absolute;
        top: 0.75rem;
        left: 1rem;
        color: var(--ink-soft);
        font-size: 0.75rem;
        pointer-events: none;
      }
    `,
  ];
}

function addTriangle(
  path: Path2D,
  triangles: Int32Array,
  first: number,
  place: (vertex: number) => readonly [number, number],
): void {
  path.moveTo(...place(triangles[first]));
  path.lineTo(...place(triangles[first + 1]));
  path.lineTo(...place(triangles[first + 2]));
  path.closePath();
}

function drawDot(context: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, 3, 0, 2 * Math.PI);
  context.fill();
}

/** Two by two checks of the material, repeated. */
function createChecks(context: CanvasRenderingContext2D, layout: Layout, check: number): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 64;
  const brush = tile.getContext('2d')!;
  brush.fillStyle = SHEET_COLOURS[1];
  brush.fillRect(0, 0, 64, 64);
  brush.fillStyle = SHEET_COLOURS[0];
  brush.fillRect(0, 32, 32, 32);
  brush.fillRect(32, 0, 32, 32);
  const pattern = context.createPattern(tile, 'repeat');
  const size = (layout.scale * check) / 32;
  // checks smaller than two pixels would shimmer
  if (pattern === null || size * 32 < 2) return SHEET_COLOURS[1];
  pattern.setTransform(new DOMMatrix([size, 0, 0, size, layout.left, layout.bottom]));
  return pattern;
}

customElements.define('heddle-material-sheet', HeddleMaterialSheet);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-material-sheet': HeddleMaterialSheet;
  }
}
