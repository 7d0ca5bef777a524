/** A live run that a hand pulls on, between any two sub-steps, is run again to the bit from what the hand did; of every model. */
import { readFileSync } from 'node:fs';
import { compile, isNodeModel, parseScene, setPointer, type World } from 'heddle';
import { type Grabbed, HandLog, replayHand } from 'heddle/world';
import { describe, expect, test } from 'vitest';

/** `step`: long ones, which are taken in parts where their error asks for it. */
function build(name: string, step?: number): World {
  const text = readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8');
  const change = (raw: unknown): void => {
    if (step === undefined) return;
    setPointer(raw, '/time/step', step);
    setPointer(raw, '/time/adaptive', { tolerance: 1e-5, smallest: step / 1000 });
  };
  return compile(parseScene(text, { source: name, change }));
}

/** The node whose label is in the middle of what a frame shows of the first object that can be grabbed, or a body. */
function chooseTarget(world: World, body: string | undefined): { target: Grabbed; at: number[] } {
  if (body !== undefined) {
    const at = [...world.bodies.find(({ id }) => id === body)!.position];
    return { target: { body, at }, at };
  }
  const model = world.models.find(isNodeModel)!;
  const [object = model.id] = model.frameIds ?? [];
  const labels = model.frameLabels(object);
  const k = labels.length >> 1;
  const frame = world.frame().objects.find(({ id }) => id === object)!;
  return { target: { object, label: labels[k] }, at: [...frame.x.subarray(3 * k, 3 * k + 3)] };
}

/** A run in which a hand takes hold, goes away, comes back within a step and lets go. */
function live(name: string, body: string | undefined, steps: number): { log: HandLog; hash: string } {
  const log = new HandLog(build(name));
  const { world } = log;
  const advanceTo = (step: number): void => {
    while (world.steps < step) log.advance();
  };
  advanceTo(2);
  const { target, at } = chooseTarget(world, body);
  log.take(target, at);
  for (let n = 3; n < steps - 2; n++) {
    log.drag([at[0] + 0.002 * n, at[1] + 0.003 * n, at[2]]);
    log.advance();
    log.drag([at[0], at[1] + 0.003 * n, at[2] + 0.001 * n]);
    advanceTo(n);
  }
  log.release();
  advanceTo(steps);
  return { log, hash: world.hash() };
}

const SCENES: readonly (readonly [name: string, steps: number, body?: string])[] = [
  ['strand-corner', 20],
  ['strand-hinge', 20, 'bridge'],
  ['rod-cantilever', 10],
  ['sheet-hang', 10],
  ['fabric-hang', 7],
  ['mpm-cloth-curtain', 10],
];

describe.each(SCENES)('%s', (name, steps, body) => {
  test('is run again to the bit from what the hand did, and otherwise without it', () => {
    const { log, hash } = live(name, body, steps);
    const again = build(name);
    replayHand(again, JSON.parse(JSON.stringify(log.inputs)), steps);
    expect(again.hash()).toBe(hash);
    const alone = build(name);
    replayHand(alone, [], steps);
    expect(alone.hash()).not.toBe(hash);
  });
});

describe.each(SCENES)('%s, saved while a hand holds something', (name, steps, body) => {
  test('goes on to the bit where it is loaded: held there, pulled on, and let go', () => {
    const [world, fresh] = [build(name), build(name)];
    for (let n = 0; n < 2; n++) world.step();
    const { target, at } = chooseTarget(world, body);
    world.grab.take(target, [at[0], at[1] + 0.02, at[2] + 0.01]);
    for (let n = 4; n < steps; n++) world.step();
    fresh.load(world.save());
    expect(fresh.grab.isActive).toBe(true);
    expect(fresh.grab.force).toEqual(world.grab.force);
    const [from, to, ownFrom, ownTo] = [0, 1, 2, 3].map(() => new Float64Array(3));
    fresh.grab.writeEnds(from, to);
    world.grab.writeEnds(ownFrom, ownTo);
    expect([from, to]).toEqual([ownFrom, ownTo]);
    const goOn = (act: (one: World) => void): void => {
      for (const one of [world, fresh]) {
        act(one);
        one.step();
      }
      expect(fresh.hash()).toBe(world.hash());
    };
    goOn(() => {});
    goOn(({ grab }) => grab.drag([at[0] + 0.01, at[1] + 0.02, at[2]]));
    // let go, and saved before a step has forgotten its force
    world.grab.release();
    fresh.load(world.save());
    expect(fresh.grab.isActive).toBe(false);
    goOn(() => {});
  });
});

test('material that has lost the node by which it was taken is held on by another where it is loaded', () => {
  const [world, fresh] = [build('strand-corner'), build('strand-corner')];
  const model = world.models.find(isNodeModel)!;
  const labels = [...model.frameLabels(model.id)];
  // the run takes nodes out near the corner
  const later = build('strand-corner');
  for (let n = 0; n < 60; n++) later.step();
  const gone = labels.find((label) => !later.models.find(isNodeModel)!.hasNode(label))!;
  expect(gone).toBeDefined();
  const place = new Float64Array(3);
  model.writeNodePosition(gone, place);
  world.grab.take({ object: model.id, label: gone }, place);
  // so weakly that it changes nothing much
  for (let n = 0; n < 60; n++) {
    const [from, to] = [new Float64Array(3), new Float64Array(3)];
    world.grab.writeEnds(from, to);
    world.grab.drag(from);
    world.step();
  }
  expect(model.hasNode(gone)).toBe(false);
  fresh.load(world.save());
  for (let n = 0; n < 5; n++) {
    world.step();
    fresh.step();
    expect(fresh.hash()).toBe(world.hash());
  }
});

test('a hand that holds nothing of the scene, and states of before, are refused, and change nothing', () => {
  const [world, fresh] = [build('strand-corner'), build('strand-corner')];
  world.grab.take(chooseTarget(world, undefined).target, [0, 1, 0]);
  world.step();
  const bytes = world.save();
  const before = fresh.hash();
  // the label is the last number
  const damaged = bytes.slice();
  new DataView(damaged.buffer).setFloat64(damaged.length - 8, 1e6, true);
  expect(() => fresh.load(damaged)).toThrow(/a drag that holds nothing of this scene/);
  // format 1 began with what is second now
  expect(() => fresh.load(bytes.slice(8))).toThrow(/another version of Heddle \(format 16, here 2\)/);
  expect(fresh.hash()).toBe(before);
});

test('inputs come within steps, too: a moment counts the sub-steps tried', () => {
  const [world, again] = [build('strand-corner', 0.02), build('strand-corner', 0.02)];
  const log = new HandLog(world);
  const { target, at } = chooseTarget(world, undefined);
  log.take(target, at);
  for (let n = 0; world.steps < 3; n++) {
    log.drag([at[0], at[1] + 1e-3 * (n % 7), at[2]]);
    log.advance();
  }
  expect(Math.max(...log.inputs.map(({ part }) => part))).toBeGreaterThan(2);
  replayHand(again, log.inputs, 3);
  expect(again.hash()).toBe(world.hash());
});

test('what cannot be taken hold of leaves the hand empty, in the log as in the world', () => {
  const world = build('strand-corner');
  const log = new HandLog(world);
  log.take(chooseTarget(world, undefined).target, [0, 1, 0]);
  expect(log.inputs.at(-1)).toMatchObject({ step: 0, part: 0, point: [0, 1, 0] });
  expect(() => log.take({ object: 'nobody', label: 0 }, [0, 0, 0])).toThrow(/nobody/);
  expect(world.grab.isActive).toBe(false);
  expect(log.inputs.at(-1)).toMatchObject({ take: null });
});

test('a pin that a hand has moved is held there after saving and loading', () => {
  const [world, fresh] = [build('strand-wind'), build('strand-wind')];
  const log = new HandLog(world);
  const model = world.models.find(isNodeModel)!;
  const placeOf = (label: number): Float64Array => {
    const place = new Float64Array(3);
    model.writeNodePosition(label, place);
    return place;
  };
  const labels = [...model.frameLabels(model.id)];
  const start = labels.map(placeOf);
  while (world.steps < 3) log.advance();
  // what does not fall is pinned
  const label = labels.find((one, k) => placeOf(one).every((value, c) => value === start[k][c]))!;
  const at = placeOf(label);
  log.take({ object: model.id, label }, [at[0], at[1] + 0.1, at[2]]);
  while (world.steps < 8) log.advance();
  log.release();
  const moved = placeOf(label);
  expect(moved[1] - at[1]).toBeGreaterThan(0.01);
  fresh.load(world.save());
  for (let n = 0; n < 4; n++) {
    world.step();
    fresh.step();
    expect(fresh.hash()).toBe(world.hash());
    expect(placeOf(label)).toEqual(moved);
  }
});
