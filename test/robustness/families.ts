/**
 * Random families of scenes: one seed, one scene. A family measures numbers on its scene, and checks bound them.
 *
 * A hard check passes for every seed. A counted check is known to fail for a share of the scenes, measured in a survey as [failures, scenes]; fresh
 * seeds may then fail it no more often than that. For n scenes the limit is derived, not chosen:
 *     p       highest share that explains the survey:  P(X ≤ failures | scenes, p) = 0.05         [Clopper–Pearson, one-sided 95 %]
 *     limit   smallest k with P(X > k | n, p) < 1e-6, X binomial: a wrong alarm once in a million runs, even if p is the true share
 * A share q > p is noticed with probability P(X > limit | n, q). docs/internals/reliability.md lists both for each family.
 */
import { StepError } from 'heddle/model';

/** Numbers that are measured on one scene. */
export type Measures = Readonly<Record<string, number>>;

export interface Check {
  /** What is promised of a scene: `no point of a strand is …`. */
  readonly promise: string;
  readonly measure: string;
  readonly least?: number;
  readonly most?: number;
  /** Failures and scenes of the survey; absent for a hard check. */
  readonly survey?: readonly [failures: number, scenes: number];
}

export interface Family {
  /** What the scenes are: `strands in steps of 0.01 s`. */
  readonly name: string;
  readonly checks: readonly Check[];
  /** Runs the scene of a seed. An error is a failure. */
  measure(seed: number): Measures;
}

/** The engine refuses a step with a `StepError`: the run ends with a sentence, not with wrong numbers. */
export const NO_REFUSAL: Check = { promise: 'no step is refused', measure: 'refusals', most: 0 };

const WRONG_ALARM = 1e-6;
const DOUBT = 0.05;

/** Failures of each check: the fault by the seed, by the promise. Errors other than refused steps are under `no error is thrown`. */
export type Failures = Readonly<Record<string, Readonly<Record<number, string>>>>;

const NO_ERROR = 'no error is thrown';

/** Runs the scenes of seeds. */
export function runFamily({ checks, measure }: Family, seeds: Iterable<number>): Failures {
  const failures: Record<string, Record<number, string>> = { [NO_ERROR]: {} };
  for (const { promise } of checks) failures[promise] = {};
  for (const seed of seeds) {
    let measures: Measures;
    try {
      measures = measure(seed);
    } catch (error) {
      const isCounted = error instanceof StepError && checks.some((check) => check.measure === NO_REFUSAL.measure);
      failures[isCounted ? NO_REFUSAL.promise : NO_ERROR][seed] = (error as Error).message;
      continue;
    }
    for (const { promise, measure: key, least = -Infinity, most = Infinity } of checks) {
      if (key === NO_REFUSAL.measure) continue;
      const value = measures[key];
      if (!(value >= least && value <= most)) failures[promise][seed] = `${key} ${value}`;
    }
  }
  return failures;
}

/** P(X > k) of n scenes that each fail with probability p. */
export function computeTail(n: number, p: number, k: number): number {
  // terms of the sum from the top: they fall, so that small ones are added first
  let [tail, logChoose] = [0, 0];
  const terms: number[] = [];
  for (let j = 0; j <= n; j++) {
    if (j > 0) logChoose += Math.log((n - j + 1) / j);
    if (j > k) terms.push(Math.exp(logChoose + j * Math.log(p) + (n - j) * Math.log1p(-p)));
  }
  for (const term of terms.reverse()) tail += term;
  return tail;
}

/** Highest share of failures that explains `failures` in `scenes` with a probability of 0.05. */
export function boundShare([failures, scenes]: readonly [number, number]): number {
  let [low, high] = [failures / scenes, 1];
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (1 - computeTail(scenes, middle, failures) > DOUBT) low = middle;
    else high = middle;
  }
  return high;
}

/** Most failures of a check in n scenes with fresh seeds; 0 for a hard check. */
export function computeLimit({ survey: known }: Check, n: number): number {
  if (known === undefined) return 0;
  const share = boundShare(known);
  let k = 0;
  while (computeTail(n, share, k) >= WRONG_ALARM) k++;
  return k;
}

/** Share of failures that n fresh scenes notice in nine runs of ten. */
export function computeNoticed(check: Check, n: number): number {
  const limit = computeLimit(check, n);
  let [low, high] = [0, 1];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (computeTail(n, middle, limit) < 0.9) low = middle;
    else high = middle;
  }
  return high;
}
