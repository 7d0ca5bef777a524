/**
 * Forces and stiffness of a whole sheet against central differences, with every vertex sliding (five coordinates each):
 * membrane, bending and weight in x and in X, rigid motion, balance of internal forces, semi-definiteness.
 */
import { createRandom, quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import { computeEnergy, NODE_EULERIAN } from 'heddle/model';
import { Sheet, SheetAssembly, type SheetMaterial } from 'heddle/sheet';
import { BlockMixed } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';

const STRIDE = 5;
const MEMBRANE: SheetMaterial = {
  arealDensity: 0,
  membrane: [30, 50, 7, 11],
  bending: [0, 0, 0, 0],
  thickness: 1e-3,
  friction: 0,
};
const BENDING: SheetMaterial = { ...MEMBRANE, membrane: [0, 0, 0, 0], bending: [2, 5, 0.6, 0.9] };
const WEIGHT: SheetMaterial = { ...MEMBRANE, membrane: [0, 0, 0, 0], arealDensity: 0.7 };
const G: Vec3 = [1.2, -9.7, 0.8];

/** A jittered 4 × 4 grid of vertices with mixed diagonals; `bend` and `stretch` say how far it is deformed. */
function createSheet(seed: number, material: SheetMaterial, deformation: number, gravity: Vec3 = [0, 0, 0]): Sheet {
  const random = createRandom(seed);
  const X: number[] = [];
  const x: number[] = [];
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 4; c++) {
      const [a, b] = [c + random.uniform(-0.2, 0.2), r + random.uniform(-0.2, 0.2)];
      X.push(a, b);
      const jolt = () => deformation * random.uniform(-0.3, 0.3);
      x.push(a * (1 + 0.2 * deformation) + jolt(), jolt() + 0.2 * deformation * a * b, b + jolt());
    }
  const triangles: number[] = [];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const a = 4 * r + c;
      if ((r + c) % 2 === 0) triangles.push(a, a + 1, a + 5, a, a + 5, a + 4);
      else triangles.push(a, a + 1, a + 4, a + 1, a + 5, a + 4);
    }
  return new Sheet({ id: 'cloth', material, x, X, triangles: Int32Array.from(triangles), gravity });
}

const potential = (sheet: Sheet): number => {
  sheet.state.measureRest();
  const { stretch, bending, gravity } = computeEnergy([sheet]);
  return stretch + bending + gravity;
};

/** Force and stiffness: the system of a stage of 1 s from rest is (M + K) Δ = f. */
function assemble(sheet: Sheet, gravity: Vec3): { force: Float64Array; matrix: BlockMixed } {
  const { state } = sheet;
  state.kind.fill(NODE_EULERIAN);
  state.measureRest();
  const matrix = new BlockMixed(state.mesh.pattern, new Uint8Array(state.count).fill(STRIDE));
  const force = new Float64Array(matrix.size);
  const stage = { h: 1, linearized: true, massDamping: 0, stiffnessDamping: 0, gravity: Float64Array.from(gravity) };
  new SheetAssembly().write(state, stage, matrix, force);
  return { force, matrix };
}

for (const [name, material, gravity] of [
  ['membrane', MEMBRANE, [0, 0, 0]],
  ['bending', BENDING, [0, 0, 0]],
  ['weight', WEIGHT, G],
] as const)
  describe(name, () => {
    test('force is −∂V/∂q, in x and in X', () => {
      for (let seed = 1; seed <= 6; seed++) {
        const sheet = createSheet(seed, material, 1, gravity);
        const { force } = assemble(sheet, gravity);
        const { q } = sheet.state;
        const scale = Math.hypot(...force);
        expect(scale).toBeGreaterThan(0.1);
        const step = 1e-5;
        for (let k = 0; k < q.length; k++) {
          const at = q[k];
          q[k] = at + step;
          const high = potential(sheet);
          q[k] = at - step;
          const low = potential(sheet);
          q[k] = at;
          expect(Math.abs(force[k] + (high - low) / (2 * step))).toBeLessThan(2e-8 * scale);
        }
      }
    });

    test.skipIf(name === 'weight')('stiffness is positive semi-definite', () => {
      for (let seed = 1; seed <= 6; seed++) {
        const sheet = createSheet(seed, { ...material, arealDensity: 0 }, 1, gravity);
        const { matrix } = assemble(sheet, gravity);
        const random = createRandom(100 + seed);
        const out = new Float64Array(matrix.size);
        const largest = matrix.computeInfinityNorm(out);
        for (let trial = 0; trial < 50; trial++) {
          const y = Float64Array.from(out, () => random.uniform(-1, 1));
          // power iteration on (‖K‖ I − K): towards the most negative direction
          let value = 0;
          for (let k = 0; k < 20; k++) {
            matrix.multiply(y, out);
            const norm = Math.hypot(...y);
            value = y.reduce((sum, one, i) => sum + one * out[i], 0) / norm ** 2;
            for (let i = 0; i < y.length; i++) y[i] = (largest * y[i] - out[i]) / norm;
          }
          expect(value).toBeGreaterThan(-1e-12 * (1 + largest));
        }
      }
    });
  });

describe('inner energies', () => {
  test('do not change in rigid motion, and their forces and torques balance', () => {
    for (const material of [MEMBRANE, BENDING]) {
      const sheet = createSheet(9, material, 1);
      const { force } = assemble(sheet, [0, 0, 0]);
      const { q, count } = sheet.state;
      const energy = potential(sheet);
      const sum = [0, 0, 0, 0, 0, 0];
      for (let i = 0; i < count; i++)
        for (let k = 0; k < 3; k++) {
          const [a, b] = [(k + 1) % 3, (k + 2) % 3];
          sum[k] += force[STRIDE * i + k];
          sum[3 + k] += q[STRIDE * i + a] * force[STRIDE * i + b] - q[STRIDE * i + b] * force[STRIDE * i + a];
        }
      for (const one of sum) expect(Math.abs(one)).toBeLessThan(1e-11 * Math.hypot(...force));
      const turn = quaternionFromAxisAngle([0.3, -0.8, 0.5], 1.3);
      for (let i = 0; i < count; i++) {
        const at = STRIDE * i;
        const [x, y, z] = rotateVec3(turn, [q[at], q[at + 1], q[at + 2]]);
        q.set([x + 3, y - 2, z + 1], at);
      }
      expect(Math.abs(potential(sheet) - energy)).toBeLessThan(1e-12 * energy);
    }
  });

  test('without stress the stiffness of the membrane is the derivative of the force', () => {
    const sheet = createSheet(5, MEMBRANE, 0);
    const { matrix } = assemble(sheet, [0, 0, 0]);
    const { q } = sheet.state;
    const random = createRandom(8);
    const direction = Float64Array.from(q, () => random.uniform(-1, 1));
    const expected = new Float64Array(q.length);
    matrix.multiply(direction, expected);
    const base = q.slice();
    const step = 1e-6;
    const forceAt = (s: number) => {
      for (let k = 0; k < q.length; k++) q[k] = base[k] + s * direction[k];
      return assemble(sheet, [0, 0, 0]).force;
    };
    const high = forceAt(step);
    const low = forceAt(-step);
    const scale = Math.hypot(...expected);
    expect(scale).toBeGreaterThan(1);
    for (let k = 0; k < q.length; k++)
      expect(Math.abs(expected[k] + (high[k] - low[k]) / (2 * step))).toBeLessThan(1e-7 * scale);
  });
});
