/**
 * The geometry with which strands touch solids: every shape as flat faces and convex edges, grown by the strand's radius, so
 * that the strand itself is a line. All in the body's own frame, in which the body does not move: the caller transforms.
 *     face   n · x = offset           nodes are kept above it
 *     edge   from `edgeStart` along nA × nB to `edgeEnd`, between two faces that bend away from each other
 * Growth is mitred: each face moves out by the radius, so a box becomes a larger box. The mitre of a very sharp edge stands
 * further out than the radius, by radius/sin(half the angle inside). The rims of cylinders are those of circumscribed
 * prisms, never inside the grown shape; what is smooth stays so (`facet-round.ts`). Queries allocate nothing.
 */
import type { Shape } from '../bodies/index.ts';
import { computeSegments } from '../bodies/shape.ts';
import { touches } from './facet-boxes.ts';
import { type BuiltFacets, buildFacets } from './facet-build.ts';
import { ConvexSolid, type FacetSolid, type SegmentPlane } from './facet-convex.ts';
import { type EdgeHit, EdgeSearch } from './facet-edges.ts';
import type { RoundSolid } from './facet-round.ts';
import { MeshSolid } from './facet-solid-mesh.ts';

export class FacetBody {
  /** Diagonal of the bounds [m]; 0 for an infinite plane. */
  readonly size: number;
  /** Min x, y, z, max x, y, z of the grown polyhedron; ±Infinity where it has no end. */
  readonly bounds: Float64Array;
  readonly faceCount: number;
  /** Outward unit normals, 3 per face; coplanar adjacent triangles are one face. */
  readonly faceNormal: Float64Array;
  /** n · x = offset on the face [m]. */
  readonly faceOffset: Float64Array;
  readonly edgeCount: number;
  /** Ends of the convex edges, 3 per edge. */
  readonly edgeStart: Float64Array;
  readonly edgeEnd: Float64Array;
  /** Outward unit normals of the two faces of an edge, 3 per edge. */
  readonly edgeNormalA: Float64Array;
  readonly edgeNormalB: Float64Array;
  readonly edgeFaceA: Int32Array;
  readonly edgeFaceB: Int32Array;
  /** Bits of the ends that lie in a valley of the mesh, 1 start, 2 end: what is below such an edge may be nearest beyond that end. */
  readonly edgeRunsOn: Uint8Array;
  readonly isConvex: boolean;
  /** Spheres and capsules, which have neither faces nor edges, and mantles of cylinders, whose faces are of no account. */
  readonly round: RoundSolid | undefined;
  readonly #solid: FacetSolid;
  readonly #search: EdgeSearch;
  readonly #box = new Float64Array(6);

  constructor({ convex, facets, round }: BuiltFacets) {
    this.bounds = facets.bounds;
    const [lx, ly, lz, hx, hy, hz] = facets.bounds;
    const diagonal = Math.sqrt((hx - lx) ** 2 + (hy - ly) ** 2 + (hz - lz) ** 2);
    this.size = Number.isFinite(diagonal) ? diagonal : 0;
    this.faceCount = facets.faceOffset.length;
    this.faceNormal = facets.faceNormal;
    this.faceOffset = facets.faceOffset;
    // a mantle is smooth: only the rims are edges
    const sharp = Int32Array.from(facets.edgeFaceA.keys()).filter((edge) => !facets.isRound[edge]);
    this.edgeCount = sharp.length;
    this.edgeStart = collectVectors(facets.edgeStart, sharp);
    this.edgeEnd = collectVectors(facets.edgeEnd, sharp);
    this.edgeFaceA = sharp.map((edge) => facets.edgeFaceA[edge]);
    this.edgeFaceB = sharp.map((edge) => facets.edgeFaceB[edge]);
    this.edgeRunsOn = Uint8Array.from(sharp, (edge) => facets.edgeRunsOn[edge]);
    this.edgeNormalA = collectVectors(facets.faceNormal, this.edgeFaceA);
    this.edgeNormalB = collectVectors(facets.faceNormal, this.edgeFaceB);
    this.isConvex = convex;
    this.round = round;
    const isAll = round !== undefined && !round.isMantle;
    this.#solid = isAll ? round : convex ? new ConvexSolid(facets, this.size) : new MeshSolid(facets, this.size);
    this.#search = new EdgeSearch(this, this.#solid);
  }

  /**
   * How deep a point is inside [m], > 0 inside. Outside, convex bodies answer minus the largest height over a face's plane
   * and others minus the distance.
   */
  computeDepth(x: number, y: number, z: number): number {
    return this.#solid.computeDepth(x, y, z);
  }

  /**
   * The face on which a point moving straight from p0[at0 …] to p1[at1 …] must be kept: the one through which it first goes
   * into the body. −1 where it neither ends deeper than `tolerance` [m] inside nor passes through deeper than that. A point
   * that starts on the surface or inside is kept on the face that it started at, or, where it does not move into that one
   * or started deeper than `tolerance`, on the face nearest to its end. `start`: `computeDepth` of p0, where that is known.
   */
  findFace(p0: Float64Array, at0: number, p1: Float64Array, at1: number, tolerance: number, start?: number): number {
    this.#writeBox(p0, at0, p1, at1);
    return touches(this.bounds, this.#box) ? this.#solid.findFace(p0, at0, p1, at1, tolerance, start) : -1;
  }

  /** Whether the foot of a point on the face's plane lies in the face grown by `tolerance` [m]. */
  isOverFace(face: number, x: number, y: number, z: number, tolerance: number): boolean {
    return this.#solid.isOverFace(face, x, y, z, tolerance);
  }

  /**
   * The first convex edge that a segment goes through while its ends move straight from a0 to a1 and from b0 to b1 (three
   * numbers each). Fills `out` and returns the edge; −1 where there is none. A segment that never gets deeper than
   * `tolerance` [m] goes through none, so sliding in the plane of a face is none. Where it ends inside without having come
   * through an edge (it started inside by a little), the edge is the nearest under whose faces it lies, and the time
   * the moment at which the separation would have been zero, or 0. Edges in skip[0 … skipCount) are not looked at.
   */
  findEdge(
    a0: Float64Array,
    b0: Float64Array,
    a1: Float64Array,
    b1: Float64Array,
    tolerance: number,
    skip: Int32Array,
    skipCount: number,
    out: EdgeHit,
  ): number {
    out.edge = -1;
    return this.edgeCount > 0 ? this.#search.find(a0, b0, a1, b1, tolerance, skip, skipCount, out) : -1;
  }

  /**
   * Largest depth of any point of the segment from a to b (three numbers each) [m]; 0 where it is outside. Where `least` is given, anything up to
   * that for what is not deeper.
   */
  computeSegmentDepth(a: Float64Array, b: Float64Array, least = 0): number {
    this.#writeBox(a, 0, b, 0);
    return touches(this.bounds, this.#box) ? Math.max(0, this.#solid.computeSegmentDepth(a, 0, b, 0, least)) : 0;
  }

  /**
   * The plane between the segment from a to b and a convex body with faces, or the one across which it comes out in the shortest
   * way; see `ConvexSolid.findSegmentPlane`. False where the segment is well outside, and for all other bodies.
   */
  findSegmentPlane(a: Float64Array, b: Float64Array, out: SegmentPlane): boolean {
    if (!(this.#solid instanceof ConvexSolid)) return false;
    this.#writeBox(a, 0, b, 0);
    return touches(this.bounds, this.#box) && this.#solid.findSegmentPlane(a, 0, b, 0, out);
  }

  #writeBox(p: Float64Array, atP: number, q: Float64Array, atQ: number): void {
    for (let k = 0; k < 3; k++) {
      this.#box[k] = Math.min(p[atP + k], q[atQ + k]);
      this.#box[3 + k] = Math.max(p[atP + k], q[atQ + k]);
    }
  }
}

const collectVectors = (from: Float64Array, places: Int32Array): Float64Array =>
  Float64Array.from({ length: 3 * places.length }, (_, i) => from[3 * places[Math.floor(i / 3)] + (i % 3)]);

/** `radius` ≥ 0 [m]; `segments`: sides of a cylinder, default 48. */
export function createFacetBody(shape: Shape, radius: number, segments?: number): FacetBody {
  return new FacetBody(buildFacets(shape, radius, computeSegments(segments)));
}
