/**
 * Sheets and particles as USD prims.
 *   sheet    Mesh: points, faceVertexCounts and faceVertexIndices change together where the mesh changes; primvars:st is
 *            X / (two checks), primvars:X is X [m], kind (0 L, 1 E, 2 EIL) and the fields stand on the vertices. Normals are
 *            one a vertex, or one a corner where there are creases, which are also named by creaseIndices.
 *   cloud    Points: widths = 2 radius, displayColor by group, primvars group and the fields.
 */
import type { PointsFrame, SurfaceFrame } from '../model/frame.ts';
import { computeGroupColours } from './group-colours.ts';
import { type CreasedMesh, computeCreasedMesh, writeSurfaceNormals } from './surface-shading.ts';
import { addColour, addFaces, addFields, addPrim, checkFinite, formatExtent, formatIndices } from './usda-prims.ts';
import { formatSingle, formatTuples, type UsdaText } from './usda-text.ts';

/** Sharpness of an edge that USD never rounds. */
const SHARP = 10;

export function addSurface(
  name: string,
  id: string,
  sequence: readonly SurfaceFrame[],
  look: { readonly colour: readonly number[]; readonly repeat: number },
  out: UsdaText,
): void {
  for (const { x, X } of sequence) {
    checkFinite(id, x);
    checkFinite(id, X);
  }
  const isCreased = sequence.some(({ creases }) => creases.length > 0);
  const lasts = <T>(value: (surface: SurfaceFrame) => T): T[] =>
    sequence.every((surface) => value(surface) === value(sequence[0])) ? [value(sequence[0])] : sequence.map(value);
  addPrim('Mesh', name, id, out, () => {
    addFaces(
      lasts(({ triangles }) => triangles),
      out,
    );
    out.line('uniform bool doubleSided = 1');
    out.attribute(
      'point3f[] points',
      sequence.map(({ x }) => formatTuples(x, 3)),
    );
    const normals = sequence.map((surface) => formatNormals(surface, isCreased));
    out.attribute('normal3f[] normals', normals, isCreased ? 'faceVarying' : 'vertex');
    out.attribute(
      'float3[] extent',
      sequence.map(({ x, thickness }) => formatExtent(x, 0.5 * thickness)),
    );
    if (isCreased) addCreases(sequence, out);
    addColour(look.colour, out);
    const material = lasts(({ X }) => X);
    const texture = material.map((X) =>
      formatTuples(
        X.map((value) => value / look.repeat),
        2,
      ),
    );
    out.attribute('texCoord2f[] primvars:st', texture, 'vertex');
    out.attribute(
      'float2[] primvars:X',
      material.map((X) => formatTuples(X, 2)),
      'vertex',
    );
    out.attribute(
      'int[] primvars:kind',
      sequence.map(({ kind }) => formatIndices(kind)),
      'vertex',
    );
    addFields(id, sequence, ['st', 'X', 'kind'], out);
  });
}

/** Normals of the vertices, or of all corners of the triangles. */
function formatNormals(surface: SurfaceFrame, byCorner: boolean): string {
  const mesh: CreasedMesh = computeCreasedMesh(surface);
  const normals = new Float64Array(3 * mesh.source.length);
  writeSurfaceNormals(surface.x, mesh, normals);
  if (!byCorner) return formatTuples(normals, 3);
  const corners = new Float64Array(3 * mesh.indices.length);
  for (const [corner, vertex] of mesh.indices.entries()) {
    for (let axis = 0; axis < 3; axis++) corners[3 * corner + axis] = normals[3 * vertex + axis];
  }
  return formatTuples(corners, 3);
}

function addCreases(sequence: readonly SurfaceFrame[], out: UsdaText): void {
  const each = (creases: Int32Array, value: number) => formatIndices(new Array(creases.length / 2).fill(value));
  out.attribute(
    'int[] creaseIndices',
    sequence.map(({ creases }) => formatIndices(creases)),
  );
  out.attribute(
    'int[] creaseLengths',
    sequence.map(({ creases }) => each(creases, 2)),
  );
  out.attribute(
    'float[] creaseSharpnesses',
    sequence.map(({ creases }) => each(creases, SHARP)),
  );
}

export function addPoints(name: string, id: string, sequence: readonly PointsFrame[], out: UsdaText): void {
  for (const { x } of sequence) checkFinite(id, x);
  addPrim('Points', name, id, out, () => {
    out.attribute(
      'point3f[] points',
      sequence.map(({ x }) => formatTuples(x, 3)),
    );
    out.attribute(
      'float[] widths',
      sequence.map(({ radius }) => `[${formatSingle(2 * radius)}]`),
      'constant',
    );
    out.attribute(
      'float3[] extent',
      sequence.map(({ x, radius }) => formatExtent(x, radius)),
    );
    const colours = sequence.map(({ group }) => formatTuples(computeGroupColours(group), 3));
    out.attribute('color3f[] primvars:displayColor', colours, 'vertex');
    out.attribute(
      'int[] primvars:group',
      sequence.map(({ group }) => formatIndices(group)),
      'vertex',
    );
    addFields(id, sequence, ['group', 'widths'], out);
  });
}
