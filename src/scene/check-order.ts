/** Numbers of a list that must increase: fractions of a length, times of keyframes. */
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { isNumber, isRaw } from './raw.ts';
import { formatNumber } from './wording.ts';

/** Reports the first value that is not greater than the one before. */
export function checkIncreasing(
  values: readonly unknown[],
  pathOf: (index: number) => JsonPath,
  noun: string,
  report: Report,
): void {
  for (let i = 1; i < values.length; i++) {
    const before = values[i - 1];
    const value = values[i];
    if (!isNumber(before) || !isNumber(value) || value > before) continue;
    const message = `is ${formatNumber(value)} after ${formatNumber(before)}; ${noun} must increase.`;
    report(pathOf(i), message);
    return;
  }
}

export function checkFractions(nodes: readonly unknown[], path: JsonPath, report: Report): void {
  if (!nodes.every(isNumber) || nodes.length < 2) return;
  if (nodes[0] !== 0) report([...path, 0], `is ${formatNumber(nodes[0])}; the first fraction must be 0.`);
  const last = nodes.length - 1;
  if (nodes[last] !== 1) report([...path, last], `is ${formatNumber(nodes[last])}; the last fraction must be 1.`);
  checkIncreasing(nodes, (index) => [...path, index], 'fractions', report);
}

/** Times of keyframes, an array at `path`, increase. */
export function checkKeyframeTimes(keyframes: unknown, path: JsonPath, report: Report): void {
  if (!Array.isArray(keyframes)) return;
  const times = keyframes.map((keyframe) => (isRaw(keyframe) ? keyframe.time : undefined));
  checkIncreasing(times, (index) => [...path, index, 'time'], 'times of keyframes', report);
}
