/**
 * `<heddle-compare-panel>`: the same scene a second time with one thing different, in lock-step.
 *   in   scene (as JSON), comparison, message     out  compare {comparison | undefined}
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { type Comparison, suggestComparisons } from './comparisons.ts';
import { sharedStyles } from './styles.ts';

/** A JSON value, or the text itself. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export class HeddleComparePanel extends LitElement {
  static override properties = { scene: { attribute: false }, comparison: { attribute: false }, message: {} };

  declare scene: unknown;
  declare comparison: Comparison | undefined;
  declare message: string;

  constructor() {
    super();
    this.message = '';
  }

  #compare(comparison: Comparison | undefined): void {
    this.dispatchEvent(new CustomEvent('compare', { detail: { comparison } }));
  }

  #own(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const path = String(form.get('path')).trim();
    const value = String(form.get('value')).trim();
    if (path === '' || value === '') return;
    // objects[0].nodes and /objects/0/nodes are both understood
    const pointer = path.startsWith('/') ? path : `/${path.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
    this.#compare({
      title: `${path} = ${value}`,
      overrides: [{ path: pointer, value: readValue(value) }],
      overlaid: this.comparison?.overlaid ?? false,
    });
  }

  override render(): TemplateResult {
    const { comparison } = this;
    const overlaid = comparison?.overlaid ?? false;
    return html`
      <p class="quiet">Runs the scene a second time with one change. Both runs stay in step, so you always see the same simulated time.</p>
      <ul>
        ${suggestComparisons(this.scene).map(
          (one) => html`<li>
            <button class="button" aria-pressed=${comparison?.title === one.title} @click=${() => this.#compare({ ...one, overlaid })}>
              ${one.title}
            </button>
          </li>`,
        )}
      </ul>
      <form @submit=${this.#own}>
        <label><span>Change</span><input name="path" placeholder="objects[0].nodes" autocomplete="off" spellcheck="false" /></label>
        <label><span>to</span><input name="value" placeholder="80" autocomplete="off" spellcheck="false" /></label>
        <button class="button">Compare</button>
      </form>
      ${this.message === '' ? nothing : html`<p class="fault" role="alert">${this.message}</p>`}
      ${
        comparison === undefined
          ? nothing
          : html`<div class="layout" role="group" aria-label="Layout">
              <button class="button" aria-pressed=${!overlaid} @click=${() => this.#compare({ ...comparison, overlaid: false })}>Side by side</button>
              <button class="button" aria-pressed=${overlaid} @click=${() => this.#compare({ ...comparison, overlaid: true })}>Overlaid</button>
              <button class="button plain" @click=${() => this.#compare(undefined)}>End comparison</button>
            </div>`
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
      p {
        margin: 0 0 1rem;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin: 0 0 1.25rem;
        padding: 0;
        list-style: none;
      }
      form {
        display: grid;
        grid-template-columns: 3fr 2fr;
        gap: 0.6rem;
        align-items: end;
        margin-bottom: 1.25rem;
      }
      form .button {
        grid-column: 1 / -1;
        justify-self: start;
      }
      form span {
        display: block;
        color: var(--ink-soft);
        font-size: 0.8125rem;
      }
      input {
        width: 100%;
        min-height: 2.25rem;
        padding: 0 0.6rem;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        font: 0.8125rem var(--mono);
      }
      .layout {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        padding-top: 1.25rem;
        border-top: 1px solid var(--line);
      }
      .fault {
        padding: 0.6rem 0.8rem;
        border-radius: 8px;
        background: var(--fault-wash);
        color: var(--fault);
        font-size: 0.875rem;
      }
    `,
  ];
}

customElements.define('heddle-compare-panel', HeddleComparePanel);
