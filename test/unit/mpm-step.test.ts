/**
 * Steps of the continuum: what a free mixed scene keeps, how things fall and turn, what bodies do to nodes, friction of hairs on hairs and of blocks on
 * planes, how long a step may be. Numbers in brackets are those of [theory/mpm].
 */
import { Body, PlaneShape, SphereShape } from 'heddle/bodies';
import { quaternionFromAxisAngle } from 'heddle/math';
import {
  addPointMomentum,
  BLOCK_NODES,
  BlockGrid,
  type BulkPart,
  Continuum,
  type CurvePart,
  computeDampingTime,
  computeElasticEnergy,
  computeKineticEnergy,
  computeMass,
  computeRemainder,
  createPaperCurve,
  createPaperSurface,
  type Deformation,
  ObstacleSet,
  PAPER_MATERIALS,
  type PointPart,
  type SplineDegree,
  StressWork,
  type SurfacePart,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom, norm } from './mpm-fixtures.ts';
import { CLOTH, createCloth, createHair, createHeap, HAIR } from './mpm-parts.ts';

const work = new StressWork();

const momentumOf = (model: Continuum): Float64Array => {
  const out = new Float64Array(6);
  addPointMomentum(model.points, model.spread, out);
  return out;
};

/** Velocities of a turn about y and a common velocity. */
const spin = (x: readonly number[], v: readonly [number, number, number], rate: number): number[] => {
  const out: number[] = [];
  for (let k = 0; k < x.length; k += 3) out.push(v[0] - rate * x[k + 2], v[1], v[2] + rate * x[k]);
  return out;
};

const raise = (x: readonly number[], y: number): number[] => x.map((value, k) => (k % 3 === 1 ? value + y : value));

/** Cloth that sand and fluid hit from below and hair from above, all turning. */
const createMixture = (degree: SplineDegree, deformation: Deformation = 'full'): Continuum => {
  const cloth = createCloth(10, 10, 0.02);
  const hair = createHair(5, 10, 0.015);
  const sand = createHeap('sand', 5, 0.012, [0.03, -0.06, 0]);
  const fluid = createHeap('fluid', 5, 0.012, [-0.04, -0.06, 0.01]);
  const hairX = raise(hair.x, 0.05);
  return new Continuum({
    spacing: 0.02,
    degree,
    deformation,
    parts: [
      { ...cloth, v: spin(cloth.x, [0.3, 0, 0.1], 2) },
      { ...hair, x: hairX, v: spin(hairX, [0, -1, 0], 2) },
      { ...sand, v: spin(sand.x, [0, 1, 0], 2) },
      {
        ...fluid,
        material: { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 0.1 },
        v: spin(fluid.x, [0.2, 1, 0], 2),
      },
    ],
  });
};

describe('a free scene of cloth, hair, sand and fluid', () => {
  test.each([
    [2, 1000],
    [3, 300],
  ] as const)(
    'keeps mass, momentum and angular momentum to 1e-12: degree %i, %i steps',
    { tags: 'long' },
    (degree, steps) => {
      const model = createMixture(degree);
      const [mass, start] = [computeMass(model.points), momentumOf(model)];
      const before = computeKineticEnergy(model.points, model.spread);
      let strained = 0;
      for (let n = 0; n < steps; n++) {
        model.step(1);
        if (n % 50 === 0) strained = Math.max(strained, computeElasticEnergy(model.points, work));
      }
      const end = momentumOf(model);
      expect(computeMass(model.points)).toBe(mass);
      const change = end.map((value, k) => value - start[k]);
      expect(norm(change.subarray(0, 3))).toBeLessThan(1e-12 * norm(start.subarray(0, 3)));
      expect(norm(change.subarray(3))).toBeLessThan(1e-12 * norm(start.subarray(3)));
      // and something happened: they met, and lost energy
      expect(strained).toBeGreaterThan(1e-3 * before);
      const after = computeKineticEnergy(model.points, model.spread) + computeElasticEnergy(model.points, work);
      expect(after).toBeLessThan(0.97 * before);
    },
  );

  test.each(['grid', 'mesh', 'elastic'] as const)('keeps them with the deformation of Fig. 10 by %s', (deformation) => {
    const model = createMixture(2, deformation);
    const start = momentumOf(model);
    for (let n = 0; n < 100; n++) model.step(1);
    const change = momentumOf(model).map((value, k) => value - start[k]);
    expect(norm(change)).toBeLessThan(1e-13 * norm(start));
  });

  test('goes on with the same bits from the same state', () => {
    const [first, second] = [createMixture(2), createMixture(2)];
    for (let n = 0; n < 20; n++) first.step(1);
    second.points.x.set(first.points.x);
    second.points.v.set(first.points.v);
    second.points.C.set(first.points.C);
    second.points.F.set(first.points.F);
    second.points.gain.set(first.points.gain);
    for (let n = 0; n < 20; n++) {
      first.step(1);
      second.step(1);
    }
    expect(second.points.x).toEqual(first.points.x);
    expect(second.points.v).toEqual(first.points.v);
    expect(second.points.F).toEqual(first.points.F);
  });
});

describe('simple motion', () => {
  test('of all kinds is free fall with v = g t and x = ½ g t (t + h), exactly', () => {
    const gravity = [0.3, -9.81, 0.2] as const;
    const parts = [
      createCloth(4, 4, 0.02),
      createHair(2, 4, 0.02),
      createHeap('sand', 3, 0.01),
      createHeap('fluid', 3, 0.01),
    ];
    for (const part of parts) {
      const model = new Continuum({ spacing: 0.03, gravity, parts: [part] });
      const x = model.points.x.slice();
      const [h, n] = [1e-4, 200];
      for (let k = 0; k < n; k++) expect(model.step(h)).toBe(h);
      const t = n * h;
      for (let p = 0; p < model.points.count; p++)
        for (let k = 0; k < 3; k++) {
          expect(model.points.v[3 * p + k]).toBeCloseTo(gravity[k] * t, 11);
          expect(model.points.x[3 * p + k] - x[3 * p + k]).toBeCloseTo(0.5 * gravity[k] * t * (t + h), 12);
        }
      expect(computeElasticEnergy(model.points, work)).toBeLessThan(1e-20);
    }
  });

  test('F of goo and J of a fluid follow an affine flow, v = a x in every step', () => {
    const [a, h, steps] = [-5, 1e-3, 20];
    const scale = (1 + h * a) ** steps;
    for (const type of ['goo', 'fluid'] as const) {
      const heap = createHeap(type, 4, 0.01);
      // too soft to change the flow
      const soft =
        heap.material.type === 'fluid'
          ? { ...heap.material, bulkModulus: 1e-9 }
          : { ...heap.material, youngsModulus: 1e-9 };
      const model = new Continuum({ spacing: 0.02, parts: [{ ...heap, material: soft } as BulkPart] });
      const { points } = model;
      for (let n = 0; n < steps; n++) {
        for (let k = 0; k < points.x.length; k++) points.v[k] = a * points.x[k];
        for (let p = 0; p < points.count; p++) points.C.set([a, 0, 0, 0, a, 0, 0, 0, a], 9 * p);
        expect(model.step(h)).toBe(h);
      }
      for (let p = 0; p < points.count; p++) {
        expect(points.x[3 * p]).toBeCloseTo(heap.x[3 * p] * scale, 12);
        expect(points.F[9 * p]).toBeCloseTo(type === 'fluid' ? scale ** 3 : scale, 9);
        // of a fluid D_xy
        expect(points.F[9 * p + 4]).toBeCloseTo(type === 'fluid' ? 0 : scale, 9);
        if (type === 'fluid') expect(points.F[9 * p + 2]).toBeCloseTo(a, 9);
      }
    }
  });

  test('a turning patch of cloth keeps its shape: no strain but that of the turn itself', () => {
    const rate = 6;
    const cloth = createCloth(8, 8, 0.02);
    const model = new Continuum({ spacing: 0.03, parts: [{ ...cloth, v: spin(cloth.x, [0, 0, 0], rate) }] });
    for (let p = 0; p < model.points.count; p++) {
      model.points.C[9 * p + 2] = -rate;
      model.points.C[9 * p + 6] = rate;
    }
    const kinetic = computeKineticEnergy(model.points, model.spread);
    const h = 5e-4;
    // half a turn
    for (let n = 0; n < Math.PI / (rate * h); n++) model.step(h);
    const elastic = computeElasticEnergy(model.points, work);
    expect(elastic).toBeLessThan(0.01 * kinetic);
    expect(computeKineticEnergy(model.points, model.spread)).toBeGreaterThan(0.97 * kinetic);
    // the corner that was at (−, −) is at (+, +)
    const first = 3 * model.points.groups[0].firstVertex;
    expect(model.points.x[first]).toBeGreaterThan(0.07);
    expect(model.points.x[first + 2]).toBeGreaterThan(0.07);
  });

  test('a stretched hair rings with the period of a rod, 4 l √(ρ/k) from its middle', () => {
    const [l, n] = [0.3, 24];
    const hair = createHair(1, n, l / n);
    const rest = hair.x;
    const x = rest.map((value, k) => (k % 3 === 0 ? value + 0.001 * l * Math.sin((Math.PI * value) / l) : value));
    const model = new Continuum({
      spacing: l / n,
      parts: [{ ...hair, rest, x, material: { ...hair.material, memory: 1 } }],
    });
    const end = 3 * (model.points.groups[0].firstVertex + n);
    const { density, fibreStiffness } = hair.material;
    const period = 2 * l * Math.sqrt(density / fibreStiffness);
    const h = period / 800;
    let crossings = 0;
    let [last, time, previous] = [model.points.x[end] - l / 2, 0, 0];
    const times: number[] = [];
    while (crossings < 5) {
      time += model.step(h);
      const now = model.points.x[end] - l / 2;
      if (now * last < 0) {
        crossings++;
        times.push(previous + ((time - previous) * last) / (last - now));
      }
      [last, previous] = [now, time];
    }
    // from the first zero, at a quarter, four half periods
    expect((times[4] - times[0]) / 2 / period).toBeCloseTo(1, 1.3);
  });
});

describe('steps', () => {
  test('are half of what sound needs for a cell', () => {
    const cloth = createCloth(2, 2, 0.02);
    const model = new Continuum({ spacing: 0.02, parts: [cloth] });
    const { youngsModulus: E, poissonRatio: n, density } = CLOTH;
    const modulus = E / (1 + n) + (E * n) / (1 - n * n);
    expect(model.step(1)).toBeCloseTo(0.5 * 0.02 * Math.sqrt(density / modulus), 12);
    const fluid = new Continuum({ spacing: 0.02, parts: [createHeap('fluid', 2, 0.01)] });
    expect(fluid.step(1)).toBeCloseTo(0.5 * 0.02 * Math.sqrt(1000 / 2e4), 12);
  });

  test('are shorter where a sheet is pressed, a fluid is viscous', () => {
    const model = new Continuum({ spacing: 0.02, parts: [createCloth(2, 2, 0.02)] });
    const free = model.step(1);
    for (let p = 0; p < model.points.stressCount; p++) model.points.F[9 * p + 5] *= 0.3;
    // 2 k (1 − r₃₃) = 2 · 2e4 · 0.7
    expect(model.step(1)).toBeLessThan(Math.min(free, 0.5 * 0.02 * Math.sqrt(300 / 28000)) * (1 + 1e-12));
    const heap = createHeap('fluid', 2, 0.01);
    const fluid = new Continuum({
      spacing: 0.02,
      parts: [{ ...heap, material: { type: 'fluid', density: 1000, bulkModulus: 2e4, viscosity: 50 } }],
    });
    expect(fluid.step(1)).toBeCloseTo((0.1 * 0.02 ** 2 * 1000) / 50, 12);
  });

  test('move no particle by much more than 0.3 cells, whatever its speed and what pushes it', () => {
    const heap = createHeap('goo', 4, 0.01);
    const random = createRandom(81);
    const v = heap.x.map(() => random.uniform(-200, 200));
    const model = new Continuum({ spacing: 0.02, gravity: [0, -1e5, 0], parts: [{ ...heap, v }] });
    let farthest = 0;
    for (let n = 0; n < 50; n++) {
      const x = model.points.x.slice();
      model.step(1);
      for (let p = 0; p < model.points.count; p++) {
        const moved = norm([0, 1, 2].map((k) => model.points.x[3 * p + k] - x[3 * p + k]));
        expect(moved).toBeLessThan(0.31 * 0.02);
        farthest = Math.max(farthest, moved);
      }
    }
    // and not much less, either
    expect(farthest).toBeGreaterThan(0.2 * 0.02);
  });

  test('run to the end of a time, in steps of at most a length', () => {
    const model = new Continuum({ spacing: 0.02, gravity: [0, -9.81, 0], parts: [createHeap('sand', 2, 0.01)] });
    expect(model.run(0.01, 3e-4)).toBe(34);
    expect(model.points.v[1]).toBeCloseTo(-0.0981, 12);
  });

  test('forget as much in two halves as in one: damping and memory are times (12)', () => {
    expect(computeRemainder(2e-4, 0.01)).toBeCloseTo(computeRemainder(1e-4, 0.01) ** 2, 14);
    expect([computeRemainder(1, 0), computeRemainder(1, Number.POSITIVE_INFINITY)]).toEqual([0, 1]);
    expect(1 - computeRemainder(7e-5, computeDampingTime(0.8, 7e-5))).toBeCloseTo(0.8, 12);
    expect([computeDampingTime(1, 1e-4), computeDampingTime(0, 1e-4)]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  test('damping takes strain rates and leaves turns', () => {
    const [rate, stretch] = [2, 3];
    const heap = createHeap('sand', 5, 0.01);
    const v: number[] = [];
    for (let k = 0; k < heap.x.length; k += 3)
      v.push(stretch * heap.x[k] - rate * heap.x[k + 2], 0, stretch * heap.x[k + 2] + rate * heap.x[k]);
    const measure = (dampingTime: number): [number, number] => {
      const model = new Continuum({
        spacing: 0.02,
        parts: [{ ...heap, v, material: { ...heap.material, dampingTime } }],
      });
      for (let p = 0; p < model.points.count; p++)
        model.points.C.set([stretch, 0, -rate, 0, 0, 0, rate, 0, stretch], 9 * p);
      const start = momentumOf(model)[4];
      for (let n = 0; n < 20; n++) model.step(2e-4);
      let radial = 0;
      for (let p = 0; p < model.points.count; p++)
        radial += model.points.x[3 * p] * model.points.v[3 * p] + model.points.x[3 * p + 2] * model.points.v[3 * p + 2];
      return [momentumOf(model)[4] / start, radial];
    };
    const [keptSpin, damped] = measure(1e-4);
    const [, free] = measure(Number.POSITIVE_INFINITY);
    expect(keptSpin).toBeCloseTo(1, 12);
    expect(damped).toBeLessThan(0.9 * free);
    expect(free).toBeGreaterThan(0);
  });
});

describe('bodies', () => {
  /** One node of mass 2 at the origin's block, with a velocity, after the bodies. */
  const correct = (body: Body, condition: 'sticky' | 'slip' | 'separate', friction: number, v: readonly number[]) => {
    const grid = new BlockGrid({ spacing: 0.1 });
    grid.sort(Float64Array.of(0.11, 0.12, 0.13), 1);
    const set = new ObstacleSet([{ body, condition, friction }]);
    // the node (1, 1, 1), at (0.1, 0.1, 0.1)
    const slot = grid.neighbours.findIndex((s) => [0, 1, 2].every((k) => grid.block[3 * s + k] === 0));
    const at = 4 * (BLOCK_NODES * grid.neighbours[slot] + 16 + 4 + 1);
    grid.node[at] = 2;
    grid.moved.set(v, at);
    set.apply(grid, 1e-3, [0, 0, 0]);
    return { v: Array.from(grid.moved.subarray(at, at + 3)), impulse: Array.from(set.impulse) };
  };
  // the plane y = 0.2, solid below, moving
  const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, 0.2, 0] });

  test('sticky nodes move with the body', () => {
    expect(correct(floor, 'sticky', 0, [1, 2, 3]).v).toEqual([0, 0, 0]);
    const ball = new Body({
      id: 'ball',
      shape: new SphereShape(1),
      motion: 'dynamic',
      mass: 1,
      velocity: [1, 0, 0],
      angularVelocity: [0, 2, 0],
    });
    // v + ω × r at (0.1, 0.1, 0.1)
    const { v } = correct(ball, 'sticky', 0, [5, 5, 5]);
    [1.2, 0, -0.2].forEach((value, k) => {
      expect(v[k]).toBeCloseTo(value, 14);
    });
  });

  test('slipping nodes lose their normal velocity, towards the body and away from it', () => {
    expect(correct(floor, 'slip', 0, [1, -2, 3]).v).toEqual([1, 0, 3]);
    expect(correct(floor, 'slip', 0, [1, 2, 3]).v).toEqual([1, 0, 3]);
  });

  test('separating nodes leave freely, and obey Coulomb where they press', () => {
    expect(correct(floor, 'separate', 0.5, [1, 2, 3]).v).toEqual([1, 2, 3]);
    // slides: 5 − 0.5 · 2 = 4 of 5
    const { v, impulse } = correct(floor, 'separate', 0.5, [3, -2, 4]);
    expect(v[0]).toBeCloseTo(2.4, 14);
    expect(v[1]).toBeCloseTo(0, 14);
    expect(v[2]).toBeCloseTo(3.2, 14);
    // what the node lost, the body got: m δv, and its moment
    const expected = [1.2, -4, 1.6];
    const moment = [0.1 * 1.6 + 0.4, 0.1 * (1.2 - 1.6), -0.4 - 0.1 * 1.2];
    [...expected, ...moment].forEach((value, k) => {
      expect(impulse[k]).toBeCloseTo(value, 13);
    });
    // sticks
    expect(correct(floor, 'separate', 3, [3, -2, 4]).v.map((value) => value + 0)).toEqual([0, 0, 0]);
  });

  test('nodes outside are free', () => {
    const low = new Body({ id: 'low', shape: new PlaneShape(), position: [0, 0.05, 0] });
    expect(correct(low, 'sticky', 0, [1, 2, 3])).toEqual({ v: [1, 2, 3], impulse: [0, 0, 0, 0, 0, 0] });
  });

  test('a slab on a plane stays below the friction angle, and above slides with g (sin θ − μ cos θ)', {
    tags: 'long',
  }, () => {
    const [mu, g] = [0.4, 9.81];
    const x: number[] = [];
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < 4; j++) for (let k = 0; k < 6; k++) x.push(0.01 * (i - 5.5), 0.01 * j, 0.01 * (k - 2.5));
    const material = {
      type: 'goo',
      density: 1100,
      youngsModulus: 2e4,
      poissonRatio: 0.3,
      yieldStress: Number.POSITIVE_INFINITY,
      viscosity: 0,
      dampingTime: 1e-3,
    } as const;
    /** After it has come to lie: acceleration and load of the plane, and friction over load. */
    const slide = (degrees: number, settle: number) => {
      const slope = (degrees * Math.PI) / 180;
      const plane = new Body({ id: 'plane', shape: new PlaneShape(), friction: mu });
      const model = new Continuum({
        spacing: 0.02,
        gravity: [g * Math.sin(slope), -g * Math.cos(slope), 0],
        parts: [{ material, x, volume: 1e-6 }],
        obstacles: [{ body: plane }],
      });
      const mass = computeMass(model.points);
      model.run(settle, 1e-3);
      const start = momentumOf(model)[0] / mass;
      let [time, along, across] = [0, 0, 0];
      while (time < 0.2) {
        time += model.step(1e-3);
        along += model.obstacles.impulse[0];
        across -= model.obstacles.impulse[1];
      }
      return {
        acceleration: (momentumOf(model)[0] / mass - start) / time,
        ideal: g * (Math.sin(slope) - mu * Math.cos(slope)),
        load: across / time / (mass * g * Math.cos(slope)),
        friction: along / across,
      };
    };
    for (const degrees of [24, 32]) {
      const { acceleration, ideal, load, friction } = slide(degrees, 0.1);
      expect(friction).toBeCloseTo(mu, 2);
      expect(load).toBeCloseTo(1, 1);
      // what it weighs still changes a little
      expect(Math.abs(acceleration - ideal)).toBeLessThan(0.01 * g);
    }
    for (const degrees of [10, 20]) {
      // it slips as it falls onto the plane, and then rests
      const { acceleration, load, friction } = slide(degrees, 0.5);
      expect(Math.abs(acceleration)).toBeLessThan(1e-3 * g);
      expect(load).toBeCloseTo(1, 2.3);
      expect(friction).toBeCloseTo(Math.tan((degrees * Math.PI) / 180), 2.3);
    }
  });
});

describe('layers on layers', () => {
  const [spacing, g, slope, duration] = [0.02, 9.81, Math.PI / 9, 0.2];

  /** Four layers, 0.6 cells apart, the lowest held, in gravity tilted by 20° along x, after 0.2 s. */
  const pile = (
    parts: readonly PointPart[],
    step: number,
    tilt: number,
    deformation: Deformation = 'full',
  ): Continuum => {
    const floor = new Body({ id: 'floor', shape: new PlaneShape() });
    // walls at the sides, which stacked hairs need
    const walls = [-1, 1].map((side) => ({
      body: new Body({
        id: `wall ${side}`,
        shape: new PlaneShape(),
        position: [0, 0, side * 0.03],
        orientation: quaternionFromAxisAngle([1, 0, 0], (-side * Math.PI) / 2),
      }),
      condition: 'slip' as const,
    }));
    const model = new Continuum({
      spacing,
      gravity: [g * Math.sin(tilt), -g * Math.cos(tilt), 0],
      deformation,
      parts,
      obstacles: [{ body: floor, condition: 'sticky' }, ...walls],
    });
    model.run(duration, step);
    return model;
  };

  const meanOf = (model: Continuum, values: Float64Array, layer: number, axis: number): number => {
    const { firstVertex, vertexCount } = model.points.groups[layer];
    let sum = 0;
    for (let p = firstVertex; p < firstVertex + vertexCount; p++) sum += values[3 * p + axis];
    return sum / vertexCount;
  };

  /** Speed of the top layer over that of free sliding. */
  const slide = (part: SurfacePart | CurvePart, step: number, deformation: Deformation = 'full'): number => {
    const parts = [0, 1, 2, 3].map((k) => ({ ...part, x: raise(part.x as number[], 0.6 * spacing * (k - 1.2)) }));
    const model = pile(parts, step, slope, deformation);
    return meanOf(model, model.points.v, 3, 0) / (g * Math.sin(slope) * duration);
  };

  const sheet = (memory: number, friction: number): SurfacePart & { x: number[] } =>
    createCloth(16, 5, 0.5 * spacing, {
      ...CLOTH,
      thickness: 0.6 * spacing,
      youngsModulus: 5e3,
      frictionAngle: Math.atan(friction),
      memory,
    });

  /** Parallel hairs along x that fill their layer. */
  const hairs = (friction: number): CurvePart & { x: number[] } => {
    const part = createHair(6, 16, 0.5 * spacing, {
      ...HAIR,
      density: 300,
      radius: Math.sqrt((0.6 * 0.5) / Math.PI) * spacing,
      youngsModulus: 2e4,
      fibreStiffness: 2e4,
      shearStiffness: 5e3,
      frictionAngle: Math.atan(friction),
    });
    return { ...part, x: raise(part.x, -part.x[1]) };
  };

  test('hairs slide along each other without friction, and stick below its angle', { tags: 'long' }, () => {
    expect(slide(hairs(0), 4e-4)).toBeGreaterThan(0.9);
    expect(slide(hairs(0.6), 4e-4)).toBeLessThan(0.06);
  });

  test('stick without plasticity even without friction (Fig. 10)', () => {
    expect(slide(sheet(0.02, 0), 4e-4, 'elastic')).toBeLessThan(0.3);
  });

  test('are not held apart by the mesh alone; by grid and mesh they stay half a cell from each other (Fig. 10)', {
    tags: 'long',
  }, () => {
    const thicknessOf = (deformation: Deformation): number => {
      const part = sheet(0.02, 0);
      // heavy, so that it is seen soon
      const heavy = { ...part, material: { ...part.material, density: 1500 } };
      const parts = [0, 1, 2, 3].map((k) => ({ ...heavy, x: raise(part.x, 0.6 * spacing * (k - 1.2)) }));
      const model = pile(parts, 4e-4, 0, deformation);
      return (meanOf(model, model.points.x, 3, 1) - meanOf(model, model.points.x, 1, 1)) / spacing;
    };
    expect(thicknessOf('full')).toBeGreaterThan(0.8);
    expect(thicknessOf('mesh')).toBeLessThan(0.4);
  });

  test('forget the mesh by the grid alone (Fig. 10)', () => {
    for (const [deformation, isFelt] of [
      ['grid', false],
      ['full', true],
    ] as const) {
      const model = new Continuum({ spacing: 0.05, deformation, parts: [createCloth(3, 3, 0.02)] });
      model.points.x[3 * model.points.groups[0].firstVertex] += 0.005;
      model.step(1e-9);
      expect(computeElasticEnergy(model.points, work) > 1e-12).toBe(isFelt);
    }
  });
});

describe('the paper’s materials', () => {
  test('are the sixteen rows of its Table 1', () => {
    expect(PAPER_MATERIALS).toHaveLength(16);
    expect(new Set(PAPER_MATERIALS.map(({ name }) => name)).size).toBe(16);
    const sums = (['density', 'youngsModulus', 'shearStiffness', 'stiffness', 'frictionAngle', 'damping'] as const).map(
      (key) => PAPER_MATERIALS.reduce((sum, material) => sum + material[key], 0),
    );
    // column sums of the printed table
    expect(sums.map((sum) => Number(sum.toFixed(6)))).toEqual([43.5, 20260, 2110, 327900, 165, 10.62]);
    expect(PAPER_MATERIALS.filter(({ type }) => type === 'curve')).toHaveLength(8);
  });

  test('come with friction and damping as laws need them', () => {
    const sweater = createPaperCurve('knit-sweater', 1e-3);
    expect(sweater).toMatchObject({ type: 'curve', radius: 1e-3, fibreStiffness: 500, dampingTime: 0 });
    expect(sweater.frictionAngle).toBeCloseTo(Math.PI / 18, 14);
    const curtain = createPaperSurface('cloth-curtain', 1e-3);
    expect(curtain).toMatchObject({ type: 'surface', normalStiffness: 800, frictionAngle: 0 });
    expect(Math.exp(-7e-5 / curtain.dampingTime!)).toBeCloseTo(0.2, 12);
    expect(() => createPaperSurface('hair-tubes', 1e-3)).toThrow(
      /no surface material "hair-tubes"; it has cloth-curtain/,
    );
  });
});
