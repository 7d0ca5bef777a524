/**
 * Particles of the continuum, in flat arrays, and the objects they belong to.   [Jiang 2017, §4.1]
 *
 *     particles   0 … stressCount − 1           those that carry stress: bulk particles (i) and quadrature particles of elements (iii), object by object
 *                 stressCount … count − 1       vertices of meshes (ii)
 *
 *   x, v [m, m/s], C [1/s]   place, velocity, affine velocity (row-major: v(y) = v + C (y − x))
 *   mass [kg]                bulk: density × volume; an element's mass goes in equal parts to its quadrature particle and its vertices
 *   volume [m³]              at rest, of the whole element: the weight of its energy (with `paperWeights` its particle's share, as the paper sums: softer by 4 and 3)
 *   F                        nine numbers of particles that carry stress:
 *                            bulk      elastic deformation gradient; of a fluid J, then D (xx, yy, zz, xy, yz, zx)
 *                            element   d = [d₁ d₂ d₃], row-major: deformed material directions, of which the first ζ are tangent (surface 2, curve 1)
 *   gain                     one a particle that carries stress: logarithm of the volume that sand gained; of an element its strength over that of its material (`strength.ts`), less 1: −1 where it is broken, and carries nothing any more
 *   rest                     of elements, 3 numbers: the inverse of D_m = coordinates of the rest edges in an orthonormal frame, upper triangular:
 *                            d₁ = e₁ rest₀, d₂ = e₁ rest₁ + e₂ rest₂  (curve: d₁ = e₁ rest₀)
 */
import { HeddleError } from '../model/index.ts';
import type { FluidLaw } from './energy-fluid.ts';
import {
  type BulkMaterial,
  type CurveMaterial,
  computeCurveLaw,
  computeFluidLaw,
  computeGooLaw,
  computeSandLaw,
  computeSurfaceLaw,
  type PointMaterial,
  type SurfaceMaterial,
} from './material.ts';
import { addStrengths } from './strength.ts';
import type { GooLaw, SandLaw } from './yield-bulk.ts';
import type { CurveLaw } from './yield-curve.ts';
import type { SurfaceLaw } from './yield-surface.ts';

interface PartBase {
  /** World positions, 3 each [m]. */
  readonly x: ArrayLike<number>;
  /** Velocities, 3 each [m/s]. Default 0. */
  readonly v?: ArrayLike<number> | undefined;
}

export interface SurfacePart extends PartBase {
  readonly material: SurfaceMaterial;
  /** 3 vertices each. */
  readonly triangles: ArrayLike<number>;
  /** Where the vertices are at rest [m], 3 each. Default x. */
  readonly rest?: ArrayLike<number> | undefined;
}

export interface CurvePart extends PartBase {
  readonly material: CurveMaterial;
  /** 2 vertices each. */
  readonly segments: ArrayLike<number>;
  readonly rest?: ArrayLike<number> | undefined;
}

export interface BulkPart extends PartBase {
  readonly material: BulkMaterial;
  /** Of one particle [m³]. */
  readonly volume: number;
}

export type PointPart = SurfacePart | CurvePart | BulkPart;

interface GroupBase {
  readonly material: PointMaterial;
  /** Particles that carry stress: first, and how many. */
  readonly first: number;
  readonly count: number;
  /** Its vertices. */
  readonly firstVertex: number;
  readonly vertexCount: number;
  /** Particle indices of the corners of its elements, 3 or 2 each; none for bulk. */
  readonly corners: Int32Array;
}

export type PointGroup =
  | (GroupBase & { readonly type: 'surface'; readonly law: SurfaceLaw })
  | (GroupBase & { readonly type: 'curve'; readonly law: CurveLaw })
  | (GroupBase & { readonly type: 'sand'; readonly law: SandLaw })
  | (GroupBase & { readonly type: 'goo'; readonly law: GooLaw })
  | (GroupBase & { readonly type: 'fluid'; readonly law: FluidLaw });

/** Corners of an element. */
export const cornersOf = (group: PointGroup): 0 | 2 | 3 =>
  group.type === 'surface' ? 3 : group.type === 'curve' ? 2 : 0;

export class Points {
  readonly count: number;
  readonly stressCount: number;
  readonly groups: readonly PointGroup[];
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly C: Float64Array;
  readonly mass: Float64Array;
  /** Index of the group, one a particle. */
  readonly group: Uint8Array;
  readonly volume: Float64Array;
  readonly F: Float64Array;
  readonly gain: Float64Array;
  readonly rest: Float64Array;

  constructor(parts: readonly PointPart[], paperWeights = false) {
    const sizes = parts.map(sizePart);
    this.stressCount = sizes.reduce((sum, { stress }) => sum + stress, 0);
    this.count = this.stressCount + sizes.reduce((sum, { vertices }) => sum + vertices, 0);
    if (parts.length > 255) throw new HeddleError(`An MPM object has ${parts.length} parts; at most 255 are allowed.`);
    this.x = new Float64Array(3 * this.count);
    this.v = new Float64Array(3 * this.count);
    this.C = new Float64Array(9 * this.count);
    this.mass = new Float64Array(this.count);
    this.group = new Uint8Array(this.count);
    this.volume = new Float64Array(this.stressCount);
    this.F = new Float64Array(9 * this.stressCount);
    this.gain = new Float64Array(this.stressCount);
    this.rest = new Float64Array(3 * this.stressCount);
    let first = 0;
    let firstVertex = this.stressCount;
    const groups: PointGroup[] = [];
    for (let index = 0; index < parts.length; index++) {
      const { stress, vertices } = sizes[index];
      this.group.fill(index, first, first + stress);
      this.group.fill(index, firstVertex, firstVertex + vertices);
      groups.push(this.#addPart(parts[index], first, firstVertex, paperWeights));
      const { material } = parts[index];
      if (material.type === 'surface' || material.type === 'curve')
        addStrengths(material, index, this.gain.subarray(first, first + stress));
      first += stress;
      firstVertex += vertices;
    }
    this.groups = groups;
  }

  #addPart(part: PointPart, first: number, firstVertex: number, paperWeights: boolean): PointGroup {
    if ('triangles' in part) return this.#addSurface(part, first, firstVertex, paperWeights);
    if ('segments' in part) return this.#addCurve(part, first, firstVertex, paperWeights);
    return this.#addBulk(part, first, firstVertex);
  }

  #addBulk(part: BulkPart, first: number, firstVertex: number): PointGroup {
    const { material } = part;
    const count = part.x.length / 3;
    this.x.set(part.x, 3 * first);
    if (part.v) this.v.set(part.v, 3 * first);
    for (let p = first; p < first + count; p++) {
      this.mass[p] = material.density * part.volume;
      this.volume[p] = part.volume;
      this.F[9 * p] = 1;
      if (material.type === 'fluid') continue;
      this.F[9 * p + 4] = 1;
      this.F[9 * p + 8] = 1;
    }
    const base = { first, count, firstVertex, vertexCount: 0, corners: new Int32Array(0) };
    if (material.type === 'sand') return { type: 'sand', material, law: computeSandLaw(material), ...base };
    if (material.type === 'goo') return { type: 'goo', material, law: computeGooLaw(material), ...base };
    return { type: 'fluid', material, law: computeFluidLaw(material), ...base };
  }

  #addSurface(part: SurfacePart, first: number, firstVertex: number, paperWeights: boolean): PointGroup {
    const { material } = part;
    const corners = Int32Array.from(part.triangles, (corner) => corner + firstVertex);
    const rest = part.rest ?? part.x;
    this.#addVertices(part, firstVertex);
    for (let e = 0; e < corners.length / 3; e++) {
      const [a, b, c] = [
        corners[3 * e] - firstVertex,
        corners[3 * e + 1] - firstVertex,
        corners[3 * e + 2] - firstVertex,
      ];
      const edge = [0, 1, 2].map((k) => rest[3 * b + k] - rest[3 * a + k]);
      const other = [0, 1, 2].map((k) => rest[3 * c + k] - rest[3 * a + k]);
      // D_m = [l, s; 0, t]
      const l = Math.sqrt(edge[0] ** 2 + edge[1] ** 2 + edge[2] ** 2);
      const s = (edge[0] * other[0] + edge[1] * other[1] + edge[2] * other[2]) / l;
      const t = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (other[k] - (s / l) * edge[k]) ** 2, 0));
      if (!(l * t > 0))
        throw new HeddleError(
          `Triangle ${e} of a surface has no area at rest; give three vertices that are not collinear.`,
        );
      const p = first + e;
      this.rest.set([1 / l, -s / (l * t), 1 / t], 3 * p);
      this.#addElement(p, corners, 3 * e, 3, 0.5 * l * t * material.thickness, material.density, paperWeights);
      this.writeTangents(p, corners, 3 * e, 3);
      const d = this.F;
      const n = [3, 6, 0].map((i, k) => {
        const j = [6, 0, 3][k];
        return d[9 * p + i] * d[9 * p + j + 1] - d[9 * p + j] * d[9 * p + i + 1];
      });
      const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
      for (let k = 0; k < 3; k++) d[9 * p + 3 * k + 2] = n[k] / length;
    }
    const count = corners.length / 3;
    const vertexCount = part.x.length / 3;
    return {
      type: 'surface',
      material,
      law: computeSurfaceLaw(material),
      first,
      count,
      firstVertex,
      vertexCount,
      corners,
    };
  }

  #addCurve(part: CurvePart, first: number, firstVertex: number, paperWeights: boolean): PointGroup {
    const { material } = part;
    const corners = Int32Array.from(part.segments, (corner) => corner + firstVertex);
    const rest = part.rest ?? part.x;
    this.#addVertices(part, firstVertex);
    for (let e = 0; e < corners.length / 2; e++) {
      const [a, b] = [corners[2 * e] - firstVertex, corners[2 * e + 1] - firstVertex];
      const l = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (rest[3 * b + k] - rest[3 * a + k]) ** 2, 0));
      if (!(l > 0))
        throw new HeddleError(`Segment ${e} of a curve has no length at rest; give two different vertices.`);
      const p = first + e;
      this.rest[3 * p] = 1 / l;
      const volume = Math.PI * material.radius ** 2 * l;
      this.#addElement(p, corners, 2 * e, 2, volume, material.density, paperWeights);
      this.writeTangents(p, corners, 2 * e, 2);
      this.#addNormals(p);
    }
    const count = corners.length / 2;
    const vertexCount = part.x.length / 3;
    return { type: 'curve', material, law: computeCurveLaw(material), first, count, firstVertex, vertexCount, corners };
  }

  #addVertices(part: SurfacePart | CurvePart, firstVertex: number): void {
    this.x.set(part.x, 3 * firstVertex);
    if (part.v) this.v.set(part.v, 3 * firstVertex);
  }

  /** Volume, mass, place and velocity of an element's quadrature particle, and mass of its corners. */
  #addElement(
    p: number,
    corners: Int32Array,
    at: number,
    n: number,
    volume: number,
    density: number,
    paperWeights: boolean,
  ): void {
    this.volume[p] = paperWeights ? volume / (n + 1) : volume;
    const share = (density * volume) / (n + 1);
    this.mass[p] = share;
    for (let c = 0; c < n; c++) {
      const vertex = corners[at + c];
      this.mass[vertex] += share;
      for (let k = 0; k < 3; k++) this.v[3 * p + k] += this.v[3 * vertex + k] / n;
    }
    this.writeCentre(p, corners, at, n);
  }

  /** x of a quadrature particle := the centre of its element. */
  writeCentre(p: number, corners: Int32Array, at: number, n: number): void {
    const { x } = this;
    for (let k = 0; k < 3; k++) {
      let sum = x[3 * corners[at] + k] + x[3 * corners[at + 1] + k];
      if (n === 3) sum += x[3 * corners[at + 2] + k];
      x[3 * p + k] = sum / n;
    }
  }

  /** Tangent columns of d from the places of the corners. */
  writeTangents(p: number, corners: Int32Array, at: number, n: number): void {
    const { x, rest, F } = this;
    const a = 3 * corners[at];
    const b = 3 * corners[at + 1];
    const c = n === 3 ? 3 * corners[at + 2] : a;
    for (let k = 0; k < 3; k++) {
      const edge = x[b + k] - x[a + k];
      F[9 * p + 3 * k] = edge * rest[3 * p];
      if (n === 3) F[9 * p + 3 * k + 1] = edge * rest[3 * p + 1] + (x[c + k] - x[a + k]) * rest[3 * p + 2];
    }
  }

  /** d₂ and d₃ of a curve: unit vectors across d₁ and each other. */
  #addNormals(p: number): void {
    const d = this.F;
    const t = [d[9 * p], d[9 * p + 3], d[9 * p + 6]];
    const length = Math.sqrt(t[0] ** 2 + t[1] ** 2 + t[2] ** 2);
    const least = t.reduce((best, value, k) => (Math.abs(value) < Math.abs(t[best]) ? k : best), 0);
    const along = t[least] / length;
    const scale = 1 / Math.sqrt(1 - along * along);
    const second = t.map((value, k) => ((k === least ? 1 : 0) - (along * value) / length) * scale);
    const third = [0, 1, 2].map((k) => {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      return (t[i] * second[j] - t[j] * second[i]) / length;
    });
    for (let k = 0; k < 3; k++) {
      d[9 * p + 3 * k + 1] = second[k];
      d[9 * p + 3 * k + 2] = third[k];
    }
  }
}

/** Particles that carry stress, and vertices, of a part. */
const sizePart = (part: PointPart): { stress: number; vertices: number } => {
  const points = part.x.length / 3;
  if (!Number.isInteger(points)) throw new HeddleError(`A part has ${part.x.length} coordinates; give 3 per particle.`);
  if ('triangles' in part) return { stress: requireWhole(part.triangles.length / 3, 'triangles'), vertices: points };
  if ('segments' in part) return { stress: requireWhole(part.segments.length / 2, 'segments'), vertices: points };
  return { stress: points, vertices: 0 };
};

const requireWhole = (count: number, name: string): number => {
  if (!Number.isInteger(count))
    throw new HeddleError(`A part has ${count} ${name}; it must have a whole number of them.`);
  return count;
};
