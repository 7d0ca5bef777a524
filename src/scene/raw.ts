/** Looking into values of any shape: what a scene is before the schema has accepted it. */

import type { LocatedFault } from './faults.ts';
import type { JsonPath } from './json-text.ts';

/** An object of JSON. */
export type Raw = Readonly<Record<string, unknown>>;
/** Three finite numbers. */
export type Point = readonly [number, number, number];

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Visits the objects of an array, if it is one. */
export function eachRaw(value: unknown, path: JsonPath, visit: (entry: Raw, path: JsonPath) => void): void {
  if (!Array.isArray(value)) return;
  value.forEach((entry, index) => {
    if (isRaw(entry)) visit(entry, [...path, index]);
  });
}

export const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((entry) => Number.isFinite(entry));

export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Faults that make a value unfit even to be looked at: too deep (or circular), keys that reach prototypes. */
export function checkStructure(value: unknown, deepest: number): LocatedFault[] {
  const faults: LocatedFault[] = [];
  // one fault of depth ends the walk: a value that contains itself twice would take 2^64 steps
  let isTooDeep = false;
  const visit = (current: unknown, path: JsonPath): void => {
    if (isTooDeep || typeof current !== 'object' || current === null || ArrayBuffer.isView(current)) return;
    if (path.length >= deepest) {
      const message = `is nested deeper than ${deepest} levels, or contains itself; a scene needs fewer than 10.`;
      faults.push({ path: path.slice(0, 4), message });
      isTooDeep = true;
      return;
    }
    if (Array.isArray(current)) {
      for (let i = 0; i < current.length; i++) if (typeof current[i] === 'object') visit(current[i], [...path, i]);
      return;
    }
    for (const key of Object.keys(current)) {
      if (key === '__proto__') faults.push({ path: [...path, key], message: 'is not a known key.' });
      else visit((current as Raw)[key], [...path, key]);
    }
  };
  visit(value, []);
  return faults;
}
