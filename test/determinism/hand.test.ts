/** A live run that a hand pulls on, between any two sub-steps, is run again to the bit from what the hand did; of every model. */
import { readFileSync } from 'node:fs';
import { compile, isNodeModel, parseScene, type World } from 'heddle';
import { type Grabbed, HandLog, replayHand } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const build = (name: string): World =>
  compile(parseScene(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'), { source: name }));

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

test('inputs come within steps, too: a moment counts the sub-steps tried', () => {
  const world = build('strand-corner');
  const log = new HandLog(world);
  // a step whose first try counts, whatever it takes
  log.advance();
  log.take(chooseTarget(world, undefined).target, [0, 1, 0]);
  expect(log.inputs.at(-1)).toMatchObject({ step: world.steps, point: [0, 1, 0] });
  expect(() => log.take({ object: 'nobody', label: 0 }, [0, 0, 0])).toThrow(/nobody/);
  expect(world.grab.isActive).toBe(false);
  expect(log.inputs.at(-1)).toMatchObject({ take: null });
});

test('a pin that a hand has moved is held there after saving and loading', () => {
  const [world, fresh] = [build('sheet-hang'), build('sheet-hang')];
  const log = new HandLog(world);
  const label = 0;
  const at = new Float64Array(3);
  const model = world.models.find(isNodeModel)!;
  model.writeNodePosition(label, at);
  log.take({ object: model.id, label }, [at[0], at[1] + 0.1, at[2]]);
  while (world.steps < 8) log.advance();
  log.release();
  const moved = new Float64Array(3);
  model.writeNodePosition(label, moved);
  expect(moved[1] - at[1]).toBeGreaterThan(0.01);
  fresh.load(world.save());
  for (let n = 0; n < 4; n++) {
    world.step();
    fresh.step();
    expect(fresh.hash()).toBe(world.hash());
  }
});
