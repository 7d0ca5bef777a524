/**
 * `<heddle-viewport>`: a SceneView that fills its box, with camera, key, grabbing and the spring that pulls.
 *   in   shown, limits, frame, pull, settings, highlight, caption, allows
 *   out  grab {picked}, drag {point}, release, camera (after a move of the user), describe (it draws with another key)
 */
import { collectBodyVertices } from 'heddle/io';
import { addFrameToLimits, addLimits, type Frame, type FrameLimits } from 'heddle/model';
import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { computeFraming, framesSame } from '../framing.ts';
import type { OverlayContent } from '../overlay.ts';
import { type LiveSettings, SceneView } from '../view.ts';
import { CameraControl } from './camera-control.ts';
import { DrawFence } from './draw-fence.ts';
import { GrabControl } from './grab-control.ts';
import { renderLegend } from './legend.ts';
import type { Picked, Point } from './picking.ts';
import type { Pull, Shown } from './player.ts';
import { computeSpringPath } from './spring.ts';
import { sharedStyles } from './styles.ts';
import { ThemeController } from './theme.ts';
import { viewportStyles } from './viewport-styles.ts';

/** Light enough that the dark checks stay visible. */
const DARK_BACKGROUND = '#3b3f49';
const NOTHING = { frame: undefined, limits: undefined } as const;

export class HeddleViewport extends LitElement {
  static override properties = {
    shown: { attribute: false },
    limits: { attribute: false },
    frame: { attribute: false },
    pull: { attribute: false },
    settings: { attribute: false },
    highlight: { attribute: false },
    caption: {},
    allows: { attribute: false, hasChanged: () => false },
    hovered: { state: true },
  };
  static override styles = [sharedStyles, viewportStyles];

  declare shown: Shown | undefined;
  /** What all frames so far span. */
  declare limits: FrameLimits | undefined;
  declare frame: Frame | undefined;
  declare pull: Pull | null;
  declare settings: LiveSettings;
  /** A world point to ring, for example from the material bar. */
  declare highlight: Point | undefined;
  declare caption: string;
  /** Whether something may be grabbed. */
  declare allows: (picked: Picked) => boolean;
  declare hovered: Picked | undefined;
  readonly #theme = new ThemeController(this);
  readonly #observer = new ResizeObserver(() => {
    this.#fit();
    this.requestUpdate();
  });
  #view: SceneView | undefined;
  #fence: DrawFence | undefined;
  #camera: CameraControl | undefined;
  #grab: GrabControl | undefined;
  /** What was seen, and what of it camera, light and ground were last set to. */
  #seen: FrameLimits | undefined;
  #framed: FrameLimits | undefined;
  #made: readonly unknown[] = [];
  /** A frame of the scene before: it is not of what is shown now. */
  #old: Frame | undefined;
  /** What the view shows. */
  #drawn: { readonly frame: Frame | undefined; readonly limits: FrameLimits | undefined } = NOTHING;
  #due = 0;

  constructor() {
    super();
    this.pull = null;
    this.settings = {};
    this.caption = '';
    this.allows = () => false;
  }

  /** The camera, for views that move together. */
  get camera(): CameraControl | undefined {
    return this.#camera;
  }

  /** The canvas that the graphics card draws on, for films. */
  get canvas(): HTMLCanvasElement | null {
    return this.#view?.element.querySelector('canvas') ?? null;
  }

  /** Where a point of the world is drawn, in CSS pixels from the upper left corner. */
  locate(point: Point): { readonly x: number; readonly y: number } | undefined {
    return this.#view?.project(point);
  }

  /** What there is to write about the picture: colours, ranges and checks as they are drawn. */
  describe(): OverlayContent | undefined {
    return this.#view?.describe();
  }

  /** The picture with its writing. */
  capture(): HTMLCanvasElement | undefined {
    return this.#view?.capture();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
    // after being moved in the page the view is made anew
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#due);
    this.#disposeView();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    // of another scene the frame comes after it
    if (changed.has('shown')) this.#old = changed.has('frame') ? undefined : this.frame;
    const wanted = [this.shown, this.#theme.dark];
    if (wanted.some((part, i) => part !== this.#made[i])) this.#makeView(wanted);
    else if (changed.has('settings') && this.#view !== undefined) {
      this.#view.takeSettings(this.settings);
      this.#drawn = NOTHING;
      this.#draw();
    }
    if (changed.has('frame')) this.#draw();
  }

  #disposeView(): void {
    this.#grab?.dispose();
    this.#camera?.dispose();
    this.#view?.dispose();
    this.#grab = this.#camera = this.#view = undefined;
    this.#drawn = NOTHING;
    this.#made = [];
  }

  #makeView(wanted: readonly unknown[]): void {
    const before = this.#camera;
    const sameScene = this.#made[0] !== undefined && this.#made[0] === wanted[0];
    const kept = sameScene && before?.isMoved ? before.place() : undefined;
    this.#disposeView();
    this.#made = wanted;
    this.#legend = '';
    const { shown } = this;
    if (shown === undefined) return;
    const { width, height } = this.#size();
    if (!sameScene || this.#seen === undefined) this.#seen = structuredClone(shown.limits);
    this.#framed = computeFraming(shown.limits, this.#seen);
    const { view: settings = {} } = shown.scene;
    const background = settings.background ?? (this.#theme.dark ? DARK_BACKGROUND : undefined);
    this.#view = new SceneView({
      scene: { ...shown.scene, view: { ...settings, ...this.settings, background } },
      bodies: shown.bodies,
      limits: this.#framed,
      width,
      height,
      pixelRatio: Math.min(2, devicePixelRatio),
      writing: false,
    });
    this.#fence = new DrawFence(this.canvas!);
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage')!;
    stage.prepend(this.#view.element);
    this.#grab = new GrabControl(stage, () => this.#see(), {
      hover: (picked) => {
        this.hovered = picked;
        this.#tell('hover', { picked });
      },
      allows: (picked) => this.allows(picked),
      grab: (picked) => this.#tell('grab', { picked }),
      drag: (point) => this.#tell('drag', { point }),
      release: () => {
        this.#tell('release', {});
        this.#draw();
      },
    });
    this.#camera = new CameraControl(this.#view, stage, () => this.#moved());
    if (kept !== undefined) this.#camera.put(kept);
    this.#fit();
    this.#draw();
  }

  #see() {
    if (this.#view === undefined || this.frame === undefined) return undefined;
    return { view: this.#view, frame: this.frame, size: this.#size() };
  }

  #size(): { width: number; height: number } {
    return { width: Math.max(16, this.clientWidth), height: Math.max(16, this.clientHeight) };
  }

  #fit(): void {
    const { width, height } = this.#size();
    this.#camera?.fitWidth(width / height);
    this.#view?.resize(width, height);
  }

  /** Draws the latest frame with the next picture of the screen, once the one before is done. */
  #draw(): void {
    cancelAnimationFrame(this.#due);
    this.#due = requestAnimationFrame(() => {
      if (this.#view === undefined || this.frame === undefined || this.frame === this.#old) return;
      if (!this.#fence!.isClear) {
        this.#draw();
        return;
      }
      this.#follow();
      // what is in the hand must not be carried along by the camera
      const isGliding = !this.#grab!.isHolding && this.#camera!.glide();
      // where only the camera moved nothing is made anew
      if (this.#drawn.frame === this.frame && this.#drawn.limits === this.limits) this.#view.render();
      else this.#view.setFrame(this.frame);
      this.#drawn = { frame: this.frame, limits: this.limits };
      this.#fence!.raise();
      this.#writeLegend();
      // rings and springs stay with what they mark when the camera glides
      if (this.highlight ?? this.hovered ?? this.pull) this.requestUpdate();
      if (isGliding) this.#draw();
    });
  }

  /** Colours, arrows, light, ground and a camera that nobody moved follow what was seen. */
  #follow(): void {
    const { shown } = this;
    if (shown === undefined) return;
    const vertices = collectBodyVertices(shown.bodies);
    addFrameToLimits(this.frame!, vertices, this.#seen!);
    if (this.limits !== undefined) addLimits(this.limits, this.#seen!);
    const framed = computeFraming(shown.limits, this.#seen!);
    this.#view!.setScales(framed);
    if (framesSame(framed, this.#framed!)) return;
    this.#framed = framed;
    this.#view!.takeLimits(framed);
    this.#drawn = NOTHING;
    this.#camera!.follow(this.#view!.computeHome());
  }

  #moved(): void {
    this.#draw();
    this.requestUpdate();
    this.#tell('camera', {});
  }

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** The key changes seldom; asking for an update only then keeps playing cheap. */
  #legend = '';
  #writeLegend(): void {
    const { time: _, ...key } = this.#view!.describe();
    const text = JSON.stringify(key);
    if (text === this.#legend) return;
    this.#legend = text;
    this.requestUpdate();
    this.#tell('describe', {});
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#camera?.press(event) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #ring(point: Point, large: boolean): TemplateResult {
    const { x, y } = this.#view!.project(point);
    return svg`<circle class="ring" cx=${x} cy=${y} r=${large ? 13 : 10}></circle>` as unknown as TemplateResult;
  }

  #overlay(): unknown {
    if (this.#view === undefined) return nothing;
    const { pull } = this;
    const node = this.hovered?.kind === 'node' && this.frame?.objects[this.hovered.object];
    const at = node && this.hovered?.kind === 'node' ? 3 * this.hovered.node : -1;
    const hovered: Point | undefined =
      node && at + 2 < node.x.length ? [node.x[at], node.x[at + 1], node.x[at + 2]] : undefined;
    return svg`
      ${hovered && pull === null ? this.#ring(hovered, false) : nothing}
      ${this.highlight ? this.#ring(this.highlight, true) : nothing}
      ${
        pull === null
          ? nothing
          : svg`<path class="spring" d=${computeSpringPath(this.#view.project(pull.from), this.#view.project(pull.to))}></path>
              <circle class="hand" r="5" cx=${this.#view.project(pull.to).x} cy=${this.#view.project(pull.to).y}></circle>`
      }`;
  }

  override render(): TemplateResult {
    const label = `${this.caption || 'The scene'} in 3D. Arrow keys rotate, shift and arrows move, plus and minus zoom, 0 resets the view.`;
    return html`
      <div
        class="stage"
        role="application"
        aria-roledescription="3D view"
        aria-label=${label}
        tabindex="0"
        data-grab=${this.pull !== null ? 'held' : this.hovered && this.allows(this.hovered) ? 'ready' : 'none'}
        @keydown=${this.#press}
      >
        <svg class="over" aria-hidden="true">${this.#overlay()}</svg>
      </div>
      ${this.caption === '' ? nothing : html`<p class="caption">${this.caption}</p>`}
      ${this.#view === undefined ? nothing : renderLegend(this.#view.describe())}
    `;
  }
}

customElements.define('heddle-viewport', HeddleViewport);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-viewport': HeddleViewport;
  }
}
