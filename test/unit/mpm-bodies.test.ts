/**
 * Dynamic bodies and the continuum: what a free collision keeps whatever weighs more, how bodies come to rest on what holds them, and that they are taken back.
 */
import { Body, BoxShape, KeyframeTrack, PlaneShape, SphereShape } from 'heddle/bodies';
import {
  addPointMomentum,
  BLOCK_NODES,
  BlockGrid,
  Continuum,
  type ContinuumOptions,
  computeElasticEnergy,
  computeKineticEnergy,
  computeMass,
  type NodeField,
  ObstacleSet,
  type PointPart,
  StressWork,
} from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom, norm } from './mpm-fixtures.ts';
import { createCloth, createHeap } from './mpm-parts.ts';

/** Momenta of particles and bodies, about the origin. */
const momentumOf = (model: Continuum): Float64Array => {
  const out = new Float64Array(6);
  addPointMomentum(model.points, model.spread, out);
  const [v, I] = [new Float64Array(3), new Float64Array(9)];
  for (const { body } of model.obstacles.obstacles) {
    body.writeCentreVelocity(v);
    body.writeWorldInertia(I);
    const [c, w] = [body.centreOfMass, body.angularVelocity];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      out[k] += body.mass * v[k];
      out[3 + k] +=
        body.mass * (c[i] * v[j] - c[j] * v[i]) + I[3 * k] * w[0] + I[3 * k + 1] * w[1] + I[3 * k + 2] * w[2];
    }
  }
  return out;
};

const energyOf = (model: Continuum): number =>
  computeKineticEnergy(model.points, model.spread) +
  computeElasticEnergy(model.points, new StressWork()) +
  model.obstacles.obstacles.reduce((sum, { body }) => sum + body.kineticEnergy(), 0);

const create = (options: ContinuumOptions): Continuum => {
  const model = new Continuum(options);
  model.obstacles.begin();
  return model;
};

const fluid = createHeap('fluid', 6, 0.012);
const cloth = createCloth(10, 10, 0.015);

/** Cloth or fluid between a box and a ball that come from both sides, off the centre and turning, so that they meet in the same nodes. */
const createCollision = (
  name: 'fluid' | 'cloth',
  ratio: number,
  implicit: boolean,
): { model: Continuum; mass: number } => {
  const part: PointPart = name === 'fluid' ? fluid : cloth;
  const mass = ratio * computeMass(new Continuum({ spacing: 0.02, parts: [part] }).points);
  const box = new Body({
    id: 'box',
    shape: new BoxShape([0.06, 0.04, 0.05]),
    motion: 'dynamic',
    mass,
    position: [0.02, 0.08, 0.01],
    velocity: [0.1, -1, 0.2],
    angularVelocity: [3, 5, -4],
    friction: 0.3,
  });
  const ball = new Body({
    id: 'ball',
    shape: new SphereShape(0.03),
    motion: 'dynamic',
    mass,
    position: [-0.01, -0.08, 0],
    velocity: [0, 0.8, 0],
    friction: 0.3,
  });
  return {
    model: create({ spacing: 0.02, implicit, parts: [part], obstacles: [{ body: box }, { body: ball }] }),
    mass,
  };
};

describe('a free collision', () => {
  const EXACT = [1e-12, 1e-12] as const;
  // linear momentum as far as Newton converges, angular momentum to first order: implicit forces belong to the end of the step
  const CONVERGED = [1e-6, 5e-3] as const;
  for (const [name, ratio, method, step, tolerances] of [
    ['fluid', 100, 'explicit', 1e-3, EXACT],
    ['fluid', 1, 'explicit', 1e-3, EXACT],
    ['fluid', 0.01, 'explicit', 1e-3, EXACT],
    ['cloth', 100, 'explicit', 1e-3, EXACT],
    ['cloth', 1, 'explicit', 1e-3, EXACT],
    ['cloth', 0.01, 'explicit', 1e-3, EXACT],
    ['fluid', 1, 'implicit', 4e-3, CONVERGED],
    ['cloth', 100, 'implicit', 4e-3, CONVERGED],
    ['cloth', 0.01, 'implicit', 4e-3, CONVERGED],
  ] as const)
    test(`of ${name} and two bodies keeps both momenta, and gains no energy: bodies of ${ratio} times its mass, ${method}`, {
      tags: method === 'implicit' ? ['long'] : [],
    }, () => {
      const { model, mass } = createCollision(name, ratio, method === 'implicit');
      const [start, before] = [momentumOf(model), energyOf(model)];
      let [most, pushed] = [before, 0];
      const steps = 0.12 / step;
      for (let n = 0; n < steps; n++) {
        model.step(step);
        most = Math.max(most, energyOf(model));
        pushed += norm(model.obstacles.impulse);
        if (model.solver) expect(model.solver.report.converged).toBe(true);
      }
      const change = momentumOf(model).map((value, k) => value - start[k]);
      const scale = Math.max(norm(start.subarray(0, 3)), 2 * mass);
      expect(norm(change.subarray(0, 3))).toBeLessThan(tolerances[0] * scale);
      expect(norm(change.subarray(3))).toBeLessThan(tolerances[1] * scale * 0.1);
      // they met, lost energy, and never had more
      expect(pushed).toBeGreaterThan(0.01 * mass);
      expect(most).toBeLessThan(1.001 * before);
      expect(energyOf(model)).toBeLessThan(0.999 * before);
    });
});

describe('nodes of a grid and bodies that they push', () => {
  /** A cloud of nodes of random masses and velocities with two bodies in it, one inside the other's reach, after contact. */
  const meet = (mass: number, friction: number, hasOthers: boolean, isSingle = false) => {
    const random = createRandom(91);
    const double = new BlockGrid({ spacing: 0.1 });
    double.sort(Float64Array.of(0.11, 0.12, 0.13, -0.2, -0.2, -0.2), 2);
    for (let at = 0; at < 4 * BLOCK_NODES * double.blockCount; at += 4) {
      double.node[at] = random.uniform(0.1, 2);
      for (let k = 0; k < 3; k++) double.moved[at + k] = random.uniform(-1, 1);
    }
    const { spacing, blockCount, block, node, moved } = double;
    const grid: NodeField = isSingle
      ? { spacing, blockCount, block, node: Float32Array.from(node), moved: Float32Array.from(moved) }
      : double;
    const dynamic = { motion: 'dynamic', mass, friction, velocity: [1, 2, -1], angularVelocity: [1, -2, 3] } as const;
    const ball = new Body({ id: 'ball', shape: new SphereShape(0.3), position: [0.15, 0.1, 0.2], ...dynamic });
    const box = new Body({
      id: 'box',
      shape: new BoxShape([0.4, 0.3, 0.5]),
      position: [-0.1, -0.12, 0.05],
      orientation: [0.1, 0.2, 0.3, 0.9],
      ...dynamic,
    });
    const floor = new Body({ id: 'floor', shape: new PlaneShape(), position: [0, -0.25, 0], friction });
    const set = new ObstacleSet(hasOthers ? [{ body: ball }, { body: box }, { body: floor }] : [{ body: box }]);
    const before = grid.moved.slice();
    set.begin();
    set.apply(grid, 0.01, [0, 0, 0]);
    return { grid, set, before };
  };

  test.each([
    [1e-3, 0, true, 'double', 1e-8],
    [1, 0.4, false, 'double', 1e-8],
    [1e3, 0.4, false, 'double', 1e-8],
    [1e-3, 0.4, false, 'double', 1e-8],
    // body after body, and what the last sweeps change adds up
    [1, 0.1, true, 'double', 1e-7],
    [1e3, 0.4, true, 'double', 1e-7],
    [1e-3, 0.4, true, 'double', 1e-6],
    [1, 0.1, true, 'single', 1e-6],
    [1e3, 0.4, true, 'single', 2e-6],
  ] as const)(
    'obey contact and Coulomb at the velocities that bodies have afterwards: %f kg, friction %f, with others inside each other %s, %s precision',
    (mass, friction, hasOthers, precision, slack) => {
      const { grid, set, before } = meet(mass, friction, hasOthers, precision === 'single');
      let [pressed, free, slid] = [0, 0, 0];
      const shared = new Map<number, number[]>();
      for (let c = 0; c < set.count; c++) {
        const at = set.node[c];
        shared.set(at, [...(shared.get(at) ?? []), c]);
        const n = set.normal.subarray(3 * c, 3 * c + 3);
        const j = set.given.subarray(3 * c, 3 * c + 3);
        // velocity of the body at the node
        const u = new Float64Array(3);
        const b = set.body[c];
        if (set.pushed.isDynamic[b] === 1) {
          const [V, r] = [
            set.pushed.twist.subarray(6 * b, 6 * b + 6),
            [0, 1, 2].map((k) => set.place[3 * c + k] - set.pushed.centre[3 * b + k]),
          ];
          for (let k = 0; k < 3; k++)
            u[k] = V[k] + V[3 + ((k + 1) % 3)] * r[(k + 2) % 3] - V[3 + ((k + 2) % 3)] * r[(k + 1) % 3];
        }
        const relative = [0, 1, 2].map((k) => grid.moved[at + k] - u[k]);
        const [speed, push] = [0, 1, 2].reduce(([s, p], k) => [s + relative[k] * n[k], p + j[k] * n[k]], [0, 0]);
        const along = relative.map((value, k) => value - speed * n[k]);
        const rubbed = [0, 1, 2].map((k) => j[k] - push * n[k]);
        expect(speed).toBeGreaterThan(-slack);
        expect(push).toBeGreaterThanOrEqual(0);
        expect(Math.abs(speed * push)).toBeLessThan(slack);
        expect(norm(rubbed)).toBeLessThan(friction * push + slack);
        if (push > 0) pressed++;
        else free++;
        if (friction > 0 && push > 1e-3 && norm(along) > 1e-6) {
          slid++;
          // against the motion, and all of it
          expect(norm(rubbed) / (friction * push)).toBeCloseTo(1, 5);
          expect(norm(along.map((value, k) => value / norm(along) + rubbed[k] / norm(rubbed)))).toBeLessThan(1e-4);
        }
      }
      expect(pressed).toBeGreaterThan(20);
      expect(free).toBeGreaterThan(20);
      if (friction > 0) expect(slid).toBeGreaterThan(5);
      // some nodes are inside two bodies; what nodes got is what moved them
      if (hasOthers) expect([...shared.values()].filter((list) => list.length > 1).length).toBeGreaterThan(5);
      for (const [at, list] of shared)
        for (let k = 0; k < 3; k++)
          expect(grid.moved[at + k]).toBeCloseTo(
            before[at + k] + list.reduce((sum, c) => sum + set.given[3 * c + k], 0) / grid.node[at],
            precision === 'single' ? 5 : 12,
          );
    },
  );

  test.each(['static', 'scripted'] as const)(
    'are all those with mass inside a %s body and its margin, also after it was put elsewhere and masses changed',
    (motion) => {
      const { grid } = meet(1, 0, false, false);
      const keys = [{ time: 0, position: [0.05, 0.02, -0.03] as const }];
      for (const shape of [new BoxShape([0.5, 0.3, 0.4]), new SphereShape(0.3), new PlaneShape()]) {
        const body = new Body({
          id: 'body',
          shape,
          motion,
          ...(motion === 'static' ? { position: keys[0].position } : { track: new KeyframeTrack(keys) }),
        });
        const margin = 0.03;
        // one node less every time
        const set = new ObstacleSet([{ body, margin }]);
        for (const way of [0, 0, 0.04]) {
          body.position[1] += way;
          if (set.count > 0) grid.node[set.node[0]] = 0;
          set.find(grid);
          const found = new Map(Array.from({ length: set.count }, (_, c) => [set.node[c], c]));
          let inside = 0;
          const [place, surface] = [new Float64Array(3), new Float64Array(4)];
          for (let n = 0; n < BLOCK_NODES * grid.blockCount; n++) {
            const [slot, cell] = [n >> 6, [(n >> 4) & 3, (n >> 2) & 3, n & 3]];
            for (let k = 0; k < 3; k++) place[k] = (4 * grid.block[3 * slot + k] + cell[k]) * grid.spacing;
            body.writeSignedDistance(place, surface);
            const c = found.get(4 * n);
            expect(c !== undefined).toBe(grid.node[4 * n] > 0 && surface[0] < margin);
            if (c === undefined) continue;
            inside++;
            expect([...set.normal.subarray(3 * c, 3 * c + 3)]).toEqual([...surface.subarray(1)]);
            expect([...set.place.subarray(3 * c, 3 * c + 3)]).toEqual([...place]);
          }
          expect(inside).toBe(set.count);
          expect(inside).toBeGreaterThan(20);
        }
      }
    },
  );

  test('are asked until only rounding is left, in single precision too, and once more where no two bodies hold them', () => {
    const sweepsOf = (isSingle: boolean): number => meet(1, 0.1, true, isSingle).set.sweeps;
    expect(sweepsOf(false)).toBeLessThan(50);
    expect(sweepsOf(true)).toBeLessThanOrEqual(sweepsOf(false));
    for (const isSingle of [false, true]) {
      const { grid, set, before } = meet(1, 0.4, true, isSingle);
      // the ball is elsewhere
      const [ball, box] = set.obstacles.map(({ body }) => body);
      ball.position[0] = 0.42;
      grid.moved.set(before);
      const two = new ObstacleSet([{ body: ball }, { body: box }]);
      two.begin();
      two.apply(grid, 0.01, [0, 0, 0]);
      expect(two.start[1] > 0 && two.count > two.start[1]).toBe(true);
      expect(two.sweeps).toBe(2);
    }
  });

  test('after the end bodies are where they were', () => {
    const { set } = meet(1, 0.4, true);
    const [ball] = set.obstacles.map(({ body }) => body);
    set.advance(0.01);
    expect(ball.position[0]).not.toBe(0.15);
    expect(ball.velocity[0]).not.toBe(1);
    set.end();
    expect(Array.from(ball.position)).toEqual([0.15, 0.1, 0.2]);
    expect(Array.from(ball.velocity)).toEqual([1, 2, -1]);
    expect(Array.from(ball.angularVelocity)).toEqual([1, -2, 3]);
    expect(Array.from(ball.orientation)).toEqual([0, 0, 0, 1]);
    // and are not pushed any more
    set.advance(0.01);
    expect(Array.from(ball.position)).toEqual([0.15, 0.1, 0.2]);
  });
});

test.each([0.02, 3])('a ball comes to rest on a block that carries its weight, %f of its own', (ratio) => {
  const block = createHeap('goo', 6, 0.01, [0, 0.03, 0]);
  const material = { ...block.material, dampingTime: 2e-4 } as typeof block.material;
  const g = 9.81;
  const mass = ratio * 6 ** 3 * 1e-6 * material.density;
  const ball = new Body({
    id: 'ball',
    shape: new SphereShape(0.025),
    motion: 'dynamic',
    mass,
    position: [0, 0.095, 0],
  });
  const floor = new Body({ id: 'floor', shape: new PlaneShape() });
  const model = create({
    spacing: 0.02,
    gravity: [0, -g, 0],
    parts: [{ ...block, material }],
    obstacles: [{ body: ball }, { body: floor, condition: 'sticky' }],
  });
  model.run(0.5);
  expect(Math.abs(ball.velocity[1])).toBeLessThan(0.02);
  expect(ball.position[1]).toBeGreaterThan(0.045);
  expect(ball.position[1]).toBeLessThan(0.09);
});
