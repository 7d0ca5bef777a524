/** Damaged scenes (`fuzz-scenes.ts`), fresh ones in every run. */
import { test } from 'vitest';
import { drawSeed } from './family-tests.ts';
import { expectClearEnds } from './fuzz-scenes.ts';

const first = drawSeed();
test('3000 scenes damaged with fresh seeds each end in a clear error or a finite run', () => {
  expectClearEnds(first, 3000);
});
