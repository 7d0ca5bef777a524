/** Winding a world back and forth gives the same bits as the first time. */
import { createRandom } from 'heddle/math';
import { HeddleError } from 'heddle/model';
import { Replay } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createWorld, describeWorld, SCENES } from './scenes.ts';

for (const [title, scene] of Object.entries(SCENES))
  test(`every step of ${title} has its bits, sought in any order`, () => {
    const plain = createWorld(scene);
    const states = [describeWorld(plain)];
    for (let n = 0; n < 80; n++) {
      plain.step();
      states.push(describeWorld(plain));
    }
    const replay = new Replay(createWorld(scene), { every: 3, most: 8 });
    for (let n = 1; n <= 60; n++) {
      expect(replay.step().time).toBe(replay.world.time);
      expect(describeWorld(replay.world)).toBe(states[n]);
    }
    const random = createRandom(9);
    // back to the start, on beyond what was simulated, and to and fro
    for (const step of [0, 60, 59, 80, 1, ...Array.from({ length: 15 }, () => Math.floor(random.uniform(0, 81)))]) {
      replay.seek(step);
      expect(replay.world.steps).toBe(step);
      expect(describeWorld(replay.world)).toBe(states[step]);
    }
    expect(replay.last).toBe(80);
  });

describe('snapshots', () => {
  const scene = SCENES['strands tied to each other'];

  test('are bounded, even, and keep the start', () => {
    const replay = new Replay(createWorld(scene), { every: 2, most: 5 });
    for (let n = 1; n <= 100; n++) {
      replay.step();
      const kept = replay.snapshots;
      expect(kept.length).toBeLessThanOrEqual(5);
      expect(kept[0]).toBe(0);
      const gap = kept.length > 1 ? kept[1] : 2;
      expect(kept).toEqual(kept.map((_, k) => k * gap));
      expect(n - kept[kept.length - 1]).toBeLessThan(gap);
      expect(gap).toBeLessThanOrEqual(Math.max(2, (2 * n) / 5));
    }
    expect(replay.memory).toBeLessThanOrEqual(5 * replay.world.save().length);
  });

  test('a seek simulates no more than the gap, and nothing where the world is on its way already', () => {
    const replay = new Replay(createWorld(scene), { every: 4, most: 50 });
    replay.seek(41);
    let taken = 0;
    const { step } = replay.world;
    replay.world.step = () => {
      taken++;
      return step.call(replay.world);
    };
    for (const [target, steps] of [
      [40, 0],
      [43, 3],
      [43, 0],
      [22, 2],
      [23, 1],
      [60, 20],
      [3, 3],
    ]) {
      // biome-ignore format: table
      taken = 0;
      replay.seek(target);
      // from 23 to 60: the snapshot at 40 is nearer
      expect(taken).toBe(steps);
    }
  });

  test('one that begins in the middle of a run begins there', () => {
    const world = createWorld(scene);
    for (let n = 0; n < 7; n++) world.step();
    const before = describeWorld(world);
    const replay = new Replay(world, { every: 2 });
    expect(replay.first).toBe(7);
    replay.seek(20);
    replay.seek(7);
    expect(describeWorld(world)).toBe(before);
    expect(() => replay.seek(6)).toThrow(
      new HeddleError('Step 6 is not available; give a whole number from 7, where recording began.'),
    );
    expect(describeWorld(world)).toBe(before);
  });

  test('senseless numbers are refused', () => {
    const world = createWorld(scene);
    const replay = new Replay(world);
    for (const step of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => replay.seek(step)).toThrow(HeddleError);
    for (const options of [{ every: 0 }, { every: 1.5 }, { most: 1 }, { most: Number.NaN }])
      expect(() => new Replay(world, options)).toThrow(HeddleError);
  });
});
