/**
 * An energy f(φ) of the angle φ between two vectors a and b, with all its derivatives.
 *
 *     n = a × b/|a × b|,   p = n × â,   r = n × b̂,   c = cos φ,   s = sin φ
 *     ∂φ/∂a = −p/|a|            ∂φ/∂b = r/|b|
 *     ∂²φ/∂a²  =  (â pᵀ + p âᵀ + c/s n nᵀ)/|a|²
 *     ∂²φ/∂b²  = (−b̂ rᵀ − r b̂ᵀ + c/s n nᵀ)/|b|²
 *     ∂²φ/∂a∂b = −1/s n nᵀ/(|a| |b|)
 *
 * In the plane of the vectors φ is a difference of two polar angles; out of it n nᵀ is spherical trigonometry to second order. f'/s is an argument of its
 * own, because it stays finite at φ = 0 for bending, where f' = k φ.
 */
import { computeAngle, computeHypot3 } from '../math/index.ts';

/** sin φ below which two vectors have no normal. */
const PARALLEL = 1e-7;

export class AngleBetween {
  /** φ [rad], 0 to π. */
  angle = 0;
  sine = 0;
  cosine = 1;
  /** ∂φ/∂a and ∂φ/∂b. */
  readonly slope = new Float64Array(6);
  /** ∂f/∂(a, b) and ∂²f/∂(a, b)², 6 × 6 row-major; by `setEnergy`. */
  readonly gradient = new Float64Array(6);
  readonly hessian = new Float64Array(36);
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #n = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #r = new Float64Array(3);
  #la = 1;
  #lb = 1;

  /** Whether the vectors are parallel or opposite, so that n is any normal of a. */
  get isParallel(): boolean {
    return this.sine < PARALLEL;
  }

  /** Reads a and b. */
  set(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    const n = this.#n;
    const { slope } = this;
    const la = Math.sqrt(ax * ax + ay * ay + az * az);
    const lb = Math.sqrt(bx * bx + by * by + bz * bz);
    const ia = 1 / la;
    const ib = 1 / lb;
    const a0 = ax * ia;
    const a1 = ay * ia;
    const a2 = az * ia;
    const b0 = bx * ib;
    const b1 = by * ib;
    const b2 = bz * ib;
    const nx = a1 * b2 - a2 * b1;
    const ny = a2 * b0 - a0 * b2;
    const nz = a0 * b1 - a1 * b0;
    const sine = Math.sqrt(nx * nx + ny * ny + nz * nz);
    this.#write(this.#a, a0, a1, a2);
    this.#write(this.#b, b0, b1, b2);
    this.#la = la;
    this.#lb = lb;
    this.sine = sine;
    this.cosine = a0 * b0 + a1 * b1 + a2 * b2;
    this.angle = computeAngle(sine, this.cosine);
    if (this.isParallel) writeNormal(this.#a, n);
    else this.#write(n, nx / sine, ny / sine, nz / sine);
    const n0 = n[0];
    const n1 = n[1];
    const n2 = n[2];
    const p0 = n1 * a2 - n2 * a1;
    const p1 = n2 * a0 - n0 * a2;
    const p2 = n0 * a1 - n1 * a0;
    const r0 = n1 * b2 - n2 * b1;
    const r1 = n2 * b0 - n0 * b2;
    const r2 = n0 * b1 - n1 * b0;
    this.#write(this.#p, p0, p1, p2);
    this.#write(this.#r, r0, r1, r2);
    slope[0] = -p0 * ia;
    slope[1] = -p1 * ia;
    slope[2] = -p2 * ia;
    slope[3] = r0 * ib;
    slope[4] = r1 * ib;
    slope[5] = r2 * ib;
  }

  #write(out: Float64Array, x: number, y: number, z: number): void {
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }

  /** Writes gradient and Hessian of f from f', f'' and f'/sin φ. */
  setEnergy(first: number, second: number, firstOverSine: number): void {
    const { slope, gradient, hessian: H, cosine } = this;
    const [a, b, n, p, r, la, lb] = [this.#a, this.#b, this.#n, this.#p, this.#r, this.#la, this.#lb];
    for (let i = 0; i < 6; i++) {
      gradient[i] = first * slope[i];
      for (let j = 0; j < 6; j++) H[6 * i + j] = second * slope[i] * slope[j];
    }
    const [aa, bb, ab] = [1 / (la * la), 1 / (lb * lb), 1 / (la * lb)];
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const across = firstOverSine * n[i] * n[j];
        H[6 * i + j] += aa * (first * (a[i] * p[j] + p[i] * a[j]) + cosine * across);
        H[6 * (3 + i) + 3 + j] += bb * (cosine * across - first * (b[i] * r[j] + r[i] * b[j]));
        H[6 * i + 3 + j] -= ab * across;
        H[6 * (3 + i) + j] -= ab * across;
      }
  }
}

/** out = a × b, in coordinates from 0 on. */
export function writeCross(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** Some unit normal of a. */
function writeNormal(a: Float64Array, out: Float64Array): void {
  const [x, y, z] = [Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2])];
  const axis = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  for (let k = 0; k < 3; k++) out[k] = (k === axis ? 1 : 0) - a[axis] * a[k];
  const length = computeHypot3(out[0], out[1], out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
}
