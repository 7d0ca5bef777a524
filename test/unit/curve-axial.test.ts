/**
 * The fused loops that assemble a curve, against the one-element functions they unroll: inertia and c of `eol`, and the
 * energies of CURVE_ENERGIES, summed densely.
 */
import {
  type AxialStage,
  addBendingSystem,
  BENDING,
  BendingStencil,
  CurveChain,
  GRAVITY,
  STRETCH,
  writeAxialSystem,
} from 'heddle/curve';
import { EolElement } from 'heddle/eol';
import { createRandom, type Vec3 } from 'heddle/math';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { expect, test } from 'vitest';

const CORD = { linearDensity: 0.3, stretchStiffness: 40, bendingStiffness: 0.2, radius: 0.01 };
/** λ₀ ≠ 1: shrunk, as a muscle. */
const MATERIAL = { ...CORD, restFactor: 0.93 };
const G: Vec3 = [1.2, -9.7, 0.8];

/** An uneven chain of 8 nodes under tension; the nodes in `free` have a free material coordinate. */
function createChain(seed: number, free: readonly number[]): CurveChain {
  const random = createRandom(seed);
  const chain = new CurveChain(MATERIAL, 8);
  chain.count = 8;
  for (let i = 0; i < 8; i++) {
    const [x, y, z] = [i + random.uniform(-0.2, 0.2), random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)];
    chain.q.set([x, y, z, 0.7 * i + random.uniform(-0.1, 0.1)], 4 * i);
    for (let k = 0; k < 4; k++) {
      const moves = k < 3 || free.includes(i);
      chain.v[4 * i + k] = moves ? random.uniform(-1, 1) : 0;
      chain.vBase[4 * i + k] = moves ? random.uniform(-1, 1) : 0;
    }
    chain.kind[i] = free.includes(i) ? NODE_EULERIAN : NODE_LAGRANGIAN;
    for (let k = 0; k < 4; k++)
      chain.qBase[4 * i + k] = chain.q[4 * i + k] + (k < 3 || free.includes(i) ? random.uniform(-0.05, 0.05) : 0);
  }
  return chain;
}

/** λ of segment e, and Δu ∂λ/∂q of its eight coordinates. */
function computeStretch(q: Float64Array, e: number): { lambda: number; direction: number[]; du: number } {
  const at = 4 * e;
  const d = [0, 1, 2].map((k) => q[at + 4 + k] - q[at + k]);
  const [l, du] = [Math.hypot(...d), q[at + 7] - q[at + 3]];
  const t = d.map((x) => x / l);
  return { lambda: l / du, direction: [...t.map((x) => -x), l / du, ...t, -l / du], du };
}

/** A and r of the header of `curve/axial.ts`, by one-element functions and dense sums. */
function assembleDensely(chain: CurveChain, stage: AxialStage, bending: boolean) {
  const n = 4 * chain.count;
  const { h, massDamping: alpha, stiffnessDamping: beta, linearized } = stage;
  const M = new Float64Array(n * n);
  const K = new Float64Array(n * n);
  // what damping is made of: rates of stretch and of angles
  const C = new Float64Array(n * n);
  const f = new Float64Array(n);
  const c = new Float64Array(n);
  const element = new EolElement(1);
  const scatter = (local: Float64Array, size: number, at: number, out: Float64Array) => {
    for (let r = 0; r < size; r++) for (let k = 0; k < size; k++) out[(at + r) * n + at + k] += local[r * size + k];
  };
  for (let e = 0; e + 1 < chain.count; e++) {
    const at = 4 * e;
    const qdot = chain.v.slice(at, at + 8);
    element.setConfiguration(chain.q.slice(at, at + 8));
    element.setVelocity(qdot);
    const mass = new Float64Array(64);
    element.addMass(MATERIAL.linearDensity, mass);
    scatter(mass, 8, at, M);
    const inertial = new Float64Array(8);
    element.addInertialForce(MATERIAL.linearDensity, qdot, inertial);
    for (let k = 0; k < 8; k++) c[at + k] += inertial[k];
  }
  for (const energy of bending ? [STRETCH, GRAVITY, BENDING] : [STRETCH, GRAVITY])
    for (let i = 0; i + energy.nodes <= chain.count; i++) {
      energy.addForce(chain.q, 4 * i, MATERIAL, G, f);
      const local = new Float64Array((4 * energy.nodes) ** 2);
      energy.addStiffness(chain.q, 4 * i, MATERIAL, G, local);
      scatter(local, 4 * energy.nodes, 4 * i, K);
    }
  const EA = MATERIAL.stretchStiffness / MATERIAL.restFactor;
  for (let e = 0; e + 1 < chain.count; e++) {
    const { lambda, direction, du } = computeStretch(chain.q, e);
    const kt = EA / du;
    scatter(
      Float64Array.from({ length: 64 }, (_, k) => kt * direction[k >> 3] * direction[k & 7]),
      8,
      4 * e,
      C,
    );
    if (linearized) continue;
    // the pull of damping, and what it adds to the stiffness across
    const pull = (beta / h) * EA * (lambda - computeStretch(chain.qBase, e).lambda);
    for (let k = 0; k < 8; k++) f[4 * e + k] -= pull * direction[k];
    const l = lambda * du;
    const tension = EA * (lambda - MATERIAL.restFactor);
    const across = (Math.max(0, tension + pull) - Math.max(0, tension)) / l;
    const local = new Float64Array(64);
    for (let r = 0; r < 8; r++)
      for (let k = 0; k < 8; k++) {
        const [a, b] = [r & 3, k & 3];
        if (a === 3 || b === 3) continue;
        const sign = r >> 2 === k >> 2 ? 1 : -1;
        local[8 * r + k] = sign * across * ((a === b ? 1 : 0) - direction[4 + a] * direction[4 + b]);
      }
    scatter(local, 8, 4 * e, K);
  }
  const stencil = new BendingStencil();
  stencil.bendingStiffness = MATERIAL.bendingStiffness;
  const bends = new Float64Array(n * n);
  for (let i = 0; bending && i + 3 <= chain.count; i++) {
    stencil.set(chain.q, 4 * i);
    const { inPlane: w, inPlaneStiffness: k1 } = stencil;
    scatter(
      Float64Array.from({ length: 144 }, (_, k) => k1 * w[Math.floor(k / 12)] * w[k % 12]),
      12,
      4 * i,
      bends,
    );
  }
  const A = new Float64Array(n * n);
  const r = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    r[i] = h * (f[i] - c[i]);
    for (let k = 0; k < n; k++) {
      const at = i * n + k;
      A[at] = (1 + alpha * h) * M[at] + h * h * K[at] + beta * h * (C[at] + bends[at]);
      const product = (linearized ? h * h * K[at] + beta * h * C[at] : 0) + beta * h * bends[at];
      r[i] += M[at] * (chain.vBase[k] - (1 + alpha * h) * chain.v[k]) - product * chain.v[k];
    }
  }
  for (let i = 0; i < chain.count; i++) {
    if (chain.kind[i] !== NODE_LAGRANGIAN) continue;
    const row = 4 * i + 3;
    for (let k = 0; k < n; k++) A[row * n + k] = A[k * n + row] = row === k ? 1 : 0;
    r[row] = 0;
  }
  return { A, r };
}

for (const bending of [false, true])
  for (const free of [[], [3], [2, 3], [0, 4, 7], [0, 1, 2, 3, 4, 5, 6, 7]])
    for (const linearized of [true, false])
      test(`fused assembly = sum of elements: free u at [${free}], bending ${bending}, linearized ${linearized}`, () => {
        const gravity = Float64Array.from(G);
        const stage: AxialStage = { h: 0.03, linearized, massDamping: 0.7, stiffnessDamping: 0.02, gravity };
        for (let seed = 1; seed <= 5; seed++) {
          const chain = createChain(seed, free);
          const matrix = new BlockBanded(8, 4, bending ? 2 : 1);
          const rhs = new Float64Array(32).fill(7);
          for (const band of matrix.bands) band.fill(7);
          writeAxialSystem(chain, stage, matrix, rhs);
          if (bending) addBendingSystem(chain, stage, new BendingStencil(), matrix, rhs);
          const { A, r } = assembleDensely(chain, stage, bending);
          const x = new Float64Array(32);
          const column = new Float64Array(32);
          for (let k = 0; k < 32; k++) {
            x.fill(0)[k] = 1;
            matrix.multiply(x, column);
            for (let i = 0; i < 32; i++) expect(Math.abs(column[i] - A[i * 32 + k])).toBeLessThan(1e-12);
            expect(Math.abs(rhs[k] - r[k])).toBeLessThan(1e-12);
          }
        }
      });

test('what the x rows of an iterate lack together is the momentum: Σ r = ∫ ρA v at the start − ∫ ρA v now, free u at any node', () => {
  const stage: AxialStage = {
    h: 0.03,
    linearized: false,
    keepsMomentum: true,
    massDamping: 0,
    stiffnessDamping: 0,
    gravity: new Float64Array(3),
  };
  const addMomentum = (q: Float64Array, v: Float64Array, sign: number, out: Float64Array) => {
    const element = new EolElement(1);
    for (let e = 0; e < 7; e++) {
      element.setConfiguration(q.slice(4 * e, 4 * e + 8));
      element.setVelocity(v.slice(4 * e, 4 * e + 8));
      for (let k = 0; k < 6; k++)
        out[k % 3] += (sign * MATERIAL.linearDensity * element.measure * element.materialVelocity[k]) / 2;
    }
  };
  for (const free of [[3], [2, 3], [0, 4, 7], [0, 1, 2, 3, 4, 5, 6, 7]]) {
    const chain = createChain(1, free);
    const random = createRandom(2);
    for (let k = 0; k < 32; k++)
      chain.qBase[k] = chain.q[k] + (k % 4 < 3 || free.includes(k >> 2) ? random.uniform(-0.1, 0.1) : 0);
    const rhs = new Float64Array(32);
    writeAxialSystem(chain, stage, new BlockBanded(8, 4, 1), rhs);
    const lack = new Float64Array(3);
    addMomentum(chain.qBase, chain.vBase, 1, lack);
    addMomentum(chain.q, chain.v, -1, lack);
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let i = 0; i < 8; i++) sum += rhs[4 * i + k];
      expect(Math.abs(sum - lack[k])).toBeLessThan(1e-13);
      expect(Math.abs(lack[k])).toBeGreaterThan(1e-3);
    }
  }
});
