/** Implicit steps of the continuum: backward Euler by Newton and MINRES, with bodies and friction. */
import { Body, PlaneShape } from 'heddle/bodies';
import { quaternionFromAxisAngle } from 'heddle/math';
import {
  addPointMomentum,
  BLOCK_NODES,
  Continuum,
  type ContinuumOptions,
  computeElasticEnergy,
  computeKineticEnergy,
  computeMass,
  computeSoundStep,
  StressWork,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom, norm } from './mpm-fixtures.ts';
import { createCloth, createHair, createHeap } from './mpm-parts.ts';

const work = new StressWork();

const momentumOf = (model: Continuum): Float64Array => {
  const out = new Float64Array(6);
  addPointMomentum(model.points, model.spread, out);
  return out;
};

const energyOf = (model: Continuum): number =>
  computeKineticEnergy(model.points, model.spread) + computeElasticEnergy(model.points, work);

/** Cloth, hair, goo and syrup through each other, the meshes stretched at random. */
const createMixture = (options: Partial<ContinuumOptions> = {}): Continuum => {
  const random = createRandom(91);
  const shake = (x: readonly number[]): number[] => x.map((value) => value + random.uniform(-2e-3, 2e-3));
  const cloth = createCloth(4, 4, 0.02);
  const hair = createHair(2, 4, 0.02);
  const syrup = createHeap('fluid', 3, 0.015, [0.02, 0.02, 0]);
  return new Continuum({
    spacing: 0.03,
    implicit: true,
    parts: [
      { ...cloth, rest: cloth.x, x: shake(cloth.x) },
      { ...hair, rest: hair.x, x: shake(hair.x) },
      createHeap('goo', 3, 0.015, [-0.02, 0.01, 0.02]),
      { ...syrup, material: { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 2 } },
    ],
    ...options,
  });
};

describe('free', () => {
  test('a short step is an explicit one, up to the square of its length', () => {
    const differ = (h: number): number => {
      const [implicit, explicit] = [createMixture(), createMixture({ implicit: false })];
      implicit.step(h);
      explicit.step(h);
      return norm(implicit.points.v.map((v, k) => v - explicit.points.v[k])) / norm(explicit.points.v);
    };
    const [coarse, fine] = [differ(2e-4), differ(1e-4)];
    expect(coarse).toBeLessThan(0.2);
    expect(coarse).toBeGreaterThan(1e-4);
    // from rest: velocities are proportional to h, places and so the change of forces to h², the difference to h³
    expect(coarse / fine).toBeCloseTo(4, 0.5);
  });

  test('steps of twenty times what sound allows keep momentum to 1e-12, and energy never grows', () => {
    const model = createMixture();
    const h = 20 * computeSoundStep(model.points, 0.03);
    for (let k = 0; k < model.points.v.length; k += 3) model.points.v[k] = 0.1;
    const start = momentumOf(model);
    let energy = energyOf(model);
    for (let n = 0; n < 12; n++) {
      expect(model.step(h)).toBe(h);
      expect(model.solver!.report.converged).toBe(true);
      const next = energyOf(model);
      expect(next).toBeLessThan(energy * (1 + 1e-9));
      energy = next;
    }
    expect(
      norm(
        momentumOf(model)
          .subarray(0, 3)
          .map((p, k) => p - start[k]),
      ),
    ).toBeLessThan(1e-12 * norm(start));
  });

  test('a step gains h Σ m v̂ × ṽ of angular momentum, what backward Euler does: forces turn nothing about the end of the step', () => {
    // without syrup: what is viscous turns nothing about the start
    const parts = [createCloth(4, 4, 0.02), createHair(2, 4, 0.02), createHeap('goo', 3, 0.015, [-0.02, 0.01, 0.02])];
    const model = createMixture({ parts });
    const random = createRandom(92);
    for (let k = 0; k < model.points.v.length; k++) model.points.v[k] = random.uniform(-1, 1);
    const h = 4e-3;
    for (let n = 0; n < 3; n++) {
      const start = momentumOf(model);
      model.step(h);
      const gained = momentumOf(model).map((value, k) => value - start[k]);
      // Σ (x + h v̂) × m (v̂ − ṽ) = 0; nodes have m and v = ṽ, without gravity
      const { node, moved, blockCount } = model.grid;
      const expected = new Float64Array(3);
      for (let at = 0; at < 4 * BLOCK_NODES * blockCount; at += 4)
        for (let k = 0; k < 3; k++) {
          const [i, j] = [(k + 1) % 3, (k + 2) % 3];
          expected[k] += h * node[at] * (moved[at + i] * node[at + 1 + j] - moved[at + j] * node[at + 1 + i]);
        }
      expect(norm(expected)).toBeGreaterThan(1e-8);
      expect(norm(expected.map((value, k) => value - gained[3 + k]))).toBeLessThan(1e-4 * norm(expected));
    }
  });

  test('viscosity has no limit: a shear flow of syrup slows down and does not blow up', () => {
    const heap = createHeap('fluid', 6, 0.01);
    const v = heap.x.map((_, k) => (k % 3 === 0 ? 5 * heap.x[k + 1] : 0));
    const model = new Continuum({
      spacing: 0.02,
      implicit: true,
      parts: [{ ...heap, v, material: { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 50 } }],
    });
    const before = computeKineticEnergy(model.points, model.spread);
    const h = 0.01;
    expect(h).toBeGreaterThan(5 * computeSoundStep(model.points, 0.02));
    for (let n = 0; n < 5; n++) model.step(h);
    expect(computeKineticEnergy(model.points, model.spread)).toBeLessThan(0.5 * before);
  });
});

describe('on bodies', () => {
  const [g, mu, h] = [9.81, 0.4, 2e-3];
  const x: number[] = [];
  for (let i = 0; i < 8; i++)
    for (let j = 0; j < 3; j++) for (let k = 0; k < 4; k++) x.push(0.01 * (i - 3.5), 0.01 * j, 0.01 * (k - 1.5));
  const material = {
    type: 'goo',
    density: 1100,
    youngsModulus: 2e4,
    poissonRatio: 0.3,
    yieldStress: Number.POSITIVE_INFINITY,
    viscosity: 0,
    dampingTime: 1e-3,
  } as const;
  const createSlab = (degrees: number, condition: 'sticky' | 'slip' | 'separate'): Continuum => {
    const slope = (degrees * Math.PI) / 180;
    const plane = new Body({ id: 'plane', shape: new PlaneShape(), friction: mu });
    return new Continuum({
      spacing: 0.02,
      implicit: true,
      gravity: [g * Math.sin(slope), -g * Math.cos(slope), 0],
      parts: [{ material, x, volume: 1e-6 }],
      obstacles: [{ body: plane, condition }],
    });
  };
  /** Over the last of three spans: acceleration, and friction over load. */
  const slide = (model: Continuum, span: number): { acceleration: number; load: number; friction: number } => {
    const mass = computeMass(model.points);
    model.run(2 * span, h);
    const start = momentumOf(model);
    let [time, along, across] = [0, 0, 0];
    while (time < span) {
      time += model.step(h);
      along += model.obstacles.impulse[0];
      across -= model.obstacles.impulse[1];
    }
    const gained = momentumOf(model).map((p, k) => p - start[k]);
    // what the plane gives is what the slab gets, beside its weight
    const [gx, gy] = model.gravity;
    // as far as Newton's iterations go
    const slack = 1e-5 * mass * g * time;
    expect(Math.abs(gained[0] - (mass * gx * time - along))).toBeLessThan(slack);
    expect(Math.abs(gained[1] - (mass * gy * time + across))).toBeLessThan(slack);
    return { acceleration: gained[0] / mass / time, load: -across / (mass * gy * time), friction: along / across };
  };

  test('a slab slides above the friction angle with its friction, and rests below', { tags: 'long' }, () => {
    const sliding = slide(createSlab(35, 'separate'), 0.06);
    expect(sliding.friction).toBeCloseTo(mu, 1.5);
    const ideal = g * (Math.sin((35 * Math.PI) / 180) - mu * sliding.load * Math.cos((35 * Math.PI) / 180));
    expect(Math.abs(sliding.acceleration - ideal)).toBeLessThan(0.02 * g);
    const resting = slide(createSlab(12, 'separate'), 0.1);
    expect(Math.abs(resting.acceleration)).toBeLessThan(0.02 * g);
    expect(resting.friction).toBeLessThan(mu);
  });

  test('a plane pushes and never pulls: a slab that is thrown at it comes back', () => {
    const plane = new Body({ id: 'plane', shape: new PlaneShape(), friction: mu });
    const v = x.map((_, k) => (k % 3 === 1 ? -0.5 : 0));
    const model = new Continuum({
      spacing: 0.02,
      implicit: true,
      parts: [{ material: { ...material, dampingTime: Number.POSITIVE_INFINITY }, x, v, volume: 1e-6 }],
      obstacles: [{ body: plane }],
    });
    let [pushed, pulled] = [0, 0];
    for (let n = 0; n < 40; n++) {
      model.step(h);
      pushed = Math.min(pushed, model.obstacles.impulse[1]);
      pulled = Math.max(pulled, model.obstacles.impulse[1]);
    }
    expect(pushed).toBeLessThan(-1e-4);
    expect(pulled).toBeLessThan(-1e-5 * pushed);
    expect(momentumOf(model)[1] / computeMass(model.points)).toBeGreaterThan(0.1);
  });

  test('slip has no friction, and sticky holds', { tags: 'long' }, () => {
    const slipping = slide(createSlab(20, 'slip'), 0.03);
    expect(Math.abs(slipping.friction)).toBeLessThan(1e-5);
    expect(slipping.acceleration).toBeCloseTo(g * Math.sin((20 * Math.PI) / 180), 4);
    const held = slide(createSlab(60, 'sticky'), 0.06);
    expect(Math.abs(held.acceleration)).toBeLessThan(0.5 * g * Math.sin(Math.PI / 3));
  });

  test('in a groove of two slipping planes nodes obey both, and a slab runs along it freely', () => {
    const planes = [-1, 1].map((side) => ({
      body: new Body({
        id: `side ${side}`,
        shape: new PlaneShape(),
        orientation: quaternionFromAxisAngle([1, 0, 0], side * 0.5),
      }),
      condition: 'slip' as const,
    }));
    const model = new Continuum({
      spacing: 0.02,
      implicit: true,
      gravity: [1, -g, 0],
      parts: [{ material, x, volume: 1e-6 }],
      obstacles: planes,
    });
    for (let n = 0; n < 10; n++) {
      model.step(h);
      expect(model.solver!.report.converged).toBe(true);
      const { count, node, normal } = model.obstacles;
      const seen = new Map<number, number>();
      let worst = 0;
      for (let c = 0; c < count; c++) {
        seen.set(node[c], (seen.get(node[c]) ?? 0) + 1);
        let across = 0;
        for (let k = 0; k < 3; k++) across += model.grid.moved[node[c] + k] * normal[3 * c + k];
        worst = Math.max(worst, Math.abs(across));
      }
      expect(worst).toBeLessThan(1e-12);
      expect([...seen.values()].filter((times) => times === 2).length).toBeGreaterThan(3);
    }
    expect(momentumOf(model)[0] / computeMass(model.points)).toBeCloseTo(10 * h, 6);
  });
});
