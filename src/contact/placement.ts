/** Where a body is, as a matrix: for many points at once, and for poses that are remembered. x_world = R x_local + p. */

import type { Body } from '../bodies/index.ts';
import { type Mat3, mat3FromQuaternion, type Quaternion } from '../math/index.ts';

export class Placement {
  readonly R: Mat3 = new Float64Array(9);
  readonly p = new Float64Array(3);

  /** Takes the body's present pose. */
  read({ position, orientation }: Body): void {
    mat3FromQuaternion(orientation as unknown as Quaternion, this.R);
    for (let k = 0; k < 3; k++) this.p[k] = position[k];
  }

  /** out[o…] := Rᵀ (x − p) of the world point x[at…]. */
  writeLocal(x: Float64Array, at: number, out: Float64Array, o: number): void {
    const { R, p } = this;
    const a = x[at] - p[0];
    const b = x[at + 1] - p[1];
    const c = x[at + 2] - p[2];
    for (let k = 0; k < 3; k++) out[o + k] = R[k] * a + R[3 + k] * b + R[6 + k] * c;
  }

  /** out[o…] := R x + p of the local point x[at…]. */
  writeWorld(x: Float64Array, at: number, out: Float64Array, o: number): void {
    this.writeDirection(x, at, out, o);
    for (let k = 0; k < 3; k++) out[o + k] += this.p[k];
  }

  /** out[o…] := R d of the local direction d[at…]. */
  writeDirection(d: Float64Array, at: number, out: Float64Array, o: number): void {
    const { R } = this;
    const a = d[at];
    const b = d[at + 1];
    const c = d[at + 2];
    for (let k = 0; k < 3; k++) out[o + k] = R[3 * k] * a + R[3 * k + 1] * b + R[3 * k + 2] * c;
  }
}
