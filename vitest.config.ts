import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.js';
import { quickExpect } from './scripts/quick-expect.js';
import { sourceAliases } from './scripts/source-aliases.js';

export default defineConfig({
  resolve: { alias: sourceAliases },
  plugins: [quickExpect],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    // Only what never ends is to fail by the clock: `npm test` runs the tests in Chromium at the same time, and lets them go first.
    testTimeout: 2_400_000,
    hookTimeout: 2_400_000,
    pool: 'threads',
    maxWorkers: '100%',
    // the engine keeps nothing between worlds: it is read and compiled once in each thread, not once in each file
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
