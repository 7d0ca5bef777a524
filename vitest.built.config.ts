// What `npm test` runs in Node: the tests of vitest.config.ts, on the engine that it built before. As the user gets it, and faster.
import { defineConfig, mergeConfig } from 'vitest/config';
import { BUILT, builtSources } from './scripts/built-sources.js';
import base from './vitest.config.ts';

export default mergeConfig(
  base,
  defineConfig({
    plugins: [builtSources],
    test: { server: { deps: { external: [BUILT] } } },
  }),
);
