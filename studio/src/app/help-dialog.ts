/** `<heddle-help>`: keys and gestures, in a dialog that `?` opens. */
import { css, html, LitElement, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { sharedStyles } from './styles.ts';

const KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['space'], does: 'Play and pause' },
  { keys: ['.'], does: 'One step' },
  { keys: ['R'], does: 'Back to the start' },
  { keys: ['[', ']'], does: 'One recorded step back or forward' },
  { keys: ['←', '→', '↑', '↓'], does: 'Rotate the view, when it has the focus' },
  { keys: ['shift', '←…'], does: 'Move the view' },
  { keys: ['+', '−'], does: 'Zoom in and out' },
  { keys: ['0'], does: 'Reset the view' },
  { keys: ['F'], does: 'Show or hide forces' },
  { keys: ['M'], does: 'Show or hide mesh lines' },
  { keys: ['G'], does: 'Gallery' },
  { keys: ['?'], does: 'This help' },
];

const GESTURES: readonly (readonly [string, string])[] = [
  ['Drag an object or a dynamic body', 'Pulls it with a spring. Release it and the simulation continues.'],
  ['Drag the background', 'Rotates the view. With the right button, shift or two fingers: moves it.'],
  ['Wheel or pinch', 'Zooms in and out.'],
  ['Drop a file', 'Opens a scene (JSON, with its meshes) or a recorded run (run.heddle).'],
];

export class HeddleHelp extends LitElement {
  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }

  /** Opens the dialog, or closes it when it is open. */
  toggle(): void {
    if (this.#dialog.open) this.#dialog.close();
    else this.#dialog.showModal();
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="help-title" @click=${(event: Event) => event.target === this.#dialog && this.#dialog.close()}>
      <div class="box">
        <header>
          <h2 id="help-title">Keys and gestures</h2>
          <button class="button icon plain" aria-label="Close" @click=${() => this.#dialog.close()}>${icon('close')}</button>
        </header>
        <dl class="keys">
          ${KEYS.map(({ keys, does }) => html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd>`)}
        </dl>
        <h3>Mouse and touch</h3>
        <dl class="gestures">${GESTURES.map(([name, does]) => html`<dt>${name}</dt><dd>${does}</dd>`)}</dl>
        <p class="quiet">New here? <a href="#/tour" @click=${() => this.#dialog.close()}>The idea in six images</a>.</p>
      </div>
    </dialog>`;
  }

  static override styles = [
    sharedStyles,
    css`
      dialog {
        width: min(34rem, calc(100vw - 2rem));
        max-height: calc(100dvh - 2rem);
        padding: 0;
        border: 1px solid var(--line);
        border-radius: 16px;
        background: var(--paper);
        color: var(--ink);
        box-shadow: var(--shadow);
      }
      dialog::backdrop {
        background: rgb(20 18 26 / 45%);
      }
      .box {
        padding: 1.5rem 1.75rem 1.25rem;
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
      }
      h2 {
        margin: 0;
        font: 400 1.5rem / 1.3 var(--serif);
      }
      h3 {
        margin: 1.5rem 0 0.5rem;
        font: 600 0.8125rem / 1.4 var(--sans);
        color: var(--ink-soft);
      }
      dl {
        margin: 1rem 0 0;
      }
      .keys {
        display: grid;
        grid-template-columns: minmax(7rem, auto) 1fr;
        gap: 0.5rem 1rem;
        align-items: baseline;
      }
      dt {
        font-size: 0.9375rem;
      }
      dd {
        margin: 0;
        font-size: 0.9375rem;
      }
      .gestures {
        margin-top: 0;
      }
      .gestures dd {
        margin-bottom: 0.6rem;
        color: var(--ink-soft);
      }
    `,
  ];
}

customElements.define('heddle-help', HeddleHelp);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-help': HeddleHelp;
  }
}
