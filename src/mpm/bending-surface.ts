/**
 * Bending of a surface, on the vertices of its mesh ([Jiang 2017] has none).
 *
 *     V = Σ A/2 κᵀ B κ over triangles,   κ = Σ_k β_k (θ_k − θ⁰_k),   κ = (κ₁₁, κ₂₂, 2 κ₁₂)      B = D [1 ν 0; ν 1 0; 0 0 (1 − ν)/2]
 *
 *   θ  angle of an edge between two triangles (`geometry/hinge.ts`), θ⁰ at rest [rad]   β  of `geometry/curvature.ts`, from the triangle and its neighbours laid flat [1/m]
 *   D  bending rigidity [N m]: a strip of the width w bends with E I = D (1 − ν²) w       A  area at rest [m²]
 *
 *     f = −Σ m_e ∂θ_e,  m = ∂V/∂θ,      δf = −Σ (δm_e ∂θ_e + m_e δ∂θ_e),  δm = ∂²V/∂θ² δθ
 * Edges of one triangle, or of more than two, do not bend; nor do triangles that are broken. Triangles must go round alike.
 */
import { CurvatureMap, HingeChange, writeHinge } from '../geometry/index.ts';
import { writeAngles } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { BROKEN } from './strength.ts';

/** Inner edges of a surface: four coordinates of vertices each, as in `set`, and angles at rest; those of triangles, opposite to their corners, −1 at the border; ∂²V/∂θ² of the three edges of each triangle, 9 numbers. */
export interface HingeTable {
  readonly edges: Int32Array;
  readonly restAngle: Float64Array;
  readonly triangleEdges: Int32Array;
  readonly stiffness: Float64Array;
}

export class SurfaceBending {
  /** a, b, c, d of inner edges (see `geometry/hinge.ts`) as coordinates, 3 times a vertex. */
  readonly #edges: Int32Array;
  readonly #gain: Float64Array;
  /** Inner edges opposite to the corners of triangles, −1 at the border. */
  readonly #triangleEdges: Int32Array;
  /** β, 18 numbers a triangle; areas. */
  readonly #beta: Float64Array;
  readonly #area: Float64Array;
  readonly #restAngle: Float64Array;
  /** D, ν D, D (1 − ν)/2. */
  readonly #rigidity: Float64Array;
  /** θ − θ⁰, ∂V/∂θ and ∂θ of the last `set`; cosines; δθ, δm and δ∂θ. */
  readonly #theta: Float64Array;
  readonly #moment: Float64Array;
  readonly #hinges: Float64Array;
  readonly #cosine: Float64Array;
  readonly #rate: Float64Array;
  readonly #momentRate: Float64Array;
  readonly #turn = new Float64Array(12);
  readonly #hingeChange = new HingeChange();
  #x: Float64Array = new Float64Array(0);

  /**
   *   triangles   3 vertices each   rest  places of vertices at rest, 3 each
   *   gain        BROKEN where a triangle carries nothing, one each
   *   first       vertex that `triangles` and `rest` count from, in the arrays that `set` and the others are given
   */
  constructor(
    triangles: Int32Array,
    rest: ArrayLike<number>,
    rigidity: number,
    poissonRatio: number,
    gain: Float64Array,
    first: number,
  ) {
    this.#gain = gain;
    const { edges, triangleEdges } = findInnerEdges(triangles);
    this.#edges = edges;
    this.#triangleEdges = triangleEdges;
    this.#rigidity = Float64Array.of(rigidity, rigidity * poissonRatio, 0.5 * rigidity * (1 - poissonRatio));
    const count = edges.length / 4;
    this.#theta = new Float64Array(count);
    this.#cosine = new Float64Array(count);
    this.#moment = new Float64Array(count);
    this.#rate = new Float64Array(count);
    this.#momentRate = new Float64Array(count);
    this.#hinges = new Float64Array(12 * count);
    this.#beta = new Float64Array(6 * triangles.length);
    this.#area = new Float64Array(triangles.length / 3);
    this.#addCurvatures(triangles, rest);
    this.#restAngle = new Float64Array(count);
    this.set(Float64Array.from(rest));
    this.#restAngle.set(this.#theta);
    for (let k = 0; k < edges.length; k++) edges[k] += 3 * first;
  }

  /** What kernels need to bend it. */
  createTable(): HingeTable {
    const stiffness = new Float64Array(3 * this.#triangleEdges.length);
    const beta = this.#beta;
    const [d, coupled, shear] = this.#rigidity;
    for (let n = 0; n < 2 * this.#area.length; n++)
      for (let k = 0; k < 3; k++)
        for (let l = 0; l < 3; l++) {
          const [a, b] = [9 * n + 3 * k, 9 * n + 3 * l];
          const along = d * (beta[a] * beta[b] + beta[a + 1] * beta[b + 1]);
          const across = coupled * (beta[a] * beta[b + 1] + beta[a + 1] * beta[b]);
          stiffness[9 * (n >> 1) + 3 * k + l] +=
            this.#area[n >> 1] * (along + across + shear * beta[a + 2] * beta[b + 2]);
        }
    return { edges: this.#edges, restAngle: this.#restAngle, triangleEdges: this.#triangleEdges, stiffness };
  }

  /** Takes the places of vertices, 3 each, which must not change until forces have been asked for; returns V [J]. */
  set(x: Float64Array): number {
    this.#x = x;
    const edges = this.#edges;
    const theta = this.#theta;
    const count = edges.length / 4;
    for (let e = 0; e < count; e++)
      writeHinge(
        x,
        edges[4 * e],
        edges[4 * e + 1],
        edges[4 * e + 2],
        edges[4 * e + 3],
        this.#hinges,
        12 * e,
        theta,
        this.#cosine,
        e,
      );
    writeAngles(theta, this.#cosine, theta, count);
    for (let e = 0; e < count; e++) theta[e] -= this.#restAngle[e];
    return this.#writeMoments(theta, this.#moment);
  }

  /** force −= ∂V/∂x, 3 a vertex. */
  addForces(force: Float64Array): void {
    for (let e = 0; e < this.#moment.length; e++) this.#addPush(e, -this.#moment[e], this.#hinges, 12 * e, force);
  }

  /** force −= ∂²V/∂x² u, 3 a vertex, where `set` was last. */
  addForceChange(u: Float64Array, force: Float64Array): void {
    const edges = this.#edges;
    const rate = this.#rate;
    const count = rate.length;
    for (let e = 0; e < count; e++) {
      let sum = 0;
      for (let n = 0; n < 4; n++) {
        const at = edges[4 * e + n];
        const w = 12 * e + 3 * n;
        sum += this.#hinges[w] * u[at] + this.#hinges[w + 1] * u[at + 1] + this.#hinges[w + 2] * u[at + 2];
      }
      rate[e] = sum;
    }
    this.#writeMoments(rate, this.#momentRate);
    for (let e = 0; e < count; e++) {
      this.#addPush(e, -this.#momentRate[e], this.#hinges, 12 * e, force);
      if (this.#moment[e] === 0) continue;
      const o = 4 * e;
      this.#hingeChange.write(this.#x, u, edges[o], edges[o + 1], edges[o + 2], edges[o + 3], this.#turn, 0);
      this.#addPush(e, -this.#moment[e], this.#turn, 0, force);
    }
  }

  /** Adds scale ∂θ, at w[at…], to the four vertices of an edge. */
  #addPush(e: number, scale: number, w: Float64Array, at: number, force: Float64Array): void {
    for (let n = 0; n < 4; n++) {
      const vertex = this.#edges[4 * e + n];
      for (let k = 0; k < 3; k++) force[vertex + k] += scale * w[at + 3 * n + k];
    }
  }

  /** out := ∂V/∂θ at the angles θ − θ⁰, linear in them; returns V. */
  #writeMoments(theta: Float64Array, out: Float64Array): number {
    const edges = this.#triangleEdges;
    const beta = this.#beta;
    const d = this.#rigidity[0];
    const coupled = this.#rigidity[1];
    const shear = this.#rigidity[2];
    out.fill(0);
    let energy = 0;
    // two estimates of curvature a triangle
    for (let n = 0; n < 2 * this.#area.length; n++) {
      const t = n >> 1;
      if (this.#gain[t] === BROKEN) continue;
      let k1 = 0;
      let k2 = 0;
      let k3 = 0;
      for (let k = 0; k < 3; k++) {
        const e = edges[3 * t + k];
        if (e < 0) continue;
        const o = 9 * n + 3 * k;
        k1 += theta[e] * beta[o];
        k2 += theta[e] * beta[o + 1];
        k3 += theta[e] * beta[o + 2];
      }
      const area = this.#area[t];
      const m1 = area * (d * k1 + coupled * k2);
      const m2 = area * (coupled * k1 + d * k2);
      const m3 = area * shear * k3;
      energy += 0.5 * (m1 * k1 + m2 * k2 + m3 * k3);
      for (let k = 0; k < 3; k++) {
        const e = edges[3 * t + k];
        const o = 9 * n + 3 * k;
        if (e >= 0) out[e] += m1 * beta[o] + m2 * beta[o + 1] + m3 * beta[o + 2];
      }
    }
    return energy;
  }

  /** β and areas, each triangle with its neighbours laid into its plane. */
  #addCurvatures(triangles: Int32Array, rest: ArrayLike<number>): void {
    const map = new CurvatureMap();
    const patch = new Float64Array(12);
    for (let t = 0; t < this.#area.length; t++) {
      const corners = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
      const [, across] = layFlat(rest, corners[0], corners[1], corners[2]);
      const length = distance(rest, corners[0], corners[1]);
      patch.set([0, 0, length, 0, across[0], across[1]]);
      let inner = 0;
      for (let k = 0; k < 3; k++) {
        const e = this.#triangleEdges[3 * t + k];
        if (e < 0) continue;
        inner |= 1 << k;
        // the edge from p to q, with this triangle on its left: the neighbour's tip is on its right
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        const tip = this.#edges[4 * e + 2] === corners[k] ? this.#edges[4 * e + 3] : this.#edges[4 * e + 2];
        const [l, [along, aside]] = layFlat(rest, corners[i], corners[j], tip);
        const ux = (patch[2 * j] - patch[2 * i]) / l;
        const uy = (patch[2 * j + 1] - patch[2 * i + 1]) / l;
        patch[6 + 2 * k] = patch[2 * i] + along * ux + aside * uy;
        patch[7 + 2 * k] = patch[2 * i + 1] + along * uy - aside * ux;
      }
      map.set(patch, inner);
      this.#area[t] = map.area;
      this.#beta.set(map.beta, 18 * t);
    }
  }
}

/** Length from p to q, and where r is: along it and aside of it (≥ 0). */
const layFlat = (
  x: ArrayLike<number>,
  p: number,
  q: number,
  r: number,
): readonly [number, readonly [number, number]] => {
  const length = distance(x, p, q);
  let along = 0;
  for (let k = 0; k < 3; k++) along += ((x[q + k] - x[p + k]) * (x[r + k] - x[p + k])) / length;
  const far = distance(x, p, r);
  return [length, [along, Math.sqrt(Math.max(0, far * far - along * along))]];
};

const distance = (x: ArrayLike<number>, p: number, q: number): number =>
  Math.sqrt((x[q] - x[p]) ** 2 + (x[q + 1] - x[p + 1]) ** 2 + (x[q + 2] - x[p + 2]) ** 2);

/** Edges that two triangles share, four coordinates each, and those of each triangle, opposite to its corners. */
const findInnerEdges = (triangles: Int32Array): { edges: Int32Array; triangleEdges: Int32Array } => {
  /** By the two vertices of an edge: corners 3 t + k that it is opposite to. */
  const sides = new Map<string, number[]>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = listEdge(triangles, corner);
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const list = sides.get(key);
    if (list) list.push(corner);
    else sides.set(key, [corner]);
  }
  const triangleEdges = new Int32Array(triangles.length).fill(-1);
  const edges: number[] = [];
  for (const list of sides.values()) {
    if (list.length !== 2) continue;
    const [a, b] = listEdge(triangles, list[0]);
    if (listEdge(triangles, list[1])[0] === a)
      throw new HeddleError(
        `Triangles ${Math.floor(list[0] / 3)} and ${Math.floor(list[1] / 3)} of a surface have opposite orientations; a surface with bending needs the same orientation everywhere.`,
      );
    for (const corner of list) triangleEdges[corner] = edges.length / 4;
    edges.push(3 * a, 3 * b, 3 * triangles[list[0]], 3 * triangles[list[1]]);
  }
  return { edges: Int32Array.from(edges), triangleEdges };
};

/** The edge opposite to a corner, as its triangle goes round. */
const listEdge = (triangles: Int32Array, corner: number): [number, number] => {
  const t = corner - (corner % 3);
  return [triangles[t + ((corner + 1) % 3)], triangles[t + ((corner + 2) % 3)]];
};
