/**
 * What bodies push a continuum with, one arrow a body. The grid knows force F and torque τ about the origin: the arrow stands on the line on which
 * F alone has that torque, as far as a force can have it, where the line passes nearest to the body's origin c:
 *     r₀ = F × τ/F²,   r = r₀ + F F·(c − r₀)/F²
 * On a floor that is the centre of pressure.
 */
import type { ForceFrame } from '../model/index.ts';

/** `bodyForce`: force and torque on each body, 6 numbers each [N, N m]; `origins`: of the bodies [m]. Bodies that feel nothing have no arrow. */
export function createBodyForces(
  id: string,
  bodyForce: Float64Array,
  origins: readonly ArrayLike<number>[],
): ForceFrame[] {
  const [x, f]: [number[], number[]] = [[], []];
  origins.forEach((c, n) => {
    const [fx, fy, fz, tx, ty, tz] = bodyForce.subarray(6 * n, 6 * n + 6);
    const square = fx * fx + fy * fy + fz * fz;
    if (!(square > 0)) return;
    const r = [(fy * tz - fz * ty) / square, (fz * tx - fx * tz) / square, (fx * ty - fy * tx) / square];
    const along = (fx * (c[0] - r[0]) + fy * (c[1] - r[1]) + fz * (c[2] - r[2])) / square;
    x.push(r[0] + along * fx, r[1] + along * fy, r[2] + along * fz);
    // on the material, not on the body
    f.push(-fx, -fy, -fz);
  });
  if (x.length === 0) return [];
  return [{ kind: 'contact', id, x: Float64Array.from(x), f: Float64Array.from(f) }];
}

/** Arrows of what holds particles, 3 numbers each [N]. */
export function createHoldForces(id: string, places: Float64Array, holdForce: Float64Array): ForceFrame[] {
  const [x, f]: [number[], number[]] = [[], []];
  for (let at = 0; at < holdForce.length; at += 3) {
    if (holdForce[at] === 0 && holdForce[at + 1] === 0 && holdForce[at + 2] === 0) continue;
    x.push(places[at], places[at + 1], places[at + 2]);
    f.push(holdForce[at], holdForce[at + 1], holdForce[at + 2]);
  }
  if (x.length === 0) return [];
  return [{ kind: 'constraint', id, x: Float64Array.from(x), f: Float64Array.from(f) }];
}
