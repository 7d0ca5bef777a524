/** What every probe is: columns of numbers, each with its unit. */

export interface Probe {
  readonly id: string;
  readonly columns: readonly string[];
  /** Unit of each column, '1' for pure numbers. */
  readonly units: readonly string[];
  /** Writes one value per column from out[at] on. */
  write(out: Float64Array, at: number): void;
}

/** Columns of a probe and their units: one unit for all, or one each. */
export function describeColumns(
  id: string,
  components: readonly string[],
  units: string | readonly string[],
): Pick<Probe, 'columns' | 'units'> {
  return {
    columns: components.map((component) => (component === '' ? id : `${id}.${component}`)),
    units: typeof units === 'string' ? components.map(() => units) : units,
  };
}
