/**
 * Air drag of a thin round curve in a wind: only the flow across the curve counts.
 *     f = ½ ρ_air C_d d l |w| w,   w = (I − t tᵀ) (wind − v)         per segment of length l and diameter d [N]
 * |w| is taken at the iterate, the rest implicitly (A += h c (I − t tᵀ), positive semi-definite), so drag cannot
 * make a step unstable. Half of a segment's drag acts on each of its nodes;
 * v = ẋ − F u̇, and the drag puts no force on u because (I − t tᵀ) F = 0.
 */
import { computeSegmentDrag, type Wind } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { AxialStage } from './axial.ts';
import type { CurveChain } from './chain.ts';

export function addWindSystem(
  chain: CurveChain,
  stage: AxialStage,
  wind: Wind,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  const { q, v, count } = chain;
  const { h } = stage;
  const diag = matrix.bands[0];
  for (let e = 0; e < count - 1; e++) {
    const i = 4 * e;
    const j = i + 4;
    const dx = q[j] - q[i];
    const dy = q[j + 1] - q[i + 1];
    const dz = q[j + 2] - q[i + 2];
    const du = q[j + 3] - q[i + 3];
    const l = Math.sqrt(dx * dx + dy * dy + dz * dz);
    for (let node = i; node <= j; node += 4) {
      const s = v[node + 3] / du;
      let wx = wind.velocity[0] - v[node] + dx * s;
      let wy = wind.velocity[1] - v[node + 1] + dy * s;
      let wz = wind.velocity[2] - v[node + 2] + dz * s;
      const along = (wx * dx + wy * dy + wz * dz) / (l * l);
      wx -= along * dx;
      wy -= along * dy;
      wz -= along * dz;
      const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
      const c = computeSegmentDrag(wind, h, chain.material.radius, l, speed);
      rhs[node] += c * wx;
      rhs[node + 1] += c * wy;
      rhs[node + 2] += c * wz;
      const tx = dx / l;
      const ty = dy / l;
      const tz = dz / l;
      const D = 4 * node;
      diag[D] += c * (1 - tx * tx);
      diag[D + 5] += c * (1 - ty * ty);
      diag[D + 10] += c * (1 - tz * tz);
      diag[D + 1] -= c * tx * ty;
      diag[D + 4] -= c * tx * ty;
      diag[D + 2] -= c * tx * tz;
      diag[D + 8] -= c * tx * tz;
      diag[D + 6] -= c * ty * tz;
      diag[D + 9] -= c * ty * tz;
    }
  }
}
