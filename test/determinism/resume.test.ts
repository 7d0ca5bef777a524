/** The same scene gives the same bits: run twice, saved and loaded at any moment, into a fresh world or a used one. */
import { HeddleError } from 'heddle/model';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createWorld, describeWorld, SCENES } from './scenes.ts';

const STEPS = 90;

for (const [title, scene] of Object.entries(SCENES))
  describe(title, () => {
    /** What can be read off the world after each step, and its bytes. */
    const record = (world: World) => {
      const states = [describeWorld(world)];
      const saved = [world.save()];
      for (let n = 0; n < STEPS; n++) {
        world.step();
        states.push(describeWorld(world));
        saved.push(world.save());
      }
      return { states, saved };
    };
    const whole = record(createWorld(scene));

    test('twice gives the same bits at every step', () => {
      expect(record(createWorld(scene)).states).toEqual(whole.states);
      expect(new Set(whole.states).size).toBe(STEPS + 1);
    });

    test('resumed in the middle, it ends with the same bits as uninterrupted', () => {
      const used = createWorld(scene);
      for (let start = 0; start < STEPS; start += 7) {
        const fresh = createWorld(scene);
        for (const world of [fresh, used]) {
          world.load(whole.saved[start]);
          expect(describeWorld(world)).toBe(whole.states[start]);
          // the used world is left at another moment each time
          const end = world === used ? start + ((start * 5) % 11) : STEPS;
          for (let n = start + 1; n <= Math.min(end, STEPS); n++) {
            world.step();
            expect(describeWorld(world)).toBe(whole.states[n]);
          }
        }
      }
    });

    test('saving changes nothing, and cut or foreign bytes are refused and change nothing', () => {
      const world = createWorld(scene);
      world.load(whole.saved[40]);
      const bytes = whole.saved[50];
      const foreign = Object.values(SCENES).filter((other) => other !== scene);
      for (const wrong of [
        bytes.subarray(0, bytes.length - 1),
        bytes.subarray(0, 24),
        new Uint8Array(0),
        Uint8Array.from([...bytes, 0]),
        new Uint8Array(500).fill(255),
        ...foreign.map((other) => createWorld(other).save()),
      ]) {
        expect(() => world.load(wrong)).toThrow(HeddleError);
        expect(() => world.load(wrong)).toThrow(/^The saved state .*\.$/);
        expect(describeWorld(world)).toBe(whole.states[40]);
      }
    });
  });

test('the scenes reach what they are for', () => {
  const read = (title: string, column: string, steps: number) => {
    const world = createWorld(SCENES[title]);
    const seen = new Set<number>();
    const values = new Float64Array(world.probeColumns.length);
    for (let n = 0; n < steps; n++) {
      world.step();
      world.writeProbes(values);
      seen.add(values[world.probeColumns.indexOf(column)]);
    }
    return seen;
  };
  expect(read('remeshing round a corner', 'n.remeshings', STEPS).size).toBeGreaterThan(4);
  expect(read('remeshing round a corner', 'n.disabled', STEPS).size).toBeGreaterThan(1);
  // jammed: the material stands still
  expect(read('a guide jammed against a heavy end, bending', 'du', STEPS).has(0)).toBe(true);
  const contact = read('contact of a Lagrangian strand with a box and a free ball', 'ball.y', STEPS);
  expect(Math.min(...contact)).toBeLessThan(0);
  const adaptive = createWorld(SCENES['a scripted arm, adaptive steps, a free body on a tie']);
  let [substeps, rejected] = [0, 0];
  for (let n = 0; n < STEPS; n++) {
    const report = adaptive.step();
    substeps += report.substeps;
    rejected += report.rejected;
  }
  expect(substeps).toBeGreaterThan(2 * STEPS);
  expect(rejected).toBeGreaterThan(0);
});

test('states of scenes with the same sizes but other names are told apart', () => {
  const scene = SCENES['remeshing round a corner'];
  const renamed = structuredClone(scene);
  renamed.objects[0].id = 'thread';
  delete renamed.probes;
  expect(() => createWorld(renamed).load(createWorld(scene).save())).toThrow(
    /^The saved state has other objects than "thread" with their present nodes; it belongs to another scene/,
  );
});
