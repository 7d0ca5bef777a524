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

/** Room for the vectors of one hinge and their change. */
export class HingeChange {
  readonly #n = new Float64Array(12);

  /**
   * Writes δ∂θ, the change of ∂θ as the vertices move by u, to out[at … at + 12). `i*` are coordinates in x and u.
   *     ∂θ/∂a = −(bc·ê) N − (bd·ê) M,   ∂θ/∂b = (ac·ê) N + (ad·ê) M,   ∂θ/∂c = |e| N,   ∂θ/∂d = |e| M;    N = n/n²,  M = m/m²,  bc = x_b − x_c, …
   *     δN = (δn − 2 N (n·δn))/n²
   */
  write(
    x: ArrayLike<number>,
    u: ArrayLike<number>,
    ia: number,
    ib: number,
    ic: number,
    id: number,
    out: Float64Array,
    at: number,
  ): void {
    const ex = x[ib] - x[ia];
    const ey = x[ib + 1] - x[ia + 1];
    const ez = x[ib + 2] - x[ia + 2];
    const fx = u[ib] - u[ia];
    const fy = u[ib + 1] - u[ia + 1];
    const fz = u[ib + 2] - u[ia + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const inverse = 1 / length;
    // ê and δê, δ|e|
    const hx = ex * inverse;
    const hy = ey * inverse;
    const hz = ez * inverse;
    const longer = hx * fx + hy * fy + hz * fz;
    const gx = (fx - longer * hx) * inverse;
    const gy = (fy - longer * hy) * inverse;
    const gz = (fz - longer * hz) * inverse;
    // N and δN at 0 and 3, M and δM at 6 and 9
    this.#writeNormal(x, u, ia, ib, ic, 0);
    this.#writeNormal(x, u, ib, ia, id, 6);
    const n = this.#n;
    for (let k = 0; k < 12; k++) out[at + k] = 0;
    for (let side = 0; side < 2; side++) {
      const tip = side === 0 ? ic : id;
      const o = 6 * side;
      const bx = x[ib] - x[tip];
      const by = x[ib + 1] - x[tip + 1];
      const bz = x[ib + 2] - x[tip + 2];
      const ax = x[ia] - x[tip];
      const ay = x[ia + 1] - x[tip + 1];
      const az = x[ia + 2] - x[tip + 2];
      const b = bx * hx + by * hy + bz * hz;
      const a = ax * hx + ay * hy + az * hz;
      const db =
        bx * gx +
        by * gy +
        bz * gz +
        (u[ib] - u[tip]) * hx +
        (u[ib + 1] - u[tip + 1]) * hy +
        (u[ib + 2] - u[tip + 2]) * hz;
      const da =
        ax * gx +
        ay * gy +
        az * gz +
        (u[ia] - u[tip]) * hx +
        (u[ia + 1] - u[tip + 1]) * hy +
        (u[ia + 2] - u[tip + 2]) * hz;
      for (let k = 0; k < 3; k++) {
        out[at + k] -= db * n[o + k] + b * n[o + 3 + k];
        out[at + 3 + k] += da * n[o + k] + a * n[o + 3 + k];
        out[at + 6 + o / 2 + k] += longer * n[o + k] + length * n[o + 3 + k];
      }
    }
  }

  /** n/n² and its change, n = (x_p − x_r) × (x_q − x_r). */
  #writeNormal(x: ArrayLike<number>, u: ArrayLike<number>, ip: number, iq: number, ir: number, o: number): void {
    const px = x[ip] - x[ir];
    const py = x[ip + 1] - x[ir + 1];
    const pz = x[ip + 2] - x[ir + 2];
    const qx = x[iq] - x[ir];
    const qy = x[iq + 1] - x[ir + 1];
    const qz = x[iq + 2] - x[ir + 2];
    const ax = u[ip] - u[ir];
    const ay = u[ip + 1] - u[ir + 1];
    const az = u[ip + 2] - u[ir + 2];
    const bx = u[iq] - u[ir];
    const by = u[iq + 1] - u[ir + 1];
    const bz = u[iq + 2] - u[ir + 2];
    const nx = py * qz - pz * qy;
    const ny = pz * qx - px * qz;
    const nz = px * qy - py * qx;
    const dx = ay * qz - az * qy + py * bz - pz * by;
    const dy = az * qx - ax * qz + pz * bx - px * bz;
    const dz = ax * qy - ay * qx + px * by - py * bx;
    const scale = 1 / (nx * nx + ny * ny + nz * nz);
    const along = 2 * scale * (nx * dx + ny * dy + nz * dz);
    const n = this.#n;
    n[o] = scale * nx;
    n[o + 1] = scale * ny;
    n[o + 2] = scale * nz;
    n[o + 3] = scale * (dx - along * nx);
    n[o + 4] = scale * (dy - along * ny);
    n[o + 5] = scale * (dz - along * nz);
  }
}
