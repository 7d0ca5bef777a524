/**
 * Dihedral angle θ of an inner edge and its gradient.
 *
 *            c            e = x_b − x_a
 *          ╱   ╲          n = (x_a − x_c) × (x_b − x_c),   m = (x_b − x_d) × (x_a − x_d)     normals, twice the areas
 *        a ──e── b        θ = atan2((m × n)·e/|e|, n·m): 0 where flat, positive where the sides c and d rise
 *          ╲   ╱                                             along the normals (a valley seen from above)
 *            d
 *     ∂θ/∂c = |e| n/n²,   ∂θ/∂d = |e| m/m²
 *     ∂θ/∂a = (x_c − x_b)·e/|e| n/n² + (x_d − x_b)·e/|e| m/m²,   ∂θ/∂b = −(x_c − x_a)·e/|e| n/n² − (x_d − x_a)·e/|e| m/m²
 */

/**
 * Writes ∂θ of the edge (a, b) with opposite vertices c and d to out[at … at + 12), in that order, and multiples of sin θ and cos θ to
 * sines[edge] and cosines[edge]; `writeAngles` makes angles of them. `i*` are coordinates in x.
 */
export function writeHinge(
  x: ArrayLike<number>,
  ia: number,
  ib: number,
  ic: number,
  id: number,
  out: Float64Array,
  at: number,
  sines: Float64Array,
  cosines: Float64Array,
  edge: number,
): void {
  const ex = x[ib] - x[ia];
  const ey = x[ib + 1] - x[ia + 1];
  const ez = x[ib + 2] - x[ia + 2];
  const acx = x[ia] - x[ic];
  const acy = x[ia + 1] - x[ic + 1];
  const acz = x[ia + 2] - x[ic + 2];
  const bcx = x[ib] - x[ic];
  const bcy = x[ib + 1] - x[ic + 1];
  const bcz = x[ib + 2] - x[ic + 2];
  const adx = x[ia] - x[id];
  const ady = x[ia + 1] - x[id + 1];
  const adz = x[ia + 2] - x[id + 2];
  const bdx = x[ib] - x[id];
  const bdy = x[ib + 1] - x[id + 1];
  const bdz = x[ib + 2] - x[id + 2];
  const nx = acy * bcz - acz * bcy;
  const ny = acz * bcx - acx * bcz;
  const nz = acx * bcy - acy * bcx;
  const mx = bdy * adz - bdz * ady;
  const my = bdz * adx - bdx * adz;
  const mz = bdx * ady - bdy * adx;
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const inverse = 1 / length;
  const n2 = 1 / (nx * nx + ny * ny + nz * nz);
  const m2 = 1 / (mx * mx + my * my + mz * mz);
  const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) * inverse;
  const cosine = nx * mx + ny * my + nz * mz;
  const ca = -(bcx * ex + bcy * ey + bcz * ez) * inverse * n2;
  const da = -(bdx * ex + bdy * ey + bdz * ez) * inverse * m2;
  const cb = (acx * ex + acy * ey + acz * ez) * inverse * n2;
  const db = (adx * ex + ady * ey + adz * ez) * inverse * m2;
  const cc = length * n2;
  const dd = length * m2;
  out[at] = ca * nx + da * mx;
  out[at + 1] = ca * ny + da * my;
  out[at + 2] = ca * nz + da * mz;
  out[at + 3] = cb * nx + db * mx;
  out[at + 4] = cb * ny + db * my;
  out[at + 5] = cb * nz + db * mz;
  out[at + 6] = cc * nx;
  out[at + 7] = cc * ny;
  out[at + 8] = cc * nz;
  out[at + 9] = dd * mx;
  out[at + 10] = dd * my;
  out[at + 11] = dd * mz;
  sines[edge] = sine;
  cosines[edge] = cosine;
}
