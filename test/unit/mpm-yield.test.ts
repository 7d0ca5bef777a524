/**
 * Return mappings of the continuum: what they leave obeys the friction law, equals the limit where it yielded, is not changed by mapping it again, and
 * has no more energy than before. Numbers in brackets are those of [theory/mpm].
 */
import { computeQr3x3, computeSvd2x2, computeSvd3x3, computeSymmetricEigen, determinantMat3 } from 'heddle/math';
import {
  ALONG_FRICTIONS,
  BulkWork,
  CurveWork,
  computeBulkEnergy,
  computeCrossFriction,
  computeCurveEnergy,
  computeGooLaw,
  computeKlarFriction,
  computeSandLaw,
  computeSurfaceEnergy,
  projectCurve,
  projectGoo,
  projectSand,
  projectSurface,
  SAND_FRICTIONS,
  type SandFriction,
  type SandLaw,
  SMALLEST_STRETCH,
  writeBulkStress,
  writeCurveGradient,
  writeFrameStress,
  writeSurfaceGradient,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import {
  CURVE,
  createRandom,
  multiply,
  norm,
  randomFrame,
  randomRotation,
  relativeError,
  SURFACE,
  transpose,
} from './mpm-fixtures.ts';

const work = new CurveWork();
const bulk = new BulkWork();
const DEGREE = Math.PI / 180;

/** Cauchy stress in the basis of Q, with F^P = I: σ = (∂ψ/∂d) dᵀ/J. */
const stressInFrame = (
  q: Float64Array,
  r: Float64Array,
  gradient: (r: Float64Array, out: Float64Array) => void,
): Float64Array => {
  const [p, G] = [new Float64Array(9), new Float64Array(9)];
  gradient(r, p);
  writeFrameStress(q, r, p, G);
  const tau = multiply(G, transpose(multiply(q, r)));
  const J = r[0] * r[4] * r[8];
  return multiply(multiply(transpose(q), tau), q).map((x) => x / J);
};

const surfaceGradient = (r: Float64Array, out: Float64Array): void => writeSurfaceGradient(r, SURFACE, out);
const curveGradient = (r: Float64Array, out: Float64Array): void => writeCurveGradient(r, CURVE, work, out);

describe('surfaces', () => {
  test('the traction is t = (γ r₁₃, γ r₂₃, −k (1 − r₃₃)²)/(r₁₁ r₂₂) in the frame Q (5)', () => {
    const random = createRandom(21);
    for (let n = 0; n < 200; n++) {
      const { q, r } = computeQr3x3(randomFrame(random, 0.3));
      if (r[8] > 0.99 || r[8] < 0.2) continue;
      const sigma = stressInFrame(q, r, surfaceGradient);
      const area = r[0] * r[4];
      const { shearStiffness: gamma, normalStiffness: k } = SURFACE;
      const t = [sigma[2], sigma[5], sigma[8]];
      const expected = [(gamma * r[2]) / area, (gamma * r[5]) / area, (-k * (1 - r[8]) ** 2) / area];
      expect(relativeError(t, expected)).toBeLessThan(1e-12);
      // f_n = −q₃·t pushes, f_f is along the surface
      expect(-t[2]).toBeGreaterThan(0);
    }
  });

  test('obey Coulomb: f_f ≤ c_F f_n, equal where they yielded; the plane and r₃₃ are untouched (6)', () => {
    const random = createRandom(22);
    let yielded = 0;
    for (let n = 0; n < 2000; n++) {
      const { q, r } = computeQr3x3(randomFrame(random, 0.3));
      if (r[8] > 1 || r[8] < 0.05) continue;
      const before = Float64Array.from(r);
      const changed = projectSurface(r, SURFACE);
      const sigma = stressInFrame(q, r, surfaceGradient);
      const excess = (Math.hypot(sigma[2], sigma[5]) + SURFACE.friction * sigma[8]) / norm(sigma);
      expect(excess).toBeLessThan(1e-13);
      if (changed) {
        yielded++;
        expect(Math.abs(excess)).toBeLessThan(1e-13);
        expect(r[2] * before[5]).toBeCloseTo(r[5] * before[2], 14);
      } else expect(r).toEqual(before);
      for (const k of [0, 1, 4, 8]) expect(r[k]).toBe(before[k]);
      expect(computeSurfaceEnergy(r, SURFACE)).toBeLessThanOrEqual(computeSurfaceEnergy(before, SURFACE));
      // once more changes nothing but the last bit
      const again = Float64Array.from(r);
      projectSurface(again, SURFACE);
      expect(relativeError(again, r)).toBeLessThan(1e-15);
    }
    expect(yielded).toBeGreaterThan(300);
  });

  test('yield at once beyond the limit, and not before it (6)', () => {
    const { shearStiffness, normalStiffness, friction } = SURFACE;
    for (const r33 of [0.1, 0.6, 0.9]) {
      const limit = (friction * normalStiffness * (1 - r33) ** 2) / shearStiffness;
      for (const share of [1 - 1e-9, 1 + 1e-9]) {
        const r = Float64Array.of(1.1, 0.1, 0.6 * share * limit, 0, 0.9, -0.8 * share * limit, 0, 0, r33);
        expect(projectSurface(r, SURFACE)).toBe(share > 1);
        expect(Math.hypot(r[2], r[5]) / (Math.min(share, 1) * limit)).toBeCloseTo(1, 13);
      }
    }
  });

  test('part freely: r₃₃ > 1 leaves no stress across (6)', () => {
    const r = Float64Array.of(1.1, 0.1, 0.3, 0, 0.9, 0.2, 0, 0, 1.2);
    expect(projectSurface(r, SURFACE)).toBe(true);
    expect(Array.from(r)).toEqual([1.1, 0.1, 0, 0, 0.9, 0, 0, 0, 1]);
    expect(projectSurface(r, SURFACE)).toBe(false);
  });

  test('without friction or shear stiffness keep no shear (6)', () => {
    for (const law of [
      { ...SURFACE, friction: 0 },
      { ...SURFACE, shearStiffness: 0 },
    ]) {
      const r = Float64Array.of(1, 0, 0.3, 0, 1, -0.2, 0, 0, 0.8);
      expect(projectSurface(r, law)).toBe(true);
      expect([r[2], r[5], r[8]]).toEqual([0, -0, 0.8]);
      expect(projectSurface(r, law)).toBe(false);
    }
  });

  test('have no shear where they are inverted, and the energy pushes d₃ back to its side (6)', () => {
    const { q, r } = computeQr3x3(Float64Array.of(1, 0, 0.2, 0, 1, 0.1, 0, 0, -0.3));
    expect(projectSurface(r, SURFACE)).toBe(true);
    expect([r[2], r[5], r[8]]).toEqual([0, 0, -0.3]);
    const [p, G] = [new Float64Array(9), new Float64Array(9)];
    surfaceGradient(r, p);
    writeFrameStress(q, r, p, G);
    // force on d₃ = −G₃, along +z: from −0.3 towards 1
    expect(-G[8]).toBeCloseTo(SURFACE.normalStiffness * 1.3 ** 2, 9);
    // with r₃₃ made positive (q₃ = −z) it would be pushed away, towards −1
    const flipped = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0.3);
    surfaceGradient(flipped, p);
    writeFrameStress(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, -1), flipped, p, G);
    expect(-G[8]).toBeLessThan(0);
  });
});

describe('curves', () => {
  test('have √J₂ = 2μ(ε₁ − ε₂)/J, σ₂₂ + σ₃₃ = 2(μ + λ)(ε₁ + ε₂)/J, (σ₁₂, σ₁₃) = γ/J R₃ (r₁₂, r₁₃) (7)', () => {
    const random = createRandom(23);
    for (let n = 0; n < 200; n++) {
      const { q, r } = computeQr3x3(randomFrame(random, 0.3));
      if (r[8] < 0.2) continue;
      const sigma = stressInFrame(q, r, curveGradient);
      const s = computeSvd2x2(Float64Array.of(r[4], r[5], 0, r[8])).sigma;
      const [e1, e2] = [Math.log(s[0]), Math.log(s[1])];
      const J = r[0] * r[4] * r[8];
      const { mu, lambda, shearStiffness: gamma } = CURVE;
      const root = Math.sqrt((sigma[4] - sigma[8]) ** 2 + 4 * sigma[5] ** 2);
      const scale = norm(sigma);
      expect(Math.abs(root - (2 * mu * (e1 - e2)) / J)).toBeLessThan(1e-12 * scale);
      expect(Math.abs(sigma[4] + sigma[8] - (2 * (mu + lambda) * (e1 + e2)) / J)).toBeLessThan(1e-12 * scale);
      expect(Math.abs(sigma[1] - (gamma / J) * (r[4] * r[1] + r[5] * r[2]))).toBeLessThan(1e-12 * scale);
      expect(Math.abs(sigma[2] - (gamma / J) * (r[8] * r[2]))).toBeLessThan(1e-12 * scale);
    }
  });

  test.each(ALONG_FRICTIONS)(
    'obey both friction laws, equal where they yielded, with the volume kept; again changes nothing (8): %s',
    (alongRule) => {
      const random = createRandom(24);
      const law = { ...CURVE, alongRule };
      let [across, along, isTurned, isSteeper] = [0, 0, 0, 0];
      for (let n = 0; n < 3000; n++) {
        const { q, r } = computeQr3x3(randomFrame(random, 0.25));
        if (r[8] < 0.3 || r[4] * r[8] > 0.999) continue;
        const [q0, before] = [Float64Array.from(q), Float64Array.from(r)];
        const trial = stressInFrame(q, r, curveGradient);
        const trialRoot = Math.sqrt((trial[4] - trial[8]) ** 2 + 4 * trial[5] ** 2);
        const yieldsAcross = trialRoot + 0.5 * law.acrossFriction * (trial[4] + trial[8]) > 0;
        projectCurve(q, r, law, work, true);
        const sigma = stressInFrame(q, r, curveGradient);
        const root = Math.sqrt((sigma[4] - sigma[8]) ** 2 + 4 * sigma[5] ** 2);
        const pressure = -(sigma[4] + sigma[8]);
        const excess = root - 0.5 * law.acrossFriction * pressure;
        expect(excess).toBeLessThan(1e-11 * pressure);
        if (yieldsAcross) {
          across++;
          expect(Math.abs(excess)).toBeLessThan(1e-11 * pressure);
          if (Math.abs(q[1] - q0[1]) > 1e-3) isTurned++;
        } else for (const k of [4, 5, 8]) expect(r[k]).toBe(before[k]);
        // what presses on the plane of the shear, or the mean
        const [a, b] = [sigma[1], sigma[2]];
        const normal = (a * a * sigma[4] + 2 * a * b * sigma[5] + b * b * sigma[8]) / (a * a + b * b);
        const limit = law.alongFriction * (alongRule === 'mean' ? 0.5 * pressure : Math.max(0, -normal));
        const shear = a === 0 && b === 0 ? 0 : Math.hypot(a, b) - limit;
        expect(shear).toBeLessThan(1e-11 * pressure);
        const ratio = r[1] / before[1];
        if (Math.abs(ratio - 1) > 1e-9) {
          along++;
          expect(Math.abs(shear)).toBeLessThan(1e-11 * pressure);
          isSteeper += -normal > 0.55 * pressure ? 1 : 0;
          expect(r[2] / before[2]).toBeCloseTo(ratio, 10);
        }
        // volume, fibre, triangularity, frame
        expect((r[4] * r[8]) / (before[4] * before[8])).toBeCloseTo(1, 13);
        expect(r[0]).toBe(before[0]);
        expect(r[4]).toBeGreaterThan(0);
        expect(Array.from(multiply(q, transpose(q))).every((x, k) => Math.abs(x - (k % 4 === 0 ? 1 : 0)) < 1e-14)).toBe(
          true,
        );
        expect(determinantMat3(q)).toBeCloseTo(1, 13);
        for (const k of [0, 3, 6]) expect(q[k]).toBe(q0[k]);
        expect(computeCurveEnergy(r, law, work)).toBeLessThanOrEqual(
          computeCurveEnergy(before, law, work) * (1 + 1e-14),
        );
        const d = multiply(q, r);
        const again = computeQr3x3(d);
        projectCurve(again.q, again.r, law, work, true);
        expect(relativeError(multiply(again.q, again.r), d)).toBeLessThan(1e-13);
      }
      expect(across).toBeGreaterThan(300);
      expect(along).toBeGreaterThan(300);
      expect(isTurned).toBeGreaterThan(100);
      // and the two rules differ
      expect(isSteeper).toBeGreaterThan(100);
    },
  );

  test('part freely: a cross-section that grew has neither strain nor shear, the fibre keeps its stretch (8)', () => {
    const { q, r } = computeQr3x3(
      multiply(randomRotation(createRandom(3)), Float64Array.of(1.1, 0.2, 0.1, 0, 1.3, 0.2, 0, 0, 0.95)),
    );
    expect(projectCurve(q, r, CURVE, work, true)).toBe(true);
    expect(r[0]).toBeCloseTo(1.1, 14);
    expect(relativeError(r, Float64Array.of(r[0], 0, 0, 0, 1, 0, 0, 0, 1))).toBeLessThan(1e-14);
    expect(computeCurveEnergy(r, CURVE, work)).toBeCloseTo(0.5 * CURVE.fibreStiffness * (r[0] - 1) ** 2, 9);
  });

  test('that are crushed or inverted have their smallest stretch lifted, their shear forgotten and a finite stress (8)', () => {
    for (const r33 of [-0.4, 0, 0.01]) {
      const { q, r } = computeQr3x3(Float64Array.of(1, 0.1, 0.2, 0, 1, 0.1, 0, 0, r33));
      for (const isPlastic of [false, true]) {
        const [q1, r1] = [Float64Array.from(q), Float64Array.from(r)];
        expect(projectCurve(q1, r1, CURVE, work, isPlastic)).toBe(true);
        expect([r1[1], r1[2]]).toEqual([0, 0]);
        const s = computeSvd2x2(Float64Array.of(r1[4], r1[5], 0, r1[8])).sigma;
        expect(s[1]).toBeGreaterThan(SMALLEST_STRETCH * (1 - 1e-12));
        expect(norm(stressInFrame(q1, r1, curveGradient))).toBeLessThan(1e9);
      }
    }
  });

  test('without plasticity keep what they have', () => {
    const { q, r } = computeQr3x3(randomFrame(createRandom(4), 0.2));
    const [q0, r0] = [Float64Array.from(q), Float64Array.from(r)];
    expect(projectCurve(q, r, CURVE, work, false)).toBe(false);
    expect(q).toEqual(q0);
    expect(r).toEqual(r0);
  });
});

describe('friction coefficients (9)', () => {
  // σ_I − σ_II = −sin Φ (σ_I + σ_II) on the limit: α = 2 sin Φ
  const effective = (alpha: number): number => Math.asin(alpha / 2) / DEGREE;
  test.each([
    [10, 2.9, 8.2],
    [20, 6.0, 17.3],
    [40, 12.9, 39.0],
  ])('Φ = %i° acts as %f° as printed, %f° in Klár’s scaling, exactly by default', (angle, printed, klar) => {
    expect(effective(computeCrossFriction(angle * DEGREE, 'exact'))).toBeCloseTo(angle, 10);
    expect(effective(computeCrossFriction(angle * DEGREE, 'klar'))).toBeCloseTo(klar, 0.9);
    expect(effective(computeCrossFriction(angle * DEGREE, 'printed'))).toBeCloseTo(printed, 0.9);
    const sine = Math.sin(angle * DEGREE);
    expect(computeKlarFriction(angle * DEGREE)).toBeCloseTo((Math.sqrt(2 / 3) * 2 * sine) / (3 - sine), 14);
  });

  test('a curve at its limit across has the Mohr–Coulomb angle Φ on its worst plane', () => {
    const random = createRandom(25);
    for (let n = 0; n < 50; n++) {
      const { q, r } = computeQr3x3(multiply(randomFrame(random, 0.1), Float64Array.of(1, 0, 0, 0, 1.3, 0, 0, 0, 0.5)));
      r[1] = 0;
      r[2] = 0;
      expect(projectCurve(q, r, CURVE, work, true)).toBe(true);
      const sigma = stressInFrame(q, r, curveGradient);
      let steepest = 0;
      for (let k = 0; k < 3600; k++) {
        const [c, s] = [Math.cos((k * Math.PI) / 3600), Math.sin((k * Math.PI) / 3600)];
        const normal = c * c * sigma[4] + 2 * c * s * sigma[5] + s * s * sigma[8];
        const shear = -c * s * sigma[4] + (c * c - s * s) * sigma[5] + c * s * sigma[8];
        steepest = Math.max(steepest, Math.atan2(Math.abs(shear), -normal));
      }
      expect(steepest).toBeCloseTo(0.35, 5);
    }
  });

  test('|q̂ᵀσn| + c_F nᵀσn has the maximum √J₂/2 √(1 + c_F²) + c_F (σ₂₂ + σ₃₃)/2, within the paper’s bound for c_F ≤ √3 only', () => {
    const random = createRandom(26);
    let broken = 0;
    for (let n = 0; n < 300; n++) {
      const [a, b, d] = [random.uniform(-2, 0), random.uniform(-1, 1), random.uniform(-2, 0)];
      const root = Math.sqrt((a - d) ** 2 + 4 * b ** 2);
      const friction = random.uniform(0, 3);
      let most = -Infinity;
      for (let k = 0; k < 7200; k++) {
        const [c, s] = [Math.cos((k * Math.PI) / 7200), Math.sin((k * Math.PI) / 7200)];
        const normal = c * c * a + 2 * c * s * b + s * s * d;
        const shear = Math.abs(c * s * (d - a) + (c * c - s * s) * b);
        most = Math.max(most, shear + friction * normal);
      }
      const exact = 0.5 * root * Math.sqrt(1 + friction ** 2) + 0.5 * friction * (a + d);
      expect(Math.abs(most - exact)).toBeLessThan(1e-5);
      const bound = root + 0.5 * friction * (a + d);
      if (friction <= Math.sqrt(3)) expect(exact).toBeLessThanOrEqual(bound + 1e-12);
      else if (exact > bound) broken++;
    }
    expect(broken).toBeGreaterThan(50);
  });
});

describe('sand', () => {
  const material = {
    type: 'sand',
    density: 1600,
    youngsModulus: 3e5,
    poissonRatio: 0.3,
    frictionAngle: 32 * DEGREE,
  } as const;
  const law = computeSandLaw(material);
  const klar = computeSandLaw({ ...material, sandFriction: 'klar' });
  const project = (F: Float64Array, gain: Float64Array): boolean => projectSand(F, 0, gain, 0, law, bulk);

  /** How far a stress is beyond the limit, over the pressure: Drucker–Prager's 2μ‖dev ε‖ ≤ −α (3λ + 2μ) tr ε = −3 α mean, or Mohr–Coulomb's. */
  const excessOf = (tau: Float64Array, rule: SandFriction): number => {
    const mean = (tau[0] + tau[4] + tau[8]) / 3;
    if (rule === 'klar') {
      const deviator = norm(tau.map((x, k) => (k % 4 === 0 ? x - mean : x)));
      return (deviator + 3 * klar.friction * mean) / -mean;
    }
    const [high, , low] = computeSymmetricEigen(tau).values.toSorted((a, b) => b - a);
    return (high - low + (high + low) * Math.sin(32 * DEGREE)) / -mean;
  };

  test.each(SAND_FRICTIONS)(
    'obeys its limit, is on it where it yielded, keeps volume, loses energy; again changes nothing: %s',
    (rule) => {
      const random = createRandom(27);
      const own = rule === 'exact' ? law : klar;
      let [yielded, edges] = [0, 0];
      for (let n = 0; n < 2000; n++) {
        const F = multiply(randomFrame(random, 0.25), Float64Array.of(0.9, 0, 0, 0, 0.9, 0, 0, 0, 0.9));
        if (determinantMat3(F) > 0.98 || determinantMat3(F) < 0.2) continue;
        const before = Float64Array.from(F);
        const gain = new Float64Array(1);
        const changed = projectSand(F, 0, gain, 0, own, bulk);
        const tau = new Float64Array(9);
        writeBulkStress(F, 0, own, bulk, tau);
        expect(excessOf(tau, rule)).toBeLessThan(1e-10);
        if (changed) {
          yielded++;
          expect(excessOf(tau, rule)).toBeGreaterThan(-1e-10);
          const s = computeSvd3x3(F).sigma;
          if (Math.min(s[0] - s[1], s[1] - s[2]) < 1e-12) edges++;
        } else expect(F).toEqual(before);
        expect(determinantMat3(F) / determinantMat3(before)).toBeCloseTo(1, 11);
        expect(gain[0]).toBe(0);
        expect(computeBulkEnergy(F, 0, own, bulk)).toBeLessThanOrEqual(
          computeBulkEnergy(before, 0, own, bulk) * (1 + 1e-12),
        );
        // what it lost was work of the stress that was left: dissipation τ : (ε̂ − ε) ≥ 0
        const [start, end] = [before, F].map((f) => Array.from(computeSvd3x3(f).sigma, Math.log));
        const { mu, lambda } = own;
        const power = end.reduce(
          (sum, e, k) => sum + (2 * mu * e + lambda * (end[0] + end[1] + end[2])) * (start[k] - e),
          0,
        );
        expect(power).toBeGreaterThan(-1e-9);
        const again = Float64Array.from(F);
        projectSand(again, 0, gain, 0, own, bulk);
        expect(relativeError(again, F)).toBeLessThan(1e-12);
      }
      expect(yielded).toBeGreaterThan(400);
      if (rule === 'exact') expect(edges).toBeGreaterThan(50);
    },
  );

  /** The angle of the steepest stress: sin φ = (τ₁ − τ₃)/−(τ₁ + τ₃). */
  const angleOf = (F: Float64Array, own: SandLaw): number => {
    const tau = new Float64Array(9);
    writeBulkStress(F, 0, own, bulk, tau);
    const [high, , low] = computeSymmetricEigen(tau).values.toSorted((a, b) => b - a);
    return Math.asin((high - low) / -(high + low)) / DEGREE;
  };

  test('slides at its friction angle in triaxial compression, and in extension as well', () => {
    for (const own of [law, klar]) {
      const F = Float64Array.of(1.15, 0, 0, 0, 1.15, 0, 0, 0, 0.5);
      expect(projectSand(F, 0, new Float64Array(1), 0, own, bulk)).toBe(true);
      expect(angleOf(F, own)).toBeCloseTo(32, 8);
    }
    const F = Float64Array.of(1.3, 0, 0, 0, 0.7, 0, 0, 0, 0.7);
    expect(project(F, new Float64Array(1))).toBe(true);
    expect(angleOf(F, law)).toBeCloseTo(32, 8);
  });

  test('slides at its friction angle in plane strain, where Klár’s condition has 30° act as 43.9°', () => {
    for (const [own, angle] of [
      [computeSandLaw({ ...material, frictionAngle: 30 * DEGREE }), 30],
      [computeSandLaw({ ...material, frictionAngle: 30 * DEGREE, sandFriction: 'klar' }), 43.86],
    ] as const) {
      // pressed, then sheared on and on: the third stress finds the value that flow leads to
      const F = Float64Array.of(0.97, 0, 0, 0, 0.97, 0, 0, 0, 0.97);
      const gain = new Float64Array(1);
      for (let n = 0; n < 400; n++) {
        F[0] *= 1.001;
        F[8] /= 1.001;
        projectSand(F, 0, gain, 0, own, bulk);
      }
      expect(angleOf(F, own)).toBeCloseTo(angle, 1);
    }
  });

  test('that parts and comes back has its volume, and pushes only below it', () => {
    const gain = new Float64Array(1);
    let F = Float64Array.of(1.1, 0, 0, 0, 1.1, 0, 0, 0, 1.1);
    project(F, gain);
    expect(gain[0]).toBeCloseTo(3 * Math.log(1.1), 14);
    expect(norm(F.map((x, k) => (k % 4 === 0 ? x - 1 : x)))).toBeLessThan(1e-14);
    const press = (s: number): number => {
      F = F.map((x) => x * s);
      project(F, gain);
      const tau = new Float64Array(9);
      writeBulkStress(F, 0, law, bulk, tau);
      return -tau[0];
    };
    expect(Math.abs(press(1 / 1.05))).toBeLessThan(1e-8);
    expect(gain[0]).toBeGreaterThan(0);
    // now 1.1/1.05/1.06 = 0.98833 of the length at rest
    const pressure = press(1 / 1.06);
    expect(gain[0]).toBe(0);
    expect(pressure / (-(3 * law.lambda + 2 * law.mu) * Math.log(1.1 / 1.05 / 1.06))).toBeCloseTo(1, 9);
  });

  test('that is crushed or inverted keeps a finite stress', () => {
    for (const z of [-0.5, 0, 1e-3]) {
      const F = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, z);
      project(F, new Float64Array(1));
      const s = computeSvd3x3(F).sigma;
      expect(s[2]).toBeGreaterThan(0.04);
      expect(Number.isFinite(computeBulkEnergy(F, 0, law, bulk))).toBe(true);
    }
  });
});

describe('goo', () => {
  const material = {
    type: 'goo',
    density: 1000,
    youngsModulus: 5e3,
    poissonRatio: 0.4,
    yieldStress: 200,
    viscosity: 0,
  } as const;
  const deviatorOf = (F: Float64Array, law: ReturnType<typeof computeGooLaw>): number => {
    const tau = new Float64Array(9);
    writeBulkStress(F, 0, law, bulk, tau);
    const mean = (tau[0] + tau[4] + tau[8]) / 3;
    return norm(tau.map((x, k) => (k % 4 === 0 ? x - mean : x)));
  };

  test('without viscosity yields at its yield stress in tension, keeps volume, loses energy; again changes nothing', () => {
    const law = computeGooLaw(material);
    // uniaxial: ‖dev τ‖ = √(2/3) yield stress
    expect(law.flowStress).toBeCloseTo(Math.sqrt(2 / 3) * 200, 10);
    const random = createRandom(28);
    for (let n = 0; n < 200; n++) {
      const F = randomFrame(random, 0.3);
      if (determinantMat3(F) < 0.3) continue;
      const before = Float64Array.from(F);
      const trial = deviatorOf(F, law);
      const changed = projectGoo(F, 0, 1e-3, law, bulk);
      expect(changed).toBe(trial > law.flowStress);
      if (!changed) continue;
      expect(deviatorOf(F, law) / law.flowStress).toBeCloseTo(1, 10);
      expect(determinantMat3(F) / determinantMat3(before)).toBeCloseTo(1, 11);
      expect(computeBulkEnergy(F, 0, law, bulk)).toBeLessThan(computeBulkEnergy(before, 0, law, bulk));
      const again = Float64Array.from(F);
      projectGoo(again, 0, 1e-3, law, bulk);
      expect(relativeError(again, F)).toBeLessThan(1e-12);
    }
  });

  test('flows as a Bingham liquid: at the shear rate ġ the stress tends to y + 2 η ‖dev D‖', () => {
    const law = computeGooLaw({ ...material, viscosity: 30 });
    const [h, rate] = [1e-4, 8];
    let F = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    for (let n = 0; n < 20_000; n++) {
      F = multiply(Float64Array.of(1, h * rate, 0, 0, 1, 0, 0, 0, 1), F);
      projectGoo(F, 0, h, law, bulk);
    }
    // D has the entries ġ/2 twice: ‖D‖ = ġ/√2
    const expected = law.flowStress + 2 * law.viscosity * (rate / Math.SQRT2);
    // the finite elastic strain turns the principal axes: second order in stress/μ
    expect(deviatorOf(F, law) / expected).toBeCloseTo(1, 1);
    const stiff = { ...law, mu: 1000 * law.mu, lambda: 1000 * law.lambda };
    F = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    for (let n = 0; n < 2000; n++) {
      F = multiply(Float64Array.of(1, h * rate, 0, 0, 1, 0, 0, 0, 1), F);
      projectGoo(F, 0, h, stiff, bulk);
    }
    expect(deviatorOf(F, stiff) / expected).toBeCloseTo(1, 4);
  });

  test('of infinite yield stress is a solid', () => {
    const law = computeGooLaw({ ...material, yieldStress: Number.POSITIVE_INFINITY });
    const F = randomFrame(createRandom(29), 0.3);
    expect(projectGoo(F, 0, 1, law, bulk)).toBe(false);
  });
});
