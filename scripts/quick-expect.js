// Tests in Node that import vitest get `test/quick-expect.ts`, which is all of it with a quicker `expect`.
import { join } from 'node:path';
import { root } from './setup.js';

const quick = join(root, 'test/quick-expect.ts').replaceAll('\\', '/');
const tests = join(root, 'test/').replaceAll('\\', '/');

/** Plugin for vitest. */
export const quickExpect = {
  name: 'quick-expect',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'vitest' && importer?.startsWith(tests) && importer !== quick ? quick : null),
};
