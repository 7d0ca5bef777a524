/**
 * Air on a sheet in a wind: pressure across each triangle, and a little drag along it.
 *     f = ½ ρ_air A |w| (C_n w_n + C_t w_t),   w = wind − v,   w_n across and w_t along the triangle        [N]
 * |w| is taken at the iterate, the rest implicitly (A += h c …, positive semi-definite), so air cannot make a step unstable.
 * A third of it acts on each corner.
 */
import { type Air, computeCrossDrag, computeSkinDrag } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { type SheetState, STRIDE } from './state.ts';

export function addSheetWind(state: SheetState, h: number, wind: Air, matrix: BlockMixed, rhs: Float64Array): void {
  const { q, v, mesh } = state;
  const { triangles, triangleCount, pattern } = mesh;
  const { values, valueStart, blockStart, sizes } = matrix;
  for (let t = 0; t < triangleCount; t++) {
    const a = STRIDE * triangles[3 * t];
    const b = STRIDE * triangles[3 * t + 1];
    const c = STRIDE * triangles[3 * t + 2];
    const ux = q[b] - q[a];
    const uy = q[b + 1] - q[a + 1];
    const uz = q[b + 2] - q[a + 2];
    const wx = q[c] - q[a];
    const wy = q[c + 1] - q[a + 1];
    const wz = q[c + 2] - q[a + 2];
    let nx = uy * wz - uz * wy;
    let ny = uz * wx - ux * wz;
    let nz = ux * wy - uy * wx;
    const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx /= twice;
    ny /= twice;
    nz /= twice;
    for (let n = 0; n < 3; n++) {
      const vertex = triangles[3 * t + n];
      const i = STRIDE * vertex;
      const rx = wind.velocity[0] - v[i];
      const ry = wind.velocity[1] - v[i + 1];
      const rz = wind.velocity[2] - v[i + 2];
      const across = rx * nx + ry * ny + rz * nz;
      const speed = Math.sqrt(rx * rx + ry * ry + rz * rz);
      const along = computeSkinDrag(wind, h, twice, speed);
      const extra = computeCrossDrag(along);
      const o = blockStart[vertex];
      rhs[o] += along * rx + extra * across * nx;
      rhs[o + 1] += along * ry + extra * across * ny;
      rhs[o + 2] += along * rz + extra * across * nz;
      const d = valueStart[pattern.columnStart[vertex]];
      const width = sizes[vertex];
      values[d] += along + extra * nx * nx;
      values[d + 1] += extra * nx * ny;
      values[d + 2] += extra * nx * nz;
      values[d + width] += extra * ny * nx;
      values[d + width + 1] += along + extra * ny * ny;
      values[d + width + 2] += extra * ny * nz;
      values[d + 2 * width] += extra * nz * nx;
      values[d + 2 * width + 1] += extra * nz * ny;
      values[d + 2 * width + 2] += along + extra * nz * nz;
    }
  }
}
