import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests import the package by its public names; these point at the sources, so no build is needed to test.
const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const folders = readdirSync(new URL('./src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => ({ find: `heddle/${entry.name}`, replacement: source(`${entry.name}/index.ts`) }));

export default defineConfig({
  resolve: { alias: [...folders, { find: /^heddle$/, replacement: source('index.ts') }] },
  test: { include: ['test/**/*.test.ts'], exclude: ['test/browser/**'], testTimeout: 120_000, pool: 'threads' },
});
