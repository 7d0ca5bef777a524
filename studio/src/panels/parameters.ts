/**
 * <heddle-parameters>: the parameters of a scene, from its schema. In: `scene` (the JSON value as written, not
 * validated, so that only what it has is shown), `schema` (loaded when left out), `overrides` (values that already
 * replace the scene's), `faults` (of the last load, shown at their fields). Out: event `override` with
 * { path, value, overrides }: the JSON pointer and value that changed, and the whole list to load the scene with.
 */

import type { SceneFault } from 'heddle/model';
import type { JsonSchema } from 'heddle/scene';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { computeMoving, isMotion } from './body-motion.ts';
import { computeCopy } from './list-copies.ts';
import type { ListEdit } from './list-edits.ts';
import { computeRemoval, describeNeed, describeRest } from './list-removals.ts';
import { formatDotted, formatPointer, type Override, type Path, parsePointer, readAt } from './overrides.ts';
import { ParameterEdits } from './parameter-edits.ts';
import { type Addition, type Branch, computeDraft, computeGroup, computeTitle } from './parameter-fields.ts';
import { listMoved, readHistoryKey, renderAdder, renderTools } from './parameter-lists.ts';
import { type FieldOwner, renderAlternatives, renderField, renderPresets } from './parameter-rows.ts';
import { parameterStyles } from './parameter-styles.ts';
import { findListSchema, isEntry, listEntryForms, nameEntry } from './scene-lists.ts';
import { findSchema } from './schema-walk.ts';
import { panelStyles } from './styles.ts';

export interface OverrideDetail extends Override {
  readonly overrides: readonly Override[];
}

/** Quiet time before a change is told [ms]. */
const QUIET = 150;

export class HeddleParameters extends LitElement implements FieldOwner {
  static override styles = [panelStyles, parameterStyles];
  static override properties = {
    scene: { attribute: false, hasChanged: (a: unknown, b: unknown) => !isSame(a, b) },
    schema: { attribute: false },
    overrides: { attribute: false, hasChanged: (a: unknown, b: unknown) => !isSame(a, b) },
    faults: { attribute: false },
  };
  declare scene: unknown;
  declare schema: JsonSchema | undefined;
  declare overrides: readonly Override[];
  declare faults: readonly SceneFault[];

  edits = new ParameterEdits({});
  private readonly open = new Set<string>();
  private readonly pending = new Map<string, Path>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLoading = false;
  /** What was done last, in a sentence. */
  private notice = '';
  /** Kind of entry chosen to be added, by the pointer of its list. */
  private readonly kinds = new Map<string, number>();
  /** The scene with all changes that were told. */
  private told: unknown = undefined;

  constructor() {
    super();
    this.scene = undefined;
    this.schema = undefined;
    this.overrides = [];
    this.faults = [];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.flush();
  }

  protected override willUpdate(changes: Map<string, unknown>): void {
    if (this.schema === undefined) this.loadSchema();
    // a scene with the changes in it that were told here is still the same scene
    const isNew = changes.has('scene') && !isSame(this.edits.own, this.scene) && !isSame(this.told, this.scene);
    if (isNew) {
      this.pending.clear();
      this.edits = new ParameterEdits(this.scene ?? {}, changes.has('overrides') ? this.overrides : []);
      this.told = this.scene;
      this.notice = '';
      this.openFirst();
    } else if (changes.has('overrides') && !isSame(this.overrides, this.edits.overrides)) {
      this.edits = new ParameterEdits(this.edits.own, this.overrides);
    }
  }

  private async loadSchema(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const { computeJsonSchema } = await import('./scene-format.ts');
      this.schema ??= computeJsonSchema();
    } finally {
      // what could not be loaded is tried again with the next update
      this.isLoading = false;
    }
  }

  /** What is worth seeing at once: the time step, a single material, the first object. */
  private openFirst(): void {
    this.open.clear();
    const materials = Object.keys((readAt(this.scene, ['materials']) as object | undefined) ?? {});
    for (const path of [['time'], ['objects', 0], ...(materials.length === 1 ? [['materials', materials[0]]] : [])]) {
      this.open.add(formatPointer(path));
    }
  }

  /** A value was chosen or typed. */
  setValue(path: Path, value: unknown): void {
    this.notice = '';
    if (isMotion(path)) {
      const body = path.slice(0, -1);
      this.edits.set(body, computeMoving(this.edits.changed, path, value));
      this.schedule(body);
      return;
    }
    this.edits.set(path, value);
    this.schedule(path);
  }

  isEntry(path: Path): boolean {
    return this.schema !== undefined && isEntry(this.schema, this.edits.changed, path);
  }

  describeNeed(path: Path): string | undefined {
    return describeNeed(this.schema ?? {}, this.edits.changed, path);
  }

  canCopy(path: Path): boolean {
    // at the top there is always room, and finding it takes a while in a large scene
    return (path.length === 2 && path[0] !== 'drivers') || computeCopy(this.edits.changed, path) !== undefined;
  }

  copyEntry(path: Path): void {
    const edits = computeCopy(this.edits.changed, path);
    if (edits !== undefined) this.editLists(edits, `${this.nameOf(path)} was duplicated.`, edits[0].path);
  }

  removeEntry(path: Path): void {
    const edits = computeRemoval(this.edits.changed, path);
    const rest = describeRest(edits);
    this.editLists(edits, `${this.nameOf(path)} was removed${rest === '' ? '' : `, and with it ${rest}`}.`);
    this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#undo')?.focus());
  }

  undo(): void {
    this.edits.undo();
    this.tellAll('Undone.');
  }

  redo(): void {
    this.edits.redo();
    this.tellAll('Redone.');
  }

  private nameOf(path: Path): string {
    const title = computeTitle(readAt(this.edits.changed, path), path);
    return /^\d+$/.test(title) || title.startsWith('at ') ? `${nameEntry(path.slice(0, -1))} ${title}` : title;
  }

  /** Entries come or go; `added` is opened and gets the focus. */
  private editLists(edits: readonly ListEdit[], notice: string, added?: Path): void {
    for (const pointer of listMoved(this.open, edits[0].path)) this.open.delete(pointer);
    this.edits.edit(edits);
    this.tellAll(notice);
    if (added === undefined) return;
    const pointer = formatPointer(added);
    this.open.add(pointer);
    this.updateComplete.then(() => {
      const place = CSS.escape(pointer);
      this.renderRoot
        .querySelector<HTMLElement>(`[data-entry="${place}"] > details > summary, [data-path="${place}/0"]`)
        ?.focus();
    });
  }

  /** Tells the whole scene at once: changes at several places are one. */
  private tellAll(notice: string): void {
    this.notice = notice;
    this.schedule([]);
    this.flush();
  }

  private takeKey(event: KeyboardEvent): void {
    const wish = readHistoryKey(event);
    if (wish === undefined) return;
    event.preventDefault();
    if (wish === 'undo' && this.edits.canUndo) this.undo();
    else if (wish === 'redo' && this.edits.canRedo) this.redo();
  }

  resetValue(path: Path): void {
    this.notice = '';
    this.edits.reset(path);
    this.schedule(path);
  }

  /** Tells what is still waiting, at once. */
  flush(): void {
    clearTimeout(this.timer);
    // the whole scene holds what was changed inside it
    const paths: readonly Path[] = this.pending.has('') ? [[]] : [...this.pending.values()];
    this.pending.clear();
    const { overrides } = this.edits;
    if (paths.length > 0) this.told = this.edits.changed;
    for (const path of paths) {
      const detail: OverrideDetail = { ...this.edits.findOverride(path), overrides };
      this.dispatchEvent(new CustomEvent('override', { detail, bubbles: true, composed: true }));
    }
  }

  /** Puts all of the scene's own values back. */
  resetAll(): void {
    clearTimeout(this.timer);
    this.pending.clear();
    const paths = this.edits.overrides.map(({ path }) => path);
    this.edits.resetAll();
    this.notice = '';
    this.told = this.edits.own;
    for (const path of paths) {
      const detail: OverrideDetail = { path, value: readAt(this.edits.own, parsePointer(path)), overrides: [] };
      this.dispatchEvent(new CustomEvent('override', { detail, bubbles: true, composed: true }));
    }
    this.requestUpdate();
  }

  findFault(path: Path): string | undefined {
    const dotted = formatDotted(path);
    return this.faults.find((fault) => fault.path === dotted || fault.path.startsWith(`${dotted}[`))?.message;
  }

  private schedule(path: Path): void {
    this.pending.set(formatPointer(path), path);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), QUIET);
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { schema } = this;
    if (schema === undefined) return html`<p class="note" role="status">Loading the scene format…</p>`;
    if (this.scene === undefined) return html`<p class="note">No scene is open.</p>`;
    const changes = this.edits.overrides.length;
    return html`
      <div class="bar">
        <span role="status">${this.notice || (changes === 0 ? 'As in the scene file file' : `${changes} changed`)}</span>
        <span class="history">
          <button id="undo" aria-label="Undo" title="Undo (Ctrl + Z)" ?disabled=${!this.edits.canUndo} @click=${() => this.undo()}>↶</button>
          <button aria-label="Redo" title="Redo (Ctrl + Shift + Z)" ?disabled=${!this.edits.canRedo} @click=${() => this.redo()}>↷</button>
          <button id="reset-all" ?disabled=${changes === 0} @click=${() => this.resetAll()}>Reset all</button>
        </span>
      </div>
      <div @keydown=${this.takeKey}>${this.renderInside(schema, [], schema)}</div>
    `;
  }

  /** Fields, groups and what can be added, of the object or array at a path. */
  private renderInside(root: JsonSchema, path: Path, schema: JsonSchema): TemplateResult {
    const group = computeGroup(root, this.edits.changed, path, schema);
    const pointer = formatPointer(path);
    const drafts = [...this.edits.drafts.values()].filter(
      (draft) => formatPointer(draft.path.slice(0, -1)) === pointer,
    );
    return html`
      ${group.fields.map((field) => renderField(this, field))}
      ${drafts.map((draft) => renderField(this, computeDraft(draft)))}
      ${group.branches.map((branch) => (path.length === 0 && isList(root, branch.path) ? this.renderList(root, branch) : this.renderBranch(root, branch)))}
      ${group.more > 0 ? html`<p class="note">${group.more} more are in the JSON of the scene.</p>` : nothing}
      ${this.renderAdder(root, path)} ${this.renderAdditions(path, group.additions)}
    `;
  }

  /** The lists of the scene (objects, bodies, …) are headings; only their entries open and close. */
  private renderList(root: JsonSchema, branch: Branch): TemplateResult {
    const schema = findSchema(root, this.edits.changed, branch.path) ?? {};
    return html`<section>
      <h3 title=${branch.help}>${branch.path[0]}</h3>
      ${this.renderInside(root, branch.path, schema)}
    </section>`;
  }

  /** What can be added to the list at a path; nothing where there is no list. */
  private renderAdder(root: JsonSchema, list: Path): TemplateResult | typeof nothing {
    const pointer = formatPointer(list);
    return renderAdder({
      list,
      noun: nameEntry(list),
      forms: list.length === 0 ? [] : listEntryForms(root, this.edits.changed, list),
      chosen: this.kinds.get(pointer) ?? 0,
      choose: (index) => {
        this.kinds.set(pointer, index);
        this.requestUpdate();
      },
      add: ({ label, edits }) => this.editLists(edits, `A new ${label} was added.`, edits[0].path),
    });
  }

  private renderBranch(root: JsonSchema, branch: Branch): TemplateResult {
    if (!this.isEntry(branch.path)) return this.renderDetails(root, branch);
    return html`<div class="entry" data-entry=${formatPointer(branch.path)}>
      ${this.renderDetails(root, branch)} ${renderTools(this, branch.path, branch.title)}
    </div>`;
  }

  private renderDetails(root: JsonSchema, branch: Branch): TemplateResult {
    const pointer = formatPointer(branch.path);
    const isOpen = this.open.has(pointer);
    const schema = findSchema(root, this.edits.changed, branch.path) ?? {};
    const isChanged = this.edits.isChanged(branch.path);
    return html`<details ?open=${isOpen} @toggle=${(event: Event) => this.toggle(event, pointer)}>
      <summary>${branch.title}${isChanged ? html`<span class="dot" title="changed"></span><span class="hidden">, changed</span>` : nothing}</summary>
      ${
        isOpen
          ? html`<div class="inside">
              ${branch.help === '' ? nothing : html`<p class="note">${branch.help}</p>`}
              ${branch.isMaterial ? renderPresets(this, branch) : nothing}
              ${this.renderInside(root, branch.path, schema)}
              ${renderAlternatives(this, branch.path, branch.alternatives)}
              ${this.renderRemoval(branch)}
            </div>`
          : nothing
      }
    </details>`;
  }

  private toggle(event: Event, pointer: string): void {
    const { open } = event.currentTarget as HTMLDetailsElement;
    if (open === this.open.has(pointer)) return;
    if (open) this.open.add(pointer);
    else this.open.delete(pointer);
    this.requestUpdate();
  }

  private renderRemoval(branch: Branch): TemplateResult | typeof nothing {
    const name = branch.path.at(-1);
    if (branch.isRequired || typeof name !== 'string' || branch.path[0] === 'materials') return nothing;
    return html`<button class="small" @click=${() => this.setValue(branch.path, undefined)}>Remove “${name}”</button>`;
  }

  private renderAdditions(path: Path, additions: readonly Addition[]): TemplateResult | typeof nothing {
    const listed = additions.filter((entry) => !this.edits.drafts.has(formatPointer(entry.path)));
    if (listed.length === 0) return nothing;
    const where = path.length === 0 ? 'the scene' : computeTitle(readAt(this.edits.changed, path), path);
    return html`<div class="adder">
      <select aria-label=${`What to add to ${where}`}>
        ${listed.map(({ key, help }, index) => html`<option value=${index} title=${help}>${key}</option>`)}
      </select>
      <button
        aria-label=${`Add to ${where}`}
        @click=${(event: Event) => {
          const select = (event.currentTarget as HTMLElement).previousElementSibling as HTMLSelectElement;
          this.add(listed[Number(select.value)]);
        }}
      >
        Add
      </button>
    </div>`;
  }

  private add(addition: Addition): void {
    const pointer = formatPointer(addition.path);
    if (addition.initial === undefined) this.edits.drafts.set(pointer, addition);
    else this.setValue(addition.path, addition.initial);
    this.open.add(pointer);
    this.requestUpdate();
    this.updateComplete.then(() => {
      const added = this.renderRoot.querySelector<HTMLElement>(`[data-path="${CSS.escape(pointer)}"]`);
      added?.focus();
    });
  }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
/** Is it one of the lists that a scene consists of? */
const isList = (root: JsonSchema, path: Path): boolean => findListSchema(root, {}, path) !== undefined;

if (customElements.get('heddle-parameters') === undefined) customElements.define('heddle-parameters', HeddleParameters);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-parameters': HeddleParameters;
  }
}
