import { SceneError } from 'heddle/model';
import { parseScene, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { fuzzScene } from './fuzz.ts';
import { FUZZ_BASES } from './fuzz-bases.ts';

/** Words that would be a leak from inside: of the validator, or of a value turned into text by accident. */
const LEAKS =
  /Invalid (input|option|string|key|element)|expected |Unrecognized|ZodError|\[object |undefined|TypeError|at .*\.ts:/;

test('the bases are valid', () => {
  for (const base of FUZZ_BASES) validateScene(base);
});

test('the same seed gives the same text', () => {
  expect(fuzzScene(7, FUZZ_BASES[0])).toBe(fuzzScene(7, FUZZ_BASES[0]));
  expect(fuzzScene(7, FUZZ_BASES[0])).not.toBe(fuzzScene(8, FUZZ_BASES[0]));
});

describe('1,000 damaged scenes', () => {
  test('each end in a clear SceneError or an accepted scene', () => {
    let refused = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const text = fuzzScene(seed, FUZZ_BASES[seed % FUZZ_BASES.length]);
      try {
        // accepted: then it is a fixed point of validation
        const scene = parseScene(text);
        expect(validateScene(scene)).toEqual(scene);
      } catch (error) {
        if (!(error instanceof SceneError)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
        refused++;
        expect(error.faults.length, `seed ${seed}`).toBeGreaterThan(0);
        for (const fault of error.faults) {
          const sentence = `${fault.path || 'the scene'} ${fault.message}`;
          expect(fault.message, `seed ${seed}`).toMatch(/^[a-z].*[.?]$/s);
          expect(sentence, `seed ${seed}`).not.toMatch(LEAKS);
          expect(sentence.length, `seed ${seed}: ${sentence}`).toBeLessThan(600);
          expect(fault.line, `seed ${seed}: ${sentence}`).toBeGreaterThan(0);
        }
      }
    }
    // most damage is found, some is harmless: the fuzz would be worthless at either end
    expect(refused).toBeGreaterThan(600);
    expect(refused).toBeLessThan(1000);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
