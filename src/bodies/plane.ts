/** The half-space y ≤ 0: an infinite plane with its normal +y. */
import type { Shape, TessellateOptions, Tessellation } from './shape.ts';

const DEFAULT_EXTENT = 10;

export class PlaneShape implements Shape {
  readonly type = 'plane';
  readonly mass = undefined;
  readonly bounds = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, 0, Infinity);

  writeSignedDistance(_x: number, y: number, _z: number, out: Float64Array): void {
    out[0] = y;
    out[1] = 0;
    out[2] = 1;
    out[3] = 0;
  }

  /** One square of the plane about its origin. */
  tessellate(options: TessellateOptions = {}): Tessellation {
    const e = options.extent ?? DEFAULT_EXTENT;
    return {
      positions: Float32Array.of(-e, 0, -e, -e, 0, e, e, 0, e, e, 0, -e),
      normals: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0),
      indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
  }

  sharpEdges(): [] {
    return [];
  }
}
