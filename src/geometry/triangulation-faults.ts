/**
 * What is wrong with a triangulation, as sentences: adjacency that is not mutual, vertices without a true half-edge,
 * triangles that do not turn counter-clockwise, a vertex where triangles meet only by their corner, and, when asked,
 * edges that are not Delaunay.
 */
import { computeTurn } from './predicates.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';
import { isIllegal } from './triangulation-delaunay.ts';

export interface TriangulationFaultOptions {
  /** Also report edges that are neither fixed nor on the border and not Delaunay. Default false. */
  readonly delaunay?: boolean;
}

const findEdgeFault = (mesh: Triangulation, e: number): string | undefined => {
  const f = mesh.twins[e];
  if (f < 0) return undefined;
  if (mesh.twins[f] !== e) return `half-edges ${e} and ${f} are not mutual twins`;
  if (mesh.corners[e] !== mesh.head(f) || mesh.corners[f] !== mesh.head(e)) return `twins ${e} and ${f} do not match`;
  if (mesh.fixed[e] !== mesh.fixed[f]) return `twins ${e} and ${f} disagree on being fixed`;
  return undefined;
};

/** Empty when the mesh is sound. */
export const findTriangulationFaults = (
  mesh: Triangulation,
  { delaunay = false }: TriangulationFaultOptions = {},
): string[] => {
  const faults: string[] = [];
  const corners = new Int32Array(mesh.vertexCount);
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.isGap(triangleOf(e))) continue;
    corners[mesh.corners[e]]++;
    const fault = findEdgeFault(mesh, e);
    if (fault !== undefined) faults.push(fault);
    else if (delaunay && isIllegal(mesh, e)) faults.push(`edge ${e} is not Delaunay`);
    if (e % 3 > 0) continue;
    const turn = computeTurn(mesh.points, mesh.corners[e], mesh.corners[nextEdge(e)], mesh.corners[previousEdge(e)]);
    if (!(turn > 0)) faults.push(`triangle ${triangleOf(e)} is flat or inverted (${turn})`);
  }
  if (faults.length > 0) return faults;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const e = mesh.edgeOfVertex[v];
    if (e >= 0 && mesh.corners[e] !== v) faults.push(`half-edge ${e} does not start at vertex ${v}`);
    else if (mesh.around(v).length !== corners[v]) faults.push(`vertex ${v} has triangles that share no edge there`);
  }
  return faults;
};
