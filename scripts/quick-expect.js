// Tests in Node that import vitest get `test/quick-expect.ts`, which is all of it with a quicker `expect`.
import { fileURLToPath } from 'node:url';

const tests = fileURLToPath(new URL('../test/', import.meta.url)).replaceAll('\\', '/');
const quick = `${tests}quick-expect.ts`;

/** Plugin for vitest. */
export const quickExpect = {
  name: 'quick-expect',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'vitest' && importer?.startsWith(tests) && importer !== quick ? quick : null),
};
