/**
 * Whether surfaces start apart. Only what starts apart is kept apart: what crosses at the start stays crossed, and of two surfaces
 * in one place nobody knows which is above.
 *     an edge p q crosses a triangle a b c    where [a b c p] [a b c q] < 0 and [p q a b], [p q b c], [p q c a] have one sign
 *   [a b c d] = (b − a) × (c − a) · (d − a), six times the volume of a tetrahedron [m³]
 */
import { LineSurface } from './line-surface.ts';
import type { Surface } from './surface.ts';
import type { SurfaceContacts } from './surface-contacts.ts';
import { isJoined, SurfaceSearch } from './surface-search.ts';

/** What is nearer than this share of the distance to keep is in one place. */
const SAME_PLACE = 1e-6;

/** A sheet that cannot start, and why. */
export interface StartFault {
  readonly sheet: string;
  readonly message: string;
}

/** The first sheet that starts crossing another one, itself or a body that forces move; undefined where all start apart. */
export function findStartFault({ surfaces, meetings }: SurfaceContacts): StartFault | undefined {
  for (const surface of surfaces) surface.writePresent();
  const search = new SurfaceSearch(surfaces);
  search.update();
  for (const { first, second } of meetings) {
    const [a, b] = [surfaces[first], surfaces[second]];
    if (!(a.isMovable && b.isMovable)) continue;
    const sheet = a.body ? b : a;
    const other = a.body ? a : b;
    const what = other === sheet ? 'itself' : `${other.kind} "${other.id}"`;
    const orLeave = [a, b].some((one) => one instanceof LineSurface) ? ', or remove one from "touching"' : '';
    const inside = other.body && findInside(sheet, other.body);
    if (inside)
      return { sheet: sheet.id, message: `its vertex at ${inside} starts inside ${what}; move one of them out.` };
    const crossing = findCrossing(a, b);
    if (crossing)
      return {
        sheet: sheet.id,
        message: `it crosses ${what} at the start, at ${crossing}; move them apart${orLeave}.`,
      };
    const keep = a.reach + b.reach;
    const place = findSamePlace(search, surfaces, first, second, SAME_PLACE * keep);
    if (place)
      return {
        sheet: sheet.id,
        message: `it coincides with ${what} at the start, at ${place}, so its side is undefined; start them ${Number(keep.toPrecision(3))} m apart${orLeave}.`,
      };
  }
  return undefined;
}

function findInside({ x0, mesh }: Surface, body: NonNullable<Surface['body']>): string | undefined {
  const out = new Float64Array(4);
  for (let i = 0; i < mesh.pointCount; i++) {
    body.writeSignedDistance(x0.subarray(3 * i, 3 * i + 3), out);
    if (out[0] < 0) return describePlace(x0, i);
  }
  return undefined;
}

/** Where an edge of a surface crosses a triangle of another. */
function findCrossing(a: Surface, b: Surface): string | undefined {
  const { stencils: ends, itemCount, boxes } = a.mesh.edges;
  const { stencils: corners } = b.mesh.triangles;
  const points = new Int32Array(5);
  let found: string | undefined;
  for (let e = 0; e < itemCount && found === undefined; e++) {
    points[0] = ends[2 * e];
    points[1] = ends[2 * e + 1];
    b.mesh.triangles.query(boxes.subarray(6 * e, 6 * e + 6), (t) => {
      for (let n = 0; n < 3; n++) points[2 + n] = corners[3 * t + n];
      if ((a === b && isShared(points)) || isJoined(a.joints, b.joints, points, 2)) return;
      if (found === undefined && crosses(a.x0, b.x0, points)) found = describePlace(a.x0, points[0]);
    });
  }
  return found;
}

const isShared = (points: Int32Array): boolean =>
  points.subarray(2).includes(points[0]) || points.subarray(2).includes(points[1]);

function crosses(x: Float64Array, y: Float64Array, [p, q, a, b, c]: Int32Array): boolean {
  if (!(computeVolume(y, a, y, b, y, c, x, p) * computeVolume(y, a, y, b, y, c, x, q) < 0)) return false;
  const ab = computeVolume(x, p, x, q, y, a, y, b);
  const bc = computeVolume(x, p, x, q, y, b, y, c);
  const ca = computeVolume(x, p, x, q, y, c, y, a);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}

/** [a b c d] of four points, each in an array of its own. */
function computeVolume(
  xa: Float64Array,
  a: number,
  xb: Float64Array,
  b: number,
  xc: Float64Array,
  c: number,
  xd: Float64Array,
  d: number,
): number {
  const from = (x: Float64Array, i: number, k: number): number => x[3 * i + k] - xa[3 * a + k];
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const [m, n] = [(k + 1) % 3, (k + 2) % 3];
    sum += (from(xb, b, m) * from(xc, c, n) - from(xb, b, n) * from(xc, c, m)) * from(xd, d, k);
  }
  return sum;
}

function findSamePlace(
  search: SurfaceSearch,
  surfaces: readonly Surface[],
  first: number,
  second: number,
  limit: number,
): string | undefined {
  let found: string | undefined;
  for (const isEdges of [0, 1] as const)
    search.findNear(first, second, isEdges, limit, ({ points }) => {
      found ??= describePlace(surfaces[first].x0, points[0]);
    });
  return found;
}

const describePlace = (x: Float64Array, i: number): string =>
  `[${Array.from(x.subarray(3 * i, 3 * i + 3), (value) => Number(value.toPrecision(4))).join(', ')}]`;
