/**
 * What elements and vertices of a continuum in single precision know of each other, in flat lists: sums over elements are gathered by vertices, each in one order, so that threads do not matter.
 * Elements and vertices have places of their own in memory, in which neighbours lie together.
 *
 *     incidents   of a vertex: 3 · element + corner, in the order of the elements' numbers;  weight  m_q/(n M)            of AᵀM_q over the vertex's mass M (centre.ts)
 *     rows        of a vertex: itself and vertices that share an element;  weight  Σ m_q/(n² M)   of AᵀM_q A over M
 */
import { cornersOf, type Points } from './state.ts';

export interface SingleMesh {
  readonly elementCount: number;
  readonly vertexCount: number;
  /** First element of each group. */
  readonly firstElement: Int32Array;
  /** Three vertices an element, from 0 on; the third of a segment is 0. */
  readonly corners: Int32Array;
  readonly incidentStart: Int32Array;
  readonly incidents: Int32Array;
  readonly incidentWeight: Float32Array;
  readonly rowStart: Int32Array;
  readonly rows: Int32Array;
  readonly rowWeight: Float32Array;
}

/** Cells along an axis that are told apart. */
const CELLS = 1024;

/** Bits of a whole number below 1024, two zeros between them. */
const spreadBits = (cell: number): number => {
  let bits = cell;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
};

/** Where each particle lies: those of bulk groups as they are, elements and vertices of a group along a curve through cells of the given size (Morton's). */
export const createPlaces = (points: Points, size: number): Int32Array => {
  const slot = Int32Array.from({ length: points.count }, (_, p) => p);
  for (const group of points.groups) {
    if (cornersOf(group) === 0) continue;
    orderRange(points.x, group.first, group.count, size, slot);
    orderRange(points.x, group.firstVertex, group.vertexCount, size, slot);
  }
  return slot;
};

const orderRange = (x: Float64Array, first: number, count: number, size: number, slot: Int32Array): void => {
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  for (let at = 3 * first; at < 3 * (first + count); at++) {
    low[at % 3] = Math.min(low[at % 3], x[at]);
    high[at % 3] = Math.max(high[at % 3], x[at]);
  }
  const scale = Math.min(1 / size, ...low.map((least, k) => (CELLS - 1) / (high[k] - least)));
  const keys = new Float64Array(count);
  for (let p = 0; p < count; p++) {
    let code = 0;
    for (let k = 0; k < 3; k++) code += spreadBits(Math.floor((x[3 * (first + p) + k] - low[k]) * scale)) * 2 ** k;
    keys[p] = code * count + p;
  }
  keys.sort();
  for (let place = 0; place < count; place++) slot[first + (keys[place] % count)] = first + place;
};

/** `slot`: where each particle lies. */
export const createSingleMesh = (points: Points, slot: Int32Array): SingleMesh => {
  const { groups, stressCount, mass } = points;
  const vertexCount = points.count - stressCount;
  const firstElement = new Int32Array(groups.length);
  let elementCount = 0;
  groups.forEach((group, index) => {
    firstElement[index] = elementCount;
    if (cornersOf(group) > 0) elementCount += group.count;
  });
  const corners = new Int32Array(3 * elementCount);
  const incidentStart = new Int32Array(vertexCount + 1);
  groups.forEach((group, index) => {
    const n = cornersOf(group);
    if (n === 0) return;
    for (let e = 0; e < group.count; e++) {
      const element = firstElement[index] + slot[group.first + e] - group.first;
      for (let c = 0; c < n; c++) {
        const vertex = slot[group.corners[n * e + c]] - stressCount;
        corners[3 * element + c] = vertex;
        incidentStart[vertex + 1]++;
      }
    }
  });
  for (let v = 0; v < vertexCount; v++) incidentStart[v + 1] += incidentStart[v];
  const incidents = new Int32Array(incidentStart[vertexCount]);
  const incidentWeight = new Float32Array(incidents.length);
  const next = incidentStart.slice(0, vertexCount);
  groups.forEach((group, index) => {
    const n = cornersOf(group);
    for (let e = 0; n > 0 && e < group.count; e++) {
      const element = firstElement[index] + slot[group.first + e] - group.first;
      for (let c = 0; c < n; c++) {
        const corner = group.corners[n * e + c];
        const vertex = slot[corner] - stressCount;
        incidentWeight[next[vertex]] = mass[group.first + e] / (n * mass[corner]);
        incidents[next[vertex]++] = 3 * element + c;
      }
    }
  });
  return {
    elementCount,
    vertexCount,
    firstElement,
    corners,
    incidentStart,
    incidents,
    incidentWeight,
    ...createRows(points, corners, incidentStart, incidents, incidentWeight),
  };
};

/** Neighbours of vertices and their weights. */
const createRows = (
  points: Points,
  corners: Int32Array,
  incidentStart: Int32Array,
  incidents: Int32Array,
  incidentWeight: Float32Array,
): Pick<SingleMesh, 'rowStart' | 'rows' | 'rowWeight'> => {
  const vertexCount = incidentStart.length - 1;
  const rowStart = new Int32Array(vertexCount + 1);
  const rows: number[] = [];
  const weights: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const n = points.groups[points.group[points.stressCount + v]].type === 'surface' ? 3 : 2;
    const first = rows.length;
    for (let k = incidentStart[v]; k < incidentStart[v + 1]; k++) {
      const element = Math.floor(incidents[k] / 3);
      for (let c = 0; c < n; c++) {
        const vertex = corners[3 * element + c];
        let at = first;
        while (at < rows.length && rows[at] !== vertex) at++;
        if (at === rows.length) {
          rows.push(vertex);
          weights.push(0);
        }
        weights[at] += incidentWeight[k] / n;
      }
    }
    rowStart[v + 1] = rows.length;
  }
  return { rowStart, rows: Int32Array.from(rows), rowWeight: Float32Array.from(weights) };
};
