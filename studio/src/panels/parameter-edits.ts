/**
 * What a person has changed in a scene so far: the scene's own values, the changed ones, numbers that were added but
 * have no value yet, texts that are no value yet, and what can be undone.
 * Entries that come and go move those behind them; `base` is the scene as it was with the same entries, so that every
 * value finds the one that it had.
 */

import { computeEdited, type ListEdit } from './list-edits.ts';
import {
  computeOverrides,
  computeReset,
  computeWith,
  computeWithOverrides,
  formatPointer,
  type Override,
  type Path,
  readAt,
} from './overrides.ts';
import type { Addition } from './parameter-fields.ts';

interface Moment {
  readonly base: unknown;
  readonly changed: unknown;
}

/** Most changes that can be undone. */
const MOST_UNDONE = 200;

export class ParameterEdits {
  readonly own: unknown;
  base: unknown;
  changed: unknown;
  private past: Moment[] = [];
  private future: Moment[] = [];
  /** Place of the last change: going on there, as a slider does, is the same change. */
  private latest = '';
  /** Additions that wait for a value, by pointer. */
  readonly drafts = new Map<string, Addition>();
  /** What stands in a field that is being typed in, by pointer. */
  readonly typed = new Map<string, string>();
  /** Why what is typed is no value, by pointer. */
  readonly faults = new Map<string, string>();

  constructor(own: unknown, overrides: readonly Override[] = []) {
    this.own = own;
    this.base = own;
    this.changed = computeWithOverrides(own, overrides);
  }

  get overrides(): Override[] {
    return computeOverrides(this.own, this.changed);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  set(path: Path, value: unknown): void {
    this.remember(formatPointer(path));
    this.changed = computeWith(this.changed, path, value);
    this.drafts.delete(formatPointer(path));
    this.faults.delete(formatPointer(path));
  }

  reset(path: Path): void {
    const pointer = formatPointer(path);
    this.remember(pointer);
    this.changed = computeReset(this.base, this.changed, path);
    this.drafts.delete(pointer);
    this.typed.delete(pointer);
    this.faults.delete(pointer);
  }

  /** Entries come or go. */
  edit(edits: readonly ListEdit[]): void {
    this.remember('');
    this.changed = computeEdited(this.changed, edits);
    this.base = computeEdited(this.base, edits);
    this.forgetTexts();
  }

  /** All of the scene's own values again. */
  resetAll(): void {
    this.remember('');
    this.changed = this.own;
    this.base = this.own;
    this.forgetTexts();
  }

  undo(): void {
    this.goTo(this.past, this.future);
  }

  redo(): void {
    this.goTo(this.future, this.past);
  }

  private goTo(from: Moment[], to: Moment[]): void {
    const moment = from.pop();
    if (moment === undefined) return;
    to.push({ base: this.base, changed: this.changed });
    this.base = moment.base;
    this.changed = moment.changed;
    this.latest = '';
    this.forgetTexts();
  }

  private remember(place: string): void {
    if (place === '' || place !== this.latest) this.past.push({ base: this.base, changed: this.changed });
    if (this.past.length > MOST_UNDONE) this.past.shift();
    this.future = [];
    this.latest = place;
  }

  /** Places have moved: what is half typed belongs to none of them. */
  private forgetTexts(): void {
    this.drafts.clear();
    this.typed.clear();
    this.faults.clear();
  }

  isChanged(path: Path): boolean {
    return JSON.stringify(readAt(this.base, path)) !== JSON.stringify(readAt(this.changed, path));
  }

  /** The override that carries a change at `path`: one above it that is new as a whole, else the value there now. */
  findOverride(path: Path): Override {
    const pointer = formatPointer(path);
    const carrier = this.overrides.find((entry) => pointer.startsWith(`${entry.path}/`));
    return carrier ?? { path: pointer, value: readAt(this.changed, path) };
  }
}
