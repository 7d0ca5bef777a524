/** One row of the parameter panel for each kind of field. Scene texts appear only in text bindings, never as HTML. */

import { MATERIAL_PRESETS, SHEET_MATERIAL_PRESETS } from 'heddle/model';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatNumber } from './json-value.ts';
import {
  computeNudged,
  computeSlider,
  computeSliderPosition,
  computeSliderValue,
  describeNumberFault,
  readRange,
} from './numbers.ts';
import { formatDotted, formatPointer, type Path, readAt } from './overrides.ts';
import type { ParameterEdits } from './parameter-edits.ts';
import { type Alternative, type Branch, type Field, formatValue } from './parameter-fields.ts';
import { renderTools } from './parameter-lists.ts';

/** What a row needs of the panel. */
export interface FieldOwner {
  readonly edits: ParameterEdits;
  setValue(path: Path, value: unknown): void;
  resetValue(path: Path): void;
  findFault(path: Path): string | undefined;
  flush(): void;
  requestUpdate(): void;
  isEntry(path: Path): boolean;
  describeNeed(path: Path): string | undefined;
  canCopy(path: Path): boolean;
  copyEntry(path: Path): void;
  removeEntry(path: Path): void;
}

/** `stretchStiffness` as `stretch stiffness`; indices count from 1. */
export function formatName(key: string): string {
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function renderField(owner: FieldOwner, field: Field): TemplateResult {
  const pointer = formatPointer(field.path);
  const isChanged = owner.edits.isChanged(field.path);
  const fault = owner.edits.faults.get(pointer) ?? owner.findFault(field.path);
  const own = readAt(owner.edits.base, field.path);
  const notes = [
    field.fallback === '' ? '' : `Default ${field.fallback}.`,
    isChanged && own !== undefined ? `Scene: ${formatValue(own)}.` : '',
  ];
  return html`<div class="field" ?data-changed=${isChanged} ?data-fault=${fault !== undefined}>
    ${owner.isEntry(field.path) ? html`<div class="label">${renderLabel(field, pointer)}${renderTools(owner, field.path, field.key)}</div>` : renderLabel(field, pointer)}
    <div class="control">${renderControl(owner, field, pointer)}</div>
    ${renderReset(owner, field, isChanged)}
    <p class="help" title=${field.help} id=${`help-${pointer}`}>${field.help} ${notes.join(' ').trim()}</p>
    ${fault === undefined ? nothing : html`<p class="fault" id=${`fault-${pointer}`} role="alert">${fault}</p>`}
    ${renderAlternatives(
      owner,
      field.path,
      field.alternatives.filter(() => field.kind !== 'flag'),
    )}
  </div>`;
}

/** Undoes a change; or leaves out a value that the scene need not give, so that the default holds. */
function renderReset(owner: FieldOwner, field: Field, isChanged: boolean): TemplateResult | typeof nothing {
  const { path, key, fallback } = field;
  const own = readAt(owner.edits.base, path);
  const button = (label: string, sign: string, act: () => void) =>
    html`<button class="reset plain" aria-label=${label} title=${label} @click=${act}>${sign}</button>`;
  if (isChanged || owner.edits.drafts.has(formatPointer(path))) {
    const label = own === undefined ? `Remove ${key}` : `Reset ${key} to ${formatValue(own)}`;
    return button(label, '↺', () => owner.resetValue(path));
  }
  if (field.isRequired || owner.isEntry(path)) return nothing;
  const label = fallback === '' ? `Remove ${formatName(key)}` : `Set ${formatName(key)} to its default, ${fallback}`;
  return button(label, '✕', () => owner.setValue(path, undefined));
}

/** A vector has three inputs; its name labels the group of them. */
function renderLabel(field: Field, pointer: string): TemplateResult {
  const name = formatName(field.key);
  const title = formatDotted(field.path);
  return field.kind === 'vector'
    ? html`<span class="name" id=${`name-${pointer}`} title=${title}>${name}</span>`
    : html`<label class="name" for=${`field-${pointer}`} title=${title}>${name}</label>`;
}

function renderControl(owner: FieldOwner, field: Field, pointer: string): TemplateResult {
  switch (field.kind) {
    case 'number':
      return renderNumber(owner, field, pointer);
    case 'vector':
      return renderVector(owner, field, pointer);
    case 'flag':
      return renderFlag(owner, field, pointer);
    case 'choice':
      return html`<select
        id=${`field-${pointer}`}
        data-path=${pointer}
        aria-describedby=${`help-${pointer}`}
        @change=${(event: Event) => owner.setValue(field.path, (event.currentTarget as HTMLSelectElement).value)}
      >
        ${field.choices.map((choice) => html`<option value=${choice} .selected=${live(choice === field.value)}>${choice}</option>`)}
      </select>`;
    case 'material':
      return renderMaterial(owner, field, pointer);
    default:
      return html`<input
        type="text"
        id=${`field-${pointer}`}
        data-path=${pointer}
        aria-describedby=${`help-${pointer}`}
        .value=${live(String(field.value ?? ''))}
        @change=${(event: Event) => owner.setValue(field.path, (event.currentTarget as HTMLInputElement).value)}
      />`;
  }
}

interface NumberPlace {
  readonly field: Field;
  /** Pointer of the field, or of one component of a vector. */
  readonly pointer: string;
  readonly value: unknown;
  readonly own: unknown;
  readonly name: string | undefined;
  readonly schema: Field['schema'];
  readonly set: (value: number) => void;
}

function renderNumber(owner: FieldOwner, field: Field, pointer: string): TemplateResult {
  const own = readAt(owner.edits.base, field.path);
  const set = (value: number) => owner.setValue(field.path, value);
  const place: NumberPlace = { field, pointer, value: field.value, own, name: undefined, schema: field.schema, set };
  return html`${renderInput(owner, place)}
    ${field.unit === '' ? nothing : html`<span class="unit">${field.unit}</span>`} ${renderSlider(owner, place)}`;
}

function renderVector(owner: FieldOwner, field: Field, pointer: string): TemplateResult {
  const vector = field.value as readonly number[];
  const items = field.schema.items as readonly Field['schema'][];
  return html`<div class="vector" role="group" aria-labelledby=${`name-${pointer}`}>
      ${vector.map((value, index) => {
        const name = `${formatName(field.key)} ${'xyz'[index] ?? index}`;
        const own = readAt(owner.edits.base, [...field.path, index]);
        const set = (next: number) => {
          const latest = readAt(owner.edits.changed, field.path) as readonly number[];
          owner.setValue(field.path, latest.toSpliced(index, 1, next));
        };
        return renderInput(owner, {
          field,
          pointer: `${pointer}/${index}`,
          value,
          own,
          name,
          schema: items[index],
          set,
        });
      })}
    </div>
    ${field.unit === '' ? nothing : html`<span class="unit">${field.unit}</span>`}`;
}

function renderInput(owner: FieldOwner, place: NumberPlace): TemplateResult {
  const { pointer, value, name } = place;
  const text = owner.edits.typed.get(pointer) ?? (typeof value === 'number' ? formatNumber(value) : '');
  const fieldPointer = formatPointer(place.field.path);
  const isFaulty = owner.edits.faults.has(fieldPointer);
  return html`<input
    type="number"
    step="any"
    id=${`field-${pointer}`}
    data-path=${pointer}
    aria-label=${name ?? nothing}
    aria-describedby=${`help-${fieldPointer}`}
    aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${live(text)}
    @input=${(event: Event) => takeText(owner, place, event.currentTarget as HTMLInputElement)}
    @change=${() => owner.flush()}
    @blur=${() => forgetText(owner, place)}
    @keydown=${(event: KeyboardEvent) => takeKey(owner, place, event)}
  />`;
}

function takeText(owner: FieldOwner, { field, pointer, schema, set }: NumberPlace, input: HTMLInputElement): void {
  owner.edits.typed.set(pointer, input.value);
  const value = input.value === '' ? Number.NaN : Number(input.value);
  const fault = describeNumberFault(value, readRange(schema));
  if (fault === undefined) set(value);
  else owner.edits.faults.set(formatPointer(field.path), fault);
  owner.requestUpdate();
}

/** Leaving a field drops a text that is no value; the last good value comes back. */
function forgetText(owner: FieldOwner, { field, pointer }: NumberPlace): void {
  owner.edits.typed.delete(pointer);
  owner.edits.faults.delete(formatPointer(field.path));
  owner.requestUpdate();
}

/** Arrows step relative to the value, with shift or the page keys ten times as far. */
function takeKey(owner: FieldOwner, { value, own, pointer, schema, set }: NumberPlace, event: KeyboardEvent): void {
  const direction = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (direction === undefined || typeof value !== 'number') return;
  event.preventDefault();
  owner.edits.typed.delete(pointer);
  const scale = typeof own === 'number' ? own : 1;
  set(computeNudged(value, direction * (event.shiftKey ? 10 : 1), readRange(schema), scale));
}

function renderSlider(
  owner: FieldOwner,
  { field, pointer, value, own, set }: NumberPlace,
): TemplateResult | typeof nothing {
  const range = readRange(field.schema);
  const middle = typeof own === 'number' ? own : value;
  const slider = typeof middle === 'number' ? computeSlider(middle, range) : undefined;
  if (slider === undefined || typeof value !== 'number') return nothing;
  return html`<input
    type="range"
    min="0"
    max="1"
    step="0.001"
    aria-label=${`${formatName(field.key)}, slider`}
    aria-valuetext=${`${formatNumber(value)} ${field.unit}`}
    .value=${live(String(computeSliderPosition(value, slider)))}
    @input=${(event: Event) => {
      owner.edits.typed.delete(pointer);
      set(computeSliderValue(Number((event.currentTarget as HTMLInputElement).value), slider, range));
    }}
    @change=${() => owner.flush()}
  />`;
}

function renderFlag(owner: FieldOwner, field: Field, pointer: string): TemplateResult {
  // false where the other form is an object: switching on takes that form
  const on = field.schema.const === false ? field.alternatives[0]?.initial : true;
  return html`<input
    type="checkbox"
    role="switch"
    id=${`field-${pointer}`}
    data-path=${pointer}
    aria-describedby=${`help-${pointer}`}
    .checked=${live(field.value === true)}
    @change=${(event: Event) => owner.setValue(field.path, (event.currentTarget as HTMLInputElement).checked ? on : false)}
  />`;
}

function renderMaterial(owner: FieldOwner, field: Field, pointer: string): TemplateResult {
  const own = Object.keys((readAt(owner.edits.changed, ['materials']) as object | undefined) ?? {});
  const type = readAt(owner.edits.changed, [...field.path.slice(0, -1), 'type']);
  const presets = type === 'sheet' ? SHEET_MATERIAL_PRESETS : MATERIAL_PRESETS;
  const option = (name: string, title: string) =>
    html`<option value=${name} .selected=${live(name === field.value)}>${title}</option>`;
  return html`<select
    id=${`field-${pointer}`}
    data-path=${pointer}
    aria-describedby=${`help-${pointer}`}
    @change=${(event: Event) => owner.setValue(field.path, (event.currentTarget as HTMLSelectElement).value)}
  >
    ${own.length === 0 ? nothing : html`<optgroup label="Of this scene">${own.map((name) => option(name, name))}</optgroup>`}
    <optgroup label="Built in">
      ${presets.filter(({ name }) => !own.includes(name)).map(({ name, title }) => option(name, title))}
    </optgroup>
  </select>`;
}

/** A built-in material in the place of one written in the scene. */
export function renderPresets(owner: FieldOwner, branch: Branch): TemplateResult {
  const { path } = branch;
  const value = JSON.stringify(readAt(owner.edits.changed, path));
  const take = (event: Event) => {
    const name = (event.currentTarget as HTMLSelectElement).value;
    if (name === '') owner.resetValue(path);
    const preset = ALL_PRESETS.find((entry) => entry.name === name);
    if (preset !== undefined) owner.setValue(path, computePresetValues(preset));
  };
  return html`<label class="preset"
    >Copy the values of
    <select @change=${take}>
      <option value="">the scene</option>
      ${ALL_PRESETS.map(
        (preset) =>
          html`<option value=${preset.name} .selected=${live(JSON.stringify(computePresetValues(preset)) === value)}>${preset.title}</option>`,
      )}
    </select>
  </label>`;
}

const ALL_PRESETS = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];

function computePresetValues(preset: (typeof ALL_PRESETS)[number]): Record<string, unknown> {
  const { name: _name, title: _title, source: _source, ...values } = preset;
  return { ...values };
}

/** Buttons that give a value another form. */
export function renderAlternatives(
  owner: FieldOwner,
  path: Path,
  alternatives: readonly Alternative[],
): TemplateResult | typeof nothing {
  if (alternatives.length === 0) return nothing;
  return html`<div class="forms">
    ${alternatives.map(
      ({ label, initial }) =>
        html`<button class="small" @click=${() => owner.setValue(path, initial)}>Change to: ${label}</button>`,
    )}
  </div>`;
}
