// Tests and the studio import the engine by its public names; these point at the sources, so that one build (or none)
// serves both.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sources = new URL('../src/', import.meta.url);

/** Aliases for vite and vitest: `heddle/<folder>` and `heddle`. */
export const sourceAliases = [
  ...readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      find: `heddle/${name}`,
      replacement: fileURLToPath(new URL(`${name}/index.ts`, sources)),
    })),
  { find: /^heddle$/, replacement: fileURLToPath(new URL('index.ts', sources)) },
];
