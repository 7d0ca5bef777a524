/**
 * Every energy of the registry CURVE_ENERGIES: force and stiffness against central differences, rigid-motion
 * invariance, balance of internal forces and torques, symmetry and positive semi-definiteness of the stiffness.
 */
import { CURVE_ENERGIES, type CurveMaterial, STRETCH } from 'heddle/curve';
import { createRandom, quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const CORD: CurveMaterial = { linearDensity: 0.3, stretchStiffness: 40, bendingStiffness: 0.2, radius: 0.01 };
const MUSCLE: CurveMaterial = { ...CORD, restFactor: 0.7 };
const G: Vec3 = [1.2, -9.7, 0.8];

/** Three nodes in a random, uneven, bent and stretched configuration. */
function createNodes(seed: number): Float64Array {
  const random = createRandom(seed);
  const q = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    q[4 * i] = 0.9 * i + random.uniform(-0.25, 0.25);
    q[4 * i + 1] = random.uniform(-0.4, 0.4);
    q[4 * i + 2] = random.uniform(-0.4, 0.4);
    q[4 * i + 3] = 0.7 * i + random.uniform(-0.15, 0.15);
  }
  return q;
}

/** Smallest eigenvalue by bisection on LDLT inertia is overkill: Gershgorin-free check by shifted Cholesky. */
function isPositiveSemiDefinite(K: Float64Array, n: number, shift: number): boolean {
  const L = K.slice();
  for (let j = 0; j < n; j++) {
    let d = L[j * n + j] + shift;
    for (let k = 0; k < j; k++) d -= L[j * n + k] ** 2;
    if (!(d > 0)) return false;
    L[j * n + j] = Math.sqrt(d);
    for (let i = j + 1; i < n; i++) {
      let sum = L[i * n + j];
      for (let k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = sum / L[j * n + j];
    }
  }
  return true;
}

for (const [energy, MATERIAL] of [
  ...CURVE_ENERGIES.map((energy) => [energy, CORD] as const),
  [STRETCH, MUSCLE] as const,
])
  describe(`${energy.name}: ${energy.formula}, λ₀ = ${MATERIAL.restFactor ?? 1}`, () => {
    const size = 4 * energy.nodes;
    const force = (q: Float64Array) => {
      const out = new Float64Array(12);
      energy.addForce(q, 0, MATERIAL, G, out);
      return out;
    };

    test('force is −∂V/∂q', () => {
      for (let seed = 1; seed <= 50; seed++) {
        const q = createNodes(seed);
        const f = force(q);
        const scale = Math.hypot(...f);
        expect(scale).toBeGreaterThan(1e-4);
        for (let i = 0; i < size; i++) {
          const step = 1e-6;
          const value = (s: number) => energy.computeEnergy(q.with(i, q[i] + s), 0, MATERIAL, G);
          const slope = (value(step) - value(-step)) / (2 * step);
          expect(Math.abs(f[i] + slope)).toBeLessThan(1e-7 * (1 + scale));
        }
      }
    });

    test('stiffness is symmetric and positive semi-definite', () => {
      for (let seed = 1; seed <= 50; seed++) {
        const K = new Float64Array(size * size);
        energy.addStiffness(createNodes(seed), 0, MATERIAL, G, K);
        for (let r = 0; r < size; r++)
          for (let c = 0; c < r; c++) expect(K[r * size + c]).toBeCloseTo(K[c * size + r], 10);
        expect(isPositiveSemiDefinite(K, size, 1e-9 * (1 + Math.max(...K)))).toBe(true);
      }
    });

    if (energy.internal) {
      test('forces and torques sum to zero, and rigid motion changes nothing', () => {
        for (let seed = 1; seed <= 20; seed++) {
          const q = createNodes(seed);
          const f = force(q);
          for (let k = 0; k < 3; k++) {
            const [a, b] = [(k + 1) % 3, (k + 2) % 3];
            let sum = 0;
            let torque = 0;
            for (let i = 0; i < energy.nodes; i++) {
              sum += f[4 * i + k];
              torque += q[4 * i + a] * f[4 * i + b] - q[4 * i + b] * f[4 * i + a];
            }
            expect(Math.abs(sum)).toBeLessThan(1e-12);
            expect(Math.abs(torque)).toBeLessThan(1e-12);
          }
          const turn = quaternionFromAxisAngle([0.3, -0.8, 0.5], 1.1);
          const moved = q.slice();
          for (let i = 0; i < 3; i++) {
            const x = rotateVec3(turn, [q[4 * i], q[4 * i + 1], q[4 * i + 2]]);
            moved.set([x[0] + 3, x[1] - 2, x[2] + 1], 4 * i);
            moved[4 * i + 3] = q[4 * i + 3] + 0.7;
          }
          expect(energy.computeEnergy(moved, 0, MATERIAL, G)).toBeCloseTo(energy.computeEnergy(q, 0, MATERIAL, G), 11);
        }
      });
    }
  });

describe('where the stiffness claims to be exact', () => {
  type Energy = (typeof CURVE_ENERGIES)[number];
  const compare = (energy: Energy, MATERIAL: CurveMaterial, q: Float64Array, tolerance: number, step: number) => {
    const size = 4 * energy.nodes;
    const K = new Float64Array(size * size);
    energy.addStiffness(q, 0, MATERIAL, G, K);
    const scale = Math.max(...K);
    expect(scale).toBeGreaterThan(0.1);
    for (let c = 0; c < size; c++) {
      const [high, low] = [new Float64Array(12), new Float64Array(12)];
      energy.addForce(q.with(c, q[c] + step), 0, MATERIAL, G, high);
      energy.addForce(q.with(c, q[c] - step), 0, MATERIAL, G, low);
      for (let r = 0; r < size; r++)
        expect(Math.abs(K[r * size + c] + (high[r] - low[r]) / (2 * step))).toBeLessThan(tolerance * scale);
    }
  };

  test('stretch in tension: K = −∂f/∂q', () => {
    let tested = 0;
    for (let seed = 1; seed <= 50; seed++) {
      const q = createNodes(seed);
      const l = Math.hypot(q[4] - q[0], q[5] - q[1], q[6] - q[2]);
      for (const material of [CORD, MUSCLE]) {
        if (l / (q[7] - q[3]) < (material.restFactor ?? 1)) continue;
        compare(STRETCH, material, q, 1e-8, 1e-6);
        tested++;
      }
    }
    expect(tested).toBeGreaterThan(60);
  });

  test('bending of a straight curve: K = −∂f/∂q', () => {
    const bending = CURVE_ENERGIES.find((energy) => energy.name === 'bending')!;
    const q = Float64Array.from([0, 0, 0, 0, 0.3, 0.6, -0.2, 0.7, 0.75, 1.5, -0.5, 1.6]);
    compare(bending, CORD, q, 1e-5, 1e-4);
  });
});
