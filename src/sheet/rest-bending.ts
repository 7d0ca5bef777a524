/**
 * What the bending of a sheet takes from its material coordinates (`geometry/mid-edge.ts`): β of triangles, γ of edges, and an upper bound of the stiffness
 * of each angle. All of it depends on X within two rings of triangles.
 */
import {
  addCurvatureRates,
  addSideRates,
  LEAN_STRIDE,
  writeLean,
  writeLeanRates,
  writeSides,
  writeSlopeCurvature,
} from '../geometry/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** θ of edges, φ, and ∂V/∂φ. */
export interface EdgeAngles {
  readonly theta: Float64Array;
  readonly lean: Float64Array;
  readonly leanMoment: Float64Array;
}

/** Edges that the curvature of a triangle depends on: its own, and two more beyond each. */
const REACH = 9;

export class RestBending {
  /** β of triangles, nine numbers each [1/m]; γ of edges, five each: its own and those of `mesh.near`. */
  beta = new Float64Array(0);
  gamma = new Float64Array(0);
  /** Stiffness of angles [N m]: the diagonal matrix of these is at least the coupling of all (Gershgorin). */
  edgeStiffness = new Float64Array(0);
  /** s of the sides of triangles, nine numbers each; t of edges, three. */
  #sides = new Float64Array(0);
  #turns = new Float64Array(0);
  /** What is to be measured: all, or what depends on X of the vertices of other kinds than NODE_LAGRANGIAN. */
  #kind = new Uint8Array(0);
  #isWhole = true;
  /** Triangles whose sides and β change; inner edges whose γ does, with the places of both sides in #sides; their leans. */
  #triangles: number[] = [];
  #edges: number[] = [];
  #left: number[] = [];
  #right: number[] = [];
  #leans = new Float64Array(0);
  /** 1 for edges whose stiffness changes, and these; triangles that have a share in it, and the edges that each reaches. */
  #isStiff = new Uint8Array(0);
  #stiff: number[] = [];
  #stiffening: number[] = [];
  #reach = new Int32Array(0);
  /** Rates of the energy with t and f of edges. */
  #byTurns = new Float64Array(0);
  #byWanted = new Float64Array(0);
  readonly #X = new Float64Array(6);
  readonly #gradients = new Float64Array(6);
  readonly #weights = new Float64Array(9);
  readonly #rates = new Float64Array(6);
  readonly #kappa = new Float64Array(3);
  readonly #moments = new Float64Array(5);
  readonly #leanRates = new Float64Array(18);
  /** Curvature of a triangle for an angle of 1 of the edges that it reaches, and the moment of that. */
  readonly #shares = new Float64Array(3 * REACH);
  readonly #pushes = new Float64Array(3 * REACH);

  /** All of it, after any change of the mesh; areas and gradients are known. */
  measure(state: SheetState): void {
    const { triangleCount, edgeCount } = state.mesh;
    this.beta = new Float64Array(9 * triangleCount);
    this.gamma = new Float64Array(5 * edgeCount);
    this.edgeStiffness = new Float64Array(edgeCount);
    this.#sides = new Float64Array(9 * triangleCount);
    this.#turns = new Float64Array(3 * edgeCount);
    this.#byTurns = new Float64Array(3 * edgeCount);
    this.#byWanted = new Float64Array(3 * edgeCount);
    this.#isStiff = new Uint8Array(edgeCount);
    this.#isWhole = true;
    const changes = new Uint8Array(triangleCount).fill(1);
    this.#list(state.mesh, changes, new Uint8Array(edgeCount).fill(1));
    this.#measureListed(state);
  }

  /** What depends on an E-vertex, where areas and gradients are known again. */
  measureSliding(state: SheetState): void {
    if (!this.#isListed(state)) this.#listSliding(state);
    if (this.#triangles.length === 0) return;
    for (const e of this.#stiff) this.edgeStiffness[e] = 0;
    this.#measureListed(state);
  }

  /** Whether the lists are those of the E-vertices there are. */
  #isListed({ kind }: SheetState): boolean {
    if (this.#isWhole || this.#kind.length !== kind.length) return false;
    for (let i = 0; i < kind.length; i++) if (kind[i] !== this.#kind[i]) return false;
    return true;
  }

  /** Lists triangles with an E-vertex, and the edges that depend on those. */
  #listSliding({ mesh, kind }: SheetState): void {
    const { triangles, triangleEdges, triangleCount, edgeCount, near } = mesh;
    const slides = new Uint8Array(triangleCount);
    const turns = new Uint8Array(edgeCount);
    this.#kind = kind.slice();
    this.#isWhole = false;
    for (let o = 0; o < 3 * triangleCount; o += 3) {
      if (
        kind[triangles[o]] === NODE_LAGRANGIAN &&
        kind[triangles[o + 1]] === NODE_LAGRANGIAN &&
        kind[triangles[o + 2]] === NODE_LAGRANGIAN
      )
        continue;
      slides[o / 3] = 1;
      for (let k = o; k < o + 3; k++) turns[triangleEdges[k]] = 1;
    }
    // γ of an edge depends on t of those around it
    const leans = turns.slice();
    for (let e = 0; e < edgeCount; e++)
      for (let n = 4 * e; n < 4 * e + 4; n++) if (near[n] >= 0) leans[e] |= turns[near[n]];
    this.#list(mesh, slides, leans);
  }

  /** Lists what is marked: triangles that change, edges whose γ does; and all whose stiffness depends on them. */
  #list(mesh: SheetState['mesh'], slides: Uint8Array, leans: Uint8Array): void {
    const { triangleEdges, edges, triangleCount, edgeCount } = mesh;
    this.#triangles = [];
    this.#edges = [];
    this.#left = [];
    this.#right = [];
    this.#stiff = [];
    this.#stiffening = [];
    this.#isStiff.fill(0);
    for (let e = 0; e < edgeCount; e++) {
      if (leans[e] === 0 || edges[4 * e + 3] < 0) continue;
      this.#edges.push(e);
      this.#left.push(3 * findSide(mesh, e, 0));
      this.#right.push(3 * findSide(mesh, e, 1));
    }
    if (this.#leans.length < LEAN_STRIDE * this.#edges.length)
      this.#leans = new Float64Array(LEAN_STRIDE * this.#edges.length);
    const reach = new Int32Array(REACH * triangleCount);
    for (let t = 0; t < triangleCount; t++) {
      const o = 3 * t;
      const at = REACH * t;
      writeReach(mesh, t, reach, at);
      if (slides[t] === 1) this.#triangles.push(t);
      if ((slides[t] | leans[triangleEdges[o]] | leans[triangleEdges[o + 1]] | leans[triangleEdges[o + 2]]) === 0)
        continue;
      for (let n = at; n < at + REACH; n++) if (reach[n] >= 0) this.#isStiff[reach[n]] = 1;
    }
    for (let e = 0; e < edgeCount; e++) if (this.#isStiff[e] === 1) this.#stiff.push(e);
    for (let t = 0; t < triangleCount; t++) {
      const own = reach.subarray(REACH * t, REACH * t + REACH);
      if (!own.some((e) => e >= 0 && this.#isStiff[e] === 1)) continue;
      reach.copyWithin(REACH * this.#stiffening.length, REACH * t, REACH * t + REACH);
      this.#stiffening.push(t);
    }
    this.#reach = reach;
  }

  #measureListed(state: SheetState): void {
    const { mesh, area, material } = state;
    const { triangleEdges, edges } = mesh;
    for (const t of this.#triangles) {
      let inner = 0;
      for (let k = 0; k < 3; k++) if (edges[4 * triangleEdges[3 * t + k] + 3] >= 0) inner |= 1 << k;
      this.#readTriangle(state, t);
      writeSides(this.#X, area[t], this.#sides, 9 * t);
      writeSlopeCurvature(this.#gradients, inner, material.bending, this.beta, 9 * t);
    }
    this.#measureLeans(mesh);
    for (let n = 0; n < this.#stiffening.length; n++) this.#addStiffness(state, n);
  }

  /** t = s_l + s_r,  f = ½ (s_l − s_r),  then γ. */
  #measureLeans({ near }: SheetState['mesh']): void {
    const sides = this.#sides;
    const turns = this.#turns;
    const leans = this.#leans;
    for (let n = 0; n < this.#edges.length; n++) {
      const e = 3 * this.#edges[n];
      const l = this.#left[n];
      const r = this.#right[n];
      const at = LEAN_STRIDE * n;
      for (let k = 0; k < 3; k++) {
        leans[at + k] = turns[e + k] = sides[l + k] + sides[r + k];
        leans[at + 15 + k] = 0.5 * (sides[l + k] - sides[r + k]);
      }
    }
    for (let n = 0; n < this.#edges.length; n++) {
      const e = this.#edges[n];
      let at = LEAN_STRIDE * n;
      for (let m = 4 * e; m < 4 * e + 4; m++) {
        const j = 3 * near[m];
        at += 3;
        leans[at] = j < 0 ? 0 : turns[j];
        leans[at + 1] = j < 0 ? 0 : turns[j + 1];
        leans[at + 2] = j < 0 ? 0 : turns[j + 2];
      }
      writeLean(leans, LEAN_STRIDE * n, this.gamma, 5 * e);
    }
  }

  /** X and gradients of a triangle. */
  #readTriangle({ q, mesh, gradients }: SheetState, t: number): void {
    for (let k = 0; k < 3; k++) {
      const i = STRIDE * mesh.triangles[3 * t + k];
      this.#X[2 * k] = q[i + 3];
      this.#X[2 * k + 1] = q[i + 4];
    }
    for (let k = 0; k < 6; k++) this.#gradients[k] = gradients[6 * t + k];
  }

  /** Curvature of triangle t for an angle of 1 of each edge that it reaches, from `at` of #reach on. */
  #setShares({ triangleEdges, edgeTriangles }: SheetState['mesh'], t: number, at: number): void {
    const { beta, gamma } = this;
    const shares = this.#shares;
    shares.fill(0);
    for (let k = 0; k < 3; k++) {
      if (this.#reach[at + k] < 0) continue;
      const e = triangleEdges[3 * t + k];
      const isLeft = edgeTriangles[2 * e] === t;
      const sign = isLeft ? 1 : -1;
      const own = 5 * e + (isLeft ? 1 : 3);
      const beyond = 5 * e + (isLeft ? 3 : 1);
      const self = 0.5 + sign * gamma[5 * e];
      const toA = sign * gamma[own];
      const toB = sign * gamma[own + 1];
      const toC = sign * gamma[beyond];
      const toD = sign * gamma[beyond + 1];
      const a = k === 2 ? 0 : 3 * k + 3;
      const b = k === 0 ? 6 : 3 * k - 3;
      const c = 9 + 6 * k;
      for (let n = 0; n < 3; n++) {
        const one = beta[9 * t + 3 * k + n];
        shares[3 * k + n] += self * one;
        shares[a + n] += toA * one;
        shares[b + n] += toB * one;
        shares[c + n] += toC * one;
        shares[c + 3 + n] += toD * one;
      }
    }
  }

  /** At edges that are listed, of triangle n of those in the list:  k_j += A Σ_i |C_jᵀ B C_i|,  κ = Σ C_j θ_j. */
  #addStiffness({ mesh, area, material }: SheetState, n: number): void {
    const t = this.#stiffening[n];
    const at = REACH * n;
    this.#setShares(mesh, t, at);
    const c = this.#shares;
    const m = this.#pushes;
    const { bending } = material;
    const b11 = bending[0];
    const b22 = bending[1];
    const b12 = bending[2];
    const b33 = bending[3];
    for (let o = 0; o < 3 * REACH; o += 3) {
      m[o] = b11 * c[o] + b12 * c[o + 1];
      m[o + 1] = b12 * c[o] + b22 * c[o + 1];
      m[o + 2] = b33 * c[o + 2];
    }
    for (let k = 0; k < REACH; k++) {
      const e = this.#reach[at + k];
      if (e < 0 || this.#isStiff[e] === 0) continue;
      const m1 = m[3 * k];
      const m2 = m[3 * k + 1];
      const m3 = m[3 * k + 2];
      let sum = 0;
      for (let i = 0; i < 3 * REACH; i += 3) sum += Math.abs(m1 * c[i] + m2 * c[i + 1] + m3 * c[i + 2]);
      this.edgeStiffness[e] += area[t] * sum;
    }
  }

  /** Adds −h ∂V/∂X of the bending energy at E-vertices, after `measureSliding`. */
  addSlide(state: SheetState, angles: EdgeAngles, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { mesh, kind } = state;
    this.#setEdgeRates(mesh, angles);
    for (const t of this.#triangles) {
      this.#setRates(state, t, angles);
      for (let n = 0; n < 3; n++) {
        const vertex = mesh.triangles[3 * t + n];
        if (kind[vertex] === NODE_LAGRANGIAN) continue;
        const o = matrix.blockStart[vertex] + 3;
        rhs[o] -= h * this.#rates[2 * n];
        rhs[o + 1] -= h * this.#rates[2 * n + 1];
      }
    }
  }

  /** Rates of the energy with t and f, by way of γ. */
  #setEdgeRates({ near }: SheetState['mesh'], { theta, leanMoment }: EdgeAngles): void {
    const c = this.#moments;
    const rates = this.#leanRates;
    const byTurns = this.#byTurns.fill(0);
    const byWanted = this.#byWanted.fill(0);
    for (let i = 0; i < this.#edges.length; i++) {
      const e = this.#edges[i];
      c[0] = leanMoment[e] * theta[e];
      for (let n = 0; n < 4; n++) {
        const j = near[4 * e + n];
        c[1 + n] = j < 0 ? 0 : leanMoment[e] * theta[j];
      }
      writeLeanRates(this.#leans, LEAN_STRIDE * i, c, rates);
      for (let k = 0; k < 3; k++) {
        byWanted[3 * e + k] += rates[15 + k];
        byTurns[3 * e + k] += rates[k];
      }
      for (let n = 0; n < 4; n++) {
        const j = near[4 * e + n];
        if (j >= 0) for (let k = 0; k < 3; k++) byTurns[3 * j + k] += rates[3 + 3 * n + k];
      }
    }
  }

  /** Rates of the bending energy with X of the corners of triangle t, as far as they go by it. */
  #setRates(state: SheetState, t: number, { theta, lean }: EdgeAngles): void {
    const { mesh, area, material } = state;
    const W = this.#weights;
    this.#readTriangle(state, t);
    writeCurvature(state, t, theta, lean, this.#kappa);
    for (let k = 0; k < 3; k++) {
      const e = mesh.triangleEdges[3 * t + k];
      const share = mesh.edgeTriangles[2 * e] === t ? 0.5 : -0.5;
      for (let n = 0; n < 3; n++) W[3 * k + n] = this.#byTurns[3 * e + n] + share * this.#byWanted[3 * e + n];
    }
    this.#rates.fill(0);
    addCurvatureRates(this.#X, area[t], this.#gradients, this.#kappa, material.bending, this.#rates);
    addSideRates(this.#X, area[t], this.#gradients, W, this.#sides, 9 * t, this.#rates);
  }
}

/** The edges on which the curvature of triangle t depends, −1 for none: its own, then the two beyond each. */
function writeReach(
  { triangleEdges, edgeTriangles, near }: SheetState['mesh'],
  t: number,
  out: Int32Array,
  at: number,
): void {
  for (let k = 0; k < 3; k++) {
    const e = triangleEdges[3 * t + k];
    const beyond = 4 * e + (edgeTriangles[2 * e] === t ? 2 : 0);
    out[at + k] = edgeTriangles[2 * e + 1] < 0 ? -1 : e;
    out[at + 3 + 2 * k] = near[beyond];
    out[at + 4 + 2 * k] = near[beyond + 1];
  }
}

/** Corner 3 t + k whose opposite edge e is, on its left (0) or right (1). */
function findSide({ edgeTriangles, triangleEdges }: SheetState['mesh'], e: number, side: number): number {
  const o = 3 * edgeTriangles[2 * e + side];
  return triangleEdges[o] === e ? o : triangleEdges[o + 1] === e ? o + 1 : o + 2;
}

/** κ of a triangle, from the angles of edges and how far normals lean there. */
export function writeCurvature(
  { beta, mesh }: SheetState,
  t: number,
  theta: Float64Array,
  lean: Float64Array,
  out: Float64Array,
): void {
  out.fill(0);
  for (let k = 0; k < 3; k++) {
    const e = mesh.triangleEdges[3 * t + k];
    const slope = 0.5 * theta[e] + (mesh.edgeTriangles[2 * e] === t ? lean[e] : -lean[e]);
    for (let n = 0; n < 3; n++) out[n] += slope * beta[9 * t + 3 * k + n];
  }
}

/** φ of all edges, 0 on the border. */
export function writeLeans({ gamma, mesh }: SheetState, theta: Float64Array, out: Float64Array): void {
  const { near, edges, edgeCount } = mesh;
  for (let e = 0; e < edgeCount; e++) {
    let sum = 0;
    if (edges[4 * e + 3] >= 0) {
      sum = gamma[5 * e] * theta[e];
      for (let n = 0; n < 4; n++) {
        const j = near[4 * e + n];
        if (j >= 0) sum += gamma[5 * e + 1 + n] * theta[j];
      }
    }
    out[e] = sum;
  }
}
