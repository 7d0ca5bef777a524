/**
 * How a number of a scene is changed by hand. Steps are relative: a tenth of the leading digit's place, so that 2e9 Pa
 * moves by 1e8 and 0.004 m by 0.0001. Sliders: linear over a short range of the schema; otherwise logarithmic over a
 * factor 10 to either side of the scene's own value.
 */

import type { JsonSchema } from 'heddle/scene';
import { formatNumber } from './json-value.ts';

/** Allowed range; `open` ends are not allowed themselves. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly openLow: boolean;
  readonly openHigh: boolean;
  readonly isInteger: boolean;
}

export function readRange(schema: JsonSchema): Range {
  const bound = (key: string) => (typeof schema[key] === 'number' ? (schema[key] as number) : undefined);
  return {
    low: bound('exclusiveMinimum') ?? bound('minimum') ?? Number.NEGATIVE_INFINITY,
    high: bound('exclusiveMaximum') ?? bound('maximum') ?? Number.POSITIVE_INFINITY,
    openLow: bound('exclusiveMinimum') !== undefined,
    openHigh: bound('exclusiveMaximum') !== undefined,
    isInteger: schema.type === 'integer',
  };
}

/** Why a number is not allowed, as the end of a sentence; undefined when it is. */
export function describeNumberFault(value: number, range: Range): string | undefined {
  if (!Number.isFinite(value)) return 'must be a number';
  if (range.isInteger && !Number.isInteger(value)) return 'must be a whole number';
  if (value < range.low || (range.openLow && value === range.low)) {
    return `must be ${range.openLow ? '>' : '≥'} ${formatNumber(range.low)}`;
  }
  if (value > range.high || (range.openHigh && value === range.high)) {
    return `must be ${range.openHigh ? '<' : '≤'} ${formatNumber(range.high)}`;
  }
  return undefined;
}

/** Size of one step at a value; `scale` stands in for a value of zero. */
export function computeStep(value: number, range: Range, scale = 1): number {
  const size = Math.abs(value) || Math.abs(scale) || 1;
  const step = 10 ** (Math.floor(Math.log10(size) + 1e-9) - 1);
  return range.isInteger ? Math.max(1, Math.round(step)) : step;
}

/** The value `steps` steps further, rounded to the step and kept in range; an open end is never reached. */
export function computeNudged(value: number, steps: number, range: Range, scale = 1): number {
  const step = computeStep(value, range, scale);
  const moved = Number((Math.round(value / step + steps) * step).toPrecision(12));
  if (moved < range.low || (range.openLow && moved === range.low)) return range.openLow ? value : range.low;
  if (moved > range.high || (range.openHigh && moved === range.high)) return range.openHigh ? value : range.high;
  return moved;
}

export interface Slider {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
}

/** Longest range of the schema that a slider covers whole. */
const LONGEST_LINEAR = 360;

/** The slider of a number whose value in the scene itself is `own`; undefined where none makes sense. */
export function computeSlider(own: number, range: Range): Slider | undefined {
  if (range.high - range.low <= LONGEST_LINEAR) {
    // a coefficient of friction may be 100, but is rarely above 1
    const isWide = range.low === 0 && range.high >= 10 && !range.openHigh;
    const high = isWide ? Math.min(range.high, Math.max(1, 2 * own)) : range.high;
    return { low: range.low, high, isLogarithmic: false };
  }
  if (own > 0 && range.low >= 0) {
    return { low: Math.max(own / 10, range.low), high: Math.min(own * 10, range.high), isLogarithmic: true };
  }
  if (own === 0) return undefined;
  const high = Math.min(2 * Math.abs(own), range.high);
  return { low: Math.max(-high, range.low), high, isLogarithmic: false };
}

/** Position 0..1 of a value on its slider. */
export function computeSliderPosition(value: number, { low, high, isLogarithmic }: Slider): number {
  const share = isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/** Value at a position 0..1 of a slider, to three digits, and within the range. */
export function computeSliderValue(position: number, slider: Slider, range: Range): number {
  const { low, high, isLogarithmic } = slider;
  const exact = isLogarithmic ? low * (high / low) ** position : low + (high - low) * position;
  const rounded = Number(
    isLogarithmic ? exact.toPrecision(3) : ((Math.round(position * 1000) / 1000) * (high - low) + low).toPrecision(6),
  );
  const value = range.isInteger ? Math.round(rounded) : rounded;
  if (describeNumberFault(value, range) === undefined) return value;
  // the nearest allowed value inside an open end
  const inset = (high - low) / 1000;
  return position < 0.5 ? low + inset : high - inset;
}
