// The engine as it was built, for tests: every import that leads to src goes to the same file of dist, which Node reads by itself.
// Vitest's own loader turns each name that a file imports into a call of a getter, which costs steps a quarter of their time, and
// compiles every file again in each thread.
import { join, relative, resolve } from 'node:path';
import { root } from './setup.js';

const sources = join(root, 'src/');

/** What of the build Vitest leaves to Node. */
export const BUILT = /\/dist\//;

/** Plugin for vite and vitest: src/….ts → dist/….js, wherever it is imported from. */
export const builtSources = {
  name: 'built-sources',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    if (!found?.id.startsWith(sources.replaceAll('\\', '/')) || !found.id.endsWith('.ts')) return null;
    return resolve(root, 'dist', relative(sources, found.id).replace(/\.ts$/, '.js')).replaceAll('\\', '/');
  },
};
