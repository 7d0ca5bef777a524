/** The `heddle` command; bin/heddle.js calls `runCommand`. */

import { createContext } from './context.ts';
import { main } from './program.ts';

export { main } from './program.ts';

/** Runs the command on this process; returns the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  // a reader that went away (`heddle list | head -1`) is no failure
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return main(argv, createContext());
}
