import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.js';
import { quickExpect } from './scripts/quick-expect.js';
import { sourceAliases } from './scripts/source-aliases.js';
import { TAGS } from './scripts/test-tiers.js';

export default defineConfig({
  resolve: { alias: sourceAliases },
  plugins: [quickExpect],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    tags: TAGS,
    // Time limits are only against hangs: a busy machine may take many times longer.
    testTimeout: 2_400_000,
    hookTimeout: 2_400_000,
    pool: 'threads',
    maxWorkers: '100%',
    // the engine keeps nothing between worlds: it is read and compiled once in each thread, not once in each file
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
