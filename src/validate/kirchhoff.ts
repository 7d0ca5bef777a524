/**
 * Kirchhoff's rod of length 1 in a plane, and when it leaves the plane: what thresholds of rods and strips are compared with. Shapes by
 * second differences, turns out of the plane by Runge–Kutta steps of fourth order; it shares nothing with the engine.
 *
 * A rod that is clamped at s = 0 and free at s = 1, with the weight w per length and the load P at its tip, both along e. φ: angle of its tangent t to e, B: stiffness
 * against bending in the plane, κ̄: natural curvature in the plane, n = N e the force in it:
 *     B φ″ = N sin φ,   N = w (1 − s) + P,   φ(0) = clamp, φ′(1) = κ̄
 * A small turn α t + β ν out of the plane (ν the normal in it; A: stiffness against bending out of it, C against twist) is in balance where
 *     p = C (α′ − β φ′) + M β        p′ = q φ′ − β N_ν        N_ν = −N sin φ        M = B (φ′ − κ̄)
 *     q = A (β′ + α φ′) − M α        q′ = β N_t − p φ′        N_t = N cos φ
 * with α = β = 0 at the clamp and p = q = 0 at the tip. Two solutions that begin at the tip span all; where the determinant of their (α, β) at the clamp first vanishes
 * along a path of equilibria, the rod leaves its plane.
 */

export interface PlanarRod {
  /** Against bending in the plane, out of it, and twist [N m²]. */
  readonly B: number;
  readonly A: number;
  readonly C: number;
  readonly weight: number;
  readonly load: number;
  /** κ̄ [1/m] */
  readonly curvature: number;
  /** Angle of the clamp to the load [rad]. */
  readonly clamp: number;
}

/** Intervals of the planar shape; steps of the turns out of the plane are two of them. */
const INTERVALS = 2000;
/** Steps of the pressed strip. */
const STEPS = 400;

/** φ at even distances from the clamp to the tip. */
type Shape = Float64Array;

/** The equilibrium near a shape: second differences, the tip with a point beyond it, and Newton. */
function solveShape({ B, weight, load, curvature, clamp }: PlanarRod, guess: Shape): Shape {
  const h = 1 / INTERVALS;
  const phi = guess.slice();
  phi[0] = clamp;
  const [upper, right] = [new Float64Array(INTERVALS + 1), new Float64Array(INTERVALS + 1)];
  for (let n = 0; n < 100; n++) {
    // rows φ_{k−1} − 2 φ_k + φ_{k+1} = h² N sin φ_k/B, eliminated from the clamp on; at the tip φ_{k+1} = φ_{k−1} + 2 h κ̄
    for (let k = 1; k <= INTERVALS; k++) {
      const N = (weight * (1 - k * h) + load) / B;
      const isTip = k === INTERVALS;
      const beyond = isTip ? phi[k - 1] + 2 * h * curvature : phi[k + 1];
      const residual = phi[k - 1] - 2 * phi[k] + beyond - h * h * N * Math.sin(phi[k]);
      const lower = isTip ? 2 : 1;
      const diagonal = -2 - h * h * N * Math.cos(phi[k]) - lower * upper[k - 1];
      upper[k] = 1 / diagonal;
      right[k] = (-residual - lower * right[k - 1]) / diagonal;
    }
    let largest = 0;
    for (let k = INTERVALS - 1; k >= 1; k--) right[k] -= upper[k] * right[k + 1];
    for (let k = 1; k <= INTERVALS; k++) largest = Math.max(largest, Math.abs(right[k]));
    const share = Math.min(1, 0.3 / largest);
    for (let k = 1; k <= INTERVALS; k++) phi[k] += share * right[k];
    if (largest < 1e-10) return phi;
  }
  throw new Error('no equilibrium of the planar rod found');
}

/** Rates of (α, β, p, q) along t = 1 − s at t, with φ and φ′ there. */
function writeRates(
  rod: PlanarRod,
  t: number,
  phi: number,
  rate: number,
  y: ArrayLike<number>,
  out: Float64Array,
): void {
  const { A, B, C, weight, load, curvature } = rod;
  const N = weight * t + load;
  const M = B * (rate - curvature);
  const [along, across] = [N * Math.cos(phi), -N * Math.sin(phi)];
  const [alpha, beta, p, q] = [y[0], y[1], y[2], y[3]];
  // d/dt = −d/ds
  out[0] = -((p - M * beta) / C + beta * rate);
  out[1] = -((q + M * alpha) / A - alpha * rate);
  out[2] = -(q * rate - beta * across);
  out[3] = -(beta * along - p * rate);
}

/** (α, β) at the clamp of the turn that is (α, β) at the tip. */
function integrateTurn(rod: PlanarRod, phi: Shape, alpha: number, beta: number): Float64Array {
  const y = Float64Array.of(alpha, beta, 0, 0);
  const [k1, k2, k3, k4, z] = Array.from({ length: 5 }, () => new Float64Array(4));
  const h = 2 / INTERVALS;
  const rateAt = (k: number): number => {
    if (k === INTERVALS) return rod.curvature;
    if (k === 0) return ((-3 * phi[0] + 4 * phi[1] - phi[2]) * INTERVALS) / 2;
    return ((phi[k + 1] - phi[k - 1]) * INTERVALS) / 2;
  };
  const evaluate = (k: number, from: Float64Array, share: number, out: Float64Array): void => {
    for (let i = 0; i < 4; i++) z[i] = y[i] + share * h * from[i];
    writeRates(rod, 1 - k / INTERVALS, phi[k], rateAt(k), z, out);
  };
  for (let k = INTERVALS; k > 0; k -= 2) {
    evaluate(k, k1, 0, k1);
    evaluate(k - 1, k1, 0.5, k2);
    evaluate(k - 1, k2, 0.5, k3);
    evaluate(k - 2, k3, 1, k4);
    for (let i = 0; i < 4; i++) y[i] += (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

function computeDeterminant(rod: PlanarRod, phi: Shape): number {
  const [one, two] = [integrateTurn(rod, phi, 1, 0), integrateTurn(rod, phi, 0, 1)];
  return one[0] * two[1] - one[1] * two[0];
}

/** First value at which the determinant vanishes along rodAt(value), value from 0 in steps; the equilibrium is followed from the straight one at 0. */
export function findLeaving(rodAt: (value: number) => PlanarRod, step: number): number {
  const begin = rodAt(0);
  let shape = solveShape(begin, new Float64Array(INTERVALS + 1).fill(begin.clamp));
  const sign = Math.sign(computeDeterminant(begin, shape));
  const isLeft = (value: number): boolean => {
    const next = solveShape(rodAt(value), shape);
    if (Math.sign(computeDeterminant(rodAt(value), next)) !== sign) return true;
    shape = next;
    return false;
  };
  let value = 0;
  for (let n = 0; !isLeft(value + step); n++) {
    if (n === 1000) throw new Error('the planar rod never leaves its plane');
    value += step;
  }
  let [low, high] = [value, value + step];
  for (let k = 0; k < 20; k++) {
    const middle = (low + high) / 2;
    if (isLeft(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/** A strip that stands on its tip: clamped upright at the top, pressed down by ε of its length, its tip held below the clamp by friction, free to turn. */
export interface PressedStrip {
  /** ε [1] */
  readonly compression: number;
  /** Tangent force over normal force at the tip. */
  readonly ratio: number;
  /** Normal force times L²/EI. */
  readonly force: number;
  /** Places from the clamp down to the tip at even distances along the strip: sideways, down. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * ψ: angle of the tangent to the vertical, t from the tip, F: whole force, δ its angle:   ψ″ = −F sin(ψ − δ),  ψ(tip) = `tip`, ψ′(tip) = 0;
 * F and δ by Newton so that ψ = 0 at the clamp and the tip is below it. For a small tip √F is the first root of tan k = k and δ = tip/(1 − 1/cos k).
 */
function solvePressed(tip: number, start: readonly [number, number]): { strip: PressedStrip; found: [number, number] } {
  let [F, delta] = start;
  for (let n = 0; n < 50; n++) {
    const here = integratePressed(tip, F, delta);
    const [dF, dD] = [1e-6 * F, 1e-7];
    const [f, d] = [integratePressed(tip, F + dF, delta), integratePressed(tip, F, delta + dD)];
    const [a, b] = [(f.psi - here.psi) / dF, (d.psi - here.psi) / dD];
    const [c, e] = [(f.side - here.side) / dF, (d.side - here.side) / dD];
    const det = a * e - b * c;
    const [changeF, changeD] = [(e * here.psi - b * here.side) / det, (a * here.side - c * here.psi) / det];
    F -= changeF;
    delta -= changeD;
    if (Math.abs(changeF) < 1e-11 * F && Math.abs(changeD) < 1e-11) break;
  }
  const { x, y } = integratePressed(tip, F, delta);
  const strip = { compression: 1 - y[STEPS], ratio: Math.tan(Math.abs(delta)), force: F * Math.cos(delta), x, y };
  return { strip, found: [F, delta] };
}

function integratePressed(tip: number, F: number, delta: number) {
  const h = 1 / STEPS;
  let [psi, rate] = [tip, 0];
  // from the tip to the clamp, turned round at the end
  const [side, up] = [new Float64Array(STEPS + 1), new Float64Array(STEPS + 1)];
  const pull = (angle: number) => -F * Math.sin(angle - delta);
  for (let n = 0; n < STEPS; n++) {
    const k1 = pull(psi);
    const k2 = pull(psi + 0.5 * h * rate);
    const k3 = pull(psi + 0.5 * h * rate + 0.25 * h * h * k1);
    const k4 = pull(psi + h * rate + 0.5 * h * h * k2);
    const end = psi + h * rate + ((h * h) / 6) * (k1 + k2 + k3);
    const endRate = rate + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    const middle = (psi + end) / 2 + (h / 8) * (rate - endRate);
    side[n + 1] = side[n] + (h / 6) * (Math.sin(psi) + 4 * Math.sin(middle) + Math.sin(end));
    up[n + 1] = up[n] + (h / 6) * (Math.cos(psi) + 4 * Math.cos(middle) + Math.cos(end));
    [psi, rate] = [end, endRate];
  }
  const x = side.map((_, n) => side[STEPS] - side[STEPS - n]);
  const y = up.map((_, n) => up[STEPS] - up[STEPS - n]);
  return { psi, side: side[STEPS], x, y };
}

/** The pressed strip of a compression, or of a ratio of forces, whichever `measure` reads: both grow with the turn of the tip. */
export function findPressed(measure: (strip: PressedStrip) => number, value: number): PressedStrip {
  const k = 4.493409457909064;
  let [tip, found]: [number, [number, number]] = [0.02, [k * k, 0.02 / (1 - 1 / Math.cos(k))]];
  let strip = solvePressed(tip, found).strip;
  let step = 0.02;
  while (step > 1e-9) {
    const next = solvePressed(tip + step, found);
    if (measure(next.strip) > value) step /= 2;
    else [tip, found, strip] = [tip + step, next.found, next.strip];
    if (tip > 3) throw new Error('the strip is pressed on itself');
  }
  return strip;
}
