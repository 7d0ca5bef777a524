/**
 * A box about its centre.  With q = |p| − half size per axis:
 *   outside  d = ‖max(q, 0)‖        inside  d = max(q)
 */
import type { MassProperties } from '../geometry/index.ts';
import { diagonalMat3, type Vec3 } from '../math/index.ts';
import { DEFAULT_SHARP_ANGLE, type Shape, type ShapeEdge, type SharpEdgeOptions, type Tessellation } from './shape.ts';
import { requireSize } from './size.ts';

export class BoxShape implements Shape {
  readonly type = 'box';
  /** Full sizes [m]. */
  readonly size: Vec3;
  readonly mass: MassProperties;
  readonly bounds: Float64Array;
  readonly #half: Vec3;

  constructor(size: Vec3) {
    const [a, b, c] = size.map((side, k) => requireSize('box', `size along ${'xyz'[k]}`, side));
    this.size = [a, b, c];
    this.#half = [a / 2, b / 2, c / 2];
    this.bounds = Float64Array.of(-a / 2, -b / 2, -c / 2, a / 2, b / 2, c / 2);
    const twelfth = (a * b * c) / 12;
    this.mass = {
      volume: a * b * c,
      centroid: [0, 0, 0],
      inertia: diagonalMat3(twelfth * (b * b + c * c), twelfth * (a * a + c * c), twelfth * (a * a + b * b)),
    };
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    const qx = Math.abs(x) - this.#half[0];
    const qy = Math.abs(y) - this.#half[1];
    const qz = Math.abs(z) - this.#half[2];
    let nx = Math.max(qx, 0);
    let ny = Math.max(qy, 0);
    let nz = Math.max(qz, 0);
    let distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (distance > 0) {
      nx /= distance;
      ny /= distance;
      nz /= distance;
    } else {
      distance = Math.max(qx, qy, qz);
      nx = distance === qx ? 1 : 0;
      ny = nx === 0 && distance === qy ? 1 : 0;
      nz = nx === 0 && ny === 0 ? 1 : 0;
    }
    out[0] = distance;
    out[1] = x < 0 ? -nx : nx;
    out[2] = y < 0 ? -ny : ny;
    out[3] = z < 0 ? -nz : nz;
  }

  tessellate(): Tessellation {
    const positions = new Float32Array(72);
    const normals = new Float32Array(72);
    const indices = new Uint32Array(36);
    for (let face = 0; face < 6; face++) {
      const axis = face >> 1;
      const sign = face & 1 ? -1 : 1;
      for (let corner = 0; corner < 4; corner++) {
        const at = 12 * face + 3 * corner;
        // Round the face counter-clockwise for the positive side, the other way for the negative.
        const u = corner === 1 || corner === 2 ? 1 : -1;
        const v = corner >= 2 ? 1 : -1;
        positions[at + axis] = sign * this.#half[axis];
        positions[at + ((axis + 1) % 3)] = sign * u * this.#half[(axis + 1) % 3];
        positions[at + ((axis + 2) % 3)] = v * this.#half[(axis + 2) % 3];
        normals[at + axis] = sign;
      }
      const o = 4 * face;
      indices.set([o, o + 1, o + 2, o, o + 2, o + 3], 6 * face);
    }
    return { positions, normals, indices };
  }

  sharpEdges(options: SharpEdgeOptions = {}): ShapeEdge[] {
    if (Math.PI / 2 <= (options.angle ?? DEFAULT_SHARP_ANGLE)) return [];
    const edges: ShapeEdge[] = [];
    for (let axis = 0; axis < 3; axis++) {
      for (let corner = 0; corner < 4; corner++) {
        const end = [0, 0, 0];
        end[axis] = this.#half[axis];
        end[(axis + 1) % 3] = (corner & 1 ? 1 : -1) * this.#half[(axis + 1) % 3];
        end[(axis + 2) % 3] = (corner & 2 ? 1 : -1) * this.#half[(axis + 2) % 3];
        const start = end.map((value, k) => (k === axis ? -value : value));
        edges.push({ start: [start[0], start[1], start[2]], end: [end[0], end[1], end[2]], bend: Math.PI / 2 });
      }
    }
    return edges;
  }
}
