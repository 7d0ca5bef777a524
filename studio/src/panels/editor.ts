/**
 * <heddle-editor>: the scene as JSON text. In: `text`, `schema` (loaded when left out), `faults` (with lines; when left
 * undefined the editor checks the text itself). Out: event `edit` with { text } after every change.
 * A plain textarea does the editing, so that selection, undo, spell and touch keyboards are the browser's own; its letters
 * are drawn in colours behind it, and around it stand line numbers, marks at faulty lines and the list of what could be
 * written at the cursor.
 */

import type { SceneFault } from 'heddle/model';
import type { JsonSchema } from 'heddle/scene';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { type Completion, computeCompletion } from './completion.ts';
import { computeSight, isSameSight, renderCode, type Sight } from './editor-code.ts';
import { editorStyles } from './editor-styles.ts';
import { formatJson } from './json-format.ts';
import { panelStyles } from './styles.ts';

export interface EditDetail {
  readonly text: string;
}

type Format = typeof import('./scene-format.ts');

/** Quiet time before the text is checked [ms]. */
const QUIET = 300;
/** Height of a line [px], as in the styles. */
const LINE = 18;
/** Letters of the ruler that their width is read from. */
const RULER = 'm'.repeat(20);
const PADDING = 6;
/** Most suggestions that are listed. */
const MOST_SUGGESTIONS = 50;

export class HeddleEditor extends LitElement {
  static override styles = [panelStyles, editorStyles];
  static override properties = {
    text: { attribute: false },
    schema: { attribute: false },
    faults: { attribute: false },
    completion: { state: true },
    chosen: { state: true },
    found: { state: true },
    note: { state: true },
    sight: { state: true },
  };
  declare text: string;
  declare schema: JsonSchema | undefined;
  declare faults: readonly SceneFault[] | undefined;
  declare private completion: Completion | undefined;
  declare private chosen: number;
  declare private found: readonly SceneFault[];
  declare private note: string;
  declare private sight: Sight;
  private format: Promise<Format> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private resizes: ResizeObserver | undefined;

  constructor() {
    super();
    this.text = '';
    this.schema = undefined;
    this.faults = undefined;
    this.completion = undefined;
    this.chosen = 0;
    this.found = [];
    this.note = '';
    this.sight = { first: 0, last: 60, left: 0, right: 200 };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes = new ResizeObserver(() => this.alignMarks());
    this.resizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes?.disconnect();
    clearTimeout(this.timer);
  }

  /** Puts the cursor at the start of a line and shows it. */
  goToLine(line: number): void {
    const lines = this.area.value.split('\n');
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = Math.max(0, (line - 4) * LINE);
  }

  private get area(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  private get shownFaults(): readonly SceneFault[] {
    return this.faults ?? this.found;
  }

  private loadFormat(): Promise<Format> {
    this.format ??= import('./scene-format.ts');
    return this.format;
  }

  protected override updated(changes: Map<string, unknown>): void {
    // setting the value would forget what can be undone, so only a text from outside is set
    if (changes.has('text') && this.area.value !== this.text) this.area.value = this.text;
    if (changes.has('text')) this.scheduleCheck();
    if (changes.has('chosen') || changes.has('completion')) {
      this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    }
    this.alignMarks();
  }

  private scheduleCheck(): void {
    clearTimeout(this.timer);
    if (this.faults !== undefined) return;
    this.timer = setTimeout(async () => {
      const { listFaults } = await this.loadFormat();
      this.found = this.text.trim() === '' ? [] : listFaults(this.text);
    }, QUIET);
  }

  private takeInput(event: InputEvent): void {
    this.text = this.area.value;
    this.note = '';
    const detail: EditDetail = { text: this.text };
    this.dispatchEvent(new CustomEvent('edit', { detail, bubbles: true, composed: true }));
    const isTyping = event.inputType === 'insertText' && /["\w:]/.test(event.data ?? '');
    if (isTyping || (this.completion !== undefined && event.inputType === 'deleteContentBackward')) this.suggest(false);
    else this.completion = undefined;
  }

  /** Opens the list at the cursor; `isAsked`: also where typing alone would not open it. */
  private async suggest(isAsked: boolean): Promise<void> {
    this.schema ??= (await this.loadFormat()).computeJsonSchema();
    const { selectionStart, selectionEnd, value } = this.area;
    if (selectionStart !== selectionEnd) return;
    const completion = computeCompletion(this.schema, value, selectionStart);
    const [first] = completion.suggestions;
    const isDone = completion.suggestions.length === 1 && first.insert === value.slice(completion.from, completion.to);
    const isWanted = completion.suggestions.length > 0 && !isDone && (isAsked || completion.from < selectionStart);
    this.completion = isWanted ? completion : undefined;
    this.chosen = 0;
    if (isAsked && !isWanted) this.note = 'Nothing to suggest here.';
  }

  private takeKey(event: KeyboardEvent): void {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      this.suggest(true);
    } else if (this.completion !== undefined && !event.isComposing) this.takeListKey(event, this.completion);
    else if (event.key === 'Enter' && !event.isComposing && !event.ctrlKey && !event.metaKey) this.breakLine(event);
  }

  private takeListKey(event: KeyboardEvent, { suggestions }: Completion): void {
    const count = Math.min(suggestions.length, MOST_SUGGESTIONS);
    if (event.key === 'ArrowDown') this.chosen = (this.chosen + 1) % count;
    else if (event.key === 'ArrowUp') this.chosen = (this.chosen + count - 1) % count;
    else if (event.key === 'Enter' || event.key === 'Tab') this.accept(this.chosen);
    else if (event.key === 'Escape') this.completion = undefined;
    else {
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(event.key))
        this.completion = undefined;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** A new line begins where the one above began, one level deeper behind an open bracket. */
  private breakLine(event: KeyboardEvent): void {
    event.preventDefault();
    const { selectionStart, value } = this.area;
    const before = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
    const indent = /^ */.exec(before)?.[0] ?? '';
    const isInside = /[[{]\s*$/.test(before);
    const closes = isInside && /^\s*[\]}]/.test(value.slice(selectionStart).split('\n')[0]);
    this.insert(`\n${indent}${isInside ? '  ' : ''}${closes ? `\n${indent}` : ''}`);
    const cursor = selectionStart + 1 + indent.length + (isInside ? 2 : 0);
    this.area.setSelectionRange(cursor, cursor);
  }

  private accept(index: number): void {
    const { completion } = this;
    const suggestion = completion?.suggestions[index];
    if (completion === undefined || suggestion === undefined) return;
    this.completion = undefined;
    this.area.focus();
    this.area.setSelectionRange(completion.from, completion.to);
    this.insert(suggestion.insert);
    if (suggestion.insert.endsWith(': ')) this.suggest(true);
  }

  /** Replaces the selection as typing would, so that it can be undone. */
  private insert(text: string): void {
    const isDone = document.execCommand('insertText', false, text);
    if (isDone) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
    this.area.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }));
  }

  private formatText(): void {
    const formatted = formatJson(this.area.value);
    if (formatted === undefined) {
      this.note = 'The text is not valid JSON; fix the error first.';
      return;
    }
    if (formatted === this.area.value) {
      this.note = 'Already formatted.';
      return;
    }
    this.area.focus();
    this.area.select();
    this.insert(formatted);
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.note = 'Formatted.';
  }

  /** Moves numbers, colours and marks with the text, and draws what came into sight. */
  private alignMarks(): void {
    if (!this.hasUpdated) return;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.area;
    this.renderRoot.querySelector<HTMLElement>('.numbers')!.style.transform = `translateY(${-scrollTop}px)`;
    for (const layer of this.renderRoot.querySelectorAll<HTMLElement>('.marks, .code')) {
      layer.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    }
    const sight = computeSight(
      { top: scrollTop, left: scrollLeft },
      { width: clientWidth, height: clientHeight },
      { width: this.measureLetter(), height: LINE },
    );
    if (!isSameSight(sight, this.sight)) this.sight = sight;
  }

  /** All letters are this wide [px]. */
  private measureLetter(): number {
    const { width } = this.renderRoot.querySelector('.ruler')!.getBoundingClientRect();
    return Math.max(1, width / RULER.length);
  }

  protected override render(): TemplateResult {
    const faults = this.shownFaults;
    const lines = this.text.split('\n');
    const byLine = new Map(faults.map((fault) => [fault.line ?? 1, fault] as const).reverse());
    const isOpen = this.completion !== undefined;
    return html`
      <div class="bar">
        <button @click=${this.formatText} title="Format the text">Format</button>
        <span class="faint hint">Ctrl + Space: suggestions</span>
        <span class="note" role="status">${this.note || (isOpen ? this.describeList() : '')}</span>
      </div>
      <div class="frame">
        <div class="gutter" aria-hidden="true"><div class="numbers">${[...byLine.keys()].map(renderStripe)}<pre>${formatNumbers(lines.length)}</pre></div></div>
        <div class="page">
          <div class="marks" aria-hidden="true">${[...byLine].map(([line, fault]) => renderMark(line, lines, fault))}</div>
          <span class="ruler" aria-hidden="true">${RULER}</span>
          <div class="code" aria-hidden="true">${renderCode(lines, this.sight, faults, topOf)}</div>
          <textarea
            aria-label="Scene as JSON"
            aria-autocomplete="list"
            aria-controls="suggestions"
            aria-activedescendant=${isOpen ? `suggestion-${this.chosen}` : nothing}
            aria-invalid=${faults.length > 0 ? 'true' : 'false'}
            aria-describedby="faults"
            spellcheck="false"
            autocomplete="off"
            autocapitalize="off"
            wrap="off"
            @input=${this.takeInput}
            @keydown=${this.takeKey}
            @scroll=${this.alignMarks}
            @blur=${() => (this.completion = undefined)}
            @pointerdown=${() => (this.completion = undefined)}
          ></textarea>
          ${this.renderList()}
        </div>
      </div>
      <div class="faults" id="faults" role="status">
        ${
          faults.length === 0
            ? html`<p class="faint">No errors.</p>`
            : html`<ul>${faults.map((fault) => this.renderFault(fault))}</ul>`
        }
      </div>
    `;
  }

  private describeList(): string {
    const count = this.completion?.suggestions.length ?? 0;
    return count === 1 ? '1 suggestion' : `${count} suggestions`;
  }

  private renderFault(fault: SceneFault): TemplateResult {
    const words = `${fault.path === '' ? 'The scene' : fault.path} ${fault.message}`;
    if (fault.line === undefined) return html`<li>${words}</li>`;
    const { line } = fault;
    return html`<li><button class="plain" @click=${() => this.goToLine(line)}><b>${line}</b> ${words}</button></li>`;
  }

  private renderList(): TemplateResult {
    const { completion } = this;
    const shown = completion?.suggestions.slice(0, MOST_SUGGESTIONS) ?? [];
    const chosen = shown[this.chosen];
    return html`<div class="popup" ?hidden=${completion === undefined} .style=${this.computePlace()}>
      <ul id="suggestions" role="listbox" aria-label="Suggestions">
        ${shown.map(
          ({ label, detail }, index) =>
            html`<li
              role="option"
              id=${`suggestion-${index}`}
              aria-selected=${index === this.chosen ? 'true' : 'false'}
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${() => this.accept(index)}
            >
              <span>${label}</span><span class="faint">${detail}</span>
            </li>`,
        )}
      </ul>
      ${chosen === undefined || chosen.help === '' ? nothing : html`<p class="help">${chosen.help}</p>`}
    </div>`;
  }

  /** Beneath the cursor, or above it in the lower half; all characters are one `ch` wide. */
  private computePlace(): string {
    if (this.completion === undefined || !this.hasUpdated) return '';
    const { area } = this;
    const before = area.value.slice(0, this.completion.from).split('\n');
    const top = PADDING + before.length * LINE - area.scrollTop;
    const column = `${PADDING - area.scrollLeft}px + ${before.at(-1)?.length ?? 0}ch`;
    const place = `left: clamp(0px, ${column}, max(0px, 100% - 270px))`;
    if (top < area.clientHeight / 2) return `${place}; top: ${top}px`;
    return `${place}; bottom: ${area.offsetHeight - top + LINE}px`;
  }
}

/** Top of a line, counted from 0 [px]. */
const topOf = (line: number): number => PADDING + line * LINE;

const formatNumbers = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join('\n');

/** Styles are set by property: a strict content-security policy refuses style attributes. */
function renderStripe(line: number): TemplateResult {
  return html`<div class="stripe" .style=${`top: ${topOf(line - 1)}px`}></div>`;
}

/** The message of a fault behind the text of its line. */
function renderMark(line: number, lines: readonly string[], fault: SceneFault): TemplateResult {
  const top = `top: ${topOf(line - 1)}px`;
  const column = `padding-left: calc(${PADDING}px + ${(lines[line - 1] ?? '').length + 2}ch)`;
  return html`<div class="mark" .style=${`${top}; ${column}`}>${fault.message}</div>`;
}

if (customElements.get('heddle-editor') === undefined) customElements.define('heddle-editor', HeddleEditor);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-editor': HeddleEditor;
  }
}
