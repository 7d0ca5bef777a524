/** From text or a plain value to a validated scene; all faults at once, each with path and line. */

import { SceneError, type SceneFault } from '../model/errors.ts';
import { checkScene } from './checks.ts';
import { collectFaults, type LocatedFault } from './faults.ts';
import { findLines, type JsonPath, readJson } from './json-text.ts';
import { checkStructure } from './raw.ts';
import { type Scene, sceneSchema } from './schema.ts';
import { parsePath } from './set-path.ts';
import { formatPath } from './wording.ts';

/** Most faults that are listed; the rest is counted. */
const MOST_FAULTS = 100;

export interface ParseOptions {
  /** Name of the file, for the faults. */
  readonly source?: string;
  /** Changes the value of a text before it is validated, as `setPath` and `setPointer` do; faults have the lines of the text. */
  readonly change?: (raw: unknown) => void;
}

/** The value of a scene's text before validation, for `setPath`. Throws a SceneError for what is not JSON. */
export function readSceneJson(text: string, options: ParseOptions = {}): unknown {
  const reading = readJson(text);
  if (reading.faults.length > 0) throw new SceneError(reading.faults, options.source);
  return reading.value;
}

/** Parses and validates the text of a scene. Throws a SceneError that lists all faults. */
export function parseScene(text: string, options: ParseOptions = {}): Scene {
  const source = options.source ?? 'scene';
  const reading = readJson(text);
  if (reading.value === undefined) throw new SceneError(reading.faults, source);
  options.change?.(reading.value);
  const result = examine(reading.value);
  if (result.faults.length === 0 && reading.faults.length === 0 && result.scene !== undefined) return result.scene;
  const lines = findLines(
    text,
    result.faults.map((fault) => fault.path),
  );
  const faults = result.faults.map((fault, index) => ({ ...toSceneFault(fault), line: lines[index] }));
  throw new SceneError(
    limitFaults([...reading.faults, ...faults].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))),
    source,
  );
}

/** The faults of a scene that was read from this text, each with the line of its path. */
export function locateFaults(faults: readonly SceneFault[], text: string): SceneFault[] {
  const lines = findLines(
    text,
    faults.map(({ path }) => (/^[\w$.[\]-]*$/.test(path) ? parsePath(path) : [])),
  );
  return faults.map((fault, index) => ({ ...fault, line: lines[index] }));
}

/** Validates a scene built in TypeScript or read elsewhere. Throws a SceneError that lists all faults. */
export function validateScene(value: unknown, options: ParseOptions = {}): Scene {
  const result = examine(value);
  if (result.scene !== undefined && result.faults.length === 0) return result.scene;
  throw new SceneError(limitFaults(result.faults.map(toSceneFault)), options.source);
}

function examine(value: unknown): { scene?: Scene; faults: readonly LocatedFault[] } {
  const structure = checkStructure(value);
  if (structure.some((fault) => fault.path.at(-1) !== '__proto__')) return { faults: structure };
  const parsed = sceneSchema.safeParse(value);
  const faults = [...structure];
  if (!parsed.success) faults.push(...collectFaults(parsed.error.issues));
  faults.push(...checkScene(value));
  const unique = keepFirstByPath(faults);
  return parsed.success ? { scene: parsed.data, faults: unique } : { faults: unique };
}

/** One fault a place: the schema's before those between fields. */
function keepFirstByPath(faults: readonly LocatedFault[]): LocatedFault[] {
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const path = formatPath(fault.path);
    if (seen.has(path)) return false;
    seen.add(path);
    return true;
  });
}

function toSceneFault(fault: { path: JsonPath; message: string }): SceneFault {
  return { path: formatPath(fault.path), message: fault.message };
}

function limitFaults(faults: readonly SceneFault[]): readonly SceneFault[] {
  if (faults.length <= MOST_FAULTS) return faults;
  const rest = { path: '', message: `has ${faults.length - MOST_FAULTS} more faults like these.` };
  return [...faults.slice(0, MOST_FAULTS), rest];
}
