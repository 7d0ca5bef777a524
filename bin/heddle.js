#!/usr/bin/env node
// The heddle command. The code is in src/cli, built to dist/cli.
import { existsSync } from 'node:fs';

const entry = new URL('../dist/cli/index.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('Heddle is not built yet: dist/cli is missing; run npm run build.\n');
  process.exit(2);
}
const { runCommand } = await import(entry.href);
process.exitCode = await runCommand(process.argv.slice(2));
