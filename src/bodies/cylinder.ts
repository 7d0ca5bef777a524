/**
 * A solid cylinder along y.  With a = ρ − r (outside the mantle) and b = |y| − l/2 (beyond the end), ρ = √(x² + z²):
 *   a, b > 0   d = √(a² + b²), to the rim        otherwise   d = max(a, b)
 */
import type { MassProperties } from '../geometry/index.ts';
import { computeSineCosine, diagonalMat3, type Vec3 } from '../math/index.ts';
import { revolve } from './revolve.ts';
import {
  computeSegments,
  DEFAULT_SHARP_ANGLE,
  type Shape,
  type ShapeEdge,
  type SharpEdgeOptions,
  type TessellateOptions,
  type Tessellation,
} from './shape.ts';
import { requireSize } from './size.ts';

export class CylinderShape implements Shape {
  readonly type = 'cylinder';
  readonly radius: number;
  readonly length: number;
  readonly mass: MassProperties;
  readonly bounds: Float64Array;

  constructor(radius: number, length: number) {
    const r = requireSize('cylinder', 'radius', radius);
    const l = requireSize('cylinder', 'length', length);
    this.radius = r;
    this.length = l;
    this.bounds = Float64Array.of(-r, -l / 2, -r, r, l / 2, r);
    const volume = Math.PI * r * r * l;
    const across = volume * (r * r * 0.25 + (l * l) / 12);
    this.mass = { volume, centroid: [0, 0, 0], inertia: diagonalMat3(across, 0.5 * volume * r * r, across) };
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    const rho = Math.sqrt(x * x + z * z);
    const beyondMantle = rho - this.radius;
    const beyondEnd = Math.abs(y) - this.length / 2;
    let radial = beyondMantle > beyondEnd ? 1 : 0;
    let axial = 1 - radial;
    let distance = Math.max(beyondMantle, beyondEnd);
    if (beyondMantle > 0 && beyondEnd > 0) {
      distance = Math.sqrt(beyondMantle * beyondMantle + beyondEnd * beyondEnd);
      radial = beyondMantle / distance;
      axial = beyondEnd / distance;
    }
    out[0] = distance;
    out[1] = radial * (rho > 0 ? x / rho : 1);
    out[2] = y < 0 ? -axial : axial;
    out[3] = radial * (rho > 0 ? z / rho : 0);
  }

  tessellate(options: TessellateOptions = {}): Tessellation {
    const [r, half] = [this.radius, this.length / 2];
    const top = [
      { radius: 0, height: half, normal: [0, 1] as const },
      { radius: r, height: half, normal: [0, 1] as const },
    ];
    const mantle = [
      { radius: r, height: half, normal: [1, 0] as const },
      { radius: r, height: -half, normal: [1, 0] as const },
    ];
    const bottom = [
      { radius: r, height: -half, normal: [0, -1] as const },
      { radius: 0, height: -half, normal: [0, -1] as const },
    ];
    return revolve([top, mantle, bottom], computeSegments(options.segments));
  }

  /** The two rims, as polygons on them. */
  sharpEdges(options: SharpEdgeOptions = {}): ShapeEdge[] {
    if (Math.PI / 2 <= (options.angle ?? DEFAULT_SHARP_ANGLE)) return [];
    const segments = computeSegments(options.segments);
    const edges: ShapeEdge[] = [];
    for (const height of [this.length / 2, -this.length / 2]) {
      const rim = (j: number): Vec3 => {
        const angle = (2 * Math.PI * (j % segments)) / segments;
        const [sine, cosine] = computeSineCosine(angle);
        return [this.radius * cosine, height, this.radius * sine];
      };
      for (let j = 0; j < segments; j++) edges.push({ start: rim(j), end: rim(j + 1), bend: Math.PI / 2 });
    }
    return edges;
  }
}
