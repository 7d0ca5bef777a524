/**
 * The rigid motion of a sheet: v + ω × (x − c), with the momentum and angular momentum of all of it. Mass is a third of each triangle's at
 * its corners.
 */
import { inverseMat3, zeroMat3 } from '../math/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Takes the rigid motion off velocities of the material at the corners of triangles, nine numbers each. */
export function subtractRigidMotion({ mesh, q, area }: SheetState, velocities: Float64Array): void {
  const { triangles } = mesh;
  const centre = new Float64Array(3);
  const mean = new Float64Array(3);
  let mass = 0;
  for (let c = 0; c < triangles.length; c++) {
    const m = area[Math.floor(c / 3)];
    mass += m;
    for (let k = 0; k < 3; k++) {
      centre[k] += m * q[STRIDE * triangles[c] + k];
      mean[k] += m * velocities[3 * c + k];
    }
  }
  for (let k = 0; k < 3; k++) {
    centre[k] /= mass;
    mean[k] /= mass;
  }
  const inertia = zeroMat3();
  const momentum = new Float64Array(3);
  const r = new Float64Array(3);
  const w = new Float64Array(3);
  for (let c = 0; c < triangles.length; c++) {
    const m = area[Math.floor(c / 3)];
    for (let k = 0; k < 3; k++) {
      r[k] = q[STRIDE * triangles[c] + k] - centre[k];
      w[k] = velocities[3 * c + k] - mean[k];
    }
    const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    addCross(momentum, r, w, m);
    for (let k = 0; k < 3; k++)
      for (let l = 0; l < 3; l++) inertia[3 * k + l] += m * ((k === l ? square : 0) - r[k] * r[l]);
  }
  // a sheet drawn out to a line has no inertia about it
  const least = 1e-9 * (inertia[0] + inertia[4] + inertia[8]);
  for (let k = 0; k < 3; k++) inertia[4 * k] += least;
  const inverse = inverseMat3(inertia);
  const spin = new Float64Array(3);
  for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) spin[k] += inverse[3 * k + l] * momentum[l];
  for (let c = 0; c < triangles.length; c++) {
    for (let k = 0; k < 3; k++) {
      r[k] = q[STRIDE * triangles[c] + k] - centre[k];
      w[k] = mean[k];
    }
    addCross(w, spin, r, 1);
    for (let k = 0; k < 3; k++) velocities[3 * c + k] -= w[k];
  }
}

/** out += scale · a × b. */
function addCross(out: Float64Array, a: Float64Array, b: Float64Array, scale: number): void {
  out[0] += scale * (a[1] * b[2] - a[2] * b[1]);
  out[1] += scale * (a[2] * b[0] - a[0] * b[2]);
  out[2] += scale * (a[0] * b[1] - a[1] * b[0]);
}
