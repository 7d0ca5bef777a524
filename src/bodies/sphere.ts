/** A sphere about its centre:  d = ‖p‖ − r. */
import type { MassProperties } from '../geometry/index.ts';
import { diagonalMat3 } from '../math/index.ts';
import { quarterCircle, revolve } from './revolve.ts';
import { computeSegments, type Shape, type TessellateOptions, type Tessellation } from './shape.ts';
import { requireSize } from './size.ts';

export class SphereShape implements Shape {
  readonly type = 'sphere';
  /** [m] */
  readonly radius: number;
  readonly mass: MassProperties;
  readonly bounds: Float64Array;

  constructor(radius: number) {
    const r = requireSize('sphere', 'radius', radius);
    this.radius = r;
    this.bounds = Float64Array.of(-r, -r, -r, r, r, r);
    const volume = (4 / 3) * Math.PI * r * r * r;
    const inertia = 0.4 * volume * r * r;
    this.mass = { volume, centroid: [0, 0, 0], inertia: diagonalMat3(inertia, inertia, inertia) };
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    const length = Math.sqrt(x * x + y * y + z * z);
    out[0] = length - this.radius;
    out[1] = length > 0 ? x / length : 0;
    out[2] = length > 0 ? y / length : 1;
    out[3] = length > 0 ? z / length : 0;
  }

  tessellate(options: TessellateOptions = {}): Tessellation {
    const segments = computeSegments(options.segments);
    const above = quarterCircle(this.radius, 0, 1, segments);
    const below = quarterCircle(this.radius, 0, -1, segments);
    return revolve([[...above, ...below.slice(1)]], segments);
  }

  sharpEdges(): [] {
    return [];
  }
}
