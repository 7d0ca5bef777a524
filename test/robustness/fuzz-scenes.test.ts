import { validateScene } from 'heddle/scene';
import { expect, test } from 'vitest';
import { fuzzScene } from './fuzz.ts';
import { FUZZ_BASES } from './fuzz-bases.ts';
import { expectClearEnds } from './fuzz-scenes.ts';

test('the scenes that are damaged are valid before', () => {
  for (const base of FUZZ_BASES) validateScene(base);
});

test('the same seed gives the same text', () => {
  expect(fuzzScene(7, FUZZ_BASES[0])).toBe(fuzzScene(7, FUZZ_BASES[0]));
  expect(fuzzScene(7, FUZZ_BASES[0])).not.toBe(fuzzScene(8, FUZZ_BASES[0]));
});

test('1000 damaged scenes, seeds 0 to 999, each end in a clear error or a finite run', () => {
  expectClearEnds(0, 1000);
});
