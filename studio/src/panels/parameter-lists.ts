/** What stands at lists in the parameter panel: buttons at each entry, and what can be added, with a sentence on it. */

import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatPointer, type Path } from './overrides.ts';
import type { EntryForm } from './scene-lists.ts';

/** What the buttons need of the panel. */
export interface ListOwner {
  describeNeed(path: Path): string | undefined;
  canCopy(path: Path): boolean;
  copyEntry(path: Path): void;
  removeEntry(path: Path): void;
}

/** Two sheets, one behind the other. */
const COPY = html`<svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" aria-hidden="true">
  ${svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1" /><path d="M10.5 3.5v-1h-8v8h1" />`}
</svg>`;

export function renderTools(owner: ListOwner, path: Path, title: string): TemplateResult {
  const name = /^\d+$/.test(title) ? `${String(path.at(-2))} ${Number(title) + 1}` : title;
  const need = owner.describeNeed(path);
  const [copy, removal] = [`Duplicate ${name}`, `Remove ${name}`];
  return html`<span class="tools">
    ${owner.canCopy(path) ? html`<button class="plain" aria-label=${copy} title=${copy} @click=${() => owner.copyEntry(path)}>${COPY}</button>` : nothing}
    <button
      class="plain"
      aria-label=${need === undefined ? removal : `${removal}: ${need}`}
      title=${need ?? removal}
      aria-disabled=${need === undefined ? 'false' : 'true'}
      @click=${() => need === undefined && owner.removeEntry(path)}
    >
      ✕
    </button>
  </span>`;
}

export interface Adder {
  readonly list: Path;
  /** What an entry is called. */
  readonly noun: string;
  readonly forms: readonly EntryForm[];
  readonly chosen: number;
  choose(index: number): void;
  add(form: EntryForm): void;
}

/** One kind: a button. Several: a choice with what each is, and a button. */
export function renderAdder({ list, noun, forms, chosen, choose, add }: Adder): TemplateResult | typeof nothing {
  const form = forms[chosen] ?? forms[0];
  if (form === undefined) return nothing;
  const pointer = formatPointer(list);
  const help = `adder-help-${pointer}`;
  const take = (event: Event) => choose(Number((event.currentTarget as HTMLSelectElement).value));
  return html`<div class="adder list" data-list=${pointer}>
    ${
      forms.length === 1
        ? nothing
        : html`<select aria-label=${`Kind of ${noun} to add`} aria-describedby=${help} @change=${take}>
            ${forms.map(({ label }, index) => html`<option value=${index} .selected=${live(index === forms.indexOf(form))}>${label}</option>`)}
          </select>`
    }
    <button aria-describedby=${help} @click=${() => add(form)}>Add ${noun}</button>
    <p class="help" id=${help} role="status">${form.help}</p>
  </div>`;
}

/** Does a key ask for the last change to be undone, or done again? Texts that are being written have their own. */
export function readHistoryKey(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const target = event.composedPath()[0] as HTMLElement;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || target.matches('input[type=text]')) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) return 'redo';
  return key === 'z' ? 'undo' : undefined;
}

/** Pointers among `open` of entries of the list that holds `path`, from there on: a change there moves them. */
export function listMoved(open: Iterable<string>, path: Path): string[] {
  const [list, first] = [`${formatPointer(path.slice(0, -1))}/`, path.at(-1)];
  if (typeof first !== 'number') return [];
  return [...open].filter(
    (pointer) => pointer.startsWith(list) && Number(pointer.slice(list.length).split('/')[0]) >= first,
  );
}
