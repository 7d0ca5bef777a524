/**
 * Limits that a user may set: lower where scenes come from strangers, higher for scenes that need it. `LIMIT_TABLE` is all of them, with what they are unless told otherwise and
 * how far they may be set. Limits of single fields are in the schema of scenes, those of file formats at their readers (docs/internals/hostile-input.md).
 */
import { HeddleError } from './errors.ts';
import { suggest } from './nearest.ts';

interface LimitEntry {
  readonly default: number;
  readonly least: number;
  readonly most: number;
  readonly what: string;
  /** Whether it may have a fraction. */
  readonly isTime?: boolean;
}

export const LIMIT_TABLE = {
  text: { default: 67_108_864, least: 1000, most: 500_000_000, what: 'characters of the text of a scene' },
  depth: { default: 64, least: 16, most: 1000, what: 'nesting depth of its JSON' },
  values: { default: 4_000_000, least: 100, most: 50_000_000, what: 'values of its JSON' },
  faults: { default: 100, least: 1, most: 10_000, what: 'listed errors' },
  nodes: { default: 2_000_000, least: 1, most: 20_000_000, what: 'nodes and vertices of a scene in total' },
  particles: { default: 10_000_000, least: 1, most: 50_000_000, what: 'particles of a scene in total' },
  steps: { default: 1_000_000_000, least: 1, most: 1_000_000_000_000, what: 'steps of a run' },
  fileBytes: { default: 1_073_741_824, least: 100, most: 4_294_967_296, what: 'bytes of a file that a scene names' },
  substeps: { default: 20_000, least: 1, most: 10_000_000, what: 'sub-steps per step' },
  halvings: { default: 12, least: 0, most: 40, what: 'halvings of a step that fails' },
  gridSubsteps: { default: 100_000, least: 1, most: 100_000_000, what: 'substeps of an MPM object per step' },
  seconds: { default: 1e9, least: 0.001, most: 1e9, what: 'wall time of heddle run [s]', isTime: true },
} as const satisfies Readonly<Record<string, LimitEntry>>;

export type LimitName = keyof typeof LIMIT_TABLE;
export type Limits = Readonly<Record<LimitName, number>>;

export const LIMIT_NAMES = Object.keys(LIMIT_TABLE) as readonly LimitName[];

/** All limits: those that are given, the others as they are by default. Throws a HeddleError for one that is none, or too low or high. */
export function createLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) checkLimit(name, value);
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, given[name] ?? LIMIT_TABLE[name].default]),
  ) as unknown as Limits;
}

/** Limits as a text: name=value, several with commas between them. */
export function parseLimits(text: string): Partial<Limits> {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const found = /^\s*(\w+)\s*=\s*([\d_]+(?:\.\d+)?(?:e\+?\d+)?)\s*$/i.exec(part);
      if (found === null)
        throw new HeddleError(`The limit "${part.trim()}" is invalid; write name=value, such as nodes=50000.`);
      const value = Number(found[2].replaceAll('_', ''));
      checkLimit(found[1], value);
      return [found[1], value];
    }),
  );
}

function checkLimit(name: string, value: number): void {
  if (!Object.hasOwn(LIMIT_TABLE, name))
    throw new HeddleError(`"${name}" is an unknown limit.${suggest(name, LIMIT_NAMES, 'Limits')}`);
  const { least, most, what, isTime = false }: LimitEntry = LIMIT_TABLE[name as LimitName];
  if (value >= least && value <= most && (isTime || Number.isInteger(value))) return;
  const kind = isTime ? 'a number' : 'a whole number';
  throw new HeddleError(`The limit ${name} (${what}) is ${value}; it must be ${kind} from ${least} to ${most}.`);
}
