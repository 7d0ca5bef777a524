import fc from 'fast-check';
import {
  addMat3,
  columnOfMat3,
  columnsMat3,
  computePolar3x2,
  computePolar3x3,
  computeQr3x2,
  computeQr3x3,
  computeSvd2x2,
  computeSvd3x2,
  computeSvd3x3,
  computeSymmetricEigen,
  createRandom,
  crossMat3,
  crossVec3,
  determinantMat3,
  diagonalMat3,
  identityMat3,
  inverseMat3,
  type Mat3,
  mat3,
  multiplyMat3,
  outerMat3,
  subMat3,
  traceMat3,
  transformTransposedVec3,
  transformVec3,
  transposeMat3,
} from 'heddle/math';
import { describe, expect, test } from 'vitest';

// numbers below 1e-150 have squares below the smallest with all their digits, and no order that could be checked
const entry = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => (Math.abs(x) < 1e-150 ? 0 : x));
const entries = (n: number): fc.Arbitrary<Float64Array> =>
  fc.array(entry, { minLength: n, maxLength: n }).map((values) => Float64Array.from(values));

/** rows×inner times inner×columns. */
const multiply = (a: Float64Array, b: Float64Array, inner: number): Float64Array => {
  const rows = a.length / inner;
  const columns = b.length / inner;
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      for (let k = 0; k < inner; k++) out[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    }
  }
  return out;
};
const transpose = (a: Float64Array, columns: number): Float64Array => {
  const rows = a.length / columns;
  return Float64Array.from({ length: a.length }, (_, i) => a[(i % rows) * columns + Math.floor(i / rows)]);
};
const largest = (a: Float64Array): number => a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const difference = (a: Float64Array, b: Float64Array): number => largest(a.map((value, i) => value - b[i]));
const diagonal = (values: Float64Array): Float64Array => {
  const n = values.length;
  return Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? values[i / (n + 1)] : 0));
};
const expectOrthonormal = (q: Float64Array, columns: number): void => {
  const product = multiply(transpose(q, columns), q, 3);
  expect(difference(product, diagonal(new Float64Array(columns).fill(1)))).toBeLessThan(2e-14);
};
const expectRotation = (q: Mat3): void => {
  expectOrthonormal(q, 3);
  expect(determinantMat3(q)).toBeCloseTo(1, 13);
};

/** Rounding of numbers too small to have all their digits. */
const SUBNORMAL = 1e-320;

/** Zero, rank 1 and 2, inverted, nearly singular, badly scaled, equal singular values. */
const HARD: Record<string, Mat3> = {
  zero: mat3(0, 0, 0, 0, 0, 0, 0, 0, 0),
  identity: identityMat3(),
  reflection: diagonalMat3(-1, -1, -1),
  mirror: diagonalMat3(1, 1, -1),
  'rank 1': outerMat3([1, 2, 3], [-1, 0.5, 2]),
  'rank 2': mat3(1, 2, 3, 4, 5, 6, 7, 8, 9),
  'first column zero': mat3(0, 1, 2, 0, 3, 1, 0, 1, 1),
  'equal columns': mat3(1, 1, 0, 2, 2, 0, 3, 3, 0),
  'nearly equal columns': mat3(1, 1 + 1e-13, 0, 2, 2, 1e-13, 3, 3, 0),
  graded: mat3(1e10, 1, 1e-10, 2e10, 3, 2e-10, -1e10, 5, 7e-10),
  tiny: diagonalMat3(1e-160, 3e-160, 2e-160),
  huge: diagonalMat3(1e160, -3e160, 2e160),
  'single entry': mat3(0, 0, 0, 0, 0, 1, 0, 0, 0),
};

describe('3×3 matrices', () => {
  test('inverse, determinant, transpose and products obey their identities', () => {
    fc.assert(
      fc.property(entries(9), entries(9), (a, b) => {
        expect(determinantMat3(multiplyMat3(a, b))).toBeCloseTo(determinantMat3(a) * determinantMat3(b), 13);
        expect(difference(transposeMat3(multiplyMat3(a, b)), multiplyMat3(transposeMat3(b), transposeMat3(a)))).toBe(0);
        if (Math.abs(determinantMat3(a)) > 1e-2) {
          expect(difference(multiplyMat3(a, inverseMat3(a)), identityMat3())).toBeLessThan(1e-12);
        }
        const inPlace = Float64Array.from(a);
        multiplyMat3(inPlace, b, inPlace);
        expect(difference(inPlace, multiplyMat3(a, b))).toBe(0);
        const squared = Float64Array.from(a);
        multiplyMat3(squared, squared, squared);
        expect(difference(squared, multiplyMat3(a, a))).toBe(0);
      }),
    );
  });

  test('read columns and take cross and transposed products of vectors', () => {
    const m = columnsMat3([1, 2, 3], [4, 5, 6], [7, 8, 10]);
    expect(columnOfMat3(m, 1)).toEqual([4, 5, 6]);
    expect(transformVec3(m, [1, 0, 0])).toEqual([1, 2, 3]);
    expect(transformTransposedVec3(m, [1, 0, 0])).toEqual([1, 4, 7]);
    expect(transformVec3(crossMat3([1, 2, 3]), [-2, 5, 0.5])).toEqual(crossVec3([1, 2, 3], [-2, 5, 0.5]));
    expect(traceMat3(m)).toBe(16);
    expect(Array.from(subMat3(addMat3(m, m), m))).toEqual(Array.from(m));
  });

  test('tiny and huge matrices are inverted, singular ones refused', () => {
    const inverse = inverseMat3(diagonalMat3(1e-120, 2e-120, 4e-120));
    expect(inverse[0] / 1e120).toBeCloseTo(1, 12);
    expect(() => inverseMat3(HARD.zero)).toThrow(/singular/);
    expect(() => inverseMat3(HARD['equal columns'])).toThrow(RangeError);
    expect(() => inverseMat3(diagonalMat3(1, Number.NaN, 1))).toThrow(RangeError);
  });
});

describe('2×2 SVD', () => {
  const check = (f: Float64Array): void => {
    const { u, sigma, v } = computeSvd2x2(f);
    for (const m of [u, v]) {
      expect(difference(multiply(transpose(m, 2), m, 2), Float64Array.of(1, 0, 0, 1))).toBeLessThan(1e-15);
      expect(m[0] * m[3] - m[1] * m[2]).toBeCloseTo(1, 14);
    }
    expect(sigma[0]).toBeGreaterThanOrEqual(Math.abs(sigma[1]) * (1 - 1e-15));
    const back = multiply(multiply(u, diagonal(sigma), 2), transpose(v, 2), 2);
    expect(difference(back, f)).toBeLessThanOrEqual(1e-15 * 2 * largest(f) + SUBNORMAL);
  };
  test('gives F = U diag(σ) Vᵀ with rotations U and V, σ₁ ≥ |σ₂|', () => {
    fc.assert(fc.property(entries(4), check));
    const hard = [
      [0, 0, 0, 0],
      [1, 0, 0, 1],
      [-1, 0, 0, -1],
      [1, 0, 0, -1],
      [-1, 0, 0, 1],
      [0, 1, 0, 0],
      [0, 1, -1, 0],
      [1, 2, 2, 4],
    ];
    for (const f of hard) check(Float64Array.from(f));
  });
  test('the small singular value of a triangular matrix keeps its digits', () => {
    const { sigma } = computeSvd2x2(Float64Array.of(1, 1e3, 0, 1e-9));
    // σ₁ σ₂ = det = 1e-9 exactly, σ₁² = ½ (S + √(S² − 4 det²)), S = ‖F‖²
    const squares = 1 + 1e6 + 1e-18;
    const first = Math.sqrt(0.5 * (squares + Math.sqrt(squares * squares - 4e-18)));
    expect(sigma[1] / (1e-9 / first)).toBeCloseTo(1, 14);
  });
});

describe('symmetric eigen-decomposition', () => {
  const check = (a: Mat3): void => {
    const { values, vectors } = computeSymmetricEigen(a);
    expectRotation(vectors);
    expect(values[0] <= values[1] && values[1] <= values[2]).toBe(true);
    const back = multiplyMat3(multiplyMat3(vectors, diagonalMat3(...values)), transposeMat3(vectors));
    expect(difference(back, a)).toBeLessThanOrEqual(1e-14 * largest(a) + SUBNORMAL);
  };
  test('gives A = Q diag(λ) Qᵀ, ascending, with a rotation Q', () => {
    fc.assert(fc.property(entries(9), (m) => check(addMat3(m, transposeMat3(m)))));
    for (const m of [HARD.zero, HARD.identity, HARD.mirror, outerMat3([1, 2, 3], [1, 2, 3])]) check(m);
    check(mat3(1, 1, 0, 1, 1, 0, 0, 0, 1e-12));
    check(diagonalMat3(3, 2, 1));
  });
  test('finds the eigenvalues 2 − √2, 2, 2 + √2 of a tridiagonal matrix', () => {
    const { values } = computeSymmetricEigen(mat3(2, -1, 0, -1, 2, -1, 0, -1, 2));
    expect(values[0]).toBeCloseTo(2 - Math.SQRT2, 14);
    expect(values[1]).toBeCloseTo(2, 14);
    expect(values[2]).toBeCloseTo(2 + Math.SQRT2, 14);
  });
  test('equal values that less than rounding couples keep their vectors, at every scale of the matrix', () => {
    for (const scale of [1, 2 ** -100])
      expect(
        computeSymmetricEigen(mat3(scale, scale * 1e-300, 0, scale * 1e-300, scale, 0, 0, 0, 2 * scale)).vectors,
      ).toEqual(identityMat3());
  });
});

const checkSvd3x3 = (f: Mat3): void => {
  const { u, sigma, v } = computeSvd3x3(f);
  expectRotation(u);
  expectRotation(v);
  const tolerance = 2e-14 * largest(f) + SUBNORMAL;
  expect(difference(multiply(multiply(u, diagonal(sigma), 3), transpose(v, 3), 3), f)).toBeLessThanOrEqual(tolerance);
  expect(sigma[0]).toBeGreaterThanOrEqual(sigma[1]);
  expect(sigma[1]).toBeGreaterThanOrEqual(Math.abs(sigma[2]) * (1 - 1e-14));
  const scaled = f.map((value) => value / (largest(f) || 1));
  if (Math.abs(determinantMat3(scaled)) > 1e-13) expect(Math.sign(sigma[2])).toBe(Math.sign(determinantMat3(scaled)));
};
const checkPolar3x3 = (f: Mat3): void => {
  const { r, s } = computePolar3x3(f);
  expectRotation(r);
  expect(difference(s, transposeMat3(s))).toBe(0);
  expect(difference(multiplyMat3(r, s), f)).toBeLessThanOrEqual(2e-14 * largest(f) + SUBNORMAL);
};
const checkQr3x3 = (f: Mat3): void => {
  const { q, r } = computeQr3x3(f);
  expectRotation(q);
  expect(difference(multiplyMat3(q, r), f)).toBeLessThanOrEqual(2e-14 * largest(f) + SUBNORMAL);
  expect([r[3], r[6], r[7]]).toEqual([0, 0, 0]);
  expect(r[0]).toBeGreaterThanOrEqual(0);
  expect(r[4]).toBeGreaterThanOrEqual(0);
};

describe('SVD, polar and QR of 3×3', () => {
  test('fulfil their equations for random matrices', () => {
    fc.assert(
      fc.property(entries(9), (f) => {
        checkSvd3x3(f);
        checkPolar3x3(f);
        checkQr3x3(f);
      }),
    );
  });
  test.each(Object.keys(HARD))('fulfil their equations for %s', (name) => {
    checkSvd3x3(HARD[name]);
    checkPolar3x3(HARD[name]);
    checkQr3x3(HARD[name]);
  });
  test('small singular values keep their relative accuracy: graded columns with σ = 1, 1e-8, 1e-16', () => {
    // F = U diag(σ) with U a rotation: the eigenvalues of FᵀF could not show σ₃ at all.
    const u = computeSvd3x3(HARD.graded).u;
    const { sigma } = computeSvd3x3(multiplyMat3(u, diagonalMat3(1, 1e-8, 1e-16)));
    expect(sigma[1] / 1e-8).toBeCloseTo(1, 12);
    expect(sigma[2] / 1e-16).toBeCloseTo(1, 12);
  });
  test('an inverted element shows as r₃₃ < 0 and σ₃ < 0 with everything else positive', () => {
    const random = createRandom(5);
    const f = Float64Array.from({ length: 9 }, () => random.normal());
    if (determinantMat3(f) > 0) for (let row = 0; row < 3; row++) f[3 * row + 2] *= -1;
    expect(computeQr3x3(f).r[8]).toBeLessThan(0);
    expect(computeSvd3x3(f).sigma[2]).toBeLessThan(0);
    expect(determinantMat3(computePolar3x3(f).s)).toBeLessThan(0);
    expect(computeQr3x3(f).r[0] * computeQr3x3(f).r[4] * computeQr3x3(f).r[8]).toBeCloseTo(determinantMat3(f), 13);
  });
  test('the polar rotation of R S is R', () => {
    const r = computeSvd3x3(HARD.graded).u;
    const s = mat3(2, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1);
    expect(difference(computePolar3x3(multiplyMat3(r, s)).r, r)).toBeLessThan(1e-14);
  });
});

describe('SVD, polar and QR of 3×2', () => {
  const check = (f: Float64Array): void => {
    const tolerance = 2e-14 * largest(f) + SUBNORMAL;
    const { u, sigma, v } = computeSvd3x2(f);
    expectOrthonormal(u, 2);
    expect(v[0] * v[3] - v[1] * v[2]).toBeCloseTo(1, 13);
    expect(difference(multiply(multiply(u, diagonal(sigma), 2), transpose(v, 2), 2), f)).toBeLessThanOrEqual(tolerance);
    expect(sigma[0] >= sigma[1] && sigma[1] >= 0).toBe(true);
    const { r: rotation, s } = computePolar3x2(f);
    expectOrthonormal(rotation, 2);
    expect(s[1]).toBe(s[2]);
    expect(difference(multiply(rotation, s, 2), f)).toBeLessThanOrEqual(tolerance);
    const { q, r } = computeQr3x2(f);
    expectRotation(q);
    const q2 = Float64Array.of(q[0], q[1], q[3], q[4], q[6], q[7]);
    expect(difference(multiply(q2, r, 2), f)).toBeLessThanOrEqual(tolerance);
    expect(r[0] >= 0 && r[3] >= 0 && r[2] === 0).toBe(true);
  };
  test('fulfil their equations for random matrices', () => {
    fc.assert(fc.property(entries(6), check));
  });
  test.each([
    ['zero', [0, 0, 0, 0, 0, 0]],
    ['flat sheet', [1, 0, 0, 0, 0, 1]],
    ['equal columns', [1, 1, 2, 2, 3, 3]],
    ['opposite columns', [1, -1, 2, -2, 3, -3]],
    ['first column zero', [0, 1, 0, 2, 0, 3]],
    ['nearly parallel', [1, 1, 1, 1 + 1e-14, 1, 1]],
    ['tiny', [1e-170, 0, 0, 2e-170, 0, 1e-170]],
    ['huge', [1e170, 0, 0, 2e170, 0, 1e170]],
  ])('fulfil their equations for %s', (_name, values) => check(Float64Array.from(values)));
});
