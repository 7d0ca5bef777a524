/**
 * Wind on surfaces and curves of a continuum, by the law of sheets and strands (`model/air.ts`). It acts after a step on the particles themselves, as masses do: an element gives equal parts of its force to its corners and its
 * own particle, so that what moves as one piece goes on so (on vertices alone it would lift the borders of cloth, where the grid sees more of them than of centres).
 *     v ← v + h f/(m + h c)         c  Σ of f over the velocity of the air past the particle: no wind is too strong for a step
 */
import { type Air, computeCrossDrag, computeSegmentDrag, computeSkinDrag } from '../model/index.ts';
import { cornersOf, type PointGroup, type Points } from './state.ts';
import { BROKEN } from './strength.ts';

export class PointAir {
  /** What blows now. */
  readonly winds: Air[] = [];
  /** Force on particles, 3 each [N], and Σ c [N s/m]; those of bulk have none. */
  force = new Float64Array(0);
  drag = new Float64Array(0);
  readonly #points: Points;

  constructor(points: Points) {
    this.#points = points;
  }

  /** Whether there is a wind, and something that it blows on. */
  get isBlowing(): boolean {
    return this.winds.length > 0 && this.#points.count > this.#points.stressCount;
  }

  /** `force` and `drag` of all winds, vertices being at x with velocities v, 3 each. */
  blow(x: Float64Array, v: Float64Array): void {
    const points = this.#points;
    if (this.drag.length === 0) {
      this.force = new Float64Array(3 * points.count);
      this.drag = new Float64Array(points.count);
    }
    this.force.fill(0);
    this.drag.fill(0);
    for (const wind of this.winds)
      for (const group of points.groups) {
        const n = cornersOf(group);
        if (n === 3) this.#blowOnSurface(wind, group, x, v);
        else if (n === 2) this.#blowOnCurve(wind, group, x, v);
      }
  }

  /** What the wind adds to component k of a particle's velocity in h seconds. */
  computeKick(p: number, k: number, h: number): number {
    const m = this.#points.mass[p];
    return m > 0 ? (h * this.force[3 * p + k]) / (m + h * this.drag[p]) : 0;
  }

  /** Force of an element at a corner: equal parts of all of them are its own particle's. */
  #add(p: number, corner: number, n: number, x: number, y: number, z: number, drag: number): void {
    const { force } = this;
    const own = n / (n + 1);
    const rest = 1 / (n + 1);
    force[3 * corner] += own * x;
    force[3 * corner + 1] += own * y;
    force[3 * corner + 2] += own * z;
    this.drag[corner] += own * drag;
    force[3 * p] += rest * x;
    force[3 * p + 1] += rest * y;
    force[3 * p + 2] += rest * z;
    this.drag[p] += rest * drag;
  }

  #blowOnCurve(wind: Air, group: PointGroup, x: Float64Array, v: Float64Array): void {
    const { stressCount, gain } = this.#points;
    const radius = group.material.type === 'curve' ? group.material.radius : 0;
    const [wx, wy, wz] = wind.velocity;
    for (let e = 0; e < group.count; e++) {
      if (gain[group.first + e] === BROKEN) continue;
      const a = 3 * (group.corners[2 * e] - stressCount);
      const b = 3 * (group.corners[2 * e + 1] - stressCount);
      const dx = x[b] - x[a];
      const dy = x[b + 1] - x[a + 1];
      const dz = x[b + 2] - x[a + 2];
      const square = dx * dx + dy * dy + dz * dz;
      if (!(square > 0)) continue;
      for (let c = 0; c < 2; c++) {
        const i = c === 0 ? a : b;
        let rx = wx - v[i];
        let ry = wy - v[i + 1];
        let rz = wz - v[i + 2];
        const along = (rx * dx + ry * dy + rz * dz) / square;
        rx -= along * dx;
        ry -= along * dy;
        rz -= along * dz;
        const speed = Math.sqrt(rx * rx + ry * ry + rz * rz);
        const drag = computeSegmentDrag(wind, 1, radius, Math.sqrt(square), speed);
        this.#add(group.first + e, stressCount + i / 3, 2, drag * rx, drag * ry, drag * rz, drag);
      }
    }
  }

  #blowOnSurface(wind: Air, group: PointGroup, x: Float64Array, v: Float64Array): void {
    const { stressCount, gain } = this.#points;
    const [wx, wy, wz] = wind.velocity;
    for (let e = 0; e < group.count; e++) {
      if (gain[group.first + e] === BROKEN) continue;
      const a = 3 * (group.corners[3 * e] - stressCount);
      const b = 3 * (group.corners[3 * e + 1] - stressCount);
      const c = 3 * (group.corners[3 * e + 2] - stressCount);
      const ux = x[b] - x[a];
      const uy = x[b + 1] - x[a + 1];
      const uz = x[b + 2] - x[a + 2];
      const sx = x[c] - x[a];
      const sy = x[c + 1] - x[a + 1];
      const sz = x[c + 2] - x[a + 2];
      let nx = uy * sz - uz * sy;
      let ny = uz * sx - ux * sz;
      let nz = ux * sy - uy * sx;
      const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (!(twice > 0)) continue;
      nx /= twice;
      ny /= twice;
      nz /= twice;
      for (let n = 0; n < 3; n++) {
        const i = n === 0 ? a : n === 1 ? b : c;
        const rx = wx - v[i];
        const ry = wy - v[i + 1];
        const rz = wz - v[i + 2];
        const across = rx * nx + ry * ny + rz * nz;
        const skin = computeSkinDrag(wind, 1, twice, Math.sqrt(rx * rx + ry * ry + rz * rz));
        const cross = computeCrossDrag(skin);
        const extra = cross * across;
        this.#add(
          group.first + e,
          stressCount + i / 3,
          3,
          skin * rx + extra * nx,
          skin * ry + extra * ny,
          skin * rz + extra * nz,
          skin + cross,
        );
      }
    }
  }
}
