/**
 * Quadrature particles stay at the centres of their elements.   [Jiang 2017, §4.2.2, made to keep momentum]
 *
 * The paper puts them there after every step and keeps their velocities, which moves the centre of mass and turns nothing into spin. Here the velocities u with
 * which particles move are projected: the nearest ones, in the norm of the mass, that keep every quadrature particle at its centre,
 *     min Σ m ‖u′ − u‖²  with  u′_q = A u′,   A the mean over corners:      (M + Aᵀ M_q A) y = Aᵀ M_q (u_q − A u),   u′ = u + y
 * so that linear and angular momentum and the path of the centre of mass are kept.
 * An element gives its corners and its particle equal masses, so the eigenvalues of M⁻¹(M + Aᵀ M_q A) lie between 1 and 1 + 1/n (n corners) for every mesh, and
 * Chebyshev's iteration gains a factor 14 (n = 3) or 10 (n = 2) each time, without a scalar product.
 */
import type { PointHolds } from './holds.ts';
import { cornersOf, type PointGroup, type Points } from './state.ts';

/** Iterations for a residual of 1e-16 of what is corrected, which is small itself. */
const ITERATIONS = { 2: 16, 3: 14 } as const;

export class CentreWork {
  /** Unknown, residual and direction, 3 a vertex. */
  readonly y: Float64Array;
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  /** Aᵀ M_q A times the direction, 3 a vertex. */
  readonly product: Float64Array;

  constructor(points: Points) {
    const size = 3 * (points.count - points.stressCount);
    this.y = new Float64Array(size);
    this.residual = new Float64Array(size);
    this.direction = new Float64Array(size);
    this.product = new Float64Array(size);
  }
}

/**
 * Projects `motion` of a group's particles; velocities change alike, and spins so that angular momentum is kept:
 * a particle that moves by h (u′ − u) more while it remembers v − u takes h (u′ − u) × (v − u) m along.
 *   spread  Σ w r² of the grid's spline [m²]     holds  what holds corners, which then move as they are held
 */
export const keepCentres = (
  points: Points,
  group: PointGroup,
  motion: Float64Array,
  h: number,
  spread: number,
  work: CentreWork,
  holds?: PointHolds,
): void => {
  const n = cornersOf(group);
  if (n === 0 || group.count === 0) return;
  const { stressCount } = points;
  const from = 3 * (group.firstVertex - stressCount);
  const to = from + 3 * group.vertexCount;
  const { y, residual, direction, product } = work;
  y.fill(0, from, to);
  residual.fill(0, from, to);
  addGap(points, group, motion, 3 * stressCount, residual, n);
  divideByMass(points, residual, from, to);
  // eigenvalues in [1, 1 + 1/n]
  const middle = 1 + 0.5 / n;
  const radius = 0.5 / n;
  let rho = radius / middle;
  for (let k = from; k < to; k++) direction[k] = residual[k] / middle;
  for (let iteration = 0; iteration < ITERATIONS[n]; iteration++) {
    product.fill(0, from, to);
    addProduct(points, group, direction, product, n);
    divideByMass(points, product, from, to);
    const next = 1 / ((2 * middle) / radius - rho);
    const old = next * rho;
    const step = (2 * next) / radius;
    for (let k = from; k < to; k++) {
      y[k] += direction[k];
      residual[k] -= direction[k] + product[k];
      direction[k] = old * direction[k] + step * residual[k];
    }
    rho = next;
  }
  for (let vertex = group.firstVertex; vertex < group.firstVertex + group.vertexCount; vertex++) {
    const at = 3 * (vertex - stressCount);
    shift(points, vertex, motion, y[at], y[at + 1], y[at + 2], h, spread);
  }
  holds?.settle(group, motion, true);
  for (let e = 0; e < group.count; e++) {
    const p = group.first + e;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    for (let c = 0; c < n; c++) {
      const corner = 3 * group.corners[n * e + c];
      cx += motion[corner];
      cy += motion[corner + 1];
      cz += motion[corner + 2];
    }
    shift(points, p, motion, cx / n - motion[3 * p], cy / n - motion[3 * p + 1], cz / n - motion[3 * p + 2], h, spread);
  }
};

/** out += Aᵀ M_q (u_q − A u), u of vertices in `motion`; out starts at the first vertex. */
const addGap = (
  points: Points,
  group: PointGroup,
  motion: Float64Array,
  offset: number,
  out: Float64Array,
  n: number,
): void => {
  for (let e = 0; e < group.count; e++) {
    const p = group.first + e;
    const share = points.mass[p] / n;
    for (let k = 0; k < 3; k++) {
      let mean = 0;
      for (let c = 0; c < n; c++) mean += motion[3 * group.corners[n * e + c] + k];
      const gap = share * (motion[3 * p + k] - mean / n);
      for (let c = 0; c < n; c++) out[3 * group.corners[n * e + c] - offset + k] += gap;
    }
  }
};

/** out += Aᵀ M_q A d. */
const addProduct = (points: Points, group: PointGroup, d: Float64Array, out: Float64Array, n: number): void => {
  const offset = 3 * points.stressCount;
  const { corners, first } = group;
  const { mass } = points;
  for (let e = 0; e < group.count; e++) {
    const share = mass[first + e] / (n * n);
    const a = 3 * corners[n * e] - offset;
    const b = 3 * corners[n * e + 1] - offset;
    const c = n === 3 ? 3 * corners[n * e + 2] - offset : -1;
    for (let k = 0; k < 3; k++) {
      const sum = share * (d[a + k] + d[b + k] + (c >= 0 ? d[c + k] : 0));
      out[a + k] += sum;
      out[b + k] += sum;
      if (c >= 0) out[c + k] += sum;
    }
  }
};

/** Values of vertices, 3 each, over their masses; 0 where a vertex has no element. */
const divideByMass = (points: Points, out: Float64Array, from: number, to: number): void => {
  let vertex = points.stressCount + from / 3;
  for (let k = from; k < to; k += 3) {
    const mass = points.mass[vertex++];
    const inverse = mass > 0 ? 1 / mass : 0;
    out[k] *= inverse;
    out[k + 1] *= inverse;
    out[k + 2] *= inverse;
  }
};

/** Motion and velocity of a particle += (x, y, z), with the spin that belongs to it. */
const shift = (
  points: Points,
  p: number,
  motion: Float64Array,
  x: number,
  y: number,
  z: number,
  h: number,
  spread: number,
): void => {
  const { v, C } = points;
  const dx = v[3 * p] - motion[3 * p];
  const dy = v[3 * p + 1] - motion[3 * p + 1];
  const dz = v[3 * p + 2] - motion[3 * p + 2];
  motion[3 * p] += x;
  motion[3 * p + 1] += y;
  motion[3 * p + 2] += z;
  v[3 * p] += x;
  v[3 * p + 1] += y;
  v[3 * p + 2] += z;
  const scale = (0.5 * h) / spread;
  const wx = scale * (y * dz - z * dy);
  const wy = scale * (z * dx - x * dz);
  const wz = scale * (x * dy - y * dx);
  const c = 9 * p;
  C[c + 1] += wz;
  C[c + 3] -= wz;
  C[c + 2] -= wy;
  C[c + 6] += wy;
  C[c + 5] += wx;
  C[c + 7] -= wx;
};
