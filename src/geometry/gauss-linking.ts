/**
 * Linking number of two closed polylines and writhe of one: Gauss's double integral
 *
 *     1/4π ∬ (r₁ − r₂)·(dr₁ × dr₂)/‖r₁ − r₂‖³
 *
 * exact for straight segments. A pair a₀a₁, c₀c₁ adds its signed solid angle Ω/4π: the area of the sphere's directions in
 * which the two are seen to cross, a quadrangle whose corners are the directions between their ends [Klenin 2000,
 * method 1a]. With the normals of its sides
 *     n₁ = r₀₀ × r₀₁,  n₂ = r₀₁ × r₁₁,  n₃ = r₁₁ × r₁₀,  n₄ = r₁₀ × r₀₀,       r_ij = c_j − a_i
 *     |Ω| = 2π − Σ ∠(n_k, n_k+1),      sign Ω = −sign (a₁ − a₀) × (c₁ − c₀) · r₀₀
 * A crossing is positive where the upper direction turns to the lower one counter-clockwise, seen from above. Ribbons
 * have Lk = Tw + Wr [Călugăreanu 1961; White 1969].
 *
 *   points  three coordinates a point [m]; closed polylines do not repeat their first point
 */
import { computeAngle } from '../math/index.ts';

export interface WritheOptions {
  /** Whether the last point is joined to the first; false by default. */
  readonly closed?: boolean;
}

/** How far from a whole number a linking number may be before the curves count as touching or broken. */
const WHOLE = 1e-3;

/** Solid angle of segments a₀a₁ of p and c₀c₁ of q [sr], signed; 0 where the four ends lie in a plane. Offsets of coordinates. */
function computeSolidAngle(
  p: ArrayLike<number>,
  a0: number,
  a1: number,
  q: ArrayLike<number>,
  c0: number,
  c1: number,
): number {
  const [x00, y00, z00] = [q[c0] - p[a0], q[c0 + 1] - p[a0 + 1], q[c0 + 2] - p[a0 + 2]];
  const [x01, y01, z01] = [q[c1] - p[a0], q[c1 + 1] - p[a0 + 1], q[c1 + 2] - p[a0 + 2]];
  const [x10, y10, z10] = [q[c0] - p[a1], q[c0 + 1] - p[a1 + 1], q[c0 + 2] - p[a1 + 2]];
  const [x11, y11, z11] = [q[c1] - p[a1], q[c1 + 1] - p[a1 + 1], q[c1 + 2] - p[a1 + 2]];
  // (a₁ − a₀) × (c₁ − c₀) · r₀₀ with a₁ − a₀ = r₀₀ − r₁₀ and c₁ − c₀ = r₀₁ − r₀₀
  const volume =
    ((y00 - y10) * (z01 - z00) - (z00 - z10) * (y01 - y00)) * x00 +
    ((z00 - z10) * (x01 - x00) - (x00 - x10) * (z01 - z00)) * y00 +
    ((x00 - x10) * (y01 - y00) - (y00 - y10) * (x01 - x00)) * z00;
  if (volume === 0) return 0;
  const [ax, ay, az] = [y00 * z01 - z00 * y01, z00 * x01 - x00 * z01, x00 * y01 - y00 * x01];
  const [bx, by, bz] = [y01 * z11 - z01 * y11, z01 * x11 - x01 * z11, x01 * y11 - y01 * x11];
  const [cx, cy, cz] = [y11 * z10 - z11 * y10, z11 * x10 - x11 * z10, x11 * y10 - y11 * x10];
  const [dx, dy, dz] = [y10 * z00 - z10 * y00, z10 * x00 - x10 * z00, x10 * y00 - y10 * x00];
  const turn =
    computeTurn(ax, ay, az, bx, by, bz) +
    computeTurn(bx, by, bz, cx, cy, cz) +
    computeTurn(cx, cy, cz, dx, dy, dz) +
    computeTurn(dx, dy, dz, ax, ay, az);
  const area = Math.max(0, 2 * Math.PI - turn);
  return volume > 0 ? -area : area;
}

/** Angle between two vectors [rad]; a right angle where one is zero, as arcsin 0 would have it. */
function computeTurn(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  const [cx, cy, cz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const sine = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const cosine = ax * bx + ay * by + az * bz;
  return sine === 0 && cosine === 0 ? Math.PI / 2 : computeAngle(sine, cosine);
}

/** How often two closed polylines wind round each other, with sign; a whole number. Throws where it comes out as none. */
export function computeLinkingNumber(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [m, n] = [countPoints('computeLinkingNumber', a), countPoints('computeLinkingNumber', b)];
  let sum = 0;
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) sum += computeSolidAngle(a, 3 * i, 3 * ((i + 1) % m), b, 3 * j, 3 * ((j + 1) % n));
  const linking = sum / (4 * Math.PI);
  const whole = Math.round(linking);
  if (!(Math.abs(linking - whole) < WHOLE)) {
    throw new RangeError(
      `computeLinkingNumber: the curves give ${linking}, which is not an integer; give finite curves that do not touch.`,
    );
  }
  return whole + 0;
}

/** Mean over all directions of the sum of the signs of the crossings that are seen; 0 for a planar curve. */
export function computeWrithe(points: ArrayLike<number>, { closed = false }: WritheOptions = {}): number {
  const n = countPoints('computeWrithe', points);
  const segments = closed ? n : n - 1;
  let sum = 0;
  // Neighbours lie in a plane: nothing to add.
  for (let i = 0; i < segments; i++) {
    for (let j = i + 2; j < segments; j++) {
      if (closed && i === 0 && j === segments - 1) continue;
      sum += computeSolidAngle(points, 3 * i, 3 * ((i + 1) % n), points, 3 * j, 3 * ((j + 1) % n));
    }
  }
  return sum / (2 * Math.PI);
}

function countPoints(caller: string, points: ArrayLike<number>): number {
  if (points.length % 3 !== 0 || points.length < 6)
    throw new RangeError(
      `${caller}: a curve has ${points.length} coordinates; give three for each of two or more points.`,
    );
  return points.length / 3;
}
