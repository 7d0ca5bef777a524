/** What parameters of patterns must be, and the sentences that say so. */

export function checkPositive(caller: string, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value > 0 && Number.isFinite(value)))
      throw new RangeError(`${caller}: ${name} is ${value}; give a finite number above 0.`);
  }
}

export function checkWhole(caller: string, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values))
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new RangeError(`${caller}: ${name} is ${value}; give a whole number, 1 or more.`);
}

export function checkSegments(caller: string, segments: number, fewest = 1): void {
  if (!(Number.isInteger(segments) && segments >= fewest))
    throw new RangeError(`${caller}: segments is ${segments}; give a whole number, ${fewest} or more.`);
}
