/** From text or a plain value to a validated scene; all faults at once, each with path and line. */

import { SceneError, type SceneFault } from '../model/errors.ts';
import { createLimits, type Limits } from '../model/limits.ts';
import { checkScene } from './checks.ts';
import { collectFaults, type LocatedFault } from './faults.ts';
import { findLines, type JsonPath, readJson } from './json-text.ts';
import { checkStructure } from './raw.ts';
import { type Scene, sceneSchema } from './schema.ts';
import { parsePath } from './set-path.ts';
import { formatPath } from './wording.ts';

export interface ParseOptions {
  /** Name of the file, for the faults. */
  readonly source?: string;
  /** Changes the value of a text before it is validated, as `setPath` and `setPointer` do; faults have the lines of the text. */
  readonly change?: (raw: unknown) => void;
  /** Limits other than the default ones (`LIMIT_TABLE`). */
  readonly limits?: Partial<Limits>;
}

/** The value of a scene's text before validation, for `setPath`. Throws a SceneError for what is not JSON. */
export function readSceneJson(text: string, options: ParseOptions = {}): unknown {
  const reading = readJson(text, createLimits(options.limits));
  if (reading.faults.length > 0) throw new SceneError(reading.faults, options.source);
  return reading.value;
}

/** Parses and validates the text of a scene. Throws a SceneError that lists all faults. */
export function parseScene(text: string, options: ParseOptions = {}): Scene {
  const source = options.source ?? 'scene';
  const limits = createLimits(options.limits);
  const reading = readJson(text, limits);
  if (reading.value === undefined) throw new SceneError(reading.faults, source);
  options.change?.(reading.value);
  const result = examine(reading.value, limits);
  if (result.faults.length === 0 && reading.faults.length === 0 && result.scene !== undefined) return result.scene;
  const lines = findLines(
    text,
    result.faults.map((fault) => fault.path),
    limits,
  );
  const faults = result.faults.map((fault, index) => ({ ...toSceneFault(fault), line: lines[index] }));
  throw new SceneError(
    limitFaults(
      [...reading.faults, ...faults].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
      limits.faults,
    ),
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
  const limits = createLimits(options.limits);
  const result = examine(value, limits);
  if (result.scene !== undefined && result.faults.length === 0) return result.scene;
  throw new SceneError(limitFaults(result.faults.map(toSceneFault), limits.faults), options.source);
}

function examine(value: unknown, limits: Limits): { scene?: Scene; faults: readonly LocatedFault[] } {
  const structure = checkStructure(value, limits.depth);
  if (structure.some((fault) => fault.path.at(-1) !== '__proto__')) return { faults: structure };
  const parsed = sceneSchema.safeParse(value);
  const faults = [...structure];
  if (!parsed.success) faults.push(...collectFaults(parsed.error.issues));
  faults.push(...checkScene(value, limits));
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

/** The first `most` faults; the rest is counted. */
function limitFaults(faults: readonly SceneFault[], most: number): readonly SceneFault[] {
  if (faults.length <= most) return faults;
  const rest = { path: '', message: `has ${faults.length - most} more errors like these.` };
  return [...faults.slice(0, most), rest];
}
