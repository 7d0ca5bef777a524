/** `<heddle-app>`: header, the page of the address, help, theme, and files dropped anywhere. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import './gallery-page.ts';
import './help-dialog.ts';
import { icon } from './icons.ts';
import { parseRoute, type Route } from './route.ts';
import { openSource, readDroppedFiles, type SceneSource } from './source.ts';
import { sharedStyles } from './styles.ts';
import { applyTheme, readThemeChoice, type ThemeChoice } from './theme.ts';

const NEXT_THEME: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: 'light', light: 'dark', dark: 'system' };

export class HeddleApp extends LitElement {
  static override properties = {
    route: { state: true },
    source: { state: true },
    fault: { state: true },
    theme: { state: true },
    dropping: { state: true },
  };

  declare route: Route;
  declare source: SceneSource | undefined;
  declare fault: string;
  declare theme: ThemeChoice;
  declare dropping: boolean;
  #dropped: SceneSource | undefined;
  readonly #abort = new AbortController();

  constructor() {
    super();
    this.route = { page: 'gallery' };
    this.fault = '';
    this.theme = readThemeChoice();
    this.dropping = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { signal } = this.#abort;
    addEventListener('hashchange', () => this.#follow(), { signal });
    document.addEventListener('keydown', (event) => this.#press(event), { signal });
    document.addEventListener('dragover', (event) => this.#dragOver(event), { signal });
    document.addEventListener('dragleave', (event) => event.relatedTarget === null && (this.dropping = false), {
      signal,
    });
    document.addEventListener('drop', (event) => this.#drop(event), { signal });
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  async #follow(): Promise<void> {
    const route = parseRoute(location.hash);
    this.fault = '';
    this.source = undefined;
    this.route = route;
    scrollTo(0, 0);
    document.title = 'Heddle Studio';
    if (route.page === 'gallery') return;
    try {
      if (route.page === 'tour') {
        await import('./tour-page.ts');
        return;
      }
      const [source] = await Promise.all([openSource(route, this.#dropped), import('./scene-page.ts')]);
      // a newer address may have come meanwhile
      if (route !== this.route) return;
      this.source = source;
      document.title = `${source.card?.title ?? 'Scene'} · Heddle Studio`;
    } catch (error) {
      if (route === this.route) this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  #press(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as HTMLElement;
    if (target.matches?.('input, textarea, select, [contenteditable]') || event.ctrlKey || event.metaKey) return;
    if (event.key === '?') this.renderRoot.querySelector('heddle-help')?.toggle();
    else if (event.key === 'g' || event.key === 'G') location.hash = '#/';
  }

  #dragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.dropping = true;
  }

  #drop(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.dropping = false;
    void this.#openFiles([...event.dataTransfer.files]);
  }

  async #openFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    try {
      this.#dropped = await readDroppedFiles(files);
      if (location.hash === '#/dropped') await this.#follow();
      else location.hash = '#/dropped';
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  #chooseFile(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = '.json,.heddle,.obj,.gltf,.glb';
    input.addEventListener('change', () => this.#openFiles([...(input.files ?? [])]));
    input.click();
  }

  #changeTheme(): void {
    this.theme = NEXT_THEME[this.theme];
    applyTheme(this.theme);
  }

  #page(): TemplateResult | typeof nothing {
    const { page } = this.route;
    if (page === 'gallery') return html`<heddle-gallery @open-file=${this.#chooseFile}></heddle-gallery>`;
    if (page === 'tour') return html`<heddle-tour></heddle-tour>`;
    if (this.source !== undefined) return html`<heddle-scene .source=${this.source}></heddle-scene>`;
    return this.fault === '' ? html`<p class="wait" role="status">Opening …</p>` : nothing;
  }

  override render(): TemplateResult {
    const { page } = this.route;
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to content</a>
      <header>
        <a class="mark" href="#/" aria-label="Heddle Studio, gallery">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <g fill="none" stroke-linecap="round">
              <path d="M16 3v7m0 12v7" stroke="var(--ink-soft)" stroke-width="1.8" />
              <ellipse cx="16" cy="16" rx="4.2" ry="6" stroke="var(--ink-soft)" stroke-width="1.8" />
              <path d="M2 22c6 0 9-6 14-6s8-6 14-6" stroke="var(--check-b)" stroke-width="3.2" stroke-linecap="butt" />
              <path d="M2 22c6 0 9-6 14-6s8-6 14-6" stroke="var(--check-a)" stroke-width="3.2" stroke-linecap="butt" stroke-dasharray="4 4" />
            </g>
          </svg>
          <span>Heddle</span>
        </a>
        <nav aria-label="Pages">
          <a href="#/" aria-current=${page === 'gallery' ? 'page' : 'false'}>Gallery</a>
          <a href="#/tour" aria-current=${page === 'tour' ? 'page' : 'false'}>The idea</a>
        </nav>
        <span class="tools">
          <button class="button icon plain" aria-label="Theme: ${this.theme}" title="Theme: ${this.theme}" @click=${this.#changeTheme}>
            ${icon(this.theme)}
          </button>
          <button class="button icon plain" aria-label="Help" aria-keyshortcuts="?" title="Help (?)" @click=${() => this.renderRoot.querySelector('heddle-help')?.toggle()}>
            ${icon('help')}
          </button>
        </span>
      </header>
      <main id="main" tabindex="-1">
        ${
          this.fault === ''
            ? nothing
            : html`<div class="fault" role="alert">
                <p>${this.fault}</p>
                <button class="button icon plain" aria-label="Close" @click=${() => (this.fault = '')}>${icon('close')}</button>
              </div>`
        }
        ${this.#page()}
      </main>
      <heddle-help></heddle-help>
      ${this.dropping ? html`<div class="dropping">Drop a scene or a recorded run</div>` : nothing}
    `;
  }

  #skip(event: Event): void {
    // the address is the route: move the focus without touching it
    event.preventDefault();
    this.renderRoot.querySelector<HTMLElement>('main')?.focus();
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        --header: 3.5rem;
      }
      header {
        display: flex;
        align-items: center;
        gap: clamp(0.4rem, 3vw, 2rem);
        height: var(--header);
        padding: 0 clamp(1rem, 2.5vw, 1.5rem);
        border-bottom: 1px solid var(--line);
        background: var(--paper);
      }
      .mark {
        display: flex;
        align-items: center;
        gap: 0.55rem;
        color: var(--ink);
        font: 400 1.3125rem / 1 var(--serif);
        letter-spacing: -0.01em;
        text-decoration: none;
      }
      .mark svg {
        width: 1.75rem;
        height: 1.75rem;
      }
      nav {
        display: flex;
        gap: 0.1rem;
        white-space: nowrap;
      }
      nav a {
        padding: 0.35rem clamp(0.35rem, 1.5vw, 0.6rem);
        border-radius: 8px;
        color: var(--ink-soft);
        font-size: 0.9375rem;
        text-decoration: none;
      }
      nav a:hover,
      nav a[aria-current='page'] {
        color: var(--ink);
      }
      .tools {
        display: flex;
        gap: 0.15rem;
        margin-left: auto;
      }
      main:focus {
        outline: none;
      }
      .skip {
        position: absolute;
        left: 1rem;
        top: -4rem;
        z-index: 10;
        padding: 0.5rem 0.9rem;
        border-radius: 8px;
        background: var(--accent);
        color: var(--accent-ink);
      }
      .skip:focus {
        top: 0.5rem;
      }
      .wait {
        padding: 3rem;
        color: var(--ink-soft);
        text-align: center;
      }
      .fault {
        display: flex;
        align-items: flex-start;
        gap: 1rem;
        max-width: 46rem;
        margin: 1.5rem auto;
        padding: 0.75rem 0.75rem 0.75rem 1.1rem;
        border-radius: 10px;
        background: var(--fault-wash);
        color: var(--fault);
      }
      .fault p {
        flex: 1;
        margin: 0.35rem 0;
        overflow-wrap: anywhere;
      }
      .dropping {
        position: fixed;
        inset: 0.75rem;
        z-index: 20;
        display: grid;
        place-items: center;
        border: 2px dashed var(--accent);
        border-radius: 18px;
        background: color-mix(in srgb, var(--paper) 88%, transparent);
        font: 400 1.75rem var(--serif);
        pointer-events: none;
      }
    `,
  ];
}

customElements.define('heddle-app', HeddleApp);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-app': HeddleApp;
  }
}
