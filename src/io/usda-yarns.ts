/**
 * The yarns of a fabric as one USD prim.
 *   curves   BasisCurves, cubic with the basis catmullRom and wrap pinned: they pass through all nodes. One curve a yarn; widths, layer and
 *            group a yarn (uniform), u [m], kind (0 L, 1 E, 2 EIL) and the fields on the nodes
 *   tube     Mesh of tubes on fixed material points (resample-yarns.ts), coloured by the yarn
 */
import type { YarnsFrame } from '../model/frame.ts';
import { computeYarnColours, type YarnColours } from './group-colours.ts';
import { chooseYarnSamples, resampleYarns } from './resample-yarns.ts';
import { addFaces, addFields, addPrim, checkFinite, formatExtent, formatIndices } from './usda-prims.ts';
import { formatNumbers, formatTuples, type UsdaText } from './usda-text.ts';
import { computeYarnTubes, type YarnTubes } from './yarn-tubes.ts';
import { dropEmptyYarns } from './yarns.ts';

export function addYarnCurves(
  name: string,
  id: string,
  recorded: readonly YarnsFrame[],
  colours: YarnColours | undefined,
  out: UsdaText,
): void {
  for (const { x } of recorded) checkFinite(id, x);
  const sequence = recorded.map(dropEmptyYarns);
  const each = (value: (yarns: YarnsFrame) => string) => sequence.map(value);
  addPrim('BasisCurves', name, id, out, () => {
    out.line('uniform token type = "cubic"');
    out.line('uniform token basis = "catmullRom"');
    out.line('uniform token wrap = "pinned"');
    out.attribute(
      'int[] curveVertexCounts',
      each(({ start }) => formatIndices(start.subarray(1).map((end, y) => end - start[y]))),
    );
    out.attribute(
      'point3f[] points',
      each(({ x }) => formatTuples(x, 3)),
    );
    out.attribute(
      'float[] widths',
      each(({ radius }) => formatNumbers(radius.map((r) => 2 * r))),
      'uniform',
    );
    out.attribute(
      'float3[] extent',
      each(({ x, radius }) =>
        formatExtent(
          x,
          radius.reduce((a, b) => Math.max(a, b), 0),
        ),
      ),
    );
    out.attribute(
      'color3f[] primvars:displayColor',
      each((yarns) => formatTuples(computeYarnColours(yarns, colours), 3)),
      'uniform',
    );
    for (const property of ['layer', 'group'] as const)
      out.attribute(
        `int[] primvars:${property}`,
        each((yarns) => formatIndices(yarns[property])),
        'uniform',
      );
    out.attribute(
      'float[] primvars:u',
      each(({ u }) => formatNumbers(u)),
      'vertex',
    );
    out.attribute(
      'int[] primvars:kind',
      each(({ kind }) => formatIndices(kind)),
      'vertex',
    );
    addFields(id, sequence, ['u', 'kind', 'widths', 'layer', 'group'], out);
  });
}

export function addYarnTubes(
  name: string,
  id: string,
  sequence: readonly YarnsFrame[],
  options: {
    readonly sides: number;
    readonly samples?: number | undefined;
    readonly colours?: YarnColours | undefined;
  },
  out: UsdaText,
): void {
  for (const { x } of sequence) checkFinite(id, x);
  const samples = chooseYarnSamples(sequence, options.samples);
  const points: string[] = [];
  const normals: string[] = [];
  const extents: string[] = [];
  let tubes: YarnTubes | undefined;
  for (const f of sequence.keys()) {
    tubes = computeYarnTubes(resampleYarns(sequence, f, samples), { sides: options.sides, repeat: 1 });
    points.push(formatTuples(tubes.positions, 3));
    normals.push(formatTuples(tubes.normals, 3));
    extents.push(formatExtent(tubes.positions, 0));
  }
  if (tubes === undefined || tubes.yarn.length === 0) return;
  const { indices, yarn, texcoords } = tubes;
  const palette = computeYarnColours(sequence[0], options.colours);
  const onVertices = new Float32Array(3 * yarn.length);
  for (const [v, y] of yarn.entries()) onVertices.set(palette.subarray(3 * y, 3 * y + 3), 3 * v);
  addPrim('Mesh', name, id, out, () => {
    addFaces([indices], out);
    out.attribute('point3f[] points', points);
    out.attribute('normal3f[] normals', normals, 'vertex');
    out.attribute('float3[] extent', extents);
    out.attribute('color3f[] primvars:displayColor', [formatTuples(onVertices, 3)], 'vertex');
    // one repeat is a metre, so that the texture coordinate along the yarn is u itself
    out.attribute('float[] primvars:u', [formatNumbers(texcoords.filter((_, i) => i % 2 === 0))], 'vertex');
    out.attribute('int[] primvars:yarn', [formatIndices(yarn)], 'vertex');
  });
}
