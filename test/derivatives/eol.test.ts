/**
 * The identities of [theory/eol] on random elements, for 1D and 2D material: inertia, the force of changing inertia and
 * the Eshelby force, each against differences of a scalar energy.
 */
import { EolElement } from 'heddle/eol';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const RHO = 1.7;

/** A random, well-shaped configuration and velocity. */
function createConfiguration(dimension: 1 | 2, seed: number) {
  const random = createRandom(seed);
  const element = new EolElement(dimension);
  const size = element.nodes * element.stride;
  const q = new Float64Array(size);
  const qdot = new Float64Array(size);
  const corners =
    dimension === 1
      ? [[0], [0.8]]
      : [
          [0, 0],
          [0.9, 0.1],
          [0.2, 0.7],
        ];
  for (let i = 0; i < element.nodes; i++)
    for (let c = 0; c < element.stride; c++) {
      q[i * element.stride + c] = random.uniform(-1, 1) * (c < 3 ? 1 : 0.1) + (c < 3 ? 0 : corners[i][c - 3]);
      qdot[i * element.stride + c] = random.uniform(-1, 1);
    }
  return { element, size, q, qdot };
}

function kineticEnergy(element: EolElement, q: Float64Array, qdot: Float64Array): number {
  element.setConfiguration(q);
  element.setVelocity(qdot);
  return element.computeKineticEnergy(RHO);
}

/** Central difference of f in direction i of x. */
function differentiate(f: (x: Float64Array) => number, x: Float64Array, i: number, step = 1e-5): number {
  const moved = x.slice();
  moved[i] = x[i] + step;
  const high = f(moved);
  moved[i] = x[i] - step;
  return (high - f(moved)) / (2 * step);
}

/** St Venant–Kirchhoff-like test energy ψ(F) = ¼‖FᵀF − I‖² + 0.3 tr F, with P = F (FᵀF − I) + 0.3 I. */
function testEnergy(F: Float64Array, d: number): { psi: number; P: Float64Array } {
  const P = new Float64Array(3 * d);
  let psi = 0;
  for (let a = 0; a < d; a++)
    for (let b = 0; b < d; b++) {
      let strain = a === b ? -1 : 0;
      for (let k = 0; k < 3; k++) strain += F[k * d + a] * F[k * d + b];
      psi += 0.25 * strain * strain;
      for (let k = 0; k < 3; k++) P[k * d + b] += F[k * d + a] * strain;
    }
  for (let a = 0; a < d; a++) {
    psi += 0.3 * F[a * d + a];
    P[a * d + a] += 0.3;
  }
  return { psi, P };
}

for (const dimension of [1, 2] as const)
  describe(`${dimension}D material`, () => {
    test('T = ½ q̇ᵀ M q̇ and M is symmetric', () => {
      for (let seed = 1; seed <= 20; seed++) {
        const { element, size, q, qdot } = createConfiguration(dimension, seed);
        const T = kineticEnergy(element, q, qdot);
        const M = new Float64Array(size * size);
        element.addMass(RHO, M);
        let quadratic = 0;
        for (let r = 0; r < size; r++)
          for (let c = 0; c < size; c++) {
            quadratic += 0.5 * qdot[r] * M[r * size + c] * qdot[c];
            expect(M[r * size + c]).toBeCloseTo(M[c * size + r], 14);
          }
        expect(T).toBeGreaterThan(0);
        expect(quadratic).toBeCloseTo(T, 13);
      }
    });

    test('M is singular along δx = F δX and nowhere else', () => {
      const { element, size, q } = createConfiguration(dimension, 5);
      element.setConfiguration(q);
      const slip = new Float64Array(size);
      for (let i = 0; i < element.nodes; i++)
        for (let a = 0; a < dimension; a++) {
          slip[i * element.stride + 3 + a] = 0.4 - 0.2 * i + a;
          for (let k = 0; k < 3; k++)
            slip[i * element.stride + k] += element.F[k * dimension + a] * slip[i * element.stride + 3 + a];
        }
      element.setVelocity(slip);
      expect(element.computeKineticEnergy(RHO)).toBeLessThan(1e-28);
      slip[0] += 0.1;
      element.setVelocity(slip);
      expect(element.computeKineticEnergy(RHO)).toBeGreaterThan(1e-4);
    });

    test('c = Ṁ q̇ − ∂T/∂q matches differences of the kinetic energy', () => {
      for (let seed = 1; seed <= 20; seed++) {
        const { element, size, q, qdot } = createConfiguration(dimension, seed);
        const momentum = (at: Float64Array, i: number) =>
          differentiate((velocity) => kineticEnergy(element, at, velocity), qdot, i, 1e-4);
        const c = new Float64Array(size);
        element.setConfiguration(q);
        element.setVelocity(qdot);
        element.addInertialForce(RHO, qdot, c);
        expect(Math.hypot(...c)).toBeGreaterThan(1e-2);
        for (let i = 0; i < size; i++) {
          const step = 1e-5;
          const along = (t: number) => q.map((value, k) => value + t * qdot[k]);
          const rate = (momentum(along(step), i) - momentum(along(-step), i)) / (2 * step);
          const slope = differentiate((at) => kineticEnergy(element, at, qdot), q, i);
          expect(Math.abs(c[i] - (rate - slope))).toBeLessThan(2e-5 * (1 + Math.abs(rate)));
        }
      }
    });

    test('f_x = −A P ∇φ and the Eshelby force f_X = −A (ψ I − Fᵀ P) ∇φ are −∂(Aψ)/∂q', () => {
      for (let seed = 1; seed <= 20; seed++) {
        const { element, size, q } = createConfiguration(dimension, seed);
        const energy = (at: Float64Array) => {
          element.setConfiguration(at);
          return element.measure * testEnergy(element.F, dimension).psi;
        };
        element.setConfiguration(q);
        const { psi, P } = testEnergy(element.F, dimension);
        const f = new Float64Array(size);
        element.addElasticForce(psi, P, f);
        const scale = Math.hypot(...f);
        expect(scale).toBeGreaterThan(1e-2);
        for (let i = 0; i < size; i++)
          expect(Math.abs(f[i] + differentiate(energy, q, i))).toBeLessThan(1e-8 * (1 + scale));
      }
    });
  });
