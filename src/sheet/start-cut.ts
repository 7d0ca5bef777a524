/**
 * A sheet that starts bent over edges of bodies has chords across them, too short for their material. Unfolded about the line of the edge, the
 * mesh edge between a and b is straight and meets it in c:
 *
 *     a ·───_                     r   distance to the line of the edge [m]
 *            ‾──_  c              z   place along it [m]
 *     ═══════════╪═══════  edge       |X_c − X_a| : |X_b − X_c|  =  |z_c − z_a| : |z_b − z_c|  =  r_a : r_b
 *                 ‾──· b
 *
 * The mesh cut there, with c on the edge, has the lengths of the material, and new meshes are read off it instead of off the chords.
 */
import { Triangulation } from '../geometry/index.ts';
import type { CreaseAsk } from './crease-search.ts';
import type { SheetCreases } from './creases.ts';
import { SheetMesh } from './mesh.ts';
import { listPlaces } from './remesh.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { OldMesh } from './stretch-transfer.ts';

/** A vertex nearer to the edge than this share of the mesh edge is as good as on it: no cut. */
const NEAREST = 1e-4;

/** Moves places that are asked for on mesh edges to where these meet the edges of bodies unfolded, and returns the mesh cut there. */
export function cutAlongEdges(state: SheetState, creases: SheetCreases): OldMesh {
  const { q, v, label } = state;
  const cut = Triangulation.fromTriangles(listPlaces(state), state.mesh.triangles);
  const [places, speeds, labels] = [Array.from(q), Array.from(v), Array.from(label)];
  creases.asks = creases.asks.map((ask) => {
    if (ask.edge < 0) return ask;
    const [a, b] = ask.vertices;
    const s = computeMeeting(state, creases, ask);
    const mix = (one: number, other: number): number => one + s * (other - one);
    const along = mix(...computeAlongs(state, creases, ask));
    if (!(along >= 0 && along <= 1)) return ask;
    const at = (from: Float64Array, k: number): number => mix(from[STRIDE * a + k], from[STRIDE * b + k]);
    const moved: CreaseAsk = { ...ask, X: at(q, 3), Y: at(q, 4), along };
    const e = cut.findEdge(a, b);
    if (e < 0 || s < NEAREST || s > 1 - NEAREST) return moved;
    cut.splitEdge(e, cut.addVertex(moved.X, moved.Y));
    places.push(...computePlace(creases, moved), moved.X, moved.Y);
    for (let k = 0; k < STRIDE; k++) speeds.push(at(v, k));
    labels.push(-1 - labels.length);
    return moved;
  });
  return {
    q: Float64Array.from(places),
    v: Float64Array.from(speeds),
    mesh: new SheetMesh(labels.length, cut.corners.slice(0, 3 * cut.triangleCount)),
    label: Int32Array.from(labels),
  };
}

/** Where the mesh edge of a wanted place meets the edge, unfolded: its share from the first vertex. */
function computeMeeting({ q }: SheetState, creases: SheetCreases, { body, edge, vertices: [a, b] }: CreaseAsk): number {
  const before = creases.computeOffEdge(body, edge, q, STRIDE * a);
  return before / (before + creases.computeOffEdge(body, edge, q, STRIDE * b));
}

/** Where along the edge both vertices are, 0 … 1. */
function computeAlongs(
  state: SheetState,
  creases: SheetCreases,
  { body, edge, vertices: [a, b] }: CreaseAsk,
): [number, number] {
  return [creases.computeAlong(state, a, body, edge), creases.computeAlong(state, b, body, edge)];
}

/** A place along an edge in the world [m]. */
function computePlace({ touch }: SheetCreases, { body, edge, along }: CreaseAsk): Float64Array {
  const { edgeStart, edgeEnd } = touch.facets[body];
  const x = new Float64Array(3);
  for (let k = 0; k < 3; k++)
    x[k] = edgeStart[3 * edge + k] + along * (edgeEnd[3 * edge + k] - edgeStart[3 * edge + k]);
  touch.now[body].writeWorld(x, 0, x, 0);
  return x;
}
