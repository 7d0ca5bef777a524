/** Runs laws: one row for each value of the parameter, errors at each resolution, orders of convergence, and whether the law holds. */

import { type Faults, type Law, type LawModel, MARGIN, type Stiffness, TOLERANCE } from './law.ts';

/** One value of the parameter. */
export interface LawRow {
  readonly parameter: number;
  readonly predicted: number;
  /** At the finest resolution; NaN where it could not be measured. Of a threshold the two sides between which it lies: NaN where that side is wrong. */
  readonly measured: number | readonly [stays: number, givesWay: number];
  /** Relative, at each resolution; of a threshold the margin within which it was found, ∞ where it was not. */
  readonly errors: readonly number[];
  /** Of convergence, by the two finest resolutions; undefined where there are not two, or an error is rounding. */
  readonly order: number | undefined;
  readonly passes: boolean;
  /** Why it could not be measured. */
  readonly fault?: string;
}

export interface LawResult {
  readonly name: string;
  readonly model: LawModel;
  readonly title: string;
  readonly source: string;
  readonly kind: Law['kind'];
  readonly parameter: string;
  readonly quantity: string;
  /** What is refined; empty where nothing is. */
  readonly resolution: string;
  readonly resolutions: readonly number[];
  /** Largest error that passes. */
  readonly tolerance: number;
  readonly rows: readonly LawRow[];
  /** Of the root mean square of all errors; undefined as in rows. */
  readonly order: number | undefined;
  readonly leastOrder: number | undefined;
  readonly passes: boolean;
}

export interface LawRunOptions {
  readonly faults?: Faults;
  /** Parameters instead of the law's own. */
  readonly parameters?: readonly number[];
  /** Resolutions instead of the law's own. */
  readonly resolutions?: readonly number[];
  /** Ends after the first row that does not pass. */
  readonly endsAtFailure?: boolean;
}

/** An error below this is rounding: it has no order. */
const ROUNDING = 1e-8;

export function runLaw(law: Law, options: LawRunOptions = {}): LawResult {
  const { faults = {}, parameters = law.parameters } = options;
  const resolutions = options.resolutions ?? law.resolution?.values ?? [0];
  const rows: LawRow[] = [];
  for (const parameter of parameters) {
    rows.push(
      law.kind === 'value'
        ? measureRow(law, parameter, resolutions, faults)
        : boundRow(law, parameter, resolutions, faults),
    );
    if (options.endsAtFailure === true && !rows[rows.length - 1].passes) break;
  }
  const order = computeOrder(
    resolutions,
    resolutions.map((_, k) => Math.hypot(...rows.map(({ errors }) => errors[k])) / Math.sqrt(rows.length)),
  );
  // errors that are rounding on the finest mesh need no order
  const converges = law.order === undefined || order === undefined || order >= law.order;
  return {
    name: law.name,
    model: law.model,
    title: law.title,
    source: law.source,
    kind: law.kind,
    parameter: law.parameter,
    quantity: law.quantity,
    resolution: law.resolution?.name ?? '',
    resolutions: law.resolution === undefined ? [] : resolutions,
    tolerance: toleranceOf(law),
    rows,
    order: law.kind === 'value' ? order : undefined,
    leastOrder: law.order,
    passes: converges && rows.every(({ passes }) => passes),
  };
}

const toleranceOf = (law: Law): number =>
  law.kind === 'value' ? (law.tolerance ?? TOLERANCE) : (law.margin ?? MARGIN);

function measureRow(
  law: Law & { kind: 'value' },
  parameter: number,
  resolutions: readonly number[],
  faults: Faults,
): LawRow {
  const predicted = law.predict(parameter);
  const scale = law.scale?.(parameter) ?? Math.abs(predicted);
  let measured = Number.NaN;
  const errors: number[] = [];
  try {
    for (const resolution of resolutions) {
      measured = law.measure(parameter, resolution, faults);
      errors.push(Math.abs(measured - predicted) / scale);
    }
  } catch (error) {
    return failRow(parameter, predicted, Number.NaN, resolutions, error);
  }
  const order = computeOrder(resolutions, errors);
  return { parameter, predicted, measured, errors, order, passes: errors[errors.length - 1] <= toleranceOf(law) };
}

function boundRow(
  law: Law & { kind: 'threshold' },
  parameter: number,
  resolutions: readonly number[],
  faults: Faults,
): LawRow {
  const predicted = law.predict(parameter);
  const margin = toleranceOf(law);
  try {
    // the finest alone: a threshold is found or not
    const resolution = resolutions[resolutions.length - 1];
    const [below, above] = [predicted * (1 - margin), predicted * (1 + margin)];
    const stays = !law.givesWay(parameter, below, resolution, faults);
    const gives = stays && law.givesWay(parameter, above, resolution, faults);
    const errors = resolutions.map(() => (stays && gives ? margin : Number.POSITIVE_INFINITY));
    const measured = [stays ? below : Number.NaN, gives ? above : Number.NaN] as const;
    return { parameter, predicted, measured, errors, order: undefined, passes: stays && gives };
  } catch (error) {
    return failRow(parameter, predicted, [Number.NaN, Number.NaN], resolutions, error);
  }
}

/** A row of what could not be measured: an engine that fails breaks the law. */
function failRow(
  parameter: number,
  predicted: number,
  measured: LawRow['measured'],
  resolutions: readonly number[],
  error: unknown,
): LawRow {
  const errors = resolutions.map(() => Number.POSITIVE_INFINITY);
  const fault = error instanceof Error ? error.message : String(error);
  return { parameter, predicted, measured, errors, order: undefined, passes: false, fault };
}

/** log(e₁/e₂)/log(n₂/n₁) of the two finest resolutions n. */
function computeOrder(resolutions: readonly number[], errors: readonly number[]): number | undefined {
  const last = resolutions.length - 1;
  if (last < 1) return undefined;
  const [coarse, fine] = [errors[last - 1], errors[last]];
  if (!(fine > ROUNDING && Number.isFinite(coarse) && Number.isFinite(fine))) return undefined;
  return Math.log(coarse / fine) / Math.log(resolutions[last] / resolutions[last - 1]);
}

/** What becomes of a law with one of its stiffnesses wrong. */
export interface FaultResult {
  readonly law: string;
  readonly stiffness: Stiffness;
  readonly factor: number;
  /** Whether the law fails, as it has to. */
  readonly isNoticed: boolean;
}

/** Runs a law once for each stiffness that it depends on, with that stiffness wrong by a factor, up to the first row that fails. */
export const runFaults = (law: Law, factor: number): FaultResult[] =>
  law.stiffnesses.map((stiffness) => ({
    law: law.name,
    stiffness,
    factor,
    isNoticed: !runLaw(law, { faults: { [stiffness]: factor }, endsAtFailure: true }).passes,
  }));
