/**
 * Forces of the continuum on its grid: they are the derivative of the energy by the motion of the nodes, and push and turn nothing as a whole; quadrature
 * particles stay at their centres at no cost of momentum. Numbers in brackets are those of [theory/mpm].
 */
import {
  addPointMomentum,
  addToGrid,
  advancePoints,
  BLOCK_NODES,
  BlockGrid,
  CentreWork,
  computeElasticEnergy,
  computeSplineSpread,
  type Deformation,
  keepCentres,
  type PointPart,
  Points,
  readFromGrid,
  StressWork,
  TransferWork,
  TrialMotion,
  writeStresses,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom, differentiate, differentiateAll, moved, norm, relativeError } from './mpm-fixtures.ts';
import { createCloth, createHair, createHeap } from './mpm-parts.ts';

const SPACING = 0.05;
const spread = computeSplineSpread(2) * SPACING ** 2;

const SYRUP = { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 2 } as const;

/** Bits of cloth, hair, goo and fluid through each other, strained at random: a mesh of random places has random strains. */
const createMixture = (deformation: Deformation, kinds: readonly number[] = [0, 1, 2, 3]): Points => {
  const random = createRandom(61);
  const shake = (x: number[]): number[] => x.map((value) => value + random.uniform(-0.01, 0.01));
  const cloth = createCloth(4, 3, 0.04);
  const hair = createHair(3, 5, 0.04);
  const parts: PointPart[] = [
    { ...cloth, rest: cloth.x, x: shake(cloth.x) },
    { ...hair, rest: hair.x, x: shake(hair.x) },
    createHeap('goo', 3, 0.03, [0.03, 0.02, 0.01]),
    { ...createHeap('fluid', 3, 0.03, [-0.02, 0.04, 0.02]), material: SYRUP },
  ];
  const points = new Points(kinds.map((kind) => parts[kind]));
  for (const group of points.groups) {
    for (let p = group.first; p < group.first + group.count; p++) {
      const isElement = group.type === 'surface' || group.type === 'curve';
      for (let k = 0; k < 9; k++) {
        const isTangent = isElement && k % 3 < (group.type === 'surface' ? 2 : 1);
        if (group.type === 'fluid') {
          if (k === 0) points.F[9 * p] = random.uniform(0.8, 0.98);
        } else if (!isTangent || deformation === 'grid') points.F[9 * p + k] += random.uniform(-0.1, 0.1);
        // pressed, away from the corner of the energy
        if (isElement && k % 4 === 0 && !isTangent) points.F[9 * p + k] *= 0.85;
      }
    }
  }
  return points;
};

interface Assembled {
  readonly grid: BlockGrid;
  readonly transfer: TransferWork;
  readonly stress: StressWork;
}

const assemble = (points: Points, deformation: Deformation): Assembled => {
  const grid = new BlockGrid({ spacing: SPACING });
  const transfer = new TransferWork(points);
  const stress = new StressWork();
  grid.sort(points.x, points.count);
  writeStresses(points, deformation, transfer.stress, transfer.force, stress);
  addToGrid(points, grid, transfer);
  return { grid, transfer, stress };
};

/** State that advancing changes. */
const save = (points: Points): (() => void) => {
  const copies = [points.x, points.v, points.C, points.F, points.gain].map((array) => [array, array.slice()] as const);
  return () => {
    for (const [array, copy] of copies) array.set(copy);
  };
};

/** Energy after the nodes moved by s du, without plasticity. */
const energyAfter = (
  points: Points,
  { grid, transfer, stress }: Assembled,
  du: Float64Array,
  s: number,
  deformation: Deformation,
): number => {
  const restore = save(points);
  for (let k = 0; k < du.length; k++) grid.moved[k] = s * du[k];
  readFromGrid(points, grid, transfer, 1);
  advancePoints(points, transfer, deformation, 1, stress);
  const energy = computeElasticEnergy(points, stress);
  restore();
  return energy;
};

const randomMotion = (grid: BlockGrid, seed: number): Float64Array => {
  const random = createRandom(seed);
  return Float64Array.from({ length: 4 * BLOCK_NODES * grid.blockCount }, (_, k) =>
    k % 4 === 3 ? 0 : random.uniform(-1, 1),
  );
};

const CASES = [
  { name: 'cloth', kinds: [0], deformation: 'elastic' },
  { name: 'hair', kinds: [1], deformation: 'elastic' },
  { name: 'goo', kinds: [2], deformation: 'elastic' },
  { name: 'fluid', kinds: [3], deformation: 'elastic' },
  { name: 'all together', kinds: [0, 1, 2, 3], deformation: 'elastic' },
  { name: 'cloth and hair by the mesh alone', kinds: [0, 1], deformation: 'mesh' },
] as const;

describe.each(CASES)('forces of $name', ({ kinds, deformation }) => {
  test('are −∂Φ/∂x̂ (3, 10)', () => {
    const points = createMixture(deformation, kinds);
    if (deformation === 'mesh') {
      // nothing across the elements, as after any step
      const { grid, transfer, stress } = assemble(points, deformation);
      grid.moved.fill(0);
      readFromGrid(points, grid, transfer, 0);
      advancePoints(points, transfer, deformation, 0, stress);
    }
    const assembled = assemble(points, deformation);
    const { grid } = assembled;
    for (let seed = 1; seed < 6; seed++) {
      const du = randomMotion(grid, seed);
      let power = 0;
      for (let at = 0; at < du.length; at += 4) for (let k = 0; k < 3; k++) power -= grid.force[at + k] * du[at + k];
      const expected = differentiate((s) => energyAfter(points, assembled, du, s, deformation), 1e-5);
      expect(Math.abs(expected)).toBeGreaterThan(1e-6);
      expect(power / expected).toBeCloseTo(1, 6);
    }
  });

  test('push and turn nothing as a whole (10)', () => {
    const points = createMixture(deformation, kinds);
    const { grid } = assemble(points, deformation);
    const sum = new Float64Array(6);
    let size = 0;
    for (let at = 0; at < 4 * BLOCK_NODES * grid.blockCount; at += 4) {
      const node = at / 4;
      const [slot, n] = [Math.floor(node / BLOCK_NODES), node % BLOCK_NODES];
      const local = [n >> 4, (n >> 2) & 3, n & 3];
      const [x, y, z] = local.map((i, k) => (4 * grid.block[3 * slot + k] + i) * SPACING);
      const [fx, fy, fz] = grid.force.subarray(at, at + 3);
      size += Math.abs(fx) + Math.abs(fy) + Math.abs(fz);
      sum[0] += fx;
      sum[1] += fy;
      sum[2] += fz;
      sum[3] += y * fz - z * fy;
      sum[4] += z * fx - x * fz;
      sum[5] += x * fy - y * fx;
    }
    expect(size).toBeGreaterThan(1e-3);
    expect(norm(sum)).toBeLessThan(1e-14 * size);
  });
});

describe.each([
  ...CASES.filter(({ deformation }) => deformation === 'elastic'),
  { name: 'cloth and hair by the grid alone', kinds: [0, 1], deformation: 'grid' },
] as const)('implicit forces of $name', ({ kinds, deformation }) => {
  const points = createMixture(deformation, kinds);
  const { grid, transfer } = assemble(points, deformation);
  const trial = new TrialMotion(points, grid, deformation, transfer);
  const size = 4 * BLOCK_NODES * grid.blockCount;
  const q = randomMotion(grid, 31).map((x) => 1e-3 * x);
  const h = 2e-3;
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const forcesAt = (at: Float64Array): Float64Array => {
    const out = new Float64Array(size);
    trial.moveTo(at, h);
    trial.addForces(out);
    return out;
  };
  const changeAt = (at: Float64Array, dq: Float64Array): Float64Array => {
    const out = new Float64Array(size);
    trial.moveTo(at, h);
    trial.addForceChange(dq, out);
    return out;
  };

  test('are those of an explicit step where nothing moved', () => {
    const found = forcesAt(new Float64Array(size));
    let worst = 0;
    for (let k = 0; k < size; k++) if (k % 4 !== 3) worst = Math.max(worst, Math.abs(found[k] - grid.force[k]));
    expect(norm(found)).toBeGreaterThan(1e-3);
    expect(worst).toBeLessThan(1e-13 * norm(found));
  });

  test('are −∂Φ/∂q, and change by −∂²Φ/∂q², which is symmetric', () => {
    const f = forcesAt(q);
    for (let seed = 41; seed < 44; seed++) {
      const [a, b] = [randomMotion(grid, seed), randomMotion(grid, seed + 100)];
      const power = differentiate((s) => {
        trial.moveTo(moved(q, a, s), h);
        return trial.computeEnergy();
      }, 1e-5);
      expect(-dot(f, a) / power).toBeCloseTo(1, 6);
      const change = changeAt(q, a);
      expect(
        relativeError(
          change,
          differentiateAll((s) => forcesAt(moved(q, a, s)), 1e-5),
        ),
      ).toBeLessThan(1e-7);
      expect(Math.abs(dot(change, b) - dot(changeAt(q, b), a))).toBeLessThan(1e-12 * norm(change) * norm(b));
    }
  });
});

test('an element weighs its energy by its whole volume, as the paper by a quarter or a third (11)', () => {
  const cloth = createCloth(4, 4, 0.04);
  const hair = createHair(2, 4, 0.04);
  const stretched = (x: readonly number[]): number[] => x.map((value, k) => (k % 3 === 0 ? 1.1 * value : value));
  const energy = (part: PointPart, rest: readonly number[], paper: boolean): number =>
    computeElasticEnergy(new Points([{ ...part, x: stretched(rest), rest } as PointPart], paper), new StressWork());
  const { thickness, youngsModulus: E, poissonRatio: n } = cloth.material;
  // plane stress, sides held: μ ε² + λ/2 ε²
  const psi = (E / (2 * (1 + n))) * 0.01 + 0.5 * ((E * n) / (1 - n * n)) * 0.01;
  expect(energy(cloth, cloth.x, false)).toBeCloseTo(0.16 ** 2 * thickness * psi, 12);
  expect(energy(cloth, cloth.x, true) / energy(cloth, cloth.x, false)).toBeCloseTo(1 / 4, 12);
  const volume = 2 * 0.16 * Math.PI * hair.material.radius ** 2;
  expect(energy(hair, hair.x, false)).toBeCloseTo(volume * 0.5 * hair.material.fibreStiffness * 0.01, 12);
  expect(energy(hair, hair.x, true) / energy(hair, hair.x, false)).toBeCloseTo(1 / 3, 12);
  // masses are split in both: vertices and quadrature particles have all of it
  const points = new Points([cloth]);
  expect(points.mass.reduce((a, b) => a + b)).toBeCloseTo(cloth.material.density * 0.16 ** 2 * thickness, 15);
  for (let e = 0; e < points.stressCount; e++) {
    expect(points.mass[e]).toBeCloseTo((cloth.material.density * points.volume[e]) / 4, 15);
  }
});

describe('quadrature particles', () => {
  test.each([
    ['cloth', createCloth(6, 5, 0.04)],
    ['hair', createHair(3, 8, 0.04)],
  ])('of %s move with their centres, and keep momentum, angular momentum and the least energy', (_name, part) => {
    const random = createRandom(71);
    const points = new Points([part]);
    const motion = Float64Array.from({ length: 3 * points.count }, () => random.uniform(-1, 1));
    const [group] = points.groups;
    const n = group.type === 'surface' ? 3 : 2;
    // some of it remembered, some not
    for (let k = 0; k < motion.length; k++) points.v[k] = motion[k] + random.uniform(-0.2, 0.2);
    const h = 1e-2;
    const momentum = (): Float64Array => {
      const out = new Float64Array(6);
      addPointMomentum(points, spread, out);
      return out;
    };
    const wished = motion.slice();
    const x = points.x.slice();
    // as if every particle moved as it wished
    for (let k = 0; k < x.length; k++) points.x[k] = x[k] + h * wished[k];
    const expected = momentum();
    points.x.set(x);
    keepCentres(points, group, motion, h, spread, new CentreWork(points));
    for (let k = 0; k < x.length; k++) points.x[k] = x[k] + h * motion[k];
    const found = momentum();
    for (let k = 0; k < 6; k++) expect(Math.abs(found[k] - expected[k])).toBeLessThan(1e-15 * norm(expected) * 10);
    let mass = 0;
    const shift = [0, 0, 0];
    for (let p = 0; p < points.count; p++) {
      mass += points.mass[p];
      for (let k = 0; k < 3; k++) shift[k] += points.mass[p] * (motion[3 * p + k] - wished[3 * p + k]);
    }
    // the centre of mass moves as it would have
    expect(norm(shift)).toBeLessThan(1e-14 * mass);
    const y = points.x.slice();
    for (let e = 0; e < group.count; e++) {
      points.writeCentre(group.first + e, group.corners, n * e, n);
      for (let k = 0; k < 3; k++)
        expect(points.x[3 * (group.first + e) + k]).toBeCloseTo(y[3 * (group.first + e) + k], 15);
    }
    // the projection in the norm of the mass: its change is across every motion with the centres
    for (let trial = 0; trial < 5; trial++) {
      let [product, size] = [0, 0];
      const test = new Float64Array(3 * points.count);
      for (let p = group.firstVertex; p < group.firstVertex + group.vertexCount; p++)
        for (let k = 0; k < 3; k++) test[3 * p + k] = random.uniform(-1, 1);
      for (let e = 0; e < group.count; e++)
        for (let c = 0; c < n; c++)
          for (let k = 0; k < 3; k++) test[3 * (group.first + e) + k] += test[3 * group.corners[n * e + c] + k] / n;
      for (let p = 0; p < points.count; p++)
        for (let k = 0; k < 3; k++) {
          product += points.mass[p] * test[3 * p + k] * (motion[3 * p + k] - wished[3 * p + k]);
          size += points.mass[p] * Math.abs(test[3 * p + k]);
        }
      expect(Math.abs(product)).toBeLessThan(1e-14 * size);
    }
  });
});
