// What vitest's JSON reporter wrote about a run: the slowest tests, and how many passed, failed and were skipped.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './setup.js';

const SLOWEST = 20;

/** Tests of one run: file, full title, status and duration [ms]; none where the run ended before it wrote them. */
export function readResults(file) {
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration }) => ({
      file: relative(root, name),
      title: fullName.trim(),
      status,
      duration: duration ?? 0,
    })),
  );
}

/** Prints the slowest tests and one closing line with the counts. */
export function printSummary(tests) {
  const slowest = tests.toSorted((a, b) => b.duration - a.duration).slice(0, SLOWEST);
  console.log(`\nThe slowest ${slowest.length} tests:`);
  for (const { file, title, duration } of slowest)
    console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${file}  ${title}`);
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('pending', 'skipped', 'todo')} skipped`);
}
