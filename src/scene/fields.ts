/**
 * Building blocks of the scene schema. Each makes a zod type with its description, its unit and its own fault
 * sentence, so that a fault reads the same wherever the field stands:
 *   `is -2e9 Pa; it must be > 0. Did you mean 2e9?`
 * A fault sentence goes on after the path of the field, see faults.ts.
 */

import { z } from 'zod';
import { suggest } from '../model/nearest.ts';
import { describeFound, formatNumber, listChoices } from './wording.ts';

/** Largest magnitude of a position [m]; beyond it a metre has fewer than 7 digits. */
export const LARGEST_POSITION = 1e9;

/** Unit and allowed range of a number; `above` and `below` exclude the bound, `min` and `max` include it. */
export interface Range {
  readonly unit: string;
  readonly above?: number;
  readonly below?: number;
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

function fits(value: number, range: Range): boolean {
  return (
    Number.isFinite(value) &&
    value > (range.above ?? Number.NEGATIVE_INFINITY) &&
    value < (range.below ?? Number.POSITIVE_INFINITY) &&
    value >= (range.min ?? Number.NEGATIVE_INFINITY) &&
    value <= (range.max ?? Number.POSITIVE_INFINITY) &&
    (range.integer !== true || Number.isSafeInteger(value))
  );
}

/** The range in words: `> 0 and <= 1e9`; empty without bounds. */
export function describeRange(range: Range): string {
  const bounds: string[] = [];
  if (range.above !== undefined) bounds.push(`> ${formatNumber(range.above)}`);
  if (range.min !== undefined) bounds.push(`>= ${formatNumber(range.min)}`);
  if (range.below !== undefined) bounds.push(`< ${formatNumber(range.below)}`);
  if (range.max !== undefined) bounds.push(`<= ${formatNumber(range.max)}`);
  return bounds.join(' and ');
}

function describeNumberFault(input: unknown, range: Range): string {
  const unit = range.unit === '1' ? '' : ` ${range.unit}`;
  const noun = range.integer === true ? 'a whole number' : 'a finite number';
  const bounds = describeRange(range);
  const inUnit = unit === '' ? '' : ` in${unit}`;
  const allowed = `${noun}${bounds === '' ? '' : ` ${bounds}`}${inUnit}`;
  if (input === undefined) return `is missing; it must be ${allowed}.`;
  if (typeof input === 'string') {
    const meant = input.trim() === '' ? Number.NaN : Number(input);
    const hint = fits(meant, range) ? ` Did you mean ${formatNumber(meant)}, without quotes?` : '';
    return `is ${describeFound(input)}; it must be ${allowed}.${hint}`;
  }
  if (typeof input !== 'number') return `is ${describeFound(input)}; it must be ${allowed}.`;
  if (!Number.isFinite(input)) return `is ${input}${unit}, not a finite number; it must be ${allowed}.`;
  if (range.integer === true && !Number.isInteger(input)) return `is ${formatNumber(input)}; it must be ${allowed}.`;
  const hint = fits(-input, range) ? ` Did you mean ${formatNumber(-input)}?` : '';
  return `is ${formatNumber(input)}${unit}; it must be ${describeRange(violatedSide(input, range))}.${hint}`;
}

/** The range reduced to the bound that `value` breaks. */
function violatedSide(value: number, range: Range): Range {
  const { unit, above, below, min, max } = range;
  const tooSmall = (above !== undefined && value <= above) || (min !== undefined && value < min);
  if (tooSmall) return { unit, ...(above === undefined ? {} : { above }), ...(min === undefined ? {} : { min }) };
  return { unit, ...(below === undefined ? {} : { below }), ...(max === undefined ? {} : { max }) };
}

/** A number with unit and range. */
export function quantity(range: Range, description: string) {
  let type = z.number({ error: (issue) => describeNumberFault(issue.input, range) });
  if (range.integer === true) type = type.int();
  if (range.above !== undefined) type = type.gt(range.above);
  if (range.below !== undefined) type = type.lt(range.below);
  if (range.min !== undefined) type = type.gte(range.min);
  if (range.max !== undefined) type = type.lte(range.max);
  return type.meta(description === '' ? { unit: range.unit } : { description, unit: range.unit });
}

/** A length above 0. */
export const length = (description: string) => quantity({ unit: 'm', above: 0, max: 1e9 }, description);

/** A fraction 0..1. */
export const fraction = (description: string) => quantity({ unit: '1', min: 0, max: 1 }, description);

/** Three numbers [x, y, z], each of magnitude at most `largest`. */
export function vector(unit: string, description: string, largest = LARGEST_POSITION) {
  const component = quantity({ unit, min: -largest, max: largest }, '');
  return z
    .tuple([component, component, component], {
      error: (issue) => {
        const allowed = `it must be three numbers [x, y, z]${unit === '1' ? '' : ` in ${unit}`}`;
        if (issue.input === undefined) return `is missing; ${allowed}.`;
        if (Array.isArray(issue.input)) return `has ${issue.input.length} entries; ${allowed}.`;
        return `is ${describeFound(issue.input)}; ${allowed}.`;
      },
    })
    .meta({ description, unit });
}

export const position = (description: string) => vector('m', description);

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words, description: string) {
  return z.enum(words, { error: (issue) => describeChoiceFault(issue.input, words) }).meta({ description });
}

/** Fault of a value that should be one of `words`. */
export function describeChoiceFault(input: unknown, words: readonly string[]): string {
  const allowed = `it must be ${listChoices(words)}.`;
  if (input === undefined) return `is missing; ${allowed}`;
  const hint = typeof input === 'string' ? suggest(input, words, 'Allowed') : '';
  return `is ${describeFound(input)}; ${allowed}${hint.startsWith(' Did') ? hint : ''}`;
}

export function flag(description: string) {
  return z
    .boolean({
      error: (issue) =>
        issue.input === undefined
          ? 'is missing; it must be true or false.'
          : `is ${describeFound(issue.input)}; it must be true or false.`,
    })
    .meta({ description });
}

/** A text of at most `longest` characters, `pattern` with its meaning in words. */
export function text(description: string, longest: number, form?: { pattern: RegExp; words: string }) {
  const allowed = `it must be a text of 1 to ${longest} characters${form === undefined ? '' : `: ${form.words}`}`;
  const type = z
    .string({
      error: (issue) =>
        issue.input === undefined ? `is missing; ${allowed}.` : `is ${describeFound(issue.input)}; ${allowed}.`,
    })
    .min(1)
    .max(longest);
  return (form === undefined ? type : type.regex(form.pattern)).meta({ description });
}

/** A colour in hexadecimal digits. */
export const colour = (description: string) =>
  text(description, 9, {
    pattern: /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
    words: 'a colour such as "#fff" or "#1e2430"',
  });

/** Names of objects, bodies, guides, probes and materials; no dot, because probe columns are `<id>.<component>`. */
export const ID_FORM = { pattern: /^[A-Za-z0-9_-]+$/, words: 'letters, digits, _ and - only' };

export const id = (description: string) => text(description, 100, ID_FORM);

/** An array with bounds on its length; `noun` names what it lists. */
export function list<Element extends z.ZodType>(
  element: Element,
  bounds: { min?: number; max: number; noun: string },
  description: string,
) {
  const { min = 0, max, noun } = bounds;
  const size = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return z
    .array(element, {
      error: (issue) => {
        const allowed = `it must be an array of ${size} ${noun}.`;
        if (issue.input === undefined) return `is missing; ${allowed}`;
        return Array.isArray(issue.input)
          ? `has ${issue.input.length} entries; ${allowed}`
          : `is ${describeFound(issue.input)}; ${allowed}`;
      },
    })
    .min(min)
    .max(max)
    .meta({ description });
}

/**
 * An object that knows all its keys; unknown ones are faults. `noun` names it ("a strand").
 * For unknown keys the message is the list of known keys, which faults.ts turns into one fault per key.
 */
export function record<Shape extends z.ZodRawShape>(noun: string, shape: Shape, description: string) {
  const known = Object.keys(shape);
  return z
    .strictObject(shape, {
      error: (issue) => {
        if (issue.code === 'unrecognized_keys') return known.join(' ');
        const allowed = `it must be an object: ${noun} with ${known.join(', ')}.`;
        return issue.input === undefined ? `is missing; ${allowed}` : `is ${describeFound(issue.input)}; ${allowed}`;
      },
    })
    .meta({ description });
}

/** Fault sentence of a union: what was found and `allowed` in words. */
export function unionFault(allowed: string) {
  return {
    error: (issue: { readonly input?: unknown }) =>
      issue.input === undefined
        ? `is missing; it must be ${allowed}.`
        : `is ${describeFound(issue.input)}; it must be ${allowed}.`,
  };
}

/** Fault sentence of a union told apart by `type`. */
export function typeFault(noun: string, types: readonly string[]) {
  return {
    error: (issue: { readonly input?: unknown }) => {
      const { input } = issue;
      if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
        return describeChoiceFault('type' in input ? input.type : undefined, types);
      }
      const found = input === undefined ? 'is missing' : `is ${describeFound(input)}`;
      return `${found}; it must be an object: ${noun} with "type" ${listChoices(types)}.`;
    },
  };
}
