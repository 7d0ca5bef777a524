/**
 * From what zod reports to faults a person can act on. The sentences themselves come from the schema (fields.ts);
 * here unions are resolved to the branch that was meant, and unknown keys get their nearest known one.
 */

import type { z } from 'zod';
import { suggest } from '../model/nearest.ts';
import type { JsonPath } from './json-text.ts';

/** A fault before its path is made text and its line is found. */
export interface LocatedFault {
  readonly path: JsonPath;
  readonly message: string;
}

/** Takes a fault found. */
export type Report = (path: JsonPath, message: string) => void;

type Issue = z.core.$ZodIssue;

/** Faults of all issues, in the order zod found them. */
export function collectFaults(issues: readonly Issue[], prefix: JsonPath = []): LocatedFault[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(' ');
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `is not a known key.${suggest(key, known, 'Known keys')}`,
      }));
    }
    if (issue.code === 'invalid_key') {
      return [{ path, message: `has an invalid name; ${allowedName(issue.issues)}` }];
    }
    if (issue.code === 'invalid_union') {
      const meant = issue.errors.filter((branch) => branch.every((inner) => !rejectsWholeValue(inner)));
      if (meant.length === 1) return collectFaults(meant[0], path);
    }
    return [{ path, message: issue.message }];
  });
}

/** Does the issue say that this branch of a union was not meant at all? */
function rejectsWholeValue(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === 'invalid_value' || (issue.code === 'invalid_type' && issue.expected !== 'int');
}

function allowedName(issues: readonly Issue[]): string {
  const message = issues[0]?.message ?? '';
  return message.slice(message.indexOf('it must be'));
}
