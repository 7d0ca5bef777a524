/**
 * A capsule along y: all points within r of the segment from −l/2 to l/2.   d = ‖p − closest point of the axis‖ − r
 *   r  radius [m]     l  length without the caps [m]
 */
import type { MassProperties } from '../geometry/index.ts';
import { diagonalMat3 } from '../math/index.ts';
import { quarterCircle, revolve } from './revolve.ts';
import { computeSegments, type Shape, type TessellateOptions, type Tessellation } from './shape.ts';
import { requireSize } from './size.ts';

export class CapsuleShape implements Shape {
  readonly type = 'capsule';
  readonly radius: number;
  readonly length: number;
  readonly mass: MassProperties;
  readonly bounds: Float64Array;

  constructor(radius: number, length: number) {
    const r = requireSize('capsule', 'radius', radius);
    const l = requireSize('capsule', 'length', length);
    this.radius = r;
    this.length = l;
    this.bounds = Float64Array.of(-r, -l / 2 - r, -r, r, l / 2 + r, r);
    const shaft = Math.PI * r * r * l;
    const caps = (4 / 3) * Math.PI * r * r * r;
    // Half-balls have their centroid 3r/8 off the flat, which gives the 3 l r/8.
    const across = shaft * (r * r * 0.25 + (l * l) / 12) + caps * (0.4 * r * r + (l * l) / 4 + (3 * l * r) / 8);
    const along = 0.5 * shaft * r * r + 0.4 * caps * r * r;
    this.mass = { volume: shaft + caps, centroid: [0, 0, 0], inertia: diagonalMat3(across, along, across) };
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    const half = this.length / 2;
    const dy = y > half ? y - half : y < -half ? y + half : 0;
    const length = Math.sqrt(x * x + dy * dy + z * z);
    out[0] = length - this.radius;
    out[1] = length > 0 ? x / length : 1;
    out[2] = length > 0 ? dy / length : 0;
    out[3] = length > 0 ? z / length : 0;
  }

  tessellate(options: TessellateOptions = {}): Tessellation {
    const segments = computeSegments(options.segments);
    const above = quarterCircle(this.radius, this.length / 2, 1, segments);
    const below = quarterCircle(this.radius, -this.length / 2, -1, segments);
    return revolve([[...above, ...below]], segments);
  }

  sharpEdges(): [] {
    return [];
  }
}
