/**
 * What elements and vertices of a continuum in single precision know of each other, in flat lists: sums over elements are gathered by vertices, each in one order, so that threads do not matter.
 *
 *     incidents   of a vertex: 3 · element + corner, ascending;  weight  m_q/(n M)            of AᵀM_q over the vertex's mass M (centre.ts)
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
  readonly volume: Float32Array;
  readonly incidentStart: Int32Array;
  readonly incidents: Int32Array;
  readonly incidentWeight: Float32Array;
  readonly rowStart: Int32Array;
  readonly rows: Int32Array;
  readonly rowWeight: Float32Array;
}

export const createSingleMesh = (points: Points): SingleMesh => {
  const { groups, stressCount, mass } = points;
  const vertexCount = points.count - stressCount;
  const firstElement = new Int32Array(groups.length);
  let elementCount = 0;
  groups.forEach((group, index) => {
    firstElement[index] = elementCount;
    if (cornersOf(group) > 0) elementCount += group.count;
  });
  const corners = new Int32Array(3 * elementCount);
  const volume = new Float32Array(elementCount);
  const incidentStart = new Int32Array(vertexCount + 1);
  groups.forEach((group, index) => {
    const n = cornersOf(group);
    if (n === 0) return;
    for (let e = 0; e < group.count; e++) {
      volume[firstElement[index] + e] = points.volume[group.first + e];
      for (let c = 0; c < n; c++) {
        const vertex = group.corners[n * e + c] - stressCount;
        corners[3 * (firstElement[index] + e) + c] = vertex;
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
    for (let e = 0; n > 0 && e < group.count; e++)
      for (let c = 0; c < n; c++) {
        const vertex = group.corners[n * e + c] - stressCount;
        incidentWeight[next[vertex]] = mass[group.first + e] / (n * mass[stressCount + vertex]);
        incidents[next[vertex]++] = 3 * (firstElement[index] + e) + c;
      }
  });
  return {
    elementCount,
    vertexCount,
    firstElement,
    corners,
    volume,
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
