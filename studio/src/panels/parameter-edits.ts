/**
 * What a person has changed in a scene so far: the scene's own values, the changed ones, numbers that were added but
 * have no value yet, and texts that are no value yet.
 */

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

export class ParameterEdits {
  readonly own: unknown;
  changed: unknown;
  /** Additions that wait for a value, by pointer. */
  readonly drafts = new Map<string, Addition>();
  /** What stands in a field that is being typed in, by pointer. */
  readonly typed = new Map<string, string>();
  /** Why what is typed is no value, by pointer. */
  readonly faults = new Map<string, string>();

  constructor(own: unknown, overrides: readonly Override[] = []) {
    this.own = own;
    this.changed = computeWithOverrides(own, overrides);
  }

  get overrides(): Override[] {
    return computeOverrides(this.own, this.changed);
  }

  set(path: Path, value: unknown): void {
    this.changed = computeWith(this.changed, path, value);
    this.drafts.delete(formatPointer(path));
    this.faults.delete(formatPointer(path));
  }

  reset(path: Path): void {
    const pointer = formatPointer(path);
    this.changed = computeReset(this.own, this.changed, path);
    this.drafts.delete(pointer);
    this.typed.delete(pointer);
    this.faults.delete(pointer);
  }

  isChanged(path: Path): boolean {
    return JSON.stringify(readAt(this.own, path)) !== JSON.stringify(readAt(this.changed, path));
  }

  /** The override that carries a change at `path`: the one there or above it; the scene's own value when it is reset. */
  findOverride(path: Path): Override {
    const pointer = formatPointer(path);
    const carrier = this.overrides.find((entry) => pointer === entry.path || pointer.startsWith(`${entry.path}/`));
    return carrier ?? { path: pointer, value: readAt(this.own, path) };
  }
}
