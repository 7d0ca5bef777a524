/** Limits of a command: `--limit name=value` before HEDDLE_LIMITS of the environment before the default ones. */

import { HeddleError } from '../model/errors.ts';
import { createLimits, LIMIT_NAMES, type Limits, parseLimits } from '../model/limits.ts';
import type { Context } from './context.ts';

/** The option, for commander. */
export const LIMIT_OPTION = [
  '--limit <name=value>',
  `set a limit: ${LIMIT_NAMES.join(', ')}; separated by commas, or repeated (docs/internals/hostile-input.md)`,
  (value: string, before: readonly string[]): readonly string[] => [...before, value],
  [],
] as const;

export function readLimits({ limits }: Pick<Context, 'limits'>, options: readonly string[] = []): Limits {
  return createLimits({ ...readFromEnvironment(limits ?? ''), ...parseLimits(options.join()) });
}

function readFromEnvironment(text: string): Partial<Limits> {
  try {
    return parseLimits(text);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    throw new HeddleError(`HEDDLE_LIMITS: ${error.message}`);
  }
}
