/**
 * Damping of the stiffness of curves is the gradient of a dissipation in rates of invariants, d = −∂R/∂v:
 *     R = Σ ½ β EA/λ₀ Δu λ̇² + Σ ½ β ṙ²,   λ̇ = (λ − λ̂)/h over the stage,   r = θ √(2EI/D)
 * against central differences of R, sliding nodes included; it has none of a rigid motion.
 */
import { addBendingSystem, BendingStencil, CurveChain, writeAxialSystem } from 'heddle/curve';
import { createRandom, quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { expect, test } from 'vitest';

const MATERIAL = { linearDensity: 0.3, stretchStiffness: 40, bendingStiffness: 0.2, radius: 0.01, restFactor: 0.93 };
const [NODES, STEP, BETA] = [6, 0.03, 0.05];
const SIZE = 4 * NODES;
const FREE = [0, 2, 3];

/** Bent in space, uneven, with sliding nodes; q = q̂ + h v, a step in which segments turn by some tenths of a radian. */
function createMoving(seed: number): CurveChain {
  const random = createRandom(seed);
  const chain = new CurveChain(MATERIAL, NODES);
  chain.count = NODES;
  for (let i = 0; i < NODES; i++) {
    const isFree = FREE.includes(i);
    chain.kind[i] = isFree ? NODE_EULERIAN : NODE_LAGRANGIAN;
    const place = [i, 0, 0].map((x) => x + random.uniform(-0.3, 0.3));
    chain.qBase.set([...place, 0.9 * i + random.uniform(-0.1, 0.1)], 4 * i);
    for (let k = 0; k < 4; k++) chain.v[4 * i + k] = k < 3 || isFree ? random.uniform(-5, 5) * (k < 3 ? 1 : 0.2) : 0;
  }
  for (let k = 0; k < SIZE; k++) chain.q[k] = chain.qBase[k] + STEP * chain.v[k];
  return chain;
}

const computeStretch = (q: Float64Array, e: number): number =>
  Math.hypot(...[0, 1, 2].map((k) => q[4 * e + 4 + k] - q[4 * e + k])) / (q[4 * e + 7] - q[4 * e + 3]);

/** θ √(2EI/D) at the node behind node i. */
function computeBend(q: Float64Array, i: number): number {
  const [a, b] = [4 * i, 4 * i + 4].map((at) => [0, 1, 2].map((k) => q[at + 4 + k] - q[at + k]));
  const cosine = a.reduce((sum, x, k) => sum + x * b[k], 0) / (Math.hypot(...a) * Math.hypot(...b));
  return Math.acos(cosine) * Math.sqrt((2 * MATERIAL.bendingStiffness) / (q[4 * i + 11] - q[4 * i + 3]));
}

/** d, as the loops that assemble a curve have it: what damping changes of r, over h. */
function computeDamping(chain: CurveChain, kind: 'stretch' | 'bending', linearized = false): Float64Array {
  const [without, damped] = [0, BETA].map((stiffnessDamping) => {
    const stage = { h: STEP, linearized, massDamping: 0, stiffnessDamping, gravity: new Float64Array(3) };
    const matrix = new BlockBanded(NODES, 4, 2);
    const rhs = new Float64Array(SIZE);
    if (kind === 'stretch') writeAxialSystem(chain, stage, matrix, rhs);
    else addBendingSystem(chain, stage, new BendingStencil(), matrix, rhs);
    return rhs;
  });
  return damped.map((x, k) => (x - without[k]) / STEP);
}

/** R at velocities v; Δu of the first term is that of the iterate. */
function computeDissipation(chain: CurveChain, kind: 'stretch' | 'bending', v: Float64Array): number {
  let sum = 0;
  if (kind === 'stretch') {
    const q = chain.qBase.map((x, k) => x + STEP * v[k]);
    for (let e = 0; e + 1 < NODES; e++) {
      const rate = (computeStretch(q, e) - computeStretch(chain.qBase, e)) / STEP;
      const du = chain.q[4 * e + 7] - chain.q[4 * e + 3];
      sum += 0.5 * BETA * (MATERIAL.stretchStiffness / MATERIAL.restFactor) * du * rate * rate;
    }
    return sum;
  }
  const e = 4e-6;
  const [before, behind] = [-e, e].map((by) => chain.q.map((x, k) => x + by * v[k]));
  for (let i = 0; i + 2 < NODES; i++) {
    const rate = (computeBend(behind, i) - computeBend(before, i)) / (2 * e);
    sum += 0.5 * BETA * rate * rate;
  }
  return sum;
}

for (const kind of ['stretch', 'bending'] as const) {
  test(`the damping of ${kind} is −∂R/∂v`, () => {
    for (let seed = 1; seed <= 10; seed++) {
      const chain = createMoving(seed);
      const d = computeDamping(chain, kind);
      const scale = Math.hypot(...d);
      expect(scale).toBeGreaterThan(0.05);
      // quadratic in v, but for λ̇ over a step
      const e = kind === 'bending' ? 0.01 : 1e-4;
      for (let k = 0; k < SIZE; k++) {
        const isHeld = k % 4 === 3 && !FREE.includes(k >> 2);
        const [less, more] = [-e, e].map((by) =>
          computeDissipation(
            chain,
            kind,
            chain.v.map((x, m) => (m === k ? x + by : x)),
          ),
        );
        const slope = isHeld ? 0 : (more - less) / (2 * e);
        expect(Math.abs(d[k] + slope) / scale).toBeLessThan(1e-6);
      }
    }
  });

  test(`a rigid motion of ${kind} is not damped, however far a step turns`, () => {
    const angle = kind === 'stretch' ? 0.8 : 1e-6;
    for (let seed = 1; seed <= 10; seed++) {
      const chain = createMoving(seed);
      const turn = quaternionFromAxisAngle([0.48, 0.6, 0.64], angle);
      for (let i = 0; i < NODES; i++) {
        const place = rotateVec3(turn, [...chain.qBase.subarray(4 * i, 4 * i + 3)] as unknown as Vec3);
        chain.q.set(place, 4 * i);
        chain.q[4 * i + 3] = chain.qBase[4 * i + 3];
      }
      for (let k = 0; k < SIZE; k++) chain.v[k] = (chain.q[k] - chain.qBase[k]) / STEP;
      // relative to that of changes of shape as fast
      const size = Math.hypot(...chain.v);
      expect(size).toBeGreaterThan(1e-5);
      expect(Math.hypot(...computeDamping(chain, kind)) / size).toBeLessThan(1e-5);
    }
  });
}

test('stretch: while linearised damping is −∂R/∂v at q̂, and A has its derivative in both', () => {
  for (const linearized of [true, false]) {
    const chain = createMoving(3);
    if (linearized) chain.q.set(chain.qBase);
    // Lagrangian, taut: A is exact
    chain.kind.fill(NODE_LAGRANGIAN);
    for (let i = 0; i < NODES; i++) {
      chain.v[4 * i] += 20 * i;
      chain.v[4 * i + 3] = 0;
      chain.q[4 * i + 3] = chain.qBase[4 * i + 3];
      if (!linearized) chain.q[4 * i] = chain.qBase[4 * i] + STEP * chain.v[4 * i];
    }
    const stage = { h: STEP, linearized, massDamping: 0, stiffnessDamping: BETA, gravity: new Float64Array(3) };
    const matrix = new BlockBanded(NODES, 4, 1);
    const write = (v: Float64Array): Float64Array => {
      const rhs = new Float64Array(SIZE);
      const saved = chain.v.slice();
      chain.v.set(v);
      if (!linearized) for (let k = 0; k < SIZE; k++) chain.q[k] = chain.qBase[k] + STEP * v[k];
      writeAxialSystem(chain, stage, matrix, rhs);
      chain.v.set(saved);
      return rhs;
    };
    const v = chain.v.slice();
    const e = 1e-5;
    for (let k = 0; k < SIZE; k++) {
      if (k % 4 === 3) continue;
      const [less, more] = [-e, e].map((by) => write(v.map((x, m) => (m === k ? x + by : x))));
      write(v);
      const unit = new Float64Array(SIZE);
      const column = new Float64Array(SIZE);
      unit[k] = 1;
      matrix.multiply(unit, column);
      for (let m = 0; m < SIZE; m++)
        if (m % 4 < 3) expect(Math.abs((less[m] - more[m]) / (2 * e) - column[m])).toBeLessThan(1e-6);
    }
  }
});

test('a straight curve is damped alike whichever way it bends', () => {
  const sizes = [1, 2].map((axis) => {
    const chain = createMoving(1);
    chain.q.fill(0);
    chain.v.fill(0);
    for (let i = 0; i < NODES; i++) {
      chain.q[4 * i] = i;
      chain.q[4 * i + 3] = 0.9 * i;
      chain.v[4 * i + axis] = i * i;
    }
    return Math.hypot(...computeDamping(chain, 'bending'));
  });
  expect(sizes[0]).toBeGreaterThan(0.01);
  expect(sizes[1] / sizes[0]).toBeCloseTo(1, 12);
});
