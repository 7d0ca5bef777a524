/** The step of a world: scripted bodies, adaptive steps, roll-back and giving up. */
import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle';
import { Body, createShape, RigidBody } from 'heddle/bodies';
import { StepError } from 'heddle/model';
import type { Sheet } from 'heddle/sheet';
import { Strand } from 'heddle/strand';
import { createPin, type Driver, type Tie, World } from 'heddle/world';
import { describe, expect, test, vi } from 'vitest';
import {
  CORD,
  createWorld,
  distance,
  nodesOf,
  readProbe,
  readVector,
  run,
  strand,
  type Vector,
} from './world-scenes.ts';

describe('scripted bodies', () => {
  for (const integrator of ['euler', 'sdirk2'] as const)
    test(`carry guides and ties exactly (${integrator})`, () => {
      const [from, to]: Vector[] = [
        [0.1, 0, 0],
        [0.4, 0.2, -0.3],
      ];
      const world = createWorld({
        objects: [
          strand('through', [[-0.5, 0.2, 0], [0.2, 0.2, 0], [0.5, -0.2, 0]], 11, {
            guides: [{ id: 'eye', point: [0.2, 0.2, 0], body: 'arm' }],
          }), // biome-ignore format: points
          strand('tied', [[0.3, 0.1, 0.1], [0.3, -0.5, 0.1]], 7), // biome-ignore format: points
        ],
        bodies: [
          {
            id: 'arm',
            shape: { type: 'box', size: [0.2, 0.1, 0.1] },
            motion: 'scripted',
            position: from,
            keyframes: [
              { time: 0, position: from },
              { time: 0.35, position: to, rotation: { axis: [0, 0, 1], angle: 80 } },
            ],
          },
        ],
        drivers: [{ type: 'tie', on: { object: 'tied', at: 'start' }, body: 'arm' }],
        probes: [
          { id: 'eye', type: 'position', on: { object: 'through', guide: 'eye' } },
          { id: 'tied', type: 'position', on: { object: 'tied', at: 'start' } },
        ],
        time: { step: 0.002, duration: 1, integrator },
      });
      for (let n = 0; n < 250; n++) {
        world.step();
        const s = Math.min(1, world.time / 0.35);
        const angle = (s * 80 * Math.PI) / 180;
        const place = (x: number, y: number, z: number) => [
          from[0] + s * (to[0] - from[0]) + Math.cos(angle) * x - Math.sin(angle) * y,
          from[1] + s * (to[1] - from[1]) + Math.sin(angle) * x + Math.cos(angle) * y,
          from[2] + s * (to[2] - from[2]) + z,
        ];
        expect(distance(readVector(world, 'eye'), place(0.1, 0.2, 0))).toBeLessThan(1e-14);
        expect(distance(readVector(world, 'tied'), place(0.2, 0.1, 0.1))).toBeLessThan(1e-14);
      }
    });

  test('a guide starts with the velocity of its body: nothing jerks', () => {
    const speed: Vector = [0.7, 0.3, 0];
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        strand('rope', [[-0.5, 0, 0], [0, 0, 0], [0, -0.5, 0]], 11, {
          velocity: speed,
          guides: [{ id: 'eye', point: [0, 0, 0], body: 'arm' }],
        }), // biome-ignore format: points
      ],
      bodies: [
        {
          id: 'arm',
          shape: { type: 'sphere', radius: 0.1 },
          motion: 'scripted',
          keyframes: [
            { time: 0, position: [0, 0, 0] },
            { time: 1, position: speed },
          ],
        },
      ],
      probes: [{ id: 'f', type: 'constraintForce', on: { object: 'rope', guide: 'eye' } }],
      time: { step: 0.01, duration: 1 },
    });
    for (let n = 0; n < 50; n++) {
      world.step();
      expect(Math.hypot(...readVector(world, 'f'))).toBeLessThan(1e-11);
    }
  });
});

describe('adaptive steps', () => {
  const swing = (adaptive: { tolerance: number; smallest: number } | false, step = 0.05) =>
    createWorld({
      objects: [
        strand('rope', [[0, 0, 0], [0.5, 0, 0]], 4, {
          material: { ...CORD, stretchStiffness: 50 },
          masses: [{ at: 'end', mass: 0.02 }],
        }), // biome-ignore format: points
      ],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      probes: [{ id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } }],
      time: { step, duration: 1, adaptive },
      solver: { newtonIterations: 30, tolerance: 1e-11 },
    });
  const tipAfter = (world: World, time: number) => {
    while (world.time < time - 1e-12) world.step();
    return readVector(world, 'tip');
  };

  test('the error falls with the tolerance, and the steps taken grow', () => {
    const exact = tipAfter(swing(false, 2e-5), 0.3);
    let [lastError, lastSteps] = [Number.POSITIVE_INFINITY, 0];
    for (const tolerance of [3e-2, 3e-3, 3e-4, 3e-5]) {
      const world = swing({ tolerance, smallest: 1e-6 });
      let substeps = 0;
      while (world.time < 0.3 - 1e-12) substeps += world.step().substeps;
      const error = distance(readVector(world, 'tip'), exact);
      expect(error).toBeLessThan(0.6 * lastError);
      expect(substeps).toBeGreaterThan(lastSteps);
      [lastError, lastSteps] = [error, substeps];
    }
    expect(lastError).toBeLessThan(1e-3);
  });

  test('step() ends at the times of the scene, whatever it takes in between', () => {
    const world = swing({ tolerance: 1e-3, smallest: 1e-6 });
    for (let n = 1; n <= 10; n++) {
      const report = world.step();
      expect(world.time).toBe(n * 0.05);
      expect(report.time).toBe(world.time);
      expect(report.substeps).toBeGreaterThan(1);
    }
  });

  test('an estimate above the tolerance at the smallest step is accepted there, not given up', () => {
    const world = swing({ tolerance: 1e-9, smallest: 0.003 });
    const report = world.step();
    expect(report.rejected).toBeGreaterThan(0);
    // the smallest step, or what was left in halves
    expect(report.h).toBeGreaterThan(0.0014);
    expect(report.h).toBeLessThan(0.0061);
  });
});

/** A strand running round a corner, remeshing, with a driver that can poison a step. */
function createPoisoned(adaptive: { tolerance: number; smallest: number } | false = false) {
  const rope = new Strand({
    id: 'rope',
    material: CORD,
    points: [
      [-0.6, 0, 0],
      [0, 0, 0],
      [0.1, -0.7, 0.1],
    ],
    nodes: 17,
    slide: -1.5,
    keep: ['start', 'end'],
    guides: [{ id: 'corner', point: [0, 0, 0] }],
  });
  const poison = { active: false, above: 0 };
  const [start, end] = [rope.state.findLabel('start'), rope.state.findLabel('end')];
  const driver: Driver = {
    prepare() {
      rope.state.push(start, [0, 0.01, 0]);
    },
    aim(stage) {
      if (poison.active && stage.h > poison.above) rope.state.push(end, [Number.NaN, 0, 0]);
    },
  };
  const pinned = createPin({ model: rope, label: start }, { until: 0.004 });
  const world = new World({ models: [rope], drivers: [driver, pinned], timeStep: 2e-3, adaptive });
  return { world, rope, poison };
}

describe('a step that fails', () => {
  for (const adaptive of [false, { tolerance: 1e-2, smallest: 1e-5 }] as const)
    test(`hopelessly: says where and why, and leaves the last good state to the bit (${adaptive ? 'adaptive' : 'fixed'})`, () => {
      const { world, rope, poison } = createPoisoned(adaptive);
      const untouched = createPoisoned(adaptive).world;
      let remeshings = 0;
      for (let n = 1; n <= 120; n++) {
        const before = world.hash();
        poison.active = true;
        let found: unknown;
        try {
          world.step();
        } catch (error) {
          found = error;
        }
        expect(found).toBeInstanceOf(StepError);
        const { message, step, time, object, stage } = found as StepError;
        expect({ step, time, object, stage }).toEqual({ step: n, time: world.time, object: 'rope', stage: 'advance' });
        expect(message).toMatch(new RegExp(`^Step ${n} at t = [\\d.e-]+ s failed for "rope" in advance: a position or velocity is not finite, even with a step of [\\d.e-]+ s\\. Reduce time\\.step`)); // biome-ignore format: a sentence
        expect(world.hash()).toBe(before);
        poison.active = false;
        remeshings += world.step().remeshings;
        untouched.step();
        expect(world.hash()).toBe(untouched.hash());
      }
      expect(rope.state.remeshings).toBe(remeshings);
      expect(remeshings).toBeGreaterThan(3);
    });

  test('at full length: is taken in parts, and counted', () => {
    const { world, poison } = createPoisoned();
    poison.active = true;
    poison.above = 0.6e-3;
    const report = world.step();
    // 2 ms and 1 ms fail; the parts that succeed are of 0.6 ms at most
    expect(report.time).toBe(2e-3);
    expect(report.rejected).toBeGreaterThanOrEqual(2);
    expect(report.substeps).toBeGreaterThanOrEqual(4);
    expect(report.h).toBeLessThanOrEqual(0.6e-3);
    // the next begins where this one ended, and tries to lengthen again
    expect(world.step().rejected).toBeGreaterThan(0);
    expect(world.time).toBe(4e-3);
  });

  test('in a Newton iteration that turns non-finite: caught too', () => {
    const { rope } = createPoisoned();
    const iterated = new World({
      models: [rope],
      drivers: [{ prepare() {}, aim: () => rope.state.push(0, [Number.NaN, 0, 0]) }],
      timeStep: 1e-3,
      newtonIterations: 5,
    });
    const before = iterated.hash();
    expect(() => iterated.step()).toThrow(StepError);
    expect(iterated.hash()).toBe(before);
  });

  test('because of a body: names it, and the body is where it was', () => {
    const body = new Body({
      id: 'ball',
      shape: createShape({ type: 'sphere', radius: 0.1 }),
      motion: 'dynamic',
      mass: 1,
    });
    const rigid = new RigidBody(body, [0, -9.81, 0]);
    let poisoned = false;
    const tie: Tie = {
      beginStep() {},
      addRows(rows) {
        if (!poisoned) return;
        rows.addRow(Number.POSITIVE_INFINITY, 1);
        rows.addEntry(0, 1, 1);
      },
      clearForces() {},
      takeMultipliers() {},
    };
    const world = new World({ models: [rigid], bodies: [body], ties: [tie], timeStep: 0.01 });
    run(world, 10);
    const before = world.hash();
    poisoned = true;
    expect(() => world.step()).toThrow(/failed for "ball" in advance: a position or velocity is not finite/);
    expect(world.hash()).toBe(before);
    poisoned = false;
    world.step();
    expect(body.velocity[1]).toBeCloseTo(-9.81 * 0.11, 12);
  });

  test('that does not converge is rejected with that reason', () => {
    // one iteration more than a linear problem needs, and a tolerance that rounding cannot meet
    const world = createWorld({
      objects: [strand('rope', [[0, 0, 0], [1, 0, 0]], 5)], // biome-ignore format: points
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      time: { step: 0.01, duration: 1 },
      solver: { newtonIterations: 2, tolerance: 1e-300 },
    });
    expect(() => world.step()).toThrow(/failed for the world in solve: Newton did not converge/);
  });
});

test('profile counts time in each stage, and a report says what a step did', () => {
  const world = createWorld({
    objects: [strand('rope', [[0, 0, 0], [1, 0, 0]], 50)], // biome-ignore format: points
    time: { step: 0.01, duration: 1, integrator: 'sdirk2' },
    solver: { newtonIterations: 10 },
  });
  const report = world.step();
  expect(report).toMatchObject({ time: 0.01, h: 0.01, substeps: 1, rejected: 0, remeshings: 0, nodes: 50 });
  expect(report.newtonIterations).toBeGreaterThanOrEqual(2);
  expect(report.correction).toBeLessThanOrEqual(1e-9);
  run(world, 5);
  for (const key of ['detect', 'adapt', 'assemble', 'solve', 'advance'] as const)
    expect(world.profile[key]).toBeGreaterThanOrEqual(0);
  expect(world.profile.assemble).toBeGreaterThan(0);
  expect(world.steps).toBe(6);
  expect(nodesOf(world)).toHaveLength(50);
  expect(() => readProbe(world, 'nothing')).toThrow();
});

test('a report counts the fall-backs of its step, of all models and couplings; a saved world goes on counting', () => {
  const create = () => {
    const text = readFileSync(new URL('../../scenes/sheet-edge.json', import.meta.url), 'utf8');
    return compile(parseScene(text));
  };
  const adaptationOf = (world: World) =>
    world.models.find((model): model is Sheet => model.type === 'sheet')!.adaptation!;
  const world = create();
  expect(world.step().fallbacks).toBe(0);
  const adaptation = adaptationOf(world);
  // as if edges were through the sheet in two sub-steps of this step, and its creases had paused once
  const place = vi.spyOn(adaptation, 'endStep').mockImplementationOnce(() => {
    adaptation.fallbacks += 2;
    adaptation.pauses++;
  });
  expect(world.step().fallbacks).toBe(3);
  place.mockRestore();
  expect(world.step().fallbacks).toBe(0);
  const again = create();
  again.load(world.save());
  expect([adaptationOf(again).fallbacks, adaptationOf(again).pauses]).toEqual([2, 1]);
  expect(again.step().fallbacks).toBe(0);
});

test('a step that would take for ever in tiny sub-steps is given up with a sentence', () => {
  const world = createWorld({
    objects: [strand('rope', [[0, 0, 0], [1, 0, 0]], 5, { velocity: [[0, 0, 0], [0, 30, 0]] })], // biome-ignore format: points
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    time: { step: 0.01, duration: 1, adaptive: { tolerance: 1e-12, smallest: 1e-11 } },
  });
  expect(() => world.step()).toThrow(
    /Step 1 at t = .* failed for "rope" in advance: it needs more than 20000 sub-steps/,
  );
});

test('a step in parts ends with the same bits as a whole one, also saved and loaded between the parts', () => {
  const create = () =>
    createWorld({
      objects: [strand('rope', [[0, 0, 0], [0.5, 0, 0], [0.6, -0.6, 0]], 9, { guides: [{ id: 'g', point: [0.5, 0, 0] }] })], // biome-ignore format: points
      time: { step: 0.02, duration: 1, adaptive: { tolerance: 1e-3, smallest: 1e-6 } },
    });
  const whole = create();
  const parts = create();
  let reloads = 0;
  let calls = 0;
  for (let n = 0; n < 6; n++) {
    const { substeps } = whole.step();
    expect(substeps).toBeGreaterThan(2);
    for (let time = parts.time; !parts.stepPart(1); time = parts.time) {
      expect(parts.steps).toBe(n);
      // after a rejection the smaller trial is not part of the state: a world loaded there tries the larger one again
      if (parts.time === time || calls++ % 3 !== 0) continue;
      parts.load(parts.save());
      reloads++;
    }
    expect(parts.hash()).toBe(whole.hash());
  }
  expect(reloads).toBeGreaterThan(5);
});
