/** What the prims of a USD layer share: opening them, faces, colours, values on points, extents and the check of numbers. */
import { HeddleError } from '../model/errors.ts';
import type { ObjectFrame } from '../model/frame.ts';
import { createIdentifiers, formatNumbers, formatTuples, quote, type UsdaText } from './usda-text.ts';

/** Opens a prim; the id is kept where it is no identifier. */
export function addPrim(type: string, name: string, id: string, out: UsdaText, inner: () => void): void {
  out.line('');
  const opening = `def ${type} "${name}"`;
  if (name === id) out.line(opening);
  else {
    out.block(`${opening} (`, ')', () => {
      out.block('customData = {', '}', () => out.line(`string id = ${quote(id)}`));
    });
  }
  out.block('{', '}', inner);
}

/** Triangles of all frames (or of one that lasts), drawn as they are: without a scheme USD would round them off. */
export function addFaces(indices: readonly ArrayLike<number>[], out: UsdaText): void {
  out.line('uniform token subdivisionScheme = "none"');
  const counts = indices.map(({ length }) => `[${new Array(length / 3).fill(3).join(', ')}]`);
  out.attribute('int[] faceVertexCounts', counts);
  out.attribute('int[] faceVertexIndices', indices.map(formatIndices));
}

/** `[a, b, …]` of whole numbers. */
export function formatIndices(indices: ArrayLike<number>): string {
  return `[${Array.from(indices).join(', ')}]`;
}

export function addColour(colour: readonly number[], out: UsdaText): void {
  out.attribute('color3f[] primvars:displayColor', [formatTuples(colour, 3)], 'constant');
}

/** The fields that an object has in all frames, as primvars on its points; `taken` are names that are in use. */
export function addFields(id: string, sequence: readonly ObjectFrame[], taken: readonly string[], out: UsdaText): void {
  const identify = createIdentifiers();
  for (const reserved of [...taken, 'displayColor', 'displayOpacity']) identify(reserved);
  for (const field of Object.keys(sequence[0].fields)) {
    if (!sequence.every(({ fields }) => field in fields)) continue;
    for (const { fields } of sequence) checkFinite(`${id}: ${field}`, fields[field]);
    const values = sequence.map(({ fields }) => formatNumbers(fields[field]));
    out.attribute(`float[] primvars:${identify(field)}`, values, 'vertex');
  }
}

/** `[(lowest), (highest)]` corner of the points, grown by `margin`. */
export function formatExtent(points: ArrayLike<number>, margin: number): string {
  if (points.length === 0) return '[(0, 0, 0), (0, 0, 0)]';
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i] - margin);
    high[i % 3] = Math.max(high[i % 3], points[i] + margin);
  }
  return formatTuples([...low, ...high], 3);
}

export function checkFinite(id: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(Math.fround(values[i]))) continue;
    throw new HeddleError(
      `"${id}" has values that are not finite 32-bit numbers; a USD file cannot hold them. Export only the frames before.`,
    );
  }
}
