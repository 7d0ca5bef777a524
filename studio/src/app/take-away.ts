/**
 * `<heddle-take-away>`: everything that can leave the page. The export formats come from the registry of heddle/io.
 *   in   player, capture, name, text, files, filming     out  film (start or end), drop-film, note {text}
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { pickSceneFiles } from '../simulation/scene-files.ts';
import { computeFileName, downloadFile } from './download.ts';
import { icon } from './icons.ts';
import type { Player } from './player.ts';
import type { Files } from './run.ts';
import { sharedStyles } from './styles.ts';
import { encodeZip } from './zip.ts';

interface Format {
  readonly name: string;
  readonly extension: string;
  readonly title: string;
  readonly description: string;
}

export class HeddleTakeAway extends LitElement {
  static override properties = {
    player: { attribute: false },
    capture: { attribute: false, hasChanged: () => false },
    name: {},
    text: { attribute: false },
    files: { attribute: false },
    filming: { type: Boolean },
    formats: { state: true },
    busy: { state: true },
    link: { state: true },
  };

  declare player: Player | undefined;
  /** The picture of all that is shown. */
  declare capture: () => HTMLCanvasElement | undefined;
  declare name: string;
  declare text: string;
  /** Files of the scene, by the names that it has for them; there may be others. */
  declare files: Files;
  declare filming: boolean;
  declare formats: readonly Format[];
  declare busy: string;
  declare link: string;

  constructor() {
    super();
    this.name = this.text = this.busy = this.link = '';
    this.capture = () => undefined;
    this.files = {};
    this.filming = false;
    this.formats = [];
  }

  override async connectedCallback(): Promise<void> {
    super.connectedCallback();
    const { EXPORTERS } = await import('./formats.ts');
    this.formats = EXPORTERS;
  }

  #tell(type: string): void {
    this.dispatchEvent(new CustomEvent(type));
  }

  #note(text: string): void {
    this.dispatchEvent(new CustomEvent('note', { detail: { text } }));
  }

  #picture(): void {
    this.capture()?.toBlob((blob) => {
      if (blob !== null) downloadFile(computeFileName(this.name, '.png'), [blob], 'image/png');
    }, 'image/png');
  }

  async #export(format: Format): Promise<void> {
    if (this.player === undefined || this.busy !== '') return;
    this.busy = format.name;
    try {
      const { files, notes } = await this.player.exportRun(format.name);
      const ready = files.map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes) }));
      if (ready.length === 1) downloadFile(ready[0].path, [ready[0].bytes], 'application/octet-stream');
      else downloadFile(computeFileName(this.name, `-${format.name}.zip`), encodeZip(ready), 'application/zip');
      if (notes.length > 0) this.#note(notes.join(' '));
    } catch (error) {
      this.#note(error instanceof Error ? error.message : String(error));
    } finally {
      this.busy = '';
    }
  }

  #saveMeshes(names: readonly string[]): void {
    for (const name of names) downloadFile(name, [this.files[name]], 'application/octet-stream');
  }

  async #share(): Promise<void> {
    this.link = '';
    try {
      const { encodeShare } = await import('../panels/share.ts');
      const address = new URL(location.href);
      address.hash = `/share/${await encodeShare(this.text, pickSceneFiles(this.text, this.files))}`;
      this.link = address.href;
      await navigator.clipboard.writeText(this.link);
      this.#note('The link is on the clipboard; it contains the whole scene.');
    } catch (error) {
      // without leave to write to the clipboard the link stands in the panel
      if (this.link === '') this.#note(error instanceof Error ? error.message : String(error));
    }
  }

  #item(title: string, help: string, go: () => void, mark: Parameters<typeof icon>[0] = 'download'): TemplateResult {
    return html`<li>
      <button class="item" @click=${go} ?disabled=${this.busy !== ''}>
        ${icon(mark)}<span><b>${title}</b><small>${help}</small></span>
      </button>
    </li>`;
  }

  override render(): TemplateResult {
    const meshes = Object.keys(pickSceneFiles(this.text, this.files));
    const scene = () => downloadFile(computeFileName(this.name, '.json'), [this.text], 'application/json');
    return html`
      <h3>Image and video</h3>
      <ul>
        ${this.#item('PNG', 'The current view with title, time and legend.', () => this.#picture())}
        ${this.#item(
          this.filming ? 'Stop recording' : 'WebM video',
          this.filming ? 'Recording the view.' : 'Records the view until you stop it.',
          () => this.#tell('film'),
          'record',
        )}
        ${
          this.filming
            ? this.#item('Discard the video', 'Deletes what was recorded.', () => this.#tell('drop-film'), 'close')
            : nothing
        }
      </ul>
      ${
        this.player === undefined
          ? nothing
          : html`<h3>The run</h3>
              <ul>
                ${this.formats.map((format) => this.#item(format.title, this.busy === format.name ? 'Writing …' : format.description, () => this.#export(format)))}
              </ul>`
      }
      <h3>The scene</h3>
      <ul>
        ${this.#item('Scene file', 'JSON with all your changes.', scene)}
        ${
          meshes.length === 0
            ? nothing
            : this.#item('Meshes', `Files used by the scene: ${meshes.join(', ')}.`, () => this.#saveMeshes(meshes))
        }
        ${this.#item('Link', 'A link that contains the whole scene, meshes included.', () => this.#share(), 'share')}
      </ul>
      ${
        this.link === ''
          ? nothing
          : html`<label class="link"><span class="quiet">${this.link.length} characters</span>
              <input readonly .value=${this.link} aria-label="Link to this scene" @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>`
      }
    `;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        padding: 1.25rem;
      }
      h3 {
        margin: 0 0 0.4rem;
        font: 600 0.8125rem / 1.4 var(--sans);
        color: var(--ink-soft);
      }
      ul {
        margin: 0 -0.6rem 1.5rem;
        padding: 0;
        list-style: none;
      }
      .item {
        display: flex;
        align-items: flex-start;
        gap: 0.75rem;
        width: 100%;
        padding: 0.5rem 0.6rem;
        border: 0;
        border-radius: 8px;
        background: none;
        text-align: left;
        cursor: pointer;
      }
      .item:hover:not(:disabled) {
        background: var(--sunken);
      }
      .item .icon {
        margin-top: 0.2rem;
        color: var(--accent);
      }
      b {
        font-weight: 500;
        font-size: 0.9375rem;
      }
      small {
        display: block;
        color: var(--ink-soft);
        font-size: 0.8125rem;
        line-height: 1.45;
      }
      .link input {
        width: 100%;
        min-height: 2.25rem;
        padding: 0 0.6rem;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--sunken);
        font: 0.75rem var(--mono);
      }
    `,
  ];
}

customElements.define('heddle-take-away', HeddleTakeAway);
