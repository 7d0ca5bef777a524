/**
 * Energies of the continuum: stresses against central differences of the energies, Hessian products against those of the stresses, and what they must
 * not see: turns of the world, of the material frame across a fibre, of a surface in its plane. Numbers in brackets are those of [theory/mpm].
 */
import { computeQr3x3, determinantMat3, inverseMat3, type Random, transposeMat3 } from 'heddle/math';
import {
  BulkWork,
  type CurveElasticity,
  CurveWork,
  computeBulkEnergy,
  computeCurveEnergy,
  computeFluidEnergy,
  computeFluidModulus,
  computeLogQuotient,
  computePressure,
  computeSurfaceEnergy,
  type SurfaceElasticity,
  writeBulkGradient,
  writeBulkHessianProduct,
  writeBulkStress,
  writeCurveGradient,
  writeCurveHessianProduct,
  writeFrameDifferential,
  writeFrameStress,
  writeFrameStressDifferential,
  writeSurfaceGradient,
  writeSurfaceHessianProduct,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import {
  CURVE,
  createRandom,
  differentiate,
  differentiateAll,
  dot,
  moved,
  multiply,
  norm,
  randomFrame,
  randomMatrix,
  randomRotation,
  relativeError,
  SURFACE,
  transpose,
} from '../unit/mpm-fixtures.ts';

const work = new CurveWork();

interface FrameLaw {
  readonly name: string;
  /** Columns that are tangent. */
  readonly tangents: 1 | 2;
  readonly energy: (r: Float64Array) => number;
  readonly gradient: (r: Float64Array, out: Float64Array) => void;
  readonly product: (r: Float64Array, dr: Float64Array, out: Float64Array) => void;
}

const LAWS: readonly FrameLaw[] = [
  {
    name: 'surface',
    tangents: 2,
    energy: (r) => computeSurfaceEnergy(r, SURFACE as SurfaceElasticity),
    gradient: (r, out) => writeSurfaceGradient(r, SURFACE, out),
    product: (r, dr, out) => writeSurfaceHessianProduct(r, dr, SURFACE, out),
  },
  {
    name: 'curve',
    tangents: 1,
    energy: (r) => computeCurveEnergy(r, CURVE as CurveElasticity, work),
    gradient: (r, out) => writeCurveGradient(r, CURVE, work, out),
    product: (r, dr, out) => writeCurveHessianProduct(r, dr, CURVE, work, out),
  },
];

const energyOf = (law: FrameLaw, d: Float64Array): number => law.energy(computeQr3x3(d).r);

const stressOf = (law: FrameLaw, d: Float64Array): Float64Array => {
  const { q, r } = computeQr3x3(d);
  const [p, out] = [new Float64Array(9), new Float64Array(9)];
  law.gradient(r, p);
  writeFrameStress(q, r, p, out);
  return out;
};

const stressChangeOf = (law: FrameLaw, d: Float64Array, dd: Float64Array): Float64Array => {
  const { q, r } = computeQr3x3(d);
  const [p, dp, dr, out] = [0, 1, 2, 3].map(() => new Float64Array(9));
  const spin = new Float64Array(3);
  law.gradient(r, p);
  writeFrameDifferential(q, r, dd, spin, dr);
  law.product(r, dr, dp);
  writeFrameStressDifferential(q, r, p, spin, dr, dp, out);
  return out;
};

/** A frame that is not near a corner of the energy (r₃₃ = 1). */
const smoothFrame = (random: Random, law: FrameLaw): Float64Array => {
  for (;;) {
    const d = randomFrame(random, 0.35);
    const { r } = computeQr3x3(d);
    if (Math.abs(r[8] - 1) > 0.02 && r[8] > 0.2 && norm(stressOf(law, d)) > 1) return d;
  }
};

describe.each(LAWS)('a $name', (law) => {
  test('has the stress ∂ψ/∂d = Q A R⁻ᵀ, which is the derivative of its energy (1)', () => {
    const random = createRandom(11);
    for (let n = 0; n < 200; n++) {
      const d = smoothFrame(random, law);
      const stress = stressOf(law, d);
      const expected = Float64Array.from({ length: 9 }, (_, k) => {
        const e = new Float64Array(9);
        e[k] = 1;
        return differentiate((s) => energyOf(law, moved(d, e, s)), 2e-4);
      });
      expect(relativeError(stress, expected)).toBeLessThan(1e-8);
      // A = T(K) + T(K)ᵀ − D(K), K = (∂ψ̂/∂R) Rᵀ
      const { q, r } = computeQr3x3(d);
      const p = new Float64Array(9);
      law.gradient(r, p);
      const K = multiply(p, transpose(r));
      const A = K.map((_, i) => (i % 3 >= Math.floor(i / 3) ? K[i] : K[3 * (i % 3) + Math.floor(i / 3)]));
      const literal = multiply(multiply(q, A), transpose(inverseMat3(r)));
      expect(relativeError(stress, literal)).toBeLessThan(1e-12);
      // Kirchhoff stress τ = (∂ψ/∂d) dᵀ = Q A Qᵀ is symmetric
      const tau = multiply(stress, transpose(d));
      expect(relativeError(tau, multiply(multiply(q, A), transpose(q)))).toBeLessThan(1e-12);
      expect(relativeError(tau, transposeMat3(tau))).toBeLessThan(1e-12);
    }
  });

  test('changes its stress by δ(∂ψ/∂d), the derivative of the stress, and symmetrically (1)', () => {
    const random = createRandom(12);
    for (let n = 0; n < 200; n++) {
      const d = smoothFrame(random, law);
      const [a, b] = [randomMatrix(random, 1), randomMatrix(random, 1)];
      const change = stressChangeOf(law, d, a);
      expect(
        relativeError(
          change,
          differentiateAll((s) => stressOf(law, moved(d, a, s)), 2e-4),
        ),
      ).toBeLessThan(1e-7);
      expect(Math.abs(dot(change, b) - dot(stressChangeOf(law, d, b), a))).toBeLessThan(1e-11 * norm(change) * norm(b));
      // printed: δ(∂ψ/∂d) = Q (Ω A + sym(δK) − A R⁻ᵀ δRᵀ) R⁻ᵀ
      const { q, r } = computeQr3x3(d);
      const [p, dp, dr] = [0, 1, 2].map(() => new Float64Array(9));
      law.gradient(r, p);
      const M = multiply(multiply(transpose(q), a), inverseMat3(r));
      const lower = M.map((x, i) => (i % 3 < Math.floor(i / 3) ? x : 0));
      const omega = lower.map((x, i) => x - transpose(lower)[i]);
      dr.set(
        multiply(
          M.map((x, i) => (i % 3 >= Math.floor(i / 3) ? x : 0) + transpose(lower)[i]),
          r,
        ),
      );
      law.product(r, dr, dp);
      const sym = (K: Float64Array) =>
        K.map((_, i) => (i % 3 >= Math.floor(i / 3) ? K[i] : K[3 * (i % 3) + Math.floor(i / 3)]));
      const A = sym(multiply(p, transpose(r)));
      const dK = sym(moved(multiply(dp, transpose(r)), multiply(p, transpose(dr)), 1));
      const inverse = transpose(inverseMat3(r));
      const inner = moved(moved(multiply(omega, A), dK, 1), multiply(multiply(A, inverse), transpose(dr)), -1);
      expect(relativeError(change, multiply(multiply(q, inner), inverse))).toBeLessThan(1e-10);
    }
  });

  test('does not feel turns of the world, and rest is free of stress', () => {
    const random = createRandom(13);
    for (let n = 0; n < 50; n++) {
      const d = smoothFrame(random, law);
      const turn = randomRotation(random);
      const turned = multiply(turn, d);
      expect(energyOf(law, turned) / energyOf(law, d)).toBeCloseTo(1, 12);
      expect(relativeError(stressOf(law, turned), multiply(turn, stressOf(law, d)))).toBeLessThan(1e-11);
      expect(energyOf(law, turn)).toBeLessThan(1e-24);
      expect(norm(stressOf(law, turn))).toBeLessThan(1e-9);
    }
  });

  test('is isotropic where it should be: a surface in its plane, a curve across its fibre', () => {
    const random = createRandom(14);
    for (let n = 0; n < 50; n++) {
      const d = smoothFrame(random, law);
      const angle = random.uniform(0, 6);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const turn =
        law.tangents === 2 ? Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1) : Float64Array.of(1, 0, 0, 0, c, -s, 0, s, c);
      expect(energyOf(law, multiply(d, turn)) / energyOf(law, d)).toBeCloseTo(1, 12);
      // and not the other way round
      const other = Float64Array.of(c, 0, -s, 0, 1, 0, s, 0, c);
      if (Math.abs(s) > 0.3)
        expect(Math.abs(energyOf(law, multiply(d, other)) / energyOf(law, d) - 1)).toBeGreaterThan(1e-6);
    }
  });

  test('has P = (∂ψ/∂F^E)(F^P)⁻ᵀ and σ = P Fᵀ/J (2)', () => {
    const random = createRandom(15);
    let printed = 0;
    for (let n = 0; n < 50; n++) {
      const D = randomRotation(random);
      const FP = randomFrame(random, 0.3);
      const FE = multiply(smoothFrame(random, law), transpose(D));
      const F = multiply(FE, FP);
      const psi = (f: Float64Array): number => energyOf(law, multiply(multiply(f, inverseMat3(FP)), D));
      const dE = multiply(stressOf(law, multiply(FE, D)), transpose(D));
      const P = multiply(dE, transpose(inverseMat3(FP)));
      const expected = Float64Array.from({ length: 9 }, (_, k) => {
        const e = new Float64Array(9);
        e[k] = 1;
        return differentiate((s) => psi(moved(F, e, s)), 2e-4);
      });
      expect(relativeError(P, expected)).toBeLessThan(1e-7);
      printed = Math.max(printed, relativeError(multiply(dE, transpose(inverseMat3(FE))), expected));
      const J = determinantMat3(F);
      const sigma = multiply(P, transpose(F)).map((x) => x / J);
      expect(
        relativeError(
          sigma,
          multiply(dE, transpose(FE)).map((x) => x / J),
        ),
      ).toBeLessThan(1e-11);
    }
    // as the paper prints it, it is something else
    expect(printed).toBeGreaterThan(0.3);
  });

  test('pushes its corners by [∂ψ/∂d] D_m⁻ᵀ for any rest shape, whose energy is 0 (3)', () => {
    const random = createRandom(16);
    for (let n = 0; n < 50; n++) {
      // edges at rest in the orthonormal frame: a triangle, or a length
      const Dm =
        law.tangents === 2
          ? [random.uniform(0.5, 2), random.uniform(-1, 1), random.uniform(0.5, 2)]
          : [random.uniform(0.5, 2), 0, 1];
      const inverse = [1 / Dm[0], -Dm[1] / (Dm[0] * Dm[2]), 1 / Dm[2]];
      const frame = (edges: Float64Array, normals: Float64Array): Float64Array => {
        const d = Float64Array.from(normals);
        for (let row = 0; row < 9; row += 3) {
          d[row] = edges[row] * inverse[0];
          if (law.tangents === 2) d[row + 1] = edges[row] * inverse[1] + edges[row + 1] * inverse[2];
        }
        return d;
      };
      const turn = randomRotation(random);
      const rest = multiply(turn, Float64Array.of(Dm[0], Dm[1], 0, 0, Dm[2], 0, 0, 0, 0));
      expect(energyOf(law, frame(rest, turn))).toBeLessThan(1e-24);
      const d = smoothFrame(random, law);
      const edges = multiply(d, Float64Array.of(Dm[0], Dm[1], 0, 0, Dm[2], 0, 0, 0, 0));
      expect(relativeError(frame(edges, d), d)).toBeLessThan(1e-14);
      const G = stressOf(law, d);
      for (let corner = 0; corner < law.tangents; corner++) {
        for (let axis = 0; axis < 3; axis++) {
          const e = new Float64Array(9);
          e[3 * axis + corner] = 1;
          const expected = differentiate((s) => energyOf(law, frame(moved(edges, e, s), d)), 2e-4);
          // column `corner` of G D_m⁻ᵀ, the inverse upper triangular
          const force =
            corner === 0
              ? G[3 * axis] * inverse[0] + (law.tangents === 2 ? G[3 * axis + 1] * inverse[1] : 0)
              : G[3 * axis + 1] * inverse[2];
          expect(Math.abs(force - expected)).toBeLessThan(1e-8 * norm(G));
        }
      }
    }
  });
});

describe('gradients and Hessians of ψ̂ (4)', () => {
  const upper = [0, 1, 2, 4, 5, 8];
  test.each(LAWS)('$name: ∂ψ̂/∂R is the derivative in the six entries of R, and the product that of ∂ψ̂/∂R', (law) => {
    const random = createRandom(17);
    for (let n = 0; n < 100; n++) {
      const { r } = computeQr3x3(smoothFrame(random, law));
      const [p, dp] = [new Float64Array(9), new Float64Array(9)];
      law.gradient(r, p);
      for (const k of upper) {
        const e = new Float64Array(9);
        e[k] = 1;
        expect(Math.abs(p[k] - differentiate((s) => law.energy(moved(r, e, s)), 2e-4))).toBeLessThan(1e-8 * norm(p));
      }
      const dr = new Float64Array(9);
      for (const k of upper) dr[k] = random.uniform(-1, 1);
      law.product(r, dr, dp);
      const expected = differentiateAll((s) => {
        const out = new Float64Array(9);
        law.gradient(moved(r, dr, s), out);
        return out;
      }, 2e-4);
      expect(relativeError(dp, expected)).toBeLessThan(1e-8);
    }
  });

  test('a surface pushes an inverted normal back, and a parted one not at all', () => {
    const p = new Float64Array(9);
    for (const [r33, isPushed] of [
      [-0.2, true],
      [0.5, true],
      [1.3, false],
    ] as const) {
      writeSurfaceGradient(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, r33), SURFACE, p);
      // −∂ψ/∂r₃₃ = k (1 − r₃₃)² opens it
      expect(-p[8]).toBeCloseTo(isPushed ? SURFACE.normalStiffness * (1 - r33) ** 2 : 0, 9);
    }
    // the paper's Q with r₃₃ > 0 would push it away: the signed one sees the inversion
    const mirrored = computeQr3x3(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, -0.2));
    expect(mirrored.r[8]).toBe(-0.2);
  });

  test('a rotation of the surface in its plane is not a strain: Rot = R₁', () => {
    const p = new Float64Array(9);
    const r = Float64Array.of(1.3, 0.4, 0, 0, 0.8, 0, 0, 0, 1);
    // fixed corotated energy from singular values: μ Σ (s − 1)² + λ/2 (J − 1)²
    const J = r[0] * r[4];
    const squares = r[0] ** 2 + r[1] ** 2 + r[4] ** 2;
    const sum = Math.sqrt(squares + 2 * J);
    const expected = SURFACE.mu * (squares - 2 * sum + 2) + 0.5 * SURFACE.lambda * (J - 1) ** 2;
    expect(computeSurfaceEnergy(r, SURFACE)).toBeCloseTo(expected, 10);
    writeSurfaceGradient(r, SURFACE, p);
    expect(norm(p)).toBeGreaterThan(1);
  });
});

describe('bulk material', () => {
  const bulk = new BulkWork();
  const law = { mu: 300, lambda: 450 };
  const gradient = (f: Float64Array): Float64Array => {
    const out = new Float64Array(9);
    writeBulkGradient(f, 0, law, bulk, out);
    return out;
  };

  test('P is the derivative of ψ, τ = P Fᵀ, and δP the derivative of P', () => {
    const random = createRandom(18);
    for (let n = 0; n < 200; n++) {
      const F = randomFrame(random, 0.4);
      if (determinantMat3(F) < 0.2) continue;
      const P = gradient(F);
      const a = randomMatrix(random, 1);
      const expected = differentiate((s) => computeBulkEnergy(moved(F, a, s), 0, law, bulk), 2e-4);
      expect(Math.abs(dot(P, a) - expected)).toBeLessThan(1e-8 * norm(P) * norm(a));
      const tau = new Float64Array(9);
      writeBulkStress(F, 0, law, bulk, tau);
      expect(relativeError(tau, multiply(P, transpose(F)))).toBeLessThan(1e-12);
      const change = new Float64Array(9);
      writeBulkHessianProduct(F, 0, a, law, bulk, change);
      expect(
        relativeError(
          change,
          differentiateAll((s) => gradient(moved(F, a, s)), 1e-4),
        ),
      ).toBeLessThan(1e-7);
    }
  });

  test('δP is right where stretches are equal, too', () => {
    const random = createRandom(19);
    for (const [x, y, z] of [
      [1, 1, 1],
      [0.8, 0.8, 1.2],
      [1.1, 1.1 * (1 + 1e-9), 0.7],
    ]) {
      const F = multiply(
        multiply(randomRotation(random), Float64Array.of(x, 0, 0, 0, y, 0, 0, 0, z)),
        randomRotation(random),
      );
      const a = randomMatrix(random, 1);
      const change = new Float64Array(9);
      writeBulkHessianProduct(F, 0, a, law, bulk, change);
      expect(
        relativeError(
          change,
          differentiateAll((s) => gradient(moved(F, a, s)), 1e-3),
        ),
      ).toBeLessThan(1e-8);
    }
  });

  test('the quotient of logarithms is smooth through equality', () => {
    expect(computeLogQuotient(2, 2)).toBe(0.5);
    for (const x of [0.3, 0.11, 0.0999, 1e-3, 1e-9]) {
      expect(computeLogQuotient(1 + x, 1 - x) / (Math.log1p(x) - Math.log1p(-x))).toBeCloseTo(
        1 / (2 * x),
        12 + Math.min(0, Math.log10(x)),
      );
    }
  });

  test('of a fluid has the pressure −ψ′, the modulus ψ″, which is κ at rest, and no tension', () => {
    const fluid = { bulkModulus: 2e4, exponent: 7, viscosity: 0 };
    for (const J of [0.7, 0.95, 0.999]) {
      const slope = differentiate((s) => computeFluidEnergy(J + s, fluid), 1e-4);
      expect(computePressure(J, fluid) / -slope).toBeCloseTo(1, 7);
      const modulus = differentiate((s) => -computePressure(J + s, fluid), 1e-4);
      expect(computeFluidModulus(J, fluid) / modulus).toBeCloseTo(1, 7);
    }
    expect(computeFluidModulus(1 - 1e-12, fluid)).toBeCloseTo(2e4, 4);
    expect(computeFluidEnergy(1, fluid)).toBe(0);
    expect(computePressure(1.2, fluid)).toBe(0);
    expect(computeFluidEnergy(1.2, fluid)).toBe(0);
    expect(computeFluidModulus(1.2, fluid)).toBe(0);
  });
});
