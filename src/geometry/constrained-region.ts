/**
 * Takes away what is not material: triangles are grouped into parts that fixed edges separate; a part goes as a whole. The
 * part of the frame always goes; with outlines, a part stays where their winding number is above 0 at its largest triangle.
 */
import { computeWinding } from './constrained-segments.ts';
import { type Triangulation, triangleOf } from './triangulation.ts';
import { locatePoint } from './triangulation-locate.ts';

/** What is material: the convex hull of the points, all that segments enclose, or what the outlines go round. */
export type Region = 'hull' | 'enclosed' | 'outlines';

interface Source {
  readonly points: ArrayLike<number>;
  readonly outlines?: readonly ArrayLike<number>[];
  readonly holes?: ArrayLike<number>;
}

/** The part of each triangle (−1 for gaps), numbered from 0, and how many there are. */
const labelParts = (mesh: Triangulation): { part: Int32Array; count: number } => {
  const part = new Int32Array(mesh.triangleCount).fill(-1);
  let count = 0;
  const stack: number[] = [];
  for (let start = 0; start < mesh.triangleCount; start++) {
    if (mesh.isGap(start) || part[start] >= 0) continue;
    part[start] = count;
    stack.push(start);
    while (stack.length > 0) {
      const t = stack.pop()!;
      for (let e = 3 * t; e < 3 * t + 3; e++) {
        if (mesh.isHeld(e)) continue;
        const other = triangleOf(mesh.twins[e]);
        if (part[other] >= 0) continue;
        part[other] = count;
        stack.push(other);
      }
    }
    count++;
  }
  return { part, count };
};

/** The triangle of the largest area of each part. */
const findLargest = (mesh: Triangulation, part: Int32Array, count: number): Int32Array => {
  const largest = new Int32Array(count).fill(-1);
  const area = new Float64Array(count);
  const { points: p, corners } = mesh;
  for (let t = 0; t < part.length; t++) {
    if (part[t] < 0) continue;
    const a = 2 * corners[3 * t];
    const b = 2 * corners[3 * t + 1];
    const c = 2 * corners[3 * t + 2];
    const size = (p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[c] - p[a]);
    if (largest[part[t]] >= 0 && size <= area[part[t]]) continue;
    largest[part[t]] = t;
    area[part[t]] = size;
  }
  return largest;
};

const markOutlines = (mesh: Triangulation, source: Source, largest: Int32Array, keep: Uint8Array): void => {
  const p = mesh.points;
  for (let k = 0; k < keep.length; k++) {
    const [a, b, c] = mesh.corners.subarray(3 * largest[k], 3 * largest[k] + 3);
    const x = (p[2 * a] + p[2 * b] + p[2 * c]) / 3;
    const y = (p[2 * a + 1] + p[2 * b + 1] + p[2 * c + 1]) / 3;
    if (computeWinding(source.points, source.outlines ?? [], x, y) <= 0) keep[k] = 0;
  }
};

const markHoles = (mesh: Triangulation, holes: ArrayLike<number>, part: Int32Array, keep: Uint8Array): void => {
  for (let i = 0; i < holes.length; i += 2) {
    const { kind, edge } = locatePoint(mesh, holes[i], holes[i + 1]);
    if (kind !== 'inside') {
      throw new RangeError(
        `computeConstrainedDelaunay: hole seed ${i / 2} at (${holes[i]}, ${holes[i + 1]}) lies ${
          kind === 'outside' ? 'far outside' : 'on an edge of the triangulation'
        }; put it inside the hole.`,
      );
    }
    keep[part[triangleOf(edge)]] = 0;
  }
};

/** Removes the triangles of parts that do not stay, and mends what was beside them. */
const dropParts = (mesh: Triangulation, part: Int32Array, keep: Uint8Array): void => {
  mesh.edgeOfVertex.fill(-1);
  const borders = new Uint8Array(mesh.vertexCount);
  for (let t = 0; t < part.length; t++) if (part[t] >= 0 && keep[part[t]] === 0) mesh.removeTriangle(t);
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.corners[e] < 0) continue;
    mesh.edgeOfVertex[mesh.corners[e]] = e;
    if (mesh.twins[e] >= 0 && mesh.corners[mesh.twins[e]] < 0) mesh.twins[e] = -1;
    if (mesh.twins[e] >= 0) continue;
    mesh.fixed[e] = 1;
    borders[mesh.corners[e]]++;
  }
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (borders[v] < 2) continue;
    throw new RangeError(
      `computeConstrainedDelaunay: two borders touch at (${mesh.points[2 * v]}, ${mesh.points[2 * v + 1]}); ` +
        'material must not be connected by a single point: move them apart.',
    );
  }
};

/** Takes away what is not material. The corners of the frame are the four vertices from `frame` on. */
export const carveMesh = (mesh: Triangulation, source: Source, region: Region, frame: number): void => {
  const { part, count } = labelParts(mesh);
  const keep = new Uint8Array(count).fill(1);
  if (region === 'outlines') markOutlines(mesh, source, findLargest(mesh, part, count), keep);
  if (source.holes !== undefined) markHoles(mesh, source.holes, part, keep);
  keep[part[triangleOf(mesh.edgeOfVertex[frame])]] = 0;
  dropParts(mesh, part, keep);
  if (mesh.countTriangles() === 0) {
    throw new RangeError(
      'computeConstrainedDelaunay: no material is left; collinear points, segments that are not closed, or clockwise outlines ' +
        'enclose none.',
    );
  }
};
