/**
 * `<heddle-scene>`: one scene, live. The view with toolbar and timeline, and the panels beside it. The text of the scene
 * is the one truth: parameters and editor change it, and what is shown, shared and saved is always that text.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import './transport.ts';
import './viewport.ts';
import './material-bar.ts';
import { readSceneValue } from '../simulation/scene-value.ts';
import type { LiveSettings } from '../view.ts';
import type { Comparison } from './comparisons.ts';
import type { Film } from './film.ts';
import { Hand } from './hand.ts';
import { findSheet } from './material-sheet.ts';
import { Pair } from './pair.ts';
import { PANELS, type PanelName } from './panels.ts';
import type { Picked, Point } from './picking.ts';
import { composePicture } from './picture.ts';
import type { Player } from './player.ts';
import { Recording } from './recording.ts';
import { Run } from './run.ts';
import { renderPanel } from './scene-panels.ts';
import { sceneStyles } from './scene-styles.ts';
import type { SceneSource } from './source.ts';
import { sharedStyles } from './styles.ts';
import type { HeddleViewport } from './viewport.ts';

export class HeddleScenePage extends LitElement {
  static override properties = {
    source: { attribute: false },
    panel: { state: true },
    ready: { state: true },
    settings: { state: true },
    comparison: { state: true },
    highlight: { state: true },
    pointed: { state: true },
    note: { state: true },
  };
  static override styles = [sharedStyles, sceneStyles];

  declare source: SceneSource | undefined;
  declare panel: PanelName;
  /** Panels whose code is there. */
  declare ready: ReadonlySet<PanelName>;
  declare settings: LiveSettings;
  declare comparison: Comparison | undefined;
  declare highlight: Point | undefined;
  /** What lies under the pointer in the view. */
  declare pointed: Picked | undefined;
  declare note: string;
  readonly run = new Run();
  /** What plays: the run, a pair with it, or a recording. */
  player: Player = this.run;
  text = '';
  #read: { readonly text: string; readonly scene: unknown } = { text: '', scene: undefined };
  film: Film | undefined;
  #startsFilm = false;
  readonly #hand = new Hand(() => this.player);
  #version = 0;
  readonly #changed = (): void => {
    this.#version++;
    this.#hand.keepGoing();
    this.requestUpdate();
  };
  readonly #pressed = (event: KeyboardEvent): void => this.#press(event);

  constructor() {
    super();
    this.panel = 'view';
    this.ready = new Set();
    this.settings = {};
    this.note = '';
    this.run.addEventListener('change', this.#changed);
    void this.#openPanel('view');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#pressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    this.film?.cancel();
    if (this.player !== this.run) this.player.dispose();
    this.run.dispose();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('source') && this.source !== undefined) void this.#open(this.source);
  }

  get viewport(): HeddleViewport | null {
    return this.renderRoot.querySelector('heddle-viewport');
  }

  /** The scene of the text, read once for each text; while that is being mended, what runs. */
  get scene(): unknown {
    if (this.#read.text !== this.text) this.#read = { text: this.text, scene: readSceneValue(this.text) };
    return this.#read.scene ?? this.run.shown?.scene;
  }

  async #open(source: SceneSource): Promise<void> {
    this.text = source.text;
    this.note = source.note ?? '';
    if (!(await this.run.load(source.text, source.files))) {
      // a scene with faults is mended in the editor
      void this.#openPanel('editor');
      return;
    }
    this.settings = pickSettings(this.run.shown?.scene.view);
    const { recorded } = source;
    if (recorded !== undefined && this.run.shown !== undefined) {
      const exportRun = (format: string) => this.run.exportFile(format, recorded.bytes);
      this.#setPlayer(new Recording(this.run.shown, recorded.frames, exportRun));
    }
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.player.play();
  }

  #setPlayer(player: Player): void {
    if (this.player === player) return;
    player.setSpeed(this.player.speed);
    if (this.player !== this.run) {
      this.player.removeEventListener('change', this.#changed);
      this.player.dispose();
    }
    this.player = player;
    if (player !== this.run) player.addEventListener('change', this.#changed);
    this.#changed();
  }

  /** Shows another text of the scene; the old one goes on when it has faults. */
  async setText(text: string): Promise<void> {
    const { playing } = this.player;
    this.text = text;
    const loaded = await this.run.load(text, this.source?.files ?? {});
    if (!loaded) return;
    if (this.comparison !== undefined) await this.#startComparison(this.comparison);
    else this.#setPlayer(this.run);
    if (playing) this.player.play();
  }

  /** Changes one value of the scene. */
  async override(path: string, value: unknown): Promise<void> {
    const [{ computeWithOverrides }, { formatJson }] = await Promise.all([
      import('../panels/overrides.ts'),
      import('../panels/json-format.ts'),
    ]);
    const scene = computeWithOverrides(JSON.parse(this.text), [{ path, value }]);
    await this.setText(formatJson(JSON.stringify(scene)) ?? this.text);
  }

  async compare(comparison: Comparison | undefined): Promise<void> {
    const laidOutAnew = this.player instanceof Pair && comparison?.title === this.comparison?.title;
    this.comparison = comparison;
    if (laidOutAnew) return;
    this.run.pause();
    if (comparison === undefined) this.#setPlayer(this.run);
    else await this.#startComparison(comparison);
  }

  async #startComparison(comparison: Comparison): Promise<void> {
    const second = new Run();
    const loaded = await second.load(this.text, this.source?.files ?? {}, comparison.overrides);
    const isWanted = this.isConnected && this.comparison?.title === comparison.title;
    if (!loaded && isWanted) {
      this.note = second.message;
      this.comparison = undefined;
      this.#setPlayer(this.run);
    }
    if (!loaded || !isWanted) return second.dispose();
    this.note = '';
    this.#setPlayer(new Pair(this.run, second));
    this.player.reset();
    this.player.play();
  }

  /** The picture of all that is shown. */
  capture(): HTMLCanvasElement | undefined {
    return composePicture(this.renderRoot.querySelectorAll('heddle-viewport'));
  }

  /** Starts to record what is shown, or ends it and offers the film. */
  async toggleFilm(): Promise<void> {
    const { film } = this;
    this.film = undefined;
    try {
      if (film !== undefined) await film.save(this.run.shown?.scene.name ?? 'scene');
      else await this.#startFilm(this.run.shown?.scene.output.framesPerSecond ?? 60);
    } catch (error) {
      this.note = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }

  async #startFilm(rate: number): Promise<void> {
    if (this.#startsFilm) return;
    this.#startsFilm = true;
    try {
      const { Film } = await import('./film.ts');
      const film = await Film.start(() => this.capture(), rate);
      // the page may have been left meanwhile
      if (this.isConnected) this.film = film;
      else film.cancel();
    } finally {
      this.#startsFilm = false;
    }
  }

  /** Ends the film and forgets it. */
  dropFilm(): void {
    this.film?.cancel();
    this.film = undefined;
    this.requestUpdate();
  }

  async #openPanel(name: PanelName): Promise<void> {
    this.panel = name;
    this.note = '';
    const { load, title } = PANELS.find((panel) => panel.name === name)!;
    try {
      await load();
      this.ready = new Set([...this.ready, name]);
    } catch {
      this.note = `The panel “${title}” could not be loaded: the server of the studio does not answer.`;
    }
  }

  #press(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as HTMLElement;
    const writes = target.matches?.(
      'input:not([type=range],[type=radio],[type=checkbox]), textarea, select, [contenteditable]',
    );
    if (writes || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { player } = this;
    if (event.key === ' ') {
      // a button with the focus is pressed by space
      if (target.matches?.('button, a, summary, [role=tab], input')) return;
      if (player.playing) player.pause();
      else player.play();
    } else if (event.key === '.') player.stepOnce();
    else if (event.key === 'r' || event.key === 'R') player.reset();
    else if (event.key === 'f' || event.key === 'F')
      this.settings = { ...this.settings, forces: !this.settings.forces };
    else if (event.key === 'm' || event.key === 'M') this.settings = { ...this.settings, lines: !this.settings.lines };
    else if (event.key === '[') player.seek(Math.max(player.recorded[0], player.step - 1));
    else if (event.key === ']') player.seek(Math.min(player.recorded[1], player.step + 1));
    else return;
    event.preventDefault();
  }

  #viewport(caption: string, run?: Run, stacked = false): TemplateResult {
    const { player } = this;
    const live = run ?? (player instanceof Run ? player : undefined);
    const seen = live && player instanceof Pair ? player.see(live) : live;
    return html`<heddle-viewport
      ?stacked=${stacked}
      .shown=${(live ?? player).shown}
      .frame=${(seen ?? player).frame}
      .limits=${player.limits}
      .pull=${seen?.pull ?? null}
      .settings=${this.settings}
      .highlight=${this.highlight}
      .caption=${caption}
      .allows=${(picked: Picked) => live?.allows(picked) === true}
      @hover=${(event: CustomEvent) => (this.pointed = event.detail.picked)}
      @grab=${(event: CustomEvent) => seen && this.#hand.take(event.detail.picked, seen)}
      @drag=${(event: CustomEvent) => this.#hand.drag(event.detail.point)}
      @release=${() => this.#hand.release()}
      @camera=${this.#moveTogether}
      @describe=${() => this.requestUpdate()}
    ></heddle-viewport>`;
  }

  #moveTogether(event: Event): void {
    const moved = event.currentTarget as HeddleViewport;
    const place = moved.camera?.place();
    if (place === undefined) return;
    for (const other of this.renderRoot.querySelectorAll('heddle-viewport')) {
      if (other !== moved) other.camera?.put(place);
    }
  }

  #views(): TemplateResult {
    const { player, comparison } = this;
    if (!(player instanceof Pair) || comparison === undefined) return this.#viewport('');
    return html`${this.#viewport('original', player.first)}${this.#viewport(comparison.title, player.second, comparison.overlaid)}`;
  }

  /** The material of the first sheet, beside the world. */
  #sheet(): TemplateResult | typeof nothing {
    const { frame } = this.player;
    if (findSheet(frame) === undefined) return nothing;
    return html`<heddle-material-sheet
      .frame=${frame}
      .content=${this.viewport?.describe()}
      .pointed=${this.pointed}
      @point=${(event: CustomEvent) => (this.highlight = event.detail.point)}
    ></heddle-material-sheet>`;
  }

  #message(): TemplateResult | typeof nothing {
    const message = this.run.message || this.player.message || this.note || this.run.state?.note;
    if (!message) return nothing;
    return html`<p class="message" role="alert">${message}</p>`;
  }

  #about(): TemplateResult {
    const scene = this.run.shown?.scene;
    const { card } = this.source ?? {};
    const source = [card?.paper ?? scene?.paper, card?.figure ?? scene?.figure].filter(Boolean).join(', ');
    return html`<header class="about">
      <h1>${card?.title ?? scene?.title ?? scene?.name ?? 'Scene'}</h1>
      <p>${card?.description ?? scene?.description ?? ''}</p>
      ${source === '' ? nothing : html`<p class="source">${source}</p>`}
      ${
        this.player instanceof Recording
          ? html`<p><button class="button" @click=${() => this.#setPlayer(this.run)}>Simulate instead of playing the recording</button></p>`
          : nothing
      }
    </header>`;
  }

  #tabs(): TemplateResult {
    const select = (event: KeyboardEvent) => {
      const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (way === 0) return;
      const index = PANELS.findIndex(({ name }) => name === this.panel);
      const next = PANELS[(index + way + PANELS.length) % PANELS.length];
      void this.#openPanel(next.name);
      this.renderRoot.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
    };
    return html`<div class="tabs" role="tablist" aria-label="Panels" @keydown=${select}>
      ${PANELS.map(
        ({ name, title }) => html`<button
          role="tab"
          id="tab-${name}"
          aria-selected=${this.panel === name}
          aria-controls="panel"
          tabindex=${this.panel === name ? 0 : -1}
          @click=${() => this.#openPanel(name)}
        >
          ${title}
        </button>`,
      )}
    </div>`;
  }

  override render(): TemplateResult {
    const overlaid = this.comparison?.overlaid === true && this.player instanceof Pair;
    return html`
      <div class="main">
        <div class="views" data-layout=${this.player instanceof Pair ? (overlaid ? 'overlaid' : 'beside') : 'single'}>
          ${this.#views()}${this.#sheet()}${this.#message()}
        </div>
        <heddle-material-bar .frame=${this.player.frame} .pointed=${this.pointed} .content=${this.viewport?.describe()} @point=${(event: CustomEvent) => (this.highlight = event.detail.point)}></heddle-material-bar>
        <heddle-transport
          .player=${this.player}
          .version=${this.#version}
          .stoppable=${!(this.player instanceof Recording)}
          @halt=${() => this.player.halt()}
        ></heddle-transport>
      </div>
      <aside aria-label="About and panels">
        ${this.#about()}${this.#tabs()}
        <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${this.panel}" tabindex="0">
          ${this.ready.has(this.panel) ? renderPanel(this, this.panel) : html`<p class="quiet wait">Loading …</p>`}
        </div>
      </aside>
    `;
  }
}

/** The settings of a scene that can be changed while it runs. */
function pickSettings(view: LiveSettings | undefined): LiveSettings {
  const { checker, markers, nodes, colour, forces, lines } = view ?? {};
  return { checker, markers, nodes, colour, forces, lines };
}

customElements.define('heddle-scene', HeddleScenePage);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-scene': HeddleScenePage;
  }
}
