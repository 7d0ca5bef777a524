/**
 * What the bending of a sheet takes from its material coordinates (`geometry/mid-edge.ts`): β of triangles, γ of edges, and an upper bound of the stiffness
 * of each angle. All of it depends on X within two rings of triangles.
 */
import { addCurvatureRates, addSideRates, EdgeLean, writeSides, writeSlopeCurvature } from '../geometry/index.ts';
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
  /** 1 for triangles and edges that are to be measured; for edges whose stiffness is. */
  #triangles = new Uint8Array(0);
  #edges = new Uint8Array(0);
  #stiff = new Uint8Array(0);
  /** Rates of the energy with t and f of edges. */
  #byTurns = new Float64Array(0);
  #byWanted = new Float64Array(0);
  readonly #lean = new EdgeLean();
  readonly #X = new Float64Array(6);
  readonly #gradients = new Float64Array(6);
  readonly #weights = new Float64Array(9);
  readonly #rates = new Float64Array(6);
  readonly #kappa = new Float64Array(3);
  readonly #moments = new Float64Array(5);
  /** Edges that a triangle reaches, their curvature for an angle of 1, and the moment of that. */
  readonly #reach = new Int32Array(REACH);
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
    this.#triangles = new Uint8Array(triangleCount).fill(1);
    this.#edges = new Uint8Array(edgeCount).fill(1);
    this.#stiff = new Uint8Array(edgeCount).fill(1);
    this.#measureMarked(state);
  }

  /** What depends on an E-vertex, where areas and gradients are known again. */
  measureSliding(state: SheetState): void {
    if (!this.#markSliding(state)) return;
    for (let e = 0; e < state.mesh.edgeCount; e++) if (this.#stiff[e] === 1) this.edgeStiffness[e] = 0;
    this.#measureMarked(state);
  }

  /** Marks triangles with an E-vertex, and edges; false for none. */
  #markSliding({ mesh, kind }: SheetState): boolean {
    const { triangles, triangleEdges, triangleCount, edgeCount, near } = mesh;
    const stiff = this.#stiff;
    let some = false;
    this.#triangles.fill(0);
    this.#edges.fill(0);
    stiff.fill(0);
    for (let t = 0; t < triangleCount; t++) {
      const o = 3 * t;
      const slides =
        kind[triangles[o]] !== NODE_LAGRANGIAN ||
        kind[triangles[o + 1]] !== NODE_LAGRANGIAN ||
        kind[triangles[o + 2]] !== NODE_LAGRANGIAN;
      if (!slides) continue;
      some = true;
      this.#triangles[t] = 1;
      for (let k = o; k < o + 3; k++) stiff[triangleEdges[k]] = 1;
    }
    if (!some) return false;
    // γ of an edge depends on t of those around it
    for (let e = 0; e < edgeCount; e++) {
      let changes = stiff[e];
      for (let n = 4 * e; n < 4 * e + 4; n++) if (near[n] >= 0) changes |= stiff[near[n]];
      this.#edges[e] = changes;
    }
    stiff.fill(0);
    for (let t = 0; t < triangleCount; t++) {
      const o = 3 * t;
      const changes =
        this.#triangles[t] |
        this.#edges[triangleEdges[o]] |
        this.#edges[triangleEdges[o + 1]] |
        this.#edges[triangleEdges[o + 2]];
      if (changes === 0) continue;
      this.#findReach(mesh, t);
      for (let n = 0; n < REACH; n++) if (this.#reach[n] >= 0) stiff[this.#reach[n]] = 1;
    }
    return true;
  }

  #measureMarked(state: SheetState): void {
    const { mesh, area, material } = state;
    const { triangleEdges, edges, triangleCount, edgeCount } = mesh;
    for (let t = 0; t < triangleCount; t++) {
      if (this.#triangles[t] === 0) continue;
      let inner = 0;
      for (let k = 0; k < 3; k++) if (edges[4 * triangleEdges[3 * t + k] + 3] >= 0) inner |= 1 << k;
      this.#readTriangle(state, t);
      writeSides(this.#X, area[t], this.#sides, 9 * t);
      writeSlopeCurvature(this.#gradients, inner, material.bending, this.beta, 9 * t);
    }
    for (let e = 0; e < edgeCount; e++) if (this.#edges[e] === 1 && edges[4 * e + 3] >= 0) this.#writeTurn(mesh, e);
    for (let e = 0; e < edgeCount; e++) {
      if (this.#edges[e] === 0 || edges[4 * e + 3] < 0) continue;
      this.#setLean(mesh, e);
      for (let n = 0; n < 5; n++) this.gamma[5 * e + n] = this.#lean.gamma[n];
    }
    for (let t = 0; t < triangleCount; t++) this.#addStiffness(state, t);
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

  /** t = s_l + s_r. */
  #writeTurn(mesh: SheetState['mesh'], e: number): void {
    const left = findSide(mesh, e, 0);
    const right = findSide(mesh, e, 1);
    for (let k = 0; k < 3; k++) this.#turns[3 * e + k] = this.#sides[3 * left + k] + this.#sides[3 * right + k];
  }

  #setLean(mesh: SheetState['mesh'], e: number): void {
    const lean = this.#lean;
    const left = findSide(mesh, e, 0);
    const right = findSide(mesh, e, 1);
    for (let k = 0; k < 3; k++) {
      lean.wanted[k] = 0.5 * (this.#sides[3 * left + k] - this.#sides[3 * right + k]);
      lean.turns[k] = this.#turns[3 * e + k];
    }
    for (let n = 0; n < 4; n++) {
      const j = mesh.near[4 * e + n];
      for (let k = 0; k < 3; k++) lean.turns[3 + 3 * n + k] = j < 0 ? 0 : this.#turns[3 * j + k];
    }
    lean.set();
  }

  /** The edges on which the curvature of triangle t depends, −1 for none: its own, then the two beyond each. */
  #findReach({ triangleEdges, edgeTriangles, near }: SheetState['mesh'], t: number): void {
    const reach = this.#reach;
    for (let k = 0; k < 3; k++) {
      const e = triangleEdges[3 * t + k];
      const beyond = 4 * e + (edgeTriangles[2 * e] === t ? 2 : 0);
      reach[k] = edgeTriangles[2 * e + 1] < 0 ? -1 : e;
      reach[3 + 2 * k] = near[beyond];
      reach[4 + 2 * k] = near[beyond + 1];
    }
  }

  /** Curvature of triangle t for an angle of 1 of each edge that it reaches. */
  #setShares({ triangleEdges, edgeTriangles }: SheetState['mesh'], t: number): void {
    const { beta, gamma } = this;
    const shares = this.#shares;
    shares.fill(0);
    for (let k = 0; k < 3; k++) {
      if (this.#reach[k] < 0) continue;
      const e = triangleEdges[3 * t + k];
      const isLeft = edgeTriangles[2 * e] === t;
      const sign = isLeft ? 1 : -1;
      const own = 5 * e + (isLeft ? 1 : 3);
      const beyond = 5 * e + (isLeft ? 3 : 1);
      const a = 3 * ((k + 1) % 3);
      const b = 3 * ((k + 2) % 3);
      const c = 9 + 6 * k;
      for (let n = 0; n < 3; n++) {
        const one = beta[9 * t + 3 * k + n];
        shares[3 * k + n] += (0.5 + sign * gamma[5 * e]) * one;
        shares[a + n] += sign * gamma[own] * one;
        shares[b + n] += sign * gamma[own + 1] * one;
        shares[c + n] += sign * gamma[beyond] * one;
        shares[c + 3 + n] += sign * gamma[beyond + 1] * one;
      }
    }
  }

  /** At edges that are marked:  k_j += A Σ_i |C_jᵀ B C_i|,  κ = Σ C_j θ_j. */
  #addStiffness(state: SheetState, t: number): void {
    const { mesh, area } = state;
    const reach = this.#reach;
    this.#findReach(mesh, t);
    let some = 0;
    for (let n = 0; n < REACH; n++) if (reach[n] >= 0) some |= this.#stiff[reach[n]];
    if (some === 0) return;
    this.#setShares(mesh, t);
    const c = this.#shares;
    const m = this.#pushes;
    const [b11, b22, b12, b33] = state.material.bending;
    for (let o = 0; o < 3 * REACH; o += 3) {
      m[o] = b11 * c[o] + b12 * c[o + 1];
      m[o + 1] = b12 * c[o] + b22 * c[o + 1];
      m[o + 2] = b33 * c[o + 2];
    }
    for (let n = 0; n < REACH; n++) {
      const e = reach[n];
      if (e < 0 || this.#stiff[e] === 0) continue;
      const o = 3 * n;
      let sum = 0;
      for (let i = 0; i < 3 * REACH; i += 3) sum += Math.abs(m[o] * c[i] + m[o + 1] * c[i + 1] + m[o + 2] * c[i + 2]);
      this.edgeStiffness[e] += area[t] * sum;
    }
  }

  /** Adds −h ∂V/∂X of the bending energy at E-vertices, after `measureSliding`. */
  addSlide(state: SheetState, angles: EdgeAngles, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { mesh, kind } = state;
    this.#setEdgeRates(mesh, angles);
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (this.#triangles[t] === 0) continue;
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
  #setEdgeRates(mesh: SheetState['mesh'], { theta, leanMoment }: EdgeAngles): void {
    const lean = this.#lean;
    const c = this.#moments;
    this.#byTurns.fill(0);
    this.#byWanted.fill(0);
    for (let e = 0; e < mesh.edgeCount; e++) {
      if (this.#edges[e] === 0 || mesh.edges[4 * e + 3] < 0) continue;
      this.#setLean(mesh, e);
      c[0] = leanMoment[e] * theta[e];
      for (let n = 0; n < 4; n++) {
        const j = mesh.near[4 * e + n];
        c[1 + n] = j < 0 ? 0 : leanMoment[e] * theta[j];
      }
      lean.setRates(c);
      for (let k = 0; k < 3; k++) {
        this.#byWanted[3 * e + k] += lean.byWanted[k];
        this.#byTurns[3 * e + k] += lean.byTurns[k];
      }
      for (let n = 0; n < 4; n++) {
        const j = mesh.near[4 * e + n];
        if (j >= 0) for (let k = 0; k < 3; k++) this.#byTurns[3 * j + k] += lean.byTurns[3 + 3 * n + k];
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
